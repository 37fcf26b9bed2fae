/* journal.c: see journal.h. A journal is a head, then records; every part is a multiple of 8 bytes in the byte order of the
 * machine. */
#include "journal.h"

#include "../core/status.h"
#include "../io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static const char magic[16] = "otok journal 2\n";
enum { KIND_DAMAGED = 0, KIND_BEGUN = 1, KIND_RESULT = 2, KIND_STUDY = 3 }; /* the first is never written */
enum { MANY = 1 << 23 };                                                    /* bytes */
static const double sync_every = 0.5; /* [s]; a kill loses nothing that was written, a power cut this much */

typedef struct head {
    uint64_t kind, size, check; /* size of the body that follows, in bytes; hash of kind, size and body */
} head;

/* As FNV-1a, but eight bytes at a time, whose upper ones are then mixed into the lower. */
static uint64_t fnv(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, (const char *)bytes + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

static uint64_t check_of(const head *h)
{
    return fnv(UINT64_C(0xcbf29ce484222325), h, 16);
}

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- reading ---- */

/* The next record by its size, NULL where there is none. */
static const head *next(otok_records *r)
{
    const head *h = (const head *)(r->bytes + r->at);
    const size_t left = r->size - r->at;
    if (left < sizeof *h || h->size > left - sizeof *h || h->size % 8) return NULL;
    r->at += sizeof *h + h->size;
    return h;
}

/* A piece of a file; returns how much of it was there, < 0: an error. */
static ssize_t read_piece(int file, char *out, size_t size, off_t at)
{
    size_t done = 0;
    while (done < size) {
        const ssize_t n = pread(file, out + done, size - done, at + (off_t)done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        done += (size_t)n;
    }
    return (ssize_t)done;
}

/* As much as is there now, by all threads: another process may append meanwhile, or cut off a torn end. */
static otok_status slurp(otok_records *r, int file, const char *path)
{
    struct stat about;
    if (fstat(file, &about) != 0) return otok_file_failed(path, "read", errno);
    const size_t piece = 1 << 22, size = (size_t)about.st_size;
    size_t there = size;
    int error = 0;
    r->bytes = malloc(size + 1);
    if (!r->bytes) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for its %zu bytes", path, size);
#pragma omp parallel for schedule(dynamic, 1) if (size > piece)
    for (size_t at = 0; at < size; at += piece) {
        const size_t wanted = size - at < piece ? size - at : piece;
        const ssize_t n = read_piece(file, r->bytes + at, wanted, (off_t)at);
        const int why = errno;
        if (n == (ssize_t)wanted) continue;
#pragma omp critical(otok_journal)
        {
            if (n < 0) error = why;
            if (n >= 0 && at + (size_t)n < there) there = at + (size_t)n;
        }
    }
    r->size = there;
    if (error == 0) return OTOK_OK;
    otok_records_close(r);
    return otok_file_failed(path, "read", error);
}

/* A record that is not what was written was torn, or never finished, if no other follows: it is cut off. Else it is damaged, and
   marked so. */
static otok_status check(otok_records *r, const char *path)
{
    head **all = NULL;
    size_t n = 0, room = 0;
    r->at = sizeof magic;
    for (const head *h; (h = next(r)) != NULL; n++) {
        if (n == room) {
            head **more = realloc(all, (room = 2 * room + 64) * sizeof *all);
            if (!more) {
                free(all);
                otok_records_close(r);
                return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a list of its records", path);
            }
            all = more;
        }
        all[n] = (head *)h; /* in r->bytes */
    }
#pragma omp parallel for schedule(dynamic, 64)
    for (size_t i = 0; i < n; i++)
        if (all[i]->check != fnv(check_of(all[i]), all[i] + 1, all[i]->size)) all[i]->kind = KIND_DAMAGED;
    while (n > 0 && all[n - 1]->kind == KIND_DAMAGED)
        n--;
    r->size = n > 0 ? (size_t)((const char *)(all[n - 1] + 1) - r->bytes) + all[n - 1]->size : sizeof magic;
    r->at = sizeof magic;
    const int headless = n > 0 && all[0]->kind == KIND_DAMAGED;
    for (size_t i = 0; i < n; i++)
        r->damaged += all[i]->kind == KIND_DAMAGED;
    free(all);
    if (!headless) return OTOK_OK;
    otok_records_close(r);
    return OTOK_FAIL(OTOK_DATA, "%s: the study at its head is damaged; restore the file, or begin anew in another directory", path);
}

otok_status otok_records_open(otok_records *r, const char *path)
{
    *r = (otok_records){0};
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return otok_file_failed(path, "read", errno);
    const otok_status read_all = slurp(r, file, path);
    close(file);
    OTOK_TRY(read_all);
    if (r->size < sizeof magic) return OTOK_OK; /* torn at once: no study */
    const int ours = memcmp(r->bytes, magic, sizeof magic) == 0;
    if (ours) OTOK_TRY(check(r, path));
    const head *study = ours ? next(r) : NULL;
    if (!ours || (study && study->kind != KIND_STUDY)) {
        otok_records_close(r);
        return OTOK_FAIL(OTOK_DATA, "%s: is not a journal of this version of otok; use another directory", path);
    }
    if (!study) {
        r->at = 0;
        return OTOK_OK;
    }
    r->study = (const char *)(study + 1);
    r->study_size = study->size;
    return OTOK_OK;
}

int otok_records_next(otok_records *r, otok_entry *out)
{
    const head *h = r->study ? next(r) : NULL;
    while (h && h->kind == KIND_DAMAGED)
        h = next(r);
    if (!h) return 0;
    *out = (otok_entry){0};
    if (h->kind == KIND_BEGUN && h->size == sizeof(int64_t)) {
        out->row = *(const int64_t *)(h + 1);
        return 1;
    }
    out->result = (const otok_result *)(h + 1);
    if (h->kind != KIND_RESULT || h->size < sizeof *out->result ||
        h->size != sizeof *out->result + (size_t)out->result->nsamples * sizeof(otok_sample))
        return 0;
    out->row = out->result->row;
    out->samples = (const otok_sample *)(out->result + 1);
    return 1;
}

void otok_records_close(otok_records *r)
{
    free(r->bytes);
    *r = (otok_records){0};
}

/* ---- writing ---- */

static otok_status write_all(const otok_journal *j, struct iovec parts[3])
{
    for (int p = 0; p < 3;) {
        const ssize_t n = writev(j->file, parts + p, 3 - p);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return otok_file_failed(j->path, "write", errno);
        size_t left = (size_t)n;
        for (; p < 3 && left >= parts[p].iov_len; p++)
            left -= parts[p].iov_len;
        if (p == 3) break;
        parts[p].iov_base = (char *)parts[p].iov_base + left;
        parts[p].iov_len -= left;
    }
    return OTOK_OK;
}

/* Of several threads one writes while others make their checks. */
static otok_status append(const otok_journal *j, int kind, const void *a, size_t na, const void *b, size_t nb)
{
    head h = {(uint64_t)kind, na + nb, 0};
    h.check = fnv(fnv(check_of(&h), a, na), b, nb);
    struct iovec parts[3] = {{&h, sizeof h}, {(void *)a, na}, {(void *)b, nb}};
    otok_status status;
#pragma omp critical(otok_journal)
    status = write_all(j, parts);
    return status;
}

static otok_status sync_now(const otok_journal *j)
{
    const int error = otok_file_sync(j->file);
    return error ? otok_file_failed(j->path, "sync", error) : OTOK_OK;
}

/* An empty file, or one torn in its head, begins anew. */
static otok_status prepare(otok_journal *j, const char *study, size_t size, int resume)
{
    otok_records old;
    otok_entry entry;
    OTOK_TRY(otok_records_open(&old, j->path));
    const int has = old.study != NULL, same = has && old.study_size == size && memcmp(old.study, study, size) == 0;
    while (same && otok_records_next(&old, &entry))
        ;
    const off_t end = has ? (off_t)old.at : 0;
    otok_records_close(&old);
    if (has && !same)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: is of another study, scenario or version of otok than the one given; use another directory with -o",
                         j->path);
    if (has && !resume)
        return OTOK_FAIL(OTOK_USAGE, "%s: there are results already; continue with --resume, or use another directory with -o",
                         j->path);
    if (ftruncate(j->file, end) != 0 || lseek(j->file, end, SEEK_SET) < 0) return otok_file_failed(j->path, "write", errno);
    if (has) return OTOK_OK;
    if (write(j->file, magic, sizeof magic) != (ssize_t)sizeof magic) return otok_file_failed(j->path, "write", errno);
    OTOK_TRY(append(j, KIND_STUDY, study, size, "", 0));
    j->synced = clock_now();
    return sync_now(j);
}

otok_status otok_journal_open(otok_journal *j, const char *path, const char *study, size_t size, int resume)
{
    *j = (otok_journal){.path = path, .file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666)};
    if (j->file < 0) return otok_file_failed(path, "write", errno);
    otok_status status = otok_file_lock(j->file, path, "runs this shard", &j->locked);
    if (status == OTOK_OK) status = prepare(j, study, size, resume);
    if (status == OTOK_OK) return OTOK_OK;
    close(j->file);
    j->file = -1;
    return status;
}

otok_status otok_journal_begin(otok_journal *j, int64_t row)
{
    return append(j, KIND_BEGUN, &row, sizeof row, "", 0);
}

otok_status otok_journal_put(otok_journal *j, const otok_result *result, const otok_sample *samples)
{
    const size_t size = (size_t)result->nsamples * sizeof *samples;
    OTOK_TRY(append(j, KIND_RESULT, result, sizeof *result, samples, size));
    int due, many;
#pragma omp critical(otok_journal)
    {
        due = clock_now() - j->synced > sync_every;
        if (due) j->synced = clock_now();
        j->late += size;
        many = j->late > MANY;
        if (due || many) j->late = 0;
    }
    if (many && !due) sync_file_range(j->file, 0, 0, SYNC_FILE_RANGE_WRITE); /* so that the next sync has little to wait for */
    return due ? sync_now(j) : OTOK_OK;
}

otok_status otok_journal_close(otok_journal *j)
{
    if (j->file < 0) return OTOK_OK;
    const otok_status status = sync_now(j);
    close(j->file);
    j->file = -1;
    return status;
}
