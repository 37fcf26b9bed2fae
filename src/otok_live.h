/* otok_live.h: the part of the public interface for those who watch a simulation and change its parameters while it runs, and its
   manual. Include otok.h, which includes it; the conventions are told there.

   A change acts from the next iteration on. It is recorded: a checkpoint's scenario has a list `changes`, which a scenario may also
   have from the start, so that `otok inspect --scenario` gives a file whose run repeats the changed one bit for bit. */
#ifndef OTOK_LIVE_API_H
#define OTOK_LIVE_API_H

#ifndef OTOK_H
#error "include otok.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* As otok_sim_create, but asks `stop` all the time while the base terrain is made, by the calling thread: not 0 gives it up, and
   OTOK_STOPPED is returned. */
otok_status otok_sim_create_until(otok_sim **out, const otok_scenario *scenario, const char *backend, int (*stop)(void *user),
                                  void *user);

/* A change that was made, or is scheduled. */
typedef struct otok_change {
    int64_t iteration;  /* finished iterations when it was made: it acts from the next one on            */
    const char *path;   /* "phases.erosion.hydraulic.capacity"                                           */
    const char *before; /* the values in one line of YAML; "off": a process that the phase did not have, */
    const char *after;  /* or has no more; "null": a list or key that was not given                      */
} otok_change;

/* Changes a parameter of the current or a later phase; path and value are as for --set. A whole process may be set too:
   "phases.erosion.thermal" to "{talus: 35}" adds it, to "off" takes it away. Changes of one number at the same iteration are one.
   OTOK_USAGE, OTOK_DATA: what --set would say, or it is of what cannot change while a simulation runs: all but phases, phases that
   are over, names, iterations that are done, the number of droplets, rasters of rain. Nothing changed then, as with OTOK_NOMEM. */
otok_status otok_sim_change(otok_sim *sim, const char *path, const char *value);

/* Water put by hand: as if one river more flowed in the present phase, in [m] and [m^3/s]; again: it moves, or brings as much as is
   said last; discharge 0 takes it away. It is a change of `rivers` like any other: booked in the ledger with them, and recorded. */
otok_status otok_sim_pour(otok_sim *sim, double x, double y, double radius, double discharge);

/* Changes in the order of iterations, those made first; NULL outside 0..count-1. Valid until the next change. */
int otok_sim_changes(const otok_sim *sim);
const otok_change *otok_sim_change_at(const otok_sim *sim, int i);

/* The scenario with the values of now, without changes to come: for otok_predict, and to look at. The simulation's, until its next
   change, run or load. */
const otok_scenario *otok_sim_scenario(const otok_sim *sim);

/* Iterations of all phases once all changes are made. */
int64_t otok_sim_end(const otok_sim *sim);

/* The phase of the next iteration, counted from 0; the last one at the end; -1 where there is none. */
int otok_sim_phase_index(const otok_sim *sim);

/* ---- what a viewer looks at besides ---- */

/* Every field of one cell, the derived ones too; NAN where it is not part of this simulation. */
otok_status otok_sim_cell(otok_sim *sim, int64_t i, int64_t j, float values[OTOK_FIELDS]);

/* Copies a field within the device into a texture of the OpenGL context that is current in this thread: R32F, nx by ny, row 0
   first. ends: its least and greatest value, or NULL. OTOK_USAGE: the simulation is not on OpenGL's device, or the field is a
   layer's thickness; otok_sim_get can. */
otok_status otok_sim_show(otok_sim *sim, otok_field field, unsigned texture, float ends[2]);

/* The scenario's text in a checkpoint, with the changes that were made on the way. */
const char *otok_checkpoint_scenario(const otok_checkpoint *checkpoint);

/* A scenario of one's own with the same values, such as those of now to begin anew with. */
otok_status otok_scenario_copy(otok_scenario **out, const otok_scenario *scenario);

/* The name of a layer of the ground, top down; NULL: there is none. */
const char *otok_scenario_layer(const otok_scenario *scenario, int layer);

/* Has the phase this process ("rain", "hydraulic", "thermal", "seabed", "droplets", "reef", "rivers")? */
int otok_scenario_has_process(const otok_scenario *scenario, int phase, const char *process);

/* The value of a number, choice (its index) or switch (0, 1) of a phase, with the table's default where the phase has not got the
   process; NAN for what is none of these or no parameter of phases. */
double otok_scenario_value(const otok_scenario *scenario, int phase, const otok_parameter *parameter);

#ifdef __cplusplus
}
#endif
#endif
