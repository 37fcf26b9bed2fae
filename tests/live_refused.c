/* live_refused.c - claim: what cannot change while a simulation runs, and what --set would refuse,
   is refused with a text that says why; and so are changes that a scenario schedules. Nothing has
   changed then. CHECK_ONCE */
#include "scene.h"

static const char scenario[] = "otok: 1\ngrid: {nx: 9, ny: 8}\nsea: {level: 1}\nphases:\n"
                               "  - {name: rain, iterations: 20, rain: {rate: 0.01}, hydraulic: "
                               "{dt: 0.1}, thermal: {dt: 0.1}}\n"
                               "  - {name: drops, droplets: {count: 30, batch: 10}}\n"
                               "  - {name: reef, iterations: 10, reef: {dt: 0.1}}\n";

typedef struct refusal {
    const char *path, *value, *says;
} refusal;

static const refusal refusals[] = {
    {"grid.nx", "10",
     "grid.nx cannot change while a simulation runs; only sea.level and values of phases.NAME... "
     "can"},
    {"sea.level", "deep", "is not a number"},
    {"sea", "{level: 2}", "cannot change"},
    {"seed", "2", "cannot change"},
    {"phases", "[]", "cannot change"},
    {"layers", "[]", "cannot change"},
    {"phases.rain.name", "other", "the name of a phase cannot change"},
    {"phases.rain", "{name: other, iterations: 20, thermal: {}}", "cannot change"},
    {"phases.rain.iterations", "4",
     "5 iterations of phase rain are done; allowed: at least as many"},
    {"phases.rain.hydraulic.capacity", "-1",
     "--set phases.rain.hydraulic.capacity=-1: phases.rain.hydraulic.capacity: -1 is out of "
     "range; allowed: at least 0"},
    {"phases.rain.hydraulic.capacity", "much", "is not a number"},
    {"phases.rain.hydraulic.capcity", "1", "the nearest known one is `capacity`"},
    {"phases.ran.hydraulic.capacity", "1", "the nearest name is `rain`"},
    {"phases.rain.hydraulic.evaporation", "11", "dries more than there is"},
    {"phases.rain.reef", "{}", "erosion in the same phase spoils the reef"},
    {"phases.rain.rain.map", "rain.png",
     "the map of rain.map is made before a simulation runs and cannot change; its rate can"},
    {"phases.rain.hydraulic.capacity", "1\n", "a value has one line"},
    {"phases.drops.droplets.batch", "5", "droplets"},
    {"phases.drops.droplets", "off", "nothing happens in this phase"},
    {"phases.reef.reef.age", "true", "reef.age cannot change while a simulation runs"},
    {"phases.rain.seabed.sweeps", "200", "more than 512 steps"},
};

static const char *const scheduled[][2] = {
    {"[{at: 34, path: phases.reef.reef.dt, value: 0.2}]",
     "34 is out of range; the scenario has 33 iterations"},
    {"[{at: 5, path: phases.rain.thermal.talus, value: 95}]",
     ":3: changes.0: --set phases.rain.thermal.talus=95"},
    {"[{at: 5, path: phases.rain.thermal.talus, value: 9}, {at: 4, path: "
     "phases.rain.thermal.talus, value: 8}]",
     "4 comes after 5"},
    {"[{at: 25, path: phases.rain.thermal.talus, value: 9}]", "phase rain ended at iteration 25"},
    {"[{at: 5, path: grid.nx, value: 9}]", "grid.nx cannot change"},
    {"[{at: 5, value: 9}]", "`path` is missing"},
    {"[{at: 5.5, path: phases.rain.thermal.talus, value: 9}]", "5.5"},
    {"[{at: 5, path: phases.rain.thermal.talus, value: 9, when: now}]", "when"},
    {"{at: 5}", "a list of changes is needed"},
};

static void refuse(otok_sim *sim, const refusal *r)
{
    const uint64_t print = scene_fingerprint(sim);
    char *text = strdup(otok_scenario_text(otok_sim_scenario(sim)));
    const otok_status status = otok_sim_change(sim, r->path, r->value);
    CHECK(status == OTOK_USAGE || status == OTOK_DATA, "%s=%s was taken", r->path, r->value);
    CHECK(strstr(otok_why(), r->says), "%s=%s: %s", r->path, r->value, otok_why());
    CHECK(scene_fingerprint(sim) == print && otok_sim_changes(sim) == 0, "%s=%s changed something",
          r->path, r->value);
    CHECK(strcmp(text, otok_scenario_text(otok_sim_scenario(sim))) == 0,
          "%s=%s changed the scenario", r->path, r->value);
    free(text);
}

static void refuse_scheduled(const char *changes, const char *says)
{
    char path[] = "/tmp/otok-scheduled-XXXXXX.yaml";
    FILE *file = fdopen(mkstemps(path, 5), "w");
    otok_scenario *s = NULL;
    fprintf(file, "otok: 1\n# a change in line 3\nchanges: %s\n%s", changes,
            strchr(scenario, '\n') + 1);
    fclose(file);
    CHECK(otok_scenario_load(&s, path, NULL, 0) != OTOK_OK && strstr(otok_why(), says), "%s: %s",
          changes, otok_why());
    otok_scenario_destroy(s);
    unlink(path);
}

int main(void)
{
    otok_scenario *s = scene("%s", scenario);
    otok_sim *sim = scene_sim(s, "cpu");
    MUST(otok_sim_run(sim, 5));
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        refuse(sim, &refusals[i]);
    MUST(otok_sim_run(sim, 18));
    refuse(sim, &(refusal){"phases.rain.thermal.talus", "20", "phase rain ended at iteration 23"});
    for (size_t i = 0; i < sizeof scheduled / sizeof scheduled[0]; i++)
        refuse_scheduled(scheduled[i][0], scheduled[i][1]);
    scene_destroy(sim, s);
    return check_failures != 0;
}
