/* roads.c: makes one road from a request: search over the way points, subdivision, bed, verge,
   smoothing, bridges and tunnels, statistics. road_files.c handles files. */
#include "road.h"

#include "../core/rounding.h"
#include "../core/status.h"
#include "../model/road.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 1 << 26 };
#define NARROWEST 1.5 /* cells: a narrower bed would have gaps */

void otok_road_request_defaults(otok_road_request *out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < otok_parameter_count(); i++) {
        const otok_parameter *p = otok_parameter_at(i);
        if (strcmp(p->group, "road") != 0 || p->kind == OTOK_LIST) continue;
        void *at = (char *)out + p->offset;
        if (p->kind == OTOK_INT)
            *(int64_t *)at = (int64_t)p->standard;
        else
            *(double *)at = p->standard;
    }
    out->from = out->to = (otok_point){NAN, NAN, NAN};
}

/* ---- what is asked ---- */

static otok_status check_ranges(const otok_road_request *r)
{
    for (int i = 0; i < otok_parameter_count(); i++) {
        const otok_parameter *p = otok_parameter_at(i);
        if (strcmp(p->group, "road") != 0 || p->kind == OTOK_LIST) continue;
        const void *at = (const char *)r + p->offset;
        const double value =
            p->kind == OTOK_INT ? (double)*(const int64_t *)at : *(const double *)at;
        if (!(value >= p->low && value <= p->high) || (value == p->low && p->open & 1))
            return OTOK_FAIL(OTOK_USAGE, "road.%s: %g is out of range; allowed: %s %g, at most %g",
                             p->key, value, p->open & 1 ? "above" : "at least", p->low, p->high);
    }
    return OTOK_OK;
}

static otok_status find_cell(otok_cell *out, otok_grid g, otok_point p, const char *name)
{
    const double x = floor(p.x / g.spacing), y = floor(p.y / g.spacing);
    if (!(x >= 0 && x < (double)g.nx && y >= 0 && y < (double)g.ny))
        return OTOK_FAIL(OTOK_USAGE,
                         "road.%s: (%g, %g) is not on the map of %g m by %g m; give metres from "
                         "its left and bottom edges",
                         name, p.x, p.y, (double)g.nx * g.spacing, (double)g.ny * g.spacing);
    *out = (otok_cell){(int64_t)x, (int64_t)y};
    return OTOK_OK;
}

/* All stations: from, via, to. */
static otok_status find_stations(otok_cell *out, otok_grid g, const otok_road_request *r)
{
    OTOK_TRY(find_cell(&out[0], g, r->from, "from"));
    for (int i = 0; i < r->nvia; i++)
        OTOK_TRY(find_cell(&out[i + 1], g, r->via[i], "via"));
    OTOK_TRY(find_cell(&out[r->nvia + 1], g, r->to, "to"));
    for (int i = 0; i <= r->nvia; i++)
        if (out[i].x == out[i + 1].x && out[i].y == out[i + 1].y)
            return OTOK_FAIL(
                OTOK_USAGE,
                "road: two points that follow each other lie in one cell, (%lld, %lld); move one",
                (long long)out[i].x, (long long)out[i].y);
    return OTOK_OK;
}

/* ---- the centre line ---- */

/* The heights for the search: the terrain, or the road itself on bridges and in tunnels of
   earlier roads. */
static otok_status search_heights(float **out, const otok_road_maps *m, const float *terrain)
{
    const int64_t cells = m->grid.nx * m->grid.ny;
    *out = malloc((size_t)cells * sizeof **out);
    if (!*out) return OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %lld cells", (long long)cells);
    for (int64_t i = 0; i < cells; i++)
        (*out)[i] = m->road[i] >= OTOK_ROAD_BRIDGE ? m->road_height[i] : terrain[i];
    return OTOK_OK;
}

static int has_beds(const otok_road_maps *m)
{
    for (int64_t i = 0; i < m->grid.nx * m->grid.ny; i++)
        if (m->road[i] >= OTOK_ROAD_BED) return 1;
    return 0;
}

static otok_status centre_line(otok_road *road, const otok_road_maps *m, const otok_road_request *r,
                               const float *height)
{
    const otok_road_ground ground = {m->grid, height, r->reuse < 1 && has_beds(m) ? m->road : NULL,
                                     r->reuse};
    otok_route route = {0};
    otok_cell *stations = malloc(((size_t)r->nvia + 2) * sizeof *stations);
    otok_status status = stations ? find_stations(stations, m->grid, r)
                                  : OTOK_FAIL(OTOK_NOMEM, "no memory for %d way points", r->nvia);
    for (int i = 0; i <= r->nvia && status == OTOK_OK; i++)
        status =
            otok_road_search(&route, &ground, stations[i], stations[i + 1], r->step, r->max_grade);
    free(stations);
    if (status == OTOK_OK && route.n > MOST_POINTS >> r->subdivisions)
        status = OTOK_FAIL(
            OTOK_USAGE,
            "a road of %lld points divided %lld times is too long; lower road.subdivisions",
            (long long)route.n, (long long)r->subdivisions);
    if (status == OTOK_OK && !(road->points = malloc((size_t)route.n * sizeof *road->points)))
        status = OTOK_FAIL(OTOK_NOMEM, "no memory for a road of %lld points", (long long)route.n);
    if (status == OTOK_OK) {
        for (int64_t i = 0; i < route.n; i++) {
            const otok_cell c = route.cells[i];
            road->points[i] = (otok_point){((double)c.x + 0.5) * m->grid.spacing,
                                           ((double)c.y + 0.5) * m->grid.spacing,
                                           (double)height[c.y * m->grid.nx + c.x]};
        }
        road->npoints = route.n;
        road->search_energy = route.cost;
        road->searched = route.expanded;
    }
    free(route.cells);
    for (int64_t i = 0; i < r->subdivisions && status == OTOK_OK; i++)
        status = otok_road_subdivide(&road->points, &road->npoints, r->max_grade);
    return status;
}

