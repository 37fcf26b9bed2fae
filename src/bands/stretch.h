/* stretch.h: how far bands can go through a program before they must exchange rows. A band knows
   nothing beyond its shared rows, so what it makes near their rim is wrong. With each stage that
   reads neighbours, the wrong rows reach one row further in. Bands exchange before they reach a
   row of their own. */
#ifndef OTOK_STRETCH_H
#define OTOK_STRETCH_H

#include "../core/state.h"

/* A part of a program that bands run on their own. */
typedef struct otok_stretch {
    otok_program program;
    otok_set reads;  /* their shared rows must be right before */
    otok_set writes; /* their shared rows are wrong afterwards */
    int whole;       /* it needs the grid in one piece */
    int most;        /* iterations until the next exchange; above 1 only in the last stretch, if all
                        before it need the grid in one piece and are not due in these iterations */
} otok_stretch;

typedef struct otok_stretches {
    int n;
    otok_stretch *list;
} otok_stretches;

/* Divides a program for bands that share `depth` rows and have the buffers `present`. The
   caller frees it with otok_stretches_destroy, after a failure too. OTOK_NOMEM. */
otok_status otok_stretches_make(otok_stretches *out, const otok_program *program, otok_set present,
                                int depth);
void otok_stretches_destroy(otok_stretches *stretches);

#endif
