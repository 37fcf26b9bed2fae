/* responses.c: the values of responses in a state: which maps they need, and where these come from;
   see expressions.h. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "../scenario/scenario_read.h"
#include "courant.h"
#include "derived.h"
#include "expressions.h"
#include "sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DERIVED = 32, ALL = OTOK_FIELDS + DERIVED };

/* The maps of a state by field; derived ones follow. */
struct otok_state {
    otok_cells cells;
    otok_sim *sim;                 /* NULL: all maps are there from the start */
    const otok_scenario *scenario; /* with its present values, or NULL: ... */
    const char *text;              /* ... its text, with changes */
    int64_t iteration;
    size_t size; /* cells */
    float *room; /* for the next map of the simulation; NULL: there is none */
    const float *maps[ALL];
    float *own[ALL]; /* those of `maps` that are freed at the end */
    unsigned char *walls;
    otok_scenario *parsed;    /* of a snapshot's text */
    uint64_t checked, broken; /* fields whose values were looked at; that are not all finite */
};

static const char *name_of(int field)
{
    return field < OTOK_FIELDS ? otok_field_at(field)->name
                               : otok_derived_at(field - OTOK_FIELDS)->name;
}

uint64_t otok_map_reads(int field)
{
    return field < OTOK_FIELDS ? BIT(field) : otok_derived_reads(field - OTOK_FIELDS);
}

static uint64_t reads_of(const otok_expression *e)
{
    uint64_t fields = 0;
    for (int i = 0; i < e->nmaps; i++)
        fields |= otok_map_reads(e->maps[i]);
    return fields;
}

uint64_t otok_response_reads(const otok_response *r)
{
    otok_expression e;
    return otok_expression_parse(&e, r->text) == OTOK_OK ? reads_of(&e) : 0;
}

static otok_state *begin(const otok_scenario *scenario, int64_t iteration, const otok_holes *holes)
{
    otok_state *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->scenario = scenario;
    s->iteration = iteration;
    s->size = (size_t)scenario->grid.nx * (size_t)scenario->grid.ny;
    s->cells = (otok_cells){.grid = scenario->grid,
                            .wraps_x = scenario->edges[OTOK_LEFT] == OTOK_PERIODIC,
                            .wraps_y = scenario->edges[OTOK_BOTTOM] == OTOK_PERIODIC,
                            .maps = s->maps,
                            .scenario = scenario};
    if (!holes->n) return s;
    s->walls = calloc(s->size, 1);
    s->cells.walls = s->walls;
    if (s->walls) {
        otok_holes_mark(holes, s->walls);
        return s;
    }
    free(s);
    return NULL;
}

void otok_state_end(otok_state *s)
{
    for (int f = 0; s && f < ALL; f++)
        free(s->own[f]);
    if (s) free(s->walls);
    if (s) otok_scenario_destroy(s->parsed);
    free(s);
}

const unsigned char *otok_state_walls(const otok_state *s)
{
    return s->walls;
}

static otok_status new_map(float **map, otok_state *s, int field)
{
    *map = s->room ? s->room : malloc(s->size * sizeof **map);
    if (s->room)
        s->room += s->size;
    else
        s->own[field] = *map;
    s->maps[field] = *map;
    return *map ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for the maps of a state");
}

/* Copies a map of the simulation. */
static otok_status load(otok_state *s, int field)
{
    const float *change = NULL;
    float *map;
    OTOK_TRY(new_map(&map, s, field));
    if (field != OTOK_TERRAIN) return otok_sim_get(s->sim, (otok_field)field, map);
    OTOK_TRY(otok_state_map(&change, s, OTOK_TERRAIN_CHANGE));
    OTOK_TRY(s->sim->backend->get(otok_sim_patch(s->sim), OTOK_TERRAIN_BASE, map));
    for (size_t n = 0; n < s->size; n++)
        map[n] += change[n];
    return OTOK_OK;
}

/* The same for many fields at once. */
static otok_status load_all(otok_state *s, uint64_t fields)
{
    int buffers[OTOK_FIELDS], n = 0;
    float *maps[OTOK_FIELDS], *terrain = NULL;
    if (fields & BIT(OTOK_TERRAIN)) fields |= BIT(OTOK_TERRAIN_CHANGE);
    for (int f = 0; f < OTOK_FIELDS; f++) {
        if (!(fields >> f & 1) || f == OTOK_WETNESS || !otok_sim_has(s->sim, (otok_field)f))
            continue;
        OTOK_TRY(new_map(&maps[n], s, f));
        if (f == OTOK_TERRAIN) terrain = maps[n];
        buffers[n++] = f == OTOK_TERRAIN ? OTOK_TERRAIN_BASE : f;
    }
    OTOK_TRY(s->sim->backend->get_some(otok_sim_patch(s->sim), buffers, maps, n));
    for (size_t i = 0; terrain && i < s->size; i++)
        terrain[i] += s->maps[OTOK_TERRAIN_CHANGE][i];
    return OTOK_OK;
}

