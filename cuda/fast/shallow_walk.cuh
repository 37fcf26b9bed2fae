/* shallow_walk.cuh: the path of a warp through an iteration under `law: shallow_water`, for the
   kernel of shallow.cu. Row r is loaded and its faces to the right are pulled, and those to the top
   of row r-1. Row r-1 gets its speeds and flows before K, and its K; row r-2 its flows to the top,
   its surface, erosion and evaporation; row r-3 the speeds that its faces carry on, and its
   transport. Beyond a side a face has what core/shallow_faces.h and the halos of the program
   define. The physics is in model/. */
#ifndef OTOK_FAST_SHALLOW_WALK_CUH
#define OTOK_FAST_SHALLOW_WALK_CUH

#include "shallow_rows.cuh"

template <bool OPEN> struct otok_shallow_warp : otok_signed_base {
    enum { REACH = 3 };
    const otok_shallow_coefficients &ks;
    otok_shallow_shared &shared;
    const int begin = s.bottom - REACH, end = s.bottom < s.top ? s.top + REACH : begin;
    int row = otok_strip_row(g, begin), row_before = otok_strip_row(g, begin - 1);

    /* Rows by age: 0 is row r. */
    float h[4][OTOK_LANE] = {}, d1[3][OTOK_LANE] = {};
    float d[2][OTOK_LANE] = {};  /* before the rain */
    otok_face_row right[3] = {}; /* rows r-1 and r-2: [1], [2] */
    otok_face_row top[3] = {};   /* [1]: after the K of its own cell; [2]: final */
    otok_pull_row pulled_right[2] = {}, pulled_top[2] = {}; /* rows r, r-1; rows r-1, r-2 */
    float d2[OTOK_LANE] = {},
          fall[OTOK_LANE] = {}; /* row r-2: the depth after the flow; the fall to the right */

    __device__ __forceinline__ void start()
    {
        for (int n = 0; n < SIGNED_BOOKS; n++)
            booked(n) = {0, 0};
        const float none[OTOK_LANE] = {};
        for (int n = 0; n < WAITING; n++)
            otok_put(shared.before[n], none, s), otok_put(shared.earlier[n], none, s);
        otok_put(shared.flow_right, none, s), otok_put(shared.depth, none, s);
        otok_signed_fetch(rows, a, begin, row, row_before, otok_strip_row(g, begin - 2), g, s);
    }

    /* Row r: ground, rain; rows of faces that were pulled before get older. */
    __device__ __forceinline__ void rain(int r)
    {
        otok_fetched();
        otok_slot *const before = rows.field[(r - 1) & 1]; /* see pull */
        otok_take(pulled_right[1].speed, before[SIGNED_RIGHT], s);
        otok_take(pulled_right[1].depth, before[BASE], s);
        otok_take(pulled_top[1].speed, before[SIGNED_TOP], s);
        otok_take(pulled_top[1].depth, before[WATER], s);
        const int row_next = otok_strip_row_after(g, row, r + 1);
        if (r + 1 < end) otok_signed_fetch(rows, a, r + 1, row_next, row, row_before, g, s);
        row_before = row;
        row = row_next;
        otok_slot *const field = rows.field[r & 1];
        float base[OTOK_LANE], change[OTOK_LANE];
        otok_take(base, field[BASE], s);
        otok_take(change, rows.change[r & 3], s);
        otok_take(d1[0], field[WATER], s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            h[0][c] = base[c] + change[c], d[0][c] = d1[0][c];
        if (s.side) otok_spread(d[0], g, s);
        if (OPEN) otok_dry_beyond(d[0], r, g, s);
        rain_row(h[0], d1[0], booked(RAIN), a, r, OPEN ? g.open : 0, s.side, g, s);
    }

    /* Pulls the faces to the right of row r and to the top of row r-1. Until the next row they are
       in slots that have been read. */
    __device__ __forceinline__ void pull(int r)
    {
        otok_slot *const field = rows.field[r & 1];
        float old_right[OTOK_LANE], old_top[OTOK_LANE];
        otok_old_right(old_right, field[SIGNED_RIGHT], OPEN && otok_enters_left(g, s), g, s);
        otok_old_top(old_top, field[SIGNED_TOP], r - 1, g, s);
        const float h_next = otok_from_right(h[0][0]), d1_next = otok_from_right(d1[0][0]),
                    d_next = otok_from_right(d[0][0]);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const otok_column here = {h[0][c], d1[0][c]}, below = {h[1][c], d1[1][c]},
                              beside = {otok_beside(h[0], 0.0f, h_next, c + 1),
                                        otok_beside(d1[0], 0.0f, d1_next, c + 1)};
            const otok_pull x = otok_speed_pulled(
                old_right[c], d[0][c] + otok_beside(d[0], 0.0f, d_next, c + 1), here, beside, ks);
            const otok_pull y = otok_speed_pulled(old_top[c], d[1][c] + d[0][c], below, here, ks);
            pulled_right[0].speed[c] = x.speed, pulled_right[0].depth[c] = x.depth;
            pulled_top[0].speed[c] = y.speed, pulled_top[0].depth[c] = y.depth;
        }
        otok_copy_beside(pulled_top[0].speed, g, s), otok_copy_beside(pulled_top[0].depth, g, s);
        if (!g.wrap_y && r == 0) pulled_right[1] = pulled_right[0];
        if (!g.wrap_y && r == g.ny) pulled_right[0] = pulled_right[1];
        otok_put(field[SIGNED_RIGHT], pulled_right[0].speed, s);
        otok_put(field[BASE], pulled_right[0].depth, s);
        otok_put(field[SIGNED_TOP], pulled_top[0].speed, s);
        otok_put(field[WATER], pulled_top[0].depth, s);
    }

    /* Row r-1: speeds and flows of its faces before K; K; the flows of row r-1 to the right and of
       row r-2 to the top after it. */
    __device__ __forceinline__ void stream(int r)
    {
        const int q = r - 1;
        const otok_pull none = {0.0f, 0.0f};
        const otok_pull top_next = otok_first_of_right(pulled_top[0]),
                        below_next = otok_first_of_right(pulled_top[1]),
                        right_before = otok_last_of_left(pulled_right[1]),
                        above_before = otok_last_of_left(pulled_right[0]);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const otok_stream x =
                otok_stream_of(otok_pull_at(pulled_right[1], none, none, c),
                               otok_pull_at(pulled_top[1], none, none, c),
                               otok_pull_at(pulled_top[0], none, none, c),
                               otok_pull_at(pulled_top[1], none, below_next, c + 1),
                               otok_pull_at(pulled_top[0], none, top_next, c + 1), ks);
            const otok_stream y =
                otok_stream_of(otok_pull_at(pulled_top[0], none, none, c),
                               otok_pull_at(pulled_right[1], right_before, none, c - 1),
                               otok_pull_at(pulled_right[1], none, none, c),
                               otok_pull_at(pulled_right[0], above_before, none, c - 1),
                               otok_pull_at(pulled_right[0], none, none, c), ks);
            right[1].speed[c] = x.speed, right[1].flow[c] = x.flow;
            top[1].speed[c] = y.speed, top[1].flow[c] = y.flow;
        }
        const bool outside_y = otok_beyond_y(g, q);
        if (s.side || outside_y) clear_beyond(q, outside_y);
        limit(outside_y);
        otok_copy_beside(top[2].speed, g, s), otok_copy_beside(top[2].flow, g, s);
        if (!g.wrap_y && q == 0) right[2] = right[1];
        if (!g.wrap_y && q == g.ny) right[1] = right[2];
        if (r == s.bottom) { /* below the first row that has a surface */
            otok_put(shared.before[F_TOP], top[2].flow, s);
            otok_put(shared.before[U_TOP], top[2].speed, s);
        }
    }

    /* Ghosts have only the faces that water enters through at an open side. */
    __device__ __forceinline__ void clear_beyond(int q, bool outside_y)
    {
        const bool enters_bottom = OPEN && q == -1 && (g.open >> OTOK_BOTTOM & 1),
                   enters_left = OPEN && otok_enters_left(g, s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const bool outside_x = otok_beyond_x(g, s.i + c);
            if (outside_y || (outside_x && !(enters_left && s.i + c == -1)))
                right[1].speed[c] = right[1].flow[c] = 0.0f;
            if (outside_x || (outside_y && !enters_bottom)) top[1].speed[c] = top[1].flow[c] = 0.0f;
        }
    }

    /* K of row r-1. */
    __device__ __forceinline__ void limit(bool outside_y)
    {
        float limit[OTOK_LANE];
        const float left = otok_from_left(right[1].flow[OTOK_LANE - 1]);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const otok_four face = {otok_beside(right[1].flow, left, 0.0f, c - 1), right[1].flow[c],
                                    top[2].flow[c], top[1].flow[c]};
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
            const float ahead = otok_beside(limit, 0.0f, limit_right, c + 1);
            right[1].speed[c] = otok_face_limited(right[1].speed[c], limit[c], ahead);
            right[1].flow[c] = otok_face_limited(right[1].flow[c], limit[c], ahead);
            top[2].speed[c] = otok_face_limited(top[2].speed[c], 1.0f, limit[c]);
            top[2].flow[c] = otok_face_limited(top[2].flow[c], 1.0f, limit[c]);
            top[1].speed[c] = otok_face_limited(top[1].speed[c], limit[c], 1.0f);
            top[1].flow[c] = otok_face_limited(top[1].flow[c], limit[c], 1.0f);
        }
    }

    /* Row r-2: the surface, and the fall to the right. */
    __device__ __forceinline__ void surface(int r)
    {
        float below[OTOK_LANE];
        otok_take(below, shared.before[F_TOP], s);
        const float left = otok_from_left(right[2].flow[OTOK_LANE - 1]);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const otok_four face = {otok_beside(right[2].flow, left, 0.0f, c - 1), right[2].flow[c],
                                    below[c], top[2].flow[c]};
            d2[c] = otok_face_surface(d1[2][c], face, kw).d2;
        }
        if (OPEN) otok_dry_beyond(d2, r - 2, g, s);
        const float h_next = otok_from_right(h[2][0]), d2_next = otok_from_right(d2[0]);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const otok_column here = {h[2][c], d2[c]},
                              beside = {otok_beside(h[2], 0.0f, h_next, c + 1),
                                        otok_beside(d2, 0.0f, d2_next, c + 1)};
            fall[c] = otok_speed_fall(here, beside, ks);
        }
    }

    /* Row r-3: the speeds that its faces carry on. */
    __device__ __forceinline__ void carry(int r)
    {
        const int m = r - 3;
        float u[OTOK_LANE], v[OTOK_LANE], f[OTOK_LANE], t[OTOK_LANE], depth[OTOK_LANE];
        otok_take(u, shared.before[U_RIGHT], s);
        otok_take(v, shared.before[U_TOP], s);
        otok_take(f, shared.flow_right, s);
        otok_take(t, shared.before[F_TOP], s);
        otok_take(depth, shared.depth, s);
        if (m >= s.bottom - (OPEN && s.bottom == 0) && m < s.top) {
            float next[OTOK_LANE];
            carry_right(next, u, f, t, depth);
            store_right(next, m);
            carry_top(next, m, v, t, f, depth);
            store_top(next, m);
        }
        /* row r-2 takes its place */
        float fallen[OTOK_LANE];
        otok_take(fallen, shared.before[FALL], s);
        otok_put(shared.earlier[U_RIGHT], u, s), otok_put(shared.earlier[U_TOP], v, s);
        otok_put(shared.earlier[F_TOP], t, s), otok_put(shared.earlier[FALL], fallen, s);
        otok_put(shared.before[U_RIGHT], right[2].speed, s);
        otok_put(shared.before[U_TOP], top[2].speed, s);
        otok_put(shared.before[F_TOP], top[2].flow, s);
        otok_put(shared.before[FALL], fall, s);
        otok_put(shared.flow_right, right[2].flow, s);
        otok_put(shared.depth, d2, s);
    }

    /* u, f: speeds and flows to the right; t: flows to the top. */
    __device__ __forceinline__ void
    carry_right(float (&next)[OTOK_LANE], const float (&u)[OTOK_LANE], const float (&f)[OTOK_LANE],
                const float (&t)[OTOK_LANE], const float (&depth)[OTOK_LANE])
    {
        float u_below[OTOK_LANE], t_below[OTOK_LANE], fall_below[OTOK_LANE], fall_here[OTOK_LANE];
        otok_take(u_below, shared.earlier[U_RIGHT], s);
        otok_take(t_below, shared.earlier[F_TOP], s);
        otok_take(fall_below, shared.earlier[FALL], s);
        otok_take(fall_here, shared.before[FALL], s);
        const float u_left = otok_from_left(u[OTOK_LANE - 1]), u_right = otok_from_right(u[0]),
                    f_left = otok_from_left(f[OTOK_LANE - 1]), f_right = otok_from_right(f[0]),
                    t_right = otok_from_right(t[0]), tb_right = otok_from_right(t_below[0]),
                    h_right = otok_from_right(h[3][0]), d_right = otok_from_right(depth[0]);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const otok_column here = {h[3][c], depth[c]},
                              beside = {otok_beside(h[3], 0.0f, h_right, c + 1),
                                        otok_beside(depth, 0.0f, d_right, c + 1)};
            otok_passage p;
            otok_along(p, otok_end_of(s.i + c, g.nx, g.wrap_x, OPEN ? g.open : 0, OTOK_LEFT),
                       otok_beside(u, u_left, 0.0f, c - 1), u[c],
                       otok_beside(u, 0.0f, u_right, c + 1), otok_beside(f, f_left, 0.0f, c - 1),
                       f[c], otok_beside(f, 0.0f, f_right, c + 1), here.d1, beside.d1);
            p.below = u_below[c], p.above = right[2].speed[c];
            p.below_a = t_below[c], p.below_b = otok_beside(t_below, 0.0f, tb_right, c + 1);
            p.above_a = t[c], p.above_b = otok_beside(t, 0.0f, t_right, c + 1);
            p.depth = otok_face_depth(here, beside);
            p.fall = fall_here[c], p.fall_below = fall_below[c], p.fall_above = fall[c];
            next[c] = otok_speed_carried(p, ks);
            if (!g.wrap_x && !(OPEN && (g.open >> OTOK_RIGHT & 1)) && s.i + c == g.nx - 1)
                next[c] = 0.0f;
        }
    }

    /* v, t: speeds and flows to the top; f: flows to the right. */
    __device__ __forceinline__ void carry_top(float (&next)[OTOK_LANE], int m,
                                              const float (&v)[OTOK_LANE],
                                              const float (&t)[OTOK_LANE],
                                              const float (&f)[OTOK_LANE],
                                              const float (&depth)[OTOK_LANE])
    {
        float v_below[OTOK_LANE], t_below[OTOK_LANE], falls[OTOK_LANE], deep[OTOK_LANE];
        otok_take(v_below, shared.earlier[U_TOP], s);
        otok_take(t_below, shared.earlier[F_TOP], s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const otok_column here = {h[3][c], depth[c]}, above = {h[2][c], d2[c]};
            falls[c] = otok_speed_fall(here, above, ks);
            deep[c] = otok_face_depth(here, above);
        }
        const float v_left = otok_from_left(v[OTOK_LANE - 1]), v_right = otok_from_right(v[0]),
                    f_left = otok_from_left(f[OTOK_LANE - 1]),
                    g_left = otok_from_left(right[2].flow[OTOK_LANE - 1]),
                    fall_left = otok_from_left(falls[OTOK_LANE - 1]),
                    fall_right = otok_from_right(falls[0]);
        const int side = otok_end_of(m, g.ny, g.wrap_y, OPEN ? g.open : 0, OTOK_BOTTOM);
        const bool shut = !g.wrap_y && !(OPEN && (g.open >> OTOK_TOP & 1)) && m == g.ny - 1;
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            otok_passage p;
            otok_along(p, side, v_below[c], v[c], top[2].speed[c], t_below[c], t[c], top[2].flow[c],
                       depth[c], d2[c]);
            p.below = otok_beside(v, v_left, 0.0f, c - 1);
            p.above = otok_beside(v, 0.0f, v_right, c + 1);
            p.below_a = otok_beside(f, f_left, 0.0f, c - 1);
            p.below_b = otok_beside(right[2].flow, g_left, 0.0f, c - 1);
            p.above_a = f[c], p.above_b = right[2].flow[c];
            p.depth = deep[c];
            p.fall = falls[c], p.fall_below = otok_beside(falls, fall_left, 0.0f, c - 1);
            p.fall_above = otok_beside(falls, 0.0f, fall_right, c + 1);
            next[c] = shut ? 0.0f : otok_speed_carried(p, ks);
        }
    }

    __device__ __forceinline__ void store_right(const float (&next)[OTOK_LANE], int m)
    {
        if (m < 0) return;
        otok_strip_store(a.outflow_next[OTOK_RIGHT], m * g.pitch, next, g, s);
        if (OPEN && otok_enters_left(g, s))
            a.outflow_next[OTOK_LEFT][m * g.pitch] = 0.0f - next[OTOK_LANE - 1];
    }

    __device__ __forceinline__ void store_top(const float (&next)[OTOK_LANE], int m)
    {
        if (m >= 0) {
            otok_strip_store(a.outflow_next[OTOK_TOP], m * g.pitch, next, g, s);
        } else if (OPEN && m == -1 && (g.open >> OTOK_BOTTOM & 1)) {
            const float entry[OTOK_LANE] = {0.0f - next[0], 0.0f - next[1], 0.0f - next[2],
                                            0.0f - next[3]};
            otok_strip_store(a.outflow_next[OTOK_BOTTOM], 0, entry, g, s);
        }
    }

    /* Row r-2: erosion and evaporation. */
    __device__ __forceinline__ void erode(otok_eroded_row &e, int r)
    {
        const int p = r - 2;
        otok_slot *const field = rows.field[r & 1];
        otok_ground_row b;
        float below[OTOK_LANE], v_below[OTOK_LANE];
        otok_take(below, shared.earlier[F_TOP], s), otok_take(v_below, shared.earlier[U_TOP], s);
        const float left = otok_from_left(right[2].flow[OTOK_LANE - 1]),
                    u_left = otok_from_left(right[2].speed[OTOK_LANE - 1]);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            b.h[c] = h[2][c], b.below[c] = h[3][c], b.above[c] = h[1][c], b.d1[c] = d1[2][c];
            const otok_four face = {otok_beside(right[2].flow, left, 0.0f, c - 1), right[2].flow[c],
                                    below[c], top[2].flow[c]};
            e.out[c] = otok_faces_out(face);
            e.in[c] = otok_faces_in(face);
            e.u[c] = otok_speed_of_cell(otok_beside(right[2].speed, u_left, 0.0f, c - 1),
                                        right[2].speed[c], d1[2][c], d2[c], ks);
            e.w[c] = otok_speed_of_cell(v_below[c], top[2].speed[c], d1[2][c], d2[c], ks);
        }
        b.left = otok_from_left(h[2][OTOK_LANE - 1]), b.right = otok_from_right(h[2][0]);
        otok_take(b.change, rows.change[p & 3], s);
        otok_take(b.sediment, field[SIGNED_SEDIMENT], s);
        if (s.side) otok_spread(b.change, g, s), otok_spread(b.sediment, g, s);
        const uint32_t wet = rows.wetness[r & 1][s.index];
        const bool mine = p >= s.bottom && p < s.top;
        erode_row<true, true, KNOWN>(e, b, kw, ke, kt);
        if (ke.displace_water && mine) book_displaced(booked(MOVED), e, g, s);
        otok_put(rows.change[p & 3], e.u, s); /* both slots have been read; this saves registers */
        otok_put(field[SIGNED_SEDIMENT], e.w, s);
        if (mine) store(e, d1[2], wet, field[SIGNED_SEDIMENT], p);
    }

    __device__ __forceinline__ void age()
    {
        otok_age(h), otok_age(d1), otok_age(d);
        right[2] = right[1];
        top[2] = top[1];
    }
};

#endif
