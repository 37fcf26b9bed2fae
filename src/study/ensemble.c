/* ensemble.c: see ensemble.h. Members of one grid size and one set of buffers form a group. A group
   gets slots in a few parts (part.h): the host judges one part while the device runs another. If
   there are more members than a device needs at a time, parts begin one after the other, so that
   they do not end members all at the same time either. Members with droplets, and grids that fill a
   device alone, run one after the other. */
#include "ensemble.h"

#include "../core/rounding.h"
#include "../core/status.h"
#include "../scenario/scenario.h"
#include "../scenario/scenario_audit.h"
#include "../sim/courant.h"
#include "part.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    FILLING = 1 << 20, /* cells of a grid that fills a device */
    SMALL = 1 << 15,   /* at most so many of one that is small */
    MOST_STEPS = 256,  /* iterations whose schedule slots get at once */
    FEW_PARTS = 4,
    MOST_PARTS = 8,
    LEAST_SLOTS = 4, /* on a device; in a part */
};

/* The needs of a member. Members of a group have equal needs. */
typedef struct kind {
    int alone, audited;
    int64_t nx, ny;
    otok_set buffers;
} kind;

/* ---- groups ---- */

/* A row that is refused is run alone too: otok_member_run reports why. */
static kind kind_of(const otok_study *study, int64_t row)
{
    OTOK_ROUNDING;
    otok_scenario *s;
    kind k = {.alone = 1};
    if (otok_study_member(&s, study, row) != OTOK_OK) return k;
    k.nx = s->grid.nx;
    k.ny = s->grid.ny;
    k.alone = s->nchanges > 0 || otok_scenario_batch(s) > 0 || k.nx * k.ny > FILLING ||
              otok_scenario_all_buffers(&k.buffers, s) != OTOK_OK;
    k.audited = otok_scenario_audit(s).n > 0;
    if (k.audited) otok_set_add(&k.buffers, OTOK_CHANGE_START);
    if (otok_scenario_may_have_walls(s)) otok_set_add(&k.buffers, OTOK_WALLS);
    otok_scenario_destroy(s);
    return k;
}

static int same_kind(const kind *a, const kind *b)
{
    return a->alone == b->alone && (a->alone || (a->nx == b->nx && a->ny == b->ny &&
                                                 otok_set_equals(a->buffers, b->buffers)));
}

static void run_alone(const otok_ensemble_plan *plan, int64_t row)
{
    otok_result result;
    otok_sample *samples;
    if (otok_member_run(&result, &samples, plan->study, row, plan->backend->name) != OTOK_OK)
        otok_member_fail(&result, plan->study, OTOK_NOMEM);
    plan->end(plan->user, &result, samples);
    free(samples);
}

/* ---- a group ---- */

/* Parts of a device, and its slots for `n` members, of which `fit` have room. Members come in
   rounds if they are small, or if the host has responses and maps to compute when they end: slots
   of twice FILLING cells keep a part of the device busy, and more would only end together. A study
   of larger members without these is 3 to 5 % slower in rounds (H100), since parts begin one after
   the other and do not fill the device until then. */
static void divide(const otok_group *g, int64_t cells, int64_t n, int64_t fit, int *slots,
                   int *parts)
{
    const otok_study *study = g->plan->study;
    const int rounds_pay = cells <= SMALL || study->nresponses || study->keep.nfields;
    const int64_t enough = rounds_pay ? 2 * FILLING / cells : n;
    const int threads = omp_get_max_threads() / g->plan->devices,
              wanted = n > MOST_PARTS * enough / 2 ? MOST_PARTS : FEW_PARTS;
    *parts = threads < 1 ? 1 : threads < wanted ? threads : wanted;
    while (*parts > 1 && (n < LEAST_SLOTS * *parts || fit < (1 + LEAST_SLOTS) * *parts))
        --*parts;
    const int64_t most = enough * *parts < fit - *parts ? enough * *parts : fit - *parts,
                  rounds = (n + most - 1) / most; /* alike, so that none leaves slots empty */
    *slots = (int)((n + rounds - 1) / rounds);
}

/* Chooses the number of slots and parts on each device. The members of one part are judged while
   others run; each part has a thread. All devices are alike. */
static otok_status make_room(otok_group *g, const kind *k, const otok_patch *like, int *slots,
                             int *parts)
{
    const int devices = g->plan->devices;
    const otok_ensemble_plan *plan = g->plan;
    size_t bytes;
    int64_t fit, most = g->n;
    char text[256];
    OTOK_TRY(plan->backend->ensembles->room(like, k->buffers, g->max_steps, &bytes, &fit));
    if (g->audited) fit /= 2; /* a member has a twin */
    if (fit < 2)
        return OTOK_FAIL(
            OTOK_NOMEM,
            "members of %lld x %lld cells take %.3g GiB each, and memory has no room for two",
            (long long)k->nx, (long long)k->ny, (double)bytes / (1 << 30));
    if (plan->slots > 0 && most > plan->slots) most = plan->slots;
    divide(g, k->nx * k->ny, (most + devices - 1) / devices, fit, slots, parts);
    g->stagger = *slots * devices < g->n ? 2 * *parts : 0;
    snprintf(text, sizeof text,
             "%lld members of %lld x %lld cells in %d slots of %.3g MiB%s, %d side by side, %.3g "
             "GiB in all; room for %lld",
             (long long)g->n, (long long)k->nx, (long long)k->ny, *slots, (double)bytes / (1 << 20),
             devices > 1 ? " on each GPU" : "", *parts,
             (double)bytes * (double)((g->audited ? 2 : 1) * *slots + *parts) / (1 << 30),
             (long long)(fit - *parts));
    if (plan->message) plan->message(plan->message_user, text);
    return OTOK_OK;
}

