/* otok.h: the public interface of otok, and its manual. It includes otok_fields.h (derived fields,
   colours), otok_predict.h (stability and cost), otok_run.h, otok_study.h, otok_live.h (changes
   while it runs) and otok_road.h.

   A program calls in this order (experiments/embed/embed.c is such a program):

     otok_scenario_load(&scenario, "island.yaml", NULL, 0)   or otok_scenario_read from memory
     otok_site_read(&site, scenario)                         the ground, for limits that need it
     otok_predict_binding(&limit, scenario, &site)           stable if limit.value <= limit.bound
     otok_sim_create(&sim, scenario, "auto")                 on a GPU where there is one
     otok_sim_set(sim, OTOK_WATER, map)                      copies a map of the host into a field
     otok_sim_run(sim, 100)                                  100 iterations
     otok_sim_get(sim, OTOK_WATER, map)                      copies a field out
     otok_sim_measure(sim, &ledger, &fingerprint)
     otok_sim_save(sim, "after.vtkhdf")
     otok_sim_destroy(sim)
     otok_scenario_destroy(scenario)

   otok_run does all of this with checkpoints. otok_study_run does it for many scenarios.

   Conventions
   - A map is a dense, row-major array float32 [ny][nx]. x grows to the right and y to the top. Row
     0 is the bottom row.
   - Units are SI: metres, seconds, m^3/s. Angles are in degrees.
   - Every call that can fail returns otok_status. After a failure, otok_why() says for the calling
     thread what failed, where, and what to do. The library never prints and never exits.
   - The caller destroys what it created. destroy accepts NULL. When a creating call fails, *out is
     NULL. A simulation keeps its scenario: either may be destroyed first.
   - A pointer that a call needs and that is NULL, and a number outside its range, are OTOK_USAGE.
     Calls that return no status then answer NULL, 0, -1 (an index) or NAN.
   - The library copies strings and arrays that it is given. What it returns belongs to the object
     that it came from, unless the call says otherwise.
   - Programs go on with a newer library. Numbers of lists stay; new ones come last or take free
     ones, so a name that ends in S (OTOK_VERDICTS) is how many this header knows. Structs grow at
     their end. Calls that read or fill one that grows are macros, which add its size: members that
     only the library knows are left out, or have their default; those that only the program knows
     become 0. All other structs keep their size.
   - One thread at a time uses an object. Calls round to nearest and keep denormals, and restore the
     caller's modes before they return. */
#ifndef OTOK_H
#define OTOK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- status ---- */

/* Each status has an exit code (sysexits) for programs that end with it. */
typedef enum otok_status {
    OTOK_OK = 0,
    OTOK_USAGE,   /* exit 2: the call or command line breaks a rule; nothing changed */
    OTOK_DATA,    /* exit 65: a scenario, map or checkpoint is not acceptable; nothing changed */
    OTOK_DEVICE,  /* exit 69: no usable device, or it failed; only destroy the simulation */
    OTOK_NOMEM,   /* exit 70: host or device memory ran out; nothing changed */
    OTOK_IO,      /* exit 74: a file could not be read or written; earlier files stay */
    OTOK_STOPPED, /* exit 75: stopped on request, after a checkpoint; the same command resumes */
    OTOK_INTERNAL /* exit 70: a defect of otok; please report it */
} otok_status;

/* The text of this thread's last failure, "" if there was none. Valid until its next failure. */
const char *otok_why(void);

/* The exit code of a status, as listed above. */
int otok_exit_code(otok_status status);

/* The version, such as "1.2.3", and the git commit of the build ("unknown" outside a checkout). */
const char *otok_version(void);
const char *otok_commit(void);

/* A time in the units that a person expects: "8 h 20 min", "3 d 4 h", "2.5 yr", "400,000 yr". */
void otok_time_words(char out[48], double seconds);

/* Sets the command line that files record as their provenance. Call it once, before other threads
   start. */
void otok_command_set(int argc, char **argv);

/* ---- parameters ----

   One table serves scenarios, --set, studies, panels, attributes of files, and documents. */

typedef enum otok_kind {
    OTOK_REAL,
    OTOK_INT,
    OTOK_BOOL,
    OTOK_CHOICE,
    OTOK_TEXT,
    OTOK_LIST,
    OTOK_SERIES,
    OTOK_STRUCTS,
    OTOK_WHEN
} otok_kind;

