/* dams.cu: the faces of stage 2 of hydraulic erosion on which thin dams stand. The physics is in
   model/dams.h. */
#include "batch.cuh"
#include "core/dam_faces.h"

static __device__ inline void shallow_dams(const otok_view &v, int rows,
                                           otok_shallow_coefficients k)
{
    otok_walk_cells(v, rows, [&](int at) {
        otok_dam_pull(&v, 0, at, k);
        otok_dam_pull(&v, 1, at, k);
    });
}

static __device__ inline void shallow_dams_flow(const otok_view &v, int rows,
                                                otok_shallow_coefficients k)
{
    otok_walk_cells(v, rows, [&](int at) {
        otok_dam_stream(&v, 0, at, k);
        otok_dam_stream(&v, 1, at, k);
    });
}

template <int STEPS>
static __device__ inline void shallow_dams_carry(const otok_view &v, int rows,
                                                 otok_shallow_coefficients k)
{
    otok_walk_cells(v, rows, [&](int at) {
        otok_dam_carry(&v, 0, at, STEPS, k);
        otok_dam_carry(&v, 1, at, STEPS, k);
    });
}

/* TO: OTOK_PULLED_RIGHT or OTOK_FLUX_RIGHT; TO_TOP: along the other axis. */
template <int TO, int TO_TOP>
static __device__ inline void flux_dams(const otok_view &v, int rows, otok_pipe_coefficients k)
{
    otok_walk_cells(v, rows, [&](int at) {
        otok_dam_pipe(&v, 0, at, TO, k);
        otok_dam_pipe(&v, 1, at, TO_TOP, k);
    });
}

otok_launcher *const otok_cuda_shallow_dams = otok_start<shallow_dams, otok_shallow_coefficients>;
otok_launcher *const otok_cuda_shallow_dams_flow =
    otok_start<shallow_dams_flow, otok_shallow_coefficients>;
otok_launcher *const otok_cuda_shallow_dams_carry =
    otok_start<shallow_dams_carry<0>, otok_shallow_coefficients>;
otok_launcher *const otok_cuda_shallow_dams_steps =
    otok_start<shallow_dams_carry<1>, otok_shallow_coefficients>;
otok_launcher *const otok_cuda_flux_dams_pull =
    otok_start<flux_dams<OTOK_PULLED_RIGHT, OTOK_PULLED_TOP>, otok_pipe_coefficients>;
otok_launcher *const otok_cuda_flux_dams =
    otok_start<flux_dams<OTOK_FLUX_RIGHT, OTOK_FLUX_TOP>, otok_pipe_coefficients>;
