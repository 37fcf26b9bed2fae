/* maps_parameters.c - claim: a parameter that is a map of one value gives the bits of the number,
   and each half of a map of two values, made or from a file, those of its number, on every backend
   and after a restart.
   The resolved text keeps the map. predict has the worse of its ends. A map that cannot be meant is
   refused by line, key and cell; a number may replace a map during a run, and no map another. */
#include "scenario/process.h"
#include "springs_file.h"

enum { NX = 24, NY = 20 };

static const char *backend;

static const char head[] = "otok: 1\nseed: 7\ngrid: {nx: 24, ny: 20, spacing: 2}\n"
                           "edges: {left: open, right: closed, bottom: periodic, top: periodic}\n"
                           "base: [{cone: {height: 9, radius: 30}}, {simplex: {wavelength: 9, "
                           "amplitude: 1, combine: add}}]\n";

static const char water[] = "iterations: 60, rain: {rate: 0.002}, hydraulic: {law: local_inertia, "
                            "dt: 0.1, manning: %s, %s}, uplift: {rate: %s}";

static otok_sim *begin(otok_scenario **s, const char *layers, const char *phase)
{
    *s = scene("%s%sphases: [{name: a, %s}]\n", head, layers, phase);
    otok_sim *sim = scene_sim(*s, backend);
    return sim;
}

static void end(otok_sim *sim, otok_scenario *s)
{
    scene_destroy(sim, s);
}

/* The fingerprint and the ledger of a whole run; with a checkpoint on the way if there is a file.
 */
static uint64_t run_of(otok_ledger *ledger, const char *layers, const char *phase, const char *file)
{
    otok_scenario *s, *other = NULL;
    otok_sim *sim = begin(&s, layers, phase), *again = NULL;
    uint64_t print;
    MUST(otok_sim_run(sim, file ? 23 : 60));
    if (file) {
        MUST(otok_sim_save(sim, file));
        again = begin(&other, layers, phase);
        MUST(otok_sim_load(again, file));
        MUST(otok_sim_run(again, 37));
        unlink(file);
    }
    MUST(otok_sim_measure(file ? again : sim, ledger, &print));
    end(sim, s);
    if (file) end(again, other);
    return print;
}

static void constant_maps(const char *layers, const char *more)
{
    char number[400], map[800], folder[] = "/tmp/otok-maps-XXXXXX", file[64];
    otok_ledger a, b, c;
    if (!mkdtemp(folder)) exit(1);
    snprintf(file, sizeof file, "%s/x.vtkhdf", folder);
    snprintf(number, sizeof number, water, "0.03125", more, "0.0009765625");
    snprintf(map, sizeof map, water, "[{constant: {height: 0.03125}}]", more,
             "{constant: {height: 0.0009765625}}");
    const uint64_t one = run_of(&a, layers, number, NULL), two = run_of(&b, layers, map, NULL),
                   three = run_of(&c, layers, map, file);
    CHECK(one == two, "%s: %016llx, by a map %016llx", more, (unsigned long long)one,
          (unsigned long long)two);
    CHECK(a.uplift == b.uplift && a.water == b.water && a.suspended == b.suspended &&
              fabs(a.uplift_nominal / b.uplift_nominal - 1) < 1e-12,
          "%s: %.17g m3 of uplift, nominal %.17g; by a map %.17g, %.17g", more, a.uplift,
          a.uplift_nominal, b.uplift, b.uplift_nominal);
    CHECK(two == three && memcmp(&b, &c, sizeof b) == 0, "%s: a restart differs", more);
    rmdir(folder);
}

/* A pipeline: one value in the left half, another in the right one. */
static const char *halves(const char *left, const char *right)
{
    static char text[200];
    snprintf(
        text, sizeof text,
        "[{constant: {height: %s}}, {crop: {x: 12, y: 20, width: 24, height: 40, outside: %s}}]",
        left, right);
    return text;
}

static void change_of(float *map, const char *layers, const char *rate)
{
    char phase[400];
    otok_scenario *s;
    snprintf(phase, sizeof phase,
             "iterations: 60, uplift: {dt: 3, rate: %s, history: [[0, 1], [50, -2], [180, 1]]}",
             rate);
    otok_sim *sim = begin(&s, layers, phase);
    scene_run(sim, 60, OTOK_TERRAIN_CHANGE, map);
    end(sim, s);
}

