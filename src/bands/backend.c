/* backend.c: a grid in bands as a backend.

   If several ranks carry the bands, rank 0 is the program and the others are in
   otok_ranks_serve. Each call of the backend is an order: rank 0 tells it to all ranks, all
   carry it out together, and then they agree on how it ended. */
#include "../core/audit.h"
#include "bands.h"
#include "ranks.h"

#include "../core/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An order of rank 0. */
typedef struct order {
    enum {
        CREATE,
        EXTEND,
        DESTROY,
        PUT,
        GET,
        CELL,
        BASE,
        RUN,
        MEASURE,
        FASTEST,
        DIAGNOSE,
        PART,
        COMPARE,
        SUMS,
        SET_SUMS,
        LEAVE
    } what;
    int id, twin; /* of the bands, and of those of a run's twin */
    float lifted; /* see otok_twins */
    int buffer, i, j, nsteps, count, depth, max_steps;
    otok_set buffers;
    float wave;
    char inner[64];
    otok_patch like; /* without pointers */
} order;

/* The existing grids by id, the same on all ranks. */
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
static void broadcast(order o)
{
    otok_ranks_broadcast(&o, sizeof o);
}

/* ---- memory ---- */

static void destroy_all(otok_bands *b)
{
    for (int n = 0; b->patches && n < b->cut.count + OTOK_BANDS_WHOLES; n++)
        if (b->patches[n].own && otok_bands_enter(b, n) == OTOK_OK)
            b->inner->destroy(&b->patches[n]);
    if (b->id >= 0 && b->id < GRIDS && grids[b->id] == b) grids[b->id] = NULL;
    otok_stretches_destroy(&b->stretches);
    otok_cut_destroy(&b->cut);
    if (b->carrier) b->carriers->give(b->carrier);
    free(b->patches);
    free(b);
}

static void destroy(otok_patch *patch)
{
    otok_bands *b = otok_bands_of_patch(patch);
    if (!b) return;
    broadcast((order){.what = DESTROY, .id = b->id});
    destroy_all(b);
    patch->own = NULL;
}

/* *out is set after a failure too, to what was created so far. */
static otok_status create_all(otok_bands **out, const otok_backend *inner, const order *o)
{
    *out = calloc(1, sizeof **out);
    if (!*out) return otok_ranks_agree(OTOK_FAIL(OTOK_NOMEM, "no memory for bands"));
    (*out)->id = o->id;
    (*out)->inner = inner;
    grids[o->id] = *out;
    (*out)->depth = o->depth;
    (*out)->present = o->buffers;
    return otok_ranks_agree(otok_bands_build(*out, &o->like, o->count, shape_first, o->max_steps));
}

otok_status otok_bands_create(const otok_backend *inner, int count, otok_patch *patch,
                              otok_set needed, int max_steps)
{
    order o = {.what = CREATE,
               .count = count,
               .depth = shape_depth,
               .max_steps = max_steps,
               .buffers = needed,
               .like = *patch};
    otok_bands *b = NULL;
    while (o.id < GRIDS && grids[o.id])
        o.id++;
    if (o.id == GRIDS) return OTOK_FAIL(OTOK_INTERNAL, "more than %d grids in bands", GRIDS);
    snprintf(o.inner, sizeof o.inner, "%s", inner->name);
    memset(o.like.view.at, 0, sizeof o.like.view.at);
    o.like.own = o.like.ensemble = o.like.user = NULL;
    o.like.stop = NULL;
    broadcast(o);
    const otok_status status = create_all(&b, inner, &o);
    memset(patch->view.at, 0, sizeof patch->view.at);
    patch->own = b;
    if (status != OTOK_OK) destroy(patch);
    return status;
}

static otok_status extend_all(otok_bands *b, otok_set needed)
{
    OTOK_FOR_MINE(b, n, extend(&b->patches[n], needed))
    b->present = otok_set_or(b->present, needed);
    otok_stretches_destroy(&b->stretches);
    return OTOK_OK;
}

static otok_status extend(otok_patch *patch, otok_set needed)
{
    otok_bands *b = otok_bands_of_patch(patch);
    broadcast((order){.what = EXTEND, .id = b->id, .buffers = needed});
    return otok_ranks_agree(extend_all(b, needed));
}

/* ---- maps: dense ones of the whole grid, which rank 0 has ---- */

static otok_status put(otok_patch *patch, int buffer, const float *map)
{
    otok_bands *b = otok_bands_of_patch(patch);
    broadcast((order){.what = PUT, .id = b->id, .buffer = buffer});
    return otok_ranks_agree(otok_bands_put(b, buffer, map));
}

static otok_status get(otok_patch *patch, int buffer, float *map)
{
    otok_bands *b = otok_bands_of_patch(patch);
    broadcast((order){.what = GET, .id = b->id, .buffer = buffer});
    return otok_ranks_agree(otok_bands_get(b, buffer, map));
}

