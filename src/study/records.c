/* records.c: reads a journal; see journal.h. */
#include "../core/status.h"
#include "../io/file.h"
#include "journal.h"
#include "keep.h"
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads a piece of a file; returns the number of bytes, < 0: an error. */
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

/* Reads the present contents with all threads. Another process may append meanwhile. */
static otok_status read_file(otok_records *r, int file, const char *path)
{
    struct stat about;
    if (fstat(file, &about) != 0) return otok_file_failed(path, "read", errno);
    if (!S_ISREG(about.st_mode))
        return OTOK_FAIL(OTOK_IO, "%s: cannot read: not a regular file. Remove it", path);
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
    return error == 0 ? OTOK_OK : otok_file_failed(path, "read", error);
}

static otok_status fail_record(const otok_records *r, const void *at, const char *path,
                               const char *what)
{
    return OTOK_FAIL(OTOK_DATA,
                     "%s: the record at byte %zu %s, though its checksum is right; restore the "
                     "file, or remove it",
                     path, (size_t)((const char *)at - r->bytes), what);
}

/* ---- positions of records ---- */

static const otok_record *record_at(const otok_records *r, size_t offset)
{
    return (const otok_record *)(r->bytes + offset);
}

/* The offset of the next head; the end of the file: none. */
static size_t find_head(const otok_records *r, size_t offset)
{
    for (; r->size - offset >= sizeof(otok_record); offset += 8)
        if (otok_record_is_head(record_at(r, offset))) return offset;
    return r->size;
}

static int is_torn(const otok_records *r, size_t offset)
{
    const otok_record any = otok_record_of(OTOK_RECORD_BEGUN, "", 0, "", 0);
    const size_t left = r->size - offset;
    if (left >= sizeof any) return otok_record_is_head(record_at(r, offset));
    return memcmp(record_at(r, offset), any.mark,
                  left < sizeof any.mark ? left : sizeof any.mark) == 0;
}

static otok_status add_record(otok_records *r, size_t offset, const char *path)
{
    if ((r->n & (r->n - 1)) == 0) {
        void *more = realloc(r->all, (r->n ? 2 * r->n : 1) * sizeof *r->all);
        if (!more) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a list of its records", path);
        r->all = more;
    }
    r->all[r->n++] = record_at(r, offset);
    return OTOK_OK;
}

/* Lists all records with an intact head, and counts the gaps between them. */
static otok_status list_records(otok_records *r, const char *path)
{
    for (size_t offset = sizeof otok_record_magic; offset < r->size;) {
        const size_t left = r->size - offset;
        if (left >= sizeof(otok_record) && otok_record_is_head(record_at(r, offset)) &&
            record_at(r, offset)->size <= left - sizeof(otok_record)) {
            OTOK_TRY(add_record(r, offset, path));
            offset += sizeof(otok_record) + record_at(r, offset)->size;
            continue;
        }
        const size_t next = left > 8 ? find_head(r, offset + 8) : r->size;
        if (next == r->size && is_torn(r, offset)) break;
        r->damaged++;
        offset = next;
    }
    return OTOK_OK;
}

/* Leaves out records with damaged bodies. */
static otok_status check_bodies(otok_records *r, const char *path)
{
    size_t kept = 0;
    char *whole = malloc(r->n + 1);
    if (!whole) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a list of its records", path);
#pragma omp parallel for schedule(dynamic, 64) if (r->n > 64)
    for (size_t i = 0; i < r->n; i++)
        whole[i] = (char)otok_record_is_whole(r->all[i]);
    for (size_t i = 0; i < r->n; i++) {
        r->damaged += !whole[i];
        if (whole[i]) r->all[kept++] = r->all[i];
    }
    r->n = kept;
    free(whole);
    return OTOK_OK;
}

/* ---- contents of records ---- */

/* Are there so many samples and maps behind a result? */
static int has_size(const otok_result *r, size_t size)
{
    for (int i = 0; i < OTOK_MAX_KEPT; i++)
        if (r->kept[i] < 0 || (uint64_t)r->kept[i] > size) return 0;
    const size_t maps = otok_kept_before(r, OTOK_MAX_KEPT);
    return r->nsamples >= 0 && maps <= size && (size - maps) % sizeof(otok_sample) == 0 &&
           (uint64_t)r->nsamples == (size - maps) / sizeof(otok_sample);
}