/* ---- the works ---- */

/* The box of cells that segments and verge can touch. */
static void set_box(otok_road_works *w, const otok_road_segment *s, int64_t n, double verge)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int64_t i = 0; i < n; i++)
        for (int e = 0; e < 2; e++)
            for (int a = 0; a < 2; a++) {
                low[a] = fmin(low[a], fmin(s[i].left[e][a], s[i].right[e][a]));
                high[a] = fmax(high[a], fmax(s[i].left[e][a], s[i].right[e][a]));
            }
    const double l = w->grid.spacing;
    w->low = otok_road_clamp(w->grid, floor((low[0] - verge) / l), floor((low[1] - verge) / l));
    w->high =
        otok_road_clamp(w->grid, ceil((high[0] + verge) / l) + 1, ceil((high[1] + verge) / l) + 1);
}

/* Turns beds too far above or below the ground into bridges and tunnels. A smoothed verge stays
   within the same limits. */
static void bridge_and_tunnel(otok_road_works *w, const otok_road_request *r, const float *terrain)
{
    for (int64_t j = w->low.y; j < w->high.y; j++)
        for (int64_t i = w->low.x; i < w->high.x; i++) {
            const int64_t at = j * w->grid.nx + i;
            const double rise = (double)w->height[at] - (double)terrain[at];
            if (w->kind[at] == OTOK_WORKS_VERGE && rise > r->bridge_height)
                w->height[at] = (float)((double)terrain[at] + r->bridge_height);
            if (w->kind[at] == OTOK_WORKS_VERGE && -rise > r->tunnel_depth)
                w->height[at] = (float)((double)terrain[at] - r->tunnel_depth);
            if (w->kind[at] != OTOK_WORKS_BED) continue;
            if (rise > r->bridge_height) w->kind[at] = OTOK_WORKS_BRIDGE;
            if (-rise > r->tunnel_depth) w->kind[at] = OTOK_WORKS_TUNNEL;
        }
}

static otok_status lay(otok_road_works *w, const otok_road_request *r, const otok_road_segment *s,
                       int64_t n, const float *terrain)
{
    set_box(w, s, n, r->verge);
    OTOK_TRY(otok_road_lay_bed(w, s, n));
    OTOK_TRY(otok_road_lay_verge(w, s, n, terrain, r->verge, r->bridge_height, r->tunnel_depth));
    OTOK_TRY(otok_road_smooth(w, OTOK_WORKS_BED, r->smoothing));
    OTOK_TRY(otok_road_smooth(w, OTOK_WORKS_VERGE, r->smoothing));
    bridge_and_tunnel(w, r, terrain);
    return OTOK_OK;
}

/* Writes the works into the maps and adds up cut and fill. */
static void build(otok_road *road, const otok_road_works *w, const otok_road_maps *m,
                  const float *terrain)
{
    static const float marks[] = {[OTOK_WORKS_BED] = OTOK_ROAD_BED,
                                  [OTOK_WORKS_BRIDGE] = OTOK_ROAD_BRIDGE,
                                  [OTOK_WORKS_TUNNEL] = OTOK_ROAD_TUNNEL};
    const double area = w->grid.spacing * w->grid.spacing;
    for (int64_t j = w->low.y; j < w->high.y; j++)
        for (int64_t i = w->low.x; i < w->high.x; i++) {
            const int64_t at = j * w->grid.nx + i;
            const int kind = w->kind[at];
            if (kind == OTOK_WORKS_NONE || kind == OTOK_WORKS_BUILT) continue;
            if (kind == OTOK_WORKS_VERGE) {
                m->road[at] = w->weight[at] > m->road[at] ? w->weight[at] : m->road[at];
            } else {
                m->road[at] = marks[kind];
                m->road_height[at] = w->height[at];
            }
            if (kind != OTOK_WORKS_BED && kind != OTOK_WORKS_VERGE) continue;
            if (w->height[at] != terrain[at]) m->change[at] = w->height[at] - m->base[at];
            const double rise = (double)(m->base[at] + m->change[at]) - (double)terrain[at];
            road->fill += rise > 0 ? rise * area : 0;
            road->cut += rise < 0 ? -rise * area : 0;
        }
}

