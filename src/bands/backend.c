/* backend.c: a grid in bands as a backend: memory, maps and measures of all bands together. run.c lets them run.

   Where several ranks carry the bands, the program is rank 0, and the others are in otok_ranks_serve. Each call of the backend is
   an order: rank 0 tells it to all, then all carry it out together, and agree on how it ended. */
#include "bands.h"
#include "ranks.h"

#include "../core/clock.h"
#include "../core/diagnostics_rows.h"
#include "../core/status.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What rank 0 wants done. */
typedef struct order {
    enum { CREATE, EXTEND, DESTROY, PUT, GET, CELL, BASE, RUN, MEASURE, DIAGNOSE, SUMS, SET_SUMS, LEAVE } what;
    int id; /* of the bands */
    int buffer, i, j, nsteps, count, depth, max_steps;
    uint64_t bits;
    char inner[64];
    otok_patch like; /* without pointers */
} order;

/* The bands that there are, by id; the same on all ranks. */
enum { GRIDS = 64 };
static otok_bands *grids[GRIDS];

static int shape_depth = OTOK_BANDS_DEPTH;
static const int *shape_first;

void otok_bands_shape(int depth, const int *first)
{
    shape_depth = depth;
    shape_first = first;
}

/* Tells an order to the other ranks, where there are any. */
static void tell(order o)
{
    otok_ranks_tell(&o, sizeof o);
}

static int is_mine(const otok_bands *b, int band)
{
    return band >= b->mine && band < b->upto;
}

/* A call of the inner backend for each band of this rank, on its device. */
#define FOR_MINE(b, n, call)                                                                                                       \
    for (int n = (b)->mine; n < (b)->upto; n++) {                                                                                  \
        OTOK_TRY(otok_bands_enter(b, n));                                                                                          \
        OTOK_TRY((b)->inner->call);                                                                                                \
    }

/* ---- memory ---- */

static void destroy_all(otok_bands *b)
{
    for (int n = 0; b->patches && n <= b->cut.count; n++)
        if (b->patches[n].own && otok_bands_enter(b, n) == OTOK_OK) b->inner->destroy(&b->patches[n]);
    if (b->id >= 0 && b->id < GRIDS && grids[b->id] == b) grids[b->id] = NULL;
    otok_stretches_destroy(&b->stretches);
    otok_cut_destroy(&b->cut);
    free(b->patches);
    free(b);
}

static void destroy(otok_patch *patch)
{
    otok_bands *b = otok_bands_of_patch(patch);
    if (!b) return;
    tell((order){.what = DESTROY, .id = b->id});
    destroy_all(b);
    patch->own = NULL;
}

/* The patch of a band: as the whole one, but for its rows and the sides where it borders on others. */
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
    const int ends[] = {cut->first[band] - cut->below[band], cut->first[band + 1] + cut->above[band]};
    if (cut->periodic || ends[0] > 0) p.edges[OTOK_BOTTOM] = OTOK_CLOSED;
    if (cut->periodic || ends[1] < rows) p.edges[OTOK_TOP] = OTOK_CLOSED;
    return p;
}

/* This rank's devices: all that it sees; where a machine has several ranks, one each by turns. */
static void choose_devices(otok_bands *b)
{
    const int all = b->inner->devices ? b->inner->devices() : 0;
    const int shared = otok_ranks_here() > 1;
    b->devices = all && shared ? 1 : all;
    b->device = all && shared ? otok_rank_here() % all : 0;
}

static otok_status build(otok_bands *b, const order *o)
{
    const int rows = o->like.view.ny, count = o->count < rows ? o->count : rows;
    OTOK_TRY(otok_cut_make(&b->cut, rows, count, shape_first, o->depth, o->like.edges[OTOK_BOTTOM] == OTOK_PERIODIC));
    b->patches = calloc((size_t)count + 1, sizeof *b->patches);
    if (!b->patches) return OTOK_FAIL(OTOK_NOMEM, "no memory for %d bands", count);
    b->depth = o->depth;
    b->present = o->bits;
    choose_devices(b);
    while (b->mine < count && otok_bands_owner(b, b->mine) < otok_rank())
        b->mine++;
    for (b->upto = b->mine; b->upto < count && otok_bands_owner(b, b->upto) == otok_rank();)
        b->upto++;
    b->patches[count] = o->like;
    for (int n = 0; n < count; n++)
        b->patches[n] = patch_of(&o->like, &b->cut, n);
    FOR_MINE(b, n, create(&b->patches[n], o->bits, o->max_steps))
    return OTOK_OK;
}

