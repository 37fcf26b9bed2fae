/* process_moves.c - claim: every process of the list moves what its row says, with its own
   strengths, scaled so that a step shows: each of its parameters counts; strengths of 0 do nothing;
   solids and layers are booked, and what rounding makes is within the last digits of the ground; a
   law without faces makes nothing where nothing differs; no layer gets a negative thickness; one
   that keeps to what is loose takes nothing below it; one with a direction works from there; half
   the step halves the error; a factor over time counts by its mean; it levels bumps if its row says
   so, and nothing else does. */
#include "conformance.h"

static trial trials[TRIALS];
static int ntrials, nsetups;

/* ---- each parameter counts ---- */

/* Keys that need a file, or that another test has. */
static const struct {
    const char *group, *key;
} elsewhere[] = {{"rain", "fit"},          {"rain", "low"},
                 {"rain", "high"},         /* springs_map: of a file */
                 {"incision", "plume"},    /* river_mouths: with marine diffusion */
                 {"reef", "burial_scale"}, /* the same */
                 {"thermal", "clock"},     /* reef_walls: beside a process with a clock */
                 {"infiltration", "dt"}};  /* must be that of the water */

static int is_elsewhere(const otok_parameter *p)
{
    if (strcmp(p->group, "sides") == 0 && strchr(p->key, '_') && !strstr(p->key, "_slope"))
        return 1; /* water_openings, water_sides */
    for (size_t n = 0; n < sizeof elsewhere / sizeof *elsewhere; n++)
        if (strcmp(elsewhere[n].group, p->group) == 0 && strcmp(elsewhere[n].key, p->key) == 0)
            return 1;
    return p->kind == OTOK_TEXT || p->kind == OTOK_LIST || p->kind == OTOK_STRUCTS ||
           p->kind == OTOK_SERIES;
}

/* Does the value of a key make another result? */
static int counts_as(const trial *t, const outcome *was, const otok_parameter *p, const char *value)
{
    static outcome now;
    trial other = *t;
    trial_set(&other, p->key, value);
    return trial_run(&other, &now) && outcome_differs(was, &now) >= 0;
}

static int counts(const trial *t, const otok_parameter *p)
{
    static const double times[] = {0.5, 2}, others[] = {0.1, 0.95, 2, 30};
    static outcome was;
    char text[64];
    if (!trial_run(t, &was)) return 0;
    otok_scenario *s = trial_scenario(t);
    const int unused = t->process->unused && t->process->unused(&s->phases[0], p->key);
    const char *values = (const char *)otok_phase_group(&s->phases[0], p->group);
    const double v = p->kind == OTOK_REAL  ? *(const double *)(values + p->offset)
                     : p->kind == OTOK_INT ? (double)*(const int64_t *)(values + p->offset)
                                           : 0;
    otok_scenario_destroy(s);
    if (unused) return 0;
    for (int n = 0; p->kind == OTOK_CHOICE && *otok_choice_text(p, n, text); n++)
        if (counts_as(t, &was, p, text)) return 1;
    if (p->kind == OTOK_CHOICE) return 0;
    if (p->kind == OTOK_BOOL)
        return counts_as(t, &was, p, "true") || counts_as(t, &was, p, "false");
    for (size_t n = 0; isfinite(v) && n < sizeof times / sizeof *times; n++) {
        const double as = p->kind == OTOK_INT ? ceil(v * times[n]) : v * times[n];
        if (counts_as(t, &was, p, otok_number_text(as, text))) return 1;
    }
    for (size_t n = 0; n < sizeof others / sizeof *others; n++)
        if (counts_as(t, &was, p, otok_number_text(others[n], text))) return 1;
    return 0;
}

static int counts_somewhere(const otok_parameter *p)
{
    for (int n = 0; n < ntrials; n++)
        if (counts(&trials[n], p)) return 1;
    return 0;
}

static void check_parameters(const otok_process *process)
{
    for (int i = 0; i < process->nparameters; i++) {
        const otok_parameter *p = &process->parameters[i];
        CHECK(is_elsewhere(p) || counts_somewhere(p), "%s.%s changes nothing", p->group, p->key);
    }
}

/* Strengths of 0, as far as they go together, leave what is without the process. */
static void check_nothing(const trial *t)
{
    static outcome with, without;
    trial none = *t;
    int n = 0;
    for (int i = 0; i < t->process->nparameters; i++) {
        const otok_parameter *p = &t->process->parameters[i];
        trial more = none;
        if (p->kind != OTOK_REAL || p->low > 0 || (p->low == 0 && p->open & 1)) continue;
        trial_number(&more, p->key, 0);
        otok_scenario *s = trial_scenario(&none);
        const int unused = t->process->unused && t->process->unused(&s->phases[0], p->key);
        otok_scenario_destroy(s);
        if (unused) continue;
        s = trial_scenario(&more);
        if (!s) return; /* that it does nothing is said */
        otok_scenario_destroy(s);
        none = more;
        n++;
    }
    if (!n || !moves_ground(t->process) || !trial_run(&none, &with)) return;
    trial_without(&none, &without);
    CHECK(memcmp(with.at[OTOK_TERRAIN], without.at[OTOK_TERRAIN], sizeof *with.at) == 0,
          "%s moves the ground by %g m", trial_name(&none),
          outcome_apart(&with, &without, OTOK_TERRAIN));
}

