/* routing.cu: where each cell drains, and how many cells drain through it; see core/routing.h. */
#include "core/river_spread.h"
#include "river_areas.cuh"
#include "river_passes.cuh"

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
        follow_to_ends(up);
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
static __device__ inline void lower_pits(const otok_view &v, int rows, otok_incision_coefficients k)
{
    const otok_routing r = routing_of(v, rows, k);
    walk_pits(v, 0, [&](ptrdiff_t pit) {
        const int part = otok_numbers(&v, OTOK_RIVER_PART)[pit];
        if (part) lower(v, part, otok_pit_order(&v, pits_of(v)[pit], r.draw));
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

/* The first rounds have long lists; there is a launch for each of their bodies. */
enum { LONG_ROUNDS = 3 };

/* The round after the last one. */
OTOK_ORDER template <typename RUN>
static __host__ __device__ inline int join_in_rounds(RUN &run, int round, int upto)
{
    typedef otok_incision_coefficients part;
    for (; round <= upto && !run.has_ended(round - 1); round++) {
        if (round > 1) run.template by_lists<look_along_rim, part>(round);
        run.template by_lists<hook, part>(round);
        run.template by_lists<join>(round);
    }
    return round;
}

OTOK_ORDER template <typename RUN>
static __host__ __device__ inline void turn_back(RUN &run, int after, int downto)
{
    while (after-- > downto)
        run.template by_lists<turn>(after);
}

struct late_rounds {
    OTOK_ORDER template <typename RUN> static __host__ __device__ void go(RUN &run)
    {
        typedef otok_incision_coefficients part;
        const int after = join_in_rounds(run, LONG_ROUNDS + 1, run.rounds);
        run.template by_lists<lower_pits, part>();
        run.template by_lists<end_closed, part>();
        turn_back(run, after, LONG_ROUNDS + 1);
    }
};

OTOK_ORDER template <typename RUN>
static __host__ __device__ inline void join_basins(RUN &run, bool lakes)
{
    typedef otok_incision_coefficients part;
    run.template by_tiles<find_in_tiles, part>();
    run.template by_tiles<find_behind>();
    run.template by_tiles<find_by_gates>();
    run.template by_tiles<list_pits>();
    run.template by_lists<begin_pits>();
    run.template by_tiles<number_basins>();
    run.template by_tiles<look_everywhere, part>();
    join_in_rounds(run, 1, LONG_ROUNDS);
    run.template together<late_rounds>();
    turn_back(run, LONG_ROUNDS + 1, 1);
    if (lakes) run.template by_lists<begin_lakes, part>();
    if (lakes) run.template by_lists<find_lakes>();
    if (lakes) run.template by_tiles<put_lakes>();
    run.template by_lists<carve>();
}

template <bool LAKES> struct routing {
    enum { SIDES = OTOK_PERIODIC };
    OTOK_ORDER template <typename RUN> static __host__ __device__ void go(RUN &run)
    {
        typedef otok_incision_coefficients part;
        run.template by_tiles<drain, part>();
        join_basins(run, LAKES);
        add_areas<cells>(run);
        if (!run.same() || run.same()->spread > 0.0f) run.template by_tiles<mark_ways, part>();
        run.template by_tiles<clear<true>>();
    }
};

struct flows {
    enum { SIDES = OTOK_PERIODIC };
    OTOK_ORDER template <typename RUN> static __host__ __device__ void go(RUN &run)
    {
        add_areas<rain>(run);
        run.template by_tiles<clear<false>>();
    }
};

otok_launcher *const otok_cuda_routing = go<routing<false>>,
                     *const otok_cuda_routing_lakes = go<routing<true>>,
                     *const otok_cuda_river_flows = go<flows>;
