/* pipe_depth.cuh: model/pipes.h with a cube root for depths only: otok_cbrtf without its handling
   of denormals, infinity, NaN and negative numbers. A depth is finite and at least +0, and its root
   counts only where d d is above 0, so that the bits of otok_pipe_rough are the same. */
#ifndef OTOK_FAST_PIPE_DEPTH_CUH
#define OTOK_FAST_PIPE_DEPTH_CUH

#include "model/math.h"

static __host__ __device__ inline float otok_cbrtf_of_depth(float d)
{
    const uint32_t u = otok_bits(d),
                   third = (u >> 23) / 3u; /* d = m 2^(3 third - 129), m in [4, 32) */
    const float m = otok_from_bits(u - (3u * third << 23) + (129u << 23)),
                scale = otok_from_bits((third + 84u) << 23);
    float z = otok_from_bits(0x548c2b4bu - otok_bits(m) / 3u);
    float e = fmaf(-m * z * z, z, 1.0f);
    z = fmaf(z * e, fmaf(e, fmaf(e, 0.17283951f, 0.22222222f), 0.33333333f), z);
    e = fmaf(-m * z * z, z, 1.0f);
    z = fmaf(z * e, 0.33333333f, z);
    const float y = m * z * z;
    const otok_pair square = otok_pair_product(y, y);
    const float miss = fmaf(square.hi, y, -m) + square.lo * y;
    return fmaf(miss * (z * z), -0.33333333f, y) * scale;
}

#define otok_cbrtf otok_cbrtf_of_depth
#include "model/pipes.h"
#undef otok_cbrtf

#endif
