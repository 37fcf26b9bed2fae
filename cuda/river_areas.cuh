/* river_areas.cuh: what drains through each cell: through the gates of a tile, from within and then
   from other tiles, and then through all of its cells. */
#ifndef OTOK_RIVER_AREAS_CUH
#define OTOK_RIVER_AREAS_CUH

#include "core/river_sums.h"
#include "river_work.cuh"

/* What is summed: cells. What a gate has gathered and the number of gates that have not given to it
   yet, itself among them, are one number of 64 bits (otok_lowest_of), so that who gives last knows
   all. */
struct cells {
    typedef uint32_t sum;
    enum { KEEPS = 1, AGAIN = 0 };
    static __device__ unsigned long long *gate(const otok_view &v, ptrdiff_t at)
    {
        return (unsigned long long *)otok_lowest_of(&v, at);
    }
    static __device__ uint32_t own(const otok_view &v, ptrdiff_t at, law)
    {
        return !otok_is_wall(&v, at);
    }
    static __device__ uint32_t get(const otok_view &v, int buffer, ptrdiff_t at)
    {
        return *(volatile uint32_t *)(otok_naturals(&v, buffer) + at);
    }
    static __device__ void begin(const otok_view &v, ptrdiff_t at, uint32_t sum)
    {
        *gate(v, at) = (unsigned long long)sum << 32 | 1;
    }
    static __device__ void wait(const otok_view &v, ptrdiff_t at)
    {
        atomicAdd(gate(v, at), 1ull);
    }
    static __device__ uint32_t gathered(const otok_view &v, ptrdiff_t at)
    {
        return (uint32_t)(*gate(v, at) >> 32);
    }
    static __device__ void give_down(const otok_view &v, const int *next, ptrdiff_t at)
    {
        unsigned long long sum = 0;
        for (int to = (int)at + 1; to > 0; to = next[to - 1]) {
            const unsigned long long was = atomicAdd(gate(v, to - 1), (sum << 32) - 1);
            if ((uint32_t)was != 1) return;
            sum += was >> 32;
        }
    }
    static __device__ void end(const otok_view &v, ptrdiff_t at, uint32_t sum, law)
    {
        otok_naturals(&v, OTOK_RIVER_AREA)[at] = sum;
    }
};

/* In two words (core/river_sums.h). */
struct wide {
    typedef unsigned long long sum;
    enum { KEEPS = 0, AGAIN = 0 };
    static __device__ void begin(const otok_view &v, ptrdiff_t at, sum all)
    {
        otok_gather_begin(&v, at, all);
    }
    static __device__ void wait(const otok_view &v, ptrdiff_t at)
    {
        atomicAdd(otok_givers_of(&v, at), 1u);
    }
    static __device__ sum gathered(const otok_view &v, ptrdiff_t at)
    {
        return otok_gathered(&v, at);
    }
    static __device__ void give_down(const otok_view &v, const int *next, ptrdiff_t at)
    {
        if (atomicAdd(otok_givers_of(&v, at), ~0u) != 1) return;
        __threadfence();
        go_down((int *)otok_givers_of(&v, 0), next, at,
                [&](ptrdiff_t to) { otok_gather(&v, to, otok_gathered(&v, at)); });
    }
};

struct rain : wide {
    static __device__ sum own(const otok_view &v, ptrdiff_t at, law k)
    {
        return otok_rain_units(&v, at, k);
    }
    static __device__ void end(const otok_view &v, ptrdiff_t at, sum all, law)
    {
        v.at[OTOK_RIVER_AREA][at] = otok_rain_of(all);
    }
};

/* What comes to a gate from other tiles. */
template <typename OF>
static __device__ inline typename OF::sum comes_in(const otok_view &v, otok_tile t, otok_spot s,
                                                   int wraps)
{
    typename OF::sum all = 0;
    for (int q = 0; q < OTOK_WAYS; q++) {
        if (otok_tile_has(t, s.i + otok_way_x(q), s.j + otok_way_y(q))) continue;
        const ptrdiff_t from = otok_way_to(&v, s, q, wraps);
        if (from >= 0 && otok_way_of(&v, from) == OTOK_WAYS - 1 - q)
            all += OF::gathered(v, otok_gate_of(&v, otok_spot_to(&v, s, q)));
    }
    return all;
}

