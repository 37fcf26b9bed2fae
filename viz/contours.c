/* contours.c: see contours.h. Places where a contour crosses the lines between cells are judged by
   themselves, the best first. So no contour is traced. */
#include "contours.h"
#include "font.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 1024, MOST = 200 };  /* lines of cells that are looked at; labels */
static const double LEAST_GAP = 4; /* pixels between contours that are still drawn (terrain.glsl) */

typedef struct spot {
    double at[3], level; /* on the ground [m] */
    double x, y, angle;  /* in the picture, row 0 at the top; clockwise */
    double half;         /* of the label's length [pixels] */
    double bend;         /* how far the contour leaves the label; 0: the best place */
} spot;

typedef struct labels {
    const otok_contours *from;
    const otok_shot *shot;
    otok_frame frame;
    double view[4], step, tall, highest; /* view: left, top, right, lower edge */
    const otok_font *font;
    spot *spots;
    int64_t n, room;
} labels;

static double ground(const labels *s, double x, double y)
{
    const otok_grid g = s->from->grid;
    const float *h = s->from->terrain;
    const double u = fmin(fmax(x / g.spacing - 0.5, 0), (double)(g.nx - 1)),
                 v = fmin(fmax(y / g.spacing - 0.5, 0), (double)(g.ny - 1));
    const int64_t i = (int64_t)u, j = (int64_t)v, right = i + 1 < g.nx, up = j + 1 < g.ny;
    const float *at = h + j * g.nx + i;
    const double low = at[0] + (u - (double)i) * ((double)at[right] - at[0]),
                 high = at[up * g.nx] +
                        (u - (double)i) * ((double)at[up * g.nx + right] - at[up * g.nx]);
    return low + (v - (double)j) * (high - low);
}

/* Where a point is in the picture. */
static void project(const labels *s, const double p[3], double out[2])
{
    const float *m = s->frame.to_clip;
    double c[4];
    for (int k = 0; k < 4; k++)
        c[k] = m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + (double)m[12 + k];
    const double *v = s->view;
    out[0] = v[0] + (v[2] - v[0]) * (c[0] / c[3] + 1) / 2;
    out[1] = v[3] - (v[3] - v[1]) * (c[1] / c[3] + 1) / 2;
}

/* Is ground between a point and the eye? */
static int is_hidden(const labels *s, const double p[3])
{
    const otok_grid g = s->from->grid;
    const float *eye = s->frame.eye;
    const double dx = eye[0] - p[0], dy = eye[1] - p[1], far = hypot(dx, dy) / g.spacing;
    for (double k = 1; k < far; k++) {
        const double x = p[0] + dx * k / far, y = p[1] + dy * k / far,
                     z = p[2] + (eye[2] - p[2]) * k / far;
        if (z > s->highest || x < 0 || y < 0 || x > (double)g.nx * g.spacing ||
            y > (double)g.ny * g.spacing)
            return 0;
        if (ground(s, x, y) > z) return 1;
    }
    return 0;
}

static int is_inside(const labels *s, double x, double y)
{
    const double *v = s->view, edge = s->tall;
    const int bare = s->shot->page[2] == 0; /* a scale below, and perhaps a map, are on the view */
    const double side = fmin(v[2] - v[0], v[3] - v[1]) * (3.0 / 8);
    if (x < v[0] + edge || y < v[1] + edge || x > v[2] - edge || y > v[3] - edge) return 0;
    return !bare || (y < v[3] - 5 * edge && !(s->from->map && x > v[2] - side && y > v[3] - side));
}

static int is_ground(const labels *s, double x, double y, double level)
{
    const otok_grid g = s->from->grid;
    const int64_t cell = (int64_t)(y / g.spacing) * g.nx + (int64_t)(x / g.spacing);
    if (x < 0 || y < 0 || x >= (double)g.nx * g.spacing || y >= (double)g.ny * g.spacing) return 0;
    const double sea = otok_style_is_data(s->shot->style) ? NAN : s->shot->sea_level;
    return !(level <= sea) && !otok_holes_have(s->from->holes, cell) &&
           !(s->from->water && s->from->water[cell] > 0.05f);
}

static void name_level(double level, char text[32])
{
    snprintf(text, 32, "%g", level);
}

/* Judges a place on a contour. 1: a label has room along it. `fine`: the height between contours.
   `rise`: pixels across them for a metre of height. */
