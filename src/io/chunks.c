/* chunks.c: see chunks.h. The crew compresses chunks ahead into a ring; member 0 puts them into the file in order. */
#include "chunks.h"

#include "../core/status.h"
#include "crew.h"

#include <libdeflate.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { LEVEL = 1 };

typedef struct packed {
    unsigned char *bytes;
    size_t size; /* 0: not yet */
} packed;

typedef struct task {
    const otok_chunked *maps;
    otok_grid grid;
    hsize_t chunk[2];
    int64_t across, chunks, jobs; /* chunks of a row and of a map; of all maps */
    size_t room;                  /* of a packed chunk                         */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t begun, written; /* jobs; never more than `ahead` apart */
    int64_t ahead;
    packed *ring; /* job j is at j % ahead */
    otok_status status;
} task;

/* What a thread needs of its own. */
typedef struct tools {
    unsigned char *planes; /* a chunk after the shuffle */
    struct libdeflate_compressor *deflate;
} tools;

/* Byte k of every cell, the lowest first on every host that this is for, lies in plane k; cells beyond the grid are 0, as HDF5
 * leaves them. */
static void shuffle(unsigned char *planes, const task *t, int64_t job)
{
    const int64_t at = job % t->chunks, cy = (int64_t)t->chunk[0], cx = (int64_t)t->chunk[1];
    const int64_t y0 = at / t->across * cy, x0 = at % t->across * cx;
    const int64_t ny = t->grid.ny - y0 < cy ? t->grid.ny - y0 : cy, nx = t->grid.nx - x0 < cx ? t->grid.nx - x0 : cx;
    const int64_t cells = cy * cx;
    if (ny < cy || nx < cx) memset(planes, 0, (size_t)(4 * cells));
    for (int64_t j = 0; j < ny; j++) {
        const unsigned char *from = (const unsigned char *)(t->maps[job / t->chunks].map + (y0 + j) * t->grid.nx + x0);
        unsigned char *to = planes + j * cx;
        for (int64_t i = 0; i < nx; i++) {
            to[i] = from[4 * i];
            to[cells + i] = from[4 * i + 1];
            to[2 * cells + i] = from[4 * i + 2];
            to[3 * cells + i] = from[4 * i + 3];
        }
    }
}

static uint32_t fold(uint64_t sum)
{
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint32_t)sum;
}

/* Fletcher's checksum of big-endian 16-bit words. 64 bits hold the sums of 2^24 words. */
static uint32_t fletcher32(const unsigned char *bytes, size_t size)
{
    uint64_t one = 0, two = 0;
    for (size_t i = 0; i + 1 < size; i += 2) {
        one += (uint64_t)bytes[i] << 8 | bytes[i + 1];
        two += one;
    }
    if (size % 2) {
        one += (uint64_t)bytes[size - 1] << 8;
        two += one;
    }
    return fold(two) << 16 | fold(one);
}

/* Does a plane get smaller by a sixteenth or more? Tried on 8 pieces of it. The lowest bytes of computed numbers mostly do not, and
   are three quarters of the work. */
static int shrinks(const unsigned char *plane, size_t size, const tools *own)
{
    enum { PIECES = 8, PIECE = 2048, SAMPLE = PIECES * PIECE };
    unsigned char sample[SAMPLE], out[SAMPLE];
    if (size < 4 * SAMPLE) return 1;
    for (size_t i = 0; i < PIECES; i++)
        memcpy(sample + i * PIECE, plane + (size - PIECE) / (PIECES - 1) * i, PIECE);
    return libdeflate_deflate_compress(own->deflate, sample, SAMPLE, out, SAMPLE - SAMPLE / 16) > 0;
}

/* Bytes as they are, in deflate's stored blocks. Returns the end of what was written. */
static unsigned char *store(unsigned char *out, const unsigned char *bytes, size_t size)
{
    for (size_t n; size > 0; bytes += n, size -= n) {
        n = size < 65535 ? size : 65535;
        const unsigned char head[5] = {0, (unsigned char)n, (unsigned char)(n >> 8), (unsigned char)~n, (unsigned char)(~n >> 8)};
        memcpy(out, head, sizeof head);
        memcpy(out + sizeof head, bytes, n);
        out += sizeof head + n;
    }
    return out;
}

/* The size of the packed chunk: a zlib stream of the low planes that do not shrink, stored, and the others, deflated; its checksum.
   Deflate cannot fail: there is room for the worst. */
