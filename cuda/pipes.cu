/* pipes.cu: stages 2, 3 and 5 of hydraulic erosion with signed pipes. The physics is in
   model/pipes.h. The cell left of a pipe or below it holds the pipe. */
#include "batch.cuh"
#include "core/cell.h"

template <auto CELL>
static __device__ inline void each(const otok_view &v, int rows, otok_pipe_coefficients k)
{
    otok_walk_cells(v, rows, [&](int at) { CELL(&v, at, k); });
}

static __device__ inline void flux_pull(const otok_view &v, int rows, otok_pipe_coefficients k)
{
    k.lean_wave = 0.0f; /* as in all phases with this stage; the compiler sees it */
    each<otok_cell_pull>(v, rows, k);
}

/* Calls a function of a line of cells: one thread a line; blockIdx.y is 0 for those across, 1 for
   those up. */
template <auto FUNCTION>
static __device__ inline void line_ends(const otok_view &v, int edges, otok_pipe_coefficients k)
{
    const int along = (int)(blockIdx.x * blockDim.x + threadIdx.x), up = (int)blockIdx.y;
    if (along >= (up ? v.nx : v.ny)) return;
    const int at = up ? along : along * (int)v.pitch;
    FUNCTION(&v,
             otok_pipe_line_of(&v, up, at, otok_edge_of(edges, up ? OTOK_BOTTOM : OTOK_LEFT),
                               otok_edge_of(edges, up ? OTOK_TOP : OTOK_RIGHT)),
             at, OTOK_LINE_START | OTOK_LINE_END, k);
}

template <auto FUNCTION> static cudaError_t start_line_ends(const otok_launch *l)
{
    return otok_start_along<2, line_ends<FUNCTION>, otok_pipe_coefficients>(l);
}

/* The cell of a thread at the open left or bottom side, which blockIdx.y selects; -1: none. */
static __device__ inline ptrdiff_t entry_of(const otok_view &v, int edges, int *side)
{
    const int along = (int)(blockIdx.x * blockDim.x + threadIdx.x), left = blockIdx.y == 0;
    *side = left ? OTOK_LEFT : OTOK_BOTTOM;
    if (otok_edge_of(edges, *side) != OTOK_OPEN || along >= (left ? v.ny : v.nx)) return -1;
    return left ? along * v.pitch : along;
}

static __device__ inline void flux_out(const otok_view &v, int edges)
{
    int side;
    const ptrdiff_t at = entry_of(v, edges, &side);
    if (at >= 0) otok_cell_leave(&v, side, at);
}

static __device__ inline void flux_surface(const otok_view &v, int rows, otok_water_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    otok_booking clamped = {0, 0};
    for (int at = w.first; at < w.end; at += w.step)
        otok_booking_add(clamped, otok_cell_flux_surface(&v, at, otok_walk_phase(v, w, at), k));
    otok_book(v.sums + OTOK_SUM_WATER_CLAMPED, clamped);
}

otok_launcher *const otok_cuda_flux_pull = otok_start<flux_pull, otok_pipe_coefficients>;
otok_launcher *const otok_cuda_flux_courant =
    otok_start<each<otok_cell_pull>, otok_pipe_coefficients>;
otok_launcher *const otok_cuda_flux_sides = start_line_ends<otok_pipe_line_sides>;
otok_launcher *const otok_cuda_flux_steps =
    otok_start<each<otok_cell_steps>, otok_pipe_coefficients>;
otok_launcher *const otok_cuda_flux_steps_sides = start_line_ends<otok_pipe_line_steps>;
otok_launcher *const otok_cuda_flux_hold = otok_start<each<otok_cell_hold>, otok_pipe_coefficients>;
otok_launcher *const otok_cuda_flux_friction =
    otok_start<each<otok_cell_slow>, otok_pipe_coefficients>;
otok_launcher *const otok_cuda_flux = otok_start<each<otok_cell_flux>, otok_pipe_coefficients>;
otok_launcher *const otok_cuda_flux_edge = start_line_ends<otok_pipe_line_edge>;
otok_launcher *const otok_cuda_flux_limit =
    otok_start<each<otok_cell_limit>, otok_pipe_coefficients>;
otok_launcher *const otok_cuda_flux_surface = otok_start<flux_surface, otok_water_coefficients>;
otok_launcher *const otok_cuda_flux_out = otok_start_along<2, flux_out>;
