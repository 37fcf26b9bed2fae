/* expressions.h: the values of expressions (scenario/expression.h) in a state. */
#ifndef OTOK_SIM_EXPRESSIONS_H
#define OTOK_SIM_EXPRESSIONS_H

#include "../io/checkpoint.h"
#include "../scenario/expression.h"
#include "../scenario/scenario.h"

/* The maps that an expression reads. */
typedef struct otok_cells {
    otok_grid grid;
    int wraps_x, wraps_y;          /* periodic sides */
    const unsigned char *walls;    /* 1 in a cell without data; NULL: there are none */
    const float *const *maps;      /* by field, as otok_expression.maps counts */
    const otok_scenario *scenario; /* with the gauges */
} otok_cells;

/* expression_section.c: the value of DISCHARGE or HEAD. OTOK_DATA: a cross section is not among the
   gauges of the scenario. */
otok_status otok_expression_check(const otok_expression *expression, const otok_scenario *scenario);
otok_status otok_expression_section(double *out, const otok_expression *expression,
                                    const otok_operation *op, const otok_cells *cells);

/* expression_value.c. The sums are in a fixed order. Cells without a value are left out. */
otok_status otok_expression_value(double *out, const otok_expression *expression,
                                  const otok_cells *cells);

/* A quantile of n values, of which NaN are left out; linear between the values next to it, as
   numpy.quantile. It sorts them in part. NAN: there is no value. */
double otok_quantile(double *values, int64_t n, double share);

/* responses.c: the maps of a state. Each is copied from the backend, or derived, once: when it is
   first asked for. */
typedef struct otok_state otok_state;

/* The present state of a simulation, which does not run on before otok_state_end. A backend that
   copies many fields at once faster copies `fields` here, to `room` for as many maps (in memory of
   the backend's `host` the fastest), or to malloc's memory. */
otok_status otok_state_of(otok_state **out, otok_sim *sim, uint64_t fields, float *room);
void otok_state_end(otok_state *state); /* accepts NULL */

/* A map, of any value in walls. `field`: OTOK_FIELDS + i for a derived one. OTOK_DATA: the state
   lacks it, or what it derives from. */
otok_status otok_state_map(const float **map, otok_state *state, int field);
const unsigned char *otok_state_walls(const otok_state *state); /* as otok_cells.walls */

/* The values of n responses in a state. NaN: a map that one reads has a value that is not finite.
   OTOK_DATA: the state lacks a field; the text names the response. The same in the present state of
   a simulation, and in a snapshot with a scenario. */
otok_status otok_state_responses(double *out, const otok_response *list, int n, otok_state *state);
/* The share by which one of the responses, whose values are `own`, changes if rivers have just
   given their cells the water of an iteration. Depths are those between two inflows: in cells of
   rivers they grow by as much at most while the step falls to 0. The state holds that water
   then. */
otok_status otok_state_fed(double *most, const double *own, const otok_response *list, int n,
                           otok_state *state);
otok_status otok_responses_measure(double *out, const otok_response *list, int n, otok_sim *sim);
otok_status otok_responses_of_snapshot(double *out, const otok_response *list, int n,
                                       const otok_snapshot *snapshot);

/* The fields of a simulation that a map, or a response, is made of. */
uint64_t otok_map_reads(int field);
uint64_t otok_response_reads(const otok_response *response);

/* Has the last state of a scenario the fields of a response? OTOK_DATA names one that it lacks. */
otok_status otok_response_check(const otok_response *response, const otok_scenario *scenario);

#endif
