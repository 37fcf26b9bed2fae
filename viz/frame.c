/* frame.c: draws the scene as finely as time allows, and text over it. A saved picture is always
 * fine. */
#include "frame.h"
#include "arrange.h"
#include "chart.h"
#include "core/clock.h"
#include "held.h"
#include "section.h"
#include "signs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pause = 0.3; /* before what rests becomes fine again [s] */

/* How many pictures old light and marks may be: of a recorded state, which may differ much from the
   one before; in a picture of a state that others follow; and in one that must be fast. */
enum { RECORDED = 1, HURRY = 8, FAST_HURRY = 32 };

otok_status otok_view_frame_create(otok_view_frame *p, const char *help)
{
    memset(p, 0, sizeof *p);
    p->fineness = (otok_fineness){.level = 1, .slowest = 1.0 / 12};
    p->help = help;
    OTOK_TRY(otok_overlay_create(&p->words));
    OTOK_TRY(otok_brush_cursor_create(&p->cursor));
    return otok_inset_create(&p->map);
}

void otok_view_frame_destroy(otok_view_frame *p)
{
    otok_canvas_destroy(p->scene);
    otok_canvas_destroy(p->coarse);
    otok_canvas_destroy(p->sheet);
    otok_overlay_destroy(&p->words);
    otok_inset_destroy(&p->map);
    otok_brush_cursor_destroy(&p->cursor);
}

void otok_view_frame_fast(otok_view_frame *p)
{
    p->fast = 1;
    p->fineness = (otok_fineness){.level = 5, .finest = 3, .slowest = 1.0 / 30};
}

static int coarse_side(const otok_view_frame *p, int side)
{
    const int pixel = otok_fineness_pixel(p->fineness.level);
    return (side + pixel - 1) / pixel;
}

static otok_status make_coarse(otok_view_frame *p)
{
    otok_canvas_destroy(p->coarse);
    p->coarse = NULL;
    if (p->fineness.level == 1) return OTOK_OK;
    return otok_canvas_create(&p->coarse, coarse_side(p, p->width), coarse_side(p, p->height));
}

otok_status otok_view_frame_fit(otok_view_frame *p, int width, int height)
{
    if (p->sheet && width == p->width && height == p->height) return OTOK_OK;
    otok_canvas_destroy(p->scene);
    otok_canvas_destroy(p->sheet);
    p->scene = p->sheet = NULL;
    p->width = width, p->height = height;
    p->drawn = 0;
    OTOK_TRY(otok_canvas_create(&p->scene, width, height));
    OTOK_TRY(otok_canvas_create(&p->sheet, width, height));
    return make_coarse(p);
}

void otok_view_frame_adapt(otok_view_frame *p, double seconds)
{
    if (p->drew != p->fineness.level || !otok_fineness_adapt(&p->fineness, seconds)) return;
    if (make_coarse(p) != OTOK_OK) p->fineness.level = 1;
    if (p->drawn > 1) p->drawn = 0; /* its canvas is gone */
}

int otok_view_frame_is_coarse(const otok_view_frame *p)
{
    return p->drawn > 1;
}

static void probe_words(const otok_live *live, char *out, size_t size)
{
    const otok_probe *p = &live->probe;
    const int64_t n = (p->count - 1) % OTOK_LIVE_SAMPLES;
    otok_live_place(live, out, size);
    size_t used = strlen(out);
    used += (size_t)snprintf(out + used, size - used, "\n");
    char name[OTOK_NAME_SIZE], unit[32];
    for (int f = 0; f < OTOK_FIELDS && used < size; f++)
        if (!isnan(p->value[n][f]) && otok_live_field_name(live, f, name)) {
            otok_arrange_unit(unit, otok_field_at(f)->unit);
            used += (size_t)snprintf(out + used, size - used, "%s\t%.6g %s\n", name, p->value[n][f],
                                     strcmp(unit, "1") == 0 ? "" : unit);
        }
}

/* The words of the panel while it is hidden and the picture is wide enough. They do not change
   while nothing happens. */
static void status_words(const otok_view_frame *p, const otok_live *live, char *out, size_t size)
{
    *out = 0;
    if (!live->no_panel || p->width < 640) return;
    char time[48];
    otok_time_words(time, live->time);
    if (!live->sim)
        snprintf(out, size, "iteration %lld, %s%s    state %d of %d    Tab: panel, H: keys",
                 (long long)live->iteration, time, live->date, live->state + 1, live->recorded.n);
    else
        snprintf(out, size, "%s, iteration %lld of %lld, %s%s, %s    Tab: panel, H: keys",
                 live->phase, (long long)live->iteration, (long long)live->iterations, time,
                 live->date, live->running || live->held ? "running" : "paused");
}

/* The last message, else the status. */
static void write_last_line(const otok_view_frame *p, const otok_live *live, double edge)
{
    char text[600];
    if (live->message[0] && otok_clock() - live->message_at < 5)
        snprintf(text, sizeof text, "%s", live->message);
    else
        status_words(p, live, text, sizeof text);
    otok_overlay_wrap(&p->words, p->height, p->width - live->covered - 2 * edge, text, sizeof text);
    if (*text) otok_overlay_words(&p->words, p->width, p->height, edge, -edge, text);
}

