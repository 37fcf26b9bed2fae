/* incision_steady.c - claim: under steady uplift a landscape comes to S = U/K A^-m, with the sides
   at base level where they were; all solid is booked; with random routing the rivers of a cone run
   in all directions alike; a mirrored cone comes to the mirrored bits. */
#include "scene.h"

#include <math.h>

enum { NX = 65, NY = 48, CONE = 129 };

static const char sides[] = "{left: open, right: open, bottom: open, top: open}";
static const double year = 31556925.9747;

/* Slopes and areas against theory. */
static void check_slopes(const float *h, const float *receivers, const float *areas, double l,
                         double m, double u_k)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0, steep = 0;
    for (int c = 0; c < NX * NY; c++) {
        static const int dx[] = {-1, 0, 1, -1, 1, -1, 0, 1}, dy[] = {1, 1, 1, 0, 0, -1, -1, -1};
        const int q = (int)receivers[c] - 1;
        if (q < 0) continue;
        const double s = ((double)h[c] - (double)h[c + dy[q] * NX + dx[q]]) /
                         (l * hypot(dx[q], dy[q])),
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

static void check_steady(const char *backend, double m)
{
    static float start[NX * NY], h[NX * NY], receivers[NX * NY], areas[NX * NY];
    const double l = 200, uplift = 1e-3, k = 1e-5;
    uint64_t random = 3, print;
    otok_ledger ledger;
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: %g}\nedges: %s\nphases: [{name: "
              "a, iterations: 400, uplift: {dt: %.17g, rate: %.17g}, incision: "
              "{erodibility: %.17g, m: %g}}]\n",
              NX, NY, l, sides, 25e3 * year, uplift / year, k / year, m);
    otok_sim *sim = scene_sim(s, backend);
    for (int c = 0; c < NX * NY; c++)
        start[c] = 10 + scene_random(&random);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, start));
    MUST(otok_sim_run(sim, 400));
    MUST(otok_sim_get(sim, OTOK_TERRAIN, h));
    MUST(otok_sim_get(sim, OTOK_RECEIVER, receivers));
    MUST(otok_sim_measure(sim, &ledger, &print));
    otok_derived_from from = {.scenario = otok_scenario_text(s), .iteration = 400};
    from.maps[OTOK_RECEIVER] = receivers;
    MUST(otok_derive(otok_derived_find("drainage_area"), &from, areas));
    check_slopes(h, receivers, areas, l, m, uplift / k);
    for (int c = 0; c < NX * NY; c++)
        if (c % NX == 0 || c % NX == NX - 1 || c < NX || c >= NX * (NY - 1))
            CHECK(fabsf(h[c] - start[c]) < 1e-4f, "side %d rose from %g to %g m", c,
                  (double)start[c], (double)h[c]);
    CHECK(fabs(ledger.solid_error) <= 1e-9 * ledger.river_out && ledger.river_out > 0,
          "%g of %g m3 are not booked", ledger.solid_error, ledger.river_out);
    scene_destroy(sim, s);
}

/* Rivers of a cone: the area that reaches its foot near the axes over that near the diagonals. */
static void check_cone(const char *backend)
{
    static float h[CONE * CONE], receivers[CONE * CONE], areas[CONE * CONE];
    double by[2] = {0, 0};
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 10}\nsea: {level: 0}\nphases: "
              "[{name: a, iterations: 1, incision: {dt: 1, erodibility: 0}}]\n",
              CONE, CONE);
    otok_sim *sim = scene_sim(s, backend);
    for (int c = 0; c < CONE * CONE; c++)
        h[c] = 60 - (float)hypot(c % CONE - 64, c / CONE - 64);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, h));
    MUST(otok_sim_run(sim, 1));
    MUST(otok_sim_get(sim, OTOK_RECEIVER, receivers));
    otok_derived_from from = {.scenario = otok_scenario_text(s), .iteration = 1};
    from.maps[OTOK_RECEIVER] = receivers;
    MUST(otok_derive(otok_derived_find("drainage_area"), &from, areas));
    for (int c = 0; c < CONE * CONE; c++) {
        if (h[c] >= 0 || areas[c] <= 100) continue; /* the sea, where a river ends */
        const double turn = fabs(remainder(atan2(c / CONE - 64, c % CONE - 64), M_PI / 2));
        by[turn > M_PI / 8] += (double)areas[c] - 100;
    }
    CHECK(by[0] / by[1] < 1.1 && by[1] / by[0] < 1.1, "axes : diagonals are %.3f", by[0] / by[1]);
    scene_destroy(sim, s);
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
        MUST(otok_sim_run(sim, 9));
        MUST(otok_sim_get(sim, OTOK_TERRAIN, out[n]));
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
    check_steady(backend, 0.5);
    if (strcmp(backend, "cpu") == 0) check_steady(backend, 0.4); /* emulation is slow */
    check_cone(backend);
    check_mirror(backend);
    return check_failures > 0;
}
