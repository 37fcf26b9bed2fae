/* refine.h: how far the result of a finished run depends on its time step and on its cell size,
   found out after the run: finer runs of the same simulated time are compared with it on its own
   cells. They write nothing. */
#ifndef OTOK_SIM_REFINE_H
#define OTOK_SIM_REFINE_H

#include "../scenario/twin.h"

/* The runs: the finished one; half the step; half the interval of the sweeps of waves, too, if the
   ground depends on them; the processes of an iteration in the other order; half the cells, steps
   and intervals; a quarter of all. */
enum {
    OTOK_REFINE_OWN,
    OTOK_REFINE_STEP,
    OTOK_REFINE_SWEEPS,
    OTOK_REFINE_REVERSED,
    OTOK_REFINE_CELLS,
    OTOK_REFINE_TWICE,
    OTOK_REFINE_RUNS
};

/* What is compared: volumes [m3], the flooded area [m2] (twin.h), the relief [m], and, cell by
   cell, depth and change [m], and the cells with rivers of incision (twin.h). */
enum {
    OTOK_REFINE_WATER,
    OTOK_REFINE_OUT,
    OTOK_REFINE_ERODED,
    OTOK_REFINE_DEPOSITED,
    OTOK_REFINE_FLOODED,
    OTOK_REFINE_RELIEF,
    OTOK_REFINE_DEPTH,
    OTOK_REFINE_CHANGE,
    OTOK_REFINE_RIVERS,
    OTOK_REFINE_FIGURES, /* then the responses of the scenario */
    OTOK_REFINE_ALL = OTOK_REFINE_FIGURES + OTOK_MAX_RESPONSES
};

/* The last run is made if it has at most so many cells, and so many cells times iterations: three
   minutes at 100 million cells a second. */
#define OTOK_REFINE_MOST_CELLS (INT64_C(1) << 22)
#define OTOK_REFINE_MOST_WORK 0x1p34
/* Runs that are farther apart than this share have little in common, and no order. */
#define OTOK_REFINE_MOST_APART 0.5

typedef struct otok_refinement {
    int done[OTOK_REFINE_RUNS], unneeded[OTOK_REFINE_RUNS];
    char why[OTOK_REFINE_RUNS][600]; /* why a run is not made, or has no figures; else "" */
    double values[OTOK_REFINE_ALL];  /* of the finished run; cell by cell: the mean size; rivers:
                                        their cells */
    double apart[OTOK_REFINE_ALL]    /* (finer - own) / |own|; of responses of 0: finer; cell by */
                [OTOK_REFINE_RUNS];  /* cell: mean difference by mean size; rivers:
                                        otok_twin_rivers_apart. NAN: nothing to compare */
    double order[OTOK_REFINE_FIGURES]; /* of convergence, from l, l/2 and l/4; NAN: none, as for
                                          volumes and relief */
} otok_refinement;

typedef struct otok_refine_options {
    const char *directory; /* of the finished run's checkpoints */
    const char *backend;   /* as for otok_sim_create */
    /* Called often, with the run and its iterations; if it does not return 0, the work stops. */
    int (*poll)(void *user, int run, int64_t done, int64_t iterations);
    void *user;
} otok_refine_options;

typedef struct otok_refine_run {
    const char *name;
    otok_halves halves;
} otok_refine_run;
extern const otok_refine_run otok_refine_runs[OTOK_REFINE_RUNS];

typedef struct otok_refine_figure {
    const char *name, *unit;
    int by_cell;
} otok_refine_figure;
extern const otok_refine_figure otok_refine_figures[OTOK_REFINE_FIGURES];

/* Fills `why` with the reasons that are known before anything runs. */
otok_status otok_refine_plan(otok_refinement *out, const otok_scenario *scenario);

/* Refines the run that ended with the newest checkpoint in the directory. OTOK_STOPPED: on request;
   `out` has the runs that are done. */
otok_status otok_refine(otok_refinement *out, const otok_scenario *scenario,
                        const otok_refine_options *options);

#endif
