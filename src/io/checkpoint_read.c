/* checkpoint_read.c: reads a checkpoint into a snapshot. The file is not trusted. Only names of the
   tables are opened, in the form that the writer gives them. Sizes are checked before memory is
   allocated. The fingerprint is computed again. */
#include "../core/status.h"
#include "checkpoint_table.h"
#include "checkpoint_writing.h"
#include "file.h"
#include "hdf_read.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REMEDY "Use an earlier checkpoint or write it again"

static otok_status fail_damaged(const char *path, const char *what)
{
    return OTOK_FAIL(OTOK_DATA, "%s: damaged: %s. " REMEDY, path, what);
}

/* Another program changed the file, on purpose or not. */
static otok_status fail_edited(otok_snapshot *s, const char *path, const char *what)
{
    s->has_arrays = 1;
    return OTOK_FAIL(
        OTOK_DATA,
        "%s: edited: %s. Give it as initial, not to resume; or use an earlier checkpoint", path,
        what);
}

/* The ledger. An entry that the file lacks is 0: nothing was booked there. The checksum of the
   header tells such a file from one that lost an entry. */
static herr_t read_ledger(otok_snapshot *s, hid_t file, hid_t group)
{
    for (int i = 0; i < OTOK_SUMS; i++) {
        if (!otok_sum_names[i]) continue;
        if (H5Aexists(group, otok_sum_names[i]) == 0)
            s->absent_sums |= BIT(i);
        else if (otok_hdf_get(group, otok_sum_names[i], H5T_NATIVE_INT64, 2, &s->sums[i]) < 0)
            return -1;
    }
    for (int i = 0; i < OTOK_LEDGER_ENTRIES; i++) {
        char name[64];
        snprintf(name, sizeof name, "ledger_%s", otok_ledger_at(i)->name);
        if (H5Aexists(file, name) == 0)
            s->absent_entries |= BIT(i);
        else if (otok_hdf_get(file, name, H5T_NATIVE_DOUBLE, 0,
                              (char *)&s->ledger + otok_ledger_at(i)->offset) < 0)
            return -1;
    }
    return 0;
}

/* Numbers that a restart needs: the group /otok. */
static herr_t read_numbers(otok_snapshot *s, hid_t file, hid_t group)
{
    if (otok_hdf_get(group, "nx", H5T_NATIVE_INT64, 0, &s->grid.nx) < 0 ||
        otok_hdf_get(group, "ny", H5T_NATIVE_INT64, 0, &s->grid.ny) < 0 ||
        otok_hdf_get(group, "spacing", H5T_NATIVE_DOUBLE, 0, &s->grid.spacing) < 0 ||
        otok_hdf_get(group, "time", H5T_NATIVE_DOUBLE, 0, &s->time) < 0 ||
        otok_hdf_get(group, "sea_level", H5T_NATIVE_DOUBLE, 0, &s->sea_level) < 0 ||
        otok_hdf_get(group, "water_start", H5T_NATIVE_INT64, 2, &s->water_start) < 0 ||
        otok_hdf_get(group, "solid_start", H5T_NATIVE_INT64, 2, &s->solid_start) < 0 ||
        otok_hdf_get(file, "otok_iteration", H5T_NATIVE_INT64, 0, &s->iteration) < 0 ||
        otok_hdf_get(file, "otok_seed", H5T_NATIVE_INT64, 0, &s->seed) < 0 ||
        otok_hdf_get(file, "otok_raster_filled", H5T_NATIVE_INT64, 0, &s->filled) < 0 ||
        otok_hdf_get(file, "ledger_not_finite", H5T_NATIVE_INT64, 0, &s->ledger.not_finite) < 0)
        return -1;
    if (H5Aexists(file, "otok_water_steps") > 0 &&
        (otok_hdf_get(file, "otok_water_steps", H5T_NATIVE_INT64, 0, &s->water_steps) < 0 ||
         otok_hdf_get(file, "otok_water_dt", H5T_NATIVE_DOUBLE, 0, &s->water_dt) < 0))
        return -1;
    return read_ledger(s, file, group);
}

/* Reads what the samples of the run showed. Files of unwatched runs have nothing of it; that of
   earlier versions counts for the checksum alone. */
