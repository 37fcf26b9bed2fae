/* process_marine_diffusion.c: diffusion of the sea bed, by depth. */
#include "parameter_rows.h"
#include "process.h"

static const otok_parameter parameters[] = {
    REAL("marine_diffusion", otok_marine_diffusion, dt, "dt", "s", NAN, 0, 1e12, OPEN_LOW, "",
         "longest time step; default: that of the phase"),
    REAL("marine_diffusion", otok_marine_diffusion, diffusivity, "K", "m2 s-1", 1 / 31556952.0, 0,
         1e12, 0, "Landlab", "diffusivity of the bed in shallow water; the default is 1 m2/yr"),
    REAL("marine_diffusion", otok_marine_diffusion, wave_base, "", "m", 60, 0, HUGE_LENGTH,
         OPEN_LOW, "Landlab",
         "below this depth the diffusivity falls by e for each further such depth"),
    REAL("marine_diffusion", otok_marine_diffusion, tidal_range, "", "m", 2, 0, HUGE_LENGTH,
         OPEN_LOW, "Landlab",
         "depth over which the diffusivity rises from 0 on land to that of the sea"),
};

static double largest_share(const otok_marine_diffusion *m, double l, double dt)
{
    return m->diffusivity * dt / (l * l);
}

static void coefficients(otok_coefficients *out, const otok_phase *phase, double l, double dt)
{
    const otok_marine_diffusion *m = &phase->marine_diffusion;
    out->marine.share = (float)largest_share(m, l, dt);
    out->marine.steepness = (float)(2 / m->tidal_range);
    out->marine.per_base = (float)(1 / m->wave_base);
}

static void program(otok_builder *b, const otok_phase *phase, const int *edges)
{
    (void)phase, (void)edges;
    otok_program_halo(b, OTOK_TERRAIN_CHANGE, OTOK_HALO_WALL);
    otok_program_stage(b, OTOK_STAGE_MARINE_SHARES);
    otok_program_flux(b, OTOK_STAGE_MARINE_DIFFUSION);
}

static void predict(otok_limits *to, const otok_phase *phase, otok_grid g)
{
    const double s = largest_share(&phase->marine_diffusion, g.spacing, to->dt);
    otok_limit_add(to, "marine diffusion", "dt K / l^2", OTOK_PROVEN, s, 0.25,
                   s > 0 ? 0.25 / s * to->dt : NAN, "the sea bed flips beyond it");
}

const otok_process otok_process_marine_diffusion = {
    OTOK_PROCESS_ROW(MARINE_DIFFUSION, marine_diffusion),
    .dithers = 1,
    .levels = 1,
    OTOK_PROCESS_TIME(marine_diffusion, DIVIDED),
    .coefficients = coefficients,
    .part = OTOK_STAGE_PART_SEABED,
    .program = program,
    .predict = predict};
