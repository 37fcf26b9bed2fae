/* response.h: what studies report about the end of a member: how much ground was moved, how steep
   it is, how fast the water runs, which form its reef has. These numbers are not judged: verdict.h
   makes verdicts, and detect.h makes the series of samples. */
#ifndef OTOK_STUDY_RESPONSE_H
#define OTOK_STUDY_RESPONSE_H

#include "../sim/detect.h"
#include "../sim/expressions.h"

enum { OTOK_RESPONSES = 5 };
extern const otok_sample_info otok_response_infos[OTOK_RESPONSES];

/* The fields that they read. */
#define OTOK_RESPONSE_READS                                                                        \
    (BIT(OTOK_TERRAIN_CHANGE) | BIT(OTOK_TERRAIN) | BIT(OTOK_REEF) | BIT(OTOK_WATER) |             \
     BIT(OTOK_VELOCITY_X) | BIT(OTOK_VELOCITY_Y) | BIT(OTOK_RECEIVER))

/* Sums maps on the host, row by row from the bottom, so that the numbers depend neither on threads
   nor on the backend. `state` is the present one of `sim`. *verge: by how many times its share more
   of the area is flooded if depths are more by a share. */
otok_status otok_response_measure(double out[OTOK_RESPONSES], double *verge, otok_sim *sim,
                                  otok_state *state);

/* The form of its island; no form if no process of the scenario makes a reef. */
otok_status otok_response_island(otok_island *out, otok_sim *sim, otok_state *state);

#endif
