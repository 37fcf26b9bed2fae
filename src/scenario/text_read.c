/* text_read.c: reads a whole text file: a scenario, a study, a series. */
#include "../io/file.h"
#include "scenario_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

otok_status otok_text_too_long(const char *path)
{
    return OTOK_FAIL(OTOK_DATA, "%s: larger than %d MiB; that is not a scenario", path,
                     OTOK_MOST_TEXT >> 20);
}

otok_status otok_text_read(char **bytes, size_t *size, const char *path)
{
    *bytes = malloc(OTOK_MOST_TEXT + 1);
    if (!*bytes) return OTOK_FAIL(OTOK_NOMEM, "no memory for a scenario");
    FILE *file;
    otok_status status = otok_file_open(&file, path);
    *size = file ? fread(*bytes, 1, OTOK_MOST_TEXT, file) : 0;
    (*bytes)[*size] = 0;
    if (file && ferror(file))
        status = OTOK_FAIL(OTOK_IO, "%s: cannot be read: %s", path, strerror(errno));
    else if (file && fgetc(file) != EOF)
        status = otok_text_too_long(path);
    if (file) fclose(file);
    if (status == OTOK_OK) return OTOK_OK;
    free(*bytes);
    *bytes = NULL;
    return status;
}