static otok_status read_judge(otok_snapshot *s, const char *path, hid_t group)
{
    otok_judge *j = &s->judge;
    if (H5Aexists(group, "judge_counts") <= 0) return OTOK_OK;
    const int has =
        otok_hdf_get(group, "judge_counts", H5T_NATIVE_INT64, OTOK_JUDGE_COUNTS, j) >= 0;
    if (has && H5Aexists(group, "judge_measures") > 0) {
        s->earlier = calloc(OTOK_EARLIER_FIGURES, sizeof *s->earlier);
        if (!s->earlier) return OTOK_FAIL(OTOK_NOMEM, "no memory for a header");
        if (otok_hdf_get(group, "judge_measures", H5T_NATIVE_DOUBLE, OTOK_EARLIER_FIGURES,
                         s->earlier) >= 0)
            return OTOK_OK;
    }
    s->without_looks = H5Aexists(group, "judge_looks") <= 0;
    s->without_amounts = H5Aexists(group, "judge_amounts") <= 0;
    s->watched =
        has &&
        (s->without_looks ||
         otok_hdf_get(group, "judge_looks", H5T_NATIVE_DOUBLE, OTOK_JUDGE_LOOKS, &j->looks) >= 0) &&
        (s->without_amounts || otok_hdf_get(group, "judge_amounts", H5T_NATIVE_DOUBLE,
                                            OTOK_JUDGE_AMOUNTS, j->amounts) >= 0) &&
        (H5Aexists(group, "judge_receivers") <= 0 ||
         otok_hdf_get(group, "judge_receivers", H5T_NATIVE_DOUBLE, 2, j->receivers) >= 0) &&
        otok_hdf_get(group, "judge_figures", H5T_NATIVE_DOUBLE, OTOK_JUDGE_FIGURES, &j->deepest) >=
            0 &&
        otok_judge_is_sound(&s->judge);
    return s->watched ? OTOK_OK
                      : fail_damaged(path, "the diagnosis of its run is missing or broken");
}

/* Splits names such as "soil cap shale"; 0: not such names. */
static int layer_names(otok_snapshot *s, char *text)
{
    for (char *rest = text, *name; (name = strsep(&rest, " ")); s->nlayers++) {
        const size_t n = strlen(name);
        if (s->nlayers == OTOK_MAX_LAYERS || n < 1 || n >= OTOK_NAME_SIZE - 8 ||
            strspn(name, "0123456789_abcdefghijklmnopqrstuvwxyz") < n)
            return 0;
        memcpy(s->layers[s->nlayers], name, n);
    }
    return 1;
}

/* Reads the layers of the ground. Most states have none. */
static otok_status read_layers(otok_snapshot *s, const char *path, hid_t file, hid_t group)
{
    char *text = NULL;
    if (H5Aexists(group, "layers") <= 0) return OTOK_OK;
    int good = otok_hdf_get_text(group, "layers", &text) >= 0 && layer_names(s, text);
    free(text);
    good =
        good &&
        otok_hdf_get(group, "layer_start", H5T_NATIVE_INT64, 2 * s->nlayers, s->layer_start) >= 0 &&
        otok_hdf_get(group, "layer_sums", H5T_NATIVE_INT64, 2 * (1 + s->nlayers),
                     &s->sums[OTOK_SUM_DEPOSITED]) >= 0;
    s->ledger.nlayers = s->nlayers;
    for (int i = 0; i < OTOK_LAYER_ENTRIES && good; i++) {
        double values[OTOK_MAX_LAYERS] = {0};
        char name[64];
        snprintf(name, sizeof name, "ledger_layer_%s", otok_layer_entries[i].name);
        if (H5Aexists(file, name) == 0)
            s->absent_layers |= BIT(i);
        else
            good = otok_hdf_get(file, name, H5T_NATIVE_DOUBLE, s->nlayers, values) >= 0;
        for (int k = 0; k < s->nlayers; k++) {
            memcpy(s->ledger.layers[k].name, s->layers[k], sizeof s->layers[k]);
            *(double *)((char *)&s->ledger.layers[k] + otok_layer_entries[i].offset) = values[k];
        }
    }
    return good ? OTOK_OK : fail_damaged(path, "the ledger of its layers is missing or broken");
}

