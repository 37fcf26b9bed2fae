/* incision_spread.c - claim: with `area: multiple` receivers are the same, and a step is that of a
   sequential reference in double whose cells pass their areas on as slope^p, one after the other,
   within the basin that they had before basins were joined; on all kinds of ground. On a smooth
   cone, for which single directions fail, no sixteenth of a ring has more than 1.3 times its share
   of the area, and axes no more than 1.1 times as much as diagonals. */
#include "river_reference.h"

static double area[MOST];
static int home[MOST]; /* basin before it was joined; -1: outside */
static float change[MOST], receivers[MOST], h[MOST];

/* Area from a cell to its neighbour that way, as a part of all. */
static double part(int cell, int q, double p)
{
    double all = 0, here = 0;
    const int way = is.way[cell], next = way == 8 ? -1 : neighbour(cell, way);
    if (next < 0) return 0;
    if (top(next) >= is.h[cell] || home[next] != home[cell]) return q == way;
    for (int k = 0; k < 8; k++) {
        const int to = neighbour(cell, k);
        const double s = slope(cell, k) > 0 && (home[to] == home[cell] || home[to] < 0)
                             ? pow((double)slope(cell, k), p)
                             : 0;
        all += s;
        here += k == q ? s : 0;
    }
    return here / all;
}

/* Asks all neighbours for what they give. */
static double drained(int cell, double p)
{
    if (area[cell] > 0) return area[cell];
    double sum = 1;
    for (int q = 0; q < 8; q++) {
        const int from = neighbour(cell, q);
        const double share = from < 0 || is.wall[from] ? 0 : part(from, 7 - q, p);
        if (share > 0) sum += share * drained(from, p);
    }
    return area[cell] = sum;
}

static void spread(double p)
{
    const int n = is.nx * is.ny;
    memset(area, 0, sizeof area);
    for (int c = 0; c < n; c++) {
        int at = c;
        for (int way; (way = first_way(at)) != 8;)
            at = neighbour(at, way);
        home[c] = leaves(at) ? -1 : at;
    }
    for (int c = 0; c < n; c++)
        if (!is.wall[c]) drained(c, p);
}

static double cut(int cell, double rate, double m)
{
    const int q = is.way[cell];
    if (q == 8) return 0;
    const int to = neighbour(cell, q);
    const double below = cut(to, rate, m), drop = (double)is.h[cell] - (double)top(to),
                 f = rate * pow(area[cell], m) *
                     (q == 1 || q == 3 || q == 4 || q == 6 ? 1 : sqrt(0.5));
    return drop > 0 ? (f * below - f * drop) / (1 + f) : 0;
}

static void run(const ground *g, int random, double p, double rate, double m, const char *backend)
{
    const double l = 2;
    otok_scenario *s =
        scene("otok: 1\nseed: 5\ngrid: {nx: %d, ny: %d, spacing: %g}\nedges: %s\nsea: {level: "
              "%.9g}\nphases: [{name: a, iterations: 1, incision: {dt: 10, erodibility: %.17g, m: "
              "%g, routing: %s, area: multiple, partition: %g}}]\n",
              g->nx, g->ny, l, g->edges, (double)g->sea, rate / 10 / pow(l, 2 * m - 1), m,
              random ? "random" : "steepest", p);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, h));
    scene_run(sim, 1, OTOK_TERRAIN_CHANGE, change);
    MUST(otok_sim_get(sim, OTOK_RECEIVER, receivers));
    scene_destroy(sim, s);
}

static void check(const ground *g, int random, double p, const char *backend)
{
    uint64_t state = 7;
    const double rate = 0.3, m = 0.45;
    double worst = 0, all = 0, out = 0;
    int ways = 0;
    begin(g, random, h, &state);
    run(g, random, p, rate, m, backend);
    route();
    spread(p);
    for (int c = 0; c < is.nx * is.ny; c++) {
        const double moved = cut(c, rate, m);
        ways += ((int)receivers[c] + 8) % 9 != is.way[c];
        worst = fmax(worst, fabs((double)change[c] - moved) / (1 + fabs(moved)));
        all += !is.wall[c];
        out += is.way[c] == 8 && !is.wall[c] ? area[c] : 0;
    }
    CHECK(fabs(all - out) < 1e-9 * all, "%s: %g of %g cells arrive", g->name, out, all);
    CHECK(!ways, "%s, random %d: %d receivers differ", g->name, random, ways);
    CHECK(worst < 2e-5, "%s, random %d, p %g: a change differs by %g of it", g->name, random, p,
          worst);
}

static float round_cone(int i, int j, uint64_t *random)
{
    (void)random;
    return 60 - (float)hypot(i - 26.3, j - 25.6);
}

/* The area that the change of a cell tells. A cell at a radius r of a cone has r/2 cells above its
   centre, and its own lower half. */
static double told(int cell, double rate)
{
    const int q = is.way[cell], to = neighbour(cell, q);
    const double a = (double)change[cell] / ((double)change[to] - (double)(is.h[cell] - is.h[to]));
    return a / (1 - a) / rate / (q == 1 || q == 3 || q == 4 || q == 6 ? 1 : sqrt(0.5));
}

static void check_cone(const char *backend)
{
    static const ground g = {"round cone", open_sides, 53, 52, 0, -9, round_cone};
    const double rate = 1e-3;
    double sums[16] = {0}, all = 0, most = 0;
    int cells[16] = {0}, n = 0;
    uint64_t state = 7;
    begin(&g, 0, h, &state);
    run(&g, 0, 1.1, rate, 1, backend);
    route();
    for (int c = 0; c < is.nx * is.ny; c++) {
        const double x = c % is.nx - 26.3, y = c / is.nx - 25.6, r = hypot(x, y);
        const int bin = (int)((atan2(y, x) / M_PI + 2 + 1.0 / 16) * 8) % 16; /* 0: around an axis */
        if (r < 12 || r > 23) continue;
        sums[bin] += (told(c, rate) - 0.5) / r;
        all += (told(c, rate) - 0.5) / r;
        cells[bin]++, n++;
    }
    for (int b = 0; b < 16; b++)
        most = fmax(most, sums[b] / cells[b] / (all / n));
    const double axes = (sums[0] + sums[4] + sums[8] + sums[12]) /
                        (cells[0] + cells[4] + cells[8] + cells[12]),
                 diagonals = (sums[2] + sums[6] + sums[10] + sums[14]) /
                             (cells[2] + cells[6] + cells[10] + cells[14]);
    CHECK(most < 1.3, "a sixteenth has %g times its share", most);
    CHECK(fmax(axes / diagonals, diagonals / axes) < 1.1, "axes have %g times as much as diagonals",
          axes / diagonals);
    CHECK(fabs(all / n - 0.5) < 0.05, "the area over the radius is %g, not half a cell", all / n);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    for (size_t n = 0; n < sizeof grounds / sizeof *grounds; n++)
        for (int random = 0; random < 2 && !grounds[n].walls; random++)
            check(&grounds[n], random, random ? 1.1 : 3, backend);
    check_cone(backend);
    scene_refused(
        "G/A Q needs",
        "otok: 1\ngrid: {nx: 9, ny: 9, spacing: 1}\nphases: [{iterations: 1, incision: {dt: 1, "
        "area: multiple, deposition: %s}}]\n",
        "1");
    return check_failures > 0;
}
