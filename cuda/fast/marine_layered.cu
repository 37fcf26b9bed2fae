/* marine_layered.cu: diffusion of the sea bed over a ground in layers in one pass, 16 bytes a cell
   (plain: 44): three times as fast at 4096², 71 G/s on one H100. Row r is loaded, and gets its
   share, while row r-1 finds what of its outflow it can give, and row r-2 diffuses. The physics is
   in model/marine.h. A cell gives less than the loose material that it has, so that only its first
   layer gains or loses: the books of the ground and of the layers are sums of moves up and of
   moves. A bottom above the ground comes down to it only in cells that give nothing, before and
   after, so that warps beside may read either. */
#include "strip_beside.cuh"
#include "strip_books.cuh"
#include "strip_rows.cuh"

#include "core/ground.h"
#include "model/marine.h"

typedef struct otok_loose_bed {
    otok_view v;
    const float *bottom; /* of the loose layer; of a ground of one layer, anything */
    otok_dithers dithers;
    float sea;
    int n;      /* layers */
    int counts; /* otok_moves_count of the iteration */
} otok_loose_bed;

/* Rows of a warp by age: the ground, its share, what flows in, and what of its outflow a cell can
   give. */
typedef struct otok_bed_rows {
    float h[3][OTOK_LANE], share[3][OTOK_LANE], gives[3][OTOK_LANE];
    otok_four in[2][OTOK_LANE]; /* of rows r-1 and r-2 */
} otok_bed_rows;

static __device__ inline void age(otok_bed_rows &b)
{
    otok_age(b.h), otok_age(b.share), otok_age(b.gives), otok_age(b.in);
}

/* Column c of the middle one of three rows, and the columns around it. */
static __device__ inline otok_cross cross_of(const float (&rows)[3][OTOK_LANE], float left,
                                             float right, int c)
{
    return {rows[1][c], otok_beside(rows[1], left, right, c - 1),
            otok_beside(rows[1], left, right, c + 1), rows[2][c], rows[0][c]};
}

/* What flows into row r-1, and what of its outflow it can give. */
static __device__ inline void find_gives(otok_bed_rows &b, const otok_slot &change,
                                         const otok_slot &bottom, int n, const otok_strip &s)
{
    float top[OTOK_LANE], below[OTOK_LANE];
    otok_take(top, change, s);
    otok_take(below, bottom, s);
    const float h_left = otok_from_left(b.h[1][OTOK_LANE - 1]),
                h_right = otok_from_right(b.h[1][0]),
                left = otok_from_left(b.share[1][OTOK_LANE - 1]),
                right = otok_from_right(b.share[1][0]);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        b.in[0][c] =
            otok_marine_flows(cross_of(b.h, h_left, h_right, c), cross_of(b.share, left, right, c));
        b.gives[0][c] = n > 1 ? otok_marine_gives(b.in[0][c], top[c] - below[c]) : 1.0f;
    }
}

/* Row r-2 after its diffusion. */
static __device__ inline void diffuse(float (&next)[OTOK_LANE], const otok_bed_rows &b,
                                      const float (&change)[OTOK_LANE],
                                      const uint32_t (&phase)[OTOK_LANE])
{
    const float left = otok_from_left(b.gives[1][OTOK_LANE - 1]),
                right = otok_from_right(b.gives[1][0]);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        next[c] = otok_marine_next(change[c], b.in[1][c], cross_of(b.gives, left, right, c),
                                   otok_dither(phase[c]));
}

/* Bottoms above the ground of a cell come down (otok_layers_cut). */
static __device__ inline void cut(const otok_loose_bed &a, int at, float ground)
{
    for (int n = 0; n < a.n - 1; n++) {
        float *const bottom = a.v.at[OTOK_LAYER_BOTTOM + n] + at;
        *bottom = otok_smaller(*bottom, ground);
    }
}

/* The bookings of a thread: of all moves of the ground, and of those up. */
typedef struct otok_bed_books {
    otok_booking all, up;
} otok_bed_books;

/* Four moves, as otok_booking_change does. */
static __device__ inline void book(otok_bed_books &books, float (&next)[OTOK_LANE],
                                   float (&was)[OTOK_LANE], const otok_frame &g,
                                   const otok_strip &s)
{
    unsigned greatest = 0;
    int hi = 0, hi_up = 0;
    int64_t lo = 0, lo_up = 0;
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        if (s.i + c >= g.nx) next[c] = was[c] = 0.0f;
        greatest =
            max(greatest, max(__float_as_uint(fabsf(next[c])), __float_as_uint(fabsf(was[c]))));
    }
    if (greatest >= __float_as_uint(524288.0f)) { /* NaN, too */
        for (int c = 0; c < OTOK_LANE; c++)
            for (int n = 0; n < (next[c] > was[c] ? 2 : 1); n++) {
                otok_booking_add(n ? books.up : books.all, next[c]);
                otok_booking_add(n ? books.up : books.all, was[c], -1);
            }
        return;
    }
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        const int h = __float2int_rz(next[c] * 256.0f) - __float2int_rz(was[c] * 256.0f);
        const int64_t all =
            __float2ll_rz(next[c] * 0x1p39f) - __float2ll_rz(was[c] * 0x1p39f); /* of 2^-39 m */
        hi += h, lo += all;
        if (next[c] > was[c]) hi_up += h, lo_up += all;
    }
    books.all.hi += hi, books.all.lo += lo + hi * -(int64_t)0x80000000;
    books.up.hi += hi_up, books.up.lo += lo_up + hi_up * -(int64_t)0x80000000;
}

