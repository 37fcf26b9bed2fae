/* study.c - input: the text of a study and, behind a 0, the table.csv of `kind: list`. Its scenario
   is scenario.yaml. What is read is packed and unpacked as journals do it. */
#include "fuzz.h"
#include "study/journal.h"

static const char scenario[] =
    "otok: 1\ngrid: {nx: 8, ny: 8}\nbase: [{constant: {height: 1}}]\n"
    "phases: [{name: a, iterations: 20, hydraulic: {dt: 0.1}, thermal: {dt: 0.1}}]\n";

static void use(const otok_study *study)
{
    char value[OTOK_VALUE_SIZE], *packed;
    size_t size;
    otok_study *again;
    const int64_t rows = otok_study_rows(study);
    for (int64_t row = 0; row < rows; row += rows / 8 + 1)
        for (int a = 0; a < otok_study_axes(study); a++)
            otok_study_value(study, row, a, value);
    if (otok_study_pack(&packed, &size, study) != OTOK_OK ||
        otok_study_unpack(&again, packed, size, "packed") != OTOK_OK) {
        fprintf(stderr, "%s\n", otok_why());
        abort();
    }
    otok_study_destroy(again);
    free(packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int begun;
    if (!begun++) fuzz_file("scenario.yaml", scenario, sizeof scenario - 1);
    const uint8_t *end = memchr(data, 0, size);
    const size_t n = end ? (size_t)(end - data) : size;
    otok_study *study;
    fuzz_file("table.csv", data + n + (end != NULL), size - n - (end != NULL));
    if (otok_study_load(&study, fuzz_file("study.yaml", data, n)) != OTOK_OK) return 0;
    use(study);
    otok_study_destroy(study);
    return 0;
}
