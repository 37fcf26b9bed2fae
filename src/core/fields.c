/* fields.c: the tables of fields and of entries of the ledger. */
#include "../otok.h"
#include "colours.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
#define LOOK(NAME, ...) NAME,
#include "fields.def"
};
static const otok_look looks[] = {
#define LOOK(NAME, ...) {__VA_ARGS__},
#include "fields.def"
};

static const otok_field_info table[OTOK_FIELDS] = {
#define FIELD(NAME, name, unit, look, words, standard_name)                                        \
    [OTOK_##NAME] = {#name, unit, words, standard_name, &looks[look]},
#include "fields.def"
};

static const otok_field_info derived[] = {
#define DERIVED(NAME, name, unit, look, needs, cell, words)                                        \
    {#name, unit, words, NULL, &looks[look]},
#include "fields.def"
};

static const otok_field_info bottom = {"bottom", "m",
                                       "height of the layer's bottom above terrain_base", NULL,
                                       &looks[NUMBER]},
                             layer = {"layer", "m", "thickness of the layer", NULL, &looks[AMOUNT]},
                             speeds[] = {{"outflow_left", "m s-1",
                                          "speed of water to the left, through an open left side",
                                          NULL, &looks[FLUX]},
                                         {"outflow_right", "m s-1",
                                          "speed of water to the right, through the right face",
                                          NULL, &looks[FLUX]},
                                         {"outflow_bottom", "m s-1",
                                          "speed of water to the bottom, through an open bottom "
                                          "side",
                                          NULL, &looks[FLUX]},
                                         {"outflow_top", "m s-1",
                                          "speed of water to the top, through the top face", NULL,
                                          &looks[FLUX]}};

const otok_field_info *otok_field_at(int field)
{
    if (field < 0 || field >= OTOK_FIELDS || otok_field_layer(field) == OTOK_MAX_LAYERS)
        return NULL;
    return otok_field_layer(field) < 0 ? &table[field] : field < OTOK_STORED ? &bottom : &layer;
}

const otok_field_info *otok_speed_at(int side)
{
    return side >= 0 && side < (int)(sizeof speeds / sizeof speeds[0]) ? &speeds[side] : NULL;
}

const otok_field_info *otok_derived_at(int i)
{
    return i >= 0 && i < (int)(sizeof derived / sizeof derived[0]) ? &derived[i] : NULL;
}

int otok_derived_find(const char *name)
{
    if (OTOK_GIVEN(name)) return -1;
    for (int i = 0; otok_derived_at(i); i++)
        if (strcmp(derived[i].name, name) == 0) return i;
    return -1;
}

int otok_field_layer(int field)
{
    if (field >= OTOK_LAYER_BOTTOM && field <= OTOK_LAYER_BOTTOM_LAST)
        return field - OTOK_LAYER_BOTTOM;
    if (field >= OTOK_STORED && field < OTOK_TERRAIN) return OTOK_MAX_LAYERS; /* free */
    return field >= OTOK_LAYER && field <= OTOK_LAYER_LAST ? field - OTOK_LAYER : -1;
}

int otok_field_find(const char *name)
{
    if (OTOK_GIVEN(name)) return -1;
    for (int i = 0; i < OTOK_FIELDS; i++)
        if (otok_field_layer(i) < 0 && strcmp(table[i].name, name) == 0) return i;
    return -1;
}

const otok_ledger_entry *otok_ledger_at(int i)
{
    static const otok_ledger_entry entries[OTOK_LEDGER_ENTRIES] = {
#define OTOK_ENTRY(member, side, ...)                                                              \
    {#member, OTOK_LEDGER_##side, __VA_ARGS__, offsetof(otok_ledger, member)},
#include "../otok_ledger.def"
    };
    return i >= 0 && i < OTOK_LEDGER_ENTRIES ? &entries[i] : NULL;
}

double(otok_ledger_value)(const otok_ledger *ledger, int i, size_t size)
{
    if (OTOK_GIVEN(ledger)) return NAN;
    const otok_ledger_entry *entry = otok_ledger_at(i);
    if (entry && entry->offset + sizeof(double) > size) return NAN;
    return entry ? *(const double *)((const char *)ledger + entry->offset) : NAN;
}
