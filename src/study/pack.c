/* pack.c: converts a study to bytes and back, for journals. Directories of its files and comments
   in its scenario are left out, so that a study stays the same when it is moved or explained; the
   hashes of its files are added. Only
   the version of otok that wrote the bytes reads them. They are checked like foreign data. */
#include "../core/status.h"
#include "../scenario/expression.h"
#include "../scenario/yaml_node.h"
#include "journal.h"
#include "keep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The fixed part. The values of axes with lists follow, then responses, then the scenario's text,
   then zeros up to a multiple of 8 bytes. */
typedef struct packed {
    char version[64], stem[OTOK_NAME_SIZE];
    uint64_t size; /* of the text */
    int64_t seed, every, rerun, half_step;
    double duration;
    int64_t nresponses;
    otok_keep keep;
    otok_design design;
    struct packed_axis {
        char path[OTOK_TEXT_SIZE];
        double from, to;
        int64_t scale, nvalues;
    } axes[OTOK_MAX_AXES];
} packed;

/* ---- to bytes ---- */

static void pack(packed *p, const otok_study *s, size_t size)
{
    snprintf(p->version, sizeof p->version, "%s", otok_version());
    snprintf(p->stem, sizeof p->stem, "%s", s->stem);
    p->size = size;
    p->seed = s->seed;
    p->every = s->every;
    p->rerun = s->rerun;
    p->half_step = s->half_step;
    p->duration = s->duration;
    p->keep = s->keep;
    p->nresponses = s->nresponses;
    memcpy(&p->design, &s->design, sizeof p->design);
    for (int a = 0; a < s->naxes; a++) {
        const otok_axis *axis = &s->axes[a];
        snprintf(p->axes[a].path, sizeof p->axes[a].path, "%s", axis->path);
        p->axes[a].from = axis->from;
        p->axes[a].to = axis->to;
        p->axes[a].scale = axis->scale;
        p->axes[a].nvalues = axis->nvalues;
    }
}

otok_status otok_study_pack(char **bytes, size_t *size, const otok_study *s)
{
    char *text, *inputs;
    size_t length;
    OTOK_TRY(otok_study_inputs(&inputs, s));
    const otok_status status = otok_yaml_bare(&text, &length, s->text, s->size);
    packed *p = status == OTOK_OK ? calloc(1, sizeof *p) : NULL;
    FILE *out = p ? open_memstream(bytes, size) : NULL;
    if (out) {
        pack(p, s, length + strlen(inputs));
        fwrite(p, sizeof *p, 1, out);
        for (int a = 0; a < s->naxes; a++)
            for (int v = 0; v < s->axes[a].nvalues; v++) {
                char value[OTOK_VALUE_SIZE] = "";
                snprintf(value, sizeof value, "%s", s->axes[a].values[v]);
                fwrite(value, sizeof value, 1, out);
            }
        for (int i = 0; i < s->nresponses; i++) {
            otok_response r = {"", ""}; /* zeros behind the texts */
            strcpy(r.name, s->responses[i].name);
            strcpy(r.text, s->responses[i].text);
            fwrite(&r, sizeof r, 1, out);
        }
        fwrite(text, 1, length, out);
        fputs(inputs, out);
        fwrite("\0\0\0\0\0\0\0", 1, (8 - (sizeof *p + (size_t)p->size) % 8) % 8, out);
    }
    free(text);
    free(inputs);
    const int whole = out && !ferror(out), good = out && fclose(out) == 0 && whole;
    free(p);
    return good ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for a study");
}

int otok_study_is_same(const char *mine, size_t my_size, const char *theirs, size_t their_size)
{
    const size_t n = otok_study_inputs_at(mine, my_size), from = offsetof(packed, seed);
    return n == otok_study_inputs_at(theirs, their_size) && n > from &&
           memcmp(mine, theirs, offsetof(packed, size)) == 0 &&
           memcmp(mine + from, theirs + from, n - from) == 0;
}

