/* bands.h: a grid as a stack of bands of whole rows. Each band is a patch of an inner backend,
   on one device or several, of this process or of others (ranks.h). The rooms above see one
   patch. Private to bands/. */
#ifndef OTOK_BANDS_H
#define OTOK_BANDS_H

#include "../core/backend.h"
#include "cut.h"
#include "stretch.h"

enum { OTOK_BANDS_DEPTH = 64 }; /* rows that neighbouring bands share */
enum { OTOK_BANDS_WHOLES = 2 }; /* patches of the whole grid, each on a device of its own */

/* otok_patch.own of a grid in bands, on every rank. */
typedef struct otok_bands {
    int id; /* the same on all ranks */
    const otok_backend *inner;
    otok_cut cut;
    int mine, upto;      /* bands mine <= band < upto belong to this rank */
    int device, devices; /* devices of this rank: the first, and how many; 0: there is no choice */
    int depth;           /* the most rows that bands share */

    /* One a band; those of other ranks have no memory. Behind them is the whole grid in one piece,
       on rank 0, made when the first stage comes that cannot be cut. A second one follows if two
       devices share the work of such a stage. */
    otok_patch *patches;
    int alone;            /* there is no second one, and there will be none */
    otok_set present;     /* the allocated buffers */
    otok_set stale;       /* those whose shared rows may differ from their owner's */
    otok_set in_whole;    /* those that the first patch of the whole grid has as bands have them */
    otok_program program; /* of `stretches` */
    otok_stretches stretches;

    /* exchange.c */
    int crossed;          /* rows have gone between ranks */
    char *carrier;        /* memory for messages, kept: of `carriers`, a kind of `inner` */
    size_t carrier_bytes; /* its size */
    const otok_memory *carriers;
} otok_bands;

const char *otok_bands_crossing(const otok_patch *patch); /* see otok_backend */

static inline otok_bands *otok_bands_of_patch(const otok_patch *patch)
{
    return (otok_bands *)patch->own;
}

/* The index of the first patch of the whole grid, behind those of the bands. */
static inline int otok_bands_whole(const otok_bands *bands)
{
    return bands->cut.count;
}

static inline int otok_bands_is_mine(const otok_bands *bands, int band)
{
    return band >= bands->mine && band < bands->upto;
}

/* Calls the inner backend for each band of this rank, with its device in use. */
#define OTOK_FOR_MINE(b, n, call)                                                                  \
    for (int n = (b)->mine; n < (b)->upto; n++) {                                                  \
        OTOK_TRY(otok_bands_enter(b, n));                                                          \
        OTOK_TRY((b)->inner->call);                                                                \
    }

/* ---- backend.c ---- */

/* otok_backend.create for `count` bands of an inner backend, and the other calls of a patch in
   bands. */
otok_status otok_bands_create(const otok_backend *inner, int count, otok_patch *patch,
                              otok_set needed, int max_steps);
extern const otok_backend otok_bands_calls;

/* ---- build.c ---- */

/* Cuts a grid like `like` into `most` bands, or one a row if it has fewer rows, and creates
   those of this rank with the buffers `present`. They begin at the rows `first` (otok_cut_make;
   NULL: evenly). The caller has set `inner`, `depth` and `present`. After a failure some bands
   may exist. */
otok_status otok_bands_build(otok_bands *bands, const otok_patch *like, int most, const int *first,
                             int max_steps);

/* The rank that has a band. */
int otok_bands_owner(const otok_bands *bands, int band);

/* The index of a band's device on this rank, which is also that of its thread. */
int otok_bands_place(const otok_bands *bands, int band);

/* Puts the device of a band of this rank in use for the calling thread. */
otok_status otok_bands_enter(const otok_bands *bands, int band);

/* Carries out a plan in the bands of this rank; the caller's patch, or NULL, has `stop`. The other
   one receives the plan from rank 0. */
otok_status otok_bands_base(otok_bands *bands, const otok_base_plan *plan, const otok_patch *asks,
                            double *seconds);
otok_status otok_bands_base_from_rank0(otok_bands *bands);

/* ---- maps.c; all ranks call put, get and cell together ---- */

/* The map is dense, [ny][nx], and NULL on other ranks than 0. */
otok_status otok_bands_put(otok_bands *bands, int buffer, const float *map);
otok_status otok_bands_get(otok_bands *bands, int buffer, float *map);
otok_status otok_bands_cell(otok_bands *bands, int buffer, int i, int j, float *out);

/* As otok_backend.snapshot; only with one rank. */
otok_status otok_bands_snapshot(otok_bands *bands, uint64_t which, float *const *maps,
                                otok_arrival *out);

/* ---- measures.c; all ranks call these together; results are of the whole grid ---- */

otok_status otok_bands_fastest(otok_bands *bands, float wave, float *out);
otok_status otok_bands_measure(otok_bands *bands, int buffer, otok_field_summary *out);
otok_status otok_bands_diagnose(otok_bands *bands, otok_diagnostics_request *request);
otok_status otok_bands_part(otok_bands *run, otok_bands *twin);
otok_status otok_bands_compare(otok_bands *run, otok_bands *twin, float lifted,
                               otok_audit_sums *out);
otok_status otok_bands_sums(otok_bands *bands, otok_sum *out); /* of OTOK_SUMS */
otok_status otok_bands_set_sums(otok_bands *bands, const otok_sum *in);

/* ---- exchange.c ---- */

/* Whether both bands of a transfer belong to this rank; how such a transfer begins and ends
   (otok_row_copies). */
int otok_bands_is_within(const otok_bands *bands, const otok_transfer *transfer);
otok_status otok_bands_copy(otok_bands *bands, const otok_transfer *transfer, otok_set buffers);
otok_status otok_bands_release(otok_bands *bands, const otok_transfer *transfer);

/* All ranks call these together with the same list. cross: the transfers between this rank and
   others; transfer: all. One thread of a rank carries them out. */
otok_status otok_bands_cross(otok_bands *bands, const otok_transfer *transfers, int n,
                             otok_set buffers);
otok_status otok_bands_transfer(otok_bands *bands, const otok_transfer *transfers, int n,
                                otok_set buffers);

/* The same within a rank, but the rows are added (otok_row_copies.add). */
otok_status otok_bands_add(otok_bands *bands, const otok_transfer *transfers, int n,
                           otok_set buffers);

/* Copies the shared rows of the stale ones among `buffers` from their owners. */
otok_status otok_bands_renew(otok_bands *bands, otok_set buffers);

/* ---- run.c; all ranks call these together ---- */

/* Makes a patch of the whole grid, at first or otok_bands_whole, unless it exists. */
otok_status otok_bands_make_whole(otok_bands *bands, int whole);

/* Decides how the bands run a program: `stretches`. */
otok_status otok_bands_choose(otok_bands *bands, const otok_program *program);

/* Runs a program, as otok_backend.run. */
otok_status otok_bands_run(otok_bands *bands, const otok_program *program,
                           const otok_coefficients *k, const otok_step *steps, int nsteps);

/* For tests: grids created from now on share `depth` rows and are cut at the rows `first`
   (otok_cut_make; NULL: evenly). */
void otok_bands_shape(int depth, const int *first);

#endif
