/* signed_rows.cuh: of a warp's work in shallow.cu the rows that it fetches, those that wait in
   shared memory, and the stages from erosion on. The physics is in model/. */
#ifndef OTOK_FAST_SIGNED_ROWS_CUH
#define OTOK_FAST_SIGNED_ROWS_CUH

#include "hydraulic_stages.cuh"
#include "pipe_depth.cuh"

/* The fields that are fetched, besides the change: base, water and flows to the right of row r,
   flows to the top of row r-1, sediment of row r-2. */
enum { SIGNED_RIGHT = OUTFLOW, SIGNED_TOP, SIGNED_SEDIMENT, SIGNED_FETCHED };

/* What a thread books: rain less the water that the next iteration's rain starts from, evaporation,
   what clamping made, displaced water, water and sediment that left. */
enum { RAIN, EVAPORATED, CLAMPING, MOVED, WATER_OUT, SEDIMENT_OUT, SIGNED_BOOKS };

typedef struct otok_signed_rows {
    otok_slot field[2][SIGNED_FETCHED], change[4];
    uint32_t wetness[2][OTOK_STRIP_BLOCK];
} otok_signed_rows;

/* Values that wait for the transport are here and not in registers, so that a multiprocessor has
   room for 16 warps: of row r-3 the ground, the sediment that stays and what comes from the sides;
   of rows r-3 and r-4 load times the pipe to the top. */
typedef struct otok_signed_shared {
    otok_signed_rows rows;
    otok_slot ground, kept, sideways, rising[2];
    otok_booking books[SIGNED_BOOKS][OTOK_STRIP_BLOCK];
} otok_signed_shared;

/* Lane 0 of the strip at the left side has ghosts; the last of its columns is column -1. */
static __device__ inline bool otok_enters_left(const otok_frame &g, const otok_strip &s)
{
    return s.i < 0 && (g.open >> OTOK_LEFT & 1);
}

/* The old flow of a row's faces to the right. `enters`: lane 0 got what the first cells hold for an
   open left side. */
static __device__ inline void otok_old_right(float (&out)[OTOK_LANE], const otok_slot &slot,
                                             bool enters, const otok_frame &g, const otok_strip &s)
{
    otok_take(out, slot, s);
    if (!s.side || g.wrap_x) return;
    const float entry = enters ? -out[0] : 0.0f;
    if (s.i < 0) out[2] = out[3] = entry;
}

/* The same to the top, in row j. Below row 0 are the values that the cells there hold for an open
   bottom side. */
static __device__ inline void otok_old_top(float (&out)[OTOK_LANE], const otok_slot &slot, int j,
                                           const otok_frame &g, const otok_strip &s)
{
    otok_take(out, slot, s);
    if (j >= 0 || g.wrap_y) return;
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        out[c] = g.open >> OTOK_BOTTOM & 1 ? -out[c] : 0.0f;
}

/* The rows r, r-1 and r-2 that the stages need when r is the newest row; flows to the right a row
   earlier. Before an open side are the values that the cells there hold. */
static __device__ inline void otok_signed_fetch(otok_signed_rows &rows, const otok_flow &a, int r,
                                                int row, int row1, int row2, const otok_frame &g,
                                                const otok_strip &s)
{
    const int n = r & 1;
    const float *right = a.in[OUTFLOW + (otok_enters_left(g, s) ? OTOK_LEFT : OTOK_RIGHT)];
    const bool enters_bottom = r < 1 && (g.open >> OTOK_BOTTOM & 1);
    const float *top = a.in[OUTFLOW + (enters_bottom ? OTOK_BOTTOM : OTOK_TOP)];
    otok_slot *const field = rows.field[n];
    if (s.scattered) {
        const float *const maps[] = {a.in[BASE], a.in[WATER], right, top, a.in[SEDIMENT], a.change};
        const int at[] = {row, row, row, row1, row2, row};
#pragma unroll 1
        for (int n = 0; n <= SIGNED_FETCHED; n++)
            otok_fetch_scattered(n < SIGNED_FETCHED ? field[n] : rows.change[r & 3], maps[n], at[n],
                                 s);
    } else {
        otok_fetch(rows.change[r & 3], a.change, row, s);
        otok_fetch(field[BASE], a.in[BASE], row, s);
        otok_fetch(field[WATER], a.in[WATER], row, s);
        otok_fetch(field[SIGNED_RIGHT], right, row, s);
        otok_fetch(field[SIGNED_TOP], top, row1, s);
        otok_fetch(field[SIGNED_SEDIMENT], a.in[SEDIMENT], row2, s);
    }
    const int i = s.i < 0 ? 0 : s.i > g.pitch - OTOK_LANE ? g.pitch - OTOK_LANE : s.i;
    __pipeline_memcpy_async(&rows.wetness[n][s.index], a.wetness + (row2 + i), sizeof(uint32_t));
}

