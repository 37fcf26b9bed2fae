/* scenario_check.c: refuses values that are in range one by one but contradict each other.
   process_<group>.c has the checks of one process. */
#include "process.h"

#include <math.h>
#include <stdio.h>

static otok_status check_grid(const otok_scenario *s, const otok_node *root)
{
    const otok_node *grid = otok_node_find(root, "grid");
    const int64_t cells = s->grid.nx * s->grid.ny;
    if (cells <= INT64_C(1) << 32) return OTOK_OK; /* as sums and places hold */
    return otok_node_fail(otok_blame(grid, "nx", "ny", NULL),
                          "%lld x %lld cells are too many; allowed: nx ny at most 4294967296",
                          (long long)s->grid.nx, (long long)s->grid.ny);
}

static otok_status check_edges(const otok_scenario *s, const otok_node *root)
{
    static const char *const names[OTOK_SIDES] = {"left", "right", "bottom", "top"};
    const otok_node *edges = otok_node_find(root, "edges");
    for (int side = 0; side < OTOK_SIDES; side++)
        if (s->edges[side] == OTOK_PERIODIC && s->edges[side ^ 1] != OTOK_PERIODIC)
            return otok_node_fail(otok_node_find(edges, names[side]),
                                  "periodic joins two sides; make `%s` periodic too, or neither",
                                  names[side ^ 1]);
    return OTOK_OK;
}

enum { MOST_STEPS = 128 }; /* of a process in an iteration */

/* The processes whose pace is the clock have one time step; the others can follow it. */
static otok_status check_clock(const otok_phase *p, const otok_node *map)
{
    const otok_process *first = NULL;
    const otok_node *first_key = NULL;
    char own[64], other[64];
    for (int i = 0; i < OTOK_PROCESSES; i++) {
        const otok_process *process = otok_processes[i];
        const double *dt = otok_process_dt(process, p);
        const otok_node *group = otok_node_find(map, process->group),
                        *key = otok_node_find(group, "dt");
        if (!(p->processes & process->bit) || !dt) continue;
        if (!(otok_phase_step(p) > 0))
            return otok_node_fail(group,
                                  "`dt` is missing: nothing else in the phase has a time step");
        if (isnan(*dt)) continue;
        if (otok_process_steps(process, p) > MOST_STEPS)
            return otok_node_fail(key ? key : group,
                                  "%s.dt %s is less than 1/%d of the phase's clock of %s; raise "
                                  "it, or lower the time step of the other processes",
                                  process->group, otok_as_given(key, *dt, 15, "s", own), MOST_STEPS,
                                  otok_as_given(key, otok_phase_step(p), 15, "s", other));
        if (process->pace != OTOK_PACE_CLOCK) continue;
        if (!first) first = process, first_key = key;
        if (*dt != *otok_process_dt(first, p))
            return otok_node_fail(
                key ? key : group,
                "%s.dt %s and %s.dt %s: these processes share the clock of the phase; give both "
                "the same dt, or each a phase of its own",
                process->group, otok_as_given(key, *dt, 15, "s", own), first->group,
                otok_as_given(first_key, *otok_process_dt(first, p), 15, "s", other));
    }
    return OTOK_OK;
}

static otok_status check_parts(const otok_phase *p, const otok_node *map)
{
    for (int i = 0; i < OTOK_PROCESSES; i++)
        if (p->processes & otok_processes[i]->bit && otok_processes[i]->part) return OTOK_OK;
    return p->parts ? otok_node_fail(otok_node_find(map, "parts"),
                                     "no process of the phase has a part of the change of the "
                                     "ground; add one, such as `hydraulic: {}`, or take parts out")
                    : OTOK_OK;
}

/* A phase that did not date its reef would leave older times in cells that grow. */
static otok_status check_age(const otok_scenario *s, const otok_phase *p, const otok_node *map)
{
    for (int i = 0; i < s->nphases && p->processes & OTOK_REEF_GROWTH; i++)
        if (s->phases[i].processes & OTOK_REEF_GROWTH && s->phases[i].reef.age != p->reef.age)
            return otok_node_fail(otok_blame(otok_node_find(map, "reef"), "age", NULL),
                                  "phase %s keeps the age of its reef, and phase %s would not go "
                                  "on with it; write `age: true` in both, or in none",
                                  (p->reef.age ? p : &s->phases[i])->name,
                                  (p->reef.age ? &s->phases[i] : p)->name);
    return OTOK_OK;
}

