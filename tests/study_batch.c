/* study_batch.c - claim: a study gives the same study.h5, byte for byte, whether its members run
   one after the other in one slot, in a few slots that are filled again, or all side by side, with
   other programs, edges, phases and ends in one study; the same as on the CPU; and each member's
   result is that of the member alone. A second argument, for an emulated GPU, ASan
   and compute-sanitizer, leaves out two numbers of slots, half of the members, and the members
   alone, whose kernels other tests launch. CHECK_STRATEGIES: cuda:fused has batches of its
   own. */
#include "study_alone.h"

#define FLUVIAL                                                                                    \
    "otok: 1\nseed: 3\ngrid: {nx: 20, ny: 14, spacing: 2}\nedges: {left: open}\nsea: {level: 3}\n" \
    "base: [{cone: {height: 12, radius: 14}}, {simplex: {octaves: 3, wavelength: 10, amplitude: "  \
    "2, combine: add}}]\n"                                                                         \
    "phases:\n"                                                                                    \
    "  - {name: a, iterations: 27, rain: {rate: 0.01}, hydraulic: {dt: 0.05, pipe_area: 2, "       \
    "capacity: 0.3, evaporation: 0.2}, "                                                           \
    "thermal: {dt: 0.05}}\n"                                                                       \
    "  - {name: b, iterations: 9, reef: {dt: 0.01}}\n"
#define LAYERED                                                                                    \
    "otok: 1\nseed: 4\ngrid: {nx: 16, ny: 18, spacing: 3}\nedges: {left: periodic, right: "        \
    "periodic, bottom: open}\n"                                                                    \
    "base: [{simplex: {octaves: 3, wavelength: 20, amplitude: 6}}]\nerodibility: [{cone: "         \
    "{height: 2, radius: 20}}]\n"                                                                  \
    "layers:\n  - {name: soil, erodibility: 2, thickness: [{constant: {height: 0.3}}]}\n  - "      \
    "{name: rock, erodibility: 0.5}\n"                                                             \
    "phases:\n"                                                                                    \
    "  - {name: a, iterations: 15, rain: {rate: 0.02, during: [[0, 9]]}, rivers: [{x: 9, y: 20, "  \
    "discharge: 3}], hydraulic: {dt: "                                                             \
    "0.1, pipes: signed, area: depth, manning: 0.03, capacity: 0.5}}\n"                            \
    "  - {name: b, iterations: 8, hydraulic: {dt: 0.1, pipes: signed, diffusion_sweeps: 1}, "      \
    "thermal: {dt: 0.02}, seabed: {}}\n"

/* In widths of one strip of the fused kernels and of several, whole and not (cuda/fast/strip.cuh).
 */
#define WIDE(edges)                                                                                \
    "otok: 1\nseed: 7\ngrid: {nx: 128, ny: 13, spacing: 2}\nedges: " edges "\nsea: {level: 3}\n"   \
    "base: [{simplex: {octaves: 3, wavelength: 40, amplitude: 9}}]\n"                              \
    "phases:\n"                                                                                    \
    "  - {name: a, iterations: 8, rain: {rate: 0.02, during: [[0, 4]]}, hydraulic: {dt: 0.05, "    \
    "pipe_area: 2, capacity: 0.3}}\n"                                                              \
    "  - {name: b, iterations: 3, rain: {rate: 1.0e-7}, hydraulic: {dt: 0.05, pipe_area: 2, "      \
    "evaporation: 0.001}, thermal: "                                                               \
    "{dt: 0.05}}\n"

#define STEPS                                                                                      \
    "  phases.a.hydraulic.dt: {from: 0.02, to: 0.2}\n"                                             \
    "  phases.a.rain.rate: {values: [0, 0.02]}\n"

