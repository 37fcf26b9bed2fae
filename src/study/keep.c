/* keep.c: see keep.h. */
#include "keep.h"

#include "../base/raster.h"
#include "../core/directions.h"
#include "../core/memory.h"
#include "../core/status.h"
#include "../io/deflate.h"
#include "../io/file.h"
#include "../scenario/scenario_read.h"
#include "../sim/expressions.h"
#include "response.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

/* ---- the group `keep` ---- */

static otok_status read_field(otok_keep *k, const otok_node *item)
{
    char shown[64];
    otok_words words = {0};
    const char *name = item->kind == OTOK_NODE_SCALAR && item->text ? item->text : "";
    const int stored = otok_field_find(name), derived = otok_derived_find(name);
    const int64_t field = stored >= 0 ? stored : OTOK_FIELDS + derived;
    for (int f = 0; f < OTOK_FIELDS; f++)
        if (otok_field_layer(f) < 0) otok_words_add(&words, otok_field_at(f)->name);
    for (int i = 0; otok_derived_at(i); i++)
        otok_words_add(&words, otok_derived_at(i)->name);
    if (stored < 0 && derived < 0)
        return otok_node_fail(item, "%s is not a field; the nearest is `%s`",
                              otok_node_show(item, shown), otok_words_nearest(&words, name));
    for (int i = 0; i < k->nfields; i++)
        if (k->fields[i] == field) return otok_node_fail(item, "%s is given twice", name);
    if (k->nfields == OTOK_MAX_KEPT)
        return otok_node_fail(item, "more than %d fields", OTOK_MAX_KEPT);
    k->fields[k->nfields++] = field;
    return OTOK_OK;
}

/* Moments are in ascending order, so that maps are kept in the order of their numbers. */
static otok_status read_moment(otok_keep *k, int64_t every, const otok_node *item)
{
    const otok_parameter range = {.unit = "1", .low = 1, .high = 1e15};
    int64_t moment = OTOK_KEEP_LAST, at = k->nmoments;
    if (item->kind != OTOK_NODE_SCALAR || !item->text || strcmp(item->text, "last") != 0)
        OTOK_TRY(otok_value_int(&moment, item, &range));
    if (moment != OTOK_KEEP_LAST && moment % every)
        return otok_node_fail(item,
                              "%" PRId64 " is not a multiple of monitor.every, %" PRId64
                              "; the next is %" PRId64,
                              moment, every, (moment / every + 1) * every);
    if (k->nmoments == OTOK_MAX_KEPT)
        return otok_node_fail(item, "more than %d moments", OTOK_MAX_KEPT);
    for (; at > 0 && k->moments[at - 1] >= moment; at--) {
        if (k->moments[at - 1] == moment) return otok_node_fail(item, "is given twice");
        k->moments[at] = k->moments[at - 1];
    }
    k->moments[at] = moment;
    k->nmoments++;
    return OTOK_OK;
}

otok_status otok_keep_read(otok_keep *k, int64_t every, const otok_node *map)
{
    int n;
    if (!map || otok_node_is_null(map)) return OTOK_OK;
    OTOK_TRY(otok_group_take(k, "keep", map, NULL));
    const otok_node *fields = otok_node_find(map, "fields"), *when = otok_node_find(map, "when");
    if (!fields || otok_node_is_null(fields) || (fields->kind == OTOK_NODE_LIST && !fields->n))
        return otok_node_fail(map, "`fields` is missing; write fields: [terrain, ...]");
    OTOK_TRY(otok_list_check(&n, fields, 0, OTOK_MAX_KEPT, "fields"));
    for (int i = 0; i < n; i++)
        OTOK_TRY(read_field(k, fields->items[i]));
    OTOK_TRY(otok_list_check(&n, when, 0, OTOK_MAX_KEPT, "moments"));
    for (int i = 0; i < n; i++)
        OTOK_TRY(read_moment(k, every, when->items[i]));
    if (!k->nmoments) k->moments[k->nmoments++] = OTOK_KEEP_LAST;
    if (k->nfields * k->nmoments > OTOK_MAX_KEPT)
        return otok_node_fail(map, "%" PRId64 " fields at %" PRId64 " moments; at most %d maps",
                              k->nfields, k->nmoments, OTOK_MAX_KEPT);
    return OTOK_OK;
}

