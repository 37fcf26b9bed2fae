/* arrays.c: see arrays.h. The file is not trusted: everything goes through hdf_read.h. */
#include "arrays.h"

#include "../core/status.h"
#include "hdf_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NETCDF_FILL 9.9692099683868690e+36f /* netCDF's value for cells that were never written */

typedef struct reader {
    const otok_arrays_wanted *wanted;
    otok_snapshot *out;
    hid_t file;
    int64_t size;
    int falling; /* the top row comes first */
} reader;

static otok_status fail_array(const reader *r, const char *name, const char *wrong)
{
    return OTOK_FAIL(OTOK_DATA, "%s: %s %s", r->wanted->path, name, wrong);
}

static hid_t open_file(const char *path, int64_t *size)
{
    struct stat about;
    *size = stat(path, &about) == 0 ? (int64_t)about.st_size : 0;
    return otok_hdf_open(path);
}

/* ---- fields ---- */

/* The number in an attribute, single or in a list of one; NAN: there is none. */
static double read_number(hid_t object, const char *name)
{
    double value = NAN;
    if (H5Aexists(object, name) <= 0) return value;
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    const hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute),
                type = attribute < 0 ? -1 : H5Aget_type(attribute);
    const H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
    if (space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
        (class == H5T_FLOAT || class == H5T_INTEGER) &&
        H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0)
        value = NAN;
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    if (attribute >= 0) H5Aclose(attribute);
    return value;
}

/* Does an attribute pack the values? rioxarray also writes attributes that do not: 1 and 0. */
static int packs_values(hid_t object, const char *name, double nothing)
{
    return H5Aexists(object, name) > 0 && !(read_number(object, name) == nothing);
}

static int is_never_negative(int field)
{
    return field == OTOK_WATER || field == OTOK_SEDIMENT || field == OTOK_CARBON ||
           field == OTOK_REEF || field == OTOK_ERODIBILITY ||
           (field >= OTOK_LAYER && field <= OTOK_LAYER_LAST);
}

static otok_status check_values(const reader *r, int field, const char *name, const float *map,
                                const float empty[2])
{
    const int64_t nx = r->wanted->grid.nx, cells = nx * r->wanted->grid.ny;
    int64_t bad = 0, first = -1;
    const char *what = "without data, NaN or infinite; fill them";
    for (int64_t i = 0; i < cells; i++)
        if (!isfinite(map[i]) || map[i] == empty[0] || map[i] == empty[1] || map[i] == NETCDF_FILL)
            bad++, first = first < 0 ? i : first;
    if (!bad) {
        what = field == OTOK_WETNESS ? "that are not whole numbers from 0 to 255" : "below 0";
        for (int64_t i = 0; i < cells; i++)
            if ((is_never_negative(field) && map[i] < 0) ||
                (field == OTOK_WETNESS &&
                 !(map[i] >= 0 && map[i] <= 255 && map[i] == (float)(int)map[i])))
                bad++, first = first < 0 ? i : first;
    }
    if (!bad) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA, "%s: %s has %lld cells %s; the first is row %lld, column %lld",
                     r->wanted->path, name, (long long)bad, what, (long long)(first / nx),
                     (long long)(first % nx));
}

static void turn_round(float *map, int64_t nx, int64_t ny)
{
    for (int64_t j = 0; j < ny / 2; j++)
        for (int64_t i = 0; i < nx; i++) {
            float *low = map + j * nx + i, *high = map + (ny - 1 - j) * nx + i, kept = *low;
            *low = *high;
            *high = kept;
        }
}

static otok_status read_map(reader *r, int field, const char *name)
{
    const otok_grid g = r->wanted->grid;
    otok_hdf_set set;
    const char *wrong = otok_hdf_open_set(&set, r->file, name, OTOK_HDF_ARRAY, g.ny, g.nx, r->size);
    if (wrong && strstr(wrong, "shape"))
        return OTOK_FAIL(OTOK_DATA,
                         "%s: %s does not have the shape of the grid: %lld rows (y) of %lld cells "
                         "(x), in two dimensions",
                         r->wanted->path, name, (long long)g.ny, (long long)g.nx);
    if (wrong) return fail_array(r, name, wrong);
    const float empty[2] = {(float)read_number(set.id, "_FillValue"),
                            (float)read_number(set.id, "missing_value")};
    const int is_packed =
        packs_values(set.id, "scale_factor", 1) || packs_values(set.id, "add_offset", 0);
    float *map = is_packed ? NULL : otok_memory_heap.take((size_t)(g.nx * g.ny) * sizeof *map);
    if (map) wrong = otok_hdf_read_map(&set, map);
    H5Dclose(set.id);
    if (is_packed)
        return fail_array(r, name,
                          "is packed with scale_factor or add_offset; write it as plain numbers");
    if (!map) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for the field %s", r->wanted->path, name);
    r->out->maps[field] = map;
    r->out->has |= BIT(field);
    if (wrong) return fail_array(r, name, wrong);
    OTOK_TRY(check_values(r, field, name, map, empty));
    if (r->falling) turn_round(map, g.nx, g.ny);
    return OTOK_OK;
}

