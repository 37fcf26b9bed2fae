/* scenario_base.c: reads the pipeline of base-terrain generators into a tree. It makes no terrain.
 */
#include "../core/units.h"
#include "scenario_read.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

const char *const otok_generator_names[OTOK_GENERATORS] = {
    "constant", "cone",   "simplex", "power_blend", "crater",   "diamond_square", "midpoint",
    "faults",   "planet", "crop",    "spikes",      "upsample", "raster"};

void otok_base_destroy(otok_generator *list, int n)
{
    for (int i = 0; i < n; i++) {
        otok_base_destroy(list[i].with, list[i].nwith);
        otok_base_destroy(list[i].mask, list[i].nmask);
        free(list[i].numbers);
    }
    free(list);
}

typedef struct reader {
    const otok_grid *domain;
    otok_grid grid; /* of the map that is made: coarser inside upsample */
    const otok_scenario *scenario;
    int streams, maps;
} reader;

static int has_with(const otok_generator *g)
{
    return g->kind == OTOK_GEN_POWER_BLEND || g->kind == OTOK_GEN_UPSAMPLE;
}

static otok_status read_list(otok_generator **out, int *n, reader *r, const otok_node *list);

static otok_status read_kind(otok_generator *g, const otok_node *item)
{
    char shown[64];
    otok_words words = {0};
    for (int i = 0; i < OTOK_GENERATORS; i++)
        otok_words_add(&words, otok_generator_names[i]);
    if (item->kind != OTOK_NODE_MAP)
        return otok_node_fail(
            item,
            "%s stands where a generator is needed; write `- cone: {}`, with colon and braces",
            otok_node_show(item, shown));
    OTOK_TRY(otok_words_check(&words, item));
    if (item->n != 1)
        return otok_node_fail(item, "%d generators in one item; begin each with a dash of its own",
                              item->n);
    g->kind = (otok_generator_kind)otok_words_find(&words, item->items[0]->key);
    return OTOK_OK;
}

static otok_status read_lists(otok_generator *g, reader *r, const otok_node *map)
{
    const otok_node *with = otok_node_find(map, "with"), *mask = otok_node_find(map, "mask");
    const otok_grid fine = r->grid;
    if (g->kind == OTOK_GEN_UPSAMPLE) {
        const int64_t m = g->as.upsample.factor;
        r->grid =
            (otok_grid){(fine.nx + m - 1) / m, (fine.ny + m - 1) / m, fine.spacing * (double)m};
    }
    if (with) OTOK_TRY(read_list(&g->with, &g->nwith, r, with));
    r->grid = fine;
    if (mask) OTOK_TRY(read_list(&g->mask, &g->nmask, r, mask));
    if (g->kind == OTOK_GEN_POWER_BLEND && !g->nwith)
        return otok_node_fail(with ? with : map,
                              "a power_blend needs a second map; add `with: [{simplex: {}}]`");
    if (g->kind == OTOK_GEN_UPSAMPLE && !g->nwith)
        return otok_node_fail(with ? with : map,
                              "nothing to make finer; add `with: [{simplex: {}}]`");
    if (g->combine == OTOK_LERP && !g->nmask)
        return otok_node_fail(
            mask ? mask : map,
            "`combine: lerp` needs a mask to weigh by; add `mask: [{constant: {height: 0.5}}]`");
    return OTOK_OK;
}

static otok_status take_raster(otok_generator *g, reader *r, const otok_node *map,
                               const otok_node *file)
{
    if (!g->as.raster.file[0])
        return otok_node_fail(file ? file : map,
                              "a raster needs its file; add `file: heights.tif`");
    if (r->maps == OTOK_MAX_RASTERS)
        return otok_node_fail(map, "more than %d rasters; join some of them outside otok",
                              OTOK_MAX_RASTERS);
    g->map = r->maps++;
    return otok_scenario_resolve(r->scenario, g->as.raster.file, file);
}

static otok_status read_raster(otok_generator *g, reader *r, const otok_node *map)
{
    const otok_node *low = otok_node_find(map, "low"), *high = otok_node_find(map, "high");
    OTOK_TRY(take_raster(g, r, map, otok_node_find(map, "file")));
    if (g->as.raster.low != g->as.raster.high) return OTOK_OK;
    return otok_node_fail(
        high ? high : low,
        "`low` and `high` are equal: the map would be flat; give different heights");
}

