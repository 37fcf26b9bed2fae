/* search.c: the cheapest route between two cells, by A* (M13 section 7.1). It knows no beds and no
   files. A node takes 16 bytes: its cost so far, its height, and its heuristic, whose sign says
   whether it was expanded. A ring of nodes with cost -infinity surrounds the lattice, so nothing
   has to test for the end of the grid. A node whose cost falls after it was expanded is expanded
   again. The search ends when the bucket of the goal's cost is empty. So the result is the least
   sum of edges in double arithmetic, to the last bit, as Dijkstra's algorithm gives it. That
   requires an admissible heuristic, but no order within a bucket. */
#include "road.h"

#include "../core/status.h"
#include "../model/road.h"
#include "queue.h"

#include <math.h>

#define SURELY (1 - 1e-6) /* outweighs the rounding of the heuristic and of the sum of a path */

#define BUCKETS_PER_STEP 4 /* buckets in the cost of a level step */
#define LAST_BUCKET (UINT32_MAX - 1)

typedef struct node {
    double cost;
    float height, ahead; /* ahead: heuristic; negative: the node was expanded at this cost */
} node;

typedef struct search {
    otok_grid grid;
    otok_cell goal;
    int64_t step, x0, y0; /* node (0, 0) of the lattice is cell (x0, y0) */
    int64_t nx, ny;       /* nodes along the axes, without the ring */
    uint32_t stride;
    const otok_road_ground *ground; /* NULL: the cost of an edge depends on its slope alone */
    double reuse;                   /* least weight of an edge                 */
    node *nodes;
    uint8_t *from; /* direction of the last edge of the cheapest path to a node */
    queue *open;
    double per_bucket; /* buckets in a unit of cost */
    double max_grade, goal_cost;
    double goal_height;
    otok_road_bound bound;
    uint32_t last_bucket; /* that of goal_cost */
    int octile;           /* is the goal a node? A route then has only the eight directions */
    uint32_t goal_from;
    uint32_t near_low, near_high; /* contains all nodes from which an edge leads to the goal */
    double length[8];
    int32_t offset[8];
} search;

static const int8_t direction_x[8] = {-1, 0, 1, -1, 1, -1, 0, 1},
                    direction_y[8] = {-1, -1, -1, 0, 0, 1, 1, 1};

static double distance(const search *s, int64_t dx, int64_t dy)
{
    return s->grid.spacing * sqrt((double)(dx * dx + dy * dy));
}

/* Initialises the nodes of row y. Their heuristic is the least cost of any path to the goal by
   distance and height. The distance counts the eight directions, or is straight if the last edge
   may have any direction. */
static void fill_row(const search *s, node *row, const float *height, int64_t y)
{
    const double dy = fabs((double)(s->goal.y - y)), first = (double)(s->goal.x - s->x0),
                 step = (double)s->step;
    const double spacing = s->grid.spacing, goal_height = s->goal_height,
                 surely = s->reuse < 1 ? SURELY * s->reuse : SURELY;
    const otok_road_bound bound = s->bound;
    const int n = (int)s->nx, octile = s->octile;
#pragma omp simd
    for (int i = 0; i < n; i++) {
        const float h = height[i * s->step];
        const double dx = fabs(first - step * (double)i);
        const double straight = sqrt(dx * dx + dy * dy), larger = dx > dy ? dx : dy,
                     smaller = dx > dy ? dy : dx;
        const double distance = (octile ? larger + (M_SQRT2 - 1) * smaller : straight) * spacing;
        row[i].cost = INFINITY;
        row[i].height = h;
        row[i].ahead =
            (float)(surely * otok_road_remaining(&bound, distance, goal_height - (double)h));
    }
}

