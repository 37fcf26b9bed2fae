/* gauges.c: see gauges.h. A row has the time, then depth, level and velocity for each gauge at a
   point, and the discharge for each cross section. */
#include "gauges.h"

#include "../core/status.h"
#include "../io/file.h"
#include "../scenario/scenario_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OF_POINT = 4, MOST_VALUES = 1 << 27 };

static int columns(const otok_scenario *s)
{
    int n = 1;
    for (int g = 0; g < s->ngauges; g++)
        n += otok_gauge_is_section(&s->gauges[g]) ? 1 : OF_POINT;
    return n;
}

char *otok_gauges_titles(const otok_scenario *s)
{
    static const char *const of_point[OF_POINT] = {"depth [m]", "level [m]", "velocity_x [m s-1]",
                                                   "velocity_y [m s-1]"};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out) fputs("time [s]", out);
    for (int g = 0; out && g < s->ngauges; g++) {
        if (otok_gauge_is_section(&s->gauges[g]))
            fprintf(out, ",%s discharge [m3 s-1]", s->gauges[g].name);
        for (int c = 0; c < OF_POINT && !otok_gauge_is_section(&s->gauges[g]); c++)
            fprintf(out, ",%s %s", s->gauges[g].name, of_point[c]);
    }
    return otok_text_finish(out, &text);
}

/* ---- a sample ---- */

/* The water of a cell. */
typedef struct water {
    float depth, level, u, v;
} water;

static otok_status read_cell(otok_sim *sim, int i, int j, water *out)
{
    static const int fields[] = {OTOK_WATER, OTOK_VELOCITY_X, OTOK_VELOCITY_Y, OTOK_TERRAIN_BASE,
                                 OTOK_TERRAIN_CHANGE};
    float value[5];
    for (int f = 0; f < 5; f++)
        OTOK_TRY(sim->backend->cell(&sim->patch, fields[f], i, j, &value[f]));
    *out = (water){value[0], value[3] + value[4] + value[0], value[1], value[2]};
    return OTOK_OK;
}

/* The share of the way to the end at which the line leaves the cell. */
static double leaves(double from, double way, int cell)
{
    return way > 0 ? (cell + 1 - from) / way : way < 0 ? (cell - from) / way : INFINITY;
}

/* The discharge from the left of a line to its right, seen from its start: of each cell that it
   crosses, the flow per width across the part within. */
static otok_status through(otok_sim *sim, const otok_gauge *g, double *out)
{
    const otok_grid grid = sim->scenario->grid;
    const double l = grid.spacing, x = g->x / l, y = g->y / l, dx = g->to_x / l - x,
                 dy = g->to_y / l - y;
    int i = (int)x, j = (int)y;
    *out = 0;
    for (double at = 0; at < 1 && i >= 0 && j >= 0 && i < grid.nx && j < grid.ny;) {
        const double by_x = leaves(x, dx, i), by_y = leaves(y, dy, j),
                     end = fmin(1, fmin(by_x, by_y)), part = end > at ? end - at : 0;
        water w;
        OTOK_TRY(read_cell(sim, i, j, &w));
        *out += (double)w.depth * ((double)w.u * dy - (double)w.v * dx) * part * l;
        at = end;
        if (by_x <= by_y)
            i += dx > 0 ? 1 : -1;
        else
            j += dy > 0 ? 1 : -1;
    }
    return OTOK_OK;
}

static otok_status fill_row(otok_sim *sim, double *row)
{
    const otok_scenario *s = sim->scenario;
    *row++ = otok_sim_time(sim);
    for (int g = 0; g < s->ngauges; g++) {
        const otok_gauge *gauge = &s->gauges[g];
        if (otok_gauge_is_section(gauge)) {
            OTOK_TRY(through(sim, gauge, row++));
            continue;
        }
        water w;
        OTOK_TRY(read_cell(sim, (int)(gauge->x / s->grid.spacing),
                           (int)(gauge->y / s->grid.spacing), &w));
        const double values[OF_POINT] = {(double)w.depth, (double)w.level, (double)w.u,
                                         (double)w.v};
        memcpy(row, values, sizeof values);
        row += OF_POINT;
    }
    return OTOK_OK;
}

