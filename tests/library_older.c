/* Claim: a program goes on with a newer library. This one has a frozen copy of declarations of
   0.1.0 instead of a header, some of them less their last members, as an older header has them, and
   one with more, as a newer one has. Numbers and offsets stay; nothing is written beyond the size
   that goes with a call, and what the library does not know is 0. Do not change the copy: if it
   does not fit any more, programs break. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK, USAGE, DATA, DEVICE, NOMEM, IO, STOPPED, INTERNAL };
enum { LAYERS = 8, NAME = 64, TERRAIN = 55, LAYER = 56, FIELDS = 63 };

typedef struct layer_ledger {
    char name[NAME];
    double start, eroded, deposited, raised, now, error;
} layer_ledger;

typedef struct ledger { /* less its last entry, solid_error */
    int64_t not_finite, nlayers;
    layer_ledger layers[LAYERS];
    double water, water_start, rain, rain_nominal, rivers, rivers_nominal, evaporated,
        water_infiltrated, water_out, to_sea, water_entered, displaced, water_booked, water_clamped,
        water_error, solid, suspended, solid_start, sediment_out, drift, diffused, smoothed, uplift,
        uplift_nominal, reef, reef_rock, dissolved, river_out, river_settled, river_laid,
        river_unsettled, abraded, solid_booked, droplets_lost, droplets_rounded, ground_rounded,
        ground_moved;
} ledger;

typedef struct entry {
    const char *name;
    int side;
    char sign;
    const char *label, *help;
    size_t offset;
} entry;

typedef struct diagnosis { /* less its last members, of what is lost */
    int64_t samples, since, until;
    int verdict;
    int64_t after, first, cell_x, cell_y, cells;
    double share, audit_speed, audit_ground, audit_sediment, audit_sweeps, slow, texture, broken,
        doubt, proof, deepest, deepest_limit;
    int64_t deepest_at, deep_after, deep_first;
} diagnosis;

typedef struct progress { /* less its last members */
    int64_t iteration, iterations;
    const char *phase;
} progress;

typedef struct run_options { /* less `user` */
    const char *directory, *backend;
    int resume, overwrite;
    double max_seconds;
    int (*poll)(void *user, const progress *progress);
} run_options;

int otok_scenario_read(void **out, const char *text, const char *path, const char *const *sets,
                       int nsets);
void otok_scenario_destroy(void *scenario);
int otok_sim_create(void **out, const void *scenario, const char *backend);
void otok_sim_destroy(void *sim);
int otok_sim_watch(void *sim);
int otok_sim_run(void *sim, int64_t n);
int otok_sim_get(void *sim, int field, float *map);
int otok_sim_measure(void *sim, void *ledger, uint64_t *fingerprint, size_t size);
int otok_sim_diagnose(void *sim, diagnosis *out, size_t size);
char *otok_diagnosis_text(const diagnosis *diagnosis, char out[2048], size_t size);
int otok_run(const void *scenario, const run_options *options, size_t size);
double otok_ledger_value(const void *ledger, int i, size_t size);
const entry *otok_ledger_at(int i);
int otok_field_find(const char *name);
int otok_field_layer(int field);
const void *otok_field_at(int field);
const char *otok_verdict_name(int verdict);
const char *otok_form_name(int form);
int otok_exit_code(int status);
const char *otok_why(void);

static int failures;

static void check(int holds, const char *what)
{
    if (holds) return;
    failures++;
    fprintf(stderr, "%s (%s)\n", what, otok_why());
}

static const char scenario_text[] =
    "otok: 1\ngrid: {nx: 9, ny: 7, spacing: 2}\nbase: [{cone: {height: 9, radius: 9}}]\n"
    "phases: [{name: a, iterations: 30, rain: {rate: 0.001}, hydraulic: {dt: 0.01}}]\n";

static void check_numbers(void)
{
    static const char *const fields[] = {
        "terrain_base", "terrain_change", "water",          "sediment",
        "outflow_left", "outflow_right",  "outflow_bottom", "outflow_top",
        "velocity_x",   "velocity_y",     "carbon",         "reef",
        "wetness",      "road",           "road_height",    "erodibility"};
    static const char *const later[] = {"exposure",         "wave_loss",       "wave_x",
                                        "wave_y",           "infiltrated",     "reef_second",
                                        "reef_third",       "change_by_water", "change_by_slides",
                                        "change_by_uplift", "change_by_waves", "change_by_seabed",
                                        "reef_time",        "receiver"};
    static const char *const verdicts[] = {"stable",
                                           "growing",
                                           "step_dependent",
                                           "speed_limited",
                                           "non_conservative",
                                           "chattering",
                                           "rolling",
                                           "ruined",
                                           "diverged",
                                           "refused",
                                           "growing_physical",
                                           "growing_grid",
                                           "growing_numerical",
                                           "not_audited"};
    static const char *const forms[] = {"fringing",  "barrier", "atoll", "platform",
                                        "submerged", "drowned", "bare"};
    static const int codes[] = {0, 2, 65, 69, 70, 74, 75, 70};
    for (int i = 0; i < 16; i++)
        check(otok_field_find(fields[i]) == i, fields[i]);
    for (int i = 0; i < 14; i++)
        check(otok_field_find(later[i]) == 23 + i, later[i]);
    for (int i = 0; i < 14; i++)
        check(strcmp(otok_verdict_name(i), verdicts[i]) == 0, verdicts[i]);
    for (int i = 0; i < 7; i++)
        check(strcmp(otok_form_name(i), forms[i]) == 0, forms[i]);
    for (int i = 0; i < 8; i++)
        check(otok_exit_code(i) == codes[i], "an exit code");
    check(otok_field_find("terrain") == TERRAIN, "the number of the terrain");
    check(otok_field_layer(16) == 0 && otok_field_layer(22) == 6 && otok_field_layer(LAYER) == 0,
          "the numbers of layers");
    check(!otok_field_at(FIELDS) && otok_field_at(FIELDS - 1), "the number of fields");
    for (int i = 0; i < FIELDS; i++)
        check(!otok_field_at(i) == (otok_field_layer(i) == LAYERS), "a free number has no field");
}

