/* faults.h: what one fault adds to a height: the fault fractal (J16, algorithm 1) and its planet
 * (J16, conclusion). */
#ifndef OTOK_FAULTS_H
#define OTOK_FAULTS_H

#include "common.h"

/* Strictly above the line n . p = offset the ground rises, else it falls. */
OTOK_FN float otok_fault_line(float h, float nx, float ny, float offset, float rise, float x,
                              float y)
{
    return fmaf(nx, x, ny * y) > offset ? h + rise : h - rise;
}

/* The same with a plane through a sphere, p on the sphere. */
OTOK_FN float otok_fault_plane(float h, float nx, float ny, float nz, float offset, float rise,
                               float x, float y, float z)
{
    return fmaf(nz, z, fmaf(nx, x, ny * y)) > offset ? h + rise : h - rise;
}

#endif
