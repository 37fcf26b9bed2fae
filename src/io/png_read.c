/* png_read.c: opens PNG files for the readers of heights and of pictures. */
#include "png_read.h"
#include "../core/status.h"
#include "file.h"

#include <stdlib.h>

enum { LONGEST_SIDE = 1 << 20, MOST_TEXTS = 32, LARGEST_CHUNK = 8 << 20, LARGEST_PIECE = 16 << 20 };

static void keep_error(png_structp png, png_const_charp text)
{
    otok_png_reading *r = png_get_error_ptr(png);
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
    otok_png_reading *r = png_get_mem_ptr(png);
    if (size <= LARGEST_PIECE) return malloc(size);
    snprintf(r->why, sizeof r->why, "a part says that it has %llu bytes", (unsigned long long)size);
    return NULL;
}

static void release(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

/* 1 after an error of libpng. */
static int read_head(otok_png_reading *r)
{
    if (setjmp(png_jmpbuf(r->png))) return 1;
    png_init_io(r->png, r->file);
    png_set_user_limits(r->png, LONGEST_SIDE, LONGEST_SIDE);
    png_set_chunk_cache_max(r->png, MOST_TEXTS);
    png_set_chunk_malloc_max(r->png, LARGEST_CHUNK);
    png_read_info(r->png, r->info);
    return 0;
}

otok_status otok_png_begin(otok_png_reading *r, const char *path)
{
    *r = (otok_png_reading){.path = path};
    OTOK_TRY(otok_file_open(&r->file, path));
    r->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, r, keep_error, ignore_warning, r,
                                      allocate, release);
    r->info = r->png ? png_create_info_struct(r->png) : NULL;
    if (!r->info) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory to read it", path);
    return read_head(r) ? otok_png_damaged(r) : OTOK_OK;
}

void otok_png_end(otok_png_reading *r)
{
    if (r->png) png_destroy_read_struct(&r->png, r->info ? &r->info : NULL, NULL);
    if (r->file) fclose(r->file);
    free(r->row);
}

otok_status otok_png_damaged(const otok_png_reading *r)
{
    return OTOK_FAIL(OTOK_DATA, "%s: damaged: %s; get the file again", r->path,
                     r->why[0] ? r->why : "not a PNG file");
}
