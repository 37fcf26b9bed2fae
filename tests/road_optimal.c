/* road_optimal.c - claim: the search's way costs what Dijkstra's does, to the last bit, whatever
   the terrain, step, grade and earlier beds, and is a chain of allowed edges of that cost; where
   there is none, the text says so. It prints how fast a way across 513 x 513 cells is. */
#include "model/road.h"
#include "road/road.h"
#include "road_scene.h"

#include <time.h>

static double reuse = 1;

/* What is left of an edge's cost where all its cells are beds. */
static double share_of_cost(const landscape *l, int64_t x, int64_t y, int64_t dx, int64_t dy)
{
    const int64_t n = llabs(dx) > llabs(dy) ? llabs(dx) : llabs(dy);
    int beds = 0;
    for (int64_t i = 0; i <= n; i++) {
        const double t = n ? (double)i / (double)n : 0;
        beds +=
            l->road[(y + lround(t * (double)dy)) * l->grid.nx + x + lround(t * (double)dx)] >= 1;
    }
    return beds == n + 1 ? reuse : 1;
}

/* Least cost from a to b by relaxing all edges until nothing falls; the same edges, no heuristic,
 * no heap. */
static double least_cost(const landscape *l, otok_cell a, otok_cell b, int64_t k, double max_grade)
{
    const int64_t nx = l->grid.nx, ny = l->grid.ny;
    double *cost = malloc((size_t)(nx * ny) * sizeof *cost), end = INFINITY;
    for (int64_t i = 0; i < nx * ny; i++)
        cost[i] = INFINITY;
    cost[a.y * nx + a.x] = 0;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int64_t j = a.y % k; j < ny; j += k)
            for (int64_t i = a.x % k; i < nx; i += k)
                for (int d = 0; d < 9; d++) {
                    const int64_t x = i + k * (d % 3 - 1), y = j + k * (d / 3 - 1);
                    if (d == 4 || x < 0 || y < 0 || x >= nx || y >= ny) continue;
                    const double length =
                        l->grid.spacing * sqrt((double)((x - i) * (x - i) + (y - j) * (y - j)));
                    const double rise = (double)l->base[y * nx + x] - (double)l->base[j * nx + i];
                    const double there =
                        cost[j * nx + i] + share_of_cost(l, i, j, x - i, y - j) *
                                               otok_road_cost(length, rise, max_grade);
                    if (!(there < cost[y * nx + x])) continue;
                    cost[y * nx + x] = there;
                    changed = 1;
                }
    }
    for (int64_t j = a.y % k; j < ny; j += k)
        for (int64_t i = a.x % k; i < nx; i += k) {
            if (llabs(b.x - i) > k || llabs(b.y - j) > k) continue;
            const double length =
                l->grid.spacing * sqrt((double)((b.x - i) * (b.x - i) + (b.y - j) * (b.y - j)));
            const double rise = (double)l->base[b.y * nx + b.x] - (double)l->base[j * nx + i];
            end = fmin(end,
                       cost[j * nx + i] + (length > 0 ? share_of_cost(l, i, j, b.x - i, b.y - j) *
                                                            otok_road_cost(length, rise, max_grade)
                                                      : 0));
        }
    free(cost);
    return end;
}

/* The cells of a route are joined by edges of the right kind, whose costs add up. */
static void check_route(const landscape *l, const otok_route *r, otok_cell a, otok_cell b,
                        int64_t k, double max_grade)
{
    double cost = 0;
    CHECK(r->cells[0].x == a.x && r->cells[0].y == a.y && r->cells[r->n - 1].x == b.x &&
              r->cells[r->n - 1].y == b.y,
          "wrong ends");
    for (int64_t n = 1; n < r->n; n++) {
        const otok_cell p = r->cells[n - 1], q = r->cells[n];
        const int64_t dx = q.x - p.x, dy = q.y - p.y;
        const int moore = (dx == 0 || llabs(dx) == k) && (dy == 0 || llabs(dy) == k);
        CHECK(moore || (n == r->n - 1 && llabs(dx) <= k && llabs(dy) <= k), "edge %lld: %lld, %lld",
              (long long)n, (long long)dx, (long long)dy);
        const double rise =
            (double)l->base[q.y * l->grid.nx + q.x] - (double)l->base[p.y * l->grid.nx + p.x];
        cost +=
            share_of_cost(l, p.x, p.y, dx, dy) *
            otok_road_cost(l->grid.spacing * sqrt((double)(dx * dx + dy * dy)), rise, max_grade);
    }
    CHECK(cost == r->cost, "edges cost %.17g, the route says %.17g", cost, r->cost);
}

