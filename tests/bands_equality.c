/* bands_equality.c: a grid in bands, however it is cut and however few rows the bands share, has
   the bits of a grid in one piece: every stage, on every kind of edge. Where the host reaches the
   patch's memory, the rows that a band shares are made NaN before each run wherever their owner has
   other values, so that a row that is not exchanged shows. With a second argument, for an emulated
   GPU, compute-sanitizer or ASan, one of 13 cases, or with `fewest`, for racecheck, one of 61. */
#include "banded.h"

#include "../src/bands/bands.h"

#include <omp.h>

/* Ways to cut: bands of one row among them. */
static const struct {
    int count, depth, first[9];
} cuts[] = {
    {2, 4, {0, 20, 41}},      {3, 5, {0, 1, 40, 41}},
    {4, 9, {0, 7, 8, 9, 41}}, {8, 32, {0, 3, 10, 11, 20, 30, 31, 40, 41}},
    {1, 3, {0, 41}},
};

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
            for (int j = 0; j < v->ny && otok_set_has(b->stale, f) && v->at[f]; j++)
                for (int i = 0; i < v->nx && (j < v->shared[0] || j >= v->ny - v->shared[1]); i++)
                    v->at[f][j * v->pitch + i] = NAN;
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