/* Legend and map of values have paper for themselves beside the view, as in files. */
static int paper_width(const otok_view_frame *p, const otok_live *live)
{
    const int left = p->width - live->covered, side = (left < p->height ? left : p->height) / 3,
              map = live->map ? side + side / 12 : 0,
              legend =
                  live->legend[0] ? otok_overlay_width(p->words.least, p->height, live->legend) : 0;
    return legend && legend < map ? map : legend;
}

/* Where the line between two states is, from the left [pixels of the window]. */
static int line_at(const otok_view_frame *p, const otok_live *live)
{
    return (p->width - otok_view_frame_beside(p, live)) / 2;
}

/* Scale, north and time, and the line between two states. */
static void write_signs(const otok_view_frame *p, otok_live *live, double edge)
{
    char left[96], right[96], time[48];
    const double line = fmax((double)p->words.least, p->height / 50.0);
    if (!live->no_signs)
        otok_signs_draw(&p->words, live, &p->shot, p->width, p->height,
                        p->width - otok_view_frame_beside(p, live), edge + 3 * line);
    if (live->held_state) {
        otok_held_words(live, left, sizeof left);
        otok_time_words(time, live->time);
        snprintf(right, sizeof right, "iteration %lld, %s", (long long)live->iteration, time);
        otok_signs_line(&p->words, p->width, p->height, line_at(p, live), left, right);
    }
    otok_section_draw(&p->words, live, &p->shot, p->width, p->height,
                      p->width - otok_view_frame_beside(p, live),
                      live->held_state ? edge + 3 * line : edge);
}

static void write_words(const otok_view_frame *p, otok_live *live)
{
    const double edge = 6 * fmax(1, floor(p->height / 360.0));
    char text[4096] = "";
    const int right = p->width - live->covered;
    const otok_brush *b = &live->brush;
    if (live->flows && (b->on || b->seen))
        otok_brush_cursor_draw(&p->cursor, b->x, b->y, b->radius, p->width, p->height);
    glViewport(0, 0, right, p->height);
    if (live->legend[0]) {
        const otok_legend legend = {.words = live->legend,
                                    .low = live->shot.low,
                                    .high = live->shot.high,
                                    .is_log = live->shot.logs,
                                    .beyond = live->shot.beyond,
                                    .paper = paper_width(p, live)};
        otok_overlay_draw(&p->words, right, p->height, &legend);
    }
    if (live->map) otok_inset_draw(&p->map, live->grid, right, p->height);
    glViewport(0, 0, p->width, p->height);
    write_signs(p, live, edge);
    if (live->help) {
        otok_overlay_words(&p->words, p->width, p->height, edge, edge, p->help);
    } else {
        if (live->probe.on && live->probe.count && !live->covered) /* the panel has them, too */
            probe_words(live, text, sizeof text);
        if (*text) otok_overlay_words(&p->words, p->width, p->height, edge, edge, text);
    }
    write_last_line(p, live, edge);
}

int otok_view_frame_beside(const otok_view_frame *p, const otok_live *live)
{
    const int left = p->width - live->covered, paper = paper_width(p, live);
    return live->covered + (paper < left ? paper : 0);
}

/* A style whose maps are missing appears after the next rest of the simulation. */
static otok_shot shot_shown(const otok_live *live)
{
    otok_shot shot = live->shot;
    shot.style = (otok_style)live->style_shown;
    return shot;
}

/* Draws rows of the view; a held state at the left of the line. */
static void draw_states(const otok_view_frame *p, otok_live *live, otok_canvas *canvas,
                        const otok_shot *shot, int from, int to)
{
    int width, height;
    otok_canvas_size(canvas, &width, &height);
    const int all = from == 0 && to == height,
              x = live->held_state ? (int)((int64_t)line_at(p, live) * width / p->width) : 0;
    if (x || !all) glEnable(GL_SCISSOR_TEST);
    glScissor(0, from, x, to - from);
    if (x) otok_held_draw(live, canvas, shot);
    glScissor(x, from, width - x, to - from);
    otok_scene_draw(live->scene, canvas, shot, NULL);
    glDisable(GL_SCISSOR_TEST);
}

/* The legend is one of the words, because the panel must not cover it. In files the scene draws
   it. */
static void draw_fine(otok_view_frame *p, otok_live *live, int hurry, int from, int to)
{
    otok_shot shot = shot_shown(live);
    shot.hurry = hurry;
    p->hurried = hurry > 0;
    draw_states(p, live, p->scene, &shot, from, to);
}

