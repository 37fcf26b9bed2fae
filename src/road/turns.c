/* turns.c: the cheapest route that turns by at most 45 degrees from edge to edge, by A*. A state is
   a node and the direction of arrival, so that the nodes of 16 bytes of search.c do not fit. As
   there, a state whose cost falls is expanded again. */
#include "road.h"

#include "../core/status.h"
#include "../model/road.h"
#include "queue.h"

#include <math.h>

#define SURELY (1 - 1e-6)     /* outweighs the rounding of the heuristic and of the sum of a path */
#define STRAIGHT 0.7071067811 /* a little less than the cosine of 45 degrees                */

enum {
    BUCKETS_PER_STEP = 4,
    STATES = 9, /* states of a node: directions, counterclockwise, and START */
    START = 8
};
#define LAST_BUCKET (UINT32_MAX - 1)

static const int8_t step_x[8] = {1, 1, 0, -1, -1, -1, 0, 1},
                    step_y[8] = {0, 1, 1, 1, 0, -1, -1, -1};

typedef struct turns {
    const otok_road_ground *ground;
    otok_cell goal, origin; /* origin: cell of node (0, 0)          */
    int64_t step, nx, ny;   /* nodes along the axes                 */
    double max_grade, goal_height, least_weight, per_bucket;
    double heading[2]; /* unit vector of the route so far, or 0, 0  */
    otok_road_bound bound;
    double *cost;
    uint8_t *from,
        *waits; /* for each state: the state of the node before; is it in the open list? */
    queue *open;
    double goal_cost;
    uint32_t goal_from;
} turns;

static otok_cell cell_of(const turns *s, uint32_t state)
{
    const int64_t node = state / STATES;
    return (otok_cell){s->origin.x + node % s->nx * s->step, s->origin.y + node / s->nx * s->step};
}

static double height_at(const turns *s, otok_cell c)
{
    return (double)s->ground->height[c.y * s->ground->grid.nx + c.x];
}

/* May an edge along (dx, dy) follow the edge by which the state was reached? */
static int may_follow(const turns *s, uint32_t state, double dx, double dy)
{
    const uint32_t d = state % STATES;
    const double x = d == START ? s->heading[0] : step_x[d],
                 y = d == START ? s->heading[1] : step_y[d];
    return (x == 0 && y == 0) || x * dx + y * dy >= STRAIGHT * hypot(x, y) * hypot(dx, dy);
}

static double edge_cost(const turns *s, otok_cell c, int64_t dx, int64_t dy, double rise)
{
    const double length = s->ground->grid.spacing * hypot((double)dx, (double)dy),
                 cost = otok_road_cost(length, rise, s->max_grade);
    return cost < INFINITY ? cost * otok_road_weight(s->ground, c, dx, dy) : cost;
}

/* The edge from a state to the goal, if there is one. */
static void try_goal(turns *s, uint32_t state, otok_cell c)
{
    const int64_t dx = s->goal.x - c.x, dy = s->goal.y - c.y, far = 2 * s->step;
    double cost = s->cost[state];
    if (llabs(dx) > far || llabs(dy) > far) return;
    if (dx != 0 || dy != 0) {
        if (dx * dx + dy * dy < s->step * s->step && state % STATES != START) return;
        if (!may_follow(s, state, (double)dx, (double)dy)) return;
        cost += edge_cost(s, c, dx, dy, s->goal_height - height_at(s, c));
    }
    if (!(cost < s->goal_cost)) return;
    s->goal_cost = cost;
    s->goal_from = state;
}

static void push_state(turns *s, uint32_t state, otok_cell c, double height)
{
    const double length = s->ground->grid.spacing *
                          hypot((double)(s->goal.x - c.x), (double)(s->goal.y - c.y)),
                 ahead = SURELY * s->least_weight *
                         otok_road_remaining(&s->bound, length, s->goal_height - height),
                 bucket = (s->cost[state] + ahead) * s->per_bucket;
    const uint32_t b = bucket < (double)LAST_BUCKET ? (uint32_t)bucket : LAST_BUCKET;
    s->waits[state] = 1;
    queue_push(s->open, b > s->open->now ? b : s->open->now, state);
}

static void expand(turns *s, uint32_t state)
{
    const otok_cell c = cell_of(s, state), o = s->origin;
    const double height = height_at(s, c);
    for (int d = 0; d < 8; d++) {
        const otok_cell to = {c.x + step_x[d] * s->step, c.y + step_y[d] * s->step};
        if (to.x < 0 || to.y < 0 || to.x >= s->ground->grid.nx || to.y >= s->ground->grid.ny ||
            !may_follow(s, state, step_x[d], step_y[d]))
            continue;
        const double there = height_at(s, to),
                     cost =
                         s->cost[state] + edge_cost(s, c, to.x - c.x, to.y - c.y, there - height);
        const int64_t node = (to.y - o.y) / s->step * s->nx + (to.x - o.x) / s->step;
        const uint32_t next = (uint32_t)(node * STATES + d);
        if (!(cost < s->cost[next])) continue;
        s->cost[next] = cost;
        s->from[next] = (uint8_t)(state % STATES);
        push_state(s, next, to, there);
    }
    try_goal(s, state, c);
}

