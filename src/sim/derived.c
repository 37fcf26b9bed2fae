/* derived.c: see derived.h. */
#include "derived.h"
#include "../core/rounding.h"
#include "../core/status.h"
#include "../model/derived.h"
#include "../scenario/scenario_read.h"

#include <stdlib.h>
#include <string.h>

/* What a field needs. */
enum {
    GROUND = 1,
    DEPTH = 2,
    VELOCITY = 4,
    CHANGE = 8,
    FLOW = 16,
    PHASE = 32,
    FRICTION = 64,
    GROWN = 128,
    RIVERS = 256,
    PEAK = 512,
    TIMES = 1024
};

/* Where the maps of a field come from. `ground`: with a ring of cells around it, NaN where there is
   no ground. */
typedef struct source {
    const otok_derived_from *from;
    otok_grid grid;
    float *ground, gravity, rough;
    double now, rise; /* `rise`: by uplift that CHANGE_BY_UPLIFT lacks [m] */
} source;

/* The change of the ground without the reef and uplift [m]. What is below a last digit of what
   uplift moved is none. */
static inline float moved(float change, float reef, double risen)
{
    if (risen == 0) return change - reef;
    const double left = (double)change - (double)reef - risen,
                 size = fmax(fabs((double)change), fabs(risen));
    return fabs(left) <= size * 0x1p-23 ? 0.0f : (float)left;
}

typedef float cell_function(otok_place);

/* A row of a field. It is compiled once per field, with what that field needs. */
static inline __attribute__((always_inline)) void
fill_row(int needs, cell_function *cell, const source *s, int64_t y, float *restrict row)
{
    const int64_t nx = s->grid.nx, wide = nx + 2;
    const float *const *m = s->from->maps,
                       *h = needs & GROUND ? s->ground + (y + 1) * wide + 1 : NULL;
#define AT(field) m[field][y * nx + x]
    for (int64_t x = 0; x < nx; x++) {
        otok_place p = {
            .l = (float)s->grid.spacing, .g = s->gravity, .rough = s->rough, .now = s->now};
        if (needs & GROUND) p.h = (otok_cross){h[x], h[x - 1], h[x + 1], h[x - wide], h[x + wide]};
        if (needs & DEPTH) p.d = AT(OTOK_WATER);
        if (needs & VELOCITY) p.u = AT(OTOK_VELOCITY_X), p.w = AT(OTOK_VELOCITY_Y);
        if (needs & CHANGE)
            p.moved = moved(AT(OTOK_TERRAIN_CHANGE), m[OTOK_REEF] ? AT(OTOK_REEF) : 0,
                            m[OTOK_CHANGE_BY_UPLIFT] ? s->rise + (double)AT(OTOK_CHANGE_BY_UPLIFT)
                                                     : s->rise);
        if (needs & GROWN) p.reef = AT(OTOK_REEF), p.grew = AT(OTOK_REEF_TIME);
        if (needs & PEAK) p.deepest = AT(OTOK_MAX_DEPTH), p.peak = AT(OTOK_PEAK_LEVEL);
        if (needs & TIMES) p.arrived = AT(OTOK_ARRIVED), p.peaked = AT(OTOK_PEAKED);
        row[x] = cell ? cell(p) : OTOK_NAN;
    }
#undef AT
}

#define DERIVED(NAME, name, unit, sign, needs, cell, words)                                        \
    static void fill_##name(const source *s, int64_t y, float *row)                                \
    {                                                                                              \
        fill_row(needs, cell, s, y, row);                                                          \
    }
#define NONE NULL
#include "../core/fields.def"

