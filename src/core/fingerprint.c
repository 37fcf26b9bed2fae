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

uint64_t otok_fingerprint_cells(int field, const float *map, uint64_t first, uint64_t end)
{
    uint64_t sum = 0;
    if (field == OTOK_WETNESS)
        for (uint64_t i = first; i < end; i++)
            sum += otok_fingerprint_cell((uint32_t)map[i], (uint32_t)field, i);
    else
        for (uint64_t i = first; i < end; i++)
            sum += otok_fingerprint_cell(bits_of(map[i]), (uint32_t)field, i);
    return sum;
}
