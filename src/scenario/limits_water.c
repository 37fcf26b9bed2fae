/* limits_water.c: limits of flow on slopes, for signed pipes as deep as the water and for the
   shallow-water law. S slope, d depth, q discharge per width, u = q/d, W = dt^2 g d / l^2, c = dt^2
   g S / l, b = dt g S / u. */
#include "hydraulic.h"
#include "limits.h"
#include "program.h"

#include <math.h>

static int has_depth(const otok_scene *s)
{
    const otok_hydraulic *h = &s->phase->hydraulic;
    return h->pipes == OTOK_SIGNED && h->area == OTOK_AREA_DEPTH;
}

/* Manning's friction in pipes as deep as the water. */
static int has_friction(const otok_scene *s, int kind)
{
    const otok_hydraulic *h = &s->phase->hydraulic;
    return has_depth(s) && h->manning > 0 && h->friction == kind;
}

static double steepness(const otok_scene *s, double slope, double dt)
{
    return dt * dt * s->phase->hydraulic.gravity * slope / s->grid.spacing;
}

/* Linearise (1 + dt g n^2 q / d^(7/3)) q' = q + dt g d S and the balance of water for a wave of two
   cells at z = -1. The depth at a face is that of the upper cell. */
static int film(double *value, double *bound, char read[128], const otok_scene *s, double dt)
{
    const otok_hydraulic *h = &s->phase->hydraulic;
    const otok_flow *f = &s->flow;
    if (!has_friction(s, OTOK_FRICTION_AXIS) || !(f->depth > 0)) return OTOK_LIMIT_NONE;
    const double w = dt * dt * h->gravity * f->depth / (s->grid.spacing * s->grid.spacing);
    const double b = dt * h->gravity * f->slope / f->speed;
    *value = 5.0 / 3.0 * steepness(s, f->slope, dt) + w * (1 + 2 / (2 + b));
    *bound = 1;
    snprintf(read, 128, "%s", f->read);
    return h->theta < 1 ? OTOK_LIMIT_GUESSED : OTOK_LIMIT_HOLDS;
}

/* The same for one steep face: no neighbour is in phase, and the feedback is half as strong. Flips
   then pass on to less steep faces. */
static int face(double *value, double *bound, char read[128], const otok_scene *s, double dt)
{
    if (!has_friction(s, OTOK_FRICTION_AXIS) || !(s->site->slope_most > 0)) return OTOK_LIMIT_NONE;
    *value = steepness(s, s->site->slope_most, dt);
    *bound = 1.2;
    snprintf(read, 128, "the steepest face of the base, slope %.3g", s->site->slope_most);
    return s->phase->hydraulic.theta < 1 ? OTOK_LIMIT_GUESSED : OTOK_LIMIT_HOLDS;
}

/* Depth moves down a sheet at 5/3 u, one cell an iteration at most. */
static int kinematic(double *value, double *bound, char read[128], const otok_scene *s, double dt)
{
    if (!has_friction(s, OTOK_FRICTION_VECTOR) || !(s->flow.depth > 0)) return OTOK_LIMIT_NONE;
    *value = 5.0 / 3.0 * s->flow.speed * dt / s->grid.spacing;
    *bound = 1;
    snprintf(read, 128, "%s", s->flow.read);
    return OTOK_LIMIT_GUESSED;
}

/* The kinematic wave, 5/3 u, against the gravity wave of local inertia, sqrt(g d), and the
   diffusion (5/3) u l / 2 of the upper cell's depth. dt drops out. */
static int roll(double *value, double *bound, char read[128], const otok_scene *s, double dt)
{
    const otok_flow *f = &s->flow;
    (void)dt;
    if (!has_depth(s) || otok_hydraulic_is_shallow(&s->phase->hydraulic) ||
        !(s->phase->hydraulic.manning > 0) || !(f->depth > 0))
        return OTOK_LIMIT_NONE;
    *value = f->speed * f->speed / (s->phase->hydraulic.gravity * f->depth);
    *bound = 0.36 + 0.6 * f->slope * s->grid.spacing / f->depth;
    snprintf(read, 128, "%s", f->read);
    return OTOK_LIMIT_GUESSED;
}

/* The speed of signals in the worst direction [m/s]: |u| + |v| + sqrt(2 g d), on a row of cells |u|
   + sqrt(g d); for this flow, or the flow and water at rest of this depth. */
static double signal_speed(const otok_scene *s, double depth)
{
    const double axes = s->grid.nx == 1 || s->grid.ny == 1 ? 1 : 2,
                 u = isfinite(s->flow.speed) ? s->flow.speed : 0,
                 d = isfinite(s->flow.depth) ? s->flow.depth : 0;
    return fmax(sqrt(axes) * u + sqrt(axes * s->phase->hydraulic.gravity * d),
                sqrt(axes * s->phase->hydraulic.gravity * depth));
}

/* The same rain and rivers in twice the steps. */
static void halve_water(otok_phase *p)
{
    p->hydraulic.dt /= 2;
    p->iterations *= 2;
    for (int i = 0; i < p->rain.nspans; i++) {
        p->rain.during[i].from *= 2;
        p->rain.during[i].to *= 2;
    }
}

