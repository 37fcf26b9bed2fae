/* program.h: a phase becomes the list of stages, halos and swaps of one iteration. */
#ifndef OTOK_PROGRAM_H
#define OTOK_PROGRAM_H

#include "../core/state.h"
#include "../model/coefficients.h"
#include "scenario.h"

static inline int64_t otok_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

#ifdef __cplusplus
extern "C" {
#endif

/* How a process adds its part of an iteration. */
typedef struct otok_builder {
    otok_program *program;
    int periodic; /* some side wraps; then even the zeros outside must be renewed */
    int overflow;
    int holds;      /* sides that are a base level stay where they are */
    otok_set given; /* buffers that are there: the maps of the phase, the ground in layers */
} otok_builder;
void otok_program_add(otok_builder *builder, int kind, int first, int second);
void otok_program_stage(otok_builder *builder, otok_stage stage);
void otok_program_halo(otok_builder *builder, int buffer, otok_halo mode);
void otok_program_swap(otok_builder *builder, int one, int other);

/* A stage that moves solid between cells (FLUX in stages.def): the ghosts of what it reads, walls
   for the ground, the cell beside for what is given, and 0 for the rest; the stage, after which
   held sides stay, and the ground after it. */
void otok_program_flux(otok_builder *builder, otok_stage stage);

/* The program of one iteration of `phase` on a grid with these edges (otok_edge by otok_side).
 * OTOK_DATA: too many sweeps. */
otok_status otok_program_for_phase(otok_program *out, const otok_phase *phase, const int *edges);

/* The order of the processes in an iteration, of all of them: that of processes.def, or, in a phase
   that is `reversed`, the other way round. What one process hands to another within an iteration
   keeps its way: water with what rain, infiltration and sides do to it; waves before all that they
   move; rivers before the reef on which their sediment falls. */
void otok_phase_order(int *order, const otok_phase *phase);

/* Is the order of a phase another one when it is reversed? */
int otok_scenario_reverses(const otok_scenario *scenario);

/* Does the water of the phase come from a map of rain or from rivers, and not from uniform rain
   alone? */
int otok_phase_has_springs(const otok_phase *phase);

/* Do its steps of water follow the state (hydraulic.courant)? */
enum { OTOK_FINEST_STEPS = 1024 }; /* the most in an iteration, a power of two */
int otok_phase_has_courant(const otok_phase *phase);

/* Has the phase waves, and a process that they change the ground by? */
int otok_phase_has_working_waves(const otok_phase *phase);

/* May they, under a law of water that converges as steps shrink? The phase says neither. */
int otok_phase_may_have_courant(const otok_phase *phase);

/* Does a phase say what is beyond an open side; has the side water in its ghosts, for a level, a
   discharge, or walls beside an open part? The cells of that part, from `first` to before `end`,
   and its width [m]. The last: has any side water in its ghosts? */
int otok_side_is_given(const otok_phase *phase, int side);
int otok_side_has_ghosts(const otok_phase *phase, int side);
void otok_side_part(int *first, int *end, const otok_phase *phase, int side, otok_grid grid);
double otok_side_width(const otok_phase *phase, int side, otok_grid grid);
int otok_phase_has_levels(const otok_phase *phase);

/* Does a river of the phase bring volumes of its own in each step? */
int otok_phase_has_hydrographs(const otok_phase *phase);

/* Do the droplets of the phase start by the map of rain? */
int otok_phase_has_starts(const otok_phase *phase);

/* Does the process have a stage that cannot work over a ground in layers? */
typedef struct otok_process otok_process;
int otok_process_refuses_layers(const otok_process *process, const otok_phase *phase);

/* Replaces the stages of a program by those over a ground in layers or of varying erodibility, with
   these fields (otok_scenario_ground). OTOK_DATA: the program becomes too long. */
void otok_program_beside(otok_builder *builder, otok_stage stage);
otok_status otok_program_layer(otok_program *program, uint64_t ground, const char *phase);

/* The buffers that a program reads or writes. */
otok_set otok_program_buffers(const otok_program *program);

/* What it reads or writes, and those of its phase's maps that it reads. */
otok_set otok_program_all(const otok_program *program, const otok_phase *phase);

/* Bytes a cell that one iteration moves, without global stages, if every stage reads each of its
 * inputs and writes each of its outputs once. */
int otok_program_bytes(const otok_program *program);

/* The coefficients of a phase for the cell functions, computed in double and rounded once. */
void otok_coefficients_for_phase(otok_coefficients *out, const otok_phase *phase, double spacing);

/* With area: depth, waves are stable on water up to this depth [m]; else 0. */
double otok_depth_limit(const otok_hydraulic *hydraulic, otok_grid grid);

/* The part of these coefficients that belongs to the layers. */
void otok_coefficients_for_layers(otok_coefficients *out, const otok_scenario *scenario,
                                  const otok_phase *phase);

#ifdef __cplusplus
}
#endif

#endif
