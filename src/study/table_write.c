/* table_write.c: writes study.h5, a table of members that xarray opens: HDF5 with dimension scales
   and the attributes of CF and netCDF. It holds no date, host or thread, so equal results are equal
   bytes. */
#include "../core/status.h"
#include "../io/hdf_table.h"
#include "table.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writing {
    const otok_table *table;
    const char *path;
    hid_t file, member, sample;
    int64_t nrows, nsamples;
    char names[OTOK_MAX_AXES][OTOK_TEXT_SIZE]; /* names of the coordinates of axes */
    char coordinates[OTOK_MAX_AXES * 64 + 1];
} writing;

static otok_status fail_part(const writing *w, const char *what)
{
    return OTOK_FAIL(OTOK_IO, "%s: cannot write %s: %s", w->path, what, otok_hdf_why());
}

#define PUT(what, call)                                                                            \
    do {                                                                                           \
        if ((call) < 0) return fail_part(w, (what));                                               \
    } while (0)

/* A variable over members, or over members and samples, with its attributes. The caller closes
   it. */
static hid_t create_variable(const writing *w, const char *name, hid_t type, int rank,
                             const char *unit, const char *long_name)
{
    const otok_dimension over[2] = {{w->member, w->nrows}, {w->sample, w->nsamples}};
    return otok_hdf_variable(w->file, name, type, rank, over, unit, long_name);
}

/* ---- dimensions and axes ---- */

/* Names an axis by the last word of its path, or by the whole path with _ for dots if another axis
   or a result has that name. */
static void name_axes(writing *w)
{
    const otok_study *s = w->table->study;
    for (int a = 0; a < s->naxes; a++) {
        const char *dot = strrchr(s->axes[a].path, '.'), *key = dot ? dot + 1 : s->axes[a].path;
        static const char *const taken[] = {"state",      "verdict",     "cause",  "margin",
                                            "limit",      "growth",      "block",  "time",
                                            "iterations", "fingerprint", "member", "sample"};
        int others = 0;
        for (int b = 0; b < s->naxes; b++) {
            const char *at = strrchr(s->axes[b].path, '.');
            others += strcmp(at ? at + 1 : s->axes[b].path, key) == 0;
        }
        for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
            others += strcmp(taken[i], key) == 0;
        for (int i = 0; i < OTOK_RESPONSES; i++)
            others += strcmp(otok_response_infos[i].name, key) == 0;
        for (int i = 0; i < OTOK_SAMPLE_SIZE; i++)
            others += strcmp(otok_sample_infos[i].name, key) == 0;
        snprintf(w->names[a], sizeof w->names[a], "%s", others > 1 ? s->axes[a].path : key);
        for (char *c = w->names[a]; *c; c++)
            if (*c == '.' || *c == '/') *c = '_';
        snprintf(w->coordinates + strlen(w->coordinates),
                 sizeof w->coordinates - strlen(w->coordinates), "%s%s", a ? " " : "", w->names[a]);
    }
}

/* netCDF's strings */
static hid_t text_type(void)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

/* Fills a new variable of texts with nrows texts of `width` bytes, zero-terminated, and closes
   it. */
static herr_t fill_texts(const writing *w, hid_t set, const char *all, size_t width)
{
    const char **texts = malloc(((size_t)w->nrows + 1) * sizeof *texts);
    const hid_t type = text_type();
    for (int64_t i = 0; texts && i < w->nrows; i++)
        texts[i] = all + (size_t)i * width;
    const herr_t result = otok_hdf_fill(set, type, texts);
    free(texts);
    H5Tclose(type);
    return result;
}

static hid_t text_variable(const writing *w, const char *name, const char *long_name)
{
    const hid_t type = text_type(), set = create_variable(w, name, type, 1, "", long_name);
    H5Tclose(type);
    return set;
}

static herr_t axis_attributes(hid_t set, const otok_axis *axis, int numeric)
{
    const otok_parameter *p = axis->parameter;
    herr_t result = set < 0 ? -1 : otok_hdf_put_text(set, "path", axis->path);
    if (result >= 0 && p && *p->symbol) result = otok_hdf_put_text(set, "symbol", p->symbol);
    if (result >= 0 && numeric && !axis->nvalues)
        result = otok_hdf_put_text(set, "scale", axis->scale ? "log" : "linear");
    return result;
}