static void compare(uint64_t seed, int *ways, int *none)
{
    static const int64_t steps[] = {1, 1, 2, 3, 5, 8};
    static const double grades[] = {INFINITY, INFINITY, 0.6, 0.25, 0.12, 0.05};
    uint64_t state = seed * 7919 + 1;
    const int64_t nx = 2 + (int64_t)(60 * scene_random(&state)),
                  ny = 1 + (int64_t)(60 * scene_random(&state));
    const int64_t k = steps[(int)(6 * scene_random(&state))];
    const double grade = grades[(int)(6 * scene_random(&state))];
    landscape l = landscape_make(nx, ny, 0.5 + 9 * (double)scene_random(&state));
    landscape_hills(&l, 8 * (double)scene_random(&state),
                    seed % 3 == 0 ? 30 * (double)scene_random(&state) : 0.2, seed);
    otok_cell a = {(int64_t)((double)nx * (double)scene_random(&state)),
                   (int64_t)((double)ny * (double)scene_random(&state))},
              b;
    do {
        b = (otok_cell){(int64_t)((double)nx * (double)scene_random(&state)),
                        (int64_t)((double)ny * (double)scene_random(&state))};
    } while (a.x == b.x && a.y == b.y);
    otok_route route = {0};
    reuse = seed % 2 ? 1 : 0.05 + 0.9 * (double)scene_random(&state);
    const int64_t bed = (int64_t)((double)nx * (double)scene_random(&state));
    for (int64_t i = 0; i < nx * ny; i++) /* crossing beds, and here and there a cell */
        l.road[i] = i % nx == bed || i % nx == bed + i / nx / 2 || (i / nx) % 9 < 2 ||
                            i * 2654435761 % 11 == 0
                        ? 1
                        : 0.5f;
    const otok_road_ground ground = {l.grid, l.base, reuse < 1 ? l.road : NULL, reuse, NULL, 1};
    const otok_status status = otok_road_search(&route, &ground, a, b, k, grade, 0);
    const double best = least_cost(&l, a, b, k, grade);
    if (best < INFINITY) {
        CHECK(status == OTOK_OK && route.cost == best,
              "seed %llu, %lld x %lld, step %lld, grade %g: A* %.17g, Dijkstra %.17g",
              (unsigned long long)seed, (long long)nx, (long long)ny, (long long)k, grade,
              route.cost, best);
        if (status == OTOK_OK) check_route(&l, &route, a, b, k, grade);
        ++*ways;
    } else {
        CHECK(status == OTOK_DATA && strstr(otok_why(), "max_grade") && route.n == 0,
              "seed %llu: %s", (unsigned long long)seed, otok_why());
        ++*none;
    }
    free(route.cells);
    landscape_free(&l, NULL);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void bench(void)
{
    landscape l = landscape_make(513, 513, 2);
    landscape_hills(&l, 30, 0.5, 5);
    l.request.from = landscape_point(&l, 3, 5);
    l.request.to = landscape_point(&l, 508, 510);
    l.request.step = 1;
    double search = INFINITY, whole = INFINITY;
    int64_t looked = 0;
    for (int repeat = 0; repeat < 7; repeat++) {
        otok_route route = {0};
        double before = seconds();
        const otok_road_ground ground = {l.grid, l.base, NULL, 1, NULL, 1};
        MUST(otok_road_search(&route, &ground, (otok_cell){3, 5}, (otok_cell){508, 510}, 1,
                              INFINITY, 0));
        search = fmin(search, seconds() - before);
        looked = route.expanded;
        free(route.cells);
        const size_t bytes = (size_t)(l.grid.nx * l.grid.ny) * sizeof(float);
        memset(l.change, 0, bytes);
        memset(l.road, 0, bytes);
        otok_road *road;
        before = seconds();
        MUST(landscape_build(&road, &l));
        whole = fmin(whole, seconds() - before);
        otok_road_destroy(road);
    }
    printf("513 x 513, step 1: search %.1f ms, %lld nodes looked at; whole road %.1f ms\n",
           1e3 * search, (long long)looked, 1e3 * whole);
    landscape_free(&l, NULL);
}

/* Chains of edges in random directions cost no less than the bound of their ends, which is no less
 * than M13's. */
static void bound(void)
{
    uint64_t state = 11;
    double closest = INFINITY;
    for (int trial = 0; trial < 200000; trial++) {
        const double grade = trial % 2 ? INFINITY : 0.05 + 0.4 * (double)scene_random(&state);
        const double most = trial % 3 ? 0.5 : 5,
                     slope = most * (2 * (double)scene_random(&state) - 1);
        const double turn = trial % 5 ? 0 : (double)scene_random(&state),
                     spread = trial % 7 ? 0 : (double)scene_random(&state);
        const otok_road_bound b = otok_road_bound_for(grade);
        double x = 0, y = 0, z = 0, cost = 0;
        for (int edge = 0; edge < 5; edge++) {
            const double length = 0.1 + (double)scene_random(&state),
                         angle = turn * 6.283 * (double)scene_random(&state);
            const double rise = length * (slope + spread * ((double)scene_random(&state) - 0.5));
            x += length * cos(angle);
            y += length * sin(angle);
            z += rise;
            cost += otok_road_cost(length, rise, grade);
        }
        const double distance = hypot(x, y), least = otok_road_remaining(&b, distance, z);
        CHECK(least <= cost * (1 + 1e-12), "slope %g, grade %g: bound %.17g above the cost %.17g",
              slope, grade, least, cost);
        CHECK(least >= distance * OTOK_ROAD_LEAST_EFFORT * (1 - 1e-12),
              "slope %g: bound %g below the least effort", slope, least);
        closest = fmin(closest, cost / least);
    }
    CHECK(closest < 1 + 1e-9, "the bound is never reached: %g", closest);
}

int main(void)
{
    int ways = 0, none = 0;
    bound();
    double lowest = INFINITY;
    for (int64_t i = -40000000; i <= 40000000; i += 7)
        lowest = fmin(lowest, otok_road_effort((double)i * 1e-7));
    CHECK(lowest >= OTOK_ROAD_LEAST_EFFORT && lowest < OTOK_ROAD_LEAST_EFFORT + 1e-12,
          "least effort found %.17g", lowest);
    for (uint64_t seed = 1; seed <= 300; seed++)
        compare(seed, &ways, &none);
    CHECK(ways > 150 && none > 15, "only %d ways and %d of none", ways, none);
    bench();
    return check_failures != 0;
}
