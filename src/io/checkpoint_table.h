/* checkpoint_table.h: the names in a checkpoint that writer and reader share. Private to
 * checkpoint_*.c. */
#ifndef OTOK_CHECKPOINT_TABLE_H
#define OTOK_CHECKPOINT_TABLE_H

#include "checkpoint.h"
#include "hdf.h"
#include "hdf_read.h"
#include "sha256.h"

#define OTOK_GROUP "otok"            /* a group for a restart, of no use to other readers */
enum { OTOK_CHECKPOINT_FORMAT = 3 }; /* its attribute `format` */
enum { OTOK_GRID_MAX = 1 << 20 };    /* cells along an axis, as in the parameter table */

/* Bookings: attributes (hi, lo) of the group, named after the ledger's entries. Those of layers
   have no name here; they are its attribute layer_sums. */
static const char *const otok_sum_names[OTOK_SUMS] = {
#define OTOK_ENTRY(...)
#define OTOK_BOOK(SUM, member, ...) [OTOK_SUM_##SUM] = #member,
#include "../otok_ledger.def"
};

/* The ledger of layers: attributes "ledger_layer_<name>" of the root. */
typedef struct otok_layer_entry {
    const char *name;
    size_t offset;
} otok_layer_entry;
static const otok_layer_entry otok_layer_entries[] = {
    {"start", offsetof(otok_layer_ledger, start)},
    {"eroded", offsetof(otok_layer_ledger, eroded)},
    {"deposited", offsetof(otok_layer_ledger, deposited)},
    {"raised", offsetof(otok_layer_ledger, raised)},
    {"now", offsetof(otok_layer_ledger, now)},
    {"error", offsetof(otok_layer_ledger, error)},
};
enum { OTOK_LAYER_ENTRIES = sizeof otok_layer_entries / sizeof otok_layer_entries[0] };

/* Reads the cells without data from the group; NULL, or the end of a sentence about no_data. */
const char *otok_holes_read(otok_holes *out, hid_t group, otok_grid grid, int64_t file_size);

/* Reads the georeference, which most states do not have. 0: it is damaged. */
int otok_georeference_load(otok_georeference *out, hid_t group);

/* Reads the series of gauges from the group, likewise. The number of their values. */
const char *otok_gauges_load(otok_snapshot *out, hid_t group, int64_t file_size);
int64_t otok_gauges_values(const otok_snapshot *snapshot);

/* Texts of a snapshot: root attributes. */
typedef struct otok_text_entry {
    const char *name;
    size_t offset;
} otok_text_entry;

#define TEXT_ENTRY(name, member)                                                                   \
    {                                                                                              \
        name, offsetof(otok_snapshot, member)                                                      \
    }
static const otok_text_entry otok_text_entries[] = {
    TEXT_ENTRY("title", title),
    TEXT_ENTRY("otok_scenario", scenario),
    TEXT_ENTRY("otok_parent", parent),
    TEXT_ENTRY("otok_command", command),
    TEXT_ENTRY("otok_backend", backend),
    TEXT_ENTRY("otok_device", device),
    TEXT_ENTRY("otok_stability", stability),
    TEXT_ENTRY("source", version), /* from here on the writer finds the texts itself */
    TEXT_ENTRY("otok_host", host),
    TEXT_ENTRY("date_created", date),
    TEXT_ENTRY("id", id),
};
enum { OTOK_TEXTS_GIVEN = 7, OTOK_TEXTS = sizeof otok_text_entries / sizeof otok_text_entries[0] };

/* checkpoint_kind.c. Refuses what is no HDF5 file, and an open HDF5 file that is no checkpoint: the
   text names the command for it. */
otok_status otok_checkpoint_probe(const char *path, int64_t *size);
otok_status otok_checkpoint_foreign(const char *path, hid_t file);

/* The checksum of a header, the attribute `header_sha256` of the group; checkpoint_sum.c. */
otok_status otok_header_sum(const otok_snapshot *snapshot, char hash[OTOK_SHA256_SIZE]);

#endif
