/* run.c: bands run a program at the same time, and exchange rows at the end of each stretch. Bands
   with devices of their own have a thread each. On the CPU they run one after the other, each
   with all threads. */
#include "bands.h"
#include "ranks.h"

#include "../core/rounding.h"
#include "../core/status.h"
#include "../core/wave_sweep.h"

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
    otok_set before; /* buffers to exchange before it */
} part;

/* All threads call this together, each for the bands of its device. A rank that failed goes on
   to exchange, because others wait for it. */
static void run_part(shared_run *t, const part *p, int me)
{
    otok_bands *b = t->bands;
    const otok_transfer *list = b->cut.transfers;
    const int n = otok_set_is_empty(p->before) ? 0 : b->cut.ntransfers;
    for (int i = 0; i < n; i++)
        if (otok_bands_is_within(b, &list[i]) && otok_bands_place(b, list[i].to) == me)
            fail(t, otok_bands_copy(b, &list[i], p->before));
#pragma omp barrier
    for (int i = 0; i < n; i++)
        if (otok_bands_is_within(b, &list[i]) && otok_bands_place(b, list[i].from) == me)
            fail(t, otok_bands_release(b, &list[i]));
    if (me == 0 && n > 0) fail(t, otok_bands_cross(b, list, n, p->before));
#pragma omp barrier
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

/* All threads call this together after the last part. */
static void wait_for_mine(shared_run *t, int me)
{
    otok_bands *b = t->bands;
    for (int band = b->mine; band < b->upto; band++)
        if (otok_bands_place(b, band) == me) fail(t, wait_for(b, band));
}

otok_status otok_bands_make_whole(otok_bands *b, int whole)
{
    const otok_set ground = otok_set_of(BIT(OTOK_TERRAIN_BASE) | BIT(OTOK_TERRAIN_CHANGE));
    if (b->patches[whole].own || otok_rank() > 0) return OTOK_OK;
    OTOK_TRY(otok_bands_enter(b, whole));
    return b->inner->create(&b->patches[whole], ground, 1);
}

/* Copies the bands' own rows, and the ghosts below and above the grid, to a whole patch or back.
   What the second whole patch has is added to what came from the first. */
static otok_status carry_whole(otok_bands *b, int whole, otok_set buffers, int back)
{
    const int last = b->cut.count - 1, adds = back && whole > otok_bands_whole(b);
    if (otok_set_is_empty(buffers)) return OTOK_OK;
    otok_transfer *list = calloc((size_t)b->cut.count, sizeof *list);
    if (!list) return OTOK_FAIL(OTOK_NOMEM, "no memory to put %d bands together", b->cut.count);
    for (int band = 0; band <= last; band++) {
        const int below = !b->cut.periodic && band == 0, above = !b->cut.periodic && band == last;
        const int row = b->cut.below[band] - below, at = b->cut.first[band] - below;
        const int rows = b->cut.first[band + 1] - b->cut.first[band] + below + above;
        list[band] = back ? (otok_transfer){band, row, whole, at, rows}
                          : (otok_transfer){whole, at, band, row, rows};
    }
    const otok_status status = adds ? otok_bands_add(b, list, b->cut.count, buffers)
                                    : otok_bands_transfer(b, list, b->cut.count, buffers);
    free(list);
    return status;
}

/* Waves whose groups of directions have the sum (0 + 1) + (2 + 3) are found on two devices, each of
   which has one half of that sum. With four groups, that of what waves lose is another. */
static int halves(const otok_bands *b, int stage, const otok_coefficients *k)
{
    const int most = stage == OTOK_STAGE_WAVES         ? OTOK_WAVE_GROUPS
                     : stage == OTOK_STAGE_WAVES_SPENT ? 2
                                                       : 0;
    return otok_ranks() == 1 && b->devices > 1 && b->inner->rows.add && k->waves.groups > 1 &&
           k->waves.groups <= most;
}

/* The coefficients of half n: the other groups weigh nothing. */
static otok_coefficients half_of(const otok_coefficients *k, int n)
{
    otok_coefficients half = *k;
    for (int g = 0; g < k->waves.groups; g++)
        for (int q = 0; q < OTOK_WAVE_QUARTERS; q++)
            if (g * 2 / k->waves.groups != n) half.waves.weight[OTOK_WAVE_QUARTERS * g + q] = 0;
    return half;
}

/* Makes the patches of the whole grid for a stage, and returns their number. A second device that
   lacks memory, or that others do not reach, has none. */
static otok_status make_wholes(otok_bands *b, int stage, const otok_coefficients *k, int *count)
{
    const int whole = otok_bands_whole(b), two = !b->alone && halves(b, stage, k);
    const otok_set in = otok_set_and(otok_stage_inputs((otok_stage)stage), b->present),
                   needed = otok_set_or(otok_stage_touches(&otok_stage_infos[stage]), in),
                   none = {{0}};
    *count = 0;
    for (int n = 0; n < 1 + two; n++) {
        otok_patch *patch = &b->patches[whole + n];
        otok_status status = otok_bands_make_whole(b, whole + n);
        if (status == OTOK_OK && otok_rank() == 0) status = otok_bands_enter(b, whole + n);
        if (status == OTOK_OK && otok_rank() == 0) status = b->inner->extend(patch, needed);
        for (int band = b->mine; n > 0 && band < b->upto && status == OTOK_OK; band++) {
            OTOK_TRY(otok_bands_enter(b, band));
            status = b->inner->rows.add(&b->patches[band], 0, patch, 0, 0, none);
        }
        if (n == 0) OTOK_TRY(status);
        if (status != OTOK_OK) {
            b->alone = 1;
            OTOK_TRY(otok_bands_enter(b, whole + n));
            b->inner->destroy(patch);
            break;
        }
        ++*count;
    }
    return OTOK_OK;
}

/* Runs a stage that cannot be cut for one iteration, on the whole grid, which is in the memory
   of the first device, or of two. */
static otok_status run_whole(otok_bands *b, const otok_stretch *s, const otok_coefficients *k,
                             const otok_step *step)
{
    const int whole = otok_bands_whole(b), stage = s->program.ops[0].a;
    const otok_set in = otok_set_and(s->reads, b->present);
    int count = 0;
    if (!otok_stage_is_due((otok_stage)stage, step)) return OTOK_OK;
    OTOK_TRY(make_wholes(b, stage, k, &count));
    for (int n = 0; n < count; n++) {
        const otok_coefficients half = count > 1 ? half_of(k, n) : *k;
        OTOK_TRY(carry_whole(b, whole + n, n > 0 ? in : otok_set_without(in, b->in_whole), 0));
        if (otok_rank() > 0) continue;
        OTOK_TRY(otok_bands_enter(b, whole + n));
        OTOK_TRY(b->inner->start(&b->patches[whole + n], &s->program, &half, step, 0, 1, 0));
    }
    for (int n = 0; n < count; n++)
        OTOK_TRY(carry_whole(b, whole + n, s->writes, 1));
    b->in_whole = otok_set_without(otok_set_or(b->in_whole, in), otok_stage_changes(stage));
    if (count == 1) b->in_whole = otok_set_or(b->in_whole, s->writes);
    for (int n = 0; n < count && otok_rank() == 0; n++)
        OTOK_TRY(wait_for(b, whole + n));
    for (int band = b->mine; band < b->upto; band++)
        OTOK_TRY(wait_for(b, band)); /* the next copy takes what this one gave */
    return OTOK_OK;
}

otok_status otok_bands_choose(otok_bands *b, const otok_program *program)
{
    if (b->stretches.n && b->program.nops == program->nops &&
        memcmp(b->program.ops, program->ops, sizeof program->ops[0] * (size_t)program->nops) == 0)
        return OTOK_OK;
    otok_stretches_destroy(&b->stretches);
    b->program = *program;
    return otok_stretches_make(&b->stretches, program, b->present, b->depth);
}

/* The bits otok_joins of the iterations from `at` to `upto`. Stretches join if the program is
   one stretch. */
static int joins_of(const otok_bands *b, int at, int upto, int nsteps)
{
    if (b->stretches.n > 1) return 0;
    return (at > 0 ? OTOK_JOINS_BEFORE : 0) | (upto < nsteps ? OTOK_JOINS_AFTER : 0);
}

/* The iterations of a stretch from n on, at most `most`, until a stage on the whole grid is due
   again. */
static int until_due(const otok_bands *b, const otok_step *steps, int n, int most)
{
    for (int done = 1; done < most; done++)
        for (int s = 0; s < b->stretches.n; s++)
            if (b->stretches.list[s].whole &&
                otok_stage_is_due((otok_stage)b->stretches.list[s].program.ops[0].a,
                                  &steps[n + done]))
                return done;
    return most;
}

/* Runs the iterations. All threads call this together; each has its own counters. */
static void run_thread(shared_run *t, const otok_coefficients *k, const otok_step *steps,
                       int nsteps, int me)
{
    otok_bands *b = t->bands;
    otok_set stale = b->stale;
#pragma omp barrier
    for (int n = 0, done = 0; n < nsteps; n += done)
        for (int s = 0; s < b->stretches.n; s++) {
            const otok_stretch *now = &b->stretches.list[s];
            done = now->most > nsteps - n ? nsteps - n : now->most;
            done = until_due(b, steps, n, done);
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
                                otok_set_and(now->reads, otok_set_and(stale, b->present))};
                run_part(t, &p, me);
                if (me == 0) b->in_whole = otok_set_without(b->in_whole, now->writes);
                stale = otok_set_without(stale, p.before);
            }
            stale = otok_set_or(stale, otok_set_and(now->writes, b->present));
        }
    wait_for_mine(t, me);
    if (me == 0) b->stale = stale;
}

otok_status otok_bands_run(otok_bands *b, const otok_program *program, const otok_coefficients *k,
                           const otok_step *steps, int nsteps)
{
    shared_run t = {.bands = b};
    OTOK_TRY(otok_bands_choose(b, program));
    if (nsteps == 0) return OTOK_OK;
    b->in_whole = (otok_set){{0}};
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