typedef struct otok_parameter {
    const char *group;    /* "hydraulic"; "" for keys of the scenario itself */
    const char *key;      /* "dt" */
    const char *symbol;   /* in its source; "" if it has none */
    const char *unit;     /* UDUNITS text; "1" for a pure number, "" for words */
    otok_kind kind;       /* stored as double, int64_t, int (0/1), int (index into choices),
                             char[OTOK_TEXT_SIZE]; a list has a reader of its own; a series is
                             [[time, value], ...] or CSV; structs are [{key: value, ...}, ...]; WHEN
                             is an int64_t of iterations, then a double of seconds, or NAN */
    const char *choices;  /* OTOK_CHOICE: "per_second|per_iteration"; structs: the group of an
                             item's keys; a name: its characters; else NULL */
    double standard;      /* the default; NAN: must be given */
    double low, high;     /* allowed range, of structs: of the number of items */
    int open;             /* bit 0: low is excluded; 1: high is; 2: each item must have the key;
                             3: a text, written only if it is given */
    size_t offset;        /* of the value in its group's struct */
    const char *equation; /* its source: "K17 eq. 4" */
    const char *help;     /* one line */
    const struct otok_items *items; /* of structs: how they are stored; private */
} otok_parameter;

enum { OTOK_TEXT_SIZE = 512, OTOK_NAME_SIZE = 64 };

/* The table in the order of the documents. at returns NULL outside 0..count-1, find returns NULL if
   there is no such key. */
int otok_parameter_count(void);
const otok_parameter *otok_parameter_at(int i);
const otok_parameter *otok_parameter_find(const char *group, const char *key);

/* The n-th word of a choice; "": it has fewer. */
const char *otok_choice_text(const otok_parameter *parameter, int n, char out[64]);

/* ---- fields ----

   One table serves simulations, files and pictures. */

enum { OTOK_AUDIT_WINDOWS = 16 }; /* of a run, at most: scenario key `audit` */
enum { OTOK_MAX_LAYERS = 8 };     /* of a ground in layers, with the bottomless one */

/* The unit of each field is in otok_field_at. One-way pipes have an outflow from each cell through
   each of its four sides. With signed pipes, OTOK_OUTFLOW_RIGHT and _TOP are the flows through the
   right and the top face; they are negative if they go to the left or to the bottom. _LEFT and
   _BOTTOM then exist only where that side of the grid is open, and are what leaves the grid there.
   Under `law: shallow_water` all four are speeds through these faces, and files say so. */
typedef enum otok_field {
    OTOK_TERRAIN_BASE,   /* made by the generators, constant while simulating */
    OTOK_TERRAIN_CHANGE, /* what the simulation added or took */
    OTOK_WATER,          /* depth */
    OTOK_SEDIMENT,
    OTOK_OUTFLOW_LEFT,
    OTOK_OUTFLOW_RIGHT,
    OTOK_OUTFLOW_BOTTOM,
    OTOK_OUTFLOW_TOP,
    OTOK_VELOCITY_X,
    OTOK_VELOCITY_Y,
    OTOK_CARBON,
    OTOK_REEF,
    OTOK_WETNESS,      /* integers 0..255 */
    OTOK_ROAD,         /* 0 none, below 1 verge, 1 bed, 2 bridge, 3 tunnel; once a road is built */
    OTOK_ROAD_HEIGHT,  /* of the surface of bed, bridge and tunnel, as built */
    OTOK_ERODIBILITY,  /* a factor of erosion; no phase changes it */
    OTOK_LAYER_BOTTOM, /* of layer 0 above TERRAIN_BASE; add i for layer i, to the last but one */
    OTOK_LAYER_BOTTOM_LAST = OTOK_LAYER_BOTTOM + OTOK_MAX_LAYERS - 2,
    OTOK_EXPOSURE,  /* to waves: their energy flux over that of the open sea */
    OTOK_WAVE_LOSS, /* what it loses per metre; exists, as the next two, with a coast */
    OTOK_WAVE_X,    /* the flux as a vector, before the losses of the cell */
    OTOK_WAVE_Y,
    OTOK_INFILTRATED, /* depth of water, since the start */
    OTOK_REEF_SECOND, /* what the second and the third producer made of OTOK_REEF */
    OTOK_REEF_THIRD,
    OTOK_CHANGE_BY_WATER, /* parts of OTOK_TERRAIN_CHANGE, in phases with `parts` */
    OTOK_CHANGE_BY_SLIDES,
    OTOK_CHANGE_BY_UPLIFT,
    OTOK_CHANGE_BY_WAVES,
    OTOK_CHANGE_BY_SEABED,
    OTOK_REEF_TIME, /* when the reef last grew, in runs with reef.age; 0: not yet */
    OTOK_RECEIVER, /* where a cell drains, in phases with incision: 1..8 NW N NE W E SW S SE, 0 none
                    */
    OTOK_MAX_DEPTH, /* running maxima, in phases with `maxima`; 0 where no water came */
    OTOK_PEAK_LEVEL,
    OTOK_MAX_SPEED,
    OTOK_MAX_DEPTH_SPEED,
    OTOK_ARRIVED, /* times, in phases with maxima.times; 0: not yet */
    OTOK_PEAKED,
    OTOK_DURATION,
    OTOK_STORED,       /* fields before this one are the state; from here on numbers are free */
    OTOK_TERRAIN = 55, /* base + change */
    OTOK_LAYER,        /* thickness of layer 0; add i for layer i, to the last but one */
    OTOK_LAYER_LAST = OTOK_LAYER + OTOK_MAX_LAYERS - 2,
    OTOK_FIELDS
} otok_field;

