/* springs.c: see springs.h. Cells without data in a raster of rain are never filled: the user must
   say how much rain falls there, unless they are walls. */
#include "springs.h"

#include "../base/raster.h"
#include "../core/status.h"
#include "../scenario/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rain maps ---- */

static otok_status check_values(const otok_raster *r, const char *file)
{
    for (int64_t n = 0; n < r->nx * r->ny; n++) {
        if (r->map[n] >= 0.0f || isnan(r->map[n])) continue;
        return OTOK_FAIL(OTOK_DATA,
                         "%s: cell %lld from the left, %lld from the bottom (counted from 0) is "
                         "%g; allowed: at least 0",
                         file, (long long)(n % r->nx), (long long)(n / r->nx), (double)r->map[n]);
    }
    return OTOK_OK;
}

static void cut_out(float *out, const float *whole, int64_t nx, otok_box box)
{
    const size_t width = (size_t)(box.x1 - box.x0);
    for (int j = box.y0; j < box.y1; j++)
        memcpy(out + (size_t)(j - box.y0) * width, whole + j * nx + box.x0, width * sizeof *out);
}

static otok_status read_map(float *out, double *sum, const otok_rain *rain, otok_grid grid,
                            otok_box box, otok_place *place)
{
    otok_raster raster;
    otok_raster_generator given = {
        .low = rain->low, .high = rain->high, .fit = rain->fit, .fill = OTOK_FILL_WALL};
    memcpy(given.file, rain->map, sizeof given.file);
    OTOK_TRY(otok_raster_get(&raster, &(otok_raster_wanted){.path = rain->map,
                                                            .variable = "",
                                                            .low = rain->low,
                                                            .high = rain->high,
                                                            .nodata = NAN,
                                                            .unit = "1"}));
    otok_status status = check_values(&raster, rain->map);
    if (status == OTOK_OK) status = otok_base_raster_fit(&raster, &given, grid, place);
    for (int64_t n = 0; status == OTOK_OK && n < raster.nx * raster.ny; n++)
        if (raster.holes && raster.holes[n])
            raster.map[n] = NAN; /* for heed_walls */
        else
            *sum += (double)raster.map[n];
    if (status == OTOK_OK) cut_out(out, raster.map, raster.nx, box);
    otok_raster_destroy(&raster);
    return status;
}

/* Checks that droplets have a cell to start in, before anything runs. */
static otok_status check_starts(const float *map, otok_box box, const char *file)
{
    const size_t cells = (size_t)(box.x1 - box.x0) * (size_t)(box.y1 - box.y0);
    for (size_t n = 0; n < cells; n++)
        if (map[n] > 0) return OTOK_OK;
    return OTOK_FAIL(
        OTOK_DATA,
        "%s: it rains nowhere, so that no droplet can start; give some cell a value above 0", file);
}

static otok_status fail_in(otok_status status, const otok_scenario *s, int p)
{
    const char *phase = s->phases[p].name;
    return s->rain_lines[p]
               ? otok_fail_in(status, "%s:%d: phases.%s.rain.map", s->path, s->rain_lines[p], phase)
               : otok_fail_in(status, "%s: phases.%s.rain.map", s->path, phase);
}

static float *new_map(otok_box box)
{
    return malloc((size_t)(box.x1 - box.x0) * (size_t)(box.y1 - box.y0) * sizeof(float));
}

static otok_status read_phase(otok_springs *out, const otok_scenario *s, int p, otok_box box,
                              otok_place *place)
{
    const otok_phase *phase = &s->phases[p];
    const int has_map = phase->rain.map[0] != 0;
    if (!otok_phase_has_springs(phase) && !otok_phase_has_starts(phase)) return OTOK_OK;
    if (!out->scratch) out->scratch = new_map(box);
    if (has_map) out->maps[p] = new_map(box);
    if (!out->scratch || (has_map && !out->maps[p]))
        return OTOK_FAIL(OTOK_NOMEM, "no memory for the maps of rain and rivers");
    otok_status status =
        has_map ? read_map(out->maps[p], &out->sums[p], &phase->rain, s->grid, box, place)
                : OTOK_OK;
    if (status == OTOK_OK && otok_phase_has_starts(phase))
        status = check_starts(out->maps[p], box, phase->rain.map);
    return status == OTOK_OK ? OTOK_OK : fail_in(status, s, p);
}

otok_status otok_springs_read(otok_springs *out, const otok_scenario *scenario, otok_box box,
                              otok_place *place)
{
    *out = (otok_springs){.ready = -1};
    for (int p = 0; p < scenario->nphases; p++) {
        const otok_status status = read_phase(out, scenario, p, box, place);
        if (status == OTOK_OK) continue;
        otok_springs_destroy(out);
        return status;
    }
    return OTOK_OK;
}

otok_status otok_springs_room(otok_springs *springs, const otok_scenario *s, const otok_view *v)
{
    int any = 0;
    for (int p = 0; p < s->nphases; p++)
        any |= otok_phase_has_springs(&s->phases[p]);
    if (any && !springs->scratch)
        springs->scratch = new_map((otok_box){v->x0, v->x0 + v->nx, v->y0, v->y0 + v->ny});
    return any && !springs->scratch
               ? OTOK_FAIL(OTOK_NOMEM, "no memory for the maps of rain and rivers")
               : OTOK_OK;
}

void otok_springs_destroy(otok_springs *springs)
{
    for (int p = 0; p < OTOK_MAX_PHASES && !springs->borrowed; p++)
        free(springs->maps[p]);
    if (!springs->borrowed) free(springs->scratch);
    *springs = (otok_springs){.ready = -1};
}