static int judge(const labels *s, spot *p, double fine)
{
    const double e = s->from->grid.spacing, x = p->at[0], y = p->at[1];
    const double gx = (ground(s, x + e, y) - ground(s, x - e, y)) / (2 * e),
                 gy = (ground(s, x, y + e) - ground(s, x, y - e)) / (2 * e), g = hypot(gx, gy);
    const double along[3] = {x - gy / g * e, y + gx / g * e, p->level},
                 up[3] = {x + gx / g * e, y + gy / g * e, p->level + g * e};
    double a[2], b[2], c[2];
    char text[32];
    if (!(g > 0) || !is_ground(s, x, y, p->level)) return 0;
    project(s, p->at, a), project(s, along, b), project(s, up, c);
    const double tx = b[0] - a[0], ty = b[1] - a[1], size = hypot(tx, ty);
    const double rise = fabs(tx * (c[1] - a[1]) - ty * (c[0] - a[0])) / size / (g * e);
    name_level(p->level, text);
    p->x = a[0], p->y = a[1];
    p->half = otok_font_width(s->font, text) / 2 + s->tall / 4;
    p->angle = atan(ty / tx);
    p->bend = 0.5 * s->tall / (rise * s->step);
    if (!(size > 0) || !(rise * fine >= LEAST_GAP) || !(p->bend <= 0.4)) return 0;
    for (int k = -2; k <= 2; k++) {
        const double t = p->half / size * k / 2, qx = x + t * (along[0] - x),
                     qy = y + t * (along[1] - y), away = ground(s, qx, qy) - p->level;
        const double off = rise * fabs(away) / s->tall;
        if (!(off <= 0.3) || !is_ground(s, qx, qy, p->level) ||
            !is_inside(s, a[0] + t * tx, a[1] + t * ty))
            return 0;
        p->bend = fmax(p->bend, off);
    }
    return 1;
}

/* The place between two points at which the ground has a labelled height. */
static int add_spot(labels *s, const double p[2], const double q[2], double fine)
{
    const double a = ground(s, p[0], p[1]), b = ground(s, q[0], q[1]),
                 level = s->step * ceil(fmin(a, b) / s->step) + 0.0; /* 0, not -0 */
    const double t = (level - a) / (b - a);
    if (!(a != b) || !(level > fmin(a, b)) || level > fmax(a, b)) return 1;
    spot found = {.at = {p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), level},
                  .level = level};
    if (!judge(s, &found, fine)) return 1;
    if (s->n == s->room) {
        s->room = 2 * s->room + 256;
        spot *more = realloc(s->spots, (size_t)s->room * sizeof *more);
        if (!more) return 0;
        s->spots = more;
    }
    s->spots[s->n++] = found;
    return 1;
}

static otok_status find_spots(labels *s, double fine)
{
    const otok_grid g = s->from->grid;
    const int64_t longer = g.nx > g.ny ? g.nx : g.ny, by = longer / SIDE + 1;
    for (int64_t j = 0; j + by < g.ny; j += by)
        for (int64_t i = 0; i + by < g.nx; i += by) {
            const double p[2] = {((double)i + 0.5) * g.spacing, ((double)j + 0.5) * g.spacing},
                         x[2] = {p[0] + (double)by * g.spacing, p[1]},
                         y[2] = {p[0], p[1] + (double)by * g.spacing};
            if (!add_spot(s, p, x, fine) || !add_spot(s, p, y, fine))
                return OTOK_FAIL(OTOK_NOMEM, "no memory for labels of contours");
        }
    return OTOK_OK;
}

static int compare_spots(const void *a, const void *b)
{
    const spot *p = a, *q = b;
    if (p->bend != q->bend) return p->bend < q->bend ? -1 : 1;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
}

