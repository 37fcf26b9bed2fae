/* springs.c: see springs.h. Cells without data in a map of a parameter are never filled unasked:
   the user must say what is there, unless they are walls. */
#include "springs.h"

#include "../base/compile.h"
#include "../core/backend.h"
#include "../core/status.h"
#include "../scenario/process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- maps of parameters ---- */

static otok_status check_value(float value, int64_t cell, int64_t nx, const otok_parameter *range)
{
    const int below = (double)value < range->low;
    if ((double)value >= range->low && (double)value <= range->high) return OTOK_OK;
    const char *unit = strcmp(range->unit, "1") == 0 ? "" : range->unit;
    return OTOK_FAIL(OTOK_DATA,
                     "cell %lld from the left, %lld from the bottom (counted from 0) is %g; "
                     "allowed: %s %g%s%s",
                     (long long)(cell % nx), (long long)(cell / nx), (double)value,
                     below ? "at least" : "at most", below ? range->low : range->high,
                     *unit ? " " : "", unit);
}

/* Refuses values out of range, and those that the process refuses as a number. */
static otok_status check_values(const otok_made *made, const otok_scenario *s, const otok_map *map,
                                int64_t cells)
{
    const otok_parameter *range = otok_map_parameter(map->buffer);
    for (int64_t n = 0; n < cells; n++)
        if (!isnan(made->map[n])) OTOK_TRY(check_value(made->map[n], n, s->grid.nx, range));
    otok_phase phase = s->phases[map->phase];
    for (int end = 0; end < 2; end++) {
        otok_map_number(&phase, map->buffer, end ? made->high : made->low);
        for (int i = 0; i < OTOK_PROCESSES; i++)
            if (strcmp(otok_processes[i]->group, range->group) == 0 && otok_processes[i]->check)
                OTOK_TRY(otok_processes[i]->check(&phase, s->grid, NULL));
    }
    return OTOK_OK;
}

/* Evaluates a pipeline on the host, with the loops of the CPU, which give the same bits as any. */
static otok_status evaluate(float *out, otok_base_plan *plan, const otok_scenario *pipeline,
                            const char *unit, otok_place *place)
{
    const otok_grid g = pipeline->grid;
    otok_base_rasters rasters = {0};
    const otok_backend *cpu;
    otok_patch patch = {
        .view = {.nx = (int)g.nx, .ny = (int)g.ny, .global_nx = (int)g.nx, .global_ny = (int)g.ny}};
    double seconds;
    OTOK_TRY(otok_backend_find(&cpu, "cpu"));
    OTOK_TRY(otok_backend_takes(cpu, g.nx, g.ny, NULL));
    OTOK_TRY(otok_base_compile(pipeline, (otok_box){0, (int)g.nx, 0, (int)g.ny}, plan));
    OTOK_TRY(otok_base_rasters_read(&rasters, pipeline, unit, place));
    memcpy(patch.edges, pipeline->edges, sizeof patch.edges);
    otok_status status = otok_base_plan_rasters(plan, rasters.maps, g);
    if (status == OTOK_OK) status = cpu->create(&patch, BIT(OTOK_TERRAIN_BASE), 1);
    if (status == OTOK_OK) status = cpu->base(&patch, plan, &seconds);
    if (status == OTOK_OK) status = cpu->get(&patch, OTOK_TERRAIN_BASE, out);
    for (int64_t n = 0; n < g.nx * g.ny && rasters.holes && status == OTOK_OK; n++)
        if (rasters.holes[n]) out[n] = NAN; /* for heed_walls */
    otok_base_rasters_destroy(&rasters);
    cpu->destroy(&patch);
    return status;
}

static otok_status make(otok_made *made, const otok_scenario *s, int p, otok_place *place)
{
    otok_scenario pipeline;
    const size_t cells = (size_t)s->grid.nx * (size_t)s->grid.ny;
    const otok_map *map = &s->maps[p - (otok_scenario_pipelines(s) - s->nmaps)];
    *made =
        (otok_made){map->buffer, map->phase, malloc(cells * sizeof(float)), 0, INFINITY, -INFINITY};
    otok_base_plan *plan = calloc(1, sizeof *plan);
    otok_scenario_pipeline(&pipeline, s, p);
    otok_status status =
        plan && made->map
            ? evaluate(made->map, plan, &pipeline, otok_map_parameter(map->buffer)->unit, place)
            : OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %zu cells", cells);
    if (plan) otok_base_plan_destroy(plan);
    free(plan);
    for (size_t n = 0; n < cells && status == OTOK_OK; n++) {
        if (isnan(made->map[n])) continue;
        made->sum += (double)made->map[n];
        made->low = fmin(made->low, (double)made->map[n]);
        made->high = fmax(made->high, (double)made->map[n]);
    }
    if (status == OTOK_OK) status = check_values(made, s, map, (int64_t)cells);
    if (status == OTOK_OK && otok_phase_has_starts(&s->phases[map->phase]) &&
        map->buffer == OTOK_MAP_RAIN && !(made->high > 0)) /* before anything runs */
        status =
            OTOK_FAIL(OTOK_DATA, "it rains nowhere, so that no droplet can start; give some cell "
                                 "a value above 0");
    return status;
}

