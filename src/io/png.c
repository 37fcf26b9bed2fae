/* png.c: writes a picture to a PNG file. image.c and relief.c make pictures. */
#include "../core/status.h"
#include "file.h"
#include "image.h"

#include <png.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_WORDS = 16, LEVEL = 6, LARGEST = 1 << 20 };

static void keep_error(png_structp png, png_const_charp text)
{
    char *why = png_get_error_ptr(png);
    snprintf(why, 128, "%s", text);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

static void put_words(png_structp png, png_infop info, const char *const *words)
{
    png_text text[MOST_WORDS] = {0};
    int n = 0;
    for (; words && words[0] && n < MOST_WORDS; words += 2, n++)
        text[n] = (png_text){.compression = PNG_TEXT_COMPRESSION_NONE,
                             .key = (char *)words[0],
                             .text = (char *)words[1]};
    png_set_text(png, info, text, n);
}

static const int colours[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                              PNG_COLOR_TYPE_RGB_ALPHA}; /* by channels */

/* Returns 0, or 1 after an error of libpng. Nothing here is used after the jump. */
static int encode(png_structp png, png_infop info, FILE *file, const otok_picture *p,
                  const char *const *words)
{
    if (setjmp(png_jmpbuf(png))) return 1;
    png_init_io(png, file);
    png_set_user_limits(png, LARGEST, LARGEST);
    png_set_IHDR(png, info, (png_uint_32)p->width, (png_uint_32)p->height, p->bits,
                 colours[p->channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, LEVEL);
    if (p->channels > 2) png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    put_words(png, info, words);
    png_write_info(png, info);
    const size_t row = (size_t)p->width * (size_t)p->channels * (size_t)p->bits / 8;
    for (int64_t j = 0; j < p->height; j++)
        png_write_row(png, p->pixels + (size_t)j * row);
    png_write_end(png, info);
    return 0;
}

/* Returns 0, or 1 after an error: of the file (errno), of libpng (why), or of memory. */
static int write_picture(FILE *file, const otok_picture *picture, const char *const *words,
                         char *why)
{
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, why, keep_error, ignore_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    errno = 0;
    const int failed = info ? encode(png, info, file, picture, words) : 1;
    const int error = errno;
    png_destroy_write_struct(&png, &info);
    errno = error;
    return failed;
}

otok_status otok_png_write(const char *path, const otok_picture *picture, const char *const *words)
{
    if (picture->width < 1 || picture->height < 1 || picture->width > LARGEST ||
        picture->height > LARGEST)
        return OTOK_FAIL(
            OTOK_USAGE,
            "%s: a picture of %lld x %lld pixels is empty or too large; use 1..%d along a side",
            path, (long long)picture->width, (long long)picture->height, LARGEST);
    otok_draft *draft;
    char why[128] = "";
    OTOK_TRY(otok_file_begin(&draft, path));
    FILE *file = otok_draft_stream(draft);
    int failed = !file, error = file ? 0 : errno;
    if (file) {
        failed = write_picture(file, picture, words, why);
        if (failed) error = errno;
        if (fclose(file) != 0 && !error) error = errno;
    }
    if (!failed && !error) return otok_file_commit(draft, path);
    otok_file_abandon(draft);
    if (error) return otok_file_failed(path, "write", error);
    return why[0] ? OTOK_FAIL(OTOK_IO, "%s: cannot write: %s", path, why)
                  : OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a PNG file", path);
}
