/* sim.h: the inside of a simulation, for the parts of the library that save and drive it. */
#ifndef OTOK_SIM_H
#define OTOK_SIM_H

#include "../core/backend.h"
#include "../io/checkpoint.h"
#include "../scenario/program.h"
#include "springs.h"

enum { OTOK_SEGMENT = 4096 }; /* iterations whose schedule a backend gets at once */

/* Who watches a simulation (witness.c): runs n iterations by `go`; adds a map by otok_sim_raise; is
   given back before the simulation. A table, so that what it watches does not call it by name. */
typedef struct otok_watcher {
    otok_status (*run)(otok_sim *sim, int64_t n, otok_status (*go)(otok_sim *, int64_t));
    otok_status (*book)(otok_sim *sim, int field, const float *map);
    void (*destroy)(otok_sim *sim);
} otok_watcher;

struct otok_sim {
    const otok_scenario *root;     /* as given */
    const otok_scenario *scenario; /* with the changes made so far; root if there are none */
    otok_scenario *own;            /* the same if it was changed, else NULL */
    otok_change *changes;          /* by iteration: first the `made` ones, then those to come */
    int nchanges, made,
        pouring; /* pouring: 1 + the phase whose last river comes from otok_sim_pour */
    int64_t end; /* iterations of all phases once all changes are made */
    const otok_backend *backend;
    char device[256];
    otok_patch patch;
    otok_set buffers;                /* those that exist */
    uint64_t fields;                 /* bits of the state fields among them */
    uint64_t root_fields;            /* those at iteration 0 */
    otok_program *programs;          /* one a phase */
    otok_program *waters;            /* for hydraulic.courant: the water of each phase alone */
    otok_coefficients *coefficients; /* one a phase */
    double water_dt;                 /* the last step of water of such a phase [s]; 0: none yet */
    int64_t water_steps;             /* steps of water of all such phases */
    struct otok_courant *courant;    /* their present iteration; NULL: there was none */
    int64_t uncarried;               /* what is booked in steps of water: at most 2^33 times this in
                                        the fine part of a sum; 0: it is not known */
    double *gauges;                  /* samples of the gauges, row after row; see gauges.c */
    int64_t gauge_samples, gauge_room;
    int is_twin;          /* of an audit: without samples */
    int halves_sweeps;    /* see otok_now */
    double base_seconds;  /* the time that the base terrain took */
    otok_springs springs; /* water other than uniform rain */
    int64_t iteration;
    otok_visit visit; /* a run of a phase that began before; all 0: none is known */
    int is_opened;    /* the stocks below are known */
    otok_sum water_start, solid_start;     /* stocks at iteration 0 */
    otok_sum layer_start[OTOK_MAX_LAYERS]; /* likewise, see otok_layer_ledger */
    int moves_unknown;                     /* it goes on from a file that did not count them */
    otok_ledger nominal;                   /* its entries 'n', see otok_ledger.def */
    otok_step steps[OTOK_SEGMENT];
    int started;        /* steps that were started since the last wait */
    int given;          /* those of them that the backend has; the others are held */
    int held;           /* the phase of the held steps */
    int flying;         /* iterations that the backend was given since it was last seen idle */
    otok_status failed; /* of the backend, when it was given held steps on behalf of a reader */
    otok_georeference georeference; /* of the base's first raster that has one */
    otok_holes holes;               /* cells without data: walls */
    otok_raster_place place;        /* of all rasters */
    int64_t filled;                 /* cells of rasters that got a height by `fill` ... */
    int64_t raster_cells;           /* ... and all cells of these rasters */
    char **notes;                   /* see otok_sim_note_at */
    int nnotes;
    char *parent;  /* path of the checkpoint continued from, or NULL */
    char *inputs;  /* as in a snapshot, once it was asked for */
    int is_handed; /* a map was set or lent after iteration 0, which the ledger cannot see */
    otok_watcher *watcher; /* see otok_sim_watch; or NULL */
};

static inline size_t otok_sim_cells(const otok_sim *sim)
{
    return (size_t)sim->scenario->grid.nx * (size_t)sim->scenario->grid.ny;
}

