/* river_reference.h: kinds of ground, and a sequential reference of routing and of a linear step of
   incision, in double, whose basins are joined one by one (Prim). Cells are in rows without gaps.
 */
#ifndef OTOK_RIVER_REFERENCE_H
#define OTOK_RIVER_REFERENCE_H

#include "model/incision.h"
#include "scene.h"

#include <math.h>

enum { MOST = 70 * 40 };

typedef struct ground {
    const char *name, *edges;
    int nx, ny, walls;
    float sea;
    float (*height)(int i, int j, uint64_t *random);
} ground;

static float noise(int i, int j, uint64_t *random)
{
    (void)i, (void)j;
    return scene_random(random);
}

static float level(int i, int j, uint64_t *random)
{
    (void)i, (void)j, (void)random;
    return 3;
}

static float bowl(int i, int j, uint64_t *random)
{
    (void)random;
    return (float)hypot(i - 20.3, j - 15.6);
}

static float cone(int i, int j, uint64_t *random)
{
    return 40 - bowl(i, j, random);
}

static float stairs(int i, int j, uint64_t *random)
{
    return floorf(4 * scene_random(random)) + (float)((i + j) / 9);
}

static const char open_sides[] = "{left: open, right: open, bottom: open, top: open}",
                  one_side[] = "{left: closed, right: open, bottom: closed, top: closed}",
                  tube[] = "{left: periodic, right: periodic, bottom: open, top: closed}",
                  torus[] = "{left: periodic, right: periodic, bottom: periodic, top: periodic}",
                  closed[] = "{left: closed, right: closed, bottom: closed, top: closed}";

static const ground grounds[] = {{"noise", open_sides, 45, 37, 0, -9, noise},
                                 {"noise, a side", one_side, 45, 37, 0, -9, noise},
                                 {"noise, many tiles", one_side, 70, 40, 0, -9, noise},
                                 {"noise, tube", tube, 33, 32, 0, -9, noise},
                                 {"noise, torus", torus, 40, 31, 0, -9, noise},
                                 {"noise, closed", closed, 32, 32, 0, -9, noise},
                                 {"noise, walls", one_side, 45, 37, 1, -9, noise},
                                 {"islands", closed, 45, 37, 1, 0.4f, noise},
                                 {"flat", open_sides, 45, 37, 0, -9, level},
                                 {"flat, closed", closed, 31, 17, 1, -9, level},
                                 {"bowl", open_sides, 40, 33, 0, -9, bowl},
                                 {"bowl, closed", closed, 40, 33, 0, -9, bowl},
                                 {"cone", open_sides, 41, 31, 0, -9, cone},
                                 {"cone in a sea", tube, 41, 31, 0, 25, cone},
                                 {"stairs", one_side, 45, 37, 1, -9, stairs},
                                 {"a row", one_side, 45, 1, 0, -9, noise},
                                 {"a column", tube, 1, 37, 0, -9, noise},
                                 {"two columns", tube, 2, 37, 0, -9, stairs},
                                 {"a cell", one_side, 1, 1, 0, -9, noise}};

/* What the reference knows of a cell. */
static struct {
    int wraps[2], open[4], nx, ny, random;
    uint32_t draw;
    float sea, h[MOST];
    unsigned char wall[MOST];
    int way[MOST], basin[MOST], area[MOST];
    double moves[MOST];
} is;

static int wall_at(int x, int y)
{
    return is.wall[y * is.nx + x];
}

static int neighbour(int cell, int q)
{
    static const int dx[] = {-1, 0, 1, -1, 1, -1, 0, 1}, dy[] = {1, 1, 1, 0, 0, -1, -1, -1};
    const int i = cell % is.nx, j = cell / is.nx;
    int x = i + dx[q], y = j + dy[q];
    if ((x < 0 || x == is.nx) && !is.wraps[0]) return -1;
    if ((y < 0 || y == is.ny) && !is.wraps[1]) return -1;
    x = (x + is.nx) % is.nx;
    y = (y + is.ny) % is.ny;
    return wall_at(x, y) || (wall_at(i, y) && wall_at(x, j)) ? -1 : y * is.nx + x;
}

static int leaves(int cell)
{
    const int i = cell % is.nx, j = cell / is.nx;
    return is.h[cell] < is.sea || (i == 0 && is.open[0]) || (i == is.nx - 1 && is.open[1]) ||
           (j == 0 && is.open[2]) || (j == is.ny - 1 && is.open[3]);
}

static float top(int cell)
{
    return fmaxf(is.h[cell], is.sea);
}

static float slope(int cell, int q)
{
    const int to = neighbour(cell, q);
    const float s =
        to < 0 ? 0
               : (is.h[cell] - top(to)) * (q == 1 || q == 3 || q == 4 || q == 6 ? 1 : 0.70710678f);
    return s > 0 ? s : 0;
}

