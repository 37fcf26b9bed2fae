/* routing.cu: where each cell drains, and how many cells drain through it; see core/routing.h. */
#include "core/river_spread.h"
#include "river_areas.cuh"

/* ---- basins ---- */

static __device__ inline void drain(const otok_view &v, int rows, otok_incision_coefficients k)
{
    const otok_routing r = routing_of(v, rows, k);
    walk(v, [&](otok_spot s, ptrdiff_t at) {
        if (!otok_is_wall(&v, at)) otok_way_put(&v, at, otok_first_way(&v, s, r));
        if (at == 0) clear_rounds(v);
    });
}

/* The basin of each cell, or -1 - the gate by which its river leaves the tile. */
static __device__ inline void find_in_tiles(const otok_view &v, int rows,
                                            otok_incision_coefficients k)
{
    __shared__ short up[OTOK_RIVER_CELLS];
    const otok_routing r = routing_of(v, rows, k);
    walk_tiles(v, [&](otok_tile t) {
        begin_ways(v, t, up);
        __syncthreads();
        follow(
            up, [](int, int, int) {}, [](int, int, int) {});
        walk_cells(t, [&](int, int n, otok_spot s) {
            const int last = ~up[n], gate = otok_gate_after(&v, t, last);
            const int basin = gate ? -gate : otok_first_basin(&v, otok_tile_spot(t, last), r);
            otok_numbers(&v, OTOK_RIVER_BASIN)[s.j * v.pitch + s.i] = basin;
            if (otok_is_gate(t, s)) otok_numbers(&v, OTOK_RIVER_HOOK)[otok_gate_of(&v, s)] = basin;
        });
    });
}

/* A gate where a river leaves has the basin of the cell behind it. */
static __device__ inline void find_behind(const otok_view &v, int)
{
    const int *basins = otok_numbers(&v, OTOK_RIVER_HOOK);
    walk_gates(v, [&](otok_tile t, int n, ptrdiff_t at) {
        otok_spot to;
        if (otok_gate_leaves(&v, t, otok_gate_spot(t, n), &to))
            otok_numbers(&v, OTOK_RIVER_OVER)[at] = basins[otok_gate_of(&v, to)];
    });
}

/* From gate to gate, over ways that others have made shorter. */
static __device__ inline void find_by_gates(const otok_view &v, int)
{
    volatile int *basins = otok_numbers(&v, OTOK_RIVER_OVER);
    walk_gates(v, [&](otok_tile t, int n, ptrdiff_t at) {
        otok_spot to;
        if (!otok_gate_leaves(&v, t, otok_gate_spot(t, n), &to)) return;
        int basin = basins[at];
        while (basin < 0)
            basins[at] = basin = basins[-basin - 1];
    });
}

/* Numbers the pits. */
static __device__ inline void list_pits(const otok_view &v, int)
{
    int *basins = otok_numbers(&v, OTOK_RIVER_BASIN);
    const int *behind = otok_numbers(&v, OTOK_RIVER_OVER);
    walk_tiles(v, [&](otok_tile t) {
        int pits[CELLS], n = 0;
        walk_cells(t, [&](int, int, otok_spot s) {
            const int at = (int)(s.j * v.pitch + s.i), basin = basins[at];
            if (basin < 0) basins[at] = behind[-basin - 1];
            if (basin == at + 1) pits[n++] = at;
        });
        const int first = append(pits_of(v), lengths_of(v), pits, n);
        for (int q = 0; q < n; q++)
            numbers_of(v)[pits[q]] = first + q + 1;
        if (n) note(rounds_of(v));
    });
}

/* Basins get the numbers of their pits. */
static __device__ inline void number_basins(const otok_view &v, int)
{
    int *basins = otok_numbers(&v, OTOK_RIVER_BASIN);
    if (!rounds_of(v)[0]) return;
    walk(v, [&](otok_spot, ptrdiff_t at) {
        const int basin = basins[at];
        if (basin) basins[at] = numbers_of(v)[basin - 1];
    });
}

/* ---- the tree of basins ---- */

/* Calls `pit` with the number of each pit, from 0 on, if a round did something. */
template <typename PIT>
static __device__ inline void walk_pits(const otok_view &v, int round, PIT pit)
{
    if (!rounds_of(v)[round]) return;
    for (int n = (int)blockIdx.x * BLOCK + thread_of(); n < lengths_of(v)[0];
         n += (int)gridDim.x * BLOCK)
        pit((ptrdiff_t)n);
}

static __device__ inline void begin_pits(const otok_view &v, int)
{
    walk_pits(v, 0, [&](ptrdiff_t pit) { otok_pit_begin(&v, pit); });
}

