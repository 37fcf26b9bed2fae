/* subdivision.c: smooths the route of a search (M13 section 7.2). Repeated, it is the subdivision
   of a cubic B-spline through fixed ends. */
#include "road.h"

#include "../core/status.h"

#include <stdlib.h>

static otok_point midpoint(otok_point a, otok_point b)
{
    return (otok_point){(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
}

otok_status otok_road_no_memory(int64_t points)
{
    return OTOK_FAIL(OTOK_NOMEM, "no memory for a road of %lld points; lower road.subdivisions",
                     (long long)points);
}

otok_status otok_road_subdivide(otok_point **points, int64_t *n)
{
    const int64_t more = 2 * *n - 1;
    if (*n < 2) return OTOK_OK;
    otok_point *p = realloc(*points, (size_t)more * sizeof *p);
    if (!p) return otok_road_no_memory(more);
    *points = p;
    *n = more;
    for (int64_t i = more - 1; i > 0; i -= 2) { /* from the end: i/2 is not yet overwritten */
        p[i] = p[i / 2];
        p[i - 1] = midpoint(p[i / 2 - 1], p[i]);
    }
    for (int64_t i = 2; i < more - 1; i += 2)
        p[i] = midpoint(p[i], midpoint(p[i - 1], p[i + 1]));
    return OTOK_OK;
}
