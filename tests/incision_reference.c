/* incision_reference.c - claim: receivers, areas and one step of incision are those of a sequential
   reference in double, on noise, flats, bowls, cones, walls, islands and grids of one row. The
   reference joins basins one by one (Prim), where the program does it in rounds. Cells are in rows
   without gaps. With another exponent of the slope, a threshold and deposition the volume that is
   elsewhere is less than 2^-9 of what moves: the program stops at 2^-10, and what is left then is
   no more than that if a round halves it. */
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

/* The law of a step in general, F drop^n - c, and deposition. */
typedef struct law {
    double n, threshold, deposition;
} law;

/* The change d of a cell for that of its receiver, with d = -cut(drop + d - below) + lays (load -
   d): by bisection, for the right side falls as d grows. */
static double settled(int cell, double below, double load, double f, const law *how)
{
    const int to = neighbour(cell, is.way[cell]);
    const double drop = (double)is.h[cell] - (double)top(to),
                 lays = how->deposition / is.area[cell];
    double low = -1e4, high = 1e4;
    for (int n = 0; n < 100; n++) {
        const double d = (low + high) / 2, s = drop + d - below,
                     cut = drop > 0 && s > 0 ? fmax(0, f * pow(s, how->n) - how->threshold) : 0;
        if (d < lays * (load - d) - cut)
            low = d;
        else
            high = d;
    }
    return (low + high) / 2;
}

/* From the outlets up. */
static double settle_from(int cell, double rate, double m, const law *how, const double *load,
                          unsigned char *done)
{
    const int q = is.way[cell];
    if (q == 8 || done[cell]) return is.moves[cell];
    const double below = settle_from(neighbour(cell, q), rate, m, how, load, done),
                 f = rate * pow(is.area[cell], m) *
                     (q == 1 || q == 3 || q == 4 || q == 6 ? 1 : pow(0.5, how->n / 2));
    done[cell] = 1;
    return is.moves[cell] = settled(cell, below, load[cell], f, how);
}

/* Until the sediment is that of the changes, in `moves`. */
static void settle(double rate, double m, const law *how)
{
    static double load[MOST], last[MOST];
    const int n = is.nx * is.ny;
    double worst = 1;
    memset(load, 0, sizeof load);
    memset(is.moves, 0, sizeof is.moves);
    for (int round = 0; round < 500 && worst > 1e-10; round++) {
        unsigned char done[MOST] = {0};
        memcpy(last, is.moves, sizeof last);
        worst = 0;
        for (int c = 0; c < n; c++)
            settle_from(c, rate, m, how, load, done);
        memset(load, 0, sizeof load);
        for (int c = 0; c < n; c++) {
            worst = fmax(worst, fabs(is.moves[c] - last[c]));
            for (int at = c; how->deposition > 0 && is.way[at] != 8 && !is.wall[at];)
                load[at = neighbour(at, is.way[at])] -= is.moves[c];
        }
    }
    CHECK(worst <= 1e-10, "the reference does not settle");
}

/* One step by another law beside the reference. */
static void check_law(const ground *g, const law *how, const char *backend)
{
    static float h[MOST], change[MOST];
    uint64_t state = 7;
    const double rate = 0.3, m = 0.45, l = 2;
    double apart = 0, all = 0;
    begin(g, 1, h, &state);
    otok_scenario *s = scene(
        "otok: 1\nseed: 5\ngrid: {nx: %d, ny: %d, spacing: %g}\nedges: %s\nsea: {level: %.9g}\n"
        "phases: [{name: a, iterations: 1, incision: {dt: 10, erodibility: %.17g, m: %g, n: %g, "
        "threshold: %.17g, deposition: %g}}]\n",
        g->nx, g->ny, l, g->edges, (double)g->sea, rate / 10 / pow(l, 2 * m - how->n), m, how->n,
        how->threshold / 10, how->deposition);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, h));
    MUST(otok_sim_run(sim, 1));
    MUST(otok_sim_get(sim, OTOK_TERRAIN_CHANGE, change));
    route();
    settle(rate, m, how);
    for (int c = 0; c < is.nx * is.ny; c++) {
        apart += fabs((double)change[c] - is.moves[c]);
        all += fabs(is.moves[c]);
    }
    const otok_ledger ledger = scene_ledger(sim);
    CHECK(apart <= all * 0x1p-9 && all > 0,
          "%s, n %g, threshold %g, deposition %g: %.3g of %.3g m are elsewhere", g->name, how->n,
          how->threshold, how->deposition, apart, all);
    CHECK(ledger.river_unsettled <= all * l * l * 0x1p-9, "%s: %g m3 are not settled", g->name,
          ledger.river_unsettled);
    CHECK((ledger.river_laid > 0) == (how->deposition > 0), "%s: %g m3 are laid", g->name,
          ledger.river_laid);
    scene_destroy(sim, s);
}

