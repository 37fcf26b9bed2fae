/* raster_png.c: reads heights from a gray PNG of 8 or 16 bits: low is black, high is white, linear
   between. Transparent pixels (alpha, tRNS) have no data. Pictures in colour are refused. */
#include "../core/status.h"
#include "png_read.h"
#include "raster.h"

#include <stdlib.h>
#include <string.h>

static const char half_clear[] = "a pixel is half transparent, and no height can be";

/* The high byte comes first. */
static int level_at(const unsigned char *at, int bits)
{
    return bits == 16 ? at[0] << 8 | at[1] : at[0];
}

/* The level that means "no data" (tRNS), in the file's own bits; -1: none. */
static int clear_level(const otok_png_reading *r, int bits)
{
    png_bytep alpha;
    int n;
    png_color_16p color = NULL;
    if (!(png_get_tRNS(r->png, r->info, &alpha, &n, &color) & PNG_INFO_tRNS) || !color) return -1;
    const int level = color->gray & ((1 << bits) - 1);
    return bits < 8 ? level * 255 / ((1 << bits) - 1) : level;
}

/* 1 after an error of libpng. */
static int read_rows(otok_png_reading *r, const otok_raster *out, double low, double high)
{
    if (setjmp(png_jmpbuf(r->png))) return 1;
    const int bits = png_get_bit_depth(r->png, r->info),
              channels = png_get_channels(r->png, r->info), bytes = bits == 16 ? 2 : 1,
              hole = clear_level(r, bits);
    const double white = bits == 16 ? 65535 : 255;
    if (bits < 8) png_set_expand_gray_1_2_4_to_8(r->png);
    png_read_update_info(r->png, r->info);
    for (int64_t j = 0; j < out->ny; j++) {
        png_read_row(r->png, r->row, NULL);
        for (int64_t i = 0; i < out->nx; i++) {
            const unsigned char *pixel = r->row + i * bytes * channels;
            const int level = level_at(pixel, bits),
                      alpha = channels == 2 ? level_at(pixel + bytes, bits) : (int)white;
            if (alpha != 0 && alpha != (int)white) png_error(r->png, half_clear);
            out->map[j * out->nx + i] =
                alpha == 0 || level == hole ? NAN : (float)(low + (high - low) * (level / white));
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
    const int color = png_get_color_type(r->png, r->info);
    if ((color != PNG_COLOR_TYPE_GRAY && color != PNG_COLOR_TYPE_GRAY_ALPHA) ||
        png_get_interlace_type(r->png, r->info) != PNG_INTERLACE_NONE)
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: heights are read from PNG in gray only, not interlaced; convert it, for example "
            "with `convert IN -colorspace Gray -depth 16 -interlace none OUT.png`",
            r->path);
    out->is_scaled = 1;
    out->declared = 1;
    if (isnan(low)) low = number_in_text(r, "otok_low");
    if (isnan(high)) high = number_in_text(r, "otok_high");
    if (isnan(low) || isnan(high))
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: does not say the heights of black and white; give `low` and `high` in metres",
            r->path);
    OTOK_TRY(otok_raster_allocate(out, r->path, png_get_image_width(r->png, r->info),
                                  png_get_image_height(r->png, r->info)));
    r->row = malloc((size_t)out->nx * 4);
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
