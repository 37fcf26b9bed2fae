/* road.h: the parts of making a road, in order: search, subdivision, profile, bed, verge,
   smoothing. They know neither files nor simulations. roads.c joins them; otok_road.h is public. */
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
    const float *road;  /* OTOK_ROAD of what is built already, or NULL                           */
    double reuse;       /* what an edge costs that lies on beds all along, of what others do <= 1 */
    const uint8_t *wet; /* 1 where water is an obstacle, or NULL                                */
    double water_cost;  /* what an edge costs there, of what others do, >= 1                    */
} otok_road_ground;

/* What the road of a request goes over, by cell. */
typedef struct otok_road_plan {
    const otok_road_request *request;
    const otok_road_maps *maps;
    float *terrain; /* before the road                                                          */
    float *height;  /* that a road needs: the terrain, above water a deck, on works their height */
    uint8_t *wet;   /* 1: water deeper than a ford, and no bed yet                              */
} otok_road_plan;

/* What an edge from c to the cell (dx, dy) further costs, as a share of what its slope does. */
double otok_road_weight(const otok_road_ground *ground, otok_cell c, int64_t dx, int64_t dy);

/* Adds the cheapest path from a to b to the route. Nodes are a + step*Z^2, edges go to the eight
   neighbours at `step` cells, and to b from whatever lies within `step` cells of it along both
   axes. Optimal: the heuristic is admissible. OTOK_DATA: every path is steeper than max_grade. */
otok_status otok_road_search(otok_route *route, const otok_road_ground *ground, otok_cell a,
                             otok_cell b, int64_t step, double max_grade);

/* Of a turn of 45 degrees at every node: the least radius, in steps, that subdivision makes of it,
   also where the last edge is longer and has a direction of its own (0.83 there). */
#define OTOK_ROAD_TURNS 0.8

/* As otok_road_search, but of paths that turn by at most 45 degrees at each node, at way points
   too. The last edge may have any direction, and is 1 to sqrt(8) steps long. Nodes are looked at
   once for each direction of arrival. */
otok_status otok_road_search_turns(otok_route *route, const otok_road_ground *ground, otok_cell a,
                                   otok_cell b, int64_t step, double max_grade);

/* Replaces the n points by 2n - 1: midpoints between, old points moved half-way to the mean of
   their two midpoints, ends fixed (M13 section 7.2). `points` is malloc'd and may move. */
otok_status otok_road_subdivide(otok_point **points, int64_t *n);

/* Changes heights until none lies below `least` (NULL: no matter), as far as the fixed ends allow,
   and no segment is steeper than max_grade: the largest departure from the heights is then the
   least that there is. *kept = 0: the ends are too far apart in height for that; nothing changes.
 */
otok_status otok_road_keep_grade(otok_point *points, const double *least, int64_t n,
                                 double max_grade, int *kept);

/* Brings the heights of a centre line above the plan's water and within its grade, as
   otok_road_keep_grade. */
otok_status otok_road_profile(otok_point *points, int64_t n, const otok_road_plan *plan, int *kept);

/* The least radius of a circle through three neighbouring points, in plan. */
double otok_road_least_radius(const otok_point *points, int64_t n);

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

/* Builds the road along its centre line into the plan's maps, and fills in its numbers. */
otok_status otok_road_construct(otok_road *road, const otok_road_plan *plan);

/* Means over Moore neighbours of the same kind, `passes` times (M13 section 7.5). */
otok_status otok_road_smooth(otok_road_works *works, int kind, int64_t passes);

#endif
