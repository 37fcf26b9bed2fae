/* routing.cu: where each cell drains, how many cells drain through it, and how rivers cut; see
   core/routing.h. Every pass is a kernel over all cells. How many rounds there are shows on the
   device alone, so as many are launched as there may be, and those that have nothing to do return
   at once. */
#include "batch.cuh"
#include "core/routing.h"

/* The bodies have no rows, but bits for the sides that wrap, and the round above them. */
enum { ROUND_SHIFT = OTOK_SIDES, WRAPS = (1 << OTOK_SIDES) - 1 };

template <typename CELL> static __device__ inline void walk(const otok_view &v, CELL cell)
{
    const int i = (int)(blockIdx.x * OTOK_TILE_X + threadIdx.x);
    for (int j = (int)(blockIdx.y * OTOK_TILE_Y + threadIdx.y); i < v.nx && j < v.ny;
         j += (int)(gridDim.y * OTOK_TILE_Y))
        cell(otok_spot{i, j}, j * v.pitch + i);
}

/* What each round did, by its number, in the ghosts of a buffer of the stage. */
static __device__ inline int *rounds_of(const otok_view &v)
{
    return otok_numbers(&v, OTOK_RIVER_BASIN) - v.pitch;
}

static __device__ inline otok_routing routing_of(const otok_view &v, int rows,
                                                 const otok_incision_coefficients &k)
{
    return otok_routing_of(&v.steps[*v.now], k.random, rows & WRAPS);
}

/* Calls `pit` with the place of each pit, if a round did something. */
template <typename PIT>
static __device__ inline void walk_pits(const otok_view &v, int round, PIT pit)
{
    if (!rounds_of(v)[round]) return;
    walk(v, [&](otok_spot, ptrdiff_t at) {
        if (otok_numbers(&v, OTOK_RIVER_BASIN)[at] == (int)at + 1) pit(at);
    });
}

static __device__ inline void drain(const otok_view &v, int rows, otok_incision_coefficients k)
{
    const otok_routing r = routing_of(v, rows, k);
    walk(v, [&](otok_spot s, ptrdiff_t at) {
        const int is_wall = otok_is_wall(&v, at);
        if (!is_wall) otok_way_put(&v, at, otok_first_way(&v, s, r));
        otok_naturals(&v, OTOK_RIVER_AREA)[at] = !is_wall;
        if (at == 0)
            for (int n = 0; n <= OTOK_ROUNDS; n++)
                rounds_of(v)[n] = 0;
    });
}

static __device__ inline void join(const otok_view &v, int rows, otok_incision_coefficients k)
{
    const otok_routing r = routing_of(v, rows, k);
    walk(v, [&](otok_spot s, ptrdiff_t at) {
        const int basin = otok_first_basin(&v, s, r);
        otok_numbers(&v, OTOK_RIVER_BASIN)[at] = basin;
        if (basin != (int)at + 1) return;
        otok_pit_begin(&v, at);
        rounds_of(v)[0] = 1;
    });
}

static __device__ inline void shorten_ways(const otok_view &v, int)
{
    int *basins = otok_numbers(&v, OTOK_RIVER_BASIN);
    walk(v, [&](otok_spot, ptrdiff_t at) { otok_ways_shorten(basins, (int)at + 1); });
}

static __device__ inline void find(const otok_view &v, int)
{
    int *basins = otok_numbers(&v, OTOK_RIVER_BASIN);
    walk(v, [&](otok_spot, ptrdiff_t at) { basins[at] = otok_root_of(basins, (int)at + 1); });
}

/* Calls `pass` with the part of a cell, the order and the way of each of its passes. */
template <typename PASS>
static __device__ inline void walk_passes(const otok_view &v, int rows, otok_routing r, PASS pass)
{
    if (!rounds_of(v)[(rows >> ROUND_SHIFT) - 1]) return;
    walk(v, [&](otok_spot s, ptrdiff_t at) {
        const int part = otok_is_wall(&v, at) ? 0 : otok_part_of(&v, at);
        for (int q = 0; part && q < OTOK_WAYS; q++) {
            const ptrdiff_t to = otok_way_to(&v, s, q, r.wraps);
            if (to < 0 || otok_part_of(&v, to) == part) continue;
            pass(part - 1, otok_pass_order(&v, at, to, r.sea), s, q, to);
        }
    });
}

