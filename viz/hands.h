/* hands.h: keys and mouse into wishes. */
#ifndef OTOK_HANDS_H
#define OTOK_HANDS_H

#include "live.h"

struct GLFWwindow;

typedef struct otok_hands {
    otok_live *live;
    double x, y;       /* of the cursor, in pixels of the framebuffer */
    double since;      /* of the last event [s]                       */
    int turns, shifts; /* a button is down: the camera turns, its target shifts */
    int quits;
    int (*others_want_mouse)(void *other), (*others_want_keyboard)(void *other);
    void *other; /* the panel, NULL: there is none */
} otok_hands;

extern const char otok_hands_help[];

/* Sets the window's callbacks and user pointer. */
void otok_hands_hold(otok_hands *hands, struct GLFWwindow *window);

/* Flies as long as keys are down. 1: the camera moved. */
int otok_hands_fly(otok_hands *hands, struct GLFWwindow *window, double seconds);

#endif
