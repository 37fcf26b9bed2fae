/* backend.h: the interface of a backend. A backend owns the memory of one patch and runs
   programs over it. It knows neither scenarios nor files. The table in backend.c lists the
   backends by name. A backend may have several strategies for a program, which give the same
   bits: "cuda" takes the fastest, "cuda:NAME" takes that one wherever it can. */
#ifndef OTOK_BACKEND_H
#define OTOK_BACKEND_H

#include "../model/coefficients.h"
#include "../model/plan.h"
#include "diagnostics.h"
#include "state.h"

/* The summary of one field by otok_backend.measure. It holds integers only, so order does not
   matter. */
typedef struct otok_field_summary {
    otok_sum sum;
    uint64_t fingerprint;
    int64_t not_finite;
} otok_field_summary;

/* A patch: its view (a host copy whose pointers are the backend's) and what else the backend
   needs. */
typedef struct otok_patch {
    otok_view view;
    int edges[4];            /* otok_edge by otok_side, of the whole grid */
    int64_t seed;            /* of the scenario, for processes that draw random numbers */
    int droplets;            /* the most in a batch; 0: no droplets, and no memory for them */
    int (*stop)(void *user); /* called by the calling thread while the base terrain is made; not 0:
                                give up; may be NULL */
    void *user;
    void *own;      /* the backend's */
    void *ensemble; /* NULL: the patch has its own memory; otherwise it lies in `slot` of this
                       ensemble */
    int slot;
} otok_patch;

/* Which water of a job is kept for the sample that follows: that before its last step, or before
   its first one, if later jobs of the same iteration come before the sample. */
enum otok_keeps { OTOK_KEEPS_NONE, OTOK_KEEPS_LAST, OTOK_KEEPS_FIRST };

/* What one patch of an ensemble is to run. */
typedef struct otok_job {
    otok_patch *patch;
    const otok_program *program;
    const otok_coefficients *k;
    const otok_step *steps;
    int nsteps;
    int keep; /* enum otok_keeps */
} otok_job;

/* A run and its twin, and the sums of their comparison (audit.h). */
typedef struct otok_twins otok_twins;
typedef struct otok_audit_sums otok_audit_sums;

/* The diagnostics of one patch. */
typedef struct otok_diagnostics_result {
    otok_diagnostics diagnostics;
    otok_sum water, sediment, change, base; /* stocks */
    int64_t not_finite;
    uint64_t fingerprint; /* if it was requested */
    otok_sum sums[OTOK_SUMS];
} otok_diagnostics_result;

/* A request for the diagnostics of one patch, which is a whole grid. */
typedef struct otok_diagnostics_request {
    const otok_patch *patch;    /* of an ensemble */
    otok_diagnostics_maps maps; /* the backend sets pitch and pointers */
    uint64_t fields;            /* bits: what not_finite and fingerprint are of */
    int prints;                 /* the fingerprint is requested */
    otok_diagnostics_result found;
} otok_diagnostics_request;

/* The times of an ensemble since it was made [s]. By the device's clock: its runs and its
   samples, with other work on the device meanwhile, and how long the device was idle before
   them. By the host's clock: how long the host waited. */
typedef struct otok_cycle_times {
    int64_t cycles;
    double ran, diagnosed, idle, waited;
} otok_cycle_times;

/* An ensemble: many patches of one size and one set of buffers in one allocation, which run and
   are sampled together. Each gives the same bits as alone. `run` and `time` of its backend do
   not apply to it. */
typedef struct otok_ensembles {
    /* The bytes of a slot, and the number of slots that memory now allows. `like` has the size. */
    otok_status (*room)(const otok_patch *like, otok_set needed, int max_steps, size_t *bytes,
                        int64_t *slots);
    otok_status (*create)(void **out, const otok_patch *like, otok_set needed, int max_steps,
                          int slots);
    void (*destroy)(void *ensemble); /* its patches first; accepts NULL */

    /* Copies a whole slot. Neither patch has run. */
    otok_status (*copy)(void *ensemble, int from, int to);

    /* Starts the run of each job; nsteps <= max_steps. Patches whose programs, edges, pointers
       and numbers of steps agree run together. Taking a sample or copying a buffer waits for the
       end of the run and may report its failure. */
    otok_status (*run)(void *ensemble, const otok_job *jobs, int n);

    /* The same as otok_backend.fastest for n patches, each with a wave of its own. */
    otok_status (*fastest)(void *ensemble, otok_patch *const *patches, const float *waves, int n,
                           float *out);

    /* One reduction over all patches. */
    otok_status (*diagnose)(void *ensemble, otok_diagnostics_request *requests, int n);

    /* The same as otok_backend.part and compare, for many pairs of the ensemble. */
    otok_status (*part)(void *ensemble, const otok_twins *pairs, int n);
    otok_status (*compare)(void *ensemble, const otok_twins *pairs, int n, otok_audit_sums *out);

    otok_cycle_times (*times)(const void *ensemble);
} otok_ensembles;

