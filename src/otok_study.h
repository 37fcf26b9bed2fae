/* otok_study.h: the public interface for parameter studies, and its manual. Include otok.h, which
   includes it and states the conventions. */
#ifndef OTOK_STUDY_API_H
#define OTOK_STUDY_API_H

#ifndef OTOK_H
#error "include otok.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A study varies parameters of one scenario by a design. Its file lists axes; see group `study` of
 * the table of parameters. */
typedef struct otok_study otok_study;

/* Reads and checks a study, its table, and the scenario of its first member. OTOK_DATA: the text
 * names file, line, key and remedy.
 */
otok_status otok_study_load(otok_study **out, const char *path);
void otok_study_destroy(otok_study *study);
int64_t otok_study_rows(const otok_study *study); /* members */
int otok_study_axes(const otok_study *study);     /* varied parameters */
enum { OTOK_VALUE_SIZE = 128 };

/* The value of an axis in a row, as text for "path=value". Numbers have 12 digits, so that they do
   not depend on the last bit of the C library's pow. */
void otok_study_value(const otok_study *study, int64_t row, int axis, char out[OTOK_VALUE_SIZE]);
const char *otok_study_axis(const otok_study *study,
                            int axis); /* its path; NULL outside 0..axes-1 */

/* The verdict on a member of a study, from good to bad. core/verdict.h has thresholds and reasons.
 */
typedef enum otok_verdict {
    OTOK_STABLE,
    OTOK_GROWING, /* the ground becomes rougher all the time, and no sign below explains it: one run
                     cannot tell whether this is physical */
    OTOK_NON_CONSERVATIVE, /* water or solids appear or vanish: by transport, by clamps, or
                              unexplained */
    OTOK_SPEED_LIMITED,    /* water crosses a cell an iteration, so speeds depend on dt */
    OTOK_CHATTERING, /* bounded, but the surface flips from cell to cell by as much as the water is
                        deep */
    OTOK_DIVERGED,   /* not finite, beyond 2^22 m, or ground steeper than any slope */
    OTOK_REFUSED,    /* the scenario is not valid with these values */
    /* OTOK_GROWING after reruns, see `monitor.rerun` */
    OTOK_GROWING_PHYSICAL, /* at the same rate with half the time step, and with half the cell size
                            */
    OTOK_GROWING_GRID, /* at the same rate with half the time step, at another with half the cell
                          size: growth without a length of its own, so that results depend on the
                          cell size */
    OTOK_GROWING_NUMERICAL, /* at another rate, or not at all, with half the time step */
    OTOK_VERDICTS
} otok_verdict;

const char *otok_verdict_name(otok_verdict verdict); /* "speed_limited"; "none" outside the list */

/* The diagnosis of a run, from at most 64 samples of its state, at least 200 iterations apart: the
   verdict that a study would give, and the deepest water where dt limits its depth. A sign that a
   sample shows first began after the sample before. -1: never, nowhere. */
struct otok_diagnosis {
    int64_t samples, since,
        until; /* samples were taken after iteration `since`, up to iteration `until` */
    otok_verdict verdict;
    int64_t after,
        first; /* its first sign: iterations of the sample before and of the first with it */
    int64_t cell_x, cell_y; /* where */
    double deepest,
        deepest_limit; /* water [m], and how deep dt allows it to be, 0: as deep as it likes; of the
                          sample where the one came nearest to the other */
    int64_t deepest_at; /* iteration of that sample */
    int64_t deep_after,
        deep_first; /* samples between which water became deeper than its limit, as above       */
};

typedef struct otok_study_progress {
    int64_t members, done, failed;   /* of this shard; done: with those of earlier runs */
    int64_t verdicts[OTOK_VERDICTS]; /* of the done ones */
    double seconds;                  /* since the run began */
    int64_t
        everywhere; /* results of this shard, of all processes that run it, as far as is known */
    int others;     /* processes that run it, besides this one                                  */
    double rate;    /* members a second, of all; 0: not known yet                               */
} otok_study_progress;

typedef struct otok_study_options {
    const char *directory; /* of journals and study.h5; made if missing */
    const char *backend; /* as for otok_sim_create; members run side by side, on the CPU one thread
                            each, on a GPU in slots   */
    int64_t shard,
        shards; /* 1 <= shard <= shards: only the members whose row modulo `shards` is shard - 1 */
    int64_t slots; /* members side by side on a GPU at most; 0: as many as its memory holds */
    int gpus;      /* that share the members; 0 and 1: one. All are alike      */
    int gpu;       /* the first of them       */
    int resume;    /* only what is not done; what failed stays failed. Joins processes that run the
                      study in this directory */
    int wait; /* until members are done that other processes have; runs those of a process that is
                 gone               */
    int only_failed; /* only what failed */
    int (*poll)(void *user, const otok_study_progress
                                *progress); /* after every member, by any thread, one at a time;
                                               OTOK_STOP_NOW begins no other member, and gives up
                                               those that are side by side on a GPU; may be NULL */
    void (*message)(
        void *user,
        const char *text); /* before members run side by side on a GPU: how many slots there are,
                          and their bytes; and afterwards where the time went; may be NULL */
    void *user;
} otok_study_options;