/* Writes an axis as numbers if all its values are numbers. */
static herr_t write_axis(const writing *w, int a, char (*words)[OTOK_VALUE_SIZE], double *numbers)
{
    const otok_axis *axis = &w->table->study->axes[a];
    const otok_parameter *p = axis->parameter;
    int numeric = 1;
    for (int64_t row = 0; row < w->nrows; row++) {
        char *end;
        otok_study_value(w->table->study, row, a, words[row]);
        numbers[row] = strtod(words[row], &end);
        numeric &= end != words[row] && !*end;
    }
    const hid_t set = numeric ? create_variable(w, w->names[a], H5T_IEEE_F64LE, 1, p ? p->unit : "",
                                                p ? p->help : "")
                              : text_variable(w, w->names[a], p ? p->help : "");
    const herr_t result = axis_attributes(set, axis, numeric);
    const herr_t filled = numeric ? otok_hdf_fill(set, H5T_NATIVE_DOUBLE, numbers)
                                  : fill_texts(w, set, words[0], OTOK_VALUE_SIZE);
    return result < 0 ? result : filled;
}

static otok_status axis(const writing *w, int a)
{
    char(*words)[OTOK_VALUE_SIZE] = calloc((size_t)w->nrows, sizeof *words);
    double *numbers = calloc((size_t)w->nrows, sizeof *numbers);
    const herr_t result = words && numbers ? write_axis(w, a, words, numbers) : 0;
    const int room = words && numbers;
    free(words);
    free(numbers);
    if (!room) return OTOK_FAIL(OTOK_NOMEM, "no memory for the axes of a study");
    PUT(w->names[a], result);
    return OTOK_OK;
}

/* ---- results ---- */

static herr_t put_coordinates(const writing *w, hid_t set)
{
    return set < 0 || !w->coordinates[0] ? 0
                                         : otok_hdf_put_text(set, "coordinates", w->coordinates);
}

static otok_status write_flags(const writing *w, const char *name, const int8_t *values, int first,
                               int n, const char *meanings, const char *long_name)
{
    const hid_t set = create_variable(w, name, H5T_STD_I8LE, 1, "", long_name);
    herr_t result = otok_hdf_flags(set, first, n, meanings);
    if (result >= 0) result = put_coordinates(w, set);
    const herr_t filled = otok_hdf_fill(set, H5T_NATIVE_INT8, values);
    PUT(name, result < 0 ? result : filled);
    return OTOK_OK;
}

static otok_status write_states(const writing *w, int8_t *values)
{
    char meanings[OTOK_VERDICT_MEANINGS];
    for (int64_t i = 0; i < w->nrows; i++)
        values[i] = (int8_t)w->table->rows[i].state;
    OTOK_TRY(write_flags(w, "state", values, 0, OTOK_STATES, "planned running done failed",
                         "status of the member"));
    for (int64_t i = 0; i < w->nrows; i++)
        values[i] = (int8_t)(w->table->rows[i].result ? w->table->rows[i].result->verdict : -1);
    return write_flags(w, "verdict", values, -1, OTOK_VERDICTS + 1, otok_verdict_meanings(meanings),
                       "what the detectors found");
}

/* Writes one number of every result. */
static otok_status write_column(const writing *w, void *memory, const otok_result_number *n)
{
    int64_t *ints = memory;
    double *doubles = memory;
    for (int64_t i = 0; i < w->nrows; i++) {
        const char *result = (const char *)w->table->rows[i].result;
        if (n->is_int)
            ints[i] = result ? *(const int64_t *)(result + n->offset) : -1;
        else
            doubles[i] = result ? *(const double *)(result + n->offset) : NAN;
    }
    const hid_t set = create_variable(w, n->name, n->is_int ? H5T_STD_I64LE : H5T_IEEE_F64LE, 1,
                                      n->unit, n->long_name);
    const herr_t result = put_coordinates(w, set);
    const herr_t filled =
        otok_hdf_fill(set, n->is_int ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, memory);
    PUT(n->name, result < 0 ? result : filled);
    return OTOK_OK;
}

static otok_status write_columns(const writing *w, void *memory)
{
    otok_result_number number;
    for (int i = 0; otok_result_number_at(&number, i); i++)
        OTOK_TRY(write_column(w, memory, &number));
    const otok_study *study = w->table->study;
    for (int i = 0; i < study->nresponses; i++) {
        number =
            (otok_result_number){.long_name = study->responses[i].text,
                                 .offset = offsetof(otok_result, own) + (size_t)i * sizeof(double)};
        snprintf(number.name, sizeof number.name, "response_%s", study->responses[i].name);
        OTOK_TRY(write_column(w, memory, &number));
    }
    return OTOK_OK;
}

