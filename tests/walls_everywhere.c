/* walls_everywhere.c: walls in three of ten cells, wherever chance puts them, also beside sides
   that are open or wrap. Every stage leaves the bits of the CPU with one thread on every backend
   and in bands, droplets among them; so do bookings, measures and diagnostics. Walls stay empty,
   and what conserves mass without walls does so. With a second argument, for an emulated GPU, one
   of 5 cases. */
#include "banded.h"

#include "core/diagnostics.h"
#include "core/walls.h"
#include "sim/starts.h"

#include <omp.h>

static float walls[NX * NY];

/* A closed side lets nothing through; chance would. */
static int is_closed(int buffer, int n, const int *edge)
{
    const int at[] = {n % NX == 0, n % NX == NX - 1, n / NX == 0, n / NX == NY - 1};
    if (buffer < OTOK_OUTFLOW_LEFT || buffer > OTOK_OUTFLOW_TOP) return 0;
    return edge[buffer - OTOK_OUTFLOW_LEFT] == OTOK_CLOSED && at[buffer - OTOK_OUTFLOW_LEFT];
}

static void put_state(const otok_backend *backend, otok_patch *patch, const prepared *with,
                      const int *edge)
{
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        uint32_t x = 2463534242u + (uint32_t)b;
        for (int n = 0; n < NX * NY; n++) {
            map[n] = value(b, &x);
            if (walls[n] == OTOK_IN_WALL && b != OTOK_TERRAIN_BASE) map[n] = 0.0f;
            if (is_blocked(walls, NX, NY, edge, b, n) || is_closed(b, n, edge)) map[n] = 0.0f;
        }
        if (b == OTOK_WALLS) memcpy(map, walls, sizeof map);
        if (otok_set_has(with->needed, b)) MUST(backend->put(patch, b, map));
    }
}

static void begin(const otok_backend *backend, otok_patch *patch, const prepared *with,
                  const int *edge, int drops)
{
    static uint64_t upto[NX * NY];
    static float weights[NX * NY];
    for (int n = 0; n < NX * NY; n++)
        weights[n] = walls[n] == OTOK_IN_WALL ? 0.0f : 1.0f;
    start(backend, patch, with, edge);
    put_state(backend, patch, with, edge);
    if (drops) {
        MUST(otok_starts_sum(upto, weights, NX * NY));
        MUST(backend->starts(patch, upto));
    }
}

static double stock(const otok_backend *backend, otok_patch *patch, int field, otok_set needed)
{
    otok_field_summary found;
    if (!otok_set_has(needed, field)) return 0;
    MUST(backend->measure(patch, field, &found));
    return otok_fixed_value(found.sum.hi, found.sum.lo);
}

/* Water and solids now, less what the books say has come. */
static void stocks(double out[2], const otok_backend *backend, otok_patch *patch, otok_set needed)
{
    otok_sum sums[OTOK_SUMS];
    MUST(backend->sums(patch, sums));
    out[OTOK_LEDGER_WATER] = stock(backend, patch, OTOK_WATER, needed);
    out[OTOK_LEDGER_SOLID] = stock(backend, patch, OTOK_TERRAIN_BASE, needed) +
                             stock(backend, patch, OTOK_TERRAIN_CHANGE, needed) +
                             stock(backend, patch, OTOK_SEDIMENT, needed);
#define OTOK_ENTRY(...)
#define OTOK_BOOK(SUM, member, side, sign, ...)                                                    \
    out[OTOK_LEDGER_##side] -= (sign == '+'   ? 1                                                  \
                                : sign == '-' ? -1                                                 \
                                              : 0) *                                               \
                               otok_fixed_value(sums[OTOK_SUM_##SUM].hi, sums[OTOK_SUM_##SUM].lo);
#include "otok_ledger.def"
}

static void check_empty(const otok_backend *backend, otok_patch *patch, otok_set needed,
                        const char *where)
{
    for (int f = 0; f < OTOK_STORED; f++) {
        if (!otok_set_has(needed, f) || f == OTOK_TERRAIN_BASE) continue;
        MUST(backend->get(patch, f, map));
        for (int n = 0; n < NX * NY; n++)
            CHECK(walls[n] != OTOK_IN_WALL || map[n] == 0.0f, "%s: field %d of wall %d is %g",
                  where, f, n, (double)map[n]);
    }
}

static void check(const otok_phase *phase, int layered, int e, const char *name)
{
    const otok_backend *cpu = NULL, *tested = NULL;
    const int drops = phase->processes & OTOK_DROPLETS;
    char where[160];
    otok_step steps[STEPS];
    prepared with;
    otok_patch expected, found;
    double before[2], after[2];
    describe_steps(steps);
    place_walls(walls, NX, NY, edges[e], (uint32_t)e);
    snprintf(where, sizeof where, "%.40s%s, %s, edges %d", phase->name, layered ? " in layers" : "",
             name, e);
    MUST(otok_backend_find(&cpu, "cpu:plain"));
    MUST(otok_backend_find(&tested, name));
    prepare(&with, phase, layered ? &ground : NULL, edges[e], 1.5);
    otok_set_add(&with.needed, OTOK_WALLS);
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    begin(cpu, &expected, &with, edges[e], drops);
    stocks(before, cpu, &expected, with.needed);
    MUST(cpu->run(&expected, &with.program, &with.k, steps, STEPS));
    stocks(after, cpu, &expected, with.needed);
    omp_set_num_threads(threads);
    begin(tested, &found, &with, edges[e], drops);
    MUST(tested->run(&found, &with.program, &with.k, steps, 2));
    MUST(tested->run(&found, &with.program, &with.k, steps + 2, STEPS - 2));
    compare(cpu, &expected, tested, &found, with.needed, where);
    const otok_diagnostics_result a = diagnose(cpu, &expected, phase, with.needed),
                                  b = diagnose(tested, &found, phase, with.needed);
    CHECK(memcmp(&a, &b, sizeof a) == 0, "%s: diagnostics differ", where);
    check_empty(cpu, &expected, with.needed, where);
    for (int side = 0; side < 2; side++)
        CHECK(fabs(after[side] - before[side]) <= 1e-6 * (fabs(before[side]) + NX * NY),
              "%s: %s: %.9g m, with the books %.9g", where, side ? "solids" : "water", before[side],
              after[side]);
    cpu->destroy(&expected);
    tested->destroy(&found);
}

int main(int argc, char **argv)
{
    const char *place = CHECK_BACKEND(argc, argv)->name;
    const char *const ways[] = {"", ":fused/2", ":fused/5", ":plain/8"};
    const int nedges = sizeof edges / sizeof edges[0];
    int n = 0;
    describe_phases();
    for (int p = 0; p < nphases; p++)
        for (int layered = 0; layered < 2; layered++)
            for (int e = 0; e < nedges; e++) {
                char name[32];
                if (argc > 2 && ++n % 5) continue;
                snprintf(name, sizeof name, "%s%s", place, ways[(p + e + layered) % 4]);
                omp_set_num_threads(1 + (p + e) % 3);
                check(&phases[p], layered, e, name);
            }
    return check_failures != 0;
}
