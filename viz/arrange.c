/* arrange.c: finds ranges of values, the sea and the camera from maps. */
#include "arrange.h"
#include "core/colours.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double HORIZON_AT = 0.8; /* of the way from the middle of the picture to its top */

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

otok_status otok_arrange_scale(otok_shot *v, const otok_look *look, const otok_spread *s,
                               double sea, double low, double high)
{
    const int own = !look || (v->style == OTOK_STYLE_WATER && v->colours < 0);
    otok_scale scale = {.high = s->high > 0 ? s->high : 1};
    if (look) OTOK_TRY(otok_scale_set(&scale, look, s, v->colours, sea, low, high));
    v->colours = own ? OTOK_COLOURS_OWN : scale.colours;
    v->low = scale.low, v->high = scale.high;
    v->logs = scale.is_log, v->angles = scale.is_angle, v->beyond = scale.beyond;
    return OTOK_OK;
}

void otok_arrange_unit(char out[32], const char *unit)
{
    char below[32] = "";
    size_t used = 0, beneath = 0;
    snprintf(out, 32, "%s", unit);
    if (strchr(unit, '/')) return; /* a power that is a fraction stays as it is written */
    for (const char *at = unit; *at;) {
        const size_t n = strcspn(at, " ");
        const char *minus = memchr(at, '-', n);
        const int parts = (int)(minus ? minus - at : (ptrdiff_t)n);
        const char *power =
            minus && strncmp(minus, "-1", 2) == 0 && minus + 2 == at + n ? "" : minus + 1;
        if (minus)
            beneath += (size_t)snprintf(below + beneath, sizeof below - beneath, "/%.*s%.*s", parts,
                                        at, *power ? (int)(at + n - power) : 0, power);
        else
            used += (size_t)snprintf(out + used, 32 - used, "%s%.*s", used ? " " : "", parts, at);
        if (used >= 32 || beneath >= sizeof below) break;
        at += n + (at[n] == ' ');
    }
    if (!used) used = (size_t)snprintf(out, 32, "1");
    if (used < 32) snprintf(out + used, 32 - used, "%s", below);
}

void otok_arrange_legend(char out[OTOK_LEGEND], otok_style style, const char *name,
                         const char *unit)
{
    char printed[32];
    otok_arrange_unit(printed, unit);
    const char *shown = style == OTOK_STYLE_SPEED ? "speed" : name;
    snprintf(out, OTOK_LEGEND, strcmp(printed, "1") == 0 ? "%.80s" : "%.80s [%s]", shown, printed);
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

void otok_arrange_first(otok_shot *v)
{
    otok_shot fresh;
    otok_shot_defaults(&fresh);
    v->camera = fresh.camera;
    v->camera.elevation = NAN;
}

int otok_arrange_is_open(const otok_shot *v)
{
    return v->style == OTOK_STYLE_ISLAND && !isnan(v->sea_level) && !v->block;
}

/* An open sea has a horizon, which stays in the picture. */
static void find_elevation(otok_shot *v)
{
    otok_shot fresh;
    otok_shot_defaults(&fresh);
    v->camera.elevation = otok_arrange_is_open(v) && v->globe == 0
                              ? 180 / M_PI * atan(HORIZON_AT * tan(M_PI / 360 * v->camera.angle))
                              : fresh.camera.elevation;
}

void otok_arrange_sea(otok_shot *v, const float *h, otok_grid g, double sea)
{
    double low = INFINITY;
    for (int64_t i = 0; i < g.nx * g.ny; i++)
        low = fmin(low, h[i]);
    if (otok_arrange_border(h, g) >= sea) v->block = 1;
    v->sea_level =
        (v->style == OTOK_STYLE_ISLAND || v->style == OTOK_STYLE_WATER) && sea > low ? sea : NAN;
    if (isnan(v->camera.elevation)) find_elevation(v);
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
    const int island = otok_arrange_is_open(v);
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

void otok_arrange_plan(otok_shot *v, const float *h, otok_grid g, int width, int height)
{
    const double wide = (double)g.nx * g.spacing, high = (double)g.ny * g.spacing, margin = 1.03,
                 tall = margin * fmax(high, wide * height / width) / 2;
    double low = INFINITY, top = -INFINITY;
    for (int64_t i = 0; i < g.nx * g.ny; i++)
        low = fmin(low, h[i]), top = fmax(top, h[i]);
    v->camera = (otok_camera){.target = {wide / 2, high / 2, (low + top) / 2},
                              .azimuth = 180,
                              .elevation = 90,
                              .distance = 1000 * fmax(wide, high)};
    v->camera.angle = 360 / M_PI * atan(tall / v->camera.distance);
}

int otok_arrange_above(otok_shot *v, const float *h, otok_grid g)
{
    otok_camera *c = &v->camera;
    const double degree = M_PI / 180, asked = c->elevation,
                 room = fmax(0.05 * c->distance, 5 * g.spacing),
                 sea = isnan(v->sea_level) ? -INFINITY : v->sea_level + g.spacing;
    for (; c->elevation < 90; c->elevation = fmin(c->elevation + 0.5, 90)) {
        const double a = c->azimuth * degree, flat = c->distance * cos(c->elevation * degree);
        const int64_t x = (int64_t)floor((c->target[0] + flat * sin(a)) / g.spacing),
                      y = (int64_t)floor((c->target[1] + flat * cos(a)) / g.spacing);
        const int beside = x < 0 || y < 0 || x >= g.nx || y >= g.ny;
        const double ground = beside ? -INFINITY : (double)h[y * g.nx + x] + room;
        if (c->target[2] + c->distance * sin(c->elevation * degree) > fmax(ground, sea)) break;
    }
    return c->elevation != asked;
}
