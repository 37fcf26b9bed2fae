/* audit.c: how far a run and its twin are apart. */
#include "../core/audit.h"
#include "cpu.h"

#include <string.h>

typedef struct comparing {
    otok_audit_maps maps;
    const otok_view *view;
    otok_audit_sums *all;
    int alone; /* a run is compared with itself */
} comparing;

static void add_up(otok_sum *to, const float *of, int n)
{
    int64_t hi = 0, lo = 0;
#pragma omp simd reduction(+ : hi, lo)
    for (int i = 0; i < n; i++) {
        const otok_fixed f = otok_fixed_from(of[i]);
        hi += f.hi;
        lo += f.lo;
    }
    to->hi += hi;
    to->lo += lo;
}

enum { SOME = 64, MAPS = 6 }; /* cells at a time; maps of a run, which a cell has in this order */

/* Some cells of a row: `start`, then pairs of `rough` and of each map. */
static void read_cells(float (*v)[SOME], const comparing *c, int from, int m, int j)
{
    const otok_audit_maps *maps = &c->maps;
    const otok_view *view = c->view;
    const ptrdiff_t at = j * view->pitch + from;
    const size_t size = (size_t)m * sizeof(float);
    const int first = from == 0 && !otok_audit_is_inner(view, 0, j),
              last = from + m == view->nx && !otok_audit_is_inner(view, view->nx - 1, j),
              inside = otok_audit_is_inner(view, view->nx / 2, j);
    memcpy(v[0], maps->start + at, size);
    for (int n = 0; n < 2 - c->alone; n++) {
        const float *const of[MAPS] = {maps->change[n], maps->water[n],    maps->u[n],
                                       maps->w[n],      maps->sediment[n], maps->way[n]};
        memset(v[1 + n], 0, size);
        for (int i = first; inside && i < m - last; i++)
            v[1 + n][i] = otok_audit_rough(maps->base, of[0], at + i, view->pitch);
        for (int k = 0; k < MAPS; k++)
            of[k] ? memcpy(v[3 + 2 * k + n], of[k] + at, size) : memset(v[3 + 2 * k + n], 0, size);
    }
    for (int k = 1; k < 3 + 2 * MAPS && c->alone; k += 2)
        memcpy(v[k + 1], v[k], size);
}

/* Adds the terms, or those of OTOK_TWINS_OWN, as the compiler knows. Loops over some cells and one
   term become vectors. */
static inline __attribute__((always_inline)) void add_rows(otok_sum *to, const comparing *c, int y0,
                                                           int y1, unsigned wanted)
{
    float of[OTOK_TWINS_SUMS][SOME], v[3 + 2 * MAPS][SOME];
    const float lifted = c->maps.lifted;
    for (int j = y0; j < y1; j++)
        for (int from = 0, m; from < c->view->nx; from += m) {
            m = c->view->nx - from < SOME ? c->view->nx - from : SOME;
            read_cells(v, c, from, m, j);
            for (int i = 0; i < m; i++) {
                const otok_audit_cell cell = {v[0][i],
                                              {v[1][i], v[2][i]},
                                              {v[3][i], v[4][i]},
                                              {v[5][i], v[6][i]},
                                              {v[7][i], v[8][i]},
                                              {v[9][i], v[10][i]},
                                              {v[11][i], v[12][i]},
                                              {v[13][i], v[14][i]}};
                const otok_audit_terms t = otok_audit_compare(cell, lifted);
#pragma GCC unroll 32 /* else the terms would go through memory */
                for (int k = 0; k < OTOK_TWINS_SUMS; k++)
                    if (wanted >> k & 1) of[k][i] = t.of[k];
            }
            for (int k = 0; k < OTOK_TWINS_SUMS; k++)
                if (wanted >> k & 1) add_up(&to[k], of[k], m);
        }
}

static void compare_rows(void *task, int y0, int y1)
{
    const comparing *c = task;
    otok_sum mine[OTOK_TWINS_SUMS] = {{0, 0}};
    if (c->alone)
        add_rows(mine, c, y0, y1, OTOK_TWINS_OWN);
    else
        add_rows(mine, c, y0, y1, ~0u);
    for (int s = 0; s < OTOK_TWINS_SUMS; s++) {
        cpu_add(&c->all->of[s].hi, mine[s].hi);
        cpu_add(&c->all->of[s].lo, mine[s].lo);
    }
}

otok_status cpu_compare(const otok_twins *pair, otok_audit_sums *out)
{
    comparing c = {otok_audit_maps_of(pair), &pair->run->view, out, pair->run == pair->twin};
    *out = (otok_audit_sums){0};
    cpu_share(c.view, compare_rows, &c);
    return OTOK_OK;
}
