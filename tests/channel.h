/* channel.h: water of `law: shallow_water` alone, without erosion, for tests against analytic
   solutions; one row of cells, or a square. */
#ifndef OTOK_CHANNEL_H
#define OTOK_CHANNEL_H

#include "scene.h"

#include <math.h>

/* The keys of hydraulic erosion that make it water alone. */
#define WATER_ALONE "evaporation: 0, capacity: 0, dissolve: 0, deposit: 0, displace_water: false"
#define GRAVITY 9.81

static int shown; /* with OTOK_TEST_SHOW, each measured number is printed */

/* A channel or a square, its sides, and its rivers. */
typedef struct channel {
    int nx, ny;
    double l, dt, manning;
    const char *edges, *more;
    const char *law;  /* NULL: shallow_water */
    const char *root; /* keys beside the phases */
} channel;

static otok_sim *channel_start(const char *backend, otok_scenario **s, const channel *c,
                               const float *h, const float *d)
{
    otok_sim *sim;
    *s = scene(
        "otok: 1\ngrid: {nx: %d, ny: %d, spacing: %.9g}\nedges: {%s}\n%s\nphases:\n"
        "  - {iterations: 1000000, %s hydraulic: {law: %s, dt: %.9g, manning: %.9g, " WATER_ALONE
        "}}\n",
        c->nx, c->ny, c->l, c->edges ? c->edges : "", c->root ? c->root : "",
        c->more ? c->more : "", c->law ? c->law : "shallow_water", c->dt, c->manning);
    MUST(otok_sim_create(&sim, *s, backend));
    MUST(otok_sim_set(sim, OTOK_TERRAIN, h));
    MUST(otok_sim_set(sim, OTOK_WATER, d));
    return sim;
}

static void channel_end(otok_sim *sim, otok_scenario *s)
{
    otok_sim_destroy(sim);
    otok_scenario_destroy(s);
}

#endif
