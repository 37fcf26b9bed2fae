/* journal.c: writes a journal; see journal.h. */
#include "journal.h"

#include "../core/clock.h"
#include "../core/status.h"
#include "../io/file.h"
#include "keep.h"
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { MANY = 1 << 23 }; /* bytes */
static const double sync_every =
    0.5; /* [s]; a kill loses nothing that was written, a power cut loses this much */

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

/* One thread writes while others compute their checksums. After a record that could not be written
   whole, no further record is written. */
static otok_status append(otok_journal *j, int kind, const void *a, size_t na, const void *b,
                          size_t nb)
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

otok_status otok_journal_create(otok_journal *j, const char *path, const char *study, size_t size)
{
    const otok_record record = otok_record_of(OTOK_RECORD_STUDY, study, size, "", 0);
    char head[sizeof otok_record_magic + sizeof record];
    memcpy(head, otok_record_magic, sizeof otok_record_magic);
    memcpy(head + sizeof otok_record_magic, &record, sizeof record);
    struct iovec parts[3] = {{head, sizeof head}, {(void *)study, size}, {0}};
    *j = (otok_journal){
        .path = path, .file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666)};
    if (j->file < 0 && errno == EEXIST)
        return OTOK_FAIL(OTOK_USAGE,
                         "%s: there are results already; continue with --resume, or use another "
                         "directory with -o",
                         path);
    if (j->file < 0) return otok_file_failed(path, "write", errno);
    otok_status status = write_all(j, parts);
    j->synced = otok_clock();
    if (status == OTOK_OK) status = sync_now(j);
    if (status == OTOK_OK) return OTOK_OK;
    close(j->file);
    unlink(path); /* because it has no results */
    j->file = -1;
    return status;
}

otok_status otok_journal_ran(otok_journal *j, const char *backend, const char *device)
{
    otok_ran ran = {"", "", ""};
    const char *given = getenv("SOURCE_DATE_EPOCH");
    const time_t now = given ? (time_t)strtoll(given, NULL, 10) : time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) strftime(ran.date, sizeof ran.date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    snprintf(ran.backend, sizeof ran.backend, "%s", given ? "" : backend);
    snprintf(ran.device, sizeof ran.device, "%s", given ? "" : device);
    return append(j, OTOK_RECORD_RAN, &ran, sizeof ran, "", 0);
}

otok_status otok_journal_begin(otok_journal *j, int64_t row)
{
    return append(j, OTOK_RECORD_BEGUN, &row, sizeof row, "", 0);
}

otok_status otok_journal_put(otok_journal *j, const otok_result *result, const otok_sample *samples)
{
    const size_t size =
        (size_t)result->nsamples * sizeof *samples + otok_kept_before(result, OTOK_MAX_KEPT);
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
    if (many && !due)
        sync_file_range(j->file, 0, 0,
                        SYNC_FILE_RANGE_WRITE); /* so that the next sync has little to wait for */
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
