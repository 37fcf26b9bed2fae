/* works.c: builds a road along its centre line (bed, verge, smoothing, bridges and tunnels) and
   computes its numbers. */
#include "road.h"

#include "../core/status.h"
#include "../model/road.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NARROWEST 1.5 /* cells: a narrower bed would have gaps                 */
#define NEAR 1e-4     /* share of all that is moved: balance need not be closer */

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

/* Makes bridges and tunnels of beds that are too far above or below the ground, and bridges of beds
   over water. A smoothed verge stays within the same limits and out of water. */
static void bridge_and_tunnel(otok_road_works *w, const otok_road_plan *p)
{
    const double bridge = p->request->bridge_height, tunnel = p->request->tunnel_depth;
    for (int64_t j = w->low.y; j < w->high.y; j++)
        for (int64_t i = w->low.x; i < w->high.x; i++) {
            const int64_t at = j * w->grid.nx + i;
            const double ground = (double)p->terrain[at], rise = (double)w->height[at] - ground;
            if (w->kind[at] == OTOK_WORKS_VERGE) {
                if (rise > bridge) w->height[at] = (float)(ground + bridge);
                if (-rise > tunnel) w->height[at] = (float)(ground - tunnel);
                if (p->wet[at]) w->kind[at] = OTOK_WORKS_NONE;
            }
            if (w->kind[at] != OTOK_WORKS_BED) continue;
            if (rise > bridge || p->wet[at]) w->kind[at] = OTOK_WORKS_BRIDGE;
            if (-rise > tunnel) w->kind[at] = OTOK_WORKS_TUNNEL;
            if (w->kind[at] == OTOK_WORKS_BRIDGE && p->wet[at])
                w->height[at] = fmaxf(w->height[at], p->height[at]);
        }
}

/* Computes the works of a road with these segments. Earlier contents are discarded. */
static otok_status make_works(otok_road_works *w, const otok_road_plan *p,
                              const otok_road_segment *s, int64_t n)
{
    const otok_road_request *r = p->request;
    for (int64_t i = 0; i < w->grid.nx * w->grid.ny; i++)
        w->kind[i] = p->maps->road[i] >= OTOK_ROAD_BED ? OTOK_WORKS_BUILT : OTOK_WORKS_NONE;
    set_box(w, s, n, r->verge);
    OTOK_TRY(otok_road_lay_bed(w, s, n));
    OTOK_TRY(otok_road_lay_verge(w, s, n, p->terrain, r->verge, r->bridge_height, r->tunnel_depth));
    OTOK_TRY(otok_road_smooth(w, OTOK_WORKS_BED, r->smoothing));
    OTOK_TRY(otok_road_smooth(w, OTOK_WORKS_VERGE, r->smoothing));
    bridge_and_tunnel(w, p);
    return OTOK_OK;
}

/* Writes the works into the maps and books what was moved. */
static void build(otok_road *road, const otok_road_works *w, const otok_road_plan *p)
{
    static const float marks[] = {[OTOK_WORKS_BED] = OTOK_ROAD_BED,
                                  [OTOK_WORKS_BRIDGE] = OTOK_ROAD_BRIDGE,
                                  [OTOK_WORKS_TUNNEL] = OTOK_ROAD_TUNNEL};
    const otok_road_maps *m = p->maps;
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
            if (w->height[at] != p->terrain[at]) m->change[at] = w->height[at] - m->base[at];
            const double rise = (double)(m->base[at] + m->change[at]) - (double)p->terrain[at];
            road->fill += rise > 0 ? rise * area : 0;
            road->cut += rise < 0 ? -rise * area : 0;
            road->highest_fill = fmax(road->highest_fill, rise);
            road->deepest_cut = fmax(road->deepest_cut, -rise);
        }
}

/* Measures lengths and energy of the centre line, and what it lies on, at two points a cell. */
static void measure(otok_road *road, const otok_road_works *w, const otok_road_plan *p,
                    const otok_road_segment *s, int64_t n)
{
    road->least_radius = otok_road_least_radius(road->points, road->npoints);
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
            road->water_length += p->wet[y * w->grid.nx + x] ? length / (double)parts : 0;
            road->bridge_length += kind == OTOK_WORKS_BRIDGE ? length / (double)parts : 0;
            road->tunnel_length += kind == OTOK_WORKS_TUNNEL ? length / (double)parts : 0;
            road->shared_length += kind == OTOK_WORKS_BUILT ? length / (double)parts : 0;
        }
    }
}

/* ---- balance of cut and fill ---- */

/* Fill less cut of the works, and fill plus cut [m]: sums of heights over cells. */
static double surplus(const otok_road_works *w, const float *terrain, double *moved)
{
    double sum = 0;
    *moved = 0;
    for (int64_t j = w->low.y; j < w->high.y; j++)
        for (int64_t i = w->low.x; i < w->high.x; i++) {
            const int64_t at = j * w->grid.nx + i;
            if (w->kind[at] != OTOK_WORKS_BED && w->kind[at] != OTOK_WORKS_VERGE) continue;
            const double rise = (double)w->height[at] - (double)terrain[at];
            sum += rise;
            *moved += fabs(rise);
        }
    return sum;
}

