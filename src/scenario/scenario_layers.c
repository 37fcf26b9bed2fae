/* scenario_layers.c: reads the erodibility and the layers of the ground, and initial maps of other
   fields. It does not make the maps. */
#include "program.h"
#include "scenario_read.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 32 };

const otok_field otok_initial_fields[OTOK_INITIAL_MAPS] = {OTOK_WATER, OTOK_SEDIMENT, OTOK_CARBON};

int otok_scenario_pipeline(otok_scenario *out, const otok_scenario *s, int p)
{
    *out = *s;
    if (p == 0) return 1;
    if (p == 1) {
        out->base = s->erodibility;
        out->nbase = s->nerodibility;
    } else if (p >= OTOK_PIPELINE_INITIAL) {
        out->base = s->initial_maps[p - OTOK_PIPELINE_INITIAL].list;
        out->nbase = s->initial_maps[p - OTOK_PIPELINE_INITIAL].n;
    } else {
        if (p - 2 >= s->nlayers) return 0;
        out->base = s->layers[p - 2].thickness;
        out->nbase = s->layers[p - 2].nthickness;
    }
    return out->nbase > 0;
}

uint64_t otok_scenario_ground(const otok_scenario *s)
{
    uint64_t fields = s->nerodibility ? UINT64_C(1) << OTOK_ERODIBILITY : 0;
    for (int i = 0; i < s->nlayers - 1; i++)
        fields |= UINT64_C(1) << (OTOK_LAYER_BOTTOM + i);
    return fields;
}

uint64_t otok_scenario_initial(const otok_scenario *s)
{
    uint64_t fields = 0;
    for (int k = 0; k < OTOK_INITIAL_MAPS; k++)
        if (s->initial_maps[k].n) fields |= UINT64_C(1) << otok_initial_fields[k];
    return fields;
}

const char *otok_scenario_layer(const otok_scenario *s, int layer)
{
    return layer >= 0 && layer < s->nlayers ? s->layers[layer].name : NULL;
}

void otok_ground_destroy(otok_scenario *s)
{
    otok_base_destroy(s->erodibility, s->nerodibility);
    for (int i = 0; i < OTOK_MAX_LAYERS; i++)
        otok_base_destroy(s->layers[i].thickness, s->layers[i].nthickness);
    for (int k = 0; k < OTOK_INITIAL_MAPS; k++)
        otok_base_destroy(s->initial_maps[k].list, s->initial_maps[k].n);
}

static otok_status check_name(const otok_scenario *s, int i, const otok_node *map)
{
    const otok_node *node = otok_node_find(map, "name");
    const char *name = s->layers[i].name;
    const size_t n = strlen(name), good = strspn(name, "0123456789_abcdefghijklmnopqrstuvwxyz");
    if (!n)
        return otok_node_fail(node ? node : map,
                              "a layer needs a name for its fields; add `name: soil`");
    if (good < n || n > LONGEST_NAME)
        return otok_node_fail(
            node, "`%.64s` is not a name for a layer; use small letters, digits and _, at most %d",
            name, LONGEST_NAME);
    for (int j = 0; j < i; j++)
        if (strcmp(name, s->layers[j].name) == 0)
            return otok_node_fail(
                node, "layers %d and %d have the same name; name them differently", j, i);
    return OTOK_OK;
}

static otok_status read_layer(otok_scenario *s, int i, int last, const otok_node *map)
{
    static const otok_parameter range = {.unit = "m", .high = 1e6};
    otok_layer *layer = &s->layers[i];
    otok_words words = {0};
    otok_words_add_keys(&words, "layer");
    OTOK_TRY(otok_words_check(&words, map));
    OTOK_TRY(otok_group_read(layer, "layer", map));
    OTOK_TRY(check_name(s, i, map));
    const otok_node *thickness = otok_node_find(map, "thickness");
    if (last)
        return thickness
                   ? otok_node_fail(thickness, "the last layer is bottomless; take the key out")
                   : OTOK_OK;
    if (thickness)
        OTOK_TRY(
            otok_pipeline_read(&layer->thickness, &layer->nthickness, s, 2 + i, thickness, &range));
    if (layer->nthickness) return OTOK_OK;
    return otok_node_fail(thickness ? thickness : map,
                          "every layer but the last needs a thickness; add `thickness: 3`, or "
                          "generators as in `base`");
}

otok_status otok_ground_read(otok_scenario *s, const otok_node *erodibility,
                             const otok_node *layers)
{
    static const otok_parameter range = {.unit = "1", .high = 1e6};
    char shown[64];
    if (erodibility && !otok_node_is_null(erodibility))
        OTOK_TRY(otok_pipeline_read(&s->erodibility, &s->nerodibility, s, 1, erodibility, &range));
    if (!layers || otok_node_is_null(layers)) return OTOK_OK;
    if (layers->kind != OTOK_NODE_LIST || !layers->n)
        return otok_node_fail(
            layers,
            "%s stands where layers are needed; begin each with a dash, or leave the key out",
            layers->kind == OTOK_NODE_LIST ? "an empty list" : otok_node_show(layers, shown));
    if (layers->n > OTOK_MAX_LAYERS)
        return otok_node_fail(layers, "%d layers; allowed: at most %d", layers->n, OTOK_MAX_LAYERS);
    for (s->nlayers = 0; s->nlayers < layers->n; s->nlayers++)
        OTOK_TRY(read_layer(s, s->nlayers, s->nlayers == layers->n - 1, layers->items[s->nlayers]));
    return OTOK_OK;
}

otok_status otok_initial_read(otok_scenario *s, const otok_node *initial)
{
    for (int k = 0; initial && k < OTOK_INITIAL_MAPS; k++) {
        const otok_field_info *about = otok_field_at(otok_initial_fields[k]);
        const otok_parameter range = {.unit = about->unit, .high = 1e6};
        const otok_node *node = otok_node_find(initial, about->name);
        otok_initial_map *map = &s->initial_maps[k];
        if (node && !otok_node_is_null(node))
            OTOK_TRY(otok_pipeline_read(&map->list, &map->n, s, OTOK_PIPELINE_INITIAL + k, node,
                                        &range));
    }
    return OTOK_OK;
}

otok_status otok_initial_check(const otok_scenario *s, const otok_node *initial)
{
    uint64_t buffers;
    if (!otok_scenario_initial(s)) return OTOK_OK;
    OTOK_TRY(otok_scenario_buffers(&buffers, s));
    for (int k = 0; k < OTOK_INITIAL_MAPS; k++)
        if (s->initial_maps[k].n && !(buffers >> otok_initial_fields[k] & 1)) {
            const char *name = otok_field_at(otok_initial_fields[k])->name;
            return otok_node_fail(otok_node_find(initial, name),
                                  "no process of the phases has %s; take the key out", name);
        }
    return OTOK_OK;
}

otok_status otok_scenario_buffers(uint64_t *out, const otok_scenario *s)
{
    otok_program *program = malloc(sizeof *program);
    if (!program) return OTOK_FAIL(OTOK_NOMEM, "no memory for a program");
    *out = otok_scenario_ground(s) | UINT64_C(1) << OTOK_TERRAIN_BASE |
           UINT64_C(1) << OTOK_TERRAIN_CHANGE;
    otok_status status = OTOK_OK;
    for (int p = 0; p < s->nphases && status == OTOK_OK; p++) {
        status = otok_program_for_phase(program, &s->phases[p], s->edges);
        if (status == OTOK_OK) *out |= otok_program_buffers(program);
    }
    free(program);
    return status;
}
