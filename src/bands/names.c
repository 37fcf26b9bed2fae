/* names.c: backends in bands, by name: "cpu/3" is the CPU with three bands. */
#include "bands.h"
#include "ranks.h"

#include "../core/patch_size.h"
#include "../core/status.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A backend in bands, by its name. */
typedef struct division {
    otok_backend backend; /* its `name` is `name` */
    char name[64];
    const otok_backend *inner; /* NULL: not in use */
    int count;
} division;

static uint64_t room(const division *d, int64_t nx, int64_t ny, otok_set needed, int droplets)
{
    const int64_t count = d->count < ny ? d->count : ny;
    const int64_t rows = ny / count + 1 + (count > 1 ? 2 * OTOK_BANDS_DEPTH : 0);
    return (uint64_t)count * d->inner->room(nx, rows, needed, droplets);
}

static otok_status describe(const division *d, char *text, size_t size)
{
    char one[256], ranks[64] = "";
    OTOK_TRY(d->inner->describe(one, sizeof one));
    const int devices = d->inner->devices && otok_ranks() == 1 ? d->inner->devices() : 0;
    if (otok_ranks() > 1) snprintf(ranks, sizeof ranks, " on %d ranks", otok_ranks());
    if (devices > 1)
        snprintf(ranks, sizeof ranks, " on %d devices", devices < d->count ? devices : d->count);
    snprintf(text, size, "%s; %d band%s%s", one, d->count, d->count > 1 ? "s" : "", ranks);
    return OTOK_OK;
}

enum { DIVISIONS = 16 }; /* in one process */

static division divisions[DIVISIONS];

/* Calls without a patch to tell divisions apart: one function for each division. */
#define CALLS(n)                                                                                   \
    static otok_status create_##n(otok_patch *patch, otok_set needed, int max_steps)               \
    {                                                                                              \
        return otok_bands_create(divisions[n].inner, divisions[n].count, patch, needed,            \
                                 max_steps);                                                       \
    }                                                                                              \
    static uint64_t room_##n(int64_t nx, int64_t ny, otok_set needed, int droplets)                \
    {                                                                                              \
        return room(&divisions[n], nx, ny, needed, droplets);                                      \
    }                                                                                              \
    static otok_status describe_##n(char *text, size_t size)                                       \
    {                                                                                              \
        return describe(&divisions[n], text, size);                                                \
    }
#define ALL(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
ALL(CALLS)

#define CREATE(n) create_##n,
#define ROOM(n) room_##n,
#define DESCRIBE(n) describe_##n,
static otok_status (*const creates[])(otok_patch *, otok_set, int) = {ALL(CREATE)};
static uint64_t (*const rooms[])(int64_t, int64_t, otok_set, int) = {ALL(ROOM)};
static otok_status (*const describes[])(char *, size_t) = {ALL(DESCRIBE)};

static void fill(int n, const otok_backend *inner, int count)
{
    division *d = &divisions[n];
    snprintf(d->name, sizeof d->name, "%s/%d", inner->name, count);
    d->count = count;
    d->backend = otok_bands_calls;
    d->backend.name = d->name;
    d->backend.host = inner->host;
    d->backend.describe = describes[n];
    d->backend.create = creates[n];
    d->backend.room = rooms[n];
    d->backend.copy_rate = inner->copy_rate;
    d->backend.left = inner->left;
    d->inner = inner;
}

static otok_status in_bands(const otok_backend **out, const otok_backend *inner, int count)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int n = 0;
    *out = NULL;
    pthread_mutex_lock(&lock);
    while (n < DIVISIONS && divisions[n].inner &&
           (divisions[n].inner != inner || divisions[n].count != count))
        n++;
    if (n < DIVISIONS && !divisions[n].inner) fill(n, inner, count);
    pthread_mutex_unlock(&lock);
    if (n == DIVISIONS)
        return OTOK_FAIL(OTOK_INTERNAL, "more than %d divisions into bands in one process",
                         DIVISIONS);
    *out = &divisions[n].backend;
    return OTOK_OK;
}

