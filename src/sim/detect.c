/* detect.c: turns diagnostics into samples, and computes the diagnostics of maps on the host. */
#include "detect.h"
#include "../core/diagnostics_rows.h"

#include "../core/status.h"
#include "../scenario/program.h"
#include "../scenario/scenario.h"

#include <math.h>
#include <stdlib.h>

const otok_sample_info otok_sample_infos[OTOK_SAMPLE_SIZE] = {
#define OTOK_SAMPLE(name, ...) {#name, __VA_ARGS__},
#include "../core/sample.def"
};

static double metres(const otok_diagnostics *diagnostics, int sum)
{
    return otok_fixed_value(diagnostics->sums[sum], diagnostics->sums[sum + 1]);
}

/* The phase of the last finished iteration; NULL: no iteration is finished. */
static const otok_phase *last_phase(const otok_sim *sim)
{
    const otok_scenario *s = sim->scenario;
    const int p = otok_scenario_moment_from(s, &sim->visit, sim->iteration - 1).phase;
    return p < s->nphases ? &s->phases[p] : NULL;
}

/* The last step of its water [s]. Before the first one: the finest, which nothing exceeds. */
static double water_step(const otok_sim *sim, const otok_phase *phase)
{
    if (!otok_phase_has_courant(phase)) return phase->hydraulic.dt;
    return sim->water_dt > 0 ? sim->water_dt : phase->hydraulic.dt / OTOK_FINEST_STEPS;
}

void otok_diagnostics_prepare(otok_diagnostics_maps *out, const otok_sim *sim)
{
    const otok_scenario *s = sim->scenario;
    const otok_phase *phase = last_phase(sim);
    *out = (otok_diagnostics_maps){.nx = (int)s->grid.nx, .ny = (int)s->grid.ny};
    out->wrap_x = s->edges[OTOK_LEFT] == OTOK_PERIODIC;
    out->wrap_y = s->edges[OTOK_BOTTOM] == OTOK_PERIODIC;
    const double length = s->grid.spacing;
    out->k.tall = (float)(OTOK_PEAK * length);
    if (!phase || !(phase->processes & OTOK_HYDRAULIC)) return;
    const otok_hydraulic *h = &phase->hydraulic;
    const double dt = water_step(sim, phase), pull = 4 * dt * dt * h->gravity / (length * length);
    out->flows = 1;
    out->is_signed = h->pipes == OTOK_SIGNED;
    out->has_speeds = h->law == OTOK_LAW_SHALLOW_WATER;
    if (out->has_speeds)
        out->k.wave = (float)((s->grid.nx == 1 || s->grid.ny == 1 ? 1 : 2) * h->gravity);
    out->k.arrived =
        (float)(dt / (length * length) * (1.0 - h->evaporation * dt) * (1.0 + 0x1p-14));
    out->k.fast = (float)(0.999 * length / dt);
    out->k.dry = (float)h->dry_depth;
    out->k.flip = (float)OTOK_CHATTER;
    out->k.steep = (float)OTOK_STEEP;
    out->k.crossed = (float)(length / dt);
    if (h->area != OTOK_AREA_DEPTH)
        out->k.pull = (float)(pull * h->pipe_area / length);
    else
        out->k.pull_deep = (float)pull;
    if (h->area == OTOK_AREA_DEPTH && h->pipes == OTOK_SIGNED && h->manning != 0 &&
        !out->has_speeds)
        out->k.gravity = (float)h->gravity;
}

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

double otok_water_came(const otok_ledger *l)
{
    return l->water_start + l->rain + fmax(0, l->rivers) + l->water_entered +
           fmax(0, l->water_booked);
}

