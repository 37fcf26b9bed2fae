/* conformance.h: small scenes of one process, made from its row, and what becomes of them. Their
   time step is one with which a step does something that shows. */
#ifndef OTOK_CONFORMANCE_H
#define OTOK_CONFORMANCE_H

#include "scenario/process.h"
#include "springs_file.h"

#include <math.h>
#include <omp.h>
#include <signal.h>

enum { NX = 24, NY = 20, CELLS = NX * NY, MORE = 24, WORDS = 700 };
#define SPACING 2.0
#define RELIEF 10.0
#define RAIN "rain: {rate: 0.1}"
#define RUNOFF "hydraulic: {dt: 0.05, law: local_inertia, bed_steps: smooth}"
#define ROSE "rose: [0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0]"
/* Without dithers; `bed_steps: critical`, whose depths are exact in the mean, is one of the
 * choices. */
#define LAW "dt: 0.05, capacity: 20, dissolve: 0.4, deposit: 0.4, bed_steps: smooth, law: "

#include "setups.h"

static const char open_sides[] = "edges: {left: open, right: open, bottom: open, top: open}",
                  rock[] = "layers: [{name: soil, thickness: 0.5, erodibility: 3}, {name: cap, "
                           "thickness: 0.5}, {name: rock}]",
                  thin_soil[] =
                      "layers: [{name: soil, thickness: 0.01}, {name: cap, thickness: 0.5}, "
                      "{name: rock}]";

/* A scene of a process. `more`: values of its keys, as group.key=value. */
typedef struct trial {
    const otok_process *process;
    const setup *with;
    char more[MORE][WORDS / 4];
    int nmore, nx, ny, n, halved; /* n: iterations; time steps are halved so often */
    char keys[WORDS], beside[WORDS], edges[WORDS / 4], walls[WORDS / 4];
    int layered;                 /* 2: over a thin first layer */
    const float *ground, *water; /* at the start */
    const char *backend;
} trial;

typedef struct outcome {
    float at[OTOK_LAYER_LAST + 1][CELLS];
    otok_ledger ledger;
    double time;
} outcome;

static const char *trial_backend;
static const trial *trial_now;
static float hills[CELLS], ponds[CELLS];

static inline const char *trial_name(const trial *t)
{
    static char text[4 * WORDS];
    int n = snprintf(text, sizeof text, "%s: {%s}, %s%s, %s", t->process->group, t->keys, t->beside,
                     t->layered ? ", layers" : "", t->edges);
    for (int m = 0; m < t->nmore; m++)
        n += snprintf(text + n, sizeof text - (size_t)n, ", %s", t->more[m]);
    return text;
}

/* Gives a key of the process a value. */
static inline void trial_set(trial *t, const char *key, const char *value)
{
    if (t->nmore == MORE) exit(1);
    snprintf(t->more[t->nmore++], sizeof t->more[0], "phases.only.%s.%s=%s", t->process->group, key,
             value);
}

static inline void trial_number(trial *t, const char *key, double value)
{
    char text[32];
    trial_set(t, key, otok_number_text(value, text));
}

/* The scenario of a trial without `more`. */
static inline void trial_text(const trial *t, char text[4 * WORDS])
{
    char iterations[32] = "";
    if (strcmp(t->process->group, "droplets") != 0) /* an iteration is a batch */
        snprintf(iterations, sizeof iterations, "iterations: %d, ", t->n);
    snprintf(text, 4 * WORDS,
             "otok: 1\nseed: 4\ngrid: {nx: %d, ny: %d, spacing: %g}\nsea: {level: 6}\n%s\n%s\n%s\n"
             "phases: [{name: only, %s%s: {%s}%s%s}]\n",
             t->nx, t->ny, SPACING, t->edges, t->walls,
             t->layered > 1 ? thin_soil
             : t->layered   ? rock
                            : "",
             iterations, t->process->group, t->keys, *t->beside ? ", " : "", t->beside);
}

/* NULL if it is refused. */
static inline otok_scenario *trial_scenario(const trial *t)
{
    char text[4 * WORDS];
    const char *sets[MORE];
    otok_scenario *s = NULL;
    trial_text(t, text);
    for (int n = 0; n < t->nmore; n++)
        sets[n] = t->more[n];
    if (otok_scenario_read(&s, text, "only.yaml", sets, t->nmore) != OTOK_OK) return NULL;
    for (int n = 0; n < t->halved; n++)
        otok_phase_halve_steps(&s->phases[0]);
    return s;
}