static __global__ void __launch_bounds__(OTOK_STRIP_BLOCK, 4)
    fused_marine_layered(otok_frame g, otok_handing hand, otok_loose_bed a,
                         otok_marine_coefficients k)
{
    enum { REACH = 2, ROWS = 4 };
    otok_strip_begin();
    otok_strip_await(g, hand);
    const otok_strip s = otok_strip_of(g);
    otok_bed_books books = {};
    otok_bed_rows b = {};
    const int begin = s.bottom - REACH, end = s.bottom < s.top ? s.top + REACH : begin;
    const float *const fields[] = {a.v.at[OTOK_TERRAIN_BASE], a.v.at[OTOK_TERRAIN_CHANGE],
                                   a.bottom};
    alignas(128) __shared__ otok_slot rows[ROWS][3];
    int row = otok_strip_row(g, begin);
    otok_fetch_all(rows[begin & (ROWS - 1)], fields, row, s);

    for (int r = begin; r < end; r++) {
        const int q = r - 2; /* diffuses */
        float base[OTOK_LANE], change[OTOK_LANE], next[OTOK_LANE], below[OTOK_LANE];
        uint32_t phase[OTOK_LANE];
        otok_fetch_next(rows, fields, row, r, end, g, s);
        otok_take(base, rows[r & (ROWS - 1)][0], s);
        otok_take(change, rows[r & (ROWS - 1)][1], s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            b.h[0][c] = base[c] + change[c];
            b.share[0][c] = otok_marine_share(a.sea - b.h[0][c], k);
        }
        if (s.side || otok_beyond_y(g, r)) { /* outside the grid */
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++)
                if (otok_beyond_y(g, r) || otok_beyond_x(g, s.i + c)) b.h[0][c] = INFINITY;
        }
        find_gives(b, rows[(r - 1) & (ROWS - 1)][1], rows[(r - 1) & (ROWS - 1)][2], a.n, s);
        otok_take(change, rows[q & (ROWS - 1)][1], s);
        otok_strip_phases(phase, a.dithers, q, g, s);
        diffuse(next, b, change, phase);
        if (q >= s.bottom && q < s.top) {
            otok_strip_store(a.v.at[OTOK_CHANGE_NEXT], q * g.pitch, next, g, s);
            otok_take(below, rows[q & (ROWS - 1)][2], s);
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++)
                if (a.n > 1 && next[c] < below[c] && s.owned && s.i + c < g.nx)
                    cut(a, q * g.pitch + s.i + c, next[c]);
            if (s.owned) book(books, next, change, g, s);
        }
        age(b);
    }
    otok_strip_book(a.v.sums + OTOK_SUM_GROUND_ROUNDED, books.all, s);
    otok_strip_book(a.v.sums + OTOK_SUM_DEPOSITED, books.up, s);
    if (a.counts)
        otok_strip_book(a.v.sums + OTOK_SUM_GROUND_MOVED,
                        {a.counts * books.up.hi, a.counts * books.up.lo}, s);
    otok_strip_book(a.v.sums + OTOK_SUM_ERODED,
                    {books.up.hi - books.all.hi, books.up.lo - books.all.lo}, s);
    otok_strip_hand_over(g, hand);
}

static const void *code(const otok_coefficients *, int, bool)
{
    return (const void *)fused_marine_layered;
}

static cudaError_t start(otok_patch *patch, const otok_fused_pass *pass, const otok_coefficients *k,
                         const otok_step *steps, int n, int)
{
    otok_view *v = &patch->view;
    const int layers = k->layers.n;
    const otok_loose_bed a = {*v,
                              v->at[layers > 1 ? OTOK_LAYER_BOTTOM : OTOK_TERRAIN_CHANGE],
                              otok_dithers_of(v, steps[n].phase),
                              steps[n].sea,
                              layers,
                              otok_moves_count(steps[n].iteration)};
    otok_turn_change(v, NULL, 0);
    return otok_strip_start(fused_marine_layered, pass, otok_cuda_own_of(patch)->stream, a,
                            k->marine);
}

static const otok_op ops[] = {
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_MARINE_SHARES_LAYERED, 0},
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_MARINE_DIFFUSION, 0},
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_LAYERS_FOLLOW, 0},
    {otok_op::OTOK_OP_SWAP, OTOK_TERRAIN_CHANGE, OTOK_CHANGE_NEXT},
};

extern const otok_fused_family otok_fused_marine_layered = {
    ops, sizeof ops / sizeof ops[0], 2, 16, code, start, otok_turn_change, otok_makes_change};
