/* road.h: the cost of a step along a road (M13 chapter 7), and the curve of its verge. Used on the
   host only, in double. */
#ifndef OTOK_MODEL_ROAD_H
#define OTOK_MODEL_ROAD_H

#include <math.h>

/* The energy of a metre in plan at slope s, positive uphill: M13 eq. 7.1 after Llobera & Sluckin
   2007, M(s) = 0.2635 + 1.737 s + 4.237 s^2 - 2.143 s^3 + 1.493 s^4. */
static inline double otok_road_effort(double s)
{
    return 0.2635 + s * (1.737 + s * (4.237 + s * (-2.143 + s * 1.493)));
}

/* M is convex (the discriminant of M'' is negative). M' = 0 at s = -0.17722731813871387, and there
   M has this value: */
#define OTOK_ROAD_LEAST_EFFORT 0.10214050381781558

/* The cost of an edge of this length in plan that rises by `rise`. It is infinite if the edge is
   steeper than allowed, uphill or downhill. */
static inline double otok_road_cost(double length, double rise, double max_grade)
{
    const double s = rise / length, cost = length * otok_road_effort(s);
    return fabs(s) <= max_grade ? cost : (double)INFINITY;
}

/* The slopes at which a metre of height is gained or lost at the least cost, M(s) = s M'(s). On
   steeper ground a winding road is cheaper. */
#define OTOK_ROAD_BEST_CLIMB 0.27878893066448841
#define OTOK_ROAD_BEST_DESCENT (-0.22085658537821557)

/* The steepest useful slopes under a largest grade, and the energy of a metre of height on them. */
typedef struct otok_road_bound {
    double up, down, per_climb, per_descent;
} otok_road_bound;

static inline otok_road_bound otok_road_bound_for(double max_grade)
{
    otok_road_bound b;
    b.up = max_grade < OTOK_ROAD_BEST_CLIMB ? max_grade : OTOK_ROAD_BEST_CLIMB;
    b.down = -max_grade > OTOK_ROAD_BEST_DESCENT ? -max_grade : OTOK_ROAD_BEST_DESCENT;
    b.per_climb = otok_road_effort(b.up) / b.up;
    b.per_descent = otok_road_effort(b.down) / -b.down;
    return b;
}

/* A lower bound for the cost of a path that is at least this long in plan and ends `rise` higher. M
   is convex, so that a path of length L costs at least L M(rise/L) (Jensen's inequality). The least
   of that over all L >= distance is at L = distance or at the best slope. It is never below
   distance times the least effort. */
static inline double otok_road_remaining(const otok_road_bound *b, double distance, double rise)
{
    if (rise > b->up * distance) return rise * b->per_climb;
    if (rise < b->down * distance) return -rise * b->per_descent;
    return distance > 0 ? distance * otok_road_effort(rise / distance) : 0;
}

/* M13 eq. 7.2: 3x^2 - 2x^3, 0 below 0 and 1 above 1. */
static inline double otok_road_smoothstep(double x)
{
    const double t = x < 0 ? 0 : x > 1 ? 1 : x;
    return t * t * (3 - 2 * t);
}

#endif