static void fill_ledger_values(otok_sample *out, const otok_sim *sim, const otok_ledger *ledger,
                               double *most_moved)
{
    const otok_grid g = sim->scenario->grid;
    const double water = otok_water_came(ledger);
    const double area = g.spacing * g.spacing * (double)otok_sim_open_cells(sim),
                 moved = ledger->suspended + ledger->sediment_out;
    *most_moved = moved > *most_moved ? moved : *most_moved;
    out->not_finite = (double)ledger->not_finite;
    out->water_error = share_of(ledger->water_error, water);
    out->leak = share_of(ledger->water_clamped, water);
    out->solid_error = ledger->solid_error / fmax(fabs(ledger->solid_start),
                                                  area); /* at least a metre of solid everywhere */
    out->drift = share_of(ledger->drift + ledger->diffused, *most_moved);
}

/* A largest value that is above 0. */
static double most_of(const otok_diagnostics *diagnostics, int which)
{
    return (double)otok_from_bits((uint32_t)(diagnostics->most[which] >> 32));
}

static double roughness(const otok_diagnostics *diagnostics, const otok_sim *sim)
{
    return metres(diagnostics, OTOK_DIAGNOSTICS_GROUND_ROUGH) / (double)otok_sim_open_cells(sim);
}

/* Half a unit in the last place of a height [m]. */
static double half_digit(double height)
{
    return isfinite(height) ? ldexp(1, ilogb(fmax(height, 1)) - 24) : INFINITY;
}

static void note_lost(otok_lost *worst, otok_lost_kind kind, double by, double of, double bound)
{
    const otok_lost lost = {kind, by, of, bound > 0 ? fabs(by) / bound : 0};
    if (lost.times > worst->times) *worst = lost;
}

/* A pump takes less than its discharge where water is short; levels, ratings and slopes have none.
 */
static int has_pumps(const otok_scenario *s)
{
    int some = 0;
    for (int p = 0; p < s->nphases; p++)
        for (int r = 0; r < s->phases[p].nrivers; r++)
            some |= otok_river_pumps(&s->phases[p].rivers[r]);
    return some;
}

/* Under displace_water the depth counts sediment with the water, so that what erosion adds stays in
   suspension, leaves or drifts. What is laid down where less water is left takes none away: the
   rest was made. A sea takes sediment and fills its place. Slides leave with what water carries. */
static double made_of(const otok_sim *sim, const otok_ledger *l)
{
    for (int p = 0; p < sim->root->nphases; p++) {
        const otok_phase *phase = &sim->root->phases[p];
        if (phase->processes & OTOK_HYDRAULIC &&
            (!phase->hydraulic.displace_water || phase->hydraulic.sea != OTOK_SEA_IGNORED))
            return 0;
    }
    return fmax(0, l->displaced + l->drift + l->diffused - l->suspended - fmax(0, l->sediment_out));
}

/* What the ledger books as lost. A change may be twice as high as the ground. What rises by whole
   digits may be one behind in each cell. `carried`: the most sediment that was in water or left. */
static otok_lost lost_of(const otok_sim *sim, const otok_ledger *l, double carried, double depth,
                         double height)
{
    const double spacing = sim->scenario->grid.spacing, area = spacing * spacing,
                 cells = (double)otok_sim_open_cells(sim), updates = cells * (double)sim->iteration,
                 wet = sim->springs.cells ? (double)sim->springs.cells : cells,
                 ground = half_digit(2 * height) * area, water = half_digit(depth) * area,
                 walk = OTOK_LOST_WALK * sqrt(updates),
                 rivers = OTOK_LOST_WALK * sqrt(wet * (double)sim->iteration),
                 came = otok_water_came(l);
    otok_lost worst = {0};
    if (!sim->moves_unknown)
        note_lost(&worst, OTOK_LOST_GROUND, l->ground_rounded, l->ground_moved,
                  fmax(walk * ground, fmin(updates * ground, OTOK_LOST_SHARE * l->ground_moved)));
    if (carried > 0)
        note_lost(&worst, OTOK_LOST_SEDIMENT, l->solid_error, carried,
                  fmax(walk * ground, fmin(updates * ground, OTOK_LOST_SHARE * carried)));
    note_lost(&worst, OTOK_LOST_RAIN, l->rain - l->rain_nominal, l->rain_nominal,
              fmax(walk * water, OTOK_LOST_SHARE * l->rain_nominal));
    if (!has_pumps(sim->root))
        note_lost(&worst, OTOK_LOST_RIVERS, l->rivers - l->rivers_nominal, l->rivers_nominal,
                  fmax(rivers * water, OTOK_LOST_SHARE * l->rivers_nominal));
    note_lost(&worst, OTOK_LOST_UPLIFT, l->uplift - l->uplift_nominal, l->uplift_nominal,
              fmax((walk + 2 * cells) * ground, OTOK_LOST_SHARE * fabs(l->uplift_nominal)));
    note_lost(&worst, OTOK_LOST_DISPLACED, made_of(sim, l), came,
              fmax(walk * water, OTOK_LOST_SHARE * came));
    return worst;
}

