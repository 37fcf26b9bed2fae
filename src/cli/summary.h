/* summary.h: what `otok inspect` says of a map of a checkpoint. */
#ifndef OTOK_CLI_SUMMARY_H
#define OTOK_CLI_SUMMARY_H

#include "../io/checkpoint.h"

typedef struct cli_summary {
    double low, mean, high; /* NAN: no cell has a value; mean of directions: the mean direction */
} cli_summary;

/* Of field f, without walls, and cells without a value (NaN). */
cli_summary cli_summarise(const otok_snapshot *of, int f, const float *map);

/* rivers.c: the numbers of a state's rivers, for `inspect`. None before a cell drains to another.
 */
typedef struct cli_rivers {
    int n;
    double least, values[6]; /* the least area that they drain [m2] */
} cli_rivers;
otok_status cli_rivers_of(cli_rivers *out, const otok_snapshot *snapshot);
void cli_rivers_print(const cli_rivers *rivers);
void cli_rivers_json(const cli_rivers *rivers);

#endif