static const struct trial {
    const char *name, *scenario, *study;
    int64_t few; /* slots: of the run whose members are run alone, too, and where there is to be
                    only one */
} trials[] = {
    {"fluvial", FLUVIAL,
     "seed: 5\ndesign: {kind: lhs, rows: 12}\nvary:\n"
     "  phases.a.hydraulic.dt: {from: 0.01, to: 2, scale: log}\n"
     "  phases.a.hydraulic.capacity: {from: 0.1, to: 1000000, scale: log}\n"
     "  phases.a.hydraulic.pipes: {values: [one_way, signed]}\n"
     "  phases.a.hydraulic.transport: {values: [conservative, semi_lagrangian]}\n"
     "  phases.a.iterations: {values: [0, 12, 27]}\n"
     "  edges.top: {values: [closed, open]}\n"
     "  base.0.cone.height: {values: [12, 9]}\n"
     "keep: {fields: [terrain, slope, water], coarsen: 2, when: [last, 7]}\n"
     "responses:\n  a: quantile(terrain, 0.9) - mean(if(slope > 0.1, log(slope), 0))\n"
     "  b: components(water > 0.01) + area(reef > 0) * mean(drainage_area)\n"
     "monitor: {every: 7, half_step: all}\n",
     3},
    {"layered", LAYERED,
     "seed: 6\ndesign: {kind: lhs, rows: 6}\nvary:\n"
     "  phases.a.hydraulic.manning: {from: 0, to: 0.1}\n"
     "  phases.a.hydraulic.friction: {values: [vector, axis]}\n"
     "  phases.a.hydraulic.theta: {values: [1, 0.8]}\n"
     "  phases.b.iterations: {values: [3, 8]}\n"
     "monitor: {every: 4, half_step: all}\n",
     3},
    {"wide", WIDE("{left: open, top: open}"),
     "seed: 8\ndesign: {kind: lhs, rows: 8}\nvary:\n  grid.nx: {values: [128, 130, 256, "
     "60]}\n" STEPS "  phases.a.hydraulic.slope: {values: [central, downhill]}\n"
     "  phases.b.thermal.law: {values: [share, excess]}\n"
     "monitor: {every: 5}\n",
     3},
    {"round", WIDE("{left: periodic, right: periodic, bottom: open}"),
     "seed: 9\ndesign: {kind: lhs, rows: 8}\nvary:\n  grid.nx: {values: [128, 130, 256, "
     "512]}\n" STEPS "monitor: {every: 5}\n",
     3},
    {"published", WIDE("{right: open, bottom: periodic, top: periodic}"),
     "seed: 10\ndesign: {kind: lhs, rows: 8}\nvary:\n  grid.nx: {values: [128, 130, 256, "
     "60]}\n" STEPS "  phases.a.hydraulic.transport: {values: [semi_lagrangian]}\n"
     "  phases.a.hydraulic.diffusion_sweeps: {values: [0, 1]}\n"
     "monitor: {every: 5}\n",
     3},
    {"chattering", /* in some members, whose samples count such cells */
     "otok: 1\nseed: 3\ngrid: {nx: 20, ny: 14}\nedges: {right: open}\nbase: [{simplex: {octaves: "
     "2, "
     "amplitude: 0.5, wavelength: 6}}]\ninitial: {water: 6}\n"
     "phases: [{name: a, iterations: 60, hydraulic: {dt: 0.1, pipes: signed, area: depth, manning: "
     "0.03, capacity: 0.1}}]\n",
     "seed: 13\ndesign: {kind: lhs, rows: 6}\nvary: {phases.a.hydraulic.dt: {from: 0.02, to: "
     "0.2}}\n"
     "monitor: {every: 15}\n",
     3},
    {"momentum",
     "otok: 1\nseed: 3\ngrid: {nx: 20, ny: 14}\nedges: {right: open}\nsea: {level: 0.3}\nbase: "
     "[{simplex: {octaves: "
     "2, amplitude: 2, wavelength: 9}}]\ninitial: {water: 0.5}\n"
     "phases:\n  - {name: a, iterations: 20, rain: {rate: 0.01}, rivers: [{x: 4, y: 4, radius: 2, "
     "discharge: 3}], hydraulic: {law: shallow_water, dt: 0.1}}\n"
     "  - {name: b, iterations: 10, hydraulic: {law: local_inertia, dt: 0.05, transport: "
     "semi_lagrangian}, thermal: {dt: 0.02}}\n",
     "seed: 14\ndesign: {kind: lhs, rows: 8}\nvary:\n"
     "  phases.a.hydraulic.dt: {from: 0.02, to: 0.3}\n"
     "  phases.a.hydraulic.manning: {values: [0, 0.03, 0.1]}\n"
     "  phases.a.hydraulic.sea: {values: [ignored, connected]}\n"
     "  phases.b.iterations: {values: [0, 10]}\n"
     "  edges.left: {values: [closed, open]}\n"
     "monitor: {every: 6}\n",
     3},
    {"courant", /* each member has steps of its own, and some have one an iteration */
     "otok: 1\nseed: 3\ngrid: {nx: 20, ny: 14}\nedges: {right: open}\nbase: [{simplex: {octaves: "
     "2, amplitude: 2, wavelength: 9}}]\ninitial: {water: 0.5}\naudit: [0, 0.3, 0.8]\n"
     "phases:\n  - {name: a, iterations: 5, rain: {rate: 0.01}, hydraulic: {law: shallow_water, "
     "dt: "
     "0.5, courant: 0.6}}\n"
     "  - {name: b, iterations: 4, rivers: [{x: 4, y: 4, radius: 2, discharge: 3}], sides: "
     "{right_level: [[0, 1], [2, 3]]}, hydraulic: {law: local_inertia, dt: 0.3, courant: 0.5}, "
     "thermal: {dt: 0.02}}\n"
     "  - {name: c, iterations: 4, hydraulic: {law: shallow_water, dt: 0.05}}\n",
     "seed: 17\ndesign: {kind: lhs, rows: 8}\nvary:\n"
     "  phases.a.hydraulic.courant: {values: [0.2, 0.6]}\n"
     "  phases.a.hydraulic.law: {values: [shallow_water, local_inertia]}\n"
     "  phases.b.hydraulic.courant: {values: [0.5, 0]}\n"
     "  initial.water: {values: [0.1, 3]}\n"
     "monitor: {every: 3, half_step: all}\n",
     3},
    {"faces", /* those of each kind have fused kernels for batches */
     "otok: 1\nseed: 7\ngrid: {nx: 128, ny: 13, spacing: 2}\nbase: [{simplex: {octaves: 3, "
     "wavelength: 40, amplitude: 9}}]\ninitial: {water: 0.2}\nphases: [{name: a, iterations: 9, "
     "rain: {rate: 0.02, during: [[0, 4]]}, hydraulic: {law: shallow_water, dt: 0.05, capacity: "
     "0.3}}]\n",
     "seed: 18\ndesign: {kind: lhs, rows: 12}\nvary:\n  grid.nx: {values: [128, 130, 64]}\n"
     "  phases.a.hydraulic.law: {values: [shallow_water, local_inertia]}\n"
     "  phases.a.hydraulic.bed_steps: {values: [smooth, critical]}\n"
     "  phases.a.hydraulic.manning: {from: 0.01, to: 0.1}\n"
     "  phases.a.hydraulic.slope: {values: [central, downhill]}\n"
     "  phases.a.hydraulic.theta: {values: [1, 1, 0.8]}\n"
     "  edges.left: {values: [closed, open]}\n  edges.bottom: {values: [closed, open]}\n"
     "monitor: {every: 4}\n",
     3},
    {"steps", /* nobody says how long they are */
     "otok: 1\nseed: 3\ngrid: {nx: 20, ny: 14}\nbase: [{simplex: {octaves: 2, amplitude: 2, "
     "wavelength: 9}}]\ninitial: {water: 0.5}\n"
     "phases: [{name: a, iterations: 9, hydraulic: {law: shallow_water, dt: 0.4}}]\n",
     "design: {kind: lhs, rows: 4}\nvary: {phases.a.hydraulic.manning: {from: 0.02, to: 0.1}}\n"
     "monitor: {every: 4}\n",
     3},
    {"reefs", /* over layers, in waves that are due at other times, with divided diffusion */
     "otok: 1\nseed: 7\ngrid: {nx: 20, ny: 21, spacing: 100}\nedges: {left: open, top: open}\n"
     "base: [{constant: {height: -90}}, {cone: {height: 110, radius: 1100, combine: add}}, "
     "{simplex: {octaves: 3, wavelength: 600, amplitude: 20, combine: add}}]\n"
     "layers: [{name: sand, thickness: 0}, {name: reef, thickness: 0}, {name: lava}]\n"
     "phases:\n  - {name: a, iterations: 23, waves: {every: 3}, uplift: {rate: -1.5844e-11}, "
     "marine_diffusion: {dt: 1262278080}, reef: {law: light_saturation, dt: 3155695200, rubble: "
     "0.3, "
     "sea_history: {pleistocene: -631139040000}}}\n"
     "  - {name: b, iterations: 9, marine_diffusion: {}, reef: {law: light_saturation, dt: "
     "1577847600, "
     "rubble: 0.3}}\n"
     "  - {name: c, iterations: 6, waves: {every: 2}, reef: {law: light_saturation, dt: "
     "3155695200, "
     "rubble: 0.3, denudation: 2.0e-12, producers: [{max_growth: 1.0e-10, absorption: 0.04, "
     "sheltered_growth: 2}, {max_growth: 5.0e-11, saturating_light: 50}]}}\n",
     "seed: 15\ndesign: {kind: lhs, rows: 8}\nvary:\n"
     "  phases.a.waves.every: {values: [3, 4]}\n"
     "  phases.a.waves.directions: {values: [4, 16]}\n"
     "  phases.a.uplift.rate: {from: -3.0e-11, to: 1.0e-11}\n"
     "  phases.a.marine_diffusion.dt: {values: [1.3e9, 4.0e9]}\n"
     "  phases.a.reef.max_growth: {from: 1.0e-10, to: 5.0e-10}\n"
     "  phases.c.reef.denudation: {values: [0, 4.0e-12]}\n"
     "  edges.right: {values: [closed, open]}\n"
     "monitor: {every: 7, half_step: all}\n",
     3},
    {"bare_reefs", /* without layers, in part wider than a row of sweeping threads is long */
     "otok: 1\nseed: 7\ngrid: {nx: 24, ny: 12, spacing: 100}\n"
     "edges: {left: open, right: open, bottom: periodic, top: periodic}\n"
     "base: [{cone: {height: 110, radius: 1100}}, {constant: {height: -80, combine: add}}, "
     "{simplex: {octaves: 3, wavelength: 600, amplitude: 20, combine: add}}]\n"
     "phases:\n  - {name: a, iterations: 11, waves: {every: 4, directions: 8, rose: [0, 1, 1, 1, "
     "0, 1, 1, 1]}, uplift: {rate: [{constant: {height: -1.0e-11}}, {simplex: {amplitude: 5.0e-12, "
     "wavelength: 500, combine: add}}]}, marine_diffusion: {}, reef: {law: light_saturation, dt: "
     "3155695200}}\n",
     "seed: 16\ndesign: {kind: lhs, rows: 4}\nvary:\n  grid.nx: {values: [24, 530]}\n"
     "  phases.a.marine_diffusion.diffusivity: {from: 0, to: 3.0e-7}\n"
     "  phases.a.reef.sheltered_growth: {from: 0.05, to: 1}\n"
     "monitor: {every: 5}\n",
     3},
    {"dams", /* a breach, whose corner and crest differ from member to member */
     "otok: 1\nseed: 8\ngrid: {nx: 37, ny: 22, spacing: 5}\nedges: {left: open}\nbase: [{simplex: "
     "{amplitude: 2, wavelength: 60}}]\nphases: [{name: a, iterations: 40, rivers: [{x: 150, y: "
     "50, "
     "discharge: 40}], dams: [{crest: 1, line: [[60, -1], [80, 120]]}, {history: [[0, 3], [6, 3], "
     "[9, 0]], line: [[110, -1], [121, 120]]}], hydraulic: {dt: 0.3, law: shallow_water}}]\n",
     "seed: 17\ndesign: {kind: lhs, rows: 6}\nvary:\n  phases.a.dams.0.crest: {from: 0, to: 3}\n"
     "  phases.a.dams.0.line.1.0: {from: 60, to: 100}\n"
     "  phases.a.hydraulic.law: {values: [shallow_water, local_inertia]}\n"
     "  phases.a.hydraulic.bed_steps: {values: [smooth, critical]}\nmonitor: {every: 5}\n",
     3},
    {"rivers", /* whose networks, rounds and sides differ from member to member */
     "otok: 1\nseed: 8\ngrid: {nx: 37, ny: 22, spacing: 50}\nsea: {level: 1}\n"
     "edges: {left: open, top: open}\nbase: [{simplex: {octaves: 3, wavelength: 700, amplitude: "
     "9}}]\nphases: [{name: a, iterations: 12, uplift: {dt: 3.0e11, rate: 1.0e-11}, rain: {map: "
     "[{simplex: {amplitude: 0.7}}, {constant: {height: 1, combine: add}}], history: [[0, 0.5], "
     "[3.0e12, 2]]}, incision: {dt: 1.6e11, inflows: [{x: 900, y: 500, area: 1e5}]}, "
     "marine_diffusion: {}}]\n",
     "seed: 17\ndesign: {kind: lhs, rows: 6}\nvary:\n  seed: {values: [1, 2, 3]}\n"
     "  phases.a.incision.erodibility: {from: 1.0e-13, to: 3.0e-12}\n"
     "  phases.a.incision.base_level: {values: [sides, sea]}\n"
     "  phases.a.incision.depressions: {values: [carve, lake]}\n"
     "  phases.a.incision.plume: {from: 20, to: 500}\n"
     "  phases.a.incision.inflows.0.area: {from: 0, to: 1.0e6}\n"
     "  phases.a.incision.routing: {values: [random, steepest]}\n  phases.a.incision.deposition: "
     "{values: [0, 0.6]}\nmonitor: {every: 5}\n",
     3},
    {"rivers that spread",
     "otok: 1\nseed: 8\ngrid: {nx: 37, ny: 22, spacing: 50}\nedges: {left: open, top: periodic, "
     "bottom: periodic}\nbase: [{simplex: {octaves: 3, wavelength: 700, amplitude: 9}}]\nphases: "
     "[{name: a, iterations: 8, incision: {dt: 1.6e11, area: multiple}}]\n",
     "seed: 17\ndesign: {kind: lhs, rows: 6}\nvary:\n  seed: {values: [1, 2, 3]}\n"
     "  phases.a.incision.partition: {from: 0.5, to: 4}\n"
     "  phases.a.incision.depressions: {values: [carve, lake]}\n"
     "  phases.a.incision.area: {values: [single, multiple]}\nmonitor: {every: 5}\n",
     3},
    {"slides",
     "otok: 1\nseed: 8\ngrid: {nx: 128, ny: 9, spacing: 2}\nbase: [{simplex: {octaves: 3, "
     "wavelength: 9, amplitude: 9}}]\n"
     "phases: [{name: a, iterations: 4, thermal: {dt: 0.05}}]\n",
     "design: {kind: grid}\nvary: {grid.nx: {values: [128, 130]}, phases.a.thermal.law: {values: "
     "[share, excess]}}\n"
     "monitor: {every: 2}\n",
     3},
    {"small",
     WIDE("{left: open, top: open}"), /* several in a strip, and strips that not all have filled */
     "seed: 11\ndesign: {kind: lhs, rows: 24}\nvary:\n  grid.nx: {values: [64, 32]}\n  grid.ny: "
     "{values: [11]}\n" STEPS "monitor: {every: 5}\n",
     12},
    {"small_published", WIDE("{left: periodic, right: periodic, top: open}"),
     "seed: 12\ndesign: {kind: lhs, rows: 24}\nvary:\n  grid.nx: {values: [64, 32]}\n  grid.ny: "
     "{values: [9]}\n" STEPS "  phases.a.hydraulic.transport: {values: [semi_lagrangian]}\n"
     "  phases.a.hydraulic.diffusion_sweeps: {values: [0, 1]}\n"
     "monitor: {every: 5}\n",
     12},
};