static otok_status format_of(otok_snapshot *s, const char *path, hid_t file, hid_t group)
{
    int64_t format = 0;
    s->has_arrays = group < 0 || otok_hdf_get(group, "format", H5T_NATIVE_INT64, 0, &format) < 0;
    if (s->has_arrays) return otok_checkpoint_foreign(path, file);
    if (format != OTOK_CHECKPOINT_FORMAT)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: checkpoint format %lld, this is otok %s, which reads format %d. Use "
                         "the otok that wrote it",
                         path, (long long)format, otok_version(), OTOK_CHECKPOINT_FORMAT);
    return OTOK_OK;
}

static otok_status read_texts(otok_snapshot *s, const char *path, hid_t file)
{
    for (int i = 0; i < OTOK_TEXTS; i++)
        if (otok_hdf_get_text(file, otok_text_entries[i].name,
                              (char **)((char *)s + otok_text_entries[i].offset)) < 0)
            return OTOK_FAIL(OTOK_DATA, "%s: damaged: attribute %s is missing or broken. " REMEDY,
                             path, otok_text_entries[i].name);
    if (H5Aexists(file, "otok_changes") > 0 &&
        otok_hdf_get_text(file, "otok_changes", &s->changes) < 0)
        return fail_damaged(path, "its list of changes is broken");
    if (H5Aexists(file, "otok_inputs") > 0 &&
        otok_hdf_get_text(file, "otok_inputs", &s->inputs) < 0)
        return fail_damaged(path, "its list of inputs is broken");
    char *print = NULL, *hash = NULL, found[OTOK_SHA256_SIZE], *end = NULL;
    otok_sha256(s->scenario, strlen(s->scenario), found);
    int good =
        otok_hdf_get_text(file, "otok_scenario_sha256", &hash) >= 0 && strcmp(hash, found) == 0;
    free(hash);
    if (!good) return fail_edited(s, path, "the scenario does not match its checksum");
    good = otok_hdf_get_text(file, "otok_fingerprint", &print) >= 0 && strlen(print) == 16 &&
           strspn(print, "0123456789abcdef") == 16;
    if (good) s->fingerprint = strtoull(print, &end, 16);
    free(print);
    return good ? OTOK_OK : fail_damaged(path, "no fingerprint");
}

/* Refuses a dataset that otok never writes: the file is forged or damaged. */
static otok_status fail_forged(otok_snapshot *s, const char *path, const char *what,
                               const char *name, const char *wrong)
{
    s->has_arrays = 1;
    return OTOK_FAIL(
        OTOK_DATA,
        "%s: refused: %s %s %s. If it was edited: give it as initial, not to resume. " REMEDY, path,
        what, name, wrong);
}

/* Detects a file whose fields were changed on purpose and whose fingerprint was adapted: the header
   then has the wrong checksum. */
static otok_status check_sum(otok_snapshot *s, const char *path, hid_t group)
{
    char *hash = NULL, found[OTOK_SHA256_SIZE];
    OTOK_TRY(otok_header_sum(s, found));
    const int same =
        otok_hdf_get_text(group, "header_sha256", &hash) >= 0 && strcmp(hash, found) == 0;
    free(hash);
    s->absent_sums = s->absent_entries = s->absent_layers = 0;
    free(s->earlier);
    s->earlier = NULL;
    if (same) return OTOK_OK;
    return fail_edited(s, path,
                       "what its header says for a restart (iteration, time, sums, ledger, "
                       "scenario, fingerprint) does not match its checksum, /otok:header_sha256: "
                       "it was changed after otok wrote the file");
}

