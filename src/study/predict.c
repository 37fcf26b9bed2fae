/* predict.c: the stability limits of a scenario's schemes, from its parameters alone. Each names its reach: proven, measured or
   heuristic. It knows no state: what depends on depth or slope is taken at the worst that the scheme allows. */
#include "../core/program.h"
#include "../core/rounding.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct list {
    otok_limit *at;
    int n, phase;
} list;

static void add(list *l, const char *name, const char *symbol, otok_certainty certainty, double value, double bound, double dt,
                const char *format, ...) __attribute__((format(printf, 8, 9)));

static void add(list *l, const char *name, const char *symbol, otok_certainty certainty, double value, double bound, double dt,
                const char *format, ...)
{
    otok_limit *limit = &l->at[l->n++];
    *limit = (otok_limit){name, symbol, l->phase, certainty, value, bound, dt, ""};
    va_list words;
    va_start(words, format);
    vsnprintf(limit->text, sizeof limit->text, format, words);
    va_end(words);
}

/* Waves on still water. Von Neumann analysis of f += dt A g (eta - eta_N)/l, d += dt/l^2 (in - out): amplitudes grow beyond W = S
   Lambda = 4 with Lambda = 8 on a grid, 4 on a row of cells, for signed pipes; one-way pipes lose their inertia every other step
   and grow beyond W = 2. theta, of signed pipes, leaves q = theta + (1 - theta) cos k l of the old flow: stable for W <= 2 (1 + q),
   and the waves of two cells come first, q = 2 theta - 1. With area: depth, A = l d. */
static void waves(list *l, const otok_hydraulic *h, otok_grid g)
{
    const int one_way = h->pipes == OTOK_ONE_WAY;
    const double bound = otok_wave_bound(h, g);
    if (h->area == OTOK_AREA_DEPTH) {
        add(l, "water waves", "dt^2 g d / l^2", one_way ? OTOK_MEASURED : OTOK_PROVEN, NAN, NAN, NAN,
            "stable for water up to %.4g m deep; deeper, its surface flips from cell to cell", otok_depth_limit(h, g));
        return;
    }
    const double s = h->dt * h->dt * h->pipe_area * h->gravity / (g.spacing * g.spacing * g.spacing);
    add(l, "water waves", "S = dt^2 A g / l^3", one_way ? OTOK_MEASURED : OTOK_PROVEN, s, bound, h->dt * sqrt(bound / s),
        one_way ? "growth beyond it is proven, decay below it measured; beyond it the depth flips from cell to cell, bounded by "
                  "the limiter"
        : h->theta < 1 ? "beyond it the depth flips from cell to cell; theta times the limit of theta: 1"
                       : "beyond it the depth flips from cell to cell; near below it, disturbances swing up to 1/sqrt(1 - S/bound) "
                         "times");
}

/* The limiter lets no cell give more than it has, so that |u| + |w| <= l/dt; without friction a slope drives the speed to that. */
static void speed(list *l, const otok_hydraulic *h, otok_grid g)
{
    if (h->manning == 0)
        add(l, "speed on slopes", "|u| + |w| <= l/dt", OTOK_MEASURED, NAN, NAN, NAN,
            "pipes without friction speed water up to l/dt = %.4g m/s on any slope, so that erosion there depends on dt and l",
            g.spacing / h->dt);
    else if (h->area == OTOK_AREA_CONSTANT)
        add(l, "speed on slopes", "", OTOK_MEASURED, NAN, NAN, NAN,
            "friction in pipes of constant area converges with dt only where pipe_area is near that of the water; area: depth "
            "does");
    if (h->manning > 0 && h->friction == OTOK_FRICTION_AXIS)
        add(l, "speed off the axes", "", OTOK_MEASURED, NAN, NAN, NAN,
            "friction of each pipe's own flow lets water run 11 %% too fast down a slope at 15 degrees to the grid, 19 %% at 45, "
            "and up to 12 degrees off the fall line; friction: vector does not");
}

