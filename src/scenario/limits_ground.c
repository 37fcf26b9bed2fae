/* limits_ground.c: limits of what water and slides do to the ground. */
#include "hydraulic.h"
#include "limits.h"

#include <math.h>

/* ---- the last digit ---- */

/* What rounds to nearest stands still where a step changes less than half a digit: cones with
   slides that began at a third of a digit lost 13 to 29 % of what slides, at 2.6 to 3 digits 0.5 %
   at most. */
static int stands_still(double *value, double *bound, const otok_scene *s, double change)
{
    if (!(s->digit > 0) || !(change > 0)) return OTOK_LIMIT_NONE;
    *value = s->digit / change;
    *bound = 1.0 / 3;
    return OTOK_LIMIT_GUESSED;
}

#define STANDS_STILL                                                                               \
    ("the change per step is near the last digit of ground that uplift has raised, and rounds to " \
     "nearest: part of it is lost; raise dt or the rate by the margin, or "                        \
     "leave the process out")

/* ---- erosion ---- */

/* A share of an iteration as a rate [1/s]. */
static double rate_of(double kappa, double dt, int rates)
{
    return rates == OTOK_PER_SECOND ? kappa : -log1p(-kappa) / dt;
}

static double erodibility(const otok_scene *s)
{
    return s->site->cells ? s->site->erodibility : 1;
}

static int erodes(const otok_scene *s)
{
    return s->phase->hydraulic.capacity > 0 && s->phase->hydraulic.dissolve > 0;
}

static int by_speed(const otok_scene *s)
{
    return s->phase->hydraulic.capacity_law == OTOK_CAPACITY_SPEED;
}

/* Exchange moves the surface of standing water, and the waves that follow move more. The form of
   the root was fitted to 87 runs; 13 others agreed. All up to 0.05 were calm, the first grew at
   0.1. */
static int pumping(double *value, double *bound, char read[128], const otok_scene *s, double dt)
{
    const otok_hydraulic *h = &s->phase->hydraulic;
    if (!erodes(s) || !by_speed(s) || h->displace_water || !(s->standing > 0))
        return OTOK_LIMIT_NONE;
    const double erode = rate_of(h->dissolve, dt, h->rates) * erodibility(s);
    *value =
        otok_hydraulic_capacity(h) * fmax(erode, sqrt(erode * rate_of(h->deposit, dt, h->rates)));
    *bound = 0.05;
    snprintf(read, 128,
             s->is_pond ? "ponds up to %.3g m deep that rain and rivers can fill"
                        : "the water at the start, up to %.3g m deep",
             s->standing);
    return s->is_pond ? OTOK_LIMIT_GUESSED : OTOK_LIMIT_HOLDS;
}

/* The same for a capacity that grows with the depth: 6 runs in one bowl, the first grew at 1. */
static int deep_pumping(double *value, double *bound, char read[128], const otok_scene *s,
                        double dt)
{
    const otok_hydraulic *h = &s->phase->hydraulic;
    if (!erodes(s) || by_speed(s) || h->displace_water || !(s->standing > 0))
        return OTOK_LIMIT_NONE;
    *value = otok_hydraulic_capacity(h) * rate_of(h->dissolve, dt, h->rates) * erodibility(s) *
             s->standing;
    *bound = 0.5;
    snprintf(read, 128,
             s->is_pond ? "ponds up to %.3g m deep that rain and rivers can fill"
                        : "the water at the start, up to %.3g m deep",
             s->standing);
    return s->is_pond ? OTOK_LIMIT_GUESSED : OTOK_LIMIT_HOLDS;
}

/* The column of sediment that the flow takes up along its path, over the column of water. */
static int towers(double *value, double *bound, char read[128], const otok_scene *s, double dt)
{
    const otok_hydraulic *h = &s->phase->hydraulic;
    const otok_flow *f = &s->flow;
    const double speed = otok_flow_speed(s, dt);
    if (!erodes(s) || !by_speed(s) || !(f->discharge > 0) || !(speed > 0)) return OTOK_LIMIT_NONE;
    const double erode = rate_of(h->dissolve, dt, h->rates) * erodibility(s);
    const double sine = f->slope / sqrt(1 + f->slope * f->slope);
    *value = otok_hydraulic_capacity(h) * sine * speed * speed / f->discharge *
             -expm1(-erode * f->length / speed);
    *bound = 1;
    snprintf(read, 128, "%s", f->read);
    return OTOK_LIMIT_GUESSED;
}

/* What water that runs down a slope of 1 takes up in an iteration, in cells: kS kappa u / l, and
   the water it was estimated from. Under speed_depth kappa u d = kappa q, whatever the depth. */
