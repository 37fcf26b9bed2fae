/* table_axes.c: variables of study.h5, and those of the axes: their names, and their values as
   numbers or texts. */
#include "../core/status.h"
#include "../core/usual_units.h"
#include "../scenario/scenario_read.h"
#include "table_writing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

otok_status otok_table_fail(const otok_table_writing *w, const char *what)
{
    return OTOK_FAIL(OTOK_IO, "%s: cannot write %s: %s", w->path, what, otok_hdf_why());
}

hid_t otok_table_variable(const otok_table_writing *w, const char *name, hid_t type, int rank,
                          const char *unit, const char *long_name)
{
    const otok_dimension over[2] = {{w->member, w->nrows}, {w->sample, w->nsamples}};
    return otok_hdf_variable(w->file, name, type, rank, over, unit, long_name);
}

herr_t otok_table_coordinates(const otok_table_writing *w, hid_t set)
{
    return set < 0 || !w->coordinates[0] ? 0
                                         : otok_hdf_put_text(set, "coordinates", w->coordinates);
}

/* Names an axis by the last word of its path, or by the whole path with _ for dots if another axis
   or a result has that name. */
void otok_table_name_axes(otok_table_writing *w)
{
    const otok_study *s = w->table->study;
    for (int a = 0; a < s->naxes; a++) {
        const char *dot = strrchr(s->axes[a].path, '.'), *key = dot ? dot + 1 : s->axes[a].path;
        static const char *const taken[] = {
            "state", "verdict",    "cause",       "margin", "limit",  "growth", "block",
            "time",  "iterations", "fingerprint", "member", "sample", "form"};
        int others = 0;
        for (int b = 0; b < s->naxes; b++) {
            const char *at = strrchr(s->axes[b].path, '.');
            others += strcmp(at ? at + 1 : s->axes[b].path, key) == 0;
        }
        if (s->keep.nfields) others += strcmp(key, "x") == 0 || strcmp(key, "y") == 0;
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
herr_t otok_table_fill_texts(const otok_table_writing *w, hid_t set, const char *all, size_t width)
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

hid_t otok_table_text(const otok_table_writing *w, const char *name, const char *long_name)
{
    const hid_t type = text_type(), set = otok_table_variable(w, name, type, 1, "", long_name);
    H5Tclose(type);
    return set;
}

/* The unit in which the study's scenario gives a parameter, or people do, and how many of it are
   one of the table's. */
static herr_t given_unit(hid_t set, const otok_study *s, const otok_axis *axis)
{
    char words[OTOK_TEXT_SIZE + 4], shown[64], *unit, *before = NULL;
    otok_node *root = NULL, *at;
    if (!axis->parameter || axis->parameter->kind != OTOK_REAL) return 0;
    snprintf(words, sizeof words, "%s=0", axis->path);
    if (otok_node_parse(&root, s->scenario, 1, s->text, s->size) == OTOK_OK)
        otok_scenario_replace(&at, root, words, &before);
    otok_usual_text(axis->parameter, before, 1, 15, shown);
    const double factor = strtod(shown, &unit);
    free(before);
    otok_node_destroy(root);
    if (factor == 1 || *unit != ' ') return 0;
    const herr_t result = otok_hdf_put_text(set, "given_units", unit + 1);
    return result < 0 ? result : otok_hdf_put(set, "given_factor", H5T_NATIVE_DOUBLE, 0, &factor);
}

static herr_t axis_attributes(hid_t set, const otok_study *s, const otok_axis *axis, int numeric)
{
    const otok_parameter *p = axis->parameter;
    herr_t result = set < 0 ? -1 : otok_hdf_put_text(set, "path", axis->path);
    if (result >= 0 && p && *p->symbol) result = otok_hdf_put_text(set, "symbol", p->symbol);
    if (result >= 0 && numeric) result = given_unit(set, s, axis);
    if (result < 0 || !numeric || axis->nvalues) return result;
    result = otok_hdf_put_text(set, "scale", axis->scale ? "log" : "linear");
    if (result >= 0) result = otok_hdf_put(set, "from", H5T_NATIVE_DOUBLE, 0, &axis->from);
    return result < 0 ? result : otok_hdf_put(set, "to", H5T_NATIVE_DOUBLE, 0, &axis->to);
}

/* Writes an axis as numbers if all its values are numbers. */
static herr_t write_axis(const otok_table_writing *w, int a, char (*words)[OTOK_VALUE_SIZE],
                         double *numbers)
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
    const hid_t set = numeric ? otok_table_variable(w, w->names[a], H5T_IEEE_F64LE, 1,
                                                    p ? p->unit : "", p ? p->help : "")
                              : otok_table_text(w, w->names[a], p ? p->help : "");
    const herr_t result = axis_attributes(set, w->table->study, axis, numeric);
    const herr_t filled = numeric ? otok_hdf_fill(set, H5T_NATIVE_DOUBLE, numbers)
                                  : otok_table_fill_texts(w, set, words[0], OTOK_VALUE_SIZE);
    return result < 0 ? result : filled;
}

otok_status otok_table_axis(const otok_table_writing *w, int a)
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
