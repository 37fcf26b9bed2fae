/* fused.h: what the fused kernels share on the host: families of stages that one kernel does in one
   pass over memory. */
#ifndef OTOK_FUSED_H
#define OTOK_FUSED_H

#include "../cuda.h"

enum { OTOK_LANE = 4, OTOK_STRIP_OWN = 120, OTOK_STRIP_WHOLE = 128, OTOK_STRIP_WARPS = 4 };

/* How a grid is divided among warps: into strips of OTOK_STRIP_OWN columns, and these into chunks
   of `rows` rows. */
typedef struct otok_frame {
    int nx, ny, pitch;
    int strips, rows, blocks;
    int own, end; /* rows own <= j < end are the patch's own and make `chunks` of a strip; the
                     chunks of its shared rows follow */
    int chunks, side_chunks;   /* in an inner strip; in the first and the last strip */
    int members;               /* members of a batch in a strip */
    int sides_from, side_rows; /* from this warp on, warps have the first and the last strip, in
                                  chunks of so many rows */
    int wrap_x, wrap_y;
    int open; /* a bit a side */
} otok_frame;

/* One launch. */
typedef struct otok_fused_pass {
    const struct otok_fused_family *family;
    const void *code;
    otok_frame frame;
    bool alone; /* the program is this family and nothing else */
} otok_fused_pass;

typedef struct otok_fused_family {
    const otok_op *ops; /* the stages and swaps that it replaces in a program */
    int nops;
    int reach;        /* how many rows and columns around a cell its new values depend on */
    int bytes;        /* a cell */
    int shared;       /* bytes of dynamic shared memory of a block */
    unsigned partner; /* a bit for each otok_cuda_own.spare that it swaps with */
    const void *(*code)(const otok_coefficients *k, int open); /* open: a bit a side */
    /* Starts one pass of iteration n of nsteps and swaps pointers of the patch. `steps` is on the
       host. */
    cudaError_t (*start)(otok_patch *patch, const otok_fused_pass *pass, const otok_coefficients *k,
                         const otok_step *steps, int n, int nsteps);

    /* The same for a batch; NULL: the family has no kernel for batches. `k` has every flag that
       some member has set. `spare` are those of the leader. */
    const void *(*batch_code)(const otok_coefficients *k, int whole,
                              int open); /* whole: see whole_strips in fused.cu */
    cudaError_t (*batch_start)(otok_patch *leader, float **spare, const otok_batch *batch,
                               const otok_fused_pass *pass, int n, int nsteps);
    int batch_whole; /* at most so many strips of OTOK_STRIP_WHOLE columns side by side */
} otok_fused_family;

extern const otok_fused_family otok_fused_conservative, otok_fused_advection,
    otok_fused_advection_mix;                                             /* hydraulic.cu */
extern const otok_fused_family otok_fused_signed, otok_fused_signed_open; /* signed.cu */
extern const otok_fused_family otok_fused_around, otok_fused_around_open; /* signed.cu */
extern const otok_fused_family otok_fused_thermal, otok_fused_seabed,
    otok_fused_reef; /* one file each */

/* The number of blocks in z of a batch's kernels. */
static inline int otok_fused_groups(const otok_fused_pass *pass, const otok_batch *batch)
{
    return (batch->n + pass->frame.members - 1) / pass->frame.members;
}

static inline void otok_exchange_pointers(float **a, float **b)
{
    float *const c = *a;
    *a = *b;
    *b = c;
}

#endif
