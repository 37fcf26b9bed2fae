/* png_read.h: a PNG opened by libpng, within limits: a side of 2^20 pixels, 32 chunks of text, 8
   MiB for a chunk that is unpacked, and 16 MiB for any piece of memory that libpng takes. So a
   small file cannot take much memory. */
#ifndef OTOK_PNG_READ_H
#define OTOK_PNG_READ_H

#include "../otok.h"

#include <png.h>

#include <stdio.h>

typedef struct otok_png_reading {
    const char *path;
    FILE *file;
    png_structp png;
    png_infop info;
    unsigned char *row; /* malloc'd by the caller, or NULL; freed at the end */
    char why[128];      /* the first error */
} otok_png_reading;

/* Opens a file and reads what comes before its pixels; *r is closed in any case by
   otok_png_end. Errors of libpng jump to png_jmpbuf(r->png): the caller sets it before each call.
   OTOK_IO: the file cannot be read. OTOK_DATA: it is no PNG, damaged or beyond the limits. */
otok_status otok_png_begin(otok_png_reading *r, const char *path);
void otok_png_end(otok_png_reading *r);

/* Sets the text "PATH: damaged: why". Returns OTOK_DATA. */
otok_status otok_png_damaged(const otok_png_reading *r);

#endif
