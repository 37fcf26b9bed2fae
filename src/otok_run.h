/* otok_run.h: the public interface of whole runs, as `otok run` makes them. Include otok.h, which
   includes it and states the conventions. */
#ifndef OTOK_RUN_API_H
#define OTOK_RUN_API_H

#ifndef OTOK_H
#error "include otok.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What `poll` may return: one of these, or the last two together. */
enum { OTOK_GO_ON = 0, OTOK_CHECKPOINT_NOW = 1, OTOK_STOP_NOW = 2 };

typedef struct otok_diagnosis otok_diagnosis; /* otok_study.h */

typedef struct otok_progress {
    int64_t iteration, iterations; /* finished, and how many there are */
    const char *phase;             /* of the next iteration */
    double seconds;                /* since the run began */
    double rate;                   /* iterations/s, lately */
    double cells;                  /* of the grid */
    const otok_ledger *ledger; /* of the newest checkpoint; NULL while the base terrain is made */
    uint64_t fingerprint;      /* of the newest checkpoint */
    const char *checkpoint;    /* path just handed to the writer; NULL between checkpoints */
    const char *note;  /* for the user, such as a damaged checkpoint that was skipped; else NULL */
    const char *costs; /* the time that checkpoints took, and how rows went between ranks, once at
                          the end; else NULL */
    const otok_diagnosis *diagnosis; /* from the samples so far */
    int64_t filled, raster_cells;    /* cells that `fill` gave a height; all of the rasters */
    int64_t walls;                   /* cells of the grid without data */
    const double *responses; /* once at the end: values of the scenario's responses, in their order;
                                else NULL */
} otok_progress;

typedef struct otok_run_options {
    const char *directory; /* of the checkpoints; made if missing */
    const char *backend;   /* as for otok_sim_create */
    int resume;         /* continue from the newest valid checkpoint, or start if there is none */
    int overwrite;      /* first remove checkpoints of an earlier run of this scenario */
    double max_seconds; /* stop with a checkpoint before this time has passed; 0: no limit */
    int (*poll)(void *user, const otok_progress *progress); /* called often; may be NULL */
    void *user;
} otok_run_options;

/* Runs a scenario to its end. A thread writes checkpoints DIRECTORY/STEM_ITERATION.vtkhdf
   meanwhile, as the scenario's `output` says. OTOK_STOPPED: the run ended early on request, after a
   checkpoint. OTOK_USAGE: the directory holds checkpoints, and neither `resume` nor `overwrite` is
   set. OTOK_DATA: a value is not finite (the last finite checkpoint stays), or no checkpoint to
   resume from is valid. OTOK_NOMEM: the machine has too little free memory; nothing was written. */
otok_status otok_run(const otok_scenario *scenario, const otok_run_options *options, size_t size);
#define otok_run(scenario, options) otok_run(scenario, options, sizeof(otok_run_options))

/* The place of a simulation's grid, as its checkpoints have it. Cell i along an axis has its centre
   at start + (i + 1/2) step. A grid without a place has metres from its lower left corner. */
typedef struct otok_axis_about {
    double start, step;
    const char *units, *standard_name, *long_name;
} otok_axis_about;
void otok_sim_axis(otok_axis_about *out, const otok_sim *sim, char axis); /* 'x' or 'y' */

/* The coordinate system as WKT; "": it is unknown; NULL: the grid has no place. */
const char *otok_sim_crs(const otok_sim *sim);

/* Fills a map [ny][nx] with 1 in cells without data and 0 elsewhere. Returns how many there are. */
int64_t otok_sim_no_data(const otok_sim *sim, unsigned char *map);

#ifdef __cplusplus
}
#endif

#endif
