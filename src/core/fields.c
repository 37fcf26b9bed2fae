/* fields.c: the tables of fields and of entries of the ledger. */
#include "../otok.h"
#include "status.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const otok_field_info table[OTOK_FIELDS] = {
#define FIELD(NAME, name, unit, sign, words, standard_name)                                        \
    [OTOK_##NAME] = {#name, unit, words, standard_name, sign},
#include "fields.def"
};

static const otok_field_info derived[] = {
#define DERIVED(NAME, name, unit, sign, needs, cell, words) {#name, unit, words, NULL, sign},
#include "fields.def"
};

static const otok_field_info bottom = {"bottom", "m",
                                       "height of the layer's bottom above terrain_base", NULL, 0},
                             layer = {"layer", "m", "thickness of the layer", NULL, 0};

const otok_field_info *otok_field_at(int field)
{
    if (field < 0 || field >= OTOK_FIELDS) return NULL;
    return otok_field_layer(field) < 0 ? &table[field] : field < OTOK_STORED ? &bottom : &layer;
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

double otok_ledger_value(const otok_ledger *ledger, int i)
{
    if (OTOK_GIVEN(ledger)) return NAN;
    const otok_ledger_entry *entry = otok_ledger_at(i);
    return entry ? *(const double *)((const char *)ledger + entry->offset) : NAN;
}