static double share(double kappa, double dt, int rates)
{
    return rates == OTOK_PER_SECOND ? -expm1(-kappa * dt) : kappa;
}

/* The bed under flowing water obeys b_t = -V |b_x|, V = kS C/(dt tan a): advection of slopes at nu = V dt/l cells an iteration. */
static void slopes(list *l, const otok_hydraulic *h)
{
    const double steep = h->slope == OTOK_SLOPE_CENTRAL_ONE_SPACING ? 2 : 1;
    const double nu = steep * share(h->dissolve, h->dt, h->rates) * h->capacity / h->dt; /* at |v| = l/dt */
    const char *depth = h->capacity_law == OTOK_CAPACITY_SPEED_DEPTH ? " and a depth of 1 m" : "";
    if (!(nu > 0)) return;
    if (h->slope == OTOK_SLOPE_DOWNHILL)
        add(l, "slope feedback", "nu = kS kappa |v| / l", OTOK_HEURISTIC, nu, 1, NAN,
            "at the largest speed l/dt%s; beyond it the bed overshoots; lower dissolve or capacity", depth);
    else
        add(l, "slope feedback", "nu = kS kappa |v| / l", OTOK_HEURISTIC, NAN, NAN, NAN,
            "central slopes grow ripples of 4 cells at every dt: e-fold in 2/nu^2 iterations, %.3g at the largest speed l/dt%s; "
            "slope: downhill does not",
            2 / (nu * nu), depth);
}

static void hydraulic(list *l, const otok_hydraulic *h, otok_grid g)
{
    waves(l, h, g);
    speed(l, h, g);
    add(l, "dissolving", "kS", OTOK_PROVEN, share(h->dissolve, h->dt, h->rates), 1, NAN,
        "share of the lack taken up in an iteration; beyond 1 it overshoots");
    add(l, "depositing", "kD", OTOK_PROVEN, share(h->deposit, h->dt, h->rates), 1, NAN,
        "share of the excess laid down in an iteration; beyond 1 it overshoots");
    slopes(l, h);
    add(l, "evaporation", "kappa dt", OTOK_PROVEN, h->evaporation * h->dt, 1, h->evaporation > 0 ? 1 / h->evaporation : NAN,
        "beyond it a cell is dry after one iteration");
    if (h->diffusivity > 0)
        add(l, "diffusion", "D dt / l^2", OTOK_PROVEN, h->diffusivity * h->dt / (g.spacing * g.spacing), 0.25,
            0.25 * g.spacing * g.spacing / h->diffusivity, "new extrema beyond it");
    if (h->diffusion_sweeps > 0)
        add(l, "Jacobi sweeps", "", OTOK_PROVEN, NAN, NAN, NAN,
            "the mean of the neighbours flips a checkerboard without damping it, and does not conserve sediment");
}

static void thermal(list *l, const otok_thermal *t, otok_grid g)
{
    const double rate = otok_thermal_rate(t, g.spacing), bound = t->law == OTOK_SHARE ? 0.25 : 0.125;
    add(l, "sliding", t->diffusivity > 0 ? "dt D / l^2" : "dt rate", t->law == OTOK_SHARE ? OTOK_MEASURED : OTOK_PROVEN,
        t->dt * rate, bound, rate > 0 ? bound / rate : NAN, "new peaks and pits beyond it%s",
        t->law == OTOK_SHARE ? ", overflow beyond 2" : "");
}

/* An iteration takes kU min(c dt, g - G) / g of the carbon O, and no depth takes more than kU x / (1 + x) with x = c dt / G of the
   crest; x goes with O^2, so that carbon short of O0 can be worse. Where shallower grows faster, bumps grow at every wavelength, at
   kA kB O^2 exp(-G kA) in still carbon: the reef itself, not an error. */
