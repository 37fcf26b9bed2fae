/* marine.cu: diffusion of the sea bed in one pass, 12 bytes a cell (plain: 36). Row r is loaded,
   and gets its share, while row r-1 diffuses. A ground in layers has
   marine_layered.cu. The physics is in model/marine.h. As in thermal.cu, the effect of rounding
   is the ground after less the ground before; without other stages it is booked at both ends only.
 */
#include "strip_beside.cuh"
#include "strip_books.cuh"
#include "strip_rows.cuh"

#include "model/marine.h"

typedef struct otok_bed {
    const float *base, *change;
    float *next;
    otok_sum *sums;
    otok_dithers dithers;
    float sea;
    int books;  /* bits of otok_booked_ends */
    int counts; /* otok_moves_count of the iteration */
} otok_bed;

/* BOOKS: OTOK_BOOKS_NOTHING and so on. */
template <int BOOKS>
static __global__ void __launch_bounds__(OTOK_STRIP_BLOCK, 5)
    fused_marine(otok_frame g, otok_handing hand, otok_bed a, otok_marine_coefficients k)
{
    enum { REACH = 1 };
    otok_strip_begin();
    otok_strip_await(g, hand);
    const otok_strip s = otok_strip_of(g);
    otok_booking rounded = {0, 0}, risen = {0, 0};
    float h[3][OTOK_LANE] = {}, share[3][OTOK_LANE] = {}; /* rows by age */
    float change[2][OTOK_LANE] = {};
    const int begin = s.bottom - REACH, end = s.bottom < s.top ? s.top + REACH : begin;
    const float *const fields[] = {a.base, a.change};
    alignas(128) __shared__ otok_slot rows[2][2];
    int row = otok_strip_row(g, begin);
    otok_fetch_all(rows[begin & 1], fields, row, s);

    for (int r = begin; r < end; r++) {
        float base[OTOK_LANE];
        otok_fetch_next(rows, fields, row, r, end, g, s);
        otok_take(base, rows[r & 1][0], s);
        otok_take(change[0], rows[r & 1][1], s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            h[0][c] = base[c] + change[0][c];
            share[0][c] = otok_marine_share(a.sea - h[0][c], k);
        }
        if (s.side || otok_beyond_y(g, r)) { /* outside the grid */
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++)
                if (otok_beyond_y(g, r) || otok_beyond_x(g, s.i + c)) h[0][c] = INFINITY;
        }

        const int q = r - 1; /* row r-1 diffuses */
        const otok_cross all = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
        const float h_left = otok_from_left(h[1][OTOK_LANE - 1]),
                    h_right = otok_from_right(h[1][0]),
                    left = otok_from_left(share[1][OTOK_LANE - 1]),
                    right = otok_from_right(share[1][0]);
        float next[OTOK_LANE], was[OTOK_LANE];
        uint32_t phase[OTOK_LANE];
        otok_strip_phases(phase, a.dithers, q, g, s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const otok_cross ground = {h[1][c], otok_beside(h[1], h_left, h_right, c - 1),
                                       otok_beside(h[1], h_left, h_right, c + 1), h[2][c], h[0][c]};
            const otok_cross shares = {share[1][c], otok_beside(share[1], left, right, c - 1),
                                       otok_beside(share[1], left, right, c + 1), share[2][c],
                                       share[0][c]};
            next[c] = otok_marine_next(change[1][c], otok_marine_flows(ground, shares), all,
                                       otok_dither(phase[c]));
        }
        if (q >= s.bottom && q < s.top) {
            otok_strip_store(a.next, q * g.pitch, next, g, s);
            if (BOOKS == OTOK_BOOKS_RISES) otok_rises(risen, change[1], next, a.counts, g, s);
#pragma unroll
            for (int c = 0; BOOKS && c < OTOK_LANE; c++) {
                const bool books = s.i + c < g.nx;
                was[c] = books && a.books & OTOK_BOOKS_BEFORE ? change[1][c] : 0.0f;
                next[c] = books && a.books & OTOK_BOOKS_AFTER ? next[c] : 0.0f;
            }
            if (BOOKS) {
                const otok_booking more = otok_booking_change(next, was);
                rounded = {rounded.hi + more.hi, rounded.lo + more.lo};
            }
        }
        otok_age(h), otok_age(share), otok_age(change);
    }
    if (BOOKS) otok_strip_book(a.sums + OTOK_SUM_GROUND_ROUNDED, rounded, s);
    if (BOOKS == OTOK_BOOKS_RISES) otok_strip_book(a.sums + OTOK_SUM_GROUND_MOVED, risen, s);
    otok_strip_hand_over(g, hand);
}

typedef void otok_marine_kernel(otok_frame, otok_handing, otok_bed, otok_marine_coefficients);

static const void *code(const otok_coefficients *, int, bool)
{
    otok_marine_kernel *const kernel = fused_marine<OTOK_BOOKS_NOTHING>;
    return (const void *)kernel;
}

static cudaError_t start(otok_patch *patch, const otok_fused_pass *pass, const otok_coefficients *k,
                         const otok_step *steps, int n, int nsteps)
{
    otok_view *v = &patch->view;
    const otok_bed a = {v->at[OTOK_TERRAIN_BASE],
                        v->at[OTOK_TERRAIN_CHANGE],
                        v->at[OTOK_CHANGE_NEXT],
                        v->sums,
                        otok_dithers_of(v, steps[n].phase),
                        steps[n].sea,
                        otok_booked_ends(pass, n, nsteps, otok_cuda_own_of(patch)->joins),
                        otok_moves_count(steps[n].iteration)};
    otok_turn_change(v, NULL, 0);
    otok_marine_kernel *const kernel = a.counts  ? fused_marine<OTOK_BOOKS_RISES>
                                       : a.books ? fused_marine<OTOK_BOOKS_ROUNDING>
                                                 : fused_marine<OTOK_BOOKS_NOTHING>;
    return otok_strip_start(kernel, pass, otok_cuda_own_of(patch)->stream, a, k->marine);
}

static const otok_op ops[] = {
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_MARINE_SHARES, 0},
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_MARINE_DIFFUSION, 0},
    {otok_op::OTOK_OP_SWAP, OTOK_TERRAIN_CHANGE, OTOK_CHANGE_NEXT},
};

extern const otok_fused_family otok_fused_marine = {
    ops, sizeof ops / sizeof ops[0], 1, 12, code, start, otok_turn_change, otok_makes_change};