static size_t pack(unsigned char *out, const task *t, int64_t job, const tools *own)
{
    const size_t plane = (size_t)(t->chunk[0] * t->chunk[1]);
    size_t stored = 0;
    shuffle(own->planes, t, job);
    while (stored < 3 * plane && !shrinks(own->planes + stored, plane, own))
        stored += plane;
    out[0] = 0x78; /* RFC 1950: deflate with a window of 32 KiB, quickly */
    out[1] = 0x01;
    unsigned char *end = store(out + 2, own->planes, stored);
    end +=
        libdeflate_deflate_compress(own->deflate, own->planes + stored, 4 * plane - stored, end, t->room - (size_t)(end - out) - 8);
    const uint32_t adler = libdeflate_adler32(1, own->planes, 4 * plane);
    for (int k = 3; k >= 0; k--)
        *end++ = (unsigned char)(adler >> 8 * k);
    const uint32_t sum = fletcher32(out, (size_t)(end - out));
    for (int k = 0; k < 4; k++)
        *end++ = (unsigned char)(sum >> 8 * k);
    return (size_t)(end - out);
}

static herr_t put(const task *t, int64_t job)
{
    const int64_t at = job % t->chunks;
    const hsize_t where[2] = {(hsize_t)(at / t->across) * t->chunk[0], (hsize_t)(at % t->across) * t->chunk[1]};
    const packed *p = &t->ring[job % t->ahead];
    return H5Dwrite_chunk(t->maps[job / t->chunks].dataset, H5P_DEFAULT, 0, where, p->size, p->bytes);
}

/* Takes the next job if there is room for it, with the lock held; lets go of the lock while packing. */
static int pack_next(task *t, const tools *own)
{
    if (t->begun == t->jobs || t->begun - t->written >= t->ahead) return 0;
    const int64_t job = t->begun++;
    packed *p = &t->ring[job % t->ahead];
    pthread_mutex_unlock(&t->lock);
    const size_t size = pack(p->bytes, t, job, own);
    pthread_mutex_lock(&t->lock);
    p->size = size;
    pthread_cond_broadcast(&t->changed);
    return 1;
}

/* With the lock held: the next in order is put into the file if it is packed. Its slot is free afterwards. */
static int write_next(task *t)
{
    packed *p = &t->ring[t->written % t->ahead];
    if (!p->size) return 0;
    pthread_mutex_unlock(&t->lock);
    const herr_t result = put(t, t->written);
    pthread_mutex_lock(&t->lock);
    if (result < 0) t->status = OTOK_FAIL(OTOK_INTERNAL, "HDF5 does not take a chunk: %s", otok_hdf_why());
    p->size = 0;
    t->written++;
    pthread_cond_broadcast(&t->changed);
    return 1;
}

static void work(void *argument, int member)
{
    task *t = argument;
    const tools own = {malloc(4 * (size_t)(t->chunk[0] * t->chunk[1])), libdeflate_alloc_compressor(LEVEL)};
    const int able = own.planes && own.deflate;
    pthread_mutex_lock(&t->lock);
    if (!able && member == 0) t->status = OTOK_FAIL(OTOK_NOMEM, "no memory to compress a checkpoint");
    while (t->status == OTOK_OK && t->written < t->jobs) {
        if (member == 0 && write_next(t)) continue;
        if (able && pack_next(t, &own)) continue;
        if (member > 0 && (!able || t->begun == t->jobs)) break;
        pthread_cond_wait(&t->changed, &t->lock);
    }
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
    free(own.planes);
    libdeflate_free_compressor(own.deflate);
}

otok_status otok_chunks_write(const otok_chunked *maps, int n, otok_grid grid, const hsize_t chunk[2], int threads)
{
    const int64_t cy = (int64_t)chunk[0], cx = (int64_t)chunk[1];
    task t = {.maps = maps, .grid = grid, .chunk = {chunk[0], chunk[1]}};
    t.across = (grid.nx + cx - 1) / cx;
    t.chunks = t.across * ((grid.ny + cy - 1) / cy);
    t.jobs = n * t.chunks;
    const int64_t useful = 1 + t.jobs * cy * cx / 65536; /* less is done before another thread has begun */
    if (useful < threads) threads = (int)useful;
    t.ahead = 2 * (int64_t)threads;
    t.room = libdeflate_zlib_compress_bound(NULL, 4 * (size_t)(cy * cx)) + 15 * (size_t)(cy * cx / 65535 + 1) + 4;
    t.ring = calloc((size_t)t.ahead, sizeof *t.ring);
    for (int64_t i = 0; t.ring && i < t.ahead; i++)
        if (!(t.ring[i].bytes = malloc(t.room))) t.status = OTOK_NOMEM;
    if (!t.ring || t.status != OTOK_OK) t.status = OTOK_FAIL(OTOK_NOMEM, "no memory to compress a checkpoint");
    pthread_mutex_init(&t.lock, NULL);
    pthread_cond_init(&t.changed, NULL);
    if (t.status == OTOK_OK) otok_crew(threads, work, &t);
    pthread_cond_destroy(&t.changed);
    pthread_mutex_destroy(&t.lock);
    for (int64_t i = 0; t.ring && i < t.ahead; i++)
        free(t.ring[i].bytes);
    free(t.ring);
    return t.status;
}
