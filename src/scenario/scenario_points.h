/* scenario_points.h: points in coordinates of a map. Private to the scenario reader and base/. */
#ifndef OTOK_SCENARIO_POINTS_H
#define OTOK_SCENARIO_POINTS_H

#include "../io/georeference.h"
#include "scenario.h"
#include "yaml_node.h"

enum { OTOK_POINT_SYSTEM = 64 };
#define OTOK_LONLAT "lonlat"

/* A point or a line of an item; `system` is empty where nothing tells it. */
typedef struct otok_point_given {
    otok_node *item;
    double at[2 * OTOK_DAM_POINTS]; /* x, y of a point, of both ends of a line, or of all corners */
    int n, corners;                 /* numbers in `at`; is it a line with all its corners? */
    char system[OTOK_POINT_SYSTEM];
} otok_point_given;

/* scenario_point_files.c. A pair [x, y]; the corners of a line, a list of pairs; the point or line
   of a feature or row, {file: stations.geojson, name: weir}. */
otok_status otok_point_pair(double out[2], const otok_node *node);
otok_status otok_point_corners(otok_point_given *out, const otok_node *list, const otok_node *at);
otok_status otok_point_file(otok_point_given *out, const otok_scenario *scenario,
                            const otok_node *at);

/* Turns `at` of rivers, gauges, cones and crops into their x and y, and `line` of dams into its
   corners. */
otok_status otok_points_read(otok_scenario *scenario, otok_node *root);

/* Finds the place of the base. base/raster.c, which is above this room, offers it. */
extern otok_status (*otok_scenario_find_place)(otok_georeference *out,
                                               const otok_scenario *scenario);

#endif
