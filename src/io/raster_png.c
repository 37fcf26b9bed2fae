/* raster_png.c: reads heights from a gray PNG of 8 or 16 bits: low is black, high is white, linear
   between. Pictures in colour are refused. */
#include "../core/status.h"
#include "png_read.h"
#include "raster.h"

#include <stdlib.h>
#include <string.h>

/* 1 after an error of libpng. */
static int read_rows(otok_png_reading *r, const otok_raster *out, double low, double high)
{
    if (setjmp(png_jmpbuf(r->png))) return 1;
    const int bits = png_get_bit_depth(r->png, r->info);
    const double white = bits == 16 ? 65535 : 255;
    if (bits < 8) png_set_expand_gray_1_2_4_to_8(r->png);
    png_read_update_info(r->png, r->info);
    for (int64_t j = 0; j < out->ny; j++) {
        png_read_row(r->png, r->row, NULL);
        for (int64_t i = 0; i < out->nx; i++) {
            const int level = bits == 16 ? r->row[2 * i] << 8 | r->row[2 * i + 1] : r->row[i];
            out->map[j * out->nx + i] = (float)(low + (high - low) * (level / white));
        }
    }
    png_read_end(r->png, NULL);
    return 0;
}

/* The text of a chunk as a number; NAN: there is none. */
static double number_in_text(const otok_png_reading *r, const char *key)
{
    png_textp text = NULL;
    const int n = png_get_text(r->png, r->info, &text, NULL);
    for (int i = 0; i < n; i++) {
        char *end;
        if (strcmp(text[i].key, key) != 0) continue;
        const double value = strtod(text[i].text, &end);
        return end > text[i].text && !*end && isfinite(value) ? value : NAN;
    }
    return NAN;
}

static otok_status decode(otok_png_reading *r, otok_raster *out, double low, double high)
{
    if (png_get_color_type(r->png, r->info) != PNG_COLOR_TYPE_GRAY ||
        png_get_interlace_type(r->png, r->info) != PNG_INTERLACE_NONE)
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: heights are read from PNG in gray only, without alpha and not interlaced; convert "
            "it, for example "
            "with `convert IN -colorspace Gray -alpha off -depth 16 -interlace none OUT.png`",
            r->path);
    if (isnan(low)) low = number_in_text(r, "otok_low");
    if (isnan(high)) high = number_in_text(r, "otok_high");
    if (isnan(low) || isnan(high))
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: does not say the heights of black and white; give `low` and `high` in metres",
            r->path);
    OTOK_TRY(otok_raster_allocate(out, r->path, png_get_image_width(r->png, r->info),
                                  png_get_image_height(r->png, r->info)));
    r->row = malloc((size_t)out->nx * 2);
    if (!r->row) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a row of pixels", r->path);
    return read_rows(r, out, low, high) ? otok_png_damaged(r) : OTOK_OK;
}

otok_status otok_raster_png(otok_raster *out, const char *path, double low, double high)
{
    otok_png_reading r;
    otok_status status = otok_png_begin(&r, path);
    if (status == OTOK_OK) status = decode(&r, out, low, high);
    otok_png_end(&r);
    return status;
}