/* A map of all cells, without values; the caller frees it. */
otok_status otok_sim_new_map(float **out, const otok_sim *sim);

/* walls.c. The cells that are not walls. otok_sim_walls: the values of OTOK_WALLS.
   otok_sim_clear_walls: a map of a field as it must be in walls and beside them.
   otok_sim_put_walls: makes walls of sim->holes in the patch; clears: and empties them. OTOK_DATA:
   all cells are walls. otok_walls_check: OTOK_DATA: a river, a gauge or a side that the scenario
   says something about has walls alone. */
int64_t otok_sim_open_cells(const otok_sim *sim);
void otok_sim_walls(const otok_sim *sim, float *out);
void otok_sim_clear_walls(const otok_sim *sim, int field, float *map);
otok_status otok_sim_put_walls(otok_sim *sim, int clears);
otok_status otok_walls_check(const otok_scenario *scenario, const otok_holes *walls);
int otok_scenario_may_have_walls(const otok_scenario *scenario);

/* A state at iteration 0 in a slot of an ensemble, shared by all simulations that begin alike. */
typedef struct otok_initial_state {
    char *key; /* equal for scenarios with the same bits at iteration 0; malloc */
    int slot;
    otok_sum water, solid, layers[OTOK_MAX_LAYERS];
    otok_holes holes;
} otok_initial_state;

otok_status otok_initial_state_key(char **key, const otok_scenario *scenario);

/* Creates a simulation in a slot of an ensemble, which runs it. Its state is copied from
   `initial`, or made anew if that is NULL. */
otok_status otok_sim_create_in_slot(otok_sim **out, const otok_scenario *scenario,
                                    const otok_backend *backend, void *ensemble, int slot,
                                    const otok_initial_state *initial);

/* Creates the twin of a run (audit.h), without a state: a simulation with half the time step. In a
   slot of the run's ensemble, or alone (-1). It must be destroyed before the run. */
otok_status otok_sim_create_twin(otok_sim **out, const otok_scenario *halved, const otok_sim *run,
                                 int slot);

/* queries.c: the present one, of however many rounds. */
otok_moment otok_sim_moment(const otok_sim *sim);

/* steps.c. Prepares the next iterations of one phase, at most n and at most OTOK_SEGMENT: enters
   the phase and puts their steps into sim->steps, from `started` on. *length 0: the scenario has
   ended. otok_sim_pass counts the iterations as done. */
otok_status otok_sim_prepare(otok_sim *sim, int64_t n, int *phase, int *length);
void otok_sim_pass(otok_sim *sim, int length);

/* fill.c: fills the buffers of maps and rivers for the iteration of a moment, if they are another
   phase's, or of another time. */
otok_status otok_sim_fill(otok_sim *sim, const otok_moment *moment);
int otok_sim_is_filled(const otok_sim *sim, const otok_moment *moment);

/* started.c. Starts prepared steps of a phase, the next ones of sim->steps. */
otok_status otok_sim_start_steps(otok_sim *sim, int phase, int length);

/* The patch, for whoever reads it, changes it or asks about it: the backend is given all started
   iterations first. A failure to do so shows at the next wait. */
otok_patch *otok_sim_patch(otok_sim *sim);

/* Fills a snapshot with the present state, ledger and provenance. Its maps exist (`has` says
   which); its strings are replaced. The maps may arrive while the simulation runs on, and the
   terrain is missing: call otok_snapshot_complete. */
otok_status otok_sim_snapshot(otok_sim *sim, otok_snapshot *out);

/* Cells without data. */
const otok_holes *otok_sim_holes(const otok_sim *sim);

/* checkpoint.c. A checkpoint that takes a state over, which is empty then; and its state. */
otok_status otok_checkpoint_of(otok_checkpoint **out, otok_snapshot *state);
const otok_snapshot *otok_checkpoint_state(const otok_checkpoint *checkpoint);
const otok_holes *otok_checkpoint_holes(const otok_checkpoint *checkpoint);
const otok_field_info *otok_checkpoint_info(const otok_checkpoint *checkpoint, int field);

