/* incision_reference.c - claim: receivers, areas and one step of incision are those of a sequential
   reference in double, on noise, flats, bowls, cones, walls, islands and grids of one row. The
   reference joins basins one by one (Prim), where the program does it in rounds. Cells are in rows
   without gaps. With another exponent of the slope, a threshold and deposition the volume that is
   elsewhere is less than 2^-9 of what moves: the program stops at 2^-10, and what is left then is
   no more than that if a round halves it. */
#include "river_reference.h"

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
    scene_run(sim, 1, OTOK_TERRAIN_CHANGE, change);
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
