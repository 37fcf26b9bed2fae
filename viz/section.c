/* section.c: see section.h. */
#include "section.h"
#include "known.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void otok_section_press(otok_live *live)
{
    otok_section *s = &live->section;
    const otok_brush *b = &live->brush;
    if (s->ends == 2) {
        otok_section_end(live);
        otok_live_report(live, "no section");
    } else if (!b->seen) {
        otok_live_report(live, "no ground under the cursor: no section there");
    } else {
        s->at[s->ends][0] = b->x, s->at[s->ends][1] = b->y;
        otok_live_report(live, ++s->ends == 1 ? "section from here; T again: to there" : "section");
    }
}

void otok_section_end(otok_live *live)
{
    free(live->section.terrain);
    free(live->section.water);
    live->section = (otok_section){0};
}

/* Between the middles of cells; beyond them, that of the border. */
static float height_at(const float *map, otok_grid g, double x, double y)
{
    const double u = otok_clamp(x / g.spacing - 0.5, 0, (double)g.nx - 1),
                 v = otok_clamp(y / g.spacing - 0.5, 0, (double)g.ny - 1);
    const int64_t i = (int64_t)u, j = (int64_t)v, right = i + 1 < g.nx ? 1 : 0,
                  up = j + 1 < g.ny ? g.nx : 0;
    const float *at = map + j * g.nx + i;
    const float s = (float)(u - (double)i), t = (float)(v - (double)j);
    return (1 - t) * ((1 - s) * at[0] + s * at[right]) +
           t * ((1 - s) * at[up] + s * at[up + right]);
}

static int fetch(otok_live *live)
{
    otok_section *s = &live->section;
    const size_t bytes = (size_t)(live->grid.nx * live->grid.ny) * sizeof(float);
    if (s->terrain && s->shows == live->shows) return 1;
    if (!live->rests) return s->terrain != NULL;
    if (!s->terrain) s->terrain = malloc(bytes);
    if (!s->water) s->water = malloc(bytes);
    if (!s->terrain || !s->water || otok_known_fetch(live, OTOK_TERRAIN, s->terrain) != OTOK_OK) {
        otok_section_end(live);
        otok_live_report(live, "no memory for a section");
        return 0;
    }
    if (!otok_known_has(live, OTOK_WATER) ||
        otok_known_fetch(live, OTOK_WATER, s->water) != OTOK_OK)
        memset(s->water, 0, bytes);
    s->shows = live->shows;
    return 1;
}

int otok_section_profile(otok_live *live, otok_profile *out)
{
    otok_section *s = &live->section;
    if (s->ends == 1 && live->brush.seen) s->at[1][0] = live->brush.x, s->at[1][1] = live->brush.y;
    if (!s->ends || (s->ends == 1 && !live->brush.seen) || !fetch(live)) return 0;
    const double dx = s->at[1][0] - s->at[0][0], dy = s->at[1][1] - s->at[0][1];
    out->length = hypot(dx, dy);
    for (int k = 0; k < OTOK_SECTION_POINTS; k++) {
        const double t = (double)k / (OTOK_SECTION_POINTS - 1), x = s->at[0][0] + t * dx,
                     y = s->at[0][1] + t * dy;
        out->ground[k] = height_at(s->terrain, live->grid, x, y);
        out->surface[k] = out->ground[k] + height_at(s->water, live->grid, x, y);
    }
    return out->length > 0;
}

/* ---- drawing ---- */

static double along(const float *direction, const double from_eye[3])
{
    return (double)direction[0] * from_eye[0] + (double)direction[1] * from_eye[1] +
           (double)direction[2] * from_eye[2];
}

