/* recorded.c: see recorded.h. */
#include "recorded.h"
#include "core/clock.h"
#include "core/memory.h"
#include "known.h"
#include "sim/dated.h"
#include "sim/sim.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SHARE_OF_MEMORY = 0.25, MOST_BYTES = 0x1p32;
enum { FEWEST = 4 }; /* the one that is shown, the one beside it, the one before, the next */

typedef struct kept {
    otok_checkpoint *state; /* NULL: not in memory */
    otok_status status;     /* of reading */
    char *why;
    int64_t used; /* when, by a count */
} kept;

struct otok_reader {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t asks, ends;
    otok_recorded list;
    kept *at;
    int asked, quits; /* asked: the next one to be read, -1: none */
    int64_t count;
};

/* ---- the thread ---- */

static double bytes_of(const otok_checkpoint *c)
{
    const otok_grid g = otok_checkpoint_grid(c);
    const uint64_t has = otok_checkpoint_state(c)->has;
    return 4.0 * (double)g.nx * (double)g.ny * __builtin_popcountll(has);
}

/* Forgets the states that were not used for the longest time. */
static void make_room(otok_reader *r, double bytes)
{
    int n = 0;
    for (int i = 0; i < r->list.n; i++)
        n += r->at[i].state != NULL;
    const double room = fmin(SHARE_OF_MEMORY * (otok_memory_free("") + n * bytes), MOST_BYTES);
    for (; n > FEWEST && n * bytes > room; n--) {
        int oldest = -1;
        for (int i = 0; i < r->list.n; i++)
            if (r->at[i].state && (oldest < 0 || r->at[i].used < r->at[oldest].used)) oldest = i;
        otok_checkpoint_destroy(r->at[oldest].state);
        r->at[oldest].state = NULL;
    }
}

static void *run(void *user)
{
    otok_reader *r = user;
    pthread_mutex_lock(&r->lock);
    for (;;) {
        while (r->asked < 0 && !r->quits)
            pthread_cond_wait(&r->asks, &r->lock);
        if (r->quits) break;
        const int i = r->asked;
        otok_checkpoint *state = NULL;
        pthread_mutex_unlock(&r->lock);
        const otok_status status = r->list.read(r->list.of, i, &state);
        char *why = status == OTOK_OK ? NULL : strdup(otok_why());
        pthread_mutex_lock(&r->lock);
        free(r->at[i].why);
        r->at[i] = (kept){state, status, why, ++r->count};
        if (r->asked == i) r->asked = -1;
        if (state) make_room(r, bytes_of(state));
        pthread_cond_broadcast(&r->ends);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static otok_status create_reader(otok_reader **out, const otok_recorded *list)
{
    otok_reader *r = *out = calloc(1, sizeof *r);
    kept *at = calloc((size_t)list->n, sizeof *at);
    if (!r || !at) {
        free(r);
        free(at);
        *out = NULL;
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a list of states");
    }
    r->list = *list;
    r->at = at;
    r->asked = -1;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->asks, NULL);
    pthread_cond_init(&r->ends, NULL);
    if (pthread_create(&r->thread, NULL, run, r) == 0) return OTOK_OK;
    free(r);
    free(at);
    *out = NULL;
    return OTOK_FAIL(OTOK_NOMEM, "the system gives no thread to read states");
}

void otok_reader_destroy(otok_reader *r)
{
    if (!r) return;
    pthread_mutex_lock(&r->lock);
    r->quits = 1;
    pthread_cond_signal(&r->asks);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->thread, NULL);
    pthread_cond_destroy(&r->asks);
    pthread_cond_destroy(&r->ends);
    pthread_mutex_destroy(&r->lock);
    for (int i = 0; i < r->list.n; i++) {
        otok_checkpoint_destroy(r->at[i].state);
        free(r->at[i].why);
    }
    free(r->at);
    free(r);
}

otok_checkpoint *otok_reader_state(otok_reader *r, int i, int asks)
{
    pthread_mutex_lock(&r->lock);
    otok_checkpoint *state = r->at[i].state;
    if (state) r->at[i].used = ++r->count;
    if (!state && asks && !r->at[i].why) {
        r->asked = i;
        pthread_cond_signal(&r->asks);
    }
    pthread_mutex_unlock(&r->lock);
    return state;
}