const otok_field_info *otok_keep_field(const otok_keep *k, int i)
{
    const int field = (int)k->fields[i];
    return field < OTOK_FIELDS ? otok_field_at(field) : otok_derived_at(field - OTOK_FIELDS);
}

/* Do all members have as many iterations as the first? */
static int are_alike(const otok_study *s)
{
    int alike = !(s->duration > 0);
    for (int a = 0; a < s->naxes; a++)
        alike &= strstr(s->axes[a].path, "iterations") == NULL;
    return alike;
}

static otok_status check_field(const otok_keep *k, int i, const otok_scenario *scenario,
                               const otok_node *list)
{
    const otok_field_info *info = otok_keep_field(k, i);
    otok_response as = {"", ""};
    snprintf(as.text, sizeof as.text, "mean(%s)", info->name);
    const otok_status status = otok_response_check(&as, scenario);
    if (status == OTOK_DATA) return otok_node_fail(list, "%s", otok_why());
    return status;
}

/* The place of the members. Varied files of rasters have that of the first. */
static void find_place(otok_keep *k, const otok_scenario *scenario)
{
    otok_georeference p = {0};
    otok_base_place(&p, scenario);
    memset(k->corner, 0, sizeof k->corner);
    memset(k->wkt, 0, sizeof k->wkt);
    if (p.known)
        memcpy(k->corner, (double[]){p.west, p.north, p.width, p.height}, sizeof k->corner);
    if (p.known && p.wkt && strlen(p.wkt) < sizeof k->wkt) strcpy(k->wkt, p.wkt);
    otok_georeference_destroy(&p);
}

otok_status otok_keep_check(otok_study *s, const otok_scenario *scenario, const otok_node *map)
{
    otok_keep *k = &s->keep;
    const otok_grid g = scenario->grid;
    const int64_t end = otok_scenario_iterations(scenario);
    if (!k->nfields) return OTOK_OK;
    k->grid = g;
    find_place(k, scenario);
    for (int a = 0; a < s->naxes && s->design.kind != OTOK_DESIGN_LIST; a++)
        if (strncmp(s->axes[a].path, "grid.", 5) == 0 && s->axes[a].nvalues != 1)
            return otok_node_fail(map, "%s is varied, and kept maps share one grid; keep no maps",
                                  s->axes[a].path);
    for (int i = 0; i < k->nfields; i++)
        OTOK_TRY(check_field(k, i, scenario, otok_node_find(map, "fields")));
    int64_t fits = k->coarsen;
    while (g.nx % fits || g.ny % fits)
        fits--;
    if (fits < k->coarsen)
        return otok_node_fail(otok_node_find(map, "coarsen"),
                              "%" PRId64 " does not divide the grid of %" PRId64 " x %" PRId64
                              " cells; the nearest that does is %" PRId64,
                              k->coarsen, g.nx, g.ny, fits);
    for (int i = 0; i < k->nmoments && are_alike(s); i++)
        if (k->moments[i] != OTOK_KEEP_LAST && k->moments[i] > end)
            return otok_node_fail(otok_node_find(map, "when"),
                                  "%" PRId64 " is after the end; members have %" PRId64
                                  " iterations",
                                  k->moments[i], end);
    return OTOK_OK;
}

/* ---- maps ---- */

