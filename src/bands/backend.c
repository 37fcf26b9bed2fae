/* backend.c: a grid in bands as a backend: memory, maps and measures of all bands together. run.c lets them run. */
#include "bands.h"

#include "../core/look_rows.h"
#include "../core/status.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BIT(buffer) (UINT64_C(1) << (buffer))

/* A backend in bands, as it was asked for by name. */
typedef struct division {
    otok_backend backend; /* its `name` is `name` */
    char name[64];
    const otok_backend *inner; /* NULL: not in use */
    int count;
} division;

static int shape_depth = OTOK_BANDS_DEPTH;
static const int *shape_first;

void otok_bands_shape(int depth, const int *first)
{
    shape_depth = depth;
    shape_first = first;
}

static void destroy(otok_patch *patch)
{
    otok_bands *b = otok_bands_of_patch(patch);
    if (!b) return;
    for (int n = 0; b->patches && n < b->cut.count; n++) {
        if (!b->patches[n].own) continue;
        otok_bands_enter(b, n);
        b->inner->destroy(&b->patches[n]);
    }
    if (b->whole.own && otok_bands_enter(b, 0) == OTOK_OK) b->inner->destroy(&b->whole);
    otok_stretches_destroy(&b->stretches);
    otok_cut_destroy(&b->cut);
    free(b->patches);
    free(b);
    patch->own = NULL;
}

/* The patch of a band: as the whole one, but for its rows and the sides where it borders on others. */
static otok_patch patch_of(const otok_patch *all, const otok_cut *cut, int band)
{
    const int count = cut->count, rows = all->view.ny;
    otok_patch p = *all;
    p.own = NULL;
    p.droplets = 0;
    if (count == 1) return p;
    otok_view *v = &p.view;
    v->ny = otok_cut_height(cut, band);
    v->shared[0] = cut->below[band];
    v->shared[1] = cut->above[band];
    v->origin = all->view.y0;
    v->period = cut->periodic ? rows : 0;
    v->y0 = all->view.y0 + ((cut->first[band] - cut->below[band]) % rows + rows) % rows;
    const int ends[] = {cut->first[band] - cut->below[band], cut->first[band + 1] + cut->above[band]};
    if (cut->periodic || ends[0] > 0) p.edges[OTOK_BOTTOM] = OTOK_CLOSED;
    if (cut->periodic || ends[1] < rows) p.edges[OTOK_TOP] = OTOK_CLOSED;
    return p;
}

static otok_status build(otok_patch *patch, otok_bands *b, int count, uint64_t needed, int max_steps)
{
    const int rows = patch->view.ny, periodic = patch->edges[OTOK_BOTTOM] == OTOK_PERIODIC;
    OTOK_TRY(otok_cut_make(&b->cut, rows, count < rows ? count : rows, shape_first, shape_depth, periodic));
    b->depth = shape_depth;
    b->patches = calloc((size_t)b->cut.count, sizeof *b->patches);
    if (!b->patches) return OTOK_FAIL(OTOK_NOMEM, "no memory for %d bands", b->cut.count);
    b->devices = b->inner->devices ? b->inner->devices() : 0;
    b->present = needed;
    b->max_steps = max_steps;
    for (int n = 0; n < b->cut.count; n++) {
        b->patches[n] = patch_of(patch, &b->cut, n);
        OTOK_TRY(otok_bands_enter(b, n));
        OTOK_TRY(b->inner->create(&b->patches[n], needed, max_steps));
    }
    return OTOK_OK;
}

static otok_status create(const division *d, otok_patch *patch, uint64_t needed, int max_steps)
{
    otok_bands *b = calloc(1, sizeof *b);
    if (!b) return OTOK_FAIL(OTOK_NOMEM, "no memory for bands");
    b->inner = d->inner;
    patch->own = b;
    memset(patch->view.at, 0, sizeof patch->view.at);
    const otok_status status = build(patch, b, d->count, needed, max_steps);
    if (status != OTOK_OK) destroy(patch);
    return status;
}

