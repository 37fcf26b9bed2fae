/* search.c: the cheapest route between two cells, by A* with a binary heap (M13 section 7.1). It
   knows no beds and no files. A state is a node of the lattice, and if turns are limited also the
   direction of arrival. A state whose cost falls is expanded again. The result is the least sum of
   edges in double arithmetic, to the last bit, as Dijkstra's algorithm gives it. That requires an
   admissible heuristic. */
#include "road.h"

#include "../core/status.h"
#include "../model/road.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SURELY (1 - 1e-6)     /* outweighs the rounding of the heuristic and of the sum of a path */
#define STRAIGHT 0.7071067811 /* a little less than the cosine of 45 degrees                */

/* Directions are counterclockwise; START has none before it. */
enum { START = 8, DIRECTIONS = 9 };
static const int8_t step_x[8] = {1, 1, 0, -1, -1, -1, 0, 1},
                    step_y[8] = {0, 1, 1, 1, 0, -1, -1, -1};

typedef struct entry {
    double key;
    uint32_t state;
} entry;

typedef struct search {
    const otok_road_ground *ground;
    otok_cell goal, origin; /* origin: the cell of node (0, 0) */
    int64_t step, nx, ny;   /* nodes along the axes */
    uint32_t states;        /* of a node: 1, or DIRECTIONS if turns are limited */
    double max_grade, goal_height, least_weight;
    double heading[2]; /* unit vector of the route so far, or 0, 0 */
    otok_road_bound bound;
    int octile; /* does a route have only the eight directions? */
    double *cost;
    uint8_t *last;  /* of the cheapest path to a state: direction of its last edge */
    uint8_t *prior; /* and of the edge before */
    uint8_t *waits; /* is the state in the heap at its present cost? */
    entry *heap;
    size_t n, room;
    double goal_cost;
    uint32_t goal_from;
} search;

/* ---- the heap ---- */

static otok_status push(search *s, entry e)
{
    if (s->n == s->room) {
        const size_t more = s->room ? 2 * s->room : 4096;
        entry *grown = realloc(s->heap, more * sizeof *grown);
        if (!grown)
            return OTOK_FAIL(OTOK_NOMEM,
                             "no memory for the open list of a search; raise road.step");
        s->heap = grown;
        s->room = more;
    }
    size_t at = s->n++;
    for (; at && e.key < s->heap[(at - 1) / 2].key; at = (at - 1) / 2)
        s->heap[at] = s->heap[(at - 1) / 2];
    s->heap[at] = e;
    return OTOK_OK;
}

static entry pop(search *s)
{
    const entry least = s->heap[0], e = s->heap[--s->n];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < s->n; at = child) {
        if (child + 1 < s->n && s->heap[child + 1].key < s->heap[child].key) child++;
        if (!(s->heap[child].key < e.key)) break;
        s->heap[at] = s->heap[child];
    }
    s->heap[at] = e;
    return least;
}

/* ---- states ---- */

static otok_cell cell_of(const search *s, uint32_t state)
{
    const uint32_t node = state / s->states, row = node / (uint32_t)s->nx;
    return (otok_cell){s->origin.x + (node - row * (uint32_t)s->nx) * s->step,
                       s->origin.y + row * s->step};
}

static uint32_t state_of(const search *s, otok_cell c, int d)
{
    const uint32_t x = (uint32_t)(c.x - s->origin.x) / (uint32_t)s->step,
                   y = (uint32_t)(c.y - s->origin.y) / (uint32_t)s->step,
                   node = y * (uint32_t)s->nx + x;
    return s->states == 1 ? node : node * s->states + (uint32_t)d;
}

static double height_at(const search *s, otok_cell c)
{
    return (double)s->ground->height[c.y * s->ground->grid.nx + c.x];
}

/* May an edge along (dx, dy) follow the last edge of a state? */
static int may_follow(const search *s, uint32_t state, double dx, double dy)
{
    const int d = s->last[state];
    const double x = d == START ? s->heading[0] : step_x[d],
                 y = d == START ? s->heading[1] : step_y[d];
    return s->states == 1 || (x == 0 && y == 0) ||
           x * dx + y * dy >= STRAIGHT * hypot(x, y) * hypot(dx, dy);
}

