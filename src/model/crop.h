/* crop.h: tests whether a point is inside a shape (M13 section 3.1.2). */
#ifndef OTOK_CROP_H
#define OTOK_CROP_H

#include "common.h"

/* (x, y) is measured from the middle of the shape. The edge belongs to the shape. */
OTOK_FN int otok_crop_rectangle(float x, float y, float half_width, float half_height)
{
    return fabsf(x) <= half_width && fabsf(y) <= half_height;
}

OTOK_FN int otok_crop_ellipse(float x, float y, float half_width, float half_height)
{
    const float u = x / half_width, v = y / half_height;
    return u * u + v * v <= 1.0f;
}

/* Does the ray from (x, y) to the left cross this edge of a polygon? A point with an odd number of
   crossings is inside. The edge starts at (x0, y0) and runs up or down to y1; `slope` is dx/dy. */
OTOK_FN int otok_crop_crosses(float x, float y, float x0, float y0, float y1, float slope)
{
    return (y0 > y) != (y1 > y) && fmaf(slope, y - y0, x0) < x;
}

#endif
