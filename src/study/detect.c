/* detect.c: the reduction of the cells of model/detect.h to one look, from maps on the host. */
#include "detect.h"

#include "../core/scenario.h"
#include "../core/status.h"
#include "../model/detect.h"
#include "../model/fixed.h"

#include <math.h>
#include <stdlib.h>

const otok_sample_info otok_sample_infos[OTOK_SAMPLE_SIZE] = {
    {"iteration", "1", "iterations done at the look"},
    {"time", "s", "simulated time of the look"},
    {"not_finite", "1", "values that are not finite, in all fields"},
    {"wet", "1", "wet cells"},
    {"limited", "1", "share of cells wet at the look or an iteration before whose outflow the limiter cut"},
    {"fast", "1", "share of wet cells whose speed is at its bound of a cell an iteration"},
    {"depth", "m", "mean depth of wet cells"},
    {"roughness", "m", "mean height of the water surface above or below its neighbours, that of the ground taken off"},
    {"flips", "m", "mean change of the depth of wet cells in the last iteration"},
    {"checkerboard", "m", "amplitude of the checkerboard in the water surface"},
    {"stripes", "m", "amplitude of stripes one cell wide in the water surface, the stronger direction"},
    {"extrema", "1", "strict extrema of the ground"},
    {"new_extrema", "1", "cells that are strict extrema of the ground and were none at the look before"},
    {"ground_roughness", "m", "mean height of the ground above or below its neighbours"},
    {"change", "m", "largest change of the ground since the look before"},
    {"relief", "m", "highest minus lowest ground"},
    {"highest", "m", "largest absolute height of the ground or depth of the water"},
    {"water_error", "1", "water that the ledger cannot explain, as a share of what there was and came"},
    {"solid_error", "1", "solids that the ledger cannot explain, as a share of what there was"},
    {"leak", "1", "water set from below zero to zero, as a share of what there was and came"},
    {"drift", "1", "sediment that transport made or lost, as a share of the most that moved"},
};

typedef struct look {
    const otok_detector *detector;
    int nx, ny;
    const int *edges;
    int water, is_signed; /* does the phase move water */
    otok_detect_coefficients k;
} look;

/* Sums of metres, in integers. */
static void add(otok_sum *sum, float value)
{
    const otok_fixed f = otok_fixed_from(value);
    sum->hi += f.hi;
    sum->lo += f.lo;
}

static double metres(otok_sum sum)
{
    return otok_fixed_value(sum.hi, sum.lo);
}

/* Index of the neighbour at (i, j): over a periodic side its other end, over another the cell at the side. */
static size_t at(const look *l, int i, int j)
{
    if (i < 0) i = l->edges[OTOK_LEFT] == OTOK_PERIODIC ? l->nx - 1 : 0;
    if (i >= l->nx) i = l->edges[OTOK_LEFT] == OTOK_PERIODIC ? 0 : l->nx - 1;
    if (j < 0) j = l->edges[OTOK_BOTTOM] == OTOK_PERIODIC ? l->ny - 1 : 0;
    if (j >= l->ny) j = l->edges[OTOK_BOTTOM] == OTOK_PERIODIC ? 0 : l->ny - 1;
    return (size_t)j * (size_t)l->nx + (size_t)i;
}

/* Is there a cell beyond the side of (i, j)? */
static int inside(const look *l, int i, int j)
{
    const int x = (i >= 0 && i < l->nx) || l->edges[OTOK_LEFT] == OTOK_PERIODIC;
    return x && ((j >= 0 && j < l->ny) || l->edges[OTOK_BOTTOM] == OTOK_PERIODIC);
}

static otok_cross cross(const look *l, const float *map, int i, int j)
{
    return (otok_cross){.here = map[at(l, i, j)],
                        .left = map[at(l, i - 1, j)],
                        .right = map[at(l, i + 1, j)],
                        .bottom = map[at(l, i, j - 1)],
                        .top = map[at(l, i, j + 1)]};
}

static float flow(const look *l, int field, int i, int j)
{
    const float *map = l->detector->maps[field];
    return map && inside(l, i, j) ? map[at(l, i, j)] : 0.0f;
}

