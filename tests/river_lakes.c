/* river_lakes.c - claim: with `depressions: lake` water stands in hollows as high as a flood from
   the outlets says (Bellman & Ford), receivers are the same, beds of lakes are not cut, and rivers
   cut down to their surface. A lake keeps what rivers bring, by the share of its room, and passes
   the rest on to the next one; a sequential reference in double has the same change, and the ledger
   all of it. In time lakes fill, with deposition too. Areas that enter the map count in rivers, in
   drainage_area and in chi. Numbers whose unit was forgotten are warned of, and no others. */
#include "river_reference.h"

static float change[MOST], map[MOST], flood[MOST], depth[MOST], h[MOST];
static double share[MOST];
static int full, partly; /* cells of lakes, of all steps */

/* The level of water: of all ways out that of the lowest highest cell. */
static void fill(void)
{
    const int n = is.nx * is.ny;
    for (int c = 0; c < n; c++)
        flood[c] = !is.wall[c] && is.way[c] == 8 ? top(c) : INFINITY;
    for (int lower = 1; lower;) {
        lower = 0;
        for (int c = 0; c < n; c++)
            for (int q = 0; q < 8 && !is.wall[c]; q++) {
                const int to = neighbour(c, q);
                const float level = to < 0 ? INFINITY : fmaxf(top(c), flood[to]);
                if (level < flood[c]) flood[c] = level, lower = 1;
            }
    }
    for (int c = 0; c < n; c++)
        depth[c] = is.wall[c] || is.way[c] == 8 ? 0 : flood[c] - is.h[c];
}

static double cut(int cell, double rate, double m)
{
    const int q = is.way[cell];
    if (q == 8 || depth[cell] > 0) return 0;
    const int to = neighbour(cell, q);
    const double below = cut(to, rate, m),
                 drop = (double)is.h[cell] - (double)fmaxf(is.h[to] + depth[to], is.sea),
                 f = rate * pow(is.area[cell], m) *
                     (q == 1 || q == 3 || q == 4 || q == 6 ? 1 : sqrt(0.5));
    return drop > 0 ? (f * below - f * drop) / (1 + f) : 0;
}

static int by_area(const void *a, const void *b)
{
    return is.area[*(const int *)a] - is.area[*(const int *)b];
}

static int is_outlet(int c)
{
    return depth[c] > 0 && !(depth[neighbour(c, is.way[c])] > 0);
}

static int outlet_of(int c)
{
    while (!is_outlet(c))
        c = neighbour(c, is.way[c]);
    return c;
}

/* The share of their room that lakes fill, by their outlets; what they keep [m of a cell]. A cell
   drains more than those upstream. */
static double keep(double rate, double m)
{
    static int order[MOST];
    static double flux[MOST], room[MOST];
    double kept = 0;
    const int n = is.nx * is.ny;
    for (int c = 0; c < n; c++)
        order[c] = c, flux[c] = room[c] = share[c] = 0;
    for (int c = 0; c < n; c++)
        if (depth[c] > 0) room[outlet_of(c)] += (double)depth[c];
    qsort(order, (size_t)n, sizeof *order, by_area);
    for (int k = 0; k < n; k++) {
        const int c = order[k];
        if (is.wall[c]) continue;
        flux[c] -= cut(c, rate, m);
        if (room[c] > 0) {
            const double stays = fmin(flux[c], room[c]);
            share[c] = stays / room[c], kept += stays, flux[c] -= stays;
        }
        if (is.way[c] != 8) flux[neighbour(c, is.way[c])] += flux[c];
    }
    return kept;
}

static otok_sim *begin_run(otok_scenario *s, const char *backend)
{
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, h));
    return sim;
}

static void derive(const char *name, const otok_scenario *s, otok_sim *sim, int n)
{
    static float ways[MOST], terrain[MOST];
    otok_derived_from from = {.scenario = otok_scenario_text(s), .iteration = n};
    MUST(otok_sim_get(sim, OTOK_RECEIVER, ways));
    MUST(otok_sim_get(sim, OTOK_TERRAIN, terrain));
    from.maps[OTOK_RECEIVER] = ways;
    from.maps[OTOK_TERRAIN] = terrain;
    MUST(otok_derive(otok_derived_find(name), &from, map));
}

