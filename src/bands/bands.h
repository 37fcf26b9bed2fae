/* bands.h: a grid as a stack of bands of whole rows, each a patch of an inner backend: on one
   device or several, of this process or of others (ranks.h). To all above it is one patch. Private
   to bands/. */
#ifndef OTOK_BANDS_H
#define OTOK_BANDS_H

#include "../core/backend.h"
#include "cut.h"
#include "stretch.h"

enum { OTOK_BANDS_DEPTH = 64 }; /* rows that neighbouring bands share */

/* otok_patch.own of a grid in bands, on every rank. */
typedef struct otok_bands {
    int id; /* the same on all ranks */
    const otok_backend *inner;
    otok_cut cut;
    int mine, upto; /* bands mine <= band < upto are this rank's */
    int device,
        devices; /* its devices, from the first on; 0: the inner backend has none to choose from */
    int depth;   /* rows that bands share at most   */
    otok_patch
        *patches; /* one a band, of other ranks without memory; then the whole grid in one piece,
                     for stages that cannot be cut: on rank 0, once such a stage came */
    uint64_t present;     /* bits of the buffers that there are     */
    uint64_t stale;       /* bits of buffers whose shared rows are not what their owner has       */
    otok_program program; /* that `stretches` are of */
    otok_stretches stretches;
} otok_bands;

static inline otok_bands *otok_bands_of_patch(const otok_patch *patch)
{
    return (otok_bands *)patch->own;
}

/* The whole grid, as if it were a band. */
static inline int otok_bands_whole(const otok_bands *bands)
{
    return bands->cut.count;
}

/* The rank that has a band. */
int otok_bands_owner(const otok_bands *bands, int band);

/* Makes the device of a band of this rank the calling thread's. */
otok_status otok_bands_enter(const otok_bands *bands, int band);

static inline int otok_bands_is_mine(const otok_bands *bands, int band)
{
    return band >= bands->mine && band < bands->upto;
}

/* A call of the inner backend for each band of this rank, on its device. */
#define OTOK_FOR_MINE(b, n, call)                                                                  \
    for (int n = (b)->mine; n < (b)->upto; n++) {                                                  \
        OTOK_TRY(otok_bands_enter(b, n));                                                          \
        OTOK_TRY((b)->inner->call);                                                                \
    }

/* ---- backend.c ---- */

/* otok_backend.create for `count` bands of an inner backend; and the other calls that a patch in
 * bands has. */
otok_status otok_bands_create(const otok_backend *inner, int count, otok_patch *patch,
                              uint64_t needed, int max_steps);
extern const otok_backend otok_bands_calls;

/* ---- build.c ---- */

/* Cuts a grid like `like` into `most` bands, or as many as it has rows, at the rows `first`
   (otok_cut_make; NULL: evenly), and creates those of this rank with the buffers `present`.
   `inner`, `depth` and `present` are set. After a failure some are there. */
otok_status otok_bands_build(otok_bands *bands, const otok_patch *like, int most, const int *first,
                             int max_steps);

/* ---- maps.c; all ranks call put, get and cell together ---- */

/* The map is dense, [ny][nx], and NULL on other ranks than 0. */
otok_status otok_bands_put(otok_bands *bands, int buffer, const float *map);
otok_status otok_bands_get(otok_bands *bands, int buffer, float *map);
otok_status otok_bands_cell(otok_bands *bands, int buffer, int i, int j, float *out);

/* As otok_backend.snapshot, where there is one rank. */
otok_status otok_bands_snapshot(otok_bands *bands, uint64_t which, float *const *maps,
                                otok_arrival *out);

/* ---- measures.c; all ranks call these together; results are of the whole grid ---- */

otok_status otok_bands_measure(otok_bands *bands, int buffer, otok_field_summary *out);
otok_status otok_bands_diagnose(otok_bands *bands, otok_diagnostics_request *request);
otok_status otok_bands_sums(otok_bands *bands, otok_sum *out); /* of OTOK_SUMS */
otok_status otok_bands_set_sums(otok_bands *bands, const otok_sum *in);

/* ---- run.c; all ranks call these together ---- */

/* Renews the shared rows of the stale ones among `buffers`. */
otok_status otok_bands_renew(otok_bands *bands, uint64_t buffers);

/* Makes the patch of the whole grid, where it is not there. */
otok_status otok_bands_make_whole(otok_bands *bands);

/* Runs a program, as otok_backend.run. */
otok_status otok_bands_run(otok_bands *bands, const otok_program *program,
                           const otok_coefficients *k, const otok_step *steps, int nsteps);

/* For tests: grids that are created from now on share so many rows, and are cut where `first` says
 * (otok_cut_make; NULL: evenly).
 */
void otok_bands_shape(int depth, const int *first);

#endif
