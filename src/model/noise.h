/* noise.h: simplex noise in the plane (Perlin 2001), with a gradient that Philox draws for each
   lattice point. The noise is 0 at lattice points. Its extremes are -1 and 1, midway between two
   points whose gradients face each other. Lattice coordinates are fixed point, with 24 integer and
   40 fraction bits, along the skewed axes in which lattice points are integers. They are exact for
   any cell of any grid, without floor or overflow; the pattern repeats after 2^24 lattice cells. */
#ifndef OTOK_NOISE_H
#define OTOK_NOISE_H

#include "random.h"

/* One octave: the step of half a cell along its own axis and along the other, skewed, in units of
   2^-40 lattice cells. */
typedef struct otok_octave {
    uint64_t along, across;
    float amplitude;
    uint32_t stream;
} otok_octave;

/* What lattice point (u, v) adds at the offset (x, y) from it: (1/2 - r^2)^4 times gradient .
   offset, and 0 beyond r^2 = 1/2. The gradient is a unit vector: the first point of the stream that
   lies in the unit disc but not at its middle, scaled to the circle. */
OTOK_FN float otok_noise_corner(const uint32_t seed[2], uint32_t stream, uint32_t u, uint32_t v,
                                float x, float y)
{
    const float t = 0.5f - fmaf(x, x, y * y);
    if (!(t > 0.0f)) return 0.0f;
    const uint64_t point = (uint64_t)(v & 0xffffffu) << 32 | (u & 0xffffffu);
    for (uint32_t draw = 0;; draw++) {
        const otok_random4 r = otok_random(seed[0], seed[1], stream, point, draw);
        for (int k = 0; k < 4; k += 2) {
            const float gx = 2.0f * otok_uniform(r.v[k]) - 1.0f;
            const float gy = 2.0f * otok_uniform(r.v[k + 1]) - 1.0f;
            const float g2 = fmaf(gx, gx, gy * gy);
            if (g2 <= 1.0f && g2 > 1e-4f)
                return (t * t) * (t * t) * (fmaf(gx, x, gy * y) / sqrtf(g2));
        }
    }
}

/* Noise at the centre of cell (i, j), in [-1, 1]. */
OTOK_FN float otok_noise(const uint32_t seed[2], const otok_octave *octave, int i, int j)
{
    const uint64_t x = (uint64_t)(2 * (int64_t)i + 1),
                   y = (uint64_t)(2 * (int64_t)j + 1); /* centres, in half cells */
    const uint64_t u = x * octave->along + y * octave->across,
                   v = x * octave->across + y * octave->along;
    const uint32_t u0 = (uint32_t)(u >> 40), v0 = (uint32_t)(v >> 40);
    const float fu = (float)(int64_t)(u & 0xffffffffffu) * 9.094947017729282e-13f; /* 2^-40 */
    const float fv = (float)(int64_t)(v & 0xffffffffffu) * 9.094947017729282e-13f;

    /* x = u - G (u + v) with G = (3 - sqrt 3)/6: the offset from the corner (0,0) of this lattice
       cell, then from (1,0) or (0,1), then from (1,1). */
    const float back = (fu + fv) * 0.21132487f;
    const float x0 = fu - back, y0 = fv - back;
    const int lower = fu > fv;
    const float x1 = x0 + (lower ? -0.7886751f : 0.21132487f),
                y1 = y0 + (lower ? 0.21132487f : -0.7886751f);
    const float x2 = x0 - 0.57735027f, y2 = y0 - 0.57735027f;
    const float n0 = otok_noise_corner(seed, octave->stream, u0, v0, x0, y0);
    const float n1 = otok_noise_corner(seed, octave->stream, u0 + (uint32_t)lower,
                                       v0 + (uint32_t)!lower, x1, y1);
    const float n2 = otok_noise_corner(seed, octave->stream, u0 + 1u, v0 + 1u, x2, y2);
    return 99.204335f * ((n0 + n2) + n1);
}

#endif
