/* backend.h: what a backend must offer. A backend owns the memory of one patch and runs programs
   over it; it knows neither scenarios nor files. The table in backend.c lists the backends by name.
   A backend may have several strategies for a program (one stage after the other, or faster ones
   with the same bits): "cuda" takes the fastest, "cuda:strategy" that one wherever it can. */
#ifndef OTOK_BACKEND_H
#define OTOK_BACKEND_H

#include "../model/coefficients.h"
#include "../model/plan.h"
#include "diagnostics.h"
#include "state.h"

/* What otok_backend.measure finds in one field; integers only, so that order cannot matter. */
typedef struct otok_field_summary {
    otok_sum sum;
    uint64_t fingerprint;
    int64_t not_finite;
} otok_field_summary;

/* A backend's patch: its view (host copy; pointers are the backend's) and whatever it needs
 * besides. */
typedef struct otok_patch {
    otok_view view;
    int edges[4];            /* otok_edge, indexed by otok_side; of the whole grid */
    int64_t seed;            /* of the scenario, for processes that draw                   */
    int droplets;            /* most in a batch; 0: there are none, and no room is made    */
    int (*stop)(void *user); /* asked while the base terrain is made, by the thread that wants it:
                                not 0 gives it up; NULL: never */
    void *user;
    void *own;      /* the backend's */
    void *ensemble; /* NULL: the patch has memory of its own; else the ensemble in whose `slot` it
                       lies */
    int slot;
} otok_patch;

/* Of one patch of an ensemble: what it is to run. */
typedef struct otok_job {
    otok_patch *patch;
    const otok_program *program;
    const otok_coefficients *k;
    const otok_step *steps;
    int nsteps;
    int keep; /* keeps the water as it is before the last step, for the sample that follows */
} otok_job;

/* What the diagnostics find in one patch. */
typedef struct otok_diagnostics_result {
    otok_diagnostics diagnostics;
    otok_sum water, sediment, change, base; /* stocks */
    int64_t not_finite;
    uint64_t fingerprint; /* where it was wanted */
    otok_sum sums[OTOK_SUMS];
} otok_diagnostics_result;

/* Of one patch, which is a whole grid: what is wanted. */
typedef struct otok_diagnostics_request {
    const otok_patch *patch;    /* of an ensemble             */
    otok_diagnostics_maps maps; /* the backend sets pitch and pointers           */
    uint64_t fields;            /* bits: what not_finite and fingerprint are of */
    int prints;                 /* the fingerprint is wanted                    */
    otok_diagnostics_result found;
} otok_diagnostics_request;

/* Of an ensemble since it was made: cycles of runs and a sample; by the device's clock their runs
   and their samples, with what others did on it meanwhile, and how long it had nothing to do before
   them; how long the host waited for it [s]. */
typedef struct otok_cycle_times {
    int64_t cycles;
    double ran, diagnosed, idle, waited;
} otok_cycle_times;

/* Many patches of one size and one set of buffers, side by side in one allocation, that run and are
   sampled together. Each is a patch like any other, but that `run` and `time` of its backend are
   not for it, and gives the same bits as alone. */
typedef struct otok_ensembles {
    /* Bytes that a slot takes, and for how many slots there is memory now; `like` has the size. */
    otok_status (*room)(const otok_patch *like, uint64_t needed, int max_steps, size_t *bytes,
                        int64_t *slots);
    otok_status (*create)(void **out, const otok_patch *like, uint64_t needed, int max_steps,
                          int slots);
    void (*destroy)(void *ensemble); /* its patches first; accepts NULL */

    /* Copies a whole slot, from a patch that has not run to one that has not. */
    otok_status (*copy)(void *ensemble, int from, int to);

    /* Starts the run of each job; nsteps <= max_steps. Patches whose programs, edges, pointers and
       numbers of steps agree go together. Who takes a sample, or copies a buffer of a patch, finds
       them done; a failure may show only then. */
    otok_status (*run)(void *ensemble, const otok_job *jobs, int n);

    /* One reduction over all patches. */
    otok_status (*diagnose)(void *ensemble, otok_diagnostics_request *requests, int n);

    otok_cycle_times (*times)(const void *ensemble);
} otok_ensembles;

