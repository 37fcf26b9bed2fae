/* bound.cuh: which faces the bound of model/critical.h may hold, found without roots and quotients.
   On rough ground it is about a fifth of them, and some in nearly every row of a warp. So a warp
   packs them: a lane holds faces of others, and the bits are the same. */
#ifndef OTOK_FAST_BOUND_CUH
#define OTOK_FAST_BOUND_CUH

#include "model/critical.h"

/* The bed at a face as the flow goes: otok_drop.fall, and 4 J before the depth cuts it. */
typedef struct otok_bed_along {
    float fall, jump;
} otok_bed_along;

/* behind, rise, ahead: the rises at the faces before, at and after this one. */
static __device__ __forceinline__ float bed_fall(bool forward, float behind, float rise,
                                                 float ahead)
{
    const float other = forward ? behind : 0.0f - ahead, own = forward ? rise : 0.0f - rise;
    return fmaxf(0.0f - fmaxf(other, own), 0.0f);
}

static __device__ __forceinline__ otok_bed_along bed_along(bool forward, float behind, float rise,
                                                           float ahead)
{
    const float other = forward ? behind : 0.0f - ahead, own = forward ? rise : 0.0f - rise;
    const float fall = bed_fall(forward, behind, rise, ahead);
    return {fall, 4.0f * (fabsf(rise) - fmaxf(fall, fminf(other, own)))};
}

/* May the bound of otok_speed_held bind? No root is needed to see that it does not: q is |u| times
   the part of the depth that counts, or more, `head` the head without u' and c that of critical2
   whose root is q's. */
static __device__ __forceinline__ bool may_bind(float q, float head, float c)
{
    return q > 0.0f && fmaf(q * q, 1.0001f, 0x1p-120f) >= c * head * head * head;
}

/* Places of a row's marked columns in a list of the warp's: of a lane's own, a large number if not
   marked; and how many there are. N: columns of a lane. */
template <int N> struct otok_marked {
    unsigned place[N], all;
};

template <int N> static __device__ __forceinline__ otok_marked<N> marked_in_warp(unsigned marks)
{
    const unsigned before = (1u << threadIdx.x % 32) - 1;
    otok_marked<N> m = {};
#pragma unroll
    for (int c = 0; c < N; c++) {
        const unsigned lanes = __ballot_sync(0xffffffffu, marks >> c & 1);
        m.place[c] = marks >> c & 1 ? m.all + (unsigned)__popc(lanes & before) : 1u << 30;
        m.all += (unsigned)__popc(lanes);
    }
    return m;
}

#endif
