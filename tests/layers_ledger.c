/* layers_ledger.c - claim: under rain, frost, seabed smoothing and a reef the books of every layer
   close to 1e-6 of what there was, over 10,000 steps too; the layers together are the ground;
   erosion too slow for the float of a thickness is not lost; one layer of erodibility 1 is a ground
   without layers, bit for bit. */
#include "scene.h"

#include <math.h>

enum { NX = 61, NY = 47 };

static const char land[] =
    "otok: 1\nseed: 9\ngrid: {nx: 61, ny: 47, spacing: 2}\nedges: {left: periodic, right: "
    "periodic, bottom: open, top: closed}\n"
    "sea: {level: 5}\nbase:\n  - cone: {height: 40, radius: 60}\n  - simplex: {wavelength: 40, "
    "amplitude: 6, combine: add}\n"
    "%sphases:\n"
    "  - {name: rain, iterations: 150, rain: {rate: 0.02, during: [[0, 90]]}, hydraulic: {dt: "
    "0.07, capacity: 1, dissolve: 0.3, deposit: 0.2, displace_water: true}, thermal: {dt: 0.1}}\n"
    "  - {name: published, iterations: 50, rain: {rate: 0.02}, hydraulic: {dt: 0.1, transport: "
    "semi_lagrangian, diffusion_sweeps: 1}}\n"
    "  - {name: seabed, iterations: 5, seabed: {sweeps: 3}}\n"
    "  - {name: slide, iterations: 40, thermal: {dt: 0.1, law: excess, talus: 20}}\n"
    "  - {name: reef, iterations: 100, reef: {dt: 0.1, absorption: 0.2, calcification: 2}}\n";

static const char stack[] = "erodibility: [{simplex: {wavelength: 30, amplitude: 0.5}}, {constant: "
                            "{height: 1, combine: add}}]\n"
                            "layers:\n  - {name: soil, thickness: [{simplex: {wavelength: 30}}], "
                            "erodibility: 4, talus: 25}\n"
                            "  - {name: cap, thickness: 0.7, erodibility: 0.1, talus: 60}\n  - "
                            "{name: clay, thickness: {cone: {height: 3, radius: 50}}}\n"
                            "  - {name: rock, erodibility: 0.5}\n";

static void books(const char *backend)
{
    otok_scenario *s = scene(land, stack);
    otok_ledger l;
    static float map[NX * NY];
    otok_sim *sim = scene_sim(s, backend);
    for (int64_t end = otok_scenario_iterations(s); otok_sim_iteration(sim) < end;) {
        MUST(otok_sim_run(sim, 50));
        l = scene_ledger(sim);
        double sum = 0;
        for (int i = 0; i < l.nlayers; i++) {
            const otok_layer_ledger *k = &l.layers[i];
            const double error = fabs(k->now - (k->start - k->eroded + k->deposited));
            CHECK(error <= 1e-6 * (k->start + k->deposited), "%s: %g of %g m3 unexplained", k->name,
                  error, k->start);
            CHECK(k->eroded > 0 && (k->deposited > 0) == (i == 0), "%s: eroded %g, deposited %g",
                  k->name, k->eroded, k->deposited);
            sum += k->now;
        }
        CHECK(l.nlayers == 4 && fabs(sum - (l.solid - l.suspended)) <= 1e-9 * l.solid,
              "%.12g m3 in layers, %.12g in the ground", sum, l.solid - l.suspended);
        CHECK(fabs(l.solid_error) <= 1e-6 * l.solid_start && l.not_finite == 0,
              "solid error %g of %g", l.solid_error, l.solid_start);
    }
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        MUST(otok_sim_get(sim, (otok_field)(OTOK_LAYER + i), map));
        for (int n = 0; n < NX * NY; n++) {
            CHECK(map[n] >= 0, "layer %d, cell %d: %g m thick", i, n, (double)map[n]);
            sum += map[n] * 4.0;
        }
        CHECK(fabs(sum - l.layers[i].now) < 1e-6 * sum,
              "layer %d: %g m3 in its map, %g in its books", i, sum, l.layers[i].now);
    }
    scene_destroy(sim, s);
}

/* A reef leaves its rubble in the first layer and its rock in the second. */
static void rubble(const char *backend)
{
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: 40, ny: 30, spacing: 100}\nbase: [{cone: {height: 300, radius: "
              "1500}}, {constant: {height: -200, combine: add}}]\nlayers: [{name: sand, thickness: "
              "0}, {name: reef, thickness: 0}, {name: lava}]\nphases: [{iterations: 100, uplift: "
              "{rate: -1.6e-11}, reef: {law: light_saturation, dt: 3.2e9, rubble: 0.3}}]\n");
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, 100));
    const otok_ledger l = scene_ledger(sim);
    CHECK(l.reef > 0 && fabs(l.layers[0].now / l.reef - 0.3) < 1e-5, "%g of %g m3 is sand",
          l.layers[0].now, l.reef);
    CHECK(fabs(l.layers[0].deposited - (l.reef - l.reef_rock)) <= 1e-12 * l.reef &&
              l.layers[1].deposited == l.reef_rock && l.layers[2].deposited == 0 &&
              l.solid_error == 0,
          "of %g m3 of reef %g became rock; laid on the layers are %g, %g and %g", l.reef,
          l.reef_rock, l.layers[0].deposited, l.layers[1].deposited, l.layers[2].deposited);
    for (int i = 0; i < 3; i++)
        CHECK(fabs(l.layers[i].error) <= 1e-6 * l.reef, "%s: %g of %g m3 unexplained",
              l.layers[i].name, l.layers[i].error, l.layers[i].now);
    scene_destroy(sim, s);
}

