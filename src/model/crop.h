/* crop.h: is a point inside a shape? (M13 section 3.1.2.) */
#ifndef OTOK_CROP_H
#define OTOK_CROP_H

#include "common.h"

/* (x, y) from the middle of a shape of these half sides; its edge belongs to it. */
OTOK_FN int otok_crop_rectangle(float x, float y, float half_width, float half_height)
{
    return fabsf(x) <= half_width && fabsf(y) <= half_height;
}

OTOK_FN int otok_crop_ellipse(float x, float y, float half_width, float half_height)
{
    const float u = x / half_width, v = y / half_height;
    return u * u + v * v <= 1.0f;
}

/* Does the ray from (x, y) to the left cross this edge of a polygon? Inside are the points with an
   odd number of crossings. The edge runs through (x0, y0) with `slope` = dx/dy up or down to y1. */
OTOK_FN int otok_crop_crosses(float x, float y, float x0, float y0, float y1, float slope)
{
    return (y0 > y) != (y1 > y) && fmaf(slope, y - y0, x0) < x;
}

#endif