/* The maxima of a run have one meaning. */
static otok_status check_maxima(const otok_scenario *s, const otok_phase *p, const otok_node *map)
{
    for (int i = 0; i < s->nphases && p->processes & OTOK_MAXIMA; i++)
        if (s->phases[i].processes & OTOK_MAXIMA &&
            memcmp(&s->phases[i].maxima, &p->maxima, sizeof p->maxima) != 0)
            return otok_node_fail(otok_node_find(map, "maxima"),
                                  "phases %s and %s keep different maxima, and their maps would "
                                  "mean neither; give `maxima` the same keys in both",
                                  p->name, s->phases[i].name);
    return OTOK_OK;
}

/* The sea comes from beyond an open side. */
static otok_status check_sea(const otok_scenario *s, const otok_phase *p, const otok_node *map)
{
    int open = 0;
    for (int side = 0; side < OTOK_SIDES; side++)
        open |= s->edges[side] == OTOK_OPEN;
    if (!(p->processes & OTOK_HYDRAULIC) || p->hydraulic.sea != OTOK_SEA_CONNECTED || open)
        return OTOK_OK;
    return otok_node_fail(otok_blame(otok_node_find(map, "hydraulic"), "sea", NULL),
                          "no side is open, so the sea reaches no cell; write for instance `edges: "
                          "{left: open}`, or `sea: base_level`");
}

/* Does erosion go by another clock than that of the reef beside it? */
static int spoils_reef(const otok_phase *p)
{
    const int slides = p->thermal.clock == OTOK_CLOCK_PHASE ? OTOK_THERMAL : 0,
              harmless = OTOK_REEF_GROWTH | OTOK_RAIN | OTOK_UPLIFT | OTOK_WAVES |
                         OTOK_MARINE_DIFFUSION | OTOK_COAST | slides;
    return p->processes & OTOK_REEF_GROWTH && p->processes & ~harmless && !p->mix_reef_and_erosion;
}

static otok_status check_phase(const otok_scenario *s, const otok_phase *p, const otok_node *map)
{
    if (spoils_reef(p))
        return otok_node_fail(otok_node_find(map, "reef"),
                              "erosion in the same phase spoils the reef; give the reef a phase of "
                              "its own, or write `mix_reef_and_erosion: true` in this one");
    OTOK_TRY(check_clock(p, map));
    OTOK_TRY(otok_series_check(p, map));
    OTOK_TRY(otok_waves_check(s, p, map));
    OTOK_TRY(otok_sides_check(s, p, map));
    OTOK_TRY(check_sea(s, p, map));
    OTOK_TRY(check_parts(p, map));
    OTOK_TRY(check_age(s, p, map));
    OTOK_TRY(check_maxima(s, p, map));
    for (int i = 0; i < OTOK_PROCESSES; i++) {
        const otok_process *process = otok_processes[i];
        if (!(p->processes & process->bit)) continue;
        if (s->nlayers && otok_process_refuses_layers(process, p))
            return otok_node_fail(otok_node_find(map, process->group),
                                  "%s cannot work on a ground in layers; leave `layers` out, or "
                                  "take %s out of the phase (it obeys `erodibility`)",
                                  process->group, process->group);
        if (process == &otok_process_reef && !isnan(p->reef.rubble) && s->nlayers < 2)
            return otok_node_fail(otok_blame(otok_node_find(map, "reef"), "rubble", NULL),
                                  "rubble needs a layer to join; add `layers`: the loose one, the "
                                  "reef's, and the rock");
        if (process == &otok_process_reef && p->reef.denudation > 0 &&
            s->nlayers < (isnan(p->reef.rubble) ? 2 : 3))
            return otok_node_fail(otok_blame(otok_node_find(map, "reef"), "denudation", NULL),
                                  "only reef dissolves, and the rock below it has no layer of its "
                                  "own; add `layers`: %sthe reef's, and the rock",
                                  isnan(p->reef.rubble) ? "" : "the loose one, ");
        if (process == &otok_process_coast && p->coast.abrasion > 0 && s->nlayers < 2)
            return otok_node_fail(otok_blame(otok_node_find(map, "coast"), "abrasion", NULL),
                                  "abrasion makes rock loose, and without layers all ground is "
                                  "loose; add `layers`: the loose one and the rock");
        if (process->check) OTOK_TRY(process->check(p, s->grid, map));
    }
    return OTOK_OK;
}

/* The water of a scenario flows in pipes of one kind, from the first phase to the last; only signed
   pipes and the shallow-water law may follow each other. */
