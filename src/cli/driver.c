/* driver.c: `otok driver`: one member for a tool that calls programs by files, such as Dakota. */
#include "cli.h"
#include "text.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: otok driver SCENARIO.yaml [options] PARAMETERS RESULTS\n\n"
    "      --name NAME=PATH    the variable NAME is the key PATH of the scenario; other variables "
    "are paths\n"
    "      --every N           iterations between two samples of the detectors (default: 10)\n"
    "      --rerun             runs growing members again with half the time step and half the "
    "cell size\n"
    "      --results FORMAT    standard or json (default: the format of PARAMETERS)\n"
    "      --backend NAME      auto, cpu or cuda (default: auto, cuda where a device answers)\n\n"
    "Runs the scenario once with the values of the file PARAMETERS (Dakota's standard, APREPRO or "
    "JSON format) and writes the\n"
    "responses that the file asks for to RESULTS: stable (1 or 0), verdict, margin, "
    "first_iteration, iterations, simulated_time,\n"
    "and any number of study.h5 by its name there, of the last sample, such as relief, water or "
    "roughness.\n"
    "If a value is refused, the run fails, or a response has no value (most have none when a "
    "member diverged), RESULTS begins\n"
    "with `fail` (JSON: \"fail\": \"true\") and the exit code is 0: the tool decides. The exit "
    "code is not 0 if RESULTS could\n"
    "not be written.\n\n"
    "example: otok driver experiments/stability/dakota/water.yaml params.in results.out\n";

int cli_driver(int argc, char **argv)
{
    enum { NAMES = 32 };
    static const struct option known[] = {
        {"name", 1, 0, 'n'},    {"every", 1, 0, 'e'}, {"rerun", 0, 0, 'r'}, {"results", 1, 0, 'f'},
        {"backend", 1, 0, 'b'}, {"help", 0, 0, 'h'},  {0, 0, 0, 0}};
    const char *names[NAMES];
    otok_driver_options o = {.backend = "auto", .names = names, .every = 10, .results_json = -1};
    int c, failed = 0, every = 10;
    optind = 1;
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":h", known, NULL)) != -1)
        switch (c) {
        case 'n':
            if (o.nnames == NAMES || !strchr(optarg, '='))
                return cli_usage("driver", "--name %s: give NAME=PATH, 32 at most", optarg);
            names[o.nnames++] = optarg;
            break;
        case 'e':
            if (!cli_whole(optarg, 1, 1000000000, &every))
                return cli_usage("driver", "--every %s: a whole number from 1", optarg);
            break;
        case 'r': o.rerun = 1; break;
        case 'f':
            o.results_json = strcmp(optarg, "json") == 0;
            if (!o.results_json && strcmp(optarg, "standard") != 0)
                return cli_usage("driver", "--results %s: standard or json", optarg);
            break;
        case 'b': o.backend = optarg; break;
        case 'h': fputs(usage, stdout); return 0;
        default: return cli_option("driver", c, argv);
        }
    if (optind != argc - 3)
        return cli_usage("driver", "name a scenario, a parameters file and a results file");
    o.scenario = argv[optind];
    o.every = every;
    const otok_status status = otok_study_drive(&o, argv[optind + 1], argv[optind + 2], &failed);
    if (status != OTOK_OK) return cli_fail("driver", status);
    if (failed) fprintf(stderr, "otok driver: %s: fail: %s\n", argv[optind + 2], otok_why());
    return 0;
}