static otok_status grow(otok_sim *sim, int64_t rows)
{
    const int width = columns(sim->scenario);
    if (rows <= sim->gauge_room) return OTOK_OK;
    const int64_t room = 2 * rows;
    double *values = room * width > MOST_VALUES
                         ? NULL
                         : realloc(sim->gauges, (size_t)(room * width) * sizeof *values);
    if (!values)
        return OTOK_FAIL(
            OTOK_NOMEM,
            "no memory for %lld samples of gauges; raise output.gauges, the iterations "
            "between two samples",
            (long long)rows);
    sim->gauges = values;
    sim->gauge_room = room;
    return OTOK_OK;
}

int64_t otok_gauges_until(const otok_sim *sim)
{
    const int64_t every = sim->scenario->output.gauges;
    if (!sim->scenario->ngauges || sim->is_twin) return INT64_MAX;
    return every - sim->iteration % every;
}

/* The last sample is not of the present state. */
static int is_due(const otok_sim *sim)
{
    const otok_scenario *s = sim->scenario;
    if (!s->ngauges || sim->is_twin || sim->iteration % s->output.gauges) return 0;
    return !sim->gauge_samples ||
           sim->gauges[(sim->gauge_samples - 1) * columns(s)] < otok_sim_time(sim);
}

otok_status otok_gauges_look(otok_sim *sim)
{
    if (!is_due(sim)) return OTOK_OK;
    OTOK_TRY(otok_sim_wait(sim));
    OTOK_TRY(grow(sim, sim->gauge_samples + 1));
    OTOK_TRY(fill_row(sim, sim->gauges + sim->gauge_samples * columns(sim->scenario)));
    sim->gauge_samples++;
    return OTOK_OK;
}

/* ---- checkpoints ---- */

void otok_gauges_cut(otok_sim *sim)
{
    const int width = columns(sim->scenario);
    while (sim->gauge_samples && sim->gauges[(sim->gauge_samples - 1) * width] > otok_sim_time(sim))
        sim->gauge_samples--;
}

otok_status otok_gauges_restore(otok_sim *sim, const otok_snapshot *from)
{
    const int width = columns(sim->scenario);
    sim->gauge_samples = 0;
    if (!from->gauge_samples || !sim->scenario->ngauges) return OTOK_OK;
    char *titles = otok_gauges_titles(sim->scenario);
    const int same = titles && strcmp(titles, from->gauge_titles) == 0;
    free(titles);
    if (!same) return OTOK_FAIL(OTOK_DATA, "its series are not those of its scenario's gauges");
    OTOK_TRY(grow(sim, from->gauge_samples));
    memcpy(sim->gauges, from->gauges, (size_t)(from->gauge_samples * width) * sizeof *sim->gauges);
    sim->gauge_samples = from->gauge_samples;
    return OTOK_OK;
}

otok_status otok_gauges_save(otok_snapshot *to, const otok_sim *sim)
{
    const size_t bytes =
        (size_t)(sim->gauge_samples * columns(sim->scenario)) * sizeof *sim->gauges;
    free(to->gauges);
    free(to->gauge_titles);
    to->gauges = NULL;
    to->gauge_titles = NULL;
    to->gauge_samples = sim->gauge_samples;
    if (!sim->gauge_samples) return OTOK_OK;
    to->gauges = malloc(bytes);
    to->gauge_titles = otok_gauges_titles(sim->scenario);
    if (!to->gauges || !to->gauge_titles)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for the series of gauges");
    memcpy(to->gauges, sim->gauges, bytes);
    return OTOK_OK;
}
