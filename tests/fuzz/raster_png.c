/* raster_png.c - input: a PNG, whose mark and checksums are made right. */
#include "raster.h"

#include <libdeflate.h>

enum { MARK = 8, HEAD = 8, SUM = 4 };

static uint32_t big(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < MARK) return 0;
    uint8_t *png = malloc(size);
    if (!png) abort();
    memcpy(png, data, size);
    memcpy(png, "\x89PNG\r\n\x1a\n", MARK);
    for (size_t at = MARK; size - at >= HEAD + SUM && big(png + at) <= size - at - HEAD - SUM;
         at += HEAD + SUM + big(png + at)) {
        const uint32_t n = big(png + at), sum = libdeflate_crc32(0, png + at + 4, n + 4);
        for (int k = 0; k < SUM; k++)
            png[at + HEAD + n + (size_t)k] = (uint8_t)(sum >> (24 - 8 * k));
    }
    fuzz_raster(fuzz_file("input.png", png, size));
    free(png);
    return 0;
}
