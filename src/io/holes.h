/* holes.h: the cells of a grid without data in the rasters it was made from. They are walls
   (core/walls.h); exported rasters have no data there again. */
#ifndef OTOK_HOLES_H
#define OTOK_HOLES_H

#include "../otok.h"

/* Runs of such cells in the order of memory: first cell and length, ascending. */
typedef struct otok_holes {
    int64_t n, *runs; /* n runs, 2 n numbers, malloc'd */
} otok_holes;

/* From a map with a 1 per cell without data. OTOK_NOMEM: *out is empty. */
otok_status otok_holes_find(otok_holes *out, const unsigned char *map, int64_t cells);
/* Adds those of a map, in which it marks the others. */
otok_status otok_holes_join(otok_holes *to, unsigned char *map, int64_t cells);
/* Marks them in such a map. */
void otok_holes_mark(const otok_holes *holes, unsigned char *map);
int otok_holes_have(const otok_holes *holes, int64_t cell);
int64_t otok_holes_count(const otok_holes *holes);                   /* of the cells */
otok_status otok_holes_copy(otok_holes *to, const otok_holes *from); /* destroys `to` first */
void otok_holes_destroy(otok_holes *holes);

/* Are the runs ascending and within the cells? For holes from files. */
int otok_holes_are_good(const otok_holes *holes, int64_t cells);

/* A malloc'd copy of a map with NaN in the holes. */
otok_status otok_holes_put(float **out, const float *map, int64_t cells, const otok_holes *holes);

#endif
