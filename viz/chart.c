/* chart.c: see chart.h. */
#include "chart.h"
#include "core/status.h"
#include "font.h"
#include "overlay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const unsigned char paper[3] = {255, 255, 255}, dark[3] = {22, 32, 42};

/* A rectangle that covers what is below it by `share` of 255. */
static void fill_box(unsigned char *rgb, int width, int height, const int box[4],
                     const unsigned char ink[3], int share)
{
    for (int j = box[1] < 0 ? 0 : box[1]; j < box[3] && j < height; j++)
        for (int i = box[0] < 0 ? 0 : box[0]; i < box[2] && i < width; i++)
            for (int c = 0; c < 3; c++) {
                unsigned char *at = rgb + 3 * ((size_t)j * (size_t)width + (size_t)i) + c;
                *at = (unsigned char)((*at * (255 - share) + ink[c] * share + 127) / 255);
            }
}

double otok_chart_length(double most, char text[32])
{
    const double power = pow(10, floor(log10(most))), times = most / power;
    const double length = power * (times >= 5 ? 5 : times >= 2 ? 2 : 1);
    if (length >= 1000)
        snprintf(text, 32, "%g km", length / 1000);
    else
        snprintf(text, 32, "%g m", length);
    return length;
}

/* A triangle with its corners around. */
static void fill_triangle(unsigned char *rgb, int width, int height, const double p[3][2],
                          const unsigned char ink[3])
{
    const double area =
        (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
    const double left = fmin(p[0][0], fmin(p[1][0], p[2][0])),
                 right = fmax(p[0][0], fmax(p[1][0], p[2][0]));
    const double top = fmin(p[0][1], fmin(p[1][1], p[2][1])),
                 bottom = fmax(p[0][1], fmax(p[1][1], p[2][1]));
    for (int j = (int)top; j <= (int)bottom; j++)
        for (int i = (int)left; i <= (int)right; i++) {
            int inside = 0;
            for (int k = 0; k < 16; k++) { /* points of the pixel */
                const double x = i + (k % 4 + 0.5) / 4, y = j + (k / 4 + 0.5) / 4;
                int in = 1;
                for (int e = 0; e < 3; e++) {
                    const double *a = p[e], *b = p[(e + 1) % 3];
                    in &= area * ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) >= 0;
                }
                inside += in;
            }
            if (inside)
                fill_box(rgb, width, height, (const int[4]){i, j, i + 1, j + 1}, ink,
                         255 * inside / 16);
        }
}

/* An arrow of length r about x, y, as it lies on the ground. */
static void draw_north(unsigned char *rgb, int width, int height, const otok_shot *v, double x,
                       double y, double r, const otok_font *font)
{
    const double degree = M_PI / 180, a = v->camera.azimuth * degree,
                 e = v->camera.elevation * degree;
    const double along[2] = {sin(a), cos(a) * sin(e)}, length = hypot(along[0], along[1]);
    const double dx = along[0] / length, dy = along[1] / length;
    const double tip[2] = {x + r * dx, y + r * dy}, tail[2] = {x - r * dx, y - r * dy},
                 notch[2] = {x - 0.5 * r * dx, y - 0.5 * r * dy};
    for (int side = -1; side <= 1; side += 2) {
        const double wing[2] = {tail[0] - side * 0.55 * r * dy, tail[1] + side * 0.55 * r * dx};
        const double p[3][2] = {{tip[0], tip[1]}, {wing[0], wing[1]}, {notch[0], notch[1]}};
        fill_triangle(rgb, width, height, p,
                      side < 0 ? dark : (const unsigned char[3]){130, 140, 150});
    }
    const float half = otok_font_width(font, "N") / 2;
    otok_font_print(font, rgb, width, height, (float)(x + 1.7 * r * dx) - half,
                    (float)(y + 1.7 * r * dy - 0.75 * r), dark, "N");
}

int otok_chart_page(otok_shot *v, int width, int height, const char *legend, int map, int chart,
                    int plan, int least[2])
{
    const int side = (width < height ? width : height) / 3, line = (int)fmax(11, height / 50.0);
    least[0] = least[1] = 0;
    if ((!otok_style_is_data(v->style) && !plan) || v->globe > 0) return 0;
    int right = *legend ? otok_overlay_width(0, height, legend) : 0, below = chart ? 5 * line : 0;
    if (map && right < side + side / 12) right = side + side / 12;
    right += right & 1; /* the middle of the view is moved by whole pixels */
    least[0] = 5 * right / 2, least[1] = 3 * below;
    const int lost = (width < least[0]) | (height < least[1]) << 1 |
                     (map && *legend && height < OTOK_LEAST_INSET) << 2;
    right = lost & 1 ? 0 : right, below = lost & 2 ? 0 : below;
    if (right + below)
        memcpy(v->page, (const int[4]){0, below, width - right, height - below}, sizeof v->page);
    return lost;
}

otok_status otok_chart_draw(unsigned char *rgb, int width, int height, const otok_shot *v,
                            const char *words)
{
    const double degree = M_PI / 180;
    const int line = (int)fmax(11, round(height / 50.0)), pad = line / 2;
    const otok_font *font = otok_font_of(line);
    const double metre = (v->page[2] ? v->page[3] : height) /
                         (2 * v->camera.distance * tan(v->camera.angle * degree / 2)); /* pixels */
    char length[32], scale[96];
    if (!font)
        return OTOK_FAIL(OTOK_DEVICE, "no font for a chart's words; install fonts-dejavu-core");
    const int bar = (int)lround(metre * otok_chart_length(0.22 * width / metre, length)),
              tall = line / 3;
    const int used = snprintf(scale, sizeof scale, "%s", length);
    if (v->contours > 0)
        snprintf(scale + used, sizeof scale - (size_t)used, ", contours every %g m", v->contours);
    const float text = fmaxf(otok_font_width(font, words), otok_font_width(font, scale));
    const int wide = (int)fmax(bar, text) + 2 * pad, arrow = 3 * line;
    const int box[4] = {pad, height - pad - 5 * line / 2 - 2 * pad, pad + wide + arrow,
                        height - pad};
    const int x = box[0] + pad + arrow, y = box[1] + pad;
    fill_box(rgb, width, height, box, paper, 184);
    for (int part = 0; part < 4; part++) {
        const int from = x + bar * part / 4, to = x + bar * (part + 1) / 4;
        fill_box(rgb, width, height, (const int[4]){from, y, to, y + tall}, part % 2 ? paper : dark,
                 255);
    }
    fill_box(rgb, width, height, (const int[4]){x, y + tall - 1, x + bar, y + tall}, dark, 255);
    otok_font_print(font, rgb, width, height, (float)x, (float)(y + tall), dark, scale);
    otok_font_print(font, rgb, width, height, (float)x, (float)(y + tall + line), dark, words);
    draw_north(rgb, width, height, v, box[0] + arrow / 2.0 + pad / 2.0, (box[1] + box[3]) / 2.0,
               0.9 * line, font);
    return OTOK_OK;
}
