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

/* A study varies parameters of one scenario by a design. Its file lists the axes, one for each
   varied parameter (group `study` of the table of parameters), and its rows are the members. */
typedef struct otok_study otok_study;

/* Reads and checks a study, its table, and the scenario of its first member. OTOK_DATA: the text
   names file, line, key and remedy. */
otok_status otok_study_load(otok_study **out, const char *path);
void otok_study_destroy(otok_study *study);
int64_t otok_study_rows(const otok_study *study); /* members */
int otok_study_axes(const otok_study *study);     /* varied parameters */

/* The path of an axis; NULL outside 0..axes-1. */
const char *otok_study_axis(const otok_study *study, int axis);

/* The value of an axis in a row, as text for "path=value". Numbers have 12 digits, so that they do
   not depend on the last bit of the C library's pow. "": there is no such row or axis. */
enum { OTOK_VALUE_SIZE = 128 };
void otok_study_value(const otok_study *study, int64_t row, int axis, char out[OTOK_VALUE_SIZE]);

/* The verdict on a member of a study, from good to bad. core/verdict.h has thresholds and reasons.
   A sign in a few cells counts: no mean dilutes it. The three of growth replace OTOK_GROWING after
   reruns (`monitor.rerun`). A member that is not audited runs again with half the step, which makes
   it stable or step_dependent. */
typedef enum otok_verdict {
    OTOK_STABLE,
    OTOK_GROWING, /* the ground becomes rougher all the time, without a sign listed below; one run
                     cannot tell whether that is physical */
    OTOK_STEP_DEPENDENT,   /* with half the time step the same state goes on otherwise */
    OTOK_SPEED_LIMITED,    /* water crosses a cell in one iteration, so speeds depend on dt */
    OTOK_NON_CONSERVATIVE, /* water or solids appear or vanish: in transport, by clamps, or
                              unexplained */
    OTOK_CHATTERING, /* bounded, but the surface flips between neighbouring cells by as much as
                        the water is deep */
    OTOK_ROLLING,    /* steep waves in water that is faster than local inertia allows */
    OTOK_RUINED,     /* single cells of ground stand far above or below all their neighbours */
    OTOK_DIVERGED,   /* not finite, beyond 2^22 m, or ground steeper than any slope */
    OTOK_REFUSED,    /* the scenario is not valid with these values */
    OTOK_GROWING_PHYSICAL, /* the same rate with half the time step and with half the cell size */
    OTOK_GROWING_GRID,     /* the same rate with half the time step, another rate with half the cell
                              size: the growth has no length of its own, and results depend on the
                              cell size */
    OTOK_GROWING_NUMERICAL, /* another rate with half the time step, or no growth */
    OTOK_NOT_AUDITED, /* no sign listed above, but no window of the audit showed what happened */
    OTOK_VERDICTS
} otok_verdict;

const char *otok_verdict_name(otok_verdict verdict); /* "speed_limited"; "none" outside the list */

/* The share of a verdict (otok_diagnosis) in words, such as "of the wet cells", or ""; its meaning;
   and one line about what to do, "" if nothing is to be done. All are "" outside the list. */
typedef struct otok_verdict_words {
    const char *share, *meaning, *remedy;
} otok_verdict_words;
const otok_verdict_words *otok_verdict_about(otok_verdict verdict);

/* One line about what to do for this run; "": nothing. */
struct otok_diagnosis;
const char *otok_diagnosis_remedy(const struct otok_diagnosis *diagnosis, size_t size);
#define otok_diagnosis_remedy(diagnosis) otok_diagnosis_remedy(diagnosis, sizeof(otok_diagnosis))

/* The diagnosis of a run: the verdict that a study would give, and the deepest water compared with
   what dt allows. It comes from at most 64 samples of the state, at least 200 iterations apart. A
   sign that a sample shows first began after the sample before. -1: never, or nowhere. */
