/* water_held.c - claim: rivers with `level`, `rating` or `slope` hold water at a level along a line
   or within a radius, or let it out, under both laws that have a depth of flow. A cell that gives
   nothing to others has the depth of the level within 1e-6 m, as it rises and falls; a lake at the
   level stays still to the last bit. What leaves is the rating curve of each cell's level, and
   Manning's uniform flow, within 1e-5; a cell gives no more than what stands over the level without
   flow. A river that a rating curve lets out is steady, at the curve's level within 1 %. Nothing is
   lost, predict reads the level, and a run that is saved and loaded goes on with the same bits,
   also with `courant`. What contradicts itself is refused. */
#include "channel.h"

enum { N = 24 };
static const char *const laws[] = {"shallow_water", "local_inertia"};
static float h[N * N], d[N * N], after[N * N];

static void flat(double ground, double depth)
{
    for (int n = 0; n < N * N; n++)
        h[n] = (float)ground, d[n] = (float)depth;
}

static void rough(double level)
{
    uint64_t state = 3;
    for (int n = 0; n < N * N; n++) {
        h[n] = 3 * scene_random(&state);
        d[n] = fmaxf(0, (float)level - h[n]);
    }
}

/* A pit under a rim that no level reaches. */
static void check_history(const char *backend, const char *law)
{
    const channel c = {N,
                       N,
                       2,
                       0.25,
                       0.03,
                       "",
                       "rivers: [{x: 21, y: 21, level: [[0, 1.3], [5, "
                       "6.1], [9, 0.5], [12, -3]]}],",
                       .law = law};
    flat(10, 0);
    h[10 * N + 10] = 0.7f;
    otok_sim *sim = channel_start(backend, &c, h, d);
    double before = 0;
    for (int n = 0; n < 50; n++) {
        const double t = (n + 0.5) * c.dt;
        const float level = (float)(t < 5    ? 1.3 + (6.1 - 1.3) * t / 5
                                    : t < 9  ? 6.1 + (0.5 - 6.1) * (t - 5) / 4
                                    : t < 12 ? 0.5 + (-3 - 0.5) * (t - 9) / 3
                                             : -3),
                    expected = fmaxf(0, level - h[10 * N + 10]);
        scene_run(sim, 1, OTOK_WATER, after);
        const double brought = scene_ledger(sim).rivers;
        CHECK(fabsf(after[10 * N + 10] - expected) <= 1e-6f, "%s: %.9g m at %g s, expected %.9g",
              law, (double)after[10 * N + 10], t, (double)expected);
        CHECK(fabs(brought - 4 * (double)after[10 * N + 10]) < 1e-6,
              "%s: %.9g m3 booked, %.9g m3 before, at %g s", law, brought, before, t);
        before = brought;
    }
    CHECK(after[10 * N + 10] == 0, "%s: %g m are left below the ground", law,
          (double)after[10 * N + 10]);
    channel_end(sim);
}

static void check_still(const char *backend, const char *law)
{
    const channel c = {N,
                       N,
                       2,
                       0.1,
                       0.03,
                       "",
                       "rivers: [{x: 3, y: 5, to_x: 44, to_y: 31, level: [[0, 2.25]]}],",
                       .law = law};
    rough(2.25);
    otok_sim *sim = channel_start(backend, &c, h, d);
    scene_run(sim, 300, OTOK_WATER, after);
    CHECK(memcmp(d, after, sizeof d) == 0, "%s: a lake at its level moves", law);
    CHECK(scene_ledger(sim).rivers == 0, "%s: a lake at its level takes water", law);
    channel_end(sim);
}

/* The discharge of the first iteration from a still lake, by the ledger [m^3/s]. */
static double leaves(const char *backend, const channel *c)
{
    otok_sim *sim = channel_start(backend, c, h, d);
    MUST(otok_sim_run(sim, 1));
    const otok_ledger l = scene_ledger(sim);
    channel_end(sim);
    CHECK(fabs(l.water_error) < 1e-7 * l.water_start, "%g m3 are lost", l.water_error);
    return -l.rivers / c->dt;
}

