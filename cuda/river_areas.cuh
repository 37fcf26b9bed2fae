/* river_areas.cuh: how many cells drain through each: through the gates of a tile, from within and
   then from other tiles, and then through all of its cells. */
#ifndef OTOK_RIVER_AREAS_CUH
#define OTOK_RIVER_AREAS_CUH

#include "rivers.cuh"

/* Adds what drains through the cells of a tile, from what each has of its own. */
static __device__ inline void add_down(short *up, uint32_t *area)
{
    uint32_t mine[CELLS];
    follow(
        up, [&](int q, int n, int) { mine[q] = area[n]; },
        [&](int q, int, int to) { atomicAdd(area + to, mine[q]); });
}

static __device__ inline void count_in_tiles(const otok_view &v, int)
{
    __shared__ short up[OTOK_RIVER_CELLS];
    __shared__ uint32_t area[OTOK_RIVER_CELLS];
    walk_tiles(v, [&](otok_tile t) {
        begin_ways(v, t, up);
        walk_cells(
            t, [&](int, int n, otok_spot s) { area[n] = !otok_is_wall(&v, s.j * v.pitch + s.i); });
        __syncthreads();
        add_down(up, area);
        walk_cells(t, [&](int, int n, otok_spot s) {
            if (!otok_is_gate(t, s)) return;
            const ptrdiff_t gate = otok_gate_of(&v, s);
            otok_numbers(&v, OTOK_RIVER_HOOK)[gate] = otok_gate_after(&v, t, ~up[n]);
            otok_naturals(&v, OTOK_RIVER_LOW)[gate] = area[n];
            otok_numbers(&v, OTOK_RIVER_PASS)[gate] = 0;
            otok_numbers(&v, OTOK_RIVER_PART)[gate] = 0;
        });
    });
}

/* The gate after each, and how many come before it. */
static __device__ inline void count_gates(const otok_view &v, int)
{
    walk_gates(v, [&](otok_tile t, int n, ptrdiff_t at) {
        otok_spot to;
        const int leaves = otok_gate_leaves(&v, t, otok_gate_spot(t, n), &to),
                  next = leaves ? otok_numbers(&v, OTOK_RIVER_HOOK)[otok_gate_of(&v, to)] : 0;
        otok_numbers(&v, OTOK_RIVER_OVER)[at] = next;
        if (next) atomicAdd(otok_numbers(&v, OTOK_RIVER_PASS) + next - 1, 1);
    });
}

/* Those without any, in another buffer, because numbers fall meanwhile. */
static __device__ inline void mark_first_gates(const otok_view &v, int)
{
    walk_gates(v, [&](otok_tile, int, ptrdiff_t at) {
        otok_numbers(&v, OTOK_RIVER_EXIT)[at] = !otok_numbers(&v, OTOK_RIVER_PASS)[at];
    });
}

/* From these down; where rivers meet, the last one goes on. */
static __device__ inline void add_by_gates(const otok_view &v, int)
{
    int *left = otok_numbers(&v, OTOK_RIVER_PASS);
    const int *next = otok_numbers(&v, OTOK_RIVER_OVER);
    uint32_t *area = otok_naturals(&v, OTOK_RIVER_LOW);
    walk_gates(v, [&](otok_tile, int, ptrdiff_t at) {
        if (!otok_numbers(&v, OTOK_RIVER_EXIT)[at]) return;
        for (int to; (to = next[at]) > 0; at = to - 1) {
            atomicAdd(area + to - 1, *(volatile uint32_t *)(area + at));
            __threadfence();
            if (atomicAdd(left + to - 1, -1) != 1) return;
            __threadfence();
        }
    });
}

/* To the gate by which it enters another tile. */
static __device__ inline void bring_in(const otok_view &v, int)
{
    walk_gates(v, [&](otok_tile t, int n, ptrdiff_t at) {
        otok_spot to;
        if (otok_gate_leaves(&v, t, otok_gate_spot(t, n), &to))
            atomicAdd(otok_naturals(&v, OTOK_RIVER_PART) + otok_gate_of(&v, to),
                      otok_naturals(&v, OTOK_RIVER_LOW)[at]);
    });
}

static __device__ inline void add_in_tiles(const otok_view &v, int)
{
    __shared__ short up[OTOK_RIVER_CELLS];
    __shared__ uint32_t area[OTOK_RIVER_CELLS];
    const uint32_t *gates = otok_naturals(&v, OTOK_RIVER_PART);
    walk_tiles(v, [&](otok_tile t) {
        begin_ways(v, t, up);
        walk_cells(t, [&](int, int n, otok_spot s) {
            area[n] = !otok_is_wall(&v, s.j * v.pitch + s.i);
            if (otok_is_gate(t, s)) area[n] += gates[otok_gate_of(&v, s)];
        });
        __syncthreads();
        add_down(up, area);
        walk_cells(t, [&](int, int n, otok_spot s) {
            otok_naturals(&v, OTOK_RIVER_AREA)[s.j * v.pitch + s.i] = area[n];
        });
    });
}

static void add_areas(launches *all)
{
    start<count_in_tiles>(all, all->tiles, 0);
    start<count_gates>(all, all->tiles, 0);
    start<mark_first_gates>(all, all->tiles, 0);
    start<add_by_gates>(all, all->tiles, 0);
    start<bring_in>(all, all->tiles, 0);
    start<add_in_tiles>(all, all->tiles, 0);
}

#endif
