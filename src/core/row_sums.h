/* row_sums.h: sums and maxima over a row of values, in loops that the compiler vectorises. For
   diagnostics_rows.c alone. They are not `inline`: with it gcc copies them into every caller, and
   the object grows from 26,260 to 37,720 bytes. */
#ifndef OTOK_ROW_SUMS_H
#define OTOK_ROW_SUMS_H

#include "backend.h"

/* ---- sums ---- */

static void add(int64_t *sum, int64_t hi, int64_t lo)
{
    sum[0] += hi;
    sum[1] += lo;
}

static void add_row(int64_t *sum, const float *row, int nx)
{
    int64_t hi = 0, lo = 0;
#pragma omp simd reduction(+ : hi, lo)
    for (int i = 0; i < nx; i++) {
        const otok_fixed f = otok_fixed_from(row[i]);
        hi += f.hi;
        lo += f.lo;
    }
    add(sum, hi, lo);
}

static void add_stock(otok_sum *sum, const float *row, int nx)
{
    int64_t both[2] = {0, 0};
    if (row) add_row(both, row, nx);
    sum->hi += both[0];
    sum->lo += both[1];
}

static int64_t count(const float *flags, int nx)
{
    float n = 0;
#pragma omp simd reduction(+ : n)
    for (int i = 0; i < nx; i++)
        n += flags[i]; /* this is exact, because rows are shorter than 2^24 */
    return (int64_t)n;
}

/* ---- maxima ---- */

/* The greatest absolute value; NaN is skipped. */
static float greatest(const float *row, int nx)
{
    float most = 0;
#pragma omp simd reduction(max : most)
    for (int i = 0; i < nx; i++)
        most = row[i] > most ? row[i] : most;
    return most > 0 ? most : 0; /* never -0 */
}

/* Keeps the key of the first largest value if it exceeds those of the rows before. */
static void note_greatest(otok_diagnostics *diagnostics, int which, const float *row, int nx,
                          uint32_t cell)
{
    const float most = greatest(row, nx);
    if (!(most > 0) || otok_bits(most) <= diagnostics->most[which] >> 32) return;
    int i = 0;
    while (row[i] != most)
        i++;
    otok_diagnostics_most(diagnostics, which,
                          otok_diagnostics_key(otok_bits(most), cell + (uint32_t)i));
}

/* Lowest, highest and largest ground without NaN. Floats are compared as integers of the same
   order, see otok_diagnostics_ordered. */
static void note_heights(otok_diagnostics *diagnostics, const float *h, int nx)
{
    uint32_t lowest = 0, highest = 0, largest = 0;
#pragma omp simd reduction(max : lowest, highest, largest)
    for (int i = 0; i < nx; i++) {
        const uint32_t bits = otok_bits(h[i]), size = bits & 0x7fffffffu;
        const uint32_t is = 0u - (uint32_t)(size <= 0x7f800000u), negative = 0u - (bits >> 31);
        const uint32_t up = (bits ^ (negative | 0x80000000u)) & is,
                       down = (bits ^ (~negative | 0x80000000u) ^ 0x80000000u) & is;
        const uint32_t large = size & is;
        highest = up > highest ? up : highest;
        lowest = down > lowest ? down : lowest;
        largest = large > largest ? large : largest;
    }
    otok_diagnostics_most(diagnostics, OTOK_DIAGNOSTICS_LOWEST, lowest);
    otok_diagnostics_most(diagnostics, OTOK_DIAGNOSTICS_HIGHEST, highest);
    otok_diagnostics_most(diagnostics, OTOK_DIAGNOSTICS_LARGEST, largest);
}

#endif
