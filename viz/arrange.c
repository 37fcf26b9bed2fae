/* arrange.c: finds ranges of values, the sea and the camera from maps. */
#include "arrange.h"
#include "colours.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int otok_style_field(otok_style style, int field)
{
    switch (style) {
    case OTOK_STYLE_WATER: return OTOK_WATER;
    case OTOK_STYLE_SEDIMENT: return OTOK_SEDIMENT;
    case OTOK_STYLE_SPEED:
    case OTOK_STYLE_VELOCITY_X: return OTOK_VELOCITY_X;
    case OTOK_STYLE_VELOCITY_Y: return OTOK_VELOCITY_Y;
    case OTOK_STYLE_FIELD: return field;
    default: return -1;
    }
}

int otok_style_second(otok_style style)
{
    return style == OTOK_STYLE_SPEED ? OTOK_VELOCITY_Y : -1;
}

static int compare_floats(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

void otok_arrange_sample(int64_t cells, int64_t *step, int64_t *rank)
{
    *step = cells / 65536 + 1;
    *rank = (int64_t)((double)((cells - 1) / *step) * 0.995);
}

/* The value that 99.5 % of a sample of cells stay below, of |x| or of the length of (x, y). */
static double percentile_high(const float *x, const float *y, int64_t n)
{
    int64_t step, rank, count = 0;
    otok_arrange_sample(n, &step, &rank);
    float *sample = malloc(sizeof *sample * (size_t)(n / step + 1));
    for (int64_t i = 0; sample && i < n; i += step)
        sample[count++] = y ? hypotf(x[i], y[i]) : fabsf(x[i]);
    if (count) qsort(sample, (size_t)count, sizeof *sample, compare_floats);
    const double high = count ? sample[rank] : 0;
    free(sample);
    return high;
}

void otok_arrange_percentile(otok_style style, double high, double range[2])
{
    range[1] = high;
    range[0] = style == OTOK_STYLE_VELOCITY_X || style == OTOK_STYLE_VELOCITY_Y ? -high : 0;
}

void otok_arrange_range(otok_style style, const float *x, const float *y, int64_t cells,
                        const otok_holes *holes, double range[2])
{
    int64_t next = 0;
    if (style != OTOK_STYLE_FIELD) {
        otok_arrange_percentile(style, percentile_high(x, y, cells), range);
        return;
    }
    range[0] = range[1] = NAN;
    for (int64_t i = 0; i < cells; i++) {
        if (next < holes->n && i == holes->runs[2 * next]) {
            i += holes->runs[2 * next++ + 1] - 1;
            continue;
        }
        range[0] = fmin(range[0], x[i]);
        range[1] = fmax(range[1], x[i]);
    }
}

otok_status otok_arrange_colours(otok_shot *v, const double range[2], double sea, double low,
                                 double high)
{
    const int signs = v->style == OTOK_STYLE_VELOCITY_X || v->style == OTOK_STYLE_VELOCITY_Y,
              even = range[0] == range[1];
    v->low = even && signs ? -1 : range[0];
    v->high = even ? range[1] + 1 : range[1];
    const otok_colours_kind kind = otok_colours_kind_of(v->colours);
    const double middle = kind == OTOK_COLOURS_TOPOGRAPHY ? sea : 0;
    if (kind != OTOK_COLOURS_SEQUENTIAL && v->low < middle && v->high > middle) {
        const double half = fmax(middle - v->low, v->high - middle);
        v->low = middle - half;
        v->high = middle + half;
    }
    if (!isnan(low)) v->low = low;
    if (!isnan(high)) v->high = high;
    if (signs && !isnan(high) && isnan(low)) v->low = -high;
    return v->low < v->high ? OTOK_OK : otok_arrange_fail_range(v->low, v->high);
}

otok_status otok_arrange_fail_range(double low, double high)
{
    return OTOK_FAIL(OTOK_USAGE, "colours from %g to %g: --low must be below --high", low, high);
}

void otok_arrange_legend(char out[OTOK_LEGEND], otok_style style, const char *name,
                         const char *unit)
{
    snprintf(out, OTOK_LEGEND, "%.80s [%.32s]", style == OTOK_STYLE_SPEED ? "speed" : name, unit);
}

void otok_arrange_layers(char out[OTOK_LEGEND], const char *const *names, int n)
{
    size_t used = (size_t)snprintf(out, OTOK_LEGEND, "layers");
    for (int i = 0; i < n && used < OTOK_LEGEND; i++)
        used += (size_t)snprintf(out + used, OTOK_LEGEND - used, "\n%.24s", names[i]);
}

double otok_arrange_border(const float *h, otok_grid g)
{
    double high = -INFINITY;
    for (int64_t x = 0; x < g.nx; x++)
        high = fmax(high, fmax(h[x], h[(g.ny - 1) * g.nx + x]));
    for (int64_t y = 0; y < g.ny; y++)
        high = fmax(high, fmax(h[y * g.nx], h[y * g.nx + g.nx - 1]));
    return high;
}

void otok_arrange_sea(otok_shot *v, const float *h, otok_grid g, double sea)
{
    double low = INFINITY;
    for (int64_t i = 0; i < g.nx * g.ny; i++)
        low = fmin(low, h[i]);
    if (otok_arrange_border(h, g) >= sea) v->block = 1;
    v->sea_level = v->style == OTOK_STYLE_ISLAND && sea > low ? sea : NAN;
}

/* The place of a point in cell i of n: the middle, but the border of the map in an outer cell if
   cells are large. */
static double edge_share(int64_t i, int64_t n)
{
    return n >= 64 || n == 1 ? 0.5 : i == 0 ? 0 : i == n - 1 ? 1 : 0.5;
}

/* The points that should be seen, some 64 along a side: land and reefs in the sea, else the whole
   map. */
static int find_land_points(const float *h, otok_grid g, double above, double points[][3])
{
    const int64_t nx = g.nx < 64 ? g.nx : 64, ny = g.ny < 64 ? g.ny : 64;
    int n = 0;
    for (int64_t k = 0; k < nx * ny; k++) {
        const int64_t i = nx > 1 ? k % nx * (g.nx - 1) / (nx - 1) : 0,
                      j = ny > 1 ? k / nx * (g.ny - 1) / (ny - 1) : 0;
        if (h[j * g.nx + i] < above) continue;
        points[n][0] = ((double)i + edge_share(i, g.nx)) * g.spacing;
        points[n][1] = ((double)j + edge_share(j, g.ny)) * g.spacing;
        points[n++][2] = h[j * g.nx + i];
    }
    return n;
}

/* All points that should be seen, and how many. If the map is cut out, its lower corners are among
   them. */
static int find_points_to_show(const otok_shot *v, const float *h, otok_grid g, double sea,
                               double points[][3])
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < g.nx * g.ny; i++) {
        low = fmin(low, h[i]);
        high = fmax(high, h[i]);
    }
    const int island = !isnan(v->sea_level) && !v->block;
    int n = island ? find_land_points(h, g, sea - 0.04 * (high - low), points) : 0;
    if (n < 2) n = find_land_points(h, g, -INFINITY, points);
    for (int k = 0; !island && k < 4; k++, n++) {
        points[n][0] = k % 2 ? (double)g.nx * g.spacing : 0;
        points[n][1] = k / 2 ? (double)g.ny * g.spacing : 0;
        points[n][2] = low - OTOK_BLOCK_DEPTH * (high - low);
    }
    return n;
}

