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
    const hid_t space = H5Screate_simple(1, &n, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t set =
        H5Pset_obj_track_times(creation, 0) < 0
            ? -1
            : H5Dcreate2(group, NAME, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    herr_t result =
        set < 0 ? -1 : H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, h->runs);
    if (set >= 0 && H5Dclose(set) < 0) result = -1;
    H5Pclose(creation);
    H5Sclose(space);
    PUT(w, NAME, result);
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
