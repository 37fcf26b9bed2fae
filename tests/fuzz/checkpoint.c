/* checkpoint.c - fuzzer: checkpoints. One that is read is finite, and has the fingerprint that it says. */
#include "io/checkpoint.h"
#include "core/scenario_read.h"
#include "fuzz.h"
#include "io/hdf.h"

static const char scenario[] =
    "otok: 1\ngrid: {nx: 6, ny: 5}\nbase: [{cone: {height: 9, radius: 6}}]\n"
    "layers: [{name: sand, thickness: 1}, {name: rock}]\n"
    "phases: [{name: a, iterations: 2, rain: {rate: 0.1}, hydraulic: {dt: 0.1}}, {name: b, iterations: 1, reef: {}}]\n";

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    otok_scenario *s;
    otok_sim *sim;
    (void)argc, (void)argv;
    otok_hdf_quiet();
    if (otok_scenario_parse(&s, "scene.yaml", scenario, sizeof scenario - 1, NULL, 0) != OTOK_OK) abort();
    if (otok_sim_create(&sim, s, "cpu") != OTOK_OK) abort();
    if (otok_sim_save(sim, fuzz_name("seeds/first.vtkhdf")) != OTOK_OK) abort();
    if (otok_sim_run(sim, 3) != OTOK_OK || otok_sim_save(sim, fuzz_name("seeds/last.vtkhdf")) != OTOK_OK) abort();
    otok_sim_destroy(sim);
    otok_scenario_destroy(s);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    otok_snapshot s;
    const char *path = fuzz_write("map.vtkhdf", data, size);
    if (otok_checkpoint_header(&s, path) == OTOK_OK) otok_snapshot_destroy(&s);
    if (otok_checkpoint_read(&s, path) != OTOK_OK) return 0;
    FUZZ_CHECK(otok_snapshot_fingerprint(&s) == s.fingerprint);
    otok_snapshot_destroy(&s);
    return 0;
}
