/* gauges.c: see gauges.h. A row has the time, then for each gauge at a point what `samples` lists,
   and for each cross section the discharge and the energy head. */
#include "gauges.h"

#include "../core/status.h"
#include "../io/file.h"
#include "../scenario/scenario_read.h"
#include "section.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 1 << 27 };

/* Of a point: a field, such a number of metres above the base terrain, the level of its water or of
   the sea. */
enum { ABOVE_BASE = 64, LEVEL = 128, SEA };

/* A value of a point, which exists from the start if the field `needs` does. */
typedef struct sampled {
    int needs, what;
    const char *title, *unit, *layer; /* `layer` ends the title, if it is given */
} sampled;

enum { MOST_SAMPLED = 9 + OTOK_MAX_LAYERS, OF_SECTION = 2 };

/* What points sample: the water, and the column of a reef. */
static int samples(sampled out[MOST_SAMPLED], const otok_sim *sim)
{
    static const sampled all[] = {
        {OTOK_WATER, OTOK_WATER, "depth", "m", NULL},
        {OTOK_WATER, LEVEL, "level", "m", NULL},
        {OTOK_WATER, OTOK_VELOCITY_X, "velocity_x", "m s-1", NULL},
        {OTOK_WATER, OTOK_VELOCITY_Y, "velocity_y", "m s-1", NULL},
        {OTOK_REEF, SEA, "sea", "m", NULL},
        {OTOK_REEF, ABOVE_BASE + OTOK_TERRAIN_CHANGE, "ground", "m", NULL},
        {OTOK_REEF, OTOK_REEF, "reef", "m", NULL},
        {OTOK_REEF_SECOND, OTOK_REEF_SECOND, "reef_second", "m", NULL},
        {OTOK_REEF_THIRD, OTOK_REEF_THIRD, "reef_third", "m", NULL}};
    int n = 0;
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        if (sim->root_fields & BIT(all[k].needs)) out[n++] = all[k];
    for (int k = 0; sim->root_fields & BIT(OTOK_REEF) && k < sim->root->nlayers - 1; k++)
        out[n++] = (sampled){OTOK_REEF, ABOVE_BASE + OTOK_LAYER_BOTTOM + k, "bottom_", "m",
                             sim->root->layers[k].name};
    return n;
}

static int columns(const otok_sim *sim)
{
    sampled point[MOST_SAMPLED];
    int n = 1;
    for (int g = 0; g < sim->root->ngauges; g++)
        n += otok_gauge_is_section(&sim->root->gauges[g]) ? OF_SECTION : samples(point, sim);
    return n;
}

/* The titles of the columns (malloc), "time [s],bridge depth [m],..."; NULL: no memory. */
static char *titles(const otok_sim *sim)
{
    sampled point[MOST_SAMPLED];
    const int n = samples(point, sim);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out) fputs("time [s]", out);
    for (int g = 0; out && g < sim->root->ngauges; g++) {
        const otok_gauge *gauge = &sim->root->gauges[g];
        if (otok_gauge_is_section(gauge))
            fprintf(out, ",%s discharge [m3 s-1],%s head [m]", gauge->name, gauge->name);
        for (int c = 0; c < n && !otok_gauge_is_section(gauge); c++)
            fprintf(out, ",%s %s%s [%s]", gauge->name, point[c].title,
                    point[c].layer ? point[c].layer : "", point[c].unit);
    }
    return otok_text_finish(out, &text);
}

/* ---- a sample ---- */

static otok_status read_cell(void *user, int i, int j, otok_section_cell *out)
{
    otok_sim *sim = user;
    if (otok_holes_have(&sim->holes, (int64_t)j * sim->scenario->grid.nx + i)) {
        *out = (otok_section_cell){0, NAN, 0, 0};
        return OTOK_OK;
    }
    static const int fields[] = {OTOK_WATER, OTOK_VELOCITY_X, OTOK_VELOCITY_Y, OTOK_TERRAIN_BASE,
                                 OTOK_TERRAIN_CHANGE};
    float value[5];
    for (int f = 0; f < 5; f++)
        OTOK_TRY(sim->backend->cell(&sim->patch, fields[f], i, j, &value[f]));
    *out = (otok_section_cell){(double)value[0], (double)(value[3] + value[4] + value[0]),
                               (double)value[1], (double)value[2]};
    return OTOK_OK;
}

/* A field of a cell; 0 if a change of the run has taken it away. */
static otok_status read_field(otok_sim *sim, int field, int i, int j, double *out)
{
    float value = 0;
    if (otok_set_has(sim->buffers, field))
        OTOK_TRY(sim->backend->cell(&sim->patch, field, i, j, &value));
    *out = (double)value;
    return OTOK_OK;
}

