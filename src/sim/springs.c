/* springs.c: see springs.h; the rivers are in rivers.c. Cells without data in a map of a parameter
   are never filled unasked: the user must say what is there, unless they are walls. */
#include "springs.h"

#include "../base/compile.h"
#include "../core/backend.h"
#include "../core/memory.h"
#include "../core/status.h"
#include "../model/incision.h"
#include "../scenario/dates.h"
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

/* Names a step of a map over time before the text of a failure. */
static otok_status name_step(otok_status status, const otok_made *made, int64_t n)
{
    if (made->n == 1) return status;
    char from[48], to[48];
    otok_time_words(from, n ? made->of[n - 1].end : 0);
    otok_time_words(to, made->of[n].end);
    return otok_fail_in(status, "step %lld, %s to %s of the phase", (long long)n + 1, from, to);
}

/* Refuses values out of range, and those that the process refuses as a number. */
static otok_status check_values(const otok_made *made, const otok_scenario *s, const otok_map *map,
                                int64_t cells)
{
    const otok_parameter *range = otok_map_parameter(map->buffer);
    for (int64_t n = 0; n < made->n * cells; n++) {
        if (isnan(made->map[n])) continue;
        const otok_status status = check_value(made->map[n], n % cells, s->grid.nx, range);
        if (status != OTOK_OK) return name_step(status, made, n / cells);
    }
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
                            const char *unit, otok_raster_place *place)
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
    if (status == OTOK_OK) status = cpu->create(&patch, otok_set_one(OTOK_TERRAIN_BASE), 1);
    if (status == OTOK_OK) status = cpu->base(&patch, plan, &seconds);
    if (status == OTOK_OK) status = cpu->get(&patch, OTOK_TERRAIN_BASE, out);
    for (int64_t n = 0; n < g.nx * g.ny && rasters.holes && status == OTOK_OK; n++)
        if (rasters.holes[n]) out[n] = NAN; /* for heed_walls */
    otok_base_rasters_destroy(&rasters);
    cpu->destroy(&patch);
    return status;
}

/* Memory for n maps, the first of which may exist. */
static otok_status make_room(otok_made *made, int64_t n, size_t cells)
{
    const double bytes = (double)n * (double)cells * sizeof(float), left = otok_memory_free("");
    const int fits = n == 1 || left == 0 || bytes < left;
    made->n = n;
    if (fits) made->map = malloc((size_t)n * cells * sizeof *made->map);
    made->of = calloc((size_t)n, sizeof *made->of);
    if (made->map && made->of) return OTOK_OK;
    return OTOK_FAIL(OTOK_NOMEM, "no memory for %lld maps of %zu cells, %.1f GiB", (long long)n,
                     cells, bytes / (1 << 30));
}

/* Takes a step of a raster. Cells without data become NaN, for heed_walls. */
static otok_status take_step(otok_made *made, const otok_raster *r, int64_t n, size_t cells)
{
    if (n == 0) OTOK_TRY(make_room(made, r->steps, cells));
    float *map = made->map + (size_t)n * cells;
    made->of[n].end = r->end;
    memcpy(map, r->map, cells * sizeof *map);
    for (size_t i = 0; r->holes && i < cells; i++)
        if (r->holes[i]) map[i] = NAN;
    return OTOK_OK;
}

/* A storm of a phase with a date begins with it. A file without a time zone is in UTC if the phase
   has one. */
static otok_status check_date(const otok_scenario *s, int phase, const otok_raster *r)
{
    const char *own = s->phases[phase].start, *text = *own || phase ? own : s->start;
    char storm[48], begin[48];
    otok_date start, since;
    if (!*text || otok_start_read(&start, text) || start.is_age) return OTOK_OK;
    const char *wrong = otok_date_read(&since, r->since);
    if (wrong)
        return OTOK_FAIL(
            OTOK_DATA,
            "its times count since `%s`: %s; the scenario has a `start`, so write such "
            "as units = \"hours since 2026-07-12 06:00:00\"",
            r->since, wrong);
    since.has_zone |= start.has_zone;
    if (since.has_zone == start.has_zone && fabs(since.seconds + r->first - start.seconds) < 1)
        return OTOK_OK;
    otok_date_write(storm, &since, r->first);
    otok_date_write(begin, &start, 0);
    return OTOK_FAIL(
        OTOK_DATA,
        "its first map begins at %s, and the phase at %s; write start: %s in the phase, "
        "or choose the maps of the phase with `ncks -d time,FIRST,LAST`",
        storm, begin, storm);
}

