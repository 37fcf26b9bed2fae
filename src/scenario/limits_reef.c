/* limits_reef.c: when the carbon of a reef depends on the time step. One mean an iteration spreads
   carbon at l^2 / (4 dt), so that all dependence is on how much carbon has to come from elsewhere.
 */
#include "limits.h"

#include <math.h>

enum { TIMES = OTOK_SEA_TIMES };

/* Sums over the run, of carbon that keeps its amount. */
typedef struct use {
    double grown, grown_dry; /* growth of a cell [m], all and on ground that was dry at first */
    double used, weighted;   /* carbon used, as multiples of the carbon O: all; times the growth */
    double squares;          /* squares of it */
    double under;            /* cells under the sea where it is highest */
} use;

static void add_height(use *u, double base, const double *sea, const otok_reef *r, double each)
{
    double h = base, used = 0, highest = sea[0];
    for (int n = 0; n < TIMES; n++) {
        const double g = sea[n] - h;
        highest = fmax(highest, sea[n]);
        if (!(g > r->min_depth) || !(g < r->max_depth)) continue;
        const double rise =
            fmin(each * r->carbon * r->carbon * r->calcification * exp(-g * r->absorption) * r->dt,
                 g - r->min_depth);
        h += rise;
        used += r->uptake * rise / g / r->carbon;
    }
    u->grown += h - base;
    u->grown_dry += base >= sea[0] ? h - base : 0;
    u->used += used;
    u->weighted += used * (h - base);
    u->squares += used * used;
    u->under += highest > base;
}

static use use_of(const otok_scene *s)
{
    use u = {0};
    if (s->site->cells && s->phase->reef.carbon > 0)
        for (int n = 0; n < OTOK_SITE_HEIGHTS; n++)
            add_height(&u, s->site->heights[n], s->sea, &s->phase->reef,
                       (double)(s->phase->iterations * otok_phase_runs(s->phase)) / TIMES);
    return u;
}

/* What the sea uses of the run's carbon, as a multiple of the carbon that there is. Where no side
   brings any, carbon moves only as far as the uses of cells differ: their standard deviation. */
static double sea_use(const use *u, const int *edges)
{
    const double mean = u->used / u->under;
    for (int side = 0; side < OTOK_SIDES; side++)
        if (edges[side] != OTOK_PERIODIC) return mean;
    return fmin(mean, sqrt(fmax(u->squares / u->under - mean * mean, 0)));
}

/* The geometric mean of two uses of the run, as multiples of the carbon that there is: that of the
   cells that grow, and that of the whole sea. Of 12 forms this one parted 15 members that change by
   more than 10 % with dt / 4 from 96 that change by less than 2 %. */
static int carbon(double *value, double *bound, char read[128], const otok_scene *s, double dt)
{
    const use u = use_of(s);
    (void)dt;
    if (!(u.grown > 0) || !(u.under > 0)) return OTOK_LIMIT_NONE;
    *value = sqrt(u.weighted / u.grown * sea_use(&u, s->scenario->edges));
    *bound = 0.3;
    snprintf(read, 128, "the heights of the base, the sea's level over the phase");
    return s->at > 0 ? OTOK_LIMIT_GUESSED : OTOK_LIMIT_HOLDS;
}

/* Land has no carbon. Where the sea drowns it, carbon comes by the means alone. */
static int drowned(double *value, double *bound, char read[128], const otok_scene *s, double dt)
{
    const use u = use_of(s);
    (void)dt;
    if (!(u.grown_dry > 0)) return OTOK_LIMIT_NONE;
    *value = u.grown_dry / u.grown;
    *bound = 0.1;
    snprintf(read, 128, "the heights of the base, the sea's level over the phase");
    return OTOK_LIMIT_GUESSED;
}

static const otok_limit_row rows[] = {
    {"carbon of the sea", "sqrt(U_reef U_sea)", OTOK_MEASURED, OTOK_SLOW, carbon,
     "U: carbon used in the phase over the carbon there is, where the reef grows and in all water; "
     "beyond it the reef lives on carbon from elsewhere, which spreads by l^2 / (4 dt): its growth "
     "depends on dt at every dt, and on l; less uptake"},
    {"drowned ground", "share of the growth", OTOK_HEURISTIC, OTOK_SLOW, drowned,
     "carbon comes to drowned land by l^2 / (4 dt): beyond this share the growth depends on dt at "
     "every dt, and on l"},
};

void otok_limits_reef(otok_limits *to, const otok_phase *phase, otok_grid grid)
{
    const otok_scene scene = otok_scene_of(to, phase, grid);
    otok_limit_rows_add(to, rows, sizeof rows / sizeof rows[0], &scene, phase->reef.dt);
}
