/* road.c: `otok road`: builds a road into a checkpoint's terrain. Options are the keys of group
 * `road` of the table of parameters.
 */
#include "../core/status.h"
#include "cli.h"
#include "options.h"
#include "text.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct job {
    otok_road_request request;
    otok_point *via;
    const char *output, *line;
} job;

/* Reads "x,y": both finite, with nothing around them. */
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

static otok_status read_point(void *to, const char *name, const char *words)
{
    return point(to, words)
               ? OTOK_OK
               : OTOK_FAIL(OTOK_USAGE,
                           "--%s %s: not two numbers; write x,y in metres, such as 60,40", name,
                           words);
}

static otok_status add_via(void *to, const char *name, const char *words)
{
    job *j = to;
    otok_point *via = realloc(j->via, (size_t)(j->request.nvia + 1) * sizeof *via);
    if (!via) return OTOK_FAIL(OTOK_NOMEM, "no memory for %d way points", j->request.nvia + 1);
    j->request.via = j->via = via;
    return read_point(&via[j->request.nvia++], name, words);
}

/* The library checks the range. */
static otok_status read_int(void *to, const char *name, const char *words)
{
    double value;
    OTOK_TRY(cli_number(&value, name, words, -1e15, 1e15));
    *(int64_t *)to = (int64_t)value;
    return value == floor(value)
               ? OTOK_OK
               : OTOK_FAIL(OTOK_USAGE, "--%s %s: not a whole number", name, words);
}

static void print(const otok_road *r)
{
    printf("length          %14.3f m\n", r->length);
    printf("energy          %14.3f (M(slope) times metres)\n", r->energy);
    printf("steepest grade  %14.4f\n", r->steepest_grade);
    printf("tightest bend   %14.3f m\n", r->least_radius);
    printf("cut             %14.3f m3\n", r->cut);
    printf("fill            %14.3f m3\n", r->fill);
    printf("fill minus cut  %14.3f m3\n", r->fill - r->cut);
    printf("deepest cut     %14.3f m\n", r->deepest_cut);
    printf("highest fill    %14.3f m\n", r->highest_fill);
    printf("bridges         %14.3f m\n", r->bridge_length);
    printf("tunnels         %14.3f m\n", r->tunnel_length);
    printf("over water      %14.3f m\n", r->water_length);
    printf("on older roads  %14.3f m\n", r->shared_length);
}

static int build(const job *j, const char *input)
{
    if (!j->output) return cli_usage("road", "needs -o OUT.vtkhdf, the file to write");
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
    otok_status status = otok_road_run(&road, &j->request, input, j->output);
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

/* Adds the keys of the group `road` of the table of parameters to a table of options. */
static void add_keys(cli_option *table, int n, int most, char (*names)[64], job *j)
{
    for (int i = 0; i < otok_parameter_count() && n < most - 1; i++) {
        const otok_parameter *p = otok_parameter_at(i);
        if (strcmp(p->group, "road") != 0 || p->kind == OTOK_LIST) continue;
        option_name(names[n], p->key);
        const int is_int = p->kind == OTOK_INT;
        table[n] = (cli_option){names[n],
                                0,
                                is_int                      ? "N"
                                : strcmp(p->unit, "m") == 0 ? "METRES"
                                                            : "X",
                                p->help,
                                is_int ? CLI_READ : CLI_REAL,
                                (char *)&j->request + p->offset,
                                -HUGE_VAL,
                                HUGE_VAL,
                                read_int};
        n++;
    }
}

int cli_road(int argc, char **argv)
{
    enum { MOST = 32 };
    char names[MOST][64];
    job j = {.output = NULL};
    otok_road_request_defaults(&j.request);
    cli_option table[MOST] = {
        CLI_OPTION("from", 0, "X,Y",
                   "start of the road, in metres from the left and bottom edges of the map",
                   CLI_READ, &j.request.from, .read = read_point),
        CLI_OPTION("to", 0, "X,Y", "end of the road", CLI_READ, &j.request.to, .read = read_point),
        CLI_OPTION("via", 0, "X,Y", "a way point; may be repeated, in order", CLI_READ, &j,
                   .read = add_via),
        CLI_OUTPUT("OUT.vtkhdf", "the checkpoint to write", &j.output),
        CLI_OPTION("line", 'l', "FILE", "the centre line to write: .geojson or .csv", CLI_TEXT,
                   &j.line),
    };
    add_keys(table, 5, MOST, names, &j);
    const cli_command command = {
        .name = "road",
        .operands = "CHECKPOINT --from X,Y --to X,Y [--via X,Y]... -o OUT.vtkhdf [options]",
        .about = "Find the cheapest route between two points and build a road along it. Write the "
                 "checkpoint with this road: cut and fill are in terrain_change, the road is in "
                 "road and road_height. Print its length, energy, grade, bends, cut and fill.",
        .notes = "A new road uses the beds, bridges and tunnels of earlier roads if that is "
                 "cheaper (--reuse). Water deeper than --ford, and the sea, costs --water-cost "
                 "times as much and is bridged. `otok parameters road` lists defaults and ranges.",
        .examples = "valley.vtkhdf --from 60,40 --to 900,970 --max-grade 0.12 -o road.vtkhdf "
                    "--line road.geojson",
        .needs = "one checkpoint",
        .options = table};
    int code = cli_options(&command, argc, argv);
    if (code < 0) code = build(&j, argv[optind]);
    free(j.via);
    return code;
}
