/* road.c: `otok road`: builds a road into a checkpoint's terrain. Options are the keys of group
 * `road` of the table of parameters.
 */
#include "cli.h"
#include "text.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: otok road CHECKPOINT --from X,Y --to X,Y [--via X,Y]... -o OUT.vtkhdf [options]\n"
    "\n"
    "Finds the cheapest route between two points, builds a road along it, and writes the "
    "checkpoint with the road: cut and fill\n"
    "in terrain_change, the road itself in the fields road and road_height. Prints length, energy, "
    "grade, bends and earthwork.\n"
    "Water deeper than --ford, and the sea, costs --water-cost times as much, and is bridged.\n"
    "If the checkpoint has roads, the new one uses their beds, bridges and tunnels where that is "
    "cheaper (--reuse).\n"
    "\n"
    "  --from X,Y  --to X,Y    begin and end, metres from the left and bottom edges of the map\n"
    "  --via X,Y               a way point; may be repeated, in order\n"
    "  -o, --output FILE       the checkpoint to write\n"
    "  -l, --line FILE         the centre line to write: .geojson or .csv\n"
    "  -h, --help              prints this\n"
    "\n"
    "`otok parameters road` lists defaults and ranges of these:\n"
    "  --step N  --max-grade G  --reuse F  --width M  --verge M  --subdivisions N  --smoothing N  "
    "--bridge-height M  --tunnel-depth M\n"
    "  --turn-radius M  --ford M  --clearance M  --water-cost F  --balance 0|1\n"
    "\n"
    "example: otok road valley.vtkhdf --from 60,40 --to 900,970 --max-grade 0.12 -o road.vtkhdf "
    "--line road.geojson\n";

enum { FROM = 256, TO, VIA, KEYS }; /* KEYS + i: parameter i of the table */

typedef struct job {
    otok_road_request request;
    otok_point *via;
    const char *output, *line;
} job;

/* "x,y", both finite, nothing around them. */
static int point(otok_point *out, const char *text)
{
    char *end;
    out->x = strtod(text, &end);
    if (end == text || *end != ',') return 0;
    const char *second = end + 1;
    out->y = strtod(second, &end);
    out->z = 0;
    return end != second && !*end && isfinite(out->x) && isfinite(out->y);
}

static int read_point(job *j, int c)
{
    otok_point p;
    if (!point(&p, optarg))
        return cli_usage("road", "--%s %s: not two numbers; write x,y in metres, such as 60,40",
                         c == FROM ? "from"
                         : c == TO ? "to"
                                   : "via",
                         optarg);
    if (c == FROM) j->request.from = p;
    if (c == TO) j->request.to = p;
    if (c != VIA) return 0;
    otok_point *via = realloc(j->via, (size_t)(j->request.nvia + 1) * sizeof *via);
    if (!via) return cli_usage("road", "no memory for %d way points", j->request.nvia + 1);
    j->request.via = j->via = via;
    via[j->request.nvia++] = p;
    return 0;
}

/* A value of the table; its range is the library's to check. */
static int read_key(job *j, const otok_parameter *p, const char *name)
{
    char *end;
    const double value = strtod(optarg, &end);
    if (end == optarg || *end) return cli_usage("road", "--%s %s: not a number", name, optarg);
    void *at = (char *)&j->request + p->offset;
    if (p->kind == OTOK_INT && (value != floor(value) || fabs(value) > 1e15))
        return cli_usage("road", "--%s %s: not a whole number of %.0f..%.0f", name, optarg, p->low,
                         p->high);
    if (p->kind == OTOK_INT)
        *(int64_t *)at = (int64_t)value;
    else
        *(double *)at = value;
    return 0;
}

static void print(const otok_road *r)
{
    printf("length          %14.3f m\n", r->length);
    printf("energy          %14.3f (M(slope) times metres)\n", r->energy);
    printf("steepest grade  %14.4f\n", r->steepest_grade);
    printf("tightest bend   %14.3f m\n", r->least_radius);
    printf("cut             %14.3f m3\n", r->cut);
    printf("fill            %14.3f m3\n", r->fill);
    printf("fill less cut   %14.3f m3\n", r->fill - r->cut);
    printf("deepest cut     %14.3f m\n", r->deepest_cut);
    printf("highest fill    %14.3f m\n", r->highest_fill);
    printf("bridges         %14.3f m\n", r->bridge_length);
    printf("tunnels         %14.3f m\n", r->tunnel_length);
    printf("over water      %14.3f m\n", r->water_length);
    printf("on older roads  %14.3f m\n", r->shared_length);
}

static int build(const job *j, int argc, char **argv)
{
    if (optind != argc - 1 || !j->output)
        return cli_usage("road", "name one checkpoint, and the file to write with -o");
    if (!cli_ends(j->output, ".vtkhdf"))
        return cli_usage(
            "road", "%s: only .vtkhdf is written; otok export and otok render make pictures of it",
            j->output);
    if (isnan(j->request.from.x) || isnan(j->request.to.x))
        return cli_usage("road", "--from x,y and --to x,y must be given");
    if (j->line && !cli_ends(j->line, ".geojson") && !cli_ends(j->line, ".csv"))
        return cli_usage("road", "--line %s: unknown kind of file; known are .geojson and .csv",
                         j->line);
    otok_road *road;
    otok_status status = otok_road_run(&road, &j->request, argv[optind], j->output);
    if (status != OTOK_OK) return cli_fail("road", status);
    print(road);
    if (j->line) status = otok_road_save(road, j->line);
    otok_road_destroy(road);
    return status == OTOK_OK ? 0 : cli_fail("road", status);
}

/* "max_grade" -> "max-grade" */
static void option_name(char out[64], const char *key)
{
    snprintf(out, 64, "%s", key);
    for (char *c = out; (c = strchr(c, '_'));)
        *c = '-';
}

int cli_road(int argc, char **argv)
{
    enum { FIXED = 6, MOST = 40 };
    struct option known[MOST] = {{"from", 1, 0, FROM},  {"to", 1, 0, TO},    {"via", 1, 0, VIA},
                                 {"output", 1, 0, 'o'}, {"line", 1, 0, 'l'}, {"help", 0, 0, 'h'}};
    char names[MOST][64];
    int n = FIXED, c, bad = 0;
    for (int i = 0; i < otok_parameter_count() && n < MOST - 1; i++) {
        const otok_parameter *p = otok_parameter_at(i);
        if (strcmp(p->group, "road") != 0 || p->kind == OTOK_LIST) continue;
        option_name(names[n], p->key);
        known[n] = (struct option){names[n], 1, 0, KEYS + i};
        n++;
    }
    job j = {.output = NULL};
    otok_road_request_defaults(&j.request);
    optind = 1;
    opterr = 0;
    int option = 0;
    while (!bad && (c = getopt_long(argc, argv, ":o:l:h", known, &option)) != -1)
        switch (c) {
        case 'o': j.output = optarg; break;
        case 'l': j.line = optarg; break;
        case 'h':
            fputs(usage, stdout);
            free(j.via);
            return 0;
        case FROM:
        case TO:
        case VIA: bad = read_point(&j, c); break;
        default:
            bad = c >= KEYS ? read_key(&j, otok_parameter_at(c - KEYS), known[option].name)
                            : cli_option("road", c, argv);
        }
    const int code = bad ? bad : build(&j, argc, argv);
    free(j.via);
    return code;
}
