/* edge.c: `otok edge`: finds where the verdict changes along an axis of a study, or along a ray. */
#include "cli.h"
#include "options.h"
#include "signals.h"
#include "text.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int poll(void *user, const otok_study_progress *p)
{
    (void)user, (void)p;
    return cli_signals_asked() ? OTOK_STOP_NOW : OTOK_GO_ON;
}

/* Prints the values of all axes at a share of the way. */
static void values(const otok_study *study, double share)
{
    for (int a = 0; a < otok_study_axes(study); a++) {
        char text[OTOK_VALUE_SIZE];
        otok_study_ray_value(study, a, share, text);
        printf("        %s = %s\n", cli_plain(otok_study_axis(study, a)), cli_plain(text));
    }
}

static void side(const char *name, double at, otok_verdict verdict, double margin, double value)
{
    printf("%s %.9g %s, predicted margin %.6g", name, at, otok_verdict_name(verdict), margin);
    if (!isnan(value)) printf(", response %.9g", value);
    putchar('\n');
}

static int run(const otok_study *study, const otok_study_options *o, int64_t members, int rounds,
               int ray)
{
    otok_verdict_edge e;
    const otok_status status = ray ? otok_study_ray(&e, study, o, members, rounds)
                                   : otok_study_edge(&e, study, o, members, rounds);
    if (status != OTOK_OK) return cli_fail("edge", status);
    side("inside ", e.inside, e.inside_verdict, e.inside_margin, e.inside_value);
    if (ray) values(study, e.inside);
    side("outside", e.outside, e.outside_verdict, e.outside_margin, e.outside_value);
    if (ray) values(study, e.outside);
    printf("%" PRId64 " members, %s", e.members, e.violations ? "NOT monotone: " : "monotone\n");
    if (e.violations) printf("%" PRId64 " beyond the edge are as those inside\n", e.violations);
    printf("%s/edge.csv\n", cli_plain(o->directory));
    return e.violations != 0;
}

int cli_edge(int argc, char **argv)
{
    otok_study_options o = {
        .directory = "out", .backend = "auto", .shard = 1, .shards = 1, .poll = poll};
    int members = 64, rounds = 3, ray = 0;
    otok_study *study;
    const cli_option table[] = {
        CLI_OUTPUT("DIR", "directory of the rounds (default: out)", &o.directory),
        CLI_OPTION("members", 0, "N", "members of each round (default: 64)", CLI_WHOLE, &members, 3,
                   65536),
        CLI_OPTION("rounds", 0, "N",
                   "number of rounds (default: 3); each divides the interval of the edge by "
                   "--members less 1",
                   CLI_WHOLE, &rounds, 1, 16),
        CLI_OPTION("ray", 0, NULL,
                   "move all axes with `from` and `to` together, as if they were one axis",
                   CLI_FLAG, &ray),
        CLI_BACKEND(&o.backend),
        CLI_OPTION("resume", 0, NULL, "continue a search that was stopped", CLI_FLAG, &o.resume),
        {0}};
    const cli_command command = {
        .name = "edge",
        .operands = "STUDY.yaml [options]",
        .about = "Find the values at which the verdict changes, or a response passes the level "
                 "that the study's key `inside` has, such as lake < 100.\n"
                 "If one axis of the study has `from` and `to`, and every other axis one value, "
                 "the search runs along that axis. It prints the last value with the verdict of "
                 "`from`, the first value with another verdict, and the predicted margins of both, "
                 "and writes them to edge.csv and all members to members.csv in DIR. The exit code "
                 "is 1 if the verdict changes more than once.",
        .notes = "With --ray the printed numbers run from 0 (all axes at `from`) to 1 (all at "
                 "`to`), with the values of the axes beside them.",
        .examples = "experiments/stability/water_edge/one_way.yaml -o out",
        .needs = "one study",
        .options = table};
    const int refused = cli_options(&command, argc, argv);
    if (refused >= 0) return refused;
    otok_status status = otok_study_load(&study, argv[optind]);
    if (status != OTOK_OK) return cli_fail("edge", status);
    otok_study_notes(study, cli_note, "edge"); /* its failure is the members' */
    const int code = run(study, &o, members, rounds, ray);
    otok_study_destroy(study);
    return code;
}