/* Names scenario, line, key and, if the map is a file, the file before the text of a failure. */
static otok_status blame(otok_status status, const otok_scenario *s, const otok_map *map)
{
    const otok_parameter *key = otok_map_parameter(map->buffer);
    const char *phase = s->phases[map->phase].name;
    const int is_file = map->n == 1 && map->list->kind == OTOK_GEN_RASTER;
    const char *file = is_file ? map->list->as.raster.file : "";
    if (is_file && !strstr(otok_why(), file)) otok_fail_in(status, "%s", file);
    if (!map->line)
        return otok_fail_in(status, "%s: phases.%s.%s.%s", s->path, phase, key->group, key->key);
    return otok_fail_in(status, "%s:%d: phases.%s.%s.%s", s->path, map->line, phase, key->group,
                        key->key);
}

otok_status otok_springs_read(otok_springs *out, const otok_scenario *s, otok_place *place)
{
    *out = (otok_springs){.ready = -1};
    out->made = calloc((size_t)s->nmaps + 1, sizeof *out->made);
    if (!out->made) return OTOK_FAIL(OTOK_NOMEM, "no memory for maps");
    const int first = otok_scenario_pipelines(s) - s->nmaps;
    otok_status status = otok_springs_room(out, s);
    for (int n = 0; n < s->nmaps && status == OTOK_OK; n++) {
        if (s->maps[n].phase < 0) continue;
        status = make(&out->made[out->nmade++], s, first + n, place);
        if (status != OTOK_OK) status = blame(status, s, &s->maps[n]);
    }
    if (status != OTOK_OK) otok_springs_destroy(out);
    return status;
}

const otok_made *otok_springs_map(const otok_springs *springs, const otok_phase *phases, int phase,
                                  int buffer)
{
    for (int n = 0; n < springs->nmade && phases[phase].maps & BIT(buffer); n++)
        if (springs->made[n].buffer == buffer && springs->made[n].phase == phase)
            return &springs->made[n];
    return NULL;
}

/* Is there a phase whose maps go through `scratch` on their way? */
static int needs_scratch(const otok_scenario *s)
{
    int any = 0;
    for (int p = 0; p < s->nphases; p++)
        any |= otok_phase_has_springs(&s->phases[p]) || s->phases[p].maps;
    return any;
}

otok_status otok_springs_room(otok_springs *springs, const otok_scenario *s)
{
    if (needs_scratch(s) && !springs->scratch)
        springs->scratch = malloc((size_t)s->grid.nx * (size_t)s->grid.ny * sizeof(float));
    return needs_scratch(s) && !springs->scratch
               ? OTOK_FAIL(OTOK_NOMEM, "no memory for maps of rain, rivers and parameters")
               : OTOK_OK;
}

void otok_springs_destroy(otok_springs *springs)
{
    for (int n = 0; n < springs->nmade && !springs->borrowed; n++)
        free(springs->made[n].map);
    if (!springs->borrowed) {
        free(springs->made);
        free(springs->scratch);
    }
    *springs = (otok_springs){.ready = -1};
}

uint64_t otok_springs_bytes(const otok_scenario *s)
{
    uint64_t maps = (uint64_t)needs_scratch(s);
    for (int n = 0; n < s->nmaps; n++)
        maps += s->maps[n].phase >= 0;
    return maps * (uint64_t)s->grid.nx * (uint64_t)s->grid.ny * sizeof(float);
}

/* ---- rivers ---- */

static int clamped(double value, int low, int high)
{
    return value <= low ? low : value >= high ? high : (int)value;
}

/* A map of the cells of a box, to which values are added, or in which they replace others. */
typedef struct target {
    float *map;
    otok_box box;
    int replaces;
} target;