otok_status otok_state_of(otok_state **out, otok_sim *sim, uint64_t fields, float *room)
{
    otok_state *s = begin(sim->scenario, sim->iteration, &sim->holes);
    *out = s;
    if (!s) return OTOK_FAIL(OTOK_NOMEM, "no memory for the maps of a state");
    s->sim = sim;
    s->room = room;
    const otok_status status = fields && sim->backend->get_some ? load_all(s, fields) : OTOK_OK;
    s->room = NULL;
    if (status == OTOK_OK) return OTOK_OK;
    otok_state_end(s);
    *out = NULL;
    return status;
}

static otok_status derive(otok_state *s, int field)
{
    const uint64_t reads = otok_map_reads(field);
    float *map;
    for (int f = 0; s->sim && f < OTOK_FIELDS; f++)
        if (reads >> f & 1 && !s->maps[f] && otok_sim_has(s->sim, (otok_field)f))
            OTOK_TRY(load(s, f));
    otok_derived_from from = {.scenario = s->text, .iteration = s->iteration, .walls = s->walls};
    memcpy(from.maps, s->maps, sizeof from.maps);
    OTOK_TRY(new_map(&map, s, field));
    const otok_status status = s->scenario
                                   ? otok_derive_in(field - OTOK_FIELDS, &from, s->scenario, map)
                                   : otok_derive(field - OTOK_FIELDS, &from, map);
    if (status != OTOK_OK) s->maps[field] = NULL;
    return status;
}

otok_status otok_state_map(const float **map, otok_state *s, int field)
{
    if (!s->maps[field]) {
        if (field >= OTOK_FIELDS)
            OTOK_TRY(derive(s, field));
        else if (s->sim && otok_sim_has(s->sim, (otok_field)field))
            OTOK_TRY(load(s, field));
        else
            return OTOK_FAIL(OTOK_DATA,
                             "%s is not part of this state; no process of its scenario makes it",
                             name_of(field));
    }
    *map = s->maps[field];
    return OTOK_OK;
}

/* Has one of these maps a value that is not finite? */
static int is_broken(otok_state *s, uint64_t fields)
{
    for (int f = 0; f < OTOK_FIELDS; f++) {
        const float *map = s->maps[f];
        int broken = 0;
        if (!map || !(fields & ~s->checked & BIT(f))) continue;
        for (size_t i = 0; i < s->size; i++)
            broken |= !isfinite(map[i]) & !(s->walls && s->walls[i]);
        s->checked |= BIT(f);
        if (broken) s->broken |= BIT(f);
    }
    return (s->broken & fields) != 0;
}

static otok_status measure(double *out, otok_state *s, const char *text)
{
    otok_expression e;
    const float *map;
    OTOK_TRY(otok_expression_parse(&e, text));
    for (int i = 0; i < e.nmaps; i++)
        OTOK_TRY(otok_state_map(&map, s, e.maps[i]));
    *out = NAN;
    if (is_broken(s, reads_of(&e))) return OTOK_OK;
    OTOK_TRY(otok_expression_value(out, &e, &s->cells));
    if (isnan(*out)) *out = NAN; /* with the sign that every machine gives it */
    return OTOK_OK;
}

otok_status otok_state_responses(double *out, const otok_response *list, int n, otok_state *s)
{
    otok_status status = OTOK_OK;
    for (int i = 0; i < n && status == OTOK_OK; i++) {
        status = measure(&out[i], s, list[i].text);
        if (status == OTOK_DATA && list[i].name[0])
            otok_fail_in(status, "responses.%s", list[i].name);
    }
    return status;
}

/* Adds to the water what rivers without a hydrograph bring in an iteration of the last phase; 0:
   there are none. Maps that were derived are forgotten. */
