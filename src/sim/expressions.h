/* expressions.h: the values of expressions (scenario/expression.h) in a state. */
#ifndef OTOK_SIM_EXPRESSIONS_H
#define OTOK_SIM_EXPRESSIONS_H

#include "../io/checkpoint.h"
#include "../scenario/expression.h"
#include "../scenario/scenario.h"

/* The maps that an expression reads. */
typedef struct otok_cells {
    otok_grid grid;
    int wraps_x, wraps_y;       /* periodic sides */
    const unsigned char *walls; /* 1 in a cell without data; NULL: there are none */
    const float *const *maps;   /* by field, as otok_expression.maps counts */
} otok_cells;

/* expression_value.c. The sums are in a fixed order. Cells without a value are left out. */
otok_status otok_expression_value(double *out, const otok_expression *expression,
                                  const otok_cells *cells);

/* responses.c: the values of n responses in the present state of a simulation, and in a snapshot
   with a scenario. NaN: a map that one reads has a value that is not finite. OTOK_DATA: the state
   lacks a field; the text names the response. */
otok_status otok_responses_measure(double *out, const otok_response *list, int n, otok_sim *sim);
otok_status otok_responses_of_snapshot(double *out, const otok_response *list, int n,
                                       const otok_snapshot *snapshot);

/* Has the last state of a scenario the fields of a response? OTOK_DATA names one that it lacks. */
otok_status otok_response_check(const otok_response *response, const otok_scenario *scenario);

/* A map of the present state, NaN in walls. `field`: OTOK_FIELDS + i for a derived one. */
otok_status otok_sim_map(float *out, int field, otok_sim *sim);

#endif