static uint64_t room(const division *d, int64_t nx, int64_t ny, uint64_t needed, int droplets)
{
    const int64_t count = d->count < ny ? d->count : ny;
    const int64_t rows = ny / count + 1 + (count > 1 ? 2 * OTOK_BANDS_DEPTH : 0);
    return (uint64_t)count * d->inner->room(nx, rows, needed, droplets);
}

static otok_status describe(const division *d, char *text, size_t size)
{
    char one[256];
    OTOK_TRY(d->inner->describe(one, sizeof one));
    const int devices = d->inner->devices ? d->inner->devices() : 0;
    snprintf(text, size, "%s; %d bands on %d device%s", one, d->count, devices > 1 ? devices : 1, devices > 1 ? "s" : "");
    return OTOK_OK;
}

/* A call of the inner backend for each band, on its device. */
#define FOR_EACH(b, n, call)                                                                                                       \
    for (int n = 0; n < (b)->cut.count; n++) {                                                                                     \
        OTOK_TRY(otok_bands_enter(b, n));                                                                                          \
        OTOK_TRY((b)->inner->call);                                                                                                \
    }

/* Where a band's rows begin in a dense map of the grid. */
static size_t offset_of(const otok_bands *b, int band)
{
    return (size_t)b->cut.first[band] * (size_t)b->patches[band].view.nx;
}

static otok_status extend(otok_patch *patch, uint64_t needed)
{
    otok_bands *b = otok_bands_of_patch(patch);
    FOR_EACH(b, n, extend(&b->patches[n], needed))
    b->present |= needed;
    otok_stretches_destroy(&b->stretches);
    return OTOK_OK;
}

static otok_status put(otok_patch *patch, int buffer, const float *map)
{
    otok_bands *b = otok_bands_of_patch(patch);
    FOR_EACH(b, n, put(&b->patches[n], buffer, map + offset_of(b, n)))
    b->stale |= BIT(buffer);
    return OTOK_OK;
}

static otok_status get(otok_patch *patch, int buffer, float *map)
{
    otok_bands *b = otok_bands_of_patch(patch);
    FOR_EACH(b, n, get(&b->patches[n], buffer, map + offset_of(b, n)))
    return OTOK_OK;
}

static otok_status cell(otok_patch *patch, int buffer, int i, int j, float *out)
{
    otok_bands *b = otok_bands_of_patch(patch);
    int n = 0;
    while (j >= b->cut.first[n + 1])
        n++;
    OTOK_TRY(otok_bands_enter(b, n));
    return b->inner->cell(&b->patches[n], buffer, i, j - b->cut.first[n], out);
}

/* Copies under way from all bands. */
typedef struct arrivals {
    int n;
    otok_arrival each[];
} arrivals;

static otok_status wait_for_all(void *ticket)
{
    arrivals *a = ticket;
    otok_status status = OTOK_OK;
    for (int n = 0; n < a->n; n++) {
        const otok_status one = a->each[n].wait ? a->each[n].wait(a->each[n].ticket) : OTOK_OK;
        status = status == OTOK_OK ? one : status;
    }
    free(a);
    return status;
}

static otok_status snapshot(otok_patch *patch, uint64_t which, float *const *maps, otok_arrival *out)
{
    otok_bands *b = otok_bands_of_patch(patch);
    arrivals *a = calloc(1, sizeof *a + (size_t)b->cut.count * sizeof a->each[0]);
    if (!a) return OTOK_FAIL(OTOK_NOMEM, "no memory for a copy of the state");
    otok_status status = OTOK_OK;
    for (int n = 0; n < b->cut.count && status == OTOK_OK; n++) {
        float *rows[OTOK_STORED] = {0};
        for (int f = 0; f < OTOK_STORED; f++)
            if (which >> f & 1) rows[f] = maps[f] + offset_of(b, n);
        status = otok_bands_enter(b, n);
        if (status == OTOK_OK) status = b->inner->snapshot(&b->patches[n], which, rows, &a->each[n]);
        if (status == OTOK_OK) a->n++;
    }
    *out = (otok_arrival){wait_for_all, a};
    if (status != OTOK_OK) wait_for_all(a);
    return status;
}

