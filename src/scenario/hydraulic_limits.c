/* hydraulic_limits.c: the limits of hydraulic erosion. */
#include "hydraulic.h"
#include "limits.h"

#include <math.h>

/* Waves on still water. Von Neumann analysis of f += dt A g (eta - eta_N)/l, d += dt/l^2 (in -
   out), with W = S Lambda and Lambda = 8 on a grid, 4 on a row of cells. With signed pipes
   amplitudes grow for W > 4. One-way pipes lose their inertia every second step, and amplitudes
   grow for W > 2. theta (signed pipes only) keeps the share q = theta + (1 - theta) cos k l of the
   old flow. Waves are then stable for W <= 2 (1 + q), and those of two cells, with q = 2 theta - 1,
   become unstable first. With area: depth, A = l d. */
static void waves(otok_limits *to, const otok_hydraulic *h, otok_grid g)
{
    const int one_way = h->pipes == OTOK_ONE_WAY;
    const double bound = otok_wave_bound(h, g);
    if (h->area == OTOK_AREA_DEPTH) {
        otok_limits_deep_waves(to, h, g, bound);
        return;
    }
    const double s =
        h->dt * h->dt * h->pipe_area * h->gravity / (g.spacing * g.spacing * g.spacing);
    otok_limit_add(
        to, "water waves", "S = dt^2 A g / l^3", one_way ? OTOK_MEASURED : OTOK_PROVEN, s, bound,
        h->dt * sqrt(bound / s),
        one_way ? "growth beyond it is proven, decay below it measured; beyond it the depth flips "
                  "from cell to cell, bounded by the limiter"
        : h->theta < 1
            ? "beyond it the depth flips from cell to cell; theta times the limit of theta: 1"
            : "beyond it the depth flips from cell to cell; near below it, disturbances swing up "
              "to 1/sqrt(1 - S/bound) times");
}

/* The limiter lets no cell give more than it has, so that |u| + |w| <= l/dt. Without friction a
   slope drives the speed to that bound. */
static void speed(otok_limits *to, const otok_hydraulic *h, otok_grid g)
{
    if (h->manning == 0)
        otok_limit_add(to, "speed on slopes", "|u| + |w| <= l/dt", OTOK_MEASURED, NAN, NAN, NAN,
                       "pipes without friction speed water up to l/dt = %.4g m/s on any slope, so "
                       "that erosion there depends on dt and l",
                       g.spacing / h->dt);
    else if (h->area == OTOK_AREA_CONSTANT)
        otok_limit_add(to, "speed on slopes", "", OTOK_MEASURED, NAN, NAN, NAN,
                       "friction in pipes of constant area converges with dt only where pipe_area "
                       "is near that of the water; area: depth does");
    if (h->manning > 0 && h->friction == OTOK_FRICTION_AXIS)
        otok_limit_add(to, "speed off the axes", "", OTOK_MEASURED, NAN, NAN, NAN,
                       "friction of each pipe's own flow lets water run 11 %% too fast down a "
                       "slope at 15 degrees to the grid, 19 %% at 45, and up to 12 degrees off the "
                       "fall line; friction: vector does not");
}

static void mixing(otok_limits *to, const otok_hydraulic *h)
{
    if (h->theta < 1)
        otok_limit_add(to, "theta", "", OTOK_MEASURED, NAN, NAN, NAN,
                       "every iteration mixes 1 - theta of the flow, more in a second the smaller "
                       "dt, so that results depend on dt at every dt; with half the dt use half of "
                       "1 - theta, or `damping: courant`, which does so by itself");
}

/* Central differences advect slopes forward in time: unstable at every nu. */
static void slopes(otok_limits *to, const otok_hydraulic *h)
{
    const double steep = h->slope == OTOK_SLOPE_CENTRAL_ONE_SPACING ? 2 : 1;
    const double nu = steep * otok_relaxed_share(h->dissolve, h->dt, h->rates) *
                      otok_hydraulic_capacity(h) / h->dt; /* at |v| = l/dt */
    const char *depth = h->capacity_law == OTOK_CAPACITY_SPEED_DEPTH ? " and a depth of 1 m" : "";
    if (h->slope == OTOK_SLOPE_DOWNHILL || !(nu > 0)) return;
    otok_limit_add(to, "slope feedback", "nu = kS kappa |v| / l", OTOK_HEURISTIC, NAN, NAN, NAN,
                   "central slopes grow ripples of 4 cells at every dt: e-fold in 2/nu^2 "
                   "iterations, %.3g at the largest speed l/dt%s; slope: downhill does not",
                   2 / (nu * nu), depth);
}

static void add_exchange(otok_limits *to, const otok_hydraulic *h)
{
    otok_limit_add(to, "dissolving", "kS", OTOK_PROVEN,
                   otok_relaxed_share(h->dissolve, h->dt, h->rates), 1, NAN,
                   "share of the lack taken up in an iteration; beyond 1 it overshoots");
    otok_limit_add(to, "depositing", "kD", OTOK_PROVEN,
                   otok_relaxed_share(h->deposit, h->dt, h->rates), 1, NAN,
                   "share of the excess laid down in an iteration; beyond 1 it overshoots");
}

/* Can there be sediment in the water, of this phase or of an earlier one? */
static int has_sediment(const otok_limits *to, const otok_hydraulic *h)
{
    int has = h->capacity > 0; /* the end of a map, if it is one */
    for (int p = 0; p < to->phase; p++)
        has |= to->scenario->phases[p].hydraulic.capacity != 0;
    return has;
}

void otok_hydraulic_predict(otok_limits *to, const otok_phase *whole, otok_grid g)
{
    const otok_phase steps = otok_limits_steps(to, whole, g), *phase = &steps;
    const otok_hydraulic *h = &phase->hydraulic;
    waves(to, h, g);
    speed(to, h, g);
    mixing(to, h);
    if (has_sediment(to, h)) add_exchange(to, h);
    slopes(to, h);
    otok_limits_water(to, phase, g);
    otok_limits_erosion(to, phase, g);
    if (h->evaporation > 0)
        otok_limit_add(to, "evaporation", "kappa dt", OTOK_PROVEN, h->evaporation * h->dt, 1,
                       1 / h->evaporation, "beyond it a cell is dry after one iteration");
    if (h->diffusivity > 0)
        otok_limit_add(to, "diffusion", "D dt / l^2", OTOK_PROVEN,
                       h->diffusivity * h->dt / (g.spacing * g.spacing), 0.25,
                       0.25 * g.spacing * g.spacing / h->diffusivity, "new extrema beyond it");
    if (h->diffusion_sweeps > 0)
        otok_limit_add(to, "Jacobi sweeps", "", OTOK_PROVEN, NAN, NAN, NAN,
                       "the mean of the neighbours flips a checkerboard without damping it, and "
                       "does not conserve sediment");
}
