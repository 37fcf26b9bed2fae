/* routing.cu: where each cell drains, and how many cells drain through it; see core/routing.h. */
#include "core/river_spread.h"
#include "river_areas.cuh"
#include "river_passes.cuh"

/* ---- basins ---- */

static RIVER_CELLS(drain, {
    if (!otok_is_wall(&v, at)) otok_way_put(&v, at, otok_first_way(&v, s, r));
    if (at == 0) clear_rounds(v);
});

/* The basin of each cell, or -1 - the gate by which its river leaves the tile. */
static __device__ inline void find_in_tiles(const otok_view &v, int rows, law k)
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

/* A body that does so for the number `pit` of each pit, from 0 on, if that round did something. */
#define RIVER_PITS(name, WHICH, ...)                                                               \
    __device__ inline void name(const otok_view &v, int rows, law k)                               \
    {                                                                                              \
        const otok_routing r = routing_of(v, rows, k);                                             \
        const int round = rows >> ROUND_SHIFT, end = lengths_of(v)[0];                             \
        (void)r, (void)round;                                                                      \
        if (!rounds_of(v)[WHICH]) return;                                                          \
        for (ptrdiff_t pit = (int)blockIdx.x * BLOCK + thread_of(); pit < end;                     \
             pit += (int)gridDim.x * BLOCK) {                                                      \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
    }

static RIVER_PITS(begin_pits, 0, otok_pit_begin(&v, pit));

static RIVER_PITS(hook, round - 1, {
    if (otok_part_hook(&v, pit, round, r)) note(rounds_of(v) + round);
});

static RIVER_PITS(join, round - 1, otok_part_join(&v, pit, round));

/* Parts that nothing joins to the outside: their lowest pits. */
static RIVER_PITS(lower_pits, 0,
                  otok_pass_lower(&v, otok_numbers(&v, OTOK_RIVER_PART)[pit],
                                  otok_pit_order(&v, pits_of(v)[pit], r.draw)));

static RIVER_PITS(end_closed, 0, otok_part_end(&v, pit, r.draw));

static RIVER_PITS(turn, round, otok_part_turn(&v, pit, round, r.wraps));

static RIVER_PITS(carve, 0, otok_pit_carve(&v, pit, r.wraps));

static RIVER_PITS(begin_lakes, 0, otok_lake_begin(&v, pit, r));

static RIVER_PITS(find_lakes, 0, otok_lake_rise(&v, pit));

static RIVER_CELLS(put_lakes, otok_lake_put(&v, at));

/* Of the basins before they were joined. */
static RIVER_CELLS(mark_ways, {
    if (k.spread > 0.0f) otok_naturals(&v, OTOK_RIVER_AREA)[at] = otok_spread_ways(&v, s, r);
});

/* The first rounds have long lists; there is a launch for each of their bodies. */
enum { LONG_ROUNDS = 3 };

/* The round after the last one. */
OTOK_ORDER template <typename RUN>
static __host__ __device__ inline int join_in_rounds(RUN &run, int round, int upto)
{
    for (; round <= upto && !run.has_ended(round - 1); round++) {
        if (round > 1) run.template by_lists<look_along_rim, law>(round);
        run.template by_lists<hook, law>(round);
        run.template by_lists<join, law>(round);
    }
    return round;
}

OTOK_ORDER template <typename RUN>
static __host__ __device__ inline void turn_back(RUN &run, int after, int downto)
{
    while (after-- > downto)
        run.template by_lists<turn, law>(after);
}

struct late_rounds {
    OTOK_ORDER template <typename RUN> static __host__ __device__ void go(RUN &run)
    {
        const int after = join_in_rounds(run, LONG_ROUNDS + 1, run.rounds);
        run.template by_lists<lower_pits, law>();
        run.template by_lists<end_closed, law>();
        turn_back(run, after, LONG_ROUNDS + 1);
    }
};

OTOK_ORDER template <typename RUN>
static __host__ __device__ inline void join_basins(RUN &run, bool lakes)
{
    run.template by_tiles<find_in_tiles, law>();
    run.template by_tiles<find_behind>();
    run.template by_tiles<find_by_gates>();
    run.template by_tiles<list_pits>();
    run.template by_lists<begin_pits, law>();
    run.template by_tiles<number_basins>();
    run.template by_tiles<look_everywhere, law>();
    join_in_rounds(run, 1, LONG_ROUNDS);
    run.template together<late_rounds>();
    turn_back(run, LONG_ROUNDS + 1, 1);
    if (lakes) run.template by_lists<begin_lakes, law>();
    if (lakes) run.template by_lists<find_lakes, law>();
    if (lakes) run.template by_tiles<put_lakes, law>();
    run.template by_lists<carve, law>();
}

template <bool LAKES> struct routing {
    enum { SIDES = OTOK_PERIODIC };
    OTOK_ORDER template <typename RUN> static __host__ __device__ void go(RUN &run)
    {
        run.template by_tiles<drain, law>();
        join_basins(run, LAKES);
        add_areas<cells>(run);
        if (!run.same() || run.same()->spread > 0.0f) run.template by_tiles<mark_ways, law>();
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

/* ---- multiple flow directions ---- */

static RIVER_CELLS(begin_spread, otok_gather_begin(&v, at, otok_rain_units(&v, at, k)));

static RIVER_CELLS(count_givers, otok_givers_count(&v, s, r, k.spread));

static RIVER_CELLS(spread_down, otok_gather_down(&v, at, r, k.spread));

static RIVER_CELLS(end_spread, rain::end(v, at, otok_gathered(&v, at), k));

struct spreads {
    enum { SIDES = OTOK_PERIODIC };
    OTOK_ORDER template <typename RUN> static __host__ __device__ void go(RUN &run)
    {
        run.template by_tiles<begin_spread, law>();
        run.template by_tiles<count_givers, law>();
        run.template by_tiles<spread_down, law>();
        run.template by_tiles<end_spread, law>();
        run.template by_tiles<clear<false>>();
    }
};

otok_launcher *const otok_cuda_routing = go<routing<false>>,
                     *const otok_cuda_routing_lakes = go<routing<true>>,
                     *const otok_cuda_river_flows = go<flows>,
                     *const otok_cuda_river_spreads = go<spreads>;
