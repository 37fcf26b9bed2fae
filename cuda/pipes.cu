/* pipes.cu: stages 2, 3 and 5 of hydraulic erosion with signed pipes. The physics is in
   model/pipes.h. The cell left of a pipe or below it holds the pipe. */
#include "batch.cuh"
#include "core/pipe_sides.h"
#include "model/pipes.h"
#include "model/transport.h"
#include "model/water.h"

static __device__ inline otok_column column(const otok_view &v, int at)
{
    otok_column c;
    c.h = v.at[OTOK_TERRAIN_BASE][at] + v.at[OTOK_TERRAIN_CHANGE][at];
    c.d1 = v.at[OTOK_WATER_NEXT][at];
    return c;
}

static __device__ inline void pull(const otok_view &v, int rows, otok_pipe_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    const int pitch = (int)v.pitch;
    const float *right = v.at[OTOK_OUTFLOW_RIGHT], *top = v.at[OTOK_OUTFLOW_TOP];
    for (int at = w.first; at < w.end; at += w.step) {
        const otok_column here = column(v, at);
        v.at[OTOK_PULLED_RIGHT][at] =
            otok_pipe_moved(right[at - 1], right[at], right[at + 1], here, column(v, at + 1), k);
        v.at[OTOK_PULLED_TOP][at] = otok_pipe_moved(top[at - pitch], top[at], top[at + pitch], here,
                                                    column(v, at + pitch), k);
    }
}

static __device__ inline void flux_pull(const otok_view &v, int rows, otok_pipe_coefficients k)
{
    k.lean_wave = 0.0f; /* as in all phases with this stage; the compiler sees it */
    pull(v, rows, k);
}

/* One thread a line of cells; blockIdx.y is 0 for those across, 1 for those up. */
static __device__ inline void flux_sides(const otok_view &v, int edges, otok_pipe_coefficients k)
{
    const int along = (int)(blockIdx.x * blockDim.x + threadIdx.x), up = (int)blockIdx.y;
    if (along >= (up ? v.nx : v.ny)) return;
    const ptrdiff_t at = up ? along : along * v.pitch;
    otok_pipe_line l;
    l.flow = v.at[up ? OTOK_OUTFLOW_TOP : OTOK_OUTFLOW_RIGHT] + at;
    l.back = v.at[up ? OTOK_OUTFLOW_BOTTOM : OTOK_OUTFLOW_LEFT] + at;
    l.base = v.at[OTOK_TERRAIN_BASE] + at;
    l.change = v.at[OTOK_TERRAIN_CHANGE] + at;
    l.d1 = v.at[OTOK_WATER_NEXT] + at;
    l.pulled = v.at[up ? OTOK_PULLED_TOP : OTOK_PULLED_RIGHT] + at;
    l.step = up ? v.pitch : 1;
    l.n = up ? v.ny : v.nx;
    l.start = otok_edge_of(edges, up ? OTOK_BOTTOM : OTOK_LEFT);
    l.end = otok_edge_of(edges, up ? OTOK_TOP : OTOK_RIGHT);
    l.walls = v.at[OTOK_WALLS] ? v.at[OTOK_WALLS] + at : nullptr;
    otok_pipe_line_start(l, k);
    otok_pipe_line_end(l, k);
}

static __device__ inline void flux(const otok_view &v, int rows, otok_pipe_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    for (int at = w.first; at < w.end; at += w.step) {
        const otok_column here = column(v, at), right = column(v, at + 1),
                          top = column(v, at + (int)v.pitch);
        v.at[OTOK_FLUX_RIGHT][at] =
            otok_pipe(v.at[OTOK_OUTFLOW_RIGHT][at], here, right, otok_pipe_at(&v, at, 1, k));
        v.at[OTOK_FLUX_TOP][at] =
            otok_pipe(v.at[OTOK_OUTFLOW_TOP][at], here, top, otok_pipe_at(&v, at, v.pitch, k));
    }
}

static __device__ inline void flux_friction(const otok_view &v, int rows, otok_pipe_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    const int up = (int)v.pitch;
    const float *right = v.at[OTOK_PULLED_RIGHT], *top = v.at[OTOK_PULLED_TOP];
    for (int at = w.first; at < w.end; at += w.step) {
        const otok_column here = column(v, at);
        const float y = top[at - up] + top[at], y_right = top[at + 1 - up] + top[at + 1];
        const float x = right[at - 1] + right[at], x_above = right[at - 1 + up] + right[at + up];
        v.at[OTOK_FLUX_RIGHT][at] =
            otok_pipe_slowed(right[at], v.at[OTOK_OUTFLOW_RIGHT][at], y, y_right,
                             otok_face_depth(here, column(v, at + 1)), otok_pipe_at(&v, at, 1, k));
        v.at[OTOK_FLUX_TOP][at] = otok_pipe_slowed(top[at], v.at[OTOK_OUTFLOW_TOP][at], x, x_above,
                                                   otok_face_depth(here, column(v, at + up)),
                                                   otok_pipe_at(&v, at, up, k));
    }
}

/* A pipe that enters a cell at the open left or bottom side: the ghost before the cell holds it,
   and the cell holds it as an outflow. */
typedef struct entry {
    int outflow, flux, at, step;
    bool here;
} entry;