static otok_status cell(otok_patch *patch, int buffer, int i, int j, float *out)
{
    otok_bands *b = otok_bands_of_patch(patch);
    broadcast((order){.what = CELL, .id = b->id, .buffer = buffer, .i = i, .j = j});
    return otok_ranks_agree(otok_bands_cell(b, buffer, i, j, out));
}

/* With several ranks the maps are copied at once. */
static otok_status snapshot(otok_patch *patch, uint64_t which, float *const *maps,
                            otok_arrival *out)
{
    otok_bands *b = otok_bands_of_patch(patch);
    *out = (otok_arrival){0};
    for (int f = 0; f < OTOK_STORED && otok_ranks() > 1; f++)
        if (which >> f & 1) OTOK_TRY(get(patch, f, maps[f]));
    if (otok_ranks() > 1) return OTOK_OK;
    return otok_bands_snapshot(b, which, maps, out);
}

static otok_status starts(otok_patch *patch, const uint64_t *upto)
{
    otok_bands *b = otok_bands_of_patch(patch);
    OTOK_TRY(otok_bands_make_whole(b, otok_bands_whole(b))); /* which is rank 0's alone */
    OTOK_TRY(otok_bands_enter(b, otok_bands_whole(b)));
    return b->inner->starts(&b->patches[otok_bands_whole(b)], upto);
}

static otok_status base(otok_patch *patch, const otok_base_plan *plan, double *seconds)
{
    otok_bands *b = otok_bands_of_patch(patch);
    broadcast((order){.what = BASE, .id = b->id});
    otok_ranks_broadcast((void *)plan, sizeof *plan);
    otok_ranks_broadcast(plan->table, (size_t)plan->ntable * sizeof *plan->table);
    return otok_ranks_agree(otok_bands_base(b, plan, patch, seconds));
}

/* ---- runs ---- */

/* What a run needs in addition to its steps. */
typedef struct work {
    otok_program program;
    otok_coefficients k;
} work;

static otok_status run(otok_patch *patch, const otok_program *program, const otok_coefficients *k,
                       const otok_step *steps, int nsteps)
{
    otok_bands *b = otok_bands_of_patch(patch);
    if (otok_ranks() == 1) return otok_bands_run(b, program, k, steps, nsteps);
    work *w = malloc(sizeof *w);
    if (!w) return OTOK_FAIL(OTOK_NOMEM, "no memory for a run");
    *w = (work){*program, *k};
    broadcast((order){.what = RUN, .id = b->id, .nsteps = nsteps});
    otok_ranks_broadcast(w, sizeof *w);
    otok_ranks_broadcast((void *)steps, (size_t)nsteps * sizeof *steps);
    const otok_status status = otok_ranks_agree(otok_bands_run(b, program, k, steps, nsteps));
    free(w);
    return status;
}

static otok_status run_from_rank0(otok_bands *b, int nsteps)
{
    work *w = malloc(sizeof *w);
    otok_step *steps = malloc((size_t)nsteps * sizeof *steps + 1);
    otok_status status = OTOK_FAIL(OTOK_NOMEM, "no memory for a run");
    if (w && steps) {
        otok_ranks_broadcast(w, sizeof *w);
        otok_ranks_broadcast(steps, (size_t)nsteps * sizeof *steps);
        status = otok_bands_run(b, &w->program, &w->k, steps, nsteps);
    }
    free(w);
    free(steps);
    return status;
}

static const char *strategy(const otok_patch *patch, const otok_program *program,
                            const otok_coefficients *k)
{
    otok_bands *b = otok_bands_of_patch(patch);
    if (otok_bands_choose(b, program) != OTOK_OK) return "";
    otok_bands_enter(b, b->mine);
    return b->inner->strategy(&b->patches[b->mine], program, k);
}

static int bytes(const otok_patch *patch, const otok_program *program, const otok_coefficients *k)
{
    otok_bands *b = otok_bands_of_patch(patch);
    if (otok_bands_choose(b, program) != OTOK_OK) return 0;
    otok_bands_enter(b, b->mine);
    return b->inner->bytes(&b->patches[b->mine], program, k);
}

/* ---- measures ---- */

static otok_status measure(otok_patch *patch, int buffer, otok_field_summary *out)
{
    otok_bands *b = otok_bands_of_patch(patch);
    broadcast((order){.what = MEASURE, .id = b->id, .buffer = buffer});
    return otok_bands_measure(b, buffer, out);
}

static otok_status fastest(otok_patch *patch, float wave, float *out)
{
    otok_bands *b = otok_bands_of_patch(patch);
    broadcast((order){.what = FASTEST, .id = b->id, .wave = wave});
    return otok_bands_fastest(b, wave, out);
}