struct otok_diagnosis {
    int64_t samples;      /* their number */
    int64_t since, until; /* they were taken after iteration `since`, up to iteration `until` */
    otok_verdict verdict;
    int64_t after, first;   /* iterations of the samples before and with its first sign */
    int64_t cell_x, cell_y; /* the worst cell of the sample that shows it most */
    int64_t cells;          /* how many cells show it there; -1: it is not counted in cells */
    double share; /* likewise, of the wet cells, of the water beyond the limit (rolling), of all
                     cells (ruined), of the mass (non_conservative); growing: how many times
                     rougher the ground became; 0: none */
    double audit_speed, audit_ground, audit_sediment; /* how much the speed of water, the changes of
                      the ground and the sediment change with half the time step, as shares; NAN:
                      not audited */
    double audit_sweeps; /* how much the changes of the ground change, cell by cell, with half the
                            interval of the sweeps of waves too; NAN: no such waves */
    double slow;    /* the largest margin of the limits whose breach no window of the audit can show
                       (otok_predict_slow); beyond 1 the run is step_dependent */
    double texture; /* how much the ground that slides of law share leave depends on the step, over
                       its bound; likewise */
    double broken;  /* the largest margin of the limits that are known before the run */
    double doubt;   /* the largest of the audit's figures and of these, over its bound: above 1 the
                       run is step_dependent. From 0.1 to 8 / proof a run with half the step may
                       say otherwise. NAN: a worse verdict holds, or growing */
    double proof;   /* the audit's figures may reach this share of their bounds; 1: nothing is known
                       to depend on the step; 0.1: a limit is broken; 0.25: the water is in pipes of
                       constant area */
    double deepest, deepest_limit;  /* depth of water and the limit of dt [m] in the sample where
                                       they came closest; limit 0: any depth */
    int64_t deepest_at;             /* iteration of that sample */
    int64_t deep_after, deep_first; /* iterations of the samples before and with the first water
                                       deeper than its limit */
    int64_t lost_kind;    /* non_conservative: what the ledger books as lost beyond its bound: 0
                             nothing; rounding, of the ground that moved from cell to cell (1); what
                             the scenario says of rain (2), rivers (3) or uplift (4) and what came;
                             sediment that nothing explains, of the most that water carried (5);
                             after maps were set or lent: solids (6) or water (7), of all;
                             water that displace_water made, of all that came (8) */
    double lost, lost_of; /* how much more there is [m^3], of how much */
    int64_t uncompared; /* what it has and no window compares: where rivers of incision are (1), its
                           responses (2) */
    int64_t water;      /* of its phases: bits OTOK_WATER_... */
    int64_t unseen; /* not_audited: why: no window fitted (1); the step is beyond a limit (2), if
                       only in water that was too deep for a time (3); the strongest moment was
                       in no window (4), nor was water (5), ground that moves (6) or two sweeps
                       of the waves (7) */
    int64_t unseen_at, iterations; /* 4: the iteration at the end of that moment, and of the run */
    int64_t movers; /* what moves its ground, as a sum: hydraulic (1), thermal (2), reef (4), wind
                       (8), incision (16), droplets (32); 0: unknown */
    double audit_rivers; /* the share of the cells that drain to another one with half the step, at
                            the ends of windows; NAN: no rivers of incision */
};

/* Water in pipes of constant area; with friction; with steps that follow it. */
enum { OTOK_WATER_PLAIN = 1, OTOK_WATER_FRICTION = 2, OTOK_WATER_COURANT = 4 };

/* The lines that `otok run` ends with: the verdict, what to do, the audit, the deepest water; ""
   without samples. Returns `out`. */
enum { OTOK_DIAGNOSIS_SIZE = 2048 };
char *otok_diagnosis_text(const otok_diagnosis *diagnosis, char out[OTOK_DIAGNOSIS_SIZE],
                          size_t size);
#define otok_diagnosis_text(diagnosis, out)                                                        \
    otok_diagnosis_text(diagnosis, out, sizeof(otok_diagnosis))

/* Watches a simulation from its next iteration on, with the samples and the audit of otok_run. The
   state keeps its bits; the audit needs memory for a second state, or is left out. Values that the
   caller sets within a window of the audit end that window, and otok_sim_change ends the audit; in
   the ledger they count as errors. otok_sim_save writes the diagnosis, otok_sim_load continues it.
 */
otok_status otok_sim_watch(otok_sim *sim);

/* The diagnosis so far, with a sample of the present state; samples 0: no iteration was run. At the
   end of the scenario it is that of otok_run. OTOK_USAGE: nobody watches the simulation. */
otok_status otok_sim_diagnose(otok_sim *sim, otok_diagnosis *out, size_t size);
#define otok_sim_diagnose(sim, out) otok_sim_diagnose(sim, out, sizeof(otok_diagnosis))

/* The value of an expression in the present state, such as "area(reef > 0.5) / area(1)": the
   language of the key `responses` (src/docs/responses.md). NaN: no cell has a value, or a field
   that it reads is not finite. OTOK_DATA: the text names the column and the nearest known name, or
   the field that the state lacks. */