/* NULL if otok can have written this result; otherwise the reason why not. */
static const char *fault_of(const otok_result *r, size_t size)
{
    if (size < sizeof *r || !has_size(r, size - sizeof *r))
        return "has another size than its samples and maps";
    if (r->verdict < -1 || r->verdict >= OTOK_VERDICTS || r->failed != (r->verdict < 0))
        return "has an unknown verdict";
    if (r->island.form < -1 || r->island.form >= OTOK_FORMS) return "has an unknown form";
    if (r->iterations < r->nsamples || r->first < -1 || r->cell_x < -1 || r->cell_y < -1 ||
        r->cells < -1)
        return "has impossible numbers";
    for (int n = 0; n < OTOK_LIMITS; n++)
        if (!memchr(r->margins[n].limit, 0, sizeof r->margins[n].limit))
            return "has a text without an end";
    return memchr(r->limit, 0, sizeof r->limit) && memchr(r->most, 0, sizeof r->most) &&
                   memchr(r->most_reversed, 0, sizeof r->most_reversed) &&
                   memchr(r->cause, 0, sizeof r->cause)
               ? NULL
               : "has a text without an end";
}

static const char *fault_of_ran(const otok_ran *ran, size_t size)
{
    return size == sizeof *ran && memchr(ran->date, 0, sizeof ran->date) &&
                   memchr(ran->backend, 0, sizeof ran->backend) &&
                   memchr(ran->device, 0, sizeof ran->device)
               ? NULL
               : "has a text without an end";
}

static otok_status check_contents(otok_records *r, const char *path)
{
    for (size_t i = 1; i < r->n; i++) {
        const otok_record *h = r->all[i];
        const char *fault = NULL;
        switch (h->kind) {
        case OTOK_RECORD_BEGUN:
            fault = h->size == sizeof(int64_t) ? NULL : "has another size than a number";
            break;
        case OTOK_RECORD_RESULT: fault = fault_of((const otok_result *)(h + 1), h->size); break;
        case OTOK_RECORD_RAN:
            r->ran = (const otok_ran *)(h + 1);
            fault = fault_of_ran(r->ran, h->size);
            break;
        default: fault = "is of an unknown kind";
        }
        if (fault) return fail_record(r, h, path, fault);
    }
    return OTOK_OK;
}

static otok_status check_records(otok_records *r, const char *path)
{
    const size_t known = r->size < sizeof otok_record_magic ? r->size : sizeof otok_record_magic;
    if (memcmp(r->bytes, otok_record_magic, known) != 0)
        return OTOK_FAIL(
            OTOK_DATA, "%s: is not a journal of this version of otok; use another directory", path);
    OTOK_TRY(list_records(r, path));
    const otok_record *study = r->n ? r->all[0] : NULL;
    OTOK_TRY(check_bodies(r, path));
    if (!study && !r->damaged) return OTOK_OK; /* the first record is incomplete */
    if (!study || r->n == 0 || r->all[0] != study ||
        (const char *)study != r->bytes + sizeof otok_record_magic ||
        study->kind != OTOK_RECORD_STUDY)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: the study at its head is damaged; restore the file, or begin anew in "
                         "another directory",
                         path);
    r->study = (const char *)(study + 1);
    r->study_size = study->size;
    r->next = 1;
    return check_contents(r, path);
}

otok_status otok_records_open(otok_records *r, const char *path)
{
    *r = (otok_records){0};
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return otok_file_failed(path, "read", errno);
    otok_status status = read_file(r, file, path);
    close(file);
    if (status == OTOK_OK) status = check_records(r, path);
    if (status != OTOK_OK) otok_records_close(r);
    return status;
}

int otok_records_next(otok_records *r, otok_entry *out)
{
    while (r->next < r->n && r->all[r->next]->kind == OTOK_RECORD_RAN)
        r->next++;
    if (r->next >= r->n) return 0;
    const otok_record *h = r->all[r->next++];
    *out = (otok_entry){.row = *(const int64_t *)(h + 1)}; /* also of a result */
    if (h->kind == OTOK_RECORD_BEGUN) return 1;
    out->result = (const otok_result *)(h + 1);
    out->samples = (const otok_sample *)(out->result + 1);
    return 1;
}

void otok_records_close(otok_records *r)
{
    free(r->bytes);
    free(r->all);
    *r = (otok_records){0};
}