static void draw_moment(otok_live *live, otok_canvas *canvas, double moment)
{
    otok_shot shot = shot_shown(live);
    int width, height, least[2];
    shot.shift[0] = 0; /* no panel beside it */
    shot.moment = moment;
    otok_canvas_size(canvas, &width, &height);
    const int lost =
        live->legend[0] && otok_chart_page(&shot, width, height, live->legend, 0, 0, 0, least);
    otok_scene_draw(live->scene, canvas, &shot,
                    live->legend[0] && !(lost & 1) ? live->legend : NULL);
}

void otok_view_frame_draw_onto(otok_live *live, otok_canvas *canvas)
{
    draw_moment(live, canvas, live->shot.moment);
}

otok_status otok_view_frame_save(otok_view_frame *p, otok_live *live, const char *path)
{
    unsigned char *rgb = malloc((size_t)p->width * (size_t)p->height * 3);
    if (!rgb) return OTOK_FAIL(OTOK_NOMEM, "no memory for the picture");
    if (live->held_state && p->drawn) {
        otok_canvas_read(p->sheet, rgb); /* two states, as they were shown */
    } else {
        draw_moment(live, p->scene, 0); /* of one state there is one picture */
        p->drawn = 0;
        otok_canvas_read(p->scene, rgb);
    }
    const otok_status status = live->write_picture(path, p->width, p->height, rgb);
    free(rgb);
    return status;
}

static void save_picture(otok_view_frame *p, otok_live *live, int of_film)
{
    char path[1024];
    if (of_film)
        otok_live_film_file(live, path);
    else
        otok_live_file(live, ".png", path);
    live->save_picture &= of_film;
    if (otok_view_frame_save(p, live, path) == OTOK_OK)
        otok_live_report(live, "saved %s", path);
    else {
        live->films = 0, live->slice_exact = 0;
        otok_live_report(live, "%s", otok_why());
    }
}

/* A picture at rest is drawn finely, a strip a frame, so that input acts at once. */
static void draw_strip(otok_view_frame *p, otok_live *live)
{
    const int n = 2 * otok_fineness_pixel(p->fineness.level), low = p->height * p->strip / n,
              high = p->height * (p->strip + 1) / n;
    draw_fine(p, live, 0, low, high);
    if (++p->strip == n) p->drawn = 1;
}

static void draw_coarse(otok_view_frame *p, otok_live *live)
{
    otok_shot shot = shot_shown(live);
    shot.fast = 2;
    shot.hurry = !live->sim ? RECORDED : p->fast ? FAST_HURRY : HURRY;
    shot.shift[0] /= otok_fineness_pixel(p->fineness.level);
    draw_states(p, live, p->coarse, &shot, 0, coarse_side(p, p->height));
    p->strip = 0;
}

otok_status otok_view_frame_draw(otok_view_frame *p, otok_live *live)
{
    const double now = otok_clock();
    const int changed =
        p->shown != live->shows || memcmp(&p->shot, &live->shot, sizeof p->shot) != 0;
    const int level = p->fineness.level, films = live->films && p->shown != live->shows,
              saves = live->save_picture && !live->old_values,
              hurry = otok_live_goes_on(live) ? HURRY : 0;
    p->drew = 0;
    if (films) save_picture(p, live, 1);
    if (saves) save_picture(p, live, 0);
    if (changed || !p->drawn || (p->drawn == 1 && p->hurried && !hurry)) {
        level == 1 ? draw_fine(p, live, hurry, 0, p->height) : draw_coarse(p, live);
        p->drawn = level;
        p->drew = saves || films ? 0 : level;
        p->shown = live->shows;
        p->shot = live->shot;
        p->changed_at = now;
    } else if (p->drawn > 1 && (now - p->changed_at > pause || p->strip > 0)) {
        draw_strip(p, live);
    }
    otok_canvas_copy(p->drawn == 1 ? p->scene : p->coarse, p->sheet);
    otok_canvas_bind(p->sheet);
    glEnable(GL_FRAMEBUFFER_SRGB);
    glViewport(0, 0, p->width, p->height);
    otok_scene_bind(live->scene);
    write_words(p, live);
    return OTOK_OK;
}

int otok_view_frame_ground_at(const otok_view_frame *p, const otok_live *live, double x, double y,
                              double out[2])
{
    const otok_camera *c = &p->shot.camera;
    const int d = otok_fineness_pixel(p->drawn);
    if (!p->drawn) return 0;
    const double depth = otok_canvas_depth(p->drawn > 1 ? p->coarse : p->scene, (int)floor(x / d),
                                           (int)floor(y / d));
    otok_frame f;
    if (!(depth > 0)) return 0;
    otok_camera_frame(c, p->width, p->height, &f);
    const double far = c->distance / 1000 / depth,
                 right = 2 * (x + 0.5 - p->shot.shift[0]) / p->width - 1,
                 up = 1 - 2 * (y + 0.5) / p->height;
    for (int i = 0; i < 2; i++)
        out[i] = f.eye[i] + far * (f.forward[i] + right * f.right[i] + up * f.up[i]);
    const double l = live->grid.spacing;
    return out[0] >= 0 && out[1] >= 0 && out[0] < (double)live->grid.nx * l &&
           out[1] < (double)live->grid.ny * l;
}
