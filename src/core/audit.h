/* audit.h: the maps that an audit compares, and one cell of them. */
#ifndef OTOK_AUDIT_H
#define OTOK_AUDIT_H

#include "../model/detect.h"
#include "backend.h"

#include <stddef.h>

/* The maps of two patches of one size that a comparison reads; NULL: they have no such field. */
typedef struct otok_audit_maps {
    const float *base, *start, *change[2], *water[2], *u[2], *w[2], *sediment[2];
    float lifted;
} otok_audit_maps;

/* Is the cell none of the outermost of the grid? Then it has four neighbours. */
OTOK_FN int otok_audit_is_inner(const otok_view *v, int i, int j)
{
    const int x = v->x0 + i, y = otok_row_of(v, j);
    return x > 0 && x < v->global_nx - 1 && y > 0 && y < v->global_ny - 1;
}

OTOK_FN float otok_audit_rough(const float *base, const float *change, ptrdiff_t at,
                               ptrdiff_t pitch)
{
    const otok_cross h = {base[at] + change[at], base[at - 1] + change[at - 1],
                          base[at + 1] + change[at + 1], base[at - pitch] + change[at - pitch],
                          base[at + pitch] + change[at + pitch]};
    return fabsf(otok_rough(h));
}

OTOK_FN otok_audit_terms otok_audit_at(const otok_audit_maps *m, const otok_view *v, int i, int j)
{
    const ptrdiff_t at = j * v->pitch + i;
    otok_audit_terms t = {{0.0f}};
    if (m->water[0]) {
        const otok_audit_water one = {m->water[0][at], m->u[0] ? m->u[0][at] : 0.0f,
                                      m->w[0] ? m->w[0][at] : 0.0f};
        const otok_audit_water other = {m->water[1][at], m->u[1] ? m->u[1][at] : 0.0f,
                                        m->w[1] ? m->w[1][at] : 0.0f};
        otok_audit_compare_water(&t, one, other);
    }
    const float one = m->change[0][at], other = m->change[1][at];
    otok_audit_compare_ground(&t, m->start[at], m->lifted, one, other);
    if (otok_audit_is_inner(v, i, j)) {
        t.of[OTOK_TWINS_ROUGH_ONE] = otok_audit_rough(m->base, m->change[0], at, v->pitch);
        t.of[OTOK_TWINS_ROUGH_OTHER] = otok_audit_rough(m->base, m->change[1], at, v->pitch);
    }
    if (m->sediment[0])
        otok_audit_compare_sediment(&t, m->sediment[0][at], m->sediment[1][at],
                                    0.5f * (one + other) > m->start[at]);
    return t;
}

/* The maps that an audit of a pair compares. */
static inline otok_audit_maps otok_audit_maps_of(const otok_twins *pair)
{
    otok_audit_maps m;
    m.base = pair->run->view.at[OTOK_TERRAIN_BASE];
    /* A run that is compared with itself began nowhere: the sums of one run are wanted. */
    m.start = pair->twin->view
                  .at[pair->run == pair->twin ? (int)OTOK_TERRAIN_CHANGE : (int)OTOK_CHANGE_START];
    m.lifted = pair->lifted;
    const otok_patch *both[] = {pair->run, pair->twin};
    for (int n = 0; n < 2; n++) {
        float *const *at = both[n]->view.at;
        m.change[n] = at[OTOK_TERRAIN_CHANGE];
        m.water[n] = at[OTOK_WATER];
        m.u[n] = at[OTOK_VELOCITY_X];
        m.w[n] = at[OTOK_VELOCITY_Y];
        m.sediment[n] = at[OTOK_SEDIMENT];
    }
    return m;
}

#endif
