/* water_manning.c - claim: with friction, water on slopes moves at the speed of the analytic
   solutions whatever the step, where the published pipes run at l/dt: uniform flow on a plane for
   both areas, with theta, and however the plane lies on the grid, after three
   steps from rest, and for c = dt^2 g S / l up to 4; steady flow under rain on a plane, and for c
   = 10.6; a front on a flat plane. theta damps the sawtooth of a bore, and no water is lost. So
   does `law: shallow_water` on planes and under rain. CHECK_SLOW */
#include "scene.h"

#include <math.h>

static otok_sim *start(const char *backend, otok_scenario *s, const float *terrain,
                       const float *water)
{
    otok_sim *sim = scene_sim(s, backend);
    scene_set(sim, terrain, water);
    return sim;
}

/* Flow down through the middle of a plane [m^3/s], where the ends are not felt yet. */
static double uniform(const char *backend, const char *pipes, double dt, double depth)
{
    enum { N = 256 };
    static float h[N], d[N], right[N];
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: 1, spacing: 8}\nedges: {left: open}\nphases:\n"
              "  - {iterations: 2000, hydraulic: {dt: %g, evaporation: 0, capacity: 0, dissolve: "
              "0, deposit: 0, manning: 0.05, pipes: signed, %s}}\n",
              N, dt, pipes);
    for (int i = 0; i < N; i++) {
        h[i] = (float)i / 16; /* a fall of 1/128 */
        d[i] = (float)depth;
    }
    otok_sim *sim = start(backend, s, h, d);
    MUST(otok_sim_run(sim, (int64_t)((strstr(pipes, "pipe_area") ? 400 : 120) / dt)));
    MUST(otok_sim_get(sim, OTOK_OUTFLOW_RIGHT, right));
    scene_destroy(sim, s);
    return -right[N / 2];
}

static void check_uniform(const char *backend)
{
    const struct {
        const char *pipes;
        double area; /* 0: 8 m times the depth */
    } kinds[] = {{"area: depth", 0}, {"pipe_area: 2", 2}, {"area: depth, theta: 0.7", 0}};
    for (int n = 0; n < 3; n++)
        for (double depth = 0.25; depth <= 1; depth *= 4)
            for (double dt = 1; dt >= 0.25; dt /= 4) {
                /* f^2 = A s l d^(7/3) / n^2; with A = l d Manning's l d^(5/3) sqrt(s) / n */
                const double area = kinds[n].area > 0 ? kinds[n].area : 8 * depth;
                const double expected = sqrt(area / 128 * 8 * pow(depth, 7.0 / 3)) / 0.05;
                const double flow = uniform(backend, kinds[n].pipes, dt, depth);
                CHECK_FOUND(fabs(flow / expected - 1) < 1e-4,
                            "%s, %g m, dt %g: %.6f m3/s, analytic %.6f", kinds[n].pipes, depth, dt,
                            flow, expected);
            }
}

static const char pipes[] = "pipes: signed, area: depth",
                  shallow[] = "law: shallow_water, displace_water: false";

/* A sheet of one depth on a plane whose fall line is `angle` degrees from the x axis. */
typedef struct tilt {
    const char *water;
    double slope, depth, manning, dt;
    int steps;
} tilt;

enum { TILT = 56 };

/* Water is let go from rest; it moves down the plane at d^(2/3) sqrt(s) / n, in the middle of open
   sides that are not felt there yet. `most`: the error of the speed that is allowed. Measured with
   `friction: axis`: 1.106 of that speed along 27.3 degrees at 15, 1.169 along 37.2 at 30, 1.189
   at 45. */
static void check_tilted(const char *backend, double theta, double angle, tilt t, double most)
{
    enum { N = TILT, MIDDLE = N / 2 * N + N / 2 };
    static float h[N * N], d[N * N], u[N * N], w[N * N];
    const double l = 8, turned = angle * M_PI / 180, c = t.dt * t.dt * 9.81 * t.slope / l;
    otok_scenario *s = scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: %g}\nedges: {left: open, "
                             "right: open, bottom: open, top: open}\n"
                             "phases:\n  - {iterations: %d, hydraulic: {dt: %.9g, evaporation: 0, "
                             "capacity: 0, dissolve: 0, deposit: 0, manning: %g, %s, theta: %g}}\n",
                             N, N, l, t.steps, t.dt, t.manning, t.water, theta);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            h[j * N + i] = (float)(t.slope * l * ((N - i) * cos(turned) + (N - j) * sin(turned)));
            d[j * N + i] = (float)t.depth;
        }
    otok_sim *sim = start(backend, s, h, d);
    scene_run(sim, t.steps, OTOK_WATER, d);
    MUST(otok_sim_get(sim, OTOK_VELOCITY_X, u));
    MUST(otok_sim_get(sim, OTOK_VELOCITY_Y, w));
    const double speed =
        hypot(u[MIDDLE], w[MIDDLE]) / (pow(t.depth, 2.0 / 3) * sqrt(t.slope) / t.manning);
    const double along = atan2(w[MIDDLE], u[MIDDLE]) * 180 / M_PI;
    CHECK_FOUND(fabs(d[MIDDLE] / t.depth - 1) < 1e-4,
                "tilted, %s, theta %g, %g degrees, c %g: %g times as deep", t.water, theta, angle,
                c, d[MIDDLE] / t.depth);
    CHECK_FOUND(fabs(speed - 1) < most,
                "tilted, %s, theta %g, %g degrees, c %g: %.5f of Manning's speed", t.water, theta,
                angle, c, speed);
    CHECK_FOUND(fabs(along - angle) < 0.1,
                "tilted, %s, theta %g, %g degrees, c %g: water runs along %.3f", t.water, theta,
                angle, c, along);
    scene_destroy(sim, s);
}

