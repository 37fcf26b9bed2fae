/* study.h: a parameter study: one scenario with some parameters varied by a design. This is plain
   data and its reading; other files run it. */
#ifndef OTOK_STUDY_H
#define OTOK_STUDY_H

#include "../core/units.h"
#include "../otok.h"
#include "../scenario/scenario_items.h"
#include "design.h"

/* One varied parameter. */
typedef struct otok_axis {
    char path[OTOK_TEXT_SIZE]; /* as for --set */
    double from, to;
    int scale; /* 0 linear, 1 log */
    int nvalues;
    char (*values)[OTOK_VALUE_SIZE]; /* used instead of from and to; or a column of the table */
    const otok_parameter
        *parameter; /* the parameter at the end of the path; NULL: not in the table */
} otok_axis;

/* Maps of the members in study.h5: each field at each moment (keep.h). */
enum { OTOK_MAX_KEPT = 32, OTOK_KEEP_WKT = 4096 };
#define OTOK_KEEP_LAST INT64_MAX
typedef struct otok_keep {
    int64_t nfields, nmoments, coarsen; /* coarsen: cells on a side of a square that become one */
    int64_t fields[OTOK_MAX_KEPT];      /* OTOK_FIELDS + i: a derived one */
    int64_t moments[OTOK_MAX_KEPT];     /* iterations, ascending; OTOK_KEEP_LAST: at the end */
    otok_grid grid;                     /* of the members */
    double corner[4]; /* west, north, width and height of their cells on Earth; all 0: no place */
    char wkt[OTOK_KEEP_WKT]; /* their system; "": unknown, or longer */
} otok_keep;

/* Members that run again with half the step: those in doubt; none; also those that are not. */
enum { OTOK_HALF_DOUBTFUL, OTOK_HALF_NEVER, OTOK_HALF_ALL };

struct otok_study {
    char *path, *directory, *stem;
    char scenario[OTOK_TEXT_SIZE],
        table[OTOK_TEXT_SIZE]; /* resolved paths; `table` is for `kind: list` */
    char *text; /* text of the scenario's file, `size` bytes; it is read once, so that all members
                   have the same */
    size_t size;
    int64_t seed, every;
    int rerun; /* growing members are run again with half the time step, and with half the cell size
                  too */
    int half_step; /* which members run again with half the step: OTOK_HALF_... */
    otok_keep keep;
    int nresponses;
    otok_response *responses;    /* those of the study, then others of the scenario */
    char inside[OTOK_TEXT_SIZE]; /* the level that `otok edge` looks for; "": verdicts */
    struct otok_level {
        int response, above, equal; /* which: > or >=, else < or <= */
        double value;
    } level;
    double duration; /* [s]; 0: the iterations of the scenario */
    otok_design design;
    int naxes;
    otok_axis axes[OTOK_MAX_AXES];
};

/* Reads the table of `kind: list` into the axes. */
otok_status otok_study_table(otok_study *study);

/* The value at u in [0, 1] of an axis with from and to. */
void otok_axis_value(const otok_axis *axis, double u, char out[OTOK_VALUE_SIZE]);

/* A study of kind: list with the axes of another: axes with from and to at the u that `place` gives
   for each row, other axes at their first value. It shares the rest with the other study.
   otok_study_unlist frees its own part, after a failure too. */
otok_status otok_study_listed(otok_study *out, const otok_study *study, int64_t rows,
                              void (*place)(void *user, int64_t row, double u[OTOK_MAX_AXES]),
                              void *user);
void otok_study_unlist(otok_study *study);

/* Converts a value with a unit to the number in the parameter's unit. Returns NULL, or the reason
   of a failure. */
const char *otok_axis_drop_unit(const otok_axis *axis, char value[OTOK_VALUE_SIZE],
                                char why[OTOK_UNIT_WHY]);

/* The scenario of a row. OTOK_DATA: the values of the row are refused; the text says why. If the
   study varies no step of water, the steps follow the state in phases of a law that converges,
   unless they have a `courant`. */
#define OTOK_STUDY_COURANT 0.7
otok_status otok_study_member(otok_scenario **out, const otok_study *study, int64_t row);

/* The number of phases where they do so, in the first member that has some, and their paths. */
int otok_study_follows(const otok_study *study, char *paths, size_t size);

#endif
