/* bench.c: `otok bench`: the speed of a scenario's first phase at several sizes, beside the rate of
 * a copy. */
#include "../scenario/yaml_node.h"
#include "cli.h"
#include "devices.h"
#include "options.h"
#include "text.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    const char *scenario, *sizes;
    cli_sets sets;
    cli_devices devices;
    int iterations, repeats, json;
} options;

static int parse(options *o, int argc, char **argv)
{
    const cli_option table[] = {
        CLI_OPTION("sizes", 0, "N,N,...",
                   "grids of N x N cells (default: the grid of the scenario)", CLI_TEXT, &o->sizes),
        CLI_OPTION("iterations", 0, "N", "iterations timed together, at most 4096 (default: 100)",
                   CLI_WHOLE, &o->iterations, 1, 4096),
        CLI_OPTION("repeats", 0, "N", "number of timings; the median counts (default: 7)",
                   CLI_WHOLE, &o->repeats, 1, 101),
        CLI_OPTION("backend", 0, "NAME",
                   "auto, cpu, cuda, or a strategy of one, such as cpu:plain or cuda:fused "
                   "(default: auto)",
                   CLI_TEXT, &o->devices.backend),
        CLI_DEVICES(&o->devices),
        CLI_SETS(&o->sets),
        CLI_OPTION("json", 0, NULL, "print a JSON object for each size instead of the table",
                   CLI_FLAG, &o->json),
        {0}};
    const cli_command command = {
        .name = "bench",
        .operands = "SCENARIO.yaml [options]",
        .about = "Measure the speed of the first phase, after a warm-up.",
        .notes =
            "The percentage compares the bytes that the strategy moves with the bytes that a copy "
            "of 1 GiB moves in the same time. It is empty if the fields stay on the chip.",
        .examples = "experiments/bench/hydraulic.yaml --sizes 512,4096 --backend cuda",
        .needs = "one scenario",
        .options = table};
    const int code = cli_options(&command, argc, argv);
    if (code >= 0) return code;
    o->scenario = argv[optind];
    return cli_devices_choose("bench", &o->devices, 0);
}

static void print_bench(const options *o, const otok_bench *b, otok_grid g)
{
    char bytes[32], part[32];
    const double share = b->cell_steps * b->bytes_per_cell / b->copy_rate;
    snprintf(bytes, sizeof bytes, "%g", b->bytes_per_cell);
    snprintf(part, sizeof part, "%.*f", o->json ? 4 : 1, o->json ? share : 100 * share);
    if (b->bytes_per_cell == 0) { /* the fields stay on chip, so that memory is no bound */
        strcpy(bytes, o->json ? "null" : "-");
        strcpy(part, bytes);
    }
    if (o->json) {
        fputs("{\"scenario\": ", stdout);
        otok_text_quote(stdout, o->scenario);
        printf(", \"nx\": %lld, \"ny\": %lld, \"iterations\": %d, \"repeats\": %d, "
               "\"seconds_median\": %.9g, \"seconds_least\": %.9g, \"cell_steps_per_second\": "
               "%.6g, \"bytes_per_cell\": %s, \"copy_bytes_per_second\": %.6g, \"share_of_copy\": "
               "%s, \"fingerprint\": \"%016llx\", \"strategy\": \"%s\", \"device\": \"%s\", "
               "\"version\": \"%s\", \"commit\": \"%s\"}\n",
               (long long)g.nx, (long long)g.ny, o->iterations, o->repeats, b->seconds, b->fastest,
               b->cell_steps, bytes, b->copy_rate, part, (unsigned long long)b->fingerprint,
               b->strategy, b->device, otok_version(), otok_commit());
    } else
        printf("%6lld x %-6lld %10.4f ms/it %12.2f Mcell-steps/s %5s B/cell %8.1f GB/s copy %6s %% "
               " %016llx %s\n",
               (long long)g.nx, (long long)g.ny, 1e3 * b->seconds / o->iterations,
               1e-6 * b->cell_steps, bytes, 1e-9 * b->copy_rate, part,
               (unsigned long long)b->fingerprint, b->strategy);
    fflush(stdout);
}

static otok_status bench_size(options *o, const char *size, int length)
{
    char nx[64], ny[64];
    const int nsets = o->sets.n;
    otok_scenario *scenario;
    otok_bench b;
    if (length > 0) {
        snprintf(nx, sizeof nx, "grid.nx=%.*s", length, size);
        snprintf(ny, sizeof ny, "grid.ny=%.*s", length, size);
        o->sets.at[o->sets.n++] = nx;
        o->sets.at[o->sets.n++] = ny;
    }
    const otok_status loaded = otok_scenario_load(&scenario, o->scenario, o->sets.at, o->sets.n);
    o->sets.n = nsets;
    if (loaded != OTOK_OK) return loaded;
    const otok_status status =
        otok_bench_run(&b, scenario, o->devices.backend, o->iterations, o->repeats);
    if (status == OTOK_OK) print_bench(o, &b, otok_scenario_grid(scenario));
    otok_scenario_destroy(scenario);
    return status;
}

int cli_bench(int argc, char **argv)
{
    options o = {.sizes = "", .devices = {.backend = "auto"}, .iterations = 100, .repeats = 7};
    const int code = parse(&o, argc, argv);
    if (code >= 0) return code;
    const char *size = o.sizes;
    do {
        const int length = (int)strcspn(size, ",");
        if (*o.sizes && !length)
            return cli_usage("bench", "--sizes %s: give numbers separated by commas", o.sizes);
        const otok_status status = bench_size(&o, size, length);
        if (status != OTOK_OK) return cli_fail("bench", status);
        size += length + (size[length] == ',');
    } while (*size);
    return 0;
}
