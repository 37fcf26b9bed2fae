/* walls_split.c: walls that divide a grid make two grids of it. Every stage leaves in the cells on
   each side of a strip of walls, from side to side of the grid, the bits of a grid that ends there
   with a closed side, on every backend and in bands; the bookings are the sum of the two, and walls
   keep what they had. A strip of one cell and one at a corner are among them. Strategies
   that know no walls give way. With a second argument, for an emulated GPU, one of 7 cases. */
#include "states.h"

#include "core/diagnostics_rows.h"
#include "core/walls.h"

#include <omp.h>

enum { NX = 40, NY = 30 };

static const int edges[][OTOK_SIDES] = {
    {OTOK_CLOSED, OTOK_CLOSED, OTOK_CLOSED, OTOK_CLOSED},
    {OTOK_OPEN, OTOK_OPEN, OTOK_OPEN, OTOK_OPEN},
    {OTOK_PERIODIC, OTOK_PERIODIC, OTOK_PERIODIC, OTOK_PERIODIC},
    {OTOK_CLOSED, OTOK_OPEN, OTOK_PERIODIC, OTOK_PERIODIC},
    {OTOK_PERIODIC, OTOK_PERIODIC, OTOK_OPEN, OTOK_CLOSED},
};

/* Walls: columns or rows from <= n < upto. */
static const struct {
    int upright, from, upto;
} strips[] = {{1, 18, 20}, {0, 13, 14}, {1, 37, 39}, {0, 1, 3}};

static int is_signed; /* the pipes of the phase, which keep no flow over closed sides */
static float map[NX * NY], other[NX * NY], walls[NX * NY];

/* A part of the grid: cells x0 <= x < x1, y0 <= y < y1. */
typedef otok_box part;

static void make(const otok_backend *backend, otok_patch *patch, const prepared *with, part p,
                 const int *edge)
{
    memset(patch, 0, sizeof *patch);
    patch->view.nx = p.x1 - p.x0, patch->view.ny = p.y1 - p.y0;
    patch->view.x0 = p.x0, patch->view.y0 = p.y0;
    patch->view.global_nx = NX, patch->view.global_ny = NY;
    memcpy(patch->edges, edge, sizeof patch->edges);
    MUST(backend->create(patch, with->needed, STEPS));
}

/* The whole grid's values of a buffer. Nothing of a wall's height may be seen. */
static void fill(float *out, int buffer, const int *edge)
{
    uint32_t x = 2463534242u + (uint32_t)buffer;
    for (int n = 0; n < NX * NY; n++) {
        out[n] = value(buffer, &x);
        if (walls[n] == OTOK_IN_WALL) out[n] = buffer == OTOK_TERRAIN_BASE ? 1e6f : 0.0f;
        if (is_blocked(walls, NX, NY, edge, buffer, n)) out[n] = 0.0f;
        if (is_signed && (buffer == OTOK_OUTFLOW_LEFT || buffer == OTOK_OUTFLOW_BOTTOM) &&
            edge[buffer - OTOK_OUTFLOW_LEFT] != OTOK_OPEN)
            out[n] = 0.0f;
    }
}

static void put_part(const otok_backend *backend, otok_patch *patch, int buffer, const float *whole,
                     part p)
{
    const int wide = p.x1 - p.x0;
    for (int j = p.y0; j < p.y1; j++)
        memcpy(other + (j - p.y0) * wide, whole + j * NX + p.x0, (size_t)wide * sizeof *other);
    MUST(backend->put(patch, buffer, other));
}

/* A patch of the walled grid, or of a part without walls. */
static void start(const otok_backend *backend, otok_patch *patch, const prepared *with, part p,
                  const int *edge, const int *all)
{
    make(backend, patch, with, p, edge);
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        if (!otok_set_has(with->needed, b) || b == OTOK_WALLS) continue;
        fill(map, b, all);
        put_part(backend, patch, b, map, p);
    }
    if (otok_set_has(with->needed, OTOK_WALLS)) put_part(backend, patch, OTOK_WALLS, walls, p);
}

