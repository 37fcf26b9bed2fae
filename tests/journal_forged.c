/* journal_forged.c - claim: a journal whose checksums are right, but whose numbers no study and no
   member has, is refused, and nothing of it is used: no pointer, no count, no row. CHECK_ONCE */
#include "io/file.h"
#include "scenario_file.h"
#include "study/record.h"
#include "study/study.h"
#include "study/table.h"

#include <stddef.h>

/* Of a forged number of rows; read by AddressSanitizer. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static const char scenario[] = "otok: 1\ngrid: {nx: 8, ny: 8}\nbase: [{constant: {height: "
                               "1}}]\nphases: [{name: a, iterations: 20, thermal: {dt: 0.1}}]\n";
static const char text[] = "study: 1\nscenario: forged.yaml\ndesign: %s\nvary:\n  "
                           "phases.a.thermal.dt: {from: 0.1, to: 0.2}\n"
                           "  phases.a.thermal.talus: {values: [30, 35]}\n";
static char folder[64], path[96], scenario_path[96];
static char *packed;
static size_t size;

static void load(otok_study **study, const char *design)
{
    char words[sizeof text + 200];
    snprintf(words, sizeof words, text, design);
    file_write(words, strlen(words));
    MUST(otok_study_load(study, file_path));
    MUST(otok_study_pack(&packed, &size, *study));
}

static void put(FILE *file, int kind, const void *bytes, size_t n)
{
    const otok_record head = otok_record_of(kind, bytes, n, "", 0);
    if (!file || fwrite(&head, sizeof head, 1, file) != 1 || (n && fwrite(bytes, n, 1, file) != 1))
        exit(1);
}

static otok_ran ran = {"2026-01-31T23:59:59Z", "cpu", "2 threads"};

/* A journal of these bytes, and of a result with some samples if there is one. */
static void write_journal(const char *study, size_t n, const otok_result *result, size_t samples)
{
    char *body = calloc(1, sizeof *result + samples * sizeof(otok_sample));
    FILE *file = fopen(path, "wb");
    if (!body || !file || fwrite(otok_record_magic, sizeof otok_record_magic, 1, file) != 1)
        exit(1);
    put(file, OTOK_RECORD_STUDY, study, n);
    put(file, OTOK_RECORD_RAN, &ran, sizeof ran);
    if (result) memcpy(body, result, sizeof *result);
    if (result) put(file, OTOK_RECORD_RESULT, body, sizeof *result + samples * sizeof(otok_sample));
    if (fclose(file) != 0) exit(1);
    free(body);
}

/* The journal may be refused or used, but not so that memory is hurt. */
static otok_status use_journal(void)
{
    otok_table t;
    otok_merged merged;
    char value[OTOK_VALUE_SIZE];
    const otok_status status = otok_table_read(&t, folder);
    if (status != OTOK_OK) return status;
    otok_table_sum(&t, &merged);
    for (int64_t row = 0; row < t.nrows && row < 100; row++)
        for (int a = 0; a < t.study->naxes; a++)
            otok_study_value(t.study, row, a, value);
    otok_table_destroy(&t);
    return OTOK_OK;
}

static void refused(const char *what)
{
    const otok_status status = use_journal();
    CHECK(status == OTOK_DATA, "%s: status %d", what, (int)status);
    CHECK(status != OTOK_DATA || strncmp(otok_why(), path, strlen(path)) == 0, "%s: %s", what,
          otok_why());
}

/* The study with `n` other bytes at a place. */
static void forge(const char *what, size_t at, const void *bytes, size_t n)
{
    char *copy = malloc(size);
    if (!copy || at + n > size) exit(1);
    memcpy(copy, packed, size);
    memcpy(copy + at, bytes, n);
    write_journal(copy, size, NULL, 0);
    refused(what);
    free(copy);
}

static size_t find(const void *bytes, size_t n)
{
    const char *at = memmem(packed, size, bytes, n);
    if (!at) exit(1);
    return (size_t)(at - packed);
}

