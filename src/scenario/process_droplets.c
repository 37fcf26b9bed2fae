/* process_droplets.c: droplets. */
#include "limits.h"
#include "parameter_rows.h"
#include "process.h"

static const otok_parameter parameters[] = {
    INT("droplets", otok_droplets, count, "", 200000, 1, HUGE_COUNT, "D20",
        "number of droplets in the phase; an iteration is a batch, so leave `iterations` out"),
    INT("droplets", otok_droplets, batch, "", 2048, 1, 1 << 16, "",
        "number of droplets that move together, step by step; 1: one after the other, as in D20"),
    REAL("droplets", otok_droplets, dt, "dt", "s", 1.2, 0, 1e6, OPEN_LOW, "D20", "time step"),
    REAL("droplets", otok_droplets, density, "density", "1", 1, 0, 1e6, OPEN_LOW, "D20",
         "inertia: the acceleration is n / (volume density)"),
    REAL("droplets", otok_droplets, friction, "friction", "s-1", 0.05, 0, 1e6, 0, "D20",
         "loss of speed; friction dt <= 1"),
    REAL("droplets", otok_droplets, deposition_rate, "depositionRate", "s-1", 0.1, 0, 1e6, 0, "D20",
         "rate at which the sediment approaches volume times speed times drop; deposition_rate dt "
         "<= 1"),
    REAL("droplets", otok_droplets, evaporation, "evapRate", "s-1", 0.001, 0, 1e6, 0, "D20",
         "loss of volume; evaporation dt < 1"),
    REAL("droplets", otok_droplets, min_volume, "minVol", "1", 0.01, 0, 1, OPEN_LOW | OPEN_HIGH,
         "D20", "a droplet ends at this volume; it begins with 1"),
    INT("droplets", otok_droplets, max_steps, "", 128, 1, 1 << 20, "",
        "a droplet ends after this number of steps (no limit in D20)"),
    CHOICE("droplets", otok_droplets, losses, "deposit|as_published", OTOK_LOSSES_DEPOSIT, "",
           "sediment left by evaporation and at a droplet's end: deposited, or lost as in D20"),
};

/* Each iteration is a batch. */
static otok_status count_batches(otok_phase *phase, const otok_node *map)
{
    const otok_droplets *d = &phase->droplets;
    const int64_t batches = (d->count + d->batch - 1) / d->batch;
    if (phase->iterations == 0) phase->iterations = batches;
    if (phase->iterations == batches) return OTOK_OK;
    return otok_node_fail(otok_node_find(map, "iterations"),
                          "an iteration is a batch of droplets, and %lld droplets are %lld batches "
                          "of %lld; leave `iterations` out",
                          (long long)d->count, (long long)batches, (long long)d->batch);
}

static otok_status check_share(double rate, double dt, double most, const char *key,
                               const otok_node *map)
{
    char at_most[64];
    if (rate * dt <= most) return OTOK_OK;
    return otok_node_fail(
        otok_blame(map, key, "dt", NULL),
        "%s dt = %.15g is more than there is; allowed: at most %g, so %s <= %s at this dt", key,
        rate * dt, most, key,
        otok_as_given(otok_node_find(map, key), most / dt, 6, "s-1", at_most));
}

static otok_status check(const otok_phase *phase, otok_grid grid, const otok_node *phase_map)
{
    const otok_droplets *d = &phase->droplets;
    const otok_node *map = otok_node_find(phase_map, "droplets");
    (void)grid;
    OTOK_TRY(check_share(d->friction, d->dt, 1, "friction", map));
    OTOK_TRY(check_share(d->deposition_rate, d->dt, 1, "deposition_rate", map));
    return check_share(d->evaporation, d->dt, 0.999, "evaporation", map);
}

int otok_phase_has_starts(const otok_phase *phase)
{
    return phase->processes & OTOK_DROPLETS && phase->maps & MAP_BIT(OTOK_MAP_RAIN);
}

static void coefficients(otok_coefficients *all, const otok_phase *phase, double l, double dt)
{
    otok_droplet_coefficients *out = &all->droplets;
    const otok_droplets *d = &phase->droplets;
    (void)dt;
    out->per_length = (float)(0.5 / l);
    out->push = (float)(d->dt / d->density);
    out->dt_l = (float)(d->dt / l);
    out->glide = (float)(1.0 - d->dt * d->friction);
    out->exchange = (float)(d->dt * d->deposition_rate);
    out->keep = (float)(1.0 - d->dt * d->evaporation);
    out->min_volume = (float)d->min_volume;
    out->deposit = d->losses == OTOK_LOSSES_DEPOSIT;
    out->max_steps = (int)d->max_steps;
    out->batch = (int)d->batch;
    out->by_rain = otok_phase_has_starts(phase);
}

/* The batch of one iteration. Droplets are counted over all phases, so that no two of them begin
   alike. */
static void step(otok_step *out, const otok_phase *phase, const otok_now *now)
{
    const otok_droplets *d = &phase->droplets;
    const int64_t begun = now->moment.within * d->batch;
    const int64_t left = begun < d->count ? d->count - begun : 0;
    for (otok_visit v = {0}; v.begin < now->moment.visit.begin; otok_visit_next(&v, now->scenario))
        if (now->scenario->phases[v.phase].processes & OTOK_DROPLETS)
            out->first_droplet += now->scenario->phases[v.phase].droplets.count;
    out->first_droplet += begun;
    out->droplets = (int)(left < d->batch ? left : d->batch);
}

/* No halos are needed: droplets read their neighbours themselves, edges included, because the
   ground moves under them many times a batch. */
static void program(otok_builder *b, const otok_phase *phase, const int *edges)
{
    (void)phase, (void)edges;
    otok_program_stage(b, OTOK_STAGE_DROPLETS);
}

/* A droplet that takes more than the drop over which it falls reverses its own slope. The limit is
   dt rate |v| < 1, with |v| <= sin(alpha) / (density friction) at its final speed. */
static void predict(otok_limits *to, const otok_phase *phase, otok_grid grid)
{
    const otok_droplets *d = &phase->droplets;
    otok_limits_droplets(to, phase, grid);
    const double sine = d->density * d->friction / (d->dt * d->deposition_rate);
    if (!(sine < 1)) return;
    otok_limit_add(to, "droplets on slopes", "dt rate sin(alpha) / (density friction)",
                   OTOK_HEURISTIC, NAN, NAN, NAN,
                   "a droplet takes less than it falls by on slopes up to %.3g degrees; on steeper "
                   "ones it can dig without end",
                   asin(sine) * 180 / M_PI);
}

const otok_process otok_process_droplets = {OTOK_PROCESS_ROW(DROPLETS, droplets),
                                            .levels = -1,
                                            .read = count_batches,
                                            .check = check,
                                            .step = step,
                                            .coefficients = coefficients,
                                            .part = OTOK_STAGE_PART_WATER,
                                            .program = program,
                                            .predict = predict};
