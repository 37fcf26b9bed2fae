/* cuda.h: what the files of the CUDA backend share on the host: its patch, its launches, its
   errors. Private to cuda/. */
#ifndef OTOK_CUDA_H
#define OTOK_CUDA_H

#include "core/audit.h"
#include "core/status.h"
#include "core/walls.h"

#include <cuda_runtime.h>

/* A block is OTOK_TILE_X * OTOK_TILE_Y threads. Each thread goes up a few rows of its column. */
enum { OTOK_TILE_X = 128, OTOK_TILE_Y = 2, OTOK_BLOCK = OTOK_TILE_X * OTOK_TILE_Y };

/* One iteration of a program as a graph, for one arrangement of pointers. */
typedef struct otok_cuda_graph {
    cudaGraphExec_t exec; /* NULL: free */
    otok_program program;
    otok_coefficients k;
    float *at[OTOK_BUFFERS]; /* before the iteration */
} otok_cuda_graph;

enum { OTOK_CUDA_GRAPHS = 8 };

/* A strategy to run a program. The plain one starts a kernel a stage; faster ones are in fast/. */
typedef struct otok_cuda_strategy {
    const char *name;
    /* Can it run this program, and is it worthwhile at this size? A strategy that was requested by
       name only needs to be able. */
    bool (*can)(const otok_patch *patch, const otok_program *program, const otok_coefficients *k);
    bool (*pays)(const otok_patch *patch, const otok_program *program, const otok_coefficients *k);
    /* Starts nsteps iterations on the patch's stream. Their schedule is in `started`; if *on_device
       is set, it is also in view.steps, and now is 0. Pointers of the view may be swapped. */
    otok_status (*start)(otok_patch *patch, const otok_program *program, const otok_coefficients *k,
                         int nsteps);
    /* Bytes a cell that one iteration moves; -1 if the fields stay on chip. NULL: the sum over the
       stages. */
    int (*bytes)(const otok_program *program);
    bool on_device; /* its kernels read the schedule */
} otok_cuda_strategy;

extern const otok_cuda_strategy otok_cuda_strategy_plain;    /* plain.cu */
extern const otok_cuda_strategy otok_cuda_strategy_fused;    /* fast/fused.cu */
extern const otok_cuda_strategy otok_cuda_strategy_resident; /* fast/resident.cu */

/* For snapshot.cu: how fields leave for the host while the simulation goes on. All members are NULL
   until the first snapshot. */
typedef struct otok_cuda_sending {
    cudaStream_t stream;
    cudaEvent_t taken,
        sent;        /* the last copy into `maps` is done; the last copy out of them is done */
    float *maps;     /* dense, one after the other; NULL: not enough memory */
    uint64_t fields; /* fields that `maps` has room for, or that did not fit */
} otok_cuda_sending;

/* What an audit does with a pair of patches (otok_backend.part, compare); pointers on the device.
 */
typedef struct otok_audit_pair {
    const float *from[OTOK_STORED + 1]; /* the last: OTOK_TERRAIN_CHANGE */
    float *to[OTOK_STORED + 1];         /* OTOK_CHANGE_START */
    const uint8_t *wetness_from;
    uint8_t *wetness_to;
    otok_audit_maps maps;
    unsigned wanted; /* sums, as bits */
} otok_audit_pair;

/* otok_patch.own of this backend. */
typedef struct otok_cuda_own {
    const otok_cuda_strategy *asked; /* NULL: the fastest is chosen */
    cudaStream_t stream;
    float *memory[OTOK_BUFFERS]; /* as allocated; view.at points into these */
    float
        *spare_memory[OTOK_SIDES]; /* as allocated at first use; spare and view.at point into it */
    float *spare[OTOK_SIDES];      /* second outflows, which the fused kernels swap */
    uint8_t *wetness;
    uint64_t *droplets_put; /* as allocated */
    uint64_t *droplets_upto;
    int *droplets_done;
    otok_sum *sums; /* sums of the grid, and as many again for bookings that do not count */
    otok_field_summary *summary;
    struct otok_diagnostics_input
        *input; /* diagnostics of a single patch: input and results, from its first sample on */
    otok_diagnostics_result *found;
    otok_audit_pair *pair; /* of a twin: its audit's input and sums, from the first on */
    otok_audit_sums *apart;
    int *now;
    otok_step *steps;         /* on the device */
    otok_step *staging;       /* page-locked */
    const otok_step *started; /* the schedule of the last run, in `staging` */
    int joins;                /* bits of otok_joins in that schedule */
    cudaEvent_t done, taken; /* the last run is done; this patch has received the rows that it takes
                                from others */
    int max_steps;
    otok_cuda_graph graphs[OTOK_CUDA_GRAPHS];
    int oldest; /* index of the graph to replace next */
    otok_cuda_sending sending;
    void *resident; /* fast/resident.cu */
    void *frames;   /* fast/fused.cu */
    void *textures; /* texture.cu */
    int in_slot;    /* the memory belongs to an ensemble, except this struct */
} otok_cuda_own;