/* Means of squares of cells, row by row; walls and cells without a value are left out. */
static void coarsen(float *out, const float *map, const unsigned char *walls, otok_grid g,
                    int64_t n, int is_direction)
{
    const int64_t nx = g.nx / n;
    for (int64_t y = 0; y < g.ny / n; y++)
        for (int64_t x = 0; x < nx; x++) {
            double sum = 0;
            otok_arrow arrow = {0, 0};
            int known = 0;
            for (int64_t i = 0; i < n * n; i++) {
                const int64_t at = (y * n + i / n) * g.nx + x * n + i % n;
                if (isnan(map[at]) || (walls && walls[at])) continue;
                sum += (double)map[at];
                known++;
                if (!is_direction) continue;
                const otok_arrow more = otok_arrow_of((double)map[at]);
                arrow = (otok_arrow){arrow.east + more.east, arrow.north + more.north};
            }
            if (is_direction && known > 1) sum = known * otok_direction_of(arrow, known);
            out[y * nx + x] = known ? (float)(sum / known) : NAN;
        }
}

/* Appends the map as a chunk of HDF5 behind shuffle and deflate: plane k holds byte k of every
   value; hosts are little-endian. */
static otok_status append_packed(otok_kept *kept, int64_t *size, const float *map, size_t cells)
{
    unsigned char *planes = malloc(4 * cells);
    unsigned char *bytes = realloc(kept->bytes, kept->size + otok_deflate_bound(4, cells) + 8);
    if (bytes) kept->bytes = bytes;
    if (!planes || !bytes) {
        free(planes);
        return OTOK_FAIL(OTOK_NOMEM, "no memory for the kept maps of a member");
    }
    for (size_t i = 0; i < cells; i++)
        for (size_t k = 0; k < 4; k++)
            planes[k * cells + i] = ((const unsigned char *)&map[i])[k];
    unsigned char *begin = bytes + kept->size, *end = otok_deflate(begin, planes, 4, cells);
    free(planes);
    *size = end - begin;
    memset(end, 0, 8);
    kept->size += ((size_t)*size + 7) & ~(size_t)7;
    return OTOK_OK;
}

static otok_status keep_map(otok_kept *kept, int64_t *size, const otok_keep *k, int field,
                            otok_state *state)
{
    const unsigned char *walls = otok_state_walls(state);
    const otok_field_info *info =
        field < OTOK_FIELDS ? otok_field_at(field) : otok_derived_at(field - OTOK_FIELDS);
    const size_t few = (size_t)(k->grid.nx / k->coarsen) * (size_t)(k->grid.ny / k->coarsen);
    const float *map;
    OTOK_TRY(otok_state_map(&map, state, field));
    if (k->coarsen == 1 && !walls) return append_packed(kept, size, map, few);
    float *coarse = malloc(few * sizeof *coarse);
    if (!coarse) return OTOK_FAIL(OTOK_NOMEM, "no memory for a kept map");
    coarsen(coarse, map, walls, k->grid, k->coarsen, info->look->sign == 3);
    const otok_status status = append_packed(kept, size, coarse, few);
    free(coarse);
    return status;
}

otok_status otok_keep_maps(otok_kept *kept, otok_result *r, const otok_study *s, otok_sim *sim,
                           otok_state *state, int last)
{
    const otok_keep *k = &s->keep;
    const otok_grid g = sim->scenario->grid;
    for (int m = 0; m < k->nmoments; m++) {
        if (k->moments[m] != (last ? OTOK_KEEP_LAST : sim->iteration)) continue;
        if (g.nx != k->grid.nx || g.ny != k->grid.ny || g.spacing != k->grid.spacing)
            return OTOK_FAIL(OTOK_DATA,
                             "keep: maps of a study share one grid, %" PRId64 " x %" PRId64
                             " cells of %g m; do not vary it, or leave `keep` out",
                             k->grid.nx, k->grid.ny, k->grid.spacing);
        for (int f = 0; f < k->nfields; f++)
            OTOK_TRY(keep_map(kept, &r->kept[m * k->nfields + f], k, (int)k->fields[f], state));
    }
    return OTOK_OK;
}