typedef struct otok_field_info {
    const char *name; /* of the dataset; "layer" and "bottom" for those of a scenario's layers */
    const char *unit; /* UDUNITS */
    const char *long_name;        /* a phrase for axes */
    const char *standard_name;    /* CF; NULL where CF has none */
    const struct otok_look *look; /* how it is drawn: otok_fields.h */
} otok_field_info;

/* at returns NULL outside 0..OTOK_FIELDS-1 and for free numbers; find -1 if there is no such field,
   and for those of layers; layer the i of OTOK_LAYER + i and OTOK_LAYER_BOTTOM + i, OTOK_MAX_LAYERS
   for free numbers, -1 for others. */
const otok_field_info *otok_field_at(int field);
int otok_field_find(const char *name);
int otok_field_layer(int field);

typedef struct otok_grid {
    int64_t nx, ny; /* cells */
    double spacing; /* their size [m] */
} otok_grid;

/* ---- scenarios ---- */

typedef struct otok_scenario otok_scenario;

/* Reads and checks a scenario file. sets[i] is a text "path=value" that overrides a key; a path
   names a phase by its name or index. OTOK_DATA: the text names file, line, key, allowed range and
   remedy. OTOK_IO: the file cannot be read. */
otok_status otok_scenario_load(otok_scenario **out, const char *path, const char *const *sets,
                               int nsets);

/* The same from a text in memory. No file `path` has to exist: messages and checkpoints are named
   after it, and files that the text names are relative to its folder. */
otok_status otok_scenario_read(otok_scenario **out, const char *text, const char *path,
                               const char *const *sets, int nsets);
void otok_scenario_destroy(otok_scenario *scenario);

/* Every key with its value, as canonical YAML. It loads as the same scenario. */
const char *otok_scenario_text(const otok_scenario *scenario);
otok_grid otok_scenario_grid(const otok_scenario *scenario);
int64_t otok_scenario_iterations(const otok_scenario *scenario); /* of all phases together */
int otok_scenario_phases(const otok_scenario *scenario);

/* The name of a phase; NULL outside 0..phases-1. */
const char *otok_scenario_phase(const otok_scenario *scenario, int phase);

/* ---- simulation ---- */

typedef struct otok_sim otok_sim;

/* Makes the base terrain and the state at iteration 0.
   backend: "cpu", "cuda", or "auto" (cuda where a device answers, else cpu). A strategy that gives
   the same bits can be named, as in "cuda:plain" or "cpu:plain", and a number of bands, as in
   "cuda/4". OTOK_IO, OTOK_DATA: a raster or the initial file cannot be used. OTOK_DEVICE: the
   backend is not in this build, or has no device. */
otok_status otok_sim_create(otok_sim **out, const otok_scenario *scenario, const char *backend);
void otok_sim_destroy(otok_sim *sim);

/* Runs n >= 0 iterations, or fewer at the end of the last phase. It allocates nothing and copies
   nothing to the host, except where values of the scenario change (otok_live.h). */
otok_status otok_sim_run(otok_sim *sim, int64_t n);

