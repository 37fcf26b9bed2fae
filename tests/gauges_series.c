/* gauges_series.c - claim: gauges sample depth, level and velocity of their cell, and cross
   sections the discharge through them and the energy head there, every output.gauges iterations; a
   steady river has its discharge in a section across it, at any angle, within 1 %. Over layers with
   a reef they sample its column. The series are the same iteration by iteration, after a restart,
   in bands and on every backend. */
#include "check.h"
#include "io/checkpoint.h"
#include "scene.h"
#include "sim/dated.h"
#include "sim/sim.h"

#include <math.h>
#include <unistd.h>

enum { NX = 80, NY = 5, END = 900, EVERY = 7, COLUMNS = 1 + 4 + 3 * 2 };

static const char river[] =
    "otok: 1\ngrid: {nx: 80, ny: 5, spacing: 5}\nedges: {right: open}\ngauges:\n"
    "  - {name: bridge, x: 201, y: 13}\n  - {name: across, x: 201, y: 0, to_x: 201, to_y: 24.999}\n"
    "  - {name: slant, x: 160, y: 0, to_x: 230, to_y: 24.999}\n"
    "  - {name: back, x: 201, y: 24.999, to_x: 201, to_y: 0}\nphases:\n"
    "  - {name: a, iterations: 900, rivers: [{x: 7, y: 12.5, radius: 8, discharge: 10}], "
    "hydraulic: "
    "{law: %s, dt: 0.6, %s capacity: 0, dissolve: 0, deposit: 0}}\noutput: {gauges: 7}\n";

static otok_sim *start(const otok_scenario *s, const char *backend)
{
    static float h[NX * NY];
    for (int n = 0; n < NX * NY; n++)
        h[n] = 2 - 0.02f * (float)(n % NX);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, h));
    return sim;
}

static void compare(const otok_sim *sim, const otok_sim *whole, int columns, const char *how)
{
    CHECK(sim->gauge_samples == whole->gauge_samples &&
              memcmp(sim->gauges, whole->gauges,
                     (size_t)(whole->gauge_samples * columns) * sizeof *whole->gauges) == 0,
          "%s: %lld samples, or other values", how, (long long)sim->gauge_samples);
}

/* A response has the value of the series, which ends four iterations before. */
static void check_response(otok_sim *sim, const char *text, double expected)
{
    double value = NAN;
    MUST(otok_sim_response(sim, text, &value));
    CHECK(fabs(value - expected) < 1e-3 * fabs(expected), "%s is %.17g, in the series %.17g", text,
          value, expected);
}

static void check_values(otok_sim *sim)
{
    const double *row = sim->gauges + (sim->gauge_samples - 1) * COLUMNS;
    float values[OTOK_FIELDS];
    MUST(otok_sim_cell(sim, 40, 2, values));
    CHECK(sim->gauge_samples == END / EVERY + 1, "%lld samples", (long long)sim->gauge_samples);
    CHECK(row[0] == 0.6 * (END / EVERY * EVERY), "the last sample is of %g s", row[0]);
    CHECK(fabs(row[1] / (double)values[OTOK_WATER] - 1) < 1e-3 &&
              fabs(row[2] - row[1] - (double)values[OTOK_TERRAIN]) < 1e-6 && row[4] == 0 &&
              fabs(row[3] / (double)values[OTOK_VELOCITY_X] - 1) < 1e-3,
          "depth %g, level %g, velocity %g %g", row[1], row[2], row[3], row[4]);
    const double u = (double)values[OTOK_VELOCITY_X], head = row[2] + u * u / (2 * 9.81);
    for (int c = 5; c < COLUMNS; c += 2)
        CHECK(fabs(row[c] * (c == 9 ? -1 : 1) - 10) < 0.01 &&
                  fabs(row[c + 1] - head - (c == 7 ? 0.1 : 0)) < 0.12,
              "section %d: %g m3/s, head %g m, of its cell %g m", c / 2 - 1, row[c], row[c + 1],
              head);
    CHECK(fabs(row[6] - row[10]) < 1e-9, "head %g m, the other way %g m", row[6], row[10]);
    check_response(sim, "discharge(across)", row[5]);
    check_response(sim, "head(across) - head(back) + discharge(slant)", row[7]);
    double none;
    CHECK(otok_sim_response(sim, "discharge(bridge)", &none) == OTOK_DATA &&
              strstr(otok_why(),
                     "no cross section of `gauges` is `bridge`; the scenario has across, "
                     "slant, back"),
          "%s", otok_why());
}

