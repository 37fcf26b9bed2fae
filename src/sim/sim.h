/* sim.h: the inside of a simulation, for the parts of the library that save and drive it. */
#ifndef OTOK_SIM_H
#define OTOK_SIM_H

#include "../core/backend.h"
#include "../io/checkpoint.h"
#include "../scenario/program.h"
#include "springs.h"

enum { OTOK_SEGMENT = 4096 }; /* iterations whose schedule is handed to a backend at once */

struct otok_sim {
    const otok_scenario *root;     /* as it was given                                    */
    const otok_scenario *scenario; /* with the changes that were made; otherwise root    */
    otok_scenario *own;            /* the same where it was changed, NULL otherwise      */
    otok_change *changes;          /* by iterations: the `made` ones, then those to come */
    int nchanges, made, pouring;   /* pouring: 1 + the phase whose last river is otok_sim_pour's */
    int64_t end;                   /* iterations of all phases once all changes are made */
    const otok_backend *backend;
    char device[256];
    otok_patch patch;
    uint64_t buffers;                /* bits of the buffers that exist                */
    uint64_t fields;                 /* bits of the state fields among them           */
    uint64_t root_fields;            /* of them those of iteration 0                  */
    otok_program *programs;          /* one a phase                                   */
    otok_coefficients *coefficients; /* one a phase                                   */
    double base_seconds;             /* that the base terrain took                    */
    otok_springs springs;            /* water that is not even rain                   */
    int64_t iteration;
    int is_opened;                         /* the stocks below are known                    */
    otok_sum water_start, solid_start;     /* stocks at iteration 0                         */
    otok_sum layer_start[OTOK_MAX_LAYERS]; /* likewise, see otok_layer_ledger           */
    double rain_nominal, rivers_nominal;   /* see otok_ledger                               */
    otok_step steps[OTOK_SEGMENT];
    int started; /* of these steps, since the backend was waited for; the next ones come after them */
    otok_georeference georeference; /* of the base's first raster that has one       */
    int64_t filled;                 /* cells without data in the base's rasters, ... */
    int64_t raster_cells;           /* ... of so many                            */
    char *parent;                   /* path of the checkpoint continued from, or NULL */
};

/* A state at iteration 0 that lies ready in a slot of an ensemble, for all simulations that begin
 * alike. */
typedef struct otok_initial_state {
    char *key; /* equal for scenarios with the same bits at iteration 0; malloc */
    int slot;
    otok_sum water, solid, layers[OTOK_MAX_LAYERS];
} otok_initial_state;

otok_status otok_initial_state_key(char **key, const otok_scenario *scenario);

/* A simulation in a slot of an ensemble, to be run by it: its state is copied from an initial
 * state, or with NULL made anew. */
otok_status otok_sim_create_in_slot(otok_sim **out, const otok_scenario *scenario,
                                    const otok_backend *backend, void *ensemble, int slot,
                                    const otok_initial_state *initial);

/* Prepares the next iterations, at most n and at most OTOK_SEGMENT, of one phase: their steps are
   in sim->steps from `started` on, and the phase has been entered. *length 0: the scenario is at its end. They count
   as done after otok_sim_pass. */
otok_status otok_sim_prepare(otok_sim *sim, int64_t n, int *phase, int *length);
void otok_sim_pass(otok_sim *sim, int length);

/* Fills a snapshot whose maps exist (its `has` says which) with the present state, ledger and
   provenance. Strings of the snapshot are replaced. The maps may be on their way while the
   simulation runs on, and the terrain is not among them: otok_snapshot_complete. */
otok_status otok_sim_snapshot(otok_sim *sim, otok_snapshot *out);

/* The fields that a checkpoint of this simulation can hold: what a restart needs, also after
   changes to come, and those that the scenario asks for. */
uint64_t otok_sim_snapshot_fields(const otok_sim *sim);

/* ground.c: erodibility, initial maps, and layers by their thickness for now; the base is anything
 * after it. */
otok_status otok_sim_ground(otok_sim *sim);
/* Puts the layers under the ground as it is: thicknesses become bottoms. */
otok_status otok_sim_lay(otok_sim *sim);
/* The layers of a snapshot in their place, found by name. OTOK_DATA: it has some of them only. */
otok_status otok_sim_take_layers(otok_sim *sim, const otok_snapshot *from, int *found);
otok_status otok_sim_thickness(otok_sim *sim, int layer, float *map);
/* Before TERRAIN_CHANGE becomes 0: the layers keep their thicknesses. */
otok_status otok_sim_lift_layers(otok_sim *sim);

