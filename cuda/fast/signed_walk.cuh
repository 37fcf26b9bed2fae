/* signed_walk.cuh: the path of a warp through an iteration with signed pipes, for the kernel of
   signed.cu. Row r is loaded while row r-1 gets the flow that its pipes would carry and its K, row
   r-2 the flow that they do carry, its surface, erosion and evaporation, and row r-3 its transport.
   The physics is in model/. */
#ifndef OTOK_FAST_SIGNED_WALK_CUH
#define OTOK_FAST_SIGNED_WALK_CUH

#include "signed_rows.cuh"

template <int PIPES>
static __device__ inline float pipe(float f, otok_column from, otok_column to,
                                    otok_pipe_coefficients k)
{
    return PIPES == AXIS ? otok_pipe_rough(f, from, to, k) : otok_pipe_smooth(f, from, to, k);
}

/* PIPES: SMOOTH to LEAN. BY_DEPTH: pipes are as deep as the water. */
template <int PIPES, bool BY_DEPTH> struct otok_signed_warp : otok_signed_base {
    /* BEHIND: one more row, behind the lowest pipe. PULLED: a slot that is free by then. */
    enum { REACH = 3, BEHIND = PIPES == LEAN };
    enum { PULLED = PIPES == LEAN ? (int)WATER : (int)SIGNED_RIGHT };
    const int begin = s.bottom - REACH - BEHIND, end = s.bottom < s.top ? s.top + REACH : begin;
    int row = otok_strip_row(g, begin), row_before = otok_strip_row(g, begin - 1);

    /* Rows by age. The flow to the top takes the K of its own cell in one step and the K of the
       cell above in the next. */
    float h[4][OTOK_LANE] = {}, d1[3][OTOK_LANE] = {};
    float face_right[3][OTOK_LANE] = {}, top[3][OTOK_LANE] = {}, face_top[4][OTOK_LANE] = {};
    /* Values of the columns beside those of the lane, by age. */
    float h_right[3] = {}, d1_right[2] = {};
    otok_flow_around around = {}; /* row r-1 */

    __device__ __forceinline__ void start()
    {
        for (int n = 0; n < SIGNED_BOOKS; n++)
            booked(n) = {0, 0};
        otok_signed_fetch<PIPES>(rows, a, begin, row, row_before, otok_strip_row(g, begin - 2), g,
                                 s);
    }

    /* Row r: ground, rain and old flows. */
    __device__ __forceinline__ void rain(int r)
    {
        otok_fetched();
        if constexpr (PIPES >= VECTOR) keep((r - 1) & 1, r - 1);
        const int row_next = otok_strip_row_after(g, row, r + 1);
        if (r + 1 < end) otok_signed_fetch<PIPES>(rows, a, r + 1, row_next, row, row_before, g, s);
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
        const float d1_beyond = g.open >> OTOK_RIGHT & 1 ? 0.0f : d1[0][OTOK_LANE - 1];
        h_right[0] = otok_from_right(h[0][0], h[0][OTOK_LANE - 1]);
        d1_right[0] = otok_from_right(d1[0][0], d1_beyond);
    }

    /* For VECTOR and LEAN: of row q, what is still in the slots of number n, before they are filled
       again. */
    __device__ __forceinline__ void keep(int n, int q)
    {
        otok_slot *const before = rows.field[n];
        otok_take(around.pulled_right, before[PULLED], s);
        if constexpr (PIPES == LEAN) {
            otok_old_right<PIPES>(around.right, before[SIGNED_RIGHT], otok_enters_left(g, s), g, s);
            otok_old_top(around.top, before[SIGNED_TOP], q, g, s);
            otok_take(around.top_below, before[BASE], s);
        } else {
            otok_take(around.pulled_below, before[SIGNED_TOP], s);
            otok_take(around.deep_right, before[BASE], s);
        }
    }

    /* For VECTOR and LEAN: pulls the pipes to the right of row r and to the top of row r-1. These
       flows go to slots that have been read. */
    __device__ __forceinline__ void pull(float (&right)[OTOK_LANE], int r,
                                         const otok_column (&here)[OTOK_LANE],
                                         const otok_column (&above)[OTOK_LANE])
    {
        otok_slot *const field = rows.field[r & 1];
        otok_column beyond[OTOK_LANE];
        otok_old_right<PIPES>(around.right_above, field[SIGNED_RIGHT], otok_enters_left(g, s), g,
                              s);
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
        else {
            float deep[OTOK_LANE];
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++)
                deep[c] = otok_face_depth(above[c], beyond[c]); /* which the pull computes */
            otok_put(field[BASE], deep, s);
            otok_put(field[SIGNED_TOP], top[1], s);
        }
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
            if (r == begin) return; /* nothing else is needed of what is below */
            otok_pipes_around<PIPES>(right, top[1], around, here, beside, above, g, s, kp);
        } else {
            otok_slot *const field = rows.field[r & 1];
            float old_right[OTOK_LANE], old_top[OTOK_LANE];
            otok_take(old_right, field[SIGNED_RIGHT], s);
            otok_take(old_top, field[SIGNED_TOP], s);
            if (otok_enters_left(g, s)) old_right[OTOK_LANE - 1] = -old_right[0];
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
            if (outside_y || (outside_x && !(otok_enters_left(g, s) && s.i + c == -1)))
                right[c] = 0.0f;
            if (outside_x || (outside_y && !enters_bottom)) top[1][c] = 0.0f;
        }
    }

    /* Row r-1: K, and what the pipes carry with it. */
    __device__ __forceinline__ void limit(const float (&right)[OTOK_LANE], int r)
    {
        const int q = r - 1;
        float limit[OTOK_LANE];
        const bool outside_y = otok_beyond_y(g, q);
        const float left = otok_from_left(right[OTOK_LANE - 1], 0.0f);
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
        const float limit_right = otok_from_right(limit[0], 0.0f);
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
            e.u[c] = face.left + face.right, e.w[c] = face.bottom + face.top;
        }
        b.left = otok_from_left(h[2][OTOK_LANE - 1], h[2][0]), b.right = h_right[2];
        otok_take(b.change, rows.change[p & 3], s);
        otok_take(b.sediment, field[SIGNED_SEDIMENT], s);
        if (s.side) otok_spread(b.change, g, s), otok_spread(b.sediment, g, s);
        const uint32_t wet = rows.wetness[r & 1][s.index];
        const bool mine = p >= s.bottom && p < s.top;
        erode_row<true, BY_DEPTH, OF_FACES>(e, b, kw, ke, kt);
        if (ke.displace_water && mine) book_displaced(booked(MOVED), e, g, s);
        otok_put(rows.change[p & 3], e.u, s); /* both slots have been read; this saves registers */
        otok_put(field[SIGNED_SEDIMENT], e.w, s);
        if (mine) {
            float *const maps[] = {a.outflow_next[OTOK_RIGHT], a.outflow_next[OTOK_TOP]};
            const float flows[2][OTOK_LANE] = {
                {face_right[2][0], face_right[2][1], face_right[2][2], face_right[2][3]},
                {face_top[2][0], face_top[2][1], face_top[2][2], face_top[2][3]}};
            otok_strip_store(maps, p * g.pitch, flows, g, s);
            if (otok_enters_left(g, s))
                a.outflow_next[OTOK_LEFT][p * g.pitch] = 0.0f - face_right[2][OTOK_LANE - 1];
            store(e, d1[2], wet, field[SIGNED_SEDIMENT], p);
        } else if (p == -1 && s.bottom == 0 && (g.open >> OTOK_BOTTOM & 1)) {
            const float entry[OTOK_LANE] = {0.0f - face_top[2][0], 0.0f - face_top[2][1],
                                            0.0f - face_top[2][2], 0.0f - face_top[2][3]};
            otok_strip_store(a.outflow_next[OTOK_BOTTOM], 0, entry, g, s);
        }
    }

    __device__ __forceinline__ void age()
    {
        otok_age(h), otok_age(d1), otok_age(face_right), otok_age(top), otok_age(face_top);
        h_right[2] = h_right[1], h_right[1] = h_right[0], d1_right[1] = d1_right[0];
    }
};

#endif
