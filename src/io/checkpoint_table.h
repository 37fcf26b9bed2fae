/* checkpoint_table.h: the names in a checkpoint that writer and reader share. Private to checkpoint_*.c. */
#ifndef OTOK_CHECKPOINT_TABLE_H
#define OTOK_CHECKPOINT_TABLE_H

#include "checkpoint.h"
#include "sha256.h"

#define OTOK_GROUP "otok"            /* what a restart needs and no other reader wants */
enum { OTOK_CHECKPOINT_FORMAT = 2 }; /* its attribute `format`                         */
enum { OTOK_GRID_MAX = 1 << 20 };    /* cells along an axis, as in the parameter table */

/* Bookings: attributes (hi, lo) of the group; those of layers, without a name here, are its attribute layer_sums. */
static const char *const otok_sum_names[OTOK_SUMS] = {
    [OTOK_SUM_RAIN] = "rain",
    [OTOK_SUM_RIVERS] = "rivers",
    [OTOK_SUM_EVAPORATED] = "evaporated",
    [OTOK_SUM_WATER_OUT] = "water_out",
    [OTOK_SUM_WATER_CLAMPED] = "water_clamped",
    [OTOK_SUM_DISPLACED] = "displaced",
    [OTOK_SUM_SEDIMENT_OUT] = "sediment_out",
    [OTOK_SUM_DRIFT] = "drift",
    [OTOK_SUM_DIFFUSED] = "diffused",
    [OTOK_SUM_SMOOTHED] = "smoothed",
    [OTOK_SUM_REEF] = "reef",
    [OTOK_SUM_DROPLETS_LOST] = "droplets_lost",
    [OTOK_SUM_DROPLETS_ROUNDED] = "droplets_rounded",
    [OTOK_SUM_SLIDES_ROUNDED] = "slides_rounded",
};

/* The ledger in m^3: attributes "ledger_<name>" of the root. */
typedef struct otok_ledger_entry {
    const char *name;
    size_t offset;
} otok_ledger_entry;

#define LEDGER_ENTRY(member)                                                                                                       \
    {                                                                                                                              \
#member, offsetof(otok_ledger, member)                                                                                     \
    }
static const otok_ledger_entry otok_ledger_entries[] = {
    LEDGER_ENTRY(water),          LEDGER_ENTRY(water_start),   LEDGER_ENTRY(rain),
    LEDGER_ENTRY(rivers),         LEDGER_ENTRY(rain_nominal),  LEDGER_ENTRY(rivers_nominal),
    LEDGER_ENTRY(evaporated),     LEDGER_ENTRY(water_out),     LEDGER_ENTRY(water_clamped),
    LEDGER_ENTRY(displaced),      LEDGER_ENTRY(water_error),   LEDGER_ENTRY(solid),
    LEDGER_ENTRY(solid_start),    LEDGER_ENTRY(suspended),     LEDGER_ENTRY(sediment_out),
    LEDGER_ENTRY(drift),          LEDGER_ENTRY(diffused),      LEDGER_ENTRY(smoothed),
    LEDGER_ENTRY(reef),           LEDGER_ENTRY(droplets_lost), LEDGER_ENTRY(droplets_rounded),
    LEDGER_ENTRY(slides_rounded), LEDGER_ENTRY(solid_error),
};
enum { OTOK_LEDGER_ENTRIES = sizeof otok_ledger_entries / sizeof otok_ledger_entries[0] };

/* The ledger of layers: attributes "ledger_layer_<name>" of the root. */
static const otok_ledger_entry otok_layer_entries[] = {
    {"start", offsetof(otok_layer_ledger, start)},         {"eroded", offsetof(otok_layer_ledger, eroded)},
    {"deposited", offsetof(otok_layer_ledger, deposited)}, {"now", offsetof(otok_layer_ledger, now)},
    {"error", offsetof(otok_layer_ledger, error)},
};
enum { OTOK_LAYER_ENTRIES = sizeof otok_layer_entries / sizeof otok_layer_entries[0] };

/* Texts of a snapshot: root attributes. */
typedef struct otok_text_entry {
    const char *name;
    size_t offset;
} otok_text_entry;

#define TEXT_ENTRY(name, member)                                                                                                   \
    {                                                                                                                              \
        name, offsetof(otok_snapshot, member)                                                                                      \
    }
static const otok_text_entry otok_text_entries[] = {
    TEXT_ENTRY("title", title),
    TEXT_ENTRY("otok_scenario", scenario),
    TEXT_ENTRY("otok_parent", parent),
    TEXT_ENTRY("otok_command", command),
    TEXT_ENTRY("otok_backend", backend),
    TEXT_ENTRY("otok_device", device),
    TEXT_ENTRY("otok_stability", stability),
    TEXT_ENTRY("source", version), /* from here on the writer finds them itself */
    TEXT_ENTRY("otok_host", host),
    TEXT_ENTRY("date_created", date),
    TEXT_ENTRY("id", id),
};
enum { OTOK_TEXTS_GIVEN = 7, OTOK_TEXTS = sizeof otok_text_entries / sizeof otok_text_entries[0] };

/* The checksum of a header, the attribute `header_sha256` of the group; checkpoint_sum.c. */
otok_status otok_header_sum(const otok_snapshot *snapshot, char hash[OTOK_SHA256_SIZE]);

#endif