/* *out is what there is, after a failure too. */
static otok_status create_all(otok_bands **out, const otok_backend *inner, const order *o)
{
    *out = calloc(1, sizeof **out);
    if (!*out) return otok_ranks_agree(OTOK_FAIL(OTOK_NOMEM, "no memory for bands"));
    (*out)->id = o->id;
    (*out)->inner = inner;
    grids[o->id] = *out;
    return otok_ranks_agree(build(*out, o));
}

/* A backend in bands, as it was asked for by name. */
typedef struct division {
    otok_backend backend; /* its `name` is `name` */
    char name[64];
    const otok_backend *inner; /* NULL: not in use */
    int count;
} division;

static otok_status create(const division *d, otok_patch *patch, uint64_t needed, int max_steps)
{
    order o = {.what = CREATE, .count = d->count, .depth = shape_depth, .max_steps = max_steps, .bits = needed, .like = *patch};
    otok_bands *b = NULL;
    while (o.id < GRIDS && grids[o.id])
        o.id++;
    if (o.id == GRIDS) return OTOK_FAIL(OTOK_INTERNAL, "more than %d grids in bands", GRIDS);
    snprintf(o.inner, sizeof o.inner, "%s", d->inner->name);
    memset(o.like.view.at, 0, sizeof o.like.view.at);
    o.like.own = o.like.ensemble = o.like.user = NULL;
    o.like.stop = NULL;
    tell(o);
    const otok_status status = create_all(&b, d->inner, &o);
    memset(patch->view.at, 0, sizeof patch->view.at);
    patch->own = b;
    if (status != OTOK_OK) destroy(patch);
    return status;
}

static uint64_t room(const division *d, int64_t nx, int64_t ny, uint64_t needed, int droplets)
{
    const int64_t count = d->count < ny ? d->count : ny;
    const int64_t rows = ny / count + 1 + (count > 1 ? 2 * OTOK_BANDS_DEPTH : 0);
    return (uint64_t)count * d->inner->room(nx, rows, needed, droplets);
}

static otok_status describe(const division *d, char *text, size_t size)
{
    char one[256], ranks[64] = "";
    OTOK_TRY(d->inner->describe(one, sizeof one));
    const int devices = d->inner->devices && otok_ranks() == 1 ? d->inner->devices() : 0;
    if (otok_ranks() > 1) snprintf(ranks, sizeof ranks, " on %d ranks", otok_ranks());
    if (devices > 1) snprintf(ranks, sizeof ranks, " on %d devices", devices < d->count ? devices : d->count);
    snprintf(text, size, "%s; %d band%s%s", one, d->count, d->count > 1 ? "s" : "", ranks);
    return OTOK_OK;
}

static otok_status extend_all(otok_bands *b, uint64_t needed)
{
    FOR_MINE(b, n, extend(&b->patches[n], needed))
    b->present |= needed;
    otok_stretches_destroy(&b->stretches);
    return OTOK_OK;
}

static otok_status extend(otok_patch *patch, uint64_t needed)
{
    otok_bands *b = otok_bands_of_patch(patch);
    tell((order){.what = EXTEND, .id = b->id, .bits = needed});
    return otok_ranks_agree(extend_all(b, needed));
}

/* ---- maps: dense ones of the whole grid, which rank 0 has ---- */

static size_t cells_of(const otok_bands *b, int band)
{
    return (size_t)(b->cut.first[band + 1] - b->cut.first[band]) * (size_t)b->patches[band].view.nx;
}

