/* raster_png.c: reads heights from a gray PNG of 8 or 16 bits: low is black, high is white, linear
   between. Pictures in colour are refused. */
#include "../core/status.h"
#include "file.h"
#include "raster.h"

#include <png.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
    const char *path;
    FILE *file;
    png_structp png;
    png_infop info;
    png_bytep row;
    char why[128];
} reading;

static void keep_error(png_structp png, png_const_charp text)
{
    reading *r = png_get_error_ptr(png);
    snprintf(r->why, sizeof r->why, "%s", text);
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

/* 1 after an error of libpng. */
static int read_head(reading *r)
{
    if (setjmp(png_jmpbuf(r->png))) return 1;
    png_init_io(r->png, r->file);
    png_set_user_limits(r->png, 1 << 20, 1 << 20);
    png_read_info(r->png, r->info);
    return 0;
}

static int read_rows(reading *r, const otok_raster *out, double low, double high)
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
static double word(const reading *r, const char *key)
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

static otok_status damaged(const reading *r)
{
    return OTOK_FAIL(OTOK_DATA, "%s: damaged: %s; get the file again", r->path,
                     r->why[0] ? r->why : "not a PNG file");
}

static otok_status decode(reading *r, otok_raster *out, double low, double high)
{
    if (read_head(r)) return damaged(r);
    if (png_get_color_type(r->png, r->info) != PNG_COLOR_TYPE_GRAY ||
        png_get_interlace_type(r->png, r->info) != PNG_INTERLACE_NONE)
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: heights are read from PNG in gray only, without alpha and not interlaced; convert "
            "it, for example "
            "with `convert IN -colorspace Gray -alpha off -depth 16 -interlace none OUT.png`",
            r->path);
    if (isnan(low)) low = word(r, "otok_low");
    if (isnan(high)) high = word(r, "otok_high");
    if (isnan(low) || isnan(high))
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: does not say the heights of black and white; give `low` and `high` in metres",
            r->path);
    OTOK_TRY(otok_raster_allocate(out, r->path, png_get_image_width(r->png, r->info),
                                  png_get_image_height(r->png, r->info)));
    r->row = malloc((size_t)out->nx * 2);
    if (!r->row) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a row of pixels", r->path);
    return read_rows(r, out, low, high) ? damaged(r) : OTOK_OK;
}

otok_status otok_raster_png(otok_raster *out, const char *path, double low, double high)
{
    reading r = {.path = path};
    OTOK_TRY(otok_file_open(&r.file, path));
    r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, keep_error, ignore);
    r.info = r.png ? png_create_info_struct(r.png) : NULL;
    const otok_status status = r.info ? decode(&r, out, low, high)
                                      : OTOK_FAIL(OTOK_NOMEM, "%s: no memory to read it", path);
    if (r.png) png_destroy_read_struct(&r.png, r.info ? &r.info : NULL, NULL);
    free(r.row);
    fclose(r.file);
    return status;
}
