/* png.h: a PNG of the input, whose mark and checksums are made right. */
#ifndef OTOK_FUZZ_PNG_H
#define OTOK_FUZZ_PNG_H

#include "fuzz.h"

#include <libdeflate.h>

static inline uint32_t fuzz_big(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Its file; NULL: the input is too short. */
static inline const char *fuzz_png(const uint8_t *data, size_t size)
{
    enum { MARK = 8, HEAD = 8, SUM = 4 };
    if (size < MARK) return NULL;
    uint8_t *png = malloc(size);
    if (!png) abort();
    memcpy(png, data, size);
    memcpy(png, "\x89PNG\r\n\x1a\n", MARK);
    for (size_t at = MARK; size - at >= HEAD + SUM && fuzz_big(png + at) <= size - at - HEAD - SUM;
         at += HEAD + SUM + fuzz_big(png + at)) {
        const uint32_t n = fuzz_big(png + at), sum = libdeflate_crc32(0, png + at + 4, n + 4);
        for (int k = 0; k < SUM; k++)
            png[at + HEAD + n + (size_t)k] = (uint8_t)(sum >> (24 - 8 * k));
    }
    const char *path = fuzz_file("input.png", png, size);
    free(png);
    return path;
}

#endif
