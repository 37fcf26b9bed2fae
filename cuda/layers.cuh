/* layers.cuh: what the stages over a ground in layers share. */
#ifndef OTOK_LAYERS_CUH
#define OTOK_LAYERS_CUH

#include "core/ground.h"
#include "model/layers.h"
#include "team.cuh"

/* Adds a thread's books to the grid's; all threads of the block call it together. */
static __device__ inline void otok_book_layers(const otok_view &v, const otok_layer_books &books, int n)
{
    for (int k = 0; k <= n; k++)
        otok_book(v.sums + OTOK_SUM_DEPOSITED + k, otok_booking{books.hi[k], books.lo[k]});
}

#endif
