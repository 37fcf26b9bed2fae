/* mouths.cu: what rivers bring to the sea, and where it settles; see core/mouths.h. A warp walks
   along LINES lines of the plumes, a thread a line; the block brings STRETCH cells of each to
   shared memory and back. The bodies have bits for open sides in place of rows. */
#include "core/mouths.h"
#include "river_areas.cuh"

static __device__ inline void begin_mouths(const otok_view &v, int, otok_incision_coefficients k)
{
    walk(v, [&](otok_spot s, ptrdiff_t) { otok_mouth_begin(&v, s, k.lakes); });
}

static __device__ inline void shorten_ways(const otok_view &v, int)
{
    walk(v, [&](otok_spot, ptrdiff_t at) {
        otok_ways_shorten(otok_numbers(&v, OTOK_RIVER_BASIN), (int)at + 1);
    });
}

static __device__ inline void add(const otok_view &v, int low, int high, ptrdiff_t at,
                                  uint64_t more)
{
    if (more) add_words(otok_naturals(&v, low) + at, otok_naturals(&v, high) + at, more);
}

static __device__ inline void add_up(const otok_view &v, int, otok_incision_coefficients k)
{
    walk(v, [&](otok_spot, ptrdiff_t at) {
        const uint64_t lost = otok_river_lost(&v, at), room = otok_lake_room(&v, at, k.lakes);
        if (!lost && !room) return;
        const ptrdiff_t to = otok_mouth_of(&v, at);
        add(v, OTOK_RIVER_LOW, OTOK_RIVER_PASS, to, lost);
        add(v, OTOK_RIVER_PART, OTOK_RIVER_HOOK, to, room);
    });
}

/* The root after each lake, and how many lakes come before it. */
static __device__ inline void count_lakes(const otok_view &v, int, otok_incision_coefficients k)
{
    if (!k.lakes) return;
    walk(v, [&](otok_spot s, ptrdiff_t at) {
        if (!otok_is_outlet(&v, s, 1)) return;
        const int next = (int)otok_mouth_of(&v, otok_river_next(&v, s) - 1) + 1;
        otok_numbers(&v, OTOK_RIVER_OVER)[at] = next;
        atomicAdd(otok_numbers(&v, OTOK_RIVER_ROUND) + next - 1, 1);
    });
}

/* Those without any, in another buffer, because numbers fall meanwhile. */
static __device__ inline void mark_first_lakes(const otok_view &v, int,
                                               otok_incision_coefficients k)
{
    if (!k.lakes) return;
    walk(v, [&](otok_spot, ptrdiff_t at) {
        otok_numbers(&v, OTOK_RIVER_EXIT)[at] =
            otok_numbers(&v, OTOK_RIVER_OVER)[at] && !otok_numbers(&v, OTOK_RIVER_ROUND)[at];
    });
}

/* What lakes have no room for, from these down; where they meet, the last one goes on. */
static __device__ inline void spill(const otok_view &v, int, otok_incision_coefficients k)
{
    if (!k.lakes) return;
    const int *next = otok_numbers(&v, OTOK_RIVER_OVER);
    walk(v, [&](otok_spot, ptrdiff_t at) {
        if (!otok_numbers(&v, OTOK_RIVER_EXIT)[at]) return;
        go_down(otok_numbers(&v, OTOK_RIVER_ROUND), next, at, [&](ptrdiff_t to) {
            const uint64_t comes = (uint64_t)cells::get(v, OTOK_RIVER_PASS, at) << 32 |
                                   cells::get(v, OTOK_RIVER_LOW, at);
            add(v, OTOK_RIVER_LOW, OTOK_RIVER_PASS, to, otok_lake_spills(&v, at, comes));
        });
    });
}

static __device__ inline void bring(const otok_view &v, int, otok_incision_coefficients k)
{
    const float sea = v.steps[*v.now].sea;
    walk(v, [&](otok_spot, ptrdiff_t at) { otok_river_brings(&v, at, sea, k); });
}

enum { LINES = 32, STRETCH = 64, EACH = LINES * STRETCH / BLOCK };

/* The loads of the lines of a block, and what RIVER_PART has; a column more for the banks. */
struct stretches {
    float loads[STRETCH][LINES + 1], parts[STRETCH][LINES + 1];
};

/* Calls `cell` for the cells of a thread from cell `from` of line `first` on. Neighbouring threads
   have neighbours in memory. */
template <int COLUMNS, typename CELL>
static __device__ inline void walk_stretches(const otok_view &v, int first, int from, CELL cell)
{
#pragma unroll
    for (int q = 0; q < EACH; q++) {
        const int n = thread_of() + q * BLOCK, line = COLUMNS ? n % LINES : n / STRETCH,
                  along = COLUMNS ? n / LINES : n % STRETCH,
                  i = COLUMNS ? first + line : from + along,
                  j = COLUMNS ? from + along : first + line;
        if (i < v.nx && j < v.ny) cell(q, line, along, j * v.pitch + i);
    }
}

/* A walk along all cells of the lines, ahead or back. `cell` makes of the load of a cell and of its
   part another part; `keep` gets both. */
