/* signed_walk.cuh: the path of a warp through an iteration with signed pipes, for the kernel of
   signed.cu. Row r is loaded while row r-1 gets the flow that its pipes would carry and its K, row
   r-2 the flow that they do carry, its surface, erosion and evaporation, and row r-3 its transport.
   The physics is in model/. */
#ifndef OTOK_FAST_SIGNED_WALK_CUH
#define OTOK_FAST_SIGNED_WALK_CUH

#include "hydraulic_stages.cuh"

#include "signed_around.cuh"

/* The fields that are fetched, besides the change: base and water of row r, flows of row r-1 (see
   row_of_flow), sediment of row r-2. */
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
static __device__ inline bool enters_left(const otok_frame &g, const otok_strip &s)
{
    return s.i < 0 && (g.open >> OTOK_LEFT & 1);
}

/* The row whose flow is fetched with row r. The flow to the right is fetched a row earlier if the
   flow across pipes counts; the flow to the top too if the flow behind them counts. */
template <int PIPES> static __device__ constexpr int row_of_flow(int r, int side)
{
    return PIPES == LEAN || (PIPES == VECTOR && side == SIGNED_RIGHT) ? r : r - 1;
}

/* The rows r, r-1 and r-2 that the stages need when r is the newest row. Before an open side are
   the values that the cells there hold. */
template <int PIPES>
static __device__ inline void fetch(otok_signed_rows &rows, const otok_flow &a, int r, int row,
                                    int row1, int row2, const otok_frame &g, const otok_strip &s)
{
    const int n = r & 1;
    const float *right = a.in[OUTFLOW + (enters_left(g, s) ? OTOK_LEFT : OTOK_RIGHT)];
    const bool enters_bottom = row_of_flow<PIPES>(r, SIGNED_TOP) < 0 && (g.open >> OTOK_BOTTOM & 1);
    const float *top = a.in[OUTFLOW + (enters_bottom ? OTOK_BOTTOM : OTOK_TOP)];
    const int row_right = row_of_flow<PIPES>(r, SIGNED_RIGHT) == r ? row : row1;
    const int row_top = row_of_flow<PIPES>(r, SIGNED_TOP) == r ? row : row1;
    otok_slot *const field = rows.field[n];
    if (s.scattered) {
        otok_fetch_scattered(rows.change[r & 3], a.change, row, s);
        otok_fetch_scattered(field[BASE], a.in[BASE], row, s);
        otok_fetch_scattered(field[WATER], a.in[WATER], row, s);
        otok_fetch_scattered(field[SIGNED_RIGHT], right, row_right, s);
        otok_fetch_scattered(field[SIGNED_TOP], top, row_top, s);
        otok_fetch_scattered(field[SIGNED_SEDIMENT], a.in[SEDIMENT], row2, s);
    } else {
        otok_fetch(rows.change[r & 3], a.change, row, s);
        otok_fetch(field[BASE], a.in[BASE], row, s);
        otok_fetch(field[WATER], a.in[WATER], row, s);
        otok_fetch(field[SIGNED_RIGHT], right, row_right, s);
        otok_fetch(field[SIGNED_TOP], top, row_top, s);
        otok_fetch(field[SIGNED_SEDIMENT], a.in[SEDIMENT], row2, s);
    }
    const int i = s.i < 0 ? 0 : s.i > g.pitch - OTOK_LANE ? g.pitch - OTOK_LANE : s.i;
    __pipeline_memcpy_async(&rows.wetness[n][s.index], a.wetness + (row2 + i), sizeof(uint32_t));
}

template <int PIPES>
static __device__ inline float pipe(float f, otok_column from, otok_column to,
                                    otok_pipe_coefficients k)
{
    return PIPES == AXIS ? otok_pipe_rough(f, from, to, k) : otok_pipe_smooth(f, from, to, k);
}

