/* thermal.cu: thermal erosion in one pass, 12 bytes a cell, as a list of stages (belt.cuh). The
   physics is in model/thermal.h. The effect of the ground's rounding is booked as the ground after
   less the ground before. If the program has no other stage, this happens only before the first and
   after the last of several iterations, by kernels of their own. */
#include "belt.cuh"
#include "belt_walls.cuh"
#include "strip_books.cuh"

#include "../batch.cuh"
#include "model/thermal.h"

typedef struct otok_ground {
    const float *base, *change;
    float *next;
    otok_sum *sums;
    int books;  /* bits of otok_booked_ends */
    int counts; /* otok_moves_count of the iteration */
    const float *walls;
} otok_ground;

/* Debris slides (SLIDE) to eight neighbours. JOIN adds what comes from both sides, and turns what
   goes up to the cells that it goes to; with these COLLECT needs no pipe of an older row. BOOKS:
   OTOK_BOOKS_NOTHING and so on. WALLS: as in otok_pipes_belt. */
template <int BOOKS, bool WALLS> struct otok_thermal_belt : otok_belt_defaults {
    enum {
        BASE,
        CHANGE,
        WALL_MAP,
        H,
        REST,
        LEFT,
        RIGHT,
        BOTTOM,
        TOP,
        BOTTOM_LEFT,
        BOTTOM_RIGHT,
        TOP_LEFT,
        TOP_RIGHT,
        KEPT,
        ACROSS,
        UP,
        UP_L,
        UP_R,
        NEXT,
        WIRES
    };
    static constexpr int INPUTS = H;
    enum { GROUND, SLIDE, COLLECT, JOIN, STAGES };
    static constexpr otok_read reads[] = {{GROUND, {BASE, CHANGE}, 0, 0, 0, 0},
                                          {GROUND, WALL_MAP, 0, 0, 0, 0, WALLS},
                                          {SLIDE, H, -1, 1, -1, 1},
                                          {SLIDE, CHANGE, 0, 0, 0, 0},
                                          {JOIN, {REST, TOP}, 0, 0, 0, 0},
                                          {JOIN, {RIGHT, TOP_RIGHT}, -1, -1, 0, 0},
                                          {JOIN, {LEFT, TOP_LEFT}, 1, 1, 0, 0},
                                          {COLLECT, {KEPT, ACROSS}, 0, 0, 0, 0},
                                          {COLLECT, {UP, UP_L, UP_R}, 0, 0, -1, -1},
                                          {COLLECT, BOTTOM, 0, 0, 1, 1},
                                          {COLLECT, BOTTOM_RIGHT, -1, -1, 1, 1},
                                          {COLLECT, BOTTOM_LEFT, 1, 1, 1, 1},
                                          {COLLECT, CHANGE, 0, 0, 0, 0, BOOKS != 0}};
    static constexpr int made_by(int w)
    {
        return w == H ? GROUND : w <= TOP_RIGHT ? SLIDE : w <= UP_R ? JOIN : COLLECT;
    }
    static constexpr otok_beyond beyond(int w)
    {
        return w == H ? WALL : w >= LEFT && w <= TOP_RIGHT ? NOTHING : FREE;
    }
    static constexpr bool parked(int w)
    {
        return w == UP || w == UP_L || w == UP_R;
    }
    static constexpr bool early(int w)
    {
        return w == H;
    }
    static constexpr bool apart(int stage)
    {
        return stage == SLIDE || stage == JOIN;
    }

    const otok_ground &a;
    const otok_thermal_coefficients &k;
    otok_booking *const rounded; /* the lane's */
    otok_booking risen = {0, 0};

    template <int W, class B> __device__ __forceinline__ const float *field(const B &, int) const
    {
        return W == BASE ? a.base : W == CHANGE ? a.change : a.walls;
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<GROUND> n, B &b, int)
    {
        b.each(n, [](auto x) {
            const bool wall = WALLS && here<WALL_MAP>(x) == OTOK_IN_WALL;
            put<H>(x, wall ? INFINITY : here<BASE>(x) + here<CHANGE>(x));
        });
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<SLIDE> n, B &b, int)
    {
        b.each(n, [&](auto x) {
            const otok_moore h = WALLS ? across_no_corner(moore<H>(x)) : moore<H>(x);
            otok_slide slide = otok_thermal_outflow(h, here<CHANGE>(x), k);
            if (WALLS && h.here == INFINITY) slide = {{}, here<CHANGE>(x)};
            put<REST>(x, slide.change);
            put<LEFT>(x, slide.pipe.left), put<RIGHT>(x, slide.pipe.right);
            put<BOTTOM>(x, slide.pipe.bottom), put<TOP>(x, slide.pipe.top);
            put<BOTTOM_LEFT>(x, slide.pipe.bottom_left);
            put<BOTTOM_RIGHT>(x, slide.pipe.bottom_right);
            put<TOP_LEFT>(x, slide.pipe.top_left), put<TOP_RIGHT>(x, slide.pipe.top_right);
        });
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<JOIN> n, B &b, int)
    {
        b.each(n, [](auto x) {
            put<ACROSS>(x, at<RIGHT>(x, -1, 0) + at<LEFT>(x, 1, 0));
            put<KEPT>(x, here<REST>(x));
            put<UP>(x, here<TOP>(x));
            put<UP_L>(x, at<TOP_RIGHT>(x, -1, 0)), put<UP_R>(x, at<TOP_LEFT>(x, 1, 0));
        });
    }
    template <class B> __device__ __forceinline__ void apply(otok_belt_stage<COLLECT> n, B &b, int)
    {
        b.each(n, [](auto x) {
            otok_eight in;
            in.bottom = at<UP>(x, 0, -1), in.top = at<BOTTOM>(x, 0, 1);
            in.bottom_left = at<UP_L>(x, 0, -1), in.bottom_right = at<UP_R>(x, 0, -1);
            in.top_left = at<BOTTOM_RIGHT>(x, -1, 1), in.top_right = at<BOTTOM_LEFT>(x, 1, 1);
            put<NEXT>(x, otok_thermal_collect_six(here<KEPT>(x), here<ACROSS>(x), in));
        });
    }
    template <int N, class B>
    __device__ __forceinline__ void done(otok_belt_stage<N> n, B &b, int j)
    {
        if constexpr (N == COLLECT) {
            otok_strip_store(a.next, j * b.g.pitch, b.w[NEXT][0], b.g, b.s);
            if constexpr (BOOKS != 0)
                if (b.s.owned)
                    otok_book_row<BOOKS>(*rounded, risen, row_of<CHANGE>(n, b), b.w[NEXT][0], a,
                                         b.g, b.s);
        }
    }
};