static otok_status explore(turns *s, otok_cell a, int64_t *expanded)
{
    const int64_t node = (a.y - s->origin.y) / s->step * s->nx + (a.x - s->origin.x) / s->step;
    uint32_t state = (uint32_t)(node * STATES + START);
    int failed = !queue_reserve(s->open, 8);
    s->cost[state] = 0;
    if (!failed) push_state(s, state, a, height_at(s, a));
    while (!failed && queue_pop(s->open, &state, &failed)) {
        if ((double)s->open->now > s->goal_cost * s->per_bucket) break;
        if (!s->waits[state]) continue;
        s->waits[state] = 0;
        failed = !queue_reserve(s->open, 8);
        if (!failed) expand(s, state);
        ++*expanded;
    }
    return queue_status(failed);
}

static uint32_t previous_state(const turns *s, uint32_t state)
{
    const int64_t d = state % STATES, node = state / STATES - step_y[d] * s->nx - step_x[d];
    return (uint32_t)(node * STATES) + s->from[state];
}

/* Adds the cells after a up to the goal, and a itself if the route is empty. */
static otok_status trace(const turns *s, otok_route *route)
{
    const otok_cell last = cell_of(s, s->goal_from);
    const int direct = last.x != s->goal.x || last.y != s->goal.y, first = route->n == 0;
    int64_t n = direct + first;
    for (uint32_t at = s->goal_from; at % STATES != START; at = previous_state(s, at))
        n++;
    OTOK_TRY(otok_route_reserve(route, n));
    otok_cell *cells = route->cells;
    int64_t i = route->n += n;
    if (direct) cells[--i] = s->goal;
    uint32_t at = s->goal_from;
    for (; at % STATES != START; at = previous_state(s, at))
        cells[--i] = cell_of(s, at);
    if (first) cells[--i] = cell_of(s, at);
    route->cost += s->goal_cost;
    return OTOK_OK;
}

static otok_status begin_search(turns *s, const otok_route *route, otok_cell a)
{
    const otok_grid grid = s->ground->grid;
    s->origin = (otok_cell){a.x % s->step, a.y % s->step};
    s->nx = (grid.nx - 1 - s->origin.x) / s->step + 1;
    s->ny = (grid.ny - 1 - s->origin.y) / s->step + 1;
    const int64_t states = s->nx * s->ny * STATES;
    if (states > INT32_MAX)
        return OTOK_FAIL(OTOK_USAGE, "a search of %lld states is too large; raise road.step",
                         (long long)states);
    s->cost = malloc((size_t)states * sizeof *s->cost);
    s->from = calloc((size_t)states, 1);
    s->waits = calloc((size_t)states, 1);
    s->open = queue_create();
    if (!s->cost || !s->from || !s->waits || !s->open)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a search of %lld states; raise road.step",
                         (long long)states);
    for (int64_t i = 0; i < states; i++)
        s->cost[i] = INFINITY;
    if (route->n > 1) {
        const otok_cell *last = route->cells + route->n - 1;
        s->heading[0] = (double)(last[0].x - last[-1].x);
        s->heading[1] = (double)(last[0].y - last[-1].y);
    }
    s->per_bucket = BUCKETS_PER_STEP / (otok_road_effort(0) * grid.spacing * (double)s->step);
    return OTOK_OK;
}

otok_status otok_road_search_turns(otok_route *route, const otok_road_ground *ground, otok_cell a,
                                   otok_cell b, int64_t step, double max_grade)
{
    const double l = ground->grid.spacing;
    turns s = {.ground = ground,
               .goal = b,
               .step = step,
               .max_grade = max_grade,
               .least_weight = ground->road ? ground->reuse : 1,
               .bound = otok_road_bound_for(max_grade),
               .goal_cost = INFINITY};
    s.goal_height = height_at(&s, b);
    otok_status status = begin_search(&s, route, a);
    if (status == OTOK_OK) status = explore(&s, a, &route->expanded);
    if (status == OTOK_OK && s.goal_cost < INFINITY) status = trace(&s, route);
    if (status == OTOK_OK && !(s.goal_cost < INFINITY))
        status =
            OTOK_FAIL(OTOK_DATA,
                      "no road from (%g, %g) to (%g, %g): every route is steeper than "
                      "max_grade %g or turns by more than 45 degrees in %lld cells; raise "
                      "max_grade, lower turn_radius or step, or move the points",
                      ((double)a.x + 0.5) * l, ((double)a.y + 0.5) * l, ((double)b.x + 0.5) * l,
                      ((double)b.y + 0.5) * l, max_grade, (long long)step);
    free(s.cost);
    free(s.from);
    free(s.waits);
    queue_destroy(s.open);
    return status;
}