static const char *backend;
static char other[sizeof file_path];

static otok_study *study_of(const struct trial *t, int few)
{
    char text[2048], digits[12], *rows;
    otok_study *study;
    FILE *file = fopen(other, "w");
    if (!file || fputs(t->scenario, file) < 0 || fclose(file) != 0) exit(1);
    snprintf(text, sizeof text, "study: 1\nscenario: base.yaml\n%s", t->study);
    if (few && (rows = strstr(text, "rows: "))) { /* slots are still filled again */
        const int n = atoi(rows += strlen("rows: ")), width = n < 10 ? 1 : 2, most = n / 2 + 1,
                  least = (int)t->few + 1;
        snprintf(digits, sizeof digits, "%*d", width, least < most ? least : most);
        memcpy(rows, digits, (size_t)width);
    }
    file_write(text, strlen(text));
    MUST(otok_study_load(&study, file_path));
    return study;
}

static char *bytes_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) exit(1);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size);
    if (!bytes || fread(bytes, 1, *size, file) != *size) exit(1);
    fclose(file);
    return bytes;
}

/* Runs the study; the bytes of its study.h5. */
static char *table_of(const struct trial *t, const otok_study *study, const char *place,
                      int64_t slots, int alone, size_t *size)
{
    char folder[64], h5[96];
    snprintf(folder, sizeof folder, "%s/run", file_folder);
    snprintf(h5, sizeof h5, "%s/study.h5", folder);
    const otok_study_options o = {
        .directory = folder, .backend = place, .shard = 1, .shards = 1, .slots = slots};
    MUST(otok_study_run(study, &o, NULL));
    const double chatter = alone ? against_alone(t->name, study, folder, backend) : 1;
    CHECK(chatter > 0 || strcmp(t->name, "chattering") != 0, "%s: no cell chatters", t->name);
    char *bytes = bytes_of(h5, size);
    study_clear(folder);
    return bytes;
}

