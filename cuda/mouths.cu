/* mouths.cu: what rivers bring to the sea, and where it settles; see core/mouths.h. A thread has a
   line of the plumes. The bodies have bits for open sides in place of rows. */
#include "core/mouths.h"
#include "rivers.cuh"

static __device__ inline void begin_mouths(const otok_view &v, int)
{
    walk(v, [&](otok_spot s, ptrdiff_t at) {
        otok_numbers(&v, OTOK_RIVER_BASIN)[at] = otok_river_parent(&v, s);
        otok_naturals(&v, OTOK_RIVER_LOW)[at] = otok_naturals(&v, OTOK_RIVER_PASS)[at] = 0;
    });
}

static __device__ inline void shorten_ways(const otok_view &v, int)
{
    walk(v, [&](otok_spot, ptrdiff_t at) {
        otok_ways_shorten(otok_numbers(&v, OTOK_RIVER_BASIN), (int)at + 1);
    });
}

/* In two halves. Whoever brings the lower one past its end carries on to the upper one. */
static __device__ inline void add_up(const otok_view &v, int)
{
    walk(v, [&](otok_spot, ptrdiff_t at) {
        const uint64_t lost = otok_river_lost(&v, at);
        if (!lost) return;
        const int to = otok_root_of(otok_numbers(&v, OTOK_RIVER_BASIN), (int)at + 1) - 1;
        const uint32_t low = (uint32_t)lost,
                       was = atomicAdd(otok_naturals(&v, OTOK_RIVER_LOW) + to, low),
                       high = (uint32_t)(lost >> 32) + (was + low < was);
        if (high) atomicAdd(otok_naturals(&v, OTOK_RIVER_PASS) + to, high);
    });
}

static __device__ inline void bring(const otok_view &v, int)
{
    const float sea = v.steps[*v.now].sea;
    walk(v, [&](otok_spot, ptrdiff_t at) { otok_river_brings(&v, at, sea); });
}

template <int COLUMNS>
static __device__ inline void spread(const otok_view &v, int rows, otok_incision_coefficients k)
{
    const float sea = v.steps[*v.now].sea;
    const int lines = COLUMNS ? v.nx : v.ny;
    for (int n = (int)blockIdx.x * BLOCK + thread_of(); n < lines; n += (int)gridDim.x * BLOCK)
        otok_plume_along(&v, otok_plume_line_of(&v, COLUMNS, n, rows), sea, k.plume);
}

static cudaError_t mouths(const otok_launch *launch)
{
    launches all = begin(launch);
    all.wraps = otok_open_of(launch->patch->edges);
    start<begin_mouths>(&all, all.tiles, 0);
    start<shorten_ways>(&all, all.tiles, 0);
    start<add_up>(&all, all.tiles, 0);
    start<bring>(&all, all.tiles, 0);
    for (int round = 0; round < OTOK_PLUME_ROUNDS; round++) {
        start<spread<0>, otok_incision_coefficients>(&all, all.tiles, 0);
        start<spread<1>, otok_incision_coefficients>(&all, all.tiles, 0);
    }
    start<clear<false>>(&all, all.tiles, 0);
    return all.error;
}

static __device__ inline void river_deltas(const otok_view &v, int rows)
{
    const otok_walk w = otok_walk_of(v, rows);
    otok_booking out = {0, 0}, settled = {0, 0};
    for (int at = w.first; at < w.end; at += w.step) {
        otok_cell_settled(&v, at, otok_walk_phase(v, w, at));
        const float was = v.at[OTOK_TERRAIN_CHANGE][at], is = v.at[OTOK_CHANGE_NEXT][at];
        otok_booking_add(out, was);
        otok_booking_add(out, is, -1);
        otok_booking_add(settled, is);
        otok_booking_add(settled, was, -1);
    }
    otok_book(v.sums + OTOK_SUM_RIVER_OUT, out);
    otok_book(v.sums + OTOK_SUM_RIVER_SETTLED, settled);
}

otok_launcher *const otok_cuda_river_mouths = mouths;
otok_launcher *const otok_cuda_river_deltas = otok_start<river_deltas>;