static inline otok_cuda_own *otok_cuda_own_of(const otok_patch *patch)
{
    return (otok_cuda_own *)patch->own;
}

/* Members of an ensemble (ensemble.cu) with the same arrangement, for kernels over all of them
   (batch.cuh). */
typedef struct otok_batch {
    const int *slots; /* slot of each member, on the device */
    int n;
    int beside;       /* ensembles that the device works on at the same time, with this one */
    ptrdiff_t stride; /* bytes from slot to slot */
    const otok_coefficients *k; /* those of slot 0 */
} otok_batch;

/* The input of the diagnostics of one patch, with the pointers. */
typedef struct otok_diagnostics_input {
    otok_diagnostics_maps maps;
    const float *at[OTOK_STORED];
    const uint8_t *wetness;
    const otok_sum *sums;
    uint64_t fields;
    int prints;
} otok_diagnostics_input;

/* The arguments of a launch. */
typedef struct otok_launch {
    const otok_patch
        *patch; /* for a batch: the patch that stands for all members, with pointers into slot 0 */
    const otok_batch *batch; /* NULL: the patch alone */
    const otok_coefficients *k;
    cudaStream_t stream;
    dim3 grid, block;
    int rows;                  /* rows of a block */
    const otok_walled *walled; /* the stage in a patch with walls (core/walls.h); NULL: none */
} otok_launch;

otok_launch otok_cuda_launch(const otok_patch *patch, const otok_batch *batch,
                             const otok_coefficients *k);

/* Starts one stage; the result says whether that was possible. */
typedef cudaError_t otok_launcher(const otok_launch *launch);
#define STAGE(NAME, name, ...) extern otok_launcher *const otok_cuda_##name;
#include "core/stages.def"
#undef STAGE

/* Does the device have room for so many droplets at once? */
otok_status otok_cuda_droplets_fit(int batch);

/* Starts the renewal of the ghost ring of one buffer. batch: NULL, or as in otok_launch. */
otok_status otok_cuda_halo(const otok_patch *patch, const otok_batch *batch, int buffer, int mode,
                           cudaStream_t stream);

/* Starts ops from <= n < upto of one iteration in order, without stages that are not due in `step`
   (NULL: any step). Swaps pointers of *patch. In plain.cu. */
otok_status otok_cuda_ops(otok_patch *patch, const otok_batch *batch, const otok_program *program,
                          const otok_coefficients *k, int from, int upto, const otok_step *step);

/* Uploads the schedule of nsteps iterations, and sets it to the first (in run.cu); moves it to the
   next step (in plain.cu). */
otok_status otok_cuda_upload(otok_patch *patch, int nsteps);
otok_status otok_cuda_advance(otok_patch *patch, const otok_batch *batch);

/* Starts every op of one iteration in order, and moves the schedule to its next step. Swaps
   pointers of *patch. In plain.cu. */
otok_status otok_cuda_iterate(otok_patch *patch, const otok_batch *batch,
                              const otok_program *program, const otok_coefficients *k,
                              const otok_step *step);

/* Running maxima that a fast kernel keeps itself: what a stage would keep, 0 if it is another. */
enum { OTOK_KEEPS_PEAKS = 1, OTOK_KEEPS_TIMES = 2, OTOK_KEEPS_SPEED = 4 };
static inline int otok_stage_keeps(int stage)
{
    return stage == OTOK_STAGE_MAXIMA         ? OTOK_KEEPS_PEAKS
           : stage == OTOK_STAGE_MAXIMA_TIMES ? OTOK_KEEPS_PEAKS | OTOK_KEEPS_TIMES
           : stage == OTOK_STAGE_MAXIMA_SPEED ? OTOK_KEEPS_SPEED
                                              : 0;
}

