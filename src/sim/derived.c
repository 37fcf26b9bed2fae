/* derived.c: see derived.h. */
#include "derived.h"
#include "../core/rounding.h"
#include "../core/status.h"
#include "../model/derived.h"
#include "../scenario/scenario_read.h"

#include <stdlib.h>
#include <string.h>

/* What a field needs. */
enum { GROUND = 1, DEPTH = 2, VELOCITY = 4, CHANGE = 8, FLOW = 16, PHASE = 32, FRICTION = 64 };

typedef float cell_function(otok_place);

#define NONE NULL
static const struct row {
    int needs;
    cell_function *cell;
} rows[] = {
#define DERIVED(NAME, name, unit, sign, needs, cell, words) {needs, cell},
#include "../core/fields.def"
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static const struct map_need {
    int need, field, is_optional;
} map_needs[] = {{GROUND, OTOK_TERRAIN, 0},        {DEPTH, OTOK_WATER, 0},
                 {VELOCITY, OTOK_VELOCITY_X, 0},   {VELOCITY, OTOK_VELOCITY_Y, 0},
                 {CHANGE, OTOK_TERRAIN_CHANGE, 0}, {CHANGE, OTOK_REEF, 1},
                 {FLOW, OTOK_OUTFLOW_RIGHT, 0},    {FLOW, OTOK_OUTFLOW_TOP, 0},
                 {FLOW, OTOK_OUTFLOW_LEFT, 1},     {FLOW, OTOK_OUTFLOW_BOTTOM, 1}};
enum { MAP_NEEDS = sizeof map_needs / sizeof map_needs[0] };

uint64_t otok_derived_reads(int i)
{
    uint64_t fields = 0;
    for (int k = 0; i >= 0 && i < ROWS && k < MAP_NEEDS; k++)
        if (rows[i].needs & map_needs[k].need) fields |= UINT64_C(1) << map_needs[k].field;
    return fields;
}

/* The phase that moved the water last, in the order of iterations, or the first one that will. */
static const otok_phase *water_phase(const otok_scenario *s, int64_t iteration)
{
    const otok_phase *found = NULL;
    int64_t begin = 0;
    for (int p = 0; p < s->nphases; p++) {
        if ((s->phases[p].processes & OTOK_HYDRAULIC) && (!found || begin < iteration))
            found = &s->phases[p];
        begin += s->phases[p].iterations;
    }
    return found;
}

static otok_status check_needs(int i, const otok_derived_from *from, const otok_phase *phase)
{
    const char *name = otok_derived_at(i)->name;
    for (int k = 0; k < MAP_NEEDS; k++)
        if ((rows[i].needs & map_needs[k].need) && !map_needs[k].is_optional &&
            !from->maps[map_needs[k].field])
            return OTOK_FAIL(OTOK_DATA,
                             "%s needs %s, which this state lacks; its scenario has no process "
                             "that makes it, or `output.fields` leaves it out",
                             name, otok_field_at(map_needs[k].field)->name);
    if ((rows[i].needs & PHASE) && !phase)
        return OTOK_FAIL(OTOK_DATA,
                         "%s needs water that flows, and no phase of the scenario has `hydraulic`",
                         name);
    if ((rows[i].needs & FRICTION) && isnan(phase->hydraulic.manning))
        return OTOK_FAIL(OTOK_DATA, "%s needs a number for `hydraulic.manning`, which is a map",
                         name);
    if ((rows[i].needs & FRICTION) && phase->hydraulic.manning == 0)
        return OTOK_FAIL(OTOK_DATA,
                         "%s needs friction, and `hydraulic.manning` is 0; run it with a value, "
                         "such as 0.03",
                         name);
    return OTOK_OK;
}

/* The height beside a cell; NaN: there is none. */
static float beside(const otok_derived_from *from, otok_grid g, const int *edges, int64_t x,
                    int64_t y)
{
    if (edges[OTOK_LEFT] == OTOK_PERIODIC) x = (x + g.nx) % g.nx;
    if (edges[OTOK_BOTTOM] == OTOK_PERIODIC) y = (y + g.ny) % g.ny;
    if (x < 0 || y < 0 || x >= g.nx || y >= g.ny) return OTOK_NAN;
    return from->walls && from->walls[y * g.nx + x] ? OTOK_NAN
                                                    : from->maps[OTOK_TERRAIN][y * g.nx + x];
}

static void fill(const struct row *row, const otok_derived_from *from, otok_grid g,
                 const int *edges, const otok_phase *phase, float *map)
{
    const float *const *m = from->maps;
    const double n = phase ? phase->hydraulic.manning : 0,
                 gravity = phase ? phase->hydraulic.gravity : 0;
    const float rough = (float)(1000 * gravity * n * n);
#pragma omp parallel for
    for (int64_t y = 0; y < g.ny; y++)
        for (int64_t x = 0; x < g.nx; x++) {
            const int64_t at = y * g.nx + x;
            otok_place p = {.l = (float)g.spacing, .g = (float)gravity, .rough = rough};
            if (row->needs & GROUND)
                p.h =
                    (otok_cross){m[OTOK_TERRAIN][at], beside(from, g, edges, x - 1, y),
                                 beside(from, g, edges, x + 1, y), beside(from, g, edges, x, y - 1),
                                 beside(from, g, edges, x, y + 1)};
            if (row->needs & DEPTH) p.d = m[OTOK_WATER][at];
            if (row->needs & VELOCITY) p.u = m[OTOK_VELOCITY_X][at], p.w = m[OTOK_VELOCITY_Y][at];
            if (row->needs & CHANGE)
                p.moved = m[OTOK_TERRAIN_CHANGE][at] - (m[OTOK_REEF] ? m[OTOK_REEF][at] : 0);
            map[at] = row->cell(p);
        }
}

otok_status otok_derive_in(int i, const otok_derived_from *from, const otok_scenario *s, float *map)
{
    const otok_phase *phase = water_phase(s, from->iteration);
    OTOK_TRY(check_needs(i, from, phase));
    if (!map) return OTOK_OK;
    if (rows[i].cell)
        fill(&rows[i], from, s->grid, s->edges, phase, map);
    else
        OTOK_TRY(otok_drainage(from, s->grid, s->edges, otok_pipes_after(s, from->iteration), map));
    for (int64_t n = 0; from->walls && n < s->grid.nx * s->grid.ny; n++)
        if (from->walls[n]) map[n] = OTOK_NAN;
    return OTOK_OK;
}

otok_status otok_derive(int i, const otok_derived_from *from, float *map)
{
    OTOK_ROUNDING;
    otok_scenario *scenario = NULL, *now = NULL;
    uint64_t unused;
    int made = 0;
    if (i < 0 || i >= ROWS) return OTOK_FAIL(OTOK_USAGE, "there is no derived field %d", i);
    if (!from->scenario)
        return OTOK_FAIL(OTOK_DATA, "%s needs the scenario of the state, which is missing",
                         otok_derived_at(i)->name);
    OTOK_TRY(otok_scenario_parse(&scenario, "scenario of the state", from->scenario,
                                 strlen(from->scenario), NULL, 0));
    while (made < scenario->nchanges && scenario->changes[made].iteration < from->iteration)
        made++;
    otok_status status = otok_scenario_changed(&now, &unused, scenario, scenario->changes, made);
    if (status == OTOK_OK) status = otok_derive_in(i, from, now, map);
    otok_scenario_destroy(scenario);
    otok_scenario_destroy(now);
    return status;
}

otok_status otok_snapshot_derived(float **map, const otok_snapshot *s, int field)
{
    const size_t cells = (size_t)(s->grid.nx * s->grid.ny);
    otok_derived_from from = {.scenario = s->scenario, .iteration = s->iteration};
    unsigned char *walls = s->holes.n ? calloc(cells, 1) : NULL;
    *map = malloc(cells * sizeof **map);
    otok_status status = OTOK_OK;
    if (!*map || (s->holes.n && !walls))
        status =
            OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %s", otok_snapshot_info(s, field)->name);
    if (walls) otok_holes_mark(&s->holes, walls);
    memcpy(from.maps, s->maps, sizeof from.maps);
    from.walls = walls;
    if (status == OTOK_OK) status = otok_derive(field - OTOK_FIELDS, &from, *map);
    free(walls);
    if (status == OTOK_OK) return OTOK_OK;
    free(*map);
    *map = NULL;
    return status;
}