static __device__ inline void lowest(uint32_t *least, uint32_t value)
{
    if (value < *(volatile uint32_t *)least) atomicMin(least, value);
}

static __device__ inline void lower(const otok_view &v, int rows, otok_incision_coefficients k)
{
    walk_passes(v, rows, routing_of(v, rows, k),
                [&](int part, uint32_t order, otok_spot, int, ptrdiff_t) {
                    lowest(otok_naturals(&v, OTOK_RIVER_LOW) + part, order);
                });
}

static __device__ inline void choose(const otok_view &v, int rows, otok_incision_coefficients k)
{
    const otok_routing r = routing_of(v, rows, k);
    walk_passes(v, rows, r, [&](int part, uint32_t order, otok_spot s, int q, ptrdiff_t to) {
        if (order == otok_naturals(&v, OTOK_RIVER_LOW)[part])
            lowest(otok_naturals(&v, OTOK_RIVER_PASS) + part, otok_pass_of(&v, s, q, to, r.draw));
    });
}

static __device__ inline void hook(const otok_view &v, int rows, otok_incision_coefficients k)
{
    const otok_routing r = routing_of(v, rows, k);
    const int round = rows >> ROUND_SHIFT;
    walk_pits(v, round - 1, [&](ptrdiff_t pit) {
        if (otok_part_hook(&v, pit, round, r)) rounds_of(v)[round] = 1;
    });
}

static __device__ inline void follow(const otok_view &v, int rows)
{
    const int round = rows >> ROUND_SHIFT;
    walk_pits(v, round - 1, [&](ptrdiff_t pit) {
        otok_naturals(&v, OTOK_RIVER_LOW)[pit] = otok_naturals(&v, OTOK_RIVER_PASS)[pit] =
            UINT32_MAX;
        if (otok_numbers(&v, OTOK_RIVER_ROUND)[pit] == round)
            otok_numbers(&v, OTOK_RIVER_PART)[pit] = otok_numbers(&v, OTOK_RIVER_HOOK)[pit];
    });
}

static __device__ inline void shorten(const otok_view &v, int rows)
{
    int *parts = otok_numbers(&v, OTOK_RIVER_PART);
    walk_pits(v, (rows >> ROUND_SHIFT) - 1,
              [&](ptrdiff_t pit) { parts[pit] = otok_root_of(parts, (int)pit + 1); });
}

/* Parts that nothing joins to the outside: their lowest pits. */
static __device__ inline void lower_pits(const otok_view &v, int)
{
    walk_pits(v, 0, [&](ptrdiff_t pit) {
        const int part = otok_numbers(&v, OTOK_RIVER_PART)[pit];
        if (part)
            lowest(otok_naturals(&v, OTOK_RIVER_LOW) + part - 1,
                   otok_height_order(otok_river_ground(&v, pit)));
    });
}

static __device__ inline void choose_pits(const otok_view &v, int rows,
                                          otok_incision_coefficients k)
{
    const otok_routing r = routing_of(v, rows, k);
    walk_pits(v, 0, [&](ptrdiff_t pit) {
        const int part = otok_numbers(&v, OTOK_RIVER_PART)[pit];
        if (part && otok_naturals(&v, OTOK_RIVER_LOW)[part - 1] ==
                        otok_height_order(otok_river_ground(&v, pit)))
            lowest(otok_naturals(&v, OTOK_RIVER_PASS) + part - 1,
                   otok_mixed(otok_cell_of(&v, otok_spot_of(&v, pit)) ^ r.draw));
    });
}

static __device__ inline void end_closed(const otok_view &v, int rows, otok_incision_coefficients k)
{
    const otok_routing r = routing_of(v, rows, k);
    walk_pits(v, 0, [&](ptrdiff_t pit) { otok_part_end(&v, pit, r.draw); });
}