/* How a part of a run joins its neighbours: bits for "it follows the part started before it" and
   for "another part follows it". Program and coefficients of the parts are the same, and only
   copies of shared rows happen between them. */
enum otok_joins { OTOK_JOINS_BEFORE = 1, OTOK_JOINS_AFTER = 2 };

/* How rows go from patch to patch. */
typedef struct otok_row_copies {
    /* copy copies rows of the buffers `which`, with their ghosts at the sides, from one patch
       to another of the same width. The copy begins after all earlier work of both patches. The
       caller has chosen the device of `to`. Between two starts of a patch, no copy may take rows
       that another copy gives. release follows copy, with the device of `from` chosen:
       later work of `from` begins after the copy. */
    otok_status (*copy)(otok_patch *to, int to_row, const otok_patch *from, int from_row, int rows,
                        otok_set which);
    otok_status (*release)(otok_patch *from, const otok_patch *to);

    /* As copy, for floats, but adds the rows to those of `to`. With no rows it only finds out
       whether the device of `to` can do that. NULL: there is one device. */
    otok_status (*add)(otok_patch *to, int to_row, const otok_patch *from, int from_row, int rows,
                       otok_set which);

    /* The same to memory of the host or of `carrier`, and from it, when the patch is idle:
       (nx + 2) * rows values of each buffer, one buffer after the other, the bytes of the wetness
       last. */
    otok_status (*take)(otok_patch *from, int row, int rows, otok_set which, void *bytes);
    otok_status (*give)(otok_patch *to, int row, int rows, otok_set which, const void *bytes);
    otok_memory carrier; /* on the device in use, for take and give; NULL: there is none */
} otok_row_copies;

typedef struct otok_backend {
    const char *name;
    otok_memory host; /* for maps that are copied often */

    /* Writes a phrase about the device. OTOK_DEVICE: no device answers. */
    otok_status (*describe)(char *text, size_t size);

    /* Allocates the buffers among `needed` (OTOK_WETNESS: the byte map), zeroed with their
       ghosts, and room for a schedule of `max_steps`. The caller has set sizes, edges, seed and
       droplets of the patch. */
    otok_status (*create)(otok_patch *patch, otok_set needed, int max_steps);

    /* The bytes that `create` takes on the device for nx x ny cells, with padding, ghosts, and
       what the strategies add. */
    uint64_t (*room)(int64_t nx, int64_t ny, otok_set needed, int droplets);

    /* Allocates the missing buffers among `needed`. Existing buffers keep their values. */
    otok_status (*extend)(otok_patch *patch, otok_set needed);
    void (*destroy)(otok_patch *patch); /* accepts half-built patches */

    /* Copies a whole buffer between the host's dense [ny][nx] and the patch; OTOK_WETNESS converts
     * to and from bytes. */
    otok_status (*put)(otok_patch *patch, int buffer, const float *map);
    otok_status (*get)(otok_patch *patch, int buffer, float *map);

    /* Copies n buffers of floats to the host at once. NULL: nothing is gained over `get`. */
    otok_status (*get_some)(otok_patch *patch, const int *buffers, float *const *maps, int n);

    /* One cell of a buffer. */
    otok_status (*cell)(otok_patch *patch, int buffer, int i, int j, float *out);

    /* The device that has the buffers, and the stream that works in them; waits until that
       stream is idle. NULL: the buffers lie in host memory, and nothing runs beside the caller. */
    otok_status (*where)(otok_patch *patch, int *device, void **stream);

    /* Fills a texture of OpenGL with a buffer, or with the sum of two (plus >= 0). ends: least
       and greatest value, or NULL. A NULL function: the backend shares no memory with OpenGL. */
    otok_status (*show)(otok_patch *patch, int buffer, int plus, unsigned texture, float ends[2]);

    /* From begins = 1 to begins = 0 the textures that `show` fills belong to the backend. */
    otok_status (*show_together)(otok_patch *patch, int begins);

    /* Begins to copy the present values of the buffers `which` to maps[buffer], dense, in memory
       of `host`. The patch may run on at once. */
    otok_status (*snapshot)(otok_patch *patch, uint64_t which, float *const *maps,
                            otok_arrival *out);

    /* Sets the sums of weights by which droplets start, dense [ny][nx] (sim/starts.h), for
       phases whose coefficients use them. */
    otok_status (*starts)(otok_patch *patch, const uint64_t *upto);

    /* Carries out a plan for the patch's cells into TERRAIN_BASE, with ghosts by halo COPY.
       *seconds: the time of its passes by the device's clock. OTOK_STOPPED, without a text:
       patch->stop gave up. */
    otok_status (*base)(otok_patch *patch, const otok_base_plan *plan, double *seconds);

    /* Runs the program once for each of nsteps <= max_steps steps. Swaps remain in
       patch->view.at. */
    otok_status (*run)(otok_patch *patch, const otok_program *program, const otok_coefficients *k,
                       const otok_step *steps, int nsteps);

    /* The same; *seconds is the time by the device's clock. NULL: the device has none. */
    otok_status (*time)(otok_patch *patch, const otok_program *program, const otok_coefficients *k,
                        const otok_step *steps, int nsteps, double *seconds);

    /* The name of the strategy of `run`. The plain strategy leaves the same scratch buffers on
       every backend; others leave only the state alike. */
    const char *(*strategy)(const otok_patch *patch, const otok_program *program,
                            const otok_coefficients *k);

    /* The bytes a cell that an iteration of `run` moves; 0: what the stages move one after the
       other; -1: none, the fields stay on chip. */
    int (*bytes)(const otok_patch *patch, const otok_program *program, const otok_coefficients *k);

    /* The rate of a copy of `bytes` within the device's memory, read plus written [1/s], the
       best of several. */
    otok_status (*copy_rate)(size_t bytes, double *rate);

    /* The largest otok_signal_speed of the water in any cell [m/s]. */
    otok_status (*fastest)(otok_patch *patch, float wave, float *out);

    /* The summary of one buffer; the diagnostics of a patch; the bookings since create
       (OTOK_SUMS). */
    otok_status (*measure)(otok_patch *patch, int buffer, otok_field_summary *out);
    otok_status (*diagnose)(otok_patch *patch,
                            otok_diagnostics_request *request); /* the maps of the previous samples
                                                                   are not used; `prints` is 0 */
    otok_status (*sums)(otok_patch *patch, otok_sum *out);
    otok_status (*set_sums)(otok_patch *patch, const otok_sum *in);

    /* part: the twin gets the state of the run, whose present change it keeps. compare: how far
       the two are apart. left: the memory that is free for further patches [bytes]. */
    otok_status (*part)(const otok_twins *pair);
    otok_status (*compare)(const otok_twins *pair, otok_audit_sums *out);
    otok_status (*left)(uint64_t *bytes);

    const otok_ensembles *ensembles; /* NULL: there are none */

    /* ---- for a grid in bands (bands/) ---- */

    /* The number of devices, and the choice of one, 0 <= device < devices(), for the following
       calls of this thread. A patch stays on the device in use when it was created, and is only
       called while that is in use. NULL: there is no choice. */
    int (*devices)(void);
    otok_status (*use)(int device);

    /* Runs without waiting. start begins steps[at] and the nsteps - 1 steps after it, when what
       was started before is done. wait returns when all is done, or has failed. `steps` holds
       everything that is started until the next wait, and does not change until then. joins:
       bits of otok_joins. */
    otok_status (*start)(otok_patch *patch, const otok_program *program, const otok_coefficients *k,
                         const otok_step *steps, int at, int nsteps, int joins);
    otok_status (*wait)(otok_patch *patch);

    /* Whether the device is still at work on what was started. NULL: nothing is, after start. */
    int (*busy)(const otok_patch *patch);

    otok_row_copies rows;

    /* A phrase about how rows go between processes, once some have gone; else NULL. A NULL
       function: the patch lies in one process. */
    const char *(*crossing)(const otok_patch *patch);
} otok_backend;

