/* hydraulic.h: what the files of hydraulic erosion share. */
#ifndef OTOK_HYDRAULIC_H
#define OTOK_HYDRAULIC_H

#include "process.h"

/* Does the phase have friction that depends on the flow across a pipe? */
int otok_hydraulic_has_vector(const otok_hydraulic *hydraulic);

/* Is its law shallow_water? */
int otok_hydraulic_is_shallow(const otok_hydraulic *hydraulic);

/* Has it `bed_steps: critical`: the bound of critical.h? */
int otok_hydraulic_has_steps(const otok_hydraulic *hydraulic);

/* Its sediment capacity, accelerated by the morphological factor. */
double otok_hydraulic_capacity(const otok_hydraulic *hydraulic);

/* Adds its stages to an iteration. */
void otok_hydraulic_program(otok_builder *out, const otok_phase *phase, const int *edges);

/* Adds its limits. */
void otok_hydraulic_predict(otok_limits *to, const otok_phase *phase, otok_grid grid);

#endif