/* A road, and copies of its line and heights that trials change. */
typedef struct trial {
    const otok_road_plan *plan;
    const otok_road *road;
    otok_road_works *works;
    otok_point *line;
    double best, least, excess; /* the lift with the least imbalance, this imbalance, and the one of
                                   the last trial */
    int balanced;
} trial;

/* Lifts the line between its ends, fully along its middle half. */
static otok_status shape(otok_point *line, const otok_road *road, const otok_road_plan *p,
                         double lift)
{
    const int64_t n = road->npoints;
    double length = 0, from = 0;
    int kept;
    memcpy(line, road->points, (size_t)n * sizeof *line);
    for (int64_t i = 1; i < n; i++)
        length += hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
    for (int64_t i = 1; i < n; i++) {
        from += hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
        if (i < n - 1)
            line[i].z += lift * otok_road_smoothstep(4 * fmin(from, length - from) / length);
    }
    return otok_road_profile(line, n, p, &kept);
}

static double bed_width(const otok_road_plan *p)
{
    return fmax(p->request->width, NARROWEST * p->maps->grid.spacing);
}

static otok_status make_works_along(otok_road_works *w, const otok_road_plan *p,
                                    const otok_point *line, int64_t count,
                                    otok_road_segment **segments, int64_t *n)
{
    OTOK_TRY(otok_road_segments(segments, n, line, count, bed_width(p)));
    return make_works(w, p, *segments, *n);
}

static otok_status attempt(trial *t, double lift)
{
    otok_road_segment *segments = NULL;
    int64_t n;
    double moved;
    OTOK_TRY(shape(t->line, t->road, t->plan, lift));
    const otok_status status =
        make_works_along(t->works, t->plan, t->line, t->road->npoints, &segments, &n);
    free(segments);
    if (status != OTOK_OK) return status;
    t->excess = surplus(t->works, t->plan->terrain, &moved);
    t->balanced = fabs(t->excess) <= NEAR * moved;
    if (fabs(t->excess) < t->least) {
        t->least = fabs(t->excess);
        t->best = lift;
    }
    return OTOK_OK;
}

/* Finds the lift with equal cut and fill, as closely as possible: bridges and tunnels make the
   balance jump. */
static otok_status balance(otok_road *road, const otok_road_plan *p, otok_road_works *w)
{
    trial t = {p, road, w, malloc((size_t)road->npoints * sizeof *t.line), 0, INFINITY, 0, 0};
    if (!t.line) return OTOK_FAIL(OTOK_NOMEM, "no memory to balance a road");
    otok_status status = attempt(&t, 0);
    const double sign = t.excess > 0 ? -1 : 1;
    double inside = 0, outside = 0.25;
    for (int i = 0; i < 8 && status == OTOK_OK && !t.balanced; i++) {
        status = attempt(&t, sign * outside);
        if (sign * t.excess > 0) break;
        inside = outside;
        outside *= 2;
    }
    for (int i = 0; i < 24 && status == OTOK_OK && !t.balanced; i++) {
        const double middle = (inside + outside) / 2;
        status = attempt(&t, sign * middle);
        if (sign * t.excess > 0)
            outside = middle;
        else
            inside = middle;
    }
    if (status == OTOK_OK) status = shape(t.line, road, p, t.best);
    if (status == OTOK_OK) memcpy(road->points, t.line, (size_t)road->npoints * sizeof *t.line);
    free(t.line);
    return status;
}

/* ---- the whole road ---- */

otok_status otok_road_construct(otok_road *road, const otok_road_plan *p)
{
    const int64_t cells = p->maps->grid.nx * p->maps->grid.ny;
    otok_road_works w = {.grid = p->maps->grid};
    otok_road_segment *segments = NULL;
    int64_t n = 0;
    w.kind = calloc((size_t)cells, sizeof *w.kind);
    w.height = calloc((size_t)cells, sizeof *w.height);
    w.weight = calloc((size_t)cells, sizeof *w.weight);
    otok_status status =
        w.kind && w.height && w.weight
            ? OTOK_OK
            : OTOK_FAIL(OTOK_NOMEM, "no memory for maps of %lld cells", (long long)cells);
    if (status == OTOK_OK && p->request->balance) status = balance(road, p, &w);
    if (status == OTOK_OK)
        status = make_works_along(&w, p, road->points, road->npoints, &segments, &n);
    if (status == OTOK_OK) {
        build(road, &w, p);
        measure(road, &w, p, segments, n);
    }
    free(segments);
    free(w.kind);
    free(w.height);
    free(w.weight);
    return status;
}
