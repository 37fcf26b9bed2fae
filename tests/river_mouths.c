/* river_mouths.c - claim: what rivers cut settles in the sea, all of it between closed sides and to
   the bit in the ledger; a plume of the length L spreads it by sqrt(2) L along the coast; beyond
   open sides the rest is lost; a reef grows less by exp(-s/s_ref) under the supply s. No cell of
   the sea rises above it: what a hollow behind a sill has no room for is carried away by volume,
   and the river then runs on over it; in a shallow bay it settles farther out. */
#include "scene.h"

#include <math.h>

enum { NX = 144, NY = 48, MOUTH = 71, SHORE = 20 };

/* A valley runs down to a straight coast, where the river of one cell cuts. Of the sea bed nothing
   moves but what rivers bring. */
static otok_scenario *bay(const char *edge, const char *more)
{
    return scene(
        "otok: 1\ngrid: {nx: %d, ny: %d, spacing: 50}\nedges: {left: %s, right: %s, "
        "bottom: %s, top: %s}\nphases: [{name: a, iterations: 3, mix_reef_and_erosion: "
        "true, incision: {dt: 1 kyr, erodibility: [{cone: {height: 6e-13, radius: 49, x: %g, "
        "y: %g}}], routing: steepest, plume: 500}, marine_diffusion: {diffusivity: "
        "0}%s}]\n",
        NX, NY, edge, edge, edge, edge, 50 * (MOUTH + 0.5), 50 * (SHORE + 0.5), more);
}

static float start[NX * NY], h[NX * NY];

static void valley(void)
{
    for (int c = 0; c < NX * NY; c++) {
        const int i = c % NX, j = c / NX;
        start[c] = j < SHORE ? -40.0f
                             : 300.0f + 2.0f * (float)(j - SHORE) + (float)abs(i - MOUTH) +
                                   (i == MOUTH && j > SHORE ? -1.0f : 0.0f);
    }
}

static otok_ledger run(const char *backend, otok_scenario *s, int field, float *out, int n)
{
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, start));
    scene_run(sim, n, field, out);
    const otok_ledger ledger = scene_ledger(sim);
    scene_destroy(sim, s);
    return ledger;
}

static void check_books(const char *backend)
{
    double risen = 0, mean = 0, spread = 0;
    const otok_ledger l = run(backend, bay("closed", ""), OTOK_TERRAIN_CHANGE, h, 3);
    for (int c = 0; c < NX * SHORE; c++) {
        const double rise = (double)h[c], x = (c % NX - MOUTH) * 50.0;
        risen += rise, mean += rise * x, spread += rise * x * x;
    }
    CHECK(l.river_settled > 1e5 && fabs(l.river_out) <= 1e-6 * l.river_settled,
          "of %.9g m3 that settled %g are missing", l.river_settled, l.river_out);
    CHECK(fabs(risen * 50 * 50 / l.river_settled - 1) < 1e-6,
          "the sea bed rose by %.9g m3, and %.9g settled", risen * 50 * 50, l.river_settled);
    CHECK(l.solid_error == 0, "%g m3 are not explained", l.solid_error);
    CHECK(fabs(mean / risen) < 5, "the delta lies %g m beside the mouth", mean / risen);
    CHECK(fabs(sqrt(spread / risen) / (500 * sqrt(2)) - 1) < 0.05, "it is spread by %g m",
          sqrt(spread / risen));
    const otok_ledger lost = run(backend, bay("open", ""), OTOK_TERRAIN_CHANGE, h, 3);
    CHECK(lost.solid_error == 0 && lost.river_out > 0.01 * lost.river_settled &&
              lost.river_settled > lost.river_out,
          "with open sides %g m3 left and %g settled, %g unexplained", lost.river_out,
          lost.river_settled, lost.solid_error);
}

