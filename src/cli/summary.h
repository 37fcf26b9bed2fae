/* summary.h: what `otok inspect` says of a map of a checkpoint. */
#ifndef OTOK_CLI_SUMMARY_H
#define OTOK_CLI_SUMMARY_H

#include "../io/checkpoint.h"

typedef struct cli_summary {
    double low, mean, high; /* NAN: no cell has a value; mean of directions: the mean direction */
} cli_summary;

/* Of field f, without walls, and cells without a value (NaN). */
cli_summary cli_summarise(const otok_snapshot *of, int f, const float *map);

#endif
