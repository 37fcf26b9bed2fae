/* checkpoint_georeference.c: the georeference of a grid in the form of CF and GDAL: the variable
   `crs` and the attributes of the coordinate variables. */
#include "checkpoint_writing.h"

#include <math.h>
#include <stdio.h>

/* The variable that CF calls a grid mapping, as GDAL writes it: an empty scalar whose attributes
   are the system. GeoTransform begins with the first row, the southern one, from which rioxarray
   computes bounds; GDAL itself goes by the coordinates y. */
otok_status otok_writing_georeference(hid_t file, const char *path,
                                      const otok_georeference *georeference, int64_t ny)
{
    char corner[160];
    const int zero = 0;
    if (!otok_georeference_is_place(georeference, ny)) return OTOK_OK;
    snprintf(corner, sizeof corner, "%.17g %.17g 0 %.17g 0 %.17g", georeference->west,
             georeference->width, georeference->north - georeference->height * (double)ny,
             georeference->height);
    const hid_t space = H5Screate(H5S_SCALAR), creation = H5Pcreate(H5P_DATASET_CREATE);
    const int good =
        H5Pset_layout(creation, H5D_COMPACT) >= 0 && H5Pset_obj_track_times(creation, 0) >= 0;
    const hid_t crs =
        good ? H5Dcreate2(file, "crs", H5T_STD_I32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT)
             : -1;
    herr_t result =
        crs < 0 ? -1 : H5Dwrite(crs, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &zero);
    if (result >= 0 && otok_georeference_is_geographic(georeference))
        result = otok_hdf_put_text(crs, "grid_mapping_name", "latitude_longitude");
    if (result >= 0 && georeference->wkt)
        result = otok_hdf_put_text(crs, "crs_wkt", georeference->wkt);
    if (result >= 0 && georeference->wkt)
        result = otok_hdf_put_text(crs, "spatial_ref", georeference->wkt);
    if (result >= 0) result = otok_hdf_put_text(crs, "GeoTransform", corner);
    if (crs >= 0 && H5Dclose(crs) < 0) result = -1;
    H5Pclose(creation);
    H5Sclose(space);
    return result >= 0 ? OTOK_OK
                       : OTOK_FAIL(OTOK_NOMEM, "%s: cannot make crs: %s", path, otok_hdf_why());
}

void otok_axis_words(otok_axis_about *out, char axis, const otok_georeference *p, otok_grid g)
{
    const int x = axis == 'x';
    *out = (otok_axis_about){0.0, g.spacing, "m",
                             x ? "projection_x_coordinate" : "projection_y_coordinate",
                             x ? "distance from the left edge" : "distance from the bottom edge"};
    if (!p->known) return;
    out->step = x ? p->width : p->height;
    out->start = x ? p->west : p->north - p->height * (double)g.ny;
    out->long_name = x ? "easting" : "northing";
    if (otok_georeference_is_geographic(p)) {
        out->units = x ? "degrees_east" : "degrees_north";
        out->standard_name = out->long_name = x ? "longitude" : "latitude";
    } else if (otok_georeference_unit(p) != 1)
        out->units = fabs(otok_georeference_unit(p) - 0.3048) < 1e-9          ? "ft"
                     : fabs(otok_georeference_unit(p) - 1200.0 / 3937) < 1e-9 ? "US_survey_foot"
                                                                              : "1";
}

int otok_georeference_load(otok_georeference *out, hid_t group)
{
    double corner[4];
    if (H5Aexists(group, "georeference") <= 0) return 1;
    int good = otok_hdf_get(group, "georeference", H5T_NATIVE_DOUBLE, 4, corner) >= 0;
    if (good && H5Aexists(group, "georeference_wkt") > 0)
        good = otok_hdf_get_text(group, "georeference_wkt", &out->wkt) >= 0;
    if (good) *out = (otok_georeference){1, corner[0], corner[2], corner[1], corner[3], out->wkt};
    return good && otok_georeference_is_good(out);
}
