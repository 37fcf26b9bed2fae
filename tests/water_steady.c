/* water_steady.c - claim: under `law: shallow_water` flow over a bump becomes the steady flow of
   the exact solutions, subcritical, through critical depth, and with a jump, which is within a cell
   of its place (SWASHES, Delestre et al. 2013; validation tests 3 to 5); half the cells make it
   better. So does flow with friction in a channel (MacDonald et al. 1997, validation test 6). */
#include "channel.h"

enum { MOST = 400 };

typedef struct flow {
    const char *name;
    double q, outlet;    /* discharge per width; depth that is held in the last cell, 0: none */
    double length, lead; /* of the channel, and of the flat channel before it */
    double end;          /* seconds */
    double allowed;      /* L1 error of the depth over its sum */
} flow;

/* Runs water over h until it is steady: a river fills the first cell. */
static void settle(const char *backend, const channel *c, const flow *f, const float *h, float *d)
{
    char more[200];
    snprintf(more, sizeof more, "rivers: [{x: %.9g, y: %.9g, radius: %.9g, discharge: %.9g}],",
             0.5 * c->l, 0.5 * c->l, 0.5 * c->l, f->q * c->l);
    channel with = *c;
    with.more = more;
    with.edges = f->outlet > 0 ? "" : "right: open";
    otok_scenario *s;
    otok_sim *sim = channel_start(backend, &s, &with, h, d);
    for (int n = 0; n < (int)(f->end / c->dt); n++) {
        MUST(otok_sim_run(sim, 1));
        MUST(otok_sim_get(sim, OTOK_WATER, d));
        if (!(f->outlet > 0)) continue;
        d[c->nx - 1] = (float)f->outlet;
        MUST(otok_sim_set(sim, OTOK_WATER, d));
    }
    channel_end(sim, s);
}

/* ---- a bump without friction ---- */

static double bump(double x)
{
    return fmax(0, 0.2 - 0.05 * (x - 10) * (x - 10));
}

/* The depth at which flow with the head e above the ground goes: d + q^2 / (2 g d^2) = e. */
static double depth_of(double q, double e, int is_fast)
{
    const double critical = cbrt(q * q / GRAVITY);
    double low = is_fast ? 1e-6 : critical, high = is_fast ? critical : e;
    for (int n = 0; n < 100; n++) {
        const double d = 0.5 * (low + high), head = d + q * q / (2 * GRAVITY * d * d);
        if ((head < e) != is_fast)
            low = d;
        else
            high = d;
    }
    return 0.5 * (low + high);
}

static double head_of(double q, double d)
{
    return d + q * q / (2 * GRAVITY * d * d);
}

static double force(double q, double d)
{
    return q * q / d + GRAVITY * d * d / 2;
}

/* The exact depths. `jump`: where it is, NAN: none. */
static void expected(double *out, double *jump, const flow *f, double l, int n)
{
    const double critical = cbrt(f->q * f->q / GRAVITY), crest = 0.2 + 1.5 * critical;
    const double after = f->outlet > 0 ? head_of(f->q, f->outlet) : 0;
    const int is_smooth = after > crest;
    *jump = NAN;
    for (int i = 0; i < n; i++) {
        const double x = (i + 0.5) * l - f->lead, z = bump(x);
        if (is_smooth) {
            out[i] = depth_of(f->q, after - z, 0);
            continue;
        }
        out[i] = depth_of(f->q, crest - z, x > 10);
        if (!(after > 0) || x < 10) continue;
        const double slow = depth_of(f->q, after - z, 0);
        if (isnan(*jump) && force(f->q, slow) > force(f->q, out[i])) *jump = x;
        if (!isnan(*jump)) out[i] = slow;
    }
}

static double jump_of(const float *d, const flow *f, double l, int n)
{
    double most = 0, at = NAN;
    for (int i = 1; i < n; i++) {
        const double x = i * l - f->lead;
        const double rise =
            ((double)d[i] + bump(x + 0.5 * l)) - ((double)d[i - 1] + bump(x - 0.5 * l));
        if (x < 10 || rise <= most) continue;
        most = rise;
        at = x;
    }
    return at;
}