static void put_value(const target *to, int i, int j, float value)
{
    float *at = &to->map[(ptrdiff_t)(j - to->box.y0) * (to->box.x1 - to->box.x0) + i - to->box.x0];
    *at = to->replaces ? value : *at + value;
}

/* The cells of a box whose centre can lie within the radius of a river. */
static otok_box box_of(const otok_river *r, double l, otok_box b)
{
    return (otok_box){clamped((r->x - r->radius) / l - 1, b.x0, b.x1),
                      clamped((r->x + r->radius) / l + 2, b.x0, b.x1),
                      clamped((r->y - r->radius) / l - 1, b.y0, b.y1),
                      clamped((r->y + r->radius) / l + 2, b.y0, b.y1)};
}

/* Is the cell no wall, with its centre within the radius? */
static int covers(const otok_river *r, otok_grid g, const otok_holes *walls, int i, int j)
{
    const double x = (i + 0.5) * g.spacing - r->x, y = (j + 0.5) * g.spacing - r->y;
    return x * x + y * y <= r->radius * r->radius &&
           !(walls->n && otok_holes_have(walls, j * g.nx + i));
}

/* Counts the cells of `b` that a river covers. Puts `value` into each if there is a target. */
static int64_t spread_river(const target *to, const otok_river *r, otok_grid g, otok_box b,
                            float value, const otok_holes *walls)
{
    const otok_box in = box_of(r, g.spacing, b);
    int64_t n = 0;
    for (int j = in.y0; j < in.y1; j++)
        for (int i = in.x0; i < in.x1; i++) {
            if (!covers(r, g, walls, i, j)) continue;
            n++;
            if (to) put_value(to, i, j, value);
        }
    return n;
}

static int64_t cells_of(const otok_river *r, otok_grid g, const otok_holes *walls)
{
    return spread_river(NULL, r, g, (otok_box){0, (int)g.nx, 0, (int)g.ny}, 0, walls);
}

/* The cell in which a river is that covers the centre of none. */
static otok_box source_of(const otok_river *r, otok_grid g)
{
    const int i = clamped(r->x / g.spacing, 0, (int)g.nx - 1),
              j = clamped(r->y / g.spacing, 0, (int)g.ny - 1);
    return (otok_box){i, i + 1, j, j + 1};
}

/* What a river brings in an iteration [m^3], or for a factor of 1 of its hydrograph. */
static double brings(const otok_river *r, const otok_phase *phase)
{
    return r->hydrograph ? 1 : phase->hydraulic.dt * r->discharge;
}

/* Puts the depths of the rivers, or the numbers of their hydrographs, into a map of zeros. */
static void fill(const target *to, const otok_phase *phase, otok_grid g, const otok_holes *walls)
{
    const otok_box box = to->box;
    const double l = g.spacing;
    memset(to->map, 0, (size_t)(box.x1 - box.x0) * (size_t)(box.y1 - box.y0) * sizeof *to->map);
    for (int n = 0; n < phase->nrivers; n++) {
        const otok_river *r = &phase->rivers[n];
        const int64_t cells = cells_of(r, g, walls);
        const double depth = brings(r, phase) / (l * l) / (double)(cells ? cells : 1);
        const float value = to->replaces ? (float)r->hydrograph : (float)depth;
        const int i = source_of(r, g).x0, j = source_of(r, g).y0;
        if (cells)
            spread_river(to, r, g, box, value, walls);
        else if (i >= box.x0 && i < box.x1 && j >= box.y0 && j < box.y1)
            put_value(to, i, j, value);
    }
}

void otok_springs_rivers(float *map, const otok_phase *phase, otok_grid g, otok_box box,
                         const otok_holes *walls)
{
    fill(&(target){map, box, 0}, phase, g, walls);
}

void otok_springs_hydrographs(float *map, const otok_phase *phase, otok_grid g, otok_box box,
                              const otok_holes *walls)
{
    fill(&(target){map, box, 1}, phase, g, walls);
}

double otok_springs_rate(const otok_phase *phase, otok_grid g, const otok_holes *walls)
{
    double most = 0;
    for (int n = 0; n < phase->nrivers; n++) {
        const int64_t cells = cells_of(&phase->rivers[n], g, walls);
        most = fmax(most, otok_river_largest(&phase->rivers[n]) / (double)(cells ? cells : 1));
    }
    return most / (g.spacing * g.spacing);
}