static uint64_t kept_fields(const otok_study *study)
{
    uint64_t fields = 0;
    for (int i = 0; i < study->keep.nfields; i++)
        fields |= otok_map_reads((int)study->keep.fields[i]);
    return fields & BIT(OTOK_TERRAIN) ? fields | BIT(OTOK_TERRAIN_CHANGE) : fields;
}

uint64_t otok_keep_reads(const otok_study *study)
{
    uint64_t fields = OTOK_RESPONSE_READS | kept_fields(study);
    for (int i = 0; i < study->nresponses; i++)
        fields |= otok_response_reads(&study->responses[i]);
    return fields;
}

int otok_keep_due(const otok_study *s, const otok_sim *sim)
{
    for (int m = 0; m < s->keep.nmoments; m++)
        if (s->keep.nfields && s->keep.moments[m] == sim->iteration) return 1;
    return 0;
}

otok_status otok_keep_now(otok_kept *kept, otok_result *r, const otok_study *study, otok_sim *sim,
                          float *room)
{
    otok_state *state;
    OTOK_TRY(otok_state_of(&state, sim, kept_fields(study), room));
    const otok_status status = otok_keep_maps(kept, r, study, sim, state, 0);
    otok_state_end(state);
    return status;
}

otok_status otok_kept_join(const otok_kept *kept, const otok_result *r, otok_sample **samples)
{
    if (!kept->size) return OTOK_OK;
    otok_sample *more = realloc(*samples, (size_t)r->nsamples * sizeof *more + kept->size);
    if (!more) return OTOK_FAIL(OTOK_NOMEM, "no memory for the kept maps of a member");
    *samples = more;
    memcpy(more + r->nsamples, kept->bytes, kept->size);
    return OTOK_OK;
}

size_t otok_kept_before(const otok_result *r, int i)
{
    size_t bytes = 0;
    for (int n = 0; n < i; n++)
        bytes += ((size_t)r->kept[n] + 7) & ~(size_t)7;
    return bytes;
}

static double cells_of(const otok_keep *k)
{
    return k->nfields ? (double)(k->grid.nx / k->coarsen) * (double)(k->grid.ny / k->coarsen) : 0;
}

int otok_kept_is_valid(const otok_result *r, const otok_keep *k)
{
    const int64_t most = (int64_t)otok_deflate_bound(4, (size_t)cells_of(k));
    int good = 1;
    for (int i = 0; i < OTOK_MAX_KEPT; i++)
        good &= r->kept[i] >= 0 && r->kept[i] <= (i < k->nfields * k->nmoments ? most : 0);
    return good;
}

/* ---- sizes ---- */

double otok_keep_bytes(const otok_keep *k)
{
    return (double)(k->nfields * k->nmoments) * cells_of(k) * sizeof(float);
}

otok_status otok_keep_fits(const otok_study *s, const char *directory, int64_t left)
{
    struct statvfs disk;
    const double each = otok_keep_bytes(&s->keep), gib = 1 << 30;
    if (each == 0 || left == 0) return OTOK_OK;
    if (statvfs(directory, &disk) != 0) return otok_file_failed(directory, "ask for room", errno);
    const double all = each * (double)otok_design_rows(&s->design),
                 needed = all + each * (double)left,
                 room = (double)disk.f_bavail * (double)disk.f_frsize,
                 memory = otok_memory_free("");
    if (needed > room)
        return OTOK_FAIL(
            OTOK_IO,
            "%s: the kept maps need up to %.3g GiB, in journals and in study.h5, and the disk has "
            "%.3g GiB left; raise keep.coarsen, keep fewer fields, or use another disk with -o",
            directory, needed / gib, room / gib);
    if (all > memory && memory > 0)
        return OTOK_FAIL(OTOK_NOMEM,
                         "%s: to write study.h5 the kept maps need up to %.3g GiB of memory, and "
                         "this process may take %.3g GiB; raise keep.coarsen, or keep fewer fields",
                         directory, all / gib, memory / gib);
    return OTOK_OK;
}
