/* checkpoint.h: one file a state, for every reader: HDF5 with CF names at its root, and the same
   data hard-linked under /VTKHDF. It knows no simulations: it writes and reads snapshots. */
#ifndef OTOK_CHECKPOINT_H
#define OTOK_CHECKPOINT_H

#include "../core/state.h"
#include "../core/verdict.h"
#include "file.h"
#include "georeference.h"
#include "holes.h"

/* A state on the host. Strings are malloc'd or NULL. */
typedef struct otok_snapshot {
    otok_grid grid;
    int64_t iteration;
    double time, sea_level;
    uint64_t fingerprint; /* fingerprint of the stored fields in `has` */
    otok_ledger ledger;
    otok_sum sums[OTOK_SUMS];                     /* bookings since iteration 0, exact */
    otok_sum water_start, solid_start;            /* stocks at iteration 0, exact */
    int nlayers;                                  /* number of layers of the ground; 0: none */
    char layers[OTOK_MAX_LAYERS][OTOK_NAME_SIZE]; /* their names, top down */
    otok_sum layer_start[OTOK_MAX_LAYERS];        /* as solid_start, see otok_layer_ledger */
    int speeds;   /* law shallow_water: the outflows are speeds, see otok_snapshot_info */
    uint64_t has; /* bit f: maps[f] holds field f (OTOK_TERRAIN among them) */
    float *maps[OTOK_FIELDS]; /* dense [ny][nx] */
    otok_memory memory;       /* memory of the maps */
    otok_arrival arrival;     /* arrival of the maps; wait for it before reading them */
    char *scenario, *title,
        *parent; /* resolved text; its title; path of the checkpoint resumed from, or "" */
    char *command, *backend, *device; /* provenance */
    char *stability; /* otok_predict_text of the scenario with its present values */
    char *changes;   /* JSON of the values that changed during the run; NULL or
                        "": none */
    char *inputs;    /* "SHA-256 file\n" of each raster that the scenario reads; NULL or "": none */
    char start[48];  /* the date of time 0, in UTC if it ends with Z; "": unknown, or reading */
    int64_t seed;
    otok_georeference georeference; /* position of the grid on Earth, if known */
    otok_holes holes;               /* cells without data that exports leave out */
    int64_t filled;                 /* cells without data in the rasters of the base */
    int64_t gauge_samples;          /* rows of the series of gauges ... */
    double *gauges;                 /* ... one after the other (malloc) ... */
    char *gauge_titles;             /* ... and the titles of their columns, "time [s],..." */
    int64_t water_steps;            /* with hydraulic.courant: steps of water so far; 0: none */
    double water_dt;                /* the last of them [s] */
    int watched;      /* 1: the run took samples of this state and of earlier ones, and ... */
    otok_judge judge; /* ... this is what they showed */
    int without_looks, without_amounts; /* while reading: of an earlier version, whose audits did
                                           not look, or compared no volumes */
    double *earlier; /* while reading: the figures of a file of an earlier version, or NULL */
    uint64_t absent_sums, absent_entries,
        absent_layers; /* while reading: sums and entries of the ledger that the file lacks,
                           because an otok without them wrote it; they are 0 */
    int has_arrays;    /* reading refused the file, because another program wrote or changed it;
                          arrays.h may still read its fields */
    char *version, *host, *date, *id; /* who wrote it: set by reading, ignored by writing */
} otok_snapshot;

/* otok_snapshot_allocate makes maps for the fields in `has` in `memory` (otok_memory_heap:
   anywhere). destroy waits for the maps, frees them and the strings, and zeroes the snapshot. */
extern const otok_memory otok_memory_heap;
otok_status otok_snapshot_create(otok_snapshot *out, otok_grid grid, uint64_t has,
                                 otok_memory memory);
void otok_snapshot_destroy(otok_snapshot *snapshot);

/* Waits for the maps to arrive. */
otok_status otok_snapshot_arrive(otok_snapshot *snapshot);

/* The same, and derives the terrain if it is among them, with `threads` threads. */
otok_status otok_snapshot_complete(otok_snapshot *snapshot, int threads);

/* Computes the fingerprint of the stored fields in `has` from the maps. */
uint64_t otok_snapshot_fingerprint(const otok_snapshot *snapshot);
uint64_t otok_snapshot_fingerprint_with(const otok_snapshot *snapshot, int threads);

