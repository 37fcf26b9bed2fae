/* fingerprint.c: see fingerprint.h. */
#include "fingerprint.h"

#include "../model/fingerprint.h"

#include <string.h>

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

uint64_t otok_fingerprint_map(int field, const float *map, otok_grid grid)
{
    const uint64_t cells = (uint64_t)grid.nx * (uint64_t)grid.ny;
    uint64_t sum = 0;
    if (field == OTOK_WETNESS)
        for (uint64_t i = 0; i < cells; i++)
            sum += otok_fingerprint_cell((uint32_t)map[i], (uint32_t)field, i);
    else
        for (uint64_t i = 0; i < cells; i++)
            sum += otok_fingerprint_cell(bits_of(map[i]), (uint32_t)field, i);
    return sum;
}