static otok_status read_steps(otok_made *made, const otok_scenario *s, const otok_map *map,
                              otok_raster_place *place)
{
    const size_t cells = (size_t)s->grid.nx * (size_t)s->grid.ny;
    for (int64_t n = 0; n == 0 || n < made->n; n++) {
        otok_raster r;
        otok_status status =
            otok_base_raster_read(&r, &map->list->as.raster, "m s-1", n + 1, s->grid, place);
        if (status == OTOK_OK && n == 0) status = check_date(s, map->phase, &r);
        if (status == OTOK_OK) status = take_step(made, &r, n, cells);
        otok_raster_destroy(&r);
        OTOK_TRY(status);
    }
    return OTOK_OK;
}

static otok_status make_one(otok_made *made, const otok_scenario *s, int p,
                            otok_raster_place *place)
{
    otok_scenario pipeline;
    otok_base_plan *plan = calloc(1, sizeof *plan);
    otok_status status = plan ? make_room(made, 1, (size_t)s->grid.nx * (size_t)s->grid.ny)
                              : OTOK_FAIL(OTOK_NOMEM, "no memory for a map");
    otok_scenario_pipeline(&pipeline, s, p);
    if (status == OTOK_OK)
        status =
            evaluate(made->map, plan, &pipeline, otok_map_parameter(made->buffer)->unit, place);
    if (status == OTOK_OK) made->of[0].end = INFINITY;
    if (plan) otok_base_plan_destroy(plan);
    free(plan);
    return status;
}

/* Incision sums the rain of a map in integers. */
static otok_status check_rain(const otok_made *made, const otok_phase *phase)
{
    const double least = 1.0 / 64, most = (double)OTOK_RAIN_MOST;
    if (made->buffer != OTOK_MAP_RAIN || !(phase->processes & OTOK_INCISION) ||
        (made->high >= least && made->high <= most))
        return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "its largest value is %.9g; allowed beside `incision`: %g to %g; give rain in "
                     "units of that for which `incision.erodibility` holds",
                     made->high, least, most);
}

static otok_status make(otok_made *made, const otok_scenario *s, int p, otok_raster_place *place)
{
    const size_t cells = (size_t)s->grid.nx * (size_t)s->grid.ny;
    const otok_map *map = &s->maps[p - (otok_scenario_pipelines(s) - s->nmaps)];
    *made =
        (otok_made){.buffer = map->buffer, .phase = map->phase, .low = INFINITY, .high = -INFINITY};
    const int steps = map->list->kind == OTOK_GEN_RASTER && map->list->as.raster.over_time;
    OTOK_TRY(steps ? read_steps(made, s, map, place) : make_one(made, s, p, place));
    for (size_t n = 0; n < (size_t)made->n * cells; n++) {
        if (isnan(made->map[n])) continue;
        struct otok_made_of *of = &made->of[n / cells];
        of->sum += (double)made->map[n];
        of->high = fmax(of->high, (double)made->map[n]);
        made->low = fmin(made->low, (double)made->map[n]);
        made->high = fmax(made->high, (double)made->map[n]);
    }
    OTOK_TRY(check_values(made, s, map, (int64_t)cells));
    OTOK_TRY(check_rain(made, &s->phases[map->phase]));
    if (otok_phase_has_starts(&s->phases[map->phase]) && map->buffer == OTOK_MAP_RAIN &&
        !(made->high > 0)) /* before anything runs */
        return OTOK_FAIL(OTOK_DATA, "it rains nowhere, so that no droplet can start; give some "
                                    "cell a value above 0");
    return OTOK_OK;
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

otok_status otok_springs_read(otok_springs *out, const otok_scenario *s, otok_raster_place *place)
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
    if (status == OTOK_OK) status = otok_springs_last(out, s);
    if (status != OTOK_OK) otok_springs_destroy(out);
    return status;
}

