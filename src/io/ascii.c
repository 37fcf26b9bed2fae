/* ascii.c: writes Esri ASCII grids, which every GIS reads. */
#include "../core/status.h"
#include "file.h"
#include "image.h"
#include "prj.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#define NODATA "-9999"

static void put_head(FILE *file, otok_grid g, const otok_georeference *p)
{
    const int there = p && p->known;
    fprintf(file, "ncols %lld\nnrows %lld\nxllcorner %.17g\nyllcorner %.17g\n", (long long)g.nx,
            (long long)g.ny, there ? p->west : 0.0,
            there ? p->north - p->height * (double)g.ny : 0.0);
    if (there && p->width != p->height) /* GDAL knows these words, Esri does not */
        fprintf(file, "dx %.17g\ndy %.17g\n", p->width, p->height);
    else
        fprintf(file, "cellsize %.17g\n", there ? p->width : g.spacing);
    fputs("NODATA_value " NODATA "\n", file);
}

static int write_rows(FILE *file, const float *map, otok_grid g,
                      const otok_georeference *georeference)
{
    put_head(file, g, georeference);
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

otok_status otok_ascii_write(const char *path, const float *map, otok_grid grid,
                             const otok_georeference *georeference)
{
    otok_draft *draft;
    OTOK_TRY(otok_file_begin(&draft, path));
    FILE *file = otok_draft_stream(draft);
    int error = file ? 0 : errno;
    errno = 0;
    if (file && write_rows(file, map, grid, georeference)) error = errno ? errno : EIO;
    if (file && fclose(file) != 0 && !error) error = errno;
    if (!error) {
        otok_status status = otok_prj_remove(path); /* that of an older file of this name */
        if (status == OTOK_OK)
            status = otok_file_commit(draft, path);
        else
            otok_file_abandon(draft);
        const int has_system = georeference && georeference->known && georeference->wkt;
        return status == OTOK_OK && has_system ? otok_prj_write(path, georeference->wkt) : status;
    }
    otok_file_abandon(draft);
    return otok_file_failed(path, "write", error);
}
