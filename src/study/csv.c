/* csv.c: see csv.h. */
#include "csv.h"

#include "../core/status.h"
#include "../io/file.h"

#include <stdlib.h>

otok_status otok_csv_write(const char *directory, const char *name,
                           void (*rows)(FILE *out, const void *user), const void *user)
{
    char path[4400], *bytes = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *out = open_memstream(&bytes, &size);
    if (out) rows(out, user);
    if (!otok_text_finish(out, &bytes)) return OTOK_FAIL(OTOK_NOMEM, "no memory for %s", path);
    const otok_status status = otok_file_put(path, bytes, size);
    free(bytes);
    return status;
}
