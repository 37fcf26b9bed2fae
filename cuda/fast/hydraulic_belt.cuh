/* hydraulic_belt.cuh: an iteration with one-way pipes as a list of stages (belt.cuh), up to erosion
   for every transport, and with conservative transport. advection_belt.cuh has the other. The
   physics is in model/. */
#ifndef OTOK_FAST_HYDRAULIC_BELT_CUH
#define OTOK_FAST_HYDRAULIC_BELT_CUH

#include "belt.cuh"
#include "erosion_laws.cuh"
#include "hydraulic_stages.cuh"

/* What a thread books: rain less the water that the next iteration's rain starts from; evaporation;
   what clamping made; the drift of advection and what mixing made. Separately, because few kernels
   can have any: displaced water, water and sediment that left. */
enum { RAINED, EVAPORATED, CLAMPED, DRIFTED, DIFFUSED, PIPES_BOOKS };
enum { DISPLACED, WATER_OUT, SEDIMENT_OUT, PIPES_RARE };
typedef otok_booking (*otok_pipes_books)[OTOK_STRIP_BLOCK];

/* The stages up to erosion. A list adds its wires from COMMON on, and its stages. PUBLISHED:
   central slope, capacity by speed, nothing displaced. WALLS: the ground of walls is infinite,
   which says to all stages where they are; they are dry and give nothing. */
template <bool CONSERVATIVE, bool PUBLISHED, bool WALLS>
struct otok_pipes_belt : otok_belt_defaults {
    /* Inputs: ground, water, old outflows to the four sides, sediment, OTOK_WALLS. Then ground and
       depth after the rain, the surface, and outflows. */
    enum {
        BED,
        CHANGE,
        DEPTH,
        OLD_LEFT,
        OLD_RIGHT,
        OLD_BOTTOM,
        OLD_TOP,
        CARRIED,
        WALL_MAP,
        H,
        D1,
        ETA,
        F_LEFT,
        F_RIGHT,
        F_BOTTOM,
        F_TOP,
        COMMON
    };
    enum { RAIN, OUTFLOWS, EROSION };
    static constexpr int BOOKS = CONSERVATIVE ? (int)DRIFTED : (int)PIPES_BOOKS;
    static constexpr int BOOKS_BYTES = BOOKS * OTOK_STRIP_BLOCK * sizeof(otok_booking);
    static constexpr otok_read common[] = {{RAIN, {BED, CHANGE, DEPTH}, 0, 0, 0, 0},
                                           {RAIN, WALL_MAP, 0, 0, 0, 0, WALLS},
                                           {OUTFLOWS, ETA, -1, 1, 0, 0},
                                           {OUTFLOWS, {H, D1}, 0, 0, -1, 1},
                                           {OUTFLOWS, {OLD_LEFT, OLD_RIGHT, OLD_BOTTOM, OLD_TOP}},
                                           {EROSION, H, -1, 1, 0, 0},
                                           {EROSION, H, 0, 0, -1, 1},
                                           {EROSION, {D1, CHANGE, CARRIED}},
                                           {EROSION, F_LEFT, 0, 1, 0, 0},
                                           {EROSION, F_RIGHT, -1, 0, 0, 0},
                                           {EROSION, F_BOTTOM, 0, 0, 0, 1},
                                           {EROSION, F_TOP, 0, 0, -1, 0}};
    static constexpr int INPUTS = H, FETCH_AT = EROSION, COUNTERS = EROSION;
    static constexpr int made_by(int w)
    {
        return w <= ETA ? RAIN : OUTFLOWS;
    }
    static constexpr otok_beyond beyond(int w)
    {
        return w == ETA ? ASKED : w >= F_LEFT && w < COMMON ? NOTHING : FREE;
    }
    static constexpr int over(int w)
    {
        return w == H                      ? (int)BED
               : w == D1                   ? (int)DEPTH
               : w >= F_LEFT && w < COMMON ? OLD_LEFT + w - F_LEFT
                                           : -1;
    }
    static constexpr bool chained(int w)
    {
        return w == F_TOP;
    }
    static constexpr bool early(int w)
    {
        return w == ETA || w == F_LEFT || w == F_RIGHT;
    }

    const otok_flow &a;
    const otok_water_coefficients &kw;
    const otok_erosion_coefficients &erosion;
    const otok_transport_coefficients &transport;
    const otok_pipes_books books;
    otok_booking *const rare; /* the thread's, OTOK_STRIP_BLOCK apart */