otok_status otok_sim_response(otok_sim *sim, const char *expression, double *out);

/* The form of an island with a reef, a verdict beside the numerical one. It is the most frequent
   form along 64 azimuths; src/docs/islands.md has the rules. */
typedef enum otok_form {
    OTOK_FRINGING,
    OTOK_BARRIER,
    OTOK_ATOLL,
    OTOK_PLATFORM,
    OTOK_SUBMERGED,
    OTOK_DROWNED,
    OTOK_BARE,
    OTOK_FORMS
} otok_form;

const char *otok_form_name(otok_form form); /* "fringing"; "none" outside the list */

typedef struct otok_island {
    int64_t form;             /* otok_form; -1: no land and no reef, or values that are not finite.
                                 All numbers are NAN then */
    double share, continuity; /* of the azimuths: with this form, with a rim */
    double rim_depth;         /* median over the azimuths with a rim [m]; NAN: none has */
    double lagoon_depth, lagoon_width;        /* likewise, with a lagoon [m] */
    double land_share;                        /* of the cells */
    double drowned_terraces, raised_terraces; /* medians over the azimuths */
    double shares[OTOK_FORMS];                /* of the azimuths, by form */
} otok_island;

/* The form in maps of the ground and of the thickness of the reef [m]; `walls` (may be NULL) is not
   0 in cells without data, `sea` is the level of the sea [m]. */
otok_status otok_island_of(otok_island *out, otok_grid grid, double sea, const float *terrain,
                           const float *reef, const unsigned char *walls, size_t size);
#define otok_island_of(out, grid, sea, terrain, reef, walls)                                       \
    otok_island_of(out, grid, sea, terrain, reef, walls, sizeof(otok_island))

/* The same, of a checkpoint; OTOK_DATA: it lacks the field reef. */
otok_status otok_checkpoint_island(otok_island *out, const otok_checkpoint *checkpoint,
                                   size_t size);
#define otok_checkpoint_island(out, checkpoint)                                                    \
    otok_checkpoint_island(out, checkpoint, sizeof(otok_island))

typedef struct otok_study_progress {
    int64_t members, done, failed; /* of this shard; `done` includes those of earlier runs */
    int64_t again;                 /* how many ran again with half the step */
    double seconds;                /* since the run began */
    int64_t everywhere; /* results of this shard by all its processes, as far as is known */
    int others;         /* other processes that run this shard */
    double rate;        /* members/s of all processes; 0: not known yet */
    int64_t verdicts[OTOK_VERDICTS]; /* how many of the done members have each verdict */
} otok_study_progress;

typedef struct otok_study_options {
    const char *directory; /* of journals and study.h5; made if missing */
    const char *backend;   /* as for otok_sim_create. Members run side by side: on the CPU with one
                              thread each, on a GPU in slots */
    int64_t shard,
        shards;      /* 1 <= shard <= shards: runs the members with row % shards == shard - 1 */
    int64_t slots;   /* the most members side by side on a GPU; 0: as many as keep it busy */
    int gpus;        /* GPUs of one kind that share the members; 0 means 1 */
    int gpu;         /* the first of them */
    int resume;      /* run what is not done, beside other processes that run the study in this
                        directory; failed members stay failed */
    int wait;        /* wait until the members of other processes are done, and run those of
                        processes that died */
    int only_failed; /* run failed members only */

    /* Called after every member, by any thread, one at a time; may be NULL. If it returns
       OTOK_STOP_NOW, no other member starts, and those that run side by side on a GPU are given up.
     */
    int (*poll)(void *user, const otok_study_progress *progress);

    /* Called before members run side by side on a GPU, with the number of slots and their bytes,
       and afterwards, with the time that each part took; may be NULL. */
    void (*message)(void *user, const char *text);
    void *user;
} otok_study_options;

/* The contents of study.h5. A block is the rows that an analysis needs together: a Morris
   trajectory, or a base row of Saltelli with its variations. Other designs have one row a block. A
   block is complete if every row has a state at its end. A row that was not run, failed, was
   refused or diverged makes its block incomplete. */
enum { OTOK_MISSING_SHOWN = 16 };
typedef struct otok_merged {
    int64_t members, done;          /* all; those with a result */
    int64_t size, blocks, complete; /* rows of a block; blocks; complete blocks */
    int64_t missing;                /* rows that make blocks incomplete */
    int64_t damaged;                /* damaged parts of journals, which were left out */
    char rows[1024];                /* the first missing rows: "5 (refused), 17 (diverged)" */
} otok_merged;