static void two_halves(const char *layers)
{
    static float left[NX * NY], right[NX * NY], both[NX * NY];
    change_of(left, layers, "0.0009765625");
    change_of(right, layers, "-0.0625");
    change_of(both, layers, halves("0.0009765625", "-0.0625"));
    static float rates[NX * NY], file[NX * NY];
    char raster[120];
    for (int n = 0; n < NX * NY; n++)
        rates[n] = n % NX < NX / 2 ? 0.0009765625f : -0.0625f;
    springs_write("rates.asc", NX, NY, 2, "", rates);
    snprintf(raster, sizeof raster, "{raster: {file: %s}}", springs_path);
    change_of(file, layers, raster);
    springs_remove("rates.asc");
    int wrong = 0, same = 0;
    for (int n = 0; n < NX * NY; n++) {
        wrong += both[n] != (n % NX < NX / 2 ? left : right)[n] || file[n] != both[n];
        same += left[n] == right[n];
    }
    CHECK(!wrong && !same, "%d cells have another rise than by a number, %d the same", wrong, same);
}

/* Friction in one half slows the water there, and a mirrored map gives the mirrored depths. */
static void mirrored(void)
{
    static float maps[2][NX * NY];
    for (int turned = 0; turned < 2; turned++) {
        otok_scenario *s = scene(
            "otok: 1\ngrid: {nx: 24, ny: 20, spacing: 2}\nbase: [{cone: {height: 9, radius: 30}}]\n"
            "phases: [{name: a, iterations: 80, rain: {rate: 0.002}, hydraulic: {law: "
            "local_inertia, dt: 0.1, dissolve: 0, deposit: 0, manning: %s}}]\n",
            turned ? halves("0.25", "0.03125") : halves("0.03125", "0.25"));
        otok_sim *sim = scene_sim(s, backend);
        scene_run(sim, 80, OTOK_WATER, maps[turned]);
        end(sim, s);
    }
    int wrong = 0;
    double left = 0, right = 0;
    for (int n = 0; n < NX * NY; n++) {
        wrong += maps[0][n] != maps[1][n / NX * NX + NX - 1 - n % NX];
        *(n % NX < NX / 2 ? &left : &right) += (double)maps[0][n];
    }
    CHECK(!wrong, "%d depths are not those of the mirrored map", wrong);
    CHECK(left != right, "the water is the same in both halves");
}

static void rain_pipeline(void)
{
    otok_ledger one, two;
    run_of(&one, "", "iterations: 60, rain: {rate: 0.002}, hydraulic: {dt: 0.1}", NULL);
    run_of(
        &two, "",
        "iterations: 60, rain: {rate: 0.001, map: {constant: {height: 2}}}, hydraulic: {dt: 0.1}",
        NULL);
    CHECK(one.rain > 0 && one.rain_nominal == two.rain_nominal &&
              fabs(two.rain / one.rain - 1) < 1e-6,
          "%g m3 of rain, %g by a map", one.rain, two.rain);
}

static void check_text(void)
{
    char phase[800];
    snprintf(phase, sizeof phase, water, halves("0.02", "0.05"), "theta: 0.8",
             "{cone: {height: 1}}");
    otok_scenario *s = scene("%sphases: [{name: a, %s}]\n", head, phase);
    otok_scenario *again = scene_load(otok_scenario_text(s), NULL, 0);
    CHECK(strcmp(otok_scenario_text(s), otok_scenario_text(again)) == 0 &&
              strstr(otok_scenario_text(s), "      manning:\n        - constant:\n"),
          "%s", otok_scenario_text(s));
    otok_scenario_destroy(s);
    otok_scenario_destroy(again);
}

static int limits_of(otok_limit out[OTOK_LIMITS], const char *manning)
{
    char phase[800];
    otok_site site;
    snprintf(phase, sizeof phase, water, manning, "theta: 1", "0");
    otok_scenario *s = scene("%sphases: [{name: a, %s}]\n", head, phase);
    otok_site_read(&site, s);
    const int n = otok_predict(out, s, 0, &site);
    otok_scenario_destroy(s);
    return n;
}

