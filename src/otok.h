/* otok.h: the public interface of otok, and its manual. It includes otok_study.h for studies,
   otok_live.h for changes while a simulation runs, and otok_road.h for roads. It draws nothing.

   What most programs call, in this order (experiments/embed/embed.c is one):
     otok_scenario_load(&scenario, "island.yaml", NULL, 0)    or otok_scenario_read, from a text in
   memory otok_predict_binding(&limit, scenario)                   is it stable? limit.value <=
   limit.bound otok_sim_create(&sim, scenario, "auto")                  on a GPU where there is one
     otok_sim_set(sim, OTOK_WATER, map)                       a field in, from a map on the host
     otok_sim_run(sim, 100)
     otok_sim_get(sim, OTOK_WATER, map)                       a field out; otok_sim_lend: where it
   lies, without a copy otok_sim_measure(sim, &ledger, &fingerprint) otok_sim_save(sim,
   "after.vtkhdf") otok_sim_destroy(sim), otok_scenario_destroy(scenario) or otok_run(scenario,
   &options) for all of it with checkpoints, and otok_study_run for many scenarios.

   Conventions
   - Maps are row-major float32 arrays [ny][nx]; x grows to the right, y to the top, row 0 is the
   bottom row.
   - Units are SI: metres, seconds, m^3/s; angles in degrees.
   - Every call that can fail returns otok_status. On failure otok_why() has a text for this thread:
   what failed, where, and what to do. The library never prints and never exits.
   - Who creates an object destroys it; destroy accepts NULL. Strings and arrays that are passed in
   are copied. Those that are returned belong to their object unless the call says otherwise.
   - Only one thread uses an object at a time. Calls round to nearest and keep denormals, then
   restore the caller's modes. */
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

/* ---- status
 * --------------------------------------------------------------------------------------------------------
 */

typedef enum otok_status {
    OTOK_OK = 0,
    OTOK_USAGE,  /* the call or command line breaks a rule; nothing changed  exit 2  */
    OTOK_DATA,   /* a scenario, map or checkpoint is not acceptable; nothing changed   exit 65 */
    OTOK_DEVICE, /* no usable device, or it failed; the simulation can only be destroyed exit 69 */
    OTOK_NOMEM,  /* host or device memory ran out; nothing changed  exit 70 */
    OTOK_IO, /* a file could not be read or written; earlier files are untouched               exit
                74 */
    OTOK_STOPPED, /* stopped early on request, after a checkpoint: the same command resumes it exit
                     75 */
    OTOK_INTERNAL /* a defect of otok; please report it exit 70 */
} otok_status;

/* Text of this thread's last failure, valid until its next one; "" if there was none. */
const char *otok_why(void);

/* The exit code (sysexits) of a program that ends with this status. */
int otok_exit_code(otok_status status);

/* Version "1.2.3", and the git commit it was built from ("unknown" outside a checkout). */
const char *otok_version(void);
const char *otok_commit(void);

/* Sets the command line that files record as their provenance. Call it once, before any thread
 * starts. */
void otok_command_set(int argc, char **argv);

/* ---- parameters: one table for scenarios, --set, studies, panels, file attributes and documents
 * ---------------------- */

typedef enum otok_kind {
    OTOK_REAL,
    OTOK_INT,
    OTOK_BOOL,
    OTOK_CHOICE,
    OTOK_TEXT,
    OTOK_LIST
} otok_kind;

typedef struct otok_parameter {
    const char *group;    /* "hydraulic"; "" for keys of the scenario itself    */
    const char *key;      /* "dt"      */
    const char *symbol;   /* letters of the sources, "" if none   */
    const char *unit;     /* UDUNITS text, "1" for a pure number, "" for words     */
    otok_kind kind;       /* how it is stored: double, int64_t, int (0/1), int (index into choices),
                             char[OTOK_TEXT_SIZE];       lists have a reader of their own       */
    const char *choices;  /* OTOK_CHOICE: "per_second|per_iteration"; else NULL  */
    double standard;      /* default; NAN: must be given      */
    double low, high;     /* allowed range, ends included unless `open` says otherwise     */
    int open;             /* bit 0: low is excluded, bit 1: high is excluded             */
    size_t offset;        /* of the value in its group's struct        */
    const char *equation; /* its source: "K17 eq. 4" */
    const char *help;     /* one line     */
} otok_parameter;

