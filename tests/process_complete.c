/* process_complete.c - claim: no process lacks a part. Every group of a phase is read, written and
   read again; a process with a time step of its own moves the clock; a ground in layers takes it or
   refuses it by name, and no layer gets a negative thickness; it changes the state; its sums have
   names, and a restart keeps them; half the time step is half of its own; predict has a word about
   it; the proofs on backends run it, with a
   value for every member of otok_step. */
#include "scenario/process.h"
#include "scene.h"
#include "states.h"
#include "study/member.h"

#include <unistd.h>

static const char head[] = "otok: 1\nseed: 4\ngrid: {nx: 24, ny: 20, spacing: 2}\nsea: {level: "
                           "6}\nedges: {left: open, right: open, bottom: open, top: open}\n"
                           "base: [{cone: {height: 30, radius: 30}}, {simplex: {wavelength: 9, "
                           "amplitude: 4, combine: add}}]\n";
static const char rock[] = "layers: [{name: soil, thickness: 0.2, erodibility: 3}, {name: cap, "
                           "thickness: 0.4}, {name: rock}]\n";

/* Rain and sides only do something to the water of another process. */
static int has_stages(const char *group)
{
    return strcmp(group, "rain") != 0 && strcmp(group, "sides") != 0;
}

/* A phase of n iterations of one process by its defaults and `more`. */
static const char *phase_with(const char *group, int n, const char *more)
{
    static char text[400];
    char iterations[32];
    const int rain = strcmp(group, "rain") == 0;
    snprintf(iterations, sizeof iterations, "iterations: %d, ", n);
    if (strcmp(group, "droplets") == 0) iterations[0] = 0; /* which bring their own number */
    snprintf(text, sizeof text, "phases: [{name: only, %s%s: {%s%s}%s}]\n", iterations, group, more,
             rain                             ? "rate: 0.01"
             : strcmp(group, "droplets") == 0 ? "count: 400, batch: 100"
             : strcmp(group, "reef") == 0
                 ? strstr(more, "law") ? "dt: 0.5" : "dt: 0.5, calcification: 2"
             : strcmp(group, "infiltration") == 0     ? "dt: 0.1"
             : strcmp(group, "uplift") == 0           ? "dt: 0.5, rate: 0.001"
             : strcmp(group, "coast") == 0            ? "dt: 0.5, drift: 1e-5"
             : strcmp(group, "marine_diffusion") == 0 ? "dt: 0.5, diffusivity: 1"
                                                      : "",
             rain                                 ? ", hydraulic: {}"
             : strcmp(group, "hydraulic") == 0    ? ", rain: {rate: 0.01}"
             : strcmp(group, "coast") == 0        ? ", waves: {}"
             : strcmp(group, "infiltration") == 0 ? ", rain: {rate: 0.01}, hydraulic: {}"
             : strcmp(group, "sides") == 0 ? ", rain: {rate: 0.01}, hydraulic: {law: shallow_water}"
                                           : "");
    return text;
}

static const char *phase_of(const char *group, int n)
{
    return phase_with(group, n, "");
}

static void check_text(const char *group, const otok_scenario *s)
{
    char key[64];
    snprintf(key, sizeof key, "    %s:\n", group);
    CHECK(strstr(otok_scenario_text(s), key), "%s is not in the resolved text", group);
    otok_scenario *again = scene_load(otok_scenario_text(s), NULL, 0);
    CHECK(strcmp(otok_scenario_text(again), otok_scenario_text(s)) == 0,
          "%s: the resolved text reads back as another", group);
    otok_scenario_destroy(again);
}

/* A series in the phase with it is in the resolved text, is refused if it is something else, and is
   not that of another series. Lists of structs: scenario_lists.c. */
