/* reef.cu: growth of the reef and diffusion of its carbon in one pass, 28 bytes a cell. Row r is
   loaded and grows while row r-1 gets its carbon. The physics is in model/reef.h. */
#include "strip_beside.cuh"
#include "strip_books.cuh"
#include "strip_rows.cuh"

#include "model/reef.h"

typedef struct otok_colony {
    const float *base, *change, *carbon;
    float *change_next, *carbon_next,
        *reef; /* the counter changes in place: no cell reads its neighbours' counters */
    otok_sum *sums;
    float sea;
} otok_colony;

static __global__ void __launch_bounds__(OTOK_STRIP_BLOCK, 4)
    fused_reef(otok_frame g, otok_handing hand, otok_colony a, otok_reef_coefficients k)
{
    enum { REACH = 1 };
    otok_strip_await(g, hand);
    const otok_strip s = otok_strip_of(g);
    otok_booking rose = {0, 0};
    float h[3][OTOK_LANE] = {}, carbon[3][OTOK_LANE] = {}; /* rows by age, after growth */
    const int begin = s.bottom - REACH, end = s.bottom < s.top ? s.top + REACH : begin;
    const float *const fields[] = {a.base, a.change, a.carbon, a.reef};
    alignas(128) __shared__ otok_slot rows[2][4];
    int row = otok_strip_row(g, begin);
    otok_fetch_all(rows[begin & 1], fields, row, s);

    for (int r = begin; r < end; r++) {
        const bool mine = r >= s.bottom && r < s.top;
        float base_in[OTOK_LANE], change_in[OTOK_LANE], reef_in[OTOK_LANE], carbon_in[OTOK_LANE];
        otok_fetch_next(rows, fields, row, r, end, g, s);
        otok_take(base_in, rows[r & 1][0], s);
        otok_take(change_in, rows[r & 1][1], s);
        otok_take(carbon_in, rows[r & 1][2], s);
        otok_take(reef_in, rows[r & 1][3], s);
        float change[OTOK_LANE], reef[OTOK_LANE];
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const otok_grown grown = otok_reef_growth(base_in[c] + change_in[c], change_in[c],
                                                      reef_in[c], carbon_in[c], a.sea, k);
            change[c] = grown.change;
            reef[c] = grown.reef;
            carbon[0][c] = grown.carbon;
            h[0][c] = base_in[c] + grown.change;
            if (grown.change != change_in[c] && mine && s.i + c < g.nx) {
                otok_booking_add(rose, grown.change);
                otok_booking_add(rose, change_in[c], -1);
            }
        }
        if (mine) {
            float *const maps[] = {a.change_next, a.reef};
            const float both[2][OTOK_LANE] = {{change[0], change[1], change[2], change[3]},
                                              {reef[0], reef[1], reef[2], reef[3]}};
            otok_strip_store(maps, r * g.pitch, both, g, s);
        }
        if (s.side || otok_beyond_y(g, r)) { /* a wall */
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++)
                if (otok_beyond_y(g, r) || otok_beyond_x(g, s.i + c)) h[0][c] = INFINITY;
        }

        const int q = r - 1; /* row r-1: carbon */
        const float h_left = otok_from_left(h[1][OTOK_LANE - 1]),
                    h_right = otok_from_right(h[1][0]);
        const float left = otok_from_left(carbon[1][OTOK_LANE - 1]),
                    right = otok_from_right(carbon[1][0]);
        float next[OTOK_LANE];
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const otok_cross ground = {h[1][c], otok_beside(h[1], h_left, h_right, c - 1),
                                       otok_beside(h[1], h_left, h_right, c + 1), h[2][c], h[0][c]};
            const otok_cross around = {carbon[1][c], otok_beside(carbon[1], left, right, c - 1),
                                       otok_beside(carbon[1], left, right, c + 1), carbon[2][c],
                                       carbon[0][c]};
            next[c] = otok_carbon(around, ground, a.sea, k);
        }
        if (q >= s.bottom && q < s.top) otok_strip_store(a.carbon_next, q * g.pitch, next, g, s);
        otok_age(h), otok_age(carbon);
    }
    otok_strip_book(a.sums + OTOK_SUM_REEF, rose, s);
    otok_strip_hand_over(g, hand);
}

static void turn(otok_view *v, float **spare, int)
{
    otok_exchange_pointers(&v->at[OTOK_TERRAIN_CHANGE], &spare[OTOK_SPARE_CHANGE]);
    otok_exchange_pointers(&v->at[OTOK_CARBON], &v->at[OTOK_CARBON_NEXT]);
}

static uint64_t makes(int)
{
    return BIT(OTOK_TERRAIN_CHANGE) | BIT(OTOK_CARBON);
}

static const void *code(const otok_coefficients *, int, bool)
{
    return (const void *)fused_reef;
}

static cudaError_t start(otok_patch *patch, const otok_fused_pass *pass, const otok_coefficients *k,
                         const otok_step *steps, int n, int)
{
    otok_view *v = &patch->view;
    otok_cuda_own *own = otok_cuda_own_of(patch);
    otok_colony a;
    a.base = v->at[OTOK_TERRAIN_BASE];
    a.change = v->at[OTOK_TERRAIN_CHANGE];
    a.carbon = v->at[OTOK_CARBON];
    a.change_next = own->spare[OTOK_SPARE_CHANGE];
    a.carbon_next = v->at[OTOK_CARBON_NEXT];
    a.reef = v->at[OTOK_REEF];
    a.sums = v->sums;
    a.sea = steps[n].sea;
    fused_reef<<<(unsigned)pass->frame.blocks, OTOK_STRIP_BLOCK, 0, own->stream>>>(
        pass->frame, pass->hand, a, k->reef);
    turn(v, own->spare, 0);
    return cudaGetLastError();
}

static const otok_op ops[] = {
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_REEF_GROWTH, 0},
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_CARBON, 0},
    {otok_op::OTOK_OP_SWAP, OTOK_CARBON, OTOK_CARBON_NEXT},
};

extern const otok_fused_family otok_fused_reef = {
    ops, sizeof ops / sizeof ops[0], 1, 28, code, start, turn, makes, 0, 1u << OTOK_SPARE_CHANGE};