static double distance(const search *s, int64_t dx, int64_t dy)
{
    return s->ground->grid.spacing * sqrt((double)(dx * dx + dy * dy));
}

static double edge_cost(const search *s, otok_cell c, int64_t dx, int64_t dy, double rise)
{
    const double cost = otok_road_cost(distance(s, dx, dy), rise, s->max_grade);
    return cost < INFINITY ? cost * otok_road_weight(s->ground, c, dx, dy) : cost;
}

/* The edge from a state to the goal, if there is one. */
static void try_goal(search *s, uint32_t state, otok_cell c)
{
    const int limited = s->states > 1;
    const int64_t dx = s->goal.x - c.x, dy = s->goal.y - c.y, far = (1 + limited) * s->step;
    double cost = s->cost[state];
    if (llabs(dx) > far || llabs(dy) > far) return;
    if (dx != 0 || dy != 0) {
        if (limited && dx * dx + dy * dy < s->step * s->step && s->last[state] != START) return;
        if (!may_follow(s, state, (double)dx, (double)dy)) return;
        cost += edge_cost(s, c, dx, dy, s->goal_height - height_at(s, c));
    }
    if (!(cost < s->goal_cost)) return;
    s->goal_cost = cost;
    s->goal_from = state;
}

/* The heuristic is the least cost of any path to the goal by distance and height. The distance
   counts the eight directions, or is straight if the last edge may have any direction. */
static otok_status push_state(search *s, uint32_t state, otok_cell c, double height)
{
    const double dx = fabs((double)(s->goal.x - c.x)), dy = fabs((double)(s->goal.y - c.y)),
                 far = s->octile ? fmax(dx, dy) + (M_SQRT2 - 1) * fmin(dx, dy)
                                 : sqrt(dx * dx + dy * dy),
                 ahead = SURELY * s->least_weight *
                         otok_road_remaining(&s->bound, far * s->ground->grid.spacing,
                                             s->goal_height - height);
    s->waits[state] = 1;
    return push(s, (entry){s->cost[state] + ahead, state});
}

static otok_status expand(search *s, uint32_t state)
{
    const otok_cell c = cell_of(s, state);
    const double height = height_at(s, c);
    for (int d = 0; d < 8; d++) {
        const otok_cell to = {c.x + step_x[d] * s->step, c.y + step_y[d] * s->step};
        if (to.x < 0 || to.y < 0 || to.x >= s->ground->grid.nx || to.y >= s->ground->grid.ny ||
            !may_follow(s, state, step_x[d], step_y[d]))
            continue;
        const uint32_t next = state_of(s, to, d);
        if (!(s->cost[state] < s->cost[next])) continue;
        const double there = height_at(s, to),
                     cost =
                         s->cost[state] + edge_cost(s, c, to.x - c.x, to.y - c.y, there - height);
        if (!(cost < s->cost[next])) continue;
        s->cost[next] = cost;
        s->last[next] = (uint8_t)d;
        s->prior[next] = s->last[state];
        OTOK_TRY(push_state(s, next, to, there));
    }
    try_goal(s, state, c);
    return OTOK_OK;
}

static otok_status explore(search *s, otok_cell a, int64_t *expanded)
{
    const uint32_t start = state_of(s, a, START);
    s->cost[start] = 0;
    s->last[start] = START;
    OTOK_TRY(push_state(s, start, a, height_at(s, a)));
    while (s->n && s->heap[0].key < s->goal_cost) {
        const uint32_t state = pop(s).state;
        if (!s->waits[state]) continue;
        s->waits[state] = 0;
        OTOK_TRY(expand(s, state));
        ++*expanded;
    }
    return OTOK_OK;
}

/* ---- the route ---- */

/* Room for n more cells. */
static otok_status reserve(otok_route *route, int64_t n)
{
    otok_cell *cells = realloc(route->cells, (size_t)(route->n + n) * sizeof *cells);
    if (!cells)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a road of %lld cells",
                         (long long)(route->n + n));
    route->cells = cells;
    return OTOK_OK;
}

