/* headless.h: the frames of a window without a window: the same simulation, thread, upload and
   frame, on a canvas of a context without a display. It needs no GLFW. */
#ifndef OTOK_HEADLESS_H
#define OTOK_HEADLESS_H

#include "live.h"

typedef struct otok_headless_options {
    int width, height;
    int64_t frames; /* that are measured; one more before them, in which drivers make ready */
    int holds; /* live->frame_rate, as a window does: by fewer details and pixels where it must;
                  live->fast holds a rate, too */
    const char *picture; /* of the state at the end; NULL: none */
} otok_headless_options;

/* Results of the frames that were measured. The state at the end may be some iterations later, see
   live->iteration. */
typedef struct otok_headless_report {
    char drawer[128], runner[128]; /* OpenGL's device, and the simulation's, "" for none  */
    int64_t frames, states;        /* states: frames that showed another state than before */
    int64_t iterations;            /* done meanwhile                                      */
    double seconds, median, worst; /* all of them; one; what 99 % of them stay below      */
    int fine, pixel;               /* was the last frame? the sides of its pixels         */
    int64_t host_bytes;            /* of maps that went through the host                  */
    char complaint[400]; /* the first message of OpenGL above notifications, "" for none */
} otok_headless_report;

/* Begins and ends `live`. Draws every frame anew, whether anything changed or not, and waits for
   its end. Frames are fine, except with `holds` or live->fast. None is held back to
   live->frame_rate, which gives the length of slices. OTOK_DEVICE: there is no OpenGL 4.5 here. */
otok_status otok_headless_run(otok_live *live, const otok_headless_options *options,
                              otok_headless_report *report);

#endif
