/* cut.c: see cut.h. */
#include "cut.h"

#include "../core/status.h"

#include <stdlib.h>

int otok_cut_height(const otok_cut *cut, int band)
{
    return cut->first[band + 1] - cut->first[band] + cut->below[band] + cut->above[band];
}

static int owner(const otok_cut *cut, int row)
{
    int band = 0;
    while (row >= cut->first[band + 1])
        band++;
    return band;
}

/* Adds the transfers that fill the rows to_row .. to_row + rows of a band from the rows `row`
   and following of the grid. If cut->transfers is NULL, it only counts them. */
static void fill(otok_cut *cut, int to, int to_row, int row, int rows)
{
    const int all = cut->first[cut->count];
    while (rows > 0) {
        const int at = (row % all + all) % all, from = owner(cut, at),
                  left = cut->first[from + 1] - at;
        const int n = rows < left ? rows : left;
        if (cut->transfers)
            cut->transfers[cut->ntransfers] =
                (otok_transfer){to, to_row, from, at - cut->first[from] + cut->below[from], n};
        cut->ntransfers++;
        to_row += n;
        row += n;
        rows -= n;
    }
}

/* The ghosts beyond the grid, for a band that shares all rows up to its end. */
static void fill_ghosts(otok_cut *cut, int to, int to_row, int from, int from_row)
{
    if (cut->transfers)
        cut->transfers[cut->ntransfers] = (otok_transfer){to, to_row, from, from_row, 1};
    cut->ntransfers++;
}

static void fill_all(otok_cut *cut)
{
    const int last = cut->count - 1;
    cut->ntransfers = 0;
    for (int b = 0; b < cut->count; b++) {
        const int height = otok_cut_height(cut, b);
        fill(cut, b, 0, cut->first[b] - cut->below[b], cut->below[b]);
        fill(cut, b, height - cut->above[b], cut->first[b + 1], cut->above[b]);
        if (cut->periodic) continue;
        if (b > 0 && cut->below[b] == cut->first[b]) fill_ghosts(cut, b, -1, 0, -1);
        if (b < last && cut->above[b] == cut->first[last + 1] - cut->first[b + 1])
            fill_ghosts(cut, b, height, last, otok_cut_height(cut, last));
    }
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

otok_status otok_cut_make(otok_cut *out, int rows, int count, const int *first, int depth,
                          int periodic)
{
    *out = (otok_cut){.count = count, .periodic = periodic};
    out->first = malloc(((size_t)count + 1) * sizeof *out->first);
    out->below = malloc((size_t)count * sizeof *out->below);
    out->above = malloc((size_t)count * sizeof *out->above);
    if (!out->first || !out->below || !out->above)
        return OTOK_FAIL(OTOK_NOMEM, "no memory to cut a grid into %d bands", count);
    for (int b = 0; b <= count; b++)
        out->first[b] = first ? first[b] : (int)((int64_t)rows * b / count);
    for (int b = 0; b < count; b++) {
        const int ends = !periodic || count == 1;
        out->below[b] = ends ? smaller(depth, out->first[b]) : depth;
        out->above[b] = ends ? smaller(depth, rows - out->first[b + 1]) : depth;
    }
    fill_all(out);
    out->transfers = malloc(((size_t)out->ntransfers + 1) * sizeof *out->transfers);
    if (!out->transfers)
        return OTOK_FAIL(OTOK_NOMEM, "no memory to cut a grid into %d bands", count);
    fill_all(out);
    return OTOK_OK;
}

void otok_cut_destroy(otok_cut *cut)
{
    free(cut->first);
    free(cut->below);
    free(cut->above);
    free(cut->transfers);
    *cut = (otok_cut){0};
}
