/* shallow.cu: stages 2 and 3 of hydraulic erosion under `law: shallow_water`. The physics is in
   model/shallow.h. The cell left of a face or below it keeps its speed. */
#include "batch.cuh"
#include "core/shallow_faces.h"

/* Calls a function of the face after each cell along x, then along y. */
template <class FACE>
static __device__ inline void each_face(const otok_view &v, int rows, FACE face)
{
    otok_walk_cells(v, rows, [&](int at) {
        for (int up = 0; up < 2; up++)
            face(otok_shallow_of(&v, up), at, up);
    });
}

template <int TO_SPEEDS>
static __device__ inline void turn(const otok_view &v, int rows, otok_shallow_coefficients k)
{
    if (!v.steps[*v.now].turns) return;
    each_face(v, rows, [&](const otok_shallow_faces &f, int at, int) {
        otok_shallow_turn(f, at, TO_SPEEDS, k);
    });
}

static __device__ inline void shallow_pull(const otok_view &v, int rows,
                                           otok_shallow_coefficients k)
{
    const otok_shallow_faces right = otok_shallow_of(&v, 0), top = otok_shallow_of(&v, 1);
    otok_walk_cells(v, rows, [&](int at) {
        otok_shallow_pull(right, at, right.state[at], k);
        otok_shallow_pull(top, at, top.state[at], k);
    });
}

static __device__ inline void shallow_friction(const otok_view &v, int rows,
                                               otok_shallow_coefficients k)
{
    each_face(v, rows, [&](const otok_shallow_faces &f, int at, int) {
        otok_shallow_brake(f, at, otok_shallow_at(f, at, k));
    });
}

static __device__ inline void shallow_slopes(const otok_view &v, int rows)
{
    each_face(v, rows,
              [&](const otok_shallow_faces &f, int at, int) { otok_shallow_slope(f, at); });
}

static __device__ inline void shallow_hold(const otok_view &v, int rows,
                                           otok_shallow_coefficients k)
{
    each_face(v, rows, [&](const otok_shallow_faces &f, int at, int) {
        otok_shallow_hold(f, at, 0, otok_shallow_at(f, at, k));
    });
}

static __device__ inline void shallow_surface(const otok_view &v, int rows,
                                              otok_water_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    otok_booking clamped = {0, 0};
    for (int at = w.first; at < w.end; at += w.step)
        otok_booking_add(clamped, otok_shallow_surface(&v, at, otok_walk_phase(v, w, at), k));
    otok_book(v.sums + OTOK_SUM_WATER_CLAMPED, clamped);
}

/* CARRIED: the speed of a face; SPEED: that of a cell. */
template <auto CARRIED, auto SPEED>
static __device__ inline void carry(const otok_view &v, int rows, otok_shallow_coefficients k)
{
    each_face(v, rows, [&](const otok_shallow_faces &f, int at, int up) {
        f.state[at] = CARRIED(f, at, 0, otok_shallow_at(f, at, k));
        v.at[up ? OTOK_VELOCITY_Y : OTOK_VELOCITY_X][at] = SPEED(f, at, k);
    });
}

/* Calls a function of a line of faces: one thread per line; blockIdx.y is 0 for those across, 1 for
   those up. */
template <auto FUNCTION>
static __device__ inline void ends(const otok_view &v, int edges, otok_shallow_coefficients k)
{
    const int along = (int)(blockIdx.x * blockDim.x + threadIdx.x), up = (int)blockIdx.y;
    if (along >= (up ? v.nx : v.ny)) return;
    FUNCTION(otok_shallow_of(&v, up), up ? along : along * v.pitch, up ? v.ny : v.nx,
             otok_edge_of(edges, up ? OTOK_BOTTOM : OTOK_LEFT),
             otok_edge_of(edges, up ? OTOK_TOP : OTOK_RIGHT), k);
}

template <auto FUNCTION> static cudaError_t start_ends(const otok_launch *l)
{
    return otok_start_along<2, ends<FUNCTION>, otok_shallow_coefficients>(l);
}

otok_launcher *const otok_cuda_shallow_begin = otok_start<turn<1>, otok_shallow_coefficients>;
otok_launcher *const otok_cuda_shallow_end = otok_start<turn<0>, otok_shallow_coefficients>;
otok_launcher *const otok_cuda_shallow_pull = otok_start<shallow_pull, otok_shallow_coefficients>;
otok_launcher *const otok_cuda_shallow_pull_sides = start_ends<otok_shallow_ends_pulled>;
otok_launcher *const otok_cuda_shallow_friction =
    otok_start<shallow_friction, otok_shallow_coefficients>;
otok_launcher *const otok_cuda_shallow_slopes = otok_start<shallow_slopes>;
otok_launcher *const otok_cuda_shallow_slopes_sides = start_ends<otok_shallow_ends_sloped>;
otok_launcher *const otok_cuda_shallow_hold = otok_start<shallow_hold, otok_shallow_coefficients>;
otok_launcher *const otok_cuda_shallow_friction_sides = start_ends<otok_shallow_ends_stream>;
otok_launcher *const otok_cuda_shallow_surface =
    otok_start<shallow_surface, otok_water_coefficients>;
otok_launcher *const otok_cuda_shallow_surface_sides = start_ends<otok_shallow_ends_limited>;
otok_launcher *const otok_cuda_shallow_carry =
    otok_start<carry<otok_shallow_carried, otok_shallow_speed>, otok_shallow_coefficients>;
otok_launcher *const otok_cuda_shallow_carry_steps =
    otok_start<carry<otok_shallow_carried_over_steps, otok_shallow_speed_by_flow>,
               otok_shallow_coefficients>;
otok_launcher *const otok_cuda_shallow_carry_sides = start_ends<otok_shallow_ends_carried>;
