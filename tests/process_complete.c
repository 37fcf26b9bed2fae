/* process_complete.c - claim: no process lacks a part. Every group of a phase is read, written and
   read again; a process with a time step of its own moves the clock; a ground in layers takes it or
   refuses it by name; it changes the state; its sums have names, and a restart keeps them; predict
   has a word about it; the proofs on backends run it.
   What it does is in process_conformance.c and process_moves.c. */
#include "conformance.h"
#include "states.h"
#include "study/member.h"

#include <unistd.h>

/* Rain and sides only do something to the water of another process. */
static int has_stages(const char *group)
{
    return strcmp(group, "rain") != 0 && strcmp(group, "sides") != 0;
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
static int check_series(const trial *t, const char *key)
{
    const char *group = t->process->group;
    char found[64];
    trial one = *t, other = *t, wrong = *t;
    trial_set(&one, key, "[[0, 1], [2, 3]]");
    trial_set(&other, key, "[[0, 1], [2, 4]]");
    trial_set(&wrong, key, "[{no: pair}]");
    otok_scenario *s = trial_scenario(&one), *then = trial_scenario(&other);
    if (!s || !then) return 0;
    snprintf(found, sizeof found, "      %s:", key);
    CHECK(strstr(otok_scenario_text(s), found), "%s.%s is not in the resolved text", group, key);
    check_text(group, s);
    CHECK(strcmp(otok_scenario_text(s), otok_scenario_text(then)) != 0,
          "%s.%s: two series have one text", group, key);
    CHECK(!trial_scenario(&wrong) && strstr(otok_why(), key),
          "%s.%s: a wrong series is accepted, or %s", group, key, otok_why());
    otok_scenario_destroy(s);
    otok_scenario_destroy(then);
    return 1;
}

/* In one of the trials of the process. */
static void check_all_series(const trial *trials, int n)
{
    const otok_process *process = trials->process;
    for (int i = 0; i < process->nparameters; i++) {
        const otok_parameter *p = &process->parameters[i];
        int checked = p->kind != OTOK_SERIES;
        for (int k = 0; k < n && !checked; k++)
            checked = check_series(&trials[k], p->key);
        CHECK(checked, "%s.%s: a series is refused: %s", process->group, p->key, otok_why());
    }
}

/* A droplet's dt is a step of its own way, not of the clock; maxima have that of the water beside.
 */
static void check_clock(const char *group, const otok_scenario *s)
{
    const int ticks = (otok_parameter_find(group, "dt") && strcmp(group, "droplets") != 0) ||
                      strcmp(group, "maxima") == 0;
    const double time = otok_scenario_moment(s, 4).time;
    CHECK(!has_stages(group) || (time > 0) == ticks, "%s: 4 iterations take %g s", group, time);
}

/* The sums of a run, and those of one that a checkpoint divides. */
static void check_sums(const trial *t, const otok_scenario *s)
{
    const char *group = t->process->group;
    otok_scenario *same;
    otok_sim *sim = trial_begin(t, &same);
    const uint64_t start = scene_fingerprint(sim);
    MUST(otok_sim_run(sim, 2));
    CHECK(scene_fingerprint(sim) != start, "%s changes nothing", group);
    otok_sim *again = scene_resume(sim, s, "cpu");
    MUST(otok_sim_run(sim, 2));
    MUST(otok_sim_run(again, 2));
    scene_check_same(sim, again, group);
    scene_destroy(sim, same);
    otok_sim_destroy(again);
}

static void check_layers(const trial *t)
{
    trial layered = *t;
    layered.layered = 1;
    otok_scenario *s = trial_scenario(&layered);
    CHECK(s || (strstr(otok_why(), t->process->group) && strstr(otok_why(), "layers")),
          "%s is refused over layers without a word: %s", t->process->group, otok_why());
    otok_scenario_destroy(s);
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
    static trial trials[TRIALS];
    trials_begin("cpu");
    for (int i = 0; i < OTOK_PROCESSES; i++) {
        const char *group = otok_processes[i]->group;
        otok_limit limits[OTOK_LIMITS];
        int n;
        trials_of(otok_processes[i], trials, &n);
        otok_scenario *s = trial_scenario(trials);
        CHECK(s->phases[0].processes & otok_processes[i]->bit, "%s sets no bit", group);
        CHECK((otok_processes[i]->program || otok_processes[i]->flux) == has_stages(group),
              "%s has no stages", group);
        CHECK(otok_phase_group(&s->phases[0], group), "%s has no values", group);
        check_text(group, s);
        check_all_series(trials, n);
        check_clock(group, s);
        check_sums(trials, s);
        check_layers(trials);
        check_part(otok_processes[i], s);
        CHECK(otok_predict(limits, s, 0, NULL) > 0 || strcmp(group, "droplets") == 0,
              "predict says nothing about %s", group);
        CHECK(is_proved(otok_processes[i]->bit), "no proof on backends runs %s", group);
        otok_scenario_destroy(s);
    }
    return check_failures > 0;
}
