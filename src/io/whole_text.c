/* whole_text.c: reads a file of text as a whole. */
#include "../core/status.h"
#include "file.h"
#include "prj.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

otok_status otok_whole_text(char **text, const char *path, size_t most)
{
    FILE *file;
    size_t size = 0, room = 0;
    int error = 0;
    *text = NULL;
    OTOK_TRY(otok_file_open(&file, path));
    for (;;) {
        if (size + 1 >= room) {
            char *more = realloc(*text, room = room ? 2 * room : 1 << 16);
            if (!more) error = ENOMEM;
            if (!more) break;
            *text = more;
        }
        const size_t got = fread(*text + size, 1, room - size - 1, file);
        size += got;
        if (got == 0 || size > most) break;
    }
    if (!error && ferror(file)) error = errno ? errno : EIO;
    if (!error && size > most) error = EFBIG;
    fclose(file);
    if (!error) (*text)[size] = 0;
    if (!error) return OTOK_OK;
    free(*text);
    *text = NULL;
    return error == ENOMEM ? OTOK_FAIL(OTOK_NOMEM, "%s: no memory to read it", path)
                           : otok_file_failed(path, "read", error);
}
