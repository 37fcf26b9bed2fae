/* table_write.c: writes study.h5, a table of members that xarray opens: HDF5 with dimension scales
   and the attributes of CF and netCDF. Beside the date, backends and devices equal results are
   equal bytes. */
#include "../core/status.h"
#include "../sim/island.h"
#include "table_writing.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- results ---- */

static otok_status write_flags(const otok_table_writing *w, const char *name, const int8_t *values,
                               int first, int n, const char *meanings, const char *long_name)
{
    const hid_t set = otok_table_variable(w, name, H5T_STD_I8LE, 1, "", long_name);
    herr_t result = otok_hdf_flags(set, first, n, meanings);
    if (result >= 0) result = otok_table_coordinates(w, set);
    const herr_t filled = otok_hdf_fill(set, H5T_NATIVE_INT8, values);
    PUT(name, result < 0 ? result : filled);
    return OTOK_OK;
}

static otok_status write_states(const otok_table_writing *w, int8_t *values)
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

/* Writes a number of every member. */
static otok_status write_numbers(const otok_table_writing *w, const char *name, int is_int,
                                 const char *unit, const char *long_name, const void *values)
{
    const hid_t set =
        otok_table_variable(w, name, is_int ? H5T_STD_I64LE : H5T_IEEE_F64LE, 1, unit, long_name);
    const herr_t result = otok_table_coordinates(w, set);
    const herr_t filled = otok_hdf_fill(set, is_int ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, values);
    PUT(name, result < 0 ? result : filled);
    return OTOK_OK;
}

static otok_status write_column(const otok_table_writing *w, void *memory,
                                const otok_result_number *n)
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
    return write_numbers(w, n->name, n->is_int, n->unit, n->long_name, memory);
}

/* Writes the forms of islands and their numbers; the table of a study without any lacks these
   columns. */
static otok_status write_forms(const otok_table_writing *w, void *memory)
{
    int8_t *values = memory;
    int any = 0;
    for (int64_t i = 0; i < w->nrows; i++) {
        const otok_result *r = w->table->rows[i].result;
        values[i] = (int8_t)(r ? r->island.form : -1);
        any |= values[i] >= 0;
    }
    if (!any) return OTOK_OK;
    OTOK_TRY(write_flags(w, "form", values, -1, OTOK_FORMS + 1, otok_form_meanings,
                         "form of the island with its reef"));
    for (int i = 0; i < OTOK_ISLAND_NUMBERS; i++) {
        const otok_island_number *of = &otok_island_numbers[i];
        otok_result_number number = {.unit = of->unit,
                                     .long_name = of->long_name,
                                     .offset = offsetof(otok_result, island) + of->offset};
        snprintf(number.name, sizeof number.name, "%s", of->name);
        OTOK_TRY(write_column(w, memory, &number));
    }
    return OTOK_OK;
}

static otok_status write_columns(const otok_table_writing *w, void *memory)
{
    otok_result_number number;
    for (int i = 0; otok_result_number_at(&number, i); i++)
        OTOK_TRY(write_column(w, memory, &number));
    OTOK_TRY(write_forms(w, memory));
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

static otok_status write_margin(const otok_table_writing *w, double *memory, const char *limit)
{
    char name[64], about[96];
    snprintf(name, sizeof name, "margin_%s", limit);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c)) *c = '_';
    snprintf(about, sizeof about, "predicted: value over bound of %s; NaN: it does not apply",
             limit);
    for (int64_t i = 0; i < w->nrows; i++)
        memory[i] = margin_of(w->table->rows[i].result, limit);
    return write_numbers(w, name, 0, "1", about, memory);
}

/* A column for each limit that some member has, in the order of rows. */
static otok_status write_margins(const otok_table_writing *w, double *memory)
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
static otok_status write_texts(const otok_table_writing *w, const char *name, const char *long_name,
                               const char *all, size_t width)
{
    const hid_t set = otok_table_text(w, name, long_name);
    const herr_t result = otok_table_coordinates(w, set),
                 filled = otok_table_fill_texts(w, set, all, width);
    PUT(name, result < 0 ? result : filled);
    return OTOK_OK;
}

