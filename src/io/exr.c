/* exr.c: writes a map as OpenEXR: one channel Y of float32 in scan lines without compression, which
   every reader of the format knows (openexr.com, "OpenEXR File Layout"). */
#include "../core/status.h"
#include "file.h"
#include "image.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *put(unsigned char *at, const void *bytes, size_t size)
{
    memcpy(at, bytes, size);
    return at + size;
}

static unsigned char *put_word(unsigned char *at, uint32_t word)
{
    word = htole32(word);
    return put(at, &word, sizeof word);
}

/* An attribute of n words of 32 bits. */
static unsigned char *put_attribute(unsigned char *at, const char *name, const char *type,
                                    const uint32_t *words, uint32_t n)
{
    at = put(at, name, strlen(name) + 1);
    at = put(at, type, strlen(type) + 1);
    at = put_word(at, 4 * n);
    for (uint32_t i = 0; i < n; i++)
        at = put_word(at, words[i]);
    return at;
}

/* The header; at most HEADER bytes. */
enum { HEADER = 512 };
static unsigned char *put_header(unsigned char *at, otok_grid grid, const char *comments)
{
    static const unsigned char none = 0, lines_down = 0;
    const uint32_t one = 0x3f800000, centre[2] = {0, 0},
                   window[4] = {0, 0, (uint32_t)grid.nx - 1, (uint32_t)grid.ny - 1};
    at = put(at, "\x76\x2f\x31\x01\x02\0\0\0", 8);
    at = put(at, "channels\0chlist", 16);
    at = put_word(at, 19);
    at = put(at, "Y\0\2\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0", 19); /* float32, one sample a pixel */
    at = put(at, "comments\0string", 16);
    at = put_word(at, (uint32_t)strlen(comments));
    at = put(at, comments, strlen(comments));
    at = put(at, "compression\0compression", 24);
    at = put(put_word(at, 1), &none, 1);
    at = put_attribute(at, "dataWindow", "box2i", window, 4);
    at = put_attribute(at, "displayWindow", "box2i", window, 4);
    at = put(at, "lineOrder\0lineOrder", 20);
    at = put(put_word(at, 1), &lines_down, 1);
    at = put_attribute(at, "pixelAspectRatio", "float", &one, 1);
    at = put_attribute(at, "screenWindowCenter", "v2f", centre, 2);
    at = put_attribute(at, "screenWindowWidth", "float", &one, 1);
    return put(at, "", 1);
}

otok_status otok_exr_write(const char *path, const float *map, otok_grid grid, const char *name,
                           const char *unit)
{
    const size_t nx = (size_t)grid.nx, ny = (size_t)grid.ny, line = 8 + 4 * nx,
                 most = HEADER + ny * (8 + line);
    char comments[128];
    unsigned char *bytes = malloc(most), *at = bytes;
    if (!bytes) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a map of %zu bytes", path, most);
    snprintf(comments, sizeof comments, "%.60s in %.20s, %.9g m a pixel", name, unit, grid.spacing);
    at = put_header(at, grid, comments);
    uint64_t to = (uint64_t)(at - bytes) + 8 * ny;
    for (size_t j = 0; j < ny; j++, to += line) {
        const uint64_t offset = htole64(to);
        at = put(at, &offset, sizeof offset);
    }
    for (size_t j = 0; j < ny; j++) {
        at = put_word(put_word(at, (uint32_t)j), (uint32_t)(4 * nx));
        for (size_t i = 0; i < nx; i++) {
            uint32_t word;
            memcpy(&word, &map[(ny - 1 - j) * nx + i], sizeof word);
            at = put_word(at, word);
        }
    }
    const otok_status status = otok_file_put(path, bytes, (size_t)(at - bytes));
    free(bytes);
    return status;
}
