/* bands.h: a grid as a stack of bands of whole rows, each a patch of an inner backend, on one device or on several. To all above it
   is one patch. Private to bands/. */
#ifndef OTOK_BANDS_H
#define OTOK_BANDS_H

#include "../core/backend.h"
#include "cut.h"
#include "stretch.h"

enum { OTOK_BANDS_DEPTH = 32 }; /* rows that neighbouring bands share; see README of cuda/ for how it was chosen */

/* otok_patch.own of a grid in bands. */
typedef struct otok_bands {
    const otok_backend *inner;
    int devices; /* of the inner backend that bands are shared out to; 0: it has none to choose from */
    otok_cut cut;
    otok_patch *patches;  /* one a band                                               */
    int depth;            /* rows that they share at most                             */
    uint64_t present;     /* bits of the buffers that there are                       */
    uint64_t stale;       /* bits of buffers whose shared rows are not what their owner has */
    otok_program program; /* that `stretches` are of */
    otok_stretches stretches;
    int max_steps;
    otok_patch whole; /* the grid in one piece, for stages that cannot be cut; own == NULL until one comes */
} otok_bands;

static inline otok_bands *otok_bands_of_patch(const otok_patch *patch)
{
    return patch->own;
}

/* Makes the device of a band the calling thread's. */
otok_status otok_bands_enter(const otok_bands *bands, int band);

/* Renews the shared rows of the stale ones among `buffers`. */
otok_status otok_bands_renew(otok_bands *bands, uint64_t buffers);

/* Makes the patch of the grid in one piece, where it is not there. */
otok_status otok_bands_whole(otok_bands *bands, const otok_patch *patch);

/* For tests: grids that are created from now on share so many rows, and are cut where `first` says (otok_cut_make; NULL: evenly).
 */
void otok_bands_shape(int depth, const int *first);

/* otok_backend.run, of a patch in bands. */
otok_status otok_bands_run(otok_patch *patch, const otok_program *program, const otok_coefficients *k, const otok_step *steps,
                           int nsteps);

#endif