enum { OTOK_MAX_BANDS = 65536 };

extern const otok_backend otok_backend_cpu, otok_backend_cpu_fused, otok_backend_cpu_plain;
#ifdef OTOK_WITH_CUDA
extern const otok_backend otok_backend_cuda, otok_backend_cuda_fused, otok_backend_cuda_resident,
    otok_backend_cuda_plain;
#endif

/* OTOK_USAGE: the backend has too few bands for a grid of nx x ny cells, or a process `undivided`
   (NULL: none) needs the grid in one piece, and it is larger than a patch. The text has the reason
   and the remedy. */
otok_status otok_backend_takes(const otok_backend *backend, int64_t nx, int64_t ny,
                               const char *undivided);

/* The number of bands that a patch of a backend lies in; 1 for all that are not in bands. */
int otok_backend_bands(const otok_backend *backend, const otok_patch *patch);

/* Replaces a backend and its patch by those of one band, and uses its device from now on. *row is
   the row of the grid where the band's own rows begin. The caller may change its own rows of
   `buffer` until the grid next runs. OTOK_USAGE: another rank has the band. */
otok_status otok_backend_band(const otok_backend **backend, otok_patch **patch, int band,
                              int buffer, int *row);

/* The ranks of a run under MPI (bands/ranks.h). serve: all ranks but 0 call it; it returns when
   rank 0 calls leave. */
int otok_ranks(void);
void otok_ranks_serve(void);
void otok_ranks_leave(void);

/* Finds a backend by its name. "auto" is cuda if a device answers, else cpu. "/n" after a name
   cuts the grid into n bands; without it there is one band a rank. OTOK_USAGE: no such backend.
   OTOK_DEVICE: it is not in this build, or has no device. */
otok_status otok_backend_find(const otok_backend **out, const char *name);

/* The same without bands. */
otok_status otok_backend_find_whole(const otok_backend **out, const char *name);

#endif
