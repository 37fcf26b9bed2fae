/* ascii.c: Esri ASCII grids, which every GIS reads. */
#include "../core/status.h"
#include "file.h"
#include "image.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#define NODATA "-9999"

static int put(FILE *file, const float *map, otok_grid g)
{
    fprintf(file, "ncols %lld\nnrows %lld\nxllcorner 0\nyllcorner 0\ncellsize %.17g\nNODATA_value " NODATA "\n", (long long)g.nx,
            (long long)g.ny, g.spacing);
    for (int64_t j = g.ny - 1; j >= 0; j--)
        for (int64_t i = 0; i < g.nx; i++) {
            const float value = map[j * g.nx + i];
            if (!isfinite(value))
                fputs(NODATA, file);
            else
                fprintf(file, "%.9g", (double)value);
            putc(i + 1 < g.nx ? ' ' : '\n', file);
        }
    return ferror(file);
}

otok_status otok_ascii_write(const char *path, const float *map, otok_grid grid)
{
    char *temporary;
    OTOK_TRY(otok_file_begin(&temporary, path));
    FILE *file = fopen(temporary, "w");
    int error = file ? 0 : errno;
    errno = 0;
    if (file && put(file, map, grid)) error = errno ? errno : EIO;
    if (file && fclose(file) != 0 && !error) error = errno;
    if (!error) return otok_file_commit(temporary, path);
    otok_file_abandon(temporary);
    return otok_file_failed(path, "write", error);
}
