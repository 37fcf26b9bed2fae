/* incision_steady.c - claim: under steady uplift a landscape comes to S = (((1 + G) U + c) / K
   A^-m)^ (1/n), with the sides at base level where they were, whatever creep, slides and wind bring
   there, also with areas that count by a map of rain, and a map of ones is none; all solid is
   booked; with random routing the rivers of a cone run in all directions alike; a mirrored cone
   comes to the mirrored bits. */
#include "scene.h"

#include <math.h>

enum { NX = 65, NY = 48, CONE = 129 };

static const char sides[] = "{left: open, right: open, bottom: open, top: open}";
static const double year = 31556925.9747;

/* Slopes and areas against theory, which has more deposits where it rains less: `more` is by how
   much S^(1/n) is steeper there. */
static void check_slopes(const float *h, const float *receivers, const float *areas,
                         const double *more, double l, double m, double u_k)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0, steep = 0;
    for (int c = 0; c < NX * NY; c++) {
        static const int dx[] = {-1, 0, 1, -1, 1, -1, 0, 1}, dy[] = {1, 1, 1, 0, 0, -1, -1, -1};
        const int q = (int)receivers[c] - 1;
        if (q < 0) continue;
        const double s = ((double)h[c] - (double)h[c + dy[q] * NX + dx[q]]) /
                         (l * hypot(dx[q], dy[q])) / more[c],
                     a = log((double)areas[c]);
        CHECK(s > 0, "cell %d drains uphill in a steady state", c);
        if (!(s > 0)) return;
        n++, x += a, y += log(s), xx += a * a, xy += a * log(s);
        steep += s * pow((double)areas[c], m);
    }
    const double theta = -(n * xy - x * y) / (n * xx - x * x);
    CHECK(fabs(theta - m) < 0.005, "theta is %.5f, m %g", theta, m);
    CHECK(fabs(steep / n / u_k - 1) < 0.01, "k_sn is %.6g, U/K %.6g", steep / n, u_k);
}

/* Areas by the rain of cells. */
static float rain_of(int c)
{
    return 0.25f + (float)(c % NX) / 16;
}

static void weigh(float *areas, const float *receivers, double cell)
{
    static const int to[] = {0, NX - 1, NX, NX + 1, -1, 1, -NX - 1, -NX, -NX + 1};
    memset(areas, 0, NX * NY * sizeof *areas);
    for (int c = 0; c < NX * NY; c++)
        for (int at = c;; at += to[(int)receivers[at]]) {
            areas[at] += rain_of(c) * (float)cell;
            if (receivers[at] == 0) break;
        }
}

static void write_rain(const char *name)
{
    FILE *file = fopen(name, "w");
    if (!file) exit(1);
    fprintf(file, "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize 200\n", NX, NY);
    for (int c = 0; c < NX * NY; c++)
        fprintf(file, "%.9g ", (double)rain_of(c));
    fclose(file);
}

typedef struct law {
    double m, n, threshold, deposition; /* [m/yr] */
    int rains;
} law;

static void check_steady(const char *backend, law is)
{
    static float start[NX * NY], h[NX * NY], receivers[NX * NY], areas[NX * NY], dry[NX * NY];
    static double more[NX * NY];
    char rain[600] = "";
    const double l = 200, uplift = 1e-3, k = 1e-5,
                 cut = (1 + is.deposition) * uplift + is.threshold,
                 steep = pow(cut / k / (is.rains ? pow(2, is.m) : 1), 1 / is.n);
    uint64_t random = 3;
    if (is.rains) write_rain("incision_rain.asc");
    if (is.rains)
        snprintf(rain, sizeof rain, "rain: {map: %s/incision_rain.asc, history: [[0, 2]]}, ",
                 getcwd((char[512]){0}, 512));
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: %g}\nedges: %s\nphases: [{name: "
              "a, iterations: 400, uplift: {dt: %.17g, rate: %.17g}, %sincision: "
              "{erodibility: %.17g, m: %g, n: %g, threshold: %.17g, deposition: %g}}]\n",
              NX, NY, l, sides, 25e3 * year, uplift / year, rain, k / year, is.m, is.n,
              is.threshold / year, is.deposition);
    otok_sim *sim = scene_sim(s, backend);
    for (int c = 0; c < NX * NY; c++)
        start[c] = 10 + scene_random(&random);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, start));
    scene_run(sim, 400, OTOK_TERRAIN, h);
    MUST(otok_sim_get(sim, OTOK_RECEIVER, receivers));
    const otok_ledger ledger = scene_ledger(sim);
    otok_derived_from from = {.scenario = otok_scenario_text(s), .iteration = 400};
    from.maps[OTOK_RECEIVER] = receivers;
    MUST(otok_derive(otok_derived_find("drainage_area"), &from, areas));
    memcpy(dry, areas, sizeof dry);
    if (is.rains) weigh(areas, receivers, l * l);
    for (int c = 0; c < NX * NY; c++) /* the rain is twice what `areas` has */
        more[c] = pow(((1 + is.deposition * (double)dry[c] /
                                (is.rains ? 2 * (double)areas[c] : (double)areas[c])) *
                           uplift +
                       is.threshold) /
                          cut,
                      1 / is.n);
    check_slopes(h, receivers, areas, more, l, is.m / is.n, steep);
    for (int c = 0; c < NX * NY; c++)
        if (c % NX == 0 || c % NX == NX - 1 || c < NX || c >= NX * (NY - 1))
            CHECK(fabsf(h[c] - start[c]) < 1e-4f, "side %d rose from %g to %g m", c,
                  (double)start[c], (double)h[c]);
    CHECK(fabs(ledger.solid_error) <= 1e-9 * ledger.river_out && ledger.river_out > 0,
          "%g of %g m3 are not booked", ledger.solid_error, ledger.river_out);
    scene_destroy(sim, s);
}

