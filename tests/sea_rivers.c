/* sea_rivers.c - claim: with `sea: base_level`, under each law of water, a river builds a delta of
   all that it brings. The sea stays at its level; what the land lost, less what is suspended, is
   what the bed of the sea gained, within 1e-6, and some of it becomes land. The ledgers leave no
   more than 1e-6 of the water and 1e-7 m of solids per cell unexplained; over layers the delta is
   of the first. Without the key the sea is no obstacle. Transports that make, lose or keep
   sediment, and steps by the deepest water, are refused. A river cuts its valley down to the sea,
   and runs on over it: no cell of the valley becomes sea, and none takes the water. */
#include "scenario/scenario_read.h"
#include "scene.h"

#include <math.h>

enum { NX = 48, NY = 24, CELLS = NX * NY };

static const char *backend;
static int steps = 2500, river = 5; /* for an emulated GPU fewer, nearer to the sea */
static float start[CELLS], end[CELLS], water[CELLS], sediment[CELLS], sand[CELLS], flow[CELLS];

/* A valley that ends 1.5 m below the sea, 40 % of the way. */
static void make_coast(void)
{
    uint64_t x = 3;
    for (int n = 0; n < CELLS; n++) {
        const float i = (float)(n % NX), j = fabsf((float)(n / NX) - 11.5f);
        start[n] = fmaxf(6 - 0.3f * i, -1.5f) + (i < 20 ? 0.15f * j : 0) + 0.05f * scene_random(&x);
    }
}

static void run(const char *law, const char *sea, otok_ledger *ledger)
{
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 10}\nsea: {level: 0}\nbase: [{constant: "
              "{height: 0}}]\nlayers: [{name: sand, thickness: 0}, {name: rock}]\nphases: "
              "[{iterations: %d, rivers: [{x: %d, y: 120, radius: 15, discharge: 3}], hydraulic: "
              "{dt: 0.2, evaporation: 0, slope: downhill, dissolve: 0.1, %s, %s}}]\n",
              NX, NY, steps, river, law, sea);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN_BASE, start));
    scene_run(sim, steps, OTOK_TERRAIN, end);
    MUST(otok_sim_get(sim, OTOK_WATER, water));
    MUST(otok_sim_get(sim, OTOK_SEDIMENT, sediment));
    MUST(otok_sim_get(sim, OTOK_LAYER, sand));
    MUST(otok_sim_get(sim, OTOK_OUTFLOW_RIGHT, flow));
    *ledger = scene_ledger(sim);
    scene_destroy(sim, s);
}

static void check_delta(const char *law)
{
    double brought = 0, gained = 0, off = 0, thin = 0;
    int made = 0;
    otok_ledger b;
    run(law, "sea: base_level", &b);
    for (int n = 0; n < CELLS; n++) {
        const double rise = (double)end[n] - (double)start[n];
        made += start[n] < 0 && end[n] >= 0;
        if (start[n] < 0) gained += rise;
        if (start[n] < 0) thin = fmin(thin, (double)sand[n] - rise);
        brought -= start[n] < 0 ? (double)sediment[n] : rise + (double)sediment[n];
        if (end[n] < 0) off = fmax(off, fabs((double)(end[n] + water[n])));
    }
    CHECK(gained > (steps > 1000 ? 10 : 0.01) && fabs(gained - brought) < 1e-6 * gained,
          "%s: a delta of %g m, and a load of %g", law, gained, brought);
    CHECK(off < 1e-6, "%s: the sea is %g m off its level", law, off);
    CHECK((made > 0 || steps < 1000) && thin > -1e-4,
          "%s: %d cells become land, sand is %g m too thin", law, made, -thin);
    CHECK(fabs(b.water_error) < 1e-6 * (b.water + b.rivers) &&
              fabs(b.solid_error) < 1e-7 * CELLS * 100 && b.to_sea < 0,
          "%s: %g m3 of water, %g of solid unexplained; the sea took %g", law, b.water_error,
          b.solid_error, b.to_sea);
    for (int i = 0; i < 2; i++)
        CHECK(fabs(b.layers[i].error) < 1e-6 * gained * 100, "%s: %s: %g m3 unexplained", law,
              b.layers[i].name, b.layers[i].error);
    run(law, "sea: ignored", &b);
    CHECK(b.to_sea == 0, "%s: a sea that is ignored took %g m3", law, b.to_sea);
}

/* A plain a hand above the sea, and a river that is strong enough to cut it down. */
static void check_valley(const char *law)
{
    otok_ledger b;
    double passes = 0;
    float least = INFINITY;
    int down = 0;
    for (int n = 0; n < CELLS; n++)
        start[n] = n % NX < 16 ? 0.1f + fmaxf(0, fabsf((float)(n / NX) - 11.5f) - 1) : -1.5f;
    run(law, "sea: base_level", &b);
    for (int n = 0; n < CELLS; n++) {
        if (n % NX == 12) passes += (double)flow[n];
        if (n % NX < 12) least = fminf(least, end[n]), down += end[n] < 0.01f;
    }
    CHECK(down > 10 && least > 0, "%s: %d cells are down at the sea, the lowest at %g m", law, down,
          (double)least);
    CHECK(passes > 2.7, "%s: of 3 m3/s %g reach the mouth", law, passes);
}

int main(int argc, char **argv)
{
    backend = CHECK_BACKEND(argc, argv)->name;
    if (argc > 2) steps = 200, river = 170;
    make_coast();
    check_delta("law: published, pipes: one_way, pipe_area: 20, capacity: 0.4");
    check_delta("law: local_inertia, capacity: 30");
    check_delta("law: shallow_water, capacity: 30");
    if (steps > 1000) check_valley("law: local_inertia, capacity: 200");
    static const char *const keys[] = {"transport: semi_lagrangian", "transport: none",
                                       "courant: 0.7"};
    for (int n = 0; n < 3; n++)
        scene_refused("base_level",
                      "otok: 1\nphases: [{iterations: 1, hydraulic: {sea: base_level, law: "
                      "local_inertia, %s}}]\n",
                      keys[n]);
    return check_failures > 0;
}