/* Fills map with TERRAIN_BASE + TERRAIN_CHANGE, or with the only one of the two that exists. */
void otok_snapshot_terrain(const otok_snapshot *snapshot, float *map);

/* Fills the existing maps of derived fields: terrain, thicknesses of layers. */
void otok_snapshot_derive(otok_snapshot *snapshot);

/* The row of a field's table for this state, also of a derived field. Under `law: shallow_water`
 * outflows are speeds. */
const otok_field_info *otok_snapshot_info(const otok_snapshot *snapshot, int field);
#define OTOK_SPEED_UNIT "m s-1"

/* The middle of the first cell for VTK: in coordinates of the map if these are metres, as its
   spacing is. */
void otok_snapshot_origin(const otok_snapshot *snapshot, double origin[3]);

/* The name of a field in this state, layers by their names; the text is `out`'s or the table's.
   find is the reverse, and OTOK_FIELDS + i for a derived field; -1: there is no such name. */
const char *otok_snapshot_name(const otok_snapshot *snapshot, int field, char out[OTOK_NAME_SIZE]);
int otok_snapshot_find(const otok_snapshot *snapshot, const char *name);

/* Writes `path` whole or not at all (file.h). Derives the terrain if the snapshot lacks it.
   OTOK_INTERNAL: the snapshot's fingerprint is not that of its maps. Thread-safe, like all
   functions below. */
otok_status otok_checkpoint_write(const char *path, const otok_snapshot *snapshot);

/* The time for filling files, summed over all threads [s]. */
typedef struct otok_checkpoint_cost {
    double packing, writing;
} otok_checkpoint_cost;

/* The first half of otok_checkpoint_write, with `threads` threads: everything but sync and rename,
   which otok_file_commit does. *draft is malloc'd; NULL after a failure. *cost grows. */
otok_status otok_checkpoint_fill(otok_draft **draft, const char *path,
                                 const otok_snapshot *snapshot, int threads,
                                 otok_checkpoint_cost *cost);

/* Reads a checkpoint and verifies checksums, shapes, names, finite values and fingerprint. It
   reads every field that is present, the terrain too. OTOK_DATA: the file is foreign or damaged.
   After a failure `out` is empty. */
otok_status otok_checkpoint_read(otok_snapshot *out, const char *path);

/* The same. If the grid differs from this one, maps stay NULL and take no memory. */
otok_status otok_checkpoint_read_of(otok_snapshot *out, const char *path, otok_grid grid);

/* The same without reading and verifying maps, which stay NULL. Quick. */
otok_status otok_checkpoint_header(otok_snapshot *out, const char *path);

/* Does it begin as an HDF5 file does? */
int otok_file_is_hdf(const char *path);

/* Path "DIR/STEM_00000500.vtkhdf" (malloc). */
char *otok_checkpoint_name(const char *directory, const char *stem, int64_t iteration);

/* The iteration that such a path names, or -1. */
int64_t otok_checkpoint_iteration(const char *path);

/* Reads the newest valid checkpoint of a stem in a directory as otok_checkpoint_read_of does. It
   skips damaged and renamed files and names them in *skipped (malloc'd, or NULL). *path is
   malloc'd; NULL: there is no checkpoint, which is OTOK_OK. */
otok_status otok_checkpoint_newest(otok_snapshot *out, char **path, char **skipped,
                                   const char *directory, const char *stem, otok_grid grid);

/* Does the directory hold any checkpoint of the stem? */
int otok_checkpoint_exists(const char *directory, const char *stem);

/* Makes the checkpoint at `path` the youngest of its stem, even if a wrong clock has dated others
   in the future. */
otok_status otok_checkpoint_touch(const char *path, const char *directory, const char *stem);

/* Calls `see` with the path of every checkpoint of a scenario, until it fails; returns its status.
 */
otok_status otok_checkpoint_each(const char *directory, const char *stem,
                                 otok_status (*see)(void *of, const char *path), void *of);

/* Removes all checkpoints except the last `keep` ones. 0 removes none, -1 removes all and the
   series. */
otok_status otok_checkpoint_prune(const char *directory, const char *stem, int64_t keep);

/* Removes drafts of killed writers (file.h). */
otok_status otok_checkpoint_sweep(const char *directory, const char *stem);

/* Rewrites DIR/STEM.vtkhdf.series, the times of all checkpoints for ParaView, whole or not at
   all. */
otok_status otok_checkpoint_series(const char *directory, const char *stem);

#endif
