/* image.c: writes a map as a gray picture. relief.c makes shaded relief. */
#include "image.h"

#include "../core/colours.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

unsigned otok_image_level(float value, const otok_scale *scale, double white)
{
    const double t = otok_scale_share(scale, (double)value) * white;
    if (!(t > 0)) return 0;
    return t < white ? (unsigned)floor(t + 0.5) : (unsigned)white;
}

static unsigned char *put_level(unsigned char *at, unsigned level, int bits)
{
    if (bits == 16) *at++ = (unsigned char)(level >> 8);
    *at++ = (unsigned char)(level & 255);
    return at;
}

otok_status otok_image_gray(const char *path, const float *map, otok_grid grid, const char *name,
                            const char *unit, const otok_scale *scale, int bits)
{
    const double low = scale->low, high = scale->high;
    if (bits != 8 && bits != 16)
        return OTOK_FAIL(OTOK_USAGE, "%s: %d bits; PNG in gray has 8 or 16 here", path, bits);
    if (!(high > low) || !isfinite(high - low))
        return OTOK_FAIL(OTOK_USAGE, "%s: low %g is not below high %g; give others", path, low,
                         high);
    const size_t bytes = (size_t)bits / 8, nx = (size_t)grid.nx, ny = (size_t)grid.ny;
    int channels = 1;
    for (size_t n = 0; n < nx * ny && channels == 1; n++)
        channels += isnan(map[n]) != 0;
    otok_picture picture = {grid.nx, grid.ny, channels, bits,
                            malloc(nx * ny * bytes * (size_t)channels)};
    if (!picture.pixels)
        return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a picture of %zu x %zu pixels", path, nx,
                         ny);
    const double white = bits == 8 ? 255 : 65535;
    unsigned char *at = picture.pixels;
    for (size_t j = ny; j-- > 0;)
        for (size_t i = 0; i < nx; i++) {
            const float value = map[j * nx + i];
            at = put_level(at, otok_image_level(value, scale, white), bits);
            if (channels == 2) at = put_level(at, isnan(value) ? 0 : (unsigned)white, bits);
        }
    char black_text[32], white_text[32], spacing[32], software[64];
    snprintf(black_text, sizeof black_text, "%.17g", low);
    snprintf(white_text, sizeof white_text, "%.17g", high);
    snprintf(spacing, sizeof spacing, "%.17g", grid.spacing);
    snprintf(software, sizeof software, "otok %s", otok_version());
    const char *const words[] = {"Title",
                                 name,
                                 "Software",
                                 software, /* other names: no heights */
                                 scale->is_log ? "otok_log_low" : "otok_low",
                                 black_text,
                                 scale->is_log ? "otok_log_high" : "otok_high",
                                 white_text,
                                 "otok_unit",
                                 unit,
                                 "otok_spacing",
                                 spacing,
                                 NULL};
    const otok_status status = otok_png_write(path, &picture, words);
    free(picture.pixels);
    return status;
}