/* The part of a cell, which in the first round is its basin. */
static __device__ inline int part_of(const otok_view &v, int round, ptrdiff_t at)
{
    return round == 1 ? otok_numbers(&v, OTOK_RIVER_BASIN)[at] : otok_part_of(&v, at);
}

/* Calls `pass` with the way and the end of each pass of a cell to another part. */
template <typename PASS>
static __device__ inline void walk_passes(const otok_view &v, int round, otok_routing r,
                                          otok_spot s, int part, PASS pass)
{
    for (int q = 0; part && q < OTOK_WAYS; q++) {
        const ptrdiff_t to = otok_way_to(&v, s, q, r.wraps);
        if (to >= 0 && part_of(v, round, to) != part) pass(q, to);
    }
}

static __device__ inline void lowest(uint32_t *least, uint32_t value)
{
    if (value < *(volatile uint32_t *)least) atomicMin(least, value);
}

/* Lowers the lowest pass of the part of a cell; 1: it has one to another part. */
static __device__ inline int look_around(const otok_view &v, int round, otok_routing r, otok_spot s)
{
    const ptrdiff_t at = s.j * v.pitch + s.i;
    const int part = part_of(v, round, at);
    uint32_t least = UINT32_MAX;
    walk_passes(v, round, r, s, part, [&](int, ptrdiff_t to) {
        const uint32_t order = otok_pass_order(&v, at, to, r.sea);
        least = order < least ? order : least;
    });
    if (least < UINT32_MAX) lowest(otok_naturals(&v, OTOK_RIVER_LOW) + part - 1, least);
    return least < UINT32_MAX;
}

static __device__ inline void look_everywhere(const otok_view &v, int rows,
                                              otok_incision_coefficients k)
{
    const otok_routing r = routing_of(v, rows, k);
    if (!rounds_of(v)[0]) return;
    walk_tiles(v, [&](otok_tile t) {
        int rim[CELLS], n = 0;
        walk_cells(t, [&](int, int, otok_spot s) {
            const int at = (int)(s.j * v.pitch + s.i);
            if (!otok_is_wall(&v, at) && look_around(v, 1, r, s)) rim[n++] = at;
        });
        append(rim_of(v, 1), lengths_of(v) + 1, rim, n);
    });
}

static __device__ inline void look_along_rim(const otok_view &v, int rows,
                                             otok_incision_coefficients k)
{
    const otok_routing r = routing_of(v, rows, k);
    const int round = rows >> ROUND_SHIFT;
    if (!rounds_of(v)[round - 1]) return;
    walk_list(rim_of(v, round - 1), lengths_of(v)[round - 1], [&](int at) {
        const int n = at >= 0 && look_around(v, round, r, otok_spot_of(&v, at));
        append(rim_of(v, round), lengths_of(v) + round, &at, n);
    });
}

static __device__ inline void choose(const otok_view &v, int rows, otok_incision_coefficients k)
{
    const otok_routing r = routing_of(v, rows, k);
    const int round = rows >> ROUND_SHIFT;
    if (!rounds_of(v)[round - 1]) return;
    walk_list(rim_of(v, round), lengths_of(v)[round], [&](int at) {
        if (at < 0) return;
        const otok_spot s = otok_spot_of(&v, at);
        const int part = part_of(v, round, at);
        const uint32_t low = otok_naturals(&v, OTOK_RIVER_LOW)[part - 1];
        uint32_t least = UINT32_MAX;
        if (otok_height_order(otok_river_height(&v, at, r.sea)) > low) return;
        walk_passes(v, round, r, s, part, [&](int q, ptrdiff_t to) {
            if (otok_pass_order(&v, at, to, r.sea) != low) return;
            const uint32_t pass = otok_pass_of(&v, s, q, to, r.draw);
            least = pass < least ? pass : least;
        });
        if (least < UINT32_MAX) lowest(otok_naturals(&v, OTOK_RIVER_PASS) + part - 1, least);
    });
}

static __device__ inline void hook(const otok_view &v, int rows, otok_incision_coefficients k)
{
    const otok_routing r = routing_of(v, rows, k);
    const int round = rows >> ROUND_SHIFT;
    walk_pits(v, round - 1, [&](ptrdiff_t pit) {
        if (otok_part_hook(&v, pit, round, r)) note(rounds_of(v) + round);
    });
}

static __device__ inline void join(const otok_view &v, int rows)
{
    const int round = rows >> ROUND_SHIFT;
    walk_pits(v, round - 1, [&](ptrdiff_t pit) { otok_part_join(&v, pit, round); });
}

/* Parts that nothing joins to the outside: their lowest pits. */
static __device__ inline void lower_pits(const otok_view &v, int)
{
    walk_pits(v, 0, [&](ptrdiff_t pit) {
        const int part = otok_numbers(&v, OTOK_RIVER_PART)[pit];
        if (part)
            lowest(otok_naturals(&v, OTOK_RIVER_LOW) + part - 1,
                   otok_height_order(otok_river_ground(&v, pits_of(v)[pit])));
    });
}