static otok_status read_fields(reader *r)
{
    for (int f = 0; f < OTOK_FIELDS; f++) {
        char text[OTOK_NAME_SIZE];
        if (otok_field_layer(f) >= 0 && otok_field_layer(f) >= r->out->nlayers - 1) continue;
        const char *name = otok_snapshot_name(r->out, f, text);
        const int found = otok_hdf_find(r->file, name);
        if (found < 0)
            return fail_array(r, name,
                              "is damaged, or a soft or external link; write the field itself");
        if (found) OTOK_TRY(read_map(r, f, name));
    }
    if (r->out->has) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: no field at its root; name maps terrain, water, sediment, carbon, reef "
                     "or as `otok inspect` lists those of "
                     "a checkpoint",
                     r->wanted->path);
}

/* ---- checks over several fields ---- */

static otok_status check_terrain(const reader *r)
{
    const otok_snapshot *s = r->out;
    const float *base = s->maps[OTOK_TERRAIN_BASE], *change = s->maps[OTOK_TERRAIN_CHANGE],
                *terrain = s->maps[OTOK_TERRAIN];
    for (int64_t i = 0; terrain && (base || change) && i < s->grid.nx * s->grid.ny; i++)
        if (terrain[i] != (base ? base[i] : 0) + (change ? change[i] : 0))
            return OTOK_FAIL(OTOK_DATA,
                             "%s: terrain is not terrain_base + terrain_change; take `terrain` out "
                             "of the file, or leave it alone: "
                             "it then becomes the base",
                             r->wanted->path);
    return OTOK_OK;
}

/* Computes bottoms from thicknesses, if the file has only these. */
static otok_status find_bottoms(reader *r)
{
    otok_snapshot *s = r->out;
    const int64_t cells = s->grid.nx * s->grid.ny;
    for (int k = 0; k < s->nlayers - 1; k++) {
        const float *top = s->maps[k ? OTOK_LAYER_BOTTOM + k - 1 : OTOK_TERRAIN_CHANGE],
                    *layer = s->maps[OTOK_LAYER + k];
        float *bottom = s->maps[OTOK_LAYER_BOTTOM + k];
        for (int64_t i = 0; bottom && layer && i < cells; i++)
            if (layer[i] != (top ? top[i] : 0) - bottom[i])
                return fail_array(
                    r, s->layers[k],
                    "has a thickness, layer_, that does not fit its bottom_; take one of them out");
        if (bottom) continue;
        if (!layer)
            return fail_array(r, s->layers[k],
                              "is missing, although other layers are given; give layer_ of all but "
                              "the last layer, or of none");
        bottom = otok_memory_heap.take((size_t)cells * sizeof *bottom);
        if (!bottom) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a layer", r->wanted->path);
        for (int64_t i = 0; i < cells; i++)
            bottom[i] = (top ? top[i] : 0) - layer[i];
        s->maps[OTOK_LAYER_BOTTOM + k] = bottom;
        s->has |= BIT(OTOK_LAYER_BOTTOM + k);
    }
    return OTOK_OK;
}

static int has_layers(const otok_snapshot *s)
{
    for (int k = 0; k < s->nlayers - 1; k++)
        if (s->maps[OTOK_LAYER + k] || s->maps[OTOK_LAYER_BOTTOM + k]) return 1;
    return 0;
}

/* ---- coordinates ---- */

/* Compares centres of cells with the grid to a tenth of a cell, counted from the first, because a
   northing in float32 is no more exact. *step: 0 without coordinates, below 0 if they decrease. */
