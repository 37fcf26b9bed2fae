/* run.c: bands run a program side by side, and exchange rows at the end of each stretch. Bands
   with devices of their own have a thread each. On the CPU they run one after the other, each
   with all threads. */
#include "bands.h"
#include "ranks.h"

#include "../core/rounding.h"
#include "../core/status.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* ---- a run ---- */

/* What the threads of a run share. */
typedef struct shared_run {
    otok_bands *bands;
    otok_status status; /* the first failure, and its text */
    char why[2048];
} shared_run;

static void fail(shared_run *t, otok_status status)
{
    if (status == OTOK_OK) return;
#pragma omp critical(otok_bands)
    if (t->status == OTOK_OK) {
        t->status = status;
        strncpy(t->why, otok_why(), sizeof t->why - 1);
    }
}

static int failed(shared_run *t)
{
    int status;
#pragma omp critical(otok_bands)
    status = (int)t->status;
    return status != OTOK_OK;
}

/* One part of a run. */
typedef struct part {
    const otok_program *program;
    const otok_coefficients *k;
    const otok_step *steps;
    int at, nsteps, joins;
    uint64_t before; /* buffers to exchange before it */
} part;

/* All threads call this together, each for the bands of its device. A rank that failed goes on
   to exchange, because others wait for it. */
static void run_part(shared_run *t, const part *p, int me)
{
    otok_bands *b = t->bands;
    const otok_transfer *list = b->cut.transfers;
    const int n = p->before ? b->cut.ntransfers : 0;
    for (int i = 0; i < n; i++)
        if (otok_bands_is_within(b, &list[i]) && otok_bands_place(b, list[i].to) == me)
            fail(t, otok_bands_copy(b, &list[i], p->before));
#pragma omp barrier
    for (int i = 0; i < n; i++)
        if (otok_bands_is_within(b, &list[i]) && otok_bands_place(b, list[i].from) == me)
            fail(t, otok_bands_release(b, &list[i]));
    if (me == 0 && n > 0) fail(t, otok_bands_cross(b, list, n, p->before));
#pragma omp barrier
    if (b->beside) {
        fail(t, otok_bands_enter(b, me));
        fail(t, b->inner->prepare_beside(&b->patches[me], p->program, p->k, p->nsteps));
#pragma omp barrier
    }
    for (int band = b->mine; band < b->upto && !failed(t); band++) {
        if (otok_bands_place(b, band) != me) continue;
        fail(t, otok_bands_enter(b, band));
        fail(t, b->inner->start(&b->patches[band], p->program, p->k, p->steps, p->at, p->nsteps,
                                p->joins));
    }
#pragma omp barrier
}

static otok_status wait_for(otok_bands *b, int band)
{
    OTOK_TRY(otok_bands_enter(b, band));
    return b->inner->wait(&b->patches[band]);
}

static void give_up(otok_bands *b)
{
    for (int band = b->mine; band < b->upto; band++)
        b->inner->give_up(&b->patches[band]);
}

/* All threads call this together after the last part. Bands side by side wait for each other for
   ever if one of them fails. */
static void wait_for_mine(shared_run *t, int me)
{
    otok_bands *b = t->bands;
    if (b->beside && failed(t)) give_up(b);
    for (int band = b->mine; band < b->upto; band++) {
        if (otok_bands_place(b, band) != me) continue;
        const otok_status status = wait_for(b, band);
        fail(t, status);
        if (b->beside && status != OTOK_OK) give_up(b);
    }
}

/* The ground, what lies in it, and its walls. */
static uint64_t ground_of(const otok_bands *b)
{
    const uint64_t bottoms = BIT(OTOK_LAYER_BOTTOM_LAST + 1) - BIT(OTOK_LAYER_BOTTOM);
    return (BIT(OTOK_TERRAIN_BASE) | BIT(OTOK_TERRAIN_CHANGE) | BIT(OTOK_ERODIBILITY) |
            BIT(OTOK_WALLS) | bottoms) &
           b->present;
}

otok_status otok_bands_make_whole(otok_bands *b)
{
    otok_patch *whole = &b->patches[otok_bands_whole(b)];
    if (whole->own || otok_rank() > 0) return OTOK_OK;
    OTOK_TRY(otok_bands_enter(b, otok_bands_whole(b)));
    return b->inner->create(whole, ground_of(b), 1);
}

/* Copies the bands' own rows, and the ghosts below and above the grid, to the whole patch or
   back. */
