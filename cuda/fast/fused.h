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
    int before;   /* lanes of a strip below its own columns: 1; 0: see otok_fused_family.flush */
    int own, end; /* rows own <= j < end are the patch's own and make `chunks` of a strip; the
                     chunks of its shared rows follow */
    int chunks, side_chunks; /* in an inner strip; in the first and the last strip */
    int longer;  /* so many chunks of an inner strip have `rows` rows, the others one less */
    int members; /* members of a batch in a strip */
    int sides_from, side_rows; /* from this warp on, warps have the first and the last strip, in
                                  chunks of so many rows */
    int wrap_x, wrap_y;
    int open; /* a bit a side */
} otok_frame;

/* One launch. */
typedef struct otok_fused_pass {
    const struct otok_fused_family *family;
    const void *code;
    int shared; /* bytes of dynamic shared memory of a block */
    otok_frame frame;
    bool races;             /* a plain stage after it reads velocities */
    bool alone;             /* the program is this family and nothing else */
    const uint8_t *counted; /* of a batch, by iteration: does what moves count in some member? */
} otok_fused_pass;

typedef struct otok_fused_family {
    const otok_op *ops; /* the stages and swaps that it replaces in a program */
    int nops;
    int reach; /* how many rows and columns around a cell its new values depend on */
    int bytes; /* a cell */
    /* open: a bit a side; walls: in a grid with walls. NULL: there is no kernel for it. */
    const void *(*code)(const otok_coefficients *k, int open, bool walls);
    /* Starts one pass of iteration n of nsteps and swaps pointers of the patch. `steps` is on the
       host. */
    cudaError_t (*start)(otok_patch *patch, const otok_fused_pass *pass, const otok_coefficients *k,
                         const otok_step *steps, int n, int nsteps);

    int shared = 0; /* bytes of dynamic shared memory of a block */
    /* A bit for each otok_cuda_own.spare that it swaps with: always, and if that side is open. */
    unsigned partner = 0, partner_open = 0;

    /* The same for a batch; NULL, or code that is NULL: there is no kernel for it. `k` has every
       flag that some member has set. `spare` are those of the leader. */
    const void *(*batch_code)(const otok_coefficients *k, int whole,
                              int open) = NULL; /* whole: otok_fused_whole_strips */
    cudaError_t (*batch_start)(otok_patch *leader, float **spare, const otok_batch *batch,
                               const otok_fused_pass *pass, int n, int nsteps) = NULL;
    int batch_whole = 0; /* at most so many strips of OTOK_STRIP_WHOLE columns side by side; 0: its
                            kernels know no whole strips */

    int enough = 0; /* warps a multiprocessor; with more, a grid of this family takes longer,
                       because they repeat more rows and memory is busy anyway; 0: no limit is
                       known */

    bool flush = false; /* at closed sides lanes need no ghosts, so that the strips there own 124
                           columns: 2048 columns are 17 strips and not 18 */
    bool walls = false; /* has kernels for grids with walls, alone and not in a batch */
    bool batch_flush = false; /* strips of a batch are flush, too, if no side is open */
} otok_fused_family;

extern const otok_fused_family otok_fused_conservative, otok_fused_advection,
    otok_fused_advection_mix; /* hydraulic.cu */
extern const otok_fused_family otok_fused_signed, otok_fused_around,
    otok_fused_held;                                                         /* signed.cu */
extern const otok_fused_family otok_fused_shallow, otok_fused_stepped;       /* shallow.cu */
extern const otok_fused_family otok_fused_thermal;                           /* thermal.cu */
extern const otok_fused_family otok_fused_marine, otok_fused_marine_layered; /* marine.cu */

/* What the strategy keeps of a patch (otok_cuda_own.frames). Frames that were computed before:
   computing one takes longer than an iteration of a small grid. */
typedef struct otok_fused_kept {
    int n;
    struct {
        const void *code;
        otok_frame frame;
    } of[16];
} otok_fused_kept;

/* Ops from <= n < upto of a program: a pass of a family, or, if it is NULL, plain kernels. */
typedef struct otok_fused_segment {
    const otok_fused_family *family;
    int from, upto;
} otok_fused_segment;

/* walls: by families that know walls. */
int otok_fused_segments(otok_fused_segment *out, const otok_program *program, bool walls);

/* Does a plain stage of the program read velocities? */
bool otok_fused_has_racers(const otok_program *program, const otok_fused_segment *segments,
                           int count);

/* The number of whole strips in a row (otok_strip_whole) of a batch's member; -2 or -4 if rows of 2
   or 4 members make up a strip; 0 otherwise. */
int otok_fused_whole_strips(const otok_patch *patch, const otok_fused_family *family);

/* Divides a patch, or the members of a batch, among warps. */
otok_status otok_fused_frame(otok_frame *g, const otok_patch *patch, const otok_batch *batch,
                             const otok_fused_family *family, const void *code);

static inline bool otok_has_walls(const otok_patch *patch)
{
    return patch->view.at[OTOK_WALLS] != NULL;
}

/* Dynamic shared memory of a block: walls are an input more, of which there is one row. */
enum { OTOK_WALLS_SHARED = 32 * OTOK_STRIP_WARPS * OTOK_LANE * sizeof(float) };
static inline int otok_fused_shared(const otok_fused_family *family, const otok_patch *patch)
{
    return family->shared + (otok_has_walls(patch) && family->shared ? (int)OTOK_WALLS_SHARED : 0);
}

static inline unsigned otok_fused_partners(const otok_fused_family *family, int open)
{
    return family->partner | (family->partner_open & (unsigned)open);
}

/* The open sides of a patch, a bit each. */
static inline int otok_open_sides(const otok_patch *patch)
{
    int open = 0;
    for (int side = 0; side < OTOK_SIDES; side++)
        open |= (patch->edges[side] == OTOK_OPEN) << side;
    return open;
}

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

static inline void otok_turn_change(otok_view *v)
{
    otok_exchange_pointers(&v->at[OTOK_TERRAIN_CHANGE], &v->at[OTOK_CHANGE_NEXT]);
}

#endif