/* `fill: 12 m` stands for `fill: constant` with `fill_height: 12 m`. *height: NAN without it. */
static otok_status read_fill(double *height, const otok_node *map)
{
    const otok_node *fill = otok_node_find(map, "fill");
    char why[OTOK_UNIT_WHY];
    int given;
    *height = NAN;
    if (!fill || fill->kind != OTOK_NODE_SCALAR || otok_node_is_null(fill) ||
        otok_unit_read(height, &given, fill->text, "m", why)) {
        *height = NAN;
        return OTOK_OK;
    }
    if (otok_node_find(map, "fill_height"))
        return otok_node_fail(fill, "`fill` and `fill_height` both give a height; keep one");
    OTOK_TRY(otok_value_real(height, fill, otok_parameter_find("raster", "fill_height")));
    return otok_node_becomes(fill, "constant");
}

static otok_status read_group(otok_generator *g, const otok_node *map)
{
    double height = NAN;
    if (g->kind == OTOK_GEN_RASTER) OTOK_TRY(read_fill(&height, map));
    OTOK_TRY(otok_group_read(&g->as, otok_generator_names[g->kind], map));
    if (!isnan(height)) g->as.raster.fill_height = height;
    return OTOK_OK;
}

/* `raster: heights.tif`, for a raster with no other key. */
static otok_status read_raster_name(otok_generator *g, reader *r, const otok_node *name)
{
    otok_raster_generator *raster = &g->as.raster;
    OTOK_TRY(otok_group_read(g, "generator", NULL));
    OTOK_TRY(otok_group_read(raster, "raster", NULL));
    OTOK_TRY(otok_value_text(raster->file, sizeof raster->file, name));
    g->stream = r->streams++;
    return take_raster(g, r, name, name);
}

static otok_status read_generator(otok_generator *g, reader *r, const otok_node *item)
{
    if (item->kind == OTOK_NODE_MAP && item->n > 1 && otok_node_is_null(item->items[0]))
        return otok_node_fail(
            item->items[0],
            "its values stand beside it; indent them deeper, or write `- %s: {...}`",
            item->items[0]->key);
    OTOK_TRY(read_kind(g, item));
    g->line = item->line;
    const otok_node *map = item->items[0];
    if (g->kind == OTOK_GEN_RASTER && map->kind == OTOK_NODE_SCALAR && !otok_node_is_null(map))
        return read_raster_name(g, r, map);
    otok_words words = {0};
    otok_words_add_keys(&words, otok_generator_names[g->kind]);
    otok_words_add(&words, "combine");
    otok_words_add(&words, "mask");
    if (has_with(g)) otok_words_add(&words, "with");
    OTOK_TRY(otok_words_check(&words, map));
    OTOK_TRY(otok_group_read(g, "generator", map));
    OTOK_TRY(read_group(g, map));
    OTOK_TRY(otok_generator_finish(g, map, r->domain, &r->grid));
    if (g->kind == OTOK_GEN_RASTER) OTOK_TRY(read_raster(g, r, map));
    g->stream = r->streams++;
    return read_lists(g, r, map);
}

static otok_status read_list(otok_generator **out, int *n, reader *r, const otok_node *list)
{
    int items;
    OTOK_TRY(otok_list_check(&items, list, 0, INT_MAX, "generators"));
    if (!items) return OTOK_OK;
    *out = calloc((size_t)list->n, sizeof **out);
    if (!*out) return OTOK_FAIL(OTOK_NOMEM, "no memory for the base terrain's generators");
    *n = list->n;
    for (int i = 0; i < list->n; i++)
        OTOK_TRY(read_generator(&(*out)[i], r, list->items[i]));
    return OTOK_OK;
}

otok_status otok_pipeline_read(otok_generator **out, int *n, const otok_scenario *scenario,
                               int streams, const otok_node *node, const otok_parameter *range)
{
    reader r = {.scenario = scenario,
                .domain = &scenario->grid,
                .grid = scenario->grid,
                .streams = streams};
    if (node->kind == OTOK_NODE_LIST) return read_list(out, n, &r, node);
    *out = calloc(1, sizeof **out);
    if (!*out) return OTOK_FAIL(OTOK_NOMEM, "no memory for a generator");
    *n = 1;
    if (node->kind == OTOK_NODE_MAP) return read_generator(*out, &r, node);
    (*out)->kind = OTOK_GEN_CONSTANT;
    return otok_value_real(&(*out)->as.constant.height, node, range);
}

otok_status otok_base_read(otok_scenario *scenario, const otok_node *list)
{
    reader r = {.scenario = scenario, .domain = &scenario->grid, .grid = scenario->grid};
    return read_list(&scenario->base, &scenario->nbase, &r, list);
}
