/* response.h: what studies report about the end of a member: how much ground was moved, how steep
   it is, how fast the water runs. These numbers are not judged: verdict.h makes verdicts, and
   detect.h makes the series of samples. */
#ifndef OTOK_STUDY_RESPONSE_H
#define OTOK_STUDY_RESPONSE_H

#include "../sim/detect.h"

enum { OTOK_RESPONSES = 4 };
extern const otok_sample_info otok_response_infos[OTOK_RESPONSES];

enum { OTOK_RESPONSE_MAPS = 3 };

/* Sums maps on the host, row by row from the bottom, so that the numbers depend neither on threads
   nor on the backend. `maps` has room for OTOK_RESPONSE_MAPS maps of the grid, of any content; in
   memory of the backend's `host` the copies are fastest. NULL: the function takes its own. */
otok_status otok_response_measure(double out[OTOK_RESPONSES], otok_sim *sim, float *maps);

#endif
