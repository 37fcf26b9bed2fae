/* mouths.cu: what rivers bring to the sea, and where it settles; see core/mouths.h. The bodies
   have bits for open sides in place of rows. */
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
    if (more) otok_wide_add(otok_naturals(&v, low) + at, otok_naturals(&v, high) + at, more);
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

/* What a block brings at once: STRETCH cells of LINES lines. A thread of its first warp walks along
   a line; the other warps bring the next cells and take away the last ones meanwhile. BURST cells
   are read before the first of them is walked through. */
enum { LINES = 16, STRETCH = 128, WALKERS = 32, BURST = 8 };
enum { BRINGERS = BLOCK - WALKERS, EACH = (LINES * STRETCH + BRINGERS - 1) / BRINGERS };
static_assert(STRETCH % BURST == 0 && LINES <= WALKERS, "a thread a line, in whole bursts");

/* The loads of the lines of a block, and what RIVER_PART has; a column more for the banks. */
struct stretches {
    float loads[2][STRETCH][LINES + 1], parts[2][STRETCH][LINES + 1];
};

/* One for all walks of a kernel. */
static __device__ inline stretches &room_of_block()
{
    __shared__ stretches s;
    return s;
}

/* Calls `cell` for the cells of a bringer from cell `from` of line `first` on, with their numbers
   among its own, line, number along it, and place. Neighbouring threads have neighbours in memory.
 */
template <int COLUMNS, typename CELL>
static __device__ inline void bring_stretch(const otok_view &v, int first, int from, CELL cell)
{
#pragma unroll
    for (int q = 0; q < EACH; q++) {
        const int n = thread_of() - WALKERS + q * BRINGERS,
                  line = COLUMNS ? n % LINES : n / STRETCH,
                  along = COLUMNS ? n / LINES : n % STRETCH,
                  i = COLUMNS ? first + line : from + along,
                  j = COLUMNS ? from + along : first + line;
        if (line < LINES && along < STRETCH && from >= 0 && i < v.nx && j < v.ny)
            cell(q, line, along, j * v.pitch + i);
    }
}

/* A walk along all cells of the lines, ahead or back. `cell` makes of the load of a cell and of its
   part another part; `keep`, if it KEEPS, gets both. */
template <int COLUMNS, int STEP, bool KEEPS, typename CELL, typename KEEP>
static __device__ inline void walk_lines(const otok_view &v, otok_plume_line mine, int first,
                                         float sea, CELL cell, KEEP keep)
{
    stretches &s = room_of_block();
    const int end = COLUMNS ? v.ny : v.nx, last = (end - 1) / STRETCH, line = thread_of();
    for (int n = -1; n <= last + 1; n++) { /* that is walked along */
        const int at = STEP > 0 ? n : last - n, from = at * STRETCH, now = n & 1, other = !now;
        if (thread_of() >= WALKERS) {
            const int was = n > 0 ? from - STEP * STRETCH : -1,
                      next = n < last ? from + STEP * STRETCH : -1;
            float load[EACH], part[EACH];
            bring_stretch<COLUMNS>(v, first, next, [&](int q, int, int, ptrdiff_t to) {
                load[q] = otok_plume_load(&v, to, sea);
                if (KEEPS) part[q] = v.at[OTOK_RIVER_PART][to];
            });
            if (KEEPS)
                bring_stretch<COLUMNS>(v, first, was, [&](int, int l, int along, ptrdiff_t to) {
                    keep(to, s.loads[other][along][l], s.parts[other][along][l]);
                });
            bring_stretch<COLUMNS>(v, first, next, [&](int q, int l, int along, ptrdiff_t) {
                s.loads[other][along][l] = load[q];
                if (KEEPS) s.parts[other][along][l] = part[q];
            });
        } else if (line < LINES && n >= 0 && n <= last) {
            for (int k = 0; k < STRETCH; k += BURST) {
                const int begin = STEP > 0 ? k : STRETCH - 1 - k;
                float load[BURST], part[BURST] = {};
#pragma unroll
                for (int q = 0; q < BURST; q++) {
                    load[q] = s.loads[now][begin + q * STEP][line];
                    if (KEEPS) part[q] = s.parts[now][begin + q * STEP][line];
                }
#pragma unroll
                for (int q = 0; q < BURST; q++)
                    if (from + begin + q * STEP < mine.cells)
                        part[q] = cell(from + begin + q * STEP, load[q], part[q]);
#pragma unroll
                for (int q = 0; q < BURST; q++)
                    if (KEEPS) s.parts[now][begin + q * STEP][line] = part[q];
            }
        }
        __syncthreads();
    }
}

template <int COLUMNS>
static __device__ inline void spread(const otok_view &v, int rows, otok_incision_coefficients k)
{
    const float sea = v.steps[*v.now].sea, f = k.plume;
    const int lines = COLUMNS ? v.nx : v.ny;
    if (!k.deltas) return;
    for (int first = (int)blockIdx.x * LINES; first < lines; first += (int)gridDim.x * LINES) {
        otok_plume_line line = otok_plume_line_of(&v, COLUMNS, first + thread_of(), rows);
        otok_plume_walk w = otok_plume_start();
        if (thread_of() >= LINES || first + thread_of() >= lines) line.cells = 0;
        walk_lines<COLUMNS, 1, false>(
            v, line, first, sea,
            [&](int n, float load, float part) {
                otok_plume_finds(&w, &v, line, n, load, f);
                return part;
            },
            [](ptrdiff_t, float, float) {});
        otok_plume_shore(&w, &v, line, line.cells);
        if (!__syncthreads_or(w.some)) continue;
        walk_lines<COLUMNS, 1, true>(
            v, line, first, sea,
            [&](int, float load, float part) { return otok_plume_ahead(&w, load, part, f); },
            [&](ptrdiff_t at, float, float part) { v.at[OTOK_RIVER_PART][at] = part; });
        w.on = line.open[1] ? 0.0f : w.on;
        walk_lines<COLUMNS, -1, true>(
            v, line, first, sea,
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