static otok_status feed(int *fed, otok_state *s)
{
    const otok_sim *sim = s->sim;
    const int64_t last = sim->iteration > 0 ? sim->iteration - 1 : 0;
    const otok_phase *p = &s->scenario->phases[otok_scenario_moment(s->scenario, last).phase];
    const otok_grid g = s->scenario->grid;
    const float *water = NULL;
    *fed = p->nrivers > 0 && otok_sim_has(sim, OTOK_WATER) && !otok_sim_has_courant(sim);
    for (int i = 0; i < p->nrivers; i++)
        *fed &= !p->rivers[i].hydrograph;
    if (!*fed) return OTOK_OK;
    OTOK_TRY(otok_state_map(&water, s, OTOK_WATER));
    float *sum = malloc(s->size * sizeof *sum);
    if (!sum) return OTOK_FAIL(OTOK_NOMEM, "no memory for the maps of a state");
    otok_springs_rivers(sum, p, g, (otok_box){0, (int)g.nx, 0, (int)g.ny}, &sim->holes);
    for (size_t i = 0; i < s->size; i++)
        sum[i] += water[i];
    free(s->own[OTOK_WATER]);
    s->own[OTOK_WATER] = sum;
    s->maps[OTOK_WATER] = sum;
    for (int f = OTOK_FIELDS; f < ALL; f++) {
        free(s->own[f]);
        s->own[f] = NULL;
        s->maps[f] = NULL;
    }
    return OTOK_OK;
}

otok_status otok_state_fed(double *most, const double *own, const otok_response *list, int n,
                           otok_state *s)
{
    int fed;
    *most = 0;
    if (n == 0) return OTOK_OK;
    OTOK_TRY(feed(&fed, s));
    for (int i = 0; i < n && fed; i++) {
        double now;
        OTOK_TRY(otok_state_responses(&now, &list[i], 1, s));
        const double size = fmax(fabs(now), fabs(own[i]));
        if (size > 0) *most = fmax(*most, fabs(now - own[i]) / size);
    }
    return OTOK_OK;
}

otok_status otok_responses_measure(double *out, const otok_response *list, int n, otok_sim *sim)
{
    otok_state *s;
    if (!n) return OTOK_OK;
    OTOK_TRY(otok_state_of(&s, sim, 0, NULL));
    const otok_status status = otok_state_responses(out, list, n, s);
    otok_state_end(s);
    return status;
}

otok_status otok_sim_response(otok_sim *sim, const char *expression, double *out)
{
    OTOK_TRY(OTOK_GIVEN(sim, expression, out));
    OTOK_ROUNDING;
    otok_response one = {"", ""};
    if (strlen(expression) >= sizeof one.text)
        return OTOK_FAIL(OTOK_DATA, "the expression is longer than %zu bytes", sizeof one.text - 1);
    strcpy(one.text, expression);
    return otok_responses_measure(out, &one, 1, sim);
}

otok_status otok_responses_of_snapshot(double *out, const otok_response *list, int n,
                                       const otok_snapshot *snapshot)
{
    OTOK_ROUNDING;
    otok_scenario *scenario;
    if (!n) return OTOK_OK;
    OTOK_TRY(otok_scenario_parse(&scenario, "scenario of the state", snapshot->scenario,
                                 strlen(snapshot->scenario), NULL, 0));
    otok_state *s = begin(scenario, snapshot->iteration, &snapshot->holes);
    if (!s) {
        otok_scenario_destroy(scenario);
        return OTOK_FAIL(OTOK_NOMEM, "no memory for the maps of a state");
    }
    s->parsed = scenario;
    s->scenario = NULL; /* its values may have changed since */
    s->text = snapshot->scenario;
    for (int f = 0; f < OTOK_FIELDS; f++)
        s->maps[f] = snapshot->maps[f];
    const otok_status status = otok_state_responses(out, list, n, s);
    otok_state_end(s);
    return status;
}

static otok_status check_fields(const otok_expression *e, const otok_derived_from *from)
{
    for (int i = 0; i < e->nmaps; i++) {
        if (e->maps[i] >= OTOK_FIELDS)
            OTOK_TRY(otok_derive(e->maps[i] - OTOK_FIELDS, from, NULL));
        else if (!from->maps[e->maps[i]])
            return OTOK_FAIL(OTOK_DATA,
                             "no process of the scenario makes %s; take it out, or add the process",
                             name_of(e->maps[i]));
    }
    return OTOK_OK;
}

otok_status otok_response_check(const otok_response *r, const otok_scenario *s)
{
    static const float any[1];
    otok_set buffers;
    otok_expression e;
    otok_derived_from from = {.scenario = otok_scenario_text(s),
                              .iteration = otok_scenario_iterations(s)};
    OTOK_TRY(otok_expression_parse(&e, r->text));
    OTOK_TRY(otok_expression_check(&e, s));
    if (otok_scenario_all_buffers(&buffers, s) != OTOK_OK)
        return OTOK_OK; /* the reason is the run's to report, or the member's */
    for (int f = 0; f < OTOK_STORED; f++)
        if (otok_set_has(buffers, f)) from.maps[f] = any;
    from.maps[OTOK_TERRAIN] = any;
    return check_fields(&e, &from);
}
