/* arrays.c: see arrays.h. The file is not trusted: everything goes through hdf_read.h. */
#include "arrays.h"

#include "../core/status.h"
#include "../core/words.h"
#include "cf_hdf.h"
#include "hdf_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct reader {
    const otok_arrays_wanted *wanted;
    otok_snapshot *out;
    char **unused; /* see otok_arrays_read */
    hid_t file;
    int64_t size;
    char placed[OTOK_NAME_SIZE]; /* the map whose georeference is out's; "": none */
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

static int is_never_negative(int field)
{
    return field == OTOK_WATER || field == OTOK_SEDIMENT || field == OTOK_CARBON ||
           field == OTOK_REEF || field == OTOK_ERODIBILITY ||
           (field >= OTOK_LAYER && field <= OTOK_LAYER_LAST);
}

/* Cells without data (NaN) are for settle_holes. */
static otok_status check_values(const reader *r, int field, const char *name, const float *map)
{
    const int64_t nx = r->wanted->grid.nx, cells = nx * r->wanted->grid.ny;
    int64_t bad = 0, first = -1;
    const char *what = "that are infinite; fill them";
    for (int64_t i = 0; i < cells; i++)
        if (!isfinite(map[i]) && !isnan(map[i])) bad++, first = first < 0 ? i : first;
    if (!bad) {
        what = field == OTOK_WETNESS ? "that are not whole numbers from 0 to 255" : "below 0";
        for (int64_t i = 0; i < cells; i++)
            if ((is_never_negative(field) && map[i] < 0) ||
                (field == OTOK_WETNESS && !isnan(map[i]) &&
                 !(map[i] >= 0 && map[i] <= 255 && map[i] == (float)(int)map[i])))
                bad++, first = first < 0 ? i : first;
    }
    if (!bad) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA, "%s: %s has %lld cells %s; the first is row %lld, column %lld",
                     r->wanted->path, name, (long long)bad, what, (long long)(first / nx),
                     (long long)(first % nx));
}

/* The shape, the size of cells and the place of a map against the grid's. */
static otok_status check_place(reader *r, const otok_raster *map, const char *name)
{
    const otok_grid g = r->wanted->grid;
    const otok_georeference *p = &map->georeference;
    double width, height;
    if (map->nx != g.nx || map->ny != g.ny)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: %s has %lld rows (y) of %lld cells (x), the grid %lld rows (y) of "
                         "%lld cells (x); write `grid: {nx: %lld, ny: %lld}`",
                         r->wanted->path, name, (long long)map->ny, (long long)map->nx,
                         (long long)g.ny, (long long)g.nx, (long long)map->nx, (long long)map->ny);
    if (!p->known) return OTOK_OK;
    if (otok_georeference_is_geographic(p))
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: %s is in degrees, its cells are %.9g wide and %.9g high; reproject it to metres, "
            "for example with `raster: {file: %s, reproject: auto}` or rioxarray's rio.reproject",
            r->wanted->path, name, p->width, p->height, r->wanted->path);
    OTOK_TRY(otok_georeference_check_lengths(p, g.nx, g.ny, r->wanted->path));
    otok_georeference_metres(p, g.ny, &width, &height);
    if (fabs(width - g.spacing) * (double)g.nx > 0.1 * g.spacing ||
        fabs(height - g.spacing) * (double)g.ny > 0.1 * g.spacing)
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: the coordinates %s go by %.9g m a cell; the grid's spacing is %.9g m. Give them "
            "in metres, or leave x and y out",
            r->wanted->path, fabs(width - g.spacing) * (double)g.nx > 0.1 * g.spacing ? "x" : "y",
            fabs(width - g.spacing) * (double)g.nx > 0.1 * g.spacing ? width : height, g.spacing);
    return OTOK_OK;
}

/* The first map with coordinates places the grid, unless its lower left corner is the origin, as in
   a grid without a position on Earth. The others must have the same place. */
static otok_status keep_place(reader *r, const otok_raster *map, const char *name)
{
    const otok_georeference *p = &map->georeference;
    const double unit = otok_georeference_unit(p), spacing = r->wanted->grid.spacing,
                 south = p->north - p->height * (double)map->ny;
    if (!p->known) return OTOK_OK;
    const otok_georeference here = {
        1,     p->west, south + spacing / unit * (double)map->ny, spacing / unit, spacing / unit,
        p->wkt};
    if (*r->placed)
        return otok_georeference_same_place(&r->out->georeference, &here, map->ny, r->placed, name);
    if (hypot(p->west, south) * unit < 0.1 * spacing) return OTOK_OK;
    snprintf(r->placed, sizeof r->placed, "%s", name);
    return otok_georeference_copy(&r->out->georeference, &here);
}