/* The texts of a result. */
static const struct words {
    const char *name, *long_name;
    size_t offset, width;
} words[] = {
    {"limit", "predicted: the binding limit", offsetof(otok_result, limit), OTOK_NAME_SIZE},
    {"change_half_dt_of", "the result that changed by change_half_dt", offsetof(otok_result, most),
     OTOK_NAME_SIZE},
    {"change_reversed_of", "the result that changed by change_reversed",
     offsetof(otok_result, most_reversed), OTOK_NAME_SIZE},
    {"cause", "why the member was refused or failed", offsetof(otok_result, cause),
     sizeof(((otok_result *)0)->cause)},
    {"fingerprint", "of the final state", SIZE_MAX, 17},
};

static void put_words(char *to, const otok_result *r, const struct words *w)
{
    if (w->offset != SIZE_MAX)
        memcpy(to, (const char *)r + w->offset, w->width);
    else if (r->verdict >= 0 && r->verdict != OTOK_REFUSED)
        snprintf(to, w->width, "%016llx", (unsigned long long)r->fingerprint);
}

static otok_status write_words(const otok_table_writing *w)
{
    otok_status status = OTOK_OK;
    for (size_t n = 0; n < sizeof words / sizeof *words && status == OTOK_OK; n++) {
        char *all = calloc((size_t)w->nrows, words[n].width);
        if (!all) return OTOK_FAIL(OTOK_NOMEM, "no memory for the texts of a study");
        for (int64_t i = 0; i < w->nrows; i++)
            if (w->table->rows[i].result)
                put_words(&all[(size_t)i * words[n].width], w->table->rows[i].result, &words[n]);
        status = write_texts(w, words[n].name, words[n].long_name, all, words[n].width);
        free(all);
    }
    return status;
}

/* The values of detector v for the samples of a member; NaN if there are none. */
static void fill_samples(const void *user, int v, int64_t row, int64_t first, int64_t count,
                         double *out)
{
    const otok_table_row *r = &((const otok_table_writing *)user)->table->rows[row];
    const int64_t known = r->result ? r->result->nsamples - first : 0;
    for (int64_t s = 0; s < count; s++)
        out[s] = s < known ? ((const double *)&r->samples[first + s])[v] : NAN;
}

static otok_status write_series(const otok_table_writing *w)
{
    hid_t sets[OTOK_SAMPLE_SIZE];
    int n = 0;
    herr_t result = 0;
    while (n < OTOK_SAMPLE_SIZE && result >= 0) {
        const otok_sample_info *info = &otok_sample_infos[n];
        sets[n] =
            otok_table_variable(w, info->name, H5T_IEEE_F64LE, 2, info->unit, info->long_name);
        result = otok_table_coordinates(w, sets[n++]);
    }
    const herr_t filled = otok_hdf_fill_matrices(sets, n, w->nrows, w->nsamples, fill_samples, w);
    PUT("the samples", result < 0 ? result : filled);
    return OTOK_OK;
}

/* ---- the file ---- */

/* Adds a word to a list of different ones. */
static void add_word(char *list, size_t size, const char *word)
{
    const size_t n = strlen(word), used = strlen(list);
    for (const char *at = list; n && (at = strstr(at, word)); at += n)
        if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ';')) return;
    if (n) snprintf(list + used, size - used, "%s%s", used ? "; " : "", word);
}

/* Writes when the first process began, and all backends and devices. */
static otok_status write_ran(const otok_table_writing *w)
{
    const char *date = NULL;
    char backends[256] = "", devices[2048] = "";
    for (int j = 0; j < w->table->njournals; j++) {
        const otok_ran *ran = w->table->journals[j].ran;
        if (!ran) continue;
        if (!date || strcmp(ran->date, date) < 0) date = ran->date;
        add_word(backends, sizeof backends, ran->backend);
        add_word(devices, sizeof devices, ran->device);
    }
    if (date) PUT("attributes", otok_hdf_put_text(w->file, "date", date));
    if (*backends) PUT("attributes", otok_hdf_put_text(w->file, "backend", backends));
    if (*devices) PUT("attributes", otok_hdf_put_text(w->file, "device", devices));
    return OTOK_OK;
}

