/* light.cu: reefs that grow by light on a ground that moves and spreads, of the members of a batch:
   the stages uplift, reef_light, marine_shares, marine_diffusion and layers_follow. A block has a
   member, and goes on from one sweep of waves to the next in one kernel. What neighbours read is in
   shared memory; the rest is read and written once per stage, by the thread of the cell. Reefs of
   several producers, karst and a coast run by the plain kernels. 768 islands of 128 x 128 cells on
   one H200: 1.3 times as fast as these in all, 1.7 to 2.3 times while they run. The physics is in
   model/uplift.h, reef_light.h and marine.h. */
#include "../batch.cuh"
#include "core/ground.h"
#include "fused.h"
#include "model/marine.h"

enum { MOST_THREADS = 1024, CELLS_A_THREAD = 16 };

/* What an iteration of a program does: `spreads` times diffusion. */
typedef struct otok_light_way {
    int rises, layered, spreads;
    int wraps_x, wraps_y;
    int nsteps;
} otok_light_way;

/* A cell of a thread: its place in the buffers, and in the maps of the block, which have a ring. */
typedef struct otok_light_cell {
    int i, j, at, in;
} otok_light_cell;

/* A block's member, with n layers; its maps at cell (0, 0): the ground, the strength of diffusion,
   and the share of its outflow that a cell can give; and what its threads add to sums. */
typedef struct otok_light_block {
    otok_view v;
    otok_light_way way;
    otok_light_coefficients light;
    otok_marine_coefficients marine;
    double rate;
    int n;
    int ring; /* from row to row of the maps */
    float *h, *strength, *gives;
    otok_booking risen, grown, rock, rounded, moved;
} otok_light_block;

/* The cells of a thread follow each other at the distance of the number of threads. */
static __device__ inline otok_light_cell cell_at(const otok_light_block &b, int i, int j)
{
    const int over = i >= b.v.nx;
    otok_light_cell c = {over ? i - b.v.nx : i, j + over, 0, 0};
    c.at = c.j * (int)b.v.pitch + c.i;
    c.in = c.j * b.ring + c.i;
    return c;
}

static __device__ inline otok_light_cell first_cell(const otok_light_block &b)
{
    return cell_at(b, (int)threadIdx.x % b.v.nx, (int)threadIdx.x / b.v.nx);
}

static __device__ inline otok_light_cell next_cell(const otok_light_block &b,
                                                   const otok_light_cell &c)
{
    return cell_at(b, c.i + (int)blockDim.x % b.v.nx, c.j + (int)blockDim.x / b.v.nx);
}

static __device__ inline otok_cross cross_of(const otok_light_block &b, const float *map,
                                             const otok_light_cell &c)
{
    const otok_light_way &w = b.way;
    const int nx = b.v.nx, ny = b.v.ny;
    const float *at = map + c.in;
    return {at[0], at[w.wraps_x && c.i == 0 ? nx - 1 : -1],
            at[w.wraps_x && c.i == nx - 1 ? 1 - nx : 1],
            at[(w.wraps_y && c.j == 0 ? ny - 1 : -1) * b.ring],
            at[(w.wraps_y && c.j == ny - 1 ? 1 - ny : 1) * b.ring]};
}

/* All of the maps: no ground, which gives and takes nothing. */
static __device__ inline void clear(const otok_light_block &b, float *maps)
{
    const int cells = b.ring * (b.v.ny + 2);
    for (int n = (int)threadIdx.x; n < cells; n += (int)blockDim.x) {
        maps[n] = INFINITY;
        maps[cells + n] = 0.0f;
        if (b.way.layered) maps[2 * cells + n] = 0.0f;
    }
    __syncthreads();
}

/* The cell's ground, and the strength of diffusion there. */
static __device__ inline void look(const otok_light_block &b, const otok_light_cell &c, float sea)
{
    const float h = b.v.at[OTOK_TERRAIN_BASE][c.at] + b.v.at[OTOK_TERRAIN_CHANGE][c.at];
    b.h[c.in] = h;
    b.strength[c.in] = otok_marine_share(sea - h, b.marine);
}

static __device__ inline void rise(otok_light_block &b, const otok_light_cell &c,
                                   const otok_lift &lift)
{
    const otok_view &v = b.v;
    const float was = v.at[OTOK_TERRAIN_CHANGE][c.at];
    otok_column_rise(&v, c.at, b.n, otok_column_uplift(&v, c.at, b.n, lift));
    otok_booking_add(b.risen, v.at[OTOK_TERRAIN_CHANGE][c.at]);
    otok_booking_add(b.risen, was, -1);
}

