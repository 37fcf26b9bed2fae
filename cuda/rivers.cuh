/* rivers.cuh: how the kernels of rivers go over a patch: by tiles, whose rivers they follow in
   shared memory, by the gates of tiles (core/river_tiles.h), and by lists that rounds make shorter.
   Who carries bodies out: river_work.cuh. */
#ifndef OTOK_RIVERS_CUH
#define OTOK_RIVERS_CUH

#include "batch.cuh"
#include "core/river_tiles.h"

/* The bodies have no rows, but bits for the sides that wrap, and the round above them. */
enum { ROUND_SHIFT = OTOK_SIDES, WRAPS = (1 << OTOK_SIDES) - 1 };

typedef otok_incision_coefficients law;

/* A block has a tile, or as many numbers of a list; a thread has four of them. */
enum { TILE_Y = 8, BLOCK = OTOK_RIVER_TILE * TILE_Y, CELLS = OTOK_RIVER_CELLS / BLOCK };

/* A thread has one gate, so a block has those of several tiles. */
enum { GATES = 4 * OTOK_RIVER_TILE, ABREAST = BLOCK / GATES };

static __device__ inline int thread_of()
{
    return (int)(threadIdx.y * OTOK_RIVER_TILE + threadIdx.x);
}

/* Tiles along n cells; all of a patch; and one of them. */
static __host__ __device__ inline int tiles_along(int n)
{
    return (n + OTOK_RIVER_TILE - 1) / OTOK_RIVER_TILE;
}

static __host__ __device__ inline int tiles_of(const otok_view &v)
{
    return tiles_along(v.nx) * tiles_along(v.ny);
}

static __device__ inline otok_tile tile_at(const otok_view &v, int n)
{
    const int across = tiles_along(v.nx);
    return otok_tile_of(&v, otok_spot{n % across * OTOK_RIVER_TILE, n / across * OTOK_RIVER_TILE});
}

/* Calls `work` for each tile. All threads of the block are in it. */
template <typename WORK> static __device__ inline void walk_tiles(const otok_view &v, WORK work)
{
    for (int n = (int)blockIdx.x; n < tiles_of(v); n += (int)gridDim.x) {
        work(tile_at(v, n));
        __syncthreads();
    }
}

/* Calls `cell` for the cells of a thread in a tile, with their number among these and in the tile.
 */
template <typename CELL> static __device__ inline void walk_cells(otok_tile t, CELL cell)
{
#pragma unroll
    for (int q = 0; q < CELLS; q++) {
        const int n = thread_of() + q * BLOCK;
        const otok_spot s = otok_tile_spot(t, n);
        if (otok_tile_has(t, s.i, s.j)) cell(q, n, s);
    }
}

template <typename CELL> static __device__ inline void walk(const otok_view &v, CELL cell)
{
    walk_tiles(v, [&](otok_tile t) {
        walk_cells(t, [&](int, int, otok_spot s) { cell(s, s.j * v.pitch + s.i); });
    });
}

/* Calls `gate` for the gates of each tile, with their numbers. */
template <typename GATE> static __device__ inline void walk_gates(const otok_view &v, GATE gate)
{
    const int mine = thread_of() % GATES;
    for (int n = (int)blockIdx.x * ABREAST + thread_of() / GATES; n < tiles_of(v);
         n += (int)gridDim.x * ABREAST) {
        const otok_tile t = tile_at(v, n);
        if (mine < otok_gates_of(t)) gate(t, mine, otok_gate_place(&v, t, mine));
    }
}

/* What the rounds leave, by their numbers, in the ghosts of buffers of the stage: whether a round
   did something, and how long its list is; there, too, how many pits there are. */
static __device__ inline int *rounds_of(const otok_view &v)
{
    return otok_numbers(&v, OTOK_RIVER_BASIN) - v.pitch;
}

static __device__ inline int *lengths_of(const otok_view &v)
{
    return otok_numbers(&v, OTOK_RIVER_LOW) - v.pitch;
}

/* Of all rounds (core/river_settle.h): what cells change by and how much that is another change,
   and whether rounds have ended; in ghosts of a buffer of the stage. */
static __device__ inline uint64_t *totals_of(const otok_view &v)
{
    return (uint64_t *)(otok_numbers(&v, OTOK_RIVER_LOAD) - v.pitch);
}

template <bool AGAIN> static __device__ inline bool has_ended(const otok_view &v)
{
    if constexpr (AGAIN) return totals_of(v)[2] != 0;
    return false;
}

/* Reads first: all threads would write to one place. */
static __device__ inline void note(int *flag)
{
    if (!*flag) *flag = 1;
}

/* The pits, and, of every second round, the cells beside other parts: lists in buffers that are not
   needed yet. */
static __device__ inline int *pits_of(const otok_view &v)
{
    return otok_numbers(&v, OTOK_CHANGE_NEXT);
}

