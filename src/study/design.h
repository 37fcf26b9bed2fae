/* design.h: the parameter values of the members of a study. Row i is a pure function of the design
   and i, so that any shard can make its rows alone and a row never changes. Axes are numbers in [0,
   1] here; study.h maps them to values. */
#ifndef OTOK_DESIGN_H
#define OTOK_DESIGN_H

#include <stdint.h>

enum { OTOK_SOBOL_DIMENSIONS = 64, OTOK_MAX_AXES = 32 };

typedef enum otok_design_kind {
    OTOK_DESIGN_GRID,   /* every combination; the last axis changes fastest   */
    OTOK_DESIGN_LHS,    /* latin hypercube (McKay et al. 1979)    */
    OTOK_DESIGN_SOBOL,  /* the sequence itself  */
    OTOK_DESIGN_MORRIS, /* trajectories of naxes + 1 rows (Morris 1991), jumps of half the levels */
    OTOK_DESIGN_SALTELLI, /* for every base row: A, A with each column of B, (B with each column of
                             A,) B; the order of SALib */
    OTOK_DESIGN_LIST      /* rows of a table, which are not made here */
} otok_design_kind;

typedef struct otok_design {
    int kind; /* otok_design_kind */
    int naxes;
    uint64_t seed;
    int64_t points[OTOK_MAX_AXES]; /* grid: points along each axis, >= 1 */
    int64_t rows;                  /* lhs, sobol                                       */
    int64_t base;                  /* saltelli: base rows, naxes <= 32                 */
    int64_t trajectories, levels;  /* morris: levels is even                           */
    int second_order;              /* saltelli: also B with each column of A */
    int scramble;                  /* sobol, saltelli: a random digital shift per axis */
} otok_design;

/* The number of rows; -1: more than 2^53. */
int64_t otok_design_rows(const otok_design *design);

/* The number of rows that an analysis needs together: those of a trajectory (Morris) or of a base
   row (Saltelli); 1 in other designs. */
int64_t otok_design_block(const otok_design *design);

/* Row 0 <= i < rows as one number in [0, 1] for each axis. Not for LIST. */
void otok_design_row(const otok_design *design, int64_t i, double *out);

/* Point `index` < 2^32 of one dimension of the Sobol sequence, as a fraction of 2^32. */
uint32_t otok_sobol(uint64_t index, int dimension);

#endif
