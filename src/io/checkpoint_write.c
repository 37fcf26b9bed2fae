/* checkpoint_write.c: writes a snapshot to a file: HDF5 with CF names at its root, the same data
   hard-linked under /VTKHDF, and what a restart needs in /otok. checkpoint_read.c reads. */
#include "checkpoint_writing.h"
#include "chunks.h"
#include "file.h"
#include "hdf_disk.h"

#include <hdf5_hl.h>

#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_CHUNK = 512
}; /* cells along an axis; 1 MiB a chunk, the chunk cache of most readers */

/* The number of cells along an axis of a chunk, for a grid of n. */
static hsize_t chunk_of(int64_t n)
{
    const int64_t parts = (n + LONGEST_CHUNK - 1) / LONGEST_CHUNK;
    return (hsize_t)((n + parts - 1) / parts);
}

/* Properties of groups: links and attributes in order of creation, as netCDF-4 does, and in the
   object's header, which is small and has one checksum. */
static herr_t keep_order(hid_t creation)
{
    const unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    if (H5Pset_link_creation_order(creation, order) < 0 ||
        H5Pset_attr_creation_order(creation, order) < 0)
        return -1;
    if (H5Pset_link_phase_change(creation, 128, 64) < 0) return -1;
    return H5Pset_attr_phase_change(creation, 128, 64);
}

