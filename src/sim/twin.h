/* twin.h: a twin (scenario/twin.h) that runs whole: the second run of a member in doubt, those of
   one that grows, and those of --refine. */
#ifndef OTOK_SIM_TWIN_H
#define OTOK_SIM_TWIN_H

#include "../scenario/twin.h"
#include "expressions.h"

/* Made at iteration 0; `backend`, `stops` and `user`: as for otok_sim_create_until. End it even if
   it could not begin. */
typedef struct otok_whole_twin {
    otok_twin *twin;
    otok_sim *sim;
} otok_whole_twin;
otok_status otok_twin_begin(otok_whole_twin *out, const otok_scenario *scenario, otok_halves halves,
                            const char *backend, int (*stops)(void *), void *user);
void otok_twin_end(otok_whole_twin *twin);

/* A field on the cells of the run, as halves.cells says: means of the finer ones. Without such a
   field `map` stays. */
otok_status otok_twin_get(float *map, otok_sim *twin, otok_field field, int halved);

/* Where the rivers of incision are: 1 in the cells, of the grid of the run, through which more than
   OTOK_RIVER_CELLS of them drain. A cell of the run has a river if one of its finer cells has.
   *rivers is malloc'd; NULL: no process of the state makes rivers. OTOK_NOMEM. */
enum { OTOK_RIVER_CELLS = 16 };
otok_status otok_twin_rivers(unsigned char **rivers, otok_state *state, otok_grid grid, int halved);
void otok_twin_mark_rivers(unsigned char *rivers, const float *areas, otok_grid grid, int halved);

/* A cell is flooded if its water is deeper than this [m]. Of fewer cells than OTOK_FEW a single one
   would be more than a change of 3 %: their number is not compared. */
#define OTOK_FLOODED 0.1
enum { OTOK_FEW = 34 };

/* The share of the river cells of one map that the other lacks, of the map that has more; 0 if
   neither has OTOK_FEW. */
double otok_twin_rivers_apart(const unsigned char *one, const unsigned char *other, otok_grid grid);

#endif
