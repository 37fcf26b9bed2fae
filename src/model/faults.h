/* faults.h: what one fault adds to a height. The fault fractal is J16's algorithm 1; its planet is
   from the conclusion of J16. */
#ifndef OTOK_FAULTS_H
#define OTOK_FAULTS_H

#include "common.h"

/* The ground rises strictly above the line n . p = offset, and falls elsewhere. */
OTOK_FN float otok_fault_line(float h, float nx, float ny, float offset, float rise, float x,
                              float y)
{
    return fmaf(nx, x, ny * y) > offset ? h + rise : h - rise;
}

/* The same for a plane that cuts a sphere; p is on the sphere. */
OTOK_FN float otok_fault_plane(float h, float nx, float ny, float nz, float offset, float rise,
                               float x, float y, float z)
{
    return fmaf(nz, z, fmaf(nx, x, ny * y)) > offset ? h + rise : h - rise;
}

#endif