static void check_rates(const char *backend, const char *law)
{
    static const char form[] = "rivers: [{x: 20, y: 1, to_x: 20, to_y: 47, %s}],";
    char more[200];
    channel c = {N, N, 2, 0.1, 0.03, "", more, .law = law};
    const struct {
        const char *keys;
        double expected;
    } all[] = {{"rating: 17, rating_zero: 2.5", 17 * pow(1.75, 1.5)},
               {"rating: 17, rating_zero: 2.5, rating_exponent: 0.5", 17 * sqrt(1.75)},
               {"slope: 0.001", 46 * pow(2.25, 5.0 / 3) * sqrt(0.001) / 0.03},
               {"rating: 17, rating_zero: 4.25", 0},
               {"rating: 1e6, rating_zero: 4", 2 * N * 4 * 0.25 / 0.1}};
    for (size_t n = 0; n < sizeof all / sizeof all[0]; n++) {
        snprintf(more, sizeof more, form, all[n].keys);
        flat(2, 2.25);
        const double found = leaves(backend, &c);
        CHECK(fabs(found - all[n].expected) <= 1e-5 * all[n].expected,
              "%s, %s: %.9g m3/s leave, expected %.9g", law, all[n].keys, found, all[n].expected);
    }
    snprintf(more, sizeof more, form, all[0].keys); /* each cell by its own level */
    rough(4);
    double expected = 0;
    for (int n = 0; n < N * N; n++) {
        d[n] *= (float)(n % 5) / 4;
        if (n % N == 9 || n % N == 10) /* the line is between these columns */
            expected += fmin((double)d[n] * 4 / c.dt,
                             17.0 / (2 * N) * pow(fmax(0, (double)h[n] + (double)d[n] - 2.5), 1.5));
    }
    const double found = leaves(backend, &c);
    CHECK(fabs(found / expected - 1) < 1e-5, "%s: %.9g m3/s leave rough ground, not %.9g", law,
          found, expected);
}

/* A river into a closed pool, which a rating curve drains. */
static void check_steady(const char *backend, const char *law)
{
    const channel c = {N,
                       N,
                       2,
                       0.1,
                       0.03,
                       "",
                       "rivers: [{x: 3, y: 24, radius: 4, discharge: 6}, {x: 45, y: 1, to_x: 45, "
                       "to_y: 47, rating: 20, rating_zero: 2}],",
                       .law = law};
    flat(0, 2);
    otok_sim *sim = channel_start(backend, &c, h, d);
    MUST(otok_sim_run(sim, 10000));
    const otok_ledger before = scene_ledger(sim);
    scene_run(sim, 1000, OTOK_WATER, after);
    const otok_ledger l = scene_ledger(sim);
    const double level = 2 + pow(6 / 20.0, 2.0 / 3), found = (double)after[12 * N + 22];
    CHECK(fabs(l.rivers - before.rivers) < 1e-3 * 6 * 100, "%s: %g m3 of 600 stay", law,
          l.rivers - before.rivers);
    CHECK(fabs(found / level - 1) < 0.01, "%s: %g m deep at the weir, expected %g", law, found,
          level);
    CHECK(fabs(l.water_error) < 1e-6 * (l.water_start + 6 * 2100), "%s: %g m3 are lost", law,
          l.water_error);
    channel_end(sim);
}

/* Water rises from a dry valley and falls again; another line lets it out. */
static void check_resumed(const char *backend, const char *law, const char *courant)
{
    otok_scenario *s = scene(
        "otok: 1\ngrid: {nx: 24, ny: 24, spacing: 2}\nedges: {left: open}\nbase: [{simplex: "
        "{wavelength: 40, amplitude: 2}}]\nphases:\n  - {name: p, iterations: 400, hydraulic: "
        "{law: %s, dt: %s, manning: 0.04, " WATER_ALONE "}, rivers: [{x: 4, y: 4, to_x: 40, to_y: "
        "12, level: [[0, 1], [20, 3.5], [60, -1]]}, {x: 8, y: 40, to_x: 30, to_y: 44, slope: "
        "0.01}, {x: 40, y: 30, radius: 5, rating: 3, rating_zero: 0.5}]}\n",
        law, courant);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, 111));
    otok_sim *loaded = scene_resume(sim, s, backend);
    MUST(otok_sim_run(sim, 289));
    MUST(otok_sim_run(loaded, 289));
    const scene_end whole = scene_ended(sim);
    scene_check_end(loaded, &whole, law);
    CHECK(fabs(whole.ledger.water_error) < 1e-3 && whole.ledger.water_clamped == 0,
          "%s, %s: %g m3 are lost, %g m3 were below 0", law, courant, whole.ledger.water_error,
          whole.ledger.water_clamped);
    otok_sim_destroy(loaded);
    scene_destroy(sim, s);
}

