/* compare.c: `otok compare`: compares two checkpoints bit for bit. */
#include "../core/status.h"
#include "../io/checkpoint.h"
#include "cli.h"
#include "options.h"
#include "text.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The cells of one field that differ in any bit. */
typedef struct difference {
    int64_t cells, first;
    double largest;
} difference;

static difference differ(const float *a, const float *b, int64_t cells)
{
    difference d = {0, -1, 0};
    for (int64_t i = 0; i < cells; i++) {
        if (memcmp(&a[i], &b[i], sizeof a[i]) == 0) continue;
        if (d.cells++ == 0) d.first = i;
        d.largest = fmax(d.largest, fabs((double)a[i] - (double)b[i]));
    }
    return d;
}

/* Counts the fields that differ; prints a line for each if `say`. */
static int fields(const otok_snapshot *a, const otok_snapshot *b, int say)
{
    int count = 0;
    for (int f = 0; f < OTOK_STORED; f++) {
        char text[OTOK_NAME_SIZE];
        const char *name = cli_plain(otok_snapshot_name(a->has >> f & 1 ? a : b, f, text)),
                   *unit = otok_snapshot_info(a->has >> f & 1 ? a : b, f)->unit;
        const int in_a = (int)(a->has >> f & 1), in_b = (int)(b->has >> f & 1);
        difference d = {0, 0, 0};
        if (in_a && in_b) d = differ(a->maps[f], b->maps[f], a->grid.nx * a->grid.ny);
        if (in_a == in_b && d.cells == 0) continue;
        if (say && count == 0)
            printf("%-16s %14s %-8s %12s  %s\n", "field", "max |A - B|", "unit", "cells",
                   "first cell x, y: A, B");
        count++;
        if (!say) continue;
        if (in_a != in_b)
            printf("%-16s only in %s\n", name, in_a ? "A" : "B");
        else
            printf("%-16s %14.6g %-8s %12" PRId64 "  %" PRId64 ", %" PRId64 ": %.9g, %.9g\n", name,
                   d.largest, unit, d.cells, d.first % a->grid.nx, d.first / a->grid.nx,
                   (double)a->maps[f][d.first], (double)b->maps[f][d.first]);
    }
    return count;
}

/* Prints differences outside the fields, which do not count. */
static void notes(const otok_snapshot *a, const otok_snapshot *b)
{
    if (a->iteration != b->iteration)
        printf("note: iterations %" PRId64 " and %" PRId64 "\n", a->iteration, b->iteration);
    if (a->time != b->time) printf("note: times %.17g s and %.17g s\n", a->time, b->time);
    if (a->sea_level != b->sea_level)
        printf("note: sea levels %.17g m and %.17g m\n", a->sea_level, b->sea_level);
    if (memcmp(a->sums, b->sums, sizeof a->sums) != 0) printf("note: the ledgers differ\n");
    if (strcmp(a->scenario, b->scenario) != 0) printf("note: the scenarios differ\n");
}

static int compare(const otok_snapshot *a, const otok_snapshot *b, int say)
{
    const otok_grid g = a->grid, h = b->grid;
    if (g.nx != h.nx || g.ny != h.ny || g.spacing != h.spacing) {
        if (say)
            printf("different: grids of %" PRId64 " x %" PRId64 " cells of %g m and %" PRId64
                   " x %" PRId64 " cells of %g m\n",
                   g.nx, g.ny, g.spacing, h.nx, h.ny, h.spacing);
        return 1;
    }
    const int count = fields(a, b, say);
    if (say) notes(a, b);
    if (say && !count) printf("equal: fingerprint %016" PRIx64 "\n", a->fingerprint);
    if (say && count) printf("different: %d field%s\n", count, count == 1 ? "" : "s");
    return count != 0;
}

int cli_compare(int argc, char **argv)
{
    int quiet = 0;
    const cli_option table[] = {CLI_QUIET(&quiet, "print only errors"), {0}};
    const cli_command command = {
        .name = "compare",
        .operands = "A B [options]",
        .about = "Compare all state fields of two checkpoints bit for bit. The exit code is 0 if "
                 "they are equal, 1 if they differ, and 65 if one of them is not a valid "
                 "checkpoint. A table shows by how much they differ, and the first cell that does.",
        .examples = "cpu/island_00003930.vtkhdf gpu/island_00003930.vtkhdf",
        .least = 2,
        .most = 2,
        .needs = "two checkpoints",
        .options = table};
    const int code = cli_options(&command, argc, argv);
    if (code >= 0) return code;
    otok_snapshot a, b;
    otok_status status = otok_checkpoint_read(&a, argv[optind]);
    if (status != OTOK_OK) return cli_fail(argv[0], status);
    status = otok_checkpoint_read(&b, argv[optind + 1]);
    const int result = status == OTOK_OK ? compare(&a, &b, !quiet) : cli_fail(argv[0], status);
    otok_snapshot_destroy(&a);
    otok_snapshot_destroy(&b);
    return result;
}