static otok_status starts(otok_patch *patch, const uint64_t *upto)
{
    otok_bands *b = otok_bands_of_patch(patch);
    OTOK_TRY(otok_bands_whole(b, patch));
    OTOK_TRY(otok_bands_enter(b, 0));
    return b->inner->starts(&b->whole, upto);
}

static otok_status base(otok_patch *patch, const otok_base_plan *plan, double *seconds)
{
    otok_bands *b = otok_bands_of_patch(patch);
    *seconds = 0;
    for (int n = 0; n < b->cut.count; n++) {
        double taken = 0;
        OTOK_TRY(otok_bands_enter(b, n));
        b->patches[n].stop = patch->stop;
        b->patches[n].user = patch->user;
        OTOK_TRY(b->inner->base(&b->patches[n], plan, &taken));
        *seconds += taken;
    }
    b->stale |= BIT(OTOK_TERRAIN_BASE);
    return OTOK_OK;
}

static otok_status run_timed(otok_patch *patch, const otok_program *program, const otok_coefficients *k, const otok_step *steps,
                             int nsteps, double *seconds)
{
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    const otok_status status = otok_bands_run(patch, program, k, steps, nsteps);
    clock_gettime(CLOCK_MONOTONIC, &to);
    *seconds = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    return status;
}

static const char *way(const otok_patch *patch, const otok_program *program, const otok_coefficients *k)
{
    const otok_bands *b = otok_bands_of_patch(patch);
    return b->inner->way(&b->patches[0], program, k);
}

static int bytes(const otok_patch *patch, const otok_program *program, const otok_coefficients *k)
{
    const otok_bands *b = otok_bands_of_patch(patch);
    return b->inner->bytes(&b->patches[0], program, k);
}

static otok_status measure(otok_patch *patch, int buffer, otok_census *out)
{
    otok_bands *b = otok_bands_of_patch(patch);
    *out = (otok_census){0};
    for (int n = 0; n < b->cut.count; n++) {
        otok_census one;
        OTOK_TRY(otok_bands_enter(b, n));
        OTOK_TRY(b->inner->measure(&b->patches[n], buffer, &one));
        out->sum.hi += one.sum.hi;
        out->sum.lo += one.sum.lo;
        out->fingerprint += one.fingerprint;
        out->not_finite += one.not_finite;
    }
    return OTOK_OK;
}

/* Of all bands, and of the stages that were done on the grid in one piece. */
static otok_status add_sums(otok_bands *b, otok_sum *out)
{
    memset(out, 0, OTOK_SUMS * sizeof *out);
    for (int n = 0; n < b->cut.count + (b->whole.own != NULL); n++) {
        otok_patch *patch = n < b->cut.count ? &b->patches[n] : &b->whole;
        otok_sum one[OTOK_SUMS];
        OTOK_TRY(otok_bands_enter(b, n < b->cut.count ? n : 0));
        OTOK_TRY(b->inner->sums(patch, one));
        for (int s = 0; s < OTOK_SUMS; s++) {
            out[s].hi += one[s].hi;
            out[s].lo += one[s].lo;
        }
    }
    return OTOK_OK;
}

static otok_status sums(otok_patch *patch, otok_sum *out)
{
    return add_sums(otok_bands_of_patch(patch), out);
}

/* The first band keeps what was booked before. */
static otok_status set_sums(otok_patch *patch, const otok_sum *in)
{
    static const otok_sum none[OTOK_SUMS];
    otok_bands *b = otok_bands_of_patch(patch);
    FOR_EACH(b, n, set_sums(&b->patches[n], n ? none : in))
    if (!b->whole.own) return OTOK_OK;
    OTOK_TRY(otok_bands_enter(b, 0));
    return b->inner->set_sums(&b->whole, none);
}