static void check(const struct trial *t, int few)
{
    const int64_t slots[] = {1, t->few, 0};
    otok_study *study = study_of(t, few);
    size_t size, expected;
    char *cpu = table_of(t, study, "cpu:plain", 0, 0, &expected);
    for (size_t n = 0; n < sizeof slots / sizeof slots[0]; n++) {
        if (few && slots[n] != t->few) continue;
        char *bytes = table_of(t, study, backend, slots[n], !few && slots[n] == t->few, &size);
        CHECK(size == expected && memcmp(bytes, cpu, size) == 0,
              "%s, %lld slots: study.h5 is not that of the CPU", t->name, (long long)slots[n]);
        free(bytes);
    }
    free(cpu);
    otok_study_destroy(study);
}

/* The `courant` of the only phase of member 0; NAN: none. */
static double courant_of(const char *law, const char *more, const char *axis)
{
    char scenario[512], study[256];
    snprintf(scenario, sizeof scenario,
             "otok: 1\ngrid: {nx: 4, ny: 4}\nbase: [constant: {height: 1}]\nphases: [{name: a, "
             "iterations: 1, hydraulic: {law: %s, dt: 0.1%s}}]\n",
             law, more);
    snprintf(study, sizeof study, "design: {kind: grid, points: 2}\nvary: {%s}\n", axis);
    const struct trial t = {"", scenario, study, 0};
    otok_study *s = study_of(&t, 0);
    otok_scenario *member;
    MUST(otok_study_member(&member, s, 0));
    const double courant = member->phases[0].hydraulic.courant;
    otok_scenario_destroy(member);
    otok_study_destroy(s);
    return courant;
}