static int first_way(int cell)
{
    float all = 0, sum = 0, most = 0;
    int steepest = 8;
    if (is.wall[cell] || leaves(cell)) return 8;
    for (int q = 0; q < 8; q++) {
        all += slope(cell, q);
        if (slope(cell, q) > most) most = slope(cell, q), steepest = q;
    }
    const float drawn = (float)(otok_mixed(~(uint32_t)cell ^ is.draw) >> 8) * 0x1p-24f;
    for (int q = 0; is.random && q < 8; q++) {
        sum += slope(cell, q);
        if (slope(cell, q) > 0 && drawn * all < sum) return q;
    }
    return steepest;
}

static void turn(int cell, int way)
{
    for (;;) {
        const int was = is.way[cell];
        is.way[cell] = way;
        if (was == 8) return;
        cell = neighbour(cell, was);
        way = 7 - was;
    }
}

static void join_to_outside(int basin)
{
    for (int c = 0; c < is.nx * is.ny; c++)
        if (is.basin[c] == basin) is.basin[c] = -1;
}

/* The lowest face between the outside and a basin, 0: none. */
static int lowest_face(int *cell, int *way)
{
    uint64_t least = UINT64_MAX;
    for (int c = 0; c < is.nx * is.ny; c++)
        for (int q = 0; q < 8 && is.basin[c] >= 0; q++) {
            const int to = neighbour(c, q);
            if (to < 0 || is.basin[to] != -1) continue;
            const uint32_t a = otok_height_order(top(c)), b = otok_height_order(top(to)),
                           face = q > 3 ? 4 * (uint32_t)c + (uint32_t)q - 4
                                        : 4 * (uint32_t)to + 3 - (uint32_t)q;
            const uint64_t key = (uint64_t)(a > b ? a : b) << 32 | otok_mixed(face ^ is.draw);
            if (key < least) least = key, *cell = c, *way = q;
        }
    return least < UINT64_MAX;
}

static int lowest_pit(void)
{
    uint64_t least = UINT64_MAX;
    int pit = -1;
    for (int c = 0; c < is.nx * is.ny; c++) {
        const uint64_t key =
            (uint64_t)otok_height_order(is.h[c]) << 32 | otok_mixed((uint32_t)c ^ is.draw);
        if (is.basin[c] == c && key < least) least = key, pit = c;
    }
    return pit;
}

static void route(void)
{
    const int n = is.nx * is.ny;
    for (int c = 0; c < n; c++)
        is.way[c] = first_way(c);
    for (int c = 0; c < n; c++) {
        int at = c;
        while (is.way[at] != 8)
            at = neighbour(at, is.way[at]);
        is.basin[c] = is.wall[c] ? -2 : leaves(at) ? -1 : at;
    }
    for (int cell, way, pit;;)
        if (lowest_face(&cell, &way)) {
            join_to_outside(is.basin[cell]);
            turn(cell, way);
        } else if ((pit = lowest_pit()) >= 0)
            join_to_outside(pit);
        else
            break;
    memset(is.area, 0, sizeof is.area);
    for (int c = 0; c < n; c++)
        for (int at = c; at >= 0 && !is.wall[c];
             at = is.way[at] == 8 ? -1 : neighbour(at, is.way[at]))
            is.area[at]++;
}

static double moves(int cell, double rate, double m)
{
    if (is.way[cell] == 8) return 0;
    const int q = is.way[cell], to = neighbour(cell, q);
    const double below = moves(to, rate, m), drop = (double)is.h[cell] - (double)top(to),
                 f = rate * pow(is.area[cell], m) *
                     (q == 1 || q == 3 || q == 4 || q == 6 ? 1 : sqrt(0.5));
    return drop > 0 ? (f * below - f * drop) / (1 + f) : 0;
}

/* The ground of the reference, and of a run. */
static void begin(const ground *g, int random, float *h, uint64_t *state)
{
    memset(&is, 0, sizeof is);
    is.nx = g->nx, is.ny = g->ny, is.sea = g->sea, is.random = random;
    is.draw = otok_mixed(5u ^ otok_mixed(0));
    is.wraps[0] = strstr(g->edges, "left: periodic") != NULL;
    is.wraps[1] = strstr(g->edges, "bottom: periodic") != NULL;
    is.open[0] = strstr(g->edges, "left: open") != NULL,
    is.open[1] = strstr(g->edges, "right: open") != NULL;
    is.open[2] = strstr(g->edges, "bottom: open") != NULL,
    is.open[3] = strstr(g->edges, "top: open") != NULL;
    for (int c = 0; c < g->nx * g->ny; c++) {
        h[c] = is.h[c] = g->height(c % g->nx, c / g->nx, state);
        is.wall[c] = g->walls && scene_random(state) < 0.2f;
    }
}

#endif