/* Runs the members of a study. Each result is at once appended to a journal, so no finished member
   is lost however the run ends. The journal is DIRECTORY/SHARD-of-SHARDS.journal for the first
   process and SHARD-of-SHARDS.N.journal for others. Any number of processes may run a study in one
   directory: each takes members that no other has, and those of dead processes. A member that fails
   for lack of memory or of a device has a result too. The last process to leave writes study.h5
   from all journals in the directory. Its bytes do not depend on stops or on who ran what.
   OTOK_STOPPED: ended early on request. OTOK_USAGE: the directory has a journal of this shard, and
   neither `resume` nor `only_failed` is set. OTOK_DATA: a journal is of another study. *merged (may
   be NULL) receives the contents of study.h5; merged->members is 0 if other processes go on. */
otok_status otok_study_run(const otok_study *study, const otok_study_options *options,
                           otok_merged *merged, size_t size, size_t merged_size);
#define otok_study_run(study, options, merged)                                                     \
    otok_study_run(study, options, merged, sizeof(otok_study_options), sizeof(otok_merged))

/* The notes of the first member (otok_scenario_notes); none if its values are refused, which is a
   result of the study. */
otok_status otok_study_notes(const otok_study *study, void (*note)(void *user, const char *text),
                             void *user);

/* Writes DIRECTORY/study.h5 from all journals there. *merged (may be NULL) receives its contents.
 */
otok_status otok_study_merge(const char *directory, otok_merged *merged, size_t size);
#define otok_study_merge(directory, merged) otok_study_merge(directory, merged, sizeof(otok_merged))

/* The cost of a study without reruns and second runs with half the step, estimated by checking its
 * members. */
typedef struct otok_study_cost {
    int64_t members, checked; /* all; those checked: at most 4096, evenly spread */
    int64_t refused;          /* of the checked ones, for their values */
    double bytes;             /* the most that a member needs at once, with its samples */
    double kept;              /* the most that the kept maps need in study.h5 */
    double cell_steps;        /* cells times iterations of all members, estimated from those */
} otok_study_cost;

otok_status otok_study_estimate(otok_study_cost *out, const otok_study *study, size_t size);
#define otok_study_estimate(out, study) otok_study_estimate(out, study, sizeof(otok_study_cost))

/* The two values of an axis between which the verdict changes. */
typedef struct otok_verdict_edge {
    double inside,
        outside; /* last value with the verdict of the axis' `from`; first with another */
    otok_verdict inside_verdict, outside_verdict; /* of these two members */
    double inside_margin, outside_margin;         /* predicted for them */
    int64_t members;                              /* how many were run */
    int64_t violations; /* members beyond the edge with the inside verdict; if above 0, the verdict
                           is not monotone along the axis */
    double inside_value, outside_value; /* of the response whose level the study's key `inside` has:
                                           then the edge is where the values pass it, whatever the
                                           verdicts are; NAN: there is no such key */
} otok_verdict_edge;

/* Searches for the edge along the only axis of a study with `from` and `to` (kind: grid; other axes
   have one value). Each round runs `members` members, spread between the two values that the round
   before found, in DIRECTORY/round1, round2, ... Writes members.csv (a row a member) and edge.csv
   (a row each for inside and outside) to DIRECTORY. */
otok_status otok_study_edge(otok_verdict_edge *out, const otok_study *study,
                            const otok_study_options *options, int64_t members, int rounds,
                            size_t size, size_t options_size);
#define otok_study_edge(out, study, options, members, rounds)                                      \
    otok_study_edge(out, study, options, members, rounds, sizeof(otok_verdict_edge),               \
                    sizeof(otok_study_options))

/* The same along a ray: all axes with `from` and `to` move together, each in its scale. inside and
   outside are shares of the ray; otok_study_ray_value converts a share to the value of an axis, ""
   if there is no such axis. */
otok_status otok_study_ray(otok_verdict_edge *out, const otok_study *study,
                           const otok_study_options *options, int64_t members, int rounds,
                           size_t size, size_t options_size);
#define otok_study_ray(out, study, options, members, rounds)                                       \
    otok_study_ray(out, study, options, members, rounds, sizeof(otok_verdict_edge),                \
                   sizeof(otok_study_options))
void otok_study_ray_value(const otok_study *study, int axis, double share,
                          char out[OTOK_VALUE_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