/* PIPES: SMOOTH to LEAN. BY_DEPTH: pipes are as deep as the water. */
template <int PIPES, bool BY_DEPTH> struct otok_signed_warp {
    /* BEHIND: one more row, behind the lowest pipe. PULLED: a slot that is free by then. */
    enum { REACH = 3, BEHIND = PIPES == LEAN };
    enum { PULLED = PIPES == LEAN ? (int)WATER : (int)SIGNED_RIGHT };
    const otok_frame &g;
    const otok_flow &a;
    const otok_water_coefficients &kw;
    const otok_pipe_coefficients &kp;
    const otok_erosion_coefficients &ke;
    const otok_transport_coefficients &kt;
    const otok_strip s;
    otok_signed_shared &shared;
    otok_signed_rows &rows = shared.rows;
    const int begin = s.bottom - REACH - BEHIND, end = s.bottom < s.top ? s.top + REACH : begin;
    int row = otok_strip_row(g, begin), row_before = otok_strip_row(g, begin - 1);

    /* Rows by age. The flow to the top takes the K of its own cell in one step and the K of the
       cell above in the next. */
    float h[4][OTOK_LANE] = {}, d1[3][OTOK_LANE] = {};
    float face_right[3][OTOK_LANE] = {}, top[3][OTOK_LANE] = {}, face_top[4][OTOK_LANE] = {};
    unsigned dry = 0;
    /* Values of the columns beside those of the lane, by age. */
    float h_right[3] = {}, d1_right[2] = {};
    otok_flow_around around = {}; /* row r-1 */

    __device__ __forceinline__ otok_booking &booked(int name)
    {
        return shared.books[name][s.index];
    }

    __device__ __forceinline__ void start()
    {
        for (int n = 0; n < SIGNED_BOOKS; n++)
            booked(n) = {0, 0};
        fetch<PIPES>(rows, a, begin, row, row_before, otok_strip_row(g, begin - 2), g, s);
    }

    /* Row r: ground, rain and old flows. */
    __device__ __forceinline__ void rain(int r)
    {
        otok_fetched();
        if constexpr (PIPES >= VECTOR) keep((r - 1) & 1, r - 1);
        const int row_next = otok_strip_row_after(g, row, r + 1);
        if (r + 1 < end) fetch<PIPES>(rows, a, r + 1, row_next, row, row_before, g, s);
        row_before = row;
        row = row_next;
        otok_slot *const field = rows.field[r & 1];
        float base[OTOK_LANE], change[OTOK_LANE];
        otok_take(base, field[BASE], s);
        otok_take(change, rows.change[r & 3], s);
        otok_take(d1[0], field[WATER], s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            h[0][c] = base[c] + change[c];
        rain_row(h[0], d1[0], booked(RAIN), a, r, g.open, s.side, g, s);
        h_right[0] = otok_from_right(h[0][0]), d1_right[0] = otok_from_right(d1[0][0]);
    }

    /* For VECTOR and LEAN: of row q, what is still in the slots of number n, before they are filled
       again. */
    __device__ __forceinline__ void keep(int n, int q)
    {
        otok_slot *const before = rows.field[n];
        otok_take(around.pulled_right, before[PULLED], s);
        if constexpr (PIPES == LEAN) {
            otok_old_right<PIPES>(around.right, before[SIGNED_RIGHT], enters_left(g, s), g, s);
            otok_old_top(around.top, before[SIGNED_TOP], q, g, s);
            otok_take(around.top_below, before[BASE], s);
        } else
            otok_take(around.pulled_below, before[SIGNED_TOP], s);
    }

    /* For VECTOR and LEAN: pulls the pipes to the right of row r and to the top of row r-1. These
       flows go to slots that have been read. */
    __device__ __forceinline__ void pull(float (&right)[OTOK_LANE], int r,
                                         const otok_column (&here)[OTOK_LANE],
                                         const otok_column (&above)[OTOK_LANE])
    {
        otok_slot *const field = rows.field[r & 1];
        otok_column beyond[OTOK_LANE];
        otok_old_right<PIPES>(around.right_above, field[SIGNED_RIGHT], enters_left(g, s), g, s);
        otok_old_top(PIPES == LEAN ? around.top_above : around.top, field[SIGNED_TOP],
                     PIPES == LEAN ? r : r - 1, g, s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            beyond[c] = {otok_beside(h[0], 0.0f, h_right[0], c + 1),
                         otok_beside(d1[0], 0.0f, d1_right[0], c + 1)};
        otok_pull_rows<PIPES>(right, top[1], around, r, here, above, beyond, g, s, kp);
        otok_put(field[PULLED], right, s);
        if constexpr (PIPES == LEAN)
            otok_put(field[BASE], around.top, s);
        else
            otok_put(field[SIGNED_TOP], top[1], s);
    }

    /* Row r-1: the flow that its pipes would carry, to the right and to the top. */
    __device__ __forceinline__ void flow(float (&right)[OTOK_LANE], int r)
    {
        const int q = r - 1;
        otok_column here[OTOK_LANE], beside[OTOK_LANE], above[OTOK_LANE];
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            here[c] = {h[1][c], d1[1][c]}, above[c] = {h[0][c], d1[0][c]};
            beside[c] = {otok_beside(h[1], 0.0f, h_right[1], c + 1),
                         otok_beside(d1[1], 0.0f, d1_right[1], c + 1)};
        }
        if constexpr (PIPES >= VECTOR) {
            pull(right, r, here, above);
            otok_pipes_around<PIPES>(right, top[1], around, here, beside, above, g, s, kp);
        } else {
            otok_slot *const field = rows.field[r & 1];
            float old_right[OTOK_LANE], old_top[OTOK_LANE];
            otok_take(old_right, field[SIGNED_RIGHT], s);
            otok_take(old_top, field[SIGNED_TOP], s);
            if (enters_left(g, s)) old_right[OTOK_LANE - 1] = -old_right[0];
            if (q < 0 && (g.open >> OTOK_BOTTOM & 1)) {
#pragma unroll
                for (int c = 0; c < OTOK_LANE; c++)
                    old_top[c] = -old_top[c];
            }
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                right[c] = pipe<PIPES>(old_right[c], here[c], beside[c], kp);
                top[1][c] = pipe<PIPES>(old_top[c], here[c], above[c], kp);
            }
        }
        const bool outside_y = otok_beyond_y(g, q);
        if (!s.side && !outside_y) return;
        /* Ghosts have only the pipes that enter at an open side. */
        const bool enters_bottom = q == -1 && (g.open >> OTOK_BOTTOM & 1);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const bool outside_x = otok_beyond_x(g, s.i + c);
            if (outside_y || (outside_x && !(enters_left(g, s) && s.i + c == -1))) right[c] = 0.0f;
            if (outside_x || (outside_y && !enters_bottom)) top[1][c] = 0.0f;
        }
    }

    /* Row r-1: K, and what the pipes carry with it. */
    __device__ __forceinline__ void limit(const float (&right)[OTOK_LANE], int r)
    {
        const int q = r - 1;
        float limit[OTOK_LANE];
        const bool outside_y = otok_beyond_y(g, q);
        const float left = otok_from_left(right[OTOK_LANE - 1]);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const otok_four face = {otok_beside(right, left, 0.0f, c - 1), right[c], top[2][c],
                                    top[1][c]};
            limit[c] = otok_pipe_limit(d1[1][c], otok_faces_out(face), kp);
        }
        if (s.side || outside_y) { /* nothing flows in */
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++)
                if (outside_y || otok_beyond_x(g, s.i + c)) limit[c] = 0.0f;
        }
        const float limit_right = otok_from_right(limit[0]);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            face_right[1][c] =
                otok_face_limited(right[c], limit[c], otok_beside(limit, 0.0f, limit_right, c + 1));
            face_top[2][c] = otok_face_limited(top[2][c], 1.0f, limit[c]);
            top[1][c] = otok_face_limited(top[1][c], limit[c], 1.0f);
        }
    }

    /* Row r-2: water surface, erosion, evaporation. `face_left`: the flow into the lane's first
       column from the left. */
    __device__ __forceinline__ void erode(otok_eroded_row &e, int r, float face_left)
    {
        const int p = r - 2;
        otok_slot *const field = rows.field[r & 1];
        otok_ground_row b;
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            b.h[c] = h[2][c], b.below[c] = h[3][c], b.above[c] = h[1][c], b.d1[c] = d1[2][c];
            const otok_four face = {otok_beside(face_right[2], face_left, 0.0f, c - 1),
                                    face_right[2][c], face_top[3][c], face_top[2][c]};
            e.out[c] = otok_faces_out(face);
            e.in[c] = otok_faces_in(face);
        }
        b.left = otok_from_left(h[2][OTOK_LANE - 1]), b.right = h_right[2];
        otok_take(b.change, rows.change[p & 3], s);
        otok_take(b.sediment, field[SIGNED_SEDIMENT], s);
        if (s.side) otok_spread(b.change, g, s), otok_spread(b.sediment, g, s);
        const uint32_t wet = rows.wetness[r & 1][s.index];
        const bool mine = p >= s.bottom && p < s.top;
        erode_row<true, BY_DEPTH>(e, b, booked(MOVED), mine, kw, ke, kt, g, s);
        dry_up(e.d3, e.d2, kw, a, p, g, s);
        otok_put(rows.change[p & 3], e.u, s); /* both slots have been read; this saves registers */
        otok_put(field[SIGNED_SEDIMENT], e.w, s);
        if (mine) {
            store(e, wet, field[SIGNED_SEDIMENT], p);
        } else if (p == -1 && s.bottom == 0 && (g.open >> OTOK_BOTTOM & 1)) {
            const float entry[OTOK_LANE] = {0.0f - face_top[2][0], 0.0f - face_top[2][1],
                                            0.0f - face_top[2][2], 0.0f - face_top[2][3]};
            otok_strip_store(a.outflow_next[OTOK_BOTTOM], 0, entry, g, s);
        }
    }

    /* Stores and books the erosion and evaporation of row p. */
    __device__ __forceinline__ void store(otok_eroded_row &e, uint32_t wet, otok_slot &velocity_y,
                                          int p)
    {
        const int at = p * g.pitch;
        float *const maps[] = {a.outflow_next[OTOK_RIGHT], a.outflow_next[OTOK_TOP], a.water_next};
        const float all[3][OTOK_LANE] = {
            {face_right[2][0], face_right[2][1], face_right[2][2], face_right[2][3]},
            {face_top[2][0], face_top[2][1], face_top[2][2], face_top[2][3]},
            {e.d3[0], e.d3[1], e.d3[2], e.d3[3]}};
        otok_strip_store(maps, at, all, g, s);
        if (enters_left(g, s)) a.outflow_next[OTOK_LEFT][at] = 0.0f - face_right[2][OTOK_LANE - 1];
        store_wetness(a, at, wet, e.d3, g, s, kw);
        if (a.last) {
            otok_take(e.u, rows.change[p & 3], s);
            otok_take(e.w, velocity_y, s);
            otok_strip_store(a.velocity_x, at, e.u, g, s);
            otok_strip_store(a.velocity_y, at, e.w, g, s);
        }
        const float depths[3][OTOK_LANE] = {{e.d2[0], e.d2[1], e.d2[2], e.d2[3]},
                                            {e.d3[0], e.d3[1], e.d3[2], e.d3[3]},
                                            {d1[2][0], d1[2][1], d1[2][2], d1[2][3]}};
        otok_booking sums[3], evaporated = booked(EVAPORATED), rain = booked(RAIN);
        otok_count(sums, depths, g, s);
        book(evaporated, sums[0], sums[1]);
        if (a.rains) book(rain, sums[2], {0, 0});
        if (a.rains_next) book(rain, {0, 0}, sums[1]);
        booked(EVAPORATED) = evaporated;
        booked(RAIN) = rain;
        if (e.clamped[0] != 0.0f || e.clamped[1] != 0.0f || e.clamped[2] != 0.0f ||
            e.clamped[3] != 0.0f)
            otok_tally(booked(CLAMPING), e.clamped, g, s);
        if (g.open && (s.side || p == 0 || p == g.ny - 1))
            book_edges(booked(WATER_OUT), booked(SEDIMENT_OUT), e.out, e.load, p, g, s, kt);
    }

    /* Row r-3: transport and settling. Row r-2 takes its place. */
    __device__ __forceinline__ void carry(const otok_eroded_row &e, int r)
    {
        const float load_left = otok_from_left(e.load[OTOK_LANE - 1]),
                    load_right = otok_from_right(e.load[0]);
        float settled[OTOK_LANE], kept[OTOK_LANE], sideways[OTOK_LANE], rising[OTOK_LANE],
            carried[OTOK_LANE];
        otok_take(settled, shared.ground, s);
        otok_take(kept, shared.kept, s);
        otok_take(sideways, shared.sideways, s);
        otok_take(rising, shared.rising[r & 1], s);
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
        otok_put(shared.ground, e.ground, s);
        otok_put(shared.kept, kept, s);
        otok_put(shared.sideways, sideways, s);
        otok_put(shared.rising[r & 1], rising, s);
        if (settles) settle_row(settled, carried, dry);
        store_settled(a, r - 3, settled, carried, g, s);
        dry = e.drying;
    }

    __device__ __forceinline__ void age()
    {
        otok_age(h), otok_age(d1), otok_age(face_right), otok_age(top), otok_age(face_top);
        h_right[2] = h_right[1], h_right[1] = h_right[0], d1_right[1] = d1_right[0];
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
