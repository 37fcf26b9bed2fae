/* site.c: reads the ground and the water at iteration 0, for otok_predict. */
#include "site.h"
#include "../core/rounding.h"
#include "../core/sized.h"
#include "../core/status.h"
#include "../core/walls.h"
#include "../scenario/scenario.h"
#include "sim.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1 << 20, SMALL = 1 << 14 /* one thread is as fast as many */ };

typedef struct maps {
    int64_t nx, ny;
    double spacing;
    float *terrain, *water; /* one allocation, with `sorted` and `walls` */
    float *sorted, *walls;
} maps;

static int in_wall(const maps *m, int64_t cell)
{
    return m->walls[cell] == OTOK_IN_WALL;
}

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
    int64_t cells = 0;
    for (int64_t n = 0; n < m->nx * m->ny; n++)
        if (!in_wall(m, n)) m->sorted[cells++] = m->terrain[n];
    qsort(m->sorted, (size_t)cells, sizeof(float), compare);
    for (int n = 0; n < OTOK_SITE_HEIGHTS; n++)
        out->heights[n] = mean_part(m->sorted, cells, n, OTOK_SITE_HEIGHTS);
}

/* A cell and its neighbours to the right and above. Where there is none, at the end of a row or
   column and before a wall, it is the cell before, or the cell itself. */
typedef struct corner {
    int64_t cell, right, above;
} corner;

/* The neighbour of a cell at `at` of n, `step` cells apart from the next. */
static int64_t next_of(const maps *m, int64_t cell, int64_t at, int64_t n, int64_t step)
{
    if (at + 1 < n && !in_wall(m, cell + step)) return cell + step;
    return at > 0 && !in_wall(m, cell - step) ? cell - step : cell;
}

static corner corner_of(const maps *m, int64_t x, int64_t y)
{
    const int64_t cell = y * m->nx + x;
    return (corner){cell, next_of(m, cell, x, m->nx, 1), next_of(m, cell, y, m->ny, m->nx)};
}

/* The slope along the fall line of the ground, or of the water's surface, at a corner. */
static double steepness(const maps *m, const corner *c, int has_water)
{
    const double h = (double)m->terrain[c->cell] + has_water * (double)m->water[c->cell];
    const double right = (double)m->terrain[c->right] + has_water * (double)m->water[c->right];
    const double above = (double)m->terrain[c->above] + has_water * (double)m->water[c->above];
    return sqrt((right - h) * (right - h) + (above - h) * (above - h)) / m->spacing;
}

/* The depth of the water that flows through the face between two cells. */
static double face_depth(const maps *m, int64_t a, int64_t b)
{
    const double ha = (double)m->terrain[a], hb = (double)m->terrain[b];
    return fmax(ha + (double)m->water[a], hb + (double)m->water[b]) - fmax(ha, hb);
}

static double face_slope(const maps *m, int64_t a, int64_t b)
{
    return fabs((double)m->terrain[a] - (double)m->terrain[b]) / m->spacing;
}

static void read_slopes(otok_site *out, const maps *m)
{
    double all = 0, surface = 0;
    int64_t wet = 0, cells = 0;
    for (int64_t n = 0; n < m->nx * m->ny; n++) {
        if (in_wall(m, n)) continue;
        const corner c = corner_of(m, n % m->nx, n / m->nx);
        const double slope = steepness(m, &c, 0);
        m->sorted[cells++] = (float)slope;
        all += slope;
        out->slope_most = fmax(
            out->slope_most, fmax(face_slope(m, c.cell, c.right), face_slope(m, c.cell, c.above)));
        out->water =
            fmax(out->water, fmax(face_depth(m, c.cell, c.right), face_depth(m, c.cell, c.above)));
        if (!(m->water[c.cell] > 0 && m->water[c.right] > 0 && m->water[c.above] > 0)) continue;
        surface += steepness(m, &c, 1);
        wet++;
    }
    qsort(m->sorted, (size_t)cells, sizeof(float), compare);
    out->slope = all / (double)cells;
    out->slope_90 = (double)m->sorted[(cells - 1) * 9 / 10];
    out->surface = wet ? surface / (double)wet : 0;
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
        if (!in_wall(m, n)) out->erodibility = fmax(out->erodibility, (double)m->water[n]);
    double most = s->nlayers ? 0 : 1;
    for (int n = 0; n < s->nlayers; n++)
        most = fmax(most, s->layers[n].erodibility);
    out->erodibility *= most;
}

