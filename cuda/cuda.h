/* cuda.h: what the files of the CUDA backend share on the host: its patch, its launches, its
 * errors. Private to cuda/. */
#ifndef OTOK_CUDA_H
#define OTOK_CUDA_H

#include "core/backend.h"
#include "core/status.h"

#include <cuda_runtime.h>

/* A block is OTOK_TILE_X * OTOK_TILE_Y threads; each thread walks up a few rows of its column. */
enum { OTOK_TILE_X = 128, OTOK_TILE_Y = 2, OTOK_BLOCK = OTOK_TILE_X * OTOK_TILE_Y };

/* One iteration of one program over one arrangement of pointers, as a graph. */
typedef struct otok_cuda_graph {
    cudaGraphExec_t exec; /* NULL: free */
    otok_program program;
    otok_coefficients k;
    float *at[OTOK_BUFFERS]; /* before the iteration */
} otok_cuda_graph;

enum { OTOK_CUDA_GRAPHS = 8 };

/* A strategy for a run of a program. The plain one starts a kernel a stage; faster ones are in
 * fast/. */
typedef struct otok_cuda_strategy {
    const char *name;
    /* Can it do this, and does it pay at this size? A strategy that was asked for by name need only
     * be able to. */
    bool (*can)(const otok_patch *patch, const otok_program *program, const otok_coefficients *k);
    bool (*pays)(const otok_patch *patch, const otok_program *program, const otok_coefficients *k);
    /* Starts nsteps iterations on the patch's stream; their schedule is in `started`, and where
     *on_device is set in view.steps, with now 0. Pointers of the view may change places. */
    otok_status (*start)(otok_patch *patch, const otok_program *program, const otok_coefficients *k,
                         int nsteps);
    /* Bytes a cell that one iteration moves, -1 where the fields stay on chip; NULL: what the
     * stages move one after the other. */
    int (*bytes)(const otok_program *program);
    bool on_device; /* its kernels read the schedule */
} otok_cuda_strategy;

extern const otok_cuda_strategy otok_cuda_strategy_plain;    /* plain.cu */
extern const otok_cuda_strategy otok_cuda_strategy_fused;    /* fast/fused.cu */
extern const otok_cuda_strategy otok_cuda_strategy_resident; /* fast/resident.cu */

/* Partners that the fused kernels exchange state fields with: outflows by otok_side, and the
 * ground's change. */
enum { OTOK_SPARE_CHANGE = 4, OTOK_SPARES };

/* Of snapshot.cu: how fields leave for the host while the simulation runs on. All NULL until the
 * first snapshot. */
typedef struct otok_cuda_sending {
    cudaStream_t stream;
    cudaEvent_t taken, sent; /* the last copy into `maps` is done; the last copy out of them */
    float *maps;             /* dense, one after the other; NULL: no memory to spare */
    uint64_t fields;         /* that there is room for in `maps`, or was not */
} otok_cuda_sending;

/* otok_patch.own of this backend. */
typedef struct otok_cuda_own {
    const otok_cuda_strategy *asked; /* NULL: the fastest */
    cudaStream_t stream;
    float *memory[OTOK_BUFFERS];      /* as allocated; view.at points into these */
    float *spare_memory[OTOK_SPARES]; /* as allocated when first used; spare and view.at point into
                                         these */
    float *spare[OTOK_SPARES];
    uint8_t *wetness;
    uint64_t *droplets_put; /* as allocated */
    uint64_t *droplets_upto;
    int *droplets_done;
    otok_sum *sums; /* and as many again for what counts nowhere */
    otok_field_summary *summary;
    struct otok_diagnostics_input
        *input; /* of a patch alone, with what is found: from its first sample on */
    otok_diagnostics_result *found;
    int *now;
    otok_step *steps;         /* on the device */
    otok_step *staging;       /* page-locked */
    const otok_step *started; /* the schedule of what was started last, in `staging` */
    int joins;                /* of it: bits of otok_joins */
    cudaEvent_t done,
        taken; /* what was started last is done; this patch has the rows that it takes of others */
    int max_steps;
    otok_cuda_graph graphs[OTOK_CUDA_GRAPHS];
    int oldest; /* graph to give up next */
    otok_cuda_sending sending;
    void *resident; /* fast/resident.cu */
    void *frames;   /* fast/fused.cu */
    void *textures; /* texture.cu */
    int in_slot;    /* all but this struct is an ensemble's */
} otok_cuda_own;

static inline otok_cuda_own *otok_cuda_own_of(const otok_patch *patch)
{
    return (otok_cuda_own *)patch->own;
}

/* Members of an ensemble (ensemble.cu) in the same arrangement, for kernels of all of them: see
 * batch.cuh. */
typedef struct otok_batch {
    const int *slots; /* of each, on the device */
    int n;
    int beside;       /* ensembles that the device works on at a time, this one with them */
    ptrdiff_t stride; /* bytes from slot to slot */
    const otok_coefficients *k; /* those of slot 0 */
} otok_batch;

/* The input of the diagnostics of one patch, with its pointers. */
typedef struct otok_diagnostics_input {
    otok_diagnostics_maps maps;
    const float *at[OTOK_STORED];
    const uint8_t *wetness;
    const otok_sum *sums;
    uint64_t fields;
    int prints;
} otok_diagnostics_input;