static otok_status begin_search(search *s, const float *height, otok_cell a)
{
    const int64_t k = s->step;
    s->x0 = a.x % k;
    s->y0 = a.y % k;
    s->nx = (s->grid.nx - 1 - s->x0) / k + 1;
    s->ny = (s->grid.ny - 1 - s->y0) / k + 1;
    const uint64_t count = (uint64_t)(s->nx + 2) * (uint64_t)(s->ny + 2);
    if (count > INT32_MAX)
        return OTOK_FAIL(OTOK_USAGE, "a search of %llu nodes is too large; raise road.step",
                         (unsigned long long)count);
    s->stride = (uint32_t)(s->nx + 2);
    s->nodes = malloc(count * sizeof *s->nodes);
    s->from = malloc(count);
    s->open = queue_create();
    if (!s->nodes || !s->from || !s->open)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a search of %llu nodes; raise road.step",
                         (unsigned long long)count);
    s->per_bucket = BUCKETS_PER_STEP / (otok_road_effort(0) * s->grid.spacing * (double)k);
    const node ring = {-INFINITY, 0, 0};
    for (int64_t j = -1; j <= s->ny; j++) {
        node *row = s->nodes + (size_t)(j + 1) * s->stride + 1;
        row[-1] = row[s->nx] = ring;
        if (j >= 0 && j < s->ny)
            fill_row(s, row, height + (s->y0 + j * k) * s->grid.nx + s->x0, s->y0 + j * k);
        else
            for (int64_t i = 0; i < s->nx; i++)
                row[i] = ring;
    }
    const int64_t low = (s->goal.y - s->y0 - 1) / k, high = (s->goal.y - s->y0) / k + 1;
    s->near_low = (uint32_t)(low > 0 ? low : 0) * s->stride;
    s->near_high = (uint32_t)(high + 2) * s->stride;
    for (int d = 0; d < 8; d++) {
        s->length[d] = distance(s, k * direction_x[d], k * direction_y[d]);
        s->offset[d] = direction_y[d] * (int32_t)s->stride + direction_x[d];
    }
    return OTOK_OK;
}

/* The bucket of a key, but none before the one being emptied. Keys too large for 32 bits share
   the last bucket. */
static uint32_t bucket_of(const search *s, double key)
{
    const double bucket = key * s->per_bucket;
    const uint32_t b = bucket < (double)LAST_BUCKET ? (uint32_t)bucket : LAST_BUCKET;
    return b > s->open->now ? b : s->open->now;
}

/* Notes a cheaper path to node m, by an edge of direction d. */
static void offer_path(search *s, uint32_t m, int d, double cost)
{
    node *there = s->nodes + m;
    there->ahead = fabsf(there->ahead);
    there->cost = cost;
    s->from[m] = (uint8_t)d;
    queue_push(s->open, bucket_of(s, cost + (double)there->ahead), m);
}

static otok_cell cell_of(const search *s, uint32_t n)
{
    const uint32_t row = n / s->stride;
    return (otok_cell){s->x0 + ((int64_t)(n - row * s->stride) - 1) * s->step,
                       s->y0 + ((int64_t)row - 1) * s->step};
}

static void weigh_edges(const search *s, otok_cell c, double edge[8])
{
    for (int d = 0; d < 8; d++)
        if (edge[d] < INFINITY)
            edge[d] *=
                otok_road_weight(s->ground, c, direction_x[d] * s->step, direction_y[d] * s->step);
}

/* The edge from node n to the goal, if there is one. */
static void try_goal(search *s, uint32_t n)
{
    const node *here = s->nodes + n;
    const otok_cell c = cell_of(s, n);
    const int64_t dx = s->goal.x - c.x, dy = s->goal.y - c.y;
    if (llabs(dx) > s->step || llabs(dy) > s->step || (dx == 0 && dy == 0)) return;
    double edge =
        otok_road_cost(distance(s, dx, dy), s->goal_height - (double)here->height, s->max_grade);
    if (s->ground) edge *= otok_road_weight(s->ground, c, dx, dy);
    if (here->cost + edge < s->goal_cost) {
        s->goal_cost = here->cost + edge;
        s->last_bucket = bucket_of(s, s->goal_cost);
        s->goal_from = n;
    }
}

/* The caller has made room for eight more entries. */
static void expand(search *s, uint32_t n)
{
    const node *here = s->nodes + n;
    const double height = (double)here->height, start = here->cost, max_grade = s->max_grade;
    double edge[8], now[8], there[8];
    for (int d = 0; d < 8; d++) {
        there[d] = (double)here[s->offset[d]].height;
        now[d] = here[s->offset[d]].cost;
    }
#pragma omp simd
    for (int d = 0; d < 8; d++)
        edge[d] = otok_road_cost(s->length[d], there[d] - height, max_grade);
    if (s->ground) weigh_edges(s, cell_of(s, n), edge);
    unsigned cheaper = 0;
    for (int d = 0; d < 8; d++)
        cheaper |= (unsigned)(start + edge[d] < now[d]) << d;
    for (; cheaper; cheaper &= cheaper - 1) {
        const int d = __builtin_ctz(cheaper);
        offer_path(s, n + (uint32_t)s->offset[d], d, start + edge[d]);
    }
    if (n >= s->near_low && n < s->near_high) try_goal(s, n);
}

