/* sample.c: samples a map at other points, along rows, then along columns. */
#include "../core/status.h"
#include "image.h"

#include <math.h>
#include <stdlib.h>

/* n points of `m` values, `step` apart: out[k out_step]. Both ends meet. */
static void sample_line(float *out, int64_t n, int64_t out_step, const float *in, int64_t m,
                        int64_t step)
{
    const double pace = n > 1 ? (double)(m - 1) / (double)(n - 1) : 0, reach = fmax(1, pace);
    for (int64_t k = 0; k < n; k++) {
        const double at = n > 1 ? (double)k * pace : (double)(m - 1) / 2;
        const int64_t first = (int64_t)fmax(0, ceil(at - reach)),
                      last = (int64_t)fmin((double)(m - 1), floor(at + reach));
        double sum = 0, weights = 0;
        for (int64_t i = first; i <= last; i++) {
            const double weight = 1 - fabs((double)i - at) / reach;
            if (!(weight > 0)) continue;
            sum += weight * (double)in[i * step];
            weights += weight;
        }
        out[k * out_step] = (float)(sum / weights);
    }
}

otok_status otok_image_sample(float **out, const float *map, otok_grid g, int64_t nx, int64_t ny)
{
    float *rows = malloc((size_t)(nx * g.ny) * sizeof *rows);
    *out = malloc((size_t)(nx * ny) * sizeof **out);
    if (!rows || !*out) {
        free(rows), free(*out);
        *out = NULL;
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %lld x %lld points", (long long)nx,
                         (long long)ny);
    }
    for (int64_t j = 0; j < g.ny; j++)
        sample_line(rows + j * nx, nx, 1, map + j * g.nx, g.nx, 1);
    for (int64_t i = 0; i < nx; i++)
        sample_line(*out + i, ny, nx, rows + i, g.ny, nx);
    free(rows);
    return OTOK_OK;
}