/* WHOLE: otok_strip_whole, of one grid or of several. With several, a lane works on one of them if
   it is `there`. */
template <int WHOLE, int BOOKS, bool WALLS = false>
static __device__ inline void otok_thermal_walk(const otok_frame &g, const otok_ground &a,
                                                const otok_thermal_coefficients &k,
                                                bool there = true)
{
    typedef otok_thermal_belt<BOOKS, WALLS> list;
    typedef otok_belt<list, WHOLE> belt;
    alignas(128) __shared__ otok_slot slots[belt::plan::SLOTS];
    __shared__ otok_booking rounded[BOOKS ? OTOK_STRIP_BLOCK : 1];
    list p{{}, a, k, &rounded[BOOKS ? threadIdx.x : 0]};
    if (BOOKS) *p.rounded = {0, 0};
    belt b{p, g, WHOLE ? otok_strip_whole<WHOLE>(g, there) : otok_strip_of(g, otok_warp_alike()),
           slots, NULL};
    b.walk();
    if (BOOKS) otok_strip_book<WHOLE>(a.sums + OTOK_SUM_GROUND_ROUNDED, *p.rounded, b.s);
    if (BOOKS == OTOK_BOOKS_RISES)
        otok_strip_book<WHOLE>(a.sums + OTOK_SUM_GROUND_MOVED, p.risen, b.s);
}

template <bool EXCESS, int BOOKS, bool WALLS>
static __global__ void __launch_bounds__(OTOK_STRIP_BLOCK, 5)
    fused_thermal(otok_frame g, otok_ground a, otok_thermal_coefficients k)
{
    k.excess = EXCESS;
    otok_strip_begin();
    otok_thermal_walk<0, BOOKS, WALLS>(g, a, k);
}

/* steps: the device's, of the first slot; what moves in the n-th counts for each member. */
template <int WHOLE, int BOOKS>
static __global__ void __launch_bounds__(OTOK_STRIP_BLOCK, 5)
    fused_thermal_batch(otok_frame g, otok_ground first, otok_batch batch, const otok_step *steps,
                        int n)
{
    const int m = WHOLE < 0 ? (int)blockIdx.z * -WHOLE + otok_part<WHOLE>() : (int)blockIdx.z;
    const ptrdiff_t bytes = batch.slots[m < batch.n ? m : batch.n - 1] * batch.stride;
    const otok_ground a = {
        otok_moved(first.base, bytes),
        otok_moved(first.change, bytes),
        otok_moved(first.next, bytes),
        otok_moved(first.sums, bytes),
        first.books,
        BOOKS == OTOK_BOOKS_RISES ? otok_moves_count(otok_moved(steps, bytes)[n].iteration) : 0,
        NULL};
    otok_thermal_walk<WHOLE, BOOKS>(g, a, otok_moved(batch.k, bytes)->thermal, m < batch.n);
}

