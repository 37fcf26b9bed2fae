/* ensemble.cuh: how members lie in the slots of an ensemble. For ensemble.cu and
   ensemble_run.cu. */
#ifndef OTOK_ENSEMBLE_CUH
#define OTOK_ENSEMBLE_CUH

#include "batch.cuh"

/* What the host sends to a slot before a run. */
typedef struct otok_control {
    otok_coefficients k;
    int now;
    otok_step steps[1]; /* room for max_steps */
} otok_control;

/* Offsets in a slot [bytes]. */
typedef struct otok_layout {
    ptrdiff_t pitch;
    size_t origin; /* of cell (0,0) in a buffer, in cells */
    size_t buffer[OTOK_BUFFERS], spare[OTOK_SIDES], wetness, water_before, before, control, sums,
        size;
    size_t control_size;
} otok_layout;

/* The events of a cycle; see cycles.cu. */
typedef struct otok_cycle {
    bool open; /* its runs have begun and its sample has not ended */
    cudaEvent_t began, ran, diagnosed, passed;
    otok_cycle_times times;
} otok_cycle;

/* The water of a member, and how fast its signals are (bits of a float). */
typedef struct otok_racer {
    const float *water, *u, *w;
    float wave;
    unsigned speed;
} otok_racer;

typedef struct otok_cuda_ensemble {
    otok_layout at;
    otok_view first; /* the view of slot 0, with every buffer in its original place */
    int slots, max_steps;
    int device;
    bool fused; /* batches are fused where possible; there are partners for the outflows */
    cudaStream_t stream;
    char *memory;
    otok_field_summary *summary;
    int *list;           /* slots of the batches, one after the other */
    bool *water_is_next; /* for each slot: the water before the last iteration is in
                            OTOK_WATER_NEXT, else in at.water_before */
    otok_diagnostics_input *inputs;
    otok_diagnostics_result *found;
    otok_racer *racers;
    otok_audit_pair *pairs;
    otok_audit_sums *apart;
    char *controls; /* page-locked, like all below */
    int *list_here;
    otok_diagnostics_input *inputs_here;
    otok_diagnostics_result *found_here;
    otok_racer *racers_here;
    otok_audit_pair *pairs_here;
    otok_audit_sums *apart_here;
    otok_cycle cycle;
    bool running; /* the host has not yet waited for the last run */
} otok_cuda_ensemble;

/* The number of ensembles on each device; in ensemble.cu. */
enum { OTOK_DEVICES = 64 };
extern int otok_cuda_ensembles_living[OTOK_DEVICES];

static inline ptrdiff_t otok_slot_offset(const otok_cuda_ensemble *e, int slot)
{
    return slot * (ptrdiff_t)e->at.size;
}

static inline otok_batch otok_batch_of(const otok_cuda_ensemble *e, int from, int n)
{
    otok_batch batch;
    batch.slots = e->list + from;
    batch.n = n;
    batch.beside = otok_cuda_ensembles_living[e->device];
    batch.stride = (ptrdiff_t)e->at.size;
    batch.k = (const otok_coefficients *)(e->memory + e->at.control + offsetof(otok_control, k));
    return batch;
}

/* A run is started between enter and leave. The device begins a short run only when few of the runs
   started before it are unfinished (AT_A_TIME in cycles.cu). enter must be followed by leave even
   if it fails. */
otok_status otok_order_enter(otok_cuda_ensemble *e, int iterations);
otok_status otok_order_leave(otok_cuda_ensemble *e);

/* A cycle: otok_cycle_begin comes before its first run, otok_cycle_diagnose before its sample,
   otok_cycle_end after the sample was started; otok_cycle_wait waits for it. A sample without runs
   is not a cycle. In cycles.cu. */
otok_status otok_cycle_create(otok_cycle *cycle);
void otok_cycle_destroy(otok_cycle *cycle, int device);
otok_status otok_cycle_begin(otok_cuda_ensemble *e);
otok_status otok_cycle_diagnose(otok_cuda_ensemble *e);
otok_status otok_cycle_end(otok_cuda_ensemble *e);
otok_status otok_cycle_wait(otok_cuda_ensemble *e);

/* Starts a copy of rows of `width` bytes, a multiple of 4, between the device and page-locked
   memory. In cycles.cu. */
otok_status otok_cycle_copy(const otok_cuda_ensemble *e, void *to, size_t to_pitch,
                            const void *from, size_t from_pitch, size_t width, size_t rows);

/* Audits; see otok_ensembles.part and compare. In audit.cu. */
otok_status otok_cuda_ensemble_part(void *ensemble, const otok_twins *pairs, int n);
otok_status otok_cuda_ensemble_compare(void *ensemble, const otok_twins *pairs, int n,
                                       otok_audit_sums *out);

/* See otok_ensembles.fastest. In measure.cu. */
otok_status otok_cuda_ensemble_fastest(void *ensemble, otok_patch *const *patches,
                                       const float *waves, int n, float *out);

/* Runs jobs; see otok_ensembles.run. In ensemble_run.cu. */
otok_status otok_cuda_ensemble_run(void *ensemble, const otok_job *jobs, int n);

#endif