static otok_status sums(otok_patch *patch, otok_sum *out)
{
    otok_bands *b = otok_bands_of_patch(patch);
    broadcast((order){.what = SUMS, .id = b->id});
    return otok_bands_sums(b, out);
}

static otok_status set_sums(otok_patch *patch, const otok_sum *in)
{
    otok_bands *b = otok_bands_of_patch(patch);
    broadcast((order){.what = SET_SUMS, .id = b->id});
    return otok_ranks_agree(otok_bands_set_sums(b, in));
}

static otok_status diagnose(otok_patch *patch, otok_diagnostics_request *request)
{
    otok_bands *b = otok_bands_of_patch(patch);
    broadcast((order){.what = DIAGNOSE, .id = b->id});
    otok_ranks_broadcast(request, sizeof *request);
    return otok_bands_diagnose(b, request);
}

/* ---- audits ---- */

static otok_status part(const otok_twins *pair)
{
    otok_bands *run = otok_bands_of_patch(pair->run), *twin = otok_bands_of_patch(pair->twin);
    broadcast((order){.what = PART, .id = run->id, .twin = twin->id});
    return otok_ranks_agree(otok_bands_part(run, twin));
}

static otok_status compare(const otok_twins *pair, otok_audit_sums *out)
{
    otok_bands *run = otok_bands_of_patch(pair->run), *twin = otok_bands_of_patch(pair->twin);
    broadcast((order){.what = COMPARE, .id = run->id, .twin = twin->id, .lifted = pair->lifted});
    return otok_bands_compare(run, twin, pair->lifted, out);
}

/* ---- other ranks ---- */

static void create_from_rank0(const order *o)
{
    const otok_backend *inner = NULL;
    otok_bands *b = NULL;
    const otok_status status = otok_backend_find_whole(&inner, o->inner);
    if (status == OTOK_OK)
        create_all(&b, inner, o);
    else
        otok_ranks_agree(status);
}

static void diagnose_from_rank0(otok_bands *b)
{
    otok_diagnostics_request request;
    otok_ranks_broadcast(&request, sizeof request);
    otok_bands_diagnose(b, &request);
}

static void obey(const order *o)
{
    otok_bands *b = grids[o->id];
    otok_field_summary census;
    otok_audit_sums apart;
    otok_sum all[OTOK_SUMS] = {{0, 0}};
    float value;
    if (!b && o->what == DESTROY) otok_ranks_agree(OTOK_OK); /* as destroy_all */
    if (!b && o->what != CREATE) return; /* creating it failed; only its end is told */
    switch (o->what) {
    case CREATE: create_from_rank0(o); break;
    case EXTEND: otok_ranks_agree(extend_all(b, o->buffers)); break;
    case DESTROY: destroy_all(b); break;
    case PUT: otok_ranks_agree(otok_bands_put(b, o->buffer, NULL)); break;
    case GET: otok_ranks_agree(otok_bands_get(b, o->buffer, NULL)); break;
    case CELL: otok_ranks_agree(otok_bands_cell(b, o->buffer, o->i, o->j, &value)); break;
    case BASE: otok_ranks_agree(otok_bands_base_from_rank0(b)); break;
    case RUN: otok_ranks_agree(run_from_rank0(b, o->nsteps)); break;
    case MEASURE: otok_bands_measure(b, o->buffer, &census); break;
    case FASTEST: otok_bands_fastest(b, o->wave, &value); break;
    case DIAGNOSE: diagnose_from_rank0(b); break;
    case PART: otok_ranks_agree(otok_bands_part(b, grids[o->twin])); break;
    case COMPARE: otok_bands_compare(b, grids[o->twin], o->lifted, &apart); break;
    case SUMS: otok_bands_sums(b, all); break;
    case SET_SUMS: otok_ranks_agree(otok_bands_set_sums(b, all)); break;
    case LEAVE: break;
    }
}

void otok_ranks_serve(void)
{
    order o;
    do {
        otok_ranks_broadcast(&o, sizeof o);
        obey(&o);
    } while (o.what != LEAVE);
}

void otok_ranks_leave(void)
{
    if (otok_rank() == 0) broadcast((order){.what = LEAVE});
}

const otok_backend otok_bands_calls = {.extend = extend,
                                       .destroy = destroy,
                                       .put = put,
                                       .get = get,
                                       .cell = cell,
                                       .snapshot = snapshot,
                                       .starts = starts,
                                       .base = base,
                                       .run = run,
                                       .strategy = strategy,
                                       .bytes = bytes,
                                       .measure = measure,
                                       .fastest = fastest,
                                       .diagnose = diagnose,
                                       .part = part,
                                       .compare = compare,
                                       .sums = sums,
                                       .set_sums = set_sums,
                                       .crossing = otok_bands_crossing};