static void compare_part(const otok_backend *cpu, otok_patch *half, int field, part p,
                         const char *where)
{
    const int wide = p.x1 - p.x0;
    MUST(cpu->get(half, field, other));
    for (int j = p.y0; j < p.y1; j++)
        for (int i = p.x0; i < p.x1; i++) {
            const float a = map[j * NX + i], b = other[(j - p.y0) * wide + i - p.x0];
            if (memcmp(&a, &b, sizeof a) == 0) continue;
            CHECK(0, "%s: field %d, row %d, column %d is %.9g, without walls %.9g", where, field, j,
                  i, (double)a, (double)b);
            return;
        }
}

static void compare_walls(int field, const int *edge, const char *where)
{
    fill(other, field, edge);
    for (int n = 0; n < NX * NY; n++)
        if (walls[n] == OTOK_IN_WALL)
            CHECK(memcmp(&map[n], &other[n], sizeof *map) == 0,
                  "%s: field %d of wall %d is %.9g, was %.9g", where, field, n, (double)map[n],
                  (double)other[n]);
}

/* Sums of the parts are those of the whole, and so are extremes, apart from the numbers of cells.
 */
static void compare_diagnostics(const otok_diagnostics_result *all, otok_diagnostics_result *half,
                                const char *where)
{
    const otok_diagnostics *seen = &all->diagnostics;
    otok_diagnostics_join(&half[0], &half[1]);
    for (int s = 0; s < OTOK_DIAGNOSTICS_SUMS; s++)
        CHECK(seen->sums[s] == half->diagnostics.sums[s], "%s: a sample's sum %d: %lld, not %lld",
              where, s, (long long)seen->sums[s], (long long)half->diagnostics.sums[s]);
    for (int m = 0; m < OTOK_DIAGNOSTICS_MOSTS; m++)
        CHECK((m < OTOK_DIAGNOSTICS_PLACES ? seen->most[m] >> 32 : seen->most[m]) ==
                  (m < OTOK_DIAGNOSTICS_PLACES ? half->diagnostics.most[m] >> 32
                                               : half->diagnostics.most[m]),
              "%s: a sample's most %d differs", where, m);
    CHECK(memcmp(&all->water, &half->water, 4 * sizeof all->water) == 0 &&
              all->not_finite == half->not_finite,
          "%s: stocks differ", where);
}

/* The grids on both sides of the strip and their edges; a strip of a grid that wraps over it leaves
   none. */
static int parts_of(part out[2], int edge[2][OTOK_SIDES], const int *all, int s)
{
    const int upright = strips[s].upright, low = upright ? OTOK_LEFT : OTOK_BOTTOM;
    if (all[low] == OTOK_PERIODIC) return 0;
    for (int n = 0; n < 2; n++) {
        out[n] = (part){0, NX, 0, NY};
        memcpy(edge[n], all, OTOK_SIDES * sizeof *all);
        *(upright ? n ? &out[n].x0 : &out[n].x1
          : n     ? &out[n].y0
                  : &out[n].y1) = n ? strips[s].upto : strips[s].from;
        edge[n][low + !n] = OTOK_CLOSED;
    }
    return 1;
}