/* The step at which dt^2 g S / l is c on a plane of check_tilted. */
static double step_for(double c, double slope)
{
    return sqrt(c * 8 / (9.81 * slope));
}

static void check_turned(const char *backend)
{
    const tilt mild = {pipes, 1.0 / 64, 0.25, 0.05, 0.25, 160};
    for (double angle = 0; angle <= 45; angle += 15) {
        const double steps[] = {0.05, 0.2, 0.6, 1, 2, 4};
        check_tilted(backend, 1, angle, mild, 1e-3);
        for (int n = 0; n < 6; n++) {
            const tilt steep = {pipes, 0.1, 0.02, 0.1, step_for(steps[n], 0.1), 40};
            check_tilted(backend, 1, angle, steep, 1e-3);
        }
        for (int n = 0; n < 2; n++) {
            const tilt sheet = {n ? shallow : pipes, 0.1, 0.02, 0.1, step_for(2.6, 0.1), 3};
            check_tilted(backend, 1, angle, sheet, 0.01);
        }
        const tilt river = {shallow, 1.0 / 64, 0.25, 0.05, 2, 20}; /* C = 0.9 */
        check_tilted(backend, 1, angle, river, 1e-3);
    }
    check_tilted(backend, 0.7, 30, mild, 1e-3);
}

/* Steady rain on a plane of 100 m: q = R x, d = (n q / sqrt(s))^(3/5). A cell is as deep as the
 * flow through its lower face needs.
 */
static void check_rain(const char *backend, double dt)
{
    enum { N = 100 };
    static float h[N], d[N], u[N];
    const double rain = 1e-4, slope = 0.05, n = 0.05;
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: 1, spacing: 1}\nedges: {left: open}\nphases:\n"
              "  - {iterations: 100000, rain: {rate: %g}, hydraulic: {dt: %g, evaporation: 0, "
              "capacity: 0, dissolve: 0, deposit: 0, manning: %g, pipes: signed, area: depth}}\n",
              N, rain, dt, n);
    for (int i = 0; i < N; i++)
        h[i] = (float)(slope * i);
    otok_sim *sim = start(backend, s, h, d);
    scene_run(sim, (int64_t)(1000 / dt), OTOK_WATER, d);
    MUST(otok_sim_get(sim, OTOK_VELOCITY_X, u));
    double worst = 0, worst_flow = 0;
    for (int i = 5; i < N - 5; i++) {
        const double x = N - 1 - i + 0.5, deep = pow(n * rain * (x + 0.5) / sqrt(slope), 0.6);
        worst = fmax(worst, fabs(d[i] / deep - 1));
        worst_flow = fmax(worst_flow, fabs(-u[i] * d[i] / (rain * x) - 1));
    }
    CHECK_FOUND(worst < 0.01, "rain, dt %g: a depth is %g from the analytic one", dt, worst);
    CHECK_FOUND(worst_flow < 5e-3, "rain, dt %g: a flow is %g from the analytic one", dt,
                worst_flow);
    scene_destroy(sim, s);
}

/* The same for a thin sheet on a steep plane, with c = 10.6: what leaves is what falls, step by
   step. */
