/* dakota.c - fuzzer: parameters files, as otok driver reads them. The scenario refuses every member, so that none runs. */
#include "fuzz.h"
#include "study/driver.h"

static const char scenario[] = "otok: 1\ngrid: {nx: 8, ny: 8}\nbase: [{cone: {height: 9, radius: 6}}]\n"
                               "phases: [{name: a, iterations: 5, thermal: {dt: 0.1}}]\nrefused: always\n";

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_write("scene.yaml", scenario, sizeof scenario - 1);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[PATH_MAX], scene[PATH_MAX], results[PATH_MAX];
    static const char *const names[] = {"dt=phases.a.thermal.dt"};
    int failed = 0;
    snprintf(path, sizeof path, "%s", fuzz_write("parameters", data, size));
    snprintf(scene, sizeof scene, "%s", fuzz_name("scene.yaml"));
    snprintf(results, sizeof results, "%s", fuzz_name("results"));
    const otok_driver_options o = {
        .scenario = scene, .backend = "cpu", .names = names, .nnames = 1, .every = 1 + (int64_t)(size % 3), .results_json = -1};
    const otok_status status = otok_study_drive(&o, path, results, &failed);
    FUZZ_CHECK(status != OTOK_OK || failed);
    return 0;
}
