/* duo.h: two simulations or checkpoints that are shown side by side: one camera, one style,
   one range of colours, and the same iterations. It draws nothing and knows no window. */
#ifndef OTOK_DUO_H
#define OTOK_DUO_H

#include "live.h"

typedef struct otok_duo {
    otok_live *lives[2];  /* left and right */
    const char *names[2]; /* of what they show */
    int leader;           /* whose settings and requests are both's: the panel's */
    int differs;          /* the right one shows right minus left */

    /* its own */
    int64_t begun[2], compared[2]; /* of the states whose difference is shown */
    int field;                     /* of the difference                       */
    double most;                   /* its largest value                       */
    int64_t chunk;                 /* iterations of the next slices           */
    double started;                /* when the last slices began; 0: none did */
    float *maps[2];
} otok_duo;

/* Gives the leader's camera, style and other settings to the other one. */
void otok_duo_share(otok_duo *pair);

/* As otok_live_frame_begin and otok_live_frame_end, for both. Fields are shown and requests applied
   once both rest. Their slices have the same number of iterations. `compares` of the leader begins
   and ends the difference, which needs equal grids. */
void otok_duo_frame_begin(otok_duo *pair);
void otok_duo_frame_end(otok_duo *pair);

/* The other one leads. */
void otok_duo_swap(otok_duo *pair);

void otok_duo_end(otok_duo *pair); /* not the lives */

#endif
