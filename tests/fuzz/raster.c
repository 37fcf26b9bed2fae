/* raster.c - fuzzer: rasters: Esri ASCII grids, PNG, and TIFF through GDAL. */
#include "io/raster.h"
#include "fuzz.h"
#include "io/image.h"

enum { NX = 7, NY = 5 };

/* Seeds of each kind. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    float map[NX * NY];
    const otok_grid grid = {NX, NY, 2};
    const otok_place place = {.known = 1, .west = 10, .north = 50, .width = 2, .height = 2};
    (void)argc, (void)argv;
    for (int i = 0; i < NX * NY; i++)
        map[i] = i % 11 ? (float)i : NAN;
    if (otok_ascii_write(fuzz_name("seeds/grid.asc"), map, grid, &place) != OTOK_OK) abort();
    if (otok_image_gray(fuzz_name("seeds/gray8.png"), map, grid, "terrain", 0, 40, 8) != OTOK_OK) abort();
    if (otok_image_gray(fuzz_name("seeds/gray16.png"), map, grid, "terrain", 0, 40, 16) != OTOK_OK) abort();
    otok_geotiff_write(fuzz_name("seeds/map.tif"), map, grid, &place, otok_field_at(OTOK_TERRAIN)); /* where there is GDAL */
    return 0;
}

/* GDAL chooses among a hundred formats, some of which open what the file names: only those that begin as TIFF. */
static int is_kept(const uint8_t *data, size_t size)
{
    if (size < 8) return 1;
    if (memcmp(data, "\x89PNG", 4) == 0 || memcmp(data, "II*\0", 4) == 0 || memcmp(data, "MM\0*", 4) == 0) return 1;
    return strchr("nNcCxXyY", data[0]) != NULL && data[0];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    otok_raster r;
    const int png = size > 4 && memcmp(data, "\x89PNG", 4) == 0;
    if (!is_kept(data, size)) return -1;
    const char *path = fuzz_write("map", data, size);
    if (otok_raster_read(&r, path, png && size % 2 ? 0 : NAN, png && size % 2 ? 9 : NAN) != OTOK_OK) return 0;
    FUZZ_CHECK(r.nx >= 1 && r.ny >= 1 && r.missing >= 0 && r.missing <= r.nx * r.ny);
    if (r.nx * r.ny < 1 << 16 && otok_raster_fill(&r, path) == OTOK_OK)
        for (int64_t i = 0; i < r.nx * r.ny; i++)
            FUZZ_CHECK(isfinite(r.map[i]));
    otok_raster_destroy(&r);
    return 0;
}
