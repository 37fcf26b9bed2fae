/* responses.c: the values of responses in a state: which maps they need, and where these come from;
   see expressions.h. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "../scenario/scenario_read.h"
#include "derived.h"
#include "expressions.h"
#include "sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DERIVED = 32, ALL = OTOK_FIELDS + DERIVED };

/* The maps of a state by field; derived ones follow. */
typedef struct state {
    otok_cells cells;
    const otok_scenario *scenario; /* with its present values, or NULL: ... */
    const char *text;              /* ... its text, with changes */
    int64_t iteration;
    size_t size; /* cells */
    const float *maps[ALL];
    float *own[ALL]; /* those of `maps` that are freed at the end */
    unsigned char *walls;
    uint64_t broken; /* fields with values that are not finite */
} state;

static const char *name_of(int field)
{
    return field < OTOK_FIELDS ? otok_field_at(field)->name
                               : otok_derived_at(field - OTOK_FIELDS)->name;
}

static uint64_t reads_of(const otok_expression *e)
{
    uint64_t fields = 0;
    for (int i = 0; i < e->nmaps; i++)
        fields |= e->maps[i] < OTOK_FIELDS ? BIT(e->maps[i])
                                           : otok_derived_reads(e->maps[i] - OTOK_FIELDS);
    return fields;
}

static otok_status new_map(state *s, int field)
{
    s->own[field] = malloc(s->size * sizeof *s->own[field]);
    s->maps[field] = s->own[field];
    return s->own[field] ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for the maps of a response");
}

