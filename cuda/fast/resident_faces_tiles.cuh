/* resident_faces_tiles.cuh: the kernels of hydraulic erosion with one flow per face, on chip and on
   grids that are too large to stay there. For these, in every iteration a block takes its tiles
   from memory one after the other, with three rings around each, does the phases as they are done
   on chip, and stores the tile to second buffers, because others still read the first. A warp waits
   for the tiles around its own, and not for the grid. The physics is in model/. */
#ifndef OTOK_RESIDENT_FACES_TILES_CUH
#define OTOK_RESIDENT_FACES_TILES_CUH

#include "resident_faces_stages.cuh"

#include <cuda_pipeline.h>

namespace
{
/* PHASES: those of the law. A tile has `wide` x a.high cells. In memory four columns lie together.
 */
template <int R, class S, class PHASES> struct tiled_phases : PHASES {
    using PHASES::a, PHASES::k, PHASES::p, PHASES::of, PHASES::d, PHASES::row, PHASES::is_entry,
        PHASES::left_ghost, PHASES::kept, PHASES::wet, PHASES::x0, PHASES::y0, PHASES::rain;
    static constexpr int h = S::halo, beside = S::halo_x, wide = W - 2 * beside;

    __device__ __forceinline__ static int lane()
    {
        return (int)threadIdx.x % 32;
    }

    /* A field that iterations exchange, before iteration n. */
    __device__ __forceinline__ float *field(int buffer, int n) const
    {
        return n & 1 ? a.second.at[buffer] : a.v.at[buffer];
    }

    __device__ __forceinline__ otok_position position() const
    {
        const int warp = (int)threadIdx.x / 32;
        const otok_tile t = {x0, min(x0 + wide, a.v.nx), y0, min(y0 + a.high, a.v.ny)};
        return otok_position{t, warp, x0 - beside + lane() * C, y0 - h + warp * R, warp * R};
    }

    /* The thread's part of a tile, as otok_cells_of has it; nothing is exchanged on chip. */
    __device__ __forceinline__ void place(int up, int along)
    {
        y0 = up * a.high, x0 = along * wide;
        const otok_position at = position();
        const int nx = a.v.nx, ny = a.v.ny;
        unsigned bits = 0, own = 0;
        const bool inner = x0 >= beside && x0 + wide + beside <= nx && y0 >= h &&
                           y0 + a.high + h <= ny; /* and what follows is the same everywhere */
        const int from = lane() * C - beside, row = at.warp * R - h;
        p.from = (unsigned)((at.y + h) * a.pitch + at.x + h);
        p.far = 0;
        if (inner) {
#pragma unroll
            for (int m = 0; m < R * C; m++) {
                const bool is = (unsigned)(from + m % C) < (unsigned)wide &&
                                (unsigned)(row + m / C) < (unsigned)a.high;
                bits |= (unsigned)is << (OTOK_OWN + m);
            }
#pragma unroll
            for (int r = 0; r < R; r++)
                p.ring[r] = row + r < a.high + h ? otok_ring(row + r, 0, a.high) : 1000;
            p.bits = bits;
            return;
        }
#pragma unroll
        for (int c = 0; c < C; c++) {
            const int i = at.x + c;
            const bool inside = otok_inside(i, nx, a.wraps_x) && i < at.t.x1 + beside;
            bits |= (unsigned)!inside << (OTOK_OUTSIDE + c);
            bits |= (unsigned)(!a.wraps_x && i == -1) << (OTOK_GHOST_LEFT + c);
            bits |= (unsigned)(!a.wraps_x && i == nx) << (OTOK_GHOST_RIGHT + c);
            own |= (unsigned)(i >= x0 && i < at.t.x1) << c;
        }
#pragma unroll
        for (int r = 0; r < R; r++) {
            const int j = at.y + r;
            const bool exists = otok_inside(j, ny, a.wraps_y) && j < at.t.y1 + h;
            p.ring[r] = exists ? otok_ring(j, y0, at.t.y1) : 1000;
            if (p.ring[r] == 0) bits |= own << (OTOK_OWN + r * C);
            if (!a.wraps_y && j == ny - 1) bits |= 1u << (OTOK_LAST + r);
            if (!a.wraps_y && j == 0) bits |= 1u << (OTOK_FIRST + r);
        }
        p.bits = bits;
        mark_entries(a, p, at);
    }

    /* The arrays of the fields that come from memory, the depth last. */
    static __device__ __forceinline__ constexpr int array_of(int field)
    {
        const int all[] = {BASE, GROUND_CHANGE, SEDIMENT_HERE, kept(FACE_X), kept(FACE_Y), D1};
        return all[field];
    }

    /* In memory a lane has four columns that lie together: where they are in row r of array BASE.
     */
    __device__ __forceinline__ float *four(int r) const
    {
        return row(BASE, r) + lane() * (4 - C);
    }

    static __device__ __forceinline__ constexpr int beyond_base(int array)
    {
        return (array > PHASE ? array - 1 : array) * S::size;
    }

    /* Others may read the rows of a tile that the warp has stored. */
    __device__ __forceinline__ void give(int tile) const
    {
        if (lane() == 0) otok_give_here(a.done + tile, 1);
    }

    /* Waits until a tile and those around it have been stored in all iterations before n. If it has
       to wait, it gives tile `kept` first, and returns -1. */
    __device__ __forceinline__ int await(int up, int along, int n, int kept) const
    {
        const unsigned wanted = (unsigned)n * (blockDim.x / 32);
        int x = along + lane() % 3 - 1, y = up + lane() / 3 - 1;
        if (a.wraps_x) x = x < 0 ? x + a.tiles_x : x - (x >= a.tiles_x) * a.tiles_x;
        if (a.wraps_y) y = y < 0 ? y + a.tiles_y : y - (y >= a.tiles_y) * a.tiles_y;
        const bool looks = lane() < 9 && x >= 0 && x < a.tiles_x && y >= 0 && y < a.tiles_y;
        const unsigned *const done = a.done + y * a.tiles_x + x;
        while (__any_sync(0xffffffffu, looks && (int)(otok_taken_here(done) - wanted) < 0)) {
            if (kept >= 0) give(kept);
            kept = -1;
            __nanosleep(40);
        }
        __syncwarp();
        return kept;
    }

    __device__ __forceinline__ void load(int n)
    {
        const float *const from[] = {a.v.at[OTOK_TERRAIN_BASE],  field(OTOK_TERRAIN_CHANGE, n),
                                     field(OTOK_SEDIMENT, n),    field(OTOK_OUTFLOW_RIGHT, n),
                                     field(OTOK_OUTFLOW_TOP, n), field(OTOK_WATER, n)};
        const int nx = a.v.nx, ny = a.v.ny, y = y0 - h + (int)threadIdx.x / 32 * R;
        int i = x0 - beside + 4 * lane();
        const bool column =
            lane() < W / 4 && otok_inside(i, nx, a.wraps_x) && i < min(x0 + wide, nx) + beside;
        if (a.wraps_x) i = i < 0 ? i + nx : i >= nx ? i - nx : i;
#pragma unroll
        for (int r = 0; r < R; r++) {
            const bool exists = p.ring[r] <= h;
            const int j = !a.wraps_y  ? y + r
                          : y + r < 0 ? y + r + ny
                                      : (y + r) - (y + r >= ny) * ny;
            const int at = j * (int)a.v.pitch + i;
            float *const to = four(r);
            if (exists && column) {
#pragma unroll
                for (int f = 0; f < 6; f++)
                    __pipeline_memcpy_async(to + beyond_base(array_of(f)), from[f] + at,
                                            sizeof(float4));
                if (p.ring[r] == 0)
                    __pipeline_memcpy_async(wet + r * W + lane() * (4 - C), a.v.wetness + at,
                                            sizeof(uint32_t));
            } else if (lane() < W / 4) {
#pragma unroll
                for (int f = 0; f < 6; f++)
                    if (f < 5 || exists)
                        *(float4 *)(to + beyond_base(array_of(f))) = make_float4(0, 0, 0, 0);
            }
            if (!exists) PHASES::clear_row(r);
        }
        __pipeline_commit();
    }

    /* What has been loaded, and its rain. */
    __device__ __forceinline__ void take_up(int n)
    {
        __pipeline_wait_prior(0);
        __syncwarp();
        this->template take<FACE_X>(), this->template take<FACE_Y>();
        rain = a.v.steps[n].rain;
#pragma unroll
        for (int r = 0; r < R; r++) {
            const bool exists = p.ring[r] <= h;
#pragma unroll
            for (int c = 0; c < C; c++)
                of[DEPTH_0][r][c] = d[r][c] = exists ? row(D1, r)[c] : 0.0f;
            if (a.open) take_entries(r, n);
            if (rain != 0.0f && exists) rain_on_row(r, n);
        }
    }

    __device__ __forceinline__ void take_entries(int r, int n)
    {
        const otok_position at = position();
#pragma unroll
        for (int c = 0; c < C; c++) {
            if (left_ghost(r, c))
                of[FACE_X][r][c] =
                    -field(OTOK_OUTFLOW_LEFT, n)[otok_wrapped(at.y + r, a.v.ny) * (int)a.v.pitch];
            if (is_entry(r) && !otok_is(p, OTOK_OUTSIDE, c))
                of[FACE_Y][r][c] = -field(OTOK_OUTFLOW_BOTTOM, n)[otok_wrapped(at.x + c, a.v.nx)];
        }
    }

    /* Rain books the water after it less that before, which the evaporation of the last iteration
       has booked, if there was one. */
    __device__ __forceinline__ void rain_on_row(int r, int n)
    {
        const float coarse = otok_coarse(rain);
        float both[2][C];
        uint32_t phase[C] = {};
#pragma unroll
        for (int c = 0; c < C; c++)
            both[1][c] = d[r][c];
        if (!(fmaxf(fmaxf(d[r][0], d[r][1]), d[r][2]) < coarse)) PHASES::phases_of(phase, r);
        rain_on(both[0], both[1], rain, phase, n);
#pragma unroll
        for (int c = 0; c < C; c++)
            d[r][c] = both[0][c];
        if (p.ring[r] != 0) return;
        otok_booking sums[2] = {};
        if (n == 0) {
            otok_booking_rows(sums, both, p, r);
        } else {
            const float one[1][C] = {{both[0][0], both[0][1], both[0][2]}};
            otok_booking sum[1] = {};
            otok_booking_rows(sum, one, p, r);
            sums[0] = sum[0];
        }
        PHASES::book(RAIN, otok_booking_less(sums[0], sums[1]));
    }

    __device__ __forceinline__ void store(int n)
    {
        this->template keep<FACE_X>(), this->template keep<FACE_Y>();
        if (a.open) store_entries(n);
        __syncwarp();
        float *const to[] = {field(OTOK_TERRAIN_CHANGE, n + 1), field(OTOK_SEDIMENT, n + 1),
                             field(OTOK_OUTFLOW_RIGHT, n + 1), field(OTOK_OUTFLOW_TOP, n + 1),
                             field(OTOK_WATER, n + 1)};
        const int i = x0 - beside + 4 * lane();
        const bool own = i >= x0 && i < x0 + wide && i < a.v.nx;
#pragma unroll
        for (int r = 0; r < R; r++) {
            if (p.ring[r] != 0 || !own) continue;
            const int at = (y0 - h + (int)threadIdx.x / 32 * R + r) * (int)a.v.pitch + i;
            const float *const from = four(r);
#pragma unroll
            for (int f = 0; f < 5; f++)
                *(float4 *)(to[f] + at) = *(const float4 *)(from + beyond_base(array_of(f + 1)));
            *(uint32_t *)(a.v.wetness + at) = *(const uint32_t *)(wet + r * W + lane() * (4 - C));
        }
        __syncwarp();
    }

    __device__ __forceinline__ void store_entries(int n)
    {
        const otok_position at = position();
#pragma unroll
        for (int r = 0; r < R; r++)
#pragma unroll
            for (int c = 0; c < C; c++) {
                const int i = at.x + c, cell = (at.y + r) * (int)a.v.pitch + i;
                if (left_ghost(r, c) && x0 == 0 && p.ring[r] == 0)
                    field(OTOK_OUTFLOW_LEFT, n + 1)[cell + 1] = 0.0f - of[FACE_X][r][c];
                if (is_entry(r) && y0 == 0 && i >= x0 && i < at.t.x1)
                    field(OTOK_OUTFLOW_BOTTOM, n + 1)[i] = 0.0f - of[FACE_Y][r][c];
            }
    }
};

template <int R, class S, class PHASES>
__device__ __forceinline__ void run_tiles(const hydraulic_run &run)
{
    extern __shared__ otok_booking shared[];
    const otok_resident &a = run.grid;
    otok_cells<R> p;
    faces_cells<R> cells;
    tiled_phases<R, S, PHASES> rows{
        {{{{{a, run.k, shared, p, cells.of[CHANGE], cells.of[DEPTH_1], cells.of[SUSPENDED]}},
           cells.of}}}};
    rows.clear();
    int times = 0, kept = -1; /* a tile that is stored, and not given yet */
    for (int n = 0; n < a.nsteps; n++) {
        for (int tile = (int)blockIdx.x; tile < a.tiles_x * a.tiles_y; tile += (int)gridDim.x) {
            const int up = (int)((unsigned)tile / (unsigned)a.tiles_x),
                      along = tile - up * a.tiles_x;
            typename PHASES::now_of now;
            /* In tiles that reach the bottom or the top a warp also shows what is beyond, in rows
               that the warp after the next may still read for the tile before. */
            if (!a.wraps_y && (up == 0 || (up + 1) * a.high + S::halo >= a.v.ny)) __syncthreads();
            rows.place(up, along);
            if (n > 0) kept = rows.await(up, along, n, kept);
            rows.load(n);
            if (kept >= 0) rows.give(kept); /* the fence waits together with the loads */
            rows.begin_faces();
            rows.take_up(n);
            rows.pass(now, times, n + 1 == a.nsteps, [] {});
            rows.dry_rows(n);
            rows.rain = n + 1 < a.nsteps ? a.v.steps[n + 1].rain : 0.0f;
            rows.count(now, n);
            if (S::phases == 6) otok_wait(rows.barriers, 5, times);
            rows.store(n);
            kept = tile;
            times++;
        }
    }
    settle_books<S>(a.v.sums, shared);
}

/* Iterations on chip. BESIDE: patches run side by side; KEEPS: running maxima. */
template <int R, class S, class PHASES, bool BESIDE, bool KEEPS>
__device__ __forceinline__ void run_on_chip(const hydraulic_run &run)
{
    extern __shared__ otok_booking shared[];
    const otok_resident &a = run.grid;
    otok_cells<R> p = otok_cells_of<R, 0>(a);
    mark_entries(a, p, otok_position_of(a, R, 0));
    faces_cells<R> cells;
    PHASES rows{{{{{a, run.k, shared, p, cells.of[CHANGE], cells.of[DEPTH_1], cells.of[SUSPENDED]}},
                  cells.of}}};
    rows.load();
    /* No block may store before all have loaded. */
    cooperative_groups::this_grid().sync();
    rows.first_rain();
    for (int n = 0; n < a.nsteps; n++) {
        typename PHASES::now_of now;
        const bool last = n + 1 == a.nsteps;
        rows.begin_faces();
        if (S::phases == 6 && n > 0) otok_wait(rows.barriers, 5, n - 1);
        if (n > 0) rows.template receive_water<BESIDE>(n);
        rows.pass(now, n, last || (KEEPS && a.keeps & OTOK_KEEPS_SPEED), [&] {
            if (n > 0) rows.template receive_faces<BESIDE>(n);
        });
        rows.dry_rows(n);
        if (!last) rows.template send<BESIDE>(n + 1);
        rows.count(now, n); /* done while packets travel */
        if (KEEPS) rows.keep_maxima(n, [&](int r, int c) { return rows.row(GROUND_CHANGE, r)[c]; });
    }
    rows.finish();
}

/* ---- The kernels of a law, by how a tile runs. ---- */

enum { ALONE, BESIDE, KEEPING, IN_TILES };

/* LAW: its `shape` and `phases`. */
template <class LAW, int R, int WARPS, int LAWS, int HOW>
__global__ void __launch_bounds__(32 * WARPS, 1) faces(const __grid_constant__ hydraulic_run run)
{
    typedef typename LAW::template shape<R, WARPS, LAWS, HOW == IN_TILES> S;
    typedef typename LAW::template phases<R, S> PHASES;
    if constexpr (HOW == IN_TILES)
        run_tiles<R, S, PHASES>(run);
    else
        run_on_chip<R, S, PHASES, HOW == BESIDE, HOW == KEEPING>(run);
}

template <class LAW, int R, int WARPS, int LAWS, int HOW>
constexpr otok_resident_kernel describe_faces()
{
    typedef typename LAW::template shape<R, WARPS, LAWS, HOW == IN_TILES> S;
    return {(const void *)faces<LAW, R, WARPS, LAWS, HOW>,
            S::halo,
            R,
            WARPS,
            S::shared,
            start,
            true,
            1,
            2};
}

/* By how and the laws. */
template <class LAW, int R, int WARPS>
const otok_resident_kernel on_chip[3][2] = {
    {describe_faces<LAW, R, WARPS, ANY_LAWS, ALONE>(),
     describe_faces<LAW, R, WARPS, PUBLISHED_LAWS, ALONE>()},
    {describe_faces<LAW, R, WARPS, ANY_LAWS, BESIDE>(),
     describe_faces<LAW, R, WARPS, PUBLISHED_LAWS, BESIDE>()},
    {describe_faces<LAW, R, WARPS, ANY_LAWS, KEEPING>(),
     describe_faces<LAW, R, WARPS, PUBLISHED_LAWS, KEEPING>()}};

template <int N>
const otok_resident_kernel *pick(const otok_resident_kernel (*const (&tiles)[N])[2], int at,
                                 const otok_stages *stages, const otok_coefficients *k, bool beside)
{
    if (at >= N || (stages->keeps && beside)) return NULL;
    return &tiles[at][stages->keeps ? (int)KEEPING : (int)beside]
                 [otok_laws_of(k) == PUBLISHED_LAWS];
}

template <int N> bool are_stages(const otok_stages *stages, const int (&wanted)[N])
{
    for (int n = 0; n < N; n++)
        if (stages->n != N || stages->stage[n] != wanted[n]) return false;
    return true;
}
} // namespace

#endif