/* A simulation of a trial at its start; NULL if the trial is refused. */
static inline otok_sim *trial_begin(const trial *t, otok_scenario **s)
{
    otok_sim *sim = NULL;
    *s = trial_scenario(t);
    if (!*s || otok_sim_create(&sim, *s, t->backend) != OTOK_OK) {
        otok_scenario_destroy(*s);
        *s = NULL;
        return NULL;
    }
    if (t->ground) MUST(otok_sim_set(sim, OTOK_TERRAIN, t->ground));
    if (otok_sim_has(sim, OTOK_WATER)) MUST(otok_sim_set(sim, OTOK_WATER, t->water));
    return sim;
}

static inline void outcome_get(outcome *out, otok_sim *sim)
{
    memset(out, 0, sizeof *out);
    for (int f = 0; f <= OTOK_LAYER_LAST; f++)
        if (otok_sim_has(sim, (otok_field)f)) MUST(otok_sim_get(sim, (otok_field)f, out->at[f]));
    out->ledger = scene_ledger(sim);
    out->time = otok_sim_time(sim);
}

/* The state at the end; 0 if the trial is refused. */
static inline int trial_run(const trial *t, outcome *out)
{
    otok_scenario *s;
    trial_now = t;
    otok_sim *sim = trial_begin(t, &s);
    if (!sim) return 0;
    MUST(otok_sim_run(sim, (int64_t)t->n << t->halved));
    outcome_get(out, sim);
    scene_destroy(sim, s);
    return 1;
}

/* The first field that differs, -1: none. */
static inline int outcome_differs(const outcome *a, const outcome *b)
{
    for (int f = 0; f <= OTOK_LAYER_LAST; f++)
        if (memcmp(a->at[f], b->at[f], sizeof a->at[f]) != 0) return f;
    return -1;
}

/* Reads the weights of directions in a text, and returns their number, or 0 and an angle [degree]
   as the first. */
static inline int direction_weights(const char **text, double weight[64])
{
    char *end;
    int n = 0;
    if (**text == '[') do
            weight[n++] = strtod(*text + 1, &end), *text = end;
        while (**text == ',');
    else
        weight[0] = strtod(*text, &end), *text = end;
    return n;
}

/* The largest difference of a field. */
static inline double outcome_apart(const outcome *a, const outcome *b, int field)
{
    double most = 0;
    for (int n = 0; n < CELLS; n++)
        most = fmax(most, fabs((double)a->at[field][n] - (double)b->at[field][n]));
    return most;
}

/* The mean of the differences of a field. */
static inline double outcome_mean(const outcome *a, const outcome *b, int field)
{
    double sum = 0;
    for (int n = 0; n < CELLS; n++)
        sum += fabs((double)a->at[field][n] - (double)b->at[field][n]);
    return sum / CELLS;
}

/* ---- scenes that do something ---- */

/* The scene without the process: what is beside it alone, or the start. */
static inline void trial_without(const trial *t, outcome *out)
{
    trial other = *t;
    other.process = &otok_process_uplift; /* of 0 */
    other.nmore = 0;
    strcpy(other.keys, "");
    if (trial_run(&other, out)) return;
    strcpy(other.beside, "");
    strcpy(other.keys, "dt: 1");
    if (!trial_run(&other, out)) exit(1);
}

static inline int moves_ground(const otok_process *p)
{
    return p->part || p->levels;
}

/* The share of the relief by which the process moves the ground; of another process, the share by
   which it changes what it changes most, *field. NAN: the trial is refused. */
static inline double trial_effect(const trial *t, int *field)
{
    static outcome with, without;
    double most = 0;
    *field = OTOK_TERRAIN_CHANGE;
    if (!trial_run(t, &with)) return NAN;
    trial_without(t, &without);
    if (moves_ground(t->process)) return outcome_apart(&with, &without, *field) / RELIEF;
    for (int f = 0; f < OTOK_STORED; f++) {
        double high = 1e-30;
        for (int n = 0; n < CELLS; n++)
            high = fmax(high, fabs((double)with.at[f][n]));
        const double share = outcome_apart(&with, &without, f) / high;
        if (f != OTOK_TERRAIN_CHANGE && share > most) most = share, *field = f;
    }
    return most;
}

/* The largest share of a limit that is known. */
static inline double trial_margin(const trial *t)
{
    otok_limit limits[OTOK_LIMITS];
    otok_scenario *s = trial_scenario(t);
    double most = 0;
    for (int n = otok_predict(limits, s, 0, NULL) - 1; n >= 0; n--)
        if (limits[n].certainty != OTOK_HEURISTIC && limits[n].bound > 0)
            most = fmax(most, otok_limit_margin(&limits[n]));
    otok_scenario_destroy(s);
    return most;
}