/* The fields of a checkpoint of this simulation: those that a restart needs, also after
   scheduled changes, and those that the scenario asks for. */
uint64_t otok_sim_snapshot_fields(const otok_sim *sim);

/* ground.c. Makes erodibility, initial maps, and layers by thickness. Afterwards TERRAIN_BASE is
   undefined. */
otok_status otok_sim_ground(otok_sim *sim);
/* Puts the layers under the present ground: thicknesses become bottoms. */
otok_status otok_sim_lay_layers(otok_sim *sim);
/* Takes the layers of a snapshot by their names. OTOK_DATA: the snapshot lacks some of them. */
otok_status otok_sim_take_layers(otok_sim *sim, const otok_snapshot *from, int *found);
otok_status otok_sim_thickness(otok_sim *sim, int layer, float *map);
/* Call it before TERRAIN_CHANGE becomes 0. The layers keep their thicknesses. */
otok_status otok_sim_lift_layers(otok_sim *sim);

/* Evaluates the base of `scenario`, one of the simulation's own pipelines, into TERRAIN_BASE. */
otok_status otok_sim_evaluate(otok_sim *sim, const otok_scenario *scenario, const char *unit,
                              otok_georeference *georeference, double *seconds);

/* untouched.c. Notes generators of the base that touch no cell. Afterwards TERRAIN_BASE is
   undefined. Of a large grid it does not read the heights, so that craters are not noted. */
otok_status otok_sim_note_untouched(otok_sim *sim);

/* Notes phases whose rivers (incision) have nowhere to go on the ground that there is. */
otok_status otok_sim_note_closed(otok_sim *sim);

/* bed.c. Notes steps of the bed higher than the water that enters is deep, under laws with a depth
   of flow and without `bed_steps: critical`; none on rough ground, or on a large grid. */
otok_status otok_sim_note_steps(otok_sim *sim);

/* rating.c. Notes rating curves whose level without flow the water of the run cannot reach. */
otok_status otok_sim_note_rating(otok_sim *sim);
/* dams.c. Fills the buffers of a phase's thin dams. Notes dams that stand nowhere, and steps that
   are too long for the water that dams can hold. */
otok_status otok_sim_fill_dams(otok_sim *sim, int phase);
otok_status otok_sim_note_dams(otok_sim *sim);