/* Does a river bring water to this cell? alone: it covers no cell. */
static int reaches(const otok_river *r, int alone, otok_grid g, const otok_holes *walls, int i,
                   int j)
{
    const otok_box at = source_of(r, g);
    return alone ? i == at.x0 && j == at.y0 : covers(r, g, walls, i, j);
}

/* Do two rivers bring water to the same cell? */
static int meet(const otok_river *one, const otok_river *other, otok_grid g,
                const otok_holes *walls)
{
    const double apart = one->radius + other->radius + 2 * g.spacing;
    if (fabs(one->x - other->x) > apart || fabs(one->y - other->y) > apart) return 0;
    const int alone = !cells_of(one, g, walls), lonely = !cells_of(other, g, walls);
    const otok_box all = {0, (int)g.nx, 0, (int)g.ny},
                   in = alone ? source_of(one, g) : box_of(one, g.spacing, all);
    for (int j = in.y0; j < in.y1; j++)
        for (int i = in.x0; i < in.x1; i++)
            if (reaches(one, alone, g, walls, i, j) && reaches(other, lonely, g, walls, i, j))
                return 1;
    return 0;
}

/* A cell has one hydrograph. */
static otok_status check_meeting(const otok_scenario *s, const otok_phase *p,
                                 const otok_holes *walls)
{
    for (int n = 0; n < p->nrivers; n++)
        for (int m = 0; m < n; m++)
            if (p->rivers[m].hydrograph != p->rivers[n].hydrograph &&
                meet(&p->rivers[m], &p->rivers[n], s->grid, walls))
                return OTOK_FAIL(OTOK_DATA,
                                 "%s: phases.%s.rivers: rivers %d and %d have different histories "
                                 "and share a cell; move one or make it smaller, or add their "
                                 "histories up",
                                 s->path, p->name, m + 1, n + 1);
    return OTOK_OK;
}

static otok_status check_walls(const otok_scenario *s, const otok_phase *p, const otok_holes *walls)
{
    for (int n = 0; n < p->nrivers && walls->n; n++) {
        const otok_river *r = &p->rivers[n];
        const otok_box at = source_of(r, s->grid);
        if (cells_of(r, s->grid, walls) || !otok_holes_have(walls, at.y0 * s->grid.nx + at.x0))
            continue;
        return OTOK_FAIL(OTOK_DATA,
                         "%s: phases.%s.rivers: river %d at x %.9g m, y %.9g m, radius %.9g m "
                         "is among cells without data, which are walls; move it",
                         s->path, p->name, n + 1, r->x, r->y, r->radius);
    }
    return OTOK_OK;
}

otok_status otok_springs_check(const otok_scenario *s, const otok_holes *walls)
{
    for (int p = 0; p < s->nphases; p++) {
        OTOK_TRY(check_walls(s, &s->phases[p], walls));
        OTOK_TRY(check_meeting(s, &s->phases[p], walls));
    }
    return OTOK_OK;
}

static void empty_walls(float *map, double *sum, const otok_holes *walls)
{
    for (int64_t k = 0; k < walls->n; k++)
        for (int64_t c = 0; c < walls->runs[2 * k + 1]; c++) {
            float *rain = &map[walls->runs[2 * k] + c];
            if (!isnan(*rain)) *sum -= (double)*rain;
            *rain = 0.0f;
        }
}

/* Cells without data are walls. */
static otok_status check_rest(const otok_made *made, otok_grid g)
{
    int64_t bad = 0, first = -1;
    for (int64_t n = 0; n < g.nx * g.ny; n++)
        if (isnan(made->map[n])) bad++, first = first < 0 ? n : first;
    if (!bad) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "cell %lld from the left, %lld from the bottom (counted from 0) has no finite "
                     "value, like %lld cells in all that are no walls; give each a value, such as "
                     "0, or give the raster a `fill`",
                     (long long)(first % g.nx), (long long)(first / g.nx), (long long)bad);
}

otok_status otok_springs_heed_walls(otok_springs *springs, const otok_scenario *s,
                                    const otok_holes *walls)
{
    for (int m = 0; m < springs->nmade && !springs->borrowed; m++) {
        otok_made *made = &springs->made[m];
        empty_walls(made->map, &made->sum, walls);
        const otok_status status = check_rest(made, s->grid);
        if (status != OTOK_OK)
            return blame(status, s, otok_scenario_map(s, made->buffer, made->phase));
    }
    return OTOK_OK;
}
