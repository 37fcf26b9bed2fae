/* recall.c: see recall.h. Iterations with maps are those of the member's samples; the scenario of
   the member is that of the study with its values of the axes. */
#include "recall.h"

#include "../core/status.h"
#include "../io/hdf_read.h"
#include "../scenario/scenario_read.h"
#include "../sim/sim.h"
#include "study.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MOMENTS = 64, NAMES = 8192 };

struct otok_recall {
    char *path;
    int64_t member, end; /* end: iterations of the member */
    hsize_t ny, nx;
    int n;
    int64_t moments[MOST_MOMENTS]; /* iterations; -1: the last state */
    otok_scenario *scenario;
};

static void name_map(char out[96], const char *field, int64_t moment)
{
    if (moment < 0)
        snprintf(out, 96, "map_%s", field);
    else
        snprintf(out, 96, "map_%s_%" PRId64, field, moment);
}

/* Reads the row of a member from a dataset of so many dimensions, whose further ones are `shape`
   (0: of any length, which it becomes). 0: it is not there, or another. */
static int read_row(hid_t file, const char *name, int64_t member, hid_t type, int rank,
                    hsize_t shape[2], void *values)
{
    if (otok_hdf_find(file, name) <= 0) return 0;
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    hsize_t all[3] = {0, 1, 1}, from[3] = {(hsize_t)member, 0, 0}, some[3] = {1, 1, 1};
    const hid_t space = set >= 0 && otok_hdf_is_local(set) ? H5Dget_space(set) : -1;
    int good = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
               H5Sget_simple_extent_dims(space, all, NULL) == rank && member < (int64_t)all[0];
    for (int i = 1; good && i < rank; i++) {
        good = !shape[i - 1] || shape[i - 1] == all[i];
        some[i] = shape[i - 1] = all[i];
    }
    const hid_t one = good ? H5Screate_simple(rank, some, NULL) : -1;
    if (good && values)
        good = H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, some, NULL) >= 0 &&
               H5Dread(set, type, one, space, H5P_DEFAULT, values) >= 0;
    if (one >= 0) H5Sclose(one);
    if (space >= 0) H5Sclose(space);
    if (set >= 0) H5Dclose(set);
    return good;
}

/* ---- the scenario of the member ---- */

/* "path=value" of an axis; NULL: it is damaged, or there is no memory. */
static char *axis_setting(hid_t file, const char *name, int64_t member)
{
    char *path = NULL, *text = NULL, *out = NULL;
    double number;
    if (otok_hdf_find(file, name) <= 0) return NULL;
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set >= 0) otok_hdf_get_text(set, "path", &path);
    if (set >= 0) H5Dclose(set);
    const hid_t words = H5Tcopy(H5T_C_S1);
    H5Tset_size(words, H5T_VARIABLE);
    H5Tset_cset(words, H5T_CSET_UTF8);
    int made = -1;
    if (path && read_row(file, name, member, H5T_NATIVE_DOUBLE, 1, NULL, &number))
        made = asprintf(&out, "%s=%.12g", path, number);
    else if (path && read_row(file, name, member, words, 1, NULL, &text) && text)
        made = asprintf(&out, "%s=%s", path, text);
    H5Tclose(words);
    if (text) H5free_memory(text);
    free(path);
    return made < 0 ? NULL : out;
}

/* Kept maps may have larger cells, and so has the scenario then. */
static otok_status parse(otok_recall *k, const char *text, char **sets, int n)
{
    char grid[3][64];
    OTOK_TRY(otok_scenario_parse(&k->scenario, k->path, text, strlen(text),
                                 (const char *const *)sets, n));
    const otok_grid g = k->scenario->grid;
    if (g.nx == (int64_t)k->nx && g.ny == (int64_t)k->ny) return OTOK_OK;
    otok_scenario_destroy(k->scenario);
    k->scenario = NULL;
    snprintf(grid[0], sizeof grid[0], "grid.nx=%" PRId64, (int64_t)k->nx);
    snprintf(grid[1], sizeof grid[1], "grid.ny=%" PRId64, (int64_t)k->ny);
    snprintf(grid[2], sizeof grid[2], "grid.spacing=%.17g",
             g.spacing * (double)g.nx / (double)k->nx);
    for (int i = 0; i < 3; i++)
        sets[n + i] = grid[i];
    return otok_scenario_parse(&k->scenario, k->path, text, strlen(text), (const char *const *)sets,
                               n + 3);
}

