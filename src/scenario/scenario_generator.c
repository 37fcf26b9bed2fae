/* scenario_generator.c: checks the keys of a generator together: lists of numbers, defaults that
   depend on the grid, contradictions. The parameter table checks each key alone. */
#include "scenario_read.h"

#include "../model/diamond_square.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_POINTS = 4096 };

int otok_sown_side(const otok_generator *g)
{
    const int lattice = g->kind == OTOK_GEN_DIAMOND_SQUARE || g->kind == OTOK_GEN_MIDPOINT;
    return lattice ? (int)lround(sqrt(g->nnumbers)) : 0;
}

/* Reads a list of `n` rows of `row` numbers into g->numbers. null becomes NAN if `holes` are
   allowed. */
static otok_status read_rows(otok_generator *g, const otok_node *list, int row, int holes,
                             const char *form)
{
    const otok_parameter range = {.unit = "m", .low = -1e9, .high = 1e9};
    g->numbers = malloc((size_t)list->n * (size_t)row * sizeof *g->numbers);
    if (!g->numbers) return OTOK_FAIL(OTOK_NOMEM, "no memory for %d numbers", list->n * row);
    for (int r = 0; r < list->n; r++) {
        const otok_node *items = list->items[r];
        if (items->kind != OTOK_NODE_LIST || items->n != row)
            return otok_node_fail(items, "not a row of %d numbers; write %s", row, form);
        for (int i = 0; i < row; i++, g->nnumbers++) {
            double *at = &g->numbers[g->nnumbers];
            if (holes && otok_node_is_null(items->items[i]))
                *at = NAN;
            else
                OTOK_TRY(otok_value_real(at, items->items[i], &range));
        }
    }
    return OTOK_OK;
}

static int is_list(const otok_node *list)
{
    return list->kind == OTOK_NODE_LIST && list->n > 0;
}

/* Reads rows in the order of a map, with the top row first. Memory has the bottom row first. */
static otok_status read_sown(otok_generator *g, const otok_node *list)
{
    static const char form[] = "a square of 2^d + 1 rows and columns, such as [[0, null, 0], "
                               "[null, 100, null], [0, null, 0]]";
    if (!list) return OTOK_OK;
    int depth = 0;
    while (is_list(list) && depth < OTOK_LEVELS && list->n > (1 << depth) + 1)
        depth++;
    if (!is_list(list) || list->n != (1 << depth) + 1)
        return otok_node_fail(list, "%d rows; write %s", list->n, form);
    OTOK_TRY(read_rows(g, list, list->n, 1, form));
    const int side = list->n;
    for (int j = 0; j < side / 2; j++)
        for (int i = 0; i < side; i++) {
            double *a = &g->numbers[j * side + i], *b = &g->numbers[(side - 1 - j) * side + i],
                   was = *a;
            *a = *b;
            *b = was;
        }
    return OTOK_OK;
}

/* In a lattice that tiles, opposite borders must be sown alike. */
static otok_status check_seams(const otok_generator *g, const otok_node *list)
{
    const int side = otok_sown_side(g);
    const double *h = g->numbers;
    for (int n = 0; n < side; n++) {
        const double left = h[n * side], right = h[n * side + side - 1], bottom = h[n],
                     top = h[(side - 1) * side + n];
        if ((left != right && !(isnan(left) && isnan(right))) ||
            (bottom != top && !(isnan(bottom) && isnan(top))))
            return otok_node_fail(
                list, "with `tile: true` opposite borders are one; sow the same heights on both");
    }
    return OTOK_OK;
}

/* The smallest number of levels with which the lattice covers the grid, or tiles it in one
   piece. */
static int levels_for(const otok_diamond_square *d, const otok_grid *grid)
{
    const int64_t x = d->offset_x + grid->nx, y = d->offset_y + grid->ny;
    int levels = 1;
    while (levels <= OTOK_LEVELS && (1 << levels) + !d->tile < (x > y ? x : y))
        levels++;
    return levels;
}

static otok_status finish_midpoint(otok_generator *g, const otok_node *map, const otok_grid *grid)
{
    otok_diamond_square *d = &g->as.diamond_square;
    const otok_node *sown = otok_node_find(map, "sown"), *levels = otok_node_find(map, "levels"),
                    *low = otok_node_find(map, "low"), *high = otok_node_find(map, "high");
    char one[64], other[64];
    OTOK_TRY(read_sown(g, sown));
    if (d->low > d->high)
        return otok_node_fail(low ? low : high, "low %s is above high %s; swap them",
                              otok_as_given(low, d->low, 15, "m", one),
                              otok_as_given(high, d->high, 15, "m", other));
    const int least = levels_for(d, grid), side = otok_sown_side(g),
              depth = side ? (int)lround(log2(side - 1)) : 0;
    if (d->levels == 0)
        d->levels = least < depth ? depth : d->tile && least > OTOK_LEVELS ? OTOK_LEVELS : least;
    if (d->levels > OTOK_LEVELS || (!d->tile && d->levels < least)) {
        if (least > OTOK_LEVELS)
            return otok_node_fail(map,
                                  "no lattice covers the grid with its offset (at most 2^%d + 1 "
                                  "points); use `tile: true`, or "
                                  "put it into `upsample: {with: [...]}`",
                                  OTOK_LEVELS);
        return otok_node_fail(levels,
                              "2^%d + 1 points do not cover the grid with its offset; allowed: at "
                              "least %d, or `tile: true`",
                              (int)d->levels, least);
    }
    if (depth > d->levels)
        return otok_node_fail(
            sown, "%d rows are more than the lattice has; allowed: at most 2^levels + 1 = %d", side,
            (1 << d->levels) + 1);
    return d->tile && side ? check_seams(g, sown) : OTOK_OK;
}

static otok_status finish_crop(otok_generator *g, const otok_node *map, const otok_grid *domain)
{
    static const char form[] = "[[x, y], [x, y], [x, y], ...]";
    otok_crop *c = &g->as.crop;
    const double width = (double)domain->nx * domain->spacing,
                 height = (double)domain->ny * domain->spacing;
    const otok_node *points = otok_node_find(map, "points");
    if (isnan(c->x)) c->x = 0.5 * width;
    if (isnan(c->y)) c->y = 0.5 * height;
    if (isnan(c->width)) c->width = width;
    if (isnan(c->height)) c->height = height;
    if (c->shape != OTOK_CROP_POLYGON)
        return points
                   ? otok_node_fail(
                         points, "points are for a polygon; add `shape: polygon`, or take them out")
                   : OTOK_OK;
    if (!points || !is_list(points) || points->n < 3 || points->n > MOST_POINTS)
        return otok_node_fail(points ? points : map,
                              "a polygon needs 3 to %d points; write `points: %s`", MOST_POINTS,
                              form);
    return read_rows(g, points, 2, 0, form);
}

otok_status otok_generator_finish(otok_generator *g, const otok_node *map, const otok_grid *domain,
                                  const otok_grid *grid)
{
    switch (g->kind) {
    case OTOK_GEN_CONE:
        if (isnan(g->as.cone.x)) g->as.cone.x = 0.5 * (double)domain->nx * domain->spacing;
        if (isnan(g->as.cone.y)) g->as.cone.y = 0.5 * (double)domain->ny * domain->spacing;
        return OTOK_OK;
    case OTOK_GEN_DIAMOND_SQUARE:
    case OTOK_GEN_MIDPOINT: return finish_midpoint(g, map, grid);
    case OTOK_GEN_CROP: return finish_crop(g, map, domain);
    default: return OTOK_OK;
    }
}
