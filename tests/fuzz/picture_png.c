/* picture_png.c - input: a PNG of any kind, read as a picture. */
#include "io/image.h"
#include "png.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_png(data, size);
    otok_picture picture;
    if (!path || otok_picture_read(&picture, path) != OTOK_OK) return 0;
    uint64_t sum = 0; /* every byte is there */
    for (int64_t n = 0; n < picture.width * picture.height * 3; n++)
        sum += picture.pixels[n];
    if (picture.channels != 3 || picture.bits != 8 || sum >> 63) abort();
    free(picture.pixels);
    return 0;
}