/* The names of the axes are the coordinates of every column. */
static otok_status read_scenario(otok_recall *k, hid_t file)
{
    char *text = NULL, *names = NULL, *sets[OTOK_MAX_AXES + 3], *rest = NULL;
    int n = 0, good = otok_hdf_get_text(file, "scenario", &text) >= 0;
    const hid_t verdict = good ? H5Dopen2(file, "verdict", H5P_DEFAULT) : -1;
    if (verdict >= 0 && H5Aexists(verdict, "coordinates") > 0)
        good = otok_hdf_get_text(verdict, "coordinates", &names) >= 0;
    if (verdict >= 0) H5Dclose(verdict);
    for (char *name = names ? strtok_r(names, " ", &rest) : NULL; good && name && n < OTOK_MAX_AXES;
         name = strtok_r(NULL, " ", &rest)) {
        sets[n] = axis_setting(file, name, k->member);
        good = sets[n] != NULL;
        n += good;
    }
    const otok_status status =
        good ? parse(k, text, sets, n)
             : OTOK_FAIL(OTOK_DATA, "%s: its scenario or an axis is damaged", k->path);
    while (n > 0)
        free(sets[--n]);
    free(text);
    free(names);
    return status;
}

/* ---- opening ---- */

/* The moments of which there is a terrain, in order. */
static otok_status find_moments(otok_recall *k, hid_t file)
{
    hsize_t shape[2] = {0, 0}, samples[2] = {0, 0};
    char name[96];
    int64_t *at = NULL;
    if (read_row(file, "iteration", k->member, H5T_NATIVE_INT64, 2, samples, NULL))
        at = malloc((size_t)(samples[0] + 1) * sizeof *at);
    if (at && !read_row(file, "iteration", k->member, H5T_NATIVE_INT64, 2, samples, at))
        samples[0] = 0;
    for (hsize_t i = 0; at && i <= samples[0] && k->n < MOST_MOMENTS; i++) {
        const int64_t moment = i < samples[0] ? at[i] : -1;
        if (i < samples[0] && moment < 0) continue;
        name_map(name, "terrain", moment);
        if (read_row(file, name, k->member, H5T_NATIVE_FLOAT, 3, shape, NULL))
            k->moments[k->n++] = moment;
    }
    free(at);
    k->ny = shape[0], k->nx = shape[1];
    if (k->n && k->nx * k->ny < UINT64_C(1) << 31) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: the study kept no terrain of its members: add keep: {fields: [terrain, "
                     "water]} to it and run it again, or run the member alone: otok run "
                     "SCENARIO.yaml --set PATH=VALUE, with the values that otok study STUDY.yaml "
                     "--dry-run prints",
                     k->path);
}

static otok_status read_study(otok_recall *k, hid_t file)
{
    int64_t last = -1, iterations = 0;
    hsize_t members = 0;
    const hid_t set = otok_hdf_find(file, "verdict") > 0 && H5Aexists(file, "scenario") > 0
                          ? H5Dopen2(file, "verdict", H5P_DEFAULT)
                          : -1;
    const hid_t space = set >= 0 ? H5Dget_space(set) : -1;
    if (space >= 0 && H5Sget_simple_extent_ndims(space) == 1)
        H5Sget_simple_extent_dims(space, &members, NULL);
    if (space >= 0) H5Sclose(space);
    if (set >= 0) H5Dclose(set);
    last = (int64_t)members - 1;
    if (last < 0)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: neither a checkpoint (.vtkhdf) nor the study.h5 of otok study",
                         k->path);
    if (k->member < 0 || k->member > last)
        return OTOK_FAIL(OTOK_USAGE,
                         "%s: a study; say which of its members: --member 0 to %" PRId64
                         ". otok-plot members draws all",
                         k->path, last);
    OTOK_TRY(find_moments(k, file));
    if (read_row(file, "iterations", k->member, H5T_NATIVE_INT64, 1, NULL, &iterations))
        k->end = iterations;
    return read_scenario(k, file);
}

otok_status otok_recall_open(otok_recall **out, const char *path, int64_t member)
{
    otok_recall *k = *out = calloc(1, sizeof *k);
    if (k) k->path = strdup(path);
    if (!k || !k->path) {
        free(k);
        *out = NULL;
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a member of a study");
    }
    k->member = member;
    otok_hdf_enter();
    const hid_t file = otok_hdf_open(path);
    const otok_status status =
        file < 0 ? OTOK_FAIL(OTOK_DATA, "%s: %s", path, otok_hdf_why()) : read_study(k, file);
    if (file >= 0) H5Fclose(file);
    otok_hdf_leave();
    if (status == OTOK_OK) return OTOK_OK;
    otok_recall_close(k);
    *out = NULL;
    return status;
}