/* Values and place of a map that was read. */
static otok_status check_map(reader *r, otok_raster *map, int field, const char *name)
{
    const int is_height = field == OTOK_TERRAIN || field == OTOK_TERRAIN_BASE;
    char where[OTOK_TEXT_SIZE + OTOK_NAME_SIZE];
    snprintf(where, sizeof where, "%s: %s", r->wanted->path, name);
    OTOK_TRY(check_place(r, map, name));
    if (!is_height) map->positive = 1;
    OTOK_TRY(otok_raster_check_marks(map, is_height, where));
    const int is_flow = field >= OTOK_OUTFLOW_LEFT && field <= OTOK_OUTFLOW_TOP;
    if (is_flow && strcmp(map->unit, OTOK_SPEED_UNIT) == 0) r->out->speeds = 1;
    OTOK_TRY(otok_raster_convert(map, otok_snapshot_info(r->out, field)->unit, where));
    if (is_height) OTOK_TRY(otok_raster_check_heights(map, OTOK_HIGHEST, where));
    OTOK_TRY(check_values(r, field, name, map->map));
    return keep_place(r, map, name);
}

static otok_status keep_map(reader *r, const otok_raster *map, int field)
{
    const size_t bytes = (size_t)(map->nx * map->ny) * sizeof *map->map;
    float *kept = otok_memory_heap.take(bytes);
    if (!kept) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a field", r->wanted->path);
    memcpy(kept, map->map, bytes);
    r->out->maps[field] = kept;
    r->out->has |= BIT(field);
    return OTOK_OK;
}

static otok_status read_map(reader *r, int field, const char *name)
{
    otok_cf_map found;
    otok_raster map = {.nodata = NAN};
    otok_status status = otok_cf_hdf(&found, r->file, r->wanted->path, name, 0, r->size);
    if (status == OTOK_OK) status = otok_cf_raster(&map, &found);
    otok_cf_destroy(&found);
    if (status == OTOK_OK) status = check_map(r, &map, field, name);
    if (status == OTOK_OK) status = keep_map(r, &map, field);
    otok_raster_destroy(&map);
    return status;
}

/* ---- maps that are no fields ---- */

typedef struct leftovers {
    otok_words fields;
    char names[OTOK_FIELDS][OTOK_NAME_SIZE];
    otok_map_names maps; /* "watre (is it `water`?), slope" */
} leftovers;

static void see_map(void *of, const char *name)
{
    leftovers *l = of;
    char text[OTOK_TEXT_SIZE];
    if (otok_words_find(&l->fields, name) >= 0) return;
    const char *near = otok_words_near(&l->fields, name),
               *meant = near || strlen(name) < 4 ? near : otok_field_described(name);
    snprintf(text, sizeof text, meant ? "%.200s (is it `%s`?)" : "%.200s", name, meant);
    otok_map_names_add(&l->maps, text);
}

/* The maps at the root whose names are no fields'. NULL: no memory. */
static leftovers *find_leftovers(const reader *r)
{
    leftovers *l = calloc(1, sizeof *l);
    for (int f = 0; l && f < OTOK_FIELDS; f++)
        if (otok_field_layer(f) < 0 || otok_field_layer(f) < r->out->nlayers - 1)
            otok_words_add(&l->fields, otok_snapshot_name(r->out, f, l->names[f]));
    if (l) otok_cf_hdf_names(r->file, see_map, l);
    return l;
}

static otok_status report_leftovers(reader *r)
{
    char more[OTOK_NAME_SIZE] = "";
    leftovers *l = find_leftovers(r);
    if (!l) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for its names", r->wanted->path);
    const otok_map_names *m = &l->maps;
    if (m->n > m->listed) snprintf(more, sizeof more, " and %d more", m->n - m->listed);
    otok_status status = OTOK_OK;
    if (!r->out->has)
        status = OTOK_FAIL(OTOK_DATA,
                           "%s: no field at its root%s%s%s; name maps terrain, water, sediment, "
                           "carbon, reef or as `otok inspect` lists those of a checkpoint",
                           r->wanted->path, m->n ? ", but " : "", m->list, more);
    else if (m->n && asprintf(r->unused, "has maps that are no fields and are not used: %s%s",
                              m->list, more) < 0)
        status = OTOK_FAIL(OTOK_NOMEM, "%s: no memory for its names", r->wanted->path);
    free(l);
    return status;
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
    return report_leftovers(r);
}

