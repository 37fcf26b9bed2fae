/* transport.cu: stages 5 and 6, transport of sediment, and the bookings of what leaves over open
   edges. The physics is in model/transport.h. */
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

static __device__ inline void transport(const otok_view &v, int rows, otok_transport_coefficients k)
{
    otok_walk_cells(v, rows, [&](int at) {
        v.at[OTOK_SEDIMENT_NEXT][at] =
            otok_transport(v.at[OTOK_SEDIMENT][at], otok_load_around(&v, at, k),
                           otok_outflow_from(&v, at), otok_outflow_into(&v, at));
    });
}

static __device__ inline void advection(const otok_view &v, int rows, otok_transport_coefficients k)
{
    otok_walk_booked<OTOK_SEDIMENT>(v, rows, OTOK_SUM_DRIFT, 1, [&](int at) {
        return v.at[OTOK_SEDIMENT_NEXT][at] =
                   otok_advection(otok_moore_at(v.at[OTOK_SEDIMENT] + at, v.pitch),
                                  v.at[OTOK_VELOCITY_X][at], v.at[OTOK_VELOCITY_Y][at], k);
    });
}

static __device__ inline void mix(const otok_view &v, int rows, otok_transport_coefficients k)
{
    otok_walk_booked<OTOK_SEDIMENT>(v, rows, OTOK_SUM_DIFFUSED, 1, [&](int at) {
        return v.at[OTOK_SEDIMENT_NEXT][at] = otok_mix(otok_cross_of(&v, OTOK_SEDIMENT, at),
                                                       otok_cross_of(&v, OTOK_WATER, at), k);
    });
}

static __device__ inline void diffusion(const otok_view &v, int rows, otok_transport_coefficients k)
{
    otok_walk_cells(v, rows, [&](int at) {
        v.at[OTOK_SEDIMENT_NEXT][at] = otok_diffusion(otok_cross_of(&v, OTOK_SEDIMENT, at),
                                                      otok_cross_of(&v, OTOK_WATER, at), k);
    });
}

otok_launcher *const otok_cuda_edge_loss =
    otok_start_along<OTOK_SIDES, loss<kept>, otok_transport_coefficients>;
otok_launcher *const otok_cuda_shallow_loss =
    otok_start_along<OTOK_SIDES, loss<otok_shallow_out>, otok_transport_coefficients>;
otok_launcher *const otok_cuda_transport = otok_start<transport, otok_transport_coefficients>;
otok_launcher *const otok_cuda_advection = otok_start<advection, otok_transport_coefficients>;
otok_launcher *const otok_cuda_mix = otok_start<mix, otok_transport_coefficients>;
otok_launcher *const otok_cuda_diffusion = otok_start<diffusion, otok_transport_coefficients>;
