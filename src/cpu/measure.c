/* measure.c: the census of one buffer. */
#include "../model/fingerprint.h"

#include "cpu.h"

#include <math.h>
#include <string.h>

otok_status cpu_measure(otok_patch *patch, int buffer, otok_census *out)
{
    const otok_view *v = &patch->view;
    int64_t hi = 0, lo = 0, bad = 0;
    uint64_t print = 0;
#pragma omp parallel for schedule(static) reduction(+ : hi, lo, bad, print) num_threads(cpu_threads(v))
    for (int j = 0; j < v->ny; j++) {
        const uint64_t first = (uint64_t)(v->y0 + j) * (uint64_t)v->global_nx + (uint64_t)v->x0;
        for (int i = 0; i < v->nx; i++) {
            uint32_t bits;
            if (buffer == OTOK_WETNESS) {
                bits = v->wetness[j * v->pitch + i];
            } else {
                const float value = v->at[buffer][j * v->pitch + i];
                const otok_fixed f = otok_fixed_from(value);
                hi += f.hi;
                lo += f.lo;
                bad += !(fabsf(value) < INFINITY);
                memcpy(&bits, &value, sizeof bits);
            }
            print += otok_fingerprint_cell(bits, (uint32_t)buffer, first + (uint64_t)i);
        }
    }
    *out = (otok_census){{hi, lo}, print, bad};
    return OTOK_OK;
}
