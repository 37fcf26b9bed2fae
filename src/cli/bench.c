/* bench.c: `otok bench`: the speed of a scenario's first phase at several sizes, beside the rate of
 * a copy. */
#include "cli.h"
#include "devices.h"
#include "text.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: otok bench SCENARIO.yaml [options]\n\n"
    "      --sizes N,N,...     grids of N x N cells (default: the scenario's own)\n"
    "      --iterations N      iterations timed together, at most 4096 (default: 100)\n"
    "      --repeats N         number of timings; the median counts (default: 7)\n"
    "      --backend NAME      auto, cpu, cuda, or a strategy of one, such as cpu:plain or "
    "cuda:fused\n"
    "      --device N, --gpus N, --bands N   as for otok run\n"
    "      --set path=value    changes a key of the scenario\n"
    "      --json              prints a JSON object for each size, not the table\n\n"
    "Times the first phase after a warm-up. Share compares the bytes that the strategy moves with "
    "the bytes that a copy of\n"
    "1 GiB moves in the same time. It has no value where the fields stay on the chip.\n\n"
    "example: otok bench experiments/bench/hydraulic.yaml --sizes 512,4096 --backend cuda\n";

typedef struct options {
    const char *scenario, *sizes, *sets[256];
    cli_devices devices;
    int nsets, iterations, repeats, json;
} options;

static int parse(options *o, int argc, char **argv)
{
    static const struct option known[] = {{"sizes", 1, 0, 'n'},
                                          {"iterations", 1, 0, 'i'},
                                          {"repeats", 1, 0, 'r'},
                                          {"backend", 1, 0, 'b'},
                                          {"device", 1, 0, 'D'},
                                          {"gpus", 1, 0, 'G'},
                                          {"bands", 1, 0, 'B'},
                                          {"set", 1, 0, 's'},
                                          {"json", 0, 0, 'j'},
                                          {"help", 0, 0, 'h'},
                                          {0, 0, 0, 0}};
    int c;
    optind = 1;
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":h", known, NULL)) != -1)
        switch (c) {
        case 'n': o->sizes = optarg; break;
        case 'i':
            if (!cli_whole(optarg, 1, 4096, &o->iterations))
                return cli_usage("bench", "--iterations %s: not a whole number of 1..4096", optarg);
            break;
        case 'r':
            if (!cli_whole(optarg, 1, 101, &o->repeats))
                return cli_usage("bench", "--repeats %s: not a whole number of 1..101", optarg);
            break;
        case 'b': o->devices.backend = optarg; break;
        case 'D': o->devices.device = optarg; break;
        case 'G': o->devices.gpus = optarg; break;
        case 'B': o->devices.bands = optarg; break;
        case 's':
            if (o->nsets == 250) return cli_usage("bench", "more than 250 --set");
            o->sets[o->nsets++] = optarg;
            break;
        case 'j': o->json = 1; break;
        case 'h': fputs(usage, stdout); return 0;
        default: return cli_option("bench", c, argv);
        }
    if (optind != argc - 1) return cli_usage("bench", "name one scenario");
    o->scenario = argv[optind];
    return cli_devices_choose("bench", &o->devices, 0);
}

static void print(const options *o, const otok_bench *b, otok_grid g)
{
    char bytes[32], part[32];
    const double share = b->cell_steps * b->bytes_per_cell / b->copy_rate;
    snprintf(bytes, sizeof bytes, "%g", b->bytes_per_cell);
    snprintf(part, sizeof part, "%.*f", o->json ? 4 : 1, o->json ? share : 100 * share);
    if (b->bytes_per_cell == 0) { /* memory moves nothing, and bounds nothing */
        strcpy(bytes, o->json ? "null" : "-");
        strcpy(part, bytes);
    }
    if (o->json) {
        fputs("{\"scenario\": \"", stdout);
        cli_json(stdout, o->scenario);
        printf("\", \"nx\": %lld, \"ny\": %lld, \"iterations\": %d, \"repeats\": %d, "
               "\"seconds_median\": %.9g, \"seconds_least\": "
               "%.9g, "
               "\"cell_steps_per_second\": %.6g, \"bytes_per_cell\": %s, "
               "\"copy_bytes_per_second\": %.6g, \"share_of_copy\": %s, "
               "\"fingerprint\": \"%016llx\", \"strategy\": \"%s\", \"device\": \"%s\", "
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

static otok_status one(options *o, const char *size, int length)
{
    char nx[64], ny[64];
    int nsets = o->nsets;
    otok_scenario *scenario;
    otok_bench b;
    if (length > 0) {
        snprintf(nx, sizeof nx, "grid.nx=%.*s", length, size);
        snprintf(ny, sizeof ny, "grid.ny=%.*s", length, size);
        o->sets[nsets++] = nx;
        o->sets[nsets++] = ny;
    }
    const otok_status loaded = otok_scenario_load(&scenario, o->scenario, o->sets, nsets);
    if (loaded != OTOK_OK) return loaded;
    const otok_status status =
        otok_bench_run(&b, scenario, o->devices.backend, o->iterations, o->repeats);
    if (status == OTOK_OK) print(o, &b, otok_scenario_grid(scenario));
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
            return cli_usage("bench", "--sizes %s: give numbers with commas between them", o.sizes);
        const otok_status status = one(&o, size, length);
        if (status != OTOK_OK) return cli_fail("bench", status);
        size += length + (size[length] == ',');
    } while (*size);
    return 0;
}
