/* neighbours.h: loads a cell and its neighbours from a buffer with ghost rings. `at` points to
   the cell, `pitch` is the step from row to row. The plain loops and the plain kernels use it.
   Nothing here depends on position. */
#ifndef OTOK_NEIGHBOURS_H
#define OTOK_NEIGHBOURS_H

#include "../model/common.h"

#include <stddef.h>

OTOK_FN otok_cross otok_cross_at(const float *at, ptrdiff_t pitch)
{
    otok_cross c = {at[0], at[-1], at[1], at[-pitch], at[pitch]};
    return c;
}

OTOK_FN otok_moore otok_moore_at(const float *at, ptrdiff_t pitch)
{
    otok_moore m = {at[0],          at[-1],         at[1],         at[-pitch],   at[pitch],
                    at[-pitch - 1], at[-pitch + 1], at[pitch - 1], at[pitch + 1]};
    return m;
}

OTOK_FN otok_cross otok_cross_add(otok_cross a, otok_cross b)
{
    otok_cross c = {a.here + b.here, a.left + b.left, a.right + b.right, a.bottom + b.bottom,
                    a.top + b.top};
    return c;
}

OTOK_FN otok_moore otok_moore_add(otok_moore a, otok_moore b)
{
    otok_moore m = {a.here + b.here,
                    a.left + b.left,
                    a.right + b.right,
                    a.bottom + b.bottom,
                    a.top + b.top,
                    a.bottom_left + b.bottom_left,
                    a.bottom_right + b.bottom_right,
                    a.top_left + b.top_left,
                    a.top_right + b.top_right};
    return m;
}

/* Index i of a row of n, mapped into the row: periodic if it wraps, else held at the border. */
OTOK_FN int otok_beside(int i, int n, int wraps)
{
    if (i >= 0 && i < n) return i;
    if (!wraps) return i < 0 ? 0 : n - 1;
    i %= n;
    return i < 0 ? i + n : i;
}

/* The flows through the faces of a cell. The cell keeps the right and the top one, its
   neighbours keep the left and the bottom one. */
OTOK_FN otok_four otok_faces_at(const float *right, const float *top, ptrdiff_t pitch)
{
    otok_four f = {right[-1], right[0], top[-pitch], top[0]};
    return f;
}

#endif
