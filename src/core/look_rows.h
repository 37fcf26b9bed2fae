/* look_rows.h: a look at a whole patch on the host, row by row in vectors; the same integers as core/look.h cell by cell. */
#ifndef OTOK_LOOK_ROWS_H
#define OTOK_LOOK_ROWS_H

#include "backend.h"

/* Floats of room that rows of nx cells need. */
size_t otok_look_room(int nx);

/* Adds to *out, which is 0 at first: what otok_look_at finds in all cells, the stocks, and what is not finite in the n maps of
   `all`, each [ny][nx] as those of `m`, among which they are. Renews m->before and m->was. */
void otok_look_rows(otok_findings *out, const otok_look_maps *m, const float *const *all, int n, float *room);

/* The same of rows y0 <= y < y1; and what is found in other rows added, in any order. */
void otok_look_some_rows(otok_findings *out, const otok_look_maps *m, const float *const *all, int n, float *room, int y0, int y1);
void otok_look_join(otok_findings *out, const otok_findings *more);

#endif
