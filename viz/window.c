/* window.c: a window and its frames: take, draw, words over it, give, show. */
#include "window.h"
#include "gl.h"
#include "hands.h"
#include "inset.h"
#include "overlay.h"
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
    GLFWwindow *window;
    otok_hands hands;
    otok_canvas *canvas;
    otok_overlay words;
    otok_inset map;
    int width, height, samples, messages;
    char first[400];
    double titled, said;
#ifdef OTOK_WITH_PANEL
    otok_panel *panel;
#endif
} view;

static char glfw_why[256];

static void on_error(int code, const char *text)
{
    (void)code;
    snprintf(glfw_why, sizeof glfw_why, "%s", text);
}

static otok_status open_window(view *v, const otok_window_options *o)
{
    glfwSetErrorCallback(on_error);
    if (!glfwInit())
        return OTOK_FAIL(OTOK_DEVICE, "no display for a window (%s); otok render draws a checkpoint without one", glfw_why);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "otok");
    v->window = glfwCreateWindow(o->width, o->height, "otok", NULL, NULL);
    if (!v->window)
        return OTOK_FAIL(OTOK_DEVICE, "no OpenGL 4.5 on this display (%s); otok render draws a checkpoint without a display",
                         glfw_why);
    glfwMakeContextCurrent(v->window);
    glfwSwapInterval(1);
    otok_gl_listen(&v->messages, v->first);
    return OTOK_OK;
}

/* The canvas has the size of the framebuffer, which is not the window's where pixels are small. */
static otok_status fit_canvas(view *v)
{
    int width, height;
    glfwGetFramebufferSize(v->window, &width, &height);
    if (width < 1 || height < 1 || (v->canvas && width == v->width && height == v->height)) return OTOK_OK;
    otok_canvas_destroy(v->canvas);
    v->width = width, v->height = height;
    return otok_canvas_create(&v->canvas, width, height, v->samples);
}

#ifdef OTOK_WITH_PANEL
static int panel_wants_mouse(void *panel)
{
    return otok_panel_wants_mouse(panel);
}

static int panel_wants_keyboard(void *panel)
{
    return otok_panel_wants_keyboard(panel);
}

static otok_status make_panel(view *v)
{
    v->panel = otok_panel_create(v->window);
    if (!v->panel) return OTOK_INTERNAL;
    v->hands.other = v->panel;
    v->hands.others_want_mouse = panel_wants_mouse;
    v->hands.others_want_keyboard = panel_wants_keyboard;
    return OTOK_OK;
}
#endif

/* The ground or the sea that is seen at the cursor; 0: none of the map. */
static int ground_at(const view *v, double x, double y, double out[2])
{
    const otok_live *live = v->live;
    const otok_camera *c = &live->shot.camera;
    const double depth = otok_canvas_depth(v->canvas, (int)x, (int)y);
    otok_frame f;
    if (!(depth > 0)) return 0;
    otok_camera_frame(c, v->width, v->height, &f);
    const double far = c->distance / 1000 / depth, right = 2 * (x + 0.5) / v->width - 1, up = 1 - 2 * (y + 0.5) / v->height;
    for (int i = 0; i < 2; i++)
        out[i] = f.eye[i] + far * (f.forward[i] + right * f.right[i] + up * f.up[i]);
    const double l = live->grid.spacing;
    return out[0] >= 0 && out[1] >= 0 && out[0] < (double)live->grid.nx * l && out[1] < (double)live->grid.ny * l;
}

static void point(view *v)
{
    otok_live *live = v->live;
    double at[2];
    live->brush.on = 0;
    if (!live->pours && !live->probe.on) return;
    if ((v->hands.other && v->hands.others_want_mouse(v->hands.other)) || !ground_at(v, v->hands.x, v->hands.y, at)) return;
    live->brush.on = live->pours;
    live->brush.x = at[0], live->brush.y = at[1];
    const int64_t i = (int64_t)(at[0] / live->grid.spacing), j = (int64_t)(at[1] / live->grid.spacing);
    if (i == live->probe.i && j == live->probe.j) return;
    live->probe.i = i, live->probe.j = j;
    live->probe.count = 0;
}

static void save_picture(view *v)
{
    otok_live *live = v->live;
    char path[1024];
    unsigned char *rgb = malloc((size_t)v->width * (size_t)v->height * 3);
    live->save_picture = 0;
    otok_live_file(live, ".png", path);
    otok_status status = rgb ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for the picture");
    if (status == OTOK_OK) {
        otok_canvas_read(v->canvas, rgb);
        otok_canvas_bind(v->canvas);
        status = live->write_picture(path, v->width, v->height, rgb);
    }
    free(rgb);
    if (status == OTOK_OK)
        otok_live_say(live, "saved %s", path);
    else
        otok_live_say(live, "%s", otok_why());
}

static void probe_words(const otok_live *live, char *out, size_t size)
{
    const otok_probe *p = &live->probe;
    const int64_t n = (p->count - 1) % OTOK_LIVE_SAMPLES;
    int used = snprintf(out, size, "cell %lld, %lld\n", (long long)p->i, (long long)p->j);
    for (int f = 0; f < OTOK_FIELDS && used < (int)size; f++)
        if (!isnan(p->value[n][f]))
            used += snprintf(out + used, size - (size_t)used, "%s %.6g %s\n", otok_field_at(f)->name, p->value[n][f],
                             otok_field_at(f)->unit);
}

