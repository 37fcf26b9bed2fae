/* scenario_points.h: points in coordinates of a map. Private to the scenario reader and base/. */
#ifndef OTOK_SCENARIO_POINTS_H
#define OTOK_SCENARIO_POINTS_H

#include "../io/georeference.h"
#include "scenario.h"
#include "yaml_node.h"

/* Turns `at` of rivers, gauges, cones and crops into their x and y. */
otok_status otok_points_read(otok_scenario *scenario, otok_node *root);

/* Finds the place of the base. base/raster.c, which is above this room, offers it. */
extern otok_status (*otok_scenario_find_place)(otok_georeference *out,
                                               const otok_scenario *scenario);

#endif
