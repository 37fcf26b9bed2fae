/* journal_damage.c - claim: a byte that a journal lost costs its own member only, wherever it lay, and is counted; one in the head
   is refused. A torn end costs what was torn and is no damage. Whatever the file holds, it is neither cut nor begun anew. */
#include "check.h"
#include "study/journal.h"
#include "study/record.h"

#include <unistd.h>

enum { MEMBERS = 3, SAMPLES = 3, STUDY = 200, MOST = 1 << 16 };
enum { OTHERS = 16 + sizeof(otok_record) }; /* bytes with which journals of other studies differ */

static char folder[] = "/tmp/otok_journal_XXXXXX", path[sizeof folder + 16], study[STUDY], other[STUDY];
static unsigned char whole[MOST], now[MOST];
static size_t size, head; /* of the whole journal; of what stands before the first member's record */

static size_t get(void)
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

static otok_status add(int64_t row, int with_study)
{
    otok_journal j;
    otok_sample samples[SAMPLES];
    otok_result result = {.row = row, .nsamples = SAMPLES, .iterations = SAMPLES};
    memset(samples, 1, sizeof samples);
    const otok_status opened = otok_journal_open(&j, path, with_study ? study : other, STUDY, 1);
    if (opened != OTOK_OK) return opened;
    if (row >= 0) {
        MUST(otok_journal_begin(&j, row));
        MUST(otok_journal_put(&j, &result, samples));
    }
    MUST(otok_journal_close(&j));
    return OTOK_OK;
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

static int lost(int known)
{
    int n = 0;
    for (int row = 0; row < MEMBERS; row++)
        n += !(known >> row & 1);
    return n;
}

/* The journal, of `n` bytes in `bytes`, goes on: what is there stays as it is, and the new member is known. */
static void go_on(const unsigned char *bytes, size_t n, int known, size_t at)
{
    int64_t damaged;
    MUST(add(MEMBERS, 1));
    const size_t longer = get();
    const int after = members(&damaged);
    CHECK(longer > n && memcmp(now, bytes, n) == 0, "byte %zu: %zu bytes became %zu, or others", at, n, longer);
    CHECK(after == (known | 1 << MEMBERS), "byte %zu: members %x, then %x", at, (unsigned)known, (unsigned)after);
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
    CHECK(known < 0 || (lost(known) <= 1 && damaged == 1), "byte %zu: members %x, %lld damaged", at, (unsigned)known,
          (long long)damaged);
    CHECK(add(MEMBERS, 0) == OTOK_DATA && get() == size && memcmp(now, bytes, size) == 0, "byte %zu: another study began", at);
    if (known >= 0)
        go_on(bytes, size, known, at);
    else
        CHECK(add(MEMBERS, 1) == OTOK_DATA && get() == size && memcmp(now, bytes, size) == 0, "byte %zu: the study went on", at);
}

static void cut(size_t n)
{
    int64_t damaged;
    set(whole, n);
    const int known = members(&damaged);
    CHECK(known >= 0 && damaged == 0, "cut at %zu: %x, %lld damaged: %s", n, (unsigned)known, (long long)damaged, otok_why());
    if (n >= OTHERS) CHECK(add(MEMBERS, 0) == OTOK_DATA && get() == n, "cut at %zu: another study began", n);
    go_on(whole, n, known, n);
    members(&damaged);
    CHECK(damaged == 0, "cut at %zu, then continued: %lld damaged", n, (long long)damaged);
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/1-of-1.journal", folder);
    memset(study, 1, sizeof study);
    memset(other, 2, sizeof other);
    MUST(add(-1, 1));
    head = get();
    for (int row = 0; row < MEMBERS; row++)
        MUST(add(row, 1));
    size = get();
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
    CHECK(lost(known) == 1 && damaged >= 1, "600 bytes of zeros: members %x, %lld damaged", (unsigned)known, (long long)damaged);
    unlink(path);
    rmdir(folder);
    return check_failures != 0;
}