static otok_status write_root(const otok_table_writing *w)
{
    static const char *const kinds[] = {"grid", "lhs", "sobol", "morris", "saltelli", "list"};
    static const char *const halves[] = {"doubtful", "never", "all"};
    const otok_study *s = w->table->study;
    char source[128], paths[512];
    snprintf(source, sizeof source, "otok %s", otok_version());
    PUT("attributes", otok_hdf_put_text(w->file, "history", "otok study"));
    PUT("attributes", otok_hdf_put_text(w->file, "Conventions", "CF-1.10"));
    PUT("attributes", otok_hdf_put_text(w->file, "title", s->stem));
    PUT("attributes", otok_hdf_put_text(w->file, "source", source));
    PUT("attributes", otok_hdf_put_text(w->file, "commit", otok_commit()));
    PUT("attributes", otok_hdf_put_text(w->file, "design", kinds[s->design.kind]));
    PUT("attributes", otok_hdf_put(w->file, "seed", H5T_NATIVE_INT64, 0, &s->seed));
    PUT("attributes", otok_hdf_put(w->file, "every", H5T_NATIVE_INT64, 0, &s->every));
    PUT("attributes", otok_hdf_put_text(w->file, "half_step", halves[s->half_step]));
    PUT("attributes", otok_hdf_put_text(w->file, "rerun", s->rerun ? "true" : "false"));
    if (s->duration > 0)
        PUT("attributes", otok_hdf_put(w->file, "duration", H5T_NATIVE_DOUBLE, 0, &s->duration));
    PUT("attributes", otok_hdf_put_text(w->file, "scenario", s->text));
    if (otok_study_follows(s, paths, sizeof paths)) {
        snprintf(source, sizeof source, "%g", OTOK_STUDY_COURANT);
        PUT("attributes", otok_hdf_put_text(w->file, "courant", source));
        PUT("attributes", otok_hdf_put_text(w->file, "courant_paths", paths));
    }
    return OTOK_OK;
}

/* Writes which rows belong together, and whether all of them are there. */
static otok_status write_blocks(const otok_table_writing *w, void *memory)
{
    const int64_t size = otok_design_block(&w->table->study->design);
    int64_t *block = memory;
    int8_t *complete = memory;
    if (size == 1) return OTOK_OK;
    for (int64_t i = 0; i < w->nrows; i++)
        block[i] = i / size;
    hid_t set = otok_table_variable(w, "block", H5T_STD_I64LE, 1, "1",
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
    otok_table_writing *w = user;
    w->file = file;
    OTOK_TRY(write_root(w));
    OTOK_TRY(write_ran(w));
    PUT("dimensions",
        w->member = otok_hdf_dimension(file, "member", w->nrows, "row of the design"));
    PUT("dimensions",
        w->sample = otok_hdf_dimension(file, "sample", w->nsamples, "sample of the detectors"));
    for (int a = 0; a < w->table->study->naxes; a++)
        OTOK_TRY(otok_table_axis(w, a));
    void *memory = calloc((size_t)w->nrows + 1, sizeof(double));
    if (!memory)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a table of %lld members", (long long)w->nrows);
    otok_status status = write_states(w, memory);
    if (status == OTOK_OK) status = write_columns(w, memory);
    if (status == OTOK_OK) status = write_margins(w, memory);
    if (status == OTOK_OK) status = write_blocks(w, memory);
    free(memory);
    if (status == OTOK_OK) status = write_words(w);
    if (status == OTOK_OK) status = write_series(w);
    return status == OTOK_OK ? otok_table_maps(w) : status;
}

otok_status otok_table_write(const otok_table *table, const char *path)
{
    otok_table_writing *w = calloc(1, sizeof *w);
    if (!w) return OTOK_FAIL(OTOK_NOMEM, "no memory for study.h5");
    *w = (otok_table_writing){.table = table,
                              .path = path,
                              .nrows = table->nrows,
                              .nsamples = 1,
                              .member = -1,
                              .sample = -1};
    for (int64_t i = 0; i < table->nrows; i++)
        if (table->rows[i].result && table->rows[i].result->nsamples > w->nsamples)
            w->nsamples = table->rows[i].result->nsamples;
    otok_table_name_axes(w);
    const otok_status status = otok_hdf_table(path, write_parts, w);
    free(w);
    return status;
}