/* Steps follow the water unless the study or the scenario chooses them, or the law has no limit
   that follows it. */
static void check_default(void)
{
    const char *const spacing = "grid.spacing: {from: 1, to: 2}";
    CHECK(courant_of("shallow_water", "", spacing) == 0.7, "no courant");
    CHECK(courant_of("local_inertia", "", spacing) == 0.7, "no courant");
    CHECK(courant_of("local_inertia", ", courant: 0.3", spacing) == 0.3, "another courant");
    CHECK(courant_of("local_inertia", ", courant: 0", spacing) == 0, "courant is not off");
    CHECK(isnan(courant_of("published", "", spacing)), "courant beside published pipes");
    CHECK(isnan(courant_of("shallow_water", ", rates: per_iteration", spacing)),
          "courant beside rates per iteration");
    CHECK(isnan(courant_of("shallow_water", "", "phases.a.hydraulic.dt: {from: 0.1, to: 0.2}")),
          "courant where the step is varied");
    CHECK(courant_of("shallow_water", "", "phases.0.hydraulic.courant: {values: [0.5]}") == 0.5,
          "not the courant that is varied");
}

int main(int argc, char **argv)
{
    setenv("SOURCE_DATE_EPOCH", "0", 1); /* equal studies are equal bytes */
    backend = CHECK_BACKEND(argc, argv)->name;
    file_create();
    snprintf(other, sizeof other, "%s/base.yaml", file_folder);
    check_default();
    for (size_t n = 0; n < sizeof trials / sizeof trials[0]; n++)
        check(&trials[n], argc > 2);
    unlink(other);
    file_remove();
    return check_failures != 0;
}
