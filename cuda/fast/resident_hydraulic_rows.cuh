/* resident_hydraulic_rows.cuh: a thread's part of the rows of resident_hydraulic_phases.cuh: where
   they are, how they are loaded, and what is beyond the edges. */
#ifndef OTOK_RESIDENT_HYDRAULIC_ROWS_CUH
#define OTOK_RESIDENT_HYDRAULIC_ROWS_CUH

#include "resident_hydraulic.cuh"

#include "model/derived.h"
#include "model/erosion.h"
#include "model/maxima.h"
#include "model/transport.h"
#include "model/uplift.h"
#include "model/water.h"

namespace
{
/* ---- Running maxima. Those for which shared memory has room stay there for the whole run, the
   others are in memory, which for such grids is the L2 cache. ---- */

/* A thread's part of a row of maps, from the cell `at` on. SWIFT: the speeds of this iteration;
   NULL: the velocities are in memory. */
struct kept_row {
    float *map[KEPT_MAPS];
    int at;
};

__device__ inline void keep_times(const otok_resident &a, const otok_maxima_coefficients &k, int n,
                                  const kept_row &kept, const float (&depth)[C],
                                  const float (&most)[C])
{
    const otok_step &step = a.v.steps[n];
#pragma unroll
    for (int c = 0; c < C; c++) {
        if (!(depth[c] > 0.0f)) continue;
        if (depth[c] > most[c]) kept.map[PEAK_TIME][c] = step.end;
        if (otok_arrives(most[c], depth[c], k)) a.v.at[OTOK_ARRIVED][kept.at + c] = step.end;
        if (depth[c] >= k.duration) {
            float *const duration = a.v.at[OTOK_DURATION] + kept.at + c;
            *duration = otok_flooded(*duration, depth[c], step.begin, step.end, k);
        }
    }
}

__device__ inline void keep_speeds(const otok_resident &a, const kept_row &kept,
                                   const float (&depth)[C])
{
    const float *const u = a.v.at[OTOK_VELOCITY_X] + kept.at, *const w =
                                                                  a.v.at[OTOK_VELOCITY_Y] + kept.at;
#pragma unroll
    for (int c = 0; c < C; c++) {
        if (!(depth[c] > 0.0f)) continue;
        const float speed = kept.map[SWIFT] ? kept.map[SWIFT][c] : otok_water_speed(u[c], w[c]),
                    product = speed * depth[c];
        if (speed > kept.map[FASTEST][c]) kept.map[FASTEST][c] = speed;
        if (product > kept.map[STRONGEST][c]) kept.map[STRONGEST][c] = product;
    }
}

/* Of columns with these depths, on ground of the heights h, after iteration n. */
__device__ inline void keep_row(const otok_resident &a, const otok_maxima_coefficients &k, int n,
                                const kept_row &kept, const float (&depth)[C], const float (&h)[C])
{
    float most[C], level[C];
    if (!(depth[0] > 0.0f || depth[1] > 0.0f || depth[2] > 0.0f)) return;
#pragma unroll
    for (int c = 0; c < C; c++) {
        most[c] = depth[c] > 0.0f ? kept.map[MOST][c] : 0.0f;
        level[c] = depth[c] > 0.0f ? kept.map[LEVEL][c] : 0.0f;
    }
    if (a.keeps & OTOK_KEEPS_TIMES) keep_times(a, k, n, kept, depth, most);
#pragma unroll
    for (int c = 0; c < C; c++) {
        const otok_peak before = {most[c], level[c]},
                        after = otok_peak_after(before, depth[c], h[c]);
        if (!(depth[c] > 0.0f)) continue;
        if (after.depth != most[c]) kept.map[MOST][c] = after.depth;
        if (after.level != level[c]) kept.map[LEVEL][c] = after.level;
    }
    if (a.keeps & OTOK_KEEPS_SPEED) keep_speeds(a, kept, depth);
}

/* ---- A thread's part of the rows. ---- */

/* A thread's cells. */
template <int R> struct hydraulic_cells {
    float change[R][C], d[R][C], sediment[R][C];
};

/* What the phases of an iteration pass to each other. */
template <int R> struct hydraulic_phase {
    float d1[R][C], depth[R][C], load[R][C], vx[R][C], vy[R][C], carried[R][C];
    otok_booking drift[2]; /* the sediment before and after its transport */
};

/* A thread's part of a warp's rows, of the shape S. */
template <int R, class S> struct hydraulic_rows {
    const otok_resident &a;
    const otok_coefficients &k;
    otok_booking *const shared;
    otok_cells<R> &p; /* separate, as all arrays are: the compiler puts them into registers later
                         than the rest */
    float (&change)[R][C], (&d)[R][C], (&sediment)[R][C];
    otok_booking *const slot = shared + (int)threadIdx.x - S::blank;
    /* The cells in row p.q of array 0. Every other row and array is at a constant distance. */
    float *const arrays = (float *)(shared + S::slots * S::threads);
    float *const mine = arrays + 1 + (1 + threadIdx.x / 32 * R) * W + threadIdx.x % 32 * C;
    uint8_t *const wet = (uint8_t *)(arrays + S::arrays * S::size + 2) + (mine - arrays - 1 - W);
    otok_warp_barriers<S::phases> barriers = {};
    float rains = 0.0f;           /* the rain of 32 iterations, one a lane; 0 after the last */
    float rain = 0.0f;            /* of the next iteration */
    unsigned left = 0, right = 0; /* the thread's columns that are ghosts of a side */
    bool any_left = false, any_right = false, edges_x = false;

    /* Row r of an array. Rows -1 and R belong to other warps. */
    __device__ __forceinline__ float *row(int array, int r) const
    {
        return mine + array * S::size + r * W;
    }

    __device__ __forceinline__ uint32_t *phases(int r) const
    {
        return (uint32_t *)row(PHASE, r);
    }

    __device__ __forceinline__ otok_four out_of(int r, int c) const
    {
        return otok_four{row(LEFT, r)[c], row(RIGHT, r)[c], row(BOTTOM, r)[c], row(TOP, r)[c]};
    }

    __device__ __forceinline__ void put(int r, int c, otok_four f)
    {
        row(LEFT, r)[c] = f.left;
        row(RIGHT, r)[c] = f.right;
        row(BOTTOM, r)[c] = f.bottom;
        row(TOP, r)[c] = f.top;
    }

    __device__ __forceinline__ void book(int s, otok_booking b)
    {
        if (S::blank == 0 || any(0)) otok_slot_add(slot + s * S::threads, b);
    }

    __device__ __forceinline__ otok_erosion_coefficients ke() const
    {
        return otok_by_laws<S::laws>(k.erosion);
    }

    /* If one of a warp's rows is needed in a ring, the warp works on all of them, so that their
       chains of dependent instructions run side by side. Only needed rows are stored for others. */
    __device__ __forceinline__ bool any(int rings) const
    {
        return min(p.ring[0], p.ring[R - 1]) <= rings;
    }

    __device__ __forceinline__ bool has(int r, int rings) const
    {
        return R == 1 || (r == 0 ? p.ring[0] : p.ring[R - 1]) <= rings;
    }

    /* At the end of a row's work. The compiler does not mix the next row's loads with it. */
    __device__ __forceinline__ void turn() const
    {
        if (S::in_turn) otok_in_turn();
    }

    /* Waits after a phase. */
    __device__ __forceinline__ void meet(int phase, int n)
    {
        if (S::barriers)
            otok_arrive_and_wait(barriers, phase, n);
        else
            __syncthreads();
    }

    __device__ __forceinline__ float rain_of(int when)
    {
        const int step = when + (int)threadIdx.x % 32;
        if (when % 32 == 0) rains = step < a.nsteps ? a.v.steps[step].rain : 0.0f;
        return __shfl_sync(0xffffffffu, rains, when % 32);
    }

    __device__ __forceinline__ void begin()
    {
        otok_opaque(p.bits); /* what follows from it is computed again; registers are few */
        left = p.bits >> OTOK_GHOST_LEFT & 7, right = p.bits >> OTOK_GHOST_RIGHT & 7;
        any_left = __any_sync(0xffffffffu, left), any_right = __any_sync(0xffffffffu, right);
        edges_x = any_left || any_right;
    }

    /* Nothing is booked, and rows that do not exist send nothing. */
    __device__ __forceinline__ void clear()
    {
        for (int at = threadIdx.x; at < (int)(S::shared / sizeof(float)); at += (int)blockDim.x)
            ((float *)shared)[at] = 0.0f;
        __syncthreads();
        if (S::barriers)
            barriers = otok_warp_barriers_init<S::phases>(
                (uint64_t *)((char *)shared + S::before_barriers));
    }

    __device__ __forceinline__ void load()
    {
        const otok_view &v = a.v;
        clear();
        const otok_position position = otok_position_of(a, R);
#pragma unroll
        for (int c = 0; c < C; c++) {
            if (p.far &&
                !otok_is(p, OTOK_OUTSIDE, c)) { /* until it is shown, the row's ground holds the
                                                   change and its surface holds the water */
                const int at = otok_cell_of(a, position.x + c, position.y + p.far / W);
                row(BASE, 0)[p.far + c] = v.at[OTOK_TERRAIN_BASE][at];
                row(GROUND, 0)[p.far + c] = v.at[OTOK_TERRAIN_CHANGE][at];
                row(ETA, 0)[p.far + c] = v.at[OTOK_WATER][at];
            }
#pragma unroll
            for (int r = 0; r < R; r++) {
                change[r][c] = d[r][c] = sediment[r][c] = 0.0f;
                otok_four f = {0.0f, 0.0f, 0.0f, 0.0f};
                float base = 0.0f;
                if (otok_is(p, OTOK_OWN, r * C + c) || otok_is(p, OTOK_RECEIVE, r * C + c)) {
                    const int at = otok_cell_of(a, position.x + c, position.y + r);
                    base = v.at[OTOK_TERRAIN_BASE][at];
                    change[r][c] = v.at[OTOK_TERRAIN_CHANGE][at];
                    d[r][c] = v.at[OTOK_WATER][at];
                    sediment[r][c] = v.at[OTOK_SEDIMENT][at];
                    f = otok_four{v.at[OTOK_OUTFLOW_LEFT][at], v.at[OTOK_OUTFLOW_RIGHT][at],
                                  v.at[OTOK_OUTFLOW_BOTTOM][at], v.at[OTOK_OUTFLOW_TOP][at]};
                    wet[r * W + c] = v.wetness[at];
                }
                if (p.ring[r] == 1000) continue;
                row(BASE, r)[c] = base;
                put(r, c, f);
            }
        }
    }

    /* Stage 1 follows as soon as the previous iteration has left its water. From here on, and in
       packets, the water includes the rain of the next iteration. */
    __device__ __forceinline__ void first_rain()
    {
        rain = rain_of(0);
#pragma unroll
        for (int r = 0; r < R; r++)
            first_rain_on<S::below>(d[r], rain, phases(r), a, p, r,
                                    S::blank == 0 || any(0) ? slot + RAIN * S::threads : NULL);
        if (p.far) {
            float(&water)[C] = *(float(*)[C])(row(ETA, 0) + p.far);
            first_rain_on<S::below>(water, rain, phases(0) + p.far, a, p, p.far / W, NULL);
        }
        rain = rain_of(1); /* from here on: of the iteration after the next */
    }

    /* The ghosts of a row on a side that is not periodic. Beyond an open side the ground is the
       same, but dry. */
    __device__ __forceinline__ void beyond(int r, int up, int side)
    {
#pragma unroll
        for (int c = 0; c < C; c++) {
            row(GROUND, r + up)[c] = row(GROUND, r)[c];
            row(ETA, r + up)[c] = row(a.open >> side & 1 ? GROUND : ETA, r)[c];
        }
    }

    __device__ __forceinline__ void copy_beyond(int array, int r)
    {
#pragma unroll
        for (int c = 0; c < C; c++) {
            if (otok_is(p, OTOK_LAST, r)) row(array, r + 1)[c] = row(array, r)[c];
            if (otok_is(p, OTOK_FIRST, r)) row(array, r - 1)[c] = row(array, r)[c];
        }
    }

    /* The ground of row r rises. */
    __device__ __forceinline__ void rise(int r, int64_t from, int64_t to)
    {
        float both[2][C] = {};
#pragma unroll
        for (int c = 0; c < C; c++) {
            if (!otok_is(p, OTOK_OWN, r * C + c)) continue;
            both[0][c] = change[r][c];
            change[r][c] += otok_uplift_rise(from, to, fabsf(change[r][c]));
            both[1][c] = change[r][c];
        }
        otok_booking b = otok_booking_change(both[1], both[0]);
        b.lo += b.hi * INT64_C(2147483648); /* as resident_books.cuh has it */
        book(S::risen, b);
    }

    /* Map M of a row whose first cell of the thread is `at`. */
    template <int M> __device__ __forceinline__ float *map_of(int r, int at) const
    {
        constexpr int from = /* from array 0 */
            (int)(S::before_maps - sizeof(otok_booking) * S::slots * S::threads) /
            (int)sizeof(float);
        if constexpr (M < S::maps) return mine + (from + M * S::warps * R * W + r * W - 1 - W);
        constexpr int buffer = KEPT_BUFFERS[M];
        return M == SWIFT ? NULL : a.v.at[buffer] + at;
    }

    __device__ __forceinline__ int cell_of_row(int r) const
    {
        return cell_of(a, p.from + (unsigned)(r * a.pitch));
    }

    /* At the begin and at the end of a run: the maps that are on the chip. */
    template <bool BACK, int M = 0> __device__ __forceinline__ void move_maxima()
    {
        if constexpr (M < S::maps) {
            constexpr int buffer = KEPT_BUFFERS[M];
            float *const map = M == SWIFT ? NULL : a.v.at[buffer];
            for (int cell = 0; map && cell < R * C; cell++) {
                if (!otok_is(p, OTOK_OWN, cell)) continue;
                float &here = map_of<M>(cell / C, 0)[cell % C],
                      &there = map[cell_of_row(cell / C) + cell % C];
                BACK ? there = here : here = there;
            }
            move_maxima<BACK, M + 1>();
        }
    }

    /* The speeds of row r in this iteration. */
    __device__ __forceinline__ void note_speed(int r, const float (&u)[C], const float (&w)[C])
    {
        if constexpr (SWIFT < S::maps)
            if (a.keeps & OTOK_KEEPS_SPEED)
#pragma unroll
                for (int c = 0; c < C; c++)
                    map_of<SWIFT>(r, 0)[c] = otok_water_speed(u[c], w[c]);
    }

    /* Running maxima of the own cells after iteration n; change(r, c) is that of the ground. */
    template <class MOVED> __device__ __forceinline__ void keep_maxima(int n, MOVED moved)
    {
#pragma unroll
        for (int r = 0; r < R; r++) {
            if (p.ring[r] > 0) continue;
            float depth[C], h[C];
#pragma unroll
            for (int c = 0; c < C; c++) {
                depth[c] = otok_is(p, OTOK_OWN, r * C + c) ? row(ETA, r)[c] : 0.0f;
                h[c] = row(BASE, r)[c] + moved(r, c);
            }
            const bool away = a.keeps & OTOK_KEEPS_TIMES || S::maps <= LEVEL ||
                              (S::maps <= STRONGEST && a.keeps & OTOK_KEEPS_SPEED);
            const int at = away ? cell_of_row(r) : 0; /* it takes a division */
            const kept_row kept = {{map_of<MOST>(r, at), map_of<LEVEL>(r, at), map_of<SWIFT>(r, at),
                                    map_of<FASTEST>(r, at), map_of<STRONGEST>(r, at),
                                    map_of<PEAK_TIME>(r, at)},
                                   at};
            keep_row(a, k.maxima, n, kept, depth, h);
            turn();
        }
    }
};
} // namespace

#endif
