/* predict_bed.c - claim: the limits of what water and slides do to the ground, which otok predict
   reads from the ground and the water of iteration 0, are those of runs: waves on a lake, a bed
   under a sheet, a pile that slides and a reef that shares its carbon are calm or right below them,
   and not beyond. */
#include "sheet.h"

enum { N = 48 };

/* Root mean square of the deviations of the water's surface from its mean, where it is deep. */
static double roughness(otok_sim *sim)
{
    static float ground[N * N], water[N * N];
    double sum = 0, square = 0;
    int n = 0;
    MUST(otok_sim_get(sim, OTOK_TERRAIN, ground));
    MUST(otok_sim_get(sim, OTOK_WATER, water));
    for (int i = 0; i < N * N; i++) {
        const double level = (double)ground[i] + (double)water[i];
        if (!(water[i] > 1)) continue;
        sum += level;
        square += level * level;
        n++;
    }
    return sqrt(fmax(0, square / n - sum * sum / n / n));
}

/* A lake in a bowl, 10 m deep, with ripples of a centimetre. The exchange with the bed pumps its
   waves. */
static void lake(const char *capacity, const char *name, int grows, const char *backend)
{
    static float ground[N * N], water[N * N];
    for (int i = 0; i < N * N; i++) {
        const double x = i % N - (N - 1) / 2.0, y = (double)(i / N) - (N - 1) / 2.0;
        const double out = (x * x + y * y) / (0.16 * N * N);
        ground[i] = (float)(10 * out);
        water[i] =
            (float)(out < 0.8 ? 10 - 10 * out + 0.01 * cos(M_PI * x / 15) : fmax(0, 10 - 10 * out));
    }
    springs_write("base.asc", N, N, 2, "", ground);
    springs_write("rain.asc", N, N, 2, "", water);
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\nbase: [{raster: {file: "
              "%s/base.asc}}]\ninitial: {water: [{raster: {file: %s/rain.asc}}]}\nphases:\n  - "
              "{name: a, iterations: 20000, hydraulic: {dt: 0.2, dissolve: 0.05, deposit: 0.05, "
              "evaporation: 0, %s}}\n",
              N, N, springs_folder, springs_folder, capacity);
    const otok_limit limit = sheet_limit(s, name);
    CHECK(limit.certainty == OTOK_MEASURED && (otok_limit_margin(&limit) > 1) == grows,
          "a lake with %s: %s %g of %g", capacity, name, limit.value, limit.bound);
    otok_sim *sim = scene_sim(s, backend);
    const double before = roughness(sim);
    MUST(otok_sim_run(sim, 8000));
    const double grown = roughness(sim) / before;
    CHECK(grows ? grown > 5 : grown < 1, "a lake with %s: its waves grew by %g", capacity, grown);
    scene_destroy(sim, s);
}

/* The bed under a sheet whose water begins clear. nu = 0.1 e for erodibility e under law speed;
   under speed_depth nu = kS kappa q / l. */
static void bed(double depth, const char *law, double nu, double erodibility, const char *backend)
{
    static float map[NX * NY];
    sheet s = {2, 0.001, 0, depth, 0.03, depth > 1 ? 0.05 : 0.2, 0};
    char more[160], top[80];
    const double flow = sheet_speed(&s) * (strcmp(law, "speed") == 0 ? 1 : depth);
    snprintf(more, sizeof more,
             "capacity: %.9g, dissolve: %.9g, deposit: 0.02, rates: per_iteration, slope: "
             "downhill, capacity_law: %s, displace_water: true, min_tilt: 0",
             nu * s.spacing / flow / 0.02, 0.02 / erodibility, law);
    snprintf(top, sizeof top, "erodibility: [{constant: {height: %.9g}}]\n", erodibility);
    otok_scenario *scenario = sheet_scenario(&s, more, top);
    const otok_limit limit = sheet_limit(scenario, "slope feedback");
    CHECK(fabs(limit.value / nu - 1) < 1e-3 && fabs(limit.bound - 0.99) < 1e-6 &&
              limit.certainty == OTOK_MEASURED,
          "%s %g m: nu = %g of %g, not %g", law, depth, limit.value, limit.bound, nu);
    otok_sim *sim = sheet_start(&s, scenario, backend, 0, 0);
    uint64_t state = 3;
    MUST(otok_sim_get(sim, OTOK_TERRAIN, map));
    for (int x = 0; x < NX; x++) {
        const float noise = 1e-5f * scene_random(&state);
        for (int y = 0; y < NY; y++)
            map[y * NX + x] += noise;
    }
    MUST(otok_sim_set(sim, OTOK_TERRAIN, map));
    const double before = sheet_flips(sim, OTOK_TERRAIN, 150, 350);
    MUST(otok_sim_run(sim, 25));
    const double grown = sheet_flips(sim, OTOK_TERRAIN, 150, 350) / before;
    CHECK(nu > 1 ? grown > 50 : grown < 1, "%s, %g m, nu = %g: flips of the bed grew by %g", law,
          depth, nu, grown);
    scene_destroy(sim, scenario);
}

/* ---- dependence on the time step ---- */

/* The sum of differences over the sum of the larger changes of the ground, of the scenario and of
   the one with its time step over `parts`. */
static double dependence(const char *format, double dt, int iterations, int parts,
                         otok_limit *limit, const char *name, const char *backend)
{
    static float start[N * N], maps[2][N * N];
    double differ = 0, most = 0;
    for (int k = 0; k < 2; k++) {
        const int part = k ? parts : 1;
        char text[2048];
        snprintf(text, sizeof text, format, N, N, iterations * part, dt / part);
        otok_scenario *s = scene_load(text, NULL, 0);
        if (k == 0) *limit = sheet_limit(s, name);
        otok_sim *sim = scene_sim(s, backend);
        MUST(otok_sim_get(sim, OTOK_TERRAIN, start));
        scene_run(sim, iterations * part, OTOK_TERRAIN, maps[k]);
        scene_destroy(sim, s);
    }
    for (int i = 0; i < N * N; i++) {
        const double a = (double)maps[0][i] - (double)start[i],
                     b = (double)maps[1][i] - (double)start[i];
        differ += fabs(a - b);
        most += fmax(fabs(a), fabs(b));
    }
    return differ / most;
}

/* A cone of 45 degrees that slides to 30. Runs as long as slides take to end. */
static void pile(const char *backend)
{
    static const char *const text =
        "otok: 1\ngrid: {nx: %d, ny: %d}\nbase: [{cone: {height: 40, radius: 40, power: 1}}]\n"
        "phases:\n  - {name: a, iterations: %d, thermal: {dt: %.9g, talus: 30}}\n";
    const double over = 1 / tan(M_PI / 6) - 1;
    for (int beyond = 0; beyond < 2; beyond++) {
        const double e = beyond ? 0.133 : 0.03, dt = 2 * e * over;
        otok_limit limit;
        const double error =
            dependence(text, dt, (int)(200 / dt), 16, &limit, "stop below the talus", backend);
        CHECK(fabs(limit.value / e - 1) < 0.05, "a pile: E = %g, not %g", limit.value, e);
        CHECK(beyond ? error > 0.05 : error < 0.03, "a pile at E = %g changes by %g", e, error);
    }
}

/* In a sea that falls the water is that of the highest level: none is left at the end. */
static void reef(const char *uptake, const char *rise, int depends, const char *backend)
{
    char text[512];
    snprintf(
        text, sizeof text,
        "otok: 1\nseed: 4\ngrid: {nx: %%d, ny: %%d, spacing: 2}\nsea: {level: 10.5}\nbase: [{cone: "
        "{height: 15, radius: 40}}, {simplex: {octaves: 4, wavelength: 40, amplitude: 2, combine: "
        "add}}]\nphases:\n  - {name: a, iterations: %%d, reef: {dt: %%.9g, absorption: 0.08, "
        "calcification: 4, uptake: %s, min_depth: 0.25, carbon: 0.32, sea_rise: %s}}\n",
        uptake, rise);
    otok_limit limit;
    const double change = dependence(text, 0.09, 300, 4, &limit, "carbon of the sea", backend);
    CHECK(limit.certainty == OTOK_MEASURED && (otok_limit_margin(&limit) > 1) == depends,
          "a reef with uptake %s, sea_rise %s: %g of %g", uptake, rise, limit.value, limit.bound);
    CHECK(depends ? change > 0.1 : change < 0.02,
          "a reef with uptake %s, sea_rise %s changes by %g", uptake, rise, change);
}

CHECK_SLOW

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    springs_begin();
    lake("capacity: 0.95", "pumping", 0, backend);
    lake("capacity: 4", "pumping", 1, backend);
    lake("capacity: 0.9, capacity_law: speed_depth", "deep pumping", 0, backend);
    lake("capacity: 4, capacity_law: speed_depth", "deep pumping", 1, backend);
    bed(0.5, "speed", 0.8, 8, backend);
    bed(0.5, "speed", 1.2, 12, backend);
    bed(8, "speed_depth", 0.9, 1, backend);
    bed(8, "speed_depth", 1.1, 1, backend);
    pile(backend);
    reef("0.02", "0", 0, backend);
    reef("0.6", "0", 1, backend);
    reef("0.005", "-0.8", 0, backend);
    reef("2", "-0.8", 1, backend);
    springs_remove("base.asc");
    springs_remove("rain.asc");
    springs_end();
    return check_failures != 0;
}
