/* headless.c: begins a frame, draws it, ends it, and waits for OpenGL. */
#include "headless.h"
#include "core/clock.h"
#include "frame.h"
#include "gl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* *ended: the time when the frame was done. A frame that holds its rate learns how long the drawing
   alone took. */
static otok_status draw_frame(otok_live *live, otok_view_frame *frame, int holds, double *ended)
{
    otok_live_frame_begin(live);
    frame->drawn = 0; /* also what did not change */
    const double began = otok_clock();
    OTOK_TRY(otok_view_frame_draw(frame, live));
    otok_live_frame_end(live);
    glFinish();
    *ended = otok_clock();
    if (holds || frame->fast) otok_view_frame_adapt(frame, *ended - began);
    return OTOK_OK;
}

static int compare_seconds(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static otok_status time_frames(otok_live *live, otok_view_frame *frame,
                               const otok_headless_options *o, double *took,
                               otok_headless_report *r)
{
    const int64_t n = o->frames;
    double began, before;
    OTOK_TRY(draw_frame(live, frame, 0, &began));
    const int64_t states = live->shows, iteration = live->iteration, bytes = live->host_bytes;
    before = began;
    for (int64_t i = 0; i < n; i++) {
        double now;
        OTOK_TRY(draw_frame(live, frame, o->holds, &now));
        took[i] = now - before;
        before = now;
    }
    r->frames = n;
    r->fine = frame->drew == 1;
    r->pixel = otok_fineness_pixel(frame->drew);
    r->states = live->shows - states;
    r->iterations = live->iteration - iteration;
    r->host_bytes = live->host_bytes - bytes;
    r->seconds = before - began;
    qsort(took, (size_t)n, sizeof *took, compare_seconds);
    r->median = took[n / 2];
    r->worst = took[(int64_t)(0.99 * (double)(n - 1) + 0.5)];
    return OTOK_OK;
}

/* Starts no more slices, so the state that is shown is the last one. */
static void draw_to_rest(otok_live *live)
{
    live->running = live->held = 0;
    live->steps = 0;
    do
        otok_live_frame_begin(live);
    while (!live->rests);
}

static otok_status run_frames(otok_live *live, otok_view_frame *frame,
                              const otok_headless_options *o, otok_headless_report *r)
{
    double *took = malloc((size_t)o->frames * sizeof *took);
    otok_status status = took ? otok_live_begin(live, o->width, o->height)
                              : OTOK_FAIL(OTOK_NOMEM, "no memory for the times of frames");
    if (status == OTOK_OK) {
        if (live->sim)
            snprintf(r->runner, sizeof r->runner, "%s, %s", otok_sim_backend(live->sim),
                     otok_sim_device(live->sim));
        status = time_frames(live, frame, o, took, r);
        draw_to_rest(live);
        if (status == OTOK_OK && live->status != OTOK_OK)
            status = OTOK_FAIL(live->status, "%s", live->message);
        if (status == OTOK_OK && o->picture) status = otok_view_frame_save(frame, live, o->picture);
        otok_live_end(live);
    }
    free(took);
    return status;
}

otok_status otok_headless_run(otok_live *live, const otok_headless_options *o,
                              otok_headless_report *r)
{
    otok_gl *gl;
    otok_view_frame frame;
    const char *first;
    memset(r, 0, sizeof *r);
    OTOK_TRY(otok_gl_create(&gl));
    snprintf(r->drawer, sizeof r->drawer, "%s", otok_gl_device(gl));
    otok_status status = otok_view_frame_create(&frame, "");
    if (live->fast) otok_view_frame_fast(&frame);
    if (o->holds) frame.fineness.slowest = 1 / live->frame_rate;
    if (status == OTOK_OK) status = otok_view_frame_fit(&frame, o->width, o->height);
    if (status == OTOK_OK) status = run_frames(live, &frame, o, r);
    otok_view_frame_destroy(&frame);
    if (otok_gl_log_count(gl, &first)) snprintf(r->complaint, sizeof r->complaint, "%s", first);
    otok_gl_destroy(gl);
    return status;
}