/* Letters along a line through x, y, with paper around them. */
static otok_status write_label(unsigned char *rgb, int width, int height, const labels *s,
                               const spot *p)
{
    enum { HALO = 2 };
    static const unsigned char dark[3] = {22, 32, 42}, paper[3] = {255, 255, 255},
                               full[3] = {255, 255, 255};
    char text[32];
    name_level(p->level, text);
    const int wide = (int)ceil(2 * p->half) + 2 * HALO, tall = (int)s->tall + 2 * HALO,
              reach = (int)hypot(wide, tall) / 2 + 1;
    unsigned char *flat = calloc((size_t)wide * (size_t)tall, 3);
    if (!flat) return OTOK_FAIL(OTOK_NOMEM, "no memory for a label");
    otok_font_print(s->font, flat, wide, tall,
                    (float)(wide - (double)otok_font_width(s->font, text)) / 2, HALO, full, text);
    for (int j = -reach; j <= reach; j++)
        for (int i = -reach; i <= reach; i++) {
            const int px = (int)p->x + i, py = (int)p->y + j;
            const double dx = px + 0.5 - p->x, dy = py + 0.5 - p->y, turn = p->angle,
                         u = cos(turn) * dx + sin(turn) * dy + wide / 2.0 - 0.5,
                         v = cos(turn) * dy - sin(turn) * dx + tall / 2.0 - 0.5;
            double ink = 0, around = 0;
            if (px < 0 || py < 0 || px >= width || py >= height) continue;
            for (int b = (int)floor(v) - HALO; b <= (int)floor(v) + 1 + HALO; b++)
                for (int a = (int)floor(u) - HALO; a <= (int)floor(u) + 1 + HALO; a++) {
                    if (a < 0 || b < 0 || a >= wide || b >= tall) continue;
                    const double letter = flat[3 * (b * wide + a)], away = hypot(a - u, b - v);
                    ink += letter * fmax(0, 1 - fabs(a - u)) * fmax(0, 1 - fabs(b - v));
                    around = fmax(around, letter * fmin(1, fmax(0, HALO + 0.5 - away)));
                }
            unsigned char *pixel = rgb + 3 * ((size_t)py * (size_t)width + (size_t)px);
            otok_font_blend(pixel, paper, (int)(0.85 * around));
            otok_font_blend(pixel, dark, (int)ink);
        }
    free(flat);
    return OTOK_OK;
}

/* Writes the best ones that have room beside those before. */
static otok_status write_spots(unsigned char *rgb, int width, int height, labels *s)
{
    const double again = 0.35 * fmin(s->view[2] - s->view[0], s->view[3] - s->view[1]);
    int64_t kept = 0;
    if (s->n) qsort(s->spots, (size_t)s->n, sizeof *s->spots, compare_spots);
    for (int64_t i = 0; i < s->n && kept < MOST; i++) {
        const spot p = s->spots[i];
        int free_of_others = 1;
        for (int64_t k = 0; k < kept && free_of_others; k++) {
            const spot *o = &s->spots[k];
            const double away = hypot(p.x - o->x, p.y - o->y), least = p.half + o->half + s->tall;
            free_of_others = away > (p.level == o->level ? fmax(again, least) : least);
        }
        if (!free_of_others || is_hidden(s, p.at)) continue;
        s->spots[kept++] = p;
        OTOK_TRY(write_label(rgb, width, height, s, &p));
    }
    return OTOK_OK;
}

otok_status otok_contours_label(unsigned char *rgb, int width, int height, const otok_shot *shot,
                                const otok_contours *from)
{
    const int *page = shot->page, line = (int)fmax(11, round(height / 50.0));
    labels s = {.from = from, .shot = shot, .font = otok_font_of(line), .tall = line};
    double low = INFINITY;
    if (!s.font) return OTOK_FAIL(OTOK_DEVICE, "no font for heights; install fonts-dejavu-core");
    const int all = page[2] == 0;
    s.view[0] = all ? 0 : page[0], s.view[2] = all ? width : page[0] + page[2];
    s.view[3] = all ? height : height - page[1], s.view[1] = all ? 0 : s.view[3] - page[3];
    otok_camera_frame(&shot->camera, all ? width : page[2], all ? height : page[3], &s.frame);
    s.highest = -INFINITY;
    for (int64_t i = 0; i < from->grid.nx * from->grid.ny; i++) {
        low = fmin(low, (double)from->terrain[i]);
        s.highest = fmax(s.highest, (double)from->terrain[i]);
    }
    low = fmax(low,
               isnan(shot->sea_level) || otok_style_is_data(shot->style) ? low : shot->sea_level);
    s.step = shot->contours * (s.highest - low < 15 * shot->contours ? 1 : 5);
    otok_status status = find_spots(&s, shot->contours);
    if (status == OTOK_OK) status = write_spots(rgb, width, height, &s);
    free(s.spots);
    return status;
}