static int uptake(double *value, char read[128], const otok_scene *s, double dt)
{
    const otok_hydraulic *h = &s->phase->hydraulic;
    const double share = fmin(1, otok_relaxed_share(h->dissolve, dt, h->rates) * erodibility(s));
    const double l = s->grid.spacing, speed = otok_flow_speed(s, dt);
    const int is_known = by_speed(s) ? speed > 0 : s->flow.discharge > 0;
    const double flow = !is_known ? l / dt : by_speed(s) ? speed : s->flow.discharge;
    if (!erodes(s)) return OTOK_LIMIT_NONE;
    *value = share * otok_hydraulic_capacity(h) * flow / l;
    if (is_known)
        snprintf(read, 128, "%s", s->flow.read);
    else
        snprintf(read, 128, "the largest speed, l/dt%s", by_speed(s) ? "" : ", and a depth of 1 m");
    return is_known && s->flow.known ? OTOK_LIMIT_HOLDS : OTOK_LIMIT_GUESSED;
}

static int eroded_digit(double *value, double *bound, char read[128], const otok_scene *s,
                        double dt)
{
    double cells;
    if (uptake(&cells, read, s, dt) == OTOK_LIMIT_NONE || !(s->flow.slope > 0))
        return OTOK_LIMIT_NONE;
    return stands_still(value, bound, s, cells * s->grid.spacing * sin(atan(s->flow.slope)));
}

/* The bed under flowing water obeys b_t = -V |b_x| with V = kS kappa u / dt, which is advection of
   slopes at nu = V dt / l cells an iteration. With donor cells, a bed of two cells grows beyond
   1 - kS/2. */
static int dissolving(double *value, double *bound, char read[128], const otok_scene *s, double dt)
{
    const otok_hydraulic *h = &s->phase->hydraulic;
    if (h->slope != OTOK_SLOPE_DOWNHILL) return OTOK_LIMIT_NONE;
    *bound = 1 - fmin(1, otok_relaxed_share(h->dissolve, dt, h->rates) * erodibility(s)) / 2;
    return uptake(value, read, s, dt);
}

/* The least tangent of a talus in the phase; 30 degrees if it has none. */
static double least_talus(const otok_scene *s)
{
    double talus = s->phase->processes & OTOK_THERMAL ? s->phase->thermal.talus : 30;
    for (int n = 0; n < s->scenario->nlayers; n++)
        talus = fmin(talus, s->scenario->layers[n].talus); /* NAN: the phase's */
    return tan(talus * M_PI / 180);
}

/* What an accelerated bed loses in an iteration must leave slopes that ground can have. */
static int acceleration(double *value, double *bound, char read[128], const otok_scene *s,
                        double dt)
{
    const double slope = s->flow.slope > 0 ? s->flow.slope : INFINITY;
    if (!(s->phase->hydraulic.morphological_factor > 1) ||
        uptake(value, read, s, dt) == OTOK_LIMIT_NONE)
        return OTOK_LIMIT_NONE;
    *value *= sin(atan(slope));
    *bound = least_talus(s);
    return OTOK_LIMIT_GUESSED;
}

static const otok_limit_row erosion[] = {
    {"pumping", "kappa max(kE, sqrt(kE kD))", OTOK_MEASURED, 0, pumping,
     "from twice this on, exchange with the bed makes waves on standing water grow; displace_water "
     "or a smaller capacity prevents it"},
    {"deep pumping", "kappa kE d", OTOK_MEASURED, 0, deep_pumping,
     "from twice this on, exchange with the bed makes waves on standing water grow; displace_water "
     "or a smaller capacity prevents it"},
    {"towers", "kappa sin S u/d (1 - exp(-kE L/u))", OTOK_HEURISTIC, 1, towers,
     "beyond it the flow carries more sediment than water, and where it dries it can leave towers; "
     "a smaller capacity, or capacity_law: speed_depth"},
    {"slope feedback", "nu = kS kappa u / l", OTOK_MEASURED, 1, dissolving,
     "beyond it the bed overshoots from cell to cell; lower dissolve or capacity"},
    {"morphological factor", "M delta / l <= tan(talus)", OTOK_HEURISTIC, 1, acceleration,
     "beyond it the bed changes by a slope of its own in one iteration; a smaller "
     "morphological_factor"},
    {"last digit, erosion", "ulp(uplift) / (kS kappa u sin S)", OTOK_HEURISTIC, OTOK_SLOW_LATER,
     eroded_digit, STANDS_STILL},
};

void otok_limits_erosion(otok_limits *to, const otok_phase *phase, otok_grid grid)
{
    const otok_scene scene = otok_scene_of(to, phase, grid);
    otok_limit_rows_add(to, erosion, sizeof erosion / sizeof erosion[0], &scene,
                        phase->hydraulic.dt);
}