/* ---- and back ---- */

static int is_design(const otok_design *d)
{
    const int morris = d->kind == OTOK_DESIGN_MORRIS, saltelli = d->kind == OTOK_DESIGN_SALTELLI;
    int good = d->kind >= OTOK_DESIGN_GRID && d->kind <= OTOK_DESIGN_LIST && d->naxes >= 1 &&
               d->naxes <= OTOK_MAX_AXES;
    for (int a = 0; good && d->kind == OTOK_DESIGN_GRID && a < d->naxes; a++)
        good = d->points[a] >= 1;
    if (good && morris)
        good = d->trajectories >= 1 && d->levels >= 2 && d->levels % 2 == 0 && d->levels <= 1024;
    if (good && saltelli) good = d->base >= 1;
    if (good && !morris && !saltelli && d->kind != OTOK_DESIGN_GRID) good = d->rows >= 1;
    return good && otok_design_rows(d) >= 1;
}

static int is_range(const struct packed_axis *x)
{
    return !isnan(x->from) && !isnan(x->to) && (!x->scale || (x->from > 0 && x->to > 0));
}

/* Is the axis valid? The number of its values depends on the design. Their texts follow at `at`,
   which moves past them. */
static int is_axis(const struct packed_axis *x, const otok_design *d, int a, const char *bytes,
                   size_t size, size_t *at)
{
    if (!x->path[0] || !memchr(x->path, 0, sizeof x->path) || x->scale < 0 || x->scale > 1)
        return 0;
    if (x->nvalues < 0 || x->nvalues > INT32_MAX ||
        (uint64_t)x->nvalues > (size - *at) / OTOK_VALUE_SIZE)
        return 0;
    if (d->kind == OTOK_DESIGN_LIST && x->nvalues != d->rows) return 0;
    if (d->kind == OTOK_DESIGN_GRID && x->nvalues && x->nvalues != d->points[a]) return 0;
    if (!x->nvalues && !is_range(x)) return 0;
    for (int64_t v = 0; v < x->nvalues; v++, *at += OTOK_VALUE_SIZE)
        if (!memchr(bytes + *at, 0, OTOK_VALUE_SIZE)) return 0;
    return 1;
}

static int is_side(int64_t n, int64_t coarsen)
{
    return n >= 1 && n <= 1 << 20 && n % coarsen == 0;
}

static int has_place(const otok_keep *k)
{
    int good = memchr(k->wkt, 0, sizeof k->wkt) != NULL;
    for (int i = 0; i < 4; i++)
        good &= isfinite(k->corner[i]) && (i < 2 || k->corner[i] >= 0);
    return good;
}

static int is_keep(const otok_keep *k)
{
    int64_t before = 0;
    if (!k->nfields) return k->nmoments == 0;
    if (k->nfields < 0 || k->nmoments < 1 || k->nfields > OTOK_MAX_KEPT ||
        k->nmoments > OTOK_MAX_KEPT / k->nfields || k->coarsen < 1)
        return 0;
    int good = is_side(k->grid.nx, k->coarsen) && is_side(k->grid.ny, k->coarsen) &&
               isfinite(k->grid.spacing);
    for (int f = 0; good && f < k->nfields; f++)
        good = k->fields[f] >= 0 && k->fields[f] <= INT32_MAX && otok_keep_field(k, f) != NULL &&
               otok_field_layer((int)k->fields[f]) < 0;
    good &= has_place(k);
    for (int m = 0; good && m < k->nmoments; before = k->moments[m++])
        good = k->moments[m] > before;
    return good;
}

/* Are the responses at `at` valid? It moves past them. */
static int are_responses(const packed *p, const char *bytes, size_t size, size_t *at)
{
    otok_expression parsed;
    if (p->nresponses < 0 || p->nresponses > OTOK_MAX_RESPONSES ||
        (size_t)p->nresponses > (size - *at) / sizeof(otok_response))
        return 0;
    int good = 1;
    for (int i = 0; good && i < p->nresponses; i++, *at += sizeof(otok_response)) {
        const otok_response *r = (const otok_response *)(bytes + *at);
        good = memchr(r->name, 0, sizeof r->name) && memchr(r->text, 0, sizeof r->text) &&
               r->name[0] && otok_expression_parse(&parsed, r->text) == OTOK_OK;
    }
    return good;
}

