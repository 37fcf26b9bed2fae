/* rows.h: the buffers that several stages load and store together, by rows. i is a column. These
   are functions, so that each pointer has one name. */
#ifndef OTOK_CPU_ROWS_H
#define OTOK_CPU_ROWS_H

#include "../core/neighbours.h"
#include "../model/thermal.h"
#include "../model/water.h"
#include "cpu.h"

/* The ground: base and change. */
typedef struct cpu_ground {
    const float *base, *change;
    ptrdiff_t pitch;
} cpu_ground;

static inline cpu_ground cpu_ground_of(const otok_view *v, int j)
{
    const ptrdiff_t row = j * v->pitch;
    return (cpu_ground){v->at[OTOK_TERRAIN_BASE] + row, v->at[OTOK_TERRAIN_CHANGE] + row, v->pitch};
}

static inline otok_cross cpu_ground_cross(cpu_ground g, int i)
{
    return otok_ground_cross(g.base + i, g.change + i, g.pitch);
}

/* The outflows of water of one-way pipes. */
typedef struct cpu_outflows {
    float *left, *right, *bottom, *top;
    ptrdiff_t pitch;
} cpu_outflows;

static inline cpu_outflows cpu_outflows_of(const otok_view *v, int j)
{
    const ptrdiff_t row = j * v->pitch;
    return (cpu_outflows){v->at[OTOK_OUTFLOW_LEFT] + row, v->at[OTOK_OUTFLOW_RIGHT] + row,
                          v->at[OTOK_OUTFLOW_BOTTOM] + row, v->at[OTOK_OUTFLOW_TOP] + row,
                          v->pitch};
}

static inline otok_four cpu_outflow_from(cpu_outflows f, int i)
{
    return otok_outflows_at(f.left + i, f.right + i, f.bottom + i, f.top + i);
}

static inline otok_four cpu_outflow_into(cpu_outflows f, int i)
{
    return otok_inflows_at(f.left + i, f.right + i, f.bottom + i, f.top + i, f.pitch);
}

static inline void cpu_outflow_store(cpu_outflows f, int i, otok_four from)
{
    f.left[i] = from.left;
    f.right[i] = from.right;
    f.bottom[i] = from.bottom;
    f.top[i] = from.top;
}

/* Depth and velocity of the water after an iteration. */
typedef struct cpu_surface {
    float *d, *u, *w;
} cpu_surface;

static inline cpu_surface cpu_surface_of(const otok_view *v, int j)
{
    const ptrdiff_t row = j * v->pitch;
    return (cpu_surface){v->at[OTOK_WATER] + row, v->at[OTOK_VELOCITY_X] + row,
                         v->at[OTOK_VELOCITY_Y] + row};
}

/* Stores the cell and returns what was clamped. */
static inline otok_fixed cpu_surface_store(cpu_surface to, int i, otok_surface s)
{
    to.d[i] = s.d2;
    to.u[i] = s.u;
    to.w[i] = s.w;
    return otok_fixed_from(s.clamped);
}

/* The debris that slides from a cell to its eight neighbours. */
typedef struct cpu_slides {
    float *left, *right, *bottom, *top, *bottom_left, *bottom_right, *top_left, *top_right;
    ptrdiff_t pitch;
} cpu_slides;

static inline cpu_slides cpu_slides_of(const otok_view *v, int j)
{
    const ptrdiff_t row = j * v->pitch;
    float *const *pipe = v->at + OTOK_PIPE_LEFT;
    return (cpu_slides){pipe[0] + row, pipe[1] + row, pipe[2] + row, pipe[3] + row, pipe[4] + row,
                        pipe[5] + row, pipe[6] + row, pipe[7] + row, v->pitch};
}

static inline void cpu_slides_store(cpu_slides s, ptrdiff_t i, otok_eight from)
{
    s.left[i] = from.left;
    s.right[i] = from.right;
    s.bottom[i] = from.bottom;
    s.top[i] = from.top;
    s.bottom_left[i] = from.bottom_left;
    s.bottom_right[i] = from.bottom_right;
    s.top_left[i] = from.top_left;
    s.top_right[i] = from.top_right;
}

/* What slides into a cell: each neighbour's debris in the opposite direction. */
static inline otok_eight cpu_slides_into(cpu_slides s, ptrdiff_t i)
{
    const ptrdiff_t below = i - s.pitch, above = i + s.pitch;
    otok_eight into;
    into.left = s.right[i - 1];
    into.right = s.left[i + 1];
    into.bottom = s.top[below];
    into.top = s.bottom[above];
    into.bottom_left = s.top_right[below - 1];
    into.bottom_right = s.top_left[below + 1];
    into.top_left = s.bottom_right[above - 1];
    into.top_right = s.bottom_left[above + 1];
    return into;
}

#endif