/* The phase of the cell's dithers. */
static __device__ inline uint32_t phase_of(const otok_light_block &b, const otok_light_cell &c,
                                           const otok_step &step)
{
    return otok_dither_phase(step.phase, otok_dither_distance(b.v.x0 + c.i, b.v.global_nx),
                             otok_dither_distance(b.v.y0 + c.j, b.v.global_ny));
}

static __device__ inline void grow(otok_light_block &b, const otok_light_cell &c,
                                   const otok_lift &lift, const otok_step &step)
{
    const otok_view &v = b.v;
    const bool splits = b.n > 1 && b.light.rock > 0.0f;
    const float was = v.at[OTOK_TERRAIN_CHANGE][c.at],
                bottom = splits ? v.at[OTOK_LAYER_BOTTOM][c.at] : 0.0f;
    otok_column_grow(&v, c.at, b.n, 1, lift, &step, b.light, phase_of(b, c, step));
    otok_booking_add(b.grown, v.at[OTOK_TERRAIN_CHANGE][c.at]);
    otok_booking_add(b.grown, was, -1);
    if (!splits) return;
    otok_booking_add(b.rock, v.at[OTOK_LAYER_BOTTOM][c.at]);
    otok_booking_add(b.rock, bottom, -1);
}

static __device__ inline void spread(otok_light_block &b, otok_layer_books &books,
                                     const otok_light_cell &c, const otok_step &step)
{
    const otok_view &v = b.v;
    const otok_cross all = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
    const float was = v.at[OTOK_TERRAIN_CHANGE][c.at];
    const otok_four in = otok_marine_flows(cross_of(b, b.h, c), cross_of(b, b.strength, c));
    const float next = otok_marine_next(was, in, b.n > 1 ? cross_of(b, b.gives, c) : all,
                                        otok_dither(phase_of(b, c, step)));
    otok_booking_add(b.rounded, next);
    otok_booking_add(b.rounded, was, -1);
    otok_booking_risen(b.moved, was, next, otok_moves_count(step.iteration));
    if (b.way.layered)
        otok_ground_moved(&v, c.at, was, next, otok_bottoms_at(&v, c.at, b.n), b.n, &books);
    v.at[OTOK_TERRAIN_CHANGE][c.at] = next;
}

/* Diffusion, with the block's maps made by `look`. */
static __device__ inline void spread_all(otok_light_block &b, otok_layer_books &books,
                                         const otok_step &step)
{
    for (otok_light_cell c = first_cell(b); b.n > 1 && c.j < b.v.ny; c = next_cell(b, c))
        b.gives[c.in] =
            otok_marine_gives(otok_marine_flows(cross_of(b, b.h, c), cross_of(b, b.strength, c)),
                              b.v.at[OTOK_TERRAIN_CHANGE][c.at] - b.v.at[OTOK_LAYER_BOTTOM][c.at]);
    if (b.n > 1) __syncthreads();
    for (otok_light_cell c = first_cell(b); c.j < b.v.ny; c = next_cell(b, c))
        spread(b, books, c, step);
    __syncthreads();
}

static __device__ inline void iterate(otok_light_block &b, otok_layer_books &books,
                                      const otok_step &step)
{
    const otok_lift same = otok_lift_of(b.rate, &step);
    for (otok_light_cell c = first_cell(b); c.j < b.v.ny; c = next_cell(b, c)) {
        const otok_lift lift = otok_lift_at(&b.v, c.at, b.rate, same, &step);
        if (b.way.rises) rise(b, c, lift);
        grow(b, c, lift, step);
        look(b, c, step.sea);
    }
    __syncthreads();
    for (int s = 0; s < b.way.spreads; s++) {
        for (otok_light_cell c = first_cell(b); s > 0 && c.j < b.v.ny; c = next_cell(b, c))
            look(b, c, step.sea);
        if (s > 0) __syncthreads();
        spread_all(b, books, step);
    }
}

