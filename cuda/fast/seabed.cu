/* seabed.cu: one sweep of seabed smoothing in one pass, 12 bytes a cell. Row r is loaded while row
   r-1 is smoothed. The physics is in model/seabed.h. */
#include "strip_beside.cuh"
#include "strip_books.cuh"
#include "strip_rows.cuh"

#include "model/seabed.h"

static __global__ void __launch_bounds__(OTOK_STRIP_BLOCK, 6)
    fused_seabed(otok_frame g, otok_handing hand, const float *base, const float *change,
                 float *change_next, otok_sum *sums, float sea)
{
    enum { REACH = 1 };
    otok_strip_await(g, hand);
    const otok_strip s = otok_strip_of(g);
    otok_booking smoothed = {0, 0};
    float old[2][OTOK_LANE] = {}, h[3][OTOK_LANE] = {}; /* rows by age */
    const int begin = s.bottom - REACH, end = s.bottom < s.top ? s.top + REACH : begin;
    const float *const ground[] = {base, change};
    alignas(128) __shared__ otok_slot rows[2][2];
    int row = otok_strip_row(g, begin);
    otok_fetch_all(rows[begin & 1], ground, row, s);

    for (int r = begin; r < end; r++) {
        const int q = r - 1;
        float base_in[OTOK_LANE];
        otok_fetched();
        row = otok_strip_row_after(g, row, r + 1);
        if (r + 1 < end) otok_fetch_all(rows[(r + 1) & 1], ground, row, s);
        if (s.side) otok_spread(rows[r & 1][0], s), otok_spread(rows[r & 1][1], s);
        otok_take(base_in, rows[r & 1][0], s);
        otok_take(old[0], rows[r & 1][1], s);
        const bool mine = q >= s.bottom && q < s.top;
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            h[0][c] = base_in[c] + old[0][c];
        if (s.side || otok_beyond_y(g, r)) { /* a wall */
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++)
                if (otok_beyond_y(g, r) || otok_beyond_x(g, s.i + c)) h[0][c] = INFINITY;
        }
        const float left = otok_from_left(h[1][OTOK_LANE - 1]), right = otok_from_right(h[1][0]);
        float next[OTOK_LANE];
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const otok_cross around = {h[1][c], otok_beside(h[1], left, right, c - 1),
                                       otok_beside(h[1], left, right, c + 1), h[2][c], h[0][c]};
            next[c] = otok_seabed_smooth(old[1][c], around, sea);
            if (next[c] != old[1][c] && mine && s.i + c < g.nx) {
                otok_booking_add(smoothed, next[c]);
                otok_booking_add(smoothed, old[1][c], -1);
            }
        }
        if (mine) otok_strip_store(change_next, q * g.pitch, next, g, s);
        otok_age(old), otok_age(h);
    }
    otok_strip_book(sums + OTOK_SUM_SMOOTHED, smoothed, s);
    otok_strip_hand_over(g, hand);
}

static void turn(otok_view *v, float **, int)
{
    otok_exchange_pointers(&v->at[OTOK_TERRAIN_CHANGE], &v->at[OTOK_CHANGE_NEXT]);
}

static uint64_t makes(int)
{
    return BIT(OTOK_TERRAIN_CHANGE);
}

static const void *code(const otok_coefficients *, int)
{
    return (const void *)fused_seabed;
}

static cudaError_t start(otok_patch *patch, const otok_fused_pass *pass, const otok_coefficients *,
                         const otok_step *steps, int n, int)
{
    otok_view *v = &patch->view;
    const cudaStream_t stream = otok_cuda_own_of(patch)->stream;
    fused_seabed<<<(unsigned)pass->frame.blocks, OTOK_STRIP_BLOCK, 0, stream>>>(
        pass->frame, pass->hand, v->at[OTOK_TERRAIN_BASE], v->at[OTOK_TERRAIN_CHANGE],
        v->at[OTOK_CHANGE_NEXT], v->sums, steps[n].sea);
    turn(v, NULL, 0);
    return cudaGetLastError();
}

static const otok_op ops[] = {
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_SEABED, 0},
    {otok_op::OTOK_OP_SWAP, OTOK_TERRAIN_CHANGE, OTOK_CHANGE_NEXT},
};

extern const otok_fused_family otok_fused_seabed = {
    ops, sizeof ops / sizeof ops[0], 1, 12, 0, 0, code, start, NULL, NULL, 0, turn, makes};