static void reef(list *l, const otok_reef *r)
{
    const double light = r->calcification * exp(-r->min_depth * r->absorption), full = r->carbon;
    const double x = light * full * full * r->dt / r->min_depth; /* of carbon O0 */
    if (x > 0) {
        const double taken = r->uptake / full * (x < 1 ? x / (1 + x) : sqrt(x) / 2);
        const double most = r->uptake > 2 * full ? full / (r->uptake - full) : 4 * full * full / (r->uptake * r->uptake);
        add(l, "carbon at the crest", "kU c dt / (G + c dt) / O", OTOK_PROVEN, taken, 1, r->uptake > 0 ? r->dt * most / x : NAN,
            "beyond it one iteration can use up all carbon of a cell, which is then set to 0");
    }
    const double rate = r->absorption * light * r->carbon * r->carbon;
    if (rate > 0)
        add(l, "growth of bumps", "kA kB O^2 exp(-G kA)", OTOK_HEURISTIC, NAN, NAN, NAN,
            "physical, at every dt: light favours what stands higher, e-fold in %.3g s (%.3g iterations) at the crest; needs a "
            "lateral scale to be independent of l",
            1 / rate, 1 / (rate * r->dt));
    add(l, "mixing of carbon", "", OTOK_PROVEN, NAN, NAN, NAN,
        "the mean of the neighbours flips a checkerboard of carbon without damping it; growth and edges do. One mean an "
        "iteration spreads carbon by l^2/(4 dt), so that where carbon runs short the reef depends on dt and l");
}

/* A droplet that takes more than the drop it falls by turns its own slope round: dt rate |v| < 1, with |v| <= sin(alpha) / (density
   friction) at its final speed. */
static void droplets(list *l, const otok_droplets *d)
{
    const double sine = d->density * d->friction / (d->dt * d->deposition_rate);
    if (!(sine < 1)) return;
    add(l, "droplets on slopes", "dt rate sin(alpha) / (density friction)", OTOK_HEURISTIC, NAN, NAN, NAN,
        "a droplet takes less than it falls by on slopes up to %.3g degrees; on steeper ones it can dig without end",
        asin(sine) * 180 / 3.14159265358979323846);
}

int otok_predict(otok_limit out[OTOK_LIMITS], const otok_scenario *s, int phase)
{
    OTOK_ROUNDING;
    list l = {out, 0, phase};
    if (phase < 0 || phase >= s->nphases) return 0;
    const otok_phase *p = &s->phases[phase];
    if (p->processes & OTOK_HYDRAULIC) hydraulic(&l, &p->hydraulic, s->grid);
    if (p->processes & OTOK_DROPLETS) droplets(&l, &p->droplets);
    if (p->processes & OTOK_THERMAL) thermal(&l, &p->thermal, s->grid);
    if (p->processes & OTOK_SEABED)
        add(&l, "seabed smoothing", "", OTOK_PROVEN, NAN, NAN, NAN,
            "the mean of the neighbours flips a checkerboard without damping it");
    if (p->processes & OTOK_REEF_GROWTH) reef(&l, &p->reef);
    return l.n;
}

double otok_limit_margin(const otok_limit *limit)
{
    OTOK_ROUNDING;
    const volatile double margin = limit->value / limit->bound; /* before the mode is given back */
    return limit->value == limit->value ? margin : 0;
}

int otok_predict_binding(otok_limit *out, const otok_scenario *s)
{
    OTOK_ROUNDING;
    int found = 0;
    for (int phase = 0; phase < s->nphases; phase++) {
        otok_limit some[OTOK_LIMITS];
        const int n = otok_predict(some, s, phase);
        for (int i = 0; i < n; i++) {
            if (!(some[i].value == some[i].value) || (found && !(otok_limit_margin(&some[i]) > otok_limit_margin(out)))) continue;
            *out = some[i];
            found = 1;
        }
    }
    return found;
}
