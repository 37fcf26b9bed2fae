/* build.c: makes the patches of a grid in bands and chooses their devices. */
#include "bands.h"
#include "ranks.h"

#include "../core/status.h"

#include <stdlib.h>

int otok_bands_owner(const otok_bands *b, int band)
{
    return band >= otok_bands_whole(b) ? 0 : (int)((int64_t)band * otok_ranks() / b->cut.count);
}

int otok_bands_place(const otok_bands *b, int band)
{
    const int first = band >= otok_bands_whole(b) ? otok_bands_whole(b) : b->mine;
    return b->devices ? (band - first) % b->devices : 0;
}

otok_status otok_bands_enter(const otok_bands *b, int band)
{
    return b->devices ? b->inner->use(b->device + otok_bands_place(b, band)) : OTOK_OK;
}

/* The patch of a band. It differs from the whole one in its rows and in the sides where other
   bands lie. */
static otok_patch patch_of(const otok_patch *all, const otok_cut *cut, int band)
{
    const int count = cut->count, rows = all->view.ny;
    otok_patch p = *all;
    p.droplets = 0;
    if (count == 1) return p;
    otok_view *v = &p.view;
    v->ny = otok_cut_height(cut, band);
    v->shared[0] = cut->below[band];
    v->shared[1] = cut->above[band];
    v->origin = all->view.y0;
    v->period = cut->periodic ? rows : 0;
    v->y0 = all->view.y0 + ((cut->first[band] - cut->below[band]) % rows + rows) % rows;
    const int ends[] = {cut->first[band] - cut->below[band],
                        cut->first[band + 1] + cut->above[band]};
    if (cut->periodic || ends[0] > 0) p.edges[OTOK_BOTTOM] = OTOK_CLOSED;
    if (cut->periodic || ends[1] < rows) p.edges[OTOK_TOP] = OTOK_CLOSED;
    return p;
}

/* Chooses this rank's devices: all that it sees, or one in turn if several ranks share the
   machine. */
static void choose_devices(otok_bands *b)
{
    const int all = b->inner->devices ? b->inner->devices() : 0;
    const int shared = otok_ranks_here() > 1;
    b->devices = all && shared ? 1 : all;
    b->device = all && shared ? otok_rank_here() % all : 0;
}

otok_status otok_bands_build(otok_bands *b, const otok_patch *like, int most, const int *first,
                             int max_steps)
{
    const int rows = like->view.ny, count = most < rows ? most : rows;
    OTOK_TRY(otok_cut_make(&b->cut, rows, count, first, b->depth,
                           like->edges[OTOK_BOTTOM] == OTOK_PERIODIC));
    b->patches = calloc((size_t)count + OTOK_BANDS_WHOLES, sizeof *b->patches);
    if (!b->patches) return OTOK_FAIL(OTOK_NOMEM, "no memory for %d bands", count);
    choose_devices(b);
    while (b->mine < count && otok_bands_owner(b, b->mine) < otok_rank())
        b->mine++;
    for (b->upto = b->mine; b->upto < count && otok_bands_owner(b, b->upto) == otok_rank();)
        b->upto++;
    for (int n = 0; n < OTOK_BANDS_WHOLES; n++)
        b->patches[count + n] = *like;
    for (int n = 0; n < count; n++)
        b->patches[n] = patch_of(like, &b->cut, n);
    OTOK_FOR_MINE(b, n, create(&b->patches[n], b->present, max_steps))
    return OTOK_OK;
}

/* ---- base terrain ---- */

otok_status otok_bands_base(otok_bands *b, const otok_base_plan *plan, const otok_patch *asks,
                            double *seconds)
{
    *seconds = 0;
    otok_set_add(&b->stale, OTOK_TERRAIN_BASE);
    for (int n = b->mine; n < b->upto; n++) {
        double taken = 0;
        OTOK_TRY(otok_bands_enter(b, n));
        b->patches[n].stop = asks ? asks->stop : NULL;
        b->patches[n].user = asks ? asks->user : NULL;
        OTOK_TRY(b->inner->base(&b->patches[n], plan, &taken));
        *seconds += taken;
    }
    return OTOK_OK;
}

otok_status otok_bands_base_from_rank0(otok_bands *b)
{
    double seconds;
    otok_base_plan *plan = malloc(sizeof *plan);
    if (!plan) return OTOK_FAIL(OTOK_NOMEM, "no memory for the base terrain");
    otok_ranks_broadcast(plan, sizeof *plan);
    plan->table = malloc((size_t)plan->ntable * sizeof *plan->table + 1);
    if (!plan->table) {
        free(plan);
        return OTOK_FAIL(OTOK_NOMEM, "no memory for the base terrain");
    }
    otok_ranks_broadcast(plan->table, (size_t)plan->ntable * sizeof *plan->table);
    const otok_status status = otok_bands_base(b, plan, NULL, &seconds);
    free(plan->table);
    free(plan);
    return status;
}
