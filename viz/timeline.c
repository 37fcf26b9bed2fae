/* timeline.c: see timeline.h. States are snapshots, as checkpoints are, without a file. */
#include "timeline.h"
#include "core/clock.h"
#include "core/memory.h"
#include "requests.h"
#include "sim/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 64 };
static const double SHARE_OF_MEMORY = 0.25, MOST_BYTES = 0x1p32;
static const double SOON = 1;  /* after the one before [s] ... */
static const double RARE = 50; /* ... and so many times what that took */

struct otok_timeline {
    otok_snapshot at[MOST_STATES]; /* by iteration */
    int n;
    double kept_at, took; /* the last one [s] */
};

otok_status otok_timeline_create(otok_timeline **out)
{
    *out = calloc(1, sizeof **out);
    return *out ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for a timeline");
}

/* Forgets the states from number i on. */
static void cut(otok_timeline *t, int i)
{
    while (t->n > i)
        otok_snapshot_destroy(&t->at[--t->n]);
}

void otok_timeline_clear(otok_timeline *t)
{
    cut(t, 0);
}

void otok_timeline_destroy(otok_timeline *t)
{
    if (t) cut(t, 0);
    free(t);
}

/* How many states are not after an iteration. */
static int count_until(const otok_timeline *t, int64_t iteration)
{
    int i = 0;
    while (i < t->n && t->at[i].iteration <= iteration)
        i++;
    return i;
}

int64_t otok_live_kept(const otok_live *live, int i)
{
    const otok_timeline *t = live->timeline;
    return t && i >= 0 && i < t->n ? t->at[i].iteration : -1;
}

int64_t otok_live_neighbour(const otok_live *live, int later)
{
    const otok_timeline *t = live->timeline;
    const int64_t now = live->iteration;
    const int beside = live->state + (later ? 1 : -1);
    if (live->recorded.n) return beside < live->recorded.n ? beside : -1;
    return t ? otok_live_kept(live, later ? count_until(t, now) : count_until(t, now - 1) - 1) : -1;
}

void otok_live_beside(otok_live *live, int way)
{
    const otok_timeline *t = live->timeline;
    const int n = live->recorded.n ? live->recorded.n : t ? t->n : 0, later = way > 0;
    const int64_t end = !n                 ? -1
                        : live->recorded.n ? (later ? n - 1 : 0)
                                           : otok_live_kept(live, later ? n - 1 : 0);
    const int64_t to = way * way > 1 ? end : otok_live_neighbour(live, later);
    if (to < 0)
        otok_live_report(live, "no %s state is %s", later ? "later" : "earlier",
                         live->recorded.n ? "recorded" : "kept");
    else if (live->recorded.n)
        live->wanted = (int)to, live->running = 0;
    else
        live->go_to = to;
}

/* ---- keeping ---- */

static uint64_t state_fields(const otok_sim *sim)
{
    return otok_set_fields(sim->buffers);
}

static int room_for(const otok_timeline *t, const otok_sim *sim)
{
    const double bytes =
        4.0 * (double)otok_sim_cells(sim) * __builtin_popcountll(state_fields(sim));
    const double left = SHARE_OF_MEMORY * (otok_memory_free("") + t->n * bytes);
    return (int)fmin(fmin(left, MOST_BYTES) / bytes, MOST_STATES);
}

/* Forgets the state, not the first one, whose neighbours are closest. */
static void thin_out(otok_timeline *t)
{
    int least = t->n - 1;
    int64_t gap = INT64_MAX;
    for (int i = 1; i < t->n - 1; i++) {
        const int64_t between = t->at[i + 1].iteration - t->at[i - 1].iteration;
        if (between < gap) gap = between, least = i;
    }
    otok_snapshot_destroy(&t->at[least]);
    memmove(&t->at[least], &t->at[least + 1], (size_t)(--t->n - least) * sizeof t->at[0]);
}

static otok_status keep(otok_timeline *t, otok_sim *sim)
{
    const int64_t now = otok_sim_iteration(sim);
    const int i = count_until(t, now), room = room_for(t, sim);
    if ((i > 0 && t->at[i - 1].iteration == now) || room < (t->n ? 2 : 1)) return OTOK_OK;
    otok_snapshot state;
    OTOK_TRY(
        otok_snapshot_create(&state, sim->scenario->grid, state_fields(sim), sim->backend->host));
    otok_status status = otok_sim_snapshot(sim, &state);
    if (status == OTOK_OK) status = otok_snapshot_arrive(&state);
    if (status != OTOK_OK) {
        otok_snapshot_destroy(&state);
        return status;
    }
    while (t->n >= room)
        thin_out(t);
    const int at = count_until(t, now);
    memmove(&t->at[at + 1], &t->at[at], (size_t)(t->n++ - at) * sizeof t->at[0]);
    t->at[at] = state;
    return OTOK_OK;
}

void otok_timeline_keep(otok_live *live)
{
    otok_timeline *t = live->timeline;
    const double began = otok_clock();
    if (!t || (t->n && began - t->kept_at < fmax(SOON, RARE * t->took))) return;
    if (keep(t, live->sim) != OTOK_OK) otok_live_report(live, "%.390s", otok_why());
    t->kept_at = otok_clock();
    t->took = t->kept_at - began;
}

/* ---- going ---- */

/* The state has the list of changes of now: those that were made after it come again. */
static otok_status restore(otok_sim *sim, otok_snapshot *state)
{
    char *text =
        otok_scenario_with_changes(otok_scenario_text(sim->root), sim->changes, sim->nchanges);
    if (!text) return OTOK_FAIL(OTOK_NOMEM, "no memory for changes");
    free(state->scenario);
    state->scenario = text;
    return otok_sim_restore(sim, state, state->parent);
}

void otok_timeline_go(otok_live *live)
{
    otok_timeline *t = live->timeline;
    const int64_t now = otok_sim_iteration(live->sim);
    int64_t to = live->go_to < live->iterations ? live->go_to : live->iterations;
    live->go_to = -1;
    live->running = live->held = 0;
    live->steps = 0;
    if (t && keep(t, live->sim) != OTOK_OK) otok_live_report(live, "%.390s", otok_why());
    if (to < now && (!t || t->n == 0)) {
        otok_live_report(live, "a state of this size is not kept: restart, and stop earlier");
        return;
    }
    const int i = t ? count_until(t, to) - 1 : -1;
    otok_snapshot *from = t && t->n ? &t->at[i < 0 ? 0 : i] : NULL;
    if (from && (to < now || from->iteration > now)) {
        const otok_status status = restore(live->sim, from);
        if (status != OTOK_OK) {
            otok_live_fail(live, status, otok_why());
            return;
        }
        live->begun++;
        otok_requests_reset(live);
        live->status = OTOK_OK;
        live->style_shown = -1; /* also what rarely changes is shown anew */
    }
    const int64_t there = otok_sim_iteration(live->sim);
    if (to < there) to = there;
    live->steps = to - there;
    live->hurries = live->steps > 0;
    otok_live_report(live, live->hurries ? "iteration %lld, from %lld on" : "iteration %lld",
                     (long long)to, (long long)there);
}

void otok_timeline_changed(otok_live *live)
{
    otok_timeline *t = live->timeline;
    const int64_t now = otok_sim_iteration(live->sim);
    const int n = otok_sim_changes(live->sim);
    if (t) cut(t, count_until(t, now - 1));
    if (n == 0 || otok_sim_change_at(live->sim, n - 1)->iteration <= now) return;
    if (otok_sim_forget_later(live->sim) != OTOK_OK) otok_live_report(live, "%.390s", otok_why());
}