enum { OTOK_TEXT_SIZE = 512, OTOK_NAME_SIZE = 64 };

/* The table, in the order of the documents. at(i) is NULL outside 0..count-1; find returns NULL if
 * there is no such key. */
int otok_parameter_count(void);
const otok_parameter *otok_parameter_at(int i);
const otok_parameter *otok_parameter_find(const char *group, const char *key);

/* ---- fields: one table for simulation, files and pictures
 * ------------------------------------------------------------ */

enum { OTOK_MAX_LAYERS = 8 }; /* of a ground in layers, the bottomless one among them */

typedef enum otok_field {
    OTOK_TERRAIN_BASE,   /* the map that the generators made, constant while simulating */
    OTOK_TERRAIN_CHANGE, /* what the simulation added or took: erosion and deposition   */
    OTOK_WATER,
    OTOK_SEDIMENT,
    OTOK_OUTFLOW_LEFT,  /* signed pipes have left and bottom only where a side is open: what leaves
                           over the left, bottom one */
    OTOK_OUTFLOW_RIGHT, /* signed pipes: through the face, negative to the left; top: negative to
                           the bottom                  */
    OTOK_OUTFLOW_BOTTOM,
    OTOK_OUTFLOW_TOP,
    OTOK_VELOCITY_X,
    OTOK_VELOCITY_Y,
    OTOK_CARBON,
    OTOK_REEF,
    OTOK_WETNESS,
    OTOK_ROAD, /* 0 none, below 1 verge, 1 bed, 2 bridge, 3 tunnel: there only once a road was
                  built; never changed by a phase */
    OTOK_ROAD_HEIGHT,  /* of the surface of bed, bridge and tunnel, as built */
    OTOK_ERODIBILITY,  /* factor of erosion, never changed by a phase        */
    OTOK_LAYER_BOTTOM, /* of layer 0 above TERRAIN_BASE; OTOK_LAYER_BOTTOM + i of layer i, down to
                          the last but one */
    OTOK_LAYER_BOTTOM_LAST = OTOK_LAYER_BOTTOM + OTOK_MAX_LAYERS - 2,
    OTOK_STORED, /* the fields above are state; below: derived */
    OTOK_TERRAIN = OTOK_STORED,
    OTOK_LAYER, /* thickness of layer 0; OTOK_LAYER + i of layer i, down to the last but one */
    OTOK_LAYER_LAST = OTOK_LAYER + OTOK_MAX_LAYERS - 2,
    OTOK_FIELDS
} otok_field;

typedef struct otok_field_info {
    const char *name; /* dataset name; "layer" and "bottom" stand for layer_<name> and bottom_<name>
                         of a scenario's layers */
    const char *unit; /* UDUNITS                     */
    const char *long_name;     /* a phrase for axes           */
    const char *standard_name; /* CF, or NULL where CF has none */
} otok_field_info;

const otok_field_info *otok_field_at(int field); /* NULL outside 0..OTOK_FIELDS-1 */
int otok_field_layer(int field); /* the layer that OTOK_LAYER_BOTTOM + i and OTOK_LAYER + i are of;
                                    -1 for other fields */
int otok_field_find(const char *name); /* -1 when there is no such field, or a layer's */

/* ---- scenarios
 * -------------------------------------------------------------------------------------------------------
 */

typedef struct otok_scenario otok_scenario;

/* Reads and checks a scenario file; sets[i] = "path=value" override it, phases by name or index.
   OTOK_DATA: the text names file, line, key, allowed range and remedy, or it is a pipe or a device.
   OTOK_IO: the file cannot be read. */
otok_status otok_scenario_load(otok_scenario **out, const char *path, const char *const *sets,
                               int nsets);

/* The same from a text in memory. `path` need not be there: messages name it, checkpoints are
   called after it, and files that the text names are relative to its folder. */
otok_status otok_scenario_read(otok_scenario **out, const char *text, const char *path,
                               const char *const *sets, int nsets);
void otok_scenario_destroy(otok_scenario *scenario);

/* The resolved scenario: every key with its value, as a canonical YAML text that loads as the same
 * scenario. */
const char *otok_scenario_text(const otok_scenario *scenario);

typedef struct otok_grid {
    int64_t nx, ny; /* cells         */
    double spacing; /* cell size [m] */
} otok_grid;