/* What comes in and goes out [m^3/s]. Signed pipes have one flow a side, one-way ones two. */
static void faces(const look *l, int i, int j, float *in, float *out)
{
    const float sides[4] = {
        flow(l, OTOK_OUTFLOW_RIGHT, i, j),
        flow(l, OTOK_OUTFLOW_TOP, i, j),
        -flow(l, OTOK_OUTFLOW_RIGHT, i - 1, j) + (i == 0 ? flow(l, OTOK_OUTFLOW_LEFT, i, j) : 0.0f),
        -flow(l, OTOK_OUTFLOW_TOP, i, j - 1) + (j == 0 ? flow(l, OTOK_OUTFLOW_BOTTOM, i, j) : 0.0f),
    };
    *in = *out = 0.0f;
    if (l->is_signed) {
        for (int s = 0; s < 4; s++) {
            *out += otok_positive(sides[s]);
            *in += otok_positive(-sides[s]);
        }
        return;
    }
    *out = flow(l, OTOK_OUTFLOW_LEFT, i, j) + flow(l, OTOK_OUTFLOW_RIGHT, i, j) + flow(l, OTOK_OUTFLOW_BOTTOM, i, j) +
           flow(l, OTOK_OUTFLOW_TOP, i, j);
    *in = flow(l, OTOK_OUTFLOW_RIGHT, i - 1, j) + flow(l, OTOK_OUTFLOW_LEFT, i + 1, j) + flow(l, OTOK_OUTFLOW_TOP, i, j - 1) +
          flow(l, OTOK_OUTFLOW_BOTTOM, i, j + 1);
}

static int extremum(const look *l, const float *map, int i, int j)
{
    float lowest = INFINITY, highest = -INFINITY;
    for (int y = j - 1; y <= j + 1; y++)
        for (int x = i - 1; x <= i + 1; x++) {
            if ((x == i && y == j) || !inside(l, x, y)) continue;
            const float h = map[at(l, x, y)];
            lowest = h < lowest ? h : lowest;
            highest = h > highest ? h : highest;
        }
    return lowest <= highest && otok_is_extremum(map[at(l, i, j)], lowest, highest);
}

typedef struct found {
    int64_t wet, watered, limited, fast, extrema, new_extrema;
    otok_sum depth, rough, flips, checker, stripes_x, stripes_y, ground_rough;
    float roughest, change, low, high, most;
} found;

static void ground_cell(const look *l, found *f, otok_suspects *where, int i, int j)
{
    const otok_detector *d = l->detector;
    const size_t n = at(l, i, j);
    const float h = d->ground[n], change = fabsf(h - d->before[n]);
    if (extremum(l, d->ground, i, j)) {
        f->extrema++;
        f->new_extrema += !extremum(l, d->before, i, j);
    }
    add(&f->ground_rough, fabsf(otok_rough(cross(l, d->ground, i, j))));
    if (change > f->change) {
        f->change = change;
        where->changed = (int64_t)n;
    }
    f->low = h < f->low ? h : f->low;
    f->high = h > f->high ? h : f->high;
    f->most = fabsf(h) > f->most ? fabsf(h) : f->most;
}

static void surface_cell(const look *l, found *f, otok_suspects *where, int i, int j)
{
    const otok_detector *d = l->detector;
    const size_t n = at(l, i, j);
    const otok_cross h = cross(l, d->ground, i, j), water = cross(l, d->maps[OTOK_WATER], i, j);
    const otok_cross eta = {.here = h.here + water.here,
                            .left = h.left + water.left,
                            .right = h.right + water.right,
                            .bottom = h.bottom + water.bottom,
                            .top = h.top + water.top};
    const float r = otok_rough(eta), rougher = otok_rougher(r, otok_rough(h));
    add(&f->rough, rougher);
    add(&f->flips, fabsf(water.here - d->water_before[n]));
    add(&f->checker, (i + j) & 1 ? -r : r);
    add(&f->stripes_x, i & 1 ? -r : r);
    add(&f->stripes_y, j & 1 ? -r : r);
    if (rougher > f->roughest) {
        f->roughest = rougher;
        where->rough = (int64_t)n;
    }
}

