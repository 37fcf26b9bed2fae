/* audit.h: how far apart a run and its twin are (sim/audit.h tells what for): the maps that a
   comparison reads, its sums, and one cell of them. */
#ifndef OTOK_AUDIT_H
#define OTOK_AUDIT_H

#include "../model/detect.h"
#include "backend.h"

/* A run and its twin: patches of one size and one backend. The twin has every buffer of the state
   that the run has, and OTOK_CHANGE_START. */
struct otok_twins {
    otok_patch *run, *twin;
    float lifted; /* the ground, by uplift that is the same everywhere, since they parted [m] */
};

/* The sums over all cells. ONE is of the run; its twin's follows. Ground: without walls. */
enum {
    OTOK_TWINS_FLOW_ONE, /* (|u| + |w|) times the depth [m^2/s] */
    OTOK_TWINS_FLOW_OTHER,
    OTOK_TWINS_DEPTH_ONE, /* [m] */
    OTOK_TWINS_DEPTH_OTHER,
    OTOK_TWINS_MOVED_ONE, /* change of the ground since they parted [m] */
    OTOK_TWINS_MOVED_OTHER,
    OTOK_TWINS_SEDIMENT_ONE, /* [m] */
    OTOK_TWINS_SEDIMENT_OTHER,
    OTOK_TWINS_LOWERED_ONE, /* ground, since the start of the run [m] */
    OTOK_TWINS_LOWERED_OTHER,
    OTOK_TWINS_RAISED_ONE,
    OTOK_TWINS_RAISED_OTHER,
    OTOK_TWINS_ROUGH_ONE, /* ground, of all but the outermost cells: otok_rough [m] */
    OTOK_TWINS_ROUGH_OTHER,
    OTOK_TWINS_WET, /* cells with water */
    OTOK_TWINS_FLOW_APART,
    OTOK_TWINS_SEDIMENT_APART,
    OTOK_TWINS_SETTLING_APART, /* of the cells whose ground rose */
    OTOK_TWINS_SHAPED_ONE,     /* change of the ground since they parted, uplift not counted [m] */
    OTOK_TWINS_SHAPED_APART,   /* how far apart the ground is, cell by cell [m] */
    OTOK_TWINS_RIVERS,         /* cells that drain to another one ... */
    OTOK_TWINS_RIVERS_APART,   /* ... and not to the same one in both */
    OTOK_TWINS_SUMS
};
/* Of these: what a look at one run needs (sim/look.c). The others are 0 then. */
#define OTOK_TWINS_OWN                                                                             \
    (1u << OTOK_TWINS_FLOW_ONE | 1u << OTOK_TWINS_DEPTH_ONE | 1u << OTOK_TWINS_LOWERED_ONE |       \
     1u << OTOK_TWINS_RAISED_ONE | 1u << OTOK_TWINS_ROUGH_ONE | 1u << OTOK_TWINS_WET)
struct otok_audit_sums {
    otok_sum of[OTOK_TWINS_SUMS];
};

typedef struct otok_audit_terms {
    float of[OTOK_TWINS_SUMS];
} otok_audit_terms;

/* NULL: they have no such field. */
typedef struct otok_audit_maps {
    const float *base, *start, *change[2], *water[2], *u[2], *w[2], *sediment[2], *way[2];
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

/* A cell of both: zeros where there is no such map. */
typedef struct otok_audit_cell {
    float start, rough[2], change[2], water[2], u[2], w[2], sediment[2], way[2];
} otok_audit_cell;

OTOK_FN otok_audit_terms otok_audit_compare(otok_audit_cell c, float lifted)
{
    otok_audit_terms t = {{0.0f}};
    for (int n = 0; n < 2; n++) {
        t.of[OTOK_TWINS_FLOW_ONE + n] = (fabsf(c.u[n]) + fabsf(c.w[n])) * c.water[n];
        t.of[OTOK_TWINS_DEPTH_ONE + n] = c.water[n];
        t.of[OTOK_TWINS_MOVED_ONE + n] = fabsf(c.change[n] - c.start);
        t.of[OTOK_TWINS_SEDIMENT_ONE + n] = c.sediment[n];
        t.of[OTOK_TWINS_LOWERED_ONE + n] = otok_positive(-c.change[n]);
        t.of[OTOK_TWINS_RAISED_ONE + n] = otok_positive(c.change[n]);
        t.of[OTOK_TWINS_ROUGH_ONE + n] = c.rough[n];
    }
    const float depth = 0.5f * (c.water[0] + c.water[1]),
                apart = fabsf(c.sediment[0] - c.sediment[1]);
    t.of[OTOK_TWINS_WET] = depth > 0.0f ? 1.0f : 0.0f;
    t.of[OTOK_TWINS_FLOW_APART] = (fabsf(c.u[0] - c.u[1]) + fabsf(c.w[0] - c.w[1])) * depth;
    t.of[OTOK_TWINS_SEDIMENT_APART] = apart;
    t.of[OTOK_TWINS_SETTLING_APART] = 0.5f * (c.change[0] + c.change[1]) > c.start ? apart : 0.0f;
    t.of[OTOK_TWINS_SHAPED_ONE] = fabsf((c.change[0] - c.start) - lifted);
    t.of[OTOK_TWINS_SHAPED_APART] = fabsf(c.change[0] - c.change[1]);
    t.of[OTOK_TWINS_RIVERS] = c.way[0] + c.way[1] > 0.0f ? 1.0f : 0.0f;
    t.of[OTOK_TWINS_RIVERS_APART] = c.way[0] != c.way[1] ? 1.0f : 0.0f;
    return t;
}

OTOK_FN float otok_audit_value(const float *map, ptrdiff_t at)
{
    return map ? map[at] : 0.0f;
}

OTOK_FN otok_audit_terms otok_audit_at(const otok_audit_maps *m, const otok_view *v, int i, int j)
{
    const ptrdiff_t at = j * v->pitch + i;
    const int inner = otok_audit_is_inner(v, i, j);
    otok_audit_cell c;
    c.start = m->start[at];
    for (int n = 0; n < 2; n++) {
        c.rough[n] = inner ? otok_audit_rough(m->base, m->change[n], at, v->pitch) : 0.0f;
        c.change[n] = m->change[n][at];
        c.water[n] = otok_audit_value(m->water[n], at);
        c.u[n] = otok_audit_value(m->u[n], at);
        c.w[n] = otok_audit_value(m->w[n], at);
        c.sediment[n] = otok_audit_value(m->sediment[n], at);
        c.way[n] = otok_audit_value(m->way[n], at);
    }
    return otok_audit_compare(c, m->lifted);
}

/* The maps that an audit of a pair compares. A run that is compared with itself began nowhere: the
   sums of one run are wanted. */
static inline otok_audit_maps otok_audit_maps_of(const otok_twins *pair)
{
    float *const *at[] = {pair->run->view.at, pair->twin->view.at};
    otok_audit_maps m;
    m.base = at[0][OTOK_TERRAIN_BASE];
    m.start = at[1][pair->run == pair->twin ? (int)OTOK_TERRAIN_CHANGE : (int)OTOK_CHANGE_START];
    m.lifted = pair->lifted;
    for (int n = 0; n < 2; n++) {
        m.change[n] = at[n][OTOK_TERRAIN_CHANGE];
        m.water[n] = at[n][OTOK_WATER];
        m.u[n] = at[n][OTOK_VELOCITY_X];
        m.w[n] = at[n][OTOK_VELOCITY_Y];
        m.sediment[n] = at[n][OTOK_SEDIMENT];
        m.way[n] = at[n][OTOK_RECEIVER];
    }
    return m;
}

#endif
