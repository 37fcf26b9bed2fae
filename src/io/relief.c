/* relief.c: draws a shaded relief with tints and a sea, as on a map. `otok export` uses it for
   PNG: it needs no OpenGL, and a pixel is a whole part of a cell, so a picture can be laid over
   the data. It is the one picture of a build without OpenGL, and the first that README shows. viz/
   draws views in perspective. Colours are mixed in linear light. A pixel is the
   mean of several points of a smooth surface through the cells, so edges are smooth. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "image.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct colour {
    float r, g, b; /* linear light */
} colour;

typedef struct scene {
    otok_relief in;
    float *sky;         /* 0 in deep hollows to 1 on open ground, for each cell */
    float bottom, span; /* height of the lowest tint and range of the ground */
    float top;          /* the tint of the highest ground: rock and snow are for mountains alone */
    float stretch;      /* factor of heights, for light only */
    float clear;        /* depth at which the sea hides most of its bed [m] */
} scene;

typedef struct point {
    float height, dx, dy; /* [m], slopes */
} point;

static float clamp(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

static float smooth(float from, float to, float x)
{
    const float t = clamp((x - from) / (to - from), 0, 1);
    return t * t * (3 - 2 * t);
}

static colour mix(colour a, colour b, float t)
{
    return (colour){a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

static colour srgb(int r, int g, int b)
{
    return (colour){powf((float)r / 255, 2.2f), powf((float)g / 255, 2.2f),
                    powf((float)b / 255, 2.2f)};
}

static float cell(const otok_relief *in, const float *map, int64_t i, int64_t j)
{
    const int64_t x = i < 0              ? 0
                      : i >= in->grid.nx ? in->grid.nx - 1
                                         : i,
                  y = j < 0              ? 0
                      : j >= in->grid.ny ? in->grid.ny - 1
                                         : j;
    return map[y * in->grid.nx + x];
}

/* Catmull-Rom weights and their derivatives at 0 <= t < 1. */
static void spline(float t, float w[4], float d[4])
{
    w[0] = 0.5f * t * (-1 + t * (2 - t));
    w[1] = 0.5f * (2 + t * t * (-5 + 3 * t));
    w[2] = 0.5f * t * (1 + t * (4 - 3 * t));
    w[3] = 0.5f * t * t * (t - 1);
    d[0] = 0.5f * (-1 + t * (4 - 3 * t));
    d[1] = 0.5f * t * (-10 + 9 * t);
    d[2] = 0.5f * (1 + t * (8 - 9 * t));
    d[3] = 0.5f * t * (3 * t - 2);
}

/* The surface at (u, v) cells from the left and bottom edges. It stays within the heights of the
   16 cells around, because at a wall the spline would lift a reef out of the sea. */
static point surface(const otok_relief *in, float u, float v)
{
    const float x = floorf(u - 0.5f), y = floorf(v - 0.5f);
    float wx[4], wy[4], dx[4], dy[4];
    spline(u - 0.5f - x, wx, dx);
    spline(v - 0.5f - y, wy, dy);
    point p = {0, 0, 0};
    float low = INFINITY, high = -INFINITY;
    for (int b = 0; b < 4; b++) {
        float along = 0, slope = 0;
        for (int a = 0; a < 4; a++) {
            const float h = cell(in, in->terrain, (int64_t)x - 1 + a, (int64_t)y - 1 + b);
            low = h < low ? h : low;
            high = h > high ? h : high;
            along += wx[a] * h;
            slope += dx[a] * h;
        }
        p.height += wy[b] * along;
        p.dx += wy[b] * slope;
        p.dy += dy[b] * along;
    }
    p.height = clamp(p.height, low, high);
    p.dx /= (float)in->grid.spacing;
    p.dy /= (float)in->grid.spacing;
    return p;
}

static float interpolate(const otok_relief *in, const float *map, float u, float v)
{
    const float x = floorf(u - 0.5f), y = floorf(v - 0.5f), a = u - 0.5f - x, b = v - 0.5f - y;
    const int64_t i = (int64_t)x, j = (int64_t)y;
    return (1 - b) * ((1 - a) * cell(in, map, i, j) + a * cell(in, map, i + 1, j)) +
           b * ((1 - a) * cell(in, map, i, j + 1) + a * cell(in, map, i + 1, j + 1));
}

/* A strong light from the north-west and weak ones around it, so that no slope looks flat. Level
   ground has 1. */
static float light(const scene *s, float dx, float dy)
{
    static const float suns[4][4] = {/* x, y, z, weight */
                                     {-0.5417f, 0.5417f, 0.6428f, 0.62f},
                                     {-0.7660f, 0.0f, 0.6428f, 0.14f},
                                     {0.0f, 0.7660f, 0.6428f, 0.14f},
                                     {0.5f, -0.5f, 0.7071f, 0.10f}};
    const float nx = -dx * s->stretch, ny = -dy * s->stretch,
                per = 1 / sqrtf(nx * nx + ny * ny + 1);
    float sum = 0, flat = 0;
    for (int i = 0; i < 4; i++) {
        const float lambert = (nx * suns[i][0] + ny * suns[i][1] + suns[i][2]) * per;
        sum += suns[i][3] * (lambert > 0 ? lambert : 0);
        flat += suns[i][3] * suns[i][2];
    }
    return 0.22f + 0.78f * sum / flat;
}

static colour land(const scene *s, point p, float above)
{
    static const struct {
        float at;
        unsigned char c[3];
    } tints[] = {{0.00f, {148, 166, 98}},  {0.10f, {120, 150, 82}},  {0.28f, {98, 130, 70}},
                 {0.46f, {134, 138, 84}},  {0.62f, {158, 138, 100}}, {0.78f, {160, 146, 128}},
                 {0.90f, {196, 190, 182}}, {1.00f, {240, 238, 234}}};
    enum { N = sizeof tints / sizeof tints[0] };
    const float t = s->top * clamp((p.height - s->bottom) / s->span, 0, 1);
    int k = 0;
    while (k < N - 2 && t > tints[k + 1].at)
        k++;
    const colour low = srgb(tints[k].c[0], tints[k].c[1], tints[k].c[2]),
                 high = srgb(tints[k + 1].c[0], tints[k + 1].c[1], tints[k + 1].c[2]);
    const float steep = sqrtf(p.dx * p.dx + p.dy * p.dy);
    colour c = mix(low, high, clamp((t - tints[k].at) / (tints[k + 1].at - tints[k].at), 0, 1));
    c = mix(c, srgb(134, 120, 104), 0.75f * smooth(0.75f, 1.5f, steep));
    const float beach =
        (1 - smooth(0.25f, 1.0f, above / (0.02f * s->span))) * (1 - smooth(0.35f, 0.8f, steep));
    return mix(c, srgb(232, 214, 172), beach);
}

/* The bed seen through the water. Red light fades first, so that shallows are turquoise. */
static colour sea(const scene *s, float depth, float bed_light)
{
    const float d = depth / s->clear;
    colour c = mix(srgb(236, 222, 184), srgb(150, 160, 140), smooth(0.1f, 1.5f, d));
    c = (colour){c.r * bed_light * expf(-3.6f * d), c.g * bed_light * expf(-0.85f * d),
                 c.b * bed_light * expf(-0.62f * d)};
    const colour deep = srgb(10, 52, 98), veil = srgb(26, 142, 164);
    const colour water = mix(veil, deep, 1 - expf(-0.45f * d));
    const float through = expf(-0.85f * d);
    c = (colour){c.r + water.r * (1 - through), c.g + water.g * (1 - through),
                 c.b + water.b * (1 - through)};
    return mix(c, srgb(246, 246, 238), 0.55f * (1 - smooth(0.0f, 0.05f, d)));
}

/* The share of a cell that looks like road: all of bed and bridge, some of a verge, nothing of a
   tunnel. */
static float paved(float road)
{
    return road >= OTOK_ROAD_TUNNEL ? 0 : road >= OTOK_ROAD_BED ? 1 : 0.3f * road;
}

/* A pale track with soft edges. */
static colour track(const scene *s, colour c, float shade, float u, float v)
{
    const float x = floorf(u - 0.5f), y = floorf(v - 0.5f), a = u - 0.5f - x, b = v - 0.5f - y;
    const int64_t i = (int64_t)x, j = (int64_t)y;
    const float *road = s->in.road;
    const float cover = (1 - b) * ((1 - a) * paved(cell(&s->in, road, i, j)) +
                                   a * paved(cell(&s->in, road, i + 1, j))) +
                        b * ((1 - a) * paved(cell(&s->in, road, i, j + 1)) +
                             a * paved(cell(&s->in, road, i + 1, j + 1)));
    const colour pale = srgb(244, 232, 202);
    const float lit = 0.55f + 0.45f * clamp(shade, 0, 1.2f);
    return mix(c, (colour){pale.r * lit, pale.g * lit, pale.b * lit}, cover);
}

static colour colour_at(const scene *s, float u, float v)
{
    const point p = surface(&s->in, u, v);
    const float above = p.height - (float)s->in.sea, sky = interpolate(&s->in, s->sky, u, v),
                lit = light(s, p.dx, p.dy);
    if (above < 0) return sea(s, -above, (1 + 0.6f * (lit - 1)) * (0.6f + 0.4f * sky));
    const float shade = lit * (0.45f + 0.55f * sky);
    colour c = land(s, p, above);
    c = (colour){c.r * shade, c.g * shade,
                 c.b * (shade + 0.12f * (1 - clamp(lit, 0, 1)))}; /* shadows are slightly blue */
    if (s->in.water) {
        const float depth = interpolate(&s->in, s->in.water, u, v) / 0.1f;
        c = mix(c, mix(srgb(96, 156, 190), srgb(34, 92, 148), smooth(0.5f, 4, depth)),
                0.9f * (1 - expf(-depth * depth)));
    }
    return s->in.road ? track(s, c, shade, u, v) : c;
}

/* One pass of a running mean over 2r+1 cells, with repeated edges. `from` and `to` must differ. */
static void blur(const float *from, float *to, int64_t n, int64_t step, int64_t r)
{
    double sum = (double)from[0] * (double)r;
    for (int64_t i = 0; i <= r; i++)
        sum += from[(i < n ? i : n - 1) * step];
    for (int64_t i = 0; i < n; i++) {
        to[i * step] = (float)(sum / (double)(2 * r + 1));
        const int64_t in = i + r + 1 < n ? i + r + 1 : n - 1, out = i - r > 0 ? i - r : 0;
        sum += (double)from[in * step] - (double)from[out * step];
    }
}

/* How much of the sky a cell sees, from its depth below the mean of its surroundings, near and
   far. */
static otok_status find_sky(const char *path, scene *s)
{
    const int64_t nx = s->in.grid.nx, ny = s->in.grid.ny, cells = nx * ny;
    float *a = malloc((size_t)cells * sizeof *a), *b = malloc((size_t)cells * sizeof *b);
    s->sky = calloc((size_t)cells, sizeof *s->sky);
    if (!a || !b || !s->sky) {
        free(a);
        free(b);
        return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a picture of %lld x %lld cells", path,
                         (long long)nx, (long long)ny);
    }
    for (int64_t r = 1; r <= 27; r *= 3) {
        memcpy(a, s->in.terrain, (size_t)cells * sizeof *a);
        for (int pass = 0; pass < 2; pass++) {
#pragma omp parallel for
            for (int64_t j = 0; j < ny; j++) {
                OTOK_ROUNDING;
                blur(a + j * nx, b + j * nx, nx, 1, r);
            }
#pragma omp parallel for
            for (int64_t i = 0; i < nx; i++) {
                OTOK_ROUNDING;
                blur(b + i, a + i, ny, nx, r);
            }
        }
        const float per = s->stretch / ((float)s->in.grid.spacing * (float)r);
        for (int64_t i = 0; i < cells; i++)
            s->sky[i] += clamp((a[i] - s->in.terrain[i]) * per, -0.35f, 0.8f);
    }
    for (int64_t i = 0; i < cells; i++)
        s->sky[i] = clamp(0.85f - 0.38f * s->sky[i], 0.25f, 1.15f);
    free(a);
    free(b);
    return OTOK_OK;
}

static void set_scene(scene *s)
{
    const otok_relief *in = &s->in;
    float low = INFINITY, high = -INFINITY;
    double slopes = 0, count = 0;
    for (int64_t j = 0; j < in->grid.ny; j++)
        for (int64_t i = 0; i < in->grid.nx; i++) {
            const float h = cell(in, in->terrain, i, j);
            low = h < low ? h : low;
            high = h > high ? h : high;
            if (h < in->sea) continue;
            const double dx = ((double)cell(in, in->terrain, i + 1, j) - h) / in->grid.spacing;
            const double dy = ((double)cell(in, in->terrain, i, j + 1) - h) / in->grid.spacing;
            slopes += dx * dx + dy * dy;
            count++;
        }
    s->bottom = in->sea > low ? (float)in->sea : low;
    const float land = high - s->bottom,
                least =
                    0.25f * (high - low); /* islets of a few metres must not look like mountains */
    s->span = fmaxf(fmaxf(land, least), 1e-6f);
    s->top = 0.62f + 0.38f * smooth(500, 2500, s->span);
    s->stretch = slopes > 0 ? clamp(0.55f / (float)sqrt(slopes / count), 0.2f, 20) : 1;
    s->clear = in->sea > low ? clamp(0.22f * ((float)in->sea - low), 1e-6f, 20) : 1;
}

static unsigned char byte(float linear)
{
    return (unsigned char)(255 * powf(clamp(linear, 0, 1), 1 / 2.2f) + 0.5f);
}

static void draw_pixels(const scene *s, const otok_picture *p)
{
    const int n = s->in.scale == 1 ? 3 : 2; /* n x n points a pixel */
    const float step = 1 / (float)(n * s->in.scale);
#pragma omp parallel for schedule(dynamic)
    for (int64_t row = 0; row < p->height; row++) {
        OTOK_ROUNDING;
        unsigned char *at = p->pixels + row * p->width * p->channels;
        for (int64_t column = 0; column < p->width; column++, at += p->channels) {
            colour sum = {0, 0, 0};
            for (int k = 0; k < n * n; k++) {
                const float u = ((float)(column * n + k % n) + 0.5f) * step;
                const float v = ((float)((p->height - 1 - row) * n + k / n) + 0.5f) * step;
                const colour c = colour_at(s, u, v);
                sum = (colour){sum.r + c.r, sum.g + c.g, sum.b + c.b};
            }
            const float per = 1 / (float)(n * n);
            at[0] = byte(sum.r * per);
            at[1] = byte(sum.g * per);
            at[2] = byte(sum.b * per);
            if (s->in.clear)
                at[3] = s->in.clear[(p->height - 1 - row) / s->in.scale * s->in.grid.nx +
                                    column / s->in.scale]
                            ? 0
                            : 255;
        }
    }
}

static otok_status write_with_scale(const char *path, const otok_picture *picture, const scene *s)
{
    char spacing[32], low[32], high[32], sea[32];
    double least = INFINITY, most = -INFINITY;
    for (int64_t i = 0; i < s->in.grid.nx * s->in.grid.ny; i++) {
        if (s->in.clear && s->in.clear[i]) continue;
        least = fmin(least, (double)s->in.terrain[i]);
        most = fmax(most, (double)s->in.terrain[i]);
    }
    snprintf(spacing, sizeof spacing, "%.9g", s->in.grid.spacing / s->in.scale);
    snprintf(low, sizeof low, "%.9g", least);
    snprintf(high, sizeof high, "%.9g", most);
    snprintf(sea, sizeof sea, "%.9g", s->in.sea);
    const char *const words[] = {"otok_spacing", spacing, "otok_low", low, "otok_high", high,
                                 "otok_unit",    "m",     "otok_sea", sea, NULL};
    return otok_png_write(path, picture, words);
}

otok_status otok_image_relief(const char *path, const otok_relief *relief)
{
    scene s = {.in = *relief};
    if (s.in.scale < 1 || s.in.scale > 16)
        return OTOK_FAIL(OTOK_USAGE, "%s: scale %d is not 1..16", path, s.in.scale);
    otok_picture picture = {s.in.grid.nx * s.in.scale, s.in.grid.ny * s.in.scale,
                            s.in.clear ? 4 : 3, 8, NULL};
    set_scene(&s);
    otok_status status = find_sky(path, &s);
    if (status == OTOK_OK) {
        picture.pixels =
            malloc((size_t)picture.width * (size_t)picture.height * (size_t)picture.channels);
        status =
            picture.pixels
                ? OTOK_OK
                : OTOK_FAIL(OTOK_NOMEM, "%s: no memory for %lld x %lld pixels; use a smaller scale",
                            path, (long long)picture.width, (long long)picture.height);
    }
    if (status == OTOK_OK) {
        draw_pixels(&s, &picture);
        status = write_with_scale(path, &picture, &s);
    }
    free(picture.pixels);
    free(s.sky);
    return status;
}