/* ---- slides ---- */

/* The ratio of the slope of 90 % to the tangent of the talus nearest below it; 0: no talus is
   below. */
static double over_talus(const otok_scene *s)
{
    double over = 0;
    for (int n = 0; n < (s->scenario->nlayers ? s->scenario->nlayers : 1); n++) {
        const double own = s->scenario->nlayers ? s->scenario->layers[n].talus : NAN;
        const double talus = own == own ? own : s->phase->thermal.talus;
        const double ratio = s->site->slope_90 / tan(talus * M_PI / 180);
        if (ratio > 1 && (over == 0 || ratio < over)) over = ratio;
    }
    return over;
}

/* Half of the largest drop times the share slides at once, so that a slope stops up to this much
   below its talus. */
static int share(double *value, double *bound, char read[128], const otok_scene *s, double dt)
{
    const otok_thermal *t = &s->phase->thermal;
    const double l = s->grid.spacing, over = over_talus(s);
    if (t->law != OTOK_SHARE || !(over > 1) || isinf(over)) return OTOK_LIMIT_NONE;
    *value = dt * (t->diffusivity > 0 ? t->diffusivity / (l * l) : t->rate) / 2 / (over - 1);
    *bound = 0.03;
    snprintf(read, 128, "slope %.3g, which 90 %% of the base do not exceed", s->site->slope_90);
    return OTOK_LIMIT_GUESSED;
}

/* The mean of what slides in a step: half of what the steeper slopes have over their talus. */
static int slid_digit(double *value, double *bound, char read[128], const otok_scene *s, double dt)
{
    const otok_thermal *t = &s->phase->thermal;
    const double l = s->grid.spacing, over = over_talus(s);
    if (!(over > 1) || isinf(over)) return OTOK_LIMIT_NONE;
    const double drop = s->site->slope_90 * (1 - 1 / over) * l;
    snprintf(read, 128, "slope %.3g, which 90 %% of the base do not exceed", s->site->slope_90);
    return stands_still(value, bound, s,
                        dt * (t->diffusivity > 0 ? t->diffusivity / (l * l) : t->rate) * drop / 2);
}

static const otok_limit_row slides[] = {
    {"stop below the talus", "dt rate/2 / (S/tan T - 1)", OTOK_HEURISTIC, 1, share,
     "slides of law share stop below the talus, by more at a larger dt: about 2 % of what slides "
     "at 0.03, 9 % at 0.13; a smaller dt, or law: excess"},
    {"last digit, slides", "ulp(uplift) / (dt rate drop/2)", OTOK_HEURISTIC, OTOK_SLOW_LATER,
     slid_digit, STANDS_STILL},
};

void otok_limits_thermal(otok_limits *to, const otok_phase *phase, otok_grid grid)
{
    const otok_scene scene = otok_scene_of(to, phase, grid);
    otok_limit_rows_add(to, slides, 2, &scene, to->dt);
    if (phase->thermal.law == OTOK_SHARE && over_talus(&scene) == 0 &&
        scene.site->slope_most > tan(phase->thermal.talus * M_PI / 180))
        otok_limit_add(to, "stop below the talus", "", OTOK_HEURISTIC, NAN, NAN, NAN,
                       "few slopes of the base are over the talus (less than 10 %%), so that no "
                       "limit is known; half the dt shows how much the result depends on it");
}

/* ---- droplets ---- */

/* Many droplets of a batch take from one drop before it has changed. Fitted to 8 runs. */
static int crowd(double *value, double *bound, char read[128], const otok_scene *s, double dt)
{
    const otok_droplets *d = &s->phase->droplets;
    const double all = (double)s->grid.nx * (double)s->grid.ny, slope = s->site->slope_90;
    const double cells = s->site->cells ? (double)s->site->cells : all;
    const double speed = slope / sqrt(1 + slope * slope) / (d->density * d->friction);
    if (!(speed > 0) || isinf(speed)) return OTOK_LIMIT_NONE;
    *value = (double)d->batch / cells * dt * d->deposition_rate * speed;
    *bound = 0.3;
    snprintf(read, 128, "slope %.3g, which 90 %% of the base do not exceed", slope);
    return OTOK_LIMIT_GUESSED;
}

static const otok_limit_row crowds[] = {
    {"crowded droplets", "(batch / cells) dt rate v", OTOK_HEURISTIC, 1, crowd,
     "beyond it droplets of a batch dig the same hole together; a smaller batch"},
};

void otok_limits_droplets(otok_limits *to, const otok_phase *phase, otok_grid grid)
{
    const otok_scene scene = otok_scene_of(to, phase, grid);
    otok_limit_rows_add(to, crowds, 1, &scene, phase->droplets.dt);
}