/* 10,000 steps in which the reef grows, drowns, dissolves and spreads: loose and solid ground are
   accounted for within 1e-6, with what rounding made. */
static void long_reef(const char *backend)
{
    otok_scenario *s = scene(
        "otok: 1\ngrid: {nx: 24, ny: 20, spacing: 100}\nedges: {left: open, right: open, bottom: "
        "open, top: open}\nbase: [{cone: {height: 300, radius: 1500}}, {constant: {height: -200, "
        "combine: add}}]\nlayers: [{name: sand, thickness: 1}, {name: reef, thickness: 0}, {name: "
        "lava}]\nphases: [{iterations: 10000, waves: {every: 50}, marine_diffusion: {}, uplift: "
        "{rate: -6.34e-12}, reef: {law: light_saturation, dt: 1262277038.99, rubble: 0.3, "
        "denudation: 1.58e-12, sea_history: {saw: {amplitude: 60, period: 3.16e+12, rise: 0.1}}, "
        "producers: [{max_growth: 3.17e-11, absorption: 0.04}]}}]\n");
    double laid = 0;
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, 10000));
    const otok_ledger l = scene_ledger(sim);
    CHECK(l.dissolved > 0.01 * l.reef && l.reef_rock > 0.5 * l.reef,
          "%g m3 of reef, %g of it rock, %g dissolved", l.reef, l.reef_rock, l.dissolved);
    for (int i = 0; i < 3; i++) {
        CHECK(fabs(l.layers[i].error) <= 1e-6 * l.reef, "%s: %g of %g m3 unexplained",
              l.layers[i].name, l.layers[i].error, l.layers[i].now);
        laid += l.layers[i].now - l.layers[i].start;
    }
    const double booked = l.reef - l.dissolved + l.uplift + l.ground_rounded;
    CHECK(l.solid_error == 0 && fabs(laid - booked) < 1e-6 * l.reef,
          "%g m3 more than at the start, %g by reef, karst, sinking and rounding", laid, booked);
    printf("10,000 steps: rounding %.2g of the reef\n", fabs(l.ground_rounded) / l.reef);
    scene_destroy(sim, s);
}

static uint64_t end_of(const char *backend, const char *ground)
{
    otok_scenario *s = scene(land, ground);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, otok_scenario_iterations(s)));
    const uint64_t print = scene_fingerprint(sim);
    scene_destroy(sim, s);
    return print;
}

/* 3e-8 m a step from 20 m of soil, whose float steps are 2e-6 m: the ground's change has finer
 * ones, and the soil goes with it. */
static void slow(const char *backend)
{
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: 8, ny: 8}\nedges: {left: periodic, right: periodic}\n"
              "layers: [{name: soil, thickness: 20}, {name: rock}]\n"
              "phases: [{iterations: 1000, hydraulic: {dt: 0.01, capacity: 3.0e-6, dissolve: 1, "
              "deposit: 0, evaporation: 0, min_tilt: 90}}]\n");
    float ones[64];
    for (int n = 0; n < 64; n++)
        ones[n] = 1;
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_WATER, ones));
    MUST(otok_sim_set(sim, OTOK_OUTFLOW_RIGHT, ones));
    MUST(otok_sim_run(sim, 1000));
    const otok_ledger l = scene_ledger(sim);
    const double expected = 64 * 3e-6 * (1 - exp(-10.0));
    CHECK(fabs(l.layers[0].start - l.layers[0].now - expected) < 1e-3 * expected,
          "the soil lost %g m3 of %g", l.layers[0].start - l.layers[0].now, expected);
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    books(backend);
    rubble(backend);
    long_reef(backend);
    const uint64_t plain = end_of(backend, ""), one = end_of(backend, "layers: [{name: rock}]\n");
    CHECK(one == plain, "one layer: %016llx, none: %016llx", (unsigned long long)one,
          (unsigned long long)plain);
    CHECK(end_of(backend, "layers: [{name: rock, erodibility: 0.9}]\n") != plain,
          "erodibility does nothing");
    CHECK(end_of(backend, "layers: [{name: rock, talus: 31}]\n") != plain, "talus does nothing");
    slow(backend);
    return check_failures != 0;
}
