/* scenario_layers.c: reads the layers of the ground, and the maps of initial fields and of
   parameters. */
#include "program.h"
#include "scenario_read.h"

#include <stdlib.h>
#include <string.h>

const char *otok_scenario_layer(const otok_scenario *scenario, int layer)
{
    if (OTOK_GIVEN(scenario)) return NULL;
    return layer >= 0 && layer < scenario->nlayers ? scenario->layers[layer].name : NULL;
}

/* ---- maps ---- */

static void destroy_maps(otok_scenario *s)
{
    for (int n = 0; n < s->nmaps; n++)
        otok_base_destroy(s->maps[n].list, s->maps[n].n);
    free(s->maps);
}

static otok_status add(otok_map **out, otok_scenario *s, int buffer, int phase, int line)
{
    otok_map *more = realloc(s->maps, (size_t)(s->nmaps + 1) * sizeof *more);
    if (!more) return OTOK_FAIL(OTOK_NOMEM, "no memory for maps");
    s->maps = more;
    *out = &more[s->nmaps++];
    **out = (otok_map){.buffer = buffer, .phase = phase, .line = line};
    if (phase >= 0) s->phases[phase].maps |= MAP_BIT(buffer);
    return OTOK_OK;
}

/* The random stream with which the generators of a map begin. */
static int stream_of(int buffer)
{
    int k = 0;
    while (k < OTOK_INITIAL_MAPS && (int)otok_initial_fields[k] != buffer)
        k++;
    return (buffer == OTOK_ERODIBILITY ? 1
            : k < OTOK_INITIAL_MAPS    ? 2 + k
                                       : 2 + OTOK_INITIAL_MAPS + buffer - OTOK_MAPS)
           << 16;
}

/* Reads the map of a buffer, of a phase or -1; NULL, null: not given. */
static otok_status read_map(otok_scenario *s, int buffer, int phase, const otok_node *node,
                            const otok_parameter *range)
{
    otok_map *map = NULL;
    if (!node || otok_node_is_null(node)) return OTOK_OK;
    OTOK_TRY(add(&map, s, buffer, phase, node->line));
    OTOK_TRY(otok_pipeline_read(&map->list, &map->n, s, stream_of(buffer), node, range));
    if (map->n) return OTOK_OK;
    if (phase < 0) s->nmaps--; /* not given */
    return phase < 0 ? OTOK_OK
                     : otok_node_fail(
                           node, "an empty list stands where a number or generators are needed");
}

/* A rain map that is a file, with the keys beside it. */
static otok_status rain_of_file(otok_scenario *s, int phase, const otok_node *node)
{
    otok_map *map = NULL;
    otok_rain *rain = &s->phases[phase].rain;
    if (!rain->map[0]) return OTOK_OK;
    OTOK_TRY(otok_scenario_resolve(s, rain->map, node));
    OTOK_TRY(add(&map, s, OTOK_MAP_RAIN, phase, node->line));
    map->list = calloc(1, sizeof *map->list);
    if (!map->list) return OTOK_FAIL(OTOK_NOMEM, "no memory for a generator");
    map->n = 1;
    map->list->kind = OTOK_GEN_RASTER;
    otok_raster_generator *r = &map->list->as.raster;
    OTOK_TRY(otok_group_read(r, "raster", NULL));
    memcpy(r->file, rain->map, sizeof r->file);
    r->low = rain->low, r->high = rain->high, r->fit = rain->fit;
    return OTOK_OK;
}

/* Rain over time has a rate of its own: 1 m/s times the values. */
static otok_status read_over_time(otok_scenario *s, int phase, const otok_node *group)
{
    const otok_map *map = otok_scenario_map(s, OTOK_MAP_RAIN, phase);
    const otok_node *rate = otok_node_find(group, "rate");
    double *value = &s->phases[phase].rain.rate;
    if (!map || map->list->kind != OTOK_GEN_RASTER || !map->list->as.raster.over_time)
        return OTOK_OK;
    if (rate && *value != 1)
        return otok_node_fail(rate, "a map over time brings the rate itself; take the key out, and "
                                    "write `history: [[0, 1.2]]` for 1.2 times its rain");
    *value = 1;
    return OTOK_OK;
}

otok_status otok_maps_read(otok_scenario *s, int phase, const otok_node *phase_node)
{
    for (int map = OTOK_MAPS; map < OTOK_MAPS_END; map++) {
        const otok_node *group = otok_node_find(phase_node, otok_map_parameter(map)->group),
                        *node = group ? otok_node_find(group, otok_map_parameter(map)->key) : NULL;
        if (!node) continue;
        if (node->kind != OTOK_NODE_SCALAR)
            OTOK_TRY(read_map(s, map, phase, node, NULL));
        else if (map == OTOK_MAP_RAIN)
            OTOK_TRY(rain_of_file(s, phase, node));
        if (map == OTOK_MAP_RAIN) OTOK_TRY(read_over_time(s, phase, group));
    }
    return OTOK_OK;
}

/* ---- layers ---- */

void otok_ground_destroy(otok_scenario *s)
{
    for (int i = 0; i < OTOK_MAX_LAYERS; i++)
        otok_base_destroy(s->layers[i].thickness, s->layers[i].nthickness);
    destroy_maps(s);
}

static otok_status read_thickness(otok_scenario *s, otok_phase *none, int i, const otok_node *map)
{
    static const otok_parameter range = {.unit = "m", .high = 1e6};
    otok_layer *layer = &s->layers[i];
    const otok_node *thickness = otok_node_find(map, "thickness");
    (void)none;
    if (i == map->parent->n - 1)
        return thickness
                   ? otok_node_fail(thickness, "the last layer is bottomless; take the key out")
                   : OTOK_OK;
    if (thickness)
        OTOK_TRY(
            otok_pipeline_read(&layer->thickness, &layer->nthickness, s, 0, thickness, &range));
    if (layer->nthickness) return OTOK_OK;
    return otok_node_fail(thickness ? thickness : map,
                          "every layer but the last needs a thickness; add `thickness: 3`, or "
                          "generators as in `base`");
}

otok_status otok_ground_read(otok_scenario *s, const otok_node *root)
{
    static const otok_parameter range = {.unit = "1", .high = 1e6};
    OTOK_TRY(read_map(s, OTOK_ERODIBILITY, -1, otok_node_find(root, "erodibility"), &range));
    return otok_items_read(s, NULL, s, otok_parameter_find("", "layers"), root, read_thickness);
}

otok_status otok_initial_read(otok_scenario *s, const otok_node *initial)
{
    for (int k = 0; initial && k < OTOK_INITIAL_MAPS; k++) {
        const otok_field_info *about = otok_field_at(otok_initial_fields[k]);
        const otok_parameter range = {.unit = about->unit, .high = 1e6};
        OTOK_TRY(read_map(s, (int)otok_initial_fields[k], -1, otok_node_find(initial, about->name),
                          &range));
    }
    return OTOK_OK;
}

otok_status otok_initial_check(const otok_scenario *s, const otok_node *initial)
{
    otok_set buffers;
    if (!otok_scenario_initial(s)) return OTOK_OK;
    OTOK_TRY(otok_scenario_buffers(&buffers, s));
    for (int k = 0; k < OTOK_INITIAL_MAPS; k++)
        if (otok_scenario_initial(s) & ~otok_set_fields(buffers) & BIT(otok_initial_fields[k])) {
            const char *name = otok_field_at(otok_initial_fields[k])->name;
            return otok_node_fail(otok_node_find(initial, name),
                                  "no process of the phases has %s; take the key out", name);
        }
    return OTOK_OK;
}