static otok_scenario *lakes_of(const ground *g, int random, double rate, double m, double l,
                               const char *more)
{
    return scene("otok: 1\nseed: 5\ngrid: {nx: %d, ny: %d, spacing: %g}\nedges: %s\nsea: {level: "
                 "%.9g}\nphases: [{name: a, iterations: 40, incision: {dt: 10, erodibility: %.17g, "
                 "m: %g, routing: %s, depressions: lake%s}}]\n",
                 g->nx, g->ny, l, g->edges, (double)g->sea, rate / 10 / pow(l, 2 * m - 1), m,
                 random ? "random" : "steepest", more);
}

/* Before the step nothing has moved, so lakes are those of `fill`. */
static void check_depth(const ground *g, int random, const char *backend)
{
    uint64_t state = 7;
    int apart = 0;
    begin(g, random, h, &state);
    route();
    fill();
    otok_scenario *s = lakes_of(g, random, 0, 0.5, 2, "");
    otok_sim *sim = begin_run(s, backend);
    MUST(otok_sim_run(sim, 1));
    derive("lake_depth", s, sim, 1);
    for (int c = 0; c < is.nx * is.ny; c++)
        apart += map[c] != depth[c];
    CHECK(!apart, "%s, random %d: lake_depth of %d cells is another", g->name, random, apart);
    scene_destroy(sim, s);
}

static void check_step(const ground *g, int random, double rate, const char *backend)
{
    uint64_t state = 7;
    const double m = 0.45, l = 2;
    double worst = 0, settled = 0;
    begin(g, random, h, &state);
    route();
    fill();
    const double kept = keep(rate, m);
    otok_scenario *s = lakes_of(g, random, rate, m, l, "");
    otok_sim *sim = begin_run(s, backend);
    scene_run(sim, 1, OTOK_TERRAIN_CHANGE, change);
    for (int c = 0; c < is.nx * is.ny; c++) {
        const int is_lake = depth[c] > 0;
        const double part = is_lake ? share[outlet_of(c)] : 0,
                     moved = is_lake ? part * (double)depth[c] : cut(c, rate, m);
        full += part >= 1, partly += part > 0 && part < 1;
        settled += is_lake ? (double)change[c] * l * l : 0;
        worst = fmax(worst, fabs((double)change[c] - moved) / (1 + fabs(moved)));
    }
    const otok_ledger ledger = scene_ledger(sim);
    const double rounded = is.nx * is.ny * 0x1p-24 * l * l; /* each cell down to a unit */
    CHECK(worst < 2e-6, "%s, random %d: a change differs by %g of it", g->name, random, worst);
    CHECK(fabs(ledger.river_settled - kept * l * l) <= 1e-6 * kept * l * l + rounded &&
              fabs(ledger.river_settled - settled) <= 1e-6 * settled,
          "%s: %.9g m3 are booked, %.9g settled, of %.9g", g->name, ledger.river_settled, settled,
          kept * l * l);
    CHECK(ledger.solid_error == 0, "%s: %g m3 are not explained", g->name, ledger.solid_error);
    scene_destroy(sim, s);
}

/* Lakes are gone at last; until then none is deeper than before by more than a last digit. */
static void check_filled(const ground *g, const char *more, const char *backend)
{
    uint64_t state = 7;
    double all[2] = {0, 0};
    begin(g, 1, h, &state);
    otok_scenario *s = lakes_of(g, 1, 0.3, 0.45, 2, more);
    otok_sim *sim = begin_run(s, backend);
    for (int n = 0; n < 2; n++) {
        MUST(otok_sim_run(sim, n ? 39 : 1));
        derive("lake_depth", s, sim, n ? 40 : 1);
        for (int c = 0; c < is.nx * is.ny; c++)
            all[n] += (double)map[c];
    }
    const otok_ledger l = scene_ledger(sim);
    CHECK(all[1] < 0.01 * all[0] && l.river_settled > 0, "%s%s: of %g m of lakes %g are left",
          g->name, more, all[0], all[1]);
    CHECK(fabs(l.solid_error) <= 1e-9 * l.river_settled, "%s: %g m3 are not explained", g->name,
          l.solid_error);
    scene_destroy(sim, s);
}

enum { ENTERS = 70 * 20 + 3, MORE = 5000 }; /* the cell and its area, in cells */