void otok_recall_close(otok_recall *k)
{
    if (!k) return;
    otok_scenario_destroy(k->scenario);
    free(k->path);
    free(k);
}

int otok_recall_count(const otok_recall *k)
{
    return k->n;
}

/* ---- states ---- */

static otok_status read_map(const otok_recall *k, hid_t file, int64_t moment, int f,
                            otok_snapshot *s)
{
    char name[96];
    hsize_t shape[2] = {k->ny, k->nx};
    const size_t cells = (size_t)(k->nx * k->ny);
    const otok_field_info *info = otok_field_at(f); /* layers have their own names */
    if (!info) return OTOK_OK;
    name_map(name, info->name, moment);
    if (otok_hdf_find(file, name) <= 0) return OTOK_OK;
    s->maps[f] = s->memory.take(cells * sizeof(float));
    if (!s->maps[f]) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for %s", k->path, name);
    s->has |= UINT64_C(1) << f;
    if (!read_row(file, name, k->member, H5T_NATIVE_FLOAT, 3, shape, s->maps[f]))
        return OTOK_FAIL(OTOK_DATA, "%s: %s is damaged", k->path, name);
    return OTOK_OK;
}

/* Cells without data are NaN in kept maps: they become the list of these cells. */
static otok_status take_holes(const otok_recall *k, otok_snapshot *s)
{
    const size_t cells = (size_t)(k->nx * k->ny);
    size_t known = 0;
    unsigned char *walls = calloc(cells, 1);
    if (!walls) return OTOK_FAIL(OTOK_NOMEM, "no memory for cells without data");
    for (size_t i = 0; i < cells; i++) {
        walls[i] = isnan(s->maps[OTOK_TERRAIN][i]);
        known += !walls[i];
    }
    for (int f = 0; f < OTOK_FIELDS && known < cells; f++)
        for (size_t i = 0; s->maps[f] && i < cells; i++)
            if (isnan(s->maps[f][i])) s->maps[f][i] = 0;
    const otok_status status =
        !known          ? OTOK_FAIL(OTOK_DATA,
                                    "%s: member %" PRId64 " has no maps: it was refused, failed, or did not "
                                             "run; `verdict` and `cause` in the file tell",
                                    k->path, k->member)
        : known < cells ? otok_holes_find(&s->holes, walls, (int64_t)cells)
                        : OTOK_OK;
    free(walls);
    return status;
}

static otok_status read_state(const otok_recall *k, hid_t file, int i, otok_snapshot *s)
{
    const otok_scenario *of = k->scenario;
    const int64_t moment = k->moments[i];
    s->memory = otok_memory_heap;
    s->grid = of->grid;
    for (int f = 0; f < OTOK_FIELDS; f++)
        OTOK_TRY(read_map(k, file, moment, f, s));
    OTOK_TRY(take_holes(k, s));
    s->iteration = moment < 0 ? k->end : moment;
    const otok_moment at = otok_scenario_moment(of, s->iteration);
    s->time = at.time;
    s->sea_level = at.sea_level;
    s->seed = of->seed;
    snprintf(s->start, sizeof s->start, "%.47s", of->start);
    s->scenario = strdup(otok_scenario_text(of));
    if (asprintf(&s->title, "%s%smember %" PRId64, of->title, *of->title ? ", " : "", k->member) <
        0)
        s->title = NULL;
    return s->scenario && s->title ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for a scenario");
}

otok_status otok_recall_read(const otok_recall *k, int i, otok_checkpoint **out)
{
    otok_snapshot s = {0};
    otok_hdf_enter();
    const hid_t file = otok_hdf_open(k->path);
    otok_status status = file < 0 ? OTOK_FAIL(OTOK_DATA, "%s: %s", k->path, otok_hdf_why())
                                  : read_state(k, file, i, &s);
    if (file >= 0) H5Fclose(file);
    otok_hdf_leave();
    *out = NULL;
    if (status == OTOK_OK) status = otok_checkpoint_of(out, &s);
    otok_snapshot_destroy(&s);
    if (status == OTOK_OK) return OTOK_OK;
    otok_checkpoint_destroy(*out);
    *out = NULL;
    return status;
}