/* Creep, slides and wind bring ground to the sides, which keep every bit; in layers, too. */
static void check_held(const char *backend, int layers)
{
    static float start[NX * NY], h[NX * NY];
    uint64_t random = 3;
    otok_scenario *s = scene(
        "otok: 1\ngrid: {nx: %d, ny: %d, spacing: 20}\nedges: {left: open, bottom: open}\n"
        "sea: {level: -100}\n%sphases: [{name: a, iterations: 30, uplift: {dt: 9, rate: 0.1}, "
        "incision: {erodibility: 1e-3}, creep: {diffusivity: 4}, thermal: {talus: 10}%s}]\n",
        NX, NY, layers ? "layers: [{name: sand, thickness: 2}, {name: rock}]\n" : "",
        layers ? ", wind: {dt: 9, flux: 1, from: 40}" : "");
    otok_sim *sim = scene_sim(s, backend);
    for (int c = 0; c < NX * NY; c++)
        start[c] = 10 + 20 * scene_random(&random);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, start));
    scene_run(sim, 30, OTOK_TERRAIN, h);
    const otok_ledger l = scene_ledger(sim);
    int moved = 0, others = 0;
    for (int c = 0; c < NX * NY; c++)
        *(c < NX || c % NX == 0 ? &moved : &others) += h[c] != start[c];
    CHECK(!moved, "%d cells of held sides have moved", moved);
    CHECK(others > NX * NY / 2, "only %d other cells have moved", others);
    CHECK(fabs(l.solid_error) <= 1e-6 * l.ground_moved, "%g of %g m3 are not booked", l.solid_error,
          l.ground_moved);
    for (int n = 0; n < l.nlayers; n++)
        CHECK(fabs(l.layers[n].error) <= 1e-6 * l.ground_moved, "layer %d: %g m3 are not booked", n,
              l.layers[n].error);
    scene_destroy(sim, s);
}

/* A map of ones; one in another unit. */
static void check_ones(const char *backend)
{
    static const char text[] =
        "otok: 1\ngrid: {nx: 40, ny: 33, spacing: 50}\nedges: {left: open}\nbase: [{simplex: "
        "{amplitude: 9}}]\nphases: [{name: a, iterations: 5, %sincision: {dt: 1e11}}]\n";
    uint64_t print[2];
    for (int n = 0; n < 2; n++) {
        otok_scenario *s = scene(text, n ? "rain: {map: [{constant: {height: 1}}]}, " : "");
        otok_sim *sim = scene_sim(s, backend);
        MUST(otok_sim_run(sim, 5));
        print[n] = scene_fingerprint(sim);
        scene_destroy(sim, s);
    }
    CHECK(print[0] == print[1], "a map of ones changes the bits");
    otok_scenario *s = scene(text, "rain: {map: [{constant: {height: 3e-8}}]}, ");
    otok_sim *sim = NULL;
    CHECK(otok_sim_create(&sim, s, backend) == OTOK_DATA &&
              strstr(otok_why(), "rain.map: its largest value is 2.99"),
          "rain in m/s: %s", sim ? "accepted" : otok_why());
    scene_destroy(sim, s);
}

/* Channel cells drain more than 100 cells. Those below cell c by 10 of its river have an azimuth
   from it, of 16. */
static void count_azimuths(const float *areas, const float *receivers, double *bins)
{
    static const int to[] = {0, CONE - 1, CONE, CONE + 1, -1, 1, -CONE - 1, -CONE, -CONE + 1};
    for (int c = 0; c < CONE * CONE; c++) {
        int at = c, n = 0;
        for (; n < 10 && receivers[at] > 0; n++)
            at += to[(int)receivers[at]];
        if (areas[c] <= 100 * 100 || n < 10) continue;
        const double turn = atan2(at / CONE - c / CONE, at % CONE - c % CONE);
        bins[(int)floor(turn / (M_PI / 8) + 16.5) % 16]++;
    }
}