/* ---- books ---- */

/* Every change of the ground is booked. What rounding made is within a last digit of each update,
   and a thousandth of what moved. */
static void check_books(const trial *t)
{
    static outcome now, before;
    otok_scenario *s;
    otok_sim *sim = trial_begin(t, &s);
    double moved = 0, high = 0, deep = 0;
    if (!sim) exit(1);
    outcome_get(&before, sim);
    for (int n = 0; n < t->n; n++) {
        MUST(otok_sim_run(sim, 1));
        outcome_get(&now, sim);
        for (int c = 0; c < CELLS; c++) {
            const double is = (double)now.at[OTOK_TERRAIN_CHANGE][c];
            moved += fabs(is - (double)before.at[OTOK_TERRAIN_CHANGE][c]) / 2;
            high = fmax(high, fabs(is));
            deep = fmax(deep, (double)now.at[OTOK_WATER][c]);
        }
        for (int i = 0; t->layered && i < 2; i++)
            for (int c = 0; c < CELLS; c++)
                CHECK(now.at[OTOK_LAYER + i][c] >= 0, "%s: layer %d is %g m thick", trial_name(t),
                      i, (double)now.at[OTOK_LAYER + i][c]);
        before = now;
    }
    const otok_ledger *l = &now.ledger;
    const double area = SPACING * SPACING, digits = t->n * CELLS * high * 0x1p-23 * area,
                 bound = otok_sim_has(sim, OTOK_SEDIMENT) ? digits : 0;
    CHECK(fabs(l->solid_error) <= bound, "%s: %g m3 are not booked", trial_name(t), l->solid_error);
    CHECK(fabs(l->water_error) <= t->n * CELLS * deep * 0x1p-23 * area,
          "%s: %g m3 of water are not booked", trial_name(t), l->water_error);
    CHECK(fabs(l->ground_rounded) <= fmin(digits, 1e-3 * moved * area),
          "%s: %g of %g m3 by rounding; last digits: %g", trial_name(t), l->ground_rounded,
          moved * area, digits);
    for (int i = 0; t->layered && i < 3; i++)
        CHECK(fabs(l->layers[i].error) <= digits, "%s: %g m3 of layer %d are not booked",
              trial_name(t), l->layers[i].error, i);
    scene_destroy(sim, s);
}

/* What a law without faces makes or loses is in entries of its own, and no bound tells it from a
   leak. It makes nothing where the ground is level, water as deep everywhere and flows alike on a
   torus: every cell then gives away the shares that the next cells take. 8 last digits for each
   update: four weights and the flows are rounded. */
static void check_shares(const trial *of)
{
    static const char *const mixing[] = {"", "diffusion_sweeps", "diffusivity"};
    static float level[CELLS], deep[CELLS], flow[CELLS], sediment[CELLS];
    for (int m = 0; m < 3; m++) {
        trial t = *of;
        uint64_t state = 6;
        if (m && strcmp(t.process->group, "hydraulic") != 0) break;
        strcpy(t.edges,
               "edges: {left: periodic, right: periodic, bottom: periodic, top: periodic}");
        if (strcmp(t.process->group, "hydraulic") == 0)
            trial_number(&t, "dissolve", 0), trial_number(&t, "deposit", 0);
        if (m) trial_number(&t, mixing[m], 1);
        otok_scenario *s = trial_scenario(&t);
        if (!s) continue;
        for (int n = 0; n < CELLS; n++) {
            level[n] = 5.3f, deep[n] = 1, sediment[n] = scene_random(&state);
            flow[n] = (float)(0.3 * SPACING * SPACING / otok_phase_step(&s->phases[0]));
        }
        otok_scenario_destroy(s);
        t.ground = level, t.water = deep;
        otok_sim *sim = trial_begin(&t, &s);
        const int carries = otok_sim_has(sim, OTOK_SEDIMENT);
        if (carries) MUST(otok_sim_set(sim, OTOK_SEDIMENT, sediment));
        if (otok_sim_has(sim, OTOK_OUTFLOW_RIGHT))
            MUST(otok_sim_set(sim, OTOK_OUTFLOW_RIGHT, flow));
        if (otok_sim_has(sim, OTOK_OUTFLOW_TOP)) MUST(otok_sim_set(sim, OTOK_OUTFLOW_TOP, flow));
        MUST(otok_sim_run(sim, t.n));
        const otok_ledger l = scene_ledger(sim);
        const double made =
            fabs(l.drift) + fabs(l.diffused) + fabs(l.smoothed) + fabs(l.solid_error);
        CHECK(made <= t.n * CELLS * (carries ? 1 : 5.3) * 0x1p-20 * SPACING * SPACING,
              "%s: %g m3 where nothing differs", trial_name(&t), made);
        scene_destroy(sim, s);
    }
}