/* Does the stage work at sides only, so that fast kernels do it together with those around it? */
static inline bool otok_stage_is_of_sides(int stage)
{
    static const int all[] = {OTOK_STAGE_EDGE_LOSS,
                              OTOK_STAGE_FLUX_SIDES,
                              OTOK_STAGE_FLUX_STEPS_SIDES,
                              OTOK_STAGE_FLUX_EDGE,
                              OTOK_STAGE_FLUX_OUT,
                              OTOK_STAGE_SHALLOW_PULL_SIDES,
                              OTOK_STAGE_SHALLOW_SLOPES_SIDES,
                              OTOK_STAGE_SHALLOW_FRICTION_SIDES,
                              OTOK_STAGE_SHALLOW_SURFACE_SIDES,
                              OTOK_STAGE_SHALLOW_CARRY_SIDES,
                              OTOK_STAGE_SHALLOW_LOSS};
    for (const int one : all)
        if (stage == one) return true;
    return false;
}

/* Are there layers or maps, of which only the plain kernels know? In run.cu. */
bool otok_cuda_only_plain(const otok_view *view, const otok_program *program);

/* Batches in the fused strategy; in fast/fused_batch.cu. `k` has every flag that some member has
   set. The schedules are in the slots; *now moves only if stages of running maxima are between.
   Starts iterations from <= n < upto of a run of nsteps. Pointers of *leader and `spare` may be
   swapped. `counted`, by iteration: does what moves count in some member? */
bool otok_cuda_fused_batch_can(const otok_patch *leader, const otok_program *program,
                               const otok_coefficients *k);
bool otok_cuda_fused_batch_keeps_water(
    const otok_program
        *program); /* does OTOK_WATER_NEXT hold, after an iteration, the water before it? */
otok_status otok_cuda_fused_batch(otok_patch *leader, float **spare, const otok_batch *batch,
                                  const otok_program *program, const otok_coefficients *k,
                                  const uint8_t *counted, int from, int upto, int nsteps);

/* How the memory of a patch lies in a slot, and the slots of an ensemble; in ensemble.cu. */
otok_status otok_cuda_create_in_slot(otok_patch *patch, otok_cuda_own *own, otok_set needed);
extern const otok_ensembles otok_cuda_ensembles,
    otok_cuda_ensembles_fused; /* batches in the plain strategy; fused where possible */

/* Starts the diagnostics of n patches of one size. Results are added to what is there. All
   arguments are on the device. prints: some requests want a fingerprint; walls:
   some patches have walls. In diagnostics.cu. */
otok_status otok_cuda_diagnose(const otok_diagnostics_input *inputs, otok_diagnostics_result *found,
                               int n, bool prints, bool walls, const otok_launch *l);
otok_diagnostics_input otok_cuda_diagnostics_input(
    const otok_view *v,
    const otok_diagnostics_request *request); /* without the maps of the previous samples */
otok_status otok_cuda_diagnose_alone(otok_patch *patch, otok_diagnostics_request *request);

/* The longer entries of the backend's table. */
otok_status otok_cuda_part(const otok_twins *pair);
otok_status otok_cuda_compare(const otok_twins *pair, otok_audit_sums *out);
otok_status otok_cuda_left(uint64_t *bytes);
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
                                int rows, otok_set which);
otok_status otok_cuda_release_rows(otok_patch *from, const otok_patch *to);
otok_status otok_cuda_add_rows(otok_patch *to, int to_row, const otok_patch *from, int from_row,
                               int rows, otok_set which);
void *otok_cuda_take_carrier(size_t bytes);
void otok_cuda_give_carrier(void *memory);
otok_status otok_cuda_take_rows(otok_patch *from, int row, int rows, otok_set which, void *bytes);
otok_status otok_cuda_give_rows(otok_patch *to, int row, int rows, otok_set which,
                                const void *bytes);
otok_status otok_cuda_time(otok_patch *patch, const otok_program *program,
                           const otok_coefficients *k, const otok_step *steps, int nsteps,
                           double *seconds);
otok_status otok_cuda_copy_rate(size_t bytes, double *rate);
otok_status otok_cuda_base(otok_patch *patch, const otok_base_plan *plan, double *seconds);
otok_status otok_cuda_fastest(otok_patch *patch, float wave, float *out);
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
