/* compile.h: turns a scenario's tree of generators into the plan that backends carry out with
 * model/base.h. */
#ifndef OTOK_BASE_COMPILE_H
#define OTOK_BASE_COMPILE_H

#include "../core/state.h"
#include "../model/plan.h"
#include "../scenario/scenario.h"

/* Compiles scenario->base for scenario->grid and ->seed, to make the cells of `box`; no generators
   give 0 everywhere. `lerp` is `replace` through a mask, which it must have. OTOK_DATA: too many
   generators, octaves or maps, nested too deep, a lattice that does not cover the grid, or lerp
   without mask; the text says where. */
otok_status otok_base_compile(const otok_scenario *scenario, otok_box box, otok_base_plan *out);

/* Gives a plan the rasters of its scenario: maps[m] is that of otok_generator.map m, dense
 * [ny][nx], NULL after the last; copied.
 */
otok_status otok_base_plan_rasters(otok_base_plan *plan, float *const *maps, otok_grid grid);
void otok_base_plan_destroy(
    otok_base_plan *plan); /* accepts what a failed compile left, and zeros */

/* Bytes of the maps that the plan needs while it is carried out. */
uint64_t otok_base_plan_bytes(const otok_base_plan *plan);

#endif
