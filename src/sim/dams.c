/* dams.c: the faces on which the thin dams of a phase stand, as maps for the stages, and notes on
   them. */
#include "../core/status.h"
#include "../scenario/process.h"
#include "sim.h"

#include <math.h>
#include <stdlib.h>

/* The maps, and the dam whose faces are found; a later dam stands in place of an earlier one.
   Beside walls there is no dam. */
typedef struct faces {
    const otok_sim *sim;
    int dam;
    float *number[2], *part[2]; /* by axis */
} faces;

static void mark(void *user, int up, int64_t i, int64_t j, double part)
{
    const faces *f = user;
    const otok_view *v = &f->sim->patch.view;
    const int64_t nx = f->sim->scenario->grid.nx, cell = j * nx + i, x = i - v->x0, y = j - v->y0;
    if (x < 0 || y < 0 || x >= v->nx || y >= v->ny) return;
    if (otok_holes_have(&f->sim->holes, cell) ||
        otok_holes_have(&f->sim->holes, cell + (up ? nx : 1)))
        return;
    f->number[up][y * v->nx + x] = (float)(f->dam + 1);
    f->part[up][y * v->nx + x] = (float)part;
}

otok_status otok_sim_fill_dams(otok_sim *sim, int phase)
{
    static const int buffers[] = {OTOK_DAM_RIGHT, OTOK_DAM_TOP, OTOK_DAM_PART_RIGHT,
                                  OTOK_DAM_PART_TOP};
    const otok_phase *p = &sim->scenario->phases[phase];
    const size_t cells = otok_sim_cells(sim);
    if (!p->ndams) return OTOK_OK;
    float *m = calloc(4 * cells, sizeof *m);
    faces f = {sim, 0, {m, m + cells}, {m + 2 * cells, m + 3 * cells}};
    otok_status status = m ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for maps of dams");
    for (; f.dam < p->ndams && m; f.dam++)
        otok_dam_each_face(&p->dams[f.dam], sim->scenario->grid, mark, &f);
    for (size_t n = 0; n < 4 && status == OTOK_OK; n++)
        status = sim->backend->put(otok_sim_patch(sim), buffers[n], m + n * cells);
    free(m);
    return status;
}

/* ---- notes ---- */

enum { MOST_CELLS = 1 << 22 };

/* The lower and the higher ground beside the faces of a dam. */
typedef struct stand {
    const float *ground;
    int64_t nx, standing;
    double crest, height; /* the highest crest; the most by which it is above the ground */
} stand;

static void measure(void *user, int up, int64_t i, int64_t j, double part)
{
    stand *s = user;
    const double a = (double)s->ground[j * s->nx + i],
                 b = (double)s->ground[(j + up) * s->nx + i + !up];
    (void)part;
    if (!(s->crest > fmax(a, b))) return;
    s->standing++;
    s->height = fmax(s->height, s->crest - fmin(a, b));
}

static double highest(const otok_dam *dam)
{
    double crest = dam->history.n ? -INFINITY : dam->crest;
    for (int n = 0; n < dam->history.n; n++)
        crest = fmax(crest, dam->history.at[n].value);
    return crest;
}

static otok_status note_phase(otok_sim *sim, const otok_phase *p, const float *ground)
{
    const otok_grid g = sim->scenario->grid;
    const char *path = sim->scenario->path;
    const otok_hydraulic *h = &p->hydraulic;
    double height = 0;
    for (int n = 0; n < p->ndams; n++) {
        stand s = {.ground = ground, .nx = g.nx, .crest = highest(&p->dams[n])};
        otok_dam_each_face(&p->dams[n], g, measure, &s);
        height = fmax(height, s.height);
        if (!s.standing)
            OTOK_TRY(otok_sim_note(sim,
                                   "%s: phases.%s.dams: dam %d is nowhere above the ground and "
                                   "holds no water: its crest, %.6g m, is a height, and no depth; "
                                   "raise it",
                                   path, p->name, n, s.crest));
    }
    const double dt = g.spacing / sqrt(2 * h->gravity * height);
    if (h->courant > 0 || !(h->dt > dt)) return OTOK_OK;
    return otok_sim_note(sim,
                         "%s: phases.%s.dams: dams can hold water %.3g m deep, whose waves need "
                         "`hydraulic.dt` of at most %.3g s, and it is %.6g s; shorten it, or write "
                         "`courant: 0.7` if water comes near their crest",
                         path, p->name, height, dt, h->dt);
}

otok_status otok_sim_note_dams(otok_sim *sim)
{
    const otok_scenario *s = sim->scenario;
    const size_t cells = otok_sim_cells(sim);
    int dams = 0;
    for (int p = 0; p < s->nphases; p++)
        dams += s->phases[p].ndams;
    if (!dams || cells > MOST_CELLS) return OTOK_OK;
    float *ground = malloc(cells * sizeof *ground);
    if (!ground) return OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %zu cells", cells);
    otok_status status = otok_sim_get(sim, OTOK_TERRAIN, ground);
    for (int p = 0; p < s->nphases && status == OTOK_OK; p++)
        if (s->phases[p].ndams) status = note_phase(sim, &s->phases[p], ground);
    free(ground);
    return status;
}