/* Part by part of each device in turn. */
static void run_parts(otok_part *parts, int n)
{
    const int devices = parts->group->plan->devices;
    const int levels = omp_get_max_active_levels(), each = omp_get_max_threads() / n;
    parts->group->threads = omp_get_max_threads();
    parts->group->busy = n;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(n)
    {
        OTOK_ROUNDING;
        omp_set_num_threads(each > 1 ? each : 1); /* for loops within a part */
#pragma omp for schedule(static, 1)
        for (int part = 0; part < n; part++)
            otok_part_run(&parts[part], part + devices < n ? &parts[part + devices] : NULL);
    }
    omp_set_max_active_levels(levels);
}

/* Reports how the time was spent: means over the parts, and the idle time of the device. */
static void report_times(const otok_group *g, const otok_part *parts, int n)
{
    const otok_ensemble_plan *plan = g->plan;
    otok_cycle_times all = {0};
    double seconds = 0;
    char text[256];
    for (int part = 0; part < n; part++) {
        const otok_cycle_times t = plan->backend->ensembles->times(parts[part].ensemble);
        all.cycles += t.cycles;
        all.ran += t.ran;
        all.diagnosed += t.diagnosed;
        all.idle += t.idle;
        all.waited += t.waited;
        seconds += parts[part].seconds;
    }
    snprintf(text, sizeof text,
             "%lld cycles of %d parts; mean times of a part: %.3g s in all, %.3g s running, %.3g s "
             "sampling, %.3g s on the host; the device was idle between cycles for %.3g s",
             (long long)all.cycles, n, seconds / n, all.ran / n, all.diagnosed / n,
             (seconds - all.waited) / n, all.idle);
    if (plan->message && all.cycles) plan->message(plan->message_user, text);
}

static void run_group(otok_group *g, const kind *k)
{
    const int64_t every = g->plan->study->every;
    const otok_patch like = {
        .view = {
            .nx = (int)k->nx, .ny = (int)k->ny, .global_nx = (int)k->nx, .global_ny = (int)k->ny}};
    const int devices = g->plan->devices, most = MOST_PARTS * devices;
    int slots = 0, n = 0;
    otok_part *parts = calloc((size_t)most, sizeof *parts);
    g->max_steps = (int)(every < MOST_STEPS ? every : MOST_STEPS);
    if (g->max_steps < OTOK_COURANT_STEPS) g->max_steps = OTOK_COURANT_STEPS;
    g->audited = k->audited;
    otok_status status = parts ? make_room(g, k, &like, &slots, &n) : OTOK_NOMEM;
    for (int part = 0; part < n * devices && status == OTOK_OK;
         part++) /* the parts of the first device come first */
        status = otok_part_create(&parts[part], g, g->plan->gpu + part % devices, &like, k->buffers,
                                  (slots - part / devices + n - 1) / n, part < devices);
    if (status == OTOK_OK) {
        run_parts(parts, n * devices);
        report_times(g, parts, n * devices);
    }
    for (int part = 0; part < most && parts; part++)
        otok_part_destroy(&parts[part]);
    free(parts);
}

/* Runs all rows of the same kind as row `first`, and removes them from the list. */
static int run_kind(const otok_ensemble_plan *plan, kind *kinds, int64_t *left, int64_t *nleft,
                    int64_t *mine)
{
    const kind k = kinds[left[0]];
    otok_group g = {.plan = plan, .rows = mine};
    int64_t kept = 0;
    for (int64_t n = 0; n < *nleft; n++)
        if (same_kind(&kinds[left[n]], &k))
            mine[g.n++] = plan->rows[left[n]];
        else
            left[kept++] = left[n];
    *nleft = kept;
    if (!k.alone) run_group(&g, &k);
    for (; g.next < g.n && !g.stopped;
         g.next++) { /* rows that are left, also if there was no memory for an ensemble */
        const int answer = plan->begin(plan->user, g.rows[g.next]);
        g.stopped = answer == OTOK_MEMBER_STOPS;
        if (answer == OTOK_MEMBER_RUNS) run_alone(plan, g.rows[g.next]);
    }
    return !g.stopped;
}

otok_status otok_ensemble_run(const otok_ensemble_plan *plan)
{
    const size_t n = (size_t)plan->n + 1;
    kind *kinds = malloc(n * sizeof *kinds);
    int64_t *left = malloc(2 * n * sizeof *left), nleft = plan->n;
    const int complete = kinds && left;
#pragma omp parallel for schedule(dynamic, 16) if (complete)
    for (int64_t row = 0; row < (complete ? plan->n : 0); row++) {
        kinds[row] = kind_of(plan->study, plan->rows[row]);
        left[row] = row;
    }
    while (complete && nleft > 0 && run_kind(plan, kinds, left, &nleft, left + n)) {}
    free(kinds);
    free(left);
    return complete ? OTOK_OK
                    : OTOK_FAIL(OTOK_NOMEM, "no memory for the plan of %lld members",
                                (long long)plan->n);
}
