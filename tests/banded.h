/* banded.h: random states of a small grid that is one piece or in bands, and their comparison. */
#ifndef OTOK_BANDED_H
#define OTOK_BANDED_H

#include "states.h"

enum { NX = 23, NY = 41 };

static const int edges[][OTOK_SIDES] = {
    {OTOK_CLOSED, OTOK_OPEN, OTOK_OPEN, OTOK_CLOSED},
    {OTOK_PERIODIC, OTOK_PERIODIC, OTOK_PERIODIC, OTOK_PERIODIC},
    {OTOK_OPEN, OTOK_CLOSED, OTOK_PERIODIC, OTOK_PERIODIC},
    {OTOK_OPEN, OTOK_OPEN, OTOK_OPEN, OTOK_OPEN},
};

static float map[NX * NY], other[NX * NY];

static void start(const otok_backend *backend, otok_patch *patch, const prepared *with,
                  const int *edge)
{
    memset(patch, 0, sizeof *patch);
    patch->view.nx = NX, patch->view.ny = NY;
    patch->view.x0 = 3, patch->view.y0 = 5; /* as if cut out of a larger grid */
    patch->view.global_nx = NX + 11, patch->view.global_ny = NY + 16;
    if (edge[OTOK_LEFT] == OTOK_PERIODIC) patch->view.x0 = 0, patch->view.global_nx = NX;
    if (edge[OTOK_BOTTOM] == OTOK_PERIODIC) patch->view.y0 = 0, patch->view.global_ny = NY;
    memcpy(patch->edges, edge, sizeof patch->edges);
    patch->seed = -3;
    patch->droplets = BATCH;
    MUST(backend->create(patch, with->needed, STEPS));
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        uint32_t x = 2463534242u + (uint32_t)b;
        for (int n = 0; n < NX * NY; n++)
            map[n] = value(b, &x);
        if (otok_set_has(with->needed, b)) MUST(backend->put(patch, b, map));
    }
}

static void compare(const otok_backend *cpu, otok_patch *expected, const otok_backend *bands,
                    otok_patch *found, otok_set needed, const char *where)
{
    otok_sum a[OTOK_SUMS], b[OTOK_SUMS];
    MUST(cpu->sums(expected, a));
    MUST(bands->sums(found, b));
    for (int s = 0; s < OTOK_SUMS; s++)
        CHECK(a[s].hi == b[s].hi && a[s].lo == b[s].lo,
              "%s: sum %d is (%lld, %lld), expected (%lld, %lld)", where, s, (long long)b[s].hi,
              (long long)b[s].lo, (long long)a[s].hi, (long long)a[s].lo);
    for (int f = 0; f < OTOK_STORED; f++) {
        if (!otok_set_has(needed, f)) continue;
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

#endif
