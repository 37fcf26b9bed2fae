/* road_turns.c - claim: the search that turns by at most 45 degrees at a node finds the cheapest of
   such ways, as relaxing all of them does, over hills, beds and water; and says where there is
   none. */
#include "model/road.h"
#include "road/road.h"
#include "road_scene.h"

static const int dx[8] = {1, 1, 0, -1, -1, -1, 0, 1}, dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};

static double edge(const otok_road_ground *g, otok_cell c, int64_t x, int64_t y, double most)
{
    const double rise = (double)g->height[(c.y + y) * g->grid.nx + c.x + x] -
                        (double)g->height[c.y * g->grid.nx + c.x];
    const double cost = otok_road_cost(g->grid.spacing * hypot((double)x, (double)y), rise, most);
    return cost < INFINITY ? cost * otok_road_weight(g, c, x, y) : cost;
}

/* Least cost of a way from a to b, both nodes, at whose nodes it turns by 45 degrees at most. */
static double least_cost(const otok_road_ground *g, otok_cell a, otok_cell b, int64_t k,
                         double most)
{
    const int64_t nx = g->grid.nx, ny = g->grid.ny;
    double *cost = malloc((size_t)(nx * ny * 8) * sizeof *cost), best = INFINITY;
    for (int64_t i = 0; i < nx * ny * 8; i++)
        cost[i] = INFINITY;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int64_t y = a.y % k; y < ny; y += k)
            for (int64_t x = a.x % k; x < nx; x += k)
                for (int d = 0; d < 8; d++) {
                    const int64_t x2 = x + k * dx[d], y2 = y + k * dy[d];
                    if (x2 < 0 || y2 < 0 || x2 >= nx || y2 >= ny) continue;
                    double from = x == a.x && y == a.y ? 0 : INFINITY;
                    for (int t = 7; t <= 9; t++)
                        from = fmin(from, cost[(y * nx + x) * 8 + (d + t) % 8]);
                    const double there =
                        from + edge(g, (otok_cell){x, y}, k * dx[d], k * dy[d], most);
                    if (!(there < cost[(y2 * nx + x2) * 8 + d])) continue;
                    cost[(y2 * nx + x2) * 8 + d] = there;
                    changed = 1;
                }
    }
    for (int d = 0; d < 8; d++)
        best = fmin(best, cost[(b.y * nx + b.x) * 8 + d]);
    free(cost);
    return best;
}

/* The goal may also be reached by one edge that is longer or of another direction; such ways cost
   no more than is found here, so they are only checked to be allowed. */
static void check_route(const otok_route *r, int64_t k)
{
    for (int64_t n = 2; n < r->n; n++) {
        const double ux = (double)(r->cells[n - 1].x - r->cells[n - 2].x),
                     uy = (double)(r->cells[n - 1].y - r->cells[n - 2].y),
                     vx = (double)(r->cells[n].x - r->cells[n - 1].x),
                     vy = (double)(r->cells[n].y - r->cells[n - 1].y);
        CHECK(ux * vx + uy * vy >= 0.7071 * hypot(ux, uy) * hypot(vx, vy), "a sharp turn at %lld",
              (long long)n);
        CHECK(hypot(vx, vy) >= (double)k, "an edge of %g cells", hypot(vx, vy));
    }
}

int main(void)
{
    int ways = 0, none = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t state = seed * 7919;
        const int64_t k = 1 + (int64_t)seed % 3;
        landscape l = landscape_make(30, 26, 2);
        landscape_hills(&l, 3 * (double)scene_random(&state), 0.2, seed);
        uint8_t wet[30 * 26];
        for (int i = 0; i < 30 * 26; i++) {
            wet[i] = seed % 2 && i % 30 >= 12 && i % 30 < 15 && i / 30 < 20;
            l.road[i] = seed % 4 > 1 && (i / 30) % 9 < 2 && !wet[i];
        }
        const otok_road_ground ground = {l.grid, l.base, seed % 4 > 1 ? l.road : NULL, 0.4, wet, 5};
        const otok_cell a = {2, 3}, b = {2 + 8 * k, 3 + 6 * k};
        const double most = seed % 5 == 0 ? 0.02 : seed % 5 < 3 ? INFINITY : 0.5;
        otok_route route = {0};
        const otok_status status = otok_road_search(&route, &ground, a, b, k, most, 1);
        const double best = least_cost(&ground, a, b, k, most);
        if (status == OTOK_OK) {
            CHECK(route.cost <= best * (1 + 1e-12), "seed %llu: %.17g, the best has %.17g",
                  (unsigned long long)seed, route.cost, best);
            const otok_cell last = route.cells[route.n - 1], before = route.cells[route.n - 2];
            if (llabs(last.x - before.x) <= k && llabs(last.y - before.y) <= k)
                CHECK(fabs(route.cost - best) <= 1e-12 * best,
                      "seed %llu: %.17g, cheaper than the best, %.17g", (unsigned long long)seed,
                      route.cost, best);
            check_route(&route, k);
            ways++;
        } else {
            CHECK(status == OTOK_DATA && best == INFINITY && strstr(otok_why(), "45 degrees"),
                  "seed %llu: %s, where %g is possible", (unsigned long long)seed, otok_why(),
                  best);
            none++;
        }
        free(route.cells);
        landscape_free(&l, NULL);
    }
    CHECK(ways > 20 && none > 0, "no trial: %d ways, %d without", ways, none);
    return check_failures != 0;
}