/* The line on the ground, as dots; a letter at each end. */
static void draw_line(otok_ink *k, const otok_section *s, const otok_profile *p, const otok_shot *v,
                      int width, int height)
{
    enum { DOTS = 128 };
    const double size = (double)otok_ink_size(k),
                 sea = isnan(v->sea_level) ? -INFINITY : v->sea_level;
    otok_frame f;
    otok_camera_frame(&v->camera, width, height, &f);
    for (int n = 0; n <= DOTS; n++) {
        const int i = n * (OTOK_SECTION_POINTS - 1) / DOTS;
        const double t = (double)n / DOTS,
                     from[3] = {s->at[0][0] + t * (s->at[1][0] - s->at[0][0]) - (double)f.eye[0],
                                s->at[0][1] + t * (s->at[1][1] - s->at[0][1]) - (double)f.eye[1],
                                fmax((double)p->surface[i], sea) - (double)f.eye[2]};
        const double far = along(f.forward, from), wide[3] = {f.right[0], f.right[1], f.right[2]},
                     tall[3] = {f.up[0], f.up[1], f.up[2]};
        if (!(far > 0)) continue;
        const double x = 0.5 * width * (1 + along(f.right, from) / along(f.right, wide) / far) +
                         v->shift[0],
                     y = 0.5 * height * (1 - along(f.up, from) / along(f.up, tall) / far);
        otok_ink_box(k, OTOK_INK_PAPER, x - 1.5 * size, y - 1.5 * size, x + 1.5 * size,
                     y + 1.5 * size);
        otok_ink_box(k, OTOK_INK_DARK, x - size, y - size, x + size, y + size);
        if (n != 0 && n != DOTS) continue;
        const double letter = otok_ink_width(k, n ? "B" : "A");
        otok_ink_box(k, OTOK_INK_PANEL, x - letter, y - 18 * size, x + letter, y - 4 * size);
        otok_ink_words(k, x - letter / 2, y - 15 * size, n ? "B" : "A");
    }
}

/* The range of heights, with the sea if it covers some of the ground. */
static int find_heights(const otok_profile *p, double *sea, double *low, double *high)
{
    *low = INFINITY, *high = -INFINITY;
    for (int i = 0; i < OTOK_SECTION_POINTS; i++) {
        *low = fmin(*low, (double)p->ground[i]);
        *high = fmax(*high, (double)p->surface[i]);
    }
    if (!(*sea > *low)) *sea = -INFINITY;
    *high = fmax(*high, *sea);
    if (*high <= *low) *high = *low + 1;
    return isfinite(*high - *low);
}

static void draw_profile(otok_ink *k, const otok_profile *p, double sea, double room, double top,
                         double tall)
{
    enum { COLUMNS = 900 };
    char words[3][48];
    double low, high;
    if (!find_heights(p, &sea, &low, &high)) return;
    const double size = (double)otok_ink_size(k), pad = 6 * size, line = 13 * size;
    for (int i = 0; i < 2; i++)
        snprintf(words[i], sizeof words[i], "%.4g m", i ? high : low);
    const double aside = fmax(otok_ink_width(k, words[0]), otok_ink_width(k, words[1])) + pad;
    const double left = 2 * pad + aside, wide = room - left - 2 * pad, upper = top + pad,
                 lower = top + tall - line - 2 * pad;
    const double step = fmax(1, ceil(wide / COLUMNS)), metre = (lower - upper) / (high - low);
    if (wide < 10 * line) return;
    otok_ink_box(k, OTOK_INK_PANEL, pad, top, room - pad, top + tall);
    for (double x = 0; x < wide; x += step) {
        const int i = (int)(x / wide * (OTOK_SECTION_POINTS - 1));
        const double ground = lower - metre * ((double)p->ground[i] - low),
                     water = lower - metre * ((double)p->surface[i] - low),
                     level = lower - metre * (sea - low);
        const double end = left + fmin(x + step, wide);
        if (level < water) otok_ink_box(k, OTOK_INK_SEA, left + x, level, end, water);
        if (water < ground) otok_ink_box(k, OTOK_INK_WATER, left + x, water, end, ground);
        otok_ink_box(k, OTOK_INK_GROUND, left + x, ground, end, lower + 1);
    }
    otok_ink_words(k, left - aside, upper, words[1]);
    otok_ink_words(k, left - aside, lower - 8 * size, words[0]);
    snprintf(words[2], sizeof words[2], "%.4g m, heights x %.3g", p->length,
             metre * p->length / wide);
    otok_ink_words(k, left, lower + pad, "A");
    otok_ink_words(k, left + wide - otok_ink_width(k, "B"), lower + pad, "B");
    otok_ink_words(k, left + (wide - otok_ink_width(k, words[2])) / 2, lower + pad, words[2]);
}

void otok_section_draw(const otok_overlay *o, otok_live *live, const otok_shot *v, int width,
                       int height, int room, double top)
{
    otok_profile p;
    if (!otok_section_profile(live, &p)) return;
    otok_ink *k = otok_ink_begin(o, height);
    if (!k) return;
    if (v->globe == 0) draw_line(k, &live->section, &p, v, width, height);
    draw_profile(k, &p, live->sea_level, room, top, fmax(0.24 * height, 100));
    otok_ink_draw(o, k, width, height);
}