otok_status otok_reader_wait(otok_reader *r, int i, otok_checkpoint **out)
{
    otok_status status = OTOK_OK;
    pthread_mutex_lock(&r->lock);
    while (!r->at[i].state && !r->at[i].why) {
        r->asked = i;
        pthread_cond_signal(&r->asks);
        pthread_cond_wait(&r->ends, &r->lock);
    }
    *out = r->at[i].state;
    if (!*out) status = OTOK_FAIL(r->at[i].status, "%s", r->at[i].why);
    pthread_mutex_unlock(&r->lock);
    return status;
}

/* The words of a state that could not be read; "": it can, or was not asked for. */
static void why_not(otok_reader *r, int i, char out[400])
{
    pthread_mutex_lock(&r->lock);
    snprintf(out, 400, "%s", r->at[i].why ? r->at[i].why : "");
    pthread_mutex_unlock(&r->lock);
}

/* ---- showing ---- */

static void show(otok_live *live, otok_checkpoint *c, int i)
{
    char date[48];
    const otok_snapshot *s = otok_checkpoint_state(c);
    live->checkpoint = c;
    live->state = i;
    live->iteration = s->iteration;
    live->time = s->time;
    const int known = otok_snapshot_date(date, s, s->time);
    snprintf(live->date, sizeof live->date, "%s%s", known ? ", " : "", known ? date : "");
    live->shown_at = otok_clock();
}

otok_status otok_recorded_begin(otok_live *live)
{
    otok_checkpoint *c;
    const int first = live->running ? 0 : live->recorded.n - 1;
    OTOK_TRY(create_reader(&live->reader, &live->recorded));
    OTOK_TRY(otok_reader_wait(live->reader, first, &c));
    show(live, c, first);
    return OTOK_OK;
}

/* The state that should be shown now. */
static int wanted_state(otok_live *live)
{
    const int last = live->recorded.n - 1, plays = live->running || live->held;
    if (live->wanted >= 0) return live->wanted < last ? live->wanted : last;
    if (!plays) return live->state;
    if (live->state == last && live->running) {
        live->running = 0;
        otok_live_report(live, "the last state: Enter plays from the first one");
    }
    const int due = !(otok_clock() - live->shown_at < 1 / live->speed); /* NAN: at once */
    return due && live->state < last ? live->state + 1 : live->state;
}

void otok_recorded_frame(otok_live *live)
{
    const int i = wanted_state(live), last = live->recorded.n - 1;
    char why[400];
    otok_reader_state(live->reader, live->state, 0); /* it is in use */
    if (i == live->state) {
        live->wanted = -1;
        if ((live->running || live->held) && i < last) otok_reader_state(live->reader, i + 1, 1);
        return;
    }
    otok_checkpoint *c = otok_reader_state(live->reader, i, 1);
    why_not(live->reader, i, why);
    const otok_grid g = c ? otok_checkpoint_grid(c) : live->grid;
    if (g.nx != live->grid.nx || g.ny != live->grid.ny || g.spacing != live->grid.spacing) {
        snprintf(why, sizeof why, "state %d has another grid, %lld x %lld cells of %g m", i + 1,
                 (long long)g.nx, (long long)g.ny, g.spacing);
        c = NULL;
    }
    if (!c && !*why) return; /* it comes */
    live->wanted = -1;
    if (!c) {
        live->running = live->held = 0;
        otok_live_report(live, "%.390s", why);
        return;
    }
    show(live, c, i);
    otok_known_update(live);
    live->dirty = 1;
    live->style_shown = -1; /* also what rarely changes is shown anew */
}

int otok_live_plays(const otok_live *live)
{
    return live->recorded.n > 1 && (live->running || live->held || live->wanted >= 0);
}

void otok_live_play(otok_live *live, int on)
{
    const int last = live->recorded.n - 1;
    if (last == 0) {
        otok_live_report(live,
                         "one state is shown, and nothing runs: open the folder of its run to "
                         "play all, or its scenario with --continue");
        return;
    }
    if (on && last > 0 && live->state == last) live->wanted = 0;
    live->running = on;
    otok_live_report(live, !on ? "paused" : last > 0 ? "playing" : "running");
}
