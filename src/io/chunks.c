/* chunks.c: see chunks.h. Each thread takes a chunk, packs it, lets HDF5 allocate it, and writes
   it there. */
#include "chunks.h"

#include "../core/clock.h"
#include "../core/status.h"
#include "deflate.h"
#include "hdf_disk.h"
#include "threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct task {
    const otok_chunked *maps;
    otok_grid grid;
    hsize_t chunk[2];
    int64_t across, chunks, jobs; /* chunks in a row and in a map; chunks of all maps */
    size_t room;                  /* for a packed chunk */
    pthread_mutex_t lock;         /* guards all below, and HDF5 */
    int64_t begun;                /* jobs */
    int refused;                  /* HDF5 refused something */
    double packing, writing;      /* [s], summed over all threads */
} task;

/* Plane k holds byte k of every cell; hosts are little-endian. Cells beyond the grid are 0, as
   HDF5 leaves them. */
static void shuffle(unsigned char *planes, const task *t, int64_t job)
{
    const int64_t at = job % t->chunks, cy = (int64_t)t->chunk[0], cx = (int64_t)t->chunk[1];
    const int64_t y0 = at / t->across * cy, x0 = at % t->across * cx;
    const int64_t ny = t->grid.ny - y0 < cy ? t->grid.ny - y0 : cy,
                  nx = t->grid.nx - x0 < cx ? t->grid.nx - x0 : cx;
    const int64_t cells = cy * cx;
    if (ny < cy || nx < cx) memset(planes, 0, (size_t)(4 * cells));
    for (int64_t j = 0; j < ny; j++) {
        const unsigned char *from =
            (const unsigned char *)(t->maps[job / t->chunks].map + (y0 + j) * t->grid.nx + x0);
        unsigned char *to = planes + j * cx;
        for (int64_t i = 0; i < nx; i++) {
            to[i] = from[4 * i];
            to[cells + i] = from[4 * i + 1];
            to[2 * cells + i] = from[4 * i + 2];
            to[3 * cells + i] = from[4 * i + 3];
        }
    }
}

static uint32_t fold_sum(uint64_t sum)
{
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint32_t)sum;
}

/* The sums are of little-endian words: swapping the bytes of a word multiplies it, and so the
   sums, by 256 modulo 65535. Blocks become vectors. 64 bits hold the sums of 2^24 words. */
uint32_t otok_fletcher32(const unsigned char *bytes, size_t size)
{
    enum { BLOCK = 128 };
    uint64_t one = 0, two = 0;
    size_t i = 0;
    for (; i + 2 * BLOCK <= size; i += 2 * BLOCK) {
        uint16_t words[BLOCK];
        uint32_t sum = 0, weighted = 0;
        memcpy(words, bytes + i, sizeof words);
        for (uint32_t k = 0; k < BLOCK; k++) {
            sum += words[k];
            weighted += (BLOCK - k) * words[k];
        }
        two += BLOCK * one + weighted;
        one += sum;
    }
    for (; i < size; i += 2) {
        one += (uint64_t)bytes[i] | (uint64_t)(i + 1 < size ? bytes[i + 1] : 0) << 8;
        two += one;
    }
    const uint32_t a = fold_sum(one), b = fold_sum(two);
    return (b & 0xff) << 24 | (b >> 8) << 16 | (a & 0xff) << 8 | a >> 8;
}

/* The size of the packed chunk: a zlib stream of its planes and its checksum. */
static size_t pack(unsigned char *out, const task *t, int64_t job, unsigned char *planes)
{
    const size_t plane = (size_t)(t->chunk[0] * t->chunk[1]);
    shuffle(planes, t, job);
    unsigned char *end = otok_deflate(out, planes, 4, plane);
    const uint32_t sum = otok_fletcher32(out, (size_t)(end - out));
    for (int k = 0; k < 4; k++)
        *end++ = (unsigned char)(sum >> 8 * k);
    return (size_t)(end - out);
}

/* Call it with the lock held. It releases the lock while packing and writing. */
static void pack_next(task *t, unsigned char *planes, unsigned char *packed)
{
    const int64_t job = t->begun++, at = job % t->chunks;
    const hsize_t where[2] = {(hsize_t)(at / t->across) * t->chunk[0],
                              (hsize_t)(at % t->across) * t->chunk[1]};
    pthread_mutex_unlock(&t->lock);
    const double before = otok_clock();
    const size_t size = pack(packed, t, job, planes);
    const double took = otok_clock() - before;
    pthread_mutex_lock(&t->lock);
    t->packing += took;
    otok_disk_piece piece;
    if (otok_disk_allocate(&piece, t->maps[job / t->chunks].dataset, where, size, packed) < 0)
        t->refused = 1;
    if (t->refused || piece.file < 0) return;
    pthread_mutex_unlock(&t->lock);
    const double placed = otok_clock();
    const int error = otok_disk_write(piece, size, packed);
    const double wrote = otok_clock() - placed;
    pthread_mutex_lock(&t->lock);
    t->writing += wrote;
    if (error && !*piece.error) *piece.error = error;
}

static void run_thread(void *argument, int thread)
{
    task *t = argument;
    unsigned char *planes = malloc(4 * (size_t)(t->chunk[0] * t->chunk[1])),
                  *packed = malloc(t->room);
    (void)thread;
    pthread_mutex_lock(&t->lock);
    while (planes && packed && t->begun < t->jobs && !t->refused)
        pack_next(t, planes, packed);
    pthread_mutex_unlock(&t->lock);
    free(planes);
    free(packed);
}

otok_status otok_chunks_write(const otok_chunked *maps, int n, otok_grid grid,
                              const hsize_t chunk[2], int threads, double *packing, double *writing)
{
    const int64_t cy = (int64_t)chunk[0], cx = (int64_t)chunk[1];
    task t = {.maps = maps, .grid = grid, .chunk = {chunk[0], chunk[1]}};
    t.across = (grid.nx + cx - 1) / cx;
    t.chunks = t.across * ((grid.ny + cy - 1) / cy);
    t.jobs = n * t.chunks;
    const int64_t useful =
        1 + t.jobs * cy * cx / 65536; /* fewer cells would be done before another thread begins */
    if (useful < threads) threads = (int)useful;
    t.room = otok_deflate_bound(4, (size_t)(cy * cx)) + 4; /* and the checksum */
    pthread_mutex_init(&t.lock, NULL);
    otok_threads_run(threads, run_thread, &t);
    pthread_mutex_destroy(&t.lock);
    *packing += t.packing;
    *writing += t.writing;
    if (t.refused)
        return OTOK_FAIL(OTOK_INTERNAL,
                         "HDF5 refuses a chunk of a checkpoint: %s; please report it",
                         otok_hdf_why());
    return t.begun < t.jobs ? OTOK_FAIL(OTOK_NOMEM, "no memory to compress a checkpoint") : OTOK_OK;
}