/* Adds what drains through the cells of a tile, from what each has of its own. */
template <typename T> static __device__ inline void add_down(short *up, T *area)
{
    T mine[CELLS];
    follow(
        up, [&](int q, int n, int) { mine[q] = area[n]; },
        [&](int q, int, int to) { atomicAdd(area + to, mine[q]); });
}

/* In the gates of a tile, from within; ALL: in all of its cells, from other tiles too. */
template <typename OF, bool ALL>
static __device__ inline void add_in_tiles(const otok_view &v, int rows, law k)
{
    __shared__ short up[OTOK_RIVER_CELLS];
    __shared__ typename OF::sum area[OTOK_RIVER_CELLS];
    if (has_ended<OF::AGAIN>(v)) return;
    walk_tiles(v, [&](otok_tile t) {
        begin_ways(v, t, up);
        walk_cells(t, [&](int, int n, otok_spot s) {
            area[n] = OF::own(v, s.j * v.pitch + s.i, k);
            if (ALL && otok_is_gate(t, s)) area[n] += comes_in<OF>(v, t, s, rows & WRAPS);
        });
        __syncthreads();
        add_down(up, area);
        walk_cells(t, [&](int, int n, otok_spot s) {
            if (ALL || OF::KEEPS) OF::end(v, s.j * v.pitch + s.i, area[n], k);
            if (ALL || !otok_is_gate(t, s)) return;
            const ptrdiff_t gate = otok_gate_of(&v, s);
            otok_numbers(&v, OTOK_RIVER_HOOK)[gate] = otok_gate_after(&v, t, ~up[n]);
            OF::begin(v, gate, area[n]);
        });
    });
}

/* The gate after each, and how many come before it. */
template <typename OF> static __device__ inline void count_gates(const otok_view &v, int)
{
    if (has_ended<OF::AGAIN>(v)) return;
    walk_gates(v, [&](otok_tile t, int n, ptrdiff_t at) {
        otok_spot to;
        const int leaves = otok_gate_leaves(&v, t, otok_gate_spot(t, n), &to),
                  next = leaves ? otok_numbers(&v, OTOK_RIVER_HOOK)[otok_gate_of(&v, to)] : 0;
        otok_numbers(&v, OTOK_RIVER_OVER)[at] = next;
        if (next) OF::wait(v, next - 1);
    });
}

/* From each down, if it is the last to give to itself; where rivers meet, the last one goes on. */
template <typename OF> static __device__ inline void add_by_gates(const otok_view &v, int)
{
    if (has_ended<OF::AGAIN>(v)) return;
    walk_gates(v, [&](otok_tile, int, ptrdiff_t at) {
        OF::give_down(v, otok_numbers(&v, OTOK_RIVER_OVER), at);
    });
}

/* What comes to a tile is added to what cells have from within: along a few rivers, one by one. */
static __device__ inline void pour_in(const otok_view &v, int rows)
{
    __shared__ short up[OTOK_RIVER_CELLS];
    __shared__ uint32_t more[OTOK_RIVER_CELLS];
    walk_tiles(v, [&](otok_tile t) {
        begin_ways(v, t, up);
        for (int n = thread_of(); n < OTOK_RIVER_CELLS; n += BLOCK)
            more[n] = 0;
        __syncthreads();
        for (int gate = thread_of(); gate < otok_gates_of(t); gate += BLOCK) {
            const otok_spot s = otok_gate_spot(t, gate);
            const uint32_t in = comes_in<cells>(v, t, s, rows & WRAPS);
            for (int n = otok_tile_index(t, s.i, s.j); in && n >= 0; n = up[n])
                atomicAdd(more + n, in);
        }
        __syncthreads();
        walk_cells(t, [&](int, int n, otok_spot s) {
            if (more[n]) otok_naturals(&v, OTOK_RIVER_AREA)[s.j * v.pitch + s.i] += more[n];
        });
    });
}

OTOK_ORDER template <typename OF, typename RUN>
static __host__ __device__ inline void add_areas(RUN &run)
{
    run.template by_tiles<add_in_tiles<OF, false>, law>();
    run.template by_tiles<count_gates<OF>>();
    run.template by_tiles<add_by_gates<OF>>();
    if constexpr (OF::KEEPS)
        run.template by_tiles<pour_in>();
    else
        run.template by_tiles<add_in_tiles<OF, true>, law>();
}

#endif
