/* checkpoint_gauges.c: the series of gauges of a checkpoint: /otok/gauges, row after row, the
   titles of its columns in one text, and the number of rows. */
#include "checkpoint_writing.h"
#include "hdf_read.h"

#include <stdlib.h>

#define COUNT "gauge_samples"
#define TITLES "gauge_columns"
#define NAME "gauges"

static int columns(const otok_snapshot *s)
{
    int n = 1;
    for (const char *at = s->gauge_titles; *at; at++)
        n += *at == ',';
    return n;
}

int64_t otok_gauges_values(const otok_snapshot *s)
{
    return s->gauge_samples ? s->gauge_samples * columns(s) : 0;
}

otok_status otok_writing_gauges(const otok_writing *w, hid_t group)
{
    const otok_snapshot *s = w->state;
    const hsize_t n = (hsize_t)otok_gauges_values(s);
    if (n == 0) return OTOK_OK;
    PUT(w, COUNT, otok_hdf_put(group, COUNT, H5T_NATIVE_INT64, 0, &s->gauge_samples));
    PUT(w, TITLES, otok_hdf_put_text(group, TITLES, s->gauge_titles));
    PUT(w, NAME, otok_hdf_put_line(group, NAME, n, H5T_NATIVE_DOUBLE, s->gauges));
    return OTOK_OK;
}

const char *otok_gauges_load(otok_snapshot *s, hid_t group, int64_t file_size)
{
    otok_hdf_set set;
    if (H5Aexists(group, COUNT) <= 0) return NULL;
    if (otok_hdf_get(group, COUNT, H5T_NATIVE_INT64, 0, &s->gauge_samples) < 0 ||
        s->gauge_samples < 1 || s->gauge_samples > file_size ||
        otok_hdf_get_text(group, TITLES, &s->gauge_titles) < 0) {
        s->gauge_samples = 0;
        return "is not counted";
    }
    const int64_t n = otok_gauges_values(s);
    const char *wrong = n / columns(s) != s->gauge_samples || n > file_size
                            ? "is not counted"
                            : otok_hdf_open_set(&set, group, NAME, OTOK_HDF_LINE, n, 1, file_size);
    if (wrong) return wrong;
    s->gauges = malloc((size_t)n * sizeof *s->gauges);
    wrong = s->gauges ? otok_hdf_read_line(&set, s->gauges) : "needs more memory than there is";
    H5Dclose(set.id);
    return wrong;
}