typedef void otok_thermal_batch_kernel(otok_frame, otok_ground, otok_batch, const otok_step *, int);
typedef void otok_thermal_kernel(otok_frame, otok_ground, otok_thermal_coefficients);

template <int BOOKS> static otok_thermal_kernel *kernel_for(const otok_coefficients *k, bool walls)
{
    if (k->thermal.excess)
        return walls ? fused_thermal<true, BOOKS, true> : fused_thermal<true, BOOKS, false>;
    return walls ? fused_thermal<false, BOOKS, true> : fused_thermal<false, BOOKS, false>;
}

static const void *code(const otok_coefficients *k, int, bool walls)
{
    return (const void *)kernel_for<OTOK_BOOKS_NOTHING>(k, walls);
}

static otok_ground ground_of(otok_view *v, const otok_fused_pass *pass, int n, int nsteps,
                             int joins, int counts)
{
    const otok_ground a = {v->at[OTOK_TERRAIN_BASE],
                           v->at[OTOK_TERRAIN_CHANGE],
                           v->at[OTOK_CHANGE_NEXT],
                           v->sums,
                           otok_booked_ends(pass, n, nsteps, joins),
                           counts,
                           v->at[OTOK_WALLS]};
    otok_turn_change(v);
    return a;
}

static cudaError_t start(otok_patch *patch, const otok_fused_pass *pass, const otok_coefficients *k,
                         const otok_step *steps, int n, int nsteps)
{
    const otok_ground a = ground_of(&patch->view, pass, n, nsteps, otok_cuda_own_of(patch)->joins,
                                    otok_moves_count(steps[n].iteration));
    const bool walls = a.walls != NULL;
    otok_thermal_kernel *const kernel = a.counts  ? kernel_for<OTOK_BOOKS_RISES>(k, walls)
                                        : a.books ? kernel_for<OTOK_BOOKS_ROUNDING>(k, walls)
                                                  : (otok_thermal_kernel *)pass->code;
    return otok_strip_start(kernel, pass, otok_cuda_own_of(patch)->stream, a, k->thermal);
}

template <int BOOKS> static otok_thermal_batch_kernel *batch_kernel(int whole)
{
    return whole == -2   ? fused_thermal_batch<-2, BOOKS>
           : whole == -4 ? fused_thermal_batch<-4, BOOKS>
           : whole       ? fused_thermal_batch<1, BOOKS>
                         : fused_thermal_batch<0, BOOKS>;
}

static const void *batch_code(const otok_coefficients *, int whole, int)
{
    return (const void *)batch_kernel<OTOK_BOOKS_NOTHING>(whole);
}

static cudaError_t batch_start(otok_patch *leader, float **, const otok_batch *batch,
                               const otok_fused_pass *pass, int n, int nsteps)
{
    const int whole = otok_fused_whole_strips(leader, pass->family);
    const otok_ground a = ground_of(&leader->view, pass, n, nsteps, 0, pass->counted[n]);
    const dim3 grid((unsigned)pass->frame.blocks, 1, (unsigned)otok_fused_groups(pass, batch));
    otok_thermal_batch_kernel *const kernel = a.counts  ? batch_kernel<OTOK_BOOKS_RISES>(whole)
                                              : a.books ? batch_kernel<OTOK_BOOKS_ROUNDING>(whole)
                                                        : batch_kernel<OTOK_BOOKS_NOTHING>(whole);
    kernel<<<grid, OTOK_STRIP_BLOCK, 0, otok_cuda_own_of(leader)->stream>>>(pass->frame, a, *batch,
                                                                            leader->view.steps, n);
    return cudaGetLastError();
}

static const otok_op ops[] = {
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_THERMAL_OUTFLOW, 0},
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_THERMAL_COLLECT, 0},
    {otok_op::OTOK_OP_SWAP, OTOK_TERRAIN_CHANGE, OTOK_CHANGE_NEXT},
};

extern const otok_fused_family otok_fused_thermal = {.ops = ops,
                                                     .nops = sizeof ops / sizeof ops[0],
                                                     .reach = 2,
                                                     .bytes = 12,
                                                     .code = code,
                                                     .start = start,
                                                     .batch_code = batch_code,
                                                     .batch_start = batch_start,
                                                     .batch_whole = 1,
                                                     .walls = true};
