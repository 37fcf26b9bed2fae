/* road.h: the parts of making a road, in order: search, subdivision, bed, verge, smoothing. They
   know neither files nor simulations. roads.c joins them; otok_road.h is public. */
#ifndef OTOK_ROAD_H
#define OTOK_ROAD_H

#include "../otok.h"

typedef struct otok_cell {
    int64_t x, y;
} otok_cell;

/* Cells from one end to the other, and the energy of that chain. Legs are added one by one. */
typedef struct otok_route {
    otok_cell *cells;
    int64_t n;
    double cost;      /* sum of edge costs */
    int64_t expanded; /* nodes whose neighbours were looked at */
} otok_route;

/* What a search goes over. */
typedef struct otok_road_ground {
    otok_grid grid;
    const float *height;
    const float *road; /* OTOK_ROAD of existing roads, or NULL */
    double reuse;      /* the factor of an edge that lies on beds throughout, <= 1; that of
                          others is 1 */
} otok_road_ground;

/* Adds the cheapest path from a to b to the route. Nodes are a + step*Z^2. Edges lead to the
   eight neighbours at `step` cells, and to b from all nodes within `step` cells of it along both
   axes. The path is optimal, because the heuristic is admissible. OTOK_DATA: every path is
   steeper than max_grade. */
otok_status otok_road_search(otok_route *route, const otok_road_ground *ground, otok_cell a,
                             otok_cell b, int64_t step, double max_grade);

/* Replaces the n points by 2n - 1 (M13 section 7.2): midpoints are added, old points move
   half-way to the mean of their two midpoints, ends stay. An old point also stays if a segment
   to its new place would be steeper than max_grade. `points` is malloc'd and may move. */
otok_status otok_road_subdivide(otok_point **points, int64_t *n, double max_grade);

/* A segment: its spine, and the corners of its bed, left and right at begin and end (M13 section
   7.3). */
typedef struct otok_road_segment {
    otok_point begin, end;
    double dx, dy;     /* unit vector along the spine */
    double length;     /* in plan */
    double left[2][2]; /* x, y at begin and end; swapped where the sides cross */
    double right[2][2];
} otok_road_segment;

/* The segments of a centre line: n - 1, or fewer where points coincide. *out is malloc'd. */
otok_status otok_road_segments(otok_road_segment **out, int64_t *count, const otok_point *points,
                               int64_t n, double width);

/* The height of the spine next to a point, linear between the ends. */
double otok_road_spine_height(const otok_road_segment *segment, double x, double y);

/* The largest integers in 0..nx and 0..ny that are not above these. */
otok_cell otok_road_clamp(otok_grid grid, double x, double y);

/* What stands in a cell of the works. */
enum {
    OTOK_WORKS_NONE,
    OTOK_WORKS_BED,
    OTOK_WORKS_VERGE,
    OTOK_WORKS_BRIDGE,
    OTOK_WORKS_TUNNEL,
    OTOK_WORKS_BUILT
};

/* The works in each cell. OTOK_WORKS_BUILT marks the beds of earlier roads, which stay as they
   are. */
typedef struct otok_road_works {
    otok_grid grid;
    uint8_t *kind;
    float *height;       /* of the new surface, where there is one */
    float *weight;       /* of the verge: 1 at the edge of the bed .. 0 at its outer edge */
    otok_cell low, high; /* box that holds all new works, low <= cell < high */
} otok_road_works;

/* Sets the heights of the bed in every cell whose centre lies in a segment. Overlaps take the
   mean. */
otok_status otok_road_lay_bed(otok_road_works *works, const otok_road_segment *segments, int64_t n);

/* Adds the verge: from the height of the bed's nearest edge to the terrain, by smoothstep of the
   distance. There is none where that edge lies more than `bridge` above or `tunnel` below the
   cell. */
otok_status otok_road_lay_verge(otok_road_works *works, const otok_road_segment *segments,
                                int64_t n, const float *terrain, double verge, double bridge,
                                double tunnel);

/* Takes means over Moore neighbours of the same kind, `passes` times (M13 section 7.5). */
otok_status otok_road_smooth(otok_road_works *works, int kind, int64_t passes);

#endif
