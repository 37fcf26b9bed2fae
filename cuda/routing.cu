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

/* The part of a cell, which in the first round is its basin. */
static __device__ inline int part_of(const otok_view &v, int round, ptrdiff_t at)
{
    return round == 1 ? otok_numbers(&v, OTOK_RIVER_BASIN)[at] : otok_part_of(&v, at);
}

/* The lowest pass of a cell to another part, and its way; UINT64_MAX: it has none. */
static __device__ inline uint64_t lowest_pass(const otok_view &v, int round, otok_routing r,
                                              otok_spot s, int part, int *way)
{
    uint64_t least = UINT64_MAX;
    for (int q = 0; q < OTOK_WAYS; q++) {
        const ptrdiff_t to = otok_way_to(&v, s, q, r.wraps);
        if (to < 0 || part_of(v, round, to) == part ||
            otok_pass_order(&v, s.j * v.pitch + s.i, to, r.sea) > least >> 32)
            continue;
        const uint64_t key = otok_pass_key(&v, s, q, to, r);
        *way = key < least ? q : *way;
        least = key < least ? key : least;
    }
    return least;
}

/* Reads first: others may have written less. */
static __device__ inline void lower(const otok_view &v, int part, uint64_t key)
{
    uint64_t *lowest = otok_lowest_of(&v, part - 1);
    if (key < *(volatile uint64_t *)lowest)
        atomicMin((unsigned long long *)lowest, (unsigned long long)key);
}

/* The rim has, of each tile, the lowest pass of each pair of basins, or, where there are too many
   of them, the lowest pass of each cell. What a pass of a cell or a pair is, it stays until both
   sides are of one part, for fewer passes are left then, and no new ones. A number of the rim is
   the exit of a cell, or that of the face of a pair, with its way less 4, and PAIR. */
enum { PROBES = 32, PAIR = 8 };

static __device__ inline int look_around(const otok_view &v, int round, otok_routing r, otok_spot s,
                                         int *rim)
{
    const ptrdiff_t at = s.j * v.pitch + s.i;
    const int part = otok_is_wall(&v, at) ? 0 : part_of(v, round, at);
    int way = 0;
    const uint64_t key = part ? lowest_pass(v, round, r, s, part, &way) : UINT64_MAX;
    if (key < UINT64_MAX) lower(v, part, key);
    *rim = (int)otok_exit_of(&v, s, way);
    return key < UINT64_MAX;
}

/* Notes a pass between two basins in a table of so many slots. 0: there is no room. */
static __device__ inline int note_pass(unsigned long long *pairs, unsigned long long *keys,
                                       unsigned slots, int a, int b, unsigned long long key)
{
    const unsigned long long pair =
        a < b ? (unsigned long long)a << 32 | b : (unsigned long long)b << 32 | a;
    const uint32_t mixed = otok_mixed((uint32_t)pair ^ (uint32_t)(pair >> 32) * 0x9e3779b9u);
    unsigned slot = (unsigned)((uint64_t)mixed * slots >> 32);
    for (int probe = 0; probe < PROBES; probe++, slot = slot + 1 < slots ? slot + 1 : 0) {
        const unsigned long long was = atomicCAS(pairs + slot, 0ull, pair);
        if (was && was != pair) continue;
        if (key < keys[slot]) atomicMin(keys + slot, key);
        return 1;
    }
    return 0;
}