otok_phase otok_limits_steps(otok_limits *to, const otok_phase *phase, otok_grid g)
{
    otok_phase out = *phase;
    if (!otok_phase_has_courant(phase)) return out;
    const otok_scene s = otok_scene_of(to, phase, g);
    const double courant = phase->hydraulic.courant,
                 speed = signal_speed(&s, fmax(s.standing, s.stage));
    const double least = speed * phase->hydraulic.dt / (courant * g.spacing);
    int n = 1;
    if (least > 0) { /* of all limits of the iteration this alone asks for another dt */
        const double now = to->now;
        to->now = phase->hydraulic.dt;
        otok_limit_add(to, "steps of water", "C dt of an iteration", OTOK_HEURISTIC, least,
                       OTOK_FINEST_STEPS, phase->hydraulic.dt * OTOK_FINEST_STEPS / least,
                       "an iteration has %d steps of water at most: they are too long for the "
                       "predicted flow, and the run is speed_limited; lower dt",
                       OTOK_FINEST_STEPS);
        to->now = now;
    }
    for (; n < OTOK_FINEST_STEPS && speed * out.hydraulic.dt > courant * g.spacing; n *= 2)
        halve_water(&out);
    to->dt = out.hydraulic.dt;
    otok_limit_add(
        to, "steps that follow", "C", OTOK_HEURISTIC, NAN, NAN, NAN,
        "limits of water are for the %d step%s of %.4g s that the predicted flow gets in "
        "an iteration of %.4g s; the run chooses by its own flow, so that C stays below "
        "%.4g in at most %d steps",
        n, n > 1 ? "s" : "", to->dt, phase->hydraulic.dt, courant, OTOK_FINEST_STEPS);
    return out;
}

/* The shallow-water law, by von Neumann. */
static int courant(double *value, double *bound, char read[128], const otok_scene *s, double dt)
{
    const double flow = s->flow.depth > 0 && isfinite(s->flow.speed) ? signal_speed(s, 0) : 0,
                 most = s->stage > 0 ? signal_speed(s, s->stage) : flow;
    if (!otok_hydraulic_is_shallow(&s->phase->hydraulic) || !(most > 0)) return OTOK_LIMIT_NONE;
    *value = most * dt / s->grid.spacing;
    *bound = 1;
    if (most > flow)
        snprintf(read, 128, "water %.3g m deep at a %s, at its highest level", s->stage,
                 s->stage == s->site->held ? "river" : "side");
    else
        snprintf(read, 128, "%s", s->flow.read);
    return OTOK_LIMIT_GUESSED;
}

static int ponds(double *value, double *bound, char read[128], const otok_scene *s, double dt)
{
    otok_hydraulic h = s->phase->hydraulic;
    if (!s->is_pond || h.area != OTOK_AREA_DEPTH) return OTOK_LIMIT_NONE;
    h.dt = dt;
    *value = s->standing;
    *bound = otok_depth_limit(&h, s->grid);
    snprintf(read, 128, "the deepest pond that rain and rivers of this phase can fill");
    return OTOK_LIMIT_GUESSED;
}

static const otok_limit_row rows[] = {
    {"film", "5/3 c + W (1 + 2/(2 + b))", OTOK_MEASURED, 1, film,
     "beyond it the depth of a sheet flips from cell to cell down the slope; friction: vector does "
     "not"},
    {"steep face", "c = dt^2 g S / l", OTOK_MEASURED, 1, face,
     "beyond it thin water on a single steep face flips, and its depth is wrong; friction: vector "
     "does not"},
    {"kinematic wave", "5/3 u dt / l", OTOK_HEURISTIC, 1, kinematic,
     "beyond it depth moves more than a cell an iteration down the slope, and a sheet becomes "
     "uneven"},
    {"Courant number", "C = (|u| + |v| + sqrt(2 g d)) dt / l", OTOK_HEURISTIC, 1, courant,
     "beyond it the surface of a flow flips from cell to cell"},
    {"roll waves", "Fr^2 to 9/25 + 3/5 S l/d", OTOK_HEURISTIC, 0, roll,
     "beyond it a sheet breaks up into waves at every dt: local inertia leaves out the momentum "
     "that lets water stay even up to Fr = 1.5, as under law: shallow_water; coarser cells damp "
     "them"},
    {"ponds", "depth [m]", OTOK_HEURISTIC, 1, ponds, "deeper water flips from cell to cell"},
};

/* Waves on water in pipes as deep as it: process_hydraulic.c derives the bound. A margin only if
   water is there at the start; in a pit of few cells somewhat deeper water is stable. */
void otok_limits_deep_waves(otok_limits *to, const otok_hydraulic *h, otok_grid g, double bound)
{
    const double most = otok_depth_limit(h, g),
                 stage = otok_stage_depth(&to->scenario->phases[to->phase], to->site),
                 depth = fmax(to->phase == 0 ? to->site->water : 0, stage);
    const int is_known = depth > 0;
    otok_limit_add(
        to, "water waves", "dt^2 g d / l^2", is_known ? OTOK_MEASURED : OTOK_PROVEN,
        is_known ? bound * depth / most : NAN, is_known ? bound : NAN,
        is_known ? h->dt * sqrt(most / depth) : NAN,
        "stable for water up to %.4g m deep; deeper, its surface flips from cell to cell", most);
    if (is_known)
        otok_limit_reads(to, "the deepest water at a face %s, %.4g m",
                         depth > stage             ? "at the start"
                         : stage == to->site->held ? "at a river, at its highest level"
                                                   : "at a side, at its highest level",
                         depth);
}

void otok_limits_water(otok_limits *to, const otok_phase *phase, otok_grid grid)
{
    const otok_scene scene = otok_scene_of(to, phase, grid);
    otok_limit_rows_add(to, rows, sizeof rows / sizeof rows[0], &scene, phase->hydraulic.dt);
    if (phase->maps & MAP_BIT(OTOK_MAP_RAIN))
        otok_limit_add(to, "rain from a map", "", OTOK_HEURISTIC, NAN, NAN, NAN,
                       "its flow is not read: limits of flow on slopes and of ponds count rivers "
                       "and the water at the start alone");
}
