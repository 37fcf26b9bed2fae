/* picture_png.c: reads PNG pictures of all kinds by libpng. */
#include "../core/status.h"
#include "image.h"
#include "png_read.h"

#include <stdlib.h>

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

/* Whatever the file has comes as 3 channels of 8 bits in sRGB, which is also what a file means
   that does not say. 1 after an error of libpng. */
static int read_pixels(otok_png_reading *r, otok_picture *out)
{
    if (setjmp(png_jmpbuf(r->png))) return 1;
    png_set_alpha_mode(r->png, PNG_ALPHA_PNG, PNG_DEFAULT_sRGB);
    png_set_expand(r->png);
    png_set_scale_16(r->png);
    png_set_gray_to_rgb(r->png);
    png_set_strip_alpha(r->png);
    const int passes = png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
    if (png_get_rowbytes(r->png, r->info) != (size_t)out->width * 3)
        png_error(r->png, "its pixels are of an unknown kind");
    for (int pass = 0; pass < passes; pass++)
        for (int64_t j = 0; j < out->height; j++)
            png_read_row(r->png, out->pixels + j * out->width * 3, NULL);
    png_read_end(r->png, NULL);
    return 0;
}

static otok_status decode(otok_png_reading *r, otok_picture *out)
{
    OTOK_TRY(otok_picture_allocate(out, r->path, png_get_image_width(r->png, r->info),
                                   png_get_image_height(r->png, r->info)));
    return read_pixels(r, out) ? otok_png_damaged(r) : OTOK_OK;
}

otok_status otok_picture_png(otok_picture *out, const char *path)
{
    otok_png_reading r;
    otok_status status = otok_png_begin(&r, path);
    if (status == OTOK_OK) status = decode(&r, out);
    otok_png_end(&r);
    return status;
}
