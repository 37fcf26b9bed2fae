/* reef.cu: growth of the reef and diffusion of its carbon in one pass, 28 bytes a cell, as a list
   of stages (belt.cuh). The physics is in model/reef.h. */
#include "belt.cuh"
#include "strip_books.cuh"

#include "model/reef.h"

typedef struct otok_colony {
    const float *base, *change, *carbon;
    float *change_next, *carbon_next,
        *reef; /* the counter changes in place: no cell reads its neighbours' counters */
    otok_sum *sums;
    float sea;
} otok_colony;

/* Cells grow (GROW), then their carbon spreads (SPREAD). */
struct otok_reef_belt : otok_belt_defaults {
    enum { BASE, CHANGE, CARBON, REEF, H, CHANGED, LEFT, GROWN, NEXT, WIRES };
    static constexpr int INPUTS = H;
    enum { GROW, SPREAD, STAGES };
    static constexpr otok_read reads[] = {{GROW, {BASE, CHANGE, CARBON, REEF}, 0, 0, 0, 0},
                                          {SPREAD, {H, LEFT}, -1, 1, 0, 0},
                                          {SPREAD, {H, LEFT}, 0, 0, -1, 1}};
    static constexpr int made_by(int w)
    {
        return w <= GROWN ? GROW : SPREAD;
    }
    static constexpr otok_beyond beyond(int w)
    {
        return w == H ? WALL : FREE;
    }
    static constexpr bool apart(int stage)
    {
        return stage == GROW;
    }

    const otok_colony &a;
    const otok_reef_coefficients &k;
    otok_booking rose = {0, 0};

    template <int W, class B> __device__ __forceinline__ const float *field(const B &, int) const
    {
        return W == BASE ? a.base : W == CHANGE ? a.change : W == CARBON ? a.carbon : a.reef;
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<GROW> n, B &b, int j)
    {
        b.each(n, [&](auto x) {
            const float base = here<BASE>(x), change = here<CHANGE>(x);
            const otok_grown grown =
                otok_reef_growth(base + change, change, here<REEF>(x), here<CARBON>(x), a.sea, k);
            put<CHANGED>(x, grown.change), put<GROWN>(x, grown.reef), put<LEFT>(x, grown.carbon);
            put<H>(x, base + grown.change);
            if (grown.change != change && b.owns(j) && b.s.i + x.c < b.g.nx) {
                otok_booking_add(rose, grown.change);
                otok_booking_add(rose, change, -1);
            }
        });
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<SPREAD> n, B &b, int)
    {
        b.each(n,
               [&](auto x) { put<NEXT>(x, otok_carbon(cross<LEFT>(x), cross<H>(x), a.sea, k)); });
    }
    template <class B> __device__ __forceinline__ void done(otok_belt_stage<GROW>, B &b, int j)
    {
        otok_strip_store(a.change_next, j * b.g.pitch, b.w[CHANGED][0], b.g, b.s);
        otok_strip_store(a.reef, j * b.g.pitch, b.w[GROWN][0], b.g, b.s);
    }
    template <class B> __device__ __forceinline__ void done(otok_belt_stage<SPREAD>, B &b, int j)
    {
        otok_strip_store(a.carbon_next, j * b.g.pitch, b.w[NEXT][0], b.g, b.s);
    }
};

static __global__ void __launch_bounds__(OTOK_STRIP_BLOCK, 4)
    fused_reef(otok_frame g, otok_colony a, otok_reef_coefficients k)
{
    typedef otok_belt<otok_reef_belt> belt;
    alignas(128) __shared__ otok_slot slots[belt::plan::SLOTS];
    otok_reef_belt p{{}, a, k};
    belt b{p, g, otok_strip_of(g), slots, NULL};
    b.walk();
    otok_strip_book(a.sums + OTOK_SUM_REEF, p.rose, b.s);
}

static const void *code(const otok_coefficients *, int, bool, bool)
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
    fused_reef<<<(unsigned)pass->frame.blocks, OTOK_STRIP_BLOCK, 0, own->stream>>>(pass->frame, a,
                                                                                   k->reef);
    otok_exchange_pointers(&v->at[OTOK_TERRAIN_CHANGE], &own->spare[OTOK_SPARE_CHANGE]);
    otok_exchange_pointers(&v->at[OTOK_CARBON], &v->at[OTOK_CARBON_NEXT]);
    return cudaGetLastError();
}

static const otok_op ops[] = {
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_REEF_GROWTH, 0},
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_CARBON, 0},
    {otok_op::OTOK_OP_SWAP, OTOK_CARBON, OTOK_CARBON_NEXT},
};

extern const otok_fused_family otok_fused_reef = {
    ops, sizeof ops / sizeof ops[0], 1, 28, code, start, 0, 1u << OTOK_SPARE_CHANGE};