static uint32_t state_before(const search *s, uint32_t state)
{
    const int d = s->last[state];
    const otok_cell c = cell_of(s, state);
    return state_of(s, (otok_cell){c.x - step_x[d] * s->step, c.y - step_y[d] * s->step},
                    s->prior[state]);
}

/* Adds the cells after a up to the goal, and a itself if the route is empty. */
static otok_status trace(const search *s, otok_route *route)
{
    const otok_cell end = cell_of(s, s->goal_from);
    const int direct = end.x != s->goal.x || end.y != s->goal.y, first = route->n == 0;
    int64_t n = direct + first;
    for (uint32_t at = s->goal_from; s->last[at] != START; at = state_before(s, at))
        n++;
    OTOK_TRY(reserve(route, n));
    otok_cell *cells = route->cells;
    int64_t i = route->n += n;
    if (direct) cells[--i] = s->goal;
    uint32_t at = s->goal_from;
    for (; s->last[at] != START; at = state_before(s, at))
        cells[--i] = cell_of(s, at);
    if (first) cells[--i] = cell_of(s, at);
    route->cost += s->goal_cost;
    return OTOK_OK;
}

static otok_status begin_search(search *s, const otok_route *route, otok_cell a)
{
    const otok_grid grid = s->ground->grid;
    s->origin = (otok_cell){a.x % s->step, a.y % s->step};
    s->nx = (grid.nx - 1 - s->origin.x) / s->step + 1;
    s->ny = (grid.ny - 1 - s->origin.y) / s->step + 1;
    s->goal_height = height_at(s, s->goal);
    s->octile =
        s->states == 1 && (s->goal.x - a.x) % s->step == 0 && (s->goal.y - a.y) % s->step == 0;
    const int64_t n = s->nx * s->ny * s->states;
    if (n > INT32_MAX)
        return OTOK_FAIL(OTOK_USAGE, "a search of %lld states is too large; raise road.step",
                         (long long)n);
    s->cost = malloc((size_t)n * sizeof *s->cost);
    s->last = malloc((size_t)n);
    s->prior = malloc((size_t)n);
    s->waits = calloc((size_t)n, 1);
    if (!s->cost || !s->last || !s->prior || !s->waits)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a search of %lld states; raise road.step",
                         (long long)n);
    for (int64_t i = 0; i < n; i++)
        s->cost[i] = INFINITY;
    if (route->n > 1) {
        const otok_cell *end = route->cells + route->n - 1;
        s->heading[0] = (double)(end[0].x - end[-1].x);
        s->heading[1] = (double)(end[0].y - end[-1].y);
    }
    return OTOK_OK;
}

static otok_status fail_search(const search *s, otok_cell a)
{
    const double l = s->ground->grid.spacing;
    char turns[64] = "";
    if (s->states > 1)
        snprintf(turns, sizeof turns, " or turns by more than 45 degrees in %lld cells",
                 (long long)s->step);
    return OTOK_FAIL(OTOK_DATA,
                     "no road from (%g, %g) to (%g, %g): every route is steeper than max_grade "
                     "%g%s; raise max_grade, %s step, or move the points",
                     ((double)a.x + 0.5) * l, ((double)a.y + 0.5) * l,
                     ((double)s->goal.x + 0.5) * l, ((double)s->goal.y + 0.5) * l, s->max_grade,
                     turns, s->states > 1 ? "lower turn_radius or" : "change");
}

otok_status otok_road_search(otok_route *route, const otok_road_ground *ground, otok_cell a,
                             otok_cell b, int64_t step, double max_grade, int limited)
{
    search s = {.ground = ground,
                .goal = b,
                .step = step,
                .states = limited ? DIRECTIONS : 1,
                .max_grade = max_grade,
                .least_weight = ground->road ? ground->reuse : 1,
                .bound = otok_road_bound_for(max_grade),
                .goal_cost = INFINITY};
    otok_status status = begin_search(&s, route, a);
    if (status == OTOK_OK) status = explore(&s, a, &route->expanded);
    if (status == OTOK_OK) status = s.goal_cost < INFINITY ? trace(&s, route) : fail_search(&s, a);
    free(s.cost);
    free(s.last);
    free(s.prior);
    free(s.waits);
    free(s.heap);
    return status;
}