otok_lost otok_unbooked(const otok_sim *sim, const otok_ledger *l, otok_lost_kind known)
{
    otok_sample shares;
    double unused = 0;
    fill_ledger_values(&shares, sim, l, &unused);
    if (known == OTOK_LOST_SEDIMENT || (!known && fabs(shares.solid_error) > OTOK_LOST))
        return (otok_lost){OTOK_UNBOOKED_SOLID, l->solid_error, l->solid, 0};
    if (!known && fabs(shares.water_error) > OTOK_LOST)
        return (otok_lost){OTOK_UNBOOKED_WATER, l->water_error, l->water, 0};
    return (otok_lost){0};
}

static otok_suspects suspects_of(const otok_diagnostics *diagnostics, const otok_sim *sim,
                                 const otok_ledger *ledger)
{
    const uint64_t *most = diagnostics->most;
    const otok_phase *phase = last_phase(sim);
    otok_suspects where = {
        .not_finite =
            ledger->not_finite ? otok_diagnostics_cell(most[OTOK_DIAGNOSTICS_NOT_FINITE]) : -1,
        .fast = otok_diagnostics_cell(most[OTOK_DIAGNOSTICS_FASTEST]),
        .rough = otok_diagnostics_cell(most[OTOK_DIAGNOSTICS_ROUGHEST]),
        .changed = otok_diagnostics_cell(most[OTOK_DIAGNOSTICS_CHANGED]),
        .deepest = otok_diagnostics_cell(most[OTOK_DIAGNOSTICS_DEEPEST]),
        .flipped = otok_diagnostics_cell(most[OTOK_DIAGNOSTICS_FLIPPED]),
        .rolled = otok_diagnostics_cell(most[OTOK_DIAGNOSTICS_ROLLED]),
        .prominent = otok_diagnostics_cell(most[OTOK_DIAGNOSTICS_PROMINENT]),
        .fast_cells = diagnostics->sums[OTOK_DIAGNOSTICS_FAST],
        .rolling_cells = diagnostics->sums[OTOK_DIAGNOSTICS_ROLLS],
        .depth = most_of(diagnostics, OTOK_DIAGNOSTICS_DEEPEST)};
    if (!phase || !(phase->processes & OTOK_HYDRAULIC)) return where;
    if (phase->hydraulic.sea != OTOK_SEA_IGNORED) return where; /* it is held: no wave runs */
    otok_hydraulic h = phase->hydraulic;
    h.dt = water_step(sim, phase);
    where.depth_limit = otok_depth_limit(&h, sim->scenario->grid);
    return where;
}

