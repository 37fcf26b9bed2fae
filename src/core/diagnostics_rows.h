/* diagnostics_rows.h: the diagnostics of a whole patch on the host, row by row in vectors; the same
   integers as core/diagnostics.h cell by cell. */
#ifndef OTOK_DIAGNOSTICS_ROWS_H
#define OTOK_DIAGNOSTICS_ROWS_H

#include "backend.h"

/* Floats of room that rows of nx cells need. */
size_t otok_diagnostics_room(int nx);

/* Adds to *out, which is 0 at first: what otok_diagnostics_at finds in all cells, the stocks, and
   what is not finite in the n maps of `all`, each [ny][nx] as those of `m`, among which they are.
   Renews m->before and m->was. */
void otok_diagnostics_rows(otok_diagnostics_result *out, const otok_diagnostics_maps *m,
                           const float *const *all, int n, float *room);

/* The same of rows y0 <= y < y1; and what is found in other rows added, in any order. */
void otok_diagnostics_some_rows(otok_diagnostics_result *out, const otok_diagnostics_maps *m,
                                const float *const *all, int n, float *room, int y0, int y1);
void otok_diagnostics_join(otok_diagnostics_result *out, const otok_diagnostics_result *more);

#endif
