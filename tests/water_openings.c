/* water_openings.c - claim: under both laws with a depth of flow, a discharge that enters over a
   side has uniform flow from the first cell on, at Froude numbers 0.5 and 1.3; a rating curve on a
   part of a side lets the discharge of a river out at its level, and beside the part is a wall; a
   level that lets waves out sends at most 5 % of a wave back, a held one at least 80 %; pumps take
   what is there. Flow to each of the four sides is the same, bit for bit, in bands and after a
   restart too, and the ledger has what entered. A rating curve out of reach is noted. */
#include "channel.h"

static const char *const laws[] = {"shallow_water", "local_inertia",
                                   "shallow_water, bed_steps: critical",
                                   "local_inertia, bed_steps: critical"};

/* 1 m2/s down a plane on which its uniform flow has this Froude number; depths off by at most. */
static double check_uniform(const char *backend, const char *law, double froude, int over_side)
{
    enum { N = 60 };
    float h[N], d[N];
    char more[160];
    const double q = 1, n = 0.03, l = 1, deep = cbrt(q * q / (GRAVITY * froude * froude)),
                 u = q / deep, slope = pow(n * u, 2) / pow(deep, 4.0 / 3);
    const char *in = over_side ? "left: open, right: open" : "right: open";
    for (int i = 0; i < N; i++) {
        h[i] = (float)(slope * l * (N - i));
        d[i] = (float)deep;
    }
    if (over_side)
        snprintf(more, sizeof more,
                 "sides: {right: normal_depth, right_slope: %.9g, left_discharge: [[0, %.9g]], "
                 "left_froude: %.9g},",
                 slope, q * l, fmax(1, froude));
    else
        snprintf(more, sizeof more,
                 "rivers: [{x: 0.5, y: 0.5, discharge: %.9g}], sides: {right: normal_depth, "
                 "right_slope: %.9g},",
                 q * l, slope);
    const channel c = {N, 1, l, 0.1, n, in, more, .law = law};
    otok_sim *sim = channel_start(backend, &c, h, d);
    scene_run(sim, 6000, OTOK_WATER, d);
    double worst = 0;
    for (int i = 0; i < N; i++)
        worst = fmax(worst, fabs((double)d[i] / deep - 1));
    const otok_ledger all = scene_ledger(sim);
    const double came = over_side ? all.water_entered : all.rivers;
    CHECK(fabs(came / (q * l * 600) - 1) < 1e-5, "%s: %g m3 came of %g", law, came, q * l * 600);
    channel_end(sim);
    return worst;
}

static void check_inflow(const char *backend, const char *law)
{
    const double quiet = check_uniform(backend, law, 0.5, 1);
    CHECK_FOUND(quiet < 0.01, "%s, Fr 0.5: %.2g off", law, quiet);
    if (strncmp(law, "local", 5) == 0) return; /* it has no such flow */
    const double swift = check_uniform(backend, law, 1.3, 1),
                 rest = check_uniform(backend, law, 1.3, 0);
    CHECK_FOUND(swift < 0.01 && rest > 0.03, "%s, Fr 1.3: %.2g off, from rest %.2g", law, swift,
                rest);
}

/* A river of 12 m3/s into a basin of W x W cells that a weir on 5 cells of a side drains:
   Q = 6 (h - 1)^1.5. Depths as seen from that side. */
enum { W = 15 };

static void drain_over(float *d, const char *backend, const char *law, int side, int again)
{
    static float h[W * W], map[W * W];
    char edges[32], more[300];
    const double l = 4, head = pow(12.0 / 6, 2.0 / 3);
    for (int n = 0; n < W * W; n++)
        map[n] = 2;
    snprintf(edges, sizeof edges, "%s: open", channel_sides[side]);
    snprintf(more, sizeof more,
             "rivers: [{x: 30, y: 30, radius: 9, discharge: 12}], sides: {%s: rating, "
             "%s_rating: 6, %s_rating_zero: 1, %s_from: 20, %s_to: 40},",
             channel_sides[side], channel_sides[side], channel_sides[side], channel_sides[side],
             channel_sides[side]);
    const channel c = {W, W, l, 0.4, 0.03, edges, more, .law = law};
    otok_sim *sim = channel_start(backend, &c, h, map);
    MUST(otok_sim_run(sim, 9000));
    if (again) sim = channel_resume(sim, "cpu:plain");
    const double left = channel_leaves(sim, &c, 250);
    MUST(otok_sim_get(sim, OTOK_WATER, map));
    channel_turn(d, map, W, side);
    double level = 0;
    for (int n = 0; n < 5; n++)
        level += (double)d[5 + n] / 5;
    CHECK_FOUND(fabs(left / 12 - 1) < 1e-3, "%s, %s: %g m3/s of 12 leave", law, channel_sides[side],
                left);
    CHECK_FOUND(fabs(level - 1 - head) < 0.01 * head, "%s, %s: a level of %g m, by the curve %g",
                law, channel_sides[side], level, 1 + head);
    channel_end(sim);
}

