/* shallow.cu: stages 2 and 3 of hydraulic erosion under `law: shallow_water`. The physics is in
   model/shallow.h. The cell left of a face or below it keeps its speed. */
#include "batch.cuh"
#include "core/shallow_faces.h"
#include "model/water.h"

static __device__ inline void shallow_pull(const otok_view &v, int rows,
                                           otok_shallow_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    const otok_shallow_faces right = otok_shallow_of(&v, 0), top = otok_shallow_of(&v, 1);
    for (int at = w.first; at < w.end; at += w.step) {
        right.pulled[at] = otok_shallow_pulled(right, at, right.state[at], k);
        top.pulled[at] = otok_shallow_pulled(top, at, top.state[at], k);
    }
}

static __device__ inline void shallow_friction(const otok_view &v, int rows,
                                               otok_shallow_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    for (int at = w.first; at < w.end; at += w.step)
        for (int up = 0; up < 2; up++) {
            const otok_shallow_faces f = otok_shallow_of(&v, up);
            const otok_stream s = otok_shallow_stream(f, at, k);
            f.wanted[at] = s.speed;
            f.flux[at] = s.flow;
        }
}

static __device__ inline void shallow_surface(const otok_view &v, int rows,
                                              otok_water_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    const otok_shallow_faces right = otok_shallow_of(&v, 0), top = otok_shallow_of(&v, 1);
    otok_booking clamped = {0, 0};
    for (int at = w.first; at < w.end; at += w.step) {
        const otok_four face =
            otok_faces_limited(otok_faces_at(right.flux + at, top.flux + at, v.pitch),
                               otok_cross_at(right.limit + at, v.pitch));
        const otok_surface s =
            otok_water_surface(right.d1[at], otok_faces_out(face), otok_faces_in(face), k);
        right.passed[at] = face.right;
        top.passed[at] = face.top;
        right.speed[at] = otok_shallow_limited(right, at).speed;
        top.speed[at] = otok_shallow_limited(top, at).speed;
        v.at[OTOK_WATER][at] = s.d2;
        otok_booking_add(clamped, s.clamped);
    }
    otok_book(v.sums + OTOK_SUM_WATER_CLAMPED, clamped);
}

static __device__ inline void shallow_carry(const otok_view &v, int rows,
                                            otok_shallow_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    for (int at = w.first; at < w.end; at += w.step)
        for (int up = 0; up < 2; up++) {
            const otok_shallow_faces f = otok_shallow_of(&v, up);
            f.state[at] = otok_speed_carried(otok_shallow_passage(f, at, 0), k);
            v.at[up ? OTOK_VELOCITY_Y : OTOK_VELOCITY_X][at] = otok_shallow_speed(f, at, k);
        }
}

/* A function of a line of faces, and the kernels that call it: one thread a line; blockIdx.y is 0
   for those across, 1 for those up. `edges` has two bits a side. */
typedef void ends(otok_shallow_faces f, ptrdiff_t at, int n, int start, int end,
                  otok_shallow_coefficients k);

template <ends *ENDS>
static __device__ inline void shallow_ends(const otok_view &v, int edges,
                                           otok_shallow_coefficients k)
{
    const int along = (int)(blockIdx.x * blockDim.x + threadIdx.x), up = (int)blockIdx.y;
    if (along >= (up ? v.nx : v.ny)) return;
    ENDS(otok_shallow_of(&v, up), up ? along : along * v.pitch, up ? v.ny : v.nx,
         edges >> (up ? 2 * OTOK_BOTTOM : 2 * OTOK_LEFT) & 3,
         edges >> (up ? 2 * OTOK_TOP : 2 * OTOK_RIGHT) & 3, k);
}

template <ends *ENDS> static cudaError_t start_ends(const otok_launch *l)
{
    otok_launch along = otok_along_sides(l, 2);
    along.rows = 0;
    for (int side = 0; side < OTOK_SIDES; side++)
        along.rows |= l->patch->edges[side] << 2 * side;
    return otok_start<shallow_ends<ENDS>, otok_shallow_coefficients>(&along);
}

cudaError_t otok_cuda_shallow_pull(const otok_launch *l)
{
    return otok_start<shallow_pull, otok_shallow_coefficients>(l);
}

cudaError_t otok_cuda_shallow_pull_sides(const otok_launch *l)
{
    return start_ends<otok_shallow_ends_pulled>(l);
}

cudaError_t otok_cuda_shallow_friction(const otok_launch *l)
{
    return otok_start<shallow_friction, otok_shallow_coefficients>(l);
}

cudaError_t otok_cuda_shallow_friction_sides(const otok_launch *l)
{
    return start_ends<otok_shallow_ends_stream>(l);
}

cudaError_t otok_cuda_shallow_surface(const otok_launch *l)
{
    return otok_start<shallow_surface, otok_water_coefficients>(l);
}

cudaError_t otok_cuda_shallow_surface_sides(const otok_launch *l)
{
    return start_ends<otok_shallow_ends_limited>(l);
}

cudaError_t otok_cuda_shallow_carry(const otok_launch *l)
{
    return otok_start<shallow_carry, otok_shallow_coefficients>(l);
}

cudaError_t otok_cuda_shallow_carry_sides(const otok_launch *l)
{
    return start_ends<otok_shallow_ends_carried>(l);
}