static void check_series(const char *group, const char *key)
{
    char texts[3][2000], given[128], found[64];
    static const char *const points[] = {"[[0, 1], [2, 3]]", "[[0, 1], [2, 4]]", "[{no: pair}]"};
    for (int i = 0; i < 3; i++) {
        snprintf(given, sizeof given, "%s: %s, ", key, points[i]);
        snprintf(texts[i], sizeof texts[i], "%s%s", head, phase_with(group, 4, given));
    }
    otok_scenario *s = scene_load(texts[0], NULL, 0), *other = scene_load(texts[1], NULL, 0),
                  *none = NULL;
    snprintf(found, sizeof found, "      %s:", key);
    CHECK(strstr(otok_scenario_text(s), found), "%s.%s is not in the resolved text", group, key);
    check_text(group, s);
    CHECK(strcmp(otok_scenario_text(s), otok_scenario_text(other)) != 0,
          "%s.%s: two series have one text", group, key);
    CHECK(otok_scenario_parse(&none, "bad", texts[2], strlen(texts[2]), NULL, 0) == OTOK_DATA &&
              strstr(otok_why(), key),
          "%s.%s: a wrong series is accepted, or %s", group, key, otok_why());
    otok_scenario_destroy(s);
    otok_scenario_destroy(other);
    otok_scenario_destroy(none);
}

static void check_all_series(const otok_process *process)
{
    for (int i = 0; i < process->nparameters; i++)
        if (process->parameters[i].kind == OTOK_SERIES)
            check_series(process->group, process->parameters[i].key);
}