/* One thread a cell along a side; blockIdx.y is 0 for the left side, 1 for the bottom side. */
static __device__ inline entry entry_of(const otok_view &v, int edges)
{
    const int along = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    entry e;
    if (blockIdx.y == 0)
        e = {OTOK_OUTFLOW_LEFT, OTOK_FLUX_RIGHT, along * (int)v.pitch, 1,
             otok_edge_of(edges, OTOK_LEFT) == OTOK_OPEN && along < v.ny};
    else
        e = {OTOK_OUTFLOW_BOTTOM, OTOK_FLUX_TOP, along, (int)v.pitch,
             otok_edge_of(edges, OTOK_BOTTOM) == OTOK_OPEN && along < v.nx};
    return e;
}

static __device__ inline void flux_edge(const otok_view &v, int edges, otok_pipe_coefficients k)
{
    const entry e = entry_of(v, edges);
    if (!e.here) return;
    const bool left = blockIdx.y == 0;
    const int before = left ? (int)v.pitch : 1;
    const otok_column ghost = column(v, e.at - e.step), cell = column(v, e.at);
    const float *across = v.at[left ? OTOK_PULLED_TOP : OTOK_PULLED_RIGHT] + e.at;
    const float f = -v.at[e.outflow][e.at],
                after = v.at[left ? OTOK_OUTFLOW_RIGHT : OTOK_OUTFLOW_TOP][e.at];
    const float pulled = otok_pipe_moved(f, f, after, ghost, cell, k);
    v.at[e.flux][e.at - e.step] = otok_pipe_slowed(
        pulled, f, across[-e.step - before] + across[-e.step], across[-before] + across[0],
        otok_face_depth(ghost, cell), otok_pipe_at(&v, e.at - e.step, e.step, k));
}

static __device__ inline void flux_limit(const otok_view &v, int rows, otok_pipe_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    for (int at = w.first; at < w.end; at += w.step) {
        const otok_four face =
            otok_faces_at(v.at[OTOK_FLUX_RIGHT] + at, v.at[OTOK_FLUX_TOP] + at, v.pitch);
        v.at[OTOK_FLUX_LIMIT][at] =
            otok_pipe_limit(v.at[OTOK_WATER_NEXT][at], otok_faces_out(face), k);
    }
}

/* The flow through the faces of a cell, after the limiter. */
static __device__ inline otok_four faces(const otok_view &v, int at)
{
    const otok_four wanted =
        otok_faces_at(v.at[OTOK_FLUX_RIGHT] + at, v.at[OTOK_FLUX_TOP] + at, v.pitch);
    return otok_faces_limited(wanted, otok_cross_at(v.at[OTOK_FLUX_LIMIT] + at, v.pitch));
}

static __device__ inline void flux_surface(const otok_view &v, int rows, otok_water_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    otok_booking clamped = {0, 0};
    for (int at = w.first; at < w.end; at += w.step) {
        const otok_four face = faces(v, at);
        const otok_surface s = otok_water_surface(v.at[OTOK_WATER_NEXT][at], otok_faces_out(face),
                                                  otok_faces_in(face), k);
        v.at[OTOK_OUTFLOW_RIGHT][at] = face.right;
        v.at[OTOK_OUTFLOW_TOP][at] = face.top;
        v.at[OTOK_WATER][at] = s.d2;
        v.at[OTOK_VELOCITY_X][at] = s.u;
        v.at[OTOK_VELOCITY_Y][at] = s.w;
        otok_booking_add(clamped, s.clamped);
    }
    otok_book(v.sums + OTOK_SUM_WATER_CLAMPED, clamped);
}

static __device__ inline void flux_out(const otok_view &v, int edges)
{
    const entry e = entry_of(v, edges);
    if (!e.here) return;
    const float *limit = v.at[OTOK_FLUX_LIMIT] + e.at;
    v.at[e.outflow][e.at] =
        0.0f - otok_face_limited(v.at[e.flux][e.at - e.step], limit[-e.step], limit[0]);
}

static __device__ inline void flux_transport(const otok_view &v, int rows,
                                             otok_transport_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    for (int at = w.first; at < w.end; at += w.step) {
        const otok_four face = faces(v, at);
        const otok_cross s = otok_cross_at(v.at[OTOK_SEDIMENT] + at, v.pitch);
        const otok_cross load =
            otok_load_cross(s, otok_cross_at(v.at[OTOK_WATER_NEXT] + at, v.pitch), k);
        v.at[OTOK_SEDIMENT_NEXT][at] =
            otok_transport(s.here, load, otok_faces_out(face), otok_faces_in(face));
    }
}

otok_launcher *const otok_cuda_flux_pull = otok_start<flux_pull, otok_pipe_coefficients>;
otok_launcher *const otok_cuda_flux_courant = otok_start<pull, otok_pipe_coefficients>;
otok_launcher *const otok_cuda_flux_sides = otok_start_along<2, flux_sides, otok_pipe_coefficients>;
otok_launcher *const otok_cuda_flux_friction = otok_start<flux_friction, otok_pipe_coefficients>;
otok_launcher *const otok_cuda_flux = otok_start<flux, otok_pipe_coefficients>;
otok_launcher *const otok_cuda_flux_edge = otok_start_along<2, flux_edge, otok_pipe_coefficients>;
otok_launcher *const otok_cuda_flux_limit = otok_start<flux_limit, otok_pipe_coefficients>;
otok_launcher *const otok_cuda_flux_surface = otok_start<flux_surface, otok_water_coefficients>;
otok_launcher *const otok_cuda_flux_out = otok_start_along<2, flux_out>;
otok_launcher *const otok_cuda_flux_transport =
    otok_start<flux_transport, otok_transport_coefficients>;
