/* process_creep.c: linear creep of the ground. */
#include "parameter_rows.h"
#include "process.h"

static const otok_parameter parameters[] = {
    REAL("creep", otok_creep, dt, "dt", "s", 0.1, 0, 1e12, OPEN_LOW, "", "longest time step"),
    REAL("creep", otok_creep, diffusivity, "D", "m2 s-1", 0.1, 0, 1e12, 0, "dh/dt = D laplace(h)",
         "diffusivity of the ground, in every layer"),
};

static double linear_share(const otok_creep *c, double l, double dt)
{
    return c->diffusivity * dt / (l * l);
}

static void coefficients(otok_coefficients *out, const otok_phase *phase, double l, double dt)
{
    out->creep.share = (float)linear_share(&phase->creep, l, dt);
}

/* For share <= 1/4 a cell becomes a mean of itself and its neighbours: no new extremum. */
static void predict(otok_limits *to, const otok_phase *phase, otok_grid g)
{
    const double s = linear_share(&phase->creep, g.spacing, to->dt);
    otok_limit_add(to, "creep", "dt D / l^2", OTOK_PROVEN, s, 0.25, s > 0 ? 0.25 / s * to->dt : NAN,
                   "the ground flips beyond it");
}

const otok_process otok_process_creep = {OTOK_PROCESS_ROW(CREEP, creep),
                                         .dithers = 1,
                                         .levels = 1,
                                         OTOK_PROCESS_TIME(creep, DIVIDED),
                                         .coefficients = coefficients,
                                         .part = OTOK_STAGE_PART_SLIDES,
                                         .flux = OTOK_STAGE_CREEP,
                                         .predict = predict};
