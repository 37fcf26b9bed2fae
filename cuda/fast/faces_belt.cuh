/* faces_belt.cuh: what belts with a flow per face share: their inputs, ground and rain, and the
   stages from erosion on. A list on top of it makes the flows FX and FY that pass the faces to the
   right and to the top of a cell. What enters at an open left or bottom side is held by the ghost
   before the cell, and in memory by the cell, as outflow_left or outflow_bottom. The physics is in
   model/. */
#ifndef OTOK_FAST_FACES_BELT_CUH
#define OTOK_FAST_FACES_BELT_CUH

#include "belt.cuh"
#include "belt_steps.cuh"
#include "hydraulic_stages.cuh"
#include "pipe_depth.cuh"

/* Lane 0 of the strip at the left side has ghosts; the last of its columns is column -1. */
static __device__ inline bool otok_enters_left(const otok_frame &g, const otok_strip &s)
{
    return s.i < 0 && (g.open >> OTOK_LEFT & 1);
}

/* What a thread books: rain less the water that the next iteration's rain starts from, evaporation,
   displaced water, what clamping made; and seldom, in local memory: water and sediment that left.
 */
enum { FACES_RAIN, FACES_EVAPORATED, FACES_MOVED, FACES_CLAMPING, FACES_BOOKS };
typedef otok_booking (*otok_faces_books)[OTOK_STRIP_BLOCK];
enum { FACES_BOOKS_BYTES = FACES_BOOKS * OTOK_STRIP_BLOCK * sizeof(otok_booking) };
enum { FACES_WATER_OUT, FACES_SEDIMENT_OUT, FACES_RARE, FACES_CLAMPED = FACES_RARE, FACES_MOVING };

/* Books what leaves over the open sides at which the lane's columns are, four bits a column in
   `at`. A call, because it is seldom made, and its registers would be kept for it. */
static __device__ __noinline__ void book_left(otok_booking *rare, float4 left, float4 right,
                                              float4 bottom, float4 top, float4 load, unsigned at,
                                              float dt_l2)
{
#pragma unroll 1
    for (; at != 0; at &= at - 1) { /* its lowest bit first */
        const int n = __ffs((int)at) - 1;
        const int side = n % OTOK_SIDES, c = n / OTOK_SIDES;
        const float4 f = side == OTOK_LEFT     ? left
                         : side == OTOK_RIGHT  ? right
                         : side == OTOK_BOTTOM ? bottom
                                               : top;
        const float flow = c == 0   ? f.x
                           : c == 1 ? f.y
                           : c == 2 ? f.z
                                    : f.w,
                    carried = c == 0   ? load.x
                              : c == 1 ? load.y
                              : c == 2 ? load.z
                                       : load.w;
        otok_booking_add(rare[FACES_WATER_OUT], dt_l2 * flow);
        otok_booking_add(rare[FACES_SEDIMENT_OUT], carried * flow);
    }
}

/* The stages before erosion have numbers below FROM; the first is RAIN. A list adds its wires from
   COMMON on. WALLS: as in otok_pipes_belt; nothing passes their faces. STEPS: `bed_steps:
   critical`; the ground is a row ahead of the rest, because a face counts two rows of it beyond its
   own. */
template <int FROM, bool BY_DEPTH, int SPEEDS, bool WALLS, bool STEPS>
struct otok_faces_belt : otok_belt_defaults {
    enum {
        BED,
        CHANGE,
        DEPTH,
        OLD_X,
        OLD_Y,
        CARRIED,
        WALL_MAP, /* inputs; a depth before the rain */
        H,
        D1,
        FX,
        FY,
        GROUND,
        S,
        LOAD,
        G_BOTTOM,
        KEPT,
        G_TOP,
        ACROSS,
        COMMON
    };
    enum { RAIN, EROSION = FROM, TRANSPORT, LOADS, STAGES };
    /* Where shared memory is short, what clamping made and what was displaced are in local memory,
       too. */
    static constexpr bool TIGHT = STEPS && SPEEDS == KNOWN;
    /* PACKED: bytes a thread, behind the books, for faces that the warp packs. */
    static constexpr int RARE = FACES_RARE + 2 * TIGHT, BOOKS = FACES_BOOKS - 2 * TIGHT,
                         PACKED = STEPS && SPEEDS == OF_FACES ? 6 * (int)sizeof(float) : 0,
                         BOOKS_BYTES =
                             OTOK_STRIP_BLOCK * (BOOKS * (int)sizeof(otok_booking) + PACKED);
    static constexpr otok_read common[] = {{RAIN, {BED, CHANGE, DEPTH}, 0, 0, 0, 0},
                                           {RAIN, WALL_MAP, 0, 0, 0, 0, WALLS},
                                           {EROSION, FX, -1, 0, 0, 0},
                                           {EROSION, FY, 0, 0, -1, 0},
                                           {EROSION, H, -1, 1, 0, 0},
                                           {EROSION, H, 0, 0, -1, 1},
                                           {EROSION, {D1, CHANGE, CARRIED}, 0, 0, 0, 0},
                                           {LOADS, S, 0, 0, 0, 0},
                                           {LOADS, LOAD, -1, 1, 0, 0},
                                           {LOADS, FX, -1, 0, 0, 0},
                                           {LOADS, FY, 0, 0, -1, 0},
                                           {TRANSPORT, {ACROSS, KEPT, GROUND}, 0, 0, 0, 0},
                                           {TRANSPORT, G_BOTTOM, 0, 0, 1, 1},
                                           {TRANSPORT, G_TOP, 0, 0, -1, -1}};
    static constexpr int INPUTS = H, FETCH_AT = EROSION, COUNTERS = EROSION;

