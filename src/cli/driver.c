/* driver.c: `otok driver`: one member for a tool that calls programs by files, such as Dakota. */
#include "../core/status.h"
#include "cli.h"
#include "options.h"
#include "text.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum { NAMES = 32 };

static otok_status add_name(void *to, const char *option, const char *words)
{
    otok_driver_options *o = to;
    if (o->nnames == NAMES || !strchr(words, '='))
        return OTOK_FAIL(OTOK_USAGE, "--%s %s: give NAME=PATH, at most %d times", option, words,
                         NAMES);
    ((const char **)o->names)[o->nnames++] = words;
    return OTOK_OK;
}

static otok_status read_format(void *to, const char *option, const char *word)
{
    int *is_json = to;
    *is_json = strcmp(word, "json") == 0;
    return *is_json || strcmp(word, "standard") == 0
               ? OTOK_OK
               : OTOK_FAIL(OTOK_USAGE, "--%s %s: neither standard nor json", option, word);
}

int cli_driver(int argc, char **argv)
{
    const char *names[NAMES];
    otok_driver_options o = {.backend = "auto", .names = names, .results_json = -1};
    int failed = 0, every = 10;
    const cli_option table[] = {
        CLI_OPTION("name", 0, "NAME=PATH",
                   "the variable NAME is the key PATH of the scenario; the name of any other "
                   "variable is a path",
                   CLI_READ, &o, .read = add_name),
        CLI_OPTION("every", 0, "N", "iterations between two samples of the detectors (default: 10)",
                   CLI_WHOLE, &every, 1, 1000000000),
        CLI_OPTION("rerun", 0, NULL,
                   "run growing members again with half the time step and half the cell size",
                   CLI_FLAG, &o.rerun),
        CLI_OPTION("results", 0, "FORMAT", "standard or json (default: the format of PARAMETERS)",
                   CLI_READ, &o.results_json, .read = read_format),
        CLI_BACKEND(&o.backend),
        {0}};
    const cli_command command = {
        .name = "driver",
        .operands = "SCENARIO.yaml [options] PARAMETERS RESULTS",
        .about =
            "Runs the scenario once for a tool such as Dakota. It takes the values of the file "
            "PARAMETERS, which is in Dakota's format standard, APREPRO or JSON, and writes the "
            "responses that this file asks for to RESULTS. Responses are stable (1 or 0), verdict, "
            "margin, first_iteration, iterations, simulated_time, and every number of study.h5 by "
            "its name there, of the last sample, such as relief, water or roughness.",
        .notes = "RESULTS begins with `fail` (JSON: \"fail\": \"true\") if a value is refused, the "
                 "run fails, or a response has no value; most have none when a member diverges. "
                 "The exit code is then 0, because the tool decides what follows. It is not 0 if "
                 "RESULTS cannot be written.",
        .examples = "experiments/stability/dakota/water.yaml params.in results.out",
        .least = 3,
        .most = 3,
        .needs = "a scenario, a parameters file and a results file",
        .options = table};
    const int code = cli_options(&command, argc, argv);
    if (code >= 0) return code;
    o.scenario = argv[optind];
    o.every = every;
    const otok_status status = otok_study_drive(&o, argv[optind + 1], argv[optind + 2], &failed);
    if (status != OTOK_OK) return cli_fail("driver", status);
    if (failed)
        fprintf(stderr, "otok driver: %s: fail: %s\n", cli_plain(argv[optind + 2]), otok_why());
    return 0;
}