static __device__ inline void look_everywhere(const otok_view &v, int rows,
                                              otok_incision_coefficients k)
{
    __shared__ unsigned long long pairs[OTOK_RIVER_CELLS], keys[OTOK_RIVER_CELLS];
    const otok_routing r = routing_of(v, rows, k);
    if (!rounds_of(v)[0]) return;
    walk_tiles(v, [&](otok_tile t) {
        const int slots = t.nx * t.ny; /* no more numbers than cells */
        int rim[CELLS], n = 0, full = 0;
        for (int slot = thread_of(); slot < slots; slot += BLOCK) {
            pairs[slot] = 0;
            keys[slot] = UINT64_MAX;
        }
        __syncthreads();
        walk_cells(t, [&](int, int, otok_spot s) {
            const ptrdiff_t at = s.j * v.pitch + s.i;
            const int part = part_of(v, 1, at);
            for (int q = 0; q < OTOK_WAYS && !otok_is_wall(&v, at); q++) {
                if (q < 4 && otok_tile_has(t, s.i + otok_way_x(q), s.j + otok_way_y(q))) continue;
                const ptrdiff_t to = otok_way_to(&v, s, q, r.wraps);
                const int other = to < 0 ? part : part_of(v, 1, to);
                if (other != part)
                    full |= !note_pass(pairs, keys, (unsigned)slots, part, other,
                                       otok_pass_key(&v, s, q, to, r));
            }
        });
        if (__syncthreads_or(full))
            walk_cells(t, [&](int, int, otok_spot s) { n += look_around(v, 1, r, s, rim + n); });
        else
            for (int slot = thread_of(); slot < slots; slot += BLOCK) {
                if (!pairs[slot]) continue;
                const uint32_t face = otok_unmixed((uint32_t)keys[slot]) ^ r.draw;
                if (pairs[slot] >> 32) lower(v, (int)(pairs[slot] >> 32), keys[slot]);
                lower(v, (int)(uint32_t)pairs[slot], keys[slot]);
                rim[n++] = (int)(face / 4 * 16 + PAIR + face % 4);
            }
        append(rim_of(v, 1), lengths_of(v) + 1, rim, n);
    });
}

/* A pass of the rim. 1: it stays, or another one of the cell. */
static __device__ inline int look_again(const otok_view &v, int round, otok_routing r, int *rim)
{
    const otok_spot s = otok_spot_in(&v, (uint32_t)*rim / 16);
    const int is_pair = *rim & PAIR, way = is_pair ? 4 + (*rim & 3) : *rim & 15;
    const ptrdiff_t to = otok_way_to(&v, s, way, r.wraps);
    const int part = part_of(v, round, s.j * v.pitch + s.i), other = part_of(v, round, to);
    if (part == other) return is_pair ? 0 : look_around(v, round, r, s, rim);
    const uint64_t key = otok_pass_key(&v, s, way, to, r);
    if (part) lower(v, part, key);
    if (is_pair && other) lower(v, other, key);
    return is_pair || part;
}

static __device__ inline void look_along_rim(const otok_view &v, int rows,
                                             otok_incision_coefficients k)
{
    const otok_routing r = routing_of(v, rows, k);
    const int round = rows >> ROUND_SHIFT;
    if (!rounds_of(v)[round - 1]) return;
    walk_list(rim_of(v, round - 1), lengths_of(v)[round - 1], [&](int rim) {
        const int n = rim != -1 && look_again(v, round, r, &rim);
        append(rim_of(v, round), lengths_of(v) + round, &rim, n);
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

OTOK_ORDER template <typename RUN>
static __host__ __device__ inline void join_basins(RUN &run, bool lakes)
{
    typedef otok_incision_coefficients part;
    int last = 0;
    run.template by_tiles<find_in_tiles, part>();
    run.template by_tiles<find_behind>();
    run.template by_tiles<find_by_gates>();
    run.template by_tiles<list_pits>();
    run.template by_lists<begin_pits>();
    run.template by_tiles<number_basins>();
    run.template by_tiles<look_everywhere, part>();
    for (int round = 1; round <= run.rounds && !run.has_ended(round - 1); last = round++) {
        if (round > 1) run.template by_lists<look_along_rim, part>(round);
        run.template by_lists<hook, part>(round);
        run.template by_lists<join>(round);
    }
    run.template by_lists<lower_pits, part>();
    run.template by_lists<end_closed, part>();
    for (; last > 0; last--)
        run.template by_lists<turn>(last);
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