uint64_t otok_springs_bytes(const otok_scenario *s)
{
    uint64_t maps = 0;
    int any = 0;
    for (int p = 0; p < s->nphases; p++) {
        any |= otok_phase_has_springs(&s->phases[p]);
        maps += s->phases[p].rain.map[0] != 0;
    }
    return (maps + (uint64_t)any) * (uint64_t)s->grid.nx * (uint64_t)s->grid.ny * sizeof(float);
}

/* ---- rivers ---- */

static int clamped(double value, int low, int high)
{
    return value <= low ? low : value >= high ? high : (int)value;
}

static void add_depth(float *map, otok_box b, int i, int j, float depth)
{
    map[(ptrdiff_t)(j - b.y0) * (b.x1 - b.x0) + i - b.x0] += depth;
}

/* Counts the cells of `b` that are no walls and whose centre lies within the radius. Adds `depth`
   to each if there is a map. */
static int64_t spread_river(float *map, const otok_river *r, double l, otok_box b, float depth,
                            const otok_holes *walls, int64_t nx)
{
    const int x0 = clamped((r->x - r->radius) / l - 1, b.x0, b.x1),
              x1 = clamped((r->x + r->radius) / l + 2, b.x0, b.x1);
    const int y0 = clamped((r->y - r->radius) / l - 1, b.y0, b.y1),
              y1 = clamped((r->y + r->radius) / l + 2, b.y0, b.y1);
    int64_t n = 0;
    for (int j = y0; j < y1; j++)
        for (int i = x0; i < x1; i++) {
            const double x = (i + 0.5) * l - r->x, y = (j + 0.5) * l - r->y;
            if (x * x + y * y > r->radius * r->radius) continue;
            if (walls->n && otok_holes_have(walls, j * nx + i)) continue;
            n++;
            if (map) add_depth(map, b, i, j, depth);
        }
    return n;
}

/* The cell in which a river is that covers the centre of none. */
static otok_box source_of(const otok_river *r, otok_grid g)
{
    const int i = clamped(r->x / g.spacing, 0, (int)g.nx - 1),
              j = clamped(r->y / g.spacing, 0, (int)g.ny - 1);
    return (otok_box){i, i + 1, j, j + 1};
}

void otok_springs_rivers(float *map, const otok_phase *phase, otok_grid g, otok_box box,
                         const otok_holes *walls)
{
    const otok_box all = {0, (int)g.nx, 0, (int)g.ny};
    const double l = g.spacing;
    memset(map, 0, (size_t)(box.x1 - box.x0) * (size_t)(box.y1 - box.y0) * sizeof *map);
    for (int n = 0; n < phase->nrivers; n++) {
        const otok_river *r = &phase->rivers[n];
        const double depth = phase->hydraulic.dt * r->discharge / (l * l);
        const int64_t cells = spread_river(NULL, r, l, all, 0, walls, g.nx);
        const int i = source_of(r, g).x0, j = source_of(r, g).y0;
        if (cells)
            spread_river(map, r, l, box, (float)(depth / (double)cells), walls, g.nx);
        else if (i >= box.x0 && i < box.x1 && j >= box.y0 && j < box.y1)
            add_depth(map, box, i, j, (float)depth);
    }
}

otok_status otok_springs_check(const otok_scenario *s, const otok_holes *walls)
{
    const otok_box all = {0, (int)s->grid.nx, 0, (int)s->grid.ny};
    for (int p = 0; p < s->nphases && walls->n; p++)
        for (int n = 0; n < s->phases[p].nrivers; n++) {
            const otok_river *r = &s->phases[p].rivers[n];
            const otok_box at = source_of(r, s->grid);
            if (spread_river(NULL, r, s->grid.spacing, all, 0, walls, s->grid.nx) ||
                !otok_holes_have(walls, at.y0 * s->grid.nx + at.x0))
                continue;
            return OTOK_FAIL(OTOK_DATA,
                             "%s: phases.%s.rivers: river %d at x %.9g m, y %.9g m, radius %.9g m "
                             "is among cells without data, which are walls; move it",
                             s->path, s->phases[p].name, n + 1, r->x, r->y, r->radius);
        }
    return OTOK_OK;
}

static void empty_walls(float *map, double *sum, const otok_holes *walls)
{
    for (int64_t k = 0; k < walls->n; k++)
        for (int64_t c = 0; c < walls->runs[2 * k + 1]; c++) {
            float *rain = &map[walls->runs[2 * k] + c];
            if (!isnan(*rain)) *sum -= (double)*rain;
            *rain = 0.0f;
        }
}

static otok_status check_rest(const float *map, otok_grid g, const char *file)
{
    int64_t bad = 0, first = -1;
    for (int64_t n = 0; n < g.nx * g.ny; n++)
        if (isnan(map[n])) bad++, first = first < 0 ? n : first;
    if (!bad) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: cell %lld from the left, %lld from the bottom (counted from 0) has no "
                     "finite value, like %lld cells in all that are no walls; give each a value of "
                     "at least 0, such as 0 for no rain",
                     file, (long long)(first % g.nx), (long long)(first / g.nx), (long long)bad);
}

otok_status otok_springs_heed_walls(otok_springs *springs, const otok_scenario *s,
                                    const otok_holes *walls)
{
    for (int p = 0; p < s->nphases && !springs->borrowed; p++) {
        if (!springs->maps[p]) continue;
        empty_walls(springs->maps[p], &springs->sums[p], walls);
        const otok_status status = check_rest(springs->maps[p], s->grid, s->phases[p].rain.map);
        if (status != OTOK_OK) return fail_in(status, s, p);
    }
    return OTOK_OK;
}