/* Does an iteration move a fiftieth of the relief, or reach a fifth of a limit? -1: refused. */
static inline int trial_shows(const trial *t, double dt)
{
    int field;
    trial once = *t;
    once.n = 1;
    trial_number(&once, "dt", dt);
    const double done = trial_effect(&once, &field);
    return isnan(done) ? -1 : done > 0.02 || trial_margin(&once) > 0.2;
}

/* Gives a process with a time step of its own one that shows. */
static inline void trial_scale(trial *t)
{
    const otok_parameter *row = otok_parameter_find(t->process->group, "dt");
    if (!t->process->dt || !row || strstr(t->keys, "dt:")) return;
    const double least = isfinite(row->standard) ? row->standard : 0x1p-10;
    double dt = isfinite(row->standard) ? row->standard : 1;
    if (trial_shows(t, dt) < 0) return; /* the clock is another's */
    while (dt < row->high / 32 && trial_shows(t, dt) == 0)
        dt *= 32;
    while (dt / 2 >= least && trial_shows(t, dt / 2) != 0)
        dt /= 2;
    trial_number(t, "dt", dt);
}

static inline void trial_begin_with(trial *t, const otok_process *process, const setup *with)
{
    *t = (trial){.process = process,
                 .with = with,
                 .nx = NX,
                 .ny = NY,
                 .n = 4,
                 .ground = hills,
                 .water = ponds,
                 .backend = trial_backend,
                 .layered = (with->marks & LAYERED) != 0};
    strcpy(t->keys, with->keys);
    strcpy(t->beside, with->beside);
    strcpy(t->edges, open_sides);
    trial_scale(t);
}

/* Adds the trial with each other value of each choice. */
static inline int trials_of_choices(const trial *of, trial *out)
{
    static const char *const booleans[] = {"true", "false", ""};
    int n = 0;
    for (int i = 0; i < of->process->nparameters; i++) {
        const otok_parameter *p = &of->process->parameters[i];
        char word[64] = "x";
        for (int c = 0; (p->kind == OTOK_CHOICE || p->kind == OTOK_BOOL) && *word; c++) {
            otok_scenario *s;
            if (p->kind == OTOK_BOOL) strcpy(word, booleans[c]);
            if (p->kind == OTOK_CHOICE) otok_choice_text(p, c, word);
            if (!*word) break;
            out[n] = *of;
            trial_set(&out[n], p->key, word);
            s = trial_scenario(&out[n]);
            if (s) n++;
            otok_scenario_destroy(s);
        }
    }
    return n;
}

/* The trials of a process: one for each of its setups, *nsetups, then over layers, then with other
   choices; their number. */
enum { TRIALS = 400 };
static inline int trials_of(const otok_process *process, trial out[TRIALS], int *nsetups)
{
    static char keys[WORDS];
    static const setup plain = {"", keys, "", 0};
    int n = 0;
    *keys = 0;
    if (process->direction) snprintf(keys, sizeof keys, "%s: 30", process->direction);
    for (size_t s = 0; s < sizeof setups / sizeof *setups; s++)
        if (strcmp(setups[s].group, process->group) == 0)
            trial_begin_with(&out[n++], process, &setups[s]);
    if (!n) trial_begin_with(&out[n++], process, &plain);
    *nsetups = n;
    for (int i = 0; i < *nsetups; i++) {
        otok_scenario *s;
        out[n] = out[i];
        out[n].layered = 1;
        s = trial_scenario(&out[n]);
        if (s && !out[i].layered) n++;
        otok_scenario_destroy(s);
    }
    const int plain_or_layered = n;
    for (int i = 0; i < plain_or_layered; i++)
        n += trials_of_choices(&out[i], &out[n]);
    return n;
}

/* A stage that reads a buffer that stages.def does not give it reads from nowhere. */
static inline void trial_crashed(int signal)
{
    (void)signal;
    fprintf(stderr, "%s: a stage lacks a buffer\n", trial_now ? trial_name(trial_now) : "");
    _exit(1);
}

/* The ground and the water at the start: an island, and puddles. */
static inline void trials_begin(const char *place)
{
    static char name[64];
    uint64_t state = 5;
    omp_set_num_threads(1);
    signal(SIGSEGV, trial_crashed);
    snprintf(name, sizeof name, "%s:plain", place);
    trial_backend = name;
    for (int n = 0; n < CELLS; n++) {
        const double x = 2 * M_PI * (n % NX) / NX, y = 2 * M_PI * (n / NX) / NY;
        hills[n] = (float)(5 - 2.5 * cos(x) - 2 * cos(y)) + 2 * scene_random(&state);
        ponds[n] = scene_random(&state) < 0.5f ? 0 : 0.2f * scene_random(&state);
    }
}

#endif
