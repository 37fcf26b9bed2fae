/* raw.c: writes maps without a header, for terrain tools that ask the user for the size:
   little-endian, north row first. */
#include "../core/status.h"
#include "file.h"
#include "image.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

otok_status otok_raw_write(const char *path, const float *map, otok_grid grid,
                           const otok_scale *scale)
{
    const size_t nx = (size_t)grid.nx, ny = (size_t)grid.ny,
                 each = scale ? sizeof(uint16_t) : sizeof(uint32_t), size = nx * ny * each;
    unsigned char *bytes = malloc(size), *at = bytes;
    if (!bytes) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a map of %zu bytes", path, size);
    for (size_t j = ny; j-- > 0;)
        for (size_t i = 0; i < nx; i++, at += each) {
            uint32_t word;
            memcpy(&word, &map[j * nx + i], sizeof word);
            word = htole32(scale ? otok_image_level(map[j * nx + i], scale, 65535) : word);
            memcpy(at, &word, each);
        }
    const otok_status status = otok_file_put(path, bytes, size);
    free(bytes);
    return status;
}
