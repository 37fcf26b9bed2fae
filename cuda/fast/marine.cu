/* marine.cu: diffusion of the sea bed in one pass, as a list of stages (belt.cuh): 12 bytes a cell
   (plain: 36), over a ground in layers 16 (plain: 44). The physics is in model/marine.h. As in
   thermal.cu, the effect of rounding is the ground after less the ground before; without other
   stages it is booked at both ends only. Over layers a cell gives less than the loose material that
   it has, so that only its first layer gains or loses: the books of the ground and of the layers
   are sums of moves up and of moves. A bottom above the ground comes down to it only in cells that
   give nothing, before and after, so that warps beside may read either. */
#include "belt.cuh"
#include "strip_books.cuh"

#include "model/layers.h"
#include "model/marine.h"

typedef struct otok_bed {
    const float *base, *change;
    float *next, *bottoms[OTOK_BOTTOMS]; /* of the layers but the last */
    otok_sum *sums;
    otok_dithers dithers;
    float sea;
    int n;      /* layers */
    int books;  /* bits of otok_booked_ends */
    int counts; /* otok_moves_count of the iteration */
} otok_bed;

/* Besides OTOK_BOOKS_NOTHING and so on: over layers. */
enum { OTOK_BOOKS_LAYERS = OTOK_BOOKS_RISES + 1 };

/* Four moves, as otok_booking_change does: all, and those up. */
static __device__ inline void book_moves(otok_booking &all, otok_booking &up,
                                         float (&next)[OTOK_LANE], float (&was)[OTOK_LANE],
                                         const otok_frame &g, const otok_strip &s)
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
                otok_booking_add(n ? up : all, next[c]);
                otok_booking_add(n ? up : all, was[c], -1);
            }
        return;
    }
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        const int h = __float2int_rz(next[c] * 256.0f) - __float2int_rz(was[c] * 256.0f);
        const int64_t l =
            __float2ll_rz(next[c] * 0x1p39f) - __float2ll_rz(was[c] * 0x1p39f); /* of 2^-39 m */
        hi += h, lo += l;
        if (next[c] > was[c]) hi_up += h, lo_up += l;
    }
    all.hi += hi, all.lo += lo + hi * -(int64_t)0x80000000;
    up.hi += hi_up, up.lo += lo_up + hi_up * -(int64_t)0x80000000;
}

/* Cells show their height and strength (SHOW), find what flows in and what of their outflow they
   can give (FLOWS), and move (DIFFUSE). BOOKS: as above. */
template <int BOOKS> struct otok_marine_belt : otok_belt_defaults {
    static constexpr bool LAYERED = BOOKS == OTOK_BOOKS_LAYERS;
    enum { BASE, CHANGE, BOTTOM }; /* the last one only over layers */
    static constexpr int INPUTS = 2 + LAYERED;
    enum { H = 2 + LAYERED, SHARE, WAS, LEFT, RIGHT, BELOW, ABOVE, GIVES, NEXT, WIRES };
    enum { SHOW, FLOWS, DIFFUSE, STAGES };
    static constexpr int GIVEN = LAYERED ? (int)CHANGE : (int)WAS;
    static constexpr otok_read reads[] = {{SHOW, {BASE, CHANGE}, 0, 0, 0, 0},
                                          {FLOWS, {H, SHARE}, -1, 1, 0, 0},
                                          {FLOWS, {H, SHARE}, 0, 0, -1, 1},
                                          {FLOWS, {CHANGE, BOTTOM}, 0, 0, 0, 0, LAYERED},
                                          {DIFFUSE, {LEFT, RIGHT, BELOW, ABOVE, GIVEN}},
                                          {DIFFUSE, GIVES, -1, 1, 0, 0, LAYERED},
                                          {DIFFUSE, GIVES, 0, 0, -1, 1, LAYERED},
                                          {DIFFUSE, BOTTOM, 0, 0, 0, 0, LAYERED}};
    static constexpr int made_by(int w)
    {
        return w <= WAS ? SHOW : w <= GIVES ? FLOWS : DIFFUSE;
    }
    static constexpr otok_beyond beyond(int w)
    {
        return w == H ? WALL : FREE;
    }
    static constexpr bool apart(int stage)
    {
        return stage == SHOW;
    }

    const otok_bed &a;
    const otok_marine_coefficients &k;
    otok_booking moved = {0, 0}, risen = {0, 0};

    template <int W, class B> __device__ __forceinline__ const float *field(const B &, int) const
    {
        return W == BASE ? a.base : W == CHANGE ? a.change : a.bottoms[0];
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<SHOW> n, B &b, int)
    {
        b.each(n, [&](auto x) {
            const float change = here<CHANGE>(x), h = here<BASE>(x) + change;
            put<H>(x, h), put<SHARE>(x, otok_marine_share(a.sea - h, k)), put<WAS>(x, change);
        });
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<FLOWS> n, B &b, int)
    {
        b.each(n, [&](auto x) {
            const otok_four in = otok_marine_flows(cross<H>(x), cross<SHARE>(x));
            put<LEFT>(x, in.left), put<RIGHT>(x, in.right);
            put<BELOW>(x, in.bottom), put<ABOVE>(x, in.top);
            if constexpr (LAYERED)
                put<GIVES>(x, a.n > 1 ? otok_marine_gives(in, here<CHANGE>(x) - here<BOTTOM>(x))
                                      : 1.0f);
        });
    }
    template <class B>
    __device__ __forceinline__ void apply(otok_belt_stage<DIFFUSE> n, B &b, int j)
    {
        uint32_t phase[OTOK_LANE];
        otok_strip_phases(phase, a.dithers, j, b.g, b.s);
        b.each(n, [&](auto x) {
            const otok_four in = {here<LEFT>(x), here<RIGHT>(x), here<BELOW>(x), here<ABOVE>(x)};
            otok_cross gives = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
            if constexpr (LAYERED) gives = cross<GIVES>(x);
            put<NEXT>(x, otok_marine_next(here<GIVEN>(x), in, gives, otok_dither(phase[x.c])));
        });
    }
    /* Stores and books row j. Bottoms above the ground come down (otok_layers_cut). */
    template <int N, class B>
    __device__ __forceinline__ void done(otok_belt_stage<N> n, B &b, int j)
    {
        if constexpr (N == DIFFUSE) {
            float(&next)[OTOK_LANE] = b.w[NEXT][0], (&was)[OTOK_LANE] = row_of<GIVEN>(n, b);
            otok_strip_store(a.next, j * b.g.pitch, next, b.g, b.s);
            if (!b.s.owned) return;
            if constexpr (LAYERED) {
                for (int c = 0; c < OTOK_LANE; c++)
                    for (int layer = 0; a.n > 1 && b.s.i + c < b.g.nx && layer < a.n - 1 &&
                                        next[c] < row_of<BOTTOM>(n, b)[c];
                         layer++) {
                        float &bottom = a.bottoms[layer][j * b.g.pitch + b.s.i + c];
                        bottom = otok_smaller(bottom, next[c]);
                    }
                book_moves(moved, risen, next, was, b.g, b.s);
            } else if constexpr (BOOKS != OTOK_BOOKS_NOTHING) {
                otok_book_row<BOOKS>(moved, risen, was, next, a, b.g, b.s);
            }
        }
    }
};