static otok_status look(otok_patch *patch, otok_survey *survey)
{
    otok_bands *b = otok_bands_of_patch(patch);
    const uint64_t seen = BIT(OTOK_STORED) - 1;
    otok_findings all = {0};
    OTOK_TRY(otok_bands_renew(b, seen));
    for (int n = 0; n < b->cut.count; n++) {
        otok_survey one = *survey;
        one.patch = &b->patches[n];
        if (b->cut.count > 1) {
            one.maps.ny = b->patches[n].view.ny;
            one.maps.wrap_y = 0;
            one.maps.first = b->cut.first[n] - b->cut.below[n];
        }
        OTOK_TRY(otok_bands_enter(b, n));
        OTOK_TRY(b->inner->look(&b->patches[n], &one));
        otok_look_join(&all, &one.found);
    }
    OTOK_TRY(add_sums(b, all.sums));
    survey->found = all;
    return OTOK_OK;
}

/* ---- backends in bands, by name ---- */

enum { DIVISIONS = 16 }; /* in one process */

static division divisions[DIVISIONS];

/* Calls that come without a patch of ours, for each division. */
#define CALLS(n)                                                                                                                   \
    static otok_status create_##n(otok_patch *patch, uint64_t needed, int max_steps)                                               \
    {                                                                                                                              \
        return create(&divisions[n], patch, needed, max_steps);                                                                    \
    }                                                                                                                              \
    static uint64_t room_##n(int64_t nx, int64_t ny, uint64_t needed, int droplets)                                                \
    {                                                                                                                              \
        return room(&divisions[n], nx, ny, needed, droplets);                                                                      \
    }                                                                                                                              \
    static otok_status describe_##n(char *text, size_t size)                                                                       \
    {                                                                                                                              \
        return describe(&divisions[n], text, size);                                                                                \
    }
#define ALL(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
ALL(CALLS)

#define CREATE(n) create_##n,
#define ROOM(n) room_##n,
#define DESCRIBE(n) describe_##n,
static otok_status (*const creates[])(otok_patch *, uint64_t, int) = {ALL(CREATE)};
static uint64_t (*const rooms[])(int64_t, int64_t, uint64_t, int) = {ALL(ROOM)};
static otok_status (*const describes[])(char *, size_t) = {ALL(DESCRIBE)};

static void fill(int n, const otok_backend *inner, int count)
{
    division *d = &divisions[n];
    snprintf(d->name, sizeof d->name, "%s/%d", inner->name, count);
    d->count = count;
    d->backend = (otok_backend){.name = d->name,
                                .host = inner->host,
                                .describe = describes[n],
                                .create = creates[n],
                                .room = rooms[n],
                                .extend = extend,
                                .destroy = destroy,
                                .put = put,
                                .get = get,
                                .cell = cell,
                                .snapshot = snapshot,
                                .starts = starts,
                                .base = base,
                                .run = otok_bands_run,
                                .time = run_timed,
                                .way = way,
                                .bytes = bytes,
                                .copy_rate = inner->copy_rate,
                                .measure = measure,
                                .look = look,
                                .sums = sums,
                                .set_sums = set_sums};
    d->inner = inner;
}

otok_status otok_backend_in_bands(const otok_backend **out, const otok_backend *inner, int count)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int n = 0;
    *out = NULL;
    pthread_mutex_lock(&lock);
    while (n < DIVISIONS && divisions[n].inner && (divisions[n].inner != inner || divisions[n].count != count))
        n++;
    if (n < DIVISIONS && !divisions[n].inner) fill(n, inner, count);
    pthread_mutex_unlock(&lock);
    if (n == DIVISIONS) return OTOK_FAIL(OTOK_INTERNAL, "more than %d divisions into bands in one process", DIVISIONS);
    *out = &divisions[n].backend;
    return OTOK_OK;
}