/* Prefetches the node after this one, because nodes of a bucket lie far apart. */
static void prefetch_node(const search *s, uint32_t next)
{
    const node *at = s->nodes + next;
    for (int row = -1; row <= 1; row++) {
        __builtin_prefetch(at + row * (ptrdiff_t)s->stride - 1);
        __builtin_prefetch(at + row * (ptrdiff_t)s->stride + 1);
    }
}

static otok_status explore(search *s, uint32_t start, int64_t *expanded)
{
    uint32_t n;
    int failed = !queue_reserve(s->open, 8);
    s->goal_cost = INFINITY;
    s->last_bucket = LAST_BUCKET;
    s->nodes[start].cost = 0;
    if (!failed) queue_push(s->open, 0, start);
    while (!failed && queue_pop(s->open, &n, &failed)) {
        if (s->open->now > s->last_bucket) break;
        prefetch_node(s, queue_next(s->open));
        if (s->nodes[n].ahead < 0) continue; /* it was expanded before, at a lower cost */
        s->nodes[n].ahead = -s->nodes[n].ahead;
        failed = !queue_reserve(s->open, 8);
        if (!failed) expand(s, n);
        ++*expanded;
    }
    return queue_status(failed);
}

otok_status otok_route_reserve(otok_route *route, int64_t n)
{
    otok_cell *cells = realloc(route->cells, (size_t)(route->n + n) * sizeof *cells);
    if (!cells)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a road of %lld cells",
                         (long long)(route->n + n));
    route->cells = cells;
    return OTOK_OK;
}

/* Adds the cells after a up to b, and a itself if the route is empty. */
static otok_status trace(const search *s, otok_route *route, uint32_t start, otok_cell a)
{
    int64_t n = 1, first = route->n == 0;
    for (uint32_t at = s->goal_from; at != start; at -= (uint32_t)s->offset[s->from[at]])
        n++;
    OTOK_TRY(otok_route_reserve(route, first + n));
    if (first) route->cells[route->n++] = a;
    otok_cell *cells = route->cells + route->n;
    route->n += n;
    cells[n - 1] = s->goal;
    for (uint32_t at = s->goal_from; at != start; at -= (uint32_t)s->offset[s->from[at]])
        cells[--n - 1] = cell_of(s, at);
    route->cost += s->goal_cost;
    return OTOK_OK;
}

otok_status otok_road_search(otok_route *route, const otok_road_ground *ground, otok_cell a,
                             otok_cell b, int64_t step, double max_grade)
{
    const otok_grid grid = ground->grid;
    search s = {.grid = grid,
                .goal = b,
                .step = step,
                .max_grade = max_grade,
                .ground = ground->road || ground->wet ? ground : NULL,
                .reuse = ground->road ? ground->reuse : 1};
    s.goal_height = (double)ground->height[b.y * grid.nx + b.x];
    s.bound = otok_road_bound_for(max_grade);
    s.octile = (b.x - a.x) % step == 0 && (b.y - a.y) % step == 0;
    otok_status status = begin_search(&s, ground->height, a);
    if (status == OTOK_OK) {
        const uint32_t start = (uint32_t)((a.y / step + 1) * (int64_t)s.stride + a.x / step + 1);
        status = explore(&s, start, &route->expanded);
        if (status == OTOK_OK && s.goal_cost < INFINITY) status = trace(&s, route, start, a);
    }
    if (status == OTOK_OK && !(s.goal_cost < INFINITY))
        status = OTOK_FAIL(OTOK_DATA,
                           "no road from (%g, %g) to (%g, %g): every route is steeper than "
                           "max_grade %g; raise max_grade, change "
                           "step, or move the points",
                           ((double)a.x + 0.5) * grid.spacing, ((double)a.y + 0.5) * grid.spacing,
                           ((double)b.x + 0.5) * grid.spacing, ((double)b.y + 0.5) * grid.spacing,
                           max_grade);
    free(s.nodes);
    free(s.from);
    queue_destroy(s.open);
    return status;
}
