/* raster_png.c: reads heights from a gray PNG of 8 or 16 bits: low is black, high is white, linear
   between. Transparent pixels (alpha, tRNS) have no data. Pictures in colour are refused. A small
   file cannot use much memory: there are limits for sides, texts and pieces of memory. */
#include "../core/status.h"
#include "file.h"
#include "raster.h"

#include <png.h>

#include <stdlib.h>
#include <string.h>

enum { LONGEST_SIDE = 1 << 20, MOST_TEXTS = 32, LARGEST_CHUNK = 8 << 20, LARGEST_PIECE = 16 << 20 };

typedef struct reading {
    const char *path;
    FILE *file;
    png_structp png;
    png_infop info;
    unsigned char *row; /* malloc'd, or NULL */
    char why[128];      /* the first error */
} reading;

static void keep_error(png_structp png, png_const_charp text)
{
    reading *r = png_get_error_ptr(png);
    if (!r->why[0]) snprintf(r->why, sizeof r->why, "%s", text);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

/* libpng takes memory for as many bytes as a chunk says that it has, whatever the file has, and
   only warns that they are more than the limit. */
static png_voidp allocate(png_structp png, png_alloc_size_t size)
{
    reading *r = png_get_mem_ptr(png);
    if (size <= LARGEST_PIECE) return malloc(size);
    snprintf(r->why, sizeof r->why, "a part says that it has %llu bytes", (unsigned long long)size);
    return NULL;
}

static void release(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

static otok_status fail_damaged(const reading *r)
{
    return OTOK_FAIL(OTOK_DATA, "%s: damaged: %s; get the file again", r->path,
                     r->why[0] ? r->why : "not a PNG file");
}

/* 1 after an error of libpng. */
static int read_head(reading *r)
{
    if (setjmp(png_jmpbuf(r->png))) return 1;
    png_init_io(r->png, r->file);
    png_set_user_limits(r->png, LONGEST_SIDE, LONGEST_SIDE);
    png_set_chunk_cache_max(r->png, MOST_TEXTS);
    png_set_chunk_malloc_max(r->png, LARGEST_CHUNK);
    png_read_info(r->png, r->info);
    return 0;
}

/* Opens a file and reads what comes before its pixels. end_png closes it in any case. Errors of
   libpng jump to png_jmpbuf(r->png): set it before each call. */
static otok_status begin_png(reading *r, const char *path)
{
    *r = (reading){.path = path};
    OTOK_TRY(otok_file_open(&r->file, path));
    r->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, r, keep_error, ignore_warning, r,
                                      allocate, release);
    r->info = r->png ? png_create_info_struct(r->png) : NULL;
    if (!r->info) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory to read it", path);
    return read_head(r) ? fail_damaged(r) : OTOK_OK;
}

static void end_png(reading *r)
{
    if (r->png) png_destroy_read_struct(&r->png, r->info ? &r->info : NULL, NULL);
    if (r->file) fclose(r->file);
    free(r->row);
}

static const char half_clear[] = "a pixel is half transparent, and no height can be";

/* The high byte comes first. */
static int level_at(const unsigned char *at, int bits)
{
    return bits == 16 ? at[0] << 8 | at[1] : at[0];
}

/* The level that means "no data" (tRNS), in the file's own bits; -1: none. */
static int clear_level(const reading *r, int bits)
{
    png_bytep alpha;
    int n;
    png_color_16p color = NULL;
    if (!(png_get_tRNS(r->png, r->info, &alpha, &n, &color) & PNG_INFO_tRNS) || !color) return -1;
    const int level = color->gray & ((1 << bits) - 1);
    return bits < 8 ? level * 255 / ((1 << bits) - 1) : level;
}

/* 1 after an error of libpng. */
static int read_rows(reading *r, const otok_raster *out, double low, double high)
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
static double number_in_text(const reading *r, const char *key)
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

static otok_status decode(reading *r, otok_raster *out, double low, double high)
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
    return read_rows(r, out, low, high) ? fail_damaged(r) : OTOK_OK;
}

otok_status otok_raster_png(otok_raster *out, const char *path, double low, double high)
{
    reading r;
    otok_status status = begin_png(&r, path);
    if (status == OTOK_OK) status = decode(&r, out, low, high);
    end_png(&r);
    return status;
}