    const otok_flow &a;
    const otok_water_coefficients &kw;
    const otok_pipe_coefficients &kp;
    const otok_erosion_coefficients &ke;
    const otok_transport_coefficients &kt;
    const otok_faces_books books;
    otok_booking *const rare;
    unsigned dry = 0, drying = 0; /* columns of the last two rows that will settle, a bit each */
    unsigned sides = 0; /* of the lane's columns: open sides left and right, four bits each */

    template <class B> __device__ __forceinline__ otok_booking &booked(const B &b, int name)
    {
        return books[name][b.s.index];
    }
    template <int W, class B> __device__ __forceinline__ const float *field(const B &b, int j) const
    {
        if constexpr (W == BED) return a.in[BASE];
        if constexpr (W == CHANGE) return a.change;
        if constexpr (W == DEPTH) return a.in[WATER];
        if constexpr (W == WALL_MAP) return a.walls;
        if constexpr (W == OLD_X)
            return a.in[OUTFLOW + (otok_enters_left(b.g, b.s) ? OTOK_LEFT : OTOK_RIGHT)];
        if constexpr (W == OLD_Y)
            return a
                .in[OUTFLOW + (j < 0 && (b.g.open >> OTOK_BOTTOM & 1) ? OTOK_BOTTOM : OTOK_TOP)];
        return a.in[SEDIMENT];
    }
    /* THETA: flows beside a flow count, too. */
    template <int N, int W, bool THETA, class B>
    __device__ __forceinline__ void give(B &b, float (&v)[OTOK_LANE], int j)
    {
        if constexpr (W == CHANGE || W == CARRIED) { /* rain_row does it for the others */
            if constexpr (N == EROSION)
                if (b.s.side) otok_spread(v, b.g, b.s);
        } else if constexpr (W == OLD_X) {
            if (!b.s.side || b.g.wrap_x) return;
            const float entry = otok_enters_left(b.g, b.s) ? -v[0] : 0.0f;
            if (THETA) otok_spread(v, b.g, b.s);
            if (b.s.i < 0) v[2] = v[3] = entry;
        } else if constexpr (W == OLD_Y) {
            if (j >= 0 || b.g.wrap_y) return;
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++)
                v[c] = b.g.open >> OTOK_BOTTOM & 1 ? -v[c] : 0.0f;
        }
    }

    template <class X> static __device__ __forceinline__ otok_column column(X x, int dx, int dy)
    {
        return {at<H>(x, dx, dy), at<D1>(x, dx, dy)};
    }
    /* Is a cell of the face a wall? */
    static __device__ __forceinline__ bool is_shut(otok_column a, otok_column b)
    {
        return WALLS && !(fabsf(a.h - b.h) < INFINITY);
    }
    /* For erode_row. */
    template <class X>
    __device__ __forceinline__ void speeds(X, const otok_four &face, float &u, float &w) const
    {
        u = face.left + face.right, w = face.bottom + face.top;
    }
    /* The flows through a cell's four faces. */
    template <int RIGHT = FX, int TOP = FY, class X>
    static __device__ __forceinline__ otok_four faces(X x)
    {
        return {at<RIGHT>(x, -1, 0), here<RIGHT>(x), at<TOP>(x, 0, -1), here<TOP>(x)};
    }

    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<RAIN> n, B &b, int j)
    {
        b.each(n, [](auto x) {
            const bool wall = WALLS && here<WALL_MAP>(x) == OTOK_IN_WALL;
            put<H>(x, wall ? INFINITY : here<BED>(x) + here<CHANGE>(x));
            put<D1>(x, here<DEPTH>(x));
        });
        rain_row<WALLS>(b.w[H][0], b.w[D1][0], booked(b, FACES_RAIN), a, j, b.g.open, b.s.side, b.g,
                        b.s);
        if constexpr (STEPS)
            fall_beyond<WALLS>(b.w[H][0], a, j, b.g.open & kp.critical.falls, b.g, b.s);
    }

    template <class B>
    __device__ __forceinline__ void apply(otok_belt_stage<EROSION> n, B &b, int j)
    {
        otok_eroded_row e;
        otok_ground_row from;
        b.each(n, [&](auto x) {
            const int c = x.c;
            const otok_four face = faces(x);
            e.out[c] = otok_faces_out(face), e.in[c] = otok_faces_in(face);
            b.p.speeds(x, face, e.u[c], e.w[c]);
            from.h[c] = here<H>(x), from.below[c] = at<H>(x, 0, -1);
            from.above[c] = at<H>(x, 0, 1), from.d1[c] = here<D1>(x);
            from.change[c] = here<CHANGE>(x), from.sediment[c] = here<CARRIED>(x);
            if (c == 0) from.left = at<H>(x, -1, 0);
            if (c == OTOK_LANE - 1) from.right = at<H>(x, 1, 0);
            if constexpr (STEPS && SPEEDS == KNOWN) e.d2[c] = b.p.depth(x);
        });
        if constexpr (STEPS && SPEEDS == OF_FACES) exact_dithers(e.d2, a, j, b.g, b.s);
        if constexpr (STEPS) level_beyond(from, j, b.g, b.s);
        constexpr int depths = !STEPS ? ROUNDED : SPEEDS == OF_FACES ? EXACT : MADE;
        erode_row<true, BY_DEPTH, WALLS, SPEEDS, depths>(e, from, kw, ke, kt);
        if (ke.displace_water && b.owns(j))
            book_displaced(TIGHT ? rare[FACES_MOVING] : booked(b, FACES_MOVED), e, b.g, b.s);
        dry = drying;
        b.each(n, [&](auto x) {
            const int c = x.c;
            put<GROUND>(x, e.ground[c]), put<S>(x, e.s[c]), put<LOAD>(x, e.load[c]);
            put<G_BOTTOM>(x, e.load[c] * e.out[c].bottom);
        });
        if (b.owns(j)) {
            if constexpr (SPEEDS == OF_FACES) store_both(b, row_of<FX>(n, b), row_of<FY>(n, b), j);
            store(b, e, from, j);
        } else if constexpr (SPEEDS == OF_FACES) {
            store_entry(b, row_of<FY>(n, b), j);
        }
        drying = e.drying;
    }

    /* What the faces of row j keep: those to the right, and those to the top. */
    template <class B>
    __device__ __forceinline__ void store_x(B &b, const float (&x)[OTOK_LANE], int j)
    {
        if (!b.owns(j)) return;
        otok_strip_store(a.outflow_next[OTOK_RIGHT], j * b.g.pitch, x, b.g, b.s);
        store_left(b, x, j);
    }
    template <class B>
    __device__ __forceinline__ void store_left(B &b, const float (&x)[OTOK_LANE], int j)
    {
        if (otok_enters_left(b.g, b.s))
            a.outflow_next[OTOK_LEFT][j * b.g.pitch] = 0.0f - x[OTOK_LANE - 1];
    }
    template <class B>
    __device__ __forceinline__ void store_y(B &b, const float (&y)[OTOK_LANE], int j)
    {
        if (b.owns(j)) {
            otok_strip_store(a.outflow_next[OTOK_TOP], j * b.g.pitch, y, b.g, b.s);
        } else {
            store_entry(b, y, j);
        }
    }
    /* Of the row below the grid: what enters there. */
    template <class B>
    __device__ __forceinline__ void store_entry(B &b, const float (&y)[OTOK_LANE], int j)
    {
        if (j != -1 || b.s.bottom != 0 || !(b.g.open >> OTOK_BOTTOM & 1)) return;
        const float entry[OTOK_LANE] = {0.0f - y[0], 0.0f - y[1], 0.0f - y[2], 0.0f - y[3]};
        otok_strip_store(a.outflow_next[OTOK_BOTTOM], 0, entry, b.g, b.s);
    }
    /* Of a row of the warp's own, both at once, which takes less time. */
    template <class B>
    __device__ __forceinline__ void store_both(B &b, const float (&x)[OTOK_LANE],
                                               const float (&y)[OTOK_LANE], int j)
    {
        float *const maps[] = {a.outflow_next[OTOK_RIGHT], a.outflow_next[OTOK_TOP]};
        const float flows[2][OTOK_LANE] = {{x[0], x[1], x[2], x[3]}, {y[0], y[1], y[2], y[3]}};
        otok_strip_store(maps, j * b.g.pitch, flows, b.g, b.s);
        store_left(b, x, j);
    }

    /* Open sides at which the lane's own columns are, four bits each; without a row, `inside`. */
    template <class B>
    static __device__ __forceinline__ unsigned open_at(const B &b, bool inside, int j)
    {
        const otok_frame &g = b.g;
        unsigned at = 0;
        for (int c = 0; c < OTOK_LANE; c++) {
            const int i = b.s.i + c;
            const unsigned all = inside ? (i == 0) << OTOK_LEFT | (i == g.nx - 1) << OTOK_RIGHT
                                        : (j == 0) << OTOK_BOTTOM | (j == g.ny - 1) << OTOK_TOP;
            if (b.s.owned && i < g.nx) at |= (all & (unsigned)g.open) << OTOK_SIDES * c;
        }
        return at;
    }

    /* Stores and books row j after its erosion, and what leaves it over open sides. */
    template <class B>
    __device__ __forceinline__ void store(B &b, otok_eroded_row &e, const otok_ground_row &from,
                                          int j)
    {
        const otok_frame &g = b.g;
        store_water(e, from.d1,
                    {booked(b, FACES_RAIN), booked(b, FACES_EVAPORATED),
                     TIGHT ? rare[FACES_CLAMPED] : booked(b, FACES_CLAMPING)},
                    b.counters, a, j, g, b.s, kw);
        unsigned at = sides;
        if (g.open && (j == 0 || j == g.ny - 1)) at |= open_at(b, false, j);
        if (__builtin_expect(at != 0, 0)) {
            const otok_four(&o)[OTOK_LANE] = e.out;
            book_left(rare, make_float4(o[0].left, o[1].left, o[2].left, o[3].left),
                      make_float4(o[0].right, o[1].right, o[2].right, o[3].right),
                      make_float4(o[0].bottom, o[1].bottom, o[2].bottom, o[3].bottom),
                      make_float4(o[0].top, o[1].top, o[2].top, o[3].top),
                      make_float4(e.load[0], e.load[1], e.load[2], e.load[3]), at, kt.dt_l2);
        }
    }

    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<LOADS> n, B &b, int)
    {
        b.each(n, [&](auto x) {
            const otok_four face = faces(x), out = otok_faces_out(face), in = otok_faces_in(face);
            put<KEPT>(x, otok_transport_kept(here<S>(x), here<LOAD>(x), out));
            put<G_TOP>(x, here<LOAD>(x) * out.top);
            put<ACROSS>(x, at<LOAD>(x, -1, 0) * in.left + at<LOAD>(x, 1, 0) * in.right);
        });
    }

    /* Transport and settling. */
    template <class B>
    __device__ __forceinline__ void apply(otok_belt_stage<TRANSPORT> n, B &b, int j)
    {
        float carried[OTOK_LANE];
        bool settles = false;
        b.each(n, [&](auto x) {
            const otok_four gain = {here<ACROSS>(x), 0.0f, at<G_TOP>(x, 0, -1),
                                    at<G_BOTTOM>(x, 0, 1)};
            carried[x.c] = otok_transport_gained(here<KEPT>(x), gain);
            settles |= (dry >> x.c & 1) && carried[x.c] > 0.0f;
        });
        float(&ground)[OTOK_LANE] = row_of<GROUND>(n, b);
        if (__builtin_expect(settles, 0)) settle_row(ground, carried, dry);
        store_settled(a, j, ground, carried, b.g, b.s);
    }

    template <int N, class B> __device__ __forceinline__ void done(otok_belt_stage<N>, B &, int)
    {
    }

    template <class B> __device__ __forceinline__ void begin(const B &b)
    {
        for (int n = 0; n < BOOKS; n++)
            booked(b, n) = {0, 0};
        for (int n = 0; n < RARE; n++)
            rare[n] = {0, 0};
        if (b.g.open) sides = open_at(b, true, 0);
    }

    template <class B> __device__ __forceinline__ void finish(const B &b)
    {
        otok_sum *const all[] = {a.sums + OTOK_SUM_RAIN, a.sums + OTOK_SUM_EVAPORATED,
                                 a.sums + OTOK_SUM_DISPLACED, a.sums + OTOK_SUM_WATER_CLAMPED};
        otok_sum *sums[BOOKS];
        for (int n = 0; n < BOOKS; n++)
            sums[n] = all[n];
        otok_strip_book_all(sums, books, b.s);
        if constexpr (TIGHT)
            otok_strip_book(a.sums + OTOK_SUM_WATER_CLAMPED, rare[FACES_CLAMPED], b.s),
                otok_strip_book(a.sums + OTOK_SUM_DISPLACED, rare[FACES_MOVING], b.s);
        if (!b.g.open) return;
#pragma unroll 1
        for (int n = 0; n < FACES_RARE; n++)
            otok_strip_book(a.sums +
                                (n == FACES_WATER_OUT ? OTOK_SUM_WATER_OUT : OTOK_SUM_SEDIMENT_OUT),
                            rare[n], b.s);
    }
};

#endif
