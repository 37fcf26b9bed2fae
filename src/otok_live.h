/* otok_live.h: the public interface for programs that show a simulation and change its parameters
   while it runs, and its manual. Include otok.h, which includes it and states the conventions.

   A change acts from the next iteration on. It is recorded in the list `changes` of the scenario in
   every checkpoint. A scenario may also have that list from the start, so `otok inspect --scenario`
   writes a file that replays a changed run bit for bit. */
#ifndef OTOK_LIVE_API_H
#define OTOK_LIVE_API_H

#ifndef OTOK_H
#error "include otok.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* As otok_sim_create. While the base terrain is made, the calling thread often calls `stop`, unless
   that is NULL. If `stop` does not return 0, the work is given up: OTOK_STOPPED. */
otok_status otok_sim_create_until(otok_sim **out, const otok_scenario *scenario,
                                  const char *backend, int (*stop)(void *user), void *user);

/* A change that was made, or is scheduled. */
typedef struct otok_change {
    int64_t iteration; /* finished iterations when it acts: it acts from the next one on */
    const char *path;  /* "phases.erosion.hydraulic.capacity" */

    /* The values in one line of YAML. "off" is a process that the phase does not have, "null" a
       list or key that is not given. */
    const char *before, *after;
} otok_change;

/* Changes a parameter of the current or a later phase. path and value are as for --set. A whole
   process may be set too: "phases.erosion.thermal" to "{talus: 35}" adds it, "off" removes it. If
   one number is changed several times at one iteration, only the last change is kept.
   Only values of phases and sea.level (from now on) can change. These cannot: finished phases,
   names, finished iterations, the number of droplets, rasters of rain, and sea.level in a phase
   whose reef has a sea_history. OTOK_USAGE, OTOK_DATA: as for --set, or the value cannot change.
   After a failure, OTOK_NOMEM included, nothing has changed. */
otok_status otok_sim_change(otok_sim *sim, const char *path, const char *value);

/* Pours water, as an additional river of the current phase. Lengths are in [m], the discharge in
   [m^3/s]. The next call moves that river or changes its discharge; discharge 0 removes it. It is
   recorded as a change of `rivers`, and the ledger books it as a river. */
otok_status otok_sim_pour(otok_sim *sim, double x, double y, double radius, double discharge);

/* All changes, made and scheduled, in the order of iterations: their number, and each of them. `at`
   returns NULL outside 0..number-1. What it returns is valid until the next change. */
int otok_sim_changes(const otok_sim *sim);
const otok_change *otok_sim_change_at(const otok_sim *sim, int i);

/* The scenario with the present values and without scheduled changes, for otok_predict and display.
   It belongs to the simulation and is valid until its next change, run or load. */
const otok_scenario *otok_sim_scenario(const otok_sim *sim);

/* The number of iterations of all phases, with all changes made. */
int64_t otok_sim_end(const otok_sim *sim);

/* The phase of the next iteration, from 0; the last one at the end; -1: there is no phase. */
int otok_sim_phase_index(const otok_sim *sim);

/* ---- for viewers ---- */

/* All fields of cell (i, j), also the derived ones; NAN for a field that this simulation lacks.
   OTOK_USAGE: the cell lies outside the grid. */
otok_status otok_sim_cell(otok_sim *sim, int64_t i, int64_t j, float values[OTOK_FIELDS]);

/* Copies a field within the device into a texture of the OpenGL context that is current in this
   thread: R32F, nx by ny, row 0 first. ends receives its least and greatest value; it may be NULL.
   OTOK_USAGE: the simulation is not on OpenGL's device, or the field is a layer's thickness. Use
   otok_sim_get then. */
otok_status otok_sim_show(otok_sim *sim, otok_field field, unsigned texture, float ends[2]);

/* Stands before and after several calls of otok_sim_show, which then take the device less time:
   call it with begins = 1, show the fields, and call it with begins = 0. Between the two OpenGL
   must not use the textures. OTOK_USAGE: as otok_sim_show. */
otok_status otok_sim_show_together(otok_sim *sim, int begins);

/* The scenario's text in a checkpoint, with the changes that its run made. */
const char *otok_checkpoint_scenario(const otok_checkpoint *checkpoint);

/* Can otok_checkpoint_derive make a derived field? Otherwise the text tells what is missing. */
otok_status otok_checkpoint_check(const otok_checkpoint *checkpoint, int field);

/* Copies a scenario. The caller destroys the copy. */
otok_status otok_scenario_copy(otok_scenario **out, const otok_scenario *scenario);

/* The name of a layer of the ground, counted from the top; NULL: there is no such layer. */
const char *otok_scenario_layer(const otok_scenario *scenario, int layer);

/* Whether a phase has a process: "rain", "hydraulic", "thermal", "seabed", "droplets", "reef",
   "rivers", ... */
int otok_scenario_has_process(const otok_scenario *scenario, int phase, const char *process);

/* The value of a number, choice (its index) or switch (0, 1) of a phase, or its default if the
   phase does not have the process. NAN for other parameters. */
double otok_scenario_value(const otok_scenario *scenario, int phase,
                           const otok_parameter *parameter);

#ifdef __cplusplus
}
#endif
#endif
