/* water_momentum.c - claim: `law: shallow_water` is stable up to C = (|u| + |v| + sqrt(2 g d)) dt /
   l = 1, on a row |u| + sqrt(g d), and not beyond; noise on a flow along an axis decays at any
   Froude number of rivers; a torrent stays even where local inertia rolls; a lake over rough
   ground, low or high, rests for 10,000 iterations; what a torrent erodes does not depend on dt;
   and a film that falls over a cliff does not hold the river at its foot. */
#include "channel.h"

/* ---- noise on a flow without friction ---- */

enum { SIDE = 32 };

/* The factor by which noise on water 1 m deep grows in so many iterations; `froude` along x. */
static double growth(const char *backend, int ny, double froude, double courant, int steps)
{
    static float h[SIDE * SIDE], d[SIDE * SIDE], right[SIDE * SIDE];
    const double wave = sqrt(GRAVITY * (ny > 1 ? 2 : 1)), speed = froude * sqrt(GRAVITY);
    const channel c = {
        SIDE, ny,
        1,    courant / (speed + wave),
        0,    .edges = "left: periodic, right: periodic, bottom: periodic, top: periodic"};
    uint64_t seed = 7;
    double before = 0, after = 0;
    for (int n = 0; n < SIDE * ny; n++) {
        d[n] = 1 + 1e-5f * (scene_random(&seed) - 0.5f);
        right[n] = (float)speed;
        before += ((double)d[n] - 1) * ((double)d[n] - 1);
    }
    otok_sim *sim = channel_start(backend, &c, h, d);
    MUST(otok_sim_set(sim, OTOK_OUTFLOW_RIGHT, right));
    scene_run(sim, steps, OTOK_WATER, d);
    for (int n = 0; n < SIDE * ny; n++)
        after += ((double)d[n] - 1) * ((double)d[n] - 1);
    channel_end(sim);
    return sqrt(after / before);
}

static void check_courant(const char *backend)
{
    const double below = growth(backend, 1, 0.5, 0.97, 3000),
                 beyond = growth(backend, 1, 0.5, 1.03, 3000);
    CHECK_FOUND(below < 1, "noise on a row at C 0.97 grows %g times", below);
    CHECK_FOUND(beyond > 1e3, "noise on a row at C 1.03 grows %g times", beyond);
    for (double froude = 0.3; froude < 1.5; froude += 0.55) {
        const double across = growth(backend, SIDE, froude, 0.9, 3000);
        CHECK_FOUND(across < 0.5, "noise on a square, Fr %g, at C 0.9 grows %g times", froude,
                    across);
    }
}

/* ---- a torrent that a river feeds ---- */

enum { LONG = 1500 };

/* The spread of the depth in the lower half, as a share of its mean, after so many seconds. */
static double spread(const char *backend, const char *law, double froude, double seconds)
{
    static float h[LONG], d[LONG];
    char more[200];
    const double n = 0.03, u = froude * sqrt(GRAVITY), slope = n * n * u * u;
    const channel c = {LONG,          1,    1,         0.8 / (u + sqrt(GRAVITY)) / 1.4, n,
                       "right: open", more, .law = law};
    snprintf(more, sizeof more, "rivers: [{x: 0.5, y: 0.5, radius: 0.5, discharge: %.9g}],", u);
    uint64_t seed = 3;
    for (int i = 0; i < LONG; i++) {
        h[i] = (float)(slope * (LONG - i));
        d[i] = 1 + 0.01f * (scene_random(&seed) - 0.5f);
    }
    channel_run(d, backend, &c, h, d, (int64_t)(seconds / c.dt));
    double sum = 0, squares = 0;
    for (int i = LONG / 2; i < LONG - 20; i++) {
        sum += (double)d[i];
        squares += (double)d[i] * (double)d[i];
    }
    const double mean = sum / (LONG / 2 - 20);
    return sqrt(fmax(0, squares / (LONG / 2 - 20) - mean * mean)) / mean;
}

static void check_torrents(const char *backend)
{
    const double local = spread(backend, "local_inertia", 0.9, 600);
    CHECK_FOUND(local > 0.1, "local inertia is even at Fr 0.9: spread %.4f", local);
    for (double froude = 0.6; froude < 1.3; froude += 0.3) {
        const double found = spread(backend, NULL, froude, 600);
        CHECK_FOUND(found < 0.1, "torrent, Fr %g: spread %.4f", froude, found);
    }
}

/* ---- a lake ---- */

