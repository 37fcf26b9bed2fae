/* otok_predict.h: the public interface for what can be known of a scenario before it runs: the
   limits of its stability, and what a run costs. Include otok.h, which includes it and states the
   conventions. */
#ifndef OTOK_PREDICT_API_H
#define OTOK_PREDICT_API_H

#ifndef OTOK_H
#error "include otok.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- stability ---- */

/* Where a limit comes from: a theorem about the scheme, an experiment, or an estimate from a worst
   case or a linearised model. */
typedef enum otok_certainty { OTOK_PROVEN, OTOK_MEASURED, OTOK_HEURISTIC } otok_certainty;

/* What the limits know of the ground and its water at iteration 0. NAN: not known. */
enum { OTOK_SITE_HEIGHTS = 256, OTOK_SITE_MAPS = 64 };
typedef struct otok_site {
    int64_t cells; /* that were read; 0: none, and `why` says why */
    double slope,
        slope_90;       /* along the fall line: mean, and what 90 % of the cells do not exceed */
    double slope_most;  /* steepest face between two cells */
    double erodibility; /* the largest; of layers too */
    double water, water_mean; /* deepest water at a face, mean depth of wet cells [m]; 0: dry */
    double surface;           /* mean slope of the water's surface */
    double hollow;      /* depth of the deepest hollow below its outlet [m]; INFINITY: most of the
                           ground has no outlet; 0: there is none */
    double hollow_rain; /* water on the ground that drains into it that fills it [m] */
    double lowest[4];   /* the lowest ground at the left, right, bottom and top side [m] */
    double heights[OTOK_SITE_HEIGHTS]; /* of equal numbers of cells, from low to high [m] */
    double maps[OTOK_SITE_MAPS][2];    /* the least and the greatest value of each parameter that is
                                          a map, in the order of phases */
    char why[256];
    double held; /* the deepest water under a level of rivers, of all phases [m] */
} otok_site;

/* Makes the state at iteration 0 on the CPU and reads it, if the grid has at most 2^20 cells. */
void otok_site_read(otok_site *out, const otok_scenario *scenario, size_t size);
#define otok_site_read(out, scenario) otok_site_read(out, scenario, sizeof(otok_site))

/* One limit of one phase. It is kept if value <= bound. */
typedef struct otok_limit {
    const char *name;   /* "water waves" */
    const char *symbol; /* "S = dt^2 A g / l^3" */
    int phase;
    otok_certainty certainty;
    double value, bound; /* NAN: a remark without a number, see `text` */
    double dt;      /* the largest time step of this process that keeps the limit [s]; NAN: none
                       does, or the limit does not depend on it */
    char text[256]; /* what happens beyond it, and what to do */
    char read[192]; /* what `value` was estimated from; "": the phase's parameters alone */
    int is_slow; /* beyond it the result depends on dt by what adds up over the whole run, so that
                    the windows of the audit are too short to show it; known of the first phase,
                    whose ground is read */
    const char *group; /* the process whose time step `dt` is; "": that of the clock of the phase */
    double now;        /* that step at present [s]; 0: it has none, or chooses it by itself */
} otok_limit;

enum { OTOK_LIMITS = 32 }; /* the most of a phase */

/* Fills `out` with the limits of a phase and returns their number. Without a site (NULL), the
   limits that need one are left out. */
int otok_predict(otok_limit out[OTOK_LIMITS], const otok_scenario *scenario, int phase,
                 const otok_site *site, size_t size, size_t site_size);
#define otok_predict(out, scenario, phase, site)                                                   \
    otok_predict(out, scenario, phase, site, sizeof(otok_limit), sizeof(otok_site))

/* value / bound; 0 for a remark. */
double otok_limit_margin(const otok_limit *limit);

/* The proven or measured limit with the largest margin of all phases. Heuristic ones only warn.
   Returns 0 if there is none. */
int otok_predict_binding(otok_limit *out, const otok_scenario *scenario, const otok_site *site,
                         size_t size, size_t site_size);
