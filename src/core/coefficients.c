/* coefficients.c: parameters become the numbers of the cell functions, in double, rounded once. */
#include "program.h"

#include <math.h>

static double radians(double degrees)
{
    return degrees * (3.14159265358979323846 / 180.0);
}

/* k = 1 - exp(-kappa dt), or kappa itself. */
static float share(double kappa, double dt, int rates)
{
    return (float)(rates == OTOK_PER_SECOND ? -expm1(-kappa * dt) : kappa);
}

static void hydraulic(otok_coefficients *out, const otok_hydraulic *h, double l)
{
    const double sin_min = sin(radians(h->min_tilt));
    out->water.pipe = (float)(h->dt * h->pipe_area * h->gravity / l);
    out->water.l2_dt = (float)(l * l / h->dt);
    out->water.dt_l2 = (float)(h->dt / (l * l));
    out->water.l = (float)l;
    out->water.dry = (float)h->dry_depth;
    out->water.keep = (float)(1.0 - h->evaporation * h->dt);
    out->water.part = (float)(h->evaporation * h->dt < 0x1p-11 ? h->evaporation * h->dt : 0);
    out->water.wetness_max = (int)h->wetness_max;

    const int by_depth = h->area == OTOK_AREA_DEPTH;
    out->pipes.pipe = (float)(h->dt * h->gravity * (by_depth ? 1.0 : h->pipe_area / l));
    out->pipes.friction = (float)(h->dt * h->gravity * h->manning * h->manning / l);
    out->pipes.l2_dt = (float)(l * l / h->dt);
    out->pipes.lean = (float)(0.5 * (1.0 - h->theta));
    out->pipes.by_depth = by_depth;
    out->pipes.vector = otok_hydraulic_has_vector(h) && out->pipes.friction != 0.0f;

    out->erosion.per_length = (float)(h->slope == OTOK_SLOPE_CENTRAL ? 0.5 / l : 1.0 / l);
    out->erosion.sin2_min = (float)(sin_min * sin_min);
    out->erosion.capacity = (float)h->capacity;
    out->erosion.dissolve = share(h->dissolve, h->dt, h->rates);
    out->erosion.deposit = share(h->deposit, h->dt, h->rates);
    out->erosion.dry = (float)h->dry_depth;
    out->erosion.downhill = h->slope == OTOK_SLOPE_DOWNHILL;
    out->erosion.times_depth = h->capacity_law == OTOK_CAPACITY_SPEED_DEPTH;
    out->erosion.displace_water = h->displace_water;

    out->transport.dt_l2 = (float)(h->dt / (l * l));
    out->transport.carry = (float)(h->dt / (l * l) * (1.0 - 0x1p-20));
    out->transport.dt_l = (float)(h->dt / l);
    out->transport.spread = (float)(h->diffusivity * h->dt / (l * l));
    out->transport.dry = (float)h->dry_depth;
    out->transport.conservative = h->transport == OTOK_CONSERVATIVE;
}

static float steep(double talus, double l)
{
    return (float)(tan(radians(talus)) * l);
}

static float steep_diagonal(double talus, double l, int diagonal)
{
    const double steepness = tan(radians(talus)) * l;
    return (float)(diagonal == OTOK_DIAGONAL_SQRT2 ? steepness * sqrt(2.0) : steepness);
}

double otok_thermal_rate(const otok_thermal *t, double l)
{
    return t->diffusivity > 0 ? t->diffusivity / (l * l) : t->rate;
}

static void thermal(otok_thermal_coefficients *out, const otok_thermal *t, double l)
{
    out->amount = (float)(t->dt * otok_thermal_rate(t, l) * (t->law == OTOK_SHARE ? 0.5 : 1.0));
    out->talus = steep(t->talus, l);
    out->talus_diagonal = steep_diagonal(t->talus, l, t->diagonal);
    out->excess = t->law == OTOK_EXCESS;
}

static void reef(otok_reef_coefficients *out, const otok_reef *r)
{
    out->dt = (float)r->dt;
    out->calcification = (float)r->calcification;
    out->absorption = (float)r->absorption;
    out->uptake = (float)r->uptake;
    out->min_depth = (float)r->min_depth;
    out->max_depth = (float)r->max_depth;
    out->carbon = (float)r->carbon;
}

static void droplets(otok_droplet_coefficients *out, const otok_phase *phase, double l)
{
    const otok_droplets *d = &phase->droplets;
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

double otok_wave_bound(const otok_hydraulic *h, otok_grid g)
{
    return (h->pipes == OTOK_ONE_WAY ? 0.25 : 0.5) * (g.nx == 1 || g.ny == 1 ? 2 : 1) * h->theta;
}

double otok_depth_limit(const otok_hydraulic *h, otok_grid g)
{
    return h->area == OTOK_AREA_DEPTH ? otok_wave_bound(h, g) * g.spacing * g.spacing / (h->dt * h->dt * h->gravity) : 0;
}

void otok_coefficients_for_phase(otok_coefficients *out, const otok_phase *phase, double spacing)
{
    *out = (otok_coefficients){0};
    if (phase->processes & OTOK_HYDRAULIC) hydraulic(out, &phase->hydraulic, spacing);
    if (phase->processes & OTOK_THERMAL) thermal(&out->thermal, &phase->thermal, spacing);
    if (phase->processes & OTOK_REEF_GROWTH) reef(&out->reef, &phase->reef);
    if (phase->processes & OTOK_DROPLETS) droplets(&out->droplets, phase, spacing);
}

void otok_coefficients_for_layers(otok_coefficients *out, const otok_scenario *scenario, const otok_phase *phase)
{
    const double l = scenario->grid.spacing;
    const otok_thermal *t = &phase->thermal;
    otok_layer_coefficients *k = &out->layers;
    const otok_layer plain = {.erodibility = 1, .talus = NAN};
    k->n = scenario->nlayers ? scenario->nlayers : 1;
    for (int i = 0; i < k->n; i++) {
        const otok_layer *layer = scenario->nlayers ? &scenario->layers[i] : &plain;
        const double talus = isnan(layer->talus) ? t->talus : layer->talus;
        k->erodibility[i] = (float)layer->erodibility;
        k->talus[i] = steep(talus, l);
        k->talus_diagonal[i] = steep_diagonal(talus, l, t->diagonal);
    }
    k->most_slide = out->thermal.amount > 0.125f ? out->thermal.amount : 0.125f;
}