/* Does a part of a run follow on the one that was started before, does another follow on it, with
   the same program and coefficients, and nothing between them but copies of rows that the patch
   shares? */
enum otok_joins { OTOK_JOINS_BEFORE = 1, OTOK_JOINS_AFTER = 2 };

typedef struct otok_backend {
    const char *name;
    otok_memory host; /* for maps that are copied often */

    /* A phrase about the device; OTOK_DEVICE when none answers. */
    otok_status (*describe)(char *text, size_t size);

    /* Allocates the buffers whose bit is set in `needed` (bit OTOK_WETNESS: the byte map),
       zero-filled with their ghosts, and room for a schedule of `max_steps`. patch->view's sizes,
       edges, seed and droplets are set by the caller. */
    otok_status (*create)(otok_patch *patch, uint64_t needed, int max_steps);

    /* Bytes that this takes on the device for a grid of nx x ny cells, padding, ghosts, and what
     * its ways of running add. */
    uint64_t (*room)(int64_t nx, int64_t ny, uint64_t needed, int droplets);

    /* Allocates likewise those that are still missing of `needed`; what there is stays as it is. */
    otok_status (*extend)(otok_patch *patch, uint64_t needed);
    void (*destroy)(otok_patch *patch); /* accepts half-built patches */

    /* Copies a whole buffer between the host's dense [ny][nx] and the patch; OTOK_WETNESS converts
     * to and from bytes. */
    otok_status (*put)(otok_patch *patch, int buffer, const float *map);
    otok_status (*get)(otok_patch *patch, int buffer, float *map);

    /* One cell of a buffer. */
    otok_status (*cell)(otok_patch *patch, int buffer, int i, int j, float *out);

    /* The device whose memory the buffers are, and the stream that works in them, which has nothing
       left to do when this returns. NULL: the host's, and nothing goes on beside it. */
    otok_status (*where)(otok_patch *patch, int *device, void **stream);

    /* Fills a texture of OpenGL with a buffer, or with the sum of two (plus >= 0); ends: least and
       greatest value, or NULL. NULL: this backend shares no memory with OpenGL. */
    otok_status (*show)(otok_patch *patch, int buffer, int plus, unsigned texture, float ends[2]);

    /* Begins to copy the buffers in `which` as they are now to maps[buffer], dense, in memory of
       `host`; the patch may run on at once. */
    otok_status (*snapshot)(otok_patch *patch, uint64_t which, float *const *maps,
                            otok_arrival *out);

    /* Sums of weights by which droplets start, dense [ny][nx] (sim/starts.h), for phases whose
     * coefficients say so. */
    otok_status (*starts)(otok_patch *patch, const uint64_t *upto);

    /* Carries out a plan made for the patch's cells, into TERRAIN_BASE (ghosts too, by halo COPY),
       and the time that its passes took by the device's own clock [s]. OTOK_STOPPED, without a
       text, where patch->stop gives it up. */
    otok_status (*base)(otok_patch *patch, const otok_base_plan *plan, double *seconds);

    /* Runs the program once for each of nsteps steps. Swaps stay in patch->view.at. nsteps <=
     * max_steps. */
    otok_status (*run)(otok_patch *patch, const otok_program *program, const otok_coefficients *k,
                       const otok_step *steps, int nsteps);

    /* The same, and the time that it took by the device's own clock [s]. */
    otok_status (*time)(otok_patch *patch, const otok_program *program, const otok_coefficients *k,
                        const otok_step *steps, int nsteps, double *seconds);

    /* The name of the strategy that `run` takes. The plain strategy leaves the same scratch buffers
       on every backend; others only the state. */
    const char *(*strategy)(const otok_patch *patch, const otok_program *program,
                            const otok_coefficients *k);

    /* Bytes a cell that an iteration moves by the strategy that `run` takes; 0: what the stages
       move one after the other; -1: none, the fields stay on chip. */
    int (*bytes)(const otok_patch *patch, const otok_program *program, const otok_coefficients *k);

    /* Rate of a copy of `bytes` within the device's memory, bytes read plus written a second, the
     * best of several. */
    otok_status (*copy_rate)(size_t bytes, double *rate);

    /* One buffer's summary; the diagnostics of a patch alone; and the bookings since create
     * (OTOK_SUMS). */
    otok_status (*measure)(otok_patch *patch, int buffer, otok_field_summary *out);
    otok_status (*diagnose)(
        otok_patch *patch,
        otok_diagnostics_request *request); /* without maps of the samples before; prints is 0 */
    otok_status (*sums)(otok_patch *patch, otok_sum *out);
    otok_status (*set_sums)(otok_patch *patch, const otok_sum *in);

    const otok_ensembles *ensembles; /* NULL: there are none */

    /* ---- for a grid in bands (bands/) ---- */

    /* How many devices there are, and the choice of one, 0 <= device < devices(), for calls of this
       thread from now on: a patch stays on the device that was in use when it was created, and is
       only called while that is in use. NULL: there is no choice.
     */
    int (*devices)(void);
    otok_status (*use)(int device);

    /* Runs of a patch without waiting: start begins steps[at] and the nsteps - 1 after it, once
       what was started before is done; wait returns when all is done, or failed. `steps` holds all
       that is started until the next wait, and stays as it is until then. joins: bits of
       otok_joins. */
    otok_status (*start)(otok_patch *patch, const otok_program *program, const otok_coefficients *k,
                         const otok_step *steps, int at, int nsteps, int joins);
    otok_status (*wait)(otok_patch *patch);

    /* Copies rows, with their ghosts at the sides, of the buffers in `which` from one patch to
       another as wide: after all that `from` was started with, and all that `to` was told. They may
       be on different devices, of which that of `to` is in use. Between two starts of a patch no
       copy takes rows that another copy gives it. release_rows: copy_rows was called; what `from`
       is told next begins after it. The device of `from` is in use. */
    otok_status (*copy_rows)(otok_patch *to, int to_row, const otok_patch *from, int from_row,
                             int rows, uint64_t which);
    otok_status (*release_rows)(otok_patch *from, const otok_patch *to);

    /* The same to the host and from it, when all that the patch was told is done: (nx + 2) * rows
       values of each buffer, one buffer after the other, bytes of the wetness last. */
    otok_status (*take_rows)(otok_patch *from, int row, int rows, uint64_t which, void *bytes);
    otok_status (*give_rows)(otok_patch *to, int row, int rows, uint64_t which, const void *bytes);
} otok_backend;