/* A stage that reads a value of the schedule has one to read in the proofs on backends. */
static void check_steps(void)
{
    otok_step steps[STEPS];
    describe_steps(steps);
#define OTOK_ROW(type, member, unit)                                                               \
    {                                                                                              \
        int set = 0;                                                                               \
        for (int n = 0; n < STEPS; n++)                                                            \
            set |= steps[n].member != 0;                                                           \
        CHECK(set, "describe_steps leaves %s at 0", #member);                                      \
    }
    OTOK_STEP_VALUES(OTOK_ROW)
#undef OTOK_ROW
}

/* A droplet's dt is a step of its own way, not of the clock. */
static void check_clock(const char *group, const otok_scenario *s)
{
    const int ticks = otok_parameter_find(group, "dt") && strcmp(group, "droplets") != 0;
    const double time = otok_scenario_moment(s, 4).time;
    CHECK(!has_stages(group) || (time > 0) == ticks, "%s: 4 iterations take %g s", group, time);
}

/* The sums of a run, and those of one that a checkpoint divides. */
static void check_sums(const char *group, const otok_scenario *s)
{
    char path[] = "/tmp/otok-complete-XXXXXX", file[64];
    otok_ledger whole, divided;
    uint64_t one, two;
    if (!mkdtemp(path)) exit(1);
    snprintf(file, sizeof file, "%s/x.vtkhdf", path);
    otok_sim *sim = scene_sim(s, "cpu");
    const uint64_t start = scene_fingerprint(sim);
    MUST(otok_sim_run(sim, 2));
    CHECK(scene_fingerprint(sim) != start, "%s changes nothing", group);
    MUST(otok_sim_save(sim, file));
    MUST(otok_sim_run(sim, 2));
    MUST(otok_sim_measure(sim, &whole, &one));
    otok_sim *again = scene_sim(s, "cpu");
    MUST(otok_sim_load(again, file));
    MUST(otok_sim_run(again, 2));
    MUST(otok_sim_measure(again, &divided, &two));
    CHECK(one == two && memcmp(&whole, &divided, sizeof whole) == 0,
          "%s: a restart changes the state or the ledger", group);
    CHECK(fabs(whole.solid_error) < 1e-6 * whole.solid &&
              fabs(whole.water_error) <= 1e-6 * fabs(whole.water),
          "%s: the ledger leaves %g m3 of solid, %g of water unexplained", group, whole.solid_error,
          whole.water_error);
    otok_sim_destroy(sim);
    otok_sim_destroy(again);
    unlink(file);
    rmdir(path);
}

static void check_layers(const char *group)
{
    char text[2000];
    static float map[24 * 20];
    otok_scenario *s = NULL;
    snprintf(text, sizeof text, "%s%s%s", head, rock, phase_of(group, 40));
    if (otok_scenario_parse(&s, "layers", text, strlen(text), NULL, 0) != OTOK_OK) {
        CHECK(strstr(otok_why(), group) && strstr(otok_why(), "layers"),
              "%s is refused over layers without a word: %s", group, otok_why());
        return;
    }
    otok_sim *sim = scene_sim(s, "cpu");
    MUST(otok_sim_run(sim, otok_scenario_iterations(s)));
    const otok_ledger l = scene_ledger(sim);
    for (int i = 0; i < 3; i++)
        CHECK(fabs(l.layers[i].error) < 1e-6 * l.solid, "%s: layer %s has %g m3 unexplained", group,
              l.layers[i].name, l.layers[i].error);
    for (int i = 0; i < 2; i++) {
        float least = 0;
        MUST(otok_sim_get(sim, (otok_field)(OTOK_LAYER + i), map));
        for (int n = 0; n < 24 * 20; n++)
            if (map[n] < least) least = map[n];
        CHECK(least >= 0, "%s: layer %d is %g m thick somewhere", group, i, (double)least);
    }
    scene_destroy(sim, s);
}

static void check_half_step(const char *group, const otok_scenario *s)
{
    const otok_parameter *dt = otok_parameter_find(group, "dt");
    otok_phase half = s->phases[0];
    if (!dt || strcmp(group, "droplets") == 0) return;
    otok_phase_halve_steps(&half);
    const double before = *(double *)((char *)otok_phase_group(&s->phases[0], group) + dt->offset);
    const double after = *(double *)((char *)otok_phase_group(&half, group) + dt->offset);
    CHECK(after == before / 2 && half.iterations == 2 * s->phases[0].iterations,
          "%s: dt %g becomes %g", group, before, after);
}

/* A process that moves the ground names its part of the change; a reef has fields of its own. */
static void check_part(const otok_process *process, const otok_scenario *s)
{
    static const int edges[OTOK_SIDES];
    const otok_set moves =
        otok_set_or(otok_set_one(OTOK_TERRAIN_CHANGE), otok_set_one(OTOK_CHANGE_NEXT));
    otok_program program;
    otok_set written = {{0}};
    if (s->phases[0].processes != process->bit || process->bit == OTOK_REEF_GROWTH) return;
    MUST(otok_program_for_phase(&program, &s->phases[0], edges));
    for (int n = 0; n < program.nops; n++)
        if (program.ops[n].kind == OTOK_OP_STAGE)
            written = otok_set_or(written, otok_set_or(otok_stage_infos[program.ops[n].a].writes,
                                                       otok_stage_infos[program.ops[n].a].seldom));
    CHECK(otok_set_is_empty(otok_set_and(written, moves)) == !process->part,
          "%s moves the ground without a part of its change, or has one and does not",
          process->group);
}

static int is_proved(int bit)
{
    if (!nphases) describe_phases();
    for (int n = 0; n < nphases; n++)
        if (phases[n].processes & bit) return 1;
    return bit == OTOK_RAIN; /* which describe_steps has */
}

int main(void)
{
    check_steps();
    for (int i = 0; i < OTOK_PROCESSES; i++) {
        const char *group = otok_processes[i]->group;
        otok_limit limits[OTOK_LIMITS];
        char text[2000];
        snprintf(text, sizeof text, "%s%s", head, phase_of(group, 4));
        otok_scenario *s = scene_load(text, NULL, 0);
        CHECK(s->phases[0].processes & otok_processes[i]->bit, "%s sets no bit", group);
        CHECK(!otok_processes[i]->program == !has_stages(group), "%s has no stages", group);
        CHECK(otok_phase_group(&s->phases[0], group), "%s has no values", group);
        check_text(group, s);
        check_all_series(otok_processes[i]);
        check_clock(group, s);
        check_sums(group, s);
        check_layers(group);
        check_half_step(group, s);
        check_part(otok_processes[i], s);
        CHECK(otok_predict(limits, s, 0, NULL) > 0 || strcmp(group, "droplets") == 0,
              "predict says nothing about %s", group);
        CHECK(is_proved(otok_processes[i]->bit), "no proof on backends runs %s", group);
        otok_scenario_destroy(s);
    }
    return check_failures > 0;
}