/* Light that saturates everywhere lets all of the reef grow alike. */
static void check_reef(const char *backend)
{
    static float clear[NX * NY], muddy[NX * NY], sea[NX * NY];
    const char *const reef = ", reef: {law: light_saturation, dt: 1 kyr, max_growth: 0.1 mm/yr, "
                             "absorption: 1e-9, burial_scale: %s}",
                      *const scales[] = {"1 m/yr", "0.05 mm/yr"};
    char more[256];
    int apart = 0;
    double most = 0;
    run(backend, bay("closed", ""), OTOK_TERRAIN_CHANGE, sea, 1);
    for (int n = 0; n < 2; n++) {
        snprintf(more, sizeof more, reef, scales[n]);
        run(backend, bay("closed", more), OTOK_REEF, n ? muddy : clear, 1);
    }
    for (int c = 0; c < NX * SHORE; c++) {
        const double supply = (double)sea[c] / 1000, /* [m/yr] */
            ratio = (double)muddy[c] / (double)clear[c];
        apart += fabs(ratio - exp(supply / 1 - supply / 0.05e-3)) > 1e-3;
        most = fmax(most, supply);
    }
    CHECK(most > 0.05e-3, "the supply is at most %g m/yr", most);
    CHECK(!apart, "the reef of %d cells does not go by their supply", apart);
}

/* How high the highest cell that was below the sea has risen, in the first n rows. */
static double highest(int n)
{
    double most = -INFINITY;
    for (int c = 0; c < NX * n; c++)
        if (start[c] < 0) most = fmax(most, (double)start[c] + (double)h[c]);
    return most;
}

static double risen_in(int j0, int j1, int i0, int i1)
{
    double sum = 0;
    for (int c = j0 * NX; c < j1 * NX; c++)
        if (c % NX >= i0 && c % NX < i1) sum += (double)h[c] * 50 * 50;
    return sum;
}

static void check_room(const char *backend)
{
    valley();
    for (int c = 0; c < NX * SHORE; c++)
        start[c] = -0.3f;
    const otok_ledger shallow = run(backend, bay("closed", ""), OTOK_TERRAIN_CHANGE, h, 1);
    CHECK(highest(SHORE) > -1e-3 && highest(SHORE) < 1e-3 && shallow.solid_error == 0,
          "a shallow bay is filled up to %g m above the sea, %g m3 unexplained", highest(SHORE),
          shallow.solid_error);
    CHECK(shallow.river_out < 1e-3 * shallow.river_settled, "of %g m3 in a shallow bay %g are lost",
          shallow.river_settled, shallow.river_out);
    valley(); /* six cells 5 m deep behind a sill at the end of the valley */
    for (int j = SHORE - 4; j < SHORE; j++)
        for (int i = MOUTH - 3; i <= MOUTH + 3; i++)
            start[j * NX + i] = abs(i - MOUTH) < 2 && j >= SHORE - 2 ? -5.0f : 1.0f;
    for (int n = 1; n <= 2; n++) {
        const otok_ledger l = run(backend, bay("closed", ""), OTOK_TERRAIN_CHANGE, h, n);
        const double cut = -risen_in(SHORE, NY, 0, NX),
                     hollow = risen_in(SHORE - 2, SHORE, MOUTH - 1, MOUTH + 2),
                     bed = risen_in(0, SHORE, 0, NX) - hollow, left = l.river_out;
        CHECK(fabs(hollow - 6 * 5 * 50 * 50) < 10 && highest(SHORE) < 1e-3,
              "step %d: a hollow of 75000 m3 took %g, the highest of the sea is at %g m", n, hollow,
              highest(SHORE));
        CHECK(left > 1e5 && fabs(hollow + bed + left - cut) < 1e-6 * cut && l.solid_error == 0,
              "step %d: %.9g m3 of the land, %.9g in the sea, %.9g out, %g unexplained", n, cut,
              hollow + bed, left, l.solid_error);
        CHECK(n == 1 ? bed == 0 : bed > 1e5, "step %d: %g m3 are beyond the sill", n, bed);
    }
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    valley();
    check_books(backend);
    check_reef(backend);
    check_room(backend);
    scene_refused(
        "10,000 cells",
        "otok: 1\nphases: [{iterations: 1, incision: {dt: 1, plume: 20000}, marine_diffusion: "
        "{}}]\n");
    return check_failures > 0;
}