/* ---- maps over time ---- */

#define NEAR 1e-9 /* of an iteration: rounding of its times */

otok_shares otok_springs_shares(const otok_made *made, const otok_moment *at)
{
    const double near = NEAR * (at->next - at->clock);
    otok_shares out = {0, 0, 0, 0};
    while (out.first < made->n - 1 && made->of[out.first].end <= at->clock + near)
        out.first++;
    out.last = out.first;
    while (out.last < made->n - 1 && made->of[out.last].end < at->next - near)
        out.last++;
    if (out.last > out.first) out.from = at->clock, out.to = at->next;
    return out;
}

double otok_springs_share(const otok_made *made, const otok_shares *s, int64_t map)
{
    if (s->first == s->last) return map == s->first;
    const double begin = map > s->first ? made->of[map - 1].end : s->from,
                 end = map < s->last ? made->of[map].end : s->to;
    return (end - begin) / (s->to - s->from);
}

static otok_status check_last(const otok_made *made, const otok_scenario *s, int64_t end)
{
    const otok_phase *phase = &s->phases[made->phase];
    const otok_raster_generator *r =
        &otok_scenario_map(s, made->buffer, made->phase)->list->as.raster;
    const double last = made->of[made->n - 1].end, stop = otok_scenario_moment(s, end - 1).next;
    if (stop <= last * (1 + NEAR)) return OTOK_OK;
    const double step = otok_phase_step(phase);
    char covered[48], asked[48], one[48];
    otok_time_words(covered, last);
    otok_time_words(asked, stop);
    otok_time_words(one, step);
    return OTOK_FAIL(OTOK_DATA,
                     "%s: %s covers 0 s to %s of the phase in %lld steps, and the phase lasts %s; "
                     "allowed: at most %lld iterations of %s, or add steps",
                     r->file, *r->variable ? r->variable : "its variable", covered,
                     (long long)made->n, asked, (long long)floor(last * (1 + NEAR) / step), one);
}

otok_status otok_springs_last(const otok_springs *springs, const otok_scenario *s)
{
    int64_t end = 0;
    for (int p = 0; p < s->nphases; p++) {
        end += s->phases[p].iterations;
        const otok_made *made = otok_springs_map(springs, s->phases, p, OTOK_MAP_RAIN);
        if (!made || made->n == 1 || end <= s->anchor.at || !s->phases[p].iterations) continue;
        const otok_status status = check_last(made, s, end);
        if (status != OTOK_OK) return blame(status, s, otok_scenario_map(s, OTOK_MAP_RAIN, p));
    }
    return OTOK_OK;
}

const otok_made *otok_springs_map(const otok_springs *springs, const otok_phase *phases, int phase,
                                  int buffer)
{
    for (int n = 0; n < springs->nmade && phases[phase].maps & MAP_BIT(buffer); n++)
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
    for (int n = 0; n < springs->nmade && !springs->borrowed; n++) {
        free(springs->made[n].map);
        free(springs->made[n].of);
    }
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

/* ---- walls ---- */

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
static otok_status check_rest(const float *map, otok_grid g)
{
    int64_t bad = 0, first = -1;
    for (int64_t n = 0; n < g.nx * g.ny; n++)
        if (isnan(map[n])) bad++, first = first < 0 ? n : first;
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
        for (int64_t n = 0; n < made->n; n++) {
            float *map = made->map + n * s->grid.nx * s->grid.ny;
            empty_walls(map, &made->of[n].sum, walls);
            const otok_status status = check_rest(map, s->grid);
            if (status != OTOK_OK)
                return blame(name_step(status, made, n), s,
                             otok_scenario_map(s, made->buffer, made->phase));
        }
    }
    return OTOK_OK;
}
