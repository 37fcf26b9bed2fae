/* resident_signed.cu: hydraulic erosion with signed pipes on chip. State is in registers; rows that
   other warps read are in shared memory. Ground, water, sediment and flows of three rings around a
   tile are exchanged, once an iteration. With theta other strategies run. The physics is in
   model/. */
#include "resident_faces_stages.cuh"

namespace
{
/* Loads are where the pulled flow was, and K where the flow pulled to the top was. COME: with
   steps, speeds of old flows. */
enum { PULLED_X = FACE_ARRAYS, PULLED_Y, SIGNED_ARRAYS, LOADS = PULLED_X, LIMIT = PULLED_Y };
enum { COME_X = SIGNED_ARRAYS, COME_Y };

template <int R> struct signed_phase : hydraulic_phase<1> {
    float below[R][C]; /* the flow from the row below */
};

/* VECTOR: friction along the vector of the flows. */
template <int R, class S, bool VECTOR> struct signed_phases : faces_phases<R, S> {
    typedef faces_phases<R, S> before;
    typedef signed_phase<R> now_of;
    using before::k, before::p, before::of, before::is_entry, before::row, before::flows,
        before::column, before::spread, before::close, before::barriers, before::meet;

    /* The pulled flow. Beyond a side is what is at the side, across the flow. */
    __device__ __forceinline__ void pull(int r)
    {
        float(&x)[C] = of[FACE_X][r], (&y)[C] = of[FACE_Y][r];
#pragma unroll
        for (int c = 0; c < C; c++) {
            const otok_column here = column(r, 0, c), beside = column(r, 0, c + 1),
                              above = column(r, 1, c);
            if constexpr (S::steps) {
                row(COME_X, r)[c] = otok_pipe_speed(x[c], otok_face_depth(here, beside), k.pipes);
                row(COME_Y, r)[c] = otok_pipe_speed(y[c], otok_face_depth(here, above), k.pipes);
            }
            x[c] = otok_pipe_pulled(x[c], here, beside, k.pipes);
            y[c] = otok_pipe_pulled(y[c], here, above, k.pipes);
        }
        spread(y);
#pragma unroll
        for (int c = 0; c < C; c++) {
            row(PULLED_Y, r)[c] = y[c];
            if (!is_entry(r)) row(PULLED_X, r)[c] = x[c];
        }
        before::template show_sides<PULLED_X>(r);
    }

    /* A flow to the next cell, `along` further in an array, within the bound of critical.h. */
    __device__ __forceinline__ float held(float f, int r, int c, int come, int along) const
    {
        const float *const u = row(come, r) + c;
        const float depth =
            otok_face_depth(column(r, 0, c), along == W ? column(r, 1, c) : column(r, 0, c + 1));
        return otok_pipe_bounded(f, depth, u[-along], u[along], before::bed(r, c, along), k.pipes);
    }

    /* The flow before K: from the pulled flow, or from the old one. */
    __device__ __forceinline__ void flow(int r)
    {
        float(&x)[C] = of[FACE_X][r], (&y)[C] = of[FACE_Y][r];
        const float *const px = row(PULLED_X, r), *const py = row(PULLED_Y, r);
#pragma unroll
        for (int c = 0; c < C; c++) {
            const otok_column here = column(r, 0, c), beside = column(r, 0, c + 1),
                              above = column(r, 1, c);
            if (VECTOR) {
                x[c] = otok_pipe_braked(x[c], py[c - W] + py[c], py[c + 1 - W] + py[c + 1],
                                        otok_face_depth(here, beside), k.pipes);
                y[c] = otok_pipe_braked(y[c], px[c - 1] + px[c], px[c - 1 + W] + px[c + W],
                                        otok_face_depth(here, above), k.pipes);
            } else {
                x[c] = otok_pipe(x[c], here, beside, k.pipes);
                y[c] = otok_pipe(y[c], here, above, k.pipes);
            }
            if constexpr (S::steps)
                x[c] = held(x[c], r, c, COME_X, 1), y[c] = held(y[c], r, c, COME_Y, W);
        }
        close(r, x, y);
#pragma unroll
        for (int c = 0; c < C; c++)
            row(FLOW_Y, r)[c] = y[c];
    }

    /* The flow through the faces of a row's cells, if `below` is that from the row below. */
    __device__ __forceinline__ void faces(otok_four (&out)[C], int r, const float (&below)[C]) const
    {
        const float(&x)[C] = of[FACE_X][r], (&y)[C] = of[FACE_Y][r];
#pragma unroll
        for (int c = 0; c < C; c++)
            out[c] = otok_four{otok_beside_left(x, c), x[c], below[c], y[c]};
    }

    /* The flow after K, surface and erosion. */
    __device__ __forceinline__ void erode(now_of &now, int r, int n, bool last)
    {
        const float *const limit = row(LIMIT, r), *const y_below = row(FLOW_Y, r - 1);
        float(&x)[C] = of[FACE_X][r], (&y)[C] = of[FACE_Y][r];
#pragma unroll
        for (int c = 0; c < C; c++) {
            x[c] = otok_face_limited(x[c], limit[c], limit[c + 1]);
            y[c] = otok_face_limited(y[c], limit[c], limit[c + W]);
            now.below[r][c] = otok_face_limited(y_below[c], limit[c - W], limit[c]);
        }
        if (is_entry(r)) return;
        otok_four face[C];
        faces(face, r, now.below[r]);
        before::erode_row(now, r, face, n, LOADS, k.erosion.swift,
                          [](int, float, otok_surface &) {});
        before::leave(now, r, face);
        if (last) before::keep_velocity(now, r);
    }

    __device__ __forceinline__ void carry_sediment(const now_of &now, int r)
    {
        otok_four face[C];
        faces(face, r, now.below[r]);
        before::carry_sediment(r, face, LOADS);
    }

    /* An iteration, from the rows to show up to the transport. `times`: how many were before;
       receive() is done before the rows of others are needed. */
    template <class RECEIVE>
    __device__ __forceinline__ void pass(now_of &now, int times, bool last, RECEIVE receive)
    {
        before::show();
        otok_arrive(barriers, 0);
        receive();
        otok_wait(barriers, 0, times);
#pragma unroll
        for (int r = 0; VECTOR && r < R; r++)
            if (flows(r, S::halo)) pull(r);
        if (VECTOR) meet(1, times);
#pragma unroll
        for (int r = 0; r < R; r++)
            if (flows(r, S::flow + 1)) flow(r);
        meet(2, times);
#pragma unroll
        for (int r = 0; r < R; r++)
            before::limit_row(r, of[FACE_X][r], LIMIT);
        meet(3, times);
#pragma unroll
        for (int r = 0; r < R; r++)
            if (flows(r, 1)) erode(now, r, times, last);
        meet(4, times);
#pragma unroll
        for (int r = 0; r < R; r++)
            if (p.ring[r] == 0) carry_sediment(now, r);
    }
};

template <bool VECTOR> struct signed_law {
    template <int R, int WARPS, int LAWS>
    using shape = faces_shape<R, WARPS, SIGNED_ARRAYS, 5, LIMIT, -1, GROUND, LAWS>;
    template <int R, class S> using phases = signed_phases<R, S, VECTOR>;
};

/* Rows of a warp, and warps: tiles for 512 x 512 cells on 132 multiprocessors, and larger ones. */
template <bool VECTOR>
const otok_resident_kernel (*const tiles[])[2] = {on_chip<signed_law<VECTOR>, 1, 30>,
                                                  on_chip<signed_law<VECTOR>, 2, 20>};
const otok_resident_kernel (*const stepped[])[2] = {on_chip<signed_law<true>, 1, STEPPED_WARPS>};
} // namespace

const otok_resident_kernel *otok_resident_signed(const otok_stages *stages,
                                                 const otok_coefficients *k, int at)
{
    if (k->pipes.lean != 0.0f) return NULL;
    if (!k->pipes.vector)
        return otok_are_stages(stages, &otok_fused_signed) ? pick(tiles<false>, at, stages, k)
                                                           : NULL;
    if (otok_are_stages(stages, &otok_fused_held)) return pick(stepped, at, stages, k);
    return otok_are_stages(stages, &otok_fused_around) ? pick(tiles<true>, at, stages, k) : NULL;
}