    __device__ __forceinline__ otok_erosion_coefficients ke() const
    {
        return otok_by_laws < PUBLISHED ? PUBLISHED_LAWS : ANY_LAWS > (erosion);
    }
    __device__ __forceinline__ otok_transport_coefficients kt() const
    {
        otok_transport_coefficients k = transport;
        k.conservative = CONSERVATIVE;
        return k;
    }
    template <class B> __device__ __forceinline__ otok_booking &booked(const B &b, int name)
    {
        return books[name][b.s.index];
    }
    __device__ __forceinline__ otok_booking &seldom(int name)
    {
        return rare[name * OTOK_STRIP_BLOCK];
    }
    template <int W, class B> __device__ __forceinline__ const float *field(const B &, int) const
    {
        if constexpr (W == BED) return a.in[BASE];
        if constexpr (W == CHANGE) return a.change;
        if constexpr (W == DEPTH) return a.in[WATER];
        if constexpr (W == CARRIED) return a.in[SEDIMENT];
        if constexpr (W == WALL_MAP) return a.walls;
        return a.in[OUTFLOW + W - OLD_LEFT];
    }
    template <int N, int W, class B>
    __device__ __forceinline__ void given(B &b, float (&v)[OTOK_LANE], int)
    {
        if constexpr (N == EROSION && (W == CHANGE || W == CARRIED)) /* rain_row does the others */
            if (b.ghosts()) otok_spread(v, b.g, b.s);
    }
    /* There is no water over an open side. */
    template <int W, class B>
    __device__ __forceinline__ float over_side(const B &b, float own, int way) const
    {
        const bool open = b.g.open >> (way < 0 ? OTOK_LEFT : OTOK_RIGHT) & 1;
        return open ? b.w[H][0][way < 0 ? 0 : OTOK_LANE - 1] + 0.0f : own;
    }
    /* Of the surface only columns beside are kept. */
    template <class X> static __device__ __forceinline__ float surface(X x, int dx, int dy)
    {
        const bool beside = x.c + dx < 0 || x.c + dx >= OTOK_LANE;
        return beside ? at<ETA>(x, dx, 0) : at<H>(x, dx, dy) + at<D1>(x, dx, dy);
    }
    template <class X> static __device__ __forceinline__ bool in_wall(X x)
    {
        return WALLS && here<H>(x) == INFINITY;
    }
    template <class X> static __device__ __forceinline__ otok_four out(X x)
    {
        return {here<F_LEFT>(x), here<F_RIGHT>(x), here<F_BOTTOM>(x), here<F_TOP>(x)};
    }

    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<RAIN> n, B &b, int j)
    {
        b.each(n, [](auto x) {
            const bool wall = WALLS && here<WALL_MAP>(x) == OTOK_IN_WALL;
            put<H>(x, wall ? INFINITY : here<BED>(x) + here<CHANGE>(x));
            put<D1>(x, here<DEPTH>(x));
        });
        rain_row<WALLS>(b.w[H][0], b.w[D1][0], booked(b, RAINED), a, j, b.g.open, b.ghosts(), b.g,
                        b.s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            b.w[ETA][0][c] = b.w[H][0][c] + b.w[D1][0][c];
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<OUTFLOWS> n, B &b, int)
    {
        b.each(n, [&](auto x) {
            const otok_four old = {here<OLD_LEFT>(x), here<OLD_RIGHT>(x), here<OLD_BOTTOM>(x),
                                   here<OLD_TOP>(x)};
            const otok_cross eta = {surface(x, 0, 0), surface(x, -1, 0), surface(x, 1, 0),
                                    surface(x, 0, -1), surface(x, 0, 1)};
            otok_four f = otok_outflow(old, here<D1>(x), eta, kw);
            if (in_wall(x)) f = {0.0f, 0.0f, 0.0f, 0.0f};
            put<F_LEFT>(x, f.left), put<F_RIGHT>(x, f.right);
            put<F_BOTTOM>(x, f.bottom), put<F_TOP>(x, f.top);
        });
    }
    template <int N, class B> __device__ __forceinline__ void done(otok_belt_stage<N>, B &b, int j)
    {
        if constexpr (N == OUTFLOWS) {
            const otok_four f[OTOK_LANE] = {of(b, 0), of(b, 1), of(b, 2), of(b, 3)};
            store_outflows(a, j * b.g.pitch, f, b.g, b.s);
        }
    }
    template <class B> static __device__ __forceinline__ otok_four of(const B &b, int c)
    {
        return {b.w[F_LEFT][0][c], b.w[F_RIGHT][0][c], b.w[F_BOTTOM][0][c], b.w[F_TOP][0][c]};
    }

    /* Water surface, erosion and evaporation of row j. Across a seam the ground is another's. */
    template <class B>
    __device__ __forceinline__ void erode(otok_belt_stage<EROSION> n, B &b, int j,
                                          otok_eroded_row &e)
    {
        otok_ground_row from;
        b.each(n, [&](auto x) {
            const int c = x.c;
            e.out[c] = out(x);
            e.in[c] = {at<F_RIGHT>(x, -1, 0), at<F_LEFT>(x, 1, 0), at<F_TOP>(x, 0, -1),
                       at<F_BOTTOM>(x, 0, 1)};
            from.h[c] = here<H>(x), from.below[c] = at<H>(x, 0, -1);
            from.above[c] = at<H>(x, 0, 1), from.d1[c] = here<D1>(x);
            from.change[c] = here<CHANGE>(x), from.sediment[c] = here<CARRIED>(x);
            if (c == 0) from.left = at<H>(x, -1, 0);
            if (c == OTOK_LANE - 1) from.right = at<H>(x, 1, 0);
        });
        b.p.across_seam(from.left, from.right);
        erode_row<CONSERVATIVE, false, WALLS>(e, from, kw, ke(), kt());
        if (ke().displace_water && b.owns(j)) book_displaced(seldom(DISPLACED), e, b.g, b.s);
        if (!b.owns(j)) return;
        if (!CONSERVATIVE) otok_strip_store(a.change_next, j * b.g.pitch, e.ground, b.g, b.s);
        store_water(e, from.d1, {booked(b, RAINED), booked(b, EVAPORATED), booked(b, CLAMPED)},
                    b.counters, a, j, b.g, b.s, kw);
        if (b.g.open && (b.s.side || j == 0 || j == b.g.ny - 1))
            book_edges(seldom(WATER_OUT), seldom(CONSERVATIVE ? SEDIMENT_OUT : WATER_OUT), e.out,
                       e.load, j, b.g, b.s, kt());
    }
    __device__ __forceinline__ void across_seam(float &, float &) const
    {
    }

    /* some: bookings that are rare may come. */
    template <class B> __device__ __forceinline__ void begin(const B &b, bool some)
    {
        for (int n = 0; n < BOOKS; n++)
            booked(b, n) = {0, 0};
        for (int n = 0; some && n < PIPES_RARE; n++)
            seldom(n) = {0, 0};
    }
    template <int WHOLE, class B> __device__ __forceinline__ void finish(const B &b)
    {
        const otok_strip &s = b.s;
        if constexpr (WHOLE < 0) {
            otok_strip_book<WHOLE>(a.sums + OTOK_SUM_RAIN, booked(b, RAINED), s);
            otok_strip_book<WHOLE>(a.sums + OTOK_SUM_EVAPORATED, booked(b, EVAPORATED), s);
            otok_strip_book<WHOLE>(a.sums + OTOK_SUM_WATER_CLAMPED, booked(b, CLAMPED), s);
        } else {
            otok_sum *const sums[DRIFTED] = {a.sums + OTOK_SUM_RAIN, a.sums + OTOK_SUM_EVAPORATED,
                                             a.sums + OTOK_SUM_WATER_CLAMPED};
            otok_strip_book_all(sums, books, s);
        }
        if (ke().displace_water)
            otok_strip_book<WHOLE>(a.sums + OTOK_SUM_DISPLACED, seldom(DISPLACED), s);
        if (b.g.open) {
            otok_strip_book<WHOLE>(a.sums + OTOK_SUM_WATER_OUT, seldom(WATER_OUT), s);
            if (CONSERVATIVE)
                otok_strip_book<WHOLE>(a.sums + OTOK_SUM_SEDIMENT_OUT, seldom(SEDIMENT_OUT), s);
        }
    }
};

