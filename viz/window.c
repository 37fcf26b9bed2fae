/* window.c: a window and its frames: begins a frame, draws scene and text, ends the frame, shows
 * it. */
#include "window.h"
#include "core/clock.h"
#include "frame.h"
#include "input.h"
#include "keys.h"
#ifdef OTOK_WITH_PANEL
#include "panel.h"
#endif

#include <epoxy/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct view {
    otok_live *live;
    int beside; /* pixels that panel, legend and map took in the last frame */
    GLFWwindow *window;
    otok_input input;
    otok_view_frame frame;
    int messages;
    char first[400];
    double titled, printed;
    struct pointed {
        double x, y;
        int width, height;
        int64_t drawn; /* how finely: a coarse picture has its ground elsewhere, by a pixel of its
                          own */
        otok_camera camera;
    } pointed; /* where the cursor was when its place was found, and on which picture; x NAN:
                  nowhere */
    struct pointed probed; /* the same of the probe's cell, however finely it was drawn */
#ifdef OTOK_WITH_PANEL
    otok_panel *panel;
#endif
} view;

static const double SHORTEST_RUN = 20; /* so that one can act before its end [s] */
static const double SLOWEST = 4;       /* recorded states a second */
static char glfw_why[256];

static void on_error(int code, const char *text)
{
    (void)code;
    snprintf(glfw_why, sizeof glfw_why, "%s", text);
}

/* Does the screen hold back frames? It does unless a higher rate is asked for. */
static int waits_for_screen(double rate)
{
    GLFWmonitor *monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode *mode = monitor ? glfwGetVideoMode(monitor) : NULL;
    return !mode || rate <= mode->refreshRate + 1;
}

static otok_status open_window(view *v, const otok_window_options *o)
{
    glfwSetErrorCallback(on_error);
    if (!glfwInit())
        return OTOK_FAIL(OTOK_DEVICE,
                         "no display for a window (%s); --headless needs none, and otok render "
                         "draws a checkpoint without one",
                         glfw_why);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "otok");
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, !o->width);
    v->window = glfwCreateWindow(o->width ? o->width : 1280, o->height ? o->height : 800, "otok",
                                 NULL, NULL);
    if (!v->window)
        return OTOK_FAIL(
            OTOK_DEVICE,
            "no OpenGL 4.5 on this display (%s); otok render draws a checkpoint without a display",
            glfw_why);
    glfwMakeContextCurrent(v->window);
    glfwSwapInterval(waits_for_screen(v->live->frame_rate));
    otok_gl_listen(&v->messages, v->first);
    return OTOK_OK;
}

/* The framebuffer has more pixels than the window if these are small. */
static otok_status fit_frame(view *v)
{
    int width, height;
    glfwGetFramebufferSize(v->window, &width, &height);
    if ((width < 1 || height < 1) && v->frame.sheet)
        return OTOK_OK; /* a window that is put away has none */
    width = width > 0 ? width : 1, height = height > 0 ? height : 1;
    return otok_view_frame_fit(&v->frame, width, height);
}

/* 2 where pixels are half as wide as usual. */
static float pixel_scale(const view *v)
{
    float x, y;
    glfwGetWindowContentScale(v->window, &x, &y);
    return x > 1 ? x : 1;
}

#ifdef OTOK_WITH_PANEL
static int panel_wants_mouse(void *user)
{
    const view *v = user;
    return !v->live->no_panel && otok_panel_wants_mouse();
}

static int panel_wants_keyboard(void *user)
{
    const view *v = user;
    return !v->live->no_panel && otok_panel_wants_keyboard();
}

static otok_status make_panel(view *v)
{
    v->panel = otok_panel_create(v->window);
    if (!v->panel) return OTOK_INTERNAL;
    v->input.other = v;
    v->input.others_want_mouse = panel_wants_mouse;
    v->input.others_want_keyboard = panel_wants_keyboard;
    int width, height;
    glfwGetFramebufferSize(v->window, &width, &height);
    v->live->no_panel = (float)width < 520 * pixel_scale(v); /* it would hide what is drawn */
    return OTOK_OK;
}
#endif