otok_status otok_backend_find(const otok_backend **out, const char *name)
{
    char inner[64], *end = NULL;
    const char *slash = strchr(name, '/');
    if (!slash) OTOK_TRY(otok_backend_find_whole(out, name));
    if (!slash) return otok_ranks() > 1 ? in_bands(out, *out, otok_ranks()) : OTOK_OK;
    const long count = strtol(slash + 1, &end, 10);
    if (end == slash + 1 || *end || count < 1 || count > OTOK_MAX_BANDS ||
        slash - name >= (int)sizeof inner)
        return OTOK_FAIL(OTOK_USAGE,
                         "backend %s: after the slash comes the number of bands, from 1 to %d",
                         name, OTOK_MAX_BANDS);
    memcpy(inner, name, (size_t)(slash - name));
    inner[slash - name] = '\0';
    OTOK_TRY(otok_backend_find_whole(out, inner));
    return in_bands(out, *out, (int)count);
}

static int is_in_bands(const otok_backend *backend)
{
    return backend->run == otok_bands_calls.run;
}

/* The numbers of the largest of `count` bands. */
static int64_t largest_of(int64_t nx, int64_t ny, int64_t count)
{
    const int64_t shared = count > 1 ? 2 * OTOK_BANDS_DEPTH : 0;
    return otok_patch_numbers(nx, (ny + count - 1) / count + shared);
}

static int64_t bands_of(const otok_backend *backend)
{
    for (int n = 0; n < DIVISIONS; n++)
        if (&divisions[n].backend == backend) return divisions[n].count;
    return 1;
}

otok_status otok_backend_takes(const otok_backend *backend, int64_t nx, int64_t ny,
                               const char *undivided)
{
    const int64_t given = bands_of(backend), count = given < ny ? given : ny;
    int64_t fewest = 1;
    while (fewest < ny && largest_of(nx, ny, fewest) > otok_patch_most())
        fewest++;
    if (largest_of(nx, ny, fewest) > otok_patch_most())
        return OTOK_FAIL(OTOK_USAGE,
                         "a grid of %lld x %lld cells is too large for any number of bands; use a "
                         "coarser grid",
                         (long long)nx, (long long)ny);
    if (fewest > 1 && undivided)
        return OTOK_FAIL(OTOK_USAGE,
                         "%s run anywhere, so they need a grid in one piece, and one of "
                         "%lld x %lld cells is larger than a piece may be (2^31 numbers with its "
                         "padding); leave the %s out, or use a coarser grid",
                         undivided, (long long)nx, (long long)ny, undivided);
    if (largest_of(nx, ny, count) <= otok_patch_most()) return OTOK_OK;
    return OTOK_FAIL(OTOK_USAGE,
                     "a grid of %lld x %lld cells is too large for %lld band%s, each of which may "
                     "have 2^31 numbers with its padding; cut it into %lld or more: --bands %lld "
                     "(several may share a GPU), as many --gpus, or as many ranks of MPI",
                     (long long)nx, (long long)ny, (long long)count, count > 1 ? "s" : "",
                     (long long)fewest, (long long)fewest);
}

int otok_backend_bands(const otok_backend *backend, const otok_patch *patch)
{
    return is_in_bands(backend) ? otok_bands_of_patch(patch)->cut.count : 1;
}

/* The caller may change the buffer, so the rows that other bands share with this one are stale. */
otok_status otok_backend_band(const otok_backend **backend, otok_patch **patch, int band,
                              int buffer, int *row)
{
    *row = 0;
    if (!is_in_bands(*backend)) return OTOK_OK;
    otok_bands *b = otok_bands_of_patch(*patch);
    if (!otok_bands_is_mine(b, band))
        return OTOK_FAIL(OTOK_USAGE,
                         "band %d lies on rank %d, whose memory this process cannot reach; use "
                         "otok_sim_get and otok_sim_set",
                         band, otok_bands_owner(b, band));
    otok_set_add(&b->stale, buffer);
    *backend = b->inner;
    *patch = &b->patches[band];
    *row = b->cut.first[band];
    return otok_bands_enter(b, band);
}