/* Conservative transport and settling. */
template <bool PUBLISHED, bool WALLS>
struct otok_conservative_belt : otok_pipes_belt<true, PUBLISHED, WALLS> {
    typedef otok_pipes_belt<true, PUBLISHED, WALLS> base;
    using base::apply, base::a, base::booked, base::kt;
    enum { ETA = base::ETA, H = base::H, F_LEFT = base::F_LEFT, F_RIGHT, F_BOTTOM, F_TOP };
    /* Ground, sediment and load after erosion; load times outflow to the bottom and to the top; the
       sediment that stays, and what comes from left and right. */
    enum { E = base::COMMON, S, LOAD, G_BOTTOM, GROUND, KEPT, G_TOP, ACROSS, WIRES };
    enum { EROSION = base::EROSION, TRANSPORT, LOADS, STAGES };
    static constexpr otok_read own[] = {
        {LOADS, {E, S, F_BOTTOM, F_TOP}},    {LOADS, LOAD, -1, 1, 0, 0},
        {LOADS, F_LEFT, 0, 1, 0, 0},         {LOADS, F_RIGHT, -1, 0, 0, 0},
        {TRANSPORT, {ACROSS, KEPT, GROUND}}, {TRANSPORT, G_BOTTOM, 0, 0, 1, 1},
        {TRANSPORT, G_TOP, 0, 0, -1, -1}};
    static constexpr auto reads = otok_reads_of(base::common, own);
    static constexpr int made_by(int w)
    {
        return w < E ? base::made_by(w) : w <= G_BOTTOM ? (int)EROSION : (int)LOADS;
    }
    static constexpr otok_beyond beyond(int w)
    {
        return w == LOAD ? DRY : base::beyond(w);
    }
    static constexpr bool parked(int w)
    {
        return w == G_TOP || w == GROUND;
    }
    static constexpr bool apart(int stage)
    {
        return stage <= EROSION;
    }
    unsigned dry = 0, drying = 0; /* columns of the last two rows that will settle, a bit each */
    otok_seam *seams = NULL;
    int seam = 0;          /* otok_seam_side; with strips side by side */
    float h_beside = 0.0f; /* the ground across the seam, in the row of the next erosion */

