/* input.h: turns keys and mouse into requests. */
#ifndef OTOK_INPUT_H
#define OTOK_INPUT_H

#include "live.h"

struct GLFWwindow;

typedef struct otok_input {
    otok_live *live;
    double x, y;       /* of the cursor, in pixels of the framebuffer */
    double since;      /* of the last event [s]                       */
    int turns, shifts; /* a button is down: the camera turns, its target shifts */
    int quits;
    int (*others_want_mouse)(void *other), (*others_want_keyboard)(void *other);
    void *other; /* the panel, NULL: there is none */
} otok_input;

/* Sets the window's callbacks and user pointer. */
void otok_input_attach(otok_input *input, struct GLFWwindow *window);

/* Flies as long as keys are down. Returns 1 if the camera moved. */
int otok_input_fly(otok_input *input, struct GLFWwindow *window, double seconds);

#endif