/* Do stages of a scenario move solid between cells, and does one read the bottom of the loose layer
   alone? (What cuts into rock reads those of all layers.) */
static int keeps_to_loose(const otok_scenario *s)
{
    static otok_program program;
    int moves = 0, reads = 0;
    MUST(otok_program_for_phase(&program, &s->phases[0], s->edges));
    MUST(otok_program_layer(&program, otok_scenario_ground(s), ""));
    for (int n = 0; n < program.nops; n++) {
        if (program.ops[n].kind != OTOK_OP_STAGE) continue;
        const otok_stage_info *stage = &otok_stage_infos[program.ops[n].a];
        moves |= stage->layers == OTOK_STAGE_FOLLOWED;
        reads |= program.ops[n].a != OTOK_STAGE_LAYERS_FOLLOW &&
                 otok_set_has(stage->given, OTOK_LAYER_BOTTOM) &&
                 !otok_set_has(stage->given, OTOK_LAYER_BOTTOM + 1);
    }
    return moves && reads;
}

/* Such a process, alone, takes nothing below a thin loose layer but what it books as loosened. */
static void check_loose(const trial *of)
{
    static outcome end;
    trial t = *of;
    t.layered = 2;
    otok_scenario *s = trial_scenario(&t);
    const int keeps = s && !strstr(t.beside, "creep") && keeps_to_loose(s);
    otok_scenario_destroy(s);
    if (!keeps || !trial_run(&t, &end)) return;
    const otok_layer_ledger *layers = end.ledger.layers;
    const double below = layers[1].eroded + layers[2].eroded - end.ledger.abraded;
    CHECK(layers[0].eroded > 0 && fabs(below) <= 1e-6 * layers[0].eroded,
          "%s: %g m3 go from below the loose layer, and %g from it", trial_name(&t), below,
          layers[0].eroded);
}

/* ---- directions ---- */

/* The direction from which a process works, as steps to the right and to the top: that of its
   angle, or the sum of its weights. 0: it has none. */
static int works_from(const trial *t, double from[2])
{
    const char *key = t->process->direction, *text = key ? strstr(t->keys, key) : NULL;
    double weight[64];
    from[0] = from[1] = 0;
    if (!text) return 0;
    text += strlen(key) + 2;
    const int n = direction_weights(&text, weight);
    for (int i = 0; i < (n ? n : 1); i++) {
        const double angle = n ? 2 * M_PI * i / n : weight[0] * M_PI / 180;
        from[0] += (n ? weight[i] : 1) * sin(angle);
        from[1] += (n ? weight[i] : 1) * cos(angle);
    }
    return 1;
}

/* The ground goes away from where the process works from; other fields have more there. */
static void check_direction(const trial *t)
{
    static outcome with, without;
    double from[2], toward = 0;
    int field;
    if (!works_from(t, from) || isnan(trial_effect(t, &field))) return;
    if (!trial_run(t, &with)) exit(1);
    trial_without(t, &without);
    for (int n = 0; n < CELLS; n++)
        toward += ((double)with.at[field][n] - (double)without.at[field][n]) *
                  (from[0] * (n % NX - (NX - 1) / 2.0) + from[1] * (n / NX - (NY - 1) / 2.0));
    CHECK(field == OTOK_TERRAIN_CHANGE ? toward < 0 : toward > 0,
          "%s: %s goes the wrong way: %g toward (%g, %g)", trial_name(t),
          otok_field_at(field)->name, toward, from[0], from[1]);
}

/* ---- time steps ---- */

/* The halved step changes less by a quarter at least than the halving before. */
static void check_halves(const trial *t)
{
    static outcome at[3], without;
    double change = 0;
    int field;
    if (t->with->marks & STEPPED || (moves_ground(t->process) && !t->process->dt) ||
        !isfinite(trial_effect(t, &field)))
        return;
    if (!moves_ground(t->process))
        field = otok_parameter_find(t->process->group, "dt") ? field : OTOK_WATER;
    for (int h = 0; h < 3; h++) {
        trial some = *t;
        some.halved = h;
        if (!trial_run(&some, &at[h])) exit(1);
    }
    trial_without(t, &without);
    change = outcome_mean(&at[0], &without, field);
    const double first = outcome_mean(&at[0], &at[1], field),
                 then = outcome_mean(&at[1], &at[2], field);
    CHECK(first <= 1e-5 * change || then < 0.75 * first,
          "%s: %s changes by %g, half the step by %g, a quarter by %g", trial_name(t),
          otok_field_at(field)->name, change, first, then);
}

