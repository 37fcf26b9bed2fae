/* window.h: a GLFW window with OpenGL 4.5, and its loop of frames. */
#ifndef OTOK_WINDOW_H
#define OTOK_WINDOW_H

#include "live.h"

typedef struct otok_window_options {
    int width, height; /* pixels at first; 0: as many as the screen needs */
    int64_t frames;    /* ends after so many; 0: when the window is closed    */
    int (*ends)(void); /* or when it says so, which is asked four times a second at least */
} otok_window_options;

/* Opens a window, begins and ends `live` in it, and returns when it is closed.
   OTOK_DEVICE: there is no display, or it has no OpenGL 4.5. */
otok_status otok_window_run(otok_live *live, const otok_window_options *options);

#endif
