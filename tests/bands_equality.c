/* bands_equality.c: a grid in bands, however it is cut and however few rows the bands share, has
   the bits of a grid in one piece: every stage, on every kind of edge. Where the host reaches the
   patch's memory, the rows that a band shares are made NaN before each run wherever their owner has
   other values, so that a row that is not exchanged shows. With a second argument, for an emulated
   GPU, compute-sanitizer or ASan, one of 13 cases, or with `fewest`, for racecheck, one of 61. */
#include "phases.h"

#include "../src/bands/bands.h"

#include <omp.h>

enum { NX = 23, NY = 41 };

static const int edges[][OTOK_SIDES] = {
    {OTOK_CLOSED, OTOK_OPEN, OTOK_OPEN, OTOK_CLOSED},
    {OTOK_PERIODIC, OTOK_PERIODIC, OTOK_PERIODIC, OTOK_PERIODIC},
    {OTOK_OPEN, OTOK_CLOSED, OTOK_PERIODIC, OTOK_PERIODIC},
    {OTOK_OPEN, OTOK_OPEN, OTOK_OPEN, OTOK_OPEN},
};

/* Ways to cut: bands of one row among them. */
static const struct {
    int count, depth, first[9];
} cuts[] = {
    {2, 4, {0, 20, 41}},      {3, 5, {0, 1, 40, 41}},
    {4, 9, {0, 7, 8, 9, 41}}, {8, 32, {0, 3, 10, 11, 20, 30, 31, 40, 41}},
    {1, 3, {0, 41}},
};

static float map[NX * NY], other[NX * NY];

static void start(const otok_backend *backend, otok_patch *patch, const prepared *with,
                  const int *edge)
{
    memset(patch, 0, sizeof *patch);
    patch->view.nx = NX, patch->view.ny = NY;
    patch->view.x0 = 3, patch->view.y0 = 5; /* as if cut out of a larger grid */
    patch->view.global_nx = NX + 11, patch->view.global_ny = NY + 16;
    memcpy(patch->edges, edge, sizeof patch->edges);
    patch->seed = -3;
    patch->droplets = BATCH;
    MUST(backend->create(patch, with->needed, STEPS));
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        uint32_t x = 2463534242u + (uint32_t)b;
        for (int n = 0; n < NX * NY; n++)
            map[n] = value(b, &x);
        if (with->needed >> b & 1) MUST(backend->put(patch, b, map));
    }
}

/* Makes what bands know of others NaN where it is out of date. Ghosts stay: those of flows are 0
 * and never renewed. */
static void spoil(otok_patch *patch)
{
    otok_bands *b = patch->own;
#ifndef OTOK_CUDA_EMULATED
    if (strncmp(b->inner->name, "cuda", 4) == 0) return;
#endif
    for (int n = 0; n < b->cut.count; n++) {
        const otok_view *v = &b->patches[n].view;
        for (int f = 0; f < OTOK_BUFFERS; f++)
            for (int j = 0; j < v->ny && b->stale >> f & 1 && v->at[f]; j++)
                for (int i = 0; i < v->nx && (j < v->shared[0] || j >= v->ny - v->shared[1]); i++)
                    v->at[f][j * v->pitch + i] = NAN;
    }
}

static void compare(const otok_backend *cpu, otok_patch *expected, const otok_backend *bands,
                    otok_patch *found, uint64_t needed, const char *where)
{
    otok_sum a[OTOK_SUMS], b[OTOK_SUMS];
    MUST(cpu->sums(expected, a));
    MUST(bands->sums(found, b));
    for (int s = 0; s < OTOK_SUMS; s++)
        CHECK(a[s].hi == b[s].hi && a[s].lo == b[s].lo,
              "%s: sum %d is (%lld, %lld), expected (%lld, %lld)", where, s, (long long)b[s].hi,
              (long long)b[s].lo, (long long)a[s].hi, (long long)a[s].lo);
    for (int f = 0; f < OTOK_STORED; f++) {
        if (!(needed >> f & 1)) continue;
        otok_field_summary c, d;
        float one, same;
        MUST(cpu->get(expected, f, map));
        MUST(bands->get(found, f, other));
        int n = 0;
        while (n < NX * NY && memcmp(map + n, other + n, sizeof *map) == 0)
            n++;
        CHECK(n == NX * NY, "%s: field %d, row %d, column %d is %.9g, expected %.9g", where, f,
              n / NX, n % NX, (double)other[n], (double)map[n]);
        MUST(cpu->measure(expected, f, &c));
        MUST(bands->measure(found, f, &d));
        CHECK(memcmp(&c, &d, sizeof c) == 0, "%s: field %d: the summary differs", where, f);
        MUST(cpu->cell(expected, f, 7, 39, &one));
        MUST(bands->cell(found, f, 7, 39, &same));
        CHECK(memcmp(&one, &same, sizeof one) == 0, "%s: field %d: a cell differs", where, f);
    }
}

/* One phase with a ground in layers or without, on one kind of edge, cut in one way. */
static void check(const otok_phase *phase, int layered, int e, int c, const char *name)
{
    const otok_backend *cpu = NULL, *bands = NULL;
    char text[64], where[192];
    otok_step steps[STEPS];
    prepared with;
    otok_patch expected, found;
    describe_steps(steps);
    snprintf(text, sizeof text, "%s/%d", name, cuts[c].count);
    snprintf(where, sizeof where, "%.40s%s, %s, edges %d, depth %d", phase->name,
             layered ? " in layers" : "", text, e, cuts[c].depth);
    MUST(otok_backend_find(&cpu, "cpu:plain"));
    MUST(otok_backend_find(&bands, text));
    prepare(&with, phase, layered ? &ground : NULL, edges[e], 1.5);
    start(cpu, &expected, &with, edges[e]);
    MUST(cpu->run(&expected, &with.program, &with.k, steps, STEPS));
    otok_bands_shape(cuts[c].depth, cuts[c].first);
    start(bands, &found, &with, edges[e]);
    for (int n = 0, some; n < STEPS; n += some) {
        some = n == 0 ? 1 : n == 1 ? 2 : STEPS - n;
        spoil(&found);
        MUST(bands->run(&found, &with.program, &with.k, steps + n, some));
    }
    compare(cpu, &expected, bands, &found, with.needed, where);
    cpu->destroy(&expected);
    bands->destroy(&found);
}

int main(int argc, char **argv)
{
    const char *place = CHECK_BACKEND(argc, argv)->name, *ways[] = {"plain", "fused"};
    const int nedges = sizeof edges / sizeof edges[0], ncuts = sizeof cuts / sizeof cuts[0];
    int n = 0, one_of = 1;
    if (argc > 2) one_of = strcmp(argv[2], "fewest") == 0 ? 61 : 13;
    describe_phases();
    for (int p = 0; p < nphases; p++)
        for (int layered = 0; layered < 2; layered++)
            for (int e = 0; e < nedges; e++)
                for (int c = 0; c < ncuts; c++) {
                    char name[32];
                    n++;
                    if (n % one_of != 0) continue;
                    snprintf(name, sizeof name, "%s:%s", place, ways[(p + e + c) % 2]);
                    omp_set_num_threads(1 + (p + c) % 3);
                    check(&phases[p], layered, e, c, name);
                }
    return check_failures != 0;
}
