/* program.h: a phase becomes the list of stages, halos and swaps of one iteration. */
#ifndef OTOK_PROGRAM_H
#define OTOK_PROGRAM_H

#include "../core/state.h"
#include "../model/coefficients.h"
#include "scenario.h"

/* How a process adds its part of an iteration. */
typedef struct otok_builder {
    otok_program *program;
    int periodic; /* some side wraps: then even zeros outside must be renewed */
    int overflow;
} otok_builder;
void otok_program_add(otok_builder *builder, int kind, int first, int second);
void otok_program_stage(otok_builder *builder, otok_stage stage);
void otok_program_halo(otok_builder *builder, int buffer, otok_halo mode);
void otok_program_swap(otok_builder *builder, int one, int other);

/* The program of one iteration of `phase` on a grid with these edges (otok_edge by otok_side).
 * OTOK_DATA: too many sweeps. */
otok_status otok_program_for_phase(otok_program *out, const otok_phase *phase, const int *edges);

/* Does its water come from a rain map or from rivers, and not from even rain alone? */
int otok_phase_has_springs(const otok_phase *phase);

/* Do its droplets start by the rain map? */
int otok_phase_has_starts(const otok_phase *phase);

/* Has a process a stage that knows no ground in layers? */
typedef struct otok_process otok_process;
int otok_process_refuses_layers(const otok_process *process, const otok_phase *phase);

/* Makes the program of a phase one over a ground in layers or of varying erodibility. OTOK_DATA: it
 * becomes too long. */
otok_status otok_program_layer(otok_program *program, const char *phase);

/* Bits of the buffers that a program reads or writes; those of a ground's layers and its
 * erodibility are otok_scenario_ground's. */
uint64_t otok_program_buffers(const otok_program *program);

/* Bytes a cell that one iteration moves if every stage reads each of its inputs and writes each of
 * its outputs once. */
int otok_program_bytes(const otok_program *program);

/* The numbers that a phase's cell functions need (double, rounded once). */
void otok_coefficients_for_phase(otok_coefficients *out, const otok_phase *phase, double spacing);

/* With area: depth, waves are stable on water up to this depth [m]; else 0. */
double otok_depth_limit(const otok_hydraulic *hydraulic, otok_grid grid);

/* The layers' part of a phase's numbers. */
void otok_coefficients_for_layers(otok_coefficients *out, const otok_scenario *scenario,
                                  const otok_phase *phase);

#endif