static state *begin(const otok_scenario *scenario, int64_t iteration, const otok_holes *holes)
{
    state *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->scenario = scenario;
    s->iteration = iteration;
    s->size = (size_t)scenario->grid.nx * (size_t)scenario->grid.ny;
    s->cells = (otok_cells){.grid = scenario->grid,
                            .wraps_x = scenario->edges[OTOK_LEFT] == OTOK_PERIODIC,
                            .wraps_y = scenario->edges[OTOK_BOTTOM] == OTOK_PERIODIC,
                            .maps = s->maps};
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

static void end(state *s)
{
    for (int f = 0; s && f < ALL; f++)
        free(s->own[f]);
    if (s) free(s->walls);
    free(s);
}

static void note_broken(state *s, int field)
{
    for (size_t i = 0; i < s->size; i++)
        if (!isfinite(s->maps[field][i]) && !(s->walls && s->walls[i])) s->broken |= BIT(field);
}

static otok_status derive(state *s, int field)
{
    otok_derived_from from = {.scenario = s->text, .iteration = s->iteration, .walls = s->walls};
    memcpy(from.maps, s->maps, sizeof from.maps);
    OTOK_TRY(new_map(s, field));
    return s->scenario ? otok_derive_in(field - OTOK_FIELDS, &from, s->scenario, s->own[field])
                       : otok_derive(field - OTOK_FIELDS, &from, s->own[field]);
}

/* Derives the maps that an expression reads besides those of the state. */
static otok_status complete(state *s, const otok_expression *e)
{
    for (int i = 0; i < e->nmaps; i++) {
        const int field = e->maps[i];
        if (s->maps[field]) continue;
        if (field < OTOK_FIELDS)
            return OTOK_FAIL(OTOK_DATA,
                             "%s is not part of this state; no process of its scenario makes it",
                             name_of(field));
        OTOK_TRY(derive(s, field));
    }
    return OTOK_OK;
}

static otok_status measure(double *out, state *s, const otok_expression *e)
{
    OTOK_TRY(complete(s, e));
    *out = NAN;
    return reads_of(e) & s->broken ? OTOK_OK : otok_expression_value(out, e, &s->cells);
}

/* Each of the list; the text of a failure begins with the name. */
static otok_status each(double *out, const otok_response *list, int n, state *s,
                        otok_status (*load)(state *s, uint64_t fields, void *from), void *from)
{
    otok_expression e;
    otok_status status = s ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for responses");
    for (int i = 0; i < n && status == OTOK_OK; i++) {
        status = otok_expression_parse(&e, list[i].text);
        if (status == OTOK_OK) status = load(s, reads_of(&e), from);
        if (status == OTOK_OK) status = measure(&out[i], s, &e);
        if (status == OTOK_DATA && list[i].name[0])
            otok_fail_in(status, "responses.%s", list[i].name);
    }
    end(s);
    return status;
}

static otok_status load_from_sim(state *s, uint64_t fields, void *from)
{
    otok_sim *sim = from;
    for (int f = 0; f < OTOK_FIELDS; f++) {
        if (!(fields >> f & 1) || s->maps[f] || !otok_sim_has(sim, (otok_field)f)) continue;
        OTOK_TRY(new_map(s, f));
        OTOK_TRY(otok_sim_get(sim, (otok_field)f, s->own[f]));
        note_broken(s, f);
    }
    return OTOK_OK;
}

otok_status otok_responses_measure(double *out, const otok_response *list, int n, otok_sim *sim)
{
    if (!n) return OTOK_OK;
    state *s = begin(sim->scenario, sim->iteration, &sim->holes);
    return each(out, list, n, s, load_from_sim, sim);
}

otok_status otok_sim_map(float *out, int field, otok_sim *sim)
{
    const otok_expression e = {.nmaps = 1, .maps = {field}};
    state *s = begin(sim->scenario, sim->iteration, &sim->holes);
    otok_status status =
        s ? load_from_sim(s, reads_of(&e), sim) : OTOK_FAIL(OTOK_NOMEM, "no memory for a map");
    if (status == OTOK_OK) status = complete(s, &e);
    for (size_t i = 0; status == OTOK_OK && i < s->size; i++)
        out[i] = s->walls && s->walls[i] ? NAN : s->maps[field][i];
    end(s);
    return status;
}

otok_status otok_sim_response(otok_sim *sim, const char *expression, double *out)
{
    OTOK_ROUNDING;
    otok_response one = {"", ""};
    if (strlen(expression) >= sizeof one.text)
        return OTOK_FAIL(OTOK_DATA, "the expression is longer than %zu bytes", sizeof one.text - 1);
    strcpy(one.text, expression);
    return otok_responses_measure(out, &one, 1, sim);
}

static otok_status load_from_snapshot(state *s, uint64_t fields, void *from)
{
    const otok_snapshot *snapshot = from;
    for (int f = 0; f < OTOK_FIELDS; f++)
        if (fields >> f & 1) s->maps[f] = snapshot->maps[f];
    return OTOK_OK;
}

otok_status otok_responses_of_snapshot(double *out, const otok_response *list, int n,
                                       const otok_snapshot *snapshot)
{
    OTOK_ROUNDING;
    otok_scenario *scenario;
    if (!n) return OTOK_OK;
    OTOK_TRY(otok_scenario_parse(&scenario, "scenario of the state", snapshot->scenario,
                                 strlen(snapshot->scenario), NULL, 0));
    state *s = begin(scenario, snapshot->iteration, &snapshot->holes);
    otok_scenario_destroy(scenario);
    if (s) {
        s->scenario = NULL; /* its values may have changed since */
        s->text = snapshot->scenario;
    }
    return each(out, list, n, s, load_from_snapshot, (void *)snapshot);
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
    uint64_t buffers;
    otok_expression e;
    otok_derived_from from = {.scenario = otok_scenario_text(s),
                              .iteration = otok_scenario_iterations(s)};
    OTOK_TRY(otok_expression_parse(&e, r->text));
    if (otok_scenario_all_buffers(&buffers, s) != OTOK_OK)
        return OTOK_OK; /* the reason is the run's to report, or the member's */
    for (int f = 0; f < OTOK_STORED; f++)
        if (buffers >> f & 1) from.maps[f] = any;
    from.maps[OTOK_TERRAIN] = any;
    return check_fields(&e, &from);
}
