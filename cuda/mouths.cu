/* mouths.cu: what rivers bring to the sea, and where it settles; see core/mouths.h. A thread has a
   line of the plumes. The bodies have bits for open sides in place of rows. */
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

template <int COLUMNS>
static __device__ inline void spread(const otok_view &v, int rows, otok_incision_coefficients k)
{
    const float sea = v.steps[*v.now].sea;
    const int lines = COLUMNS ? v.nx : v.ny;
    if (!k.deltas) return;
    for (int n = (int)blockIdx.x * BLOCK + thread_of(); n < lines; n += (int)gridDim.x * BLOCK)
        otok_plume_along(&v, otok_plume_line_of(&v, COLUMNS, n, rows), sea, k.plume);
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