static const struct row {
    int needs;
    cell_function *cell;
    void (*fill)(const source *s, int64_t y, float *row);
} rows[] = {
#define DERIVED(NAME, name, unit, sign, needs, cell, words) {needs, cell, fill_##name},
#include "../core/fields.def"
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static const struct map_need {
    int need, field, is_optional;
} map_needs[] = {{GROUND, OTOK_TERRAIN, 0},
                 {DEPTH, OTOK_WATER, 0},
                 {VELOCITY, OTOK_VELOCITY_X, 0},
                 {VELOCITY, OTOK_VELOCITY_Y, 0},
                 {CHANGE, OTOK_TERRAIN_CHANGE, 0},
                 {CHANGE, OTOK_REEF, 1},
                 {CHANGE, OTOK_CHANGE_BY_UPLIFT, 1},
                 {FLOW, OTOK_OUTFLOW_RIGHT, 0},
                 {FLOW, OTOK_OUTFLOW_TOP, 0},
                 {FLOW, OTOK_OUTFLOW_LEFT, 1},
                 {FLOW, OTOK_OUTFLOW_BOTTOM, 1},
                 {GROWN, OTOK_REEF, 0},
                 {GROWN, OTOK_REEF_TIME, 0},
                 {FLOW, OTOK_RECEIVER, 1},
                 {RIVERS, OTOK_RECEIVER, 0},
                 {PEAK, OTOK_MAX_DEPTH, 0},
                 {PEAK, OTOK_PEAK_LEVEL, 0},
                 {TIMES, OTOK_ARRIVED, 0},
                 {TIMES, OTOK_PEAKED, 0}};
enum { MAP_NEEDS = sizeof map_needs / sizeof map_needs[0] };

uint64_t otok_derived_reads(int i)
{
    uint64_t fields = 0;
    for (int k = 0; i >= 0 && i < ROWS && k < MAP_NEEDS; k++)
        if (rows[i].needs & map_needs[k].need) fields |= UINT64_C(1) << map_needs[k].field;
    return fields;
}

/* The phase that had this process last, in the order of iterations, or the first one that will. */
static const otok_phase *phase_with(uint64_t process, const otok_scenario *s, int64_t iteration)
{
    const otok_phase *found = NULL;
    for (otok_visit v = {0}; v.phase < s->nphases; otok_visit_next(&v, s))
        if ((s->phases[v.phase].processes & process) && (!found || v.begin < iteration))
            found = &s->phases[v.phase];
    return found;
}

/* What uplift has raised the ground by, without what the state has a map of [m]; NaN: unknown. */
static double rise_of(const otok_derived_from *from, const otok_scenario *s)
{
    const otok_rise rise = otok_scenario_rise(s, 0, from->iteration);
    return from->maps[OTOK_CHANGE_BY_UPLIFT] ? rise.alone : rise.in_part + rise.alone;
}

/* The key that makes a field which no process makes alone. */
static const char *key_for(int field)
{
    return field == OTOK_REEF_TIME    ? " (`reef: {age: true}`)"
           : field == OTOK_MAX_DEPTH  ? " (`maxima: {}`)"
           : field == OTOK_PEAK_LEVEL ? " (`maxima: {}`)"
           : field == OTOK_ARRIVED    ? " (`maxima: {times: true}`)"
           : field == OTOK_PEAKED     ? " (`maxima: {times: true}`)"
                                      : "";
}

static otok_status check_needs(int i, const otok_derived_from *from, const otok_scenario *s,
                               const otok_phase *phase)
{
    const char *name = otok_derived_at(i)->name;
    for (int k = 0; k < MAP_NEEDS; k++)
        if ((rows[i].needs & map_needs[k].need) && !map_needs[k].is_optional &&
            !from->maps[map_needs[k].field])
            return OTOK_FAIL(OTOK_DATA,
                             "%s needs %s, which this state lacks; its scenario has no process "
                             "that makes it%s, or `output.fields` leaves it out",
                             name, otok_field_at(map_needs[k].field)->name,
                             key_for(map_needs[k].field));
    if ((rows[i].needs & CHANGE) && isnan(rise_of(from, s)))
        return OTOK_FAIL(OTOK_DATA,
                         "%s needs what uplift moved, which is neither erosion nor deposition, and "
                         "the rate of uplift is a map; run it with `parts: true` in each phase "
                         "with uplift, and with change_by_uplift among `output.fields`",
                         name);
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

/* The ground as `source` has it. */
static float *ring_ground(const otok_derived_from *from, otok_grid g, const int *edges)
{
    const int64_t wide = g.nx + 2;
    float *out = malloc((size_t)(wide * (g.ny + 2)) * sizeof *out);
    if (!out) return NULL;
#pragma omp parallel for
    for (int64_t y = -1; y <= g.ny; y++)
        for (int64_t x = -1; x <= g.nx; x++) {
            const int64_t i = edges[OTOK_LEFT] == OTOK_PERIODIC ? (x + g.nx) % g.nx : x,
                          j = edges[OTOK_BOTTOM] == OTOK_PERIODIC ? (y + g.ny) % g.ny : y,
                          at = j * g.nx + i;
            const int is = i >= 0 && j >= 0 && i < g.nx && j < g.ny;
            out[(y + 1) * wide + x + 1] =
                is && !(from->walls && from->walls[at]) ? from->maps[OTOK_TERRAIN][at] : OTOK_NAN;
        }
    return out;
}

/* The cells of the maps, and its sides: a side wraps if the maps reach from one end to the other.
 */
typedef struct extent {
    otok_grid grid;
    int edges[OTOK_SIDES], is_whole;
} extent;

static extent extent_of(const otok_derived_from *from, const otok_scenario *s)
{
    extent e = {.grid = from->grid.nx ? from->grid : s->grid};
    const int same = e.grid.spacing == s->grid.spacing, wide = same && e.grid.nx == s->grid.nx,
              high = same && e.grid.ny == s->grid.ny;
    e.is_whole = wide && high;
    for (int side = 0; side < OTOK_SIDES; side++) {
        const int reaches = side == OTOK_LEFT || side == OTOK_RIGHT ? wide : high;
        e.edges[side] = s->edges[side] == OTOK_PERIODIC && !reaches ? OTOK_CLOSED : s->edges[side];
    }
    return e;
}

static otok_status check_extent(int i, const otok_derived_from *from, const otok_scenario *s)
{
    const otok_grid g = from->grid;
    if (!g.nx && !g.ny) return OTOK_OK;
    if (g.nx < 1 || g.ny < 1 || !(g.spacing > 0) || isinf(g.spacing))
        return OTOK_FAIL(OTOK_USAGE, "a grid of %lld x %lld cells of %g m", (long long)g.nx,
                         (long long)g.ny, g.spacing);
    if (!rows[i].cell && !extent_of(from, s).is_whole)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: the maps are %lld x %lld cells of %.9g m, those of the run %lld x "
                         "%lld of %.9g m, and what flows into a part is unknown; derive it from "
                         "the whole, and take the part of the result",
                         otok_derived_at(i)->name, (long long)g.nx, (long long)g.ny, g.spacing,
                         (long long)s->grid.nx, (long long)s->grid.ny, s->grid.spacing);
    return OTOK_OK;
}

static otok_status fill(const struct row *row, const otok_derived_from *from,
                        const otok_scenario *scenario, const otok_phase *phase, float *map)
{
    const extent within = extent_of(from, scenario);
    const otok_grid g = within.grid;
    const double n = phase ? phase->hydraulic.manning : 0,
                 gravity = phase ? phase->hydraulic.gravity : 0;
    source s = {.from = from,
                .grid = g,
                .now = otok_scenario_moment(scenario, from->iteration).time,
                .rise = row->needs & CHANGE ? rise_of(from, scenario) : 0,
                .gravity = (float)gravity,
                .rough = (float)(1000 * gravity * n * n)};
    if (row->needs & GROUND && !(s.ground = ring_ground(from, g, within.edges)))
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a derived field");
#pragma omp parallel for
    for (int64_t y = 0; y < g.ny; y++)
        row->fill(&s, y, map + y * g.nx);
    free(s.ground);
    return OTOK_OK;
}

otok_status otok_derive_in(int i, const otok_derived_from *from, const otok_scenario *s, float *map)
{
    const otok_phase *phase = phase_with(OTOK_HYDRAULIC, s, from->iteration),
                     *cuts = phase_with(OTOK_INCISION, s, from->iteration);
    const int rivers = rows[i].needs & (FLOW | RIVERS) && from->maps[OTOK_RECEIVER];
    if (!rivers || rows[i].needs & RIVERS) OTOK_TRY(check_needs(i, from, s, phase));
    OTOK_TRY(check_extent(i, from, s));
    if (!map) return OTOK_OK;
    if (rows[i].cell)
        OTOK_TRY(fill(&rows[i], from, s, phase, map));
    else if (rivers)
        OTOK_TRY(otok_rivers_derive(from, s->grid, i, cuts,
                                    otok_scenario_moment(s, from->iteration).sea_level, map));
    else
        OTOK_TRY(otok_drainage(from, s->grid, s->edges, otok_pipes_after(s, from->iteration), map));
    const otok_grid g = extent_of(from, s).grid;
    for (int64_t n = 0; from->walls && n < g.nx * g.ny; n++)
        if (from->walls[n]) map[n] = OTOK_NAN;
    return OTOK_OK;
}

otok_status otok_derive(int i, const otok_derived_from *from, float *map)
{
    OTOK_TRY(OTOK_GIVEN(from));
    OTOK_ROUNDING;
    otok_scenario *scenario = NULL, *now = NULL;
    otok_set unused;
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