static void check_steep_rain(const char *backend, const char *water)
{
    enum { N = 100, STEPS = 1000, WATCHED = 60 };
    static float h[N];
    const double rain = 2e-6, slope = 0.3, l = 2.5;
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: 1, spacing: %g}\nedges: {left: open}\nphases:\n"
              "  - {iterations: %d, rain: {rate: %g}, hydraulic: {dt: 3, evaporation: 0, capacity: "
              "0, dissolve: 0, deposit: 0, manning: 0.02, %s}}\n",
              N, l, STEPS + WATCHED, rain, water);
    for (int i = 0; i < N; i++)
        h[i] = (float)(slope * l * i);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, h));
    MUST(otok_sim_run(sim, STEPS));
    double sum = 0, squares = 0;
    otok_ledger after = scene_ledger(sim);
    for (int n = 0; n < WATCHED; n++) {
        const otok_ledger before = after;
        MUST(otok_sim_run(sim, 1));
        after = scene_ledger(sim);
        const double part = (after.water_out - before.water_out) / (3 * rain * N * l * l);
        sum += part / WATCHED;
        squares += part * part / WATCHED;
    }
    const double spread = sqrt(fmax(0, squares - sum * sum));
    CHECK_FOUND(fabs(sum - 1) < 1e-3, "steep rain, %s: %g of the rain leaves", water, sum);
    CHECK_FOUND(spread < 1e-3, "steep rain, %s: what leaves differs from step to step by %g", water,
                spread);
    scene_destroy(sim, s);
}

/* d = (7/3 n^2 u^2 (u t - x))^(3/7) moves at the speed u over a dry flat plane; it is held in the
 * first cell. */
static double front(double x, double t)
{
    const double n = 0.03, u = 0.5, ahead = u * t - x;
    return ahead > 0 ? pow(7.0 / 3 * n * n * u * u * ahead, 3.0 / 7) : 0;
}

static void check_front(const char *backend, double dt)
{
    enum { N = 200 };
    static float h[N], d[N];
    const double end = 3000, l = 10;
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: 1, spacing: %g}\nphases:\n"
              "  - {iterations: 100000, hydraulic: {dt: %g, evaporation: 0, capacity: 0, dissolve: "
              "0, deposit: 0, manning: 0.03, pipes: signed, area: depth}}\n",
              N, l, dt);
    memset(d, 0, sizeof d);
    otok_sim *sim = start(backend, s, h, d);
    const int steps = (int)(end / dt + 0.5);
    for (int n = 0; n < steps; n++) {
        scene_run(sim, 1, OTOK_WATER, d);
        d[0] = (float)front(l / 2, (n + 1) * dt);
        MUST(otok_sim_set(sim, OTOK_WATER, d));
    }
    double missed = 0, sum = 0;
    int wet = 0;
    for (int i = 0; i < N; i++) {
        const double exact = front((i + 0.5) * l, end);
        missed += fabs(d[i] - exact);
        sum += exact;
        wet = d[i] > 0.02f ? i + 1 : wet;
    }
    CHECK_FOUND(missed < 0.02 * sum, "front, dt %g: depths missed by %g", dt, missed / sum);
    CHECK_FOUND(fabs(wet * l - 0.5 * end) < 0.03 * 0.5 * end,
                "front, dt %g: it is at %g m, analytic %g", dt, wet * l, 0.5 * end);
    scene_destroy(sim, s);
}

/* A bore of deep water that runs into shallow one along a closed channel: how much depths differ
   from the mean of those beside them [m], all together. */
static double sawtooth(const char *backend, const char *damping)
{
    enum { N = 400 };
    static float h[N], d[N];
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: 1, spacing: 1}\nphases:\n"
              "  - {iterations: 400, hydraulic: {dt: 0.1, evaporation: 0, capacity: 0, dissolve: "
              "0, deposit: 0, manning: 0.01, pipes: signed, area: depth, %s}}\n",
              N, damping);
    double rough = 0, sum = 0;
    memset(h, 0, sizeof h);
    for (int i = 0; i < N; i++)
        d[i] = i < N / 2 ? 2 : 0.5f;
    otok_sim *sim = start(backend, s, h, d);
    scene_run(sim, 400, OTOK_WATER, d);
    for (int i = 0; i < N; i++)
        sum += (double)d[i];
    for (int i = 1; i + 1 < N; i++)
        rough += fabs((double)d[i] - ((double)d[i - 1] + (double)d[i + 1]) / 2);
    CHECK_FOUND(fabs(sum / (2.5 * N / 2) - 1) < 1e-6, "bore, %s: %.9g m of water, at first %g",
                damping, sum, 2.5 * N / 2);
    scene_destroy(sim, s);
    return rough;
}

static void check_bore(const char *backend)
{
    const double rough = sawtooth(backend, "theta: 1"), smoother = sawtooth(backend, "theta: 0.9"),
                 smooth = sawtooth(backend, "theta: 0.8"),
                 courant = sawtooth(backend, "damping: courant");
    CHECK(smoother < rough / 2 && smooth < smoother && courant < rough / 2,
          "bore: a sawtooth of %g m at theta 1, %g at 0.9, %g at 0.8, %g under courant", rough,
          smoother, smooth, courant);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    check_uniform(backend);
    check_turned(backend);
    check_steep_rain(backend, pipes);
    check_steep_rain(backend, shallow);
    check_bore(backend);
    for (double dt = 0.2; dt > 0.09; dt /= 2) {
        check_rain(backend, dt);
        check_front(backend, 5 * dt);
    }
    return check_failures != 0;
}
