/* raster_png.c - input: a PNG of heights. */
#include "png.h"
#include "raster.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_png(data, size);
    if (path) fuzz_raster(path);
    return 0;
}
