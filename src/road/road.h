/* road.h: the parts of making a road, in order: search, subdivision, profile, bed, verge,
   smoothing. They know neither files nor simulations. roads.c joins them; otok_road.h is public. */
#ifndef OTOK_ROAD_H
#define OTOK_ROAD_H

#include "../otok.h"

typedef struct otok_cell {
    int64_t x, y;
} otok_cell;

/* A chain of cells from one end to the other, and its energy. Legs are added one by one. */
typedef struct otok_route {
    otok_cell *cells;
    int64_t n;
    double cost;      /* sum of edge costs */
    int64_t expanded; /* nodes that were expanded */
} otok_route;

/* The ground that a search crosses. */
typedef struct otok_road_ground {
    otok_grid grid;
    const float *height;
    const float *road;  /* OTOK_ROAD of earlier roads, or NULL */
    double reuse;       /* factor of the cost of an edge that lies wholly on beds, <= 1 */
    const uint8_t *wet; /* 1 where water is an obstacle; or NULL */
    double water_cost;  /* factor of the cost of an edge over it, >= 1 */
} otok_road_ground;

/* The ground for the road of a request, by cell. */
typedef struct otok_road_plan {
    const otok_road_request *request;
    const otok_road_maps *maps;
    float *terrain; /* terrain before the road */
    float *height;  /* height that a road needs: the terrain, a deck above water, the height of
                       earlier works */
    uint8_t *wet;   /* 1: water deeper than a ford, and no bed yet */
} otok_road_plan;

/* The factor of the cost of an edge from c to the cell at (dx, dy) from it, by what is there. */
double otok_road_weight(const otok_road_ground *ground, otok_cell c, int64_t dx, int64_t dy);

/* Adds the cheapest path from a to b to the route. Nodes are a + step*Z^2. Edges lead to the eight
   neighbours at a distance of `step` cells, and to b from any node within `step` cells of it along
   both axes. The path is optimal, because the heuristic is admissible. `limited`: the path turns by
   at most 45 degrees at each node, way points included; the last edge may then have any direction,
   and it is 1 to sqrt(8) steps long. OTOK_DATA: every path is steeper than max_grade, or turns more
   sharply. */
otok_status otok_road_search(otok_route *route, const otok_road_ground *ground, otok_cell a,
                             otok_cell b, int64_t step, double max_grade, int limited);

/* The least radius, in steps, that subdivision makes from turns of 45 degrees at every node. It
   also holds if the last edge is longer and has another direction (0.83 there). */
#define OTOK_ROAD_TURNS 0.8

/* Replaces the n points by 2n - 1: adds midpoints, and moves old points half-way to the mean of
   their two midpoints; the ends stay (M13 section 7.2). `points` is malloc'd and may move. */
otok_status otok_road_subdivide(otok_point **points, int64_t *n);

otok_status otok_road_no_memory(int64_t points); /* fails */

/* Brings the heights of a centre line above the plan's water and within its grade, as far as the
   fixed ends allow. The largest change of a height is then as small as possible. *kept = 0: the
   ends differ too much in height for that; nothing changes. */
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

/* The contents of a cell of the works. */
enum {
    OTOK_WORKS_NONE,
    OTOK_WORKS_BED,
    OTOK_WORKS_VERGE,
    OTOK_WORKS_BRIDGE,
    OTOK_WORKS_TUNNEL,
    OTOK_WORKS_BUILT
};

/* The works in each cell. OTOK_WORKS_BUILT marks the beds of earlier roads, which do not change. */
typedef struct otok_road_works {
    otok_grid grid;
    uint8_t *kind;
    float *height;       /* of the new surface, where the works have one */
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
