/* watch.h: takes samples of a run and judges them with the detectors and thresholds of studies.
   Samples change nothing and keep no map of the sample before. Only the scenario decides at which
   iterations they are taken, so a resumed run takes the same samples as an uninterrupted one. */
#ifndef OTOK_WATCH_H
#define OTOK_WATCH_H

#include "detect.h"

/* Begins with the present state. */
otok_status otok_watch_begin(otok_judge *judge, otok_sim *sim);

/* Iterations until the next sample, at least 1; at the end of the scenario is one. */
int64_t otok_watch_due(const otok_sim *sim);

/* Takes a sample where one is due. OTOK_DATA: something is no longer finite. */
otok_status otok_watch_sample(otok_judge *judge, otok_sim *sim);

#endif
