/* otok_live.h: the public interface for programs that show a simulation and change its parameters
   while it runs, and its manual. Include otok.h, which includes it and states the conventions.

   A change acts from the next iteration on. It is recorded: the scenario of a checkpoint has a list
   `changes`, which a scenario may also have from the start. So `otok inspect --scenario` writes a
   file whose run replays the changed run bit for bit. */
#ifndef OTOK_LIVE_API_H
#define OTOK_LIVE_API_H

#ifndef OTOK_H
#error "include otok.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* As otok_sim_create, but the calling thread calls `stop` often while the base terrain is made. If
   it returns not 0, the work is given up and OTOK_STOPPED returned. */
otok_status otok_sim_create_until(otok_sim **out, const otok_scenario *scenario,
                                  const char *backend, int (*stop)(void *user), void *user);

/* A change that was made, or is scheduled. */
typedef struct otok_change {
    int64_t iteration; /* finished iterations when it was made: it acts from the next one on */
    const char *path;  /* "phases.erosion.hydraulic.capacity"  */
    const char
        *before; /* the values in one line of YAML; "off": a process that the phase did not have, */
    const char *after; /* or has no more; "null": a list or key that was not given */
} otok_change;

/* Changes a parameter of the current or a later phase; path and value are as for --set. A whole
   process may be set too: "phases.erosion.thermal" to "{talus: 35}" adds it, to "off" removes it.
   Changes of one number at the same iteration are one. OTOK_USAGE, OTOK_DATA: as for --set, or the
   value cannot change while a simulation runs. Only sea.level (the level from now on) and values of
   phases can change, and not those of finished phases, names, finished iterations, the number of
   droplets and rasters of rain, nor sea.level in a phase whose reef has a sea_history. On failure,
   also OTOK_NOMEM, nothing has changed. */
otok_status otok_sim_change(otok_sim *sim, const char *path, const char *value);

/* Pours water, as an additional river of the present phase; lengths in [m], discharge in [m^3/s]. A
   further call moves it or changes its discharge; discharge 0 removes it. It is a change of
   `rivers` like any other: the ledger books it as a river, and it is recorded. */
otok_status otok_sim_pour(otok_sim *sim, double x, double y, double radius, double discharge);

/* All changes in the order of iterations, those already made first; NULL outside 0..count-1. Valid
 * until the next change. */
int otok_sim_changes(const otok_sim *sim);
const otok_change *otok_sim_change_at(const otok_sim *sim, int i);

/* The scenario with the present values and without scheduled changes, for otok_predict and for
   display. It belongs to the simulation and is valid until its next change, run or load. */
const otok_scenario *otok_sim_scenario(const otok_sim *sim);

/* Iterations of all phases once all changes are made. */
int64_t otok_sim_end(const otok_sim *sim);

/* The phase of the next iteration, counted from 0; the last one at the end; -1 where there is none.
 */
int otok_sim_phase_index(const otok_sim *sim);

/* ---- for viewers ---- */

/* Every field of one cell, the derived ones too; NAN where it is not part of this simulation. */
otok_status otok_sim_cell(otok_sim *sim, int64_t i, int64_t j, float values[OTOK_FIELDS]);

/* Copies a field within the device into a texture of the OpenGL context that is current in this
   thread: R32F, nx by ny, row 0 first. ends: its least and greatest value, or NULL. OTOK_USAGE: the
   simulation is not on OpenGL's device, or the field is a layer's thickness; otok_sim_get can. */
otok_status otok_sim_show(otok_sim *sim, otok_field field, unsigned texture, float ends[2]);

/* The scenario's text in a checkpoint, with the changes that were made on the way. */
const char *otok_checkpoint_scenario(const otok_checkpoint *checkpoint);

/* An independent copy of a scenario, for example to start again with the present values. */
otok_status otok_scenario_copy(otok_scenario **out, const otok_scenario *scenario);

/* The name of a layer of the ground, top down; NULL: there is none. */
const char *otok_scenario_layer(const otok_scenario *scenario, int layer);

/* Does the phase have this process ("rain", "hydraulic", "thermal", "seabed", "droplets", "reef",
 * "rivers")? */
int otok_scenario_has_process(const otok_scenario *scenario, int phase, const char *process);

/* The value of a number, choice (its index) or switch (0, 1) of a phase, or the table's default if
   the phase does not have the process. NAN for all other parameters. */
double otok_scenario_value(const otok_scenario *scenario, int phase,
                           const otok_parameter *parameter);

#ifdef __cplusplus
}
#endif
#endif
