/* response.h: what studies report of a member's end: how much ground was moved, how steep it is,
   how fast the water runs. These numbers are not judged: verdict.h makes verdicts, detect.h the
   series of a member. */
#ifndef OTOK_STUDY_RESPONSE_H
#define OTOK_STUDY_RESPONSE_H

#include "../sim/detect.h"

enum { OTOK_RESPONSES = 4 };
extern const otok_sample_info otok_response_infos[OTOK_RESPONSES];

/* From maps on the host, in rows from the bottom, so that they do not depend on threads or on where
 * the state lies. */
otok_status otok_response_measure(double out[OTOK_RESPONSES], otok_sim *sim);

#endif