static void water_cell(const look *l, found *f, otok_suspects *where, int i, int j)
{
    const otok_detector *d = l->detector;
    const size_t n = at(l, i, j);
    const float depth = d->maps[OTOK_WATER][n];
    const int wet = depth > l->k.dry;
    float in, out;
    f->most = depth > f->most ? depth : f->most;
    f->wet += wet;
    if (wet) add(&f->depth, depth);
    if (!l->water) return;
    faces(l, i, j, &in, &out);
    if (wet || d->water_before[n] > l->k.dry) {
        f->watered++;
        f->limited += otok_is_limited(depth, in, out, l->k);
    }
    if (!wet) return;
    if (otok_is_fast(d->maps[OTOK_VELOCITY_X][n], d->maps[OTOK_VELOCITY_Y][n], l->k) && !f->fast++) where->fast = (int64_t)n;
    surface_cell(l, f, where, i, j);
}

/* The first cell with a value that is not finite. */
static int64_t first_bad(const otok_detector *d, size_t cells)
{
    for (size_t n = 0; n < cells; n++) {
        if (!(fabsf(d->ground[n]) < INFINITY)) return (int64_t)n;
        for (int f = 0; f < OTOK_STORED; f++)
            if (d->maps[f] && !(fabsf(d->maps[f][n]) < INFINITY)) return (int64_t)n;
    }
    return -1;
}

/* The phase of the iteration that was done last. */
static void of_phase(look *l)
{
    const otok_sim *sim = l->detector->sim;
    const otok_scenario *s = sim->scenario;
    const int64_t last = sim->iteration > 0 ? sim->iteration - 1 : 0;
    const int p = otok_scenario_moment(s, last).phase;
    l->k.dry = 0;
    if (p >= s->nphases || !(s->phases[p].processes & OTOK_HYDRAULIC)) return;
    const otok_hydraulic *h = &s->phases[p].hydraulic;
    const double length = s->grid.spacing;
    l->water = 1;
    l->is_signed = h->pipes == OTOK_SIGNED;
    l->k.arrived = (float)(h->dt / (length * length) * (1.0 - h->evaporation * h->dt) * (1.0 + 0x1p-14));
    l->k.fast = (float)(0.999 * length / h->dt);
    l->k.dry = (float)h->dry_depth;
}

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static void books(otok_detector *d, otok_sample *out, const otok_ledger *ledger)
{
    const otok_grid g = d->sim->scenario->grid;
    const double water = ledger->water_start + ledger->rain + ledger->rivers;
    const double area = g.spacing * g.spacing * (double)g.nx * (double)g.ny, moved = ledger->suspended + ledger->sediment_out;
    d->moved = moved > d->moved ? moved : d->moved;
    out->not_finite = (double)ledger->not_finite;
    out->water_error = share(ledger->water_error, water);
    out->leak = share(ledger->water_clamped, water);
    out->solid_error = ledger->solid_error / fmax(fabs(ledger->solid_start), area); /* at least a metre everywhere */
    out->drift = share(ledger->drift + ledger->diffused, d->moved);
}

static otok_status fetch(otok_detector *d)
{
    OTOK_TRY(otok_sim_get(d->sim, OTOK_TERRAIN, d->ground));
    for (int f = 0; f < OTOK_STORED; f++)
        if (d->maps[f]) OTOK_TRY(otok_sim_get(d->sim, (otok_field)f, d->maps[f]));
    return OTOK_OK;
}

