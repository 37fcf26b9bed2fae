/* coast_waves.c - claim: the rock that waves loosen is k_w times the energy that they spend, within
   3 % for cells of 25 to 200 m and steps up to 500 yr, while marine diffusion carries the loose
   material away and the coast retreats; it becomes the first layer, and the books of all layers are
   closed. Drift moves loose material the way of the waves: an obstacle fills on its windward side,
   up to the sea and no higher, and its lee stays as it was; no cell gives more than it has. A whole
   run of both, mirrored or turned, has the mirrored or turned bits. Without waves or layers a coast
   is refused. */
#include "scenario/scenario_read.h"
#include "scene.h"
#include "square.h"

#include <math.h>

enum { N = 40 };
#define YEAR 31556952.0

static const char *backend;

/* The energy flux of the open sea [W/m]: height 2 m, period 10 s. */
static double open_flux(void)
{
    return 1025 * 9.81 * 2 * 2 / 16 * 9.81 * 10 / (4 * M_PI);
}

static otok_ledger measure(otok_sim *sim)
{
    const otok_ledger ledger = scene_ledger(sim);
    return ledger;
}

/* A slope of `layers` that waves attack from the right for 60,000 years. */
static void check_volume(double l, double dt)
{
    const int nx = (int)(6400 / l), n = (int)(60000 / dt);
    otok_scenario *s = scene(
        "otok: 1\ngrid: {nx: %d, ny: 1, spacing: %g}\nedges: {right: open}\nbase: [{constant: "
        "{height: 0}}]\nlayers: [{name: sand, thickness: 0}, {name: tuff, thickness: 2, "
        "erodibility: 1}, {name: rock}]\nphases: [{iterations: %d, waves: {every: 1, friction: 0, "
        "directions: 4, rose: [0, 1, 0, 0]}, coast: {dt: %.12g, abrasion: 3e-14}, "
        "marine_diffusion: {dt: %.12g, diffusivity: %.12g}, uplift: {dt: %.12g}}]\n",
        nx, l, n, dt * YEAR, fmin(dt * YEAR, 0.024 * l * l * YEAR), 10 / YEAR, dt * YEAR);
    static float base[256], end[256];
    for (int i = 0; i < nx; i++)
        base[i] = 40 - 0.03f * (float)((i + 0.5) * l);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN_BASE, base));
    scene_run(sim, n, OTOK_TERRAIN, end);
    const otok_ledger b = measure(sim);
    const double expected = 3e-14 * open_flux() * l * 60000 * YEAR;
    double retreat = 0;
    for (int i = 0; i < nx; i++)
        retreat += ((base[i] > 0) - (end[i] > 0)) * l;
    CHECK(fabs(b.abraded / expected - 1) < 0.03, "l %g m, dt %g yr: %g m3 of %g", l, dt, b.abraded,
          expected);
    CHECK(retreat >= l, "l %g m, dt %g yr: the coast retreats by %g m", l, dt, retreat);
    CHECK(b.layers[1].eroded > 0 && b.layers[2].eroded > 0 && b.solid_error == 0 &&
              fabs(b.layers[1].eroded + b.layers[2].eroded - b.abraded) < 1e-9 * b.abraded,
          "%g m3 of tuff and %g of rock eroded, %g loosened", b.layers[1].eroded,
          b.layers[2].eroded, b.abraded);
    for (int i = 0; i < 3; i++)
        CHECK(fabs(b.layers[i].error) < 1e-6 * b.abraded, "%s: %g m3 unexplained", b.layers[i].name,
              b.layers[i].error);
    scene_destroy(sim, s);
}

