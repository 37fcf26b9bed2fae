/* picture.c: chooses the reader of a picture by the first bytes of the file. */
#include "../core/status.h"
#include "file.h"
#include "image.h"

#include <stdlib.h>
#include <string.h>

static otok_status read_kind(otok_picture *out, const char *path)
{
    unsigned char start[8];
    int64_t size;
    OTOK_TRY(otok_file_probe(path, start, &size));
    if (memcmp(start, "\x89PNG\r\n\x1a\n", 8) == 0) return otok_picture_png(out, path);
#ifdef OTOK_WITH_GDAL
    return otok_picture_gdal(out, path);
#else
    return OTOK_FAIL(OTOK_DATA,
                     "%s: no PNG file, and this build reads no others; convert it with `convert IN "
                     "OUT.png`, or install libgdal-dev and build otok again",
                     path);
#endif
}

otok_status otok_picture_read(otok_picture *out, const char *path)
{
    *out = (otok_picture){0};
    const otok_status status = read_kind(out, path);
    if (status == OTOK_OK) return OTOK_OK;
    free(out->pixels);
    *out = (otok_picture){0};
    return status;
}