/* Starts n iterations in the same way, without waiting for a GPU. otok_sim_iteration and
   otok_sim_time at once return their values after the n iterations. Every other call waits for what
   it needs, and may return a failure of the device. otok_sim_start serves callers that run few
   iterations at a time: while a GPU is at work, iterations are held back, and many of them cost one
   launch. otok_sim_wait returns when all iterations are done. */
otok_status otok_sim_start(otok_sim *sim, int64_t n);
otok_status otok_sim_wait(otok_sim *sim);

int64_t otok_sim_iteration(const otok_sim *sim); /* finished iterations, of all phases */
double otok_sim_time(const otok_sim *sim);       /* simulated time [s] */
double otok_sim_sea_level(const otok_sim *sim);  /* [m] */
const char *otok_sim_phase(const otok_sim *sim); /* name, of the next iteration; "end" after all */
const char *otok_sim_backend(const otok_sim *sim); /* as chosen: "cpu", "cuda", "cuda:plain" */
/* A part of the scenario without effect, such as a map of `initial.file` that is no field. Counted
   from 0; NULL: there are no more. */
const char *otok_sim_note_at(const otok_sim *sim, int n);
const char *otok_sim_device(const otok_sim *sim); /* a phrase: model of the GPU, or threads */
/* The time that the base terrain took by the device's own clock [s]. */
double otok_sim_base_seconds(const otok_sim *sim);

/* Whether the field is part of this simulation's state; 1 for OTOK_TERRAIN. */
int otok_sim_has(const otok_sim *sim, otok_field field);

/* Copies one whole field out or in. `map` is [ny][nx] and belongs to the caller. Setting
   OTOK_TERRAIN sets the base to the map and the change to 0. The ledger starts with what is set at
   iteration 0, and counts what is set later as an error. OTOK_DATA: a value is not finite, or
   a depth or factor is negative; nothing changed. */
otok_status otok_sim_get(otok_sim *sim, otok_field field, float *map);
otok_status otok_sim_set(otok_sim *sim, otok_field field, const float *map);

/* Adds a map of changes from outside [m], such as those of another model, to OTOK_TERRAIN or
   OTOK_WATER, and books what was added after rounding as `solid_booked` or `water_booked`. So the
   ledger explains it, and an audit goes on. In a ground of layers, a cell that rises adds to the
   first layer, one that sinks cuts through layers. Walls take nothing. OTOK_USAGE: another field,
   or one that the simulation lacks. OTOK_DATA: a value is not finite, or there is less water than
   it takes. Nothing changed then. */
otok_status otok_sim_book(otok_sim *sim, otok_field field, const float *map);

/* A field of the state in place, without a copy: cell i of row `row + j` of the grid is
   data[j * pitch + i], 0 <= i < nx, 0 <= j < ny. */
typedef struct otok_loan {
    float *data; /* belongs to the simulation */
    int64_t nx, ny, pitch;
    int device;   /* the GPU whose memory it is; -1: the host's */
    void *stream; /* the cudaStream_t that the simulation works in; NULL on the host */
    int64_t row;  /* of the grid where the loan begins; 0 but for a band */
} otok_loan;

/* Lends a whole field. All iterations that were started are done when it returns. The loan is valid
   until the simulation next runs, is set or is destroyed, because fields move in memory. The caller
   may change the values, except those of OTOK_TERRAIN_BASE, which only otok_sim_set may change.
   OTOK_USAGE: the field is not part of this simulation; it is not stored as floats (terrain and
   layers are sums, wetness is bytes); or the simulation has several bands. out->data is then NULL.
 */
otok_status otok_sim_lend(otok_sim *sim, otok_field field, otok_loan *out);

/* A simulation on several devices (backend "cuda/4", or "cpu/4" for tests) is divided into bands of
   whole rows, from the bottom up. otok_sim_bands returns their number; it is 1 for all other
   simulations. otok_sim_lend_band lends the rows of one band, 0 <= band < bands, as otok_sim_lend
   does. OTOK_USAGE: also for a band of another MPI rank. */
int otok_sim_bands(const otok_sim *sim);
otok_status otok_sim_lend_band(otok_sim *sim, otok_field field, int band, otok_loan *out);

/* Continues from iteration n. Set all fields to those of a checkpoint first. */
otok_status otok_sim_seek(otok_sim *sim, int64_t n);

/* The ledger of one layer: now = start - eroded + deposited + raised + error. The volume of the
   last layer counts down to height 0; uplift raises it. */
