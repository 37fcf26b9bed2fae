/* checkpoint_holes.c: the cells of a checkpoint without data: /otok/no_data, first cell and length
   per run of cells, as float64 in one piece, like all numbers that are not fields. */
#include "checkpoint_writing.h"
#include "hdf_read.h"

#include <stdlib.h>

#define COUNT "no_data_runs"
#define NAME "no_data"

otok_status otok_writing_holes(const otok_writing *w, hid_t group)
{
    const otok_holes *h = &w->state->holes;
    const hsize_t n = 2 * (hsize_t)h->n;
    if (n == 0) return OTOK_OK;
    PUT(w, COUNT, otok_hdf_put(group, COUNT, H5T_NATIVE_INT64, 0, &h->n));
    PUT(w, NAME, otok_hdf_put_line(group, NAME, n, H5T_NATIVE_INT64, h->runs));
    return OTOK_OK;
}

const char *otok_holes_read(otok_holes *out, hid_t group, otok_grid grid, int64_t file_size)
{
    int64_t n;
    otok_hdf_set set;
    const int64_t cells = grid.nx * grid.ny;
    if (H5Aexists(group, COUNT) <= 0) return NULL;
    if (otok_hdf_get(group, COUNT, H5T_NATIVE_INT64, 0, &n) < 0 || n < 1 || n > cells)
        return "is not counted";
    const char *wrong = otok_hdf_open_set(&set, group, NAME, OTOK_HDF_LINE, 2 * n, 1, file_size);
    if (wrong) return wrong;
    double *numbers = malloc(2 * (size_t)n * sizeof *numbers);
    *out = (otok_holes){n, malloc(2 * (size_t)n * sizeof *out->runs)};
    if (!numbers || !out->runs)
        wrong = "needs more memory than there is";
    else
        wrong = otok_hdf_read_line(&set, numbers);
    H5Dclose(set.id);
    for (int64_t i = 0; i < 2 * n && !wrong; i++) {
        if (!(numbers[i] >= 0 && numbers[i] <= (double)cells)) wrong = "is out of the grid";
        if (!wrong) out->runs[i] = (int64_t)numbers[i];
    }
    free(numbers);
    return wrong || otok_holes_are_good(out, cells) ? wrong : "is out of order";
}