/* Returns the error of the depth. */
static double check_bump(const char *backend, const flow *f, double l)
{
    static float h[MOST], d[MOST];
    static double exact[MOST];
    const int n = (int)((f->length + f->lead) / l + 0.5);
    const double deep = fmax(f->outlet, 2 * cbrt(f->q * f->q / GRAVITY)),
                 speed = f->q / fmin(deep, cbrt(f->q * f->q / GRAVITY));
    const channel c = {.nx = n, .ny = 1, .l = l, .dt = 0.7 * l / (speed + sqrt(GRAVITY * deep))};
    double jump, missed = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        h[i] = (float)bump((i + 0.5) * l - f->lead);
        d[i] = (float)fmax(0, fmax(f->outlet, 0.66) - (double)h[i]);
    }
    expected(exact, &jump, f, l, n);
    settle(backend, &c, f, h, d);
    for (int i = (int)(f->lead / l + 0.5); i < n; i++) {
        missed += fabs((double)d[i] - exact[i]);
        sum += exact[i];
    }
    const double error = missed / sum, at = jump_of(d, f, l, n);
    if (shown)
        printf("bump, %s, l %g: L1 %.5f, jump at %.3f m, exact %.3f\n", f->name, l, error, at,
               jump);
    CHECK(l < 0.25 || error < f->allowed, "bump, %s: L1 error %.5f", f->name, error);
    CHECK(isnan(jump) || fabs(at - jump) <= l, "bump, %s: jump at %.3f m, exact %.3f", f->name, at,
          jump);
    return error;
}

/* ---- a channel with friction ---- */

static double wanted_depth(double x)
{
    const double s = x / 1000 - 0.5;
    return cbrt(4 / GRAVITY) * (1 + 0.5 * exp(-16 * s * s));
}

/* dz/dx of the ground that makes that depth. */
static double ground_slope(double x, double q, double n)
{
    const double d = wanted_depth(x),
                 more = (wanted_depth(x + 0.01) - wanted_depth(x - 0.01)) / 0.02;
    return (q * q / (GRAVITY * d * d * d) - 1) * more - n * n * q * q / pow(d, 10.0 / 3);
}

static void check_channel(const char *backend)
{
    enum { N = 100 };
    static float h[N], d[N];
    const double l = 10, n = 0.033;
    const flow f = {.name = "friction", .q = 2, .outlet = wanted_depth(1000 - l / 2), .end = 6000};
    const channel c = {.nx = N, .ny = 1, .l = l, .dt = 1.5, .manning = n};
    double z = 0;
    for (int i = N - 1; i >= 0; i--) { /* up from the outlet */
        for (int part = 0; part < 100; part++)
            z -= ground_slope((i + 1.5 - (part + 0.5) / 100) * l - l, f.q, n) * l / 100;
        h[i] = (float)z;
        d[i] = (float)wanted_depth((i + 0.5) * l);
    }
    settle(backend, &c, &f, h, d);
    double missed = 0, sum = 0;
    for (int i = 0; i < N; i++) {
        missed += fabs((double)d[i] - wanted_depth((i + 0.5) * l));
        sum += wanted_depth((i + 0.5) * l);
    }
    if (shown) printf("channel with friction: L1 %.5f\n", missed / sum);
    CHECK(missed / sum < 0.01, "channel with friction: L1 error %.5f", missed / sum);
}

CHECK_SLOW

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    const flow flows[] = {
        {"subcritical", 4.42, 2, 25, 5, 200, 0.003},
        {"transcritical", 1.53, 0, 25, 5, 100, 0.05},
        {"with a jump", 0.18, 0.33, 25, 5, 300, 0.03},
    };
    shown = getenv("OTOK_TEST_SHOW") != NULL;
    for (int n = 0; n < 3; n++) {
        const double coarse = check_bump(backend, &flows[n], 0.25),
                     fine = check_bump(backend, &flows[n], 0.125);
        CHECK(fine < 0.65 * coarse, "bump, %s: L1 error %.5f, with half the cells %.5f",
              flows[n].name, coarse, fine);
    }
    check_channel(backend);
    return check_failures != 0;
}