/* Sand 2 m thick, 6 m deep, and a block of land in waves from the left. */
static void check_obstacle(void)
{
    static float start[N * N], end[N * N], sand[N * N];
    double windward = 0, lee = 0;
    float most = -1e9f, least = 1e9f;
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 50}\nedges: {left: open}\nbase: "
              "[{constant: {height: 0}}]\nlayers: [{name: sand, thickness: 2}, {name: "
              "rock}]\nphases: [{iterations: 60, waves: {every: 1, directions: 4, rose: [0, 0, 0, "
              "1]}, coast: {dt: 157784760, drift: 1e-11}}]\n",
              N, N);
    for (int n = 0; n < N * N; n++)
        start[n] = abs(n % N - 20) < 4 && abs(n / N - 20) < 6 ? 4 : -6;
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN_BASE, start));
    scene_run(sim, 60, OTOK_TERRAIN, end);
    MUST(otok_sim_get(sim, OTOK_LAYER, sand));
    for (int n = 0; n < N * N; n++) {
        least = fminf(least, sand[n]);
        if (start[n] < 0) most = fmaxf(most, end[n]);
        if (abs(n / N - 20) >= 6) continue;
        if (n % N == 16) windward += (double)(end[n] - start[n]) / 11;
        if (n % N == 24) lee += fabs((double)(end[n] - start[n])) / 11;
    }
    const otok_ledger b = measure(sim);
    CHECK(windward > 1 && lee == 0,
          "windward of the obstacle the bed rises by %g m, in its lee by %g", windward, lee);
    CHECK(least >= 0 && most <= 0, "sand is %g m thick somewhere, and reaches %g m", (double)least,
          (double)most);
    CHECK(b.solid_error == 0 && fabs(b.ground_rounded) < 1e-6 * N * N * 2500 &&
              fabs(b.layers[1].now - b.layers[1].start) < 1e-6 * fabs(b.layers[1].now),
          "%g m3 unexplained, %g by rounding; rock: %g of %g", b.solid_error, b.ground_rounded,
          b.layers[1].now, b.layers[1].start);
    scene_destroy(sim, s);
}

static void check_symmetries(int directions)
{
    static float island[N * N], plain[N * N], moved[N * N], found[N * N], expected[N * N];
    uint64_t x = 5;
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 50}\nedges: {left: open, right: open, "
              "bottom: open, top: open}\nlayers: [{name: sand, thickness: 0.5}, {name: "
              "rock}]\nphases: [{iterations: 30, waves: {every: 4, directions: %d}, coast: {dt: "
              "631139040, abrasion: 3e-13, drift: 3e-12}, marine_diffusion: {dt: 631139040}}]\n",
              N, N, directions);
    for (int n = 0; n < N * N; n++)
        island[n] = 25 - 2.2f * (float)hypot(n % N - 17, n / N - 22.5) + 5 * scene_random(&x);
    for (int symmetry = 0; symmetry < 8; symmetry++) {
        square_move(symmetry, N, island, moved);
        otok_sim *sim = scene_sim(s, backend);
        MUST(otok_sim_set(sim, OTOK_TERRAIN, moved));
        scene_run(sim, 30, OTOK_TERRAIN, symmetry ? found : plain);
        otok_sim_destroy(sim);
        square_move(symmetry, N, plain, expected);
        CHECK(!symmetry || memcmp(expected, found, sizeof found) == 0, "%d directions, symmetry %d",
              directions, symmetry);
        CHECK(memcmp(island, plain, sizeof plain) != 0, "nothing moves");
    }
    otok_scenario_destroy(s);
}

int main(int argc, char **argv)
{
    backend = CHECK_BACKEND(argc, argv)->name;
    for (double l = 25; l <= 200; l *= 2) {
        check_volume(l, 500);
        if (l > 90) check_volume(l, 100);
    }
    check_obstacle();
    check_symmetries(4);
    check_symmetries(16);
    scene_refused(
        "waves",
        "otok: 1\nedges: {left: open}\nphases: [{iterations: 1, coast: {dt: 9, drift: 1e-11}}]\n");
    scene_refused("layers", "otok: 1\nedges: {left: open}\nphases: [{iterations: 1, waves: {}, "
                            "coast: {dt: 9, abrasion: 3e-13}}]\n");
    scene_refused(
        "does nothing",
        "otok: 1\nedges: {left: open}\nphases: [{iterations: 1, waves: {}, coast: {dt: 9}}]\n");
    return check_failures > 0;
}