/* Are these bytes what otok_study_pack writes for a study from otok_study_load or
   otok_study_listed? */
static int is_packed(const packed *p, const char *bytes, size_t size)
{
    size_t at = sizeof *p;
    if (!memchr(p->stem, 0, sizeof p->stem) || !is_design(&p->design) ||
        p->design.seed != (uint64_t)p->seed)
        return 0;
    for (int a = 0; a < p->design.naxes; a++)
        if (!is_axis(&p->axes[a], &p->design, a, bytes, size, &at)) return 0;
    return are_responses(p, bytes, size, &at) && is_keep(&p->keep) && p->size <= size - at &&
           size - at - p->size < 8 && p->every >= 1 && (p->rerun == 0 || p->rerun == 1) &&
           p->half_step >= 0 && p->half_step <= OTOK_HALF_ALL && p->duration >= 0 &&
           isfinite(p->duration);
}

static otok_status unpack(otok_study *s, const packed *p, const char *bytes)
{
    size_t at = sizeof *p;
    s->size = (size_t)p->size;
    s->seed = p->seed;
    s->every = p->every;
    s->rerun = (int)p->rerun;
    s->half_step = (int)p->half_step;
    s->duration = p->duration;
    s->design = p->design;
    s->naxes = p->design.naxes;
    s->keep = p->keep;
    s->nresponses = (int)p->nresponses;
    for (int a = 0; a < s->naxes; a++) {
        otok_axis *axis = &s->axes[a];
        const size_t values = (size_t)p->axes[a].nvalues * OTOK_VALUE_SIZE;
        memcpy(axis->path, p->axes[a].path, sizeof axis->path);
        axis->from = p->axes[a].from;
        axis->to = p->axes[a].to;
        axis->scale = (int)p->axes[a].scale;
        axis->parameter = otok_parameter_at_path(axis->path);
        if (!values) continue;
        axis->values = malloc(values);
        if (!axis->values) return OTOK_FAIL(OTOK_NOMEM, "no memory for a study");
        memcpy(axis->values, bytes + at, values);
        axis->nvalues = (int)p->axes[a].nvalues;
        at += values;
    }
    const size_t responses = (size_t)s->nresponses * sizeof *s->responses;
    s->responses = malloc(responses + 1);
    if (!s->responses) return OTOK_FAIL(OTOK_NOMEM, "no memory for a study");
    memcpy(s->responses, bytes + at, responses);
    at += responses;
    s->stem = strdup(p->stem);
    s->text = calloc(1, s->size + 1);
    if (!s->stem || !s->text) return OTOK_FAIL(OTOK_NOMEM, "no memory for a study");
    memcpy(s->text, bytes + at, s->size);
    return OTOK_OK;
}

otok_status otok_study_unpack(otok_study **out, const char *bytes, size_t size, const char *path)
{
    const packed *p = (const packed *)bytes;
    *out = NULL;
    if (size < sizeof *p || strncmp(p->version, otok_version(), sizeof p->version) != 0)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: was written by another version of otok; merge with that one", path);
    if (!is_packed(p, bytes, size))
        return OTOK_FAIL(OTOK_DATA,
                         "%s: its study is not one that otok writes, though its checksum is right; "
                         "restore the file",
                         path);
    otok_study *s = calloc(1, sizeof *s);
    if (!s) return OTOK_FAIL(OTOK_NOMEM, "no memory for a study");
    const otok_status status = unpack(s, p, bytes);
    if (status == OTOK_OK)
        *out = s;
    else
        otok_study_destroy(s);
    return status;
}