static void check_lake(const char *backend, float base)
{
    enum { N = 40 };
    static float h[N * N], d[N * N], after[N * N], u[N * N];
    const channel c = {N, N, 1, 0.15, 0, .edges = "left: open"};
    uint64_t seed = 11;
    for (int n = 0; n < N * N; n++) { /* multiples of 1/64: h + d is exact; the left side is dry */
        const float deep = 2 * scene_random(&seed) - 0.3f;
        h[n] = base + (n % N < 2 ? 4 : floorf(64 * (1 - deep)) / 64);
        d[n] = h[n] < base + 1 ? base + 1 - h[n] : 0;
    }
    otok_sim *sim = channel_start(backend, &c, h, d);
    scene_run(sim, 10000, OTOK_WATER, after);
    CHECK(memcmp(d, after, sizeof d) == 0, "a lake at %g m moved", (double)base);
    for (int field = OTOK_OUTFLOW_LEFT; field <= OTOK_VELOCITY_Y; field++) {
        float most = 0;
        MUST(otok_sim_get(sim, (otok_field)field, u));
        for (int n = 0; n < N * N; n++)
            most = fabsf(u[n]) > most ? fabsf(u[n]) : most;
        CHECK(most == 0, "a lake at %g m: %s up to %g m/s", (double)base,
              otok_field_at(field)->name, (double)most);
    }
    channel_end(sim);
}

/* ---- erosion ---- */

/* What a torrent of Froude 1.9 takes from its bed in 200 s [m, summed over the cells]. */
static double eroded(const char *backend, double dt)
{
    enum { N = 100 };
    static float h[N], d[N], change[N];
    const double slope = 0.05, deep = 0.3, u = pow(deep, 2.0 / 3) * sqrt(slope) / 0.03;
    otok_scenario *s = scene(
        "otok: 1\ngrid: {nx: %d, ny: 1, spacing: 2}\nedges: {right: open}\nphases:\n"
        "  - {iterations: 1000000, rivers: [{x: 1, y: 1, radius: 1, discharge: %.9g}], hydraulic: "
        "{law: shallow_water, dt: %.9g, capacity: 0.1, dissolve: 0.05, deposit: 0.05}}\n",
        N, 2 * u * deep, dt);
    otok_sim *sim = scene_sim(s, backend);
    for (int i = 0; i < N; i++) {
        h[i] = (float)(slope * 2 * (N - i));
        d[i] = (float)deep;
    }
    scene_set(sim, h, d);
    scene_run(sim, (int64_t)(200 / dt + 0.5), OTOK_TERRAIN_CHANGE, change);
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += fabs((double)change[i]);
    scene_destroy(sim, s);
    return sum;
}

static void check_erosion(const char *backend)
{
    const double coarse = eroded(backend, 0.25), fine = eroded(backend, 0.0625);
    CHECK_FOUND(fine > 0.1 && fabs(coarse / fine - 1) < 0.02,
                "a torrent takes %.4f m with dt 0.25, %.4f with 0.0625", coarse, fine);
}

/* ---- a ditch at the foot of a cliff ---- */

/* What a ditch of one row has lost over its open end after 60 s [m3]. Beyond the periodic side, the
   film on the bank above it ends at a cliff of 400 m down to the ditch. */
static double drained(const char *backend, double dt)
{
    enum { X = 40, Y = 8 };
    static float h[X * Y], d[X * Y];
    for (int n = 0; n < X * Y; n++) {
        const int x = n % X, y = n / X;
        h[n] = (float)(0.02 * x + 50 * y + (y ? 20 : 0));
        d[n] = y ? 0.1f : 1;
    }
    const channel c = {X, Y, 10, dt, 0.05, .edges = "left: open, bottom: periodic, top: periodic"};
    otok_sim *sim = channel_start(backend, &c, h, d);
    MUST(otok_sim_run(sim, (int64_t)(60 / dt + 0.5)));
    const otok_ledger ledger = scene_ledger(sim);
    channel_end(sim);
    return ledger.water_out;
}

static void check_cliff(const char *backend)
{
    const double coarse = drained(backend, 0.2), fine = drained(backend, 0.0125);
    CHECK_FOUND(fabs(coarse / fine - 1) < 0.02,
                "a ditch loses %.5g m3 with dt 0.2, %.5g with 0.0125", coarse, fine);
}

CHECK_SLOW

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    check_courant(backend);
    check_torrents(backend);
    check_lake(backend, 0);
    check_lake(backend, 1000);
    check_erosion(backend);
    check_cliff(backend);
    return check_failures != 0;
}
