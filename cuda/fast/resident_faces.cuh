/* resident_faces.cuh: hydraulic erosion on chip with one flow per face, for signed pipes and for
   `law: shallow_water`: a thread's cells and how they travel. The cell left of a face or below it
   keeps the face. A face that water enters through at an open left or bottom side is kept by the
   ghost before the cell. The physics is in model/. */
#ifndef OTOK_RESIDENT_FACES_CUH
#define OTOK_RESIDENT_FACES_CUH

#include "pipe_depth.cuh"
#include "resident_hydraulic_phases.cuh"

namespace
{
/* A cell's values that travel, in two packets: the ground's change, the depth after and before the
   rain; the sediment, and the faces to the right and to the top. */
enum { CHANGE, DEPTH_1, DEPTH_0, SUSPENDED, FACE_X, FACE_Y, TRAVEL };

/* Arrays of rows that both laws have, besides BASE, PHASE and GROUND. The depth after the rain has
   the array of the surface. The last two are the thread's own: registers are few. */
enum { D1 = ETA, FLOW_Y, GROUND_CHANGE, SEDIMENT_HERE, FACE_ARRAYS };

/* Warps of the tiles with `bed_steps: critical`, between sides that are not open: two more, because
   a face counts two rows of the ground beyond its own. */
enum { STEPPED_WARPS = 32 };

/* KEPT_Y, KEPT_DEPTH: see kept. KEPT_DEPTH < 0: the depth before the rain does not travel. DEPTHS:
   the array of the depth after erosion, when it is booked. */
template <int R, int WARPS, int ARRAYS_OF_LAW, int PHASES, int KEPT_Y, int KEPT_DEPTH, int DEPTHS,
          int LAWS>
struct faces_shape {
    static constexpr bool steps = WARPS == STEPPED_WARPS;
    static constexpr int flow = 2, halo = flow + 1 + steps, below = 0,
                         phases = PHASES + (steps && KEPT_DEPTH >= 0);
    static constexpr int laws = LAWS;
    static constexpr bool lagrange = false, thermal = false, in_turn = true, rises = false,
                          barriers = true, both_depths = KEPT_DEPTH >= 0;
    static constexpr int depths = DEPTHS, kept_y = KEPT_Y,
                         kept_depth = both_depths ? KEPT_DEPTH : 0;
    /* The row beyond the last one of an array is the row before the first one of the next. */
    static constexpr int size = (R * WARPS + 1) * W;
    /* The halo's warps book nothing and have no slots. */
    static constexpr int blank = 32 * (halo / R), threads = 32 * WARPS - 2 * blank;
    /* Over steps pipes have two arrays more; where shared memory is short, what clamping made has
       no slots. */
    static constexpr int arrays = ARRAYS_OF_LAW + (steps && !both_depths ? 2 : 0),
                         displaced = steps && both_depths ? (int)CLAMPED : (int)SLOTS,
                         risen = displaced, slots = displaced + (LAWS != PUBLISHED_LAWS);
    static constexpr size_t before_barriers = sizeof(otok_booking) * slots * threads +
                                              sizeof(float) * ((size_t)arrays * size + W + 2) +
                                              (size - W);
    static constexpr size_t shared = before_barriers + sizeof(uint64_t) * phases * WARPS;
    static_assert(before_barriers % sizeof(uint64_t) == 0, "barriers");
};

template <int R> struct faces_cells {
    float of[TRAVEL][R][C];
};

/* The ring of the row of ghosts below an open bottom side. */
enum { ENTRY = 2000 };

/* Ghosts that keep a face travel as cells do. */
template <int R>
__device__ inline void mark_entries(const otok_resident &a, otok_cells<R> &p,
                                    const otok_position &at)
{
    if (!a.open) return;
    const otok_tile &t = at.t;
    const int h = a.halo;
    const bool enters_left = a.open >> OTOK_LEFT & 1, enters_bottom = a.open >> OTOK_BOTTOM & 1;
    for (int r = 0; r < R; r++) {
        const int j = at.y + r, up = otok_ring(j, t.y0, t.y1);
        if (enters_bottom && j == -1 && up <= h) p.ring[r] = ENTRY;
        for (int c = 0; c < C; c++) {
            const int i = at.x + c, ring = otok_ring(i, t.x0, t.x1);
            if (ring > h || up > h) continue;
            const bool left = enters_left && i == -1 && otok_inside(j, a.v.ny, a.wraps_y),
                       under = enters_bottom && j == -1 && otok_inside(i, a.v.nx, a.wraps_x);
            const bool near_x = (left ? 0 : i - t.x0 < h) || t.x1 - i <= h,
                       near_y = (left ? j - t.y0 < h : 0) || t.y1 - j <= h;
            const bool own = left ? ring == 1 && up == 0 : ring == 0 && up == 1;
            if (!left && !under) continue;
            if (!own)
                p.bits |= 1u << (OTOK_RECEIVE + r * C + c);
            else if (near_x || near_y)
                p.bits |= 1u << (OTOK_SEND + r * C + c);
        }
    }
}

/* A thread's part of a warp's rows: what it starts from, shows to the neighbours, sends and
   receives. */
template <int R, class S> struct faces_rows : hydraulic_phases<R, S> {
    typedef hydraulic_phases<R, S> before;
    float (&of)[TRAVEL][R][C];
    using before::a, before::p, before::d, before::wet, before::row, before::left, before::right,
        before::any_left, before::any_right, before::edges_x;

    /* The ring of row r, in registers even if r is not known at compile time. */
    __device__ __forceinline__ int ring(int r) const
    {
        return r == 0 ? p.ring[0] : p.ring[R - 1];
    }

    __device__ __forceinline__ bool is_entry(int r) const
    {
        return ring(r) == ENTRY;
    }

    __device__ __forceinline__ static bool is_last_lane()
    {
        return threadIdx.x % 32 == 31;
    }

    /* Has row r faces, if cells so many rings around the tile have them? */
    __device__ __forceinline__ bool flows(int r, int rings) const
    {
        return ring(r) <= rings || is_entry(r);
    }

    __device__ __forceinline__ otok_column column(int r, int up, int c) const
    {
        return otok_column{row(GROUND, r + up)[c], row(D1, r + up)[c]};
    }

    /* Ghosts beside the grid get the value of the cells at the side. */
    __device__ __forceinline__ void spread(float (&v)[C]) const
    {
        if (edges_x) otok_copy_ghosts(v, left, right, any_left, any_right);
    }

    __device__ __forceinline__ void load()
    {
        const otok_view &v = a.v;
        before::clear();
        const otok_position position = otok_position_of(a, R, 0);
#pragma unroll
        for (int r = 0; r < R; r++)
#pragma unroll
            for (int c = 0; c < C; c++) {
#pragma unroll
                for (int n = 0; n < TRAVEL; n++)
                    of[n][r][c] = 0.0f;
                const int number = r * C + c, i = position.x + c, j = position.y + r;
                const bool under = is_entry(r), beside = left_ghost(r, c);
                const int at = otok_cell_of(a, beside ? 0 : i, under ? 0 : j);
                if (beside) of[FACE_X][r][c] = -v.at[OTOK_OUTFLOW_LEFT][at];
                if (under && !otok_is(p, OTOK_OUTSIDE, c))
                    of[FACE_Y][r][c] = -v.at[OTOK_OUTFLOW_BOTTOM][at];
                if (under || beside ||
                    !(otok_is(p, OTOK_OWN, number) || otok_is(p, OTOK_RECEIVE, number)))
                    continue;
                row(GROUND_CHANGE, r)[c] = v.at[OTOK_TERRAIN_CHANGE][at];
                of[DEPTH_0][r][c] = of[DEPTH_1][r][c] = v.at[OTOK_WATER][at];
                row(SEDIMENT_HERE, r)[c] = v.at[OTOK_SEDIMENT][at];
                of[FACE_X][r][c] = v.at[OTOK_OUTFLOW_RIGHT][at];
                of[FACE_Y][r][c] = v.at[OTOK_OUTFLOW_TOP][at];
                row(BASE, r)[c] = v.at[OTOK_TERRAIN_BASE][at];
                wet[r * W + c] = v.wetness[at];
            }
    }

    /* Is this the ghost that keeps a face at an open left side? */
    __device__ __forceinline__ bool left_ghost(int r, int c) const
    {
        return (a.open >> OTOK_LEFT & 1) && otok_is(p, OTOK_GHOST_LEFT, c) && ring(r) <= S::halo;
    }

    __device__ __forceinline__ void begin_faces()
    {
        before::begin();
#pragma unroll
        for (int r = 0; r < R; r++) {
            unsigned ring = (unsigned)p.ring[r];
            otok_opaque(ring);
            p.ring[r] = (int)ring;
        }
        otok_opaque(p.from);
    }

    /* Shows ground and water of a row to the neighbours. */
    __device__ __forceinline__ void show()
    {
#pragma unroll
        for (int r = 0; r < R; r++) {
            if (p.ring[r] > S::halo) continue;
            float h[C];
#pragma unroll
            for (int c = 0; c < C; c++)
                h[c] = row(BASE, r)[c] + row(GROUND_CHANGE, r)[c];
            spread(h);
#pragma unroll
            for (int c = 0; c < C; c++)
                row(GROUND, r)[c] = h[c];
            show_sides<GROUND>(r);
            show_water<D1>(r, d[r]);
            if (S::both_depths) show_water<S::kept_depth>(r, of[DEPTH_0][r]);
        }
    }

    /* Shows a depth. There is no water beyond an open side. */
    template <int ARRAY> __device__ __forceinline__ void show_water(int r, const float (&depth)[C])
    {
        float water[C];
#pragma unroll
        for (int c = 0; c < C; c++)
            water[c] = depth[c];
        spread(water);
        const unsigned dry =
            (a.open >> OTOK_LEFT & 1 ? left : 0) | (a.open >> OTOK_RIGHT & 1 ? right : 0);
#pragma unroll
        for (int c = 0; c < C; c++)
            row(ARRAY, r)[c] = dry >> c & 1 ? 0.0f : water[c];
        show_sides<ARRAY>(r, a.open);
    }

    /* Beyond the bottom and the top is what is at the side, or 0 beyond the sides `none`. Rows away
       from them read nothing: the warp at the side may be storing it. */
    template <int ARRAY> __device__ __forceinline__ void show_sides(int r, int none = 0)
    {
        const bool last = otok_is(p, OTOK_LAST, r), first = otok_is(p, OTOK_FIRST, r);
        if (!last && !first) return;
#pragma unroll
        for (int c = 0; c < C; c++) {
            const float v = row(ARRAY, r)[c];
            if (last) row(ARRAY, r + 1)[c] = none >> OTOK_TOP & 1 ? 0.0f : v;
            if (first) row(ARRAY, r - 1)[c] = none >> OTOK_BOTTOM & 1 ? 0.0f : v;
        }
    }

    __device__ __forceinline__ void send(int n)
    {
        const int plane = 2 * (n & 1);
        const unsigned tag = a.tag + (unsigned)n;
        float change[R][C], sediment[R][C];
#pragma unroll
        for (int r = 0; r < R; r++)
#pragma unroll
            for (int c = 0; c < C; c++)
                change[r][c] = row(GROUND_CHANGE, r)[c], sediment[r][c] = row(SEDIMENT_HERE, r)[c];
        otok_send_cells(a, p, plane, change, d, of[S::both_depths ? DEPTH_0 : DEPTH_1], tag);
        otok_send_cells(a, p, plane + 1, sediment, of[FACE_X], of[FACE_Y], tag);
    }

    /* Where a value of a cell is while its warp waits: in arrays that no other warp reads then. */
    static __device__ __forceinline__ constexpr int kept(int value)
    {
        return value == CHANGE      ? (int)GROUND_CHANGE
               : value == SUSPENDED ? (int)SEDIMENT_HERE
               : value == DEPTH_1   ? (int)D1
               : value == FACE_X    ? (int)FLOW_Y
               : value == FACE_Y    ? S::kept_y
                                    : S::kept_depth;
    }

    /* The water of ghosts is from the warp of the cells at the side. */
    template <int VALUE> __device__ __forceinline__ bool keeps(int r) const
    {
        return VALUE >= SUSPENDED || p.ring[r] <= S::halo;
    }

    template <int FROM> __device__ __forceinline__ void receive(int n)
    {
        otok_receive<false>(a, 2 * (n & 1) + FROM / 3, p, a.tag + (unsigned)n,
                            [this](int value, int r, int c, float v) {
                                if (keeps<FROM>(r) && (FROM + value != DEPTH_0 || S::both_depths))
                                    row(kept(FROM + value), r)[c] = v;
                            });
    }

    /* The first packets, before the cells are shown. */
    __device__ __forceinline__ void receive_water(int n)
    {
        keep<DEPTH_1>(), keep<FACE_X>(), keep<FACE_Y>();
        if (S::both_depths) keep<DEPTH_0>();
        receive<CHANGE>(n);
        take<DEPTH_1>();
        if (S::both_depths) take<DEPTH_0>();
    }

    /* The second ones. */
    __device__ __forceinline__ void receive_faces(int n)
    {
        receive<SUSPENDED>(n);
        take<FACE_X>(), take<FACE_Y>();
    }

    template <int VALUE> __device__ __forceinline__ void keep()
    {
#pragma unroll
        for (int m = 0; m < R * C; m++)
            if (keeps<VALUE>(m / C)) row(kept(VALUE), m / C)[m % C] = of[VALUE][m / C][m % C];
    }

    template <int VALUE> __device__ __forceinline__ void take()
    {
#pragma unroll
        for (int m = 0; m < R * C; m++)
            if (keeps<VALUE>(m / C)) of[VALUE][m / C][m % C] = row(kept(VALUE), m / C)[m % C];
    }

    /* Stores the state at the end, and the bookings of a block. */
    __device__ __forceinline__ void finish()
    {
        const otok_view &v = a.v;
        const otok_position end = otok_position_of(a, R, 0);
#pragma unroll
        for (int r = 0; r < R; r++)
#pragma unroll
            for (int c = 0; c < C; c++) {
                const int i = end.x + c, j = end.y + r, at = j * (int)v.pitch + i;
                if (left_ghost(r, c) && end.t.x0 == 0 && p.ring[r] == 0)
                    v.at[OTOK_OUTFLOW_LEFT][at + 1] = 0.0f - of[FACE_X][r][c];
                if (is_entry(r) && end.t.y0 == 0 && i >= end.t.x0 && i < end.t.x1)
                    v.at[OTOK_OUTFLOW_BOTTOM][i] = 0.0f - of[FACE_Y][r][c];
                if (!otok_is(p, OTOK_OWN, r * C + c)) continue;
                v.at[OTOK_TERRAIN_CHANGE][at] = row(GROUND_CHANGE, r)[c];
                v.at[OTOK_WATER][at] = of[DEPTH_1][r][c];
                v.at[OTOK_SEDIMENT][at] = row(SEDIMENT_HERE, r)[c];
                v.at[OTOK_OUTFLOW_RIGHT][at] = of[FACE_X][r][c];
                v.at[OTOK_OUTFLOW_TOP][at] = of[FACE_Y][r][c];
                v.wetness[at] = wet[r * W + c];
            }
        settle_books<S>(v.sums, before::shared);
    }
};
} // namespace

#endif