/* Where a band's rows begin in a map. */
static size_t offset_of(const otok_bands *b, int band)
{
    return (size_t)b->cut.first[band] * (size_t)b->patches[band].view.nx;
}

/* Between the patch and a map, or on other ranks memory that rank 0 sends to or receives from. */
static otok_status put_band(otok_bands *b, int band, int buffer, const float *map)
{
    OTOK_TRY(otok_bands_enter(b, band));
    return b->inner->put(&b->patches[band], buffer, map);
}

static otok_status get_band(otok_bands *b, int band, int buffer, float *map)
{
    OTOK_TRY(otok_bands_enter(b, band));
    return b->inner->get(&b->patches[band], buffer, map);
}

/* The map is NULL on other ranks, which go on to receive after a failure, for rank 0 sends. */
static otok_status put_all(otok_bands *b, int buffer, const float *map)
{
    otok_status status = OTOK_OK;
    for (int n = 0; n < b->cut.count; n++) {
        const size_t bytes = cells_of(b, n) * sizeof(float);
        if (map && !is_mine(b, n)) otok_ranks_send(otok_bands_owner(b, n), map + offset_of(b, n), bytes);
        if (!is_mine(b, n)) continue;
        float *received = map ? NULL : malloc(bytes);
        if (!map && !received) return OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %zu bytes", bytes);
        if (!map) otok_ranks_receive(0, received, bytes);
        if (status == OTOK_OK) status = put_band(b, n, buffer, map ? map + offset_of(b, n) : received);
        free(received);
    }
    b->stale |= BIT(buffer);
    return status;
}

static otok_status get_all(otok_bands *b, int buffer, float *map)
{
    otok_status status = OTOK_OK;
    for (int n = 0; n < b->cut.count; n++) {
        const size_t bytes = cells_of(b, n) * sizeof(float);
        if (map && !is_mine(b, n)) otok_ranks_receive(otok_bands_owner(b, n), map + offset_of(b, n), bytes);
        if (!is_mine(b, n)) continue;
        float *sent = map ? NULL : malloc(bytes);
        if (!map && !sent) return OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %zu bytes", bytes);
        if (status == OTOK_OK) status = get_band(b, n, buffer, map ? map + offset_of(b, n) : sent);
        if (!map) otok_ranks_send(0, sent, bytes);
        free(sent);
    }
    return status;
}

static otok_status put(otok_patch *patch, int buffer, const float *map)
{
    otok_bands *b = otok_bands_of_patch(patch);
    tell((order){.what = PUT, .id = b->id, .buffer = buffer});
    return otok_ranks_agree(put_all(b, buffer, map));
}

static otok_status get(otok_patch *patch, int buffer, float *map)
{
    otok_bands *b = otok_bands_of_patch(patch);
    tell((order){.what = GET, .id = b->id, .buffer = buffer});
    return otok_ranks_agree(get_all(b, buffer, map));
}

static otok_status cell_of(otok_bands *b, int buffer, int i, int j, float *out)
{
    int band = 0;
    otok_status status = OTOK_OK;
    while (j >= b->cut.first[band + 1])
        band++;
    if (is_mine(b, band)) {
        status = otok_bands_enter(b, band);
        if (status == OTOK_OK) status = b->inner->cell(&b->patches[band], buffer, i, j - b->cut.first[band], out);
    }
    if (otok_bands_owner(b, band) == 0) return status;
    if (is_mine(b, band)) otok_ranks_send(0, out, sizeof *out);
    if (otok_rank() == 0) otok_ranks_receive(otok_bands_owner(b, band), out, sizeof *out);
    return status;
}

static otok_status cell(otok_patch *patch, int buffer, int i, int j, float *out)
{
    otok_bands *b = otok_bands_of_patch(patch);
    tell((order){.what = CELL, .id = b->id, .buffer = buffer, .i = i, .j = j});
    return otok_ranks_agree(cell_of(b, buffer, i, j, out));
}

/* Copies under way from all bands. */
typedef struct arrivals {
    int n;
    otok_arrival each[];
} arrivals;