void otok_arrange_camera(otok_shot *v, const float *h, otok_grid g, double sea, int width,
                         int height)
{
    double points[64 * 64 + 4][3];
    const int n = find_points_to_show(v, h, g, sea, points);
    otok_camera_fit(&v->camera, (const double(*)[3])points, n, width, height);
}

void otok_arrange_turn(otok_shot *v, const float *h, otok_grid g, double sea, int width, int height,
                       double turn)
{
    enum { SIDES = 24 };
    double points[64 * 64 + 4][3], target[3] = {0}, distance = 0;
    const double azimuth = v->camera.azimuth;
    const int n = find_points_to_show(v, h, g, sea, points);
    for (int i = 0; i <= SIDES; i++) {
        v->camera.azimuth = azimuth + turn * i / SIDES;
        otok_camera_fit(&v->camera, (const double(*)[3])points, n, width, height);
        distance = fmax(distance, v->camera.distance);
        for (int k = 0; k < 3; k++)
            target[k] += v->camera.target[k] / (SIDES + 1);
    }
    v->camera.distance = distance;
    memcpy(v->camera.target, target, sizeof target);
    for (int i = 0; i <= SIDES; i++) {
        v->camera.azimuth = azimuth + turn * i / SIDES;
        otok_camera_widen(&v->camera, (const double(*)[3])points, n, width, height);
    }
    v->camera.azimuth = azimuth;
}