static __device__ inline void turn(const otok_view &v, int rows)
{
    const int round = rows >> ROUND_SHIFT;
    walk_pits(v, round, [&](ptrdiff_t pit) { otok_part_turn(&v, pit, round, rows & WRAPS); });
}

static __device__ inline void carve(const otok_view &v, int rows)
{
    walk_pits(v, 0, [&](ptrdiff_t pit) { otok_pit_carve(&v, pit, rows & WRAPS); });
}

/* ---- areas ---- */

static __device__ inline void count_none(const otok_view &v, int)
{
    walk(v, [&](otok_spot, ptrdiff_t at) { otok_numbers(&v, OTOK_RIVER_LOW)[at] = 0; });
}

static __device__ inline void count_donors(const otok_view &v, int)
{
    walk(v, [&](otok_spot s, ptrdiff_t) {
        if (otok_spot_drains(&v, &s))
            atomicAdd(otok_numbers(&v, OTOK_RIVER_LOW) + (s.j * v.pitch + s.i), 1);
    });
}

/* The cells to which none drains, in another buffer, because numbers of donors fall meanwhile. */
static __device__ inline void mark_heads(const otok_view &v, int)
{
    walk(v, [&](otok_spot, ptrdiff_t at) {
        otok_numbers(&v, OTOK_RIVER_PASS)[at] = !otok_numbers(&v, OTOK_RIVER_LOW)[at];
    });
}

/* From these down; where rivers meet, the last one goes on. */
static __device__ inline void add_areas(const otok_view &v, int)
{
    int *left = otok_numbers(&v, OTOK_RIVER_LOW);
    uint32_t *area = otok_naturals(&v, OTOK_RIVER_AREA);
    walk(v, [&](otok_spot s, ptrdiff_t at) {
        if (!otok_numbers(&v, OTOK_RIVER_PASS)[at]) return;
        while (otok_spot_drains(&v, &s)) {
            const ptrdiff_t to = s.j * v.pitch + s.i;
            atomicAdd(area + to, *(volatile uint32_t *)(area + at));
            __threadfence();
            if (atomicAdd(left + to, -1) != 1) return;
            __threadfence();
            at = to;
        }
    });
}

/* Clears the buffers of a stage and the rounds. */
static __device__ inline void clear(const otok_view &v, int)
{
    walk(v, [&](otok_spot, ptrdiff_t at) {
        for (int b = OTOK_PIPE_LEFT; b <= OTOK_PIPE_TOP_RIGHT; b++)
            v.at[b][at] = 0.0f;
        if (at == 0)
            for (int n = 0; n <= OTOK_ROUNDS; n++)
                rounds_of(v)[n] = 0;
    });
}

static __device__ inline void clear_cuts(const otok_view &v, int)
{
    walk(v, [&](otok_spot, ptrdiff_t at) { v.at[OTOK_RIVER_CUT][at] = 0.0f; });
}

/* ---- cuts ---- */

/* The cells that a round has to climb from are behind those of the rounds before. */
static __device__ inline int first_of(const otok_view &v, int round)
{
    int first = 0;
    for (int n = 1; n < round; n++)
        first += rounds_of(v)[n];
    return first;
}

static __device__ inline int *queue_of(const otok_view &v, int n)
{
    return otok_numbers(&v, OTOK_RIVER_LOW) + n / v.nx * v.pitch + n % v.nx;
}

/* Cuts the donors of a cell and goes up the largest river. The others wait for the next round; each
   has at most half the area, so rounds are few. */
static __device__ inline void climb(const otok_view &v, otok_spot s, int round, int next,
                                    const otok_routing &r)
{
    const uint32_t *area = otok_naturals(&v, OTOK_RIVER_AREA);
    for (ptrdiff_t at = s.j * v.pitch + s.i; at >= 0;) {
        ptrdiff_t up = -1;
        for (int q = 0; q < OTOK_WAYS; q++) {
            const ptrdiff_t from = otok_way_to(&v, s, q, r.wraps);
            if (from < 0 || otok_way_of(&v, from) != OTOK_WAYS - 1 - q) continue;
            otok_cell_incise(&v, from, at, r.sea);
            if (area[from] == 1) continue;
            const bool larger = up < 0 || area[from] > area[up];
            const ptrdiff_t waits = larger ? up : from;
            if (larger) up = from;
            if (waits >= 0)
                *queue_of(v, next + atomicAdd(rounds_of(v) + round + 1, 1)) = (int)waits;
        }
        at = up;
        if (up >= 0) s = otok_spot_of(&v, up);
    }
}

