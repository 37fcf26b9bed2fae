/* signs.c: see signs.h. */
#include "signs.h"
#include "chart.h"

#include <math.h>
#include <stdio.h>

enum { LEAST_ROOM = 360, LEAST_HEIGHT = 360 };
static const double degree = M_PI / 180;

/* As it lies on the ground: half of it dark, half pale. */
static void draw_north(otok_ink *k, const otok_camera *c, double x, double y, double r)
{
    const double along[2] = {sin(c->azimuth * degree),
                             cos(c->azimuth * degree) * sin(c->elevation * degree)};
    const double length = hypot(along[0], along[1]), dx = along[0] / length, dy = along[1] / length;
    for (int side = -1; side <= 1; side += 2)
        otok_ink_triangle(k, side < 0 ? OTOK_INK_DARK : OTOK_INK_SEA,
                          (const double[3][2]){{x + r * dx, y + r * dy},
                                               {x - r * dx - side * 0.55 * r * dy,
                                                y - r * dy + side * 0.55 * r * dx},
                                               {x - 0.5 * r * dx, y - 0.5 * r * dy}});
    otok_ink_words(k, x + 1.7 * r * dx - otok_ink_width(k, "N") / 2,
                   y + 1.7 * r * dy - 4 * (double)otok_ink_size(k), "N");
}

void otok_signs_draw(const otok_overlay *o, const otok_live *live, const otok_shot *v, int width,
                     int height, int room, double below)
{
    otok_ink *k = room >= LEAST_ROOM && height >= LEAST_HEIGHT ? otok_ink_begin(o, height) : NULL;
    char length[32], time[48], words[128];
    if (!k) return;
    const double size = (double)otok_ink_size(k), line = 13 * size, pad = 6 * size;
    const double metre = height / (2 * v->camera.distance * tan(v->camera.angle * degree / 2)),
                 bar = metre * otok_chart_length(0.2 * room / metre, length);
    otok_time_words(time, live->time);
    snprintf(words, sizeof words, "%s%s", time, live->date);
    const int flat = v->globe == 0;
    const double text = otok_ink_width(k, words), arrow = flat ? 4 * line : 0,
                 tall = (flat ? 2 * line + 4 * size : line) + 2 * pad,
                 wide = fmax(flat ? bar : 0, text) + arrow + 2 * pad;
    const double left = pad, top = height - below - tall, x = left + pad + arrow;
    otok_ink_box(k, OTOK_INK_PANEL, left, top, left + wide, top + tall);
    for (int part = 0; flat && part < 4; part++)
        otok_ink_box(k, part % 2 ? OTOK_INK_PAPER : OTOK_INK_DARK, x + bar * part / 4, top + pad,
                     x + bar * (part + 1) / 4, top + pad + 4 * size);
    if (flat)
        otok_ink_box(k, OTOK_INK_DARK, x, top + pad + 3 * size, x + bar, top + pad + 4 * size);
    if (flat) otok_ink_words(k, x, top + pad + 6 * size, length);
    otok_ink_words(k, x, top + tall - pad - 9 * size, words);
    if (flat) draw_north(k, &v->camera, left + pad + 0.42 * arrow, top + tall / 2, 0.9 * line);
    otok_ink_draw(o, k, width, height);
}

void otok_signs_line(const otok_overlay *o, int width, int height, double x, const char *left,
                     const char *right)
{
    otok_ink *k = otok_ink_begin(o, height);
    if (!k) return;
    const double size = (double)otok_ink_size(k), pad = 6 * size, tall = 9 * size + 2 * pad;
    const char *const words[2] = {left, right};
    otok_ink_box(k, OTOK_INK_PAPER, x - size, 0, x + size, height);
    otok_ink_box(k, OTOK_INK_DARK, x - 0.5 * size, 0, x + 0.5 * size, height);
    for (int side = 0; side < 2; side++) {
        const double wide = otok_ink_width(k, words[side]) + 2 * pad,
                     from = side ? x + pad : x - pad - wide;
        otok_ink_box(k, OTOK_INK_PANEL, from, pad, from + wide, pad + tall);
        otok_ink_words(k, from + pad, 2 * pad, words[side]);
    }
    otok_ink_draw(o, k, width, height);
}
