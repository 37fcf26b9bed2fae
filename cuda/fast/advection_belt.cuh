/* advection_belt.cuh: an iteration with one-way pipes and semi-Lagrangian transport as a list of
   stages (belt.cuh), with or without a sweep of mixing. The physics is in model/. */
#ifndef OTOK_FAST_ADVECTION_BELT_CUH
#define OTOK_FAST_ADVECTION_BELT_CUH

#include "hydraulic_belt.cuh"

/* Marks a block that seldom runs. It makes the compiler branch around the block instead of
   selecting each value. */
#define RARELY asm volatile("" ::: "memory")

/* MIX: a sweep of mixing follows. WALLS: sediment is infinite in walls until it is stored. */
template <bool MIX, bool PUBLISHED, bool WALLS>
struct otok_advection_belt : otok_pipes_belt<false, PUBLISHED, WALLS> {
    typedef otok_pipes_belt<false, PUBLISHED, WALLS> base;
    using base::apply, base::a, base::booked, base::kt;
    /* Sediment and speeds after erosion; sediment after advection. */
    enum { S1 = base::COMMON, U, W, S2, WIRES };
    enum { EROSION = base::EROSION, ADVECTION, MIXING };
    static constexpr int STAGES = MIXING + MIX;
    static constexpr otok_read own[] = {{ADVECTION, S1, -1, 1, -1, 1},
                                        {ADVECTION, {U, W}},
                                        {MIXING, S2, -1, 1, 0, 0, MIX},
                                        {MIXING, S2, 0, 0, -1, 1, MIX}};
    static constexpr auto reads = otok_reads_of(base::common, own);
    static constexpr int made_by(int w)
    {
        return w < S1 ? base::made_by(w) : w <= W ? (int)EROSION : (int)ADVECTION;
    }
    static constexpr otok_beyond beyond(int w)
    {
        return w == S2 && MIX ? BESIDE : base::beyond(w); /* S1: see ADVECTION */
    }
    static constexpr bool early(int w)
    {
        return w == S1 || base::early(w);
    }
    static constexpr bool apart(int stage)
    {
        return stage <= EROSION;
    }
    static constexpr bool sunk(int w)
    {
        return w == S1;
    }
    unsigned wet = 0, wetting = 0; /* columns of the last two rows with water, a bit each */

    template <class B>
    __device__ __forceinline__ void apply(otok_belt_stage<EROSION> n, B &b, int j)
    {
        otok_eroded_row e;
        this->erode(n, b, j, e);
        if constexpr (MIX) {
            wet = wetting, wetting = 0;
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++)
                if (e.d2[c] > kt().dry) wetting |= 1u << c;
        }
        b.each(n, [&](auto x) {
            put<S1>(x, base::in_wall(x) ? INFINITY : e.s[x.c]);
            put<U>(x, e.u[x.c]), put<W>(x, e.w[x.c]);
        });
    }
    /* Below and above the grid is what is at the side. */
    template <class B>
    __device__ __forceinline__ void apply(otok_belt_stage<ADVECTION> n, B &b, int j)
    {
        if (b.ghosts()) otok_copy_ghosts(b.w[S1][0], b.left[S1][0], b.right[S1][0], b.g, b.s);
        if (!b.g.wrap_y && j == 0) {
            RARELY;
            repeat<S1, -1, 0>(n, b);
        }
        if (!b.g.wrap_y && j == b.g.ny - 1) {
            RARELY;
            repeat<S1, 1, 0>(n, b);
        }
        float both[2][OTOK_LANE];
        b.each(n, [&](auto x) {
            const otok_moore s = WALLS ? between_walls(moore<S1>(x)) : moore<S1>(x);
            both[0][x.c] = otok_advection(s, here<U>(x), here<W>(x), kt());
            both[1][x.c] = s.here;
            put<S2>(x, wet >> x.c & 1 ? both[0][x.c] : dry());
            if (!WALLS || s.here != INFINITY) return;
            both[0][x.c] = both[1][x.c] = 0.0f;
            put<S2>(x, INFINITY);
        });
        if (!b.owns(j)) return;
        otok_booking sums[2];
        otok_count(sums, both, b.g, b.s);
        book(booked(b, DRIFTED), sums[0], sums[1]);
        if (MIX) book(booked(b, DIFFUSED), {0, 0}, sums[0]);
        if (!MIX) otok_strip_store(a.sediment_next, j * b.g.pitch, both[0], b.g, b.s);
    }
    /* Stands for the sediment of cells without water, which mixing does not take. */
    static __device__ __forceinline__ float dry()
    {
        return -INFINITY;
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<MIXING> n, B &b, int j)
    {
        if (!b.g.wrap_y && j == 0) {
            RARELY;
            repeat<S2, -1, 0>(n, b);
        }
        if (!b.g.wrap_y && j == b.g.ny - 1) {
            RARELY;
            repeat<S2, 1, 0>(n, b);
        }
        float mixed[OTOK_LANE];
        b.each(n, [&](auto x) {
            const otok_cross s = WALLS ? between_walls(cross<S2>(x)) : cross<S2>(x);
            mixed[x.c] = otok_mix_wet(s, s.here != dry(), s.left != dry(), s.right != dry(),
                                      s.bottom != dry(), s.top != dry());
            if (WALLS && s.here == INFINITY) mixed[x.c] = 0.0f;
        });
        if (!b.owns(j)) return;
        otok_strip_store(a.sediment_next, j * b.g.pitch, mixed, b.g, b.s);
        otok_tally(booked(b, DIFFUSED), mixed, b.g, b.s);
    }
    template <int WHOLE, class B> __device__ __forceinline__ void finish(const B &b)
    {
        base::template finish<WHOLE>(b);
        otok_strip_book<WHOLE>(a.sums + OTOK_SUM_DRIFT, booked(b, DRIFTED), b.s);
        if (MIX) otok_strip_book<WHOLE>(a.sums + OTOK_SUM_DIFFUSED, booked(b, DIFFUSED), b.s);
    }
};

#endif