enum { OTOK_MAX_BANDS = 65536 };

extern const otok_backend otok_backend_cpu, otok_backend_cpu_fused, otok_backend_cpu_plain;
#ifdef OTOK_WITH_CUDA
extern const otok_backend otok_backend_cuda, otok_backend_cuda_fused, otok_backend_cuda_resident,
    otok_backend_cuda_plain;
#endif

/* The same backend for a grid cut into `count` > 0 bands (bands/backend.c), named inner/count. */
otok_status otok_backend_in_bands(const otok_backend **out, const otok_backend *inner, int count);

/* The number of bands that a patch of a backend lies in; 1 for all that are not in bands. */
int otok_backend_bands(const otok_backend *backend, const otok_patch *patch);

/* Replaces a backend and its patch by those of one band, and uses its device from now on. *row is
   the row of the grid where the band's own rows begin. The caller may change its own rows of
   `buffer` until the grid next runs. OTOK_USAGE: another rank has the band. */
otok_status otok_backend_band(const otok_backend **backend, otok_patch **patch, int band,
                              int buffer, int *row);

/* The ranks of a run that MPI started. begin: to be called first by a program; returns which one it
   is. serve: what all but rank 0 do until rank 0 leaves. bands/backend.c, bands/ranks_*.c. */
int otok_ranks_begin(void);
int otok_ranks(void);
void otok_ranks_serve(void);
void otok_ranks_leave(void);

/* By name, "auto" included, and with "/n" after it in n bands; without it in as many as there are
 * ranks. OTOK_USAGE: no such backend; OTOK_DEVICE: not in this build, or no device. */
otok_status otok_backend_find(const otok_backend **out, const char *name);

/* The same, never in bands. */
otok_status otok_backend_find_whole(const otok_backend **out, const char *name);

#endif