typedef struct otok_layer_ledger {
    char name[OTOK_NAME_SIZE];
    double start, eroded, deposited, raised, now, error; /* [m^3] */
} otok_layer_ledger;

/* The ledger has the present stocks, and all that entered or left the system since iteration 0. An
   entry is a sum of heights over cells times the area of a cell [m^3]. Sums are in fixed point, so
   they do not depend on threads or devices. otok_ledger.def explains each entry. */
typedef struct otok_ledger {
    int64_t not_finite; /* values that are NaN or infinite, in all fields */
    int64_t nlayers;    /* 0 where the ground has none    */
    otok_layer_ledger layers[OTOK_MAX_LAYERS];
#define OTOK_ENTRY(member, ...) double member; /* [m^3] */
#include "otok_ledger.def"
} otok_ledger;

/* All entries by number: at(i) is NULL outside 0..OTOK_LEDGER_ENTRIES-1. */
enum {
    OTOK_LEDGER_ENTRIES = 0
#define OTOK_ENTRY(...) +1
#include "otok_ledger.def"
};
typedef struct otok_ledger_entry {
    const char *name; /* of the member */
    enum { OTOK_LEDGER_WATER, OTOK_LEDGER_SOLID } side;
    char sign;                /* as in otok_ledger.def */
    const char *label, *help; /* a few words; a phrase  */
    size_t offset;            /* of the member [bytes]  */
} otok_ledger_entry;
const otok_ledger_entry *otok_ledger_at(int i);
double otok_ledger_value(const otok_ledger *ledger, int i, size_t size); /* NAN outside */
#define otok_ledger_value(ledger, i) otok_ledger_value(ledger, i, sizeof(otok_ledger))

/* Ledger and fingerprint of the present state. The fingerprint is a sum modulo 2^64 over index and
   bits of all cells of all state fields. */
otok_status otok_sim_measure(otok_sim *sim, otok_ledger *ledger, uint64_t *fingerprint,
                             size_t size);
#define otok_sim_measure(sim, ledger, fingerprint)                                                 \
    otok_sim_measure(sim, ledger, fingerprint, sizeof(otok_ledger))

/* ---- checkpoints ---- */

/* Writes a checkpoint: to a temporary file that is synced, closed and then renamed to `path`.
   OTOK_IO: no file of that name was touched. */
otok_status otok_sim_save(otok_sim *sim, const char *path);

/* Continues from a checkpoint of the same scenario, bit for bit. OTOK_DATA: the file is foreign,
   damaged, or of another scenario; the text names the key that differs. */
otok_status otok_sim_load(otok_sim *sim, const char *path);

/* A checkpoint in host memory, for reading. */
typedef struct otok_checkpoint otok_checkpoint;

/* Reads and verifies a file. OTOK_DATA: it is foreign or damaged. OTOK_IO: it cannot be read. */
otok_status otok_checkpoint_load(otok_checkpoint **out, const char *path);
void otok_checkpoint_destroy(otok_checkpoint *checkpoint);
otok_grid otok_checkpoint_grid(const otok_checkpoint *checkpoint);
double otok_checkpoint_sea_level(const otok_checkpoint *checkpoint); /* [m] */

/* Absorption of light of the last phase with a reef [1/m]; NAN without a reef. */
double otok_checkpoint_absorption(const otok_checkpoint *checkpoint);

/* The title of the scenario; "" for none. */
const char *otok_checkpoint_title(const otok_checkpoint *checkpoint);

/* The name of a layer, counted from the top; NULL: there is no such layer. */
const char *otok_checkpoint_layer(const otok_checkpoint *checkpoint, int layer);

/* As otok_field_find; it also finds the fields of layers by their names, and derived fields:
   OTOK_FIELDS + i. */
int otok_checkpoint_find(const otok_checkpoint *checkpoint, const char *name);

/* A map [ny][nx] that belongs to the checkpoint; NULL: it has no such field. OTOK_TERRAIN is always
   there, a derived field after otok_checkpoint_derive, until that makes another one. */
const float *otok_checkpoint_map(const otok_checkpoint *checkpoint, int field);
otok_status otok_checkpoint_derive(otok_checkpoint *checkpoint, int field);

#ifdef __cplusplus
}
#endif

#include "otok_fields.h"
#include "otok_live.h"
#include "otok_predict.h"
#include "otok_road.h"
#include "otok_run.h"
#include "otok_study.h"

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