static otok_status read_restart(otok_snapshot *s, const char *path, hid_t file, hid_t group,
                                int64_t file_size)
{
    OTOK_TRY(format_of(s, path, file, group));
    if (read_numbers(s, file, group) < 0)
        return fail_damaged(path, "a number in its header is missing or of another kind");
    if (!otok_georeference_load(&s->georeference, group))
        return fail_damaged(path, "its georeference is damaged");
    OTOK_TRY(read_layers(s, path, file, group));
    OTOK_TRY(read_judge(s, path, group));
    const otok_grid g = s->grid;
    if (g.nx < 1 || g.ny < 1 || g.nx > OTOK_GRID_MAX || g.ny > OTOK_GRID_MAX || !(g.spacing > 0) ||
        !isfinite(g.spacing) || s->iteration < 0 || !isfinite(s->time) || !isfinite(s->sea_level))
        return fail_damaged(path, "a number in its header is out of range");
    const char *wrong = otok_holes_read(&s->holes, group, g, file_size);
    if (wrong) return fail_forged(s, path, "list", "no_data", wrong);
    wrong = otok_gauges_load(s, group, file_size);
    if (wrong) return fail_forged(s, path, "list", "gauges", wrong);
    OTOK_TRY(read_texts(s, path, file));
    return check_sum(s, path, group);
}

static otok_status read_header(otok_snapshot *s, const char *path, hid_t file, int64_t file_size)
{
    const hid_t group =
        otok_hdf_find(file, OTOK_GROUP) > 0 ? H5Gopen2(file, OTOK_GROUP, H5P_DEFAULT) : -1;
    const otok_status status = read_restart(s, path, file, group, file_size);
    if (group >= 0) H5Gclose(group);
    OTOK_TRY(status);
    for (int f = 0; f < OTOK_FIELDS; f++) {
        char text[OTOK_NAME_SIZE];
        const char *name = otok_snapshot_name(s, f, text);
        const int found = otok_field_layer(f) < 0 || otok_field_layer(f) < s->nlayers - 1
                              ? otok_hdf_find(file, name)
                              : 0;
        if (found < 0)
            return OTOK_FAIL(OTOK_DATA,
                             "%s: refused: '%s' is damaged, or a soft or external link, which otok "
                             "never writes. " REMEDY,
                             path, name);
        if (found) s->has |= UINT64_C(1) << f;
    }
    return OTOK_OK;
}

static const char *what_is_wrong(int field, const float *map, int64_t cells)
{
    for (int64_t i = 0; i < cells; i++)
        if (!isfinite(map[i])) return "holds values that are NaN or infinite: the run had failed";
    if (field == OTOK_WETNESS)
        for (int64_t i = 0; i < cells; i++)
            if (map[i] < 0 || map[i] > 255 || map[i] != (float)(int)map[i])
                return "holds values that are not whole numbers from 0 to 255";
    return NULL;
}

/* Is an outflow a speed? */
static int has_speeds(hid_t dataset)
{
    char *unit = NULL;
    otok_hdf_get_text(dataset, "units", &unit);
    const int is = unit && strcmp(unit, OTOK_SPEED_UNIT) == 0;
    free(unit);
    return is;
}

static otok_status read_field(otok_snapshot *s, int f, const char *path, hid_t file,
                              int64_t file_size)
{
    const int64_t cells = s->grid.nx * s->grid.ny;
    char text[OTOK_NAME_SIZE];
    const char *name = otok_snapshot_name(s, f, text);
    otok_hdf_set set;
    const char *wrong =
        otok_hdf_open_set(&set, file, name, OTOK_HDF_MAP, s->grid.ny, s->grid.nx, file_size);
    if (wrong) return fail_forged(s, path, "field", name, wrong);
    s->maps[f] = otok_memory_heap.take((size_t)cells * sizeof(float));
    if (s->maps[f]) wrong = otok_hdf_read_map(&set, s->maps[f]);
    if (f >= OTOK_OUTFLOW_LEFT && f <= OTOK_OUTFLOW_TOP) s->speeds |= has_speeds(set.id);
    H5Dclose(set.id);
    if (!s->maps[f]) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for the field %s", path, name);
    if (!wrong) wrong = what_is_wrong(f, s->maps[f], cells);
    return wrong ? OTOK_FAIL(OTOK_DATA, "%s: refused: field %s %s. " REMEDY, path, name, wrong)
                 : OTOK_OK;
}