#define otok_predict_binding(out, scenario, site)                                                  \
    otok_predict_binding(out, scenario, site, sizeof(otok_limit), sizeof(otok_site))

/* The limit that asks for the smallest time step of a group of a phase (otok_limit), heuristic ones
   too; its `dt` is the largest step that keeps all of them. Returns 0 if no limit depends on it. */
int otok_predict_dt(otok_limit *out, const otok_scenario *scenario, int phase, const char *group,
                    const otok_site *site, size_t size, size_t site_size);
#define otok_predict_dt(out, scenario, phase, group, site)                                         \
    otok_predict_dt(out, scenario, phase, group, site, sizeof(otok_limit), sizeof(otok_site))

/* The largest margin of the slow limits (otok_limit) of all phases, and the name of that limit; 0:
   none has one. */
double otok_predict_slow(const char **name, const otok_scenario *scenario, const otok_site *site,
                         size_t site_size);
#define otok_predict_slow(name, scenario, site)                                                    \
    otok_predict_slow(name, scenario, site, sizeof(otok_site))

/* The same of the proven and measured limits of the time step that need no site. */
double otok_predict_step(const char **name, const otok_scenario *scenario);

/* All limits as a JSON array; every checkpoint has it, without a site. The caller frees it; NULL:
   no memory. */
char *otok_predict_text(const otok_scenario *scenario, const otok_site *site, size_t site_size);
#define otok_predict_text(scenario, site) otok_predict_text(scenario, site, sizeof(otok_site))

/* The notes of otok_sim_note_at for a scenario that is not run, on the CPU; none if its grid has
   more than 2^20 cells, or lattices of its base more than 2^22 points. Failures are those of
   otok_sim_create. */
otok_status otok_scenario_notes(const otok_scenario *scenario,
                                void (*note)(void *user, const char *text), void *user);

/* A line for each series of values over time: points, span, least and greatest value, amount in the
   phase, and the units that its file does not tell. */
void otok_scenario_forcings(const otok_scenario *scenario,
                            void (*say)(void *user, const char *text), void *user);

/* ---- cost ---- */

/* What a run needs. The times are extrapolated from the generators and a few iterations of every
   phase, which are run on at most 512 x 512 cells of the backend. */
typedef struct otok_estimate {
    size_t device_bytes;          /* of the fields */
    size_t base_bytes;            /* more, while the base terrain is made */
    size_t checkpoint_bytes;      /* of one checkpoint, before compression */
    int64_t checkpoints;          /* written */
    double seconds, base_seconds; /* of the run; of the base terrain [s] */
    char device[256];
} otok_estimate;
otok_status otok_run_estimate(otok_estimate *out, const otok_scenario *scenario,
                              const char *backend, size_t size);
#define otok_run_estimate(out, scenario, backend)                                                  \
    otok_run_estimate(out, scenario, backend, sizeof(otok_estimate))

/* Times `repeats` runs of `iterations` iterations of a scenario's first phase, after a first run
   from iteration 0 that is not counted, and a copy of memory on the same device. Times are by the
   device's own clock where it has one. */
typedef struct otok_bench {
    double seconds;        /* of `iterations`: median of the repeats */
    double fastest;        /* of `iterations`: least of the repeats */
    double cell_steps;     /* cell updates/s, from the median */
    double bytes_per_cell; /* that an iteration moves, each input and output of a kernel counted
                              once; 0: the fields stay on chip */
    double copy_rate;      /* bytes read and written by a large copy [1/s] */
    uint64_t fingerprint;  /* after the first `iterations` */
    char strategy[32];     /* "plain", or a faster one with the same bits */
    char device[256];
} otok_bench;
/* 1..4096 iterations, at most as many as the phase has; 1..101 repeats. Else OTOK_USAGE. */
otok_status otok_bench_run(otok_bench *out, const otok_scenario *scenario, const char *backend,
                           int iterations, int repeats, size_t size);
#define otok_bench_run(out, scenario, backend, iterations, repeats)                                \
    otok_bench_run(out, scenario, backend, iterations, repeats, sizeof(otok_bench))

#ifdef __cplusplus
}
#endif
#endif
