/* channel.h: water of `law: shallow_water` alone, without erosion, for tests against analytic
   solutions; one row of cells, or a square. */
#ifndef OTOK_CHANNEL_H
#define OTOK_CHANNEL_H

#include "scene.h"

#include <math.h>

/* The keys of hydraulic erosion that make it water alone. */
#define WATER_ALONE "evaporation: 0, capacity: 0, dissolve: 0, deposit: 0, displace_water: false"
#define GRAVITY 9.81

#define ALL_OPEN "left: open, right: open, bottom: open, top: open"

/* A channel or a square, its sides, and its rivers. */
typedef struct channel {
    int nx, ny;
    double l, dt, manning;
    const char *edges, *more; /* more: keys of the phase */
    const char *law;          /* NULL: shallow_water */
    const char *root;         /* keys beside the phases */
} channel;

static otok_scenario *channel_scenario; /* of the one that runs */

static inline otok_sim *channel_start(const char *backend, const channel *c, const float *h,
                                      const float *d)
{
    channel_scenario = scene(
        "otok: 1\ngrid: {nx: %d, ny: %d, spacing: %.9g}\nedges: {%s}\n%s\nphases:\n"
        "  - {iterations: 1000000, %s hydraulic: {law: %s, dt: %.9g, manning: %.9g, " WATER_ALONE
        "}}\n",
        c->nx, c->ny, c->l, c->edges ? c->edges : "", c->root ? c->root : "",
        c->more ? c->more : "", c->law ? c->law : "shallow_water", c->dt, c->manning);
    otok_sim *sim = scene_sim(channel_scenario, backend);
    scene_set(sim, h, d);
    return sim;
}

static inline void channel_end(otok_sim *sim)
{
    scene_destroy(sim, channel_scenario);
}

/* The run goes on from a checkpoint. */
static inline otok_sim *channel_resume(otok_sim *from, const char *backend)
{
    otok_sim *sim = scene_resume(from, channel_scenario, backend);
    otok_sim_destroy(from);
    return sim;
}

/* Depths after so many iterations from d. */
static inline void channel_run(float *after, const char *backend, const channel *c, const float *h,
                               const float *d, int64_t iterations)
{
    otok_sim *sim = channel_start(backend, c, h, d);
    scene_run(sim, iterations, OTOK_WATER, after);
    channel_end(sim);
}

/* Runs on; what leaves over sides in a second [m3]. */
static inline double channel_leaves(otok_sim *sim, const channel *c, int64_t iterations)
{
    const double before = scene_ledger(sim).water_out;
    MUST(otok_sim_run(sim, iterations));
    return (scene_ledger(sim).water_out - before) / ((double)iterations * c->dt);
}

static const char *const channel_sides[] = {"left", "right", "bottom", "top"};

/* A square of n x n cells as seen from a side: its first row is the cells beside the side. */
static inline void channel_turn(float *out, const float *map, int n, int side)
{
    for (int at = 0; at < n * n; at++) {
        const int x = at % n, y = at / n, across = side < 2 ? y : x, in = side < 2 ? x : y;
        out[(side % 2 ? n - 1 - in : in) * n + across] = map[at];
    }
}

/* The same flow to each side of a square, to two of them in bands, and to two from a checkpoint on
   (`again`), has the same bits. */
typedef void channel_flow_to(float *d, const char *backend, const char *law, int side, int again);

static inline void channel_check_sides(channel_flow_to *flow, int n, const char *backend,
                                       const char *law)
{
    float one[32 * 32], other[32 * 32];
    char bands[64];
    snprintf(bands, sizeof bands, "%s/3", backend);
    flow(one, backend, law, OTOK_LEFT, 0);
    for (int side = 1; side < OTOK_SIDES; side++) {
        flow(other, side % 2 ? bands : backend, law, side, side > 1);
        CHECK(memcmp(one, other, (size_t)(n * n) * sizeof *one) == 0, "%s: flow to %s differs", law,
              channel_sides[side]);
    }
}

/* A lake at 3 m on rough ground in multiples of 1/256 m, with these keys at its sides, stays. */
static inline void channel_check_lake(const char *backend, const char *law, const char *sides)
{
    enum { N = 15 };
    static float h[N * N], d[N * N], now[N * N];
    const channel c = {N, N, 2, 0.1, 0.03, ALL_OPEN, sides, .law = law};
    uint64_t seed = 5;
    for (int n = 0; n < N * N; n++) {
        h[n] = floorf(1000 * scene_random(&seed)) / 256;
        d[n] = fmaxf(0, 3 - h[n]);
    }
    channel_run(now, backend, &c, h, d, 500);
    CHECK(memcmp(d, now, sizeof d) == 0, "%s, %s a lake moves", law, sides);
}

#endif
