/* study.c: `otok study`: a parameter study, or only its table of members. */
#include "cli.h"
#include "text.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

static const char usage[] = "usage: otok study STUDY.yaml --dry-run\n\n"
                            "      --dry-run           prints the members as CSV, paths in the first line; runs nothing\n\n"
                            "example: otok study experiments/stability/water_edge.yaml --dry-run\n";

static void members(const otok_study *study)
{
    const int n = otok_study_axes(study);
    for (int a = 0; a < n; a++)
        printf("%s%c", otok_study_axis(study, a), a < n - 1 ? ',' : '\n');
    for (int64_t row = 0; row < otok_study_rows(study); row++)
        for (int a = 0; a < n; a++) {
            char value[OTOK_VALUE_SIZE];
            otok_study_value(study, row, a, value);
            printf("%s%c", value, a < n - 1 ? ',' : '\n');
        }
}

int cli_study(int argc, char **argv)
{
    static const struct option known[] = {{"dry-run", 0, 0, 'd'}, {"help", 0, 0, 'h'}, {0, 0, 0, 0}};
    int c, dry = 0;
    otok_study *study;
    optind = 1;
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":h", known, NULL)) != -1)
        switch (c) {
        case 'd': dry = 1; break;
        case 'h': fputs(usage, stdout); return 0;
        default: return cli_option("study", c, argv);
        }
    if (optind != argc - 1) return cli_usage("study", "name one study");
    if (!dry) return cli_usage("study", "only --dry-run");
    const otok_status status = otok_study_load(&study, argv[optind]);
    if (status != OTOK_OK) return cli_fail("study", status);
    members(study);
    otok_study_destroy(study);
    return 0;
}
