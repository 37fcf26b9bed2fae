/* resident_thermal.cu: thermal erosion alone on chip, with one exchange of 2 PER rings for PER
   iterations. A warp has two rows and a thread six cells, which it works on together and without
   branches. A packet has both cells of a column. Rings whose neighbours are no longer valid are
   computed too; their values are meaningless until the next exchange. The physics is in
   model/thermal.h. */
#include "resident.h"
#include "resident_barriers.cuh"
#include "resident_exchange.cuh"

#include "model/thermal.h"

#include <cooperative_groups.h>

namespace
{
enum { R = 2, C = OTOK_COLUMNS, W = OTOK_SLOTS, PER = 2, HALO = 2 * PER };
/* What a warp's lower row sends to the row below, and its upper row to the row above: two rows an
   array. */
enum { DOWN_LEFT, DOWN, DOWN_RIGHT, UP_LEFT, UP, UP_RIGHT, PIPES, ARRAYS = 1 + PIPES / R };

/* The numbers of an array of a block of so many warps. */
template <int WARPS> constexpr int size = (R * WARPS + 2) * W;

constexpr int PHASES = 2; /* after which a warp waits for the two beside it */

static_assert(PER % 2 == 0, "an exchange begins with the first parity of the barriers");

/* The ground beyond the grid: so high that it takes nothing, but still finite, so that 0 times what
   it would give is 0. */
constexpr float WALL = 0x1p100f;

/* Hides from the compiler where a number came from, so that it keeps the number instead of
   computing it at each use. */
__device__ inline int kept(int number)
{
    asm volatile("" : "+r"(number));
    return number;
}

/* Row r by columns, with the columns beside those of the thread; r is 0 for the row below the
   thread's and R + 1 for the row above. Computes what its cells give. */
__device__ inline void give(otok_eight (&pipe)[C], float (&change)[C],
                            const float (&h)[R + 2][C + 2], int r, const float (&gives)[C],
                            const otok_thermal_coefficients &k)
{
    /* Over three rows; the thread's two rows first, because both share them. +0 and -0 are
       interchangeable: the drop to the lowest neighbour counts only above the talus. */
    float lowest[C + 2];
#pragma unroll
    for (int c = 0; c < C + 2; c++)
        lowest[c] = fminf(fminf(h[1][c], h[R][c]), h[r == 1 ? 0 : R + 1][c]);
#pragma unroll
    for (int c = 0; c < C; c++) {
        const int i = c + 1;
        otok_eight drop; /* half of the drops are computed as negative ones, so that adjacent cells
                            share the difference; the sign of 0 does not matter */
        drop.left = -(h[r][i - 1] - h[r][i]);
        drop.right = h[r][i] - h[r][i + 1];
        drop.bottom = -(h[r - 1][i] - h[r][i]);
        drop.top = h[r][i] - h[r + 1][i];
        drop.bottom_left = -(h[r - 1][i - 1] - h[r][i]);
        drop.top_right = h[r][i] - h[r + 1][i + 1];
        drop.bottom_right = -(h[r - 1][i + 1] - h[r][i]);
        drop.top_left = h[r][i] - h[r + 1][i - 1];
        const otok_eight part = otok_slide_parts(drop, k);
        const float deepest = h[r][i] - fminf(fminf(lowest[c], lowest[c + 1]), lowest[c + 2]);
        const otok_giving given =
            otok_slide_giving(otok_sum_eight(part) * gives[c], deepest, change[c], k);
        change[c] = given.change;
        pipe[c] = otok_slide_pipes(part, given.scale);
    }
}

__device__ inline void put_aside(volatile float *was, const float (&low)[C], const float (&high)[C])
{
#pragma unroll
    for (int c = 0; c < C; c++) {
        was[c] = low[c];
        was[C + c] = high[c];
    }
}

__device__ inline void store(const otok_resident &a, const otok_cells<R> &p, const float (&low)[C],
                             const float (&high)[C])
{
    const otok_position end = otok_position_of(a, R, 0, R);
    float *const change = a.v.at[OTOK_TERRAIN_CHANGE];
#pragma unroll
    for (int r = 0; r < R; r++)
#pragma unroll
        for (int c = 0; c < C; c++)
            if (otok_is(p, OTOK_OWN, r * C + c))
                change[(end.y + r) * (int)a.v.pitch + end.x + c] = r == 0 ? low[c] : high[c];
}

/* Books the rises of a thread's cells, `low` and `high`, in an iteration that counts so many
   times. */
__device__ inline void book_rises(otok_sum *sums, const otok_cells<R> &p, const volatile float *was,
                                  const float (&low)[C], const float (&high)[C], int counts)
{
    otok_booking risen = {0, 0};
#pragma unroll
    for (int c = 0; c < C; c++) {
        if (otok_is(p, OTOK_OWN, c)) otok_booking_risen(risen, was[c], low[c], counts);
        if (otok_is(p, OTOK_OWN, C + c)) otok_booking_risen(risen, was[C + c], high[c], counts);
    }
    otok_warps_add(sums + OTOK_SUM_GROUND_MOVED, risen);
}

template <int WARPS, bool EXCESS>
__global__ void __launch_bounds__(32 * WARPS, 1)
    thermal(const __grid_constant__ otok_resident_run run)
{
    constexpr int SIZE = size<WARPS>;
    static_assert(R == 2, "rows of a warp");
    static_assert(ARRAYS * SIZE % 2 == 0, "barriers");
    extern __shared__ float shared[];
    const otok_resident &a = run.grid;
    const otok_view &v = a.v;
    const otok_cells<R> p = otok_cells_of<R, 0, R>(a);
    const otok_position position = otok_position_of(a, R, 0, R);
    const int at = kept(1 + (1 + position.q) * W + (int)threadIdx.x % 32 * C);
    auto ground = [&](int r) { return shared + at + r * W; };
    auto pipes = [&](int kind, int warp) {
        return shared + at + (1 + kind / R) * SIZE + (kind % R + R * warp) * W;
    };
    otok_thermal_coefficients k = run.k.thermal;
    k.excess = EXCESS;
    for (int n = threadIdx.x; n < ARRAYS * SIZE + 2; n += (int)blockDim.x)
        shared[n] = n < SIZE + 1 ? WALL : 0.0f;
    const otok_warp_barriers<PHASES> barriers =
        otok_warp_barriers_init<PHASES>((uint64_t *)(shared + ARRAYS * SIZE + 2));

    float base[R][C], low_change[1][C], high_change[1][C],
        gives[R][C]; /* 1 for a cell, 0 for a wall */
    auto change = [&](int r) -> float(&)[C] { return r == 0 ? low_change[0] : high_change[0]; };
#pragma unroll
    for (int r = 0; r < R; r++)
#pragma unroll
        for (int c = 0; c < C; c++) {
            const bool exists =
                otok_is(p, OTOK_OWN, r * C + c) || otok_is(p, OTOK_RECEIVE, r * C + c);
            gives[r][c] = __uint_as_float((unsigned)kept((int)__float_as_uint((float)exists)));
            base[r][c] = WALL;
            change(r)[c] = 0.0f;
            if (!exists) continue;
            const int cell = otok_cell_of(a, position.x + c, position.y + r);
            base[r][c] = v.at[OTOK_TERRAIN_BASE][cell];
            change(r)[c] = v.at[OTOK_TERRAIN_CHANGE][cell];
        }
    /* No block may store before all have loaded. */
    cooperative_groups::this_grid().sync();

    const otok_cells<1> pairs = otok_pairs_of(p);
    const int ring = pairs.ring[0];
    auto iteration = [&](int since) {
        const int active = HALO - 1 - 2 * since; /* rings with valid neighbours on all sides */
        float h[R + 2][C + 2]; /* with the rows and columns around those of the thread */
        if (ring <= active + 1)
#pragma unroll
            for (int r = 0; r < R; r++) {
#pragma unroll
                for (int c = 0; c < C; c++)
                    ground(r)[c] = h[r + 1][c + 1] = base[r][c] + change(r)[c];
                h[r + 1][0] = __shfl_up_sync(0xffffffffu, h[r + 1][C], 1);
                h[r + 1][C + 1] = __shfl_down_sync(0xffffffffu, h[r + 1][1], 1);
            }
        otok_arrive_and_wait(barriers, 0, since);
        otok_eight in[R][C], low[C], high[C];
        if (ring <= active) {
#pragma unroll
            for (int c = 0; c < C + 2; c++) {
                h[0][c] = ground(-1)[c - 1];
                h[R + 1][c] = ground(R)[c - 1];
            }
            give(low, change(0), h, 1, gives[0], k);
            give(high, change(1), h, 2, gives[1], k);
#pragma unroll
            for (int c = 0; c < C; c++) {
                pipes(DOWN_LEFT, 0)[c] = low[c].bottom_left;
                pipes(DOWN, 0)[c] = low[c].bottom;
                pipes(DOWN_RIGHT, 0)[c] = low[c].bottom_right;
                pipes(UP_LEFT, 0)[c] = high[c].top_left;
                pipes(UP, 0)[c] = high[c].top;
                pipes(UP_RIGHT, 0)[c] = high[c].top_right;
            }
        }
        otok_arrive(barriers, 1);
        if (ring <= active) {
            const float low_left = __shfl_up_sync(0xffffffffu, low[C - 1].right, 1);
            const float low_right = __shfl_down_sync(0xffffffffu, low[0].left, 1);
            const float high_left = __shfl_up_sync(0xffffffffu, high[C - 1].right, 1);
            const float high_right = __shfl_down_sync(0xffffffffu, high[0].left, 1);
            const float up_left = __shfl_up_sync(0xffffffffu, low[C - 1].top_right, 1);
            const float up_right = __shfl_down_sync(0xffffffffu, low[0].top_left, 1);
            const float down_left = __shfl_up_sync(0xffffffffu, high[C - 1].bottom_right, 1);
            const float down_right = __shfl_down_sync(0xffffffffu, high[0].bottom_left, 1);
#pragma unroll
            for (int c = 0; c < C; c++) {
                const bool first = c == 0, last = c == C - 1;
                const int before = first ? 0 : c - 1, after = last ? c : c + 1;
                in[0][c].left = first ? low_left : low[before].right;
                in[0][c].right = last ? low_right : low[after].left;
                in[0][c].top = high[c].bottom;
                in[0][c].top_left = first ? down_left : high[before].bottom_right;
                in[0][c].top_right = last ? down_right : high[after].bottom_left;
                in[1][c].left = first ? high_left : high[before].right;
                in[1][c].right = last ? high_right : high[after].left;
                in[1][c].bottom = low[c].top;
                in[1][c].bottom_left = first ? up_left : low[before].top_right;
                in[1][c].bottom_right = last ? up_right : low[after].top_left;
            }
        }
        otok_wait(barriers, 1, since);
        if (ring <= active - 1)
#pragma unroll
            for (int c = 0; c < C; c++) {
                in[0][c].bottom = pipes(UP, -1)[c];
                in[0][c].bottom_left = pipes(UP_RIGHT, -1)[c - 1];
                in[0][c].bottom_right = pipes(UP_LEFT, -1)[c + 1];
                in[1][c].top = pipes(DOWN, 1)[c];
                in[1][c].top_left = pipes(DOWN_RIGHT, 1)[c - 1];
                in[1][c].top_right = pipes(DOWN_LEFT, 1)[c + 1];
#pragma unroll
                for (int r = 0; r < R; r++)
                    change(r)[c] = otok_thermal_collect(change(r)[c], in[r][c]);
            }
    };
    volatile float was[R * C]; /* not in registers, which others need */
    for (int exchange = 0, n = 0;; exchange++) {
#pragma unroll 1
        for (int since = 0; since < PER; since++, n++) {
            if (n >= a.nsteps) continue;
            if (otok_moves_count(a.first + n)) put_aside(was, low_change[0], high_change[0]);
            iteration(since);
            if (otok_moves_count(a.first + n))
                book_rises(v.sums, p, was, low_change[0], high_change[0],
                           otok_moves_count(a.first + n));
        }
        if (n >= a.nsteps) break;
        const int parity = (exchange + 1) & 1;
        const unsigned tag = a.tag + (unsigned)exchange + 1;
        otok_send_cells(a, pairs, parity, low_change, high_change, high_change, tag);
        otok_receive<false>(a, parity, pairs, tag, [&](int value, int, int c, float v) {
            if (value < 2) (value == 0 ? low_change : high_change)[0][c] = v;
        });
    }
    store(a, p, low_change[0], high_change[0]);
}

template <int WARPS, bool EXCESS> constexpr otok_resident_kernel describe()
{
    return {(const void *)thermal<WARPS, EXCESS>,
            HALO,
            R,
            WARPS,
            sizeof(float) * (ARRAYS * size<WARPS> + 2) + sizeof(uint64_t) * PHASES * WARPS,
            true,
            R,
            1,
            true};
}

template <bool EXCESS>
const otok_resident_kernel kernels[] = {describe<16, EXCESS>(), describe<24, EXCESS>()};
} // namespace

const otok_resident_kernel *otok_resident_thermal(const otok_stages *stages,
                                                  const otok_coefficients *k, int at)
{
    if (at >= 2 || !otok_are_stages(stages, &otok_fused_thermal)) return NULL;
    return k->thermal.excess ? &kernels<true>[at] : &kernels<false>[at];
}