/* Rivers of a cone: the area that reaches its foot near the axes over that near the diagonals, and
   how many of their cells go in which direction, where a cone that is round has as many in each. */
static void check_cone(const char *backend, int seed, double *bins)
{
    static float h[CONE * CONE], receivers[CONE * CONE], areas[CONE * CONE];
    double by[2] = {0, 0};
    otok_scenario *s =
        scene("otok: 1\nseed: %d\ngrid: {nx: %d, ny: %d, spacing: 10}\nsea: {level: 0}\nphases: "
              "[{name: a, iterations: 1, incision: {dt: 1, erodibility: 0}}]\n",
              seed, CONE, CONE);
    otok_sim *sim = scene_sim(s, backend);
    for (int c = 0; c < CONE * CONE; c++)
        h[c] = 60 - (float)hypot(c % CONE - 64, c / CONE - 64);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, h));
    scene_run(sim, 1, OTOK_RECEIVER, receivers);
    otok_derived_from from = {.scenario = otok_scenario_text(s), .iteration = 1};
    from.maps[OTOK_RECEIVER] = receivers;
    MUST(otok_derive(otok_derived_find("drainage_area"), &from, areas));
    for (int c = 0; c < CONE * CONE; c++) {
        if (h[c] >= 0 || areas[c] <= 100) continue; /* the sea, where a river ends */
        const double turn = fabs(remainder(atan2(c / CONE - 64, c % CONE - 64), M_PI / 2));
        by[turn > M_PI / 8] += (double)areas[c] - 100;
    }
    count_azimuths(areas, receivers, bins);
    bins[16] += by[0], bins[17] += by[1];
    scene_destroy(sim, s);
}

static void check_cones(const char *backend, int seeds)
{
    double bins[18] = {0}, all = 0;
    for (int seed = 0; seed < seeds; seed++)
        check_cone(backend, seed, bins);
    CHECK(bins[16] / bins[17] < 1.1 && bins[17] / bins[16] < 1.1, "axes : diagonals are %.3f",
          bins[16] / bins[17]);
    for (int n = 0; n < 16; n++)
        all += bins[n];
    CHECK(all > 100 * seeds, "only %g channel cells", all);
    for (int n = 0; n < 16 && seeds == 20; n++)
        CHECK(bins[n] < 1.3 * all / 16, "%.3f of its share run in direction %d of 16",
              bins[n] / all * 16, n);
}

/* A cone down its steepest ways, and its mirror image. */
static void check_mirror(const char *backend)
{
    static float h[2][NX * NY], out[2][NX * NY];
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 10}\nedges: %s\nphases: [{name: "
              "a, iterations: 9, uplift: {dt: 10, rate: 0.1}, incision: {dt: 4, "
              "erodibility: 1e-3, routing: steepest}}]\n",
              NX, NY, sides);
    for (int n = 0; n < 2; n++) {
        otok_sim *sim = scene_sim(s, backend);
        for (int c = 0; c < NX * NY; c++) {
            const int i = n ? NX - 1 - c % NX : c % NX;
            h[n][c] = 90 - (float)hypot(i - 20.3, c / NX - 19.6);
        }
        MUST(otok_sim_set(sim, OTOK_TERRAIN, h[n]));
        scene_run(sim, 9, OTOK_TERRAIN, out[n]);
        otok_sim_destroy(sim);
    }
    int apart = 0;
    for (int c = 0; c < NX * NY; c++)
        apart += out[0][c] != out[1][c / NX * NX + NX - 1 - c % NX];
    CHECK(!apart, "%d cells of a mirrored cone differ", apart);
    otok_scenario_destroy(s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    static const law laws[] = {{0.5, 1, 0, 0, 0},        {0.4, 1, 0, 0, 1},    {0.5, 1, 0, 1, 0},
                               {0.8, 2, 0, 0, 0},        {0.35, 0.7, 0, 0, 0}, {0.5, 1, 4e-4, 0, 0},
                               {0.6, 1.5, 2e-4, 0.5, 0}, {0.5, 1, 0, 0.7, 1}};
    const size_t n =
        strcmp(backend, "cpu") ? 1 : sizeof laws / sizeof *laws; /* emulation is slow */
    for (size_t i = 0; i < n; i++)
        check_steady(backend, laws[i]);
    check_held(backend, 0);
    check_held(backend, 1);
    check_ones(backend);
    check_cones(backend, n == 1 ? 1 : 20);
    check_mirror(backend);
    remove("incision_rain.asc");
    return check_failures > 0;
}