/* Coordinates must have the bits that otok writes. No fingerprint covers them. */
static otok_status read_axis(otok_snapshot *s, const char *path, hid_t file, const char *name,
                             int64_t n, int64_t file_size)
{
    otok_axis_about words;
    otok_hdf_set set;
    otok_axis_words(&words, *name, &s->georeference, s->grid);
    const char *wrong = otok_hdf_open_set(&set, file, name, OTOK_HDF_LINE, n, 1, file_size);
    if (wrong) return fail_forged(s, path, "coordinates", name, wrong);
    double *centres = malloc((size_t)n * sizeof *centres);
    if (centres) wrong = otok_hdf_read_line(&set, centres);
    H5Dclose(set.id);
    if (!centres) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for the coordinates %s", path, name);
    for (int64_t i = 0; !wrong && i < n; i++)
        if (centres[i] != words.start + ((double)i + 0.5) * words.step)
            wrong = "are not those of its grid";
    free(centres);
    return wrong ? fail_forged(s, path, "coordinates", name, wrong) : OTOK_OK;
}

static otok_status read_fields(otok_snapshot *s, const char *path, hid_t file, int64_t file_size)
{
    for (int f = 0; f < OTOK_FIELDS; f++)
        if (s->has >> f & 1) OTOK_TRY(read_field(s, f, path, file, file_size));
    const uint64_t found = otok_snapshot_fingerprint(s);
    char what[128];
    snprintf(what, sizeof what,
             "its data have the fingerprint %016" PRIx64 ", its header says %016" PRIx64, found,
             s->fingerprint);
    if (found != s->fingerprint) return fail_edited(s, path, what);
    OTOK_TRY(read_axis(s, path, file, "x", s->grid.nx, file_size));
    OTOK_TRY(read_axis(s, path, file, "y", s->grid.ny, file_size));
    const float *base = s->maps[OTOK_TERRAIN_BASE], *change = s->maps[OTOK_TERRAIN_CHANGE],
                *terrain = s->maps[OTOK_TERRAIN];
    for (int64_t i = 0; base && change && terrain && i < s->grid.nx * s->grid.ny; i++)
        if (terrain[i] != base[i] + change[i])
            return fail_edited(s, path, "terrain is not terrain_base + terrain_change");
    for (int k = 0; k < OTOK_MAX_LAYERS - 1; k++) {
        const float *top = k ? s->maps[OTOK_LAYER_BOTTOM + k - 1] : change;
        const float *bottom = s->maps[OTOK_LAYER_BOTTOM + k], *layer = s->maps[OTOK_LAYER + k];
        for (int64_t i = 0; top && bottom && layer && i < s->grid.nx * s->grid.ny; i++)
            if (layer[i] != top[i] - bottom[i])
                return fail_edited(s, path, "a layer's thickness does not fit its bottom");
    }
    return OTOK_OK;
}

/* `only`: maps are read only if the grid is this one; NULL: for any grid. */
static otok_status read_all(otok_snapshot *out, const char *path, int with_maps,
                            const otok_grid *only)
{
    memset(out, 0, sizeof *out);
    out->memory = otok_memory_heap;
    int64_t size = 0;
    OTOK_TRY(otok_checkpoint_probe(path, &size));
    otok_hdf_enter();
    const hid_t file = otok_hdf_open(path);
    otok_status status =
        file < 0 ? fail_damaged(path, otok_hdf_why()) : read_header(out, path, file, size);
    const otok_grid g = out->grid;
    if (only && (g.nx != only->nx || g.ny != only->ny || g.spacing != only->spacing)) with_maps = 0;
    if (status == OTOK_OK && with_maps) status = read_fields(out, path, file, size);
    if (file >= 0) H5Fclose(file);
    otok_hdf_leave();
    if (status != OTOK_OK) {
        const int has_arrays = out->has_arrays;
        otok_snapshot_destroy(out);
        out->has_arrays = has_arrays;
    }
    return status;
}

otok_status otok_checkpoint_read(otok_snapshot *out, const char *path)
{
    return read_all(out, path, 1, NULL);
}

otok_status otok_checkpoint_read_of(otok_snapshot *out, const char *path, otok_grid grid)
{
    return read_all(out, path, 1, &grid);
}

otok_status otok_checkpoint_header(otok_snapshot *out, const char *path)
{
    return read_all(out, path, 0, NULL);
}
