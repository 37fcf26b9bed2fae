/* fields.c: the tables of fields and of entries of the ledger. */
#include "../otok.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define BOTTOM                                                                                     \
    {                                                                                              \
        "bottom", "m", "height of the layer's bottom above terrain_base", NULL                     \
    }
#define LAYER                                                                                      \
    {                                                                                              \
        "layer", "m", "thickness of the layer", NULL                                               \
    }

static const otok_field_info table[OTOK_FIELDS] = {
    [OTOK_TERRAIN_BASE] = {"terrain_base", "m", "terrain height before the simulation", NULL},
    [OTOK_TERRAIN_CHANGE] = {"terrain_change", "m",
                             "deposition, reef and uplift (positive), erosion (negative) since the "
                             "start",
                             NULL},
    [OTOK_WATER] = {"water", "m", "depth of surface water", NULL},
    [OTOK_SEDIMENT] = {"sediment", "m", "suspended sediment as an equivalent height of solid",
                       NULL},
    [OTOK_OUTFLOW_LEFT] = {"outflow_left", "m3 s-1", "outflow to the left neighbour", NULL},
    [OTOK_OUTFLOW_RIGHT] = {"outflow_right", "m3 s-1",
                            "outflow to the right neighbour (signed pipes: negative from it)",
                            NULL},
    [OTOK_OUTFLOW_BOTTOM] = {"outflow_bottom", "m3 s-1", "outflow to the bottom neighbour", NULL},
    [OTOK_OUTFLOW_TOP] = {"outflow_top", "m3 s-1",
                          "outflow to the top neighbour (signed pipes: negative from it)", NULL},
    [OTOK_VELOCITY_X] = {"velocity_x", "m s-1", "velocity of water to the right", NULL},
    [OTOK_VELOCITY_Y] = {"velocity_y", "m s-1", "velocity of water to the top", NULL},
    [OTOK_CARBON] = {"carbon", "1", "dissolved inorganic carbon", NULL},
    [OTOK_REEF] = {"reef", "m", "height grown by the coral reef", NULL},
    [OTOK_WETNESS] = {"wetness", "1", "wetness counter, wet iterations minus dry ones", NULL},
    [OTOK_ROAD] = {"road", "1", "road: 0 none, below 1 verge, 1 bed, 2 bridge, 3 tunnel", NULL},
    [OTOK_ROAD_HEIGHT] = {"road_height", "m",
                          "height of the road's surface as built, 0 off the road", NULL},
    [OTOK_ERODIBILITY] = {"erodibility", "1", "erodibility of the ground, a factor of its erosion",
                          NULL},
    [OTOK_LAYER_BOTTOM + 0] = BOTTOM,
    [OTOK_LAYER_BOTTOM + 1] = BOTTOM,
    [OTOK_LAYER_BOTTOM + 2] = BOTTOM,
    [OTOK_LAYER_BOTTOM + 3] = BOTTOM,
    [OTOK_LAYER_BOTTOM + 4] = BOTTOM,
    [OTOK_LAYER_BOTTOM + 5] = BOTTOM,
    [OTOK_LAYER_BOTTOM + 6] = BOTTOM,
    [OTOK_EXPOSURE] = {"exposure", "1", "energy flux of waves over that of the open sea, 0 on land",
                       NULL},
    [OTOK_TERRAIN] = {"terrain", "m", "terrain height", "surface_altitude"},
    [OTOK_LAYER + 0] = LAYER,
    [OTOK_LAYER + 1] = LAYER,
    [OTOK_LAYER + 2] = LAYER,
    [OTOK_LAYER + 3] = LAYER,
    [OTOK_LAYER + 4] = LAYER,
    [OTOK_LAYER + 5] = LAYER,
    [OTOK_LAYER + 6] = LAYER,
};

const otok_field_info *otok_field_at(int field)
{
    return field >= 0 && field < OTOK_FIELDS ? &table[field] : NULL;
}

int otok_field_layer(int field)
{
    if (field >= OTOK_LAYER_BOTTOM && field <= OTOK_LAYER_BOTTOM_LAST)
        return field - OTOK_LAYER_BOTTOM;
    return field >= OTOK_LAYER && field <= OTOK_LAYER_LAST ? field - OTOK_LAYER : -1;
}

int otok_field_find(const char *name)
{
    for (int i = 0; i < OTOK_FIELDS; i++)
        if (strcmp(table[i].name, name) == 0) return otok_field_layer(i) < 0 ? i : -1;
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
    const otok_ledger_entry *entry = otok_ledger_at(i);
    return entry ? *(const double *)((const char *)ledger + entry->offset) : NAN;
}
