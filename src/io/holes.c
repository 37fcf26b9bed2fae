/* holes.c: see holes.h. */
#include "holes.h"

#include "../core/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static otok_status allocate(otok_holes *out, int64_t n)
{
    *out = (otok_holes){0};
    if (n == 0) return OTOK_OK;
    out->runs = malloc(2 * (size_t)n * sizeof *out->runs);
    if (!out->runs) return OTOK_FAIL(OTOK_NOMEM, "no memory for a list of cells without data");
    out->n = n;
    return OTOK_OK;
}

otok_status otok_holes_find(otok_holes *out, const unsigned char *map, int64_t cells)
{
    int64_t n = 0;
    for (int64_t i = 0; i < cells; i++)
        n += map[i] && (i == 0 || !map[i - 1]);
    OTOK_TRY(allocate(out, n));
    if (n == 0) return OTOK_OK;
    int64_t *run = out->runs - 2;
    for (int64_t i = 0; i < cells; i++) {
        if (!map[i]) continue;
        if (i == 0 || !map[i - 1]) run += 2, run[0] = i, run[1] = 0;
        run[1]++;
    }
    return OTOK_OK;
}

void otok_holes_mark(const otok_holes *h, unsigned char *map)
{
    for (int64_t k = 0; k < h->n; k++)
        memset(map + h->runs[2 * k], 1, (size_t)h->runs[2 * k + 1]);
}

otok_status otok_holes_join(otok_holes *to, unsigned char *map, int64_t cells)
{
    otok_holes_mark(to, map);
    otok_holes_destroy(to);
    return otok_holes_find(to, map, cells);
}

int otok_holes_have(const otok_holes *h, int64_t cell)
{
    int64_t first = 0, end = h->n; /* the first run that begins after the cell */
    while (first < end) {
        const int64_t middle = (first + end) / 2;
        if (h->runs[2 * middle] > cell)
            end = middle;
        else
            first = middle + 1;
    }
    return first > 0 && cell < h->runs[2 * first - 2] + h->runs[2 * first - 1];
}

int64_t otok_holes_count(const otok_holes *h)
{
    int64_t cells = 0;
    for (int64_t k = 0; k < h->n; k++)
        cells += h->runs[2 * k + 1];
    return cells;
}

otok_status otok_holes_copy(otok_holes *to, const otok_holes *from)
{
    otok_holes_destroy(to);
    OTOK_TRY(allocate(to, from->n));
    if (from->n) memcpy(to->runs, from->runs, 2 * (size_t)from->n * sizeof *to->runs);
    return OTOK_OK;
}

void otok_holes_destroy(otok_holes *holes)
{
    free(holes->runs);
    *holes = (otok_holes){0};
}

int otok_holes_are_good(const otok_holes *h, int64_t cells)
{
    int64_t end = 0;
    for (int64_t k = 0; k < h->n; k++) {
        const int64_t first = h->runs[2 * k], length = h->runs[2 * k + 1];
        if (first < end || first > cells || length < 1 || length > cells - first) return 0;
        end = first + length;
    }
    return 1;
}

otok_status otok_holes_put(float **out, const float *map, int64_t cells, const otok_holes *h)
{
    *out = malloc((size_t)cells * sizeof **out);
    if (!*out) return OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %lld cells", (long long)cells);
    memcpy(*out, map, (size_t)cells * sizeof **out);
    for (int64_t k = 0; k < h->n; k++)
        for (int64_t i = 0; i < h->runs[2 * k + 1]; i++)
            (*out)[h->runs[2 * k] + i] = NAN;
    return OTOK_OK;
}
