/* pack.c: a study as bytes and back, for journals. The folders of its files are left out, so that it is the same study wherever it
   lies. Read only by the version of otok that wrote it. */
#include "../core/status.h"
#include "journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct packed {
    char version[64];
    char stem[OTOK_NAME_SIZE];
    uint64_t struct_size;
    otok_study study; /* pointers and files are 0 */
} packed;

static void clean(otok_study *s)
{
    s->path = s->directory = s->stem = s->text = NULL;
    memset(s->scenario, 0, sizeof s->scenario);
    memset(s->table, 0, sizeof s->table);
    for (int a = 0; a < OTOK_MAX_AXES; a++) {
        s->axes[a].values = NULL;
        s->axes[a].parameter = NULL;
    }
}

otok_status otok_study_pack(char **bytes, size_t *size, const otok_study *s)
{
    packed *p = calloc(1, sizeof *p);
    FILE *out = p ? open_memstream(bytes, size) : NULL;
    if (out) {
        snprintf(p->version, sizeof p->version, "%s", otok_version());
        snprintf(p->stem, sizeof p->stem, "%s", s->stem);
        p->struct_size = sizeof *s;
        memcpy(&p->study, s, sizeof *s);
        clean(&p->study);
        fwrite(p, sizeof *p, 1, out);
        for (int a = 0; a < s->naxes; a++)
            for (int v = 0; v < s->axes[a].nvalues; v++) {
                char value[OTOK_VALUE_SIZE] = "";
                snprintf(value, sizeof value, "%s", s->axes[a].values[v]);
                fwrite(value, sizeof value, 1, out);
            }
        fwrite(s->text, 1, s->size, out);
        fwrite("\0\0\0\0\0\0\0", 1, (8 - (sizeof *p + s->size) % 8) % 8, out);
    }
    const int good = out && !ferror(out) && fclose(out) == 0;
    free(p);
    return good ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for a study");
}

static otok_status unpack(otok_study *s, const packed *p, const char *bytes, size_t size)
{
    size_t at = sizeof *p;
    memcpy(s, &p->study, sizeof *s);
    s->stem = strdup(p->stem);
    for (int a = 0; a < s->naxes; a++) {
        otok_axis *axis = &s->axes[a];
        const size_t values = (size_t)axis->nvalues * OTOK_VALUE_SIZE;
        if (!axis->nvalues) continue;
        axis->values = values <= size - at ? malloc(values) : NULL;
        if (!axis->values) return OTOK_FAIL(OTOK_NOMEM, "no memory for a study");
        memcpy(axis->values, bytes + at, values);
        at += values;
    }
    s->text = s->size <= size - at ? strndup(bytes + at, s->size) : NULL;
    return s->stem && s->text ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for a study");
}

otok_status otok_study_unpack(otok_study **out, const char *bytes, size_t size, const char *path)
{
    const packed *p = (const packed *)bytes;
    *out = NULL;
    if (size < sizeof *p || strcmp(p->version, otok_version()) != 0 || p->struct_size != sizeof **out)
        return OTOK_FAIL(OTOK_DATA, "%s: was written by another version of otok; merge with that one", path);
    otok_study *s = calloc(1, sizeof *s);
    otok_status status = s ? unpack(s, p, bytes, size) : OTOK_FAIL(OTOK_NOMEM, "no memory for a study");
    for (int a = 0; s && a < s->naxes; a++)
        s->axes[a].parameter = otok_axis_parameter(s->axes[a].path);
    if (status == OTOK_OK)
        *out = s;
    else
        otok_study_destroy(s);
    return status;
}
