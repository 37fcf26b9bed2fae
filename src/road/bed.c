/* bed.c: segments with mitred joints, and the cells that they cover (M13 section 7.3). verge.c
   makes verges. */
#include "road.h"

#include "../core/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_MITRE = 2
}; /* the longest side at a joint [half widths]: turns sharper than 120 degrees are cut off */

static double cross(double ax, double ay, double bx, double by)
{
    return ax * by - ay * bx;
}

/* On which side of the line from p to q does r lie? */
static double side_of_line(const double p[2], const double q[2], const double r[2])
{
    return cross(q[0] - p[0], q[1] - p[1], r[0] - p[0], r[1] - p[1]);
}

static int intersect(const double a[2], const double b[2], const double c[2], const double d[2])
{
    return side_of_line(a, b, c) * side_of_line(a, b, d) < 0 &&
           side_of_line(c, d, a) * side_of_line(c, d, b) < 0;
}

/* The sides at a joint between two unit vectors along the road: (w/2) 2/|v1 - v2| along the
   bisector of the angle, with v1 = forth and v2 = -back. */
static void mitre(double at[2][2], otok_point p, const double back[2], const double forth[2],
                  double half)
{
    double tx = back[0] + forth[0], ty = back[1] + forth[1];
    double size = hypot(tx, ty), reach = LONGEST_MITRE;
    if (size < 1e-9) { /* a turn straight back */
        tx = forth[0];
        ty = forth[1];
        size = 1;
    } else if (2 / size < reach) {
        reach = 2 / size;
    }
    const double x = -ty / size * reach * half, y = tx / size * reach * half; /* to the left */
    at[0][0] = p.x + x;
    at[0][1] = p.y + y;
    at[1][0] = p.x - x;
    at[1][1] = p.y - y;
}

static void exchange(double a[2], double b[2])
{
    const double x = a[0], y = a[1];
    memcpy(a, b, sizeof(double[2]));
    b[0] = x;
    b[1] = y;
}

static void set_corners(otok_road_segment *s, const otok_road_segment *before,
                        const otok_road_segment *after, double half)
{
    const double mine[2] = {s->dx, s->dy}, back[2] = {before->dx, before->dy},
                 forth[2] = {after->dx, after->dy};
    const double begin[2] = {s->begin.x, s->begin.y}, end[2] = {s->end.x, s->end.y};
    double first[2][2], last[2][2];
    mitre(first, s->begin, back, mine, half);
    mitre(last, s->end, mine, forth, half);
    memcpy(s->left[0], first[0], sizeof first[0]);
    memcpy(s->right[0], first[1], sizeof first[1]);
    memcpy(s->left[1], last[0], sizeof last[0]);
    memcpy(s->right[1], last[1], sizeof last[1]);
    if (intersect(begin, s->left[0], end, s->left[1])) exchange(s->left[0], s->left[1]);
    if (intersect(begin, s->right[0], end, s->right[1])) exchange(s->right[0], s->right[1]);
}

otok_status otok_road_segments(otok_road_segment **out, int64_t *count, const otok_point *points,
                               int64_t n, double width)
{
    otok_road_segment *s = calloc((size_t)(n > 0 ? n : 1), sizeof *s);
    int64_t m = 0;
    *out = NULL;
    if (!s) return otok_road_no_memory(n);
    for (int64_t i = 1, from = 0; i < n; i++) {
        const double x = points[i].x - points[from].x, y = points[i].y - points[from].y,
                     length = hypot(x, y);
        if (!(length > 0)) continue;
        s[m].begin = points[from];
        s[m].end = points[i];
        s[m].length = length;
        s[m].dx = x / length;
        s[m++].dy = y / length;
        from = i;
    }
    for (int64_t i = 0; i < m; i++)
        set_corners(&s[i], &s[i > 0 ? i - 1 : i], &s[i + 1 < m ? i + 1 : i], width / 2);
    *out = s;
    *count = m;
    return OTOK_OK;
}

double otok_road_spine_height(const otok_road_segment *s, double x, double y)
{
    const double t = ((x - s->begin.x) * s->dx + (y - s->begin.y) * s->dy) / s->length;
    return s->begin.z + (t < 0 ? 0 : t > 1 ? 1 : t) * (s->end.z - s->begin.z);
}

/* Counts the sides that a line to the right crosses. */
static int inside(const double corners[4][2], double x, double y)
{
    int in = 0;
    for (int i = 0, j = 3; i < 4; j = i++) {
        const double *a = corners[i], *b = corners[j];
        if ((a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0])
            in = !in;
    }
    return in;
}

static int64_t clamp(double cell, int64_t most)
{
    return cell < 0 ? 0 : cell > (double)most ? most : (int64_t)cell;
}

otok_cell otok_road_clamp(otok_grid grid, double x, double y)
{
    return (otok_cell){clamp(x, grid.nx), clamp(y, grid.ny)};
}

/* Adds up the heights of one segment in the cells that it covers. */
static void cover(const otok_road_works *w, const otok_road_segment *s, double *sum,
                  uint16_t *count)
{
    const double l = w->grid.spacing;
    double corners[4][2], low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    memcpy(corners[0], s->left[0], sizeof corners[0]);
    memcpy(corners[1], s->left[1], sizeof corners[1]);
    memcpy(corners[2], s->right[1], sizeof corners[2]);
    memcpy(corners[3], s->right[0], sizeof corners[3]);
    for (int i = 0; i < 4; i++)
        for (int a = 0; a < 2; a++) {
            low[a] = fmin(low[a], corners[i][a]);
            high[a] = fmax(high[a], corners[i][a]);
        }
    const otok_cell from = otok_road_clamp(w->grid, ceil(low[0] / l - 0.5), ceil(low[1] / l - 0.5));
    const otok_cell to =
        otok_road_clamp(w->grid, floor(high[0] / l + 0.5), floor(high[1] / l + 0.5));
    for (int64_t j = from.y; j < to.y; j++)
        for (int64_t i = from.x; i < to.x; i++) {
            const double x = ((double)i + 0.5) * l, y = ((double)j + 0.5) * l;
            const int64_t at = j * w->grid.nx + i;
            if (w->kind[at] == OTOK_WORKS_BUILT || count[at] == UINT16_MAX ||
                !inside(corners, x, y))
                continue;
            sum[at] += otok_road_spine_height(s, x, y);
            count[at]++;
        }
}

otok_status otok_road_lay_bed(otok_road_works *w, const otok_road_segment *segments, int64_t n)
{
    const size_t cells = (size_t)(w->grid.nx * w->grid.ny);
    double *sum = calloc(cells, sizeof *sum);
    uint16_t *count = calloc(cells, sizeof *count);
    if (sum && count) {
        for (int64_t i = 0; i < n; i++)
            cover(w, &segments[i], sum, count);
        for (int64_t j = w->low.y; j < w->high.y; j++)
            for (int64_t i = w->low.x; i < w->high.x; i++) {
                const int64_t at = j * w->grid.nx + i;
                if (!count[at]) continue;
                w->kind[at] = OTOK_WORKS_BED;
                w->height[at] = (float)(sum[at] / count[at]);
            }
    }
    const otok_status status =
        sum && count ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for the bed of a road");
    free(sum);
    free(count);
    return status;
}
