/* resident_shallow.cu: hydraulic erosion under `law: shallow_water` on chip, as in
   resident_signed.cu; faces keep speeds. The speeds that they carry on are computed together with
   the transport. The physics is in model/. */
#include "resident_faces_stages.cuh"

#include "model/shallow_steps.h"

namespace
{
/* Speed and depth of the flow after the pull, through the right and the top faces; speed through
   the top ones before K. Later the same arrays have what passes through the right faces before K
   (WANTED_X, FLOW_X), K, speeds and flows after it, and the depth after the flow; DONE is that
   after erosion. NEXT: the new speeds. */
enum {
    BEFORE = FACE_ARRAYS,
    PULLED_X,
    DEEP_X,
    PULLED_Y,
    DEEP_Y,
    SPEED_Y,
    PASSED_Y,
    LOADS,
    SHALLOW_ARRAYS,
    LIMIT = DEEP_Y,
    SPEED_X = PULLED_X,
    PASSED_X = DEEP_X,
    MOVES_Y = PULLED_Y,
    DEPTH_2 = BEFORE,
    DONE = SPEED_Y,
    WANTED_X = BEFORE,
    FLOW_X = PASSED_Y,
    NEXT_X = FLOW_Y,
    NEXT_Y = LIMIT
};

template <int R, class S> struct shallow_phases : faces_phases<R, S> {
    typedef faces_phases<R, S> before;
    typedef typename before::now_of now_of;
    using before::a, before::k, before::p, before::of, before::is_entry, before::row, before::flows,
        before::column, before::spread, before::close, before::right, before::any_right,
        before::edges_x, before::left_ghost, before::barriers, before::meet;

    __device__ __forceinline__ otok_pull pulled(int speeds, int depths, int r, int c) const
    {
        return otok_pull{row(speeds, r)[c], row(depths, r)[c]};
    }

    /* Rain shares the speed, and gravity pulls. */
    __device__ __forceinline__ void pull(int r)
    {
        float x[C], y[C], deep_x[C], deep_y[C];
        const float *const was = row(BEFORE, r);
#pragma unroll
        for (int c = 0; c < C; c++) {
            const otok_column here = column(r, 0, c);
            const otok_pull px = otok_speed_pulled(of[FACE_X][r][c], was[c] + was[c + 1], here,
                                                   column(r, 0, c + 1), k.shallow);
            const otok_pull py = otok_speed_pulled(of[FACE_Y][r][c], was[c] + was[c + W], here,
                                                   column(r, 1, c), k.shallow);
            x[c] = px.speed, deep_x[c] = px.depth;
            y[c] = py.speed, deep_y[c] = py.depth;
        }
        spread(y), spread(deep_y);
#pragma unroll
        for (int c = 0; c < C; c++) {
            row(PULLED_Y, r)[c] = y[c], row(DEEP_Y, r)[c] = deep_y[c];
            if (!is_entry(r)) row(PULLED_X, r)[c] = x[c], row(DEEP_X, r)[c] = deep_x[c];
        }
        before::template show_sides<PULLED_X>(r), before::template show_sides<DEEP_X>(r);
    }

    /* A stream to the next cell, `along` further in an array, within the bound of critical.h. */
    __device__ __forceinline__ void hold(int pulls, int depths, int speeds, int flows, int r, int c,
                                         int along) const
    {
        const float *const pull = row(pulls, r) + c;
        const otok_stream s =
            otok_stream_bounded({row(speeds, r)[c], row(flows, r)[c]}, row(depths, r)[c],
                                pull[-along], pull[along], before::bed(r, c, along), k.shallow);
        row(speeds, r)[c] = s.speed, row(flows, r)[c] = s.flow;
    }

    /* Speeds and flows before K. */
    __device__ __forceinline__ void stream(int r)
    {
        auto x = [&](int up, int c) { return pulled(PULLED_X, DEEP_X, r + up, c); };
        auto y = [&](int up, int c) { return pulled(PULLED_Y, DEEP_Y, r + up, c); };
#pragma unroll 1 /* columns: the code has to fit the instruction cache */
        for (int c = 0; c < C; c++) {
            const otok_stream sx =
                otok_stream_of(x(0, c), y(-1, c), y(0, c), y(-1, c + 1), y(0, c + 1), k.shallow);
            const otok_stream sy =
                otok_stream_of(y(0, c), x(0, c - 1), x(0, c), x(1, c - 1), x(1, c), k.shallow);
            const bool outside = otok_is(p, OTOK_OUTSIDE, c), shut = outside && !left_ghost(r, c);
            row(WANTED_X, r)[c] = shut ? 0.0f : sx.speed;
            row(FLOW_X, r)[c] = shut ? 0.0f : sx.flow;
            row(SPEED_Y, r)[c] = outside ? 0.0f : sy.speed;
            row(FLOW_Y, r)[c] = outside ? 0.0f : sy.flow;
        }
        if constexpr (S::steps) {
#pragma unroll 1
            for (int c = 0; c < C; c++) {
                hold(PULLED_X, DEEP_X, WANTED_X, FLOW_X, r, c, 1);
                otok_in_turn(); /* registers are few */
                hold(PULLED_Y, DEEP_Y, SPEED_Y, FLOW_Y, r, c, W);
            }
        }
    }

    __device__ __forceinline__ void limit(int r)
    {
        float flow_x[C];
#pragma unroll
        for (int c = 0; c < C; c++)
            flow_x[c] = row(FLOW_X, r)[c];
        before::limit_row(r, flow_x, LIMIT);
    }

    /* Speeds and flows after K, surface and erosion. */
    __device__ __forceinline__ void erode(now_of &now, int r, int n, bool last)
    {
        const float *const limit = row(LIMIT, r);
        float speed_x[C], flow_x[C], speed_y[C], flow_y[C];
#pragma unroll
        for (int c = 0; c < C; c++) {
            const otok_stream x = otok_stream_limited({row(WANTED_X, r)[c], row(FLOW_X, r)[c]},
                                                      limit[c], limit[c + 1]),
                              y = otok_stream_limited({row(SPEED_Y, r)[c], row(FLOW_Y, r)[c]},
                                                      limit[c], limit[c + W]);
            speed_x[c] = x.speed, flow_x[c] = x.flow;
            speed_y[c] = y.speed, flow_y[c] = y.flow;
        }
        if (!is_entry(r)) {
            otok_four face[C];
            float slow[C];
#pragma unroll
            for (int c = 0; c < C; c++) {
                const otok_stream below = otok_stream_limited(
                    {row(SPEED_Y, r - 1)[c], row(FLOW_Y, r - 1)[c]}, limit[c - W], limit[c]);
                face[c] = otok_four{otok_beside_left(flow_x, c), flow_x[c], below.flow, flow_y[c]};
                slow[c] = below.speed;
                row(SPEED_X, r)[c] = speed_x[c], row(PASSED_X, r)[c] = flow_x[c];
            }
            before::template show_sides<SPEED_X>(r), before::template show_sides<PASSED_X>(r);
            float depth[C], beside[C];
#pragma unroll
            for (int c = 0; c < C; c++)
                beside[c] = otok_beside_left(speed_x, c);
            before::erode_row(now, r, face, n, LOADS, 0.0f, [&](int c, float d1, otok_surface &w) {
                if constexpr (S::steps) {
                    const otok_four f = face[c];
                    const float passed = otok_share_passed(f);
                    w.u = otok_speed_by_flow(f.left + f.right, beside[c], speed_x[c], passed, d1,
                                             w.d2, k.shallow);
                    w.w = otok_speed_by_flow(f.bottom + f.top, slow[c], speed_y[c], passed, d1,
                                             w.d2, k.shallow);
                } else {
                    w.u = otok_speed_of_cell(beside[c], speed_x[c], d1, w.d2, k.shallow);
                    w.w = otok_speed_of_cell(slow[c], speed_y[c], d1, w.d2, k.shallow);
                }
                depth[c] = w.d2;
            });
            before::template show_water<DEPTH_2>(r, depth);
            before::leave(now, r, face);
            if (last) before::keep_velocity(now, r);
        }
        spread(speed_y), spread(flow_y);
#pragma unroll
        for (int c = 0; c < C; c++)
            row(MOVES_Y, r)[c] = speed_y[c], row(PASSED_Y, r)[c] = flow_y[c];
    }

    /* The new speed of a face of cell (r, c), as core/shallow_faces.h has it. side: -1 at an open
       start, 1 at an open end, else 0. The next cell is `along` further in an array, the next line
       `over`. */
    __device__ __forceinline__ float carried(int speeds, int flows_along, int flows_across, int r,
                                             int c, int along, int over, int side) const
    {
        const float *const depth = row(DEPTH_2, r) + c, *const h = row(GROUND, r) + c,
                           *const speed = row(speeds, r) + c, *const flow = row(flows_along, r) + c,
                           *const turned = row(flows_across, r) + c;
        auto cell = [&](int at) { return otok_column{h[at], depth[at]}; };
        const float f = flow[0], before_f = side < 0 ? f : flow[-along],
                    after_f = side > 0 ? f : flow[along];
        otok_passage q;
        q.u = speed[0];
        q.before = side < 0 ? q.u : speed[-along];
        q.after = side > 0 ? q.u : speed[along];
        q.below = speed[-over];
        q.above = speed[over];
        q.through_a = before_f + (side > 0 ? before_f : f);
        q.through_b = (side < 0 ? after_f : f) + after_f;
        q.below_a = turned[-over];
        q.below_b = turned[along - over];
        q.above_a = turned[0];
        q.above_b = turned[along];
        q.twice = (side < 0 ? depth[along] : depth[0]) + (side > 0 ? depth[0] : depth[along]);
        q.depth = otok_face_depth(cell(0), cell(along));
        q.fall = otok_speed_fall(cell(0), cell(along), k.shallow);
        q.fall_below = otok_speed_fall(cell(-over), cell(along - over), k.shallow);
        q.fall_above = otok_speed_fall(cell(over), cell(along + over), k.shallow);
        if constexpr (!S::steps) return otok_speed_carried(q, k.shallow);
        otok_corner corner;
        corner.upwind = otok_upwind_depth(q.u, cell(0), cell(along));
        corner.part = otok_bed_drop(before::bed(r, c, along), q.u, corner.upwind, 0).part;
        const int behind = q.u > 0.0f ? -along : along;
        corner.below_behind = q.u != 0.0f ? speed[behind - over] : 0.0f;
        corner.above_behind = q.u != 0.0f ? speed[behind + over] : 0.0f;
        return otok_speed_carried_over_steps(q, corner, k.shallow);
    }

    /* The speeds that the faces of row r carry on. */
    __device__ __forceinline__ void carry(int r)
    {
        unsigned ends = 0; /* the grid's last column */
        if (any_right) ends = right >> 1 | (__shfl_down_sync(0xffffffffu, right, 1) & 1) << (C - 1);
        const bool open_right = a.open >> OTOK_RIGHT & 1, open_top = a.open >> OTOK_TOP & 1,
                   ends_y = otok_is(p, OTOK_LAST, r);
        const int side_y = is_entry(r) ? -1 : ends_y && open_top;
#pragma unroll 1 /* columns */
        for (int c = 0; c < C; c++) {
            if (before::is_last_lane()) { /* rings: what is to the right is not here */
                row(NEXT_X, r)[c] = row(NEXT_Y, r)[c] = 0.0f;
                continue;
            }
            const bool outside = otok_is(p, OTOK_OUTSIDE, c), ends_x = ends >> c & 1;
            const bool enters = left_ghost(r, c);
            const float x = carried(SPEED_X, PASSED_X, PASSED_Y, r, c, 1, W,
                                    enters ? -1 : ends_x && open_right);
            const bool shut_x = (outside && !enters) || (ends_x && !open_right) || is_entry(r);
            row(NEXT_X, r)[c] = shut_x ? 0.0f : x;
            if (S::steps) otok_in_turn();
            const float y = carried(MOVES_Y, PASSED_Y, PASSED_X, r, c, W, 1, side_y);
            row(NEXT_Y, r)[c] = outside || (ends_y && !open_top) ? 0.0f : y;
        }
    }

    __device__ __forceinline__ void renew(int r)
    {
#pragma unroll
        for (int c = 0; c < C; c++)
            of[FACE_X][r][c] = row(NEXT_X, r)[c], of[FACE_Y][r][c] = row(NEXT_Y, r)[c];
    }

    /* Carries speeds and sediment. */
    __device__ __forceinline__ void move(int r)
    {
        carry(r);
        if (is_entry(r)) return;
        otok_four face[C];
#pragma unroll
        for (int c = 0; c < C; c++)
            face[c] = otok_four{row(PASSED_X, r)[c - 1], row(PASSED_X, r)[c],
                                row(PASSED_Y, r - 1)[c], row(PASSED_Y, r)[c]};
        before::carry_sediment(r, face, LOADS);
    }

    /* An iteration, from the rows to show up to the transport; see resident_signed.cu. */
    template <class RECEIVE>
    __device__ __forceinline__ void pass(now_of &now, int times, bool last, RECEIVE receive)
    {
        before::show();
        otok_arrive(barriers, 0);
        receive();
        otok_wait(barriers, 0, times);
#pragma unroll
        for (int r = 0; r < R; r++)
            if (flows(r, S::halo)) pull(r);
        meet(1, times);
#pragma unroll 1 /* here and below: the code has to fit the instruction cache */
        for (int r = 0; r < R; r++)
            if (flows(r, S::flow + 1)) stream(r);
        meet(2, times);
#pragma unroll
        for (int r = 0; r < R; r++)
            limit(r);
        meet(3, times);
#pragma unroll 1
        for (int r = 0; r < R; r++)
            if (flows(r, 1)) erode(now, r, times, last);
        meet(4, times);
#pragma unroll 1
        for (int r = 0; r < R; r++)
            if (flows(r, 0)) move(r);
#pragma unroll
        for (int r = 0; r < R; r++)
            if (flows(r, 0)) renew(r);
        /* The others may store what this warp has read: over steps also the second row above. */
        if constexpr (S::steps) meet(5, times);
        otok_arrive(barriers, S::phases - 1);
    }
};

struct shallow_law {
    template <int R, int WARPS, int LAWS>
    using shape = faces_shape<R, WARPS, SHALLOW_ARRAYS, 6, PULLED_Y, BEFORE, DONE, LAWS>;
    template <int R, class S> using phases = shallow_phases<R, S>;
};

/* Rows of a warp, and warps: tiles for 512 x 512 cells on 132 multiprocessors. */
enum { ROWS = 1, WARPS = 30 };
const otok_resident_kernel (*const tiles[])[2] = {on_chip<shallow_law, ROWS, WARPS>};
const otok_resident_kernel (*const stepped[])[2] = {on_chip<shallow_law, 1, STEPPED_WARPS>};
} // namespace

const otok_resident_kernel *otok_resident_shallow(const otok_stages *stages,
                                                  const otok_coefficients *k, int at)
{
    if (otok_are_stages(stages, &otok_fused_stepped)) return pick(stepped, at, stages, k);
    return otok_are_stages(stages, &otok_fused_shallow) ? pick(tiles, at, stages, k) : NULL;
}
