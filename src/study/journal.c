/* journal.c: writes a journal; see journal.h. */
#include "journal.h"

#include "../core/clock.h"
#include "../core/status.h"
#include "../io/file.h"
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MANY = 1 << 23 };              /* bytes */
static const double sync_every = 0.5; /* [s]; a kill loses nothing that was written, a power cut this much */

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

/* Of several threads one writes while others make their checksums. Behind a record that could not be written whole comes no other.
 */
static otok_status append(otok_journal *j, int kind, const void *a, size_t na, const void *b, size_t nb)
{
    otok_record head = otok_record_of(kind, a, na, b, nb);
    struct iovec parts[3] = {{&head, sizeof head}, {(void *)a, na}, {(void *)b, nb}};
    otok_status status;
#pragma omp critical(otok_journal)
    {
        status = j->broken ? otok_file_failed(j->path, "write", j->broken) : write_all(j, parts);
        if (status != OTOK_OK && !j->broken) j->broken = errno;
    }
    return status;
}

static otok_status sync_now(const otok_journal *j)
{
    const int error = otok_file_sync(j->file);
    return error ? otok_file_failed(j->path, "sync", error) : OTOK_OK;
}

/* Closes a torn end, so that the records behind it are found: its record gets its length, and the next says that it was torn. */
static otok_status close_torn(otok_journal *j, const otok_records *old)
{
    const uint64_t from = old->torn;
    size_t end = (old->size + 7) / 8 * 8;
    if (from && old->size - from >= sizeof(otok_record))
        end = from + sizeof(otok_record) + ((const otok_record *)(old->bytes + from))->size;
    if (end != old->size && ftruncate(j->file, (off_t)end) != 0) return otok_file_failed(j->path, "write", errno);
    return from ? append(j, OTOK_RECORD_TORN, &from, sizeof from, "", 0) : OTOK_OK;
}

/* A file that ends within its head, which is the one of this study so far, gets the rest of it. */
static otok_status continue_file(otok_journal *j, const otok_records *old, const char *head, size_t size, int resume)
{
    if (memcmp(old->bytes, head, old->size < size ? old->size : size) != 0)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: is of another study, scenario or version of otok than the one given; use another directory with -o",
                         j->path);
    if (old->size < size) {
        struct iovec parts[3] = {{(char *)head + old->size, size - old->size}, {0}, {0}};
        OTOK_TRY(write_all(j, parts));
        j->synced = otok_clock();
        return sync_now(j);
    }
    if (!resume)
        return OTOK_FAIL(OTOK_USAGE, "%s: there are results already; continue with --resume, or use another directory with -o",
                         j->path);
    return close_torn(j, old);
}

static otok_status prepare(otok_journal *j, const char *study, size_t size, int resume)
{
    otok_records old;
    const otok_record record = otok_record_of(OTOK_RECORD_STUDY, study, size, "", 0);
    const size_t all = sizeof otok_record_magic + sizeof record + size;
    OTOK_TRY(otok_records_open(&old, j->path));
    char *head = malloc(all);
    otok_status status = head ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for a study");
    if (head) {
        memcpy(head, otok_record_magic, sizeof otok_record_magic);
        memcpy(head + sizeof otok_record_magic, &record, sizeof record);
        memcpy(head + sizeof otok_record_magic + sizeof record, study, size);
        status = continue_file(j, &old, head, all, resume);
    }
    free(head);
    otok_records_close(&old);
    return status;
}

otok_status otok_journal_open(otok_journal *j, const char *path, const char *study, size_t size, int resume)
{
    *j = (otok_journal){.path = path, .file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)};
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
    return append(j, OTOK_RECORD_BEGUN, &row, sizeof row, "", 0);
}

otok_status otok_journal_put(otok_journal *j, const otok_result *result, const otok_sample *samples)
{
    const size_t size = (size_t)result->nsamples * sizeof *samples;
    OTOK_TRY(append(j, OTOK_RECORD_RESULT, result, sizeof *result, samples, size));
    int due, many;
#pragma omp critical(otok_journal)
    {
        due = otok_clock() - j->synced > sync_every;
        if (due) j->synced = otok_clock();
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
