/* process_thermal.c: thermal erosion. */
#include "limits.h"
#include "parameter_rows.h"
#include "process.h"

#include <string.h>

static const otok_parameter parameters[] = {
    REAL("thermal", otok_thermal, dt, "tau, dt", "s", 0.1, 0, 1e12, OPEN_LOW, "K17 eq. 20-22",
         "time step"),
    REAL("thermal", otok_thermal, talus, "kappa_alpha, T", "degree", 30, 0, 89.9, 0, "K16 eq. 3.23",
         "steeper slopes slide"),
    CHOICE("thermal", otok_thermal, law, "share|excess", OTOK_SHARE, "K17 eq. 20-22; M13 eq. 4.15",
           "share: half the largest drop is shared; excess: each pipe takes its excess over the "
           "talus"),
    REAL("thermal", otok_thermal, rate, "T_e", "s-1", 1, 0, 1e6, 0, "M13 eq. 4.15",
         "sliding rate; K17 includes it in dt; it depends on the cell size"),
    REAL("thermal", otok_thermal, diffusivity, "D", "m2 s-1", 0, 0, 1e12, 0, "rate = D / l^2",
         "sliding diffusivity, used instead of rate: the same time at every cell size; 0: rate is "
         "used"),
    CHOICE("thermal", otok_thermal, diagonal, "sqrt2|one", OTOK_DIAGONAL_SQRT2, "",
           "distance of diagonal neighbours in cells; one is as printed"),
    CHOICE(
        "thermal", otok_thermal, clock, "own|phase", OTOK_CLOCK_OWN, "",
        "own: one step of dt an iteration; phase: as long as the iteration, in equal steps, none "
        "longer than dt, so that slopes do not depend on the cell size; needs diffusivity"),
};

/* The rate of sliding [1/s]: `rate`, or what follows from `diffusivity` and the cell size. */
static double rate_of(const otok_thermal *t, double l)
{
    return t->diffusivity > 0 ? t->diffusivity / (l * l) : t->rate;
}

static otok_status check(const otok_phase *phase, otok_grid grid, const otok_node *phase_map)
{
    const otok_thermal *t = &phase->thermal;
    const otok_node *map = otok_node_find(phase_map, "thermal");
    const double l = grid.spacing;
    const double most = t->law == OTOK_EXCESS ? 1 : 2, amount = t->dt * rate_of(t, l);
    char at_most[64];
    if (t->clock == OTOK_CLOCK_PHASE && !(t->diffusivity > 0))
        return otok_node_fail(otok_blame(map, "clock", NULL),
                              "`rate` belongs to the cell size; write `diffusivity: 8 m2/yr` too");
    if (t->diffusivity > 0 && otok_node_find(map, "rate"))
        return otok_node_fail(otok_blame(map, "diffusivity", "rate", NULL),
                              "rate and diffusivity both set how fast debris slides; keep one");
    if (amount <= most) return OTOK_OK;
    if (t->diffusivity > 0)
        return otok_node_fail(
            otok_blame(map, "diffusivity", "dt", NULL),
            "diffusivity dt / spacing^2 = %.15g moves more than the whole drop; allowed: at most "
            "%g with `law: %s`, so diffusivity <= %s at this dt",
            amount, most, t->law == OTOK_EXCESS ? "excess" : "share",
            otok_as_given(otok_node_find(map, "diffusivity"), most * l * l / t->dt, 6, "m2 s-1",
                          at_most));
    return otok_node_fail(
        otok_blame(map, "rate", "dt", NULL),
        "rate dt = %.15g moves more than the whole drop; allowed: at most %g "
        "with `law: %s`, so rate <= %s at this dt",
        amount, most, t->law == OTOK_EXCESS ? "excess" : "share",
        otok_as_given(otok_node_find(map, "rate"), most / t->dt, 6, "s-1", at_most));
}

static int unused(const otok_phase *phase, const char *key)
{
    return phase->thermal.diffusivity > 0 && strcmp(key, "rate") == 0;
}

static int divided(const otok_phase *phase)
{
    return phase->thermal.clock == OTOK_CLOCK_PHASE;
}

static void coefficients(otok_coefficients *all, const otok_phase *phase, double l, double dt)
{
    const otok_thermal *t = &phase->thermal;
    otok_thermal_coefficients *out = &all->thermal;
    out->amount = (float)(dt * rate_of(t, l) * (t->law == OTOK_SHARE ? 0.5 : 1.0));
    out->talus = otok_talus_drop(t->talus, l);
    out->talus_diagonal = otok_talus_drop_diagonal(t->talus, l, t->diagonal);
    out->excess = t->law == OTOK_EXCESS;
}

static void program(otok_builder *b, const otok_phase *phase, const int *edges)
{
    (void)phase, (void)edges;
    otok_program_halo(b, OTOK_TERRAIN_CHANGE, OTOK_HALO_WALL);
    otok_program_stage(b, OTOK_STAGE_THERMAL_OUTFLOW);
    otok_program_flux(b, OTOK_STAGE_THERMAL_COLLECT);
}

static void predict(otok_limits *to, const otok_phase *phase, otok_grid g)
{
    const otok_thermal *t = &phase->thermal;
    const double rate = rate_of(t, g.spacing), bound = t->law == OTOK_SHARE ? 0.25 : 0.125;
    otok_limit_add(to, "sliding", t->diffusivity > 0 ? "dt D / l^2" : "dt rate",
                   t->law == OTOK_SHARE ? OTOK_MEASURED : OTOK_PROVEN, to->dt * rate, bound,
                   rate > 0 ? bound / rate : NAN, "new peaks and pits beyond it%s",
                   t->law == OTOK_SHARE ? ", overflow beyond 2" : "");
    otok_limits_thermal(to, phase, g);
}

const otok_process otok_process_thermal = {OTOK_PROCESS_ROW(THERMAL, thermal),
                                           .levels = 1,
                                           OTOK_PROCESS_TIME(thermal, OWN),
                                           .divided = divided,
                                           .unused = unused,
                                           .check = check,
                                           .coefficients = coefficients,
                                           .part = OTOK_STAGE_PART_SLIDES,
                                           .program = program,
                                           .predict = predict};
