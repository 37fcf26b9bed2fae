/* run.c: bands run a program side by side, and exchange rows where a stretch of it ends. A thread each where bands have devices of
   their own; on the CPU one after the other, each with all threads. */
#include "bands.h"

#include "../core/rounding.h"
#include "../core/status.h"

#include <omp.h>
#include <string.h>

#define BIT(buffer) (UINT64_C(1) << (buffer))

otok_status otok_bands_enter(const otok_bands *bands, int band)
{
    return bands->devices ? bands->inner->use(band % bands->devices) : OTOK_OK;
}

/* What the threads of a team have in common. */
typedef struct team {
    otok_bands *bands;
    otok_status status; /* the first failure, and its text */
    char why[2048];
} team;

static void fail(team *t, otok_status status)
{
    if (status == OTOK_OK) return;
#pragma omp critical(otok_bands)
    if (t->status == OTOK_OK) {
        t->status = status;
        strncpy(t->why, otok_why(), sizeof t->why - 1);
    }
}

static int failed(team *t)
{
    int status;
#pragma omp critical(otok_bands)
    status = (int)t->status;
    return status != OTOK_OK;
}

/* The rows that one band takes. */
static otok_status take(otok_bands *b, int band, uint64_t buffers)
{
    for (int n = 0; n < b->cut.ntransfers; n++) {
        const otok_transfer *t = &b->cut.transfers[n];
        if (t->to != band) continue;
        OTOK_TRY(b->inner->copy_rows(&b->patches[t->to], t->to_row, &b->patches[t->from], t->from_row, t->rows, buffers));
    }
    return OTOK_OK;
}

otok_status otok_bands_renew(otok_bands *b, uint64_t buffers)
{
    const uint64_t wanted = buffers & b->stale & b->present;
    for (int band = 0; band < b->cut.count && wanted; band++) {
        OTOK_TRY(otok_bands_enter(b, band));
        OTOK_TRY(take(b, band, wanted));
    }
    b->stale &= ~wanted;
    return OTOK_OK;
}

/* One part of a run. */
typedef struct part {
    const otok_program *program;
    const otok_coefficients *k;
    const otok_step *steps;
    int at, nsteps;
    uint64_t before; /* buffers to exchange before it */
} part;

/* Of one thread: its bands, number `me` and every `by`-th after it. */
static void carry_out(team *t, const part *p, int me, int by)
{
    otok_bands *b = t->bands;
    for (int band = me; band < b->cut.count && p->before && !failed(t); band += by) {
        fail(t, otok_bands_enter(b, band));
        fail(t, take(b, band, p->before));
    }
#pragma omp barrier
    for (int band = me; band < b->cut.count && !failed(t); band += by) {
        fail(t, otok_bands_enter(b, band));
        fail(t, b->inner->start(&b->patches[band], p->program, p->k, p->steps, p->at, p->nsteps));
    }
#pragma omp barrier
}

/* Copies buffers of all bands' own rows, and of the ghosts below and above the grid, to the whole patch or back. */
static otok_status copy_whole(otok_bands *b, uint64_t buffers, int back)
{
    const int last = b->cut.count - 1;
    for (int band = 0; band <= last; band++) {
        otok_patch *one = &b->patches[band];
        const int ends = b->cut.periodic ? 0 : (band == 0) + 2 * (band == last);
        const int row = b->cut.below[band] - (ends & 1), at = b->cut.first[band] - (ends & 1);
        const int rows = b->cut.first[band + 1] - b->cut.first[band] + (ends & 1) + (ends >> 1);
        OTOK_TRY(otok_bands_enter(b, back ? band : 0));
        if (back)
            OTOK_TRY(b->inner->copy_rows(one, row, &b->whole, at, rows, buffers));
        else
            OTOK_TRY(b->inner->copy_rows(&b->whole, at, one, row, rows, buffers));
    }
    return otok_bands_enter(b, 0);
}

/* The ground, and what lies in it. */
static uint64_t ground_of(const otok_bands *b)
{
    const uint64_t bottoms = BIT(OTOK_LAYER_BOTTOM_LAST + 1) - BIT(OTOK_LAYER_BOTTOM);
    return (BIT(OTOK_TERRAIN_BASE) | BIT(OTOK_TERRAIN_CHANGE) | BIT(OTOK_ERODIBILITY) | bottoms) & b->present;
}

otok_status otok_bands_whole(otok_bands *b, const otok_patch *patch)
{
    if (b->whole.own) return OTOK_OK;
    b->whole = *patch;
    b->whole.own = NULL;
    OTOK_TRY(otok_bands_enter(b, 0));
    return b->inner->create(&b->whole, ground_of(b), 1);
}

/* A stage that cannot be cut, for one iteration: on the grid in one piece, which the first device has memory for. */
static otok_status run_whole(otok_patch *patch, const otok_stretch *s, const otok_coefficients *k, const otok_step *step)
{
    otok_bands *b = otok_bands_of_patch(patch);
    OTOK_TRY(otok_bands_whole(b, patch));
    OTOK_TRY(copy_whole(b, ground_of(b), 0));
    OTOK_TRY(b->inner->run(&b->whole, &s->program, k, step, 1));
    return copy_whole(b, s->writes, 1);
}

static otok_status stretches_for(otok_bands *b, const otok_program *program)
{
    if (b->stretches.n && b->program.nops == program->nops &&
        memcmp(b->program.ops, program->ops, sizeof program->ops[0] * (size_t)program->nops) == 0)
        return OTOK_OK;
    otok_stretches_destroy(&b->stretches);
    b->program = *program;
    return otok_stretches_make(&b->stretches, program, b->present, b->depth);
}

/* The iterations of a run, by all threads of a team together; each has numbers of its own for how far it is. */
static void march(team *t, otok_patch *patch, const otok_coefficients *k, const otok_step *steps, int nsteps, int me, int by)
{
    otok_bands *b = t->bands;
    uint64_t stale = b->stale;
    for (int n = 0, done = 0; n < nsteps && !failed(t); n += done)
        for (int s = 0; s < b->stretches.n && !failed(t); s++) {
            const otok_stretch *now = &b->stretches.list[s];
            done = now->most < nsteps - n ? now->most : nsteps - n;
            if (now->whole) {
#pragma omp barrier
                if (me == 0) fail(t, run_whole(patch, now, k, steps + n));
#pragma omp barrier
            } else {
                const part p = {&now->program, k, steps, n, done, now->reads & stale & b->present};
                carry_out(t, &p, me, by);
                stale &= ~p.before;
            }
            stale |= now->writes & b->present;
        }
    for (int band = me; band < b->cut.count; band += by) {
        fail(t, otok_bands_enter(b, band));
        fail(t, b->inner->wait(&b->patches[band]));
    }
    if (me == 0) b->stale = stale;
}

otok_status otok_bands_run(otok_patch *patch, const otok_program *program, const otok_coefficients *k, const otok_step *steps,
                           int nsteps)
{
    otok_bands *b = otok_bands_of_patch(patch);
    team t = {.bands = b};
    OTOK_TRY(stretches_for(b, program));
    if (b->devices < 2) {
        march(&t, patch, k, steps, nsteps, 0, 1);
    } else {
#pragma omp parallel num_threads(b->devices)
        {
            OTOK_ROUNDING;
            march(&t, patch, k, steps, nsteps, omp_get_thread_num(), omp_get_num_threads());
        }
    }
    return t.status == OTOK_OK ? OTOK_OK : OTOK_FAIL(t.status, "%s", t.why);
}
