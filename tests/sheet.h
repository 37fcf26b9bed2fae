/* sheet.h: a sheet of water in uniform flow down a plane, for tests of otok predict. */
#ifndef OTOK_SHEET_H
#define OTOK_SHEET_H

#include "springs_file.h"

#include <math.h>

enum { NX = 400, NY = 3, FACE = 200 };

/* A sheet of uniform depth down a plane to the right, fed at its upper end and drained at its lower
   one. `face` > 0: one steeper face. `shallow`: under `law: shallow_water`; else friction is that
   of each pipe's own flow. */
typedef struct sheet {
    double spacing, slope, face, depth, manning, dt;
    int shallow;
} sheet;

static inline double sheet_speed(const sheet *s)
{
    return sqrt(s->slope) * pow(s->depth, 2.0 / 3.0) / s->manning;
}

/* `more` and `top`: more keys of hydraulic erosion and of the scenario. */
static inline otok_scenario *sheet_scenario(const sheet *s, const char *more, const char *top)
{
    static float ground[NX * NY], rain[NX * NY];
    for (int n = 0; n < NX * NY; n++) {
        const int x = n % NX;
        const double below = s->face > 0 && x >= FACE ? s->spacing * (s->face - s->slope) : 0;
        ground[n] = (float)(s->spacing * s->slope * (NX - x) - below);
        rain[n] = x == 0;
    }
    springs_write("base.asc", NX, NY, s->spacing, "", ground);
    springs_write("rain.asc", NX, NY, s->spacing, "", rain);
    return scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: %.9g}\nedges: {right: open, bottom: "
                 "periodic, top: periodic}\nbase: [{raster: {file: %s/base.asc}}]\ninitial: "
                 "{water: %.9g}\nphases:\n  - {name: a, iterations: 100000, rain: {rate: %.9g, "
                 "map: %s/rain.asc}, hydraulic: {dt: %.9g, %s, manning: %.9g, evaporation: 0, "
                 "%s}}\n%s",
                 NX, NY, s->spacing, springs_folder, s->depth,
                 sheet_speed(s) * s->depth / s->spacing, springs_folder, s->dt,
                 s->shallow ? "law: shallow_water" : "pipes: signed, area: depth, friction: axis",
                 s->manning, more, top);
}

/* The limit of this name, with what is known of the ground. */
static inline otok_limit sheet_limit(const otok_scenario *s, const char *name)
{
    static otok_site site;
    otok_limit all[OTOK_LIMITS];
    otok_site_read(&site, s);
    CHECK(site.cells, "the ground was not read: %s", site.why);
    const int n = otok_predict(all, s, 0, &site);
    for (int i = 0; i < n; i++)
        if (strcmp(all[i].name, name) == 0) return all[i];
    CHECK(0, "no limit '%s'", name);
    return (otok_limit){0};
}

/* Runs a sheet in uniform flow whose depth is disturbed by `part` of it. */
static inline otok_sim *sheet_start(const sheet *s, const otok_scenario *scenario,
                                    const char *backend, double part, double wave)
{
    static float map[NX * NY];
    otok_sim *sim;
    uint64_t state = 3;
    MUST(otok_sim_create(&sim, scenario, backend));
    for (int n = 0; n < NX; n++) {
        const double noise =
            wave > 0 ? sin(2 * M_PI * n / wave) : 2 * (double)scene_random(&state) - 1;
        map[n] = map[n + NX] = map[n + 2 * NX] = (float)(s->depth * (1 + part * noise));
    }
    /* Rain comes before the flow, which then finds uniform depth. */
    map[0] = map[NX] = map[2 * NX] = (float)(s->depth * (1 - sheet_speed(s) * s->dt / s->spacing));
    MUST(otok_sim_set(sim, OTOK_WATER, map));
    for (int n = 0; n < NX * NY; n++)
        map[n] = (float)(sheet_speed(s) * (s->shallow ? 1 : s->depth * s->spacing));
    MUST(otok_sim_set(sim, OTOK_OUTFLOW_RIGHT, map));
    return sim;
}

/* The largest flip, h(x - 1) - 2 h(x) + h(x + 1), of a field among cells [from, to). */
static inline double sheet_flips(otok_sim *sim, otok_field field, int from, int to)
{
    static float map[NX * NY];
    double most = 0;
    MUST(otok_sim_get(sim, field, map));
    for (int x = from; x < to; x++)
        most = fmax(most, fabs((double)map[x - 1] - 2 * (double)map[x] + (double)map[x + 1]));
    return most;
}

#endif