/* A warp, with the end of its iteration. */
struct otok_signed_base {
    const otok_frame &g;
    const otok_flow &a;
    const otok_water_coefficients &kw;
    const otok_pipe_coefficients &kp;
    const otok_erosion_coefficients &ke;
    const otok_transport_coefficients &kt;
    const otok_strip s;
    otok_signed_shared &common;
    otok_signed_rows &rows = common.rows;
    unsigned dry = 0;

    __device__ __forceinline__ otok_booking &booked(int name)
    {
        return common.books[name][s.index];
    }

    /* Evaporation of row p, whose depth after the rain is d1; stores and books it and the
       erosion. */
    __device__ __forceinline__ void store(otok_eroded_row &e, const float (&d1)[OTOK_LANE],
                                          uint32_t wet, otok_slot &velocity_y, int p)
    {
        const int at = p * g.pitch;
        dry_up(e.d3, e.d2, kw, a, p, g, s);
        otok_strip_store(a.water_next, at, e.d3, g, s);
        store_wetness(a, at, wet, e.d3, g, s, kw);
        if (a.last) {
            otok_take(e.u, rows.change[p & 3], s);
            otok_take(e.w, velocity_y, s);
            otok_strip_store(a.velocity_x, at, e.u, g, s);
            otok_strip_store(a.velocity_y, at, e.w, g, s);
        }
        const float depths[3][OTOK_LANE] = {{e.d2[0], e.d2[1], e.d2[2], e.d2[3]},
                                            {e.d3[0], e.d3[1], e.d3[2], e.d3[3]},
                                            {d1[0], d1[1], d1[2], d1[3]}};
        otok_booking sums[3], evaporated = booked(EVAPORATED), rain = booked(RAIN);
        otok_count(sums, depths, g, s);
        book(evaporated, sums[0], sums[1]);
        if (a.rains) book(rain, sums[2], {0, 0});
        if (a.rains_next) book(rain, {0, 0}, sums[1]);
        booked(EVAPORATED) = evaporated;
        booked(RAIN) = rain;
        if (__builtin_expect(e.clamped[0] != 0.0f || e.clamped[1] != 0.0f || e.clamped[2] != 0.0f ||
                                 e.clamped[3] != 0.0f,
                             0))
            otok_tally(booked(CLAMPING), e.clamped, g, s);
        if (__builtin_expect(g.open && (s.side || p == 0 || p == g.ny - 1), 0))
            book_edges(booked(WATER_OUT), booked(SEDIMENT_OUT), e.out, e.load, p, g, s, kt);
    }

    /* Row r-3: transport and settling. Row r-2 takes its place. */
    __device__ __forceinline__ void transport(const otok_eroded_row &e, int r)
    {
        const float load_left = otok_from_left(e.load[OTOK_LANE - 1]),
                    load_right = otok_from_right(e.load[0]);
        float settled[OTOK_LANE], kept[OTOK_LANE], sideways[OTOK_LANE], rising[OTOK_LANE],
            carried[OTOK_LANE];
        otok_take(settled, common.ground, s);
        otok_take(kept, common.kept, s);
        otok_take(sideways, common.sideways, s);
        otok_take(rising, common.rising[r & 1], s);
        bool settles = false;
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const otok_four gain = {sideways[c], 0.0f, rising[c], e.load[c] * e.out[c].bottom};
            carried[c] = otok_transport_gained(kept[c], gain);
            settles |= (dry >> c & 1) && carried[c] > 0.0f;
            kept[c] = otok_transport_kept(e.s[c], e.load[c], e.out[c]);
            sideways[c] = otok_beside(e.load, load_left, load_right, c - 1) * e.in[c].left +
                          otok_beside(e.load, load_left, load_right, c + 1) * e.in[c].right;
            rising[c] = e.load[c] * e.out[c].top;
        }
        otok_put(common.ground, e.ground, s);
        otok_put(common.kept, kept, s);
        otok_put(common.sideways, sideways, s);
        otok_put(common.rising[r & 1], rising, s);
        if (__builtin_expect(settles, 0)) settle_row(settled, carried, dry);
        store_settled(a, r - 3, settled, carried, g, s);
        dry = e.drying;
    }

    __device__ __forceinline__ void finish()
    {
        otok_strip_book(a.sums + OTOK_SUM_RAIN, booked(RAIN), s);
        otok_strip_book(a.sums + OTOK_SUM_EVAPORATED, booked(EVAPORATED), s);
        otok_strip_book(a.sums + OTOK_SUM_WATER_CLAMPED, booked(CLAMPING), s);
        if (ke.displace_water) otok_strip_book(a.sums + OTOK_SUM_DISPLACED, booked(MOVED), s);
        if (!g.open) return;
        otok_strip_book(a.sums + OTOK_SUM_WATER_OUT, booked(WATER_OUT), s);
        otok_strip_book(a.sums + OTOK_SUM_SEDIMENT_OUT, booked(SEDIMENT_OUT), s);
    }
};

#endif
