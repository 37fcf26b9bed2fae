/* profile.c: the heights of a centre line, which keep a grade and stay above water; and its
   tightest bend. */
#include "road.h"

#include "../core/status.h"

#include <math.h>
#include <stdlib.h>

/* A factor of the grade that outweighs rounding, here and where the grade is measured. */
#define SURELY (1 - 1e-12)

static double distance_to_next(const otok_point *p)
{
    return hypot(p[1].x - p[0].x, p[1].y - p[0].y);
}

/* The heights become the highest line that keeps the grade and is nowhere above them (sign 1), or
   the lowest that is nowhere below them (sign -1). */
static void envelope(const otok_point *p, double *h, int64_t n, double grade, double sign)
{
    for (int64_t i = 1; i < n; i++)
        h[i] = sign * fmin(sign * h[i], sign * h[i - 1] + grade * distance_to_next(p + i - 1));
    for (int64_t i = n - 1; i > 0; i--)
        h[i - 1] = sign * fmin(sign * h[i - 1], sign * h[i] + grade * distance_to_next(p + i - 1));
}

/* Limits heights to those that can be reached from both ends; a height outside becomes the nearest
   one inside. */
static void limit_to_reachable(const otok_point *p, double *h, int64_t n, double grade,
                               double length)
{
    double from = 0;
    for (int64_t i = 0; i < n; i++) {
        const double to = length - from;
        h[i] = fmin(h[i], fmin(p[0].z + grade * from, p[n - 1].z + grade * to));
        if (h[i] > -INFINITY)
            h[i] = fmax(h[i], fmax(p[0].z - grade * from, p[n - 1].z - grade * to));
        if (i + 1 < n) from += distance_to_next(p + i);
    }
}

static void limit_grade(otok_point *p, const double *least, int64_t n, double grade, double length,
                        double *high, double *low, double *above)
{
    for (int64_t i = 0; i < n; i++) {
        high[i] = p[i].z;
        above[i] = least ? least[i] : -INFINITY;
    }
    limit_to_reachable(p, high, n, grade, length);
    limit_to_reachable(p, above, n, grade, length);
    for (int64_t i = 0; i < n; i++)
        low[i] = high[i];
    envelope(p, high, n, grade, 1);
    envelope(p, low, n, grade, -1);
    envelope(p, above, n, grade, -1);
    for (int64_t i = 1; i < n - 1; i++)
        p[i].z = fmax((high[i] + low[i]) / 2, above[i]);
}

static otok_status keep_grade(otok_point *p, const double *least, int64_t n, double max_grade,
                              int *kept)
{
    double length = 0;
    for (int64_t i = 0; i + 1 < n; i++)
        length += distance_to_next(p + i);
    *kept =
        n < 2 || max_grade == INFINITY || fabs(p[n - 1].z - p[0].z) <= max_grade * SURELY * length;
    if (max_grade == INFINITY)
        for (int64_t i = 1; least && i < n - 1; i++)
            p[i].z = fmax(p[i].z, least[i]);
    if (max_grade == INFINITY || !*kept) return OTOK_OK;
    double *room = malloc(3 * (size_t)n * sizeof *room);
    if (!room) return otok_road_no_memory(n);
    limit_grade(p, least, n, max_grade * SURELY, length, room, room + n, room + 2 * n);
    free(room);
    return OTOK_OK;
}

otok_status otok_road_profile(otok_point *points, int64_t n, const otok_road_plan *p, int *kept)
{
    double *least = malloc((size_t)n * sizeof *least);
    if (!least) return otok_road_no_memory(n);
    const otok_grid g = p->maps->grid;
    for (int64_t i = 0; i < n; i++) {
        const int64_t at =
            (int64_t)(points[i].y / g.spacing) * g.nx + (int64_t)(points[i].x / g.spacing);
        least[i] = p->wet[at] ? (double)p->height[at] : -INFINITY;
    }
    const otok_status status = keep_grade(points, least, n, p->request->max_grade, kept);
    free(least);
    return status;
}

double otok_road_least_radius(const otok_point *p, int64_t n)
{
    double least = INFINITY;
    for (int64_t i = 0; i + 2 < n; i++) {
        const double ax = p[i + 1].x - p[i].x, ay = p[i + 1].y - p[i].y,
                     bx = p[i + 2].x - p[i + 1].x, by = p[i + 2].y - p[i + 1].y;
        const double sides = hypot(ax, ay) * hypot(bx, by), cross = fabs(ax * by - ay * bx);
        if (sides > 0 && (cross > 1e-9 * sides || ax * bx + ay * by < 0))
            least = fmin(least, cross > 0 ? sides * hypot(ax + bx, ay + by) / (2 * cross) : 0);
    }
    return least;
}
