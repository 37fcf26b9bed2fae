/* table_maps.c: the kept maps of a study in study.h5 (keep.h), by member, y and x: a chunk per
   member, packed when the member ended. The chunks are in the order of members, so that the bytes
   of the file do not depend on who ran them. A member without a map has none, and is read as NaN.
 */
#include "../core/status.h"
#include "keep.h"
#include "table_writing.h"

#include <inttypes.h>
#include <stdio.h>

/* The place of the maps. */
static otok_georeference place_of(const otok_keep *k)
{
    const double side = (double)k->coarsen;
    return (otok_georeference){k->corner[2] > 0,    k->corner[0],
                               k->corner[1],        k->corner[2] * side,
                               k->corner[3] * side, *k->wkt ? (char *)k->wkt : NULL};
}

static otok_status write_map(const otok_table_writing *w, const otok_dimension over[3], int i)
{
    char name[OTOK_NAME_SIZE + 32], moment[32] = "";
    const otok_keep *k = &w->table->study->keep;
    const otok_georeference place = place_of(k);
    const int64_t at = k->moments[i / k->nfields];
    const otok_field_info *info = otok_keep_field(k, (int)(i % k->nfields));
    if (at != OTOK_KEEP_LAST) snprintf(moment, sizeof moment, "_%" PRId64, at);
    snprintf(name, sizeof name, "map_%s%s", info->name, moment);
    const hid_t set =
        otok_hdf_variable(w->file, name, H5T_IEEE_F32LE, 3, over, info->unit, info->long_name);
    herr_t result = otok_table_coordinates(w, set);
    if (result >= 0 && k->coarsen > 1)
        result = otok_hdf_put_text(set, "cell_methods", "y: x: mean");
    if (result >= 0 && otok_georeference_is_place(&place, over[1].size))
        result = otok_hdf_put_text(set, "grid_mapping", "crs");
    if (result >= 0 && at != OTOK_KEEP_LAST)
        result = otok_hdf_put(set, "iteration", H5T_NATIVE_INT64, 0, &at);
    for (int64_t row = 0; row < w->nrows && result >= 0; row++) {
        const otok_table_row *r = &w->table->rows[row];
        const hsize_t where[3] = {(hsize_t)row, 0, 0};
        if (!r->result || !r->result->kept[i]) continue;
        const char *maps = (const char *)(r->samples + r->result->nsamples);
        result = H5Dwrite_chunk(set, H5P_DEFAULT, 0, where, (size_t)r->result->kept[i],
                                maps + otok_kept_before(r->result, i));
    }
    const herr_t closed = set < 0 ? -1 : H5Dclose(set);
    PUT(name, result < 0 ? result : closed);
    return OTOK_OK;
}

otok_status otok_table_maps(const otok_table_writing *w)
{
    const otok_keep *k = &w->table->study->keep;
    if (!k->nfields) return OTOK_OK;
    const otok_grid g = {k->grid.nx / k->coarsen, k->grid.ny / k->coarsen,
                         k->grid.spacing * (double)k->coarsen};
    const otok_georeference place = place_of(k);
    otok_dimension over[3] = {{w->member, w->nrows}, {-1, g.ny}, {-1, g.nx}};
    for (int d = 1; d < 3; d++) {
        otok_axis_about words;
        otok_axis_words(&words, d == 1 ? 'y' : 'x', &place, g);
        PUT("dimensions",
            over[d].scale = otok_hdf_places(w->file, d == 1 ? "y" : "x", over[d].size, words.start,
                                            words.step, words.units, words.long_name));
    }
    OTOK_TRY(otok_writing_georeference(w->file, w->path, &place, g.ny));
    for (int i = 0; i < k->nfields * k->nmoments; i++)
        OTOK_TRY(write_map(w, over, i));
    return OTOK_OK;
}
