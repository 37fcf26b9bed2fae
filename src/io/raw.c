/* raw.c: writes maps without a header, for terrain tools that ask the user for the size: float32,
   little-endian, north row first. */
#include "../core/status.h"
#include "file.h"
#include "image.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

otok_status otok_raw_write(const char *path, const float *map, otok_grid grid)
{
    const size_t nx = (size_t)grid.nx, ny = (size_t)grid.ny, size = nx * ny * sizeof(uint32_t);
    uint32_t *words = malloc(size);
    otok_draft *draft;
    if (!words) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a map of %zu bytes", path, size);
    for (size_t j = 0; j < ny; j++)
        for (size_t i = 0; i < nx; i++) {
            uint32_t *word = &words[(ny - 1 - j) * nx + i];
            memcpy(word, &map[j * nx + i], sizeof *word);
            *word = htole32(*word);
        }
    otok_status status = otok_file_begin(&draft, path);
    if (status == OTOK_OK) {
        status = otok_file_fill(draft, path, words, size);
        if (status == OTOK_OK)
            status = otok_file_commit(draft, path);
        else
            otok_file_abandon(draft);
    }
    free(words);
    return status;
}