otok_status otok_detector_advance(otok_detector *d, int64_t n, otok_sample *out, otok_suspects *where, otok_ledger *ledger,
                                  uint64_t *fingerprint)
{
    const otok_scenario *s = d->sim->scenario;
    look l = {.detector = d, .nx = (int)s->grid.nx, .ny = (int)s->grid.ny, .edges = d->sim->patch.edges};
    found f = {.low = INFINITY, .high = -INFINITY};
    *where = (otok_suspects){-1, -1, -1, -1};
    OTOK_TRY(otok_sim_run(d->sim, n - 1));
    if (d->maps[OTOK_WATER]) OTOK_TRY(otok_sim_get(d->sim, OTOK_WATER, d->water_before));
    OTOK_TRY(otok_sim_run(d->sim, 1));
    of_phase(&l);
    *out = (otok_sample){.iteration = (double)d->sim->iteration, .time = otok_sim_time(d->sim)};
    OTOK_TRY(fetch(d));
    OTOK_TRY(otok_sim_measure(d->sim, ledger, fingerprint));
    for (int j = 0; j < l.ny; j++)
        for (int i = 0; i < l.nx; i++) {
            ground_cell(&l, &f, where, i, j);
            if (d->maps[OTOK_WATER]) water_cell(&l, &f, where, i, j);
        }
    books(d, out, ledger);
    if (ledger->not_finite) where->not_finite = first_bad(d, (size_t)l.nx * (size_t)l.ny);
    out->wet = (double)f.wet;
    out->limited = share((double)f.limited, (double)f.watered);
    out->fast = share((double)f.fast, out->wet);
    out->depth = share(metres(f.depth), out->wet);
    out->roughness = share(metres(f.rough), out->wet);
    out->flips = share(metres(f.flips), out->wet);
    out->checkerboard = share(fabs(metres(f.checker)) / 2, out->wet);
    out->stripes = share(fmax(fabs(metres(f.stripes_x)), fabs(metres(f.stripes_y))), out->wet);
    out->extrema = (double)f.extrema;
    out->new_extrema = (double)f.new_extrema;
    out->ground_roughness = metres(f.ground_rough) / ((double)l.nx * (double)l.ny);
    out->change = (double)f.change;
    out->relief = (double)f.high - (double)f.low;
    out->highest = (double)f.most;
    float *swap = d->before;
    d->before = d->ground;
    d->ground = swap;
    return OTOK_OK;
}

/* Of the state before the first look. */
static double ground_roughness(const otok_detector *d)
{
    const otok_scenario *s = d->sim->scenario;
    const look l = {.detector = d, .nx = (int)s->grid.nx, .ny = (int)s->grid.ny, .edges = d->sim->patch.edges};
    otok_sum sum = {0, 0};
    for (int j = 0; j < l.ny; j++)
        for (int i = 0; i < l.nx; i++)
            add(&sum, fabsf(otok_rough(cross(&l, d->before, i, j))));
    return metres(sum) / ((double)l.nx * (double)l.ny);
}

otok_status otok_detector_create(otok_detector *out, otok_sim *sim)
{
    const size_t cells = (size_t)sim->scenario->grid.nx * (size_t)sim->scenario->grid.ny;
    static const int read[] = {OTOK_WATER,       OTOK_SEDIMENT,   OTOK_OUTFLOW_LEFT, OTOK_OUTFLOW_RIGHT, OTOK_OUTFLOW_BOTTOM,
                               OTOK_OUTFLOW_TOP, OTOK_VELOCITY_X, OTOK_VELOCITY_Y,   OTOK_CARBON};
    *out = (otok_detector){.sim = sim};
    int complete = (out->ground = malloc(cells * sizeof(float))) && (out->before = malloc(cells * sizeof(float))) &&
                   (out->water_before = malloc(cells * sizeof(float)));
    for (size_t n = 0; n < sizeof read / sizeof read[0]; n++)
        if (otok_sim_has(sim, (otok_field)read[n])) complete &= (out->maps[read[n]] = malloc(cells * sizeof(float))) != NULL;
    const otok_status status =
        complete ? otok_sim_get(sim, OTOK_TERRAIN, out->before) : OTOK_FAIL(OTOK_NOMEM, "no memory for the detectors of a member");
    if (status == OTOK_OK)
        out->rough_start = ground_roughness(out);
    else
        otok_detector_destroy(out);
    return status;
}

void otok_detector_destroy(otok_detector *d)
{
    for (int f = 0; f < OTOK_STORED; f++)
        free(d->maps[f]);
    free(d->ground);
    free(d->before);
    free(d->water_before);
    *d = (otok_detector){0};
}
