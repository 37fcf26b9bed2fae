/* transport.cu: the bookings of what leaves over open edges. */
#include "batch.cuh"
#include "core/cell.h"
#include "core/shallow_faces.h"

static __device__ inline float kept(const otok_view *v, int side, ptrdiff_t at)
{
    return v->at[OTOK_OUTFLOW_LEFT + side][at];
}

/* One thread per cell along a side; blockIdx.y is the side. OUT: what leaves over it [m^3/s]. */
template <float (*OUT)(const otok_view *, int, ptrdiff_t)>
static __device__ inline void loss(const otok_view &v, int edges, otok_transport_coefficients k)
{
    const int side = (int)blockIdx.y, along = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const bool upright = side == OTOK_LEFT || side == OTOK_RIGHT;
    otok_booking water = {0, 0}, entered = {0, 0}, sediment = {0, 0};
    const int i = side == OTOK_LEFT ? 0 : side == OTOK_RIGHT ? v.nx - 1 : along;
    const int j = side == OTOK_BOTTOM ? 0 : side == OTOK_TOP ? v.ny - 1 : along;
    const bool own = j >= v.shared[0] && j < v.ny - v.shared[1];
    if (otok_edge_of(edges, side) == OTOK_OPEN && along < (upright ? v.ny : v.nx) && own) {
        const int at = j * (int)v.pitch + i;
        const float f = OUT(&v, side, at);
        otok_booking_add(water, k.dt_l2 * otok_positive(f));
        otok_booking_add(entered, k.dt_l2 * otok_positive(-f));
        if (k.conservative)
            otok_booking_add(sediment,
                             otok_load(v.at[OTOK_SEDIMENT][at], v.at[OTOK_WATER_NEXT][at], k) *
                                 otok_positive(f));
    }
    otok_book(v.sums + OTOK_SUM_WATER_OUT, water);
    otok_book(v.sums + OTOK_SUM_WATER_ENTERED, entered);
    otok_book(v.sums + OTOK_SUM_SEDIMENT_OUT, sediment);
}

otok_launcher *const otok_cuda_edge_loss =
    otok_start_along<OTOK_SIDES, loss<kept>, otok_transport_coefficients>;
otok_launcher *const otok_cuda_shallow_loss =
    otok_start_along<OTOK_SIDES, loss<otok_shallow_out>, otok_transport_coefficients>;