/* The number of a pit, at its place, before the second round. */
static __device__ inline int *numbers_of(const otok_view &v)
{
    return otok_numbers(&v, OTOK_RIVER_CUT);
}

static __device__ inline int *rim_of(const otok_view &v, int round)
{
    return otok_numbers(&v, round % 2 ? OTOK_RIVER_AREA : OTOK_RIVER_CUT);
}

/* Adds the first n numbers of each thread to a list; where they stand. All threads of the block
   call it. */
static __device__ inline int append(int *list, int *length, const int *numbers, int n)
{
    __shared__ int here, first;
    if (thread_of() == 0) here = 0;
    __syncthreads();
    const int at = n ? atomicAdd(&here, n) : 0;
    __syncthreads();
    if (thread_of() == 0) first = here ? atomicAdd(length, here) : 0;
    __syncthreads();
    for (int q = 0; q < n; q++)
        list[first + at + q] = numbers[q];
    return first + at;
}

static __device__ inline void clear_rounds(const otok_view &v)
{
    for (int n = 0; n <= OTOK_ROUNDS; n++)
        rounds_of(v)[n] = lengths_of(v)[n] = 0;
}

static __device__ inline otok_routing routing_of(const otok_view &v, int rows, const law &k)
{
    return otok_routing_of(&v.steps[*v.now], k, rows & WRAPS);
}

/* A body that does so in each cell `s`, at place `at`; it knows the coefficients `k`. */
#define RIVER_CELLS(name, ...)                                                                     \
    __device__ inline void name(const otok_view &v, int rows, law k)                               \
    {                                                                                              \
        const otok_routing r = routing_of(v, rows, k);                                             \
        walk(v, [&](otok_spot s, ptrdiff_t at) {                                                   \
            (void)r, (void)s, (void)at;                                                            \
            __VA_ARGS__;                                                                           \
        });                                                                                        \
    }

/* Follows the rivers of a tile, in rounds that double the way of each cell: up[n] is the cell that
   n has come to, or ~n of its last one. Calls `take` with the number of a cell among those of the
   thread, itself and the cell that it has come to, and after a barrier `give`. */
template <typename TAKE, typename GIVE>
static __device__ inline void follow(short *up, TAKE take, GIVE give)
{
    for (;;) {
        int to[CELLS], next[CELLS];
        bool any = false;
#pragma unroll
        for (int q = 0; q < CELLS; q++) {
            const int n = thread_of() + q * BLOCK;
            to[q] = up[n];
            if (to[q] < 0) continue;
            next[q] = up[to[q]];
            take(q, n, to[q]);
            any = true;
        }
        if (!__syncthreads_or(any)) return;
#pragma unroll
        for (int q = 0; q < CELLS; q++) {
            if (to[q] < 0) continue;
            const int n = thread_of() + q * BLOCK;
            give(q, n, to[q]);
            up[n] = (short)next[q];
        }
        __syncthreads();
    }
}

/* The same for the last cells alone, where nothing is taken on the way: threads need not wait. */
static __device__ inline void follow_to_ends(volatile short *up)
{
    for (int n = thread_of(); n < OTOK_RIVER_CELLS; n += BLOCK)
        for (int to = up[n], next; to >= 0; to = next)
            up[n] = (short)(next = up[to]);
    __syncthreads();
}

/* The ways that `follow` starts from. */
static __device__ inline void begin_ways(const otok_view &v, otok_tile t, short *up)
{
    for (int n = thread_of(); n < OTOK_RIVER_CELLS; n += BLOCK)
        up[n] = (short)~n;
    walk_cells(t, [&](int, int n, otok_spot s) { up[n] = (short)otok_tile_next(&v, t, s); });
}

/* From one place to the `next`, a number, while all that come before it have given, of which so
   many are `left`: the last one goes on. `give` gives to a place what is known `at` the one before.
 */
template <typename GIVE>
static __device__ inline void go_down(int *left, const int *next, ptrdiff_t &at, GIVE give)
{
    for (int to; (to = next[at]) > 0; at = to - 1) {
        give((ptrdiff_t)to - 1);
        __threadfence();
        if (atomicAdd(left + to - 1, -1) != 1) return;
        __threadfence();
    }
}

/* What a stage leaves in its scratch, and in that of lists: nothing in walls, where nobody else
   writes, and no rounds. */
template <bool LISTS> static __device__ inline void clear(const otok_view &v, int)
{
    if (blockIdx.x == 0 && thread_of() == 0) clear_rounds(v);
    if (!v.at[OTOK_WALLS]) return;
    walk(v, [&](otok_spot, ptrdiff_t at) {
        if (!otok_is_wall(&v, at)) return;
        for (int b = OTOK_PIPE_LEFT; b <= OTOK_PIPE_TOP_RIGHT; b++)
            v.at[b][at] = 0.0f;
        if (LISTS) v.at[OTOK_RIVER_CUT][at] = v.at[OTOK_CHANGE_NEXT][at] = 0.0f;
    });
}

#endif