static otok_status check_pipes(const otok_scenario *s, const otok_node *phases)
{
    int first = -1;
    for (int i = 0; i < s->nphases; i++) {
        const int kind = otok_pipes_of_phase(s, i);
        if (first < 0 && kind >= 0) first = i;
        const int one_way = kind == OTOK_ONE_WAY;
        if (kind < 0 || one_way == (otok_pipes_of_phase(s, first) == OTOK_ONE_WAY)) continue;
        const otok_node *map = otok_node_find(phases->items[i], "hydraulic");
        return otok_node_fail(otok_blame(map, "pipes", "law", NULL),
                              "phase %s has %s pipes, phase %s %s ones; allowed: pipes of one "
                              "kind; give both phases the same `law` or the same `pipes`",
                              s->phases[i].name, otok_pipes_word(kind), s->phases[first].name,
                              otok_pipes_word(otok_pipes_of_phase(s, first)));
    }
    return OTOK_OK;
}

/* The first raster of a pipeline that is over time. */
static const otok_generator *over_time(const otok_generator *list, int n)
{
    const otok_generator *found = NULL;
    for (int i = 0; i < n && !found; i++) {
        if (list[i].kind == OTOK_GEN_RASTER && list[i].as.raster.over_time) return &list[i];
        found = over_time(list[i].with, list[i].nwith);
        if (!found) found = over_time(list[i].mask, list[i].nmask);
    }
    return found;
}

static otok_status check_over_time(const otok_scenario *s)
{
    for (int p = 0; p < otok_scenario_pipelines(s); p++) {
        otok_scenario pipeline;
        if (!otok_scenario_pipeline(&pipeline, s, p)) continue;
        const otok_generator *found = over_time(pipeline.base, pipeline.nbase);
        const int n = p - (otok_scenario_pipelines(s) - s->nmaps);
        if (!found) continue;
        if (n < 0 || s->maps[n].buffer != OTOK_MAP_RAIN || pipeline.nbase > 1 ||
            found != pipeline.base || found->nmask || found->combine != OTOK_REPLACE)
            return OTOK_FAIL(OTOK_DATA,
                             "%s:%d: raster.over_time: only `rain.map` changes over time, and only "
                             "as one raster alone; take the key out",
                             s->path, found->line);
        if (s->phases[s->maps[n].phase].processes & OTOK_DROPLETS)
            return OTOK_FAIL(OTOK_DATA,
                             "%s:%d: raster.over_time: droplets have no time; take the key out, or "
                             "use `hydraulic` without droplets",
                             s->path, found->line);
    }
    return OTOK_OK;
}

/* Water that the maxima of phases before it, or of rounds before it, do not see any more. */
static void warn_of_maxima(const otok_scenario *s, void (*say)(void *user, const char *text),
                           void *user)
{
    char text[OTOK_TEXT_SIZE * 2 + 160];
    for (int i = 0; i < s->nphases; i++) {
        const int cycle = otok_phase_cycle(s, i);
        int from = 0;
        if (s->phases[i].processes & OTOK_MAXIMA || !(s->phases[i].processes & OTOK_HYDRAULIC))
            continue;
        while (from < s->nphases && !(s->phases[from].processes & OTOK_MAXIMA))
            from++;
        if (from == s->nphases || (from > i && (cycle < 0 || otok_phase_cycle(s, from) != cycle)))
            continue;
        snprintf(text, sizeof text,
                 "warning: phase %s: its water does not count in the maxima that phase %s keeps; "
                 "give both the same `maxima`",
                 s->phases[i].name, s->phases[from].name);
        say(user, text);
    }
}

void otok_scenario_warn(const otok_scenario *scenario, void (*say)(void *user, const char *text),
                        void *user)
{
    otok_series_warn(scenario, say, user);
    warn_of_maxima(scenario, say, user);
    for (int i = 0; i < scenario->nphases; i++)
        for (int p = 0; p < OTOK_PROCESSES; p++)
            if (scenario->phases[i].processes & otok_processes[p]->bit && otok_processes[p]->warn)
                otok_processes[p]->warn(scenario, &scenario->phases[i], say, user);
}

otok_status otok_scenario_check(const otok_scenario *scenario, const otok_node *root)
{
    OTOK_TRY(check_grid(scenario, root));
    OTOK_TRY(check_edges(scenario, root));
    const otok_node *phases = otok_node_find(root, "phases");
    for (int i = 0; i < scenario->nphases; i++)
        OTOK_TRY(check_phase(scenario, &scenario->phases[i], phases->items[i]));
    OTOK_TRY(check_over_time(scenario));
    return check_pipes(scenario, phases);
}