#define PLACE(member)                                                                              \
    {                                                                                              \
#member, offsetof(ledger, member)                                                          \
    }
static void check_places(const ledger *l)
{
    static const struct {
        const char *name;
        size_t offset;
    } places[] = {PLACE(water),       PLACE(water_start), PLACE(rain),         PLACE(water_out),
                  PLACE(water_error), PLACE(solid),       PLACE(sediment_out), PLACE(uplift),
                  PLACE(reef),        PLACE(river_out),   PLACE(solid_booked), PLACE(ground_moved)};
    size_t found = 0;
    for (int i = 0; otok_ledger_at(i); i++)
        for (size_t k = 0; k < sizeof places / sizeof *places; k++)
            if (strcmp(otok_ledger_at(i)->name, places[k].name) == 0) {
                found++;
                check(otok_ledger_at(i)->offset == places[k].offset, places[k].name);
                check(otok_ledger_value(l, i, sizeof *l) ==
                          *(const double *)((const char *)l + places[k].offset),
                      places[k].name);
            }
    check(found == sizeof places / sizeof *places, "an entry of the ledger is missing");
}

static void check_structs(void *sim)
{
    struct {
        ledger ledger;
        unsigned char after[512];
    } here;
    struct {
        diagnosis diagnosis;
        unsigned char after[512];
    } said;
    char text[2048], expected[64];
    uint64_t fingerprint;
    int untouched = 1, zero = 1;
    memset(&here, 0xa5, sizeof here);
    memset(&said, 0xa5, sizeof said);
    check(otok_sim_measure(sim, &here.ledger, &fingerprint, sizeof here.ledger) == OK, "a ledger");
    check(otok_sim_diagnose(sim, &said.diagnosis, sizeof said.diagnosis) == OK, "a diagnosis");
    for (int i = 0; i < 512; i++)
        untouched &= here.after[i] == 0xa5 && said.after[i] == 0xa5;
    check(untouched, "an older program's memory was written");
    check(here.ledger.rain > 0 && here.ledger.water > 0 && here.ledger.nlayers == 0, "rain");
    check(said.diagnosis.samples > 0 && said.diagnosis.verdict > 0 && said.diagnosis.cells > 9,
          "a verdict");
    snprintf(expected, sizeof expected, "verdict: %s,", otok_verdict_name(said.diagnosis.verdict));
    otok_diagnosis_text(&said.diagnosis, text, sizeof said.diagnosis);
    check(strncmp(text, expected, strlen(expected)) == 0, "the text of an older diagnosis");
    check_places(&here.ledger);
    check(otok_sim_measure(sim, &here, &fingerprint, sizeof here) == OK,
          "a newer program's ledger");
    for (int i = 8; i < 512; i++)
        zero &= here.after[i] == 0; /* the first eight are solid_error */
    check(zero, "what the library does not know is not 0");
}

static int polls;

static int count(void *user, const progress *p)
{
    polls += !user && p->iterations == 30 && p->iteration <= 30;
    return 0;
}

int main(void)
{
    void *scenario = NULL, *sim = NULL;
    static float map[63];
    char folder[] = "/tmp/otok-older-XXXXXX", path[64], remove[80];
    check_numbers();
    check(otok_scenario_read(&scenario, scenario_text, "older.yaml", NULL, 0) == OK, "a scenario");
    check(otok_sim_create(&sim, scenario, "cpu") == OK, "a simulation");
    check(otok_sim_watch(sim) == OK && otok_sim_run(sim, 30) == OK, "a run");
    check(otok_sim_get(sim, TERRAIN, map) == OK && map[31] > 1, "the terrain");
    if (!failures) check_structs(sim);
    otok_sim_destroy(sim);
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/out", folder);
    const run_options options = {path, "cpu", 0, 0, 0, count};
    check(otok_run(scenario, &options, sizeof options) == OK && polls > 0, "older options");
    otok_scenario_destroy(scenario);
    snprintf(remove, sizeof remove, "rm -r %s", folder);
    if (system(remove)) fprintf(stderr, "%s is left\n", folder);
    return failures > 0;
}
