/* rivers.c: the numbers of rivers that `inspect` prints, with what is usual; docs/geomorphology.md
   has the sources. */
#include "../sim/expressions.h"
#include "summary.h"

#include <math.h>
#include <stdio.h>

enum { CHANNEL = 100 }; /* cells that a river drains at least */

/* As responses of an area. */
static const struct number {
    const char *name, *text, *usual;
} numbers[] = {
    {"theta", "theta(%.17g)", "0.23 to 0.58; m/n in a steady state of rivers alone"},
    {"k_sn", "k_sn(%.17g)", "((U(1 + G) + c)/K)^(1/n) in a steady state of rivers alone"},
    {"hack", "hack(%.17g)", "0.5 to 0.6"},
    {"stream_order", "max(if(drainage_area > %.17g, stream_order, 0/0))", ""},
    {"drainage_density", "drainage_density(%.17g)", ""},
    {"hypsometry", "hypsometry(terrain)", "0.35 to 0.6"},
};
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

otok_status cli_rivers_of(cli_rivers *out, const otok_snapshot *s)
{
    otok_response list[NUMBERS] = {0};
    _Static_assert(sizeof out->values / sizeof out->values[0] == NUMBERS, "a value for each");
    *out = (cli_rivers){.least = CHANNEL * s->grid.spacing * s->grid.spacing};
    const float *ways = s->maps[OTOK_RECEIVER];
    for (int64_t i = 0; ways && i < s->grid.nx * s->grid.ny && !out->n; i++)
        out->n = ways[i] > 0 ? NUMBERS : 0;
    if (!out->n) return OTOK_OK;
    for (int i = 0; i < NUMBERS; i++)
        snprintf(list[i].text, sizeof list[i].text, numbers[i].text, out->least);
    return otok_responses_of_snapshot(out->values, list, NUMBERS, s);
}

void cli_rivers_print(const cli_rivers *r)
{
    if (r->n) printf("\n%-16s %14s  usual\n", "rivers", "value");
    for (int i = 0; i < r->n; i++)
        printf("%-16s %14.6g  %s\n", numbers[i].name, r->values[i], numbers[i].usual);
    if (r->n) printf("those that drain more than %.9g m2\n", r->least);
}

void cli_rivers_json(const cli_rivers *r)
{
    if (r->n) printf("  \"rivers\": {\"least_area\": %.17g", r->least);
    for (int i = 0; i < r->n; i++)
        isfinite(r->values[i]) ? printf(", \"%s\": %.17g", numbers[i].name, r->values[i])
                               : printf(", \"%s\": null", numbers[i].name);
    if (r->n) printf("},\n");
}
