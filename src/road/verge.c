/* verge.c: the verge between the bed and the terrain (M13 section 7.4), and the smoothing of both
 * (section 7.5). */
#include "road.h"

#include "../core/status.h"
#include "../model/road.h"

#include <math.h>
#include <stdlib.h>

/* The nearest edge of the bed, by cell. */
typedef struct nearest {
    float distance, height;
} nearest;

/* Updates the nearest distance of all cells near the line a-b, an edge of the segment's bed. */
static void measure_from_edge(const otok_road_works *w, const otok_road_segment *s,
                              const double a[2], const double b[2], double verge, nearest *found)
{
    const double l = w->grid.spacing, ex = b[0] - a[0], ey = b[1] - a[1], size = ex * ex + ey * ey,
                 per = size > 0 ? 1 / size : 0;
    const otok_cell from = otok_road_clamp(w->grid, ceil((fmin(a[0], b[0]) - verge) / l - 0.5),
                                           ceil((fmin(a[1], b[1]) - verge) / l - 0.5));
    const otok_cell to = otok_road_clamp(w->grid, floor((fmax(a[0], b[0]) + verge) / l + 0.5),
                                         floor((fmax(a[1], b[1]) + verge) / l + 0.5));
    for (int64_t j = from.y; j < to.y; j++)
        for (int64_t i = from.x; i < to.x; i++) {
            const int64_t at = j * w->grid.nx + i;
            const double x = ((double)i + 0.5) * l, y = ((double)j + 0.5) * l;
            double t = ((x - a[0]) * ex + (y - a[1]) * ey) * per;
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            const double dx = x - a[0] - t * ex, dy = y - a[1] - t * ey, square = dx * dx + dy * dy;
            const nearest *old = &found[at];
            if (w->kind[at] != OTOK_WORKS_NONE || square >= verge * verge ||
                (old->distance > 0 && square >= (double)old->distance * (double)old->distance))
                continue;
            const float distance = (float)sqrt(square);
            found[at].distance = distance > 1e-30f ? distance : 1e-30f; /* 0: not found */
            found[at].height = (float)otok_road_spine_height(s, a[0] + t * ex, a[1] + t * ey);
        }
}

otok_status otok_road_lay_verge(otok_road_works *w, const otok_road_segment *segments, int64_t n,
                                const float *terrain, double verge, double bridge, double tunnel)
{
    nearest *found = calloc((size_t)(w->grid.nx * w->grid.ny), sizeof *found);
    if (!found) return OTOK_FAIL(OTOK_NOMEM, "no memory for the verge of a road");
    for (int64_t i = 0; i < n; i++) {
        const otok_road_segment *s = &segments[i];
        measure_from_edge(w, s, s->left[0], s->left[1], verge, found);
        measure_from_edge(w, s, s->right[0], s->right[1], verge, found);
        if (i == 0) measure_from_edge(w, s, s->left[0], s->right[0], verge, found);
        if (i == n - 1) measure_from_edge(w, s, s->left[1], s->right[1], verge, found);
    }
    for (int64_t j = w->low.y; j < w->high.y; j++)
        for (int64_t i = w->low.x; i < w->high.x; i++) {
            const int64_t at = j * w->grid.nx + i;
            const double rise = (double)found[at].height - (double)terrain[at];
            if (found[at].distance == 0 || rise > bridge || -rise > tunnel) continue;
            w->kind[at] = OTOK_WORKS_VERGE;
            w->weight[at] = (float)(1 - otok_road_smoothstep((double)found[at].distance / verge));
            w->height[at] = (float)((double)terrain[at] + (double)w->weight[at] * rise);
        }
    free(found);
    return OTOK_OK;
}

otok_status otok_road_smooth(otok_road_works *w, int kind, int64_t passes)
{
    const int64_t nx = w->grid.nx, ny = w->grid.ny;
    const size_t wide = (size_t)(w->high.x - w->low.x), high = (size_t)(w->high.y - w->low.y);
    if (passes == 0 || wide == 0 || high == 0) return OTOK_OK;
    float *next = malloc(wide * high * sizeof *next);
    if (!next) return OTOK_FAIL(OTOK_NOMEM, "no memory to smooth a road");
    for (int64_t pass = 0; pass < passes; pass++) {
        float *to = next;
        for (int64_t j = w->low.y; j < w->high.y; j++)
            for (int64_t i = w->low.x; i < w->high.x; i++, to++) {
                if (w->kind[j * nx + i] != kind) continue;
                double sum = 0;
                int count = 0;
                for (int64_t b = j > 0 ? j - 1 : 0; b <= j + 1 && b < ny; b++)
                    for (int64_t a = i > 0 ? i - 1 : 0; a <= i + 1 && a < nx; a++)
                        if (w->kind[b * nx + a] == kind) {
                            sum += (double)w->height[b * nx + a];
                            count++;
                        }
                *to = (float)(sum / count);
            }
        to = next;
        for (int64_t j = w->low.y; j < w->high.y; j++)
            for (int64_t i = w->low.x; i < w->high.x; i++, to++)
                if (w->kind[j * nx + i] == kind) w->height[j * nx + i] = *to;
    }
    free(next);
    return OTOK_OK;
}
