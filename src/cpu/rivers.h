/* rivers.h: what the global stages of rivers share. */
#ifndef CPU_RIVERS_H
#define CPU_RIVERS_H

#include "../core/river_tiles.h"
#include "cpu.h"

typedef struct cpu_river_task {
    const otok_view *v;
    otok_routing r;
    const otok_coefficients *k;
} cpu_river_task;

/* How many cells drain through each, in RIVER_AREA; scratch: RIVER_LOW. */
void cpu_river_areas(const otok_view *v);

/* Adds what cells have in RIVER_PASS and RIVER_PART (core/river_sums.h) to all cells that they
   drain through; scratch: RIVER_LOW. */
void cpu_river_sums(const otok_view *v);

/* Nothing is left in the scratch of a stage. */
void cpu_river_clear(const otok_view *v);

#endif