static void forge_study(void)
{
    static const int kinds[] = {-1, 6, OTOK_DESIGN_LIST}, axes[] = {-1, 0, 1, 33, 1 << 30};
    static const int64_t points[] = {0, -1, INT64_MIN, INT64_MAX, 3};
    char words[OTOK_TEXT_SIZE];
    otok_study *s;
    load(&s, "{kind: grid, points: 2}");
    const size_t design = find(&s->design, sizeof s->design), dt = find("phases.a.thermal.dt", 20);
    write_journal(packed, size, NULL, 0);
    MUST(use_journal());
    for (size_t n = 0; n < sizeof kinds / sizeof kinds[0]; n++)
        forge("kind", design + offsetof(otok_design, kind), &kinds[n], sizeof kinds[n]);
    for (size_t n = 0; n < sizeof axes / sizeof axes[0]; n++)
        forge("naxes", design + offsetof(otok_design, naxes), &axes[n], sizeof axes[n]);
    for (size_t n = 0; n < sizeof points / sizeof points[0]; n++)
        forge("points", design + offsetof(otok_design, points) + sizeof points[n], &points[n],
              sizeof points[n]);
    memset(words, 'x', sizeof words);
    forge("stem", find("bad\0\0", 5), words, OTOK_NAME_SIZE);
    forge("path", dt, words, OTOK_TEXT_SIZE);
    forge("a value", find("35\0\0", 4), words, OTOK_VALUE_SIZE);
    forge("every", find(&s->every, 8), &(int64_t){0}, 8);
    forge("the text's size", find(&(uint64_t){s->size}, 8), &(uint64_t){1 << 20}, 8);
    for (size_t n = 0; n < size; n += 1000) {
        write_journal(packed, n, NULL, 0);
        refused("cut short");
    }
    char *copy = malloc(size);
    if (!copy) exit(1);
    for (size_t at = 0; at < size; at += at < dt + 600 ? 4 : 60) { /* whatever it is of */
        memcpy(copy, packed, size);
        memset(copy + at, at % 8 ? 0x7f : 0xff, 4);
        write_journal(copy, size, NULL, 0);
        use_journal();
    }
    free(copy);
    otok_study_destroy(s);
    free(packed);
}

static void forge_others(void)
{
    otok_study *s;
    load(&s, "{kind: morris, trajectories: 4}");
    const size_t design = find(&s->design, sizeof s->design);
    for (int64_t levels = -1; levels < 4; levels++)
        if (levels != 2)
            forge("levels", design + offsetof(otok_design, levels), &levels, sizeof levels);
    forge("trajectories", design + offsetof(otok_design, trajectories), &(int64_t){-5}, 8);
    otok_study_destroy(s);
    free(packed);
    load(&s, "{kind: lhs, rows: 4}");
    forge("rows", find(&s->design, sizeof s->design) + offsetof(otok_design, rows), &(int64_t){0},
          8);
    otok_study_destroy(s);
    free(packed);
}

/* Each number of a result that no member of the study can have. */
static void forge_results(void)
{
    otok_study *s;
    load(&s, "{kind: grid, points: 2}");
    const otok_result good = {
        .row = 3, .nsamples = 2, .iterations = 20, .first = -1, .cell_x = -1, .cell_y = -1};
    write_journal(packed, size, &good, 2);
    MUST(use_journal());
#define FORGE(member, value)                                                                       \
    do {                                                                                           \
        otok_result r = good;                                                                      \
        r.member = (value);                                                                        \
        write_journal(packed, size, &r, 2);                                                        \
        refused(#member " = " #value);                                                             \
    } while (0)
    FORGE(row, 4);
    FORGE(row, -1);
    FORGE(row, INT64_MIN);
    FORGE(nsamples, 3);
    FORGE(nsamples, 0);
    FORGE(nsamples, -1);
    FORGE(nsamples, INT64_C(1) << 40);
    FORGE(nsamples, (INT64_C(1) << 61) + 2);
    FORGE(verdict, OTOK_VERDICTS);
    FORGE(verdict, -2);
    FORGE(island.form, OTOK_FORMS);
    FORGE(island.form, -2);
    FORGE(failed, 1);
    FORGE(iterations, -1);
    FORGE(iterations, 21);
    FORGE(iterations, INT64_MAX);
    FORGE(first, -2);
    FORGE(cell_x, INT64_MIN);
    FORGE(cells, -2);
    FORGE(kept[0], -1);
    FORGE(kept[0], 8);
    FORGE(kept[OTOK_MAX_KEPT - 1], INT64_MAX);
    otok_result r = good;
    memset(r.cause, 'x', sizeof r.cause);
    write_journal(packed, size, &r, 2);
    refused("cause");
    memset(ran.device, 'x', sizeof ran.device);
    write_journal(packed, size, &good, 2);
    refused("device");
    otok_study_destroy(s);
    free(packed);
}

int main(void)
{
    file_create();
    snprintf(scenario_path, sizeof scenario_path, "%s/forged.yaml", file_folder);
    FILE *file = fopen(scenario_path, "w");
    if (!file || fputs(scenario, file) < 0 || fclose(file) != 0) return 1;
    snprintf(folder, sizeof folder, "%s/out", file_folder);
    snprintf(path, sizeof path, "%s/1-of-1.journal", folder);
    MUST(otok_directory_make(folder));
    forge_study();
    forge_others();
    forge_results();
    unlink(path);
    rmdir(folder);
    unlink(scenario_path);
    file_remove();
    return check_failures != 0;
}
