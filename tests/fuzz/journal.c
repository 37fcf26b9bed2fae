/* journal.c - input: changes to a good study and to good results, and records of any kind, as a
   journal whose marks and checksums are right. What is read is merged into a study.h5. */
#include "fuzz.h"
#include "study/record.h"
#include "study/study.h"
#include "study/table.h"

#include <sys/stat.h>

static const char scenario[] = "otok: 1\ngrid: {nx: 8, ny: 8}\nbase: [{constant: {height: "
                               "1}}]\nphases: [{name: a, iterations: 20, thermal: {dt: 0.1}}]\n";
static const char *const texts[] = {
    "design: {kind: grid, points: 2}\nvary: {phases.a.thermal.dt: {from: 0.1, to: 0.2}, seed: "
    "{values: [3, 35]}}",
    "design: {kind: morris, trajectories: 2}\nvary: {phases.a.thermal.dt: {from: 0.1, to: 0.2, "
    "scale: log}}",
    "design: {kind: saltelli, base: 2}\nvary: {phases.a.thermal.dt: {from: 0.1, to: 0.2}}",
    "design: {kind: lhs, rows: 4}\nvary: {phases.a.thermal.dt: {from: 0.1, to: 0.2}}"};
enum { STUDIES = sizeof texts / sizeof texts[0], ROWS = 4096 };
static struct {
    char *bytes;
    size_t size, design; /* where the design stands */
} good[STUDIES];

static void begin(void)
{
    static char path[512];
    fuzz_file("scenario.yaml", scenario, sizeof scenario - 1);
    for (int i = 0; i < STUDIES; i++) {
        char text[512];
        otok_study *study;
        snprintf(text, sizeof text, "study: 1\nscenario: scenario.yaml\n%s\n", texts[i]);
        if (otok_study_load(&study, fuzz_file("study.yaml", text, strlen(text))) != OTOK_OK ||
            otok_study_pack(&good[i].bytes, &good[i].size, study) != OTOK_OK) {
            fprintf(stderr, "%s\n", otok_why());
            abort();
        }
        const char *at = memmem(good[i].bytes, good[i].size, &study->design, sizeof study->design);
        if (!at) abort();
        good[i].design = (size_t)(at - good[i].bytes);
        otok_study_destroy(study);
    }
    if (mkdir(fuzz_path(path, "journals"), 0777) != 0) abort();
}

/* Other bytes at some places of a good body; `middle` is a place worth its while. */
static void change(fuzz_input *in, char *bytes, size_t size, size_t middle)
{
    for (unsigned n = fuzz_byte(in) & 7; n > 0; n--) {
        const unsigned how = fuzz_byte(in);
        const size_t at = (how & 1 ? middle : 0) + fuzz_word(in), most = 1 + (how >> 1) % 32;
        if (at < size) fuzz_take(in, bytes + at, most < size - at ? most : size - at);
    }
}

static void put(FILE *out, int kind, const char *body, size_t size)
{
    const otok_record head = otok_record_of(kind, body, size, "", 0);
    fwrite(&head, sizeof head, 1, out);
    fwrite(body, 1, size, out);
}

static void put_result(FILE *out, fuzz_input *in)
{
    otok_result r = {.row = fuzz_byte(in),
                     .nsamples = fuzz_byte(in) & 3,
                     .first = -1,
                     .cell_x = -1,
                     .cell_y = -1};
    char body[sizeof r + 3 * sizeof(otok_sample)] = {0};
    r.iterations = 10 * r.nsamples;
    memcpy(body, &r, sizeof r);
    change(in, body, sizeof body, sizeof r);
    put(out, OTOK_RECORD_RESULT, body, sizeof r + (size_t)r.nsamples * sizeof(otok_sample));
}

static void put_any(FILE *out, fuzz_input *in, int kind)
{
    char body[8 * 31] = {0};
    const size_t size = kind == OTOK_RECORD_BEGUN ? 8 : 8 * (fuzz_byte(in) & 31);
    fuzz_take(in, body, size < sizeof body ? size : sizeof body);
    put(out, kind, body, size < sizeof body ? size : sizeof body);
}

static void write_journal(const char *path, fuzz_input *in)
{
    FILE *out = fopen(path, "wb");
    if (!out) abort();
    const unsigned which = fuzz_byte(in) % STUDIES;
    char *study = malloc(good[which].size);
    if (!study) abort();
    memcpy(study, good[which].bytes, good[which].size);
    change(in, study, good[which].size, good[which].design);
    fwrite(otok_record_magic, sizeof otok_record_magic, 1, out);
    put(out, OTOK_RECORD_STUDY, study, good[which].size);
    free(study);
    while (in->left > 1) {
        const int kind = (int)(fuzz_byte(in) & 7);
        if (kind == 7) /* no record */
            fwrite("\aRecord\0\aRec", 1, fuzz_byte(in) % 12, out);
        else if (kind == OTOK_RECORD_RESULT)
            put_result(out, in);
        else
            put_any(out, in, kind);
    }
    if (fclose(out) != 0) abort();
}

/* Has the study so few members that a table of them is worth its time? What it has not, it may
 * truly have. */
static int is_small(const char *path)
{
    otok_records records;
    otok_study *study = NULL;
    if (otok_records_open(&records, path) != OTOK_OK) return 0;
    int small = records.study &&
                otok_study_unpack(&study, records.study, records.study_size, path) == OTOK_OK;
    small = small && otok_study_rows(study) <= ROWS;
    otok_study_destroy(study);
    otok_records_close(&records);
    return small;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int begun;
    char path[512], folder[512], results[512];
    fuzz_input in = {data, size};
    otok_table table;
    otok_merged merged;
    if (!begun++) begin();
    write_journal(fuzz_path(path, "journals/1-of-1.journal"), &in);
    if (!is_small(path) || otok_table_read(&table, fuzz_path(folder, "journals")) != OTOK_OK)
        return 0;
    otok_table_sum(&table, &merged);
    otok_table_write(&table, fuzz_path(results, "study.h5"));
    otok_table_destroy(&table);
    return 0;
}