static void check_predict(void)
{
    static otok_limit low[OTOK_LIMITS], high[OTOK_LIMITS], map[OTOK_LIMITS];
    const int n = limits_of(low, "0.015625"), more = limits_of(high, "0.25"),
              found = limits_of(map, halves("0.015625", "0.25"));
    int differ = 0;
    CHECK(n == more && n == found, "%d and %d limits, %d of the map", n, more, found);
    for (int i = 0; i < n && n == more && n == found; i++) {
        const double a = otok_limit_margin(&low[i]), b = otok_limit_margin(&high[i]);
        differ += a != b;
        CHECK(strcmp(map[i].name, low[i].name) != 0 || otok_limit_margin(&map[i]) == fmax(a, b),
              "%s: margin %g, of the ends %g and %g", map[i].name, otok_limit_margin(&map[i]), a,
              b);
    }
    CHECK(differ, "no limit depends on friction");
}

static void refused(const char *phase, otok_status expected, const char *words)
{
    otok_scenario *s = NULL;
    otok_sim *sim = NULL;
    char text[1600];
    snprintf(text, sizeof text, "%sphases: [{name: a, %s}]\n", head, phase);
    const otok_status read = otok_scenario_parse(&s, "bad", text, strlen(text), NULL, 0);
    const otok_status status = read == OTOK_OK ? otok_sim_create(&sim, s, backend) : read;
    CHECK(status == expected && !sim && strstr(otok_why(), words), "%s: %s", phase,
          sim ? "accepted" : otok_why());
    scene_destroy(sim, s);
}

static void check_changes(void)
{
    otok_scenario *s;
    otok_sim *sim = begin(&s, "", "iterations: 9, uplift: {dt: 1, rate: {cone: {height: 1}}}");
    MUST(otok_sim_run(sim, 3));
    CHECK(otok_sim_change(sim, "phases.a.uplift.rate", "{cone: {height: 2}}") == OTOK_USAGE &&
              strstr(otok_why(), "a number may replace it"),
          "%s", otok_why());
    const uint64_t before = scene_fingerprint(sim);
    MUST(otok_sim_change(sim, "phases.a.uplift.rate", "0"));
    MUST(otok_sim_run(sim, 3));
    CHECK(scene_fingerprint(sim) == before, "the map acts after a number replaced it");
    end(sim, s);
}

int main(int argc, char **argv)
{
    static const char rock[] = "layers: [{name: soil, thickness: 0.5}, {name: rock}]\n";
    backend = CHECK_BACKEND(argc, argv)->name;
    constant_maps("", "theta: 1");
    constant_maps(rock, "theta: 0.8");
    constant_maps("", "friction: axis");
    constant_maps("", "friction: axis, theta: 0.8");
    springs_begin();
    two_halves("");
    two_halves(rock);
    springs_end();
    mirrored();
    rain_pipeline();
    check_text();
    check_predict();
    refused("iterations: 9, hydraulic: {law: local_inertia, manning: {constant: {height: 11}}}",
            OTOK_DATA,
            "phases.a.hydraulic.manning: cell 0 from the left, 0 from the bottom (counted from 0) "
            "is 11; allowed: at most 10 s m-1/3");
    refused("iterations: 9, hydraulic: {manning: {constant: {height: 0.1}}}", OTOK_DATA,
            "`manning` above 0 needs signed pipes");
    refused("iterations: 9, uplift: {dt: 1e6, rate: {cone: {height: 1}}}", OTOK_DATA,
            "phases.a.uplift.rate: the ground could rise or sink by");
    refused("iterations: 9, uplift: {dt: 1, rate: []}", OTOK_DATA, "an empty list stands where");
    refused("iterations: 9, uplift: {dt: 1, rate: {raster: none.tif}}", OTOK_IO,
            "phases.a.uplift.rate: ");
    refused("iterations: 9, hydraulic: {dt: 1}, thermal: {rate: [{cone: {}}]}", OTOK_DATA,
            "thermal.rate");
    check_changes();
    return check_failures != 0;
}
