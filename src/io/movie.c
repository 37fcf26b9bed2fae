/* movie.c: see movie.h. The file is VTKHDF 2.0 with Steps, and CF at its root. As in checkpoints,
 * both share the same data. */
#include "movie.h"

#include "checkpoint_writing.h"
#include "file.h"
#include "hdf_disk.h"

#include <hdf5_hl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct step {
    const char *path;
    int64_t iteration;
    double time, sea_level;
} step;

typedef struct movie {
    otok_writing w; /* state: that of the first step, without maps */
    otok_snapshot first;
    step *steps;
    int n;
    uint64_t fields;
    hid_t iteration, data[OTOK_FIELDS];
    int error; /* failure of the disk */
} movie;

/* ---- the checkpoints ---- */

static int by_iteration(const void *a, const void *b)
{
    const int64_t m = ((const step *)a)->iteration, n = ((const step *)b)->iteration;
    return (m > n) - (m < n);
}

otok_status otok_movie_check_grid(otok_grid grid, const char *path, otok_grid first,
                                  const char *first_path)
{
    if (grid.nx == first.nx && grid.ny == first.ny && grid.spacing == first.spacing) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: %lld x %lld cells of %g m, %s has %lld x %lld of %g m; all checkpoints "
                     "of a movie need the same grid",
                     path, (long long)grid.nx, (long long)grid.ny, grid.spacing, first_path,
                     (long long)first.nx, (long long)first.ny, first.spacing);
}

static otok_status check_same(const movie *m, const otok_snapshot *s, const char *path)
{
    const otok_georeference *p = &m->first.georeference, *q = &s->georeference;
    OTOK_TRY(otok_movie_check_grid(s->grid, path, m->first.grid, m->steps[0].path));
    if (p->known != q->known || p->west != q->west || p->north != q->north ||
        p->width != q->width || p->height != q->height)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: has another georeference than %s; all checkpoints of a movie need "
                         "the same georeference",
                         path, m->steps[0].path);
    return OTOK_OK;
}

static uint64_t layer_bits(void)
{
    uint64_t bits = 0;
    for (int f = 0; f < OTOK_FIELDS; f++)
        if (otok_field_layer(f) >= 0) bits |= UINT64_C(1) << f;
    return bits;
}

/* Reads the headers, keeps the first, and determines the fields. */
static otok_status scan_headers(movie *m, char *const *paths, int n, uint64_t wanted)
{
    uint64_t common = ~UINT64_C(0);
    char text[OTOK_NAME_SIZE];
    if (n < 2)
        return OTOK_FAIL(
            OTOK_USAGE,
            "a movie needs 2 checkpoints or more, and here %s %d; run with `output: {every: N}`",
            n == 1 ? "is" : "are", n);
    m->steps = calloc((size_t)n, sizeof *m->steps);
    if (!m->steps) return OTOK_FAIL(OTOK_NOMEM, "no memory for %d steps", n);
    for (m->n = 0; m->n < n; m->n++) {
        otok_snapshot s;
        OTOK_TRY(otok_checkpoint_header(&s, paths[m->n]));
        m->steps[m->n] = (step){paths[m->n], s.iteration, s.time, s.sea_level};
        if (m->n && memcmp(s.layers, m->first.layers, sizeof s.layers) != 0)
            s.has &= ~layer_bits(); /* layers with other names */
        common &= s.has;
        const otok_status status = m->n ? check_same(m, &s, paths[m->n]) : OTOK_OK;
        const uint64_t lacks = wanted & ~s.has;
        if (m->n)
            otok_snapshot_destroy(&s);
        else
            m->first = s;
        OTOK_TRY(status);
        for (int f = 0; f < OTOK_FIELDS; f++)
            if (lacks >> f & 1)
                return OTOK_FAIL(OTOK_DATA, "%s: has no field %s; see otok inspect", paths[m->n],
                                 otok_snapshot_name(&m->first, f, text));
    }
    m->fields = wanted ? wanted : common;
    qsort(m->steps, (size_t)n, sizeof *m->steps, by_iteration);
    for (int k = 1; k < n; k++)
        if (m->steps[k].iteration == m->steps[k - 1].iteration)
            return OTOK_FAIL(OTOK_DATA, "%s and %s: are both of iteration %lld; leave one out",
                             m->steps[k - 1].path, m->steps[k].path,
                             (long long)m->steps[k].iteration);
    return OTOK_OK;
}

