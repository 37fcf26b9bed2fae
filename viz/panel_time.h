/* panel_time.h: the panel's part for time: run, pause, step, speed, and the timeline; and water by
 * hand. */
#ifndef OTOK_PANEL_TIME_H
#define OTOK_PANEL_TIME_H

#include "live.h"

typedef struct otok_time_panel {
    int64_t wanted; /* the iteration under the hand, while the timeline is dragged */
    int dragged;
    char typed[24];
} otok_time_panel;

/* Draws them into the window of Dear ImGui that is open. What cannot be done after the last
   iteration is disabled. */
void otok_panel_time_draw(otok_time_panel *panel, otok_live *live, const char *phase);

/* Those of recorded states: play, pause, step, the first and the last, and the list of states. */
void otok_panel_recorded_draw(otok_live *live);

#endif