template <int BOOKS>
static __global__ void __launch_bounds__(OTOK_STRIP_BLOCK, BOOKS == OTOK_BOOKS_LAYERS ? 4 : 5)
    fused_marine(otok_frame g, otok_bed a, otok_marine_coefficients k)
{
    typedef otok_belt<otok_marine_belt<BOOKS>> belt;
    alignas(128) __shared__ otok_slot slots[belt::plan::SLOTS];
    otok_strip_begin();
    otok_marine_belt<BOOKS> p{{}, a, k};
    belt b{p, g, otok_strip_of(g), slots, NULL};
    b.walk();
    if (BOOKS) otok_strip_book(a.sums + OTOK_SUM_GROUND_ROUNDED, p.moved, b.s);
    if (BOOKS == OTOK_BOOKS_RISES) otok_strip_book(a.sums + OTOK_SUM_GROUND_MOVED, p.risen, b.s);
    if (BOOKS == OTOK_BOOKS_LAYERS) {
        const otok_booking up = p.risen;
        otok_strip_book(a.sums + OTOK_SUM_DEPOSITED, up, b.s);
        otok_strip_book(a.sums + OTOK_SUM_ERODED, {up.hi - p.moved.hi, up.lo - p.moved.lo}, b.s);
        if (a.counts)
            otok_strip_book(a.sums + OTOK_SUM_GROUND_MOVED, {a.counts * up.hi, a.counts * up.lo},
                            b.s);
    }
}

typedef void otok_marine_kernel(otok_frame, otok_bed, otok_marine_coefficients);

template <int BOOKS> static const void *code(const otok_coefficients *, int, bool)
{
    otok_marine_kernel *const kernel = fused_marine<BOOKS>;
    return (const void *)kernel;
}

static cudaError_t start(otok_patch *patch, const otok_fused_pass *pass, const otok_coefficients *k,
                         const otok_step *steps, int n, int nsteps)
{
    otok_view *v = &patch->view;
    otok_bed a = {v->at[OTOK_TERRAIN_BASE],
                  v->at[OTOK_TERRAIN_CHANGE],
                  v->at[OTOK_CHANGE_NEXT],
                  {v->at[OTOK_TERRAIN_CHANGE]}, /* of a ground of one layer, anything */
                  v->sums,
                  otok_dithers_of(v, steps[n].phase),
                  steps[n].sea,
                  k->layers.n,
                  otok_booked_ends(pass, n, nsteps, otok_cuda_own_of(patch)->joins),
                  otok_moves_count(steps[n].iteration)};
    for (int layer = 0; layer < a.n - 1; layer++)
        a.bottoms[layer] = v->at[OTOK_LAYER_BOTTOM + layer];
    otok_turn_change(v);
    otok_marine_kernel *const kernel = pass->family == &otok_fused_marine_layered
                                           ? fused_marine<OTOK_BOOKS_LAYERS>
                                       : a.counts ? fused_marine<OTOK_BOOKS_RISES>
                                       : a.books  ? fused_marine<OTOK_BOOKS_ROUNDING>
                                                  : fused_marine<OTOK_BOOKS_NOTHING>;
    return otok_strip_start(kernel, pass, otok_cuda_own_of(patch)->stream, a, k->marine);
}

static const otok_op ops[] = {
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_MARINE_SHARES, 0},
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_MARINE_DIFFUSION, 0},
    {otok_op::OTOK_OP_SWAP, OTOK_TERRAIN_CHANGE, OTOK_CHANGE_NEXT},
};
static const otok_op layered_ops[] = {
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_MARINE_SHARES_LAYERED, 0},
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_MARINE_DIFFUSION, 0},
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_LAYERS_FOLLOW, 0},
    {otok_op::OTOK_OP_SWAP, OTOK_TERRAIN_CHANGE, OTOK_CHANGE_NEXT},
};

extern const otok_fused_family otok_fused_marine = {ops, 3, 1, 12, code<OTOK_BOOKS_NOTHING>, start};
extern const otok_fused_family otok_fused_marine_layered = {
    layered_ops, 4, 2, 16, code<OTOK_BOOKS_LAYERS>, start};
