/* diagnostics_rows.h: the diagnostics of a whole patch on the host, row by row in vectors. The
   integers are those of core/diagnostics.h, cell by cell. */
#ifndef OTOK_DIAGNOSTICS_ROWS_H
#define OTOK_DIAGNOSTICS_ROWS_H

#include "backend.h"

/* The room that rows of nx cells need [floats]. */
size_t otok_diagnostics_room(int nx);

/* Adds to *out, which the caller zeroed: the results of otok_diagnostics_at in all cells, the
   stocks, and the number of values that are not finite in the n maps `all`. These are [ny][nx]
   and include the maps of `m`. Renews m->before. */
void otok_diagnostics_rows(otok_diagnostics_result *out, const otok_diagnostics_maps *m,
                           const float *const *all, int n, float *room);

/* The first does the same for rows y0 <= y < y1. The second adds the results of other rows, in
   any order. */
void otok_diagnostics_some_rows(otok_diagnostics_result *out, const otok_diagnostics_maps *m,
                                const float *const *all, int n, float *room, int y0, int y1);
void otok_diagnostics_join(otok_diagnostics_result *out, const otok_diagnostics_result *more);

#endif