static __device__ inline void cut_none(const otok_view &v, int)
{
    if (blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.x == 0 && threadIdx.y == 0)
        for (int n = 0; n <= OTOK_ROUNDS + 1; n++)
            rounds_of(v)[n] = 0;
}

/* Round 0: from the cells that drain nowhere. */
static __device__ inline void cut_first(const otok_view &v, int rows, otok_incision_coefficients k)
{
    const otok_routing r = routing_of(v, rows, k);
    walk(v, [&](otok_spot s, ptrdiff_t at) {
        if (otok_is_wall(&v, at) || otok_way_of(&v, at) != OTOK_NO_WAY) return;
        otok_cell_incise(&v, at, -1, r.sea);
        climb(v, s, 0, 0, r);
    });
}

static __device__ inline void cut_next(const otok_view &v, int rows, otok_incision_coefficients k)
{
    const int round = rows >> ROUND_SHIFT, n = rounds_of(v)[round];
    if (!n) return;
    const int first = first_of(v, round);
    const otok_routing r = routing_of(v, rows, k);
    walk(v, [&](otok_spot s, ptrdiff_t) {
        const int turn = s.j * v.nx + s.i;
        if (turn < n) climb(v, otok_spot_of(&v, *queue_of(v, first + turn)), round, first + n, r);
    });
}

/* ---- launches ---- */

typedef struct launches {
    otok_launch l;
    int wraps, rounds;
    cudaError_t error;
} launches;

/* The bodies look at walls themselves. A round at least halves what it works on. */
static launches begin(const otok_launch *launch)
{
    const otok_view *v = &launch->patch->view;
    launches all = {*launch, otok_wraps_of(launch->patch->edges), 1, cudaSuccess};
    all.l.walled = NULL;
    while (all.rounds < OTOK_ROUNDS - 1 && (int64_t)v->nx * v->ny >> all.rounds)
        all.rounds++;
    return all;
}

template <auto BODY, typename... PARTS> static void start(launches *all, int round)
{
    if (all->error != cudaSuccess) return;
    all->l.rows = all->wraps | round << ROUND_SHIFT;
    all->error = otok_start<BODY, PARTS...>(&all->l);
}

static void join_basins(launches *all)
{
    typedef otok_incision_coefficients part;
    start<join, part>(all, 0);
    start<shorten_ways>(all, 0);
    start<find>(all, 0);
    for (int round = 1; round <= all->rounds; round++) {
        start<lower, part>(all, round);
        start<choose, part>(all, round);
        start<hook, part>(all, round);
        start<follow>(all, round);
        start<shorten>(all, round);
    }
    start<lower_pits>(all, 0);
    start<choose_pits, part>(all, 0);
    start<end_closed, part>(all, 0);
    for (int round = all->rounds; round > 0; round--)
        start<turn>(all, round);
    start<carve>(all, 0);
}

static cudaError_t route(const otok_launch *launch)
{
    launches all = begin(launch);
    start<drain, otok_incision_coefficients>(&all, 0);
    join_basins(&all);
    start<count_none>(&all, 0);
    start<count_donors>(&all, 0);
    start<mark_heads>(&all, 0);
    start<add_areas>(&all, 0);
    start<clear>(&all, 0);
    start<clear_cuts>(&all, 0);
    return all.error;
}

static cudaError_t cut(const otok_launch *launch)
{
    launches all = begin(launch);
    start<cut_none>(&all, 0);
    start<cut_first, otok_incision_coefficients>(&all, 0);
    for (int round = 1; round <= all.rounds; round++)
        start<cut_next, otok_incision_coefficients>(&all, round);
    start<clear>(&all, 0);
    return all.error;
}

otok_launcher *const otok_cuda_routing = route;
otok_launcher *const otok_cuda_river_cuts = cut;
