/* fingerprint.h: one 64-bit number for a state. It is the sum modulo 2^64, over all cells of all
   fields, of a mix of position and bits. Sums commute, so that neither the order of cells nor a
   partition of the grid changes it. The mix is the finaliser of splitmix64 (Steele et al. 2014). */
#ifndef OTOK_FINGERPRINT_H
#define OTOK_FINGERPRINT_H

#include "common.h"

OTOK_FN uint64_t otok_fingerprint_cell(uint32_t bits, uint32_t field, uint64_t index)
{
    uint64_t z = (((uint64_t)field << 32) | bits) + (index + 1u) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

#endif
