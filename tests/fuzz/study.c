/* study.c - fuzzer: studies. One that is read can be packed into a journal, and what comes out of it is the same study. */
#include "fuzz.h"
#include "study/journal.h"

static const char scenario[] = "otok: 1\ngrid: {nx: 8, ny: 8}\nbase: [{cone: {height: 9, radius: 6}}]\n"
                               "phases: [{name: a, iterations: 5, rain: {rate: 0.1}, hydraulic: {dt: 0.1}, thermal: {dt: 0.1}}]\n";
static const char table[] = "phases.a.hydraulic.dt,phases.a.thermal.talus\n0.1,30\n0.2,35\n";

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_write("scene.yaml", scenario, sizeof scenario - 1);
    fuzz_write("table.csv", table, sizeof table - 1);
    return 0;
}

static void check_rows(const otok_study *a, const otok_study *b)
{
    char one[OTOK_VALUE_SIZE], other[OTOK_VALUE_SIZE];
    const int64_t rows = otok_study_rows(a), last = rows - 1;
    FUZZ_CHECK(rows >= 1 && rows == otok_study_rows(b) && a->naxes == b->naxes);
    for (int64_t n = 0; n < 8; n++)
        for (int axis = 0; axis < a->naxes; axis++) {
            const int64_t row = n < rows ? (n % 2 ? last - n / 2 : n / 2) : last;
            otok_study_value(a, row, axis, one);
            otok_study_value(b, row, axis, other);
            FUZZ_CHECK(strcmp(one, other) == 0);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    otok_study *s, *again;
    char *bytes, *second;
    size_t n, m;
    if (otok_study_load(&s, fuzz_write("study.yaml", data, size)) != OTOK_OK) return 0;
    FUZZ_CHECK(otok_study_pack(&bytes, &n, s) == OTOK_OK);
    FUZZ_CHECK(otok_study_unpack(&again, bytes, n, "a journal") == OTOK_OK);
    FUZZ_CHECK(otok_study_pack(&second, &m, again) == OTOK_OK && n == m && memcmp(bytes, second, n) == 0);
    check_rows(s, again);
    free(bytes);
    free(second);
    otok_study_destroy(s);
    otok_study_destroy(again);
    return 0;
}
