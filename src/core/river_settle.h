/* river_settle.h: rivers whose law is not linear in the heights: an exponent of the slope other
   than 1, a threshold, or deposition of what is cut upstream (Yuan et al. 2019), dh/dt = -max(0, K
   A^m S^n - c) + G/A * (eroded upstream). A step is implicit. In each round the law is replaced by
   its tangent at the slopes of the round before (Newton's method), and the sediment is that of the
   round before (Jacobi's); what is left is linear, as core/river_tiles.h solves it. For n >= 1 the
   law is convex and its matrix an M-matrix, so Newton's rounds come down to the solution from one
   side (Ortega & Rheinboldt 1970, 13.3.4). For n < 1 the tangent is that of the inverse law, drop =
   (cut / F)^(1/n), which is convex. Rounds end when all cells together change by less than 2^-10 of
   what all are cut or raised by: the error of a step of 1,000 years. */
#ifndef OTOK_RIVER_SETTLE_H
#define OTOK_RIVER_SETTLE_H

#include "river_sums.h"
#include "river_tiles.h"
#include "rivers.h"

enum { OTOK_SETTLE_ROUNDS = 24, OTOK_SETTLE_SHIFT = 10 };

/* Of rounds: F = K A^m dt / l^n in RIVER_FORCE, the change until now in CHANGE_NEXT, and in
   RIVER_LOAD what comes from upstream, in metres of a cell. */
OTOK_FN void otok_settle_begin(const otok_view *v, ptrdiff_t at)
{
    v->at[OTOK_RIVER_FORCE][at] = v->at[OTOK_RIVER_CUT][at];
    v->at[OTOK_CHANGE_NEXT][at] = v->at[OTOK_RIVER_LOAD][at] = 0.0f;
}

/* Metres in 2^-20 m, at most 2^14 m, so that the sum over 2^28 cells fits; NaN counts as 0. */
OTOK_FN int64_t otok_solid_units(float m)
{
    const float most = 16384.0f, size = m > -most ? otok_smaller(m, most) : -most;
    return m == m ? (int64_t)floorf(fmaf(size, 0x1p20f, 0.5f)) : 0;
}

/* What a cell gives to the rivers, and what it has from upstream of the sum at it. The outlet of a
   lake keeps what came to it in the round before. */
OTOK_FN uint64_t otok_load_units(const otok_view *v, ptrdiff_t at, int lakes)
{
    if (otok_is_wall(v, at)) return 0;
    return otok_is_outlet(v, otok_spot_of(v, at), lakes)
               ? (uint64_t)(int64_t)(v->at[OTOK_RIVER_LOAD][at] * -0x1p20f)
               : (uint64_t)otok_solid_units(-v->at[OTOK_CHANGE_NEXT][at]);
}

OTOK_FN void otok_load_put(const otok_view *v, ptrdiff_t at, uint64_t sum, int lakes)
{
    const float load = (float)(int64_t)(sum - otok_load_units(v, at, lakes)) * 0x1p-20f;
    v->at[OTOK_RIVER_LOAD][at] = lakes ? otok_positive(load) : load;
}

/* The law by its tangent: cut = slope * drop - less. */
typedef struct otok_tangent {
    float slope, less;
} otok_tangent;

/* Where the drop is `drop` and the law without its threshold has `cut`. */
OTOK_FN otok_tangent otok_tangent_at(float cut, float drop, otok_incision_coefficients k)
{
    const otok_tangent t = {otok_smaller(k.n * cut / drop, 0x1p100f),
                            fmaf(k.n - 1.0f, cut, k.threshold)};
    return t;
}

OTOK_FN float otok_law_at(float force, float drop, otok_incision_coefficients k)
{
    return drop > 0.0f ? otok_smaller(force * otok_powf(drop, k.n), 0x1p100f) : 0.0f;
}

/* For n >= 1, at the drop of the round before. For n < 1, where the cut of that round is that of
   the law, if a river that did not cut would be steep enough to do so: `alone` is its drop. */
OTOK_FN otok_tangent otok_tangent_of(float force, float drop, float alone, float cut,
                                     otok_incision_coefficients k)
{
    const int inverse = k.n < 1.0f;
    const float from = inverse ? alone : drop, law = otok_law_at(force, from, k),
                most = inverse && cut > 0.0f ? otok_smaller(cut, 0x1p100f) + k.threshold : law;
    const otok_tangent none = {0.0f, 0.0f};
    if (!(law > k.threshold)) return none;
    return otok_tangent_at(most, inverse && cut > 0.0f ? otok_powf(most / force, 1.0f / k.n) : from,
                           k);
}

OTOK_FN otok_incision_map otok_settle_map(const otok_view *v, otok_spot s, otok_routing r,
                                          otok_incision_coefficients k)
{
    const ptrdiff_t at = s.j * v->pitch + s.i;
    otok_spot to;
    if (!otok_cell_cuts(v, s, r.lakes, &to)) return otok_incision_still();
    const ptrdiff_t next = to.j * v->pitch + to.i;
    const float *moved = v->at[OTOK_CHANGE_NEXT];
    const float load = v->at[OTOK_RIVER_LOAD][at], area = otok_cell_area(v, at, k),
                lays = area > 0.0f ? k.deposition / area : 0.0f,
                drop = otok_river_ground(v, at) - otok_river_meets(v, next, r);
    otok_tangent t = otok_tangent_of(v->at[OTOK_RIVER_FORCE][at], drop + (moved[at] - moved[next]),
                                     drop + (lays * load / (1.0f + lays) - moved[next]),
                                     fmaf(lays, load - moved[at], -moved[at]), k);
    if (!(drop > 0.0f)) t.slope = t.less = 0.0f; /* as with n = 1 */
    const float all = 1.0f + t.slope + lays;
    const otok_incision_map m = {t.slope / all, (fmaf(lays, load, t.less) - t.slope * drop) / all};
    return m;
}

/* The change of a cell after a round, and by how much that is another one. */
OTOK_FN uint64_t otok_cell_settle(const otok_view *v, ptrdiff_t at, uint64_t *all)
{
    float *moved = v->at[OTOK_CHANGE_NEXT];
    const float now = otok_cell_change(v, at), more = now - moved[at];
    moved[at] = now;
    *all += (uint64_t)otok_solid_units(fabsf(now));
    return (uint64_t)otok_solid_units(fabsf(more));
}

OTOK_FN int otok_is_settled(uint64_t more, uint64_t all)
{
    return more <= all >> OTOK_SETTLE_SHIFT;
}

/* The last change of all cells as a sum. */
OTOK_FN otok_sum otok_settle_book(uint64_t more)
{
    const otok_sum s = {(int64_t)(more >> 12), (int64_t)(more & 4095) << 19};
    return s;
}

#endif
