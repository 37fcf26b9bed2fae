/* study_diagnostics_rows.c - claim: a sample row by row finds the integers that a sample cell by
   cell finds, and leaves the same ground for the next: on grids of one cell and more,
   with every edge, with and without water and flows, one-way and signed, and with values that are
   not finite, 0 with a sign, equal ones and large ones. Without maps of samples before likewise;
   and in two parts, joined. */
#include "core/diagnostics_rows.h"
#include "scene.h"

#include <math.h>
#include <string.h>

enum { MOST = 40 * 9, MAPS = 11 };

static float maps[MAPS][MOST], water_before[MOST];

static float odd_value(uint64_t *state)
{
    static const float values[] = {NAN, INFINITY, -INFINITY, -0.0f, 0.0f, 3e6f, -3e6f, 1e-30f};
    return values[(size_t)(scene_random(state) * 7.999f)];
}

/* Few different heights, so that neighbours are often equal; one value in `rarity` is an odd one.
 */
static void fill(float *map, int n, uint64_t *state, float rarity, int is_depth)
{
    for (int c = 0; c < n; c++) {
        const float v = is_depth ? fmaxf(0, scene_random(state) - 0.3f)
                                 : floorf(8 * scene_random(state)) / 4 - 0.5f;
        map[c] = scene_random(state) * rarity < 1 ? odd_value(state) : v;
    }
}

/* Adds the counts to `seen`. */
static void compare(const otok_diagnostics_maps *m, uint64_t seed, const char *what, int64_t *seen)
{
    static float before[2][MOST], room[36 * (MOST + 2)];
    const float *all[MAPS];
    const int cells = m->nx * m->ny;
    int n = 0;
    otok_diagnostics_result rows = {0}, each = {0};
    otok_diagnostics_maps of[2] = {*m, *m};
    CHECK(otok_diagnostics_room(m->nx) <= sizeof room / sizeof *room, "room for the test");
    for (int c = 0; c < cells; c++) {
        before[0][c] = before[1][c] = scene_random(&seed);
    }
    for (int k = 0; k < 2 && m->water_before; k++) {
        of[k].before = before[k];
    }
    for (int f = 0; f < MAPS; f++) {
        if (f == 8 && m->carbon == NULL) continue;
        all[n++] = maps[f];
        for (int c = 0; c < cells; c++)
            each.not_finite += !isfinite(maps[f][c]);
    }
    for (int c = 0; c < cells; c++) {
        otok_sum *const stocks[] = {&each.base, &each.change, &each.water, &each.sediment};
        const float *const from[] = {m->base, m->change, m->water, m->sediment};
        for (int k = 0; k < 4; k++) {
            if (!from[k]) continue;
            const otok_fixed f = otok_fixed_from(from[k][c]);
            stocks[k]->hi += f.hi;
            stocks[k]->lo += f.lo;
        }
        otok_diagnostics_at(&each.diagnostics, &of[0], c % m->nx, c / m->nx);
    }
    if (m->water_before) {
        otok_diagnostics_rows(&rows, &of[1], all, n, room);
    } else {
        otok_diagnostics_result upper = {0};
        const int middle = (m->ny + 1) / 2;
        otok_diagnostics_some_rows(&upper, &of[1], all, n, room, middle, m->ny);
        otok_diagnostics_join(&rows, &upper);
        upper = (otok_diagnostics_result){0};
        otok_diagnostics_some_rows(&upper, &of[1], all, n, room, 0, middle);
        otok_diagnostics_join(&rows, &upper);
    }
    for (int s = 0; s < OTOK_DIAGNOSTICS_DEPTH; s++)
        seen[s] += each.diagnostics.sums[s];
    for (int s = 0; s < OTOK_DIAGNOSTICS_SUMS; s++)
        CHECK(rows.diagnostics.sums[s] == each.diagnostics.sums[s], "%s, sum %d: %lld, not %lld",
              what, s, (long long)rows.diagnostics.sums[s], (long long)each.diagnostics.sums[s]);
    for (int k = 0; k < OTOK_DIAGNOSTICS_MOSTS; k++)
        CHECK(rows.diagnostics.most[k] == each.diagnostics.most[k], "%s, most %d: %llx, not %llx",
              what, k, (unsigned long long)rows.diagnostics.most[k],
              (unsigned long long)each.diagnostics.most[k]);
    CHECK(rows.not_finite == each.not_finite, "%s: %lld not finite, not %lld", what,
          (long long)rows.not_finite, (long long)each.not_finite);
    CHECK(memcmp(&rows.water, &each.water, 4 * sizeof rows.water) == 0, "%s: stocks", what);
    CHECK(memcmp(before[0], before[1], (size_t)cells * sizeof *before[0]) == 0,
          "%s: the ground kept", what);
}

int main(void)
{
    static const int sizes[][2] = {{1, 1}, {1, 7},  {9, 1},  {2, 2},
                                   {5, 4}, {16, 9}, {33, 8}, {40, 9}};
    uint64_t state = 77;
    int looks = 0;
    int64_t seen[OTOK_DIAGNOSTICS_DEPTH] = {0};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (int kind = 0; kind < 96; kind++) {
            char what[80];
            otok_diagnostics_maps m = {.nx = sizes[s][0], .ny = sizes[s][1], .pitch = sizes[s][0]};
            const int cells = m.nx * m.ny;
            const float rarity = kind % 3 == 0 ? 1e9f : kind % 3 == 1 ? 60 : 6;
            snprintf(what, sizeof what, "%d x %d, kind %d", m.nx, m.ny, kind);
            for (int f = 0; f < MAPS; f++)
                fill(maps[f], cells, &state, rarity,
                     f == 2 || f == 3 || (f > 3 && f < 8 && !(kind & 2)));
            fill(water_before, cells, &state, rarity, 1);
            m.wrap_x = kind / 3 & 1;
            m.wrap_y = kind / 6 & 1;
            m.flows = kind / 12 & 1;
            m.is_signed = (kind & 2) != 0;
            m.has_speeds = kind % 5 == 4;
            m.k = (otok_detect_coefficients){.arrived = 0.3f,
                                             .fast = 1.0f,
                                             .wave = m.has_speeds ? 2.0f : 0.0f,
                                             .dry = 0.01f,
                                             .tall = 0.3f,
                                             .flip = 0.1f,
                                             .pull = kind & 4 ? 2.0f : 0.0f,
                                             .pull_deep = kind & 4 ? 0.0f : 8.0f,
                                             .gravity = kind & 8 ? 0.1f : 0.0f,
                                             .crossed = 1.0f,
                                             .steep = 0.05f};
            m.base = maps[0], m.change = maps[1], m.water_before = water_before;
            if (kind / 24 & 1 || m.flows) {
                m.water = maps[2], m.sediment = maps[3];
                for (int side = 0; side < 4; side++)
                    m.outflow[side] = maps[4 + side];
                m.u = maps[9], m.w = maps[10];
            }
            if (kind / 48) m.carbon = maps[8];
            compare(&m, state, what, seen);
            m.water_before = NULL;
            compare(&m, state, what, seen);
            looks += 2;
        }
    for (int s = 0; s < OTOK_DIAGNOSTICS_DEPTH; s++)
        CHECK(seen[s] > 100, "count %d is %lld in all looks: nothing was compared", s,
              (long long)seen[s]);
    printf("%d looks\n", looks);
    return check_failures != 0;
}
