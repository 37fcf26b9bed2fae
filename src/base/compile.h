/* compile.h: turns a scenario's tree of generators into the plan that backends carry out with
 * model/base.h. */
#ifndef OTOK_BASE_COMPILE_H
#define OTOK_BASE_COMPILE_H

#include "../core/state.h"
#include "../model/plan.h"
#include "../scenario/scenario.h"

/* Compiles the base of a scenario for the cells of `box`. Without generators it is 0 everywhere.
   `lerp` is `replace` through a mask. OTOK_DATA: too many generators, octaves or maps; too deep
   nesting; a lattice that does not cover the grid; or lerp without a mask. The text says where. */
otok_status otok_base_compile(const otok_scenario *scenario, otok_box box, otok_base_plan *out);

/* Copies the rasters of a scenario into a plan. maps[m] is that of otok_generator.map m, dense
   [ny][nx]; NULL ends the list. */
otok_status otok_base_plan_rasters(otok_base_plan *plan, float *const *maps, otok_grid grid);
void otok_base_plan_destroy(
    otok_base_plan *plan); /* accepts what a failed compile left, and zeros */

/* The bytes of the maps that carrying out the plan needs. */
uint64_t otok_base_plan_bytes(const otok_base_plan *plan);

#endif
