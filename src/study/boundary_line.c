/* boundary_line.c: marching squares: puts a point on every side of the finest lattice whose ends
   differ, and joins these points, cell by cell, into lines. */
#include "../core/status.h"
#include "boundary.h"

#include <stdlib.h>

const otok_boundary_member *otok_plane_at(const otok_plane *l, int64_t i, int64_t j)
{
    const int64_t m = i >= 0 && j >= 0 && i < l->nx && j < l->ny ? l->index[j * l->nx + i] : -1;
    return m < 0 ? NULL : &l->members[m];
}

double otok_plane_value(const otok_plane *l, int which, double place)
{
    char text[OTOK_VALUE_SIZE];
    otok_axis_value(&l->study->axes[l->axes[which]], place / (double)((which ? l->ny : l->nx) - 1),
                    text);
    return strtod(text, NULL);
}

/* Sides of the lattice: number 2 n is from place n to the right, 2 n + 1 from place n up. */
typedef struct lines {
    otok_plane *plane;
    int64_t *point;     /* point on a side; -1: none */
    int64_t (*link)[2]; /* neighbours of a point; -1: none */
} lines;

static otok_status find_points(lines *s)
{
    otok_plane *l = s->plane;
    int64_t room = 0;
    for (int64_t n = 0; n < 2 * l->nx * l->ny; n++) {
        const int64_t i = n / 2 % l->nx, j = n / 2 / l->nx;
        const otok_boundary_member *a = otok_plane_at(l, i, j),
                                   *b = otok_plane_at(l, i + !(n & 1), j + (n & 1));
        s->point[n] = -1;
        if (!a || !b || otok_is_stable(a) == otok_is_stable(b)) continue;
        if (l->npoints == room) {
            room = room ? 2 * room : 64;
            void *more = realloc(l->points, (size_t)room * sizeof *l->points);
            if (!more)
                return OTOK_FAIL(OTOK_NOMEM, "no memory for a boundary of %lld points",
                                 (long long)room);
            l->points = more;
        }
        const int64_t first = a - l->members, second = b - l->members;
        l->points[l->npoints] = otok_is_stable(a) ? (otok_boundary_point){first, second, -1}
                                                  : (otok_boundary_point){second, first, -1};
        s->point[n] = l->npoints++;
    }
    return OTOK_OK;
}

static void join_points(lines *s, int64_t a, int64_t b)
{
    s->link[a][s->link[a][0] >= 0] = b;
    s->link[b][s->link[b][0] >= 0] = a;
}

/* Joins the two points of a cell. A cell with four points has two opposite stable corners; these
   stay connected. */
static void join_cell(lines *s, int64_t i, int64_t j)
{
    const int64_t nx = s->plane->nx, n = j * nx + i;
    const int64_t bottom = s->point[2 * n], left = s->point[2 * n + 1];
    const int64_t top = s->point[2 * (n + nx)], right = s->point[2 * (n + 1) + 1];
    const int64_t all[4] = {bottom, left, top, right};
    int64_t found[4];
    int k = 0;
    for (int side = 0; side < 4; side++)
        if (all[side] >= 0) found[k++] = all[side];
    if (k == 2) join_points(s, found[0], found[1]);
    if (k < 4) return;
    const int cut =
        !otok_is_stable(otok_plane_at(s->plane, i, j)); /* the corner at (i, j) is cut off */
    join_points(s, bottom, cut ? left : right);
    join_points(s, top, cut ? right : left);
}

/* Follows a line from a point to its end and writes the points to `out` in order. A closed line
   ends with its first point. */
static int64_t follow_line(const lines *s, otok_boundary_point *out, int64_t n, int64_t first)
{
    otok_plane *l = s->plane;
    int64_t before = -1, here = first;
    while (here >= 0) {
        const int closed = l->points[here].line >= 0;
        l->points[here].line = l->nlines;
        out[n++] = l->points[here];
        if (closed) break;
        const int64_t next = s->link[here][0] != before ? s->link[here][0] : s->link[here][1];
        before = here;
        here = next;
    }
    l->nlines++;
    return n;
}

static otok_status order_points(lines *s)
{
    otok_plane *l = s->plane;
    int64_t n = 0;
    otok_boundary_point *out = malloc((size_t)(2 * l->npoints + 1) * sizeof *out);
    if (!out)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a boundary of %lld points",
                         (long long)l->npoints);
    for (int closed = 0; closed < 2; closed++)
        for (int64_t p = 0; p < l->npoints; p++)
            if (l->points[p].line < 0 && (closed || s->link[p][1] < 0))
                n = follow_line(s, out, n, p);
    free(l->points);
    l->points = out;
    l->npoints = n;
    return OTOK_OK;
}

otok_status otok_plane_trace(otok_plane *l)
{
    lines s = {.plane = l, .point = malloc((size_t)(2 * l->nx * l->ny) * sizeof *s.point)};
    otok_status status =
        s.point ? find_points(&s) : OTOK_FAIL(OTOK_NOMEM, "no memory for a boundary");
    if (status == OTOK_OK) {
        s.link = malloc((size_t)(l->npoints + 1) * sizeof *s.link);
        if (!s.link) status = OTOK_FAIL(OTOK_NOMEM, "no memory for a boundary");
    }
    for (int64_t p = 0; p < l->npoints && s.link; p++)
        s.link[p][0] = s.link[p][1] = -1;
    for (int64_t j = 0; j < l->ny - 1 && status == OTOK_OK; j++)
        for (int64_t i = 0; i < l->nx - 1; i++)
            join_cell(&s, i, j);
    if (status == OTOK_OK) status = order_points(&s);
    free(s.point);
    free(s.link);
    return status;
}
