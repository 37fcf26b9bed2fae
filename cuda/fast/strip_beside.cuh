/* strip_beside.cuh: how fused kernels of patches that run side by side keep each other's shared
   rows right. A warp whose rows lie next to another patch waits, before it begins, until that patch
   has given its rows of the launch before. When it has made its own, it stores those that the other
   patch reads there as well, and counts them. Nothing else waits, no launch and no host. */
#ifndef OTOK_STRIP_BESIDE_CUH
#define OTOK_STRIP_BESIDE_CUH

#include "strip.cuh"

/* A warp looks this often at a count before it looks whether another patch has failed. */
enum { OTOK_LOOKS = 4096 };

/* The rows of a warp that go to the patch on a side: from <= j < upto. */
static __device__ inline void otok_handed_rows(int &from, int &upto, const otok_frame &g,
                                               const otok_handing &hand, const otok_strip &s,
                                               int side)
{
    const int first = side == 0 ? g.own : g.end - hand.rows;
    from = max(first, s.bottom);
    upto = hand.side[side].given ? min(first + hand.rows, s.top) : from;
}

/* All lanes of a warp call it before they read any field. */
template <bool FLUSH = false>
static __device__ inline void otok_strip_await(const otok_frame &g, const otok_handing &hand)
{
    if (hand.rows == 0) return;
    const otok_strip s = otok_strip_of<FLUSH>(g);
    for (int side = 0; side < 2; side++) {
        int from, upto;
        unsigned looks = 0;
        otok_handed_rows(from, upto, g, hand, s, side);
        if (from >= upto) continue;
        while ((int)(otok_taken(hand.side[side].taken) - hand.before) < 0)
            if (++looks % OTOK_LOOKS == 0 && *(const volatile unsigned *)hand.stop) break;
    }
    __syncwarp();
}

/* Stores a row of all fields there, four columns a lane. All are fetched before the first is
   stored, because the compiler cannot know that they are not the same. */
static __device__ inline void otok_hand_row(const otok_handing &hand, int side, int row,
                                            const otok_frame &g, const otok_strip &s)
{
    const int at = row * g.pitch + s.i;
    float4 v[OTOK_HANDED];
    if (s.full) {
#pragma unroll
        for (int n = 0; n < OTOK_HANDED; n++)
            if (n < hand.fields) v[n] = *(const float4 *)(hand.from[n] + at);
#pragma unroll
        for (int n = 0; n < OTOK_HANDED; n++)
            if (n < hand.fields) *(float4 *)(hand.side[side].to[n] + at) = v[n];
    } else if (s.owned) {
        for (int n = 0; n < hand.fields; n++)
            for (int c = 0; s.i + c < g.nx; c++)
                hand.side[side].to[n][at + c] = hand.from[n][at + c];
    }
}

/* All lanes of a warp call it when they have stored all their rows. */
template <bool FLUSH = false>
static __device__ inline void otok_strip_hand_over(const otok_frame &g, const otok_handing &hand)
{
    if (hand.rows == 0) return;
    const otok_strip s = otok_strip_of<FLUSH>(g);
    __syncwarp(); /* some pipes are stored by the lane beside */
    for (int side = 0; side < 2; side++) {
        int from, upto;
        otok_handed_rows(from, upto, g, hand, s, side);
        if (from >= upto) continue;
        for (int j = from; j < upto; j++)
            otok_hand_row(hand, side, j, g, s);
        __threadfence_system();
        __syncwarp();
        if (threadIdx.x % 32 == 0) otok_give(hand.side[side].given, (unsigned)(upto - from));
    }
}

#endif
