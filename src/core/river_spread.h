/* river_spread.h: drained area by multiple flow directions (Freeman 1991; Quinn et al. 1991): a
   cell passes what drains through it to all lower neighbours, as slope^p. The receivers, which
   rivers cut along, stay one a cell. Nothing goes in a circle: within a basin (routing.h, before
   basins are joined) area goes down, and from the pit along the way that was turned round; from
   basin to basin it goes where that way leads, or into the part that drains outside by itself. Sums
   are integers and shares whole 2^-24 of them, so the order of cells does not show. */
#ifndef OTOK_RIVER_SPREAD_H
#define OTOK_RIVER_SPREAD_H

#include "river_sums.h"

/* At the end of routing, for RIVER_AREA: a bit for each way that area goes. */
OTOK_FN uint32_t otok_spread_ways(const otok_view *v, otok_spot s, otok_routing r)
{
    const ptrdiff_t at = s.j * v->pitch + s.i;
    const int way = otok_way_of(v, at), *basins = otok_numbers(v, OTOK_RIVER_BASIN);
    const float h = otok_river_ground(v, at);
    uint32_t ways = 0;
    if (way == OTOK_NO_WAY) return 0;
    const ptrdiff_t next = otok_way_to(v, s, way, r.wraps);
    if (!(otok_river_height(v, next, r.sea) < h) || basins[next] != basins[at]) return 1u << way;
    for (int q = 0; q < OTOK_WAYS; q++) {
        const ptrdiff_t to = otok_way_to(v, s, q, r.wraps);
        if (to >= 0 && otok_river_height(v, to, r.sea) < h &&
            (basins[to] == basins[at] || !basins[to]))
            ways |= 1u << q;
    }
    return ways;
}

typedef struct otok_spread {
    uint32_t ways;
    uint64_t parts[OTOK_WAYS];
} otok_spread;

/* The ways that area goes from a cell; p: 0, to its receiver. */
OTOK_FN uint32_t otok_ways_from(const otok_view *v, ptrdiff_t at, float p)
{
    const int way = otok_way_of(v, at);
    if (p > 0.0f) return otok_naturals(v, OTOK_RIVER_AREA)[at];
    return way == OTOK_NO_WAY ? 0 : 1u << way;
}

/* What of a sum goes each way; what shares leave goes to the receiver. */
OTOK_FN otok_spread otok_spread_of(const otok_view *v, ptrdiff_t at, uint64_t sum, otok_routing r,
                                   float p)
{
    const otok_spot s = otok_spot_of(v, at);
    const float h = otok_river_ground(v, at);
    otok_spread out = {otok_ways_from(v, at, p), {0}};
    float shares[OTOK_WAYS], most = 0.0f, all = 0.0f;
    uint64_t rest = sum;
    const int way = otok_way_of(v, at);
    if (way == OTOK_NO_WAY) return out;
    if (!(p > 0.0f)) {
        out.parts[way] = sum;
        return out;
    }
    for (int q = 0; q < OTOK_WAYS; q++) {
        shares[q] = out.ways >> q & 1
                        ? (h - otok_river_height(v, otok_way_to(v, s, q, r.wraps), r.sea)) *
                              otok_way_slope(q)
                        : 0.0f;
        most = shares[q] > most ? shares[q] : most;
    }
    for (int q = 0; q < OTOK_WAYS; q++) {
        shares[q] = shares[q] > 0.0f ? otok_powf(shares[q] / most, p) : 0.0f;
        all += shares[q];
    }
    for (int q = 0; q < OTOK_WAYS; q++) {
        const uint64_t share = all > 0.0f ? (uint64_t)(shares[q] / all * 0x1p24f) : 0,
                       part = (sum >> 24) * share + ((sum & 0xffffff) * share >> 24);
        out.parts[q] = part < rest ? part : rest;
        rest -= out.parts[q];
    }
    out.parts[way] += rest;
    return out;
}

/* After otok_gather_begin of all cells: those to which this one will give wait for it. */
OTOK_FN void otok_givers_count(const otok_view *v, otok_spot s, otok_routing r, float p)
{
    const ptrdiff_t at = s.j * v->pitch + s.i;
    const uint32_t ways = otok_ways_from(v, at, p);
    otok_numbers(v, OTOK_RIVER_HOOK)[at] = 0;
    for (int q = 0; ways >> q; q++)
        if (ways >> q & 1) otok_atomic_add(otok_givers_of(v, otok_way_to(v, s, q, r.wraps)), 1);
}

/* From each cell down, if it is the last to give to itself. Who gives last to a cell goes on there,
   with those that wait in a list of its own: places + 1 in RIVER_HOOK. */
OTOK_FN void otok_gather_down(const otok_view *v, ptrdiff_t at, otok_routing r, float p)
{
    int *after = otok_numbers(v, OTOK_RIVER_HOOK);
    int first = otok_atomic_add(otok_givers_of(v, at), ~0u) == 1 ? (int)at + 1 : 0;
    otok_fence();
    while (first) {
        const ptrdiff_t from = first - 1;
        const otok_spread parts = otok_spread_of(v, from, otok_gathered(v, from), r, p);
        first = after[from];
        for (int q = 0; parts.ways >> q; q++) {
            if (!(parts.ways >> q & 1)) continue;
            const ptrdiff_t to = otok_way_to(v, otok_spot_of(v, from), q, r.wraps);
            otok_gather(v, to, parts.parts[q]);
            otok_fence();
            if (otok_atomic_add(otok_givers_of(v, to), ~0u) != 1) continue;
            otok_fence();
            after[to] = first;
            first = (int)to + 1;
        }
    }
}

#endif
