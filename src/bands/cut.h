/* cut.h: how a grid is cut into bands of whole rows, and which rows each band takes from which
   other. It knows only sizes. */
#ifndef OTOK_CUT_H
#define OTOK_CUT_H

#include "../otok.h"

/* Rows that one band takes from another. Rows are counted in their patches. */
typedef struct otok_transfer {
    int to, to_row, from, from_row, rows; /* to, from: bands */
} otok_transfer;

typedef struct otok_cut {
    int count;    /* bands */
    int *first;   /* count + 1: band b owns rows first[b] <= row < first[b + 1] of the grid */
    int *below;   /* of each band: rows of others that it also computes, below ... */
    int *above;   /* ... and above its own */
    int periodic; /* the last band lies below the first */
    int ntransfers;
    otok_transfer *transfers; /* that renew all shared rows */
} otok_cut;

/* Cuts `rows` rows into `count` bands, 1 <= count <= rows. Neighbours share `depth` rows, or all
   rows that there are up to the end of a grid that is not periodic. first: where bands begin,
   count + 1 increasing numbers from 0 to rows; NULL: bands of equal height. The caller frees the
   cut with otok_cut_destroy, after a failure too. OTOK_NOMEM. */
otok_status otok_cut_make(otok_cut *out, int rows, int count, const int *first, int depth,
                          int periodic);
void otok_cut_destroy(otok_cut *cut);

/* Rows of a band's patch: its own and those that it shares. */
int otok_cut_height(const otok_cut *cut, int band);

#endif
