/* response.h: what studies report of a member's end: how much ground was moved, how steep it is,
   how fast the water runs. These numbers are not judged: verdict.h makes verdicts, detect.h the
   series of a member. */
#ifndef OTOK_STUDY_RESPONSE_H
#define OTOK_STUDY_RESPONSE_H

#include "../sim/detect.h"

enum { OTOK_RESPONSES = 4 };
extern const otok_sample_info otok_response_infos[OTOK_RESPONSES];

/* Sums maps on the host, row by row from the bottom, so that the numbers do not depend on threads
 * or on the backend. */
otok_status otok_response_measure(double out[OTOK_RESPONSES], otok_sim *sim);

#endif
