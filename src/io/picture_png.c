/* picture_png.c: reads PNG pictures of all kinds by libpng. */
#include "../core/status.h"
#include "file.h"
#include "image.h"

#include <png.h>

#include <stdlib.h>
#include <string.h>

otok_status otok_picture_allocate(otok_picture *out, const char *path, int64_t width,
                                  int64_t height)
{
    if (width < 1 || height < 1 || width > OTOK_PICTURE_SIDE || height > OTOK_PICTURE_SIDE)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: %lld x %lld pixels, and a picture may have 1 to %d along a side; "
                         "make it smaller, for example with `convert IN -resize 2048x2048 OUT.png`",
                         path, (long long)width, (long long)height, OTOK_PICTURE_SIDE);
    *out = (otok_picture){width, height, 3, 8, malloc((size_t)(width * height) * 3)};
    return out->pixels ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "%s: no memory for its pixels", path);
}

/* Leaves out the fourth channel of each pixel. */
static void drop_alpha(otok_picture *to, const unsigned char *rgba)
{
    for (int64_t n = 0; n < to->width * to->height; n++)
        memcpy(to->pixels + 3 * n, rgba + 4 * n, 3);
}

static otok_status decode(otok_picture *out, const char *path, png_image *image)
{
    OTOK_TRY(otok_picture_allocate(out, path, image->width, image->height));
    image->format = PNG_FORMAT_RGBA;
    unsigned char *rgba = malloc(PNG_IMAGE_SIZE(*image));
    if (!rgba) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for its pixels", path);
    const int done = png_image_finish_read(image, NULL, rgba, 0, NULL);
    if (done) drop_alpha(out, rgba);
    free(rgba);
    return done ? OTOK_OK
                : OTOK_FAIL(OTOK_DATA, "%s: damaged: %s; get the file again", path, image->message);
}

otok_status otok_picture_png(otok_picture *out, const char *path)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    FILE *file;
    OTOK_TRY(otok_file_open(&file, path));
    const otok_status status =
        png_image_begin_read_from_stdio(&image, file)
            ? decode(out, path, &image)
            : OTOK_FAIL(OTOK_DATA, "%s: damaged: %s; get the file again", path, image.message);
    png_image_free(&image);
    fclose(file);
    return status;
}