template <int COLUMNS, int STEP, typename CELL, typename KEEP>
static __device__ inline void walk_lines(stretches &s, const otok_view &v, otok_plume_line mine,
                                         int first, float sea, CELL cell, KEEP keep)
{
    const int end = COLUMNS ? v.ny : v.nx, line = thread_of() % LINES;
    for (int from = STEP > 0 ? 0 : (end - 1) / STRETCH * STRETCH; from >= 0 && from < end;
         from += STEP * STRETCH) {
        const int cells = mine.cells - from < STRETCH ? mine.cells - from : STRETCH;
        float load[EACH], part[EACH];
        walk_stretches<COLUMNS>(v, first, from, [&](int q, int, int, ptrdiff_t at) {
            load[q] = otok_plume_load(&v, at, sea);
            part[q] = v.at[OTOK_RIVER_PART][at];
        });
        walk_stretches<COLUMNS>(v, first, from, [&](int q, int l, int n, ptrdiff_t) {
            s.loads[n][l] = load[q];
            s.parts[n][l] = part[q];
        });
        __syncthreads();
#pragma unroll 8
        for (int n = STEP > 0 ? 0 : cells - 1; n >= 0 && n < cells; n += STEP)
            s.parts[n][line] = cell(from + n, s.loads[n][line], s.parts[n][line]);
        __syncthreads();
        walk_stretches<COLUMNS>(v, first, from, [&](int, int l, int n, ptrdiff_t at) {
            keep(at, s.loads[n][l], s.parts[n][l]);
        });
        __syncthreads();
    }
}

template <int COLUMNS>
static __device__ inline void spread(const otok_view &v, int rows, otok_incision_coefficients k)
{
    __shared__ stretches s;
    const float sea = v.steps[*v.now].sea, f = k.plume;
    const int lines = COLUMNS ? v.nx : v.ny;
    if (!k.deltas) return;
    for (int first = (int)blockIdx.x * LINES; first < lines; first += (int)gridDim.x * LINES) {
        otok_plume_line line = otok_plume_line_of(&v, COLUMNS, first + thread_of(), rows);
        otok_plume_walk w = otok_plume_start();
        if (thread_of() >= LINES || first + thread_of() >= lines) line.cells = 0;
        walk_lines<COLUMNS, 1>(
            s, v, line, first, sea,
            [&](int n, float load, float part) {
                otok_plume_finds(&w, &v, line, n, load, f);
                return part;
            },
            [](ptrdiff_t, float, float) {});
        otok_plume_shore(&w, &v, line, line.cells);
        if (!__syncthreads_or(w.some)) continue;
        walk_lines<COLUMNS, 1>(
            s, v, line, first, sea,
            [&](int, float load, float part) { return otok_plume_ahead(&w, load, part, f); },
            [&](ptrdiff_t at, float, float part) { v.at[OTOK_RIVER_PART][at] = part; });
        w.on = line.open[1] ? 0.0f : w.on;
        walk_lines<COLUMNS, -1>(
            s, v, line, first, sea,
            [&](int, float load, float part) { return otok_plume_back(&w.on, load, part, f); },
            [&](ptrdiff_t at, float load, float is) {
                if (!(load < 0.0f)) v.at[OTOK_RIVER_SILT][at] = is;
            });
    }
}

template <int LAST>
static __device__ inline void keep(const otok_view &v, int, otok_incision_coefficients k)
{
    const float sea = v.steps[*v.now].sea;
    if (!k.deltas) return;
    walk(v, [&](otok_spot, ptrdiff_t at) { otok_plume_kept(&v, at, sea, LAST); });
}

struct mouths {
    enum { SIDES = OTOK_OPEN };
    OTOK_ORDER template <typename RUN> static __host__ __device__ void go(RUN &run)
    {
        typedef otok_incision_coefficients part;
        const bool lakes = !run.same() || run.same()->lakes,
                   deltas = !run.same() || run.same()->deltas;
        run.template by_tiles<begin_mouths, part>();
        run.template by_tiles<shorten_ways>();
        run.template by_tiles<add_up, part>();
        if (lakes) run.template by_tiles<count_lakes, part>();
        if (lakes) run.template by_tiles<mark_first_lakes, part>();
        if (lakes) run.template by_tiles<spill, part>();
        run.template by_tiles<bring, part>();
        for (int n = 0; deltas && n < OTOK_PLUMES * OTOK_PLUME_ROUNDS; n++) {
            run.template by_tiles<spread<0>, part>();
            run.template by_tiles<spread<1>, part>();
            if (n == OTOK_PLUME_ROUNDS - 1) run.template by_tiles<keep<0>, part>();
        }
        if (deltas) run.template by_tiles<keep<1>, part>();
        run.template by_tiles<clear<false>>();
    }
};

static __device__ inline void river_deltas(const otok_view &v, int rows)
{
    const otok_walk w = otok_walk_of(v, rows);
    otok_booking out = {0, 0}, settled = {0, 0};
    for (int at = w.first; at < w.end; at += w.step) {
        otok_cell_settled(&v, at, otok_walk_phase(v, w, at));
        const float was = v.at[OTOK_TERRAIN_CHANGE][at], is = v.at[OTOK_CHANGE_NEXT][at];
        otok_booking_add(out, was);
        otok_booking_add(out, is, -1);
        otok_booking_add(settled, is);
        otok_booking_add(settled, was, -1);
    }
    otok_book(v.sums + OTOK_SUM_RIVER_OUT, out);
    otok_book(v.sums + OTOK_SUM_RIVER_SETTLED, settled);
}

otok_launcher *const otok_cuda_river_mouths = go<mouths>;
otok_launcher *const otok_cuda_river_deltas = otok_start<river_deltas>;