/* The margin of a limit in a result; NAN: it does not apply, or there is no result. */
static double margin_of(const otok_result *r, const char *limit)
{
    for (int n = 0; r && n < OTOK_LIMITS && r->margins[n].limit[0]; n++)
        if (strcmp(r->margins[n].limit, limit) == 0) return r->margins[n].margin;
    return NAN;
}

static otok_status write_margin(const writing *w, double *memory, const char *limit)
{
    char name[64], about[96];
    snprintf(name, sizeof name, "margin_%s", limit);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c)) *c = '_';
    snprintf(about, sizeof about, "predicted: value over bound of %s; NaN: it does not apply",
             limit);
    for (int64_t i = 0; i < w->nrows; i++)
        memory[i] = margin_of(w->table->rows[i].result, limit);
    const hid_t set = create_variable(w, name, H5T_IEEE_F64LE, 1, "1", about);
    const herr_t result = put_coordinates(w, set);
    const herr_t filled = otok_hdf_fill(set, H5T_NATIVE_DOUBLE, memory);
    PUT(name, result < 0 ? result : filled);
    return OTOK_OK;
}

/* A column for each limit that some member has, in the order of rows. */
static otok_status write_margins(const writing *w, double *memory)
{
    const char *known[4 * OTOK_LIMITS];
    int n = 0;
    for (int64_t i = 0; i < w->nrows; i++) {
        const otok_result *r = w->table->rows[i].result;
        for (int k = 0; r && k < OTOK_LIMITS && r->margins[k].limit[0]; k++) {
            int at = 0;
            while (at < n && strcmp(known[at], r->margins[k].limit) != 0)
                at++;
            if (at < n || n == 4 * OTOK_LIMITS) continue;
            known[n++] = r->margins[k].limit;
            OTOK_TRY(write_margin(w, memory, r->margins[k].limit));
        }
    }
    return OTOK_OK;
}

/* `all` holds nrows texts of `width` bytes. */
static otok_status write_texts(const writing *w, const char *name, const char *long_name,
                               const char *all, size_t width)
{
    const hid_t set = text_variable(w, name, long_name);
    const herr_t result = put_coordinates(w, set), filled = fill_texts(w, set, all, width);
    PUT(name, result < 0 ? result : filled);
    return OTOK_OK;
}

static otok_status write_words(const writing *w)
{
    enum { LIMIT = OTOK_NAME_SIZE, CAUSE = sizeof(((otok_result *)0)->cause), PRINT = 17 };
    char(*limits)[LIMIT] = calloc((size_t)w->nrows, LIMIT),
    (*causes)[CAUSE] = calloc((size_t)w->nrows, CAUSE);
    char(*prints)[PRINT] = calloc((size_t)w->nrows, PRINT);
    otok_status status = limits && causes && prints
                             ? OTOK_OK
                             : OTOK_FAIL(OTOK_NOMEM, "no memory for the texts of a study");
    for (int64_t i = 0; i < w->nrows && status == OTOK_OK; i++) {
        const otok_result *r = w->table->rows[i].result;
        if (!r) continue;
        memcpy(limits[i], r->limit, LIMIT);
        memcpy(causes[i], r->cause, CAUSE);
        if (r->verdict >= 0 && r->verdict != OTOK_REFUSED)
            snprintf(prints[i], PRINT, "%016llx", (unsigned long long)r->fingerprint);
    }
    if (status == OTOK_OK)
        status = write_texts(w, "limit", "predicted: the binding limit", limits[0], LIMIT);
    if (status == OTOK_OK)
        status = write_texts(w, "cause", "why the member was refused or failed", causes[0], CAUSE);
    if (status == OTOK_OK)
        status = write_texts(w, "fingerprint", "of the final state", prints[0], PRINT);
    free(limits);
    free(causes);
    free(prints);
    return status;
}

/* The values of detector v for the samples of a member; NaN if there are none. */
static void fill_samples(const void *user, int v, int64_t row, int64_t first, int64_t count,
                         double *out)
{
    const otok_table_row *r = &((const writing *)user)->table->rows[row];
    const int64_t known = r->result ? r->result->nsamples - first : 0;
    for (int64_t s = 0; s < count; s++)
        out[s] = s < known ? ((const double *)&r->samples[first + s])[v] : NAN;
}

