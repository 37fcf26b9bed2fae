/* predict.c: the stability limits of a scenario's schemes, from its parameters alone. Each names its reach: proven, measured or
   heuristic. It knows no state: what depends on depth or slope is taken at the worst that the scheme allows. */
#include "../core/scenario.h"

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
   and grow beyond W = 2. */
static void waves(list *l, const otok_hydraulic *h, otok_grid g)
{
    const double s = h->dt * h->dt * h->pipe_area * h->gravity / (g.spacing * g.spacing * g.spacing);
    const double row = g.nx == 1 || g.ny == 1 ? 2 : 1, bound = (h->pipes == OTOK_SIGNED ? 0.5 : 0.25) * row;
    if (h->area == OTOK_AREA_DEPTH) {
        add(l, "water waves", "S = dt^2 g d / l^2", OTOK_MEASURED, NAN, NAN, NAN,
            "S <= %g where the water is d = %.4g m deep or less; deeper water flips from cell to cell, bounded by the limiter",
            bound, bound * g.spacing * g.spacing / (h->dt * h->dt * h->gravity));
        return;
    }
    add(l, "water waves", "S = dt^2 A g / l^3", OTOK_MEASURED, s, bound, h->dt * sqrt(bound / s),
        "growth beyond it is proven, decay below it measured; beyond it the depth flips from cell to cell, bounded by the limiter");
}

/* The limiter lets no cell give more than it has, so that |u| + |w| <= l/dt; without friction a slope drives the speed to that. */
static void speed(list *l, const otok_hydraulic *h, otok_grid g)
{
    if (h->manning > 0) return;
    add(l, "speed on slopes", "|u| + |w| <= l/dt", OTOK_MEASURED, NAN, NAN, NAN,
        "pipes without friction speed water up to l/dt = %.4g m/s on any slope, so that erosion there depends on dt and l",
        g.spacing / h->dt);
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

static void thermal(list *l, const otok_thermal *t)
{
    const double c = t->dt * t->rate, bound = t->law == OTOK_SHARE ? 0.25 : 0.125;
    add(l, "sliding", "dt rate", t->law == OTOK_SHARE ? OTOK_MEASURED : OTOK_PROVEN, c, bound, t->rate > 0 ? bound / t->rate : NAN,
        "new peaks and pits beyond it%s", t->law == OTOK_SHARE ? ", overflow beyond 2" : "");
}

/* At the crest the supply of carbon lasts for 1/kU of its own uptake; and where shallower grows faster, bumps grow at every
   wavelength, at kA kB O^2 exp(-G kA) in still carbon: the reef itself, not an error. */
static void reef(list *l, const otok_reef *r)
{
    const double light = r->calcification * exp(-r->min_depth * r->absorption), used = r->uptake * light * r->carbon / r->min_depth;
    if (r->min_depth > 0)
        add(l, "carbon at the crest", "kU kB O0 exp(-G kA) dt / G", OTOK_PROVEN, used * r->dt, 1, used > 0 ? 1 / used : NAN,
            "beyond it one iteration can use up all carbon, which is then set to 0");
    const double rate = r->absorption * light * r->carbon * r->carbon;
    if (rate > 0)
        add(l, "growth of bumps", "kA kB O^2 exp(-G kA)", OTOK_HEURISTIC, NAN, NAN, NAN,
            "physical, at every dt: light favours what stands higher, e-fold in %.3g s (%.3g iterations) at the crest; needs a "
            "lateral scale to be independent of l",
            1 / rate, 1 / (rate * r->dt));
    add(l, "mixing of carbon", "", OTOK_PROVEN, NAN, NAN, NAN,
        "the mean of the neighbours flips a checkerboard of carbon without damping it; growth and edges do");
}

int otok_predict(otok_limit out[OTOK_LIMITS], const otok_scenario *s, int phase)
{
    list l = {out, 0, phase};
    if (phase < 0 || phase >= s->nphases) return 0;
    const otok_phase *p = &s->phases[phase];
    if (p->processes & OTOK_HYDRAULIC) hydraulic(&l, &p->hydraulic, s->grid);
    if (p->processes & OTOK_THERMAL) thermal(&l, &p->thermal);
    if (p->processes & OTOK_SEABED)
        add(&l, "seabed smoothing", "", OTOK_PROVEN, NAN, NAN, NAN,
            "the mean of the neighbours flips a checkerboard without damping it");
    if (p->processes & OTOK_REEF_GROWTH) reef(&l, &p->reef);
    return l.n;
}

double otok_limit_margin(const otok_limit *limit)
{
    return limit->value == limit->value ? limit->value / limit->bound : 0;
}

int otok_predict_binding(otok_limit *out, const otok_scenario *s)
{
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
