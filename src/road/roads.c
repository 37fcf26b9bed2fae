/* roads.c: makes one road from a request: search over the way points, subdivision, profile. works.c
   builds it, road_files.c handles files. */
#include "road.h"

#include "../core/rounding.h"
#include "../core/sized.h"
#include "../core/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 1 << 26, TRIALS = 24 };
#define EASIER 0.95 /* factor of the grade from trial to trial */

/* A road and its request, in one piece of memory. */
typedef struct built {
    otok_road road;
    otok_road_request request;
} built;

void(otok_road_request_defaults)(otok_road_request *out, size_t size)
{
    if (OTOK_GIVEN(out)) return;
    otok_road_request all = {0};
    for (int i = 0; i < otok_parameter_count(); i++) {
        const otok_parameter *p = otok_parameter_at(i);
        if (strcmp(p->group, "road") != 0 || p->kind == OTOK_LIST) continue;
        void *at = (char *)&all + p->offset;
        if (p->kind == OTOK_INT)
            *(int64_t *)at = (int64_t)p->standard;
        else
            *(double *)at = p->standard;
    }
    all.from = all.to = (otok_point){NAN, NAN, NAN};
    otok_sized_copy(out, size, &all, sizeof all);
}

/* ---- the request ---- */

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

static otok_status check_turns(const otok_road_request *r, double spacing)
{
    const double most = OTOK_ROAD_TURNS * spacing * (double)r->step;
    if (r->turn_radius <= most) return OTOK_OK;
    return OTOK_FAIL(OTOK_USAGE,
                     "road.turn_radius: %g m is out of range; allowed: 0 .. %g for a step of %lld "
                     "cells; a radius of %g m needs a step of %.0f",
                     r->turn_radius, most, (long long)r->step, r->turn_radius,
                     ceil(r->turn_radius / (OTOK_ROAD_TURNS * spacing)));
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

static int has_beds(const otok_road_maps *m)
{
    for (int64_t i = 0; i < m->grid.nx * m->grid.ny; i++)
        if (m->road[i] >= OTOK_ROAD_BED) return 1;
    return 0;
}

static int has_water(const otok_road_plan *p)
{
    for (int64_t i = 0; i < p->maps->grid.nx * p->maps->grid.ny; i++)
        if (p->wet[i]) return 1;
    return 0;
}

static otok_status find_route(otok_route *route, const otok_road_plan *p, double max_grade)
{
    const otok_road_request *r = p->request;
    const otok_road_ground ground = {p->maps->grid,
                                     p->height,
                                     r->reuse < 1 && has_beds(p->maps) ? p->maps->road : NULL,
                                     r->reuse,
                                     has_water(p) ? p->wet : NULL,
                                     r->water_cost};
    otok_cell *stations = malloc(((size_t)r->nvia + 2) * sizeof *stations);
    otok_status status = stations ? find_stations(stations, p->maps->grid, r)
                                  : OTOK_FAIL(OTOK_NOMEM, "no memory for %d way points", r->nvia);
    for (int i = 0; i <= r->nvia && status == OTOK_OK; i++)
        status = otok_road_search(route, &ground, stations[i], stations[i + 1], r->step, max_grade,
                                  r->turn_radius > 0);
    free(stations);
    if (status == OTOK_OK && route->n > MOST_POINTS >> r->subdivisions)
        status = OTOK_FAIL(
            OTOK_USAGE,
            "a road of %lld points divided %lld times is too long; lower road.subdivisions",
            (long long)route->n, (long long)r->subdivisions);
    return status;
}

/* The points of a route, rounded in plan and height. */
static otok_status round_route(otok_road *road, const otok_road_plan *p, const otok_route *route)
{
    const otok_grid g = p->maps->grid;
    free(road->points);
    road->points = malloc((size_t)route->n * sizeof *road->points);
    if (!road->points)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a road of %lld points", (long long)route->n);
    for (int64_t i = 0; i < route->n; i++) {
        const otok_cell c = route->cells[i];
        road->points[i] =
            (otok_point){((double)c.x + 0.5) * g.spacing, ((double)c.y + 0.5) * g.spacing,
                         (double)p->height[c.y * g.nx + c.x]};
    }
    road->npoints = route->n;
    road->search_energy = route->cost;
    road->searched = route->expanded;
    for (int64_t i = 0; i < p->request->subdivisions; i++)
        OTOK_TRY(otok_road_subdivide(&road->points, &road->npoints));
    return OTOK_OK;
}

/* A rounded road is shorter than its route. If it is too short for its climb, a route of a smaller
   grade, which is longer, is tried. */
static otok_status centre_line(otok_road *road, const otok_road_plan *p)
{
    double grade = p->request->max_grade;
    int kept = 0;
    for (int trial = 0; trial < TRIALS && !kept; trial++, grade *= EASIER) {
        otok_route route = {0};
        otok_status status = find_route(&route, p, grade);
        if (status == OTOK_OK) status = round_route(road, p, &route);
        free(route.cells);
        if (status == OTOK_DATA && trial > 0) break;
        if (status == OTOK_OK) status = otok_road_profile(road->points, road->npoints, p, &kept);
        OTOK_TRY(status);
    }
    return kept ? OTOK_OK
                : OTOK_FAIL(OTOK_DATA,
                            "no road climbs at max_grade %g once its turns are rounded; raise "
                            "max_grade, or lower subdivisions or step",
                            p->request->max_grade);
}

/* ---- the whole road ---- */

static otok_status make_maps(otok_road_plan *p)
{
    const otok_road_maps *m = p->maps;
    const int64_t cells = m->grid.nx * m->grid.ny;
    p->terrain = malloc((size_t)cells * sizeof *p->terrain);
    p->height = malloc((size_t)cells * sizeof *p->height);
    p->wet = malloc((size_t)cells);
    if (!p->terrain || !p->height || !p->wet)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for maps of %lld cells", (long long)cells);
    int64_t bad = 0;
    for (int64_t i = 0; i < cells; i++) {
        const float h = m->base[i] + m->change[i];
        bad += !(fabsf(h) < INFINITY);
        p->terrain[i] = h;
        p->height[i] = m->road[i] >= OTOK_ROAD_BRIDGE ? m->road_height[i] : h;
        p->wet[i] = m->water && m->road[i] < OTOK_ROAD_BED &&
                    (double)m->water[i] > p->request->ford && m->water[i] < INFINITY;
        if (p->wet[i]) p->height[i] = h + m->water[i] + (float)p->request->clearance;
    }
    return bad ? OTOK_FAIL(OTOK_DATA,
                           "road: the terrain is NaN or infinite in %lld cells; give a finite map",
                           (long long)bad)
               : OTOK_OK;
}

static otok_status build_road(otok_road *road, const otok_road_request *r, const otok_road_maps *m)
{
    otok_road_plan plan = {.request = r, .maps = m};
    otok_status status = make_maps(&plan);
    if (status == OTOK_OK) status = centre_line(road, &plan);
    if (status == OTOK_OK) status = otok_road_construct(road, &plan);
    free(plan.terrain);
    free(plan.height);
    free(plan.wet);
    return status;
}

static otok_status create(otok_road **out, const otok_road_request *request,
                          const otok_road_maps *maps)
{
    if (maps->grid.nx < 1 || maps->grid.ny < 1 || !(maps->grid.spacing > 0) ||
        maps->grid.nx > INT32_MAX / maps->grid.ny)
        return OTOK_FAIL(
            OTOK_USAGE,
            "road: a grid of %lld x %lld cells of %g m is empty or too large; give 1..2^31-1 cells",
            (long long)maps->grid.nx, (long long)maps->grid.ny, maps->grid.spacing);
    if (request->nvia < 0)
        return OTOK_FAIL(OTOK_USAGE, "road: %d way points; give 0 or more", request->nvia);
    if (request->nvia > 0) OTOK_TRY(OTOK_GIVEN(request->via));
    OTOK_TRY(OTOK_GIVEN(maps->base, maps->change, maps->road, maps->road_height));
    OTOK_TRY(check_ranges(request));
    OTOK_TRY(check_turns(request, maps->grid.spacing));
    built *both = calloc(1, sizeof *both);
    if (!both) return OTOK_FAIL(OTOK_NOMEM, "no memory for a road");
    both->request = *request;
    both->request.via = NULL;
    both->request.nvia = 0;
    otok_road *road = &both->road;
    road->grid = maps->grid;
    road->request = &both->request;
    const otok_status status = build_road(road, request, maps);
    if (status == OTOK_OK)
        *out = road;
    else
        otok_road_destroy(road);
    return status;
}

otok_status(otok_road_create)(otok_road **out, const otok_road_request *request,
                              const otok_road_maps *maps, size_t size, size_t maps_size)
{
    OTOK_TRY(OTOK_GIVEN(out));
    OTOK_ROUNDING;
    *out = NULL;
    OTOK_TRY(OTOK_GIVEN(request, maps));
    otok_road_request all;
    otok_road_maps all_maps;
    otok_road_request_defaults(&all);
    otok_sized_over(&all, sizeof all, request, size);
    otok_sized_copy(&all_maps, sizeof all_maps, maps, maps_size);
    return create(out, &all, &all_maps);
}

void otok_road_destroy(otok_road *road)
{
    if (!road) return;
    free(road->points);
    free(road); /* the first part of `built` */
}
