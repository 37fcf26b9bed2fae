/* ground.c: the ground under an edge of a search: earlier beds make the edge cheaper, water makes
   it dearer. */
#include "road.h"

#include <stdlib.h>

/* Rounds as lround does, which gives the same from either end. */
static int64_t round_share(int64_t whole, int64_t i, int64_t n)
{
    const int64_t twice = 2 * llabs(whole) * i + n, rounded = twice / (2 * n);
    return whole < 0 ? -rounded : rounded;
}

double otok_road_weight(const otok_road_ground *g, otok_cell c, int64_t dx, int64_t dy)
{
    const int64_t n = llabs(dx) > llabs(dy) ? llabs(dx) : llabs(dy), nx = g->grid.nx;
    if (n == 0 || c.x + dx < 0 || c.x + dx >= nx || c.y + dy < 0 || c.y + dy >= g->grid.ny)
        return 1;
    int beds = g->road != NULL;
    int64_t wet = 0; /* in half cells: an end belongs to two edges */
    for (int64_t i = 0; i <= n && (beds || g->wet); i++) {
        const int64_t at = (c.y + round_share(dy, i, n)) * nx + c.x + round_share(dx, i, n);
        beds = beds && g->road[at] >= OTOK_ROAD_BED;
        if (g->wet) wet += (int64_t)g->wet[at] * (i == 0 || i == n ? 1 : 2);
    }
    if (beds) return g->reuse;
    return wet ? 1 + (g->water_cost - 1) * (double)wet / (double)(2 * n) : 1;
}