/* Continues from a checkpoint in the middle, on another backend. */
static void check_restart(const otok_scenario *s, const char *backend, const otok_sim *whole)
{
    char file[] = "/tmp/otok-gauges-XXXXXX.vtkhdf", csv[64], line[512] = "", bands[64];
    otok_snapshot saved;
    close(mkstemps(file, 7));
    otok_sim *sim = start(s, "cpu:plain"), *other;
    for (int n = 0; n < 500; n++)
        MUST(otok_sim_start(sim, 1));
    MUST(otok_sim_save(sim, file));
    otok_sim_destroy(sim);
    snprintf(bands, sizeof bands, "%s/3", backend);
    other = start(s, bands);
    MUST(otok_sim_run(other, END)); /* its samples are replaced */
    MUST(otok_sim_load(other, file));
    MUST(otok_sim_run(other, END - 500));
    compare(other, whole, COLUMNS, "restarted");
    MUST(otok_sim_save(other, file));
    otok_sim_destroy(other);
    MUST(otok_checkpoint_read(&saved, file));
    snprintf(csv, sizeof csv, "%s.csv", file);
    MUST(otok_gauges_write(csv, &saved));
    FILE *in = fopen(csv, "r");
    CHECK(in && fgets(line, sizeof line, in) &&
              strncmp(line, "time [s],bridge depth [m],bridge level [m],", 43) == 0 &&
              strstr(line, ",slant discharge [m3 s-1],"),
          "titles: %s", line);
    if (in) fclose(in);
    otok_snapshot_destroy(&saved);
    unlink(csv);
    unlink(file);
}

static const char reef[] =
    "otok: 1\ngrid: {nx: 12, ny: 9, spacing: 100}\nbase: [{cone: {height: 200, radius: 900}}, "
    "{constant: {height: -90, combine: add}}]\nlayers: [{name: sand, thickness: 0}, {name: coral, "
    "thickness: 0}, {name: lava}]\ngauges: [{name: rim, x: 50, y: 450}]\noutput: {gauges: 3}\n"
    "phases: [{iterations: 60, uplift: {rate: -6.34e-12}, marine_diffusion: {}, reef: {law: "
    "light_saturation, dt: 15778462987.4, rubble: 0.3, denudation: 1.58e-12, sea_history: {saw: "
    "{amplitude: 40, period: 6.31e+11, rise: 0.2}}, producers: [{max_growth: 6.34e-11, absorption: "
    "0.03}]}}]\n";

static void check_reef(const char *backend)
{
    enum { OF_REEF = 1 + 6, SEA = 1, GROUND, ALL, SECOND, SAND, CORAL };
    char bands[64];
    float values[OTOK_FIELDS];
    otok_scenario *s = scene_load(reef, NULL, 0);
    snprintf(bands, sizeof bands, "%s/3", backend);
    otok_sim *whole = scene_sim(s, backend);
    MUST(otok_sim_run(whole, 60));
    otok_sim *half = scene_sim(s, "cpu:plain");
    MUST(otok_sim_run(half, 31));
    otok_sim *rest = scene_resume(half, s, bands);
    MUST(otok_sim_run(rest, 29));
    compare(rest, whole, OF_REEF, "a reef, restarted");
    MUST(otok_sim_cell(whole, 0, 4, values));
    const double *row = whole->gauges + (whole->gauge_samples - 1) * OF_REEF;
    CHECK(whole->gauge_samples == 21 && row[SEA] == otok_sim_sea_level(whole) &&
              fabs(row[GROUND] - (double)values[OTOK_TERRAIN]) < 1e-5 &&
              row[ALL] == (double)values[OTOK_REEF] &&
              row[SECOND] == (double)values[OTOK_REEF_SECOND] && row[SECOND] > 0 &&
              fabs(row[GROUND] - row[SAND] - (double)values[OTOK_LAYER]) < 1e-5 &&
              fabs(row[SAND] - row[CORAL] - (double)values[OTOK_LAYER + 1]) < 1e-5 &&
              row[SAND] > row[CORAL],
          "sea %g, ground %g, reef %g, second %g, bottoms %g and %g", row[SEA], row[GROUND],
          row[ALL], row[SECOND], row[SAND], row[CORAL]);
    otok_sim_destroy(whole);
    otok_sim_destroy(half);
    scene_destroy(rest, s);
}

int main(int argc, char **argv)
{
    static const char *const laws[][2] = {{"shallow_water", ""},
                                          {"local_inertia", ""},
                                          {"shallow_water", "courant: 0.7,"},
                                          {"shallow_water", "bed_steps: critical,"},
                                          {"published", "pipe_area: 5,"}};
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    for (int n = 0; n < 5; n++) {
        otok_scenario *s = scene(river, laws[n][0], laws[n][1]);
        otok_sim *sim = start(s, backend);
        MUST(otok_sim_run(sim, END));
        if (n < 4) check_values(sim);
        check_restart(s, backend, sim);
        scene_destroy(sim, s);
    }
    check_reef(backend);
    return check_failures != 0;
}
