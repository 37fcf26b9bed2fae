/* edge.c: `otok edge`: where along one axis of a study the verdict changes, or in the plane of two.
 */
#include "cli.h"
#include "signals.h"
#include "text.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char usage[] =
    "usage: otok edge STUDY.yaml [options]\n\n"
    "  -o, --output DIR        directory of the rounds (default: out)\n"
    "      --members N         one axis: members of each round (default: 64)\n"
    "      --rounds N          one axis: rounds; each narrows the edge MEMBERS - 1 times (default: "
    "3)\n"
    "      --levels N          two axes: how often the cells along the boundary are halved "
    "(default: 4)\n"
    "      --ray               moves all axes with `from` and `to` together, as one axis\n"
    "      --backend NAME      auto, cpu or cuda (default: auto, cuda where a device answers)\n"
    "      --resume            continues a search that was stopped\n\n"
    "One axis of the study has `from` and `to`, every other axis one value: the search runs along "
    "it. Prints the last value with\n"
    "the verdict of `from`, the first value with another verdict, and the predicted margins of "
    "both. Exits with 1 if the verdict\n"
    "changes back further on.\n"
    "Two axes have `from` and `to`: runs the grid of the study, then refines the boundary between "
    "stable and other members.\n"
    "Writes members.csv, boundary.csv and boundary.h5 to DIR. Exits with 1 if a line along an axis "
    "crosses it more than once.\n"
    "With --ray the printed numbers are shares of the ray; the values of the axes there follow.\n\n"
    "example: otok edge experiments/stability/water_edge/one_way.yaml -o out\n";

static int poll(void *user, const otok_study_progress *p)
{
    (void)user, (void)p;
    return cli_signals_asked() ? OTOK_STOP_NOW : OTOK_GO_ON;
}

/* The values of all axes at a share of the way. */
static void values(const otok_study *study, double share)
{
    for (int a = 0; a < otok_study_axes(study); a++) {
        char text[OTOK_VALUE_SIZE];
        otok_study_ray_value(study, a, share, text);
        printf("        %s = %s\n", otok_study_axis(study, a), text);
    }
}

static int run(const otok_study *study, const otok_study_options *o, int64_t members, int rounds,
               int ray)
{
    otok_verdict_edge e;
    const otok_status status = ray ? otok_study_ray(&e, study, o, members, rounds)
                                   : otok_study_edge(&e, study, o, members, rounds);
    if (status != OTOK_OK) return cli_fail("edge", status);
    printf("inside  %.9g %s, predicted margin %.6g\n", e.inside,
           otok_verdict_name(e.inside_verdict), e.inside_margin);
    if (ray) values(study, e.inside);
    printf("outside %.9g %s, predicted margin %.6g\n", e.outside,
           otok_verdict_name(e.outside_verdict), e.outside_margin);
    if (ray) values(study, e.outside);
    printf("%" PRId64 " members, %s", e.members, e.violations ? "NOT monotone: " : "monotone\n");
    if (e.violations)
        printf("%" PRId64 " beyond the edge are %s\n", e.violations,
               otok_verdict_name(e.inside_verdict));
    return e.violations != 0;
}

static int boundary(const otok_study *study, const otok_study_options *o, int levels)
{
    otok_boundary b;
    const otok_status status = otok_study_boundary(&b, study, o, levels);
    if (status != OTOK_OK) return cli_fail("edge", status);
    printf("%" PRId64 " members in %d rounds, %" PRId64 " stable; a boundary of %" PRId64
           " points in %" PRId64 " lines, %s\n",
           b.members, b.rounds, b.stable, b.points, b.lines,
           b.violations ? "NOT monotone:" : "monotone along both axes");
    if (b.violations)
        printf("on %" PRId64 " lines of members it is crossed more than once: %s\n", b.violations,
               b.first_violation);
    printf("%s/boundary.csv\n", o->directory);
    return b.violations != 0;
}

int cli_edge(int argc, char **argv)
{
    static const struct option known[] = {
        {"output", 1, 0, 'o'}, {"backend", 1, 0, 'b'}, {"members", 1, 0, 'm'},
        {"rounds", 1, 0, 'n'}, {"levels", 1, 0, 'l'},  {"ray", 0, 0, 'y'},
        {"resume", 0, 0, 'r'}, {"help", 0, 0, 'h'},    {0, 0, 0, 0}};
    otok_study_options o = {
        .directory = "out", .backend = "auto", .shard = 1, .shards = 1, .poll = poll};
    int c, members = 64, rounds = 3, levels = 4, of_one = 0, of_two = 0, ray = 0;
    otok_study *study;
    optind = 1;
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":o:h", known, NULL)) != -1)
        switch (c) {
        case 'o': o.directory = optarg; break;
        case 'y': ray = 1; break;
        case 'b': o.backend = optarg; break;
        case 'm':
            if (!cli_whole(optarg, 3, 65536, &members))
                return cli_usage("edge", "--members %s: a whole number from 3 to 65536", optarg);
            of_one = 1;
            break;
        case 'n':
            if (!cli_whole(optarg, 1, 16, &rounds))
                return cli_usage("edge", "--rounds %s: a whole number from 1 to 16", optarg);
            of_one = 1;
            break;
        case 'l':
            if (!cli_whole(optarg, 0, OTOK_BOUNDARY_LEVELS, &levels))
                return cli_usage("edge", "--levels %s: a whole number from 0 to %d", optarg,
                                 OTOK_BOUNDARY_LEVELS);
            of_two = 1;
            break;
        case 'r': o.resume = 1; break;
        case 'h': fputs(usage, stdout); return 0;
        default: return cli_option("edge", c, argv);
        }
    if (optind != argc - 1) return cli_usage("edge", "name one study");
    otok_status status = otok_study_load(&study, argv[optind]);
    if (status != OTOK_OK) return cli_fail("edge", status);
    const int two = otok_study_spans(study) == 2 && !ray;
    int code;
    if (two ? of_one : of_two)
        code = cli_usage(
            "edge",
            two ? "the study has two axes; --members and --rounds are for one"
                : "--levels is for a study with two axes that have `from` and `to`, without --ray");
    else
        code = two ? boundary(study, &o, levels) : run(study, &o, members, rounds, ray);
    otok_study_destroy(study);
    return code;
}