    template <class B>
    __device__ __forceinline__ void apply(otok_belt_stage<EROSION> n, B &b, int j)
    {
        otok_eroded_row e;
        this->erode(n, b, j, e);
        dry = drying, drying = e.drying;
        b.each(n, [&](auto x) {
            const int c = x.c;
            put<E>(x, e.ground[c]), put<S>(x, e.s[c]), put<LOAD>(x, e.load[c]);
            put<G_BOTTOM>(x, e.load[c] * e.out[c].bottom);
        });
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<LOADS> n, B &b, int)
    {
        b.each(n, [&](auto x) {
            put<GROUND>(x, here<E>(x));
            put<KEPT>(x, otok_transport_kept(here<S>(x), here<LOAD>(x), base::out(x)));
            put<G_TOP>(x, here<LOAD>(x) * here<F_TOP>(x));
            put<ACROSS>(x, at<LOAD>(x, -1, 0) * at<F_RIGHT>(x, -1, 0) +
                               at<LOAD>(x, 1, 0) * at<F_LEFT>(x, 1, 0));
        });
    }
    template <class B>
    __device__ __forceinline__ void apply(otok_belt_stage<TRANSPORT> n, B &b, int j)
    {
        float carried[OTOK_LANE];
        bool settles = false;
        b.each(n, [&](auto x) {
            carried[x.c] = otok_transport_gained_two(here<KEPT>(x), here<ACROSS>(x),
                                                     at<G_TOP>(x, 0, -1), at<G_BOTTOM>(x, 0, 1));
            settles |= (dry >> x.c & 1) && carried[x.c] > 0.0f;
        });
        float(&ground)[OTOK_LANE] = row_of<GROUND>(n, b);
        if (settles) settle_row(ground, carried, dry);
        store_settled(a, j, ground, carried, b.g, b.s);
    }

    __device__ __forceinline__ void across_seam(float &left, float &right) const
    {
        if (seam < 0) left = h_beside;
        if (seam > 0) right = h_beside;
    }
    /* Rows r, r-1 and r-2: gets what the next step needs from the strips beside. */
    template <class B> __device__ __forceinline__ void join(B &b)
    {
        enum { LAST = OTOK_LANE - 1 };
        const float(&eta)[OTOK_LANE] = b.w[ETA][0], (&h)[OTOK_LANE] = b.w[H][1],
              (&load)[OTOK_LANE] = b.w[LOAD][0];
        const float4 beside = otok_join(
            seams[b.r & 1], make_float4(eta[0], b.w[F_LEFT][0][0], h[0], load[0]),
            make_float4(eta[LAST], b.w[F_RIGHT][0][LAST], h[LAST], load[LAST]), seam, b.g);
        if (seam < 0) {
            b.left[ETA][0] = beside.x, b.left[F_RIGHT][0] = beside.y;
            b.w[ACROSS][0][0] = beside.w * b.left[F_RIGHT][1] + load[1] * b.w[F_LEFT][1][1];
        }
        if (seam > 0) {
            b.right[ETA][0] = beside.x, b.right[F_LEFT][0] = beside.y;
            b.w[ACROSS][0][LAST] =
                load[LAST - 1] * b.w[F_RIGHT][1][LAST - 1] + beside.w * b.right[F_LEFT][1];
        }
        h_beside = beside.z;
    }
};

#endif
