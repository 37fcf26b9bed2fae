/* twin.h: a twin (scenario/twin.h) that runs whole: the second run of a member in doubt, those of
   one that grows, and those of --refine. */
#ifndef OTOK_SIM_TWIN_H
#define OTOK_SIM_TWIN_H

#include "../scenario/twin.h"

typedef struct otok_twin_run {
    const otok_scenario *scenario; /* of the run */
    otok_halves halves;
    const char *backend; /* as for otok_sim_create */
    int64_t every;       /* iterations between looks; 0: those of a tenth of a second */
    otok_status (*look)(void *user, otok_sim *twin, int *ends); /* first at iteration 0, last at the
                                                                   end, or where it ends the run */
    int (*stops)(void *user); /* as for otok_sim_create_until; or NULL */
    void *user;
} otok_twin_run;

otok_status otok_twin_run_whole(const otok_twin_run *run);

/* A field on the cells of the run, as halves.cells says: means of the finer ones. Without such a
   field `map` stays. */
otok_status otok_twin_get(float *map, otok_sim *twin, otok_field field, int halved);

#endif