/* ---- cells without data ---- */

/* Marks those of a map. Returns how many there are. */
static int64_t mark_holes(unsigned char *none, const float *map, int64_t cells)
{
    int64_t n = 0;
    for (int64_t i = 0; map && i < cells; i++)
        if (isnan(map[i])) n++, none[i] = 1;
    return n;
}

/* A map has data in all other cells. Here it becomes 0. */
static otok_status empty_holes(const reader *r, int field, const unsigned char *none)
{
    const int64_t nx = r->wanted->grid.nx, cells = nx * r->wanted->grid.ny;
    float *map = r->out->maps[field];
    char text[OTOK_NAME_SIZE];
    int64_t bad = 0, first = -1;
    for (int64_t i = 0; i < cells; i++) {
        if (isnan(map[i]) && !none[i]) bad++, first = first < 0 ? i : first;
        if (none[i]) map[i] = 0;
    }
    if (!bad) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: %s has %lld cells without data, NaN or infinite; fill them; the first is "
                     "row %lld, column %lld",
                     r->wanted->path, otok_snapshot_name(r->out, field, text), (long long)bad,
                     (long long)(first / nx), (long long)(first % nx));
}

/* Heights become those of the nearest cells. */
static otok_status fill_heights(const reader *r, float *map, int64_t missing)
{
    const otok_grid g = r->wanted->grid;
    otok_raster heights = {.nx = g.nx, .ny = g.ny, .missing = missing};
    const size_t bytes = (size_t)(g.nx * g.ny) * sizeof *map;
    heights.map = malloc(bytes);
    if (!heights.map) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a field", r->wanted->path);
    memcpy(heights.map, map, bytes);
    const otok_status status = otok_raster_fill(&heights, r->wanted->path);
    if (status == OTOK_OK) memcpy(map, heights.map, bytes);
    otok_raster_destroy(&heights);
    return status;
}

static otok_status settle_marked(reader *r, unsigned char *none)
{
    const int64_t cells = r->wanted->grid.nx * r->wanted->grid.ny;
    float *const base = r->out->maps[OTOK_TERRAIN_BASE], *const terrain =
                                                             r->out->maps[OTOK_TERRAIN];
    const int64_t in_base = mark_holes(none, base, cells),
                  in_terrain = mark_holes(none, terrain, cells);
    for (int f = 0; f < OTOK_FIELDS; f++)
        if (r->out->maps[f] && f != OTOK_TERRAIN_BASE && f != OTOK_TERRAIN)
            OTOK_TRY(empty_holes(r, f, none));
    if (in_base) OTOK_TRY(fill_heights(r, base, in_base));
    if (in_terrain && !base) OTOK_TRY(fill_heights(r, terrain, in_terrain));
    for (int64_t i = 0; terrain && base && i < cells; i++)
        if (none[i]) terrain[i] = base[i];
    return otok_holes_find(&r->out->holes, none, cells);
}

/* Cells in which the terrain has no data are walls. */
static otok_status settle_holes(reader *r)
{
    unsigned char *none = calloc((size_t)(r->wanted->grid.nx * r->wanted->grid.ny), 1);
    if (!none) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for its fields", r->wanted->path);
    const otok_status status = settle_marked(r, none);
    free(none);
    return status;
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
                             "of the file, or leave it alone: it then becomes the base",
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

/* ---- both kinds of files ---- */

static otok_status read_all(reader *r)
{
    OTOK_TRY(read_fields(r));
    OTOK_TRY(settle_holes(r));
    OTOK_TRY(check_terrain(r));
    if (has_layers(r->out)) return find_bottoms(r);
    r->out->nlayers = 0;
    return OTOK_OK;
}

otok_status otok_arrays_read(otok_snapshot *out, char **unused, const otok_arrays_wanted *wanted)
{
    *unused = NULL;
    const otok_status status = otok_checkpoint_read_of(out, wanted->path, wanted->grid);
    if (status != OTOK_DATA || !out->has_arrays) return status;
    *out = (otok_snapshot){
        .grid = wanted->grid, .memory = otok_memory_heap, .nlayers = wanted->nlayers};
    for (int k = 0; k < wanted->nlayers; k++)
        snprintf(out->layers[k], sizeof out->layers[k], "%s", wanted->layers[k]);
    reader r = {.wanted = wanted, .out = out, .unused = unused};
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