static void check(const otok_phase *phase, int layered, const int *all, int s, const char *name)
{
    const otok_backend *cpu = NULL, *tested = NULL;
    int edge[2][OTOK_SIDES];
    part parts[2];
    char where[160];
    otok_step steps[STEPS];
    prepared with, alone[2];
    otok_patch found, halves[2];
    otok_sum sums[OTOK_SUMS], half[2][OTOK_SUMS];
    otok_diagnostics_result seen, samples[2];
    if (!parts_of(parts, edge, all, s)) return;
    snprintf(where, sizeof where, "%.40s%s, strip %d, %s, edges %d%d%d%d", phase->name,
             layered ? " in layers" : "", s, name, all[0], all[1], all[2], all[3]);
    is_signed = phase->hydraulic.pipes == OTOK_SIGNED;
    int64_t runs[2 * NY], n = 0;
    for (int j = 0; j < NY; j++)
        if (strips[s].upright || (j >= strips[s].from && j < strips[s].upto)) {
            runs[2 * n] = j * NX + (strips[s].upright ? strips[s].from : 0);
            runs[2 * n++ + 1] = strips[s].upright ? strips[s].upto - strips[s].from : NX;
        }
    otok_walls_map(walls, NX, NY, runs, n, all);
    describe_steps(steps);
    MUST(otok_backend_find(&cpu, "cpu:plain"));
    MUST(otok_backend_find(&tested, name));
    prepare(&with, phase, layered ? &ground : NULL, all, 1.5);
    otok_set_add(&with.needed, OTOK_WALLS);
    start(tested, &found, &with, (part){0, NX, 0, NY}, all, all);
    const char *strategy = tested->strategy(&found, &with.program, &with.k);
    CHECK(strcmp(strategy, "plain") == 0 || strcmp(strategy, "fused") == 0,
          "%s: the strategy is %s", where, strategy);
    MUST(tested->run(&found, &with.program, &with.k, steps, 2));
    MUST(tested->run(&found, &with.program, &with.k, steps + 2, STEPS - 2));
    MUST(tested->sums(&found, sums));
    seen = diagnose(tested, &found, phase, with.needed);
    for (int h = 0; h < 2; h++) {
        prepare(&alone[h], phase, layered ? &ground : NULL, edge[h], 1.5);
        start(cpu, &halves[h], &alone[h], parts[h], edge[h], all);
        MUST(cpu->run(&halves[h], &alone[h].program, &alone[h].k, steps, STEPS));
        MUST(cpu->sums(&halves[h], half[h]));
        samples[h] = diagnose(cpu, &halves[h], phase, alone[h].needed);
    }
    compare_diagnostics(&seen, samples, where);
    for (int f = 0; f < OTOK_STORED; f++) {
        if (!otok_set_has(with.needed, f)) continue;
        MUST(tested->get(&found, f, map));
        for (int h = 0; h < 2; h++)
            if (otok_set_has(alone[h].needed, f)) compare_part(cpu, &halves[h], f, parts[h], where);
        compare_walls(f, all, where);
    }
    for (int k = 0; k < OTOK_SUMS; k++)
        CHECK(sums[k].hi == half[0][k].hi + half[1][k].hi &&
                  sums[k].lo == half[0][k].lo + half[1][k].lo,
              "%s: sum %d is (%lld, %lld), that of the parts (%lld, %lld)", where, k,
              (long long)sums[k].hi, (long long)sums[k].lo,
              (long long)(half[0][k].hi + half[1][k].hi),
              (long long)(half[0][k].lo + half[1][k].lo));
    tested->destroy(&found);
    for (int h = 0; h < 2; h++)
        cpu->destroy(&halves[h]);
}

int main(int argc, char **argv)
{
    const char *place = CHECK_BACKEND(argc, argv)->name;
    const int nedges = sizeof edges / sizeof edges[0], nstrips = sizeof strips / sizeof strips[0];
    const char *const ways[] = {"", ":fused/3", ":fused"};
    int n = 0;
    describe_phases();
    for (int p = 0; p < nphases;
         p++) { /* rounds of rivers end by the sum of all cells, of both parts */
        phases[p].incision.n = 1;
        phases[p].incision.threshold = phases[p].incision.deposition = 0;
    }
    for (int p = 0; p < nphases; p++)
        for (int layered = 0; layered < 2; layered++)
            for (int e = 0; e < nedges; e++)
                for (int s = 0; s < nstrips; s++) {
                    char name[32];
                    if (phases[p].processes & OTOK_DROPLETS || (argc > 2 && ++n % 7)) continue;
                    snprintf(name, sizeof name, "%s%s", place, ways[(p + e + s) % 3]);
                    omp_set_num_threads(1 + (p + s) % 3);
                    check(&phases[p], layered, edges[e], s, name);
                }
    return check_failures != 0;
}