otok_status otok_sim_note(otok_sim *sim, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void otok_sim_forget_notes(otok_sim *sim);

/* Continues from a snapshot; `path` is the path of its file. */
otok_status otok_sim_restore(otok_sim *sim, const otok_snapshot *snapshot, const char *path);

/* pipes.c. Sets the flows from those of a snapshot, converted to what the scenario keeps:
   otok_pipes_of_phase. Ground and water are set before. */
otok_status otok_sim_set_pipes(otok_sim *sim, const otok_snapshot *from, int kind);

/* live.c, in this order: sets programs and coefficients from a scenario; makes the changes that are
   due now; counts the iterations until the next change; replaces the list of changes by one of
   which none is made; goes to iteration n as a run would, without the values of the state. */
otok_status otok_sim_set_programs(otok_sim *sim, const otok_scenario *scenario);
otok_status otok_sim_apply_due_changes(otok_sim *sim);
int64_t otok_sim_until_change(const otok_sim *sim);
otok_status otok_sim_schedule_changes(otok_sim *sim, const otok_change *changes, int n);
otok_status otok_sim_replay(otok_sim *sim, int64_t n);

/* live.c. Forgets the changes that come later and that the scenario given does not have. */
otok_status otok_sim_forget_later(otok_sim *sim);

/* Sets carbon everywhere to the initial value of the scenario's first reef. */
otok_status otok_sim_initial_carbon(otok_sim *sim, const otok_scenario *scenario);

/* Fills a ledger from the diagnostics of a sample, without layers. */
void otok_sim_balance(const otok_sim *sim, const otok_diagnostics_result *found,
                      otok_ledger *ledger);

/* Takes the present stocks as those of iteration 0. */
otok_status otok_sim_open_ledger(otok_sim *sim);

/* book.c. Adds a map [m] to OTOK_TERRAIN_CHANGE, and cuts layers, or to OTOK_WATER. Nothing is
   booked. check: what otok_sim_book refuses. */
otok_status otok_sim_raise(otok_sim *sim, int buffer, const float *map);
otok_status otok_sim_check_book(otok_sim *sim, otok_field field, const float *map);

/* The fields (bits) that the initial file brings and no phase computes, 0 without such a file.
   They are kept and saved with the rest, so a landscape keeps its road. */
otok_status otok_scenario_carried(const otok_scenario *scenario, uint64_t *fields);
#define OTOK_CARRIED                                                                               \
    (UINT64_C(1) << OTOK_ROAD | UINT64_C(1) << OTOK_ROAD_HEIGHT | UINT64_C(1) << OTOK_ERODIBILITY)

/* The command line of this process, for provenance; see otok_command_set. */
const char *otok_command(void);

/* Adds up the bookings (OTOK_SUMS) of all ranks. */
otok_status otok_sim_sums(otok_sim *sim, otok_sum *out);

/* otok_sim_carry keeps the bookings within 64 bits: where their fine parts have grown large, it
   carries them into the coarse ones, which changes no value. It is due at multiples of an interval
   that depends on the grid alone, so that files do not depend on restarts; until_carry counts the
   iterations to the next, at least 1. */
int64_t otok_sim_until_carry(const otok_sim *sim);
otok_status otok_sim_carry(otok_sim *sim);

/* The buffers (bits) of a simulation after all changes. */
otok_status otok_scenario_all_buffers(otok_set *out, const otok_scenario *scenario);

/* The bytes of the fields in a backend, and of a checkpoint before compression. */
otok_status otok_scenario_bytes(const otok_scenario *scenario, const otok_backend *backend,
                                uint64_t *fields, uint64_t *checkpoint);

/* estimate_base.c. otok_base_bytes: the additional memory while base terrain, layers and
   erodibility are made, without rasters. otok_base_seconds: the time that this takes, estimated
   from small ones. otok_base_small: a pipeline that loads a phase as much but is quick to make: no
   rasters, few faults, lattices of at most `levels`; NULL: no memory. */
otok_status otok_base_bytes(const otok_scenario *scenario, uint64_t *bytes);

/* fits.c. The work of the plan of a base terrain, and its memory. */
typedef struct otok_base_work {
    double points, cells; /* to fill; to evaluate */
    uint64_t bytes;
} otok_base_work;

otok_status otok_base_work_of(otok_base_work *out, const otok_scenario *scenario);

/* A grid of at most side x side cells, with as many in a row as the grid has, if possible. */
otok_grid otok_grid_small(otok_grid grid, int64_t side);
otok_status otok_base_seconds(const otok_scenario *scenario, const char *backend, double *seconds);
otok_generator *otok_base_small(const otok_generator *list, int n, int64_t levels, int64_t faults);
void otok_base_small_destroy(otok_generator *list, int n);

/* Reads the rasters, the rain maps and the head of the initial file of a scenario, and forgets
   them. */
otok_status otok_scenario_inputs(const otok_scenario *scenario);

/* inputs.c. OTOK_USAGE: the scenario reads the file `path`, or one of its own checkpoints in the
   directory. */
otok_status otok_scenario_not_input(const otok_scenario *scenario, const char *path);

/* The hashes of the rasters, as in a snapshot. tell: a note for each file that has another one than
   in a snapshot. */
otok_status otok_sim_inputs(const char **out, otok_sim *sim);
otok_status otok_sim_tell_inputs(otok_sim *sim, const otok_snapshot *from);
otok_status otok_scenario_may_remove(const otok_scenario *scenario, const char *directory);

/* OTOK_NOMEM: the machine has too little memory left for the fields (of the CPU backend) and for
   `snapshots` checkpoints. Without this check the system would grant the memory, and kill the
   process later when it uses the memory. */
otok_status otok_scenario_fits(const otok_scenario *scenario, const otok_backend *backend,
                               int snapshots);

#endif
