/* journal_damage.c - claim: a byte that a journal lost costs its own member only, wherever it lay,
   and is counted; one in the head is refused. A torn end costs what was torn and is no damage.
   Whatever the file holds, no process writes into it again. CHECK_ONCE */
#include "check.h"
#include "core/status.h"
#include "study/journal.h"

#include <unistd.h>

enum { MEMBERS = 3, SAMPLES = 3, STUDY = 200, MOST = 1 << 16 };

static char folder[] = "/tmp/otok_journal_XXXXXX", path[sizeof folder + 16], study[STUDY];
static unsigned char whole[MOST], now[MOST];
static size_t size,
    head; /* of the whole journal; of what stands before the first member's record */

static size_t read_journal(void)
{
    FILE *file = fopen(path, "rb");
    const size_t n = file ? fread(now, 1, sizeof now, file) : 0;
    if (!file || fclose(file) != 0) exit(1);
    return n;
}

static void set(const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0) exit(1);
}

static otok_status write_journal(int64_t members)
{
    otok_journal j;
    otok_sample samples[SAMPLES];
    memset(samples, 1, sizeof samples);
    OTOK_TRY(otok_journal_create(&j, path, study, STUDY));
    for (int64_t row = 0; row < members; row++) {
        const otok_result result = {.row = row, .nsamples = SAMPLES, .iterations = SAMPLES};
        MUST(otok_journal_begin(&j, row));
        MUST(otok_journal_put(&j, &result, samples));
    }
    return otok_journal_close(&j);
}

/* Which members have a result, a bit each; -1: the journal is refused. */
static int members(int64_t *damaged)
{
    otok_records r;
    otok_entry e;
    int known = 0;
    *damaged = 0;
    if (otok_records_open(&r, path) != OTOK_OK) return -1;
    while (otok_records_next(&r, &e))
        if (e.result) known |= 1 << e.row;
    *damaged = r.damaged;
    otok_records_close(&r);
    return known;
}

static int count_lost(int known)
{
    int n = 0;
    for (int row = 0; row < MEMBERS; row++)
        n += !(known >> row & 1);
    return n;
}

static void check_unchanged(const void *bytes, size_t n, const char *what, size_t at)
{
    CHECK(write_journal(1) == OTOK_USAGE && read_journal() == n && memcmp(now, bytes, n) == 0,
          "%s %zu: the journal began anew", what, at);
}

static void flip(size_t at)
{
    static unsigned char bytes[MOST];
    int64_t damaged;
    memcpy(bytes, whole, size);
    bytes[at] ^= 0x10;
    set(bytes, size);
    const int known = members(&damaged);
    CHECK(at < head || known >= 0, "byte %zu: refused: %s", at, otok_why());
    CHECK(known < 0 || (count_lost(known) <= 1 && damaged == 1),
          "byte %zu: members %x, %lld damaged", at, (unsigned)known, (long long)damaged);
    check_unchanged(bytes, size, "byte", at);
}

static void cut(size_t n)
{
    int64_t damaged;
    set(whole, n);
    const int known = members(&damaged);
    CHECK(known >= 0 && damaged == 0, "cut at %zu: %x, %lld damaged: %s", n, (unsigned)known,
          (long long)damaged, otok_why());
    check_unchanged(whole, n, "cut at", n);
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/1-of-1.journal", folder);
    memset(study, 1, sizeof study);
    MUST(write_journal(0));
    head = read_journal();
    unlink(path);
    MUST(write_journal(MEMBERS));
    size = read_journal();
    memcpy(whole, now, size);
    for (size_t at = 0; at < size; at += at < head + 80 ? 1 : 61)
        flip(at);
    for (size_t n = 0; n < size; n += n < head ? 13 : 71)
        cut(n);
    memset(now, 0, 4096); /* a page that never reached the disk */
    memcpy(now, whole, size);
    memset(now + head + 100, 0, 600);
    set(now, size);
    int64_t damaged;
    const int known = members(&damaged);
    CHECK(count_lost(known) == 1 && damaged >= 1, "600 bytes of zeros: members %x, %lld damaged",
          (unsigned)known, (long long)damaged);
    unlink(path);
    rmdir(folder);
    return check_failures != 0;
}
