/* journal.c - fuzzer: journals whose checksums are right: the marks, sizes and checksums that the input has are put right before it
   is read. What is read has rows of its study, samples that are there, and makes a study.h5. */
#include "fuzz.h"
#include "io/file.h"
#include "io/hdf.h"
#include "study/record.h"
#include "study/table.h"

static const char scenario[] = "otok: 1\ngrid: {nx: 6, ny: 6}\nbase: [{cone: {height: 9, radius: 6}}]\n"
                               "phases: [{name: a, iterations: 5, thermal: {dt: 0.1}}]\n";
static const char *const studies[] = {"{kind: grid, points: 2}", "{kind: lhs, rows: 3}", "{kind: morris, trajectories: 1}",
                                      "{kind: saltelli, base: 1}"};

/* Journals of whole studies, as seeds. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    otok_hdf_quiet();
    fuzz_write("scene.yaml", scenario, sizeof scenario - 1);
    for (int n = 0; n < 4; n++) {
        char text[400], folder[PATH_MAX], journal[PATH_MAX + 20], seed[40];
        const int size = snprintf(text, sizeof text,
                                  "study: 1\nscenario: scene.yaml\ndesign: %s\nmonitor: {every: 2}\n"
                                  "vary: {phases.a.thermal.dt: {from: 0.1, to: 0.2}, phases.a.thermal.talus: {values: [30, 35]}}\n",
                                  studies[n]);
        otok_study *s;
        if (otok_study_load(&s, fuzz_write("study.yaml", text, (size_t)size)) != OTOK_OK) abort();
        snprintf(text, sizeof text, "study%d", n);
        snprintf(folder, sizeof folder, "%s", fuzz_name(text));
        const otok_study_options o = {.directory = folder, .backend = "cpu", .shard = 1, .shards = 1, .resume = 1};
        if (otok_study_run(s, &o, NULL) != OTOK_OK) abort();
        snprintf(journal, sizeof journal, "%s/1-of-1.journal", folder);
        snprintf(seed, sizeof seed, "seeds/%d.journal", n);
        if (rename(journal, fuzz_name(seed)) != 0) abort();
        otok_study_destroy(s);
    }
    return otok_directory_make(fuzz_name("table")) == OTOK_OK ? 0 : 1;
}

static void seal(uint8_t *data, size_t size)
{
    if (size < sizeof otok_record_magic) return;
    memcpy(data, otok_record_magic, sizeof otok_record_magic);
    for (size_t at = sizeof otok_record_magic; size - at >= sizeof(otok_record);) {
        otok_record r;
        memcpy(&r, data + at, sizeof r);
        const size_t left = size - at - sizeof r, body = r.size <= left ? r.size / 8 * 8 : left / 8 * 8;
        r = otok_record_of((int)r.kind, data + at + sizeof r, body, "", 0);
        memcpy(data + at, &r, sizeof r);
        at += sizeof r + body;
    }
}

static void use(const otok_table *t)
{
    otok_merged merged;
    char value[OTOK_VALUE_SIZE];
    double sum = 0;
    static int64_t number;
    otok_table_sum(t, &merged);
    for (int64_t row = 0; row < t->nrows && row < 64; row++)
        for (int a = 0; a < t->study->naxes; a++)
            otok_study_value(t->study, row, a, value);
    for (int64_t row = 0; row < t->nrows; row++)
        for (int64_t n = 0; t->rows[row].result && n < t->rows[row].result->nsamples; n++)
            sum += ((const double *)&t->rows[row].samples[n])[0];
    if (t->nrows < 64 && number++ % 32 == 0) otok_table_write(t, fuzz_name("table/study.h5"));
    (void)sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    otok_table t;
    uint8_t *copy = malloc(size + 1);
    if (!copy) return 0;
    memcpy(copy, data, size);
    seal(copy, size);
    fuzz_write("table/1-of-1.journal", copy, size);
    free(copy);
    if (otok_table_read(&t, fuzz_name("table")) != OTOK_OK) return 0;
    if (t.nrows < 1 << 20) use(&t);
    otok_table_destroy(&t);
    return 0;
}
