/* viewing.h: one simulation on the CPU in a view without a window, for tests of live views. */
#ifndef OTOK_TESTS_VIEWING_H
#define OTOK_TESTS_VIEWING_H

#include "drawing.h"
#include "scene.h"
#include "viz/frame.h"

typedef struct viewing {
    otok_gl *gl;
    otok_scenario *scenario;
    otok_live live;
    otok_view_frame frame;
    otok_canvas *canvas; /* to draw the picture of a state on */
} viewing;

/* Each state that is shown is `slice` iterations after the one before. The caller sets more in
   `live`, then calls otok_live_begin. */
static inline void viewing_begin(viewing *v, const char *yaml, int slice, int width, int height)
{
    v->gl = drawing_begin();
    v->scenario = scene("%s", yaml);
    otok_live_defaults(&v->live);
    v->live.scenario = v->scenario;
    v->live.backend = "cpu";
    v->live.slice_exact = slice;
    MUST(otok_view_frame_create(&v->frame, ""));
    MUST(otok_view_frame_fit(&v->frame, width, height));
    MUST(otok_canvas_create(&v->canvas, width, height));
}

static inline void viewing_read(viewing *v, unsigned char *rgb)
{
    otok_view_frame_draw_onto(&v->live, v->canvas);
    otok_canvas_read(v->canvas, rgb);
}

static inline int viewing_end(viewing *v)
{
    otok_live_end(&v->live);
    otok_scenario_destroy(v->scenario);
    otok_canvas_destroy(v->canvas);
    otok_view_frame_destroy(&v->frame);
    otok_gl_destroy(v->gl);
    return check_failures != 0;
}

#endif