static otok_status read_axis(const reader *r, const char *name, int64_t n, double *first,
                             double *step)
{
    const double spacing = r->wanted->grid.spacing;
    *step = 0;
    if (otok_hdf_find(r->file, name) == 0 || otok_hdf_is_bare_dimension(r->file, name))
        return OTOK_OK;
    otok_hdf_set set;
    const char *wrong = otok_hdf_open_set(&set, r->file, name, OTOK_HDF_NUMBERS, n, 1, r->size);
    if (wrong) return fail_array(r, name, wrong);
    double *centres = malloc((size_t)n * sizeof *centres);
    if (centres) wrong = otok_hdf_read_line(&set, centres);
    H5Dclose(set.id);
    if (!centres)
        return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for the coordinates %s", r->wanted->path, name);
    *first = centres[0];
    *step = n > 1 && centres[n - 1] < centres[0] ? -spacing : spacing;
    for (int64_t i = 0; i < n && !wrong; i++)
        if (!(fabs(centres[i] - (*first + (double)i * *step)) <= 0.1 * spacing)) wrong = "off";
    const double found = n > 1 ? (centres[n - 1] - centres[0]) / (double)(n - 1) : 0;
    free(centres);
    if (!wrong) return OTOK_OK;
    if (strcmp(wrong, "off") != 0) return fail_array(r, name, wrong);
    return OTOK_FAIL(OTOK_DATA,
                     "%s: the coordinates %s go by %.9g a cell, or not evenly; the grid's spacing "
                     "is %.9g m. Give them in metres, or "
                     "leave x and y out",
                     r->wanted->path, name, found, spacing);
}

/* Sets the georeference, unless the lower left corner is the origin, as in a grid without a
   position on Earth. */
static otok_status read_georeference(reader *r)
{
    const otok_grid g = r->wanted->grid;
    double x = 0, y = 0, width, height;
    OTOK_TRY(read_axis(r, "x", g.nx, &x, &width));
    OTOK_TRY(read_axis(r, "y", g.ny, &y, &height));
    if (width < 0)
        return fail_array(r, "x",
                          "decreases from column to column; reverse the order of the columns");
    r->falling = height < 0;
    const double west = x - g.spacing / 2,
                 south = (r->falling ? y - (double)(g.ny - 1) * g.spacing : y) - g.spacing / 2;
    if (width == 0 || height == 0 || hypot(west, south) < 0.1 * g.spacing) return OTOK_OK;
    r->out->georeference =
        (otok_georeference){1, west, south + (double)g.ny * g.spacing, g.spacing, g.spacing, NULL};
    static const char *const mappings[] = {"crs", "spatial_ref"};
    for (int i = 0; i < 2 && !r->out->georeference.wkt; i++) {
        if (otok_hdf_find(r->file, mappings[i]) <= 0) continue;
        const hid_t object = H5Oopen(r->file, mappings[i], H5P_DEFAULT);
        if (object >= 0) otok_hdf_get_text(object, "crs_wkt", &r->out->georeference.wkt);
        if (object >= 0) H5Oclose(object);
    }
    return otok_georeference_is_good(&r->out->georeference)
               ? OTOK_OK
               : fail_array(r, "crs", "is not a coordinate system");
}

/* ---- both kinds of files ---- */

static otok_status read_all(reader *r)
{
    OTOK_TRY(read_georeference(r));
    OTOK_TRY(read_fields(r));
    OTOK_TRY(check_terrain(r));
    if (has_layers(r->out)) return find_bottoms(r);
    r->out->nlayers = 0;
    return OTOK_OK;
}

otok_status otok_arrays_read(otok_snapshot *out, const otok_arrays_wanted *wanted)
{
    const otok_status status = otok_checkpoint_read_of(out, wanted->path, wanted->grid);
    if (status != OTOK_DATA || !out->has_arrays) return status;
    *out = (otok_snapshot){
        .grid = wanted->grid, .memory = otok_memory_heap, .nlayers = wanted->nlayers};
    for (int k = 0; k < wanted->nlayers; k++)
        snprintf(out->layers[k], sizeof out->layers[k], "%s", wanted->layers[k]);
    reader r = {.wanted = wanted, .out = out};
    otok_hdf_enter();
    r.file = open_file(wanted->path, &r.size);
    const otok_status found =
        r.file < 0 ? fail_array(&r, "cannot be opened:", otok_hdf_why()) : read_all(&r);
    if (r.file >= 0) H5Fclose(r.file);
    otok_hdf_leave();
    if (found != OTOK_OK) otok_snapshot_destroy(out);
    return found;
}

otok_status otok_arrays_fields(uint64_t *fields, const char *path)
{
    otok_snapshot header;
    int64_t size;
    *fields = 0;
    const otok_status status = otok_checkpoint_header(&header, path);
    const int has_arrays = header.has_arrays;
    if (status == OTOK_OK) *fields = header.has;
    otok_snapshot_destroy(&header);
    if (status != OTOK_DATA || !has_arrays) return status;
    otok_hdf_enter();
    const hid_t file = open_file(path, &size);
    for (int f = 0; f < OTOK_FIELDS && file >= 0; f++)
        if (otok_field_layer(f) < 0 && otok_hdf_find(file, otok_field_at(f)->name) > 0)
            *fields |= BIT(f);
    if (file >= 0) H5Fclose(file);
    otok_hdf_leave();
    return OTOK_OK;
}