static void choose_cell(otok_probe *p, int64_t i, int64_t j)
{
    if (i == p->i && j == p->j) return;
    p->i = i, p->j = j;
    p->count = 0;
}

/* Finds the ground under the cursor on the picture that is shown. It is found anew when either
   changes, and when the user begins to pour water, because the ground moves. A probe that has
   samples keeps its cell as long as cursor and camera stay. */
static void find_pointed_ground(view *v)
{
    otok_live *live = v->live;
    const otok_view_frame *frame = &v->frame;
    double at[2];
    const struct pointed now = {v->input.x,    v->input.y,   frame->width,
                                frame->height, frame->drawn, frame->shot.camera};
    live->brush.on = live->brush.on && live->pours;
    const int away = !glfwGetWindowAttrib(v->window, GLFW_HOVERED) ||
                     (v->input.other && v->input.others_want_mouse(v->input.other));
    if (!away && memcmp(&now, &v->pointed, sizeof now) == 0 && live->brush.on == live->pours)
        return;
    v->pointed.x = NAN;
    live->brush.seen = !away && otok_view_frame_ground_at(frame, live, now.x, now.y, at);
    if (!live->brush.seen) return;
    v->pointed = now;
    live->brush.on = live->pours;
    live->brush.x = at[0], live->brush.y = at[1];
    struct pointed place = now;
    place.drawn = 0;
    if (live->probe.count > 1 && memcmp(&place, &v->probed, sizeof place) == 0) return;
    v->probed = place;
    choose_cell(&live->probe, (int64_t)(at[0] / live->grid.spacing),
                (int64_t)(at[1] / live->grid.spacing));
}

/* Shows the present state in the title, and prints it with --verbose. */
static void show_title(view *v)
{
    const otok_live *live = v->live;
    const double now = otok_clock();
    char text[512], time[48];
    if (now - v->titled < 0.25) return;
    v->titled = now;
    otok_time_words(time, live->time);
    if (live->sim)
        snprintf(text, sizeof text,
                 "%s, iteration %lld of %lld, %s, %s%s: %.0f frames/s, %.4g it/s%s", live->phase,
                 (long long)live->iteration, (long long)live->iterations,
                 otok_style_name((int)live->shot.style), time, live->date, live->frames_per_second,
                 live->iterations_per_second, live->direct ? ", direct" : "");
    else
        snprintf(text, sizeof text, "state %d of %d, iteration %lld, %s, %s%s: %.0f frames/s",
                 live->state + 1, live->recorded.n, (long long)live->iteration,
                 otok_style_name((int)live->shot.style), time, live->date, live->frames_per_second);
    char title[600];
    snprintf(title, sizeof title, "otok: %s%s", text,
             otok_view_frame_is_coarse(&v->frame) ? ", coarse" : "");
    glfwSetWindowTitle(v->window, title);
    if (!live->verbose || now - v->printed < 1) return;
    v->printed = now;
    puts(text);
    fflush(stdout);
}

static otok_status draw_view(view *v)
{
    find_pointed_ground(v);
    const int beside = otok_view_frame_beside(&v->frame, v->live);
    v->live->shot.shift[0] = -0.5 * beside; /* the middle of what the panel leaves */
    OTOK_TRY(otok_view_frame_draw(&v->frame, v->live));
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glClearBufferfv(GL_COLOR, 0, (const GLfloat[4]){0, 0, 0, 1}); /* what no picture covers */
    otok_canvas_present(v->frame.sheet);
#ifdef OTOK_WITH_PANEL
    otok_panel_draw(v->panel, v->live);
#endif
    return OTOK_OK;
}