static otok_status sample(otok_sim *sim, int what, int i, int j, double *out)
{
    double base = 0;
    otok_section_cell w;
    if (what == SEA) {
        *out = otok_sim_sea_level(sim);
        return OTOK_OK;
    }
    if (what == LEVEL) {
        OTOK_TRY(read_cell(sim, i, j, &w));
        *out = w.level;
        return OTOK_OK;
    }
    if (what >= ABOVE_BASE) OTOK_TRY(read_field(sim, OTOK_TERRAIN_BASE, i, j, &base));
    OTOK_TRY(read_field(sim, what % ABOVE_BASE, i, j, out));
    *out += base;
    return OTOK_OK;
}

static otok_status fill_row(otok_sim *sim, double *row)
{
    const otok_scenario *s = sim->root;
    sampled point[MOST_SAMPLED];
    const int n = samples(point, sim);
    *row++ = otok_sim_time(sim);
    for (int g = 0; g < s->ngauges; g++) {
        const otok_gauge *gauge = &s->gauges[g];
        const int i = (int)(gauge->x / s->grid.spacing), j = (int)(gauge->y / s->grid.spacing);
        if (otok_gauge_is_section(gauge)) {
            otok_section through;
            OTOK_TRY(otok_section_measure(&through, gauge, s, read_cell, sim));
            *row++ = through.discharge;
            *row++ = through.head;
            continue;
        }
        for (int c = 0; c < n; c++)
            OTOK_TRY(sample(sim, point[c].what, i, j, row++));
    }
    return OTOK_OK;
}

static otok_status grow(otok_sim *sim, int64_t rows)
{
    const int width = columns(sim);
    if (rows <= sim->gauge_room) return OTOK_OK;
    const int64_t room = 2 * rows;
    double *values = room * width > MOST_VALUES
                         ? NULL
                         : realloc(sim->gauges, (size_t)(room * width) * sizeof *values);
    if (!values)
        return OTOK_FAIL(OTOK_NOMEM,
                         "no memory for %lld samples of gauges; raise output.gauges, the "
                         "iterations between two samples",
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
           sim->gauges[(sim->gauge_samples - 1) * columns(sim)] < otok_sim_time(sim);
}

otok_status otok_gauges_look(otok_sim *sim)
{
    if (!is_due(sim)) return OTOK_OK;
    OTOK_TRY(otok_sim_wait(sim));
    OTOK_TRY(grow(sim, sim->gauge_samples + 1));
    OTOK_TRY(fill_row(sim, sim->gauges + sim->gauge_samples * columns(sim)));
    sim->gauge_samples++;
    return OTOK_OK;
}

/* ---- walls ---- */

otok_status otok_gauges_check(const otok_scenario *s, const otok_holes *walls)
{
    for (int n = 0; n < s->ngauges && walls->n; n++) {
        const otok_gauge *g = &s->gauges[n];
        if (!otok_gauge_is_walled(g, s->grid, walls)) continue;
        if (otok_gauge_is_section(g))
            return OTOK_FAIL(
                OTOK_DATA,
                "%s: gauges: the cross section %s from x %.9g m, y %.9g m to x %.9g m, "
                "y %.9g m crosses only cells without data, which are walls; move it",
                s->path, g->name, g->x, g->y, g->to_x, g->to_y);
        return OTOK_FAIL(OTOK_DATA,
                         "%s: gauges: %s at x %.9g m, y %.9g m is in a cell without data, which is "
                         "a wall; move it",
                         s->path, g->name, g->x, g->y);
    }
    return OTOK_OK;
}

/* ---- checkpoints ---- */

void otok_gauges_cut(otok_sim *sim)
{
    const int width = columns(sim);
    while (sim->gauge_samples && sim->gauges[(sim->gauge_samples - 1) * width] > otok_sim_time(sim))
        sim->gauge_samples--;
}

otok_status otok_gauges_restore(otok_sim *sim, const otok_snapshot *from)
{
    const int width = columns(sim);
    sim->gauge_samples = 0;
    if (!from->gauge_samples || !sim->scenario->ngauges) return OTOK_OK;
    char *mine = titles(sim);
    const int same = mine && strcmp(mine, from->gauge_titles) == 0;
    free(mine);
    if (!same) return OTOK_FAIL(OTOK_DATA, "its series are not those of its scenario's gauges");
    OTOK_TRY(grow(sim, from->gauge_samples));
    memcpy(sim->gauges, from->gauges, (size_t)(from->gauge_samples * width) * sizeof *sim->gauges);
    sim->gauge_samples = from->gauge_samples;
    return OTOK_OK;
}

otok_status otok_gauges_save(otok_snapshot *to, const otok_sim *sim)
{
    const size_t bytes = (size_t)(sim->gauge_samples * columns(sim)) * sizeof *sim->gauges;
    free(to->gauges);
    free(to->gauge_titles);
    to->gauges = NULL;
    to->gauge_titles = NULL;
    to->gauge_samples = sim->gauge_samples;
    if (!sim->gauge_samples) return OTOK_OK;
    to->gauges = malloc(bytes);
    to->gauge_titles = titles(sim);
    if (!to->gauges || !to->gauge_titles)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for the series of gauges");
    memcpy(to->gauges, sim->gauges, bytes);
    return OTOK_OK;
}