/* What study.h5 has. A block are rows that an analysis needs together: all of a Morris trajectory,
   all of a base row of Saltelli; other designs have one row a block. It is complete where every row
   has a state at its end: not those not run, failed, refused or diverged. */
enum { OTOK_MISSING_SHOWN = 16 };
typedef struct otok_merged {
    int64_t members, done;          /* how many there are, and have a result           */
    int64_t size, blocks, complete; /* rows of a block; blocks                         */
    int64_t missing;                /* rows that make blocks incomplete                */
    int64_t damaged;                /* places of journals that were left out           */
    char rows[1024];                /* the first of them: "5 (refused), 17 (diverged)" */
} otok_merged;

/* Runs the members of a study. Each result is appended to a journal at once,
   DIRECTORY/SHARD-of-SHARDS.journal for the first process and SHARD-of-SHARDS.N.journal for others,
   so no finished member is lost however the run ends. Any number of processes may run a study in
   one directory; each takes members that no other has, and members whose process is gone. A member
   whose run fails for lack of memory or device has a result too. The last process to leave writes
   study.h5 from all journals there, with the same bytes however often the run was stopped and
   whoever ran what. OTOK_STOPPED: ended early on request. OTOK_USAGE: the directory has a journal
   of this shard, and neither resume nor only_failed is set. OTOK_DATA: a journal is of another
   study. *merged, which may be NULL: what study.h5 has; members 0 where others go on. */
otok_status otok_study_run(const otok_study *study, const otok_study_options *options,
                           otok_merged *merged);

/* Writes DIRECTORY/study.h5 from all journals there. *merged, which may be NULL: what study.h5 has.
 */
otok_status otok_study_merge(const char *directory, otok_merged *merged);

/* The cost of a study. */
typedef struct otok_study_cost {
    int64_t members, checked; /* all; those that the rest is of: 4096 or fewer, evenly spread */
    int64_t refused;          /* for their values, of the checked ones          */
    double bytes;      /* the most that a member needs at once, its samples included, reruns not */
    double cell_steps; /* cells times iterations of all members, by the checked ones; reruns not */
} otok_study_cost;

otok_status otok_study_estimate(otok_study_cost *out, const otok_study *study);

/* The two values of an axis between which the verdict changes. */
typedef struct otok_verdict_edge {
    double inside,
        outside; /* the last value with the verdict of the axis' `from`, the first with another */
    otok_verdict inside_verdict, outside_verdict; /* of these two members */
    double inside_margin, outside_margin;         /* predicted for them         */
    int64_t members;                              /* that were run                              */
    int64_t violations; /* members beyond the edge with the verdict inside: the verdict is not
                           monotone along the axis */
} otok_verdict_edge;

/* Searches the edge along the only axis of a study with `from` and `to` (kind: grid; other axes
   have one value): `members` in each of the rounds, spread between the values that the round before
   left, in DIRECTORY/round1, round2, ... */
otok_status otok_study_edge(otok_verdict_edge *out, const otok_study *study,
                            const otok_study_options *options, int64_t members, int rounds);

/* The same along a ray: all axes with `from` and `to` go together from the one to the other, each
   in its scale; inside and outside are shares of the ray, and otok_study_ray_value gives an axis'
   value there. */
otok_status otok_study_ray(otok_verdict_edge *out, const otok_study *study,
                           const otok_study_options *options, int64_t members, int rounds);
void otok_study_ray_value(const otok_study *study, int axis, double share,
                          char out[OTOK_VALUE_SIZE]);

/* Axes with `from` and `to`: one has an edge, two a boundary. */
int otok_study_spans(const otok_study *study);

/* The line between stable and other members in the plane of two axes. */
typedef struct otok_boundary {
    int64_t members, stable; /* that were run; of these with the verdict stable */
    int64_t points,
        lines; /* of the boundary, each between a stable and another member; lines that they make */
    int64_t violations; /* lines of members along one axis on which stable and other members change
                           more than once */
    int rounds;
    char first_violation[512];
} otok_boundary;

enum { OTOK_BOUNDARY_LEVELS = 12 };

/* Runs the members of a study (kind: grid) with two axes that have `from` and `to`, others one
   value; then `levels` times halves the cells between members that differ, and those along them, in
   DIRECTORY/round1, round2, ... Writes members.csv (a column an axis, `stable` 0 or 1)
   and boundary.csv there. */
otok_status otok_study_boundary(otok_boundary *out, const otok_study *study,
                                const otok_study_options *options, int levels);

/* One member, for a tool that exchanges files with programs. */
typedef struct otok_driver_options {
    const char *scenario, *backend;
    const char *const *names; /* nnames times "name=path": how the file calls keys of the scenario;
                                 others are paths themselves */
    int nnames;
    int64_t every;    /* iterations between two samples of the detectors */
    int rerun;        /* as `monitor.rerun`                            */
    int results_json; /* 0 standard, 1 JSON; -1: as the parameters are */
} otok_driver_options;

/* Reads a parameters file (Dakota's formats standard, APREPRO, JSON), runs the member and writes
   the results file. OTOK_OK: it is written; *failed: it says "fail", and otok_why() why. */
otok_status otok_study_drive(const otok_driver_options *options, const char *parameters,
                             const char *results, int *failed);

#ifdef __cplusplus
}
#endif
#endif
