/* watch.h: samples of a run, where its state lies: a verdict, by the detectors and thresholds of studies, of a run that nobody
   studies. They change nothing, keep no map of the sample before, and come at iterations that only the scenario knows, so that a
   resumed run sees what one that went through sees. */
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