/* The largest step that predict gives is that of the highest level, 3 m above the lowest ground of
   the cells of the line. */
static void check_predicted(const char *law)
{
    static otok_site site;
    otok_limit all[OTOK_LIMITS];
    otok_scenario *s = scene(
        "otok: 1\ngrid: {nx: 24, ny: 24, spacing: 2}\nbase: [{constant: {height: 1}}, {cone: "
        "{x: 40, y: 40, radius: 8, height: 9, combine: add}}]\nphases: [{iterations: 100, "
        "hydraulic: {law: %s, dt: 0.1}, rivers: [{x: 4, y: 4, to_x: 20, to_y: 4, level: [[0, 2], "
        "[5, 4], [9, 3]]}]}]\n",
        law);
    otok_site_read(&site, s);
    const int n = otok_predict(all, s, 0, &site);
    int found = 0;
    for (int i = 0; i < n; i++)
        if (strstr(all[i].read, "at a river, at its highest level")) {
            const double most = 2 / sqrt(2 * GRAVITY * 3);
            found = 1;
            CHECK(fabs(all[i].dt / most - 1) < 1e-6, "%s: %s has a step of %g s, expected %g", law,
                  all[i].name, all[i].dt, most);
        }
    CHECK(found, "%s: no limit reads the level of a river", law);
    otok_scenario_destroy(s);
}

static void check_refused(void)
{
    static const char form[] = "otok: 1\ngrid: {nx: 9, ny: 9, spacing: 1}\nphases: [{iterations: "
                               "1, rivers: [{x: 2, y: 2, %s}], hydraulic: {manning: %s}}]\n";
    static const struct {
        const char *keys, *manning, *words;
    } all[] = {{"rating: 3", "0.03", "needs h_0; write `rating_zero`"},
               {"discharge: 1, rating_zero: 3", "0.03", "write `rating: a` in m3 s-1"},
               {"level: [[0, 1]], discharge: 2", "0.03", "discharge and level both give"},
               {"slope: 0.1", "0.03", "write `to_x` and `to_y`"},
               {"slope: 0.1, to_x: 5, to_y: 2", "0", "`hydraulic.manning` is 0 or a map"},
               {"radius: 1", "0.03", "`discharge` is missing"},
               {"rating: -3, rating_zero: 0", "0.03", "out of range"}};
    for (size_t n = 0; n < sizeof all / sizeof all[0]; n++)
        scene_refused(all[n].words, form, all[n].keys, all[n].manning);
    otok_scenario *s = scene(form, "radius: 2, level: [[0, 1]]}, {x: 3, y: 2, discharge: 1", "0");
    otok_sim *sim = NULL;
    CHECK(otok_sim_create(&sim, s, "cpu") == OTOK_DATA &&
              strstr(otok_why(), "rivers 1 and 2 share the cell at x 3.5 m, y 2.5 m"),
          "a level with a source is accepted: %s", otok_why());
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    for (int n = 0; n < 2; n++) {
        check_history(backend, laws[n]);
        check_still(backend, laws[n]);
        check_predicted(laws[n]);
        check_rates(backend, laws[n]);
        check_steady(backend, laws[n]);
        check_resumed(backend, laws[n], "0.1");
        check_resumed(backend, laws[n], "0.5, courant: 0.7");
    }
    check_refused();
    return check_failures != 0;
}