/* Makes the base of `scenario`, a pipeline of the simulation's own, into TERRAIN_BASE. */
otok_status otok_sim_evaluate(otok_sim *sim, const otok_scenario *scenario,
                              otok_georeference *georeference, double *seconds);

/* Continues from a snapshot; `path` is where it was read from. */
otok_status otok_sim_restore(otok_sim *sim, const otok_snapshot *snapshot, const char *path);

/* Sets the flow in the pipes from four maps in the order of otok_side (NULL: 0), or with given =
   NULL from the present ones, to what a phase with this kind of pipes wants; pipes.c.
   otok_sim_enter does so where iterations of this phase begin and those before had the other kind.
 */
otok_status otok_sim_set_pipes(otok_sim *sim, float *const *given, int kind);
otok_status otok_sim_enter(otok_sim *sim, int phase);

/* live.c: the programs and numbers of a scenario's phases; the changes that are due at the present
   iteration; iterations until the next one; another list of changes, none of them made; iteration n
   as if run to, the state's values aside. */
otok_status otok_sim_set_programs(otok_sim *sim, const otok_scenario *scenario);
otok_status otok_sim_apply_due_changes(otok_sim *sim);
int64_t otok_sim_until_change(const otok_sim *sim);
otok_status otok_sim_schedule_changes(otok_sim *sim, const otok_change *changes, int n);
otok_status otok_sim_replay(otok_sim *sim, int64_t n);

/* Carbon everywhere as the scenario's first reef begins with it. */
otok_status otok_sim_initial_carbon(otok_sim *sim, const otok_scenario *scenario);

/* The books from what a sample found, those of layers aside. */
void otok_sim_balance(const otok_sim *sim, const otok_diagnostics_result *found,
                      otok_ledger *ledger);

/* Takes the present stocks as those of iteration 0. */
otok_status otok_sim_open_ledger(otok_sim *sim);

/* Fields that no phase computes and that the scenario's initial file brings: they are kept as they
   are and saved with the rest, so that a landscape keeps its road. Bits; 0 without an initial file.
 */
otok_status otok_scenario_carried(const otok_scenario *scenario, uint64_t *fields);
#define OTOK_CARRIED                                                                               \
    (UINT64_C(1) << OTOK_ROAD | UINT64_C(1) << OTOK_ROAD_HEIGHT | UINT64_C(1) << OTOK_ERODIBILITY)

/* The command line of this process, for provenance; see otok_command_set. */
const char *otok_command(void);

/* The bookings of all ranks (OTOK_SUMS). */
otok_status otok_sim_sums(otok_sim *sim, otok_sum *out);

/* The buffers that a simulation of it has once all changes are made: bits. */
otok_status otok_scenario_all_buffers(uint64_t *out, const otok_scenario *scenario);

/* Bytes of the fields in a backend, and of a checkpoint before compression. */
otok_status otok_scenario_bytes(const otok_scenario *scenario, const otok_backend *backend,
                                uint64_t *fields, uint64_t *checkpoint);

/* estimate_base.c: bytes that are taken besides while base terrain, layers and erodibility are
   made, and the time of that [s]; rasters aside, found by making small ones. And a pipeline as
   costly to a phase, but cheap and small to make: no raster, few faults, lattices of at most
   `levels`; NULL: no memory. */
otok_status otok_base_bytes(const otok_scenario *scenario, uint64_t *bytes);

/* What the plan of a base terrain has to do, and the memory for it; fits.c. */
typedef struct otok_base_work {
    double points, cells; /* to fill; to evaluate */
    uint64_t bytes;
} otok_base_work;

otok_status otok_base_work_of(otok_base_work *out, const otok_scenario *scenario);

otok_grid
otok_grid_small(otok_grid grid,
                int64_t side); /* side x side cells at most in all, as many as there are across */
otok_status otok_base_seconds(const otok_scenario *scenario, const char *backend, double *seconds);
otok_generator *otok_base_small(const otok_generator *list, int n, int64_t levels, int64_t faults);
void otok_base_small_destroy(otok_generator *list, int n);

/* OTOK_NOMEM where the machine has no room left for the fields (those of the CPU backend) and for
   `snapshots` checkpoints: without this the system would hand the memory out and kill the process
   later, when it is used. */
otok_status otok_scenario_fits(const otok_scenario *scenario, const otok_backend *backend,
                               int snapshots);

#endif
