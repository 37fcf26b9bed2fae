/* rivers.h: what the global stages of rivers share. */
#ifndef CPU_RIVERS_H
#define CPU_RIVERS_H

#include "../core/river_rim.h"
#include "../core/river_settle.h"
#include "../core/river_spread.h"
#include "cpu.h"

#include <string.h>

typedef struct cpu_river_task {
    const otok_view *v;
    otok_routing r;
    otok_incision_coefficients k;
    int again, open;    /* in rounds (core/river_settle.h); bits for open sides */
    int back, left;     /* of rounds of gates */
    uint64_t more, all; /* of a round */
} cpu_river_task;

static inline cpu_river_task cpu_river_task_of(const otok_patch *patch, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const int wraps = otok_sides_of(patch->edges, OTOK_PERIODIC);
    return (cpu_river_task){.v = v,
                            .r = otok_routing_of(&v->steps[*v->now], k->incision, wraps),
                            .k = k->incision,
                            .open = otok_sides_of(patch->edges, OTOK_OPEN)};
}

/* Work for cpu_share on a task `t`: in each cell `s` of its view `v`, at place `at`. */
#define CPU_RIVER_CELLS(name, ...)                                                                 \
    void name(void *what, int y0, int y1)                                                          \
    {                                                                                              \
        const cpu_river_task *const t = what;                                                      \
        const otok_view *const v = t->v;                                                           \
        for (otok_spot s = {0, y0}; s.j < y1; s.j++)                                               \
            for (s.i = 0; s.i < v->nx; s.i++) {                                                    \
                const ptrdiff_t at = s.j * v->pitch + s.i;                                         \
                (void)at;                                                                          \
                __VA_ARGS__;                                                                       \
            }                                                                                      \
    }

/* Makes the ways in RIVER_BASIN shorter. */
cpu_work cpu_river_shorten;

/* Finds the maps of cells and gates, from which otok_cell_change has changes. */
void cpu_river_compose(cpu_river_task *t);

/* How many cells drain through each, in RIVER_AREA. */
void cpu_river_areas(cpu_river_task *t);

/* Adds what cells have gathered (core/river_sums.h) to all cells that they drain through. */
void cpu_river_sums(cpu_river_task *t);

static inline void cpu_river_add(const otok_view *v, int low, int high, ptrdiff_t at, uint64_t more)
{
    otok_wide_put(v, low, high, at, otok_wide_get(v, low, high, at) + more);
}

/* Nothing is left in a buffer of a stage, with its ghosts, and in those that all have. */
static inline void cpu_river_wipe(const otok_view *v, int buffer)
{
    memset(v->at[buffer] - v->pitch - 1, 0,
           (((size_t)v->ny + 2) * (size_t)v->pitch + 1) * sizeof(float));
}

static inline void cpu_river_clear(const otok_view *v)
{
    for (int buffer = OTOK_PIPE_LEFT; buffer <= OTOK_PIPE_TOP_RIGHT; buffer++)
        cpu_river_wipe(v, buffer);
}

#endif