static otok_status wait_for_all(void *ticket)
{
    arrivals *a = ticket;
    otok_status status = OTOK_OK;
    for (int n = 0; n < a->n; n++) {
        const otok_status one = a->each[n].wait ? a->each[n].wait(a->each[n].ticket) : OTOK_OK;
        status = status == OTOK_OK ? one : status;
    }
    free(a);
    return status;
}

static otok_status begin_copies(otok_bands *b, uint64_t which, float *const *maps, arrivals *a)
{
    for (; a->n < b->cut.count; a->n++) {
        float *rows[OTOK_STORED] = {0};
        for (int f = 0; f < OTOK_STORED; f++)
            if (which >> f & 1) rows[f] = maps[f] + offset_of(b, a->n);
        OTOK_TRY(otok_bands_enter(b, a->n));
        OTOK_TRY(b->inner->snapshot(&b->patches[a->n], which, rows, &a->each[a->n]));
    }
    return OTOK_OK;
}

/* From other ranks the maps come at once. */
static otok_status snapshot(otok_patch *patch, uint64_t which, float *const *maps, otok_arrival *out)
{
    otok_bands *b = otok_bands_of_patch(patch);
    *out = (otok_arrival){0};
    for (int f = 0; f < OTOK_STORED && otok_ranks() > 1; f++)
        if (which >> f & 1) OTOK_TRY(get(patch, f, maps[f]));
    if (otok_ranks() > 1) return OTOK_OK;
    arrivals *a = calloc(1, sizeof *a + (size_t)b->cut.count * sizeof a->each[0]);
    if (!a) return OTOK_FAIL(OTOK_NOMEM, "no memory for a copy of the state");
    const otok_status status = begin_copies(b, which, maps, a);
    *out = (otok_arrival){wait_for_all, a};
    if (status != OTOK_OK) wait_for_all(a);
    return status;
}

static otok_status starts(otok_patch *patch, const uint64_t *upto)
{
    otok_bands *b = otok_bands_of_patch(patch);
    OTOK_TRY(otok_bands_make_whole(b)); /* which is rank 0's alone */
    OTOK_TRY(otok_bands_enter(b, otok_bands_whole(b)));
    return b->inner->starts(&b->patches[otok_bands_whole(b)], upto);
}

