/* checkpoint.c - fuzzer: checkpoints. One that is read has the fingerprint that it says. With OTOK_FUZZ_SEAL=1 heads of objects get
   their checksums, so that the input reaches what is behind them: first of all faults of libhdf5's own. */
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
    otok_snapshot seed;
    FUZZ_CHECK(otok_checkpoint_read(&seed, fuzz_path) == OTOK_OK);
    otok_snapshot_destroy(&seed);
    return 0;
}

/* Of libhdf5, which does not declare it to its users. */
uint32_t H5_checksum_metadata(const void *data, size_t size, uint32_t start);

/* Version 2 of an object's head: signature, version, flags, times and limits by the flags, the size of what follows in 1, 2, 4 or 8
   bytes, that, checksum. */
static void seal(uint8_t *data, size_t size)
{
    for (uint8_t *at = data, *end = data + size; (at = memmem(at, (size_t)(end - at), "OHDR", 4)); at += 4) {
        size_t n = 6, more = 0, left = (size_t)(end - at);
        if (left < 48 || at[4] != 2) continue;
        const int flags = at[5], digits = 1 << (flags & 3);
        n += (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
        memcpy(&more, at + n, (size_t)digits);
        n += (size_t)digits;
        if (more > left || n + more + 4 > left) continue;
        const uint32_t sum = H5_checksum_metadata(at, n + more, 0);
        memcpy(at + n + more, &sum, 4);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    otok_snapshot s;
    uint8_t *copy = malloc(size + 1);
    if (!copy) return 0;
    memcpy(copy, data, size);
    if (getenv("OTOK_FUZZ_SEAL")) seal(copy, size);
    const char *path = fuzz_write("map.vtkhdf", copy, size);
    free(copy);
    if (otok_checkpoint_header(&s, path) == OTOK_OK) otok_snapshot_destroy(&s);
    if (otok_checkpoint_read(&s, path) != OTOK_OK) return 0;
    FUZZ_CHECK(otok_snapshot_fingerprint(&s) == s.fingerprint);
    otok_snapshot_destroy(&s);
    return 0;
}