/* ---- the file ---- */

static otok_status write_texts(const movie *m)
{
    const otok_writing *w = &m->w;
    char source[128], date[32];
    otok_writing_date(date);
    snprintf(source, sizeof source, "otok %s (%s)", otok_version(), otok_commit());
    char *history = NULL;
    if (asprintf(&history, "%s otok export: %d checkpoints of: %s", date, m->n,
                 m->first.command ? m->first.command : "") < 0)
        return OTOK_FAIL(OTOK_NOMEM, "%s: no memory", w->path);
    const char *const texts[][2] = {{"Conventions", "CF-1.10 ACDD-1.3"},
                                    {"title", m->first.title},
                                    {"source", source},
                                    {"date_created", date},
                                    {"history", history},
                                    {"otok_scenario", m->first.scenario},
                                    {"otok_command", m->first.command}};
    const herr_t result = otok_hdf_put_texts(w->file, texts, sizeof texts / sizeof texts[0]);
    free(history);
    PUT(w, "provenance", result);
    return OTOK_OK;
}

/* Writes one value a step. `iteration` is the dimension; other variables are over it. */
static otok_status write_values(movie *m, const char *name, const char *unit, const char *long_name,
                                hid_t stored, hid_t native, size_t offset)
{
    const otok_writing *w = &m->w;
    const hsize_t count = (hsize_t)m->n;
    union {
        double real;
        int64_t whole;
    } *all = malloc((size_t)m->n * sizeof *all);
    if (!all) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for %d steps", w->path, m->n);
    for (int k = 0; k < m->n; k++)
        memcpy(&all[k], (const char *)&m->steps[k] + offset, sizeof *all);
    const hid_t space = H5Screate_simple(1, &count, NULL);
    const hid_t d = H5Dcreate2(w->file, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    herr_t result = d < 0 ? -1 : H5Dwrite(d, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, all);
    if (result >= 0) result = otok_hdf_put_text(d, "units", unit);
    if (result >= 0) result = otok_hdf_put_text(d, "long_name", long_name);
    if (result >= 0)
        result = m->iteration < 0 ? H5DSset_scale(d, name) : H5DSattach_scale(d, m->iteration, 0);
    if (m->iteration < 0)
        m->iteration = d;
    else if (d >= 0)
        H5Dclose(d);
    H5Sclose(space);
    free(all);
    PUT(w, name, result);
    return OTOK_OK;
}

/* Iterations are the dimension, not times: CF requires that the values of a dimension rise, and a
   phase without a clock has only one time. */
static otok_status write_axes(movie *m)
{
    otok_writing *w = &m->w;
    OTOK_TRY(write_values(m, "iteration", "1", "finished iterations", H5T_STD_I64LE,
                          H5T_NATIVE_INT64, offsetof(step, iteration)));
    OTOK_TRY(otok_writing_axis(w, &w->y, "y", m->first.grid.ny));
    OTOK_TRY(otok_writing_axis(w, &w->x, "x", m->first.grid.nx));
    OTOK_TRY(write_values(m, "time", "s", "simulated time", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                          offsetof(step, time)));
    return write_values(m, "sea_level", "m", "sea level", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                        offsetof(step, sea_level));
}

static otok_status write_field(movie *m, int f)
{
    const otok_writing *w = &m->w;
    const otok_field_info *info = otok_field_at(f);
    char text[OTOK_NAME_SIZE];
    const char *name = otok_snapshot_name(&m->first, f, text);
    const hsize_t shape[3] = {(hsize_t)m->n, (hsize_t)m->first.grid.ny, (hsize_t)m->first.grid.nx};
    const hsize_t chunks[3] = {1, otok_writing_chunk(m->first.grid.ny),
                               otok_writing_chunk(m->first.grid.nx)};
    const hid_t space = H5Screate_simple(3, shape, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
    const int good = H5Pset_chunk(creation, 3, chunks) >= 0 && H5Pset_shuffle(creation) >= 0 &&
                     H5Pset_deflate(creation, 1) >= 0 && H5Pset_fletcher32(creation) >= 0 &&
                     H5Pset_obj_track_times(creation, 0) >= 0;
    const hid_t d = m->data[f] =
        good ? H5Dcreate2(w->file, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT)
             : -1;
    H5Pclose(creation);
    H5Sclose(space);
    PUT(w, name, d);
    PUT(w, name, otok_hdf_put_text(d, "units", info->unit));
    PUT(w, name, otok_hdf_put_text(d, "long_name", info->long_name));
    PUT(w, name, otok_hdf_put_text(d, "coordinates", "time"));
    if (info->standard_name)
        PUT(w, name, otok_hdf_put_text(d, "standard_name", info->standard_name));
    if (m->first.georeference.wkt) PUT(w, name, otok_hdf_put_text(d, "grid_mapping", "crs"));
    PUT(w, name, H5DSattach_scale(d, m->iteration, 0));
    PUT(w, name, H5DSattach_scale(d, w->y, 1));
    PUT(w, name, H5DSattach_scale(d, w->x, 2));
    PUT(w, name, H5Lcreate_hard(w->file, name, w->points, name, H5P_DEFAULT, H5P_DEFAULT));
    return OTOK_OK;
}

static otok_status create_file(movie *m, const otok_draft *draft)
{
    otok_writing *w = &m->w;
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    w->file =
        otok_writing_orderly(creation) < 0 ? -1 : otok_disk_create(draft, creation, &m->error);
    H5Pclose(creation);
    PUT(w, "a file", w->file);
    OTOK_TRY(write_texts(m));
    OTOK_TRY(write_axes(m));
    OTOK_TRY(otok_writing_georeference(w->file, w->path, &m->first.georeference, m->first.grid.ny));
    OTOK_TRY(otok_writing_vtk(w, 2));
    const hid_t steps = otok_writing_group(w->grid, "Steps");
    PUT(w, "Steps", steps);
    herr_t result = otok_hdf_put(steps, "NSteps", H5T_NATIVE_INT, 0, &m->n);
    if (result >= 0)
        result = H5Lcreate_hard(w->file, "time", steps, "Values", H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(steps);
    PUT(w, "Steps", result);
    for (int f = 0; f < OTOK_FIELDS; f++)
        if (m->fields >> f & 1) OTOK_TRY(write_field(m, f));
    return OTOK_OK;
}

/* Writes the map of a field, with NaN where there are no data. */
static otok_status put_map(const movie *m, const otok_snapshot *s, int f, hid_t from, hid_t to)
{
    float *holed = NULL;
    char text[OTOK_NAME_SIZE];
    if (s->holes.n && f != OTOK_WETNESS)
        OTOK_TRY(otok_holes_put(&holed, s->maps[f], s->grid.nx * s->grid.ny, &s->holes));
    const herr_t result =
        H5Dwrite(m->data[f], H5T_NATIVE_FLOAT, from, to, H5P_DEFAULT, holed ? holed : s->maps[f]);
    free(holed);
    PUT(&m->w, otok_snapshot_name(&m->first, f, text), result);
    return OTOK_OK;
}

static otok_status put_step(const movie *m, int k, const otok_snapshot *s)
{
    const otok_writing *w = &m->w;
    const hsize_t from[3] = {(hsize_t)k, 0, 0},
                  count[3] = {1, (hsize_t)s->grid.ny, (hsize_t)s->grid.nx};
    char text[OTOK_NAME_SIZE];
    OTOK_TRY(check_same(m, s, m->steps[k].path)); /* the file may have changed since the scan */
    for (int f = 0; f < OTOK_FIELDS; f++) {
        if (!(m->fields >> f & 1)) continue;
        if (!s->maps[f])
            return OTOK_FAIL(OTOK_DATA, "%s: has no field %s; see otok inspect", m->steps[k].path,
                             otok_snapshot_name(&m->first, f, text));
        const hid_t all = H5Dget_space(m->data[f]), one = H5Screate_simple(3, count, NULL);
        const herr_t selected = H5Sselect_hyperslab(all, H5S_SELECT_SET, from, NULL, count, NULL);
        const otok_status status = selected < 0 ? OTOK_OK : put_map(m, s, f, one, all);
        H5Sclose(one);
        H5Sclose(all);
        PUT(w, otok_snapshot_name(&m->first, f, text), selected);
        OTOK_TRY(status);
    }
    PUT(w, "a step", H5Fflush(w->file, H5F_SCOPE_LOCAL));
    return m->error ? otok_file_failed(w->path, "write", m->error) : OTOK_OK;
}

/* Each use of HDF5 enters and leaves it, because reading a checkpoint does so too. */
static otok_status fill_file(movie *m, const otok_draft *draft)
{
    otok_hdf_enter();
    otok_status status = create_file(m, draft);
    otok_hdf_leave();
    for (int k = 0; k < m->n && status == OTOK_OK; k++) {
        otok_snapshot s;
        OTOK_TRY(otok_checkpoint_read(&s, m->steps[k].path));
        otok_hdf_enter();
        status = put_step(m, k, &s);
        otok_hdf_leave();
        otok_snapshot_destroy(&s);
    }
    return status;
}

static otok_status finish_file(movie *m)
{
    herr_t closed = 0;
    otok_hdf_enter();
    if (m->w.file >= 0) closed = H5Fclose(m->w.file); /* this also closes all that is open in it */
    otok_hdf_leave();
    if (m->error) return otok_file_failed(m->w.path, "write", m->error);
    return closed >= 0
               ? OTOK_OK
               : OTOK_FAIL(OTOK_INTERNAL, "%s: cannot be finished: %s", m->w.path, otok_hdf_why());
}

static otok_status write_movie(movie *m, char *const *checkpoints, int n, uint64_t fields)
{
    otok_draft *draft;
    for (int k = 0; k < n; k++)
        OTOK_TRY(otok_file_not_input(m->w.path, checkpoints[k]));
    OTOK_TRY(scan_headers(m, checkpoints, n, fields));
    OTOK_TRY(otok_file_begin(&draft, m->w.path));
    otok_status status = fill_file(m, draft);
    const otok_status finished = status == OTOK_OK ? finish_file(m) : OTOK_OK;
    if (status == OTOK_OK) status = finished;
    if (status == OTOK_OK) return otok_file_commit(draft, m->w.path);
    char *why = strdup(otok_why()); /* closing the rest must not replace it */
    if (finished == OTOK_OK) finish_file(m);
    otok_file_abandon(draft);
    if (why) status = OTOK_FAIL(status, "%s", why);
    free(why);
    return status;
}

otok_status otok_movie_write(const char *path, char *const *checkpoints, int n, uint64_t fields)
{
    movie m = {
        .iteration = -1,
        .w = {.path = path, .file = -1, .plane = -1, .grid = -1, .points = -1, .x = -1, .y = -1}};
    m.w.state = &m.first;
    const otok_status status = write_movie(&m, checkpoints, n, fields);
    otok_snapshot_destroy(&m.first);
    free(m.steps);
    return status;
}