static otok_status carry_whole(otok_bands *b, uint64_t buffers, int back)
{
    const int last = b->cut.count - 1, whole = otok_bands_whole(b);
    otok_transfer *list = calloc((size_t)b->cut.count, sizeof *list);
    if (!list) return OTOK_FAIL(OTOK_NOMEM, "no memory to put %d bands together", b->cut.count);
    for (int band = 0; band <= last; band++) {
        const int below = !b->cut.periodic && band == 0, above = !b->cut.periodic && band == last;
        const int row = b->cut.below[band] - below, at = b->cut.first[band] - below;
        const int rows = b->cut.first[band + 1] - b->cut.first[band] + below + above;
        list[band] = back ? (otok_transfer){band, row, whole, at, rows}
                          : (otok_transfer){whole, at, band, row, rows};
    }
    otok_status status = otok_bands_transfer(b, list, b->cut.count, buffers);
    free(list);
    for (int band = b->mine; back && band < b->upto && status == OTOK_OK; band++)
        status = wait_for(b, band); /* the next copy takes what this one gave */
    return status;
}

/* Runs a stage that cannot be cut for one iteration, on the whole grid, which is in the memory
   of the first device. */
static otok_status run_whole(otok_bands *b, const otok_stretch *s, const otok_coefficients *k,
                             const otok_step *step)
{
    const int whole = otok_bands_whole(b), stage = s->program.ops[0].a;
    if (!otok_stage_is_due((otok_stage)stage, step)) return OTOK_OK;
    OTOK_TRY(otok_bands_make_whole(b));
    OTOK_TRY(carry_whole(b, ground_of(b), 0));
    if (otok_rank() == 0) {
        OTOK_TRY(otok_bands_enter(b, whole));
        OTOK_TRY(b->inner->extend(&b->patches[whole], otok_stage_infos[stage].seldom));
        OTOK_TRY(b->inner->run(&b->patches[whole], &s->program, k, step, 1));
    }
    return carry_whole(b, s->writes, 1);
}

otok_status otok_bands_choose(otok_bands *b, const otok_program *program,
                              const otok_coefficients *k)
{
    const otok_cut *cut = &b->cut;
    if (b->stretches.n && b->program.nops == program->nops && memcmp(&b->k, k, sizeof *k) == 0 &&
        memcmp(b->program.ops, program->ops, sizeof program->ops[0] * (size_t)program->nops) == 0)
        return OTOK_OK;
    otok_stretches_destroy(&b->stretches);
    b->program = *program;
    b->k = *k;
    OTOK_TRY(otok_stretches_make(&b->stretches, program, b->present, b->depth));
    const int one = b->stretches.n == 1 && !b->stretches.list[0].whole;
    b->beside =
        b->inner->beside && otok_ranks() == 1 && cut->count > 1 && cut->count <= b->devices &&
        b->inner->beside(b->patches, cut->count, b->device, cut->periodic, one ? program : NULL, k);
    return OTOK_OK;
}

/* The bits otok_joins of the iterations from `at` to `upto`. Stretches join if the program is
   one stretch. */
static int joins_of(const otok_bands *b, int at, int upto, int nsteps)
{
    if (b->stretches.n > 1) return 0;
    return (at > 0 ? OTOK_JOINS_BEFORE : 0) | (upto < nsteps ? OTOK_JOINS_AFTER : 0);
}

/* Runs the iterations. All threads call this together; each has its own counters. */
static void run_thread(shared_run *t, const otok_coefficients *k, const otok_step *steps,
                       int nsteps, int me)
{
    otok_bands *b = t->bands;
    uint64_t stale = b->stale;
#pragma omp barrier
    for (int n = 0, done = 0; n < nsteps; n += done)
        for (int s = 0; s < b->stretches.n; s++) {
            const otok_stretch *now = &b->stretches.list[s];
            done = b->beside || now->most > nsteps - n ? nsteps - n : now->most;
            if (now->whole) {
#pragma omp barrier
                if (me == 0) fail(t, run_whole(b, now, k, steps + n));
#pragma omp barrier
            } else {
                const part p = {&now->program,
                                k,
                                steps,
                                n,
                                done,
                                joins_of(b, n, n + done, nsteps),
                                now->reads & stale & b->present};
                run_part(t, &p, me);
                stale &= ~p.before;
            }
            stale |= now->writes & b->present;
        }
    wait_for_mine(t, me);
    if (me == 0) b->stale = stale;
}

otok_status otok_bands_run(otok_bands *b, const otok_program *program, const otok_coefficients *k,
                           const otok_step *steps, int nsteps)
{
    shared_run t = {.bands = b};
    OTOK_TRY(otok_bands_choose(b, program, k));
    if (nsteps == 0) return OTOK_OK;
    const int threads = b->devices < b->upto - b->mine ? b->devices : b->upto - b->mine;
    if (threads < 2) {
        run_thread(&t, k, steps, nsteps, 0);
    } else {
#pragma omp parallel num_threads(threads)
        {
            OTOK_ROUNDING;
            run_thread(&t, k, steps, nsteps, omp_get_thread_num());
        }
    }
    return t.status == OTOK_OK ? OTOK_OK : OTOK_FAIL(t.status, "%s", t.why);
}