/* A factor that goes from 0 to 2 and back in each iteration does what its mean does. */
static void check_means(const trial *t)
{
    static outcome still, swings, without;
    for (int i = 0; i < t->process->nparameters; i++) {
        const otok_parameter *p = &t->process->parameters[i];
        char text[WORDS / 4];
        int field;
        trial one = *t, other = *t;
        otok_scenario *s = trial_scenario(t);
        const double half = otok_phase_step(&s->phases[0]) / 2;
        otok_scenario_destroy(s);
        if (p->kind != OTOK_SERIES || strcmp(p->unit, "1") != 0) continue;
        one.n = other.n = 2;
        snprintf(text, sizeof text, "[[0, 0], [%.17g, 2], [%.17g, 0], [%.17g, 2], [%.17g, 0]]",
                 half, 2 * half, 3 * half, 4 * half);
        trial_set(&other, p->key, text);
        trial_effect(&one, &field);
        if (!trial_run(&one, &still) || !trial_run(&other, &swings)) {
            CHECK(0, "%s: %s", trial_name(&other), otok_why());
            continue;
        }
        trial_without(&one, &without);
        CHECK(outcome_mean(&still, &swings, field) <= 1e-3 * outcome_mean(&still, &without, field),
              "%s: %s changes by %g, not as by the mean of %s", trial_name(&other),
              otok_field_at(field)->name, outcome_mean(&still, &swings, field), p->key);
    }
}

/* ---- bumps ---- */

/* The share by which the square of bumps on a slope grows in a step. */
static double growth(const trial *t, double slope)
{
    static float ground[2][CELLS];
    static outcome with[2], without[2];
    double before = 0, after = 0;
    trial once = *t;
    once.n = 1;
    for (int n = 0; n < CELLS; n++) {
        const int i = n % NX, j = n / NX;
        ground[0][n] = (float)(5 - slope * SPACING * j);
        ground[1][n] = ground[0][n] + 0.4f * (float)(sin(M_PI * i / 3) * cos(2 * M_PI * j / 5));
    }
    for (int b = 0; b < 2; b++) {
        once.ground = ground[b];
        if (!trial_run(&once, &with[b])) return NAN;
        trial_without(&once, &without[b]);
    }
    for (int n = 0; n < CELLS; n++) {
        const int i = n % NX, j = n / NX;
        double bump[2];
        if (i < 2 || j < 2 || i > NX - 3 || j > NY - 3) continue;
        for (int b = 0; b < 2; b++)
            bump[b] = (double)with[b].at[OTOK_TERRAIN_CHANGE][n] -
                      (double)without[b].at[OTOK_TERRAIN_CHANGE][n];
        const double was = (double)ground[1][n] - (double)ground[0][n],
                     is = was + bump[1] - bump[0];
        before += was * was;
        after += is * is;
    }
    return after / before - 1;
}

/* Bumps that only grow in some setup, or whose square doubles in a step, grow by the process. One
   that takes a tenth of it somewhere, and lets them grow nowhere, levels. */
static void check_levels(const otok_process *process)
{
    double most = 0, least = 0;
    int grow = 0;
    for (int n = 0; n < nsetups; n++) {
        double high = 0, low = 0;
        for (int s = 0; s < 6; s++) {
            const double g = growth(&trials[n], 0.16 * s);
            high = fmax(high, g), low = fmin(low, g);
        }
        grow |= high > 1 || (high > 1e-3 && low > -1e-3);
        most = fmax(most, high), least = fmin(least, low);
    }
    const int found = grow ? -1 : most < 1e-3 && least < -0.1;
    CHECK(found == process->levels, "%s: .levels is %d, but squares of bumps grow by %g to %g",
          process->group, process->levels, least, most);
}

int main(void)
{
    trials_begin("cpu");
    for (int p = 0; p < OTOK_PROCESSES; p++) {
        const otok_process *process = otok_processes[p];
        ntrials = trials_of(process, trials, &nsetups);
        check_parameters(process);
        check_levels(process);
        for (int n = 0; n < ntrials; n++) {
            check_nothing(&trials[n]);
            check_books(&trials[n]);
            check_shares(&trials[n]);
            if (n < nsetups) {
                check_halves(&trials[n]);
                check_means(&trials[n]);
                check_loose(&trials[n]);
                check_direction(&trials[n]);
            }
        }
    }
    return check_failures > 0;
}
