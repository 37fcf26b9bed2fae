/* raster_ascii.c - input: an Esri ASCII grid behind its first word, so that no other reader is
 * asked. */
#include "raster.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char first[] = "ncols ";
    char *text = malloc(sizeof first + size);
    if (!text) abort();
    memcpy(text, first, sizeof first - 1);
    if (size) memcpy(text + sizeof first - 1, data, size);
    fuzz_raster(fuzz_file("input.asc", text, sizeof first - 1 + size));
    free(text);
    return 0;
}
