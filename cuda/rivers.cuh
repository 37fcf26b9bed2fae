/* rivers.cuh: how the kernels of rivers go over a patch: by tiles, whose rivers they follow in
   shared memory, by the gates of tiles (core/river_tiles.h), and by lists that rounds make shorter.
   How many rounds there are shows on the device alone, so as many are launched as there may be, and
   those that have nothing to do return at once. */
#ifndef OTOK_RIVERS_CUH
#define OTOK_RIVERS_CUH

#include "batch.cuh"
#include "core/river_tiles.h"

#include <cooperative_groups.h>

/* The bodies have no rows, but bits for the sides that wrap, and the round above them. */
enum { ROUND_SHIFT = OTOK_SIDES, WRAPS = (1 << OTOK_SIDES) - 1 };

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

/* Calls `work` for each number of a list; all threads of a block are in it, with -1 if there is
   none left. */
template <typename WORK>
static __device__ inline void walk_list(const int *list, int length, WORK work)
{
    for (int n = (int)blockIdx.x * BLOCK; n < length; n += (int)gridDim.x * BLOCK)
        work(n + thread_of() < length ? list[n + thread_of()] : -1);
}

static __device__ inline void clear_rounds(const otok_view &v)
{
    for (int n = 0; n <= OTOK_ROUNDS; n++)
        rounds_of(v)[n] = lengths_of(v)[n] = 0;
}

static __device__ inline otok_routing routing_of(const otok_view &v, int rows,
                                                 const otok_incision_coefficients &k)
{
    return otok_routing_of(&v.steps[*v.now], k, rows & WRAPS);
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

/* ---- who works ---- */

/* A stage is a class whose `go` calls bodies in order, by somebody who carries them out. */
#ifdef __CUDACC__
#define OTOK_ORDER _Pragma("nv_exec_check_disable") /* on the host or on the device */
#else
#define OTOK_ORDER
#endif

/* One launch does all: a block for its member of a batch, or, TOGETHER, as many blocks as the
   device has room for at once, which wait for each other. Rounds end when nothing is left to do. */
template <bool TOGETHER> struct workers {
    const otok_view &v;
    const otok_incision_coefficients &k;
    int wraps, rounds;

    __device__ const otok_incision_coefficients *same() const
    {
        return &k;
    }
    __device__ bool has_ended(int round) const
    {
        return !rounds_of(v)[round];
    }
    template <auto BODY, typename... PARTS> __device__ void by_tiles(int round = 0)
    {
        BODY(v, wraps | round << ROUND_SHIFT, static_cast<const PARTS &>(k)...);
        if (TOGETHER)
            cooperative_groups::this_grid().sync();
        else
            __syncthreads();
    }
    template <auto BODY, typename... PARTS> __device__ void by_lists(int round = 0)
    {
        by_tiles<BODY, PARTS...>(round);
    }
    template <auto BODY> __device__ void by_one(int round)
    {
        by_tiles<BODY>(round);
    }
    template <typename PART> __device__ void together()
    {
        PART::go(*this);
    }
};

template <typename PART>
static __global__ void __launch_bounds__(BLOCK, 4)
    go_together(otok_view v, otok_incision_coefficients k, int wraps, int rounds)
{
    workers<true> all = {v, k, wraps, rounds};
    PART::go(all);
}

/* The host launches a kernel for each body; a part in which most rounds have nothing to do is one
   launch. */
struct launches {
    otok_launch l;
    unsigned tiles, list;
    int wraps, rounds;
    cudaError_t error;

    /* The coefficients; NULL: those of members may differ. */
    const otok_incision_coefficients *same() const
    {
        return l.batch ? NULL : &l.k->incision;
    }
    bool has_ended(int) const
    {
        return false; /* it shows on the device */
    }
    template <auto BODY, typename... PARTS> void start(unsigned blocks, int round)
    {
        if (error != cudaSuccess) return;
        l.grid = dim3(blocks);
        l.rows = wraps | round << ROUND_SHIFT;
        if (l.batch)
            otok_start_together<BODY, PARTS...>(&l);
        else
            otok_start_alone<BODY, PARTS...>(&l, otok_part(*l.k, (const PARTS *)nullptr)...);
        error = cudaGetLastError();
    }
    template <auto BODY, typename... PARTS> void by_tiles(int round = 0)
    {
        start<BODY, PARTS...>(tiles, round);
    }
    template <auto BODY, typename... PARTS> void by_lists(int round = 0)
    {
        start<BODY, PARTS...>(list, round);
    }
    template <auto BODY> void by_one(int round)
    {
        start<BODY>(1, round);
    }
    template <typename PART> void together()
    {
        otok_view v = l.patch->view;
        otok_incision_coefficients k = l.k->incision;
        void *arguments[] = {&v, &k, &wraps, &rounds};
        int device = 0, processors = 0, each = 0;
        if (l.batch) return PART::go(*this);
        if (error == cudaSuccess) error = cudaGetDevice(&device);
        if (error == cudaSuccess)
            error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
        if (error == cudaSuccess)
            error =
                cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, go_together<PART>, BLOCK, 0);
        const unsigned room = (unsigned)(processors * each);
        if (error == cudaSuccess)
            error = cudaLaunchCooperativeKernel(go_together<PART>, dim3(list < room ? list : room),
                                                l.block, arguments, 0, l.stream);
    }
};

template <typename STAGE>
static __global__ void __launch_bounds__(BLOCK, 4)
    go_by_members(otok_view first, otok_batch batch, int wraps, int rounds)
{
    const ptrdiff_t bytes = otok_batch_bytes(batch);
    __shared__ otok_view v;
    if (thread_of() == 0) v = otok_view_moved(first, bytes);
    __syncthreads();
    workers<false> one = {v, otok_moved(batch.k, bytes)->incision, wraps, rounds};
    STAGE::go(one);
}

/* Small members of a batch that has enough of them get a block each: launches of a kernel for each
   body take longer, and most blocks of these have nothing to do. */
enum { SMALL_TILES = 32, TILES_A_MEMBER = 2 };

/* The bodies look at walls themselves. A round at least halves what it works on. */
template <typename STAGE> static cudaError_t go(const otok_launch *launch)
{
    /* Blocks for lists. They share them among the members of a batch, for most lists are short, and
       even blocks that have nothing to do take time. */
    const unsigned members = launch->batch ? (unsigned)launch->batch->n : 1,
                   most = members < 1024 ? 1024 / members : 1;
    const otok_view *v = &launch->patch->view;
    launches all = {*launch, 0,          0, otok_sides_of(launch->patch->edges, STAGE::SIDES),
                    1,       cudaSuccess};
    all.tiles = (unsigned)tiles_of(*v);
    all.list = all.tiles < most ? all.tiles : most;
    all.l.block = dim3(OTOK_RIVER_TILE, TILE_Y);
    while (all.rounds < OTOK_ROUNDS - 1 && (int64_t)v->nx * v->ny >> all.rounds)
        all.rounds++;
    if (!launch->batch || all.tiles > SMALL_TILES || all.tiles > TILES_A_MEMBER * members) {
        STAGE::go(all);
        return all.error;
    }
    const auto kernel = go_by_members<STAGE>;
    kernel<<<dim3(1, 1, members), all.l.block, 0, launch->stream>>>(*v, *launch->batch, all.wraps,
                                                                    all.rounds);
    return cudaGetLastError();
}

#endif