void otok_diagnostics_sample(otok_sample *out, otok_suspects *where, const otok_sim *sim,
                             const otok_diagnostics *diagnostics, const otok_ledger *ledger,
                             double *moved)
{
    const uint64_t *most = diagnostics->most;
    const float low = most[OTOK_DIAGNOSTICS_LOWEST]
                          ? -otok_diagnostics_value((uint32_t)most[OTOK_DIAGNOSTICS_LOWEST])
                          : INFINITY;
    const float high = most[OTOK_DIAGNOSTICS_HIGHEST]
                           ? otok_diagnostics_value((uint32_t)most[OTOK_DIAGNOSTICS_HIGHEST])
                           : -INFINITY;
    *out = (otok_sample){.iteration = (double)sim->iteration, .time = otok_sim_time(sim)};
    *where = suspects_of(diagnostics, sim, ledger);
    fill_ledger_values(out, sim, ledger, moved);
    out->wet = (double)diagnostics->sums[OTOK_DIAGNOSTICS_WET];
    out->limited = share_of((double)diagnostics->sums[OTOK_DIAGNOSTICS_LIMITED],
                            (double)diagnostics->sums[OTOK_DIAGNOSTICS_WATERED]);
    out->fast = share_of((double)diagnostics->sums[OTOK_DIAGNOSTICS_FAST], out->wet);
    const double depth = metres(diagnostics, OTOK_DIAGNOSTICS_DEPTH),
                 beyond = metres(diagnostics, OTOK_DIAGNOSTICS_BEYOND);
    out->depth = share_of(depth, out->wet);
    out->roughness = share_of(metres(diagnostics, OTOK_DIAGNOSTICS_ROUGH), out->wet);
    out->flips = share_of(metres(diagnostics, OTOK_DIAGNOSTICS_FLIPS), out->wet);
    out->chatter = (double)diagnostics->sums[OTOK_DIAGNOSTICS_CHATTERS];
    out->beyond = share_of(beyond, depth);
    out->rolling = share_of(metres(diagnostics, OTOK_DIAGNOSTICS_ROLLING), beyond);
    out->peaks = (double)diagnostics->sums[OTOK_DIAGNOSTICS_PEAKS];
    out->prominence = most_of(diagnostics, OTOK_DIAGNOSTICS_PROMINENT);
    out->ground_roughness = roughness(diagnostics, sim);
    out->change = most_of(diagnostics, OTOK_DIAGNOSTICS_CHANGED);
    out->relief = (double)high - (double)low;
    out->highest = fmax((double)otok_from_bits((uint32_t)most[OTOK_DIAGNOSTICS_LARGEST]),
                        most_of(diagnostics, OTOK_DIAGNOSTICS_DEEPEST));
    where->lost = lost_of(sim, ledger, *moved, where->depth, out->highest);
}

/* What water the phases have: bits. */
static int waters(const otok_scenario *s)
{
    int has = 0;
    for (int p = 0; p < s->nphases; p++) {
        const otok_phase *phase = &s->phases[p];
        if (!(phase->processes & OTOK_HYDRAULIC)) continue;
        if (phase->hydraulic.area == OTOK_AREA_CONSTANT) has |= OTOK_WATER_PLAIN;
        if (phase->hydraulic.manning > 0) has |= OTOK_WATER_FRICTION;
        if (otok_phase_has_courant(phase)) has |= OTOK_WATER_COURANT;
    }
    return has;
}

static double audits(const otok_scenario *s)
{
    static const struct {
        int bit, moves;
    } all[] = {{OTOK_HYDRAULIC, OTOK_MOVES_WATER},  {OTOK_THERMAL, OTOK_MOVES_SLIDES},
               {OTOK_REEF_GROWTH, OTOK_MOVES_REEF}, {OTOK_WIND, OTOK_MOVES_WIND},
               {OTOK_INCISION, OTOK_MOVES_RIVERS},  {OTOK_DROPLETS, OTOK_MOVES_DROPLETS}};
    int movers = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        movers |= otok_scenario_has(s, all[i].bit) ? all[i].moves : 0;
    return s->audit.n > 0 ? 1 + otok_scenario_has(s, OTOK_INCISION) + 2 * (s->nresponses > 0) +
                                OTOK_UNCOMPARED * movers
                          : 0;
}