otok_grid otok_scenario_grid(const otok_scenario *scenario);
int64_t otok_scenario_iterations(const otok_scenario *scenario); /* of all phases together */
int otok_scenario_phases(const otok_scenario *scenario);
const char *otok_scenario_phase(const otok_scenario *scenario,
                                int phase); /* its name; NULL outside 0..phases-1 */

/* ---- simulation
 * ------------------------------------------------------------------------------------------------------
 */

typedef struct otok_sim otok_sim;

/* Makes the base terrain and the state at iteration 0 on a backend: "cpu", "cuda", or "auto" (cuda
   where a device answers). A strategy with the same results can be named too: "cuda:plain",
   "cpu:plain". The scenario must outlive the simulation. OTOK_IO, OTOK_DATA: a raster of base or
   rain or the initial file cannot be used, and why. OTOK_DEVICE when the backend is not in this
   build or has no device. */
otok_status otok_sim_create(otok_sim **out, const otok_scenario *scenario, const char *backend);
void otok_sim_destroy(otok_sim *sim);

/* Runs n iterations, or fewer at the end of the last phase. Nothing is allocated, nothing copied to
   the host, but where values of the scenario change (otok_live.h). */
otok_status otok_sim_run(otok_sim *sim, int64_t n);

int64_t otok_sim_iteration(const otok_sim *sim);   /* finished iterations of all phases         */
double otok_sim_time(const otok_sim *sim);         /* simulated time [s]                        */
double otok_sim_sea_level(const otok_sim *sim);    /* [m]                                       */
const char *otok_sim_phase(const otok_sim *sim);   /* of the next iteration, its name; "end"    */
const char *otok_sim_backend(const otok_sim *sim); /* as chosen: "cpu", "cuda", "cuda:plain"    */
const char *otok_sim_device(const otok_sim *sim);  /* a phrase: model of the GPU, or threads    */
double otok_sim_base_seconds(
    const otok_sim *sim); /* that its base terrain took, by the device's own clock */
size_t otok_sim_bytes(const otok_sim *sim); /* memory of all its fields                  */

/* Is the field part of this simulation's state? (OTOK_TERRAIN always.) */
int otok_sim_has(const otok_sim *sim, otok_field field);

/* Copies one whole field out or in; map is [ny][nx], the caller's. OTOK_TERRAIN becomes the base,
   the change 0; wetness: 0..255. What is set at iteration 0 is what the ledger begins with; what is
   set later is an error in its books. */
otok_status otok_sim_get(otok_sim *sim, otok_field field, float *map);
otok_status otok_sim_set(otok_sim *sim, otok_field field, const float *map);

/* A field of the state in place, without a copy: cell i of row `row + j` of the grid is
   data[j * pitch + i], 0 <= i < nx, 0 <= j < ny. */
typedef struct otok_loan {
    float *data; /* belongs to the simulation */
    int64_t nx, ny, pitch;
    int device;   /* the GPU whose memory it is; -1: the host's */
    void *stream; /* the cudaStream_t that the simulation works in; NULL on the host */
    int64_t row;  /* of the grid where the loan begins; 0 but for a band */
} otok_loan;

/* Lends a whole field. All that was run until now is done. The loan is valid until the simulation
   next runs, is set or destroyed, because fields change places. The caller may change the values,
   except those of OTOK_TERRAIN_BASE, which only otok_sim_set may. OTOK_USAGE: the field is not part
   of this simulation; it does not lie as floats (terrain and layers are sums, wetness is bytes); or
   the simulation lies in several bands. out->data is then NULL. */
otok_status otok_sim_lend(otok_sim *sim, otok_field field, otok_loan *out);

/* A simulation on several devices (backend "cuda/4", or "cpu/4" for tests) lies in bands of whole
   rows, from the bottom up. otok_sim_bands is their number, 1 for all others. otok_sim_lend_band
   lends the rows of one of them, 0 <= band < bands, as otok_sim_lend does. OTOK_USAGE: also a band
   that another rank of MPI has. */
int otok_sim_bands(const otok_sim *sim);
otok_status otok_sim_lend_band(otok_sim *sim, otok_field field, int band, otok_loan *out);

/* Continues from iteration n. The fields must have been set to those of a checkpoint. */
otok_status otok_sim_seek(otok_sim *sim, int64_t n);

