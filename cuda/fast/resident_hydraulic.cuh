/* resident_hydraulic.cuh: what resident_hydraulic.cu keeps in shared memory, and its rare work. The
   functions of rare work are called, not inlined, and compute their position again, so that the
   kernel keeps its registers for frequent work. */
#ifndef OTOK_RESIDENT_HYDRAULIC_CUH
#define OTOK_RESIDENT_HYDRAULIC_CUH

#include "erosion_laws.cuh"
#include "resident_barriers.cuh"
#include "resident_books.cuh"
#include "resident_exchange.cuh"

#include "model/water.h"

namespace
{
enum { C = OTOK_COLUMNS, W = OTOK_SLOTS };

/* The bookings of a block; a thread has a slot of each. */
enum {
    RAIN,
    EVAPORATED,
    CLAMPED,
    SLOTS,
    DRIFT = SLOTS,
    DIFFUSED,
    SLOTS_LAGRANGE,
    SLID = SLOTS,
    SLOTS_THERMAL
}; /* then shape::displaced and shape::risen, unless DEFAULT_LAWS */

/* Arrays of rows in shared memory. Flows stay there from iteration to iteration. Surface and
   sediment are not needed at the same time. Thermal erosion uses the loads and four more arrays for
   its pipes. Phases are integers. */
enum { BASE, PHASE, GROUND, ETA, LEFT, RIGHT, BOTTOM, TOP, LOAD_BOTTOM, LOAD_TOP, ARRAYS };
enum { SEDIMENT = ETA, DEPTH = LOAD_BOTTOM, CARRIED, ARRAYS_LAGRANGE };
enum {
    PIPE_BOTTOM = LOAD_BOTTOM,
    PIPE_TOP,
    PIPE_BOTTOM_LEFT,
    PIPE_BOTTOM_RIGHT,
    PIPE_TOP_LEFT,
    PIPE_TOP_RIGHT,
    ARRAYS_THERMAL
};

/* Maps of running maxima, in the order in which they get room on the chip: depth, level; speeds of
   the iteration; the greatest ones, and those times depth; time of the greatest depth. */
enum { MOST, LEVEL, SWIFT, FASTEST, STRONGEST, PEAK_TIME, KEPT_MAPS };
constexpr int KEPT_BUFFERS[] = {OTOK_MAX_DEPTH, OTOK_PEAK_LEVEL,      -1,
                                OTOK_MAX_SPEED, OTOK_MAX_DEPTH_SPEED, OTOK_PEAKED};

/* The shape S of a kernel that keeps maxima on the chip, if KEEPS: the maps that have room beside
   the rest in a block of sm_90. That of one-way flow in single rows is not asked: what memory
   leaves is the L1 cache, in which its spilled registers are. */
template <class S, int R, int WARPS, bool KEEPS> struct with_maps : S {
    static constexpr size_t before_maps = S::shared, map_bytes = sizeof(float) * R * WARPS * W;
    static constexpr int warps = WARPS, left = 227 * 1024 - (int)before_maps,
                         room = left < 0 ? 0 : left / (int)map_bytes,
                         maps = !KEEPS                  ? 0
                                : room < (int)KEPT_MAPS ? room
                                                        : (int)KEPT_MAPS;
    static constexpr size_t shared = before_maps + maps * map_bytes;
};

/* DEFAULT_LAWS: central slope, capacity by speed, nothing displaced, known at compile time. */
template <int R, int WARPS, bool LAGRANGE, bool THERMAL, bool DEFAULT_LAWS> struct shape {
    static constexpr int flow = LAGRANGE ? 3 : 2; /* rings on which flows are computed */
    static constexpr int halo = flow + 1 + (THERMAL ? 2 : 0);
    static constexpr int laws = DEFAULT_LAWS ? PUBLISHED_LAWS : ANY_LAWS;
    static constexpr int arrays = THERMAL    ? (int)ARRAYS_THERMAL
                                  : LAGRANGE ? (int)ARRAYS_LAGRANGE
                                             : (int)ARRAYS;

    static constexpr int rows = R * WARPS + 2, size = rows * W,
                         threads = 32 * WARPS, /* the stride, whatever a tile needs */
        blank = 0;                             /* threads before the first that books */
    static constexpr int displaced = LAGRANGE  ? (int)SLOTS_LAGRANGE
                                     : THERMAL ? (int)SLOTS_THERMAL
                                               : (int)SLOTS;
    static constexpr bool rises = !DEFAULT_LAWS && !LAGRANGE && !THERMAL; /* can it? */
    static constexpr int risen = displaced + 1, slots = displaced + !DEFAULT_LAWS + rises;
    static constexpr bool lagrange = LAGRANGE, thermal = THERMAL;
    static constexpr int below = 1; /* see otok_position */
    /* A warp works on its rows one after the other: so much in registers would not fit otherwise.
     */
    static constexpr bool in_turn = R > 1 && !LAGRANGE && !THERMAL;
    static constexpr int depths = in_turn ? (int)GROUND : -1; /* the array with the depth after
                                                                 erosion; -1: it is in registers */
    static constexpr int phases =
        LAGRANGE ? 4 : 3; /* the phases after which warps wait, without those of thermal erosion */
    static constexpr bool barriers =
        !THERMAL; /* otherwise barriers of the block, which are faster there */
    static constexpr size_t before_barriers = sizeof(otok_booking) * slots * threads +
                                              sizeof(float) * ((size_t)arrays * size + 2) +
                                              size; /* and the wetness */
    static constexpr size_t shared =
        before_barriers + (barriers ? sizeof(uint64_t) * phases * WARPS : 0);
    static_assert(before_barriers % sizeof(uint64_t) == 0, "barriers");
};

/* The cell of a patch's buffer that has the packet `number`. */
__device__ inline int cell_of(const otok_resident &a, unsigned number)
{
    return ((int)number / a.pitch - a.halo) * (int)a.v.pitch + (int)number % a.pitch - a.halo;
}

/* Stage 1 of a row in iteration n. It computes dithers only if a cell of the thread needs one.
   `phase` is that of iteration 0. */
__device__ inline void rain_on(float (&d1)[C], const float (&d)[C], float rain,
                               const uint32_t *phase, int n)
{
    const float coarse = otok_coarse(rain);
    if (fmaxf(fmaxf(d[0], d[1]), d[2]) < coarse) {
#pragma unroll
        for (int c = 0; c < C; c++)
            d1[c] = otok_water_in_coarse(d[c], rain);
    } else {
        const uint32_t now = OTOK_DITHER_ITERATION * (uint32_t)n;
#pragma unroll
        for (int c = 0; c < C; c++)
            d1[c] = otok_water_in(d[c], rain, coarse, otok_dither(phase[c] + now));
    }
}

/* The same in iteration 0. It also computes the phases of the thread's cells, which are kept for
   the whole run. It books water after less water before; a row of another warp has no slot and is
   not booked. */
template <int BELOW, int R>
__device__ inline void first_rain_on(float (&d)[C], float rain, uint32_t *phase,
                                     const otok_resident &a, const otok_cells<R> &p, int r,
                                     otok_booking *slot)
{
    const otok_position position = otok_position_of(a, R, BELOW);
    int i = position.x, j = position.y + r;
    if (a.wraps_x) i = otok_wrapped(i, a.v.nx);
    if (a.wraps_y) j = otok_wrapped(j, a.v.ny);
    const uint32_t up = otok_dither_distance(otok_row_of(&a.v, j), a.v.global_ny);
    float both[2][C];
#pragma unroll
    for (int c = 0; c < C; c++) {
        phase[c] = otok_dither_phase(a.v.steps[0].phase,
                                     otok_dither_distance(a.v.x0 + i, a.v.global_nx), up);
        i = a.wraps_x && i + 1 == a.v.nx ? 0 : i + 1;
        both[0][c] = d[c];
    }
    rain_on(both[1], both[0], rain, phase, 0);
#pragma unroll
    for (int c = 0; c < C; c++)
        d[c] = both[1][c];
    if (!slot || rain == 0.0f) return;
    otok_booking sums[2] = {};
    otok_booking_rows(sums, both, p, r);
    otok_slot_add(slot, otok_booking_less(sums[1], sums[0]));
}

/* Stage 7 of a row in iteration n. */
__device__ inline void dry_up(float (&d)[C], const float (&d2)[C], const otok_water_coefficients &k,
                              const uint32_t *phase, int n)
{
    if (k.part == 0.0f) {
#pragma unroll
        for (int c = 0; c < C; c++)
            d[c] = otok_evaporation(d2[c], k);
    } else {
        const uint32_t now = OTOK_DITHER_ITERATION * (uint32_t)n;
#pragma unroll
        for (int c = 0; c < C; c++)
            d[c] = otok_evaporation_fine(d2[c], k, otok_dither(phase[c] + now));
    }
}

/* Books what leaves the cell over open sides: water and its sediment. */
__device__ inline void lose(const otok_resident &a, unsigned number, otok_four flow, float load,
                            float dt_l2)
{
    const int i = (int)number % a.pitch - a.halo, j = (int)number / a.pitch - a.halo;
    const bool at_side[OTOK_SIDES] = {i == 0, i == a.v.nx - 1, j == 0, j == a.v.ny - 1};
    const float out[OTOK_SIDES] = {flow.left, flow.right, flow.bottom, flow.top};
#pragma unroll
    for (int side = 0; side < OTOK_SIDES; side++)
        if (at_side[side] && (a.open >> side & 1)) {
            const otok_fixed f[2] = {otok_fixed_from(dt_l2 * out[side]),
                                     otok_fixed_from(load * out[side])};
            const int sums[2] = {OTOK_SUM_WATER_OUT, OTOK_SUM_SEDIMENT_OUT};
#pragma unroll
            for (int n = 0; n < 2; n++) {
                atomicAdd((unsigned long long *)&a.v.sums[sums[n]].hi,
                          (unsigned long long)(int64_t)f[n].hi);
                atomicAdd((unsigned long long *)&a.v.sums[sums[n]].lo,
                          (unsigned long long)(int64_t)f[n].lo);
            }
        }
}

/* Books what a block has booked. */
template <class S> __device__ inline void settle_books(otok_sum *all, const otok_booking *slots)
{
    if ((unsigned)threadIdx.x - S::blank >= (unsigned)S::threads) return;
    slots -= S::blank;
    const int sums[] = {OTOK_SUM_RAIN, OTOK_SUM_EVAPORATED, OTOK_SUM_WATER_CLAMPED,
                        S::thermal ? OTOK_SUM_GROUND_ROUNDED : OTOK_SUM_DRIFT, OTOK_SUM_DIFFUSED};
    for (int s = 0; s < S::slots; s++)
        otok_settle_slots(all + (s < S::displaced    ? sums[s]
                                 : s == S::displaced ? (int)OTOK_SUM_DISPLACED
                                                     : (int)OTOK_SUM_UPLIFT),
                          slots + s * S::threads);
}

/* Stores the state at the end, from registers and from a thread's cells `mine` of array 0, and the
   bookings of a block. */
template <class S, int R>
__device__ inline void finish(const otok_resident &a, const otok_cells<R> &p, const float *mine,
                              const otok_booking *slots, const float (&change)[R][C],
                              const float (&d)[R][C], const float (&sediment)[R][C],
                              const uint8_t *wet)
{
    const otok_view &v = a.v;
    auto row = [&](int array, int r) { return mine + array * S::size + r * W; };
    const otok_position end = otok_position_of(a, R);
#pragma unroll
    for (int r = 0; r < R; r++)
#pragma unroll
        for (int c = 0; c < C; c++)
            if (otok_is(p, OTOK_OWN, r * C + c)) {
                const int at = (end.y + r) * (int)v.pitch + end.x + c;
                v.at[OTOK_TERRAIN_CHANGE][at] = change[r][c];
                v.at[OTOK_WATER][at] = d[r][c];
                v.at[OTOK_SEDIMENT][at] = sediment[r][c];
                v.at[OTOK_OUTFLOW_LEFT][at] = row(LEFT, r)[c];
                v.at[OTOK_OUTFLOW_RIGHT][at] = row(RIGHT, r)[c];
                v.at[OTOK_OUTFLOW_BOTTOM][at] = row(BOTTOM, r)[c];
                v.at[OTOK_OUTFLOW_TOP][at] = row(TOP, r)[c];
                v.wetness[at] = wet[r * W + c];
            }
    settle_books<S>(v.sums, slots);
}
} // namespace

#endif