static void words(view *v)
{
    const otok_live *live = v->live;
    const double size = fmax(1, floor(v->height / 360.0)), edge = 6 * size;
    char text[4096];
    glEnable(GL_FRAMEBUFFER_SRGB);
    if (live->map) otok_inset_draw(&v->map, live->grid, v->width, v->height);
    if (live->help) otok_overlay_words(&v->words, v->width, v->height, edge, edge, otok_hands_help);
    if (live->probe.on && live->probe.count && !live->help) {
        probe_words(live, text, sizeof text);
        otok_overlay_words(&v->words, v->width, v->height, edge, edge, text);
    }
    if (live->said[0] && otok_live_clock() - live->said_at < 5)
        otok_overlay_words(&v->words, v->width, v->height, edge, -edge, live->said);
}

/* What it does, for the title and for those who listen. */
static void tell(view *v)
{
    const otok_live *live = v->live;
    const double now = otok_live_clock();
    char text[512];
    if (now - v->titled < 0.25) return;
    v->titled = now;
    if (live->sim)
        snprintf(text, sizeof text, "%s, iteration %lld of %lld, %s, %.4g s: %.0f frames/s, %.4g it/s%s", live->phase,
                 (long long)live->iteration, (long long)live->iterations, otok_look_name((int)live->shot.look), live->time,
                 live->frames_per_second, live->iterations_per_second, live->direct ? ", direct" : "");
    else
        snprintf(text, sizeof text, "%s: %.0f frames/s", otok_look_name((int)live->shot.look), live->frames_per_second);
    char title[600];
    snprintf(title, sizeof title, "otok: %s", text);
    glfwSetWindowTitle(v->window, title);
    if (!live->verbose || now - v->said < 1) return;
    v->said = now;
    puts(text);
    fflush(stdout);
}

static void draw(view *v)
{
    otok_live *live = v->live;
    otok_canvas_bind(v->canvas);
    otok_scene_draw(live->scene, &live->shot, v->width, v->height, live->legend[0] ? live->legend : NULL);
    point(v);
    if (live->save_picture) save_picture(v);
    words(v);
    otok_canvas_present(v->canvas);
#ifdef OTOK_WITH_PANEL
    otok_panel_draw(v->panel, live);
#endif
}

/* A quiet window waits for events; a busy one is held to its rate where the screen does not do so. */
static void wait(const view *v, double began, int moved)
{
    const otok_live *live = v->live;
    const double now = otok_live_clock(), rest = 0.95 / live->frame_rate - (now - began);
    const int busy = !live->rests || live->pours || moved || now - v->hands.since < 0.5 || live->dirty;
    if (!busy) {
        glfwWaitEventsTimeout(0.25);
        return;
    }
    if (rest > 0) nanosleep(&(struct timespec){0, (long)(rest * 1e9)}, NULL);
    glfwPollEvents();
}

static otok_status frames(view *v, const otok_window_options *o)
{
    otok_live *live = v->live;
    double before = otok_live_clock();
    for (int64_t n = 0; !glfwWindowShouldClose(v->window) && !v->hands.quits && (o->frames == 0 || n < o->frames); n++) {
        const double began = otok_live_clock();
        const int moved = otok_hands_fly(&v->hands, v->window, began - before);
        before = began;
        OTOK_TRY(fit_canvas(v));
        otok_live_take(live);
        if (live->look_at_all) otok_live_look_at_all(live, v->width, v->height);
        draw(v);
        otok_live_give(live);
        glfwSwapBuffers(v->window);
        tell(v);
        if (v->messages && live->verbose) {
            otok_live_say(live, "OpenGL: %s", v->first);
            v->messages = 0;
        }
        wait(v, began, moved);
    }
    return OTOK_OK;
}

static otok_status work(view *v, const otok_window_options *o)
{
    otok_live *live = v->live;
    OTOK_TRY(open_window(v, o));
    OTOK_TRY(fit_canvas(v));
    OTOK_TRY(otok_overlay_create(&v->words));
    OTOK_TRY(otok_inset_create(&v->map));
    OTOK_TRY(otok_live_begin(live, v->width, v->height));
    otok_hands_hold(&v->hands, v->window);
#ifdef OTOK_WITH_PANEL
    otok_status status = make_panel(v);
    if (status == OTOK_OK) status = frames(v, o);
    otok_panel_destroy(v->panel);
#else
    const otok_status status = frames(v, o);
#endif
    otok_live_end(live);
    return status;
}

otok_status otok_window_run(otok_live *live, const otok_window_options *options)
{
    view v = {.live = live, .hands = {.live = live}, .samples = options->samples};
    const otok_status status = work(&v, options);
    if (v.window) {
        otok_inset_destroy(&v.map);
        otok_overlay_destroy(&v.words);
        otok_canvas_destroy(v.canvas);
        glfwDestroyWindow(v.window);
    }
    glfwTerminate();
    return status;
}