static hid_t create_group(hid_t file, const char *name)
{
    const hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    const hid_t group =
        keep_order(creation) < 0 ? -1 : H5Gcreate2(file, name, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Pclose(creation);
    return group;
}

/* rank 2: chunked and filtered; rank 1: plain */
static hid_t new_dataset(const otok_writing *w, const char *name, hid_t type, hid_t space, int rank)
{
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunks[2] = {chunk_of(w->state->grid.ny), chunk_of(w->state->grid.nx)};
    int good =
        H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0 &&
        H5Pset_obj_track_times(creation, 0) >= 0;
    if (rank == 2)
        good = good && H5Pset_chunk(creation, 2, chunks) >= 0 && H5Pset_shuffle(creation) >= 0 &&
               H5Pset_deflate(creation, 1) >= 0 && H5Pset_fletcher32(creation) >= 0;
    const hid_t dataset =
        good ? H5Dcreate2(w->file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT) : -1;
    H5Pclose(creation);
    return dataset;
}

/* A coordinate variable of cell centres, which is its own dimension scale. */
static otok_status write_axis(const otok_writing *w, hid_t *out, const char *name, int64_t n)
{
    otok_axis_about words;
    otok_axis_words(&words, *name, &w->state->georeference, w->state->grid);
    double *centres = malloc((size_t)n * sizeof *centres);
    if (!centres)
        return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for %lld coordinates", w->path, (long long)n);
    for (int64_t i = 0; i < n; i++)
        centres[i] = words.start + ((double)i + 0.5) * words.step;
    const hsize_t count = (hsize_t)n;
    const hid_t space = H5Screate_simple(1, &count, NULL);
    *out = new_dataset(w, name, H5T_IEEE_F64LE, space, 1);
    const herr_t result =
        *out < 0 ? -1 : H5Dwrite(*out, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, centres);
    H5Sclose(space);
    free(centres);
    PUT(w, name, result);
    PUT(w, name, H5DSset_scale(*out, name));
    PUT(w, name, otok_hdf_put_text(*out, "units", words.units));
    PUT(w, name, otok_hdf_put_text(*out, "long_name", words.long_name));
    PUT(w, name, otok_hdf_put_text(*out, "standard_name", words.standard_name));
    PUT(w, name, otok_hdf_put_text(*out, "axis", *name == 'x' ? "X" : "Y"));
    return OTOK_OK;
}

static int is_maximum(const otok_field_info *info)
{
    for (int f = OTOK_MAX_DEPTH; f <= OTOK_MAX_DEPTH_SPEED; f++)
        if (info == otok_field_at(f)) return 1;
    return 0;
}

static herr_t write_attributes(const otok_writing *w, hid_t dataset, const otok_field_info *info,
                               const char *name)
{
    if (otok_hdf_put_text(dataset, "units", info->unit) < 0 ||
        otok_hdf_put_text(dataset, "long_name", info->long_name) < 0 ||
        (info->standard_name &&
         otok_hdf_put_text(dataset, "standard_name", info->standard_name) < 0) ||
        (is_maximum(info) && otok_hdf_put_text(dataset, "cell_methods", "time: maximum") < 0) ||
        otok_hdf_put_text(dataset, "coordinates", *w->state->start ? "time date" : "time") <
            0) /* sea_level is an attribute too, because xarray drops it when it stacks files */
        return -1;
    if (otok_georeference_is_place(&w->state->georeference, w->state->grid.ny) &&
        otok_hdf_put_text(dataset, "grid_mapping", "crs") < 0)
        return -1;
    if (info == otok_field_at(OTOK_TERRAIN) &&
        otok_hdf_put_text(dataset, "Attribute", "Scalars") < 0)
        return -1; /* VTK >= 9.5 */
    if (H5DSattach_scale(dataset, w->y, 0) < 0 || H5DSattach_scale(dataset, w->x, 1) < 0) return -1;
    return H5Lcreate_hard(w->file, name, w->points, name, H5P_DEFAULT, H5P_DEFAULT);
}

/* Makes the datasets of all fields, then fills them, many chunks at once. */
static otok_status write_fields(const otok_writing *w, int threads, otok_checkpoint_cost *cost)
{
    const otok_snapshot *s = w->state;
    const hsize_t chunk[2] = {chunk_of(s->grid.ny), chunk_of(s->grid.nx)};
    otok_chunked maps[OTOK_FIELDS];
    int n = 0;
    for (int f = 0; f < OTOK_FIELDS; f++) {
        if (!(s->has >> f & 1)) continue;
        char text[OTOK_NAME_SIZE];
        const char *name = otok_snapshot_name(s, f, text);
        maps[n].map = s->maps[f];
        PUT(w, name, maps[n].dataset = new_dataset(w, name, H5T_IEEE_F32LE, w->plane, 2));
        PUT(w, name, write_attributes(w, maps[n++].dataset, otok_snapshot_info(s, f), name));
    }
    const otok_status status =
        otok_chunks_write(maps, n, s->grid, chunk, threads, &cost->packing, &cost->writing);
    if (status != OTOK_OK) return otok_fail_in(status, "%s", w->path);
    for (int i = 0; i < n; i++)
        PUT(w, "a map", H5Dclose(maps[i].dataset));
    return OTOK_OK;
}

/* Hides the cells without data in VTK and ParaView: vtkGhostType, with the bit HIDDENPOINT. */
static otok_status write_mask(const otok_writing *w)
{
    enum { HIDDEN_POINT = 2 };
    static const char name[] = "VTKHDF/PointData/vtkGhostType";
    const otok_snapshot *s = w->state;
    const int64_t cells = s->grid.nx * s->grid.ny;
    if (!s->holes.n) return OTOK_OK;
    unsigned char *mask = calloc((size_t)cells, 1);
    if (!mask) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for the mask %s", w->path, name);
    otok_holes_mark(&s->holes, mask);
    for (int64_t i = 0; i < cells; i++)
        mask[i] = mask[i] ? HIDDEN_POINT : 0;
    const hid_t dataset = new_dataset(w, name, H5T_STD_U8LE, w->plane, 2);
    const int good =
        dataset >= 0 &&
        H5Dwrite(dataset, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, mask) >= 0 &&
        otok_hdf_put_text(dataset, "units", "1") >= 0 &&
        otok_hdf_put_text(dataset, "long_name", "2 in cells without data, which VTK hides") >= 0 &&
        H5DSattach_scale(dataset, w->y, 0) >= 0 && H5DSattach_scale(dataset, w->x, 1) >= 0;
    free(mask);
    if (dataset >= 0) H5Dclose(dataset);
    PUT(w, name, good ? 0 : -1);
    return OTOK_OK;
}

void otok_snapshot_origin(const otok_snapshot *s, double origin[3])
{
    otok_axis_about axes[2];
    otok_axis_words(&axes[0], 'x', &s->georeference, s->grid);
    otok_axis_words(&axes[1], 'y', &s->georeference, s->grid);
    const int is_there = otok_georeference_is_place(&s->georeference, s->grid.ny) &&
                         strcmp(axes[0].units, "m") == 0 && axes[0].step == s->grid.spacing &&
                         axes[1].step == s->grid.spacing;
    for (int i = 0; i < 3; i++)
        origin[i] = i == 2 ? 0 : (is_there ? axes[i].start : 0) + 0.5 * s->grid.spacing;
}

/* Makes the groups /VTKHDF and its PointData. */
static otok_status create_vtk(otok_writing *w)
{
    const otok_snapshot *s = w->state;
    const otok_grid g = s->grid;
    const int version[2] = {1, 0}, extent[6] = {0, (int)g.nx - 1, 0, (int)g.ny - 1, 0, 0};
    const double spacing[3] = {g.spacing, g.spacing, g.spacing};
    double origin[3];
    otok_snapshot_origin(s, origin);
    const double direction[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    PUT(w, "/VTKHDF", w->grid = create_group(w->file, "VTKHDF"));
    PUT(w, "Version", otok_hdf_put(w->grid, "Version", H5T_NATIVE_INT, 2, version));
    PUT(w, "Type", otok_hdf_put_text(w->grid, "Type", "ImageData"));
    PUT(w, "WholeExtent", otok_hdf_put(w->grid, "WholeExtent", H5T_NATIVE_INT, 6, extent));
    PUT(w, "Origin", otok_hdf_put(w->grid, "Origin", H5T_NATIVE_DOUBLE, 3, origin));
    PUT(w, "Spacing", otok_hdf_put(w->grid, "Spacing", H5T_NATIVE_DOUBLE, 3, spacing));
    PUT(w, "Direction", otok_hdf_put(w->grid, "Direction", H5T_NATIVE_DOUBLE, 9, direction));
    PUT(w, "PointData", w->points = create_group(w->grid, "PointData"));
    PUT(w, "Scalars",
        otok_hdf_put_text(
            w->points, "Scalars",
            otok_field_at(s->has >> OTOK_TERRAIN & 1 ? OTOK_TERRAIN : OTOK_TERRAIN_CHANGE)->name));
    return OTOK_OK;
}

static otok_status fill_file(otok_writing *w, int threads, otok_checkpoint_cost *cost)
{
    const otok_snapshot *s = w->state;
    const hsize_t shape[2] = {(hsize_t)s->grid.ny, (hsize_t)s->grid.nx};
    PUT(w, "a data space", w->plane = H5Screate_simple(2, shape, NULL));
    OTOK_TRY(otok_writing_provenance(w));
    OTOK_TRY(write_axis(w, &w->y, "y", s->grid.ny));
    OTOK_TRY(write_axis(w, &w->x, "x", s->grid.nx));
    OTOK_TRY(otok_writing_scalars(w));
    OTOK_TRY(otok_writing_georeference(w->file, w->path, &s->georeference, s->grid.ny));
    OTOK_TRY(create_vtk(w));
    OTOK_TRY(write_fields(w, threads, cost));
    OTOK_TRY(write_mask(w));
    const hid_t group = create_group(w->file, OTOK_GROUP);
    PUT(w, "/otok", group);
    otok_status status = otok_writing_restart(w, group);
    if (status == OTOK_OK) status = otok_writing_holes(w, group);
    if (status == OTOK_OK) status = otok_writing_gauges(w, group);
    H5Gclose(group);
    return status;
}

static otok_status write_file(const char *path, const otok_draft *draft,
                              const otok_snapshot *snapshot, int threads,
                              otok_checkpoint_cost *cost)
{
    int error = 0;
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    otok_writing w = {
        .path = path, .state = snapshot, .plane = -1, .grid = -1, .points = -1, .x = -1, .y = -1};
    w.file = keep_order(creation) < 0 ? -1 : otok_disk_create(draft, creation, &error);
    H5Pclose(creation);
    otok_status status = OTOK_OK;
    if (w.file >= 0) {
        status = fill_file(&w, threads, cost);
        if (w.plane >= 0) H5Sclose(w.plane);
        if (H5Fclose(w.file) < 0 && status == OTOK_OK)
            w.file = -1; /* closes all that is open in it */
    }
    if (error) return otok_file_failed(path, "write", error);
    if (status == OTOK_OK) PUT(&w, "the file", w.file);
    return status;
}

otok_status otok_checkpoint_fill(otok_draft **draft, const char *path,
                                 const otok_snapshot *snapshot, int threads,
                                 otok_checkpoint_cost *cost)
{
    *draft = NULL;
    if (snapshot->grid.nx > OTOK_GRID_MAX || snapshot->grid.ny > OTOK_GRID_MAX)
        return OTOK_FAIL(OTOK_USAGE, "%s: a checkpoint has at most %d cells along an axis", path,
                         OTOK_GRID_MAX);
    const uint64_t found = otok_snapshot_fingerprint_with(snapshot, threads);
    if (found != snapshot->fingerprint)
        return OTOK_FAIL(OTOK_INTERNAL,
                         "%s: not written: the state's fingerprint was %016" PRIx64
                         ", its copy has %016" PRIx64,
                         path, snapshot->fingerprint, found);
    otok_draft *begun;
    OTOK_TRY(otok_file_begin(&begun, path));
    otok_hdf_enter();
    const otok_status status = write_file(path, begun, snapshot, threads, cost);
    otok_hdf_leave();
    if (status == OTOK_OK)
        *draft = begun;
    else
        otok_file_abandon(begun);
    return status;
}

otok_status otok_checkpoint_write(const char *path, const otok_snapshot *snapshot)
{
    otok_checkpoint_cost cost = {0};
    otok_draft *draft;
    OTOK_TRY(otok_checkpoint_fill(&draft, path, snapshot, omp_get_max_threads(), &cost));
    return otok_file_commit(draft, path);
}