static void check_inflow(const ground *g, const char *backend)
{
    uint64_t state = 7;
    const double rate = 0.3, m = 0.45, l = 2;
    double worst = 0, chi = 0;
    int wrong = 0, ends = ENTERS;
    begin(g, 1, h, &state);
    route();
    memset(depth, 0, sizeof depth);
    for (; is.way[ends] != 8; ends = neighbour(ends, is.way[ends])) {
        is.area[ends] += MORE;
        chi += pow(is.area[ends] * l * l, -m) * l *
               hypot(otok_way_x(is.way[ends]), otok_way_y(is.way[ends]));
    }
    is.area[ends] += MORE;
    otok_scenario *s =
        scene("otok: 1\nseed: 5\ngrid: {nx: %d, ny: %d, spacing: %g}\nedges: %s\nsea: {level: "
              "%.9g}\nphases: [{name: a, iterations: 1, incision: {dt: 10, erodibility: %.17g, m: "
              "%g, inflows: [{x: %g, y: %g, area: %g}]}}]\n",
              g->nx, g->ny, l, g->edges, (double)g->sea, rate / 10 / pow(l, 2 * m - 1), m,
              (ENTERS % g->nx + 0.5) * l, (ENTERS / g->nx + 0.5) * l, MORE * l * l);
    otok_sim *sim = begin_run(s, backend);
    scene_run(sim, 1, OTOK_TERRAIN_CHANGE, change);
    derive("drainage_area", s, sim, 1);
    for (int c = 0; c < is.nx * is.ny; c++) {
        const double moved = cut(c, rate, m);
        wrong += map[c] != (float)(is.area[c] * l * l);
        worst = fmax(worst, fabs((double)change[c] - moved) / (1 + fabs(moved)));
    }
    derive("chi", s, sim, 1);
    CHECK(!wrong, "%d areas differ", wrong);
    CHECK(worst < 2e-6, "a change differs by %g of it", worst);
    CHECK(fabs((double)map[ENTERS] - chi) < 1e-5 * chi, "chi of the river is %.9g, not %.9g",
          (double)map[ENTERS], chi);
    scene_destroy(sim, s);
}

static void check_refused(void)
{
    static const char text[] =
        "otok: 1\ngrid: {nx: 9, ny: 9, spacing: 10}\nedges: {left: open}\nphases: [{iterations: 1, "
        "incision: {dt: 1, inflows: [{x: %s, y: 5, area: %s}]}}]\n";
    scene_refused("would never run", text, "9", "1");
    scene_refused("outside the domain", text, "90", "1");
    scene_refused("2^40 cells", text, "50", "1e15");
}

static int warned;

static void count_warning(void *user, const char *text)
{
    warned += strstr(text, user) != NULL && strncmp(text, "warning: ", 9) == 0;
}

/* Is there one warning with these words, or none? */
static void check_warned(const char *words, int times, const char *keys)
{
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: 9, ny: 9, spacing: 10}\nedges: {left: open}\nphases: [{name: a, "
              "iterations: 1, incision: {dt: 1 kyr, %s}}]\n",
              keys);
    warned = 0;
    MUST(otok_scenario_notes(s, count_warning, (void *)words));
    CHECK(warned == times, "%s: %d warnings with `%s`", keys, warned, words);
    otok_scenario_destroy(s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    for (size_t n = 0; n < sizeof grounds / sizeof *grounds; n++)
        for (int random = 0; random < 2 && !grounds[n].walls; random++) {
            check_depth(&grounds[n], random, backend);
            check_step(&grounds[n], random, random ? 0.3 : 0.003, backend);
        }
    CHECK(full > 100 && partly > 100, "%d cells of lakes are full, %d in part", full, partly);
    check_filled(&grounds[2], "", backend);
    check_filled(&grounds[2], ", deposition: 0.5", backend);
    check_filled(&grounds[2], ", n: 1.5, deposition: 0.5", backend);
    check_inflow(&grounds[2], backend);
    check_refused();
    check_warned("inflows.1: area 3 m2 is less than one cell of 100 m2", 1,
                 "inflows: [{x: 50, y: 50, area: 3 km2}, {x: 50, y: 20, area: 3}]");
    check_warned("area", 0, "inflows: [{x: 50, y: 50, area: 100}, {x: 50, y: 20, area: 0}]");
    check_warned("erodibility: with 1e-05 s-1", 1, "erodibility: 1e-5");
    check_warned("erodibility", 0, "erodibility: 1e-5 yr-1");
    check_warned("threshold: 0.1 m s-1", 1, "threshold: 0.1");
    check_warned("threshold", 0, "threshold: 0.1 mm/yr");
    return check_failures > 0;
}