static __global__ void __launch_bounds__(MOST_THREADS)
    otok_light(otok_view first, otok_batch batch, otok_light_way way)
{
    extern __shared__ float maps[];
    const ptrdiff_t bytes = otok_batch_bytes(batch);
    const otok_coefficients &k = *otok_moved(batch.k, bytes);
    const int ring = first.nx + 2, cells = ring * (first.ny + 2);
    float *const h = maps + ring + 1;
    otok_light_block b = {otok_view_moved(first, bytes),
                          way,
                          k.light,
                          k.marine,
                          k.uplift.rate,
                          k.layers.n,
                          ring,
                          h,
                          h + cells,
                          h + 2 * cells,
                          {0, 0},
                          {0, 0},
                          {0, 0},
                          {0, 0},
                          {0, 0}};
    otok_layer_books books = {}; /* apart: its members are found by number, thus lie in memory */
    const int from = *b.v.now;
    clear(b, maps);
    for (int n = 0; n < way.nsteps; n++)
        iterate(b, books, b.v.steps[from + n]);
    if (threadIdx.x == 0) *(int *)b.v.now = from + way.nsteps;
    if (way.rises) otok_book<0>(b.v.sums + OTOK_SUM_UPLIFT, b.risen);
    otok_book<0>(b.v.sums + OTOK_SUM_REEF, b.grown);
    otok_book<0>(b.v.sums + OTOK_SUM_REEF_ROCK, b.rock);
    otok_book<0>(b.v.sums + OTOK_SUM_GROUND_ROUNDED, b.rounded);
    otok_book<0>(b.v.sums + OTOK_SUM_GROUND_MOVED, b.moved);
    if (way.layered) otok_book_layers<0>(b.v, books, b.n);
}

/* ---- host ---- */

static int bytes_of(const otok_view *v, const otok_light_way &way)
{
    return (way.layered ? 3 : 2) * (v->nx + 2) * (v->ny + 2) * (int)sizeof(float);
}

/* Is stage `s` the program's next op that is no halo? If so, *at goes past it. */
static bool comes(const otok_program *program, int *at, int s)
{
    int n = *at;
    while (n < program->nops && program->ops[n].kind == otok_op::OTOK_OP_HALO)
        n++;
    const bool here = n < program->nops && program->ops[n].kind == otok_op::OTOK_OP_STAGE &&
                      program->ops[n].a == s;
    if (here) *at = n + 1;
    return here;
}

/* False: it has other stages. */
static bool way_of(otok_light_way *way, const otok_program *program)
{
    int at = 0;
    *way = {};
    comes(program, &at, OTOK_STAGE_WAVES);
    way->rises = comes(program, &at, OTOK_STAGE_UPLIFT);
    if (!comes(program, &at, OTOK_STAGE_REEF_LIGHT)) return false;
    for (; at < program->nops; at++, way->spreads++) {
        const bool layered = comes(program, &at, OTOK_STAGE_MARINE_SHARES_LAYERED);
        if (!layered && !comes(program, &at, OTOK_STAGE_MARINE_SHARES)) return false;
        if (!comes(program, &at, OTOK_STAGE_MARINE_DIFFUSION)) return false;
        if (layered && !comes(program, &at, OTOK_STAGE_LAYERS_FOLLOW)) return false;
        if (at == program->nops || program->ops[at].kind != otok_op::OTOK_OP_SWAP) return false;
        way->layered |= layered;
    }
    return true;
}

bool otok_cuda_light_batch_can(const otok_view *v, const otok_program *program)
{
    otok_light_way way;
    int device = 0, most = 0;
    return !v->at[OTOK_WALLS] && way_of(&way, program) && cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) ==
               cudaSuccess &&
           bytes_of(v, way) <= most;
}

otok_status otok_cuda_light_batch(const otok_patch *leader, const otok_batch *batch,
                                  const otok_program *program, const otok_coefficients *k,
                                  const otok_step *steps, int nsteps)
{
    const otok_view *v = &leader->view;
    const otok_launch l = otok_cuda_launch(leader, batch, k);
    otok_light_way way;
    way_of(&way, program);
    way.wraps_x = leader->edges[OTOK_LEFT] == OTOK_PERIODIC;
    way.wraps_y = leader->edges[OTOK_BOTTOM] == OTOK_PERIODIC;
    const int shared = bytes_of(v, way), wanted = v->nx * v->ny / CELLS_A_THREAD / 32 * 32;
    const int threads = wanted < 64 ? 64 : wanted < MOST_THREADS ? wanted : MOST_THREADS;
    CUDA_TRY(cudaFuncSetAttribute((const void *)otok_light,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    for (int n = 0; n < nsteps; n += way.nsteps) {
        if (steps[n].waves) CUDA_TRY(otok_cuda_waves(&l));
        way.nsteps = 1;
        while (n + way.nsteps < nsteps && !steps[n + way.nsteps].waves)
            way.nsteps++;
        otok_light<<<dim3(1, 1, (unsigned)batch->n), dim3((unsigned)threads), shared, l.stream>>>(
            *v, *batch, way);
        CUDA_TRY(cudaGetLastError());
    }
    return OTOK_OK;
}
