/* set.c - fuzzer: --set path=value, one a line, on a scenario with every process. */
#include "core/scenario_read.h"
#include "fuzz.h"

static const char scenario[] =
    "otok: 1\nseed: 1\ngrid: {nx: 8, ny: 8}\nsea: {level: 1}\nbase: [{cone: {height: 9, radius: 6}}, {simplex: {octaves: 2}}]\n"
    "layers: [{name: sand, thickness: 1}, {name: rock}]\nphases:\n"
    "  - {name: a, iterations: 5, rain: {rate: 0.1, during: [[0, 2]]}, hydraulic: {dt: 0.1}, thermal: {dt: 0.1}}\n"
    "  - {name: b, iterations: 5, reef: {dt: 0.01}}\n  - {name: c, iterations: 3, seabed: {}}\n  - {name: d, droplets: {count: "
    "9}}\n"
    "changes: [{at: 2, path: phases.a.hydraulic.dt, value: 0.2}]\noutput: {every: 2}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 16 };
    otok_scenario *s;
    const char *sets[MOST];
    int n = 0;
    char *words = malloc(size + 1);
    if (!words) return 0;
    memcpy(words, data, size);
    words[size] = 0;
    for (char *rest = words, *line; n < MOST && (line = strsep(&rest, "\n"));)
        sets[n++] = line;
    if (otok_scenario_parse(&s, "scene.yaml", scenario, sizeof scenario - 1, sets, n) == OTOK_OK) otok_scenario_destroy(s);
    free(words);
    return 0;
}