static otok_status read_maps(otok_site *out, otok_sim *sim, const maps *m)
{
    const int has_map = otok_sim_has(sim, OTOK_ERODIBILITY);
    otok_sim_walls(sim, m->walls);
    if (has_map) OTOK_TRY(otok_sim_get(sim, OTOK_ERODIBILITY, m->water));
    read_erodibility(out, m, sim->scenario, has_map);
    OTOK_TRY(otok_sim_get(sim, OTOK_TERRAIN, m->terrain));
    memset(m->water, 0, otok_sim_cells(sim) * sizeof(float));
    if (otok_sim_has(sim, OTOK_WATER)) OTOK_TRY(otok_sim_get(sim, OTOK_WATER, m->water));
    read_slopes(out, m);
    read_water(out, m);
    read_heights(out, m);
    otok_site_sides(out->lowest, m->terrain, m->walls, m->nx, m->ny);
    for (int n = 0; n < sim->scenario->nphases; n++) {
        const otok_phase *p = &sim->scenario->phases[n];
        const double end = (double)p->iterations * otok_phase_step(p);
        out->held = fmax(
            out->held, otok_springs_stage(p, sim->scenario->grid, &sim->holes, m->terrain, 0, end));
    }
    out->cells = otok_sim_open_cells(sim);
    return otok_hollow_find(&out->hollow, &out->hollow_rain, m->terrain, m->walls, m->nx, m->ny,
                            sim->scenario->edges)
               ? OTOK_OK
               : OTOK_FAIL(OTOK_NOMEM, "no memory for the hollows of the ground");
}

static otok_status check_size(const otok_scenario *s)
{
    return s->grid.nx * s->grid.ny > MOST_CELLS
               ? OTOK_FAIL(OTOK_USAGE, "the grid has more than %d cells", MOST_CELLS)
               : OTOK_OK;
}

static otok_status read_sim(otok_site *out, otok_sim *sim)
{
    const otok_scenario *s = sim->root;
    const int64_t cells = s->grid.nx * s->grid.ny;
    for (int n = 0; n < sim->springs.nmade && n < OTOK_SITE_MAPS; n++) {
        out->maps[n][0] = sim->springs.made[n].low;
        out->maps[n][1] = sim->springs.made[n].high;
    }
    maps m = {.nx = s->grid.nx,
              .ny = s->grid.ny,
              .spacing = s->grid.spacing,
              .terrain = malloc(4 * (size_t)cells * sizeof(float))};
    m.water = m.terrain ? m.terrain + cells : NULL;
    m.sorted = m.terrain ? m.water + cells : NULL;
    m.walls = m.terrain ? m.sorted + cells : NULL;
    const otok_status status =
        m.terrain ? read_maps(out, sim, &m)
                  : OTOK_FAIL(OTOK_NOMEM, "no memory for %lld heights", (long long)cells);
    free(m.terrain);
    return status;
}

static otok_status read_site(otok_site *out, const otok_scenario *s)
{
    otok_sim *sim;
    OTOK_TRY(check_size(s));
    OTOK_TRY(otok_sim_create(&sim, s, "cpu"));
    const otok_status status = read_sim(out, sim);
    otok_sim_destroy(sim);
    return status;
}

void otok_site_of_sim(otok_site *out, otok_sim *sim)
{
    if (sim->iteration > 0) {
        otok_site_read(out, sim->root);
        return;
    }
    *out = (otok_site){0};
    if (check_size(sim->root) != OTOK_OK || read_sim(out, sim) != OTOK_OK) out->cells = 0;
}

void(otok_site_read)(otok_site *out, const otok_scenario *scenario, size_t size)
{
    if (OTOK_GIVEN(out, scenario)) return;
    OTOK_ROUNDING;
    const int threads = omp_get_max_threads();
    otok_site all = {0};
    if (scenario->grid.nx * scenario->grid.ny < SMALL) omp_set_num_threads(1);
    if (read_site(&all, scenario) != OTOK_OK) {
        all.cells = 0;
        snprintf(all.why, sizeof all.why, "%s", otok_why());
    }
    omp_set_num_threads(threads);
    otok_sized_copy(out, size, &all, sizeof all);
}