/* What a kernel is started with. */
typedef struct otok_launch {
    const otok_patch *patch; /* of a batch: one that stands for all, with its pointers in slot 0 */
    const otok_batch *batch; /* NULL: the patch alone */
    const otok_coefficients *k;
    cudaStream_t stream;
    dim3 grid, block;
    int rows; /* of a block */
} otok_launch;

otok_launch otok_cuda_launch(const otok_patch *patch, const otok_batch *batch,
                             const otok_coefficients *k);

/* Start one stage, and say whether it could be started. */
typedef cudaError_t otok_launcher(const otok_launch *launch);
#define STAGE(NAME, name, ...) otok_launcher otok_cuda_##name;
#include "core/stages.def"
#undef STAGE

/* Has the device room for so many droplets at once? */
otok_status otok_cuda_droplets_fit(int batch);

/* Starts the renewal of one buffer's ghost ring; batch: NULL or as in otok_launch. */
otok_status otok_cuda_halo(const otok_patch *patch, const otok_batch *batch, int buffer, int mode,
                           cudaStream_t stream);

/* Starts every op of one iteration, in order, the schedule's next step included; moves the pointers
 * of *patch. plain.cu. */
otok_status otok_cuda_iterate(otok_patch *patch, const otok_batch *batch,
                              const otok_program *program, const otok_coefficients *k);

/* Batches in the fused strategy; fast/fused.cu. `k` has every flag that some member has set; the
   schedules are in the slots, *now is not moved. Starts iterations from <= n < upto of a run of
   nsteps; pointers of *leader and `spare` change places. */
bool otok_cuda_fused_batch_can(const otok_program *program);
bool otok_cuda_fused_batch_keeps_water(
    const otok_program *program); /* what an iteration found, in OTOK_WATER_NEXT after it */
otok_status otok_cuda_fused_batch(otok_patch *leader, float **spare, const otok_batch *batch,
                                  const otok_program *program, const otok_coefficients *k, int from,
                                  int upto, int nsteps);

/* How a patch's memory is laid out in a slot, and an ensemble's slots; ensemble.cu. */
otok_status otok_cuda_create_in_slot(otok_patch *patch, otok_cuda_own *own, uint64_t needed);
extern const otok_ensembles otok_cuda_ensembles,
    otok_cuda_ensembles_fused; /* batches in the plain strategy; fused where they can */

/* Starts the diagnostics of n patches of one size; what is found is added to what is there. All on
   the device. prints: some want a fingerprint. diagnostics.cu. */
otok_status otok_cuda_diagnose(const otok_diagnostics_input *inputs, otok_diagnostics_result *found,
                               int n, bool prints, const otok_launch *l);
otok_diagnostics_input otok_cuda_diagnostics_input(
    const otok_view *v,
    const otok_diagnostics_request *request); /* without the maps of the samples before */
otok_status otok_cuda_diagnose_alone(otok_patch *patch, otok_diagnostics_request *request);

/* The longer entries of the backend's table. */
const char *otok_cuda_strategy_name(const otok_patch *patch, const otok_program *program,
                                    const otok_coefficients *k);
int otok_cuda_strategy_bytes(const otok_patch *patch, const otok_program *program,
                             const otok_coefficients *k);
otok_status otok_cuda_run(otok_patch *patch, const otok_program *program,
                          const otok_coefficients *k, const otok_step *steps, int nsteps);
otok_status otok_cuda_start(otok_patch *patch, const otok_program *program,
                            const otok_coefficients *k, const otok_step *steps, int at, int nsteps,
                            int joins);
otok_status otok_cuda_wait(otok_patch *patch);
int otok_cuda_busy(const otok_patch *patch);
otok_status otok_cuda_copy_rows(otok_patch *to, int to_row, const otok_patch *from, int from_row,
                                int rows, uint64_t which);
otok_status otok_cuda_release_rows(otok_patch *from, const otok_patch *to);
otok_status otok_cuda_take_rows(otok_patch *from, int row, int rows, uint64_t which, void *bytes);
otok_status otok_cuda_give_rows(otok_patch *to, int row, int rows, uint64_t which,
                                const void *bytes);
otok_status otok_cuda_time(otok_patch *patch, const otok_program *program,
                           const otok_coefficients *k, const otok_step *steps, int nsteps,
                           double *seconds);
otok_status otok_cuda_copy_rate(size_t bytes, double *rate);
otok_status otok_cuda_base(otok_patch *patch, const otok_base_plan *plan, double *seconds);
otok_status otok_cuda_measure(otok_patch *patch, int buffer, otok_field_summary *out);
otok_status otok_cuda_snapshot(otok_patch *patch, uint64_t which, float *const *maps,
                               otok_arrival *out);
otok_status otok_cuda_show(otok_patch *patch, int buffer, int plus, unsigned texture,
                           float ends[2]);
otok_status otok_cuda_show_together(otok_patch *patch, int begins);
void otok_cuda_forget_textures(otok_cuda_own *own);
void otok_cuda_end_sending(otok_cuda_own *own); /* waits for what is under way */
void otok_cuda_forget_graphs(otok_cuda_own *own);
void otok_resident_forget(void *resident);
void otok_fused_forget(void *frames);

/* Does this build hold code for the present device? */
cudaError_t otok_cuda_has_code(void);

/* The failure of a CUDA call, as text and status. */
otok_status otok_cuda_fail(cudaError_t error, const char *call);

#define CUDA_TRY(call)                                                                             \
    do {                                                                                           \
        const cudaError_t error_ = (call);                                                         \
        if (error_ != cudaSuccess) return otok_cuda_fail(error_, #call);                           \
    } while (0)

#endif