/* The ledger of one layer: now = start - eroded + deposited + error. The stock of the last layer
 * reaches down to height 0. */
typedef struct otok_layer_ledger {
    char name[OTOK_NAME_SIZE];
    double start, eroded, deposited, now, error; /* [m^3] */
} otok_layer_ledger;

/* The ledger: the present stocks and all that entered or left the system since iteration 0, as
   heights summed over cells times the area of a cell [m^3]. Sums are in fixed point, so they do not
   depend on threads and devices. otok_ledger.def explains each entry.
 */
typedef struct otok_ledger {
#define OTOK_ENTRY(member, ...) double member; /* [m^3] */
#include "otok_ledger.def"
    int64_t not_finite; /* values that are NaN or infinite, in all fields */
    int64_t nlayers;    /* 0 where the ground has none    */
    otok_layer_ledger layers[OTOK_MAX_LAYERS];
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
double otok_ledger_value(const otok_ledger *ledger, int i); /* NAN outside */

/* Ledger and fingerprint of the present state. The fingerprint is a sum modulo 2^64 over cell index
 * and bits of every state field.
 */
otok_status otok_sim_measure(otok_sim *sim, otok_ledger *ledger, uint64_t *fingerprint);

/* ---- checkpoints
 * -----------------------------------------------------------------------------------------------------
 */

/* Writes a checkpoint: a temporary file, closed, synced, renamed. OTOK_IO: no file of that name was
 * touched. */
otok_status otok_sim_save(otok_sim *sim, const char *path);

/* Continues from a checkpoint of the same scenario, bit for bit. OTOK_DATA: foreign, damaged, or of
   another scenario (the text names the key that differs). */
otok_status otok_sim_load(otok_sim *sim, const char *path);

/* A checkpoint on the host, to be read. */
typedef struct otok_checkpoint otok_checkpoint;

/* Reads and verifies it. OTOK_DATA: foreign or damaged. OTOK_IO: cannot be read. */
otok_status otok_checkpoint_load(otok_checkpoint **out, const char *path);
void otok_checkpoint_destroy(otok_checkpoint *checkpoint);
otok_grid otok_checkpoint_grid(const otok_checkpoint *checkpoint);
double otok_checkpoint_sea_level(const otok_checkpoint *checkpoint); /* [m] */
double otok_checkpoint_absorption(
    const otok_checkpoint *checkpoint); /* of light, of the last reef [1/m]; NAN: no reef         */
const char *
otok_checkpoint_title(const otok_checkpoint *checkpoint); /* of its scenario, "" for none */
const char *otok_checkpoint_layer(const otok_checkpoint *checkpoint,
                                  int layer); /* its name, top down; NULL: there is none       */
int otok_checkpoint_find(const otok_checkpoint *checkpoint,
                         const char *name); /* as otok_field_find, and layers by their names   */
/* [ny][nx], the checkpoint's; NULL where it has no such field. The terrain is always there. */
const float *otok_checkpoint_map(const otok_checkpoint *checkpoint, int field);

/* ---- whole runs: what `otok run` does
 * ---------------------------------------------------------------------------------- */

/* What the caller may request between two iterations. */
enum { OTOK_GO_ON = 0, OTOK_CHECKPOINT_NOW = 1, OTOK_STOP_NOW = 2 };

typedef struct otok_diagnosis otok_diagnosis; /* otok_study.h */

typedef struct otok_progress {
    int64_t iteration, iterations; /* finished, of how many */
    const char *phase;         /* of the next iteration                                         */
    double seconds;            /* since the run began                                           */
    double rate;               /* iterations/s, lately                                          */
    double cells;              /* of the grid                                                   */
    const otok_ledger *ledger; /* of the newest checkpoint; NULL while the base terrain is made */
    uint64_t fingerprint;      /* likewise                                                      */
    const char *checkpoint;    /* path just handed to the writer, NULL between checkpoints      */
    const char *
        note; /* what a person should know, such as a damaged checkpoint passed over; mostly NULL */
    const char *costs; /* what the checkpoints took, once at the end; else NULL         */
    const otok_diagnosis *diagnosis; /* by the samples until now */
    int64_t filled,
        raster_cells; /* cells without data in the rasters of the scenario, of so many */
} otok_progress;

typedef struct otok_run_options {
    const char *directory; /* of the checkpoints; made if missing */
    const char *backend;   /* as for otok_sim_create   */
    int resume; /* continue from the newest valid checkpoint; from the start where there is none */
    int overwrite;      /* remove checkpoints of an earlier run of this scenario first      */
    double max_seconds; /* stop with a checkpoint before this much time has passed; 0: no limit */
    int (*poll)(
        void *user,
        const otok_progress *progress); /* called often; returns the bits above; may be NULL */
    void *user;
} otok_run_options;

/* Runs a scenario to its end, writing DIRECTORY/STEM_ITERATION.vtkhdf as its `output` says, by a
   thread while it goes on. OTOK_STOPPED: ended early on request, after a checkpoint. OTOK_USAGE:
   the directory holds checkpoints and neither resume nor overwrite was asked for. OTOK_DATA: the
   state is no longer finite (the last finite checkpoint stays), or there are checkpoints to resume
   from but none is valid. OTOK_NOMEM: the machine has not enough free memory; nothing was written.
 */
otok_status otok_run(const otok_scenario *scenario, const otok_run_options *options);

/* ---- stability, before anything runs
 * ------------------------------------------------------------------------------------ */

/* How certain a limit is: a theorem about the scheme; found by experiment; an estimate from a worst
 * case or a linearised model. */
typedef enum otok_certainty { OTOK_PROVEN, OTOK_MEASURED, OTOK_HEURISTIC } otok_certainty;

/* One limit of one phase. Kept where value <= bound. */
typedef struct otok_limit {
    const char *name;   /* "water waves"                                                          */
    const char *symbol; /* "S = dt^2 A g / l^3"                                                   */
    int phase;
    otok_certainty certainty;
    double value, bound; /* NAN: a remark without a number that could be kept, see `text`         */
    double dt; /* the largest time step of this process that keeps it [s]; NAN: no dt does, or none
                  matters */
    char text[256]; /* what happens beyond it, and what to do                                */
} otok_limit;

enum { OTOK_LIMITS = 16 }; /* at most, of a phase */

/* The limits of a phase's schemes for these parameters. Returns how many of `out` were filled. */
int otok_predict(otok_limit out[OTOK_LIMITS], const otok_scenario *scenario, int phase);

/* value / bound; 0 for a remark. */
double otok_limit_margin(const otok_limit *limit);

/* The binding limit: the one of all phases with the largest margin. Returns 0 if there is none. */
int otok_predict_binding(otok_limit *out, const otok_scenario *scenario);

/* All limits as a JSON array (malloc; the caller's), as every checkpoint keeps it; NULL without
 * memory. */
char *otok_predict_text(const otok_scenario *scenario);

/* ---- what a run costs
 * -------------------------------------------------------------------------------------------------
 */

/* What a run would need, without running it: memory on the device, of its fields and besides while
   the base terrain is made, size of a checkpoint before compression [bytes]; checkpoints written;
   the time of a run and of its base terrain [s], found by timing the generators and a few
   iterations of every phase on at most 512 x 512 cells of the backend. */
typedef struct otok_estimate {
    size_t device_bytes, base_bytes, checkpoint_bytes;
    int64_t checkpoints;
    double seconds, base_seconds;
    char device[256];
} otok_estimate;
otok_status otok_run_estimate(otok_estimate *out, const otok_scenario *scenario,
                              const char *backend);

/* Speed of a scenario's first phase: `iterations` at a time from iteration 0, warm, `repeats`
   times; and the rate of a plain copy on the same device, measured beside it. The device's own
   clock where it has one. */
typedef struct otok_bench {
    double seconds;        /* median over the repeats        */
    double fastest;        /* least of them        */
    double cell_steps;     /* cell updates/s, from the median     */
    double bytes_per_cell; /* that an iteration moves by this strategy, every input and output of a
                              kernel once; 0: on chip */
    double copy_rate;      /* of a copy of a large array, bytes read and written [1/s]      */
    uint64_t fingerprint;  /* of the state after the first `iterations`  */
    char strategy[32];     /* through the program: "plain", or a faster one with the same bits     */
    char device[256];
} otok_bench;
otok_status otok_bench_run(otok_bench *out, const otok_scenario *scenario, const char *backend,
                           int iterations, int repeats);

#ifdef __cplusplus
}
#endif

#include "otok_live.h"
#include "otok_road.h"
#include "otok_study.h"

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