/* What the program did, beside the reference. */
static void compare(const ground *g, otok_sim *sim, const otok_scenario *s, double rate, double m)
{
    static float receivers[MOST], change[MOST], areas[MOST];
    otok_derived_from from = {.scenario = otok_scenario_text(s), .iteration = 1};
    double worst = 0, most = 0;
    int ways = 0, wrong = 0;
    MUST(otok_sim_get(sim, OTOK_RECEIVER, receivers));
    MUST(otok_sim_get(sim, OTOK_TERRAIN_CHANGE, change));
    from.maps[OTOK_RECEIVER] = receivers;
    MUST(otok_derive(otok_derived_find("drainage_area"), &from, areas));
    route();
    for (int c = 0; c < is.nx * is.ny; c++) {
        const double moved = moves(c, rate, m);
        if (is.wall[c]) continue;
        ways += ((int)receivers[c] + 8) % 9 != is.way[c];
        wrong += areas[c] != 4 * (float)is.area[c];
        worst = fmax(worst, fabs((double)change[c] - moved) / (1 + fabs(moved)));
        most = fmax(most, fabs(moved));
    }
    CHECK(!ways, "%s, random %d: %d receivers of %d differ", g->name, is.random, ways,
          is.nx * is.ny);
    CHECK(!wrong, "%s, random %d: %d areas differ", g->name, is.random, wrong);
    CHECK(worst < 2e-6, "%s, random %d: a change differs by %g of it", g->name, is.random, worst);
    CHECK(most > 0.05 || g->height == level || is.nx == 1, "%s: rivers cut %g m", g->name, most);
}

static void check(const ground *g, int random, const char *backend)
{
    static float h[MOST];
    uint64_t state = 7;
    const double rate = 0.3, m = 0.45, l = 2;
    char walls[128] = "";
    FILE *file = fopen("incision_walls.asc", "w");
    if (!file) exit(1);
    begin(g, random, h, &state);
    fprintf(file, "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize %g\nNODATA_value -9999\n",
            g->nx, g->ny, l);
    for (int j = g->ny - 1; j >= 0; j--)
        for (int i = 0; i < g->nx; i++)
            fprintf(file, "%d ", is.wall[j * g->nx + i] ? -9999 : 0);
    fclose(file);
    if (g->walls)
        snprintf(walls, sizeof walls, "base: [{raster: {file: %s/incision_walls.asc}}]\n",
                 getcwd((char[512]){0}, 512));
    otok_scenario *s = scene(
        "otok: 1\nseed: 5\ngrid: {nx: %d, ny: %d, spacing: %g}\nedges: %s\nsea: {level: %.9g}\n%s"
        "phases: [{name: a, iterations: 1, incision: {dt: 10, erodibility: %.17g, m: %g, routing: "
        "%s}}]\n",
        g->nx, g->ny, l, g->edges, (double)g->sea, walls, rate / 10 / pow(l, 2 * m - 1), m,
        random ? "random" : "steepest");
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, h));
    MUST(otok_sim_run(sim, 1));
    compare(g, sim, s, rate, m);
    scene_destroy(sim, s);
}

static const law laws[] = {{1, 0, 1},   {1, 0, 0.3},     {2, 0, 0},      {0.6, 0, 0},
                           {1, 0.2, 0}, {1.5, 0.1, 0.5}, {0.7, 0.1, 0.5}};

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    for (size_t n = 0; n < sizeof grounds / sizeof *grounds; n++)
        for (int random = 0; random < 2; random++)
            check(&grounds[n], random, backend);
    for (size_t n = 0; n < sizeof laws / sizeof *laws; n++) {
        check_law(&grounds[2], &laws[n], backend);
        check_law(&grounds[13], &laws[n], backend);
    }
    remove("incision_walls.asc");
    return check_failures > 0;
}
