/* site.c: reads the ground and the water at iteration 0, for otok_predict. */
#include "site.h"
#include "../core/rounding.h"
#include "../core/status.h"
#include "../scenario/scenario.h"
#include "sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1 << 20 };

typedef struct maps {
    int64_t nx, ny;
    double spacing;
    float *terrain, *water; /* one allocation, with as many values again */
    float *sorted;          /* 2 values a cell */
} maps;

static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The mean of the values in [from, to) of n equal parts of a sorted list. */
static double mean_part(const float *sorted, int64_t count, int part, int parts)
{
    const int64_t from = count * part / parts, to = count * (part + 1) / parts;
    double sum = 0;
    if (to <= from) return (double)sorted[from < count ? from : count - 1];
    for (int64_t n = from; n < to; n++)
        sum += (double)sorted[n];
    return sum / (double)(to - from);
}

static void read_heights(otok_site *out, const maps *m)
{
    const int64_t cells = m->nx * m->ny;
    memcpy(m->sorted, m->terrain, (size_t)cells * sizeof(float));
    qsort(m->sorted, (size_t)cells, sizeof(float), compare);
    for (int n = 0; n < OTOK_SITE_HEIGHTS; n++)
        out->heights[n] = mean_part(m->sorted, cells, n, OTOK_SITE_HEIGHTS);
}

/* What one face adds, between cells a and b. */
typedef struct faces {
    int64_t n, wet;
    double slope, surface;
} faces;

static void add_face(otok_site *out, faces *f, const maps *m, int64_t a, int64_t b)
{
    const double ha = (double)m->terrain[a], hb = (double)m->terrain[b];
    const double wa = (double)m->water[a], wb = (double)m->water[b];
    const double slope = fabs(ha - hb) / m->spacing;
    m->sorted[f->n++] = (float)slope;
    f->slope += slope;
    out->slope_most = fmax(out->slope_most, slope);
    const double depth = fmax(ha + wa, hb + wb) - fmax(ha, hb);
    if (wa > 0 && wb > 0) {
        f->wet++;
        f->surface += fabs(ha + wa - hb - wb) / m->spacing;
    }
    if (wa > 0 || wb > 0) out->water = fmax(out->water, depth);
}

static void read_faces(otok_site *out, const maps *m)
{
    faces f = {0, 0, 0, 0};
    out->slope_most = out->water = 0;
    for (int64_t y = 0; y < m->ny; y++)
        for (int64_t x = 0; x < m->nx; x++) {
            const int64_t cell = y * m->nx + x;
            if (x + 1 < m->nx) add_face(out, &f, m, cell, cell + 1);
            if (y + 1 < m->ny) add_face(out, &f, m, cell, cell + m->nx);
        }
    qsort(m->sorted, (size_t)f.n, sizeof(float), compare);
    out->slope = f.n ? f.slope / (double)f.n : 0;
    out->slope_90 = f.n ? (double)m->sorted[(f.n - 1) * 9 / 10] : 0;
    out->surface = f.wet ? f.surface / (double)f.wet : 0;
}

static void read_water(otok_site *out, const maps *m)
{
    double sum = 0;
    int64_t wet = 0;
    for (int64_t n = 0; n < m->nx * m->ny; n++) {
        sum += (double)m->water[n];
        wet += m->water[n] > 0;
    }
    out->water_mean = wet ? sum / (double)wet : 0;
}

/* The largest erodibility: that of the map, times that of the layers. */
static void read_erodibility(otok_site *out, const maps *m, const otok_scenario *s, int has_map)
{
    out->erodibility = has_map ? 0 : 1;
    for (int64_t n = 0; has_map && n < m->nx * m->ny; n++)
        out->erodibility = fmax(out->erodibility, (double)m->water[n]);
    double most = s->nlayers ? 0 : 1;
    for (int n = 0; n < s->nlayers; n++)
        most = fmax(most, s->layers[n].erodibility);
    out->erodibility *= most;
}

static otok_status read_maps(otok_site *out, otok_sim *sim, const maps *m)
{
    const int has_map = otok_sim_has(sim, OTOK_ERODIBILITY);
    if (has_map) OTOK_TRY(otok_sim_get(sim, OTOK_ERODIBILITY, m->water));
    read_erodibility(out, m, sim->scenario, has_map);
    OTOK_TRY(otok_sim_get(sim, OTOK_TERRAIN, m->terrain));
    memset(m->water, 0, otok_sim_cells(sim) * sizeof(float));
    if (otok_sim_has(sim, OTOK_WATER)) OTOK_TRY(otok_sim_get(sim, OTOK_WATER, m->water));
    read_faces(out, m);
    read_water(out, m);
    read_heights(out, m);
    return otok_hollow_find(&out->hollow, &out->hollow_rain, m->terrain, m->nx, m->ny,
                            sim->scenario->edges)
               ? OTOK_OK
               : OTOK_FAIL(OTOK_NOMEM, "no memory for the hollows of the ground");
}

static otok_status read_site(otok_site *out, const otok_scenario *s)
{
    otok_sim *sim;
    const int64_t cells = s->grid.nx * s->grid.ny;
    if (cells > MOST_CELLS)
        return OTOK_FAIL(OTOK_USAGE, "the grid has more than %d cells", MOST_CELLS);
    OTOK_TRY(otok_sim_create(&sim, s, "cpu"));
    maps m = {.nx = s->grid.nx,
              .ny = s->grid.ny,
              .spacing = s->grid.spacing,
              .terrain = malloc(4 * (size_t)cells * sizeof(float))};
    m.water = m.terrain ? m.terrain + cells : NULL;
    m.sorted = m.terrain ? m.water + cells : NULL;
    const otok_status status =
        m.terrain ? read_maps(out, sim, &m)
                  : OTOK_FAIL(OTOK_NOMEM, "no memory for %lld heights", (long long)cells);
    if (status == OTOK_OK) out->cells = cells;
    free(m.terrain);
    otok_sim_destroy(sim);
    return status;
}

void otok_site_read(otok_site *out, const otok_scenario *scenario)
{
    OTOK_ROUNDING;
    memset(out, 0, sizeof *out);
    if (read_site(out, scenario) != OTOK_OK) {
        out->cells = 0;
        snprintf(out->why, sizeof out->why, "%s", otok_why());
    }
}