/* Beside parts of sides are walls, and nothing flows over a curve above a lake. */
static const char parts[] =
    "sides: {left_level: [[0, 3]], left_from: 9, left_to: 17, right_level: [[0, 3]], right_waves: "
    "leave, bottom: rating, bottom_rating: 3, bottom_rating_zero: 3, bottom_to: 9, top_discharge: "
    "[[0, 0]], top_from: 21},";

/* A hump of 5 cm on water of 2 m runs to a side: the largest height of what comes back, over that
   of what went there, 600 m from it. */
static double come_back(const char *backend, const char *law, const char *sides)
{
    enum { N = 600, AT = 300, ROW = N };
    static float h[ROW], d[ROW];
    const double l = 2, c0 = sqrt(GRAVITY * 2);
    for (int i = 0; i < N; i++)
        d[i] = (float)(2 + 0.05 * exp(-pow((i - AT) * l / 30, 2)));
    const channel c = {N, 1, l, 0.2, 0, "left: open", sides, .law = law};
    otok_sim *sim = channel_start(backend, &c, h, d);
    double went = 0, back = 0;
    const int arrives = (int)(AT / 2 * l / c0 / c.dt), /* at the place that is looked at */
        steps = 4 * arrives;
    for (int n = 0; n < steps; n++) {
        MUST(otok_sim_run(sim, 1));
        float values[OTOK_FIELDS];
        MUST(otok_sim_cell(sim, AT / 2, 0, values));
        const double high = fabs((double)values[OTOK_WATER] - 2);
        if (n < 2 * arrives)
            went = fmax(went, high);
        else
            back = fmax(back, high);
    }
    channel_end(sim);
    return back / went;
}

static void check_waves(const char *backend, const char *law)
{
    const double held = come_back(backend, law, "sides: {left_level: [[0, 2]]},"),
                 leave =
                     come_back(backend, law, "sides: {left_level: [[0, 2]], left_waves: leave},");
    CHECK_FOUND(leave < 0.05 && held > 0.8, "%s: %.3f of a wave comes back, of a held level %.3f",
                law, leave, held);
}

/* Two pumps of 1 m3/s each in a basin with 800 m3: they take what is there, and no more. */
static void check_pump(const char *backend, const char *law)
{
    enum { M = 20 };
    static float h[M * M], d[M * M];
    for (int n = 0; n < M * M; n++)
        d[n] = 0.5f;
    const channel c = {M,
                       M,
                       2,
                       0.2,
                       0.01,
                       NULL,
                       "rivers: [{x: 9, y: 9, radius: 5, discharge: -1}, {x: 30, y: 20, "
                       "radius: 4, history: [[0, -1]]}],",
                       .law = law};
    otok_sim *sim = channel_start(backend, &c, h, d);
    MUST(otok_sim_run(sim, 500));
    otok_ledger l = scene_ledger(sim);
    CHECK(fabs(l.rivers / -200 - 1) < 1e-5 && fabs(l.rivers_nominal + 200) < 1e-9,
          "%s: pumped %g m3 of 200", law, -l.rivers);
    MUST(otok_sim_run(sim, 9500));
    l = scene_ledger(sim);
    MUST(otok_sim_get(sim, OTOK_WATER, d));
    float low = 0;
    for (int n = 0; n < M * M; n++)
        low = fminf(low, d[n]);
    CHECK_FOUND(low >= 0 && l.rivers < -760 && fabs(l.rivers + 800 - l.water) < 1e-4,
                "%s: pumped %g m3 of 800, %g stay, least depth %g", law, -l.rivers, l.water,
                (double)low);
    CHECK_FOUND(fabs(l.rivers_nominal + 4000) < 1e-6, "%s: nominal %g", law, l.rivers_nominal);
    channel_end(sim);
}

/* A river of 0.05 m over all of a plain at 5 m, beside a rating curve: noted if its level is out of
   reach. */
static void check_note(const char *backend, double zero, const char *more, int noted)
{
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: 20, ny: 20, spacing: 10}\nedges: {right: open}\nbase: "
              "[{constant: {height: 5}}]\nphases:\n  - {name: a, iterations: 200, rivers: [{x: "
              "50, y: 100, discharge: 10}], sides: {right: rating, right_rating: 20, "
              "right_rating_zero: %.9g%s}, hydraulic: {law: local_inertia, dt: 1, capacity: 0}}\n",
              zero, more);
    otok_sim *sim = scene_sim(s, backend);
    int found = 0;
    for (int n = 0; otok_sim_note_at(sim, n); n++)
        found += strstr(otok_sim_note_at(sim, n), "phases.a.sides: right_rating_zero is") &&
                 strstr(otok_sim_note_at(sim, n), "at most 2e+03 m3");
    CHECK(found == noted, "level %g m%s: noted %d times", zero, more, found);
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    for (int n = 0; n < 4; n++) {
        check_inflow(backend, laws[n]);
        channel_check_sides(drain_over, W, backend, laws[n]);
        channel_check_lake(backend, laws[n], parts);
        check_waves(backend, laws[n]);
        check_pump(backend, laws[n]);
    }
    check_note(backend, 505, "", 1);
    check_note(backend, 5.11, ", right_from: 100", 1);
    check_note(backend, 5.09, "", 0); /* twice as high as a lake of 0.05 m is not */
    check_note(backend, 4, "", 0);
    return check_failures != 0;
}