static otok_status base_all(otok_bands *b, const otok_base_plan *plan, const otok_patch *asks, double *seconds)
{
    *seconds = 0;
    b->stale |= BIT(OTOK_TERRAIN_BASE);
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

static otok_status base(otok_patch *patch, const otok_base_plan *plan, double *seconds)
{
    otok_bands *b = otok_bands_of_patch(patch);
    tell((order){.what = BASE, .id = b->id});
    otok_ranks_tell((void *)plan, sizeof *plan);
    otok_ranks_tell(plan->table, (size_t)plan->ntable * sizeof *plan->table);
    return otok_ranks_agree(base_all(b, plan, patch, seconds));
}

/* A plan that rank 0 tells. */
static otok_status base_told(otok_bands *b)
{
    double seconds;
    otok_base_plan *plan = malloc(sizeof *plan);
    if (!plan) return OTOK_FAIL(OTOK_NOMEM, "no memory for the base terrain");
    otok_ranks_tell(plan, sizeof *plan);
    plan->table = malloc((size_t)plan->ntable * sizeof *plan->table + 1);
    if (!plan->table) {
        free(plan);
        return OTOK_FAIL(OTOK_NOMEM, "no memory for the base terrain");
    }
    otok_ranks_tell(plan->table, (size_t)plan->ntable * sizeof *plan->table);
    const otok_status status = base_all(b, plan, NULL, &seconds);
    free(plan->table);
    free(plan);
    return status;
}

/* ---- runs ---- */

/* What a run needs besides its steps. */
typedef struct work {
    otok_program program;
    otok_coefficients k;
} work;

static otok_status run(otok_patch *patch, const otok_program *program, const otok_coefficients *k, const otok_step *steps,
                       int nsteps)
{
    otok_bands *b = otok_bands_of_patch(patch);
    if (otok_ranks() == 1) return otok_bands_run(b, program, k, steps, nsteps);
    work *w = malloc(sizeof *w);
    if (!w) return OTOK_FAIL(OTOK_NOMEM, "no memory for a run");
    *w = (work){*program, *k};
    tell((order){.what = RUN, .id = b->id, .nsteps = nsteps});
    otok_ranks_tell(w, sizeof *w);
    otok_ranks_tell((void *)steps, (size_t)nsteps * sizeof *steps);
    const otok_status status = otok_ranks_agree(otok_bands_run(b, program, k, steps, nsteps));
    free(w);
    return status;
}

static otok_status run_told(otok_bands *b, int nsteps)
{
    work *w = malloc(sizeof *w);
    otok_step *steps = malloc((size_t)nsteps * sizeof *steps + 1);
    otok_status status = OTOK_FAIL(OTOK_NOMEM, "no memory for a run");
    if (w && steps) {
        otok_ranks_tell(w, sizeof *w);
        otok_ranks_tell(steps, (size_t)nsteps * sizeof *steps);
        status = otok_bands_run(b, &w->program, &w->k, steps, nsteps);
    }
    free(w);
    free(steps);
    return status;
}

static otok_status run_timed(otok_patch *patch, const otok_program *program, const otok_coefficients *k, const otok_step *steps,
                             int nsteps, double *seconds)
{
    const double before = otok_clock();
    const otok_status status = run(patch, program, k, steps, nsteps);
    *seconds = otok_clock() - before;
    return status;
}

static const char *strategy(const otok_patch *patch, const otok_program *program, const otok_coefficients *k)
{
    const otok_bands *b = otok_bands_of_patch(patch);
    return b->inner->strategy(&b->patches[0], program, k);
}

static int bytes(const otok_patch *patch, const otok_program *program, const otok_coefficients *k)
{
    const otok_bands *b = otok_bands_of_patch(patch);
    return b->inner->bytes(&b->patches[0], program, k);
}

/* ---- measures ---- */

static otok_status measure_all(otok_bands *b, int buffer, otok_field_summary *out)
{
    *out = (otok_field_summary){0};
    for (int n = b->mine; n < b->upto; n++) {
        otok_field_summary one;
        OTOK_TRY(otok_bands_enter(b, n));
        OTOK_TRY(b->inner->measure(&b->patches[n], buffer, &one));
        out->sum.hi += one.sum.hi;
        out->sum.lo += one.sum.lo;
        out->fingerprint += one.fingerprint;
        out->not_finite += one.not_finite;
    }
    return OTOK_OK;
}

static otok_status add_measures(otok_bands *b, int buffer, otok_field_summary *out)
{
    const otok_status status = measure_all(b, buffer, out);
    int64_t sums[] = {out->sum.hi, out->sum.lo, (int64_t)out->fingerprint, out->not_finite};
    otok_ranks_add(sums, 4);
    *out = (otok_field_summary){{sums[0], sums[1]}, (uint64_t)sums[2], sums[3]};
    return otok_ranks_agree(status);
}

static otok_status measure(otok_patch *patch, int buffer, otok_field_summary *out)
{
    otok_bands *b = otok_bands_of_patch(patch);
    tell((order){.what = MEASURE, .id = b->id, .buffer = buffer});
    return add_measures(b, buffer, out);
}

/* Of this rank's bands, and of the stages that were done on the grid in one piece. */
static otok_status sums_here(otok_bands *b, otok_sum *out)
{
    memset(out, 0, OTOK_SUMS * sizeof *out);
    for (int n = 0; n <= b->cut.count; n++) {
        otok_sum one[OTOK_SUMS];
        if (!b->patches[n].own) continue;
        OTOK_TRY(otok_bands_enter(b, n));
        OTOK_TRY(b->inner->sums(&b->patches[n], one));
        for (int s = 0; s < OTOK_SUMS; s++) {
            out[s].hi += one[s].hi;
            out[s].lo += one[s].lo;
        }
    }
    return OTOK_OK;
}

static otok_status add_sums(otok_bands *b, otok_sum *out)
{
    const otok_status status = sums_here(b, out);
    otok_ranks_add(&out->hi, 2 * OTOK_SUMS);
    return otok_ranks_agree(status);
}

static otok_status sums(otok_patch *patch, otok_sum *out)
{
    otok_bands *b = otok_bands_of_patch(patch);
    tell((order){.what = SUMS, .id = b->id});
    return add_sums(b, out);
}

/* The first band keeps what was booked before. */
static otok_status set_sums_all(otok_bands *b, const otok_sum *in)
{
    static const otok_sum none[OTOK_SUMS];
    for (int n = 0; n <= b->cut.count; n++) {
        if (!b->patches[n].own) continue;
        OTOK_TRY(otok_bands_enter(b, n));
        OTOK_TRY(b->inner->set_sums(&b->patches[n], n ? none : in));
    }
    return OTOK_OK;
}

static otok_status set_sums(otok_patch *patch, const otok_sum *in)
{
    otok_bands *b = otok_bands_of_patch(patch);
    tell((order){.what = SET_SUMS, .id = b->id});
    return otok_ranks_agree(set_sums_all(b, in));
}

static otok_status diagnose_here(otok_bands *b, const otok_diagnostics_request *request, otok_diagnostics_result *all)
{
    OTOK_TRY(otok_bands_renew(b, BIT(OTOK_STORED) - 1));
    for (int n = b->mine; n < b->upto; n++) {
        otok_diagnostics_request one = *request;
        one.patch = &b->patches[n];
        if (b->cut.count > 1) {
            one.maps.ny = b->patches[n].view.ny;
            one.maps.wrap_y = 0;
            one.maps.first = b->cut.first[n] - b->cut.below[n];
        }
        OTOK_TRY(otok_bands_enter(b, n));
        OTOK_TRY(b->inner->diagnose(&b->patches[n], &one));
        otok_diagnostics_join(all, &one.found);
    }
    return OTOK_OK;
}

/* What every rank found comes together on rank 0. */
static otok_status diagnose_all(otok_bands *b, otok_diagnostics_request *request)
{
    otok_diagnostics_result all = {0}, other;
    const otok_status status = diagnose_here(b, request, &all);
    if (otok_rank() > 0) otok_ranks_send(0, &all, sizeof all);
    for (int rank = 1; rank < otok_ranks() && otok_rank() == 0; rank++) {
        otok_ranks_receive(rank, &other, sizeof other);
        otok_diagnostics_join(&all, &other);
    }
    OTOK_TRY(add_sums(b, all.sums));
    request->found = all;
    return otok_ranks_agree(status);
}

static otok_status diagnose(otok_patch *patch, otok_diagnostics_request *request)
{
    otok_bands *b = otok_bands_of_patch(patch);
    tell((order){.what = DIAGNOSE, .id = b->id});
    otok_ranks_tell(request, sizeof *request);
    return diagnose_all(b, request);
}

/* ---- other ranks ---- */

static void create_told(const order *o)
{
    const otok_backend *inner = NULL;
    otok_bands *b = NULL;
    const otok_status status = otok_backend_find_whole(&inner, o->inner);
    if (status == OTOK_OK)
        create_all(&b, inner, o);
    else
        otok_ranks_agree(status);
}

static void diagnose_told(otok_bands *b)
{
    otok_diagnostics_request request;
    otok_ranks_tell(&request, sizeof request);
    diagnose_all(b, &request);
}

static void carry_out(const order *o)
{
    otok_bands *b = grids[o->id];
    otok_field_summary census;
    otok_sum all[OTOK_SUMS] = {{0, 0}};
    float value;
    if (!b && o->what != CREATE) return; /* it could not be created: only its end is told */
    switch (o->what) {
    case CREATE: create_told(o); break;
    case EXTEND: otok_ranks_agree(extend_all(b, o->bits)); break;
    case DESTROY: destroy_all(b); break;
    case PUT: otok_ranks_agree(put_all(b, o->buffer, NULL)); break;
    case GET: otok_ranks_agree(get_all(b, o->buffer, NULL)); break;
    case CELL: otok_ranks_agree(cell_of(b, o->buffer, o->i, o->j, &value)); break;
    case BASE: otok_ranks_agree(base_told(b)); break;
    case RUN: otok_ranks_agree(run_told(b, o->nsteps)); break;
    case MEASURE: add_measures(b, o->buffer, &census); break;
    case DIAGNOSE: diagnose_told(b); break;
    case SUMS: add_sums(b, all); break;
    case SET_SUMS: otok_ranks_agree(set_sums_all(b, all)); break;
    case LEAVE: break;
    }
}

void otok_ranks_serve(void)
{
    order o;
    do {
        otok_ranks_tell(&o, sizeof o);
        carry_out(&o);
    } while (o.what != LEAVE);
}

void otok_ranks_leave(void)
{
    if (otok_rank() == 0) tell((order){.what = LEAVE});
}

/* ---- backends in bands, by name ---- */

enum { DIVISIONS = 16 }; /* in one process */

static division divisions[DIVISIONS];

/* Calls that come without a patch of ours, for each division. */
#define CALLS(n)                                                                                                                   \
    static otok_status create_##n(otok_patch *patch, uint64_t needed, int max_steps)                                               \
    {                                                                                                                              \
        return create(&divisions[n], patch, needed, max_steps);                                                                    \
    }                                                                                                                              \
    static uint64_t room_##n(int64_t nx, int64_t ny, uint64_t needed, int droplets)                                                \
    {                                                                                                                              \
        return room(&divisions[n], nx, ny, needed, droplets);                                                                      \
    }                                                                                                                              \
    static otok_status describe_##n(char *text, size_t size)                                                                       \
    {                                                                                                                              \
        return describe(&divisions[n], text, size);                                                                                \
    }
#define ALL(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
ALL(CALLS)

#define CREATE(n) create_##n,
#define ROOM(n) room_##n,
#define DESCRIBE(n) describe_##n,
static otok_status (*const creates[])(otok_patch *, uint64_t, int) = {ALL(CREATE)};
static uint64_t (*const rooms[])(int64_t, int64_t, uint64_t, int) = {ALL(ROOM)};
static otok_status (*const describes[])(char *, size_t) = {ALL(DESCRIBE)};

static void fill(int n, const otok_backend *inner, int count)
{
    division *d = &divisions[n];
    snprintf(d->name, sizeof d->name, "%s/%d", inner->name, count);
    d->count = count;
    d->backend = (otok_backend){.name = d->name,
                                .host = inner->host,
                                .describe = describes[n],
                                .create = creates[n],
                                .room = rooms[n],
                                .extend = extend,
                                .destroy = destroy,
                                .put = put,
                                .get = get,
                                .cell = cell,
                                .snapshot = snapshot,
                                .starts = starts,
                                .base = base,
                                .run = run,
                                .time = run_timed,
                                .strategy = strategy,
                                .bytes = bytes,
                                .copy_rate = inner->copy_rate,
                                .measure = measure,
                                .diagnose = diagnose,
                                .sums = sums,
                                .set_sums = set_sums};
    d->inner = inner;
}

otok_status otok_backend_in_bands(const otok_backend **out, const otok_backend *inner, int count)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int n = 0;
    *out = NULL;
    pthread_mutex_lock(&lock);
    while (n < DIVISIONS && divisions[n].inner && (divisions[n].inner != inner || divisions[n].count != count))
        n++;
    if (n < DIVISIONS && !divisions[n].inner) fill(n, inner, count);
    pthread_mutex_unlock(&lock);
    if (n == DIVISIONS) return OTOK_FAIL(OTOK_INTERNAL, "more than %d divisions into bands in one process", DIVISIONS);
    *out = &divisions[n].backend;
    return OTOK_OK;
}