/* Computes lengths and energy of the centre line. It looks up what lies below twice a cell. */
static void measure(otok_road *road, const otok_road_works *w, const otok_road_segment *s,
                    int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const double rise = s[i].end.z - s[i].begin.z, length = hypot(s[i].length, rise),
                     grade = rise / s[i].length;
        const int64_t parts = (int64_t)ceil(2 * s[i].length / w->grid.spacing);
        road->length += length;
        road->energy += s[i].length * otok_road_effort(grade);
        road->steepest_grade = fmax(road->steepest_grade, fabs(grade));
        for (int64_t k = 0; k < parts; k++) {
            const double t = ((double)k + 0.5) / (double)parts * s[i].length;
            const int64_t x = (int64_t)((s[i].begin.x + t * s[i].dx) / w->grid.spacing);
            const int64_t y = (int64_t)((s[i].begin.y + t * s[i].dy) / w->grid.spacing);
            const int kind = w->kind[y * w->grid.nx + x];
            road->bridge_length += kind == OTOK_WORKS_BRIDGE ? length / (double)parts : 0;
            road->tunnel_length += kind == OTOK_WORKS_TUNNEL ? length / (double)parts : 0;
            road->shared_length += kind == OTOK_WORKS_BUILT ? length / (double)parts : 0;
        }
    }
}

static otok_status construct(otok_road *road, const otok_road_request *r, const otok_road_maps *m,
                             const float *terrain)
{
    const int64_t cells = m->grid.nx * m->grid.ny;
    otok_road_works w = {.grid = m->grid};
    otok_road_segment *segments = NULL;
    int64_t n = 0;
    w.kind = calloc((size_t)cells, sizeof *w.kind);
    w.height = calloc((size_t)cells, sizeof *w.height);
    w.weight = calloc((size_t)cells, sizeof *w.weight);
    otok_status status =
        w.kind && w.height && w.weight
            ? OTOK_OK
            : OTOK_FAIL(OTOK_NOMEM, "no memory for maps of %lld cells", (long long)cells);
    if (status == OTOK_OK)
        status = otok_road_segments(&segments, &n, road->points, road->npoints,
                                    fmax(r->width, NARROWEST * m->grid.spacing));
    if (status == OTOK_OK) {
        for (int64_t i = 0; i < cells; i++)
            w.kind[i] = m->road[i] >= OTOK_ROAD_BED ? OTOK_WORKS_BUILT : OTOK_WORKS_NONE;
        status = lay(&w, r, segments, n, terrain);
    }
    if (status == OTOK_OK) {
        build(road, &w, m, terrain);
        measure(road, &w, segments, n);
    }
    free(segments);
    free(w.kind);
    free(w.height);
    free(w.weight);
    return status;
}

static otok_status make(otok_road *road, const otok_road_request *r, const otok_road_maps *m)
{
    const int64_t cells = m->grid.nx * m->grid.ny;
    float *height = NULL, *terrain = malloc((size_t)cells * sizeof *terrain);
    otok_status status =
        terrain ? OTOK_OK
                : OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %lld cells", (long long)cells);
    int64_t bad = 0;
    for (int64_t i = 0; i < cells && terrain; i++) {
        terrain[i] = m->base[i] + m->change[i];
        bad += !(fabsf(terrain[i]) < INFINITY);
    }
    if (bad)
        status = OTOK_FAIL(OTOK_DATA,
                           "road: the terrain is NaN or infinite in %lld cells; give a finite map",
                           (long long)bad);
    if (status == OTOK_OK) status = search_heights(&height, m, terrain);
    if (status == OTOK_OK) status = centre_line(road, m, r, height);
    if (status == OTOK_OK) status = construct(road, r, m, terrain);
    free(height);
    free(terrain);
    return status;
}

otok_status otok_road_create(otok_road **out, const otok_road_request *request,
                             const otok_road_maps *maps)
{
    OTOK_ROUNDING;
    *out = NULL;
    if (maps->grid.nx < 1 || maps->grid.ny < 1 || !(maps->grid.spacing > 0) ||
        maps->grid.nx > INT32_MAX / maps->grid.ny)
        return OTOK_FAIL(
            OTOK_USAGE,
            "road: a grid of %lld x %lld cells of %g m is empty or too large; give 1..2^31-1 cells",
            (long long)maps->grid.nx, (long long)maps->grid.ny, maps->grid.spacing);
    if (request->nvia < 0)
        return OTOK_FAIL(OTOK_USAGE, "road: %d way points; give 0 or more", request->nvia);
    OTOK_TRY(check_ranges(request));
    otok_road *road = calloc(1, sizeof *road);
    if (!road) return OTOK_FAIL(OTOK_NOMEM, "no memory for a road");
    road->grid = maps->grid;
    road->request = *request;
    road->request.via = NULL;
    road->request.nvia = 0;
    const otok_status status = make(road, request, maps);
    if (status == OTOK_OK)
        *out = road;
    else
        otok_road_destroy(road);
    return status;
}

void otok_road_destroy(otok_road *road)
{
    if (!road) return;
    free(road->points);
    free(road);
}