/* Will the picture change without input? */
static int will_change(const view *v)
{
    return otok_view_frame_is_coarse(&v->frame) || !v->live->rests || v->live->dirty ||
           otok_live_goes_on(v->live) || otok_live_plays(v->live);
}

/* A quiet window waits for events. A busy one is held to its rate, unless the screen does that. */
static void wait_for_next(const view *v, double began, int moved)
{
    const otok_live *live = v->live;
    const double now = otok_clock(), rest = 0.95 / live->frame_rate - (now - began);
    if (!live->pours && !moved && now - v->input.since >= 0.5 && !will_change(v)) {
        glfwWaitEventsTimeout(0.25);
        return;
    }
    if (rest > 0) nanosleep(&(struct timespec){0, (long)(rest * 1e9)}, NULL);
    glfwPollEvents();
}

static otok_status run_frames(view *v, const otok_window_options *o)
{
    double before = otok_clock();
    for (int64_t n = 0; !glfwWindowShouldClose(v->window) && !v->input.quits && !o->ends() &&
                        (o->frames == 0 || n < o->frames);
         n++) {
        const double began = otok_clock();
        const int moved = otok_input_fly(&v->input, v->window, began - before);
        before = began;
        OTOK_TRY(fit_frame(v));
        otok_live *live = v->live;
        otok_live_frame_begin(live);
        const int beside = otok_view_frame_beside(&v->frame, live);
        if (beside != v->beside) otok_live_room(live);
        v->beside = beside;
        if (live->fit_camera) otok_live_fit_camera(live, v->frame.width - beside, v->frame.height);
        const double drawn_from = otok_clock();
        OTOK_TRY(draw_view(v));
        otok_live_frame_end(live);
        glFinish(); /* a swap may wait for the screen */
        otok_view_frame_adapt(&v->frame, otok_clock() - drawn_from);
        glfwSwapBuffers(v->window);
        show_title(v);
#ifdef OTOK_WITH_PANEL
        otok_panel_shown(live, will_change(v));
#endif
        if (v->messages && live->verbose) {
            otok_live_report(live, "OpenGL: %s", v->first);
            v->messages = 0;
        }
        wait_for_next(v, began, moved);
    }
    return OTOK_OK;
}

static otok_status begin_live(view *v)
{
    OTOK_TRY(otok_view_frame_create(&v->frame, otok_keys));
    if (v->live->fast) otok_view_frame_fast(&v->frame);
    v->frame.words.least = 13 * pixel_scale(v);
    if (v->live->frame_rate > 60)
        v->frame.fineness.slowest = 1 / v->live->frame_rate; /* so many were asked for */
    OTOK_TRY(fit_frame(v));
    v->live->keeps = 1;
    OTOK_TRY(otok_live_begin(v->live, v->frame.width, v->frame.height));
    const int recorded = v->live->recorded.n;
    if (isnan(v->live->speed))
        v->live->speed = recorded ? fmax(ceil(recorded / SHORTEST_RUN), SLOWEST)
                                  : ceil((double)v->live->iterations / SHORTEST_RUN);
    return OTOK_OK;
}

static otok_status run_window(view *v, const otok_window_options *o)
{
    OTOK_TRY(open_window(v, o));
    OTOK_TRY(begin_live(v));
    otok_input_attach(&v->input, v->window);
#ifdef OTOK_WITH_PANEL
    otok_status status = make_panel(v);
    if (status == OTOK_OK) status = run_frames(v, o);
    otok_panel_destroy(v->panel);
#else
    const otok_status status = run_frames(v, o);
#endif
    otok_live_end(v->live);
    return status;
}

otok_status otok_window_run(otok_live *live, const otok_window_options *options)
{
    view v = {.live = live, .input = {.live = live}};
    const otok_status status = run_window(&v, options);
    if (v.window) {
        otok_view_frame_destroy(&v.frame);
        glfwDestroyWindow(v.window);
    }
    glfwTerminate();
    return status;
}