static __device__ inline void choose_pits(const otok_view &v, int rows,
                                          otok_incision_coefficients k)
{
    const otok_routing r = routing_of(v, rows, k);
    walk_pits(v, 0, [&](ptrdiff_t pit) {
        const int part = otok_numbers(&v, OTOK_RIVER_PART)[pit];
        if (part && otok_naturals(&v, OTOK_RIVER_LOW)[part - 1] ==
                        otok_height_order(otok_river_ground(&v, pits_of(v)[pit])))
            lowest(otok_naturals(&v, OTOK_RIVER_PASS) + part - 1,
                   otok_mixed(otok_cell_of(&v, otok_spot_of(&v, pits_of(v)[pit])) ^ r.draw));
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

/* Before ways turn round. The highest pass of a basin and the basin after that are found while
   others do the same: what is read first leads no further than what is read then is high. */
static __device__ inline void begin_lakes(const otok_view &v, int rows,
                                          otok_incision_coefficients k)
{
    const otok_routing r = routing_of(v, rows, k);
    walk_pits(v, 0, [&](ptrdiff_t pit) { otok_lake_begin(&v, pit, r); });
}

static __device__ inline void find_lakes(const otok_view &v, int)
{
    volatile int *next = otok_numbers(&v, OTOK_RIVER_HOOK);
    volatile uint32_t *high = otok_naturals(&v, OTOK_RIVER_LOW);
    walk_pits(v, 0, [&](ptrdiff_t pit) {
        for (int to; (to = next[pit]) > 0;) {
            const int after = next[to - 1];
            __threadfence();
            const uint32_t pass = high[to - 1];
            if (pass > high[pit]) high[pit] = pass;
            __threadfence();
            next[pit] = after;
        }
    });
}

static __device__ inline void put_lakes(const otok_view &v, int)
{
    walk(v, [&](otok_spot, ptrdiff_t at) { otok_lake_put(&v, at); });
}

/* Of the basins before they were joined. */
static __device__ inline void mark_ways(const otok_view &v, int rows, otok_incision_coefficients k)
{
    const otok_routing r = routing_of(v, rows, k);
    if (!(k.spread > 0.0f)) return;
    walk(v, [&](otok_spot s, ptrdiff_t at) {
        otok_naturals(&v, OTOK_RIVER_AREA)[at] = otok_spread_ways(&v, s, r);
    });
}

static void join_basins(launches *all, bool lakes)
{
    typedef otok_incision_coefficients part;
    start<find_in_tiles, part>(all, all->tiles, 0);
    start<find_behind>(all, all->tiles, 0);
    start<find_by_gates>(all, all->tiles, 0);
    start<list_pits>(all, all->tiles, 0);
    start<begin_pits>(all, all->list, 0);
    start<number_basins>(all, all->tiles, 0);
    start<look_everywhere, part>(all, all->tiles, 1);
    for (int round = 1; round <= all->rounds; round++) {
        if (round > 1) start<look_along_rim, part>(all, all->list, round);
        start<choose, part>(all, all->list, round);
        start<hook, part>(all, all->list, round);
        start<join>(all, all->list, round);
    }
    start<lower_pits>(all, all->list, 0);
    start<choose_pits, part>(all, all->list, 0);
    start<end_closed, part>(all, all->list, 0);
    for (int round = all->rounds; round > 0; round--)
        start<turn>(all, all->list, round);
    if (lakes) start<begin_lakes, part>(all, all->list, 0);
    if (lakes) start<find_lakes>(all, all->list, 0);
    if (lakes) start<put_lakes>(all, all->tiles, 0);
    start<carve>(all, all->list, 0);
}

template <bool LAKES> static cudaError_t route(const otok_launch *launch)
{
    launches all = begin(launch);
    start<drain, otok_incision_coefficients>(&all, all.tiles, 0);
    join_basins(&all, LAKES);
    add_areas<cells>(&all);
    if (launch->batch || launch->k->incision.spread > 0.0f)
        start<mark_ways, otok_incision_coefficients>(&all, all.tiles, 0);
    start<clear<true>>(&all, all.tiles, 0);
    return all.error;
}

otok_launcher *const otok_cuda_routing = route<false>, *const otok_cuda_routing_lakes = route<true>;

static cudaError_t flow(const otok_launch *launch)
{
    launches all = begin(launch);
    add_areas<rain>(&all);
    start<clear<false>>(&all, all.tiles, 0);
    return all.error;
}

otok_launcher *const otok_cuda_river_flows = flow;
