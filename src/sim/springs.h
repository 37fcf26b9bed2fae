/* springs.h: the rain map and the rivers of a phase, as maps for the buffers OTOK_RAIN_MAP and
   OTOK_SPRINGS of a patch. They follow from the scenario and are made on the host. They are not
   part of the state. */
#ifndef OTOK_SPRINGS_H
#define OTOK_SPRINGS_H

#include "../base/raster.h"
#include "../core/state.h"
#include "../io/holes.h"
#include "../scenario/scenario.h"

typedef struct otok_springs {
    float *maps[OTOK_MAX_PHASES]; /* rain maps of the box, dense; NULL: none */
    double sums[OTOK_MAX_PHASES]; /* of the whole maps */
    float *scratch;               /* of the same size; NULL if no phase has a rain map or rivers */
    int borrowed;                 /* the maps belong to another simulation */
    int ready; /* the phase for which the patch's buffers were filled; -1: none */
} otok_springs;

/* Reads the rain maps of all phases and keeps their part in `box`. OTOK_IO, OTOK_DATA: one
   cannot be used; the text names scenario, line, key, file and remedy. */
otok_status otok_springs_read(otok_springs *out, const otok_scenario *scenario, otok_box box,
                              otok_place *place);

/* Allocates memory for the rivers of a scenario that had none when it was read. */
otok_status otok_springs_room(otok_springs *springs, const otok_scenario *scenario,
                              const otok_view *view);
void otok_springs_destroy(otok_springs *springs);

/* The host memory for maps of rain and rivers [bytes]. */
uint64_t otok_springs_bytes(const otok_scenario *scenario);

/* Fills `map` with what the rivers of a phase bring to each cell of `box` in one iteration [m]. */
void otok_springs_rivers(float *map, const otok_phase *phase, otok_grid grid, otok_box box,
                         const otok_holes *walls);

/* OTOK_DATA: a river has walls alone. heed_walls, with the maps of the whole grid: no rain falls
   there; OTOK_DATA: a cell without data in a rain map is no wall. */
otok_status otok_springs_check(const otok_scenario *scenario, const otok_holes *walls);
otok_status otok_springs_heed_walls(otok_springs *springs, const otok_scenario *scenario,
                                    const otok_holes *walls);

#endif
