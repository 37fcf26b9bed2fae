/* random.h: random numbers as a pure function of who asks, by Philox4x32-10 (Salmon et al. 2011)
   from Random123. There is no state, so that the order of cells, threads and devices cannot matter.
   The key is the seed (64 bits). The counter is (index low, index high, stream, draw): the key has
   no room for the stream. No two of (seed, stream, index, draw) share a block, and every bit
   counts. */
#ifndef OTOK_RANDOM_H
#define OTOK_RANDOM_H

#include "common.h"

/* Without its vectors, whose headers would be three quarters of the compilation of many files. */
#define R123_USE_SSE 0
#include <Random123/philox.h>

/* Streams: from 0, 32 for each base generator (one an octave); from here, processes of the
   simulation. */
#define OTOK_STREAM_PROCESSES 0x80000000u
#define OTOK_STREAM_DROPLETS OTOK_STREAM_PROCESSES /* index: the droplet, over all phases */

typedef struct otok_random4 {
    uint32_t v[4];
} otok_random4;

OTOK_FN otok_random4 otok_random(uint32_t seed_low, uint32_t seed_high, uint32_t stream,
                                 uint64_t index, uint32_t draw)
{
    philox4x32_key_t key;
    philox4x32_ctr_t counter;
    key.v[0] = seed_low;
    key.v[1] = seed_high;
    counter.v[0] = (uint32_t)index;
    counter.v[1] = (uint32_t)(index >> 32);
    counter.v[2] = stream;
    counter.v[3] = draw;
    counter = philox4x32_R(10, counter, key);
    otok_random4 r;
    for (int i = 0; i < 4; i++)
        r.v[i] = counter.v[i];
    return r;
}

/* A uniform number in [0, 1), a multiple of 2^-24. */
OTOK_FN float otok_uniform(uint32_t bits)
{
    return (float)(bits >> 8) * 5.9604644775390625e-8f;
}

#endif
