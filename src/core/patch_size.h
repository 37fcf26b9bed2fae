/* patch_size.h: how large a patch may be. Kernels index with int. A grid in bands may be larger,
   because each band is a patch. */
#ifndef OTOK_PATCH_SIZE_H
#define OTOK_PATCH_SIZE_H

#include "state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most numbers of a buffer of a patch. */
int64_t otok_patch_most(void);

/* The numbers that nx x ny cells count as: cells, padding of rows, ghosts, and the rows that a
   kernel may step past the end before it stops. */
int64_t otok_patch_numbers(int64_t nx, int64_t ny);

/* OTOK_USAGE: a patch of this size has too many. Backends check it before they allocate. */
otok_status otok_patch_check(const otok_view *view);

/* For tests: sets otok_patch_most; 0: to the usual. */
void otok_patch_limit(int64_t numbers);

#ifdef __cplusplus
}
#endif
#endif