static otok_status write_series(const writing *w)
{
    hid_t sets[OTOK_SAMPLE_SIZE];
    int n = 0;
    herr_t result = 0;
    while (n < OTOK_SAMPLE_SIZE && result >= 0) {
        const otok_sample_info *info = &otok_sample_infos[n];
        sets[n] = create_variable(w, info->name, H5T_IEEE_F64LE, 2, info->unit, info->long_name);
        result = put_coordinates(w, sets[n++]);
    }
    const herr_t filled = otok_hdf_fill_matrices(sets, n, w->nrows, w->nsamples, fill_samples, w);
    PUT("the samples", result < 0 ? result : filled);
    return OTOK_OK;
}

/* ---- the file ---- */

static otok_status write_root(const writing *w)
{
    static const char *const kinds[] = {"grid", "lhs", "sobol", "morris", "saltelli", "list"};
    const otok_study *s = w->table->study;
    char source[128];
    const double seed = (double)s->seed, every = (double)s->every;
    snprintf(source, sizeof source, "otok %s", otok_version());
    /* without a date: the same study has the same bytes */
    PUT("attributes", otok_hdf_put_text(w->file, "history", "otok study"));
    PUT("attributes", otok_hdf_put_text(w->file, "Conventions", "CF-1.10"));
    PUT("attributes", otok_hdf_put_text(w->file, "title", s->stem));
    PUT("attributes", otok_hdf_put_text(w->file, "source", source));
    PUT("attributes", otok_hdf_put_text(w->file, "design", kinds[s->design.kind]));
    PUT("attributes", otok_hdf_put(w->file, "seed", H5T_NATIVE_DOUBLE, 0, &seed));
    PUT("attributes", otok_hdf_put(w->file, "every", H5T_NATIVE_DOUBLE, 0, &every));
    PUT("attributes", otok_hdf_put_text(w->file, "scenario", s->text));
    return OTOK_OK;
}

/* Writes which rows belong together, and whether all of them are there. */
static otok_status write_blocks(const writing *w, void *memory)
{
    const int64_t size = otok_design_block(&w->table->study->design);
    int64_t *block = memory;
    int8_t *complete = memory;
    if (size == 1) return OTOK_OK;
    for (int64_t i = 0; i < w->nrows; i++)
        block[i] = i / size;
    hid_t set = create_variable(w, "block", H5T_STD_I64LE, 1, "1",
                                "rows that an analysis needs together have the same");
    PUT("block", otok_hdf_fill(set, H5T_NATIVE_INT64, block));
    for (int64_t first = 0; first + size <= w->nrows; first += size) {
        int whole = 1;
        for (int64_t i = first; i < first + size; i++)
            whole &= !otok_table_lacks(&w->table->rows[i]);
        for (int64_t i = first; i < first + size; i++)
            complete[i] = (int8_t)whole;
    }
    return write_flags(w, "block_complete", complete, 0, 2, "incomplete complete",
                       "does every row of the block have a final state");
}

static otok_status write_parts(void *user, hid_t file)
{
    writing *w = user;
    w->file = file;
    OTOK_TRY(write_root(w));
    PUT("dimensions",
        w->member = otok_hdf_dimension(file, "member", w->nrows, "row of the design"));
    PUT("dimensions",
        w->sample = otok_hdf_dimension(file, "sample", w->nsamples, "sample of the detectors"));
    for (int a = 0; a < w->table->study->naxes; a++)
        OTOK_TRY(axis(w, a));
    void *memory = calloc((size_t)w->nrows + 1, sizeof(double));
    if (!memory)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a table of %lld members", (long long)w->nrows);
    otok_status status = write_states(w, memory);
    if (status == OTOK_OK) status = write_columns(w, memory);
    if (status == OTOK_OK) status = write_margins(w, memory);
    if (status == OTOK_OK) status = write_blocks(w, memory);
    free(memory);
    if (status == OTOK_OK) status = write_words(w);
    return status == OTOK_OK ? write_series(w) : status;
}

otok_status otok_table_write(const otok_table *table, const char *path)
{
    writing *w = calloc(1, sizeof *w);
    if (!w) return OTOK_FAIL(OTOK_NOMEM, "no memory for study.h5");
    *w = (writing){.table = table,
                   .path = path,
                   .nrows = table->nrows,
                   .nsamples = 1,
                   .member = -1,
                   .sample = -1};
    for (int64_t i = 0; i < table->nrows; i++)
        if (table->rows[i].result && table->rows[i].result->nsamples > w->nsamples)
            w->nsamples = table->rows[i].result->nsamples;
    name_axes(w);
    const otok_status status = otok_hdf_table(path, write_parts, w);
    free(w);
    return status;
}
