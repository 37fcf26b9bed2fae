/* river_sums.h: sums along rivers of what is no whole number, such as rain: in integers of 64 bits,
   so that the order does not show. A cell has one in two buffers. */
#ifndef OTOK_RIVER_SUMS_H
#define OTOK_RIVER_SUMS_H

#include "atomics.h"
#include "river_tiles.h"

OTOK_FN uint64_t otok_wide_get(const otok_view *v, int low, int high, ptrdiff_t at)
{
    return (uint64_t)otok_naturals(v, high)[at] << 32 | otok_naturals(v, low)[at];
}

OTOK_FN void otok_wide_put(const otok_view *v, int low, int high, ptrdiff_t at, uint64_t sum)
{
    otok_naturals(v, low)[at] = (uint32_t)sum;
    otok_naturals(v, high)[at] = (uint32_t)(sum >> 32);
}

/* Adds to such a sum while others do; the words are those of one. */
OTOK_FN void otok_wide_add(uint32_t *low, uint32_t *high, uint64_t more)
{
    const uint32_t last = (uint32_t)more, was = otok_atomic_add(low, last);
    otok_atomic_add(high, (uint32_t)(more >> 32) + (was + last < was));
}

/* What a cell, or a gate, has gathered, in RIVER_LOW and RIVER_ROUND, while others give to it. */
OTOK_FN uint64_t otok_gathered(const otok_view *v, ptrdiff_t at)
{
    const volatile uint32_t *low = otok_naturals(v, OTOK_RIVER_LOW),
                            *high = otok_naturals(v, OTOK_RIVER_ROUND);
    return (uint64_t)high[at] << 32 | low[at];
}

OTOK_FN void otok_gather(const otok_view *v, ptrdiff_t at, uint64_t more)
{
    otok_wide_add(otok_naturals(v, OTOK_RIVER_LOW) + at, otok_naturals(v, OTOK_RIVER_ROUND) + at,
                  more);
}

/* How many have not given to it yet, itself among them. */
OTOK_FN uint32_t *otok_givers_of(const otok_view *v, ptrdiff_t at)
{
    return otok_naturals(v, OTOK_RIVER_PASS) + at;
}

OTOK_FN void otok_gather_begin(const otok_view *v, ptrdiff_t at, uint64_t own)
{
    otok_wide_put(v, OTOK_RIVER_LOW, OTOK_RIVER_ROUND, at, own);
    *otok_givers_of(v, at) = 1;
}

/* The rain of a cell in 2^-16 of the rain for which K holds, and the areas that enter there; the
   sum over 2^28 cells fits. The sum of ones becomes the number of cells, in all its bits. */
OTOK_FN uint64_t otok_rain_units(const otok_view *v, ptrdiff_t at, otok_incision_coefficients k)
{
    const float rain =
        k.rains ? otok_smaller(otok_positive(v->at[OTOK_MAP_RAIN][at]), OTOK_RAIN_MOST) : 1.0f;
    uint64_t units = (uint64_t)floorf(fmaf(rain, 0x1p16f, 0.5f));
    for (int n = 0; n < k.ninflows; n++) {
        const otok_spot s = otok_spot_of(v, at);
        if (v->x0 + s.i == k.inflows[n].i && otok_row_of(v, s.j) == k.inflows[n].j)
            units += k.inflows[n].units;
    }
    return otok_is_wall(v, at) ? 0 : units;
}

OTOK_FN float otok_rain_of(uint64_t units)
{
    return (float)units * 0x1p-16f;
}

#endif
