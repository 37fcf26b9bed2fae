/* base.c: `otok base`: only the base terrain of a scenario, as a checkpoint at iteration 0. */
#include "../core/clock.h"
#include "cli.h"
#include "text.h"

#include <getopt.h>
#include <stdio.h>

static const char usage[] =
    "usage: otok base SCENARIO.yaml -o FILE.vtkhdf [--set path=value]... [--backend auto|cpu|cuda] "
    "[--max-time T]\n\n"
    "Writes the state at iteration 0: the base terrain and all fields that the scenario's phases "
    "need. If this takes longer than\n"
    "--max-time (90, 30m, 23h50m), nothing is written and the exit code is 75.\n\n"
    "example: otok base experiments/island/island.yaml -o base.vtkhdf && otok export base.vtkhdf "
    "-o base.png\n";

static int is_late(void *user)
{
    const double *end = user;
    return otok_clock() >= *end;
}

int cli_base(int argc, char **argv)
{
    static const struct option known[] = {{"output", 1, 0, 'o'},  {"set", 1, 0, 's'},
                                          {"backend", 1, 0, 'b'}, {"max-time", 1, 0, 't'},
                                          {"help", 0, 0, 'h'},    {0, 0, 0, 0}};
    double seconds = 0, end = otok_clock();
    const char *sets[256], *out = NULL, *backend = "auto";
    int nsets = 0, c;
    optind = 1;
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":o:h", known, NULL)) != -1)
        switch (c) {
        case 'o': out = optarg; break;
        case 's':
            if (nsets == 256) return cli_usage("base", "more than 256 --set");
            sets[nsets++] = optarg;
            break;
        case 'b': backend = optarg; break;
        case 't':
            if (!cli_duration(optarg, &seconds))
                return cli_usage("base", "--max-time %s: give a time such as 90, 30m or 23h50m",
                                 optarg);
            end += seconds;
            break;
        case 'h': fputs(usage, stdout); return 0;
        default: return cli_option("base", c, argv);
        }
    if (optind != argc - 1 || !out)
        return cli_usage("base", "name one scenario, and the file to write with -o");
    if (!cli_ends(out, ".vtkhdf"))
        return cli_usage("base", "%s: only .vtkhdf is written; otok export makes a picture of it",
                         out);
    otok_scenario *scenario;
    otok_sim *sim = NULL;
    otok_status status = otok_scenario_load(&scenario, argv[optind], sets, nsets);
    if (status != OTOK_OK) return cli_fail("base", status);
    status = otok_sim_create_until(&sim, scenario, backend, seconds > 0 ? is_late : NULL, &end);
    if (status == OTOK_OK) status = otok_sim_save(sim, out);
    if (status == OTOK_OK)
        fprintf(stderr, "base terrain: %.3f ms on %s\n", 1e3 * otok_sim_base_seconds(sim),
                otok_sim_device(sim));
    otok_sim_destroy(sim);
    otok_scenario_destroy(scenario);
    return status == OTOK_OK ? 0 : cli_fail("base", status);
}