otok_judge otok_judge_begin(const otok_sim *sim, const otok_diagnostics *diagnostics, double slow)
{
    const otok_grid g = sim->scenario->grid;
    const char *name;
    return (otok_judge){
        .since = sim->iteration,
        .last = sim->iteration,
        .spacing = g.spacing,
        .cells = (double)otok_sim_open_cells(sim),
        .until = (double)sim->end,
        .rough_start = roughness(diagnostics, sim),
        .slow = slow,
        .broken = fmax(slow, sim->root->audit.n ? otok_predict_step(&name, sim->root) : 0),
        .water = waters(sim->root),
        .audits = audits(sim->root),
        .acts = {[OTOK_ACT_SWEEPS] = otok_scenario_swept(sim->root) > 0},
        .prominence_start = most_of(diagnostics, OTOK_DIAGNOSTICS_PROMINENT),
        .peaks_start = (double)diagnostics->sums[OTOK_DIAGNOSTICS_PEAKS]};
}

/* ---- from maps on the host ---- */

static otok_status fetch_and_diagnose(otok_detector *d, otok_diagnostics_result *found)
{
    const otok_grid g = d->sim->scenario->grid;
    otok_view view = {.nx = (int)g.nx, .ny = (int)g.ny, .pitch = (ptrdiff_t)g.nx};
    otok_diagnostics_maps m;
    const float *all[OTOK_STORED];
    int n = 0;
    *found = (otok_diagnostics_result){0};
    for (int f = 0; f < OTOK_STORED; f++) {
        view.at[f] = d->maps[f];
        if (!d->maps[f]) continue;
        OTOK_TRY(d->sim->backend->get(&d->sim->patch, f, d->maps[f]));
        all[n++] = d->maps[f];
    }
    view.at[OTOK_WALLS] = d->walls;
    otok_diagnostics_prepare(&m, d->sim);
    otok_diagnostics_point(&m, &view);
    m.water_before = d->water_before;
    m.before = d->before;
    otok_diagnostics_rows(found, &m, all, n, d->room);
    return otok_sim_sums(d->sim, found->sums);
}

otok_status otok_detector_advance(otok_detector *d, int64_t n, otok_sample *out,
                                  otok_suspects *where, otok_ledger *ledger)
{
    otok_diagnostics_result found;
    OTOK_TRY(otok_audit_run(d->audit, &d->judge, n - 1));
    if (d->maps[OTOK_WATER]) OTOK_TRY(otok_sim_get(d->sim, OTOK_WATER, d->water_before));
    OTOK_TRY(otok_audit_run(d->audit, &d->judge, 1));
    OTOK_TRY(fetch_and_diagnose(d, &found));
    otok_sim_balance(d->sim, &found, ledger);
    otok_diagnostics_sample(out, where, d->sim, &found.diagnostics, ledger, &d->judge.moved);
    return OTOK_OK;
}

otok_status otok_detector_create(otok_detector *out, otok_sim *sim, otok_audit *audit, double slow)
{
    const size_t cells = otok_sim_cells(sim),
                 row = otok_diagnostics_room((int)sim->scenario->grid.nx);
    const uint64_t fields = sim->fields & (BIT(OTOK_STORED) - 1) & ~BIT(OTOK_WETNESS);
    otok_diagnostics_result first;
    float *next = calloc((size_t)(3 + __builtin_popcountll(fields)) * cells + row, sizeof *next);
    if (!next) return OTOK_FAIL(OTOK_NOMEM, "no memory for the detectors of a member");
    *out = (otok_detector){.sim = sim,
                           .audit = audit,
                           .before = next,
                           .water_before = next + cells,
                           .walls = sim->holes.n ? next + 2 * cells : NULL,
                           .room = next + 3 * cells};
    next = out->room + row;
    for (int f = 0; f < OTOK_STORED; f++) {
        out->maps[f] = fields & BIT(f) ? next : NULL;
        next += out->maps[f] ? cells : 0;
    }
    if (out->walls) otok_sim_walls(sim, out->walls);
    const otok_status status = fetch_and_diagnose(out, &first);
    if (status == OTOK_OK)
        out->judge = otok_judge_begin(sim, &first.diagnostics, slow);
    else
        otok_detector_destroy(out);
    return status;
}

void otok_detector_destroy(otok_detector *d)
{
    free(d->before);
    *d = (otok_detector){0};
}
