/* tables.h: numbers that cells look up: random faults, a planet's angles, edges of polygons, sown
   points. Each function appends to plan->table and returns the position in its last argument.
   Private to base/. */
#ifndef OTOK_BASE_TABLES_H
#define OTOK_BASE_TABLES_H

#include "../model/plan.h"
#include "../scenario/scenario.h"

otok_status otok_table_faults(otok_base_plan *plan, const otok_generator *g, const otok_grid *grid,
                              otok_base_faults *out);
otok_status otok_table_planet(otok_base_plan *plan, const otok_generator *g, const otok_grid *grid,
                              otok_base_faults *out);
otok_status otok_table_crop(otok_base_plan *plan, const otok_generator *g, const otok_grid *grid,
                            otok_base_crop *out);
otok_status otok_table_midpoint(otok_base_plan *plan, const otok_generator *g,
                                otok_midpoint_fill *out);

#endif
