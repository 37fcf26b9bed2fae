/* starts.c: sums the weights of the cells of a map, in integers, so that every backend draws the
   same cell. */
#include "starts.h"

#include "../core/status.h"

#include <math.h>

otok_status otok_starts_sum(uint64_t *upto, const float *weights, int64_t cells)
{
    float most = 0;
    uint64_t sum = 0;
    for (int64_t c = 0; c < cells; c++)
        most = weights[c] > most ? weights[c] : most;
    if (!(most > 0) || isinf(most))
        return OTOK_FAIL(OTOK_DATA,
                         "no droplet can start by this map: its largest weight is %g, which must "
                         "be above 0 and finite",
                         (double)most);
    for (int64_t c = 0; c < cells; c++) {
        if (weights[c] > 0) sum += (uint64_t)ceil((double)weights[c] / (double)most * 0x1p32);
        upto[c] = sum; /* below 2^63: fewer than 2^31 cells */
    }
    return OTOK_OK;
}
