/* thermal.cu: thermal erosion in one pass, 12 bytes a cell. Row r is loaded while row r-1 slides
   and row r-2 collects. The physics is in model/thermal.h. The effect of the ground's rounding is
   booked as the ground after less the ground before. If the program has no other stage, this
   happens only before the first and after the last of several iterations, by kernels of their
   own. */
#include "strip_beside.cuh"
#include "strip_books.cuh"
#include "strip_rows.cuh"

#include "../batch.cuh"
#include "model/thermal.h"

static __device__ inline void fetch_ground(otok_slot &to, otok_slot &to_change, const float *base,
                                           const float *change, int row, const otok_strip &s)
{
    if (s.scattered) {
        otok_fetch_scattered(to, base, row, s);
        otok_fetch_scattered(to_change, change, row, s);
    } else {
        otok_fetch(to, base, row, s);
        otok_fetch(to_change, change, row, s);
    }
}

typedef struct otok_ground {
    const float *base, *change;
    float *next;
    otok_sum *sums;
    int books;  /* bits of otok_booked_ends */
    int counts; /* otok_moves_count of the iteration */
} otok_ground;

/* Books a row of a lane, which was `given`. */
template <int BOOKS>
static __device__ inline void
book_row(otok_booking &rounded, otok_booking &risen, float (&given)[OTOK_LANE],
         float (&next)[OTOK_LANE], const otok_ground &a, const otok_frame &g, const otok_strip &s)
{
    bool moved = false;
    if (BOOKS == OTOK_BOOKS_RISES) otok_rises(risen, given, next, a.counts, g, s);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        const bool books = s.i + c < g.nx;
        given[c] = books && a.books & OTOK_BOOKS_BEFORE ? given[c] : 0.0f;
        next[c] = books && a.books & OTOK_BOOKS_AFTER ? next[c] : 0.0f;
        moved |= next[c] != given[c];
    }
    if (!moved) return;
    const otok_booking more = otok_booking_change(next, given);
    rounded.hi += more.hi;
    rounded.lo += more.lo;
}

/* WHOLE: otok_strip_whole, of one grid or of several. With several, a lane works on one of them if
   it is `there`. BOOKS: OTOK_BOOKS_NOTHING and so on. */
template <int WHOLE, int BOOKS>
static __device__ inline void otok_thermal_walk(const otok_frame &g, const otok_ground &a,
                                                const otok_thermal_coefficients &k,
                                                bool there = true)
{
    const float *const base = a.base, *const change = a.change;
    enum { REACH = 2 };
    const otok_strip s = WHOLE ? otok_strip_whole<WHOLE>(g, there) : otok_strip_of(g);
    const bool beyond_sides = !WHOLE && s.side; /* some columns of the warp are not in the grid */
    float h[3][OTOK_LANE] = {}, left[3] = {},
          right[3] = {}; /* rows by age, and the columns beside the lane's */
    float rest[3][OTOK_LANE] = {}, across[3][OTOK_LANE] = {};
    const int begin = s.bottom - REACH, end = s.bottom < s.top ? s.top + REACH : begin;
    alignas(128) __shared__ otok_slot bases[2], changes[4]; /* rows on their way */
    __shared__ otok_slot rising[2][3];                      /* debris to a row from the one below */
    __shared__ otok_booking rounded[BOOKS ? OTOK_STRIP_BLOCK : 1];
    otok_booking risen = {0, 0};
    if (BOOKS) rounded[threadIdx.x] = {0, 0};
    int row = otok_strip_row(g, begin);
    fetch_ground(bases[begin & 1], changes[begin & 3], base, change, row, s);

    for (int r = begin; r < end; r++) {
        float base_in[OTOK_LANE], given[OTOK_LANE];
        otok_fetched();
        row = otok_strip_row_after(g, row, r + 1);
        if (r + 1 < end)
            fetch_ground(bases[(r + 1) & 1], changes[(r + 1) & 3], base, change, row, s);
        otok_take(base_in, bases[r & 1], s);
        otok_take(given, changes[r & 3], s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            h[0][c] = base_in[c] + given[c];
        if (beyond_sides || otok_beyond_y(g, r)) { /* a wall */
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++)
                if (otok_beyond_y(g, r) || otok_beyond_x(g, s.i + c)) h[0][c] = INFINITY;
        }
        left[0] = otok_left<WHOLE>(h[0][OTOK_LANE - 1], INFINITY, g, s);
        right[0] = otok_right<WHOLE>(h[0][0], INFINITY, g, s);

        if (r >= s.bottom) { /* row r-1 slides */
            otok_eight pipe[OTOK_LANE], in[OTOK_LANE];
            otok_take(given, changes[(r - 1) & 3], s);
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                const otok_moore around = {h[1][c],
                                           otok_beside(h[1], left[1], right[1], c - 1),
                                           otok_beside(h[1], left[1], right[1], c + 1),
                                           h[2][c],
                                           h[0][c],
                                           otok_beside(h[2], left[2], right[2], c - 1),
                                           otok_beside(h[2], left[2], right[2], c + 1),
                                           otok_beside(h[0], left[0], right[0], c - 1),
                                           otok_beside(h[0], left[0], right[0], c + 1)};
                const otok_slide slide = otok_thermal_outflow(around, given[c], k);
                rest[1][c] = slide.change;
                pipe[c] = slide.pipe;
            }
            if (beyond_sides || otok_beyond_y(g, r - 1)) { /* nothing comes from a wall */
#pragma unroll
                for (int c = 0; c < OTOK_LANE; c++)
                    if (otok_beyond_y(g, r - 1) || otok_beyond_x(g, s.i + c)) pipe[c] = {};
            }
            const float from_left = otok_left<WHOLE>(pipe[OTOK_LANE - 1].right, 0.0f, g, s);
            const float from_right = otok_right<WHOLE>(pipe[0].left, 0.0f, g, s);
            const float up_left = otok_left<WHOLE>(pipe[OTOK_LANE - 1].top_right, 0.0f, g, s);
            const float up_right = otok_right<WHOLE>(pipe[0].top_left, 0.0f, g, s);
            const float down_left = otok_left<WHOLE>(pipe[OTOK_LANE - 1].bottom_right, 0.0f, g, s);
            const float down_right = otok_right<WHOLE>(pipe[0].bottom_left, 0.0f, g, s);
            float up[3][OTOK_LANE], next[OTOK_LANE];
            otok_slot *const below =
                rising[r & 1]; /* holds the debris to row r-2 until now, and to row r from now on */
#pragma unroll
            for (int n = 0; n < 3; n++)
                otok_take(up[n], below[n], s);
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                const int l = c > 0 ? c - 1 : 0, n = (c + 1) % OTOK_LANE;
                const bool first = c == 0, last = c == OTOK_LANE - 1;
                across[1][c] =
                    (first ? from_left : pipe[l].right) + (last ? from_right : pipe[n].left);
                in[c].bottom = up[0][c], in[c].bottom_left = up[1][c],
                in[c].bottom_right = up[2][c];
                in[c].top = pipe[c].bottom;
                in[c].top_left = first ? down_left : pipe[l].bottom_right;
                in[c].top_right = last ? down_right : pipe[n].bottom_left;
                next[c] = otok_thermal_collect_six(rest[2][c], across[2][c],
                                                   in[c]); /* row r-2 collects */
            }
            below[0][s.index] = make_float4(pipe[0].top, pipe[1].top, pipe[2].top, pipe[3].top);
            below[1][s.index] =
                make_float4(up_left, pipe[0].top_right, pipe[1].top_right, pipe[2].top_right);
            below[2][s.index] =
                make_float4(pipe[1].top_left, pipe[2].top_left, pipe[3].top_left, up_right);
            const bool mine = r - 2 >= s.bottom && r - 2 < s.top;
            if (mine) otok_strip_store(a.next, (r - 2) * g.pitch, next, g, s);
            if (BOOKS && mine && s.owned) {
                otok_take(given, changes[(r - 2) & 3], s);
                book_row<BOOKS>(rounded[threadIdx.x], risen, given, next, a, g, s);
            }
        }

        otok_age(h), otok_age(rest), otok_age(across);
        left[2] = left[1], left[1] = left[0];
        right[2] = right[1], right[1] = right[0];
    }
    if (BOOKS) otok_strip_book<WHOLE>(a.sums + OTOK_SUM_GROUND_ROUNDED, rounded[threadIdx.x], s);
    if (BOOKS == OTOK_BOOKS_RISES) otok_strip_book<WHOLE>(a.sums + OTOK_SUM_GROUND_MOVED, risen, s);
}

template <bool EXCESS, int BOOKS>
static __global__ void __launch_bounds__(OTOK_STRIP_BLOCK, 5)
    fused_thermal(otok_frame g, otok_handing hand, otok_ground a, otok_thermal_coefficients k)
{
    k.excess = EXCESS;
    otok_strip_begin();
    otok_strip_await(g, hand);
    otok_thermal_walk<0, BOOKS>(g, a, k);
    otok_strip_hand_over(g, hand);
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
        BOOKS == OTOK_BOOKS_RISES ? otok_moves_count(otok_moved(steps, bytes)[n].iteration) : 0};
    otok_thermal_walk<WHOLE, BOOKS>(g, a, otok_moved(batch.k, bytes)->thermal, m < batch.n);
}

typedef void otok_thermal_batch_kernel(otok_frame, otok_ground, otok_batch, const otok_step *, int);
typedef void otok_thermal_kernel(otok_frame, otok_handing, otok_ground, otok_thermal_coefficients);

static const void *code(const otok_coefficients *k, int)
{
    otok_thermal_kernel *const kernel = k->thermal.excess
                                            ? fused_thermal<true, OTOK_BOOKS_NOTHING>
                                            : fused_thermal<false, OTOK_BOOKS_NOTHING>;
    return (const void *)kernel;
}

static otok_ground ground_of(otok_view *v, const otok_fused_pass *pass, int n, int nsteps,
                             int joins, int counts)
{
    const otok_ground a = {v->at[OTOK_TERRAIN_BASE],
                           v->at[OTOK_TERRAIN_CHANGE],
                           v->at[OTOK_CHANGE_NEXT],
                           v->sums,
                           otok_booked_ends(pass, n, nsteps, joins),
                           counts};
    otok_turn_change(v, NULL, 0);
    return a;
}

static cudaError_t start(otok_patch *patch, const otok_fused_pass *pass, const otok_coefficients *k,
                         const otok_step *steps, int n, int nsteps)
{
    static otok_thermal_kernel *const booking[2][2] = {
        {fused_thermal<false, OTOK_BOOKS_ROUNDING>, fused_thermal<false, OTOK_BOOKS_RISES>},
        {fused_thermal<true, OTOK_BOOKS_ROUNDING>, fused_thermal<true, OTOK_BOOKS_RISES>}};
    const otok_ground a = ground_of(&patch->view, pass, n, nsteps, otok_cuda_own_of(patch)->joins,
                                    otok_moves_count(steps[n].iteration));
    otok_thermal_kernel *const kernel = a.books || a.counts
                                            ? booking[k->thermal.excess != 0][a.counts != 0]
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
    static const int kinds[] = {0, 1, -2, -4};
    const otok_ground a = ground_of(&leader->view, pass, n, nsteps, 0, pass->counted[n]);
    const dim3 grid((unsigned)pass->frame.blocks, 1, (unsigned)otok_fused_groups(pass, batch));
    otok_thermal_batch_kernel *kernel = (otok_thermal_batch_kernel *)pass->code;
    for (int i = 0; (a.books || a.counts) && i < 4; i++)
        if (pass->code == (const void *)batch_kernel<OTOK_BOOKS_NOTHING>(kinds[i]))
            kernel = a.counts ? batch_kernel<OTOK_BOOKS_RISES>(kinds[i])
                              : batch_kernel<OTOK_BOOKS_ROUNDING>(kinds[i]);
    kernel<<<grid, OTOK_STRIP_BLOCK, 0, otok_cuda_own_of(leader)->stream>>>(pass->frame, a, *batch,
                                                                            leader->view.steps, n);
    return cudaGetLastError();
}

static const otok_op ops[] = {
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_THERMAL_OUTFLOW, 0},
    {otok_op::OTOK_OP_STAGE, OTOK_STAGE_THERMAL_COLLECT, 0},
    {otok_op::OTOK_OP_SWAP, OTOK_TERRAIN_CHANGE, OTOK_CHANGE_NEXT},
};

extern const otok_fused_family otok_fused_thermal = {ops,
                                                     sizeof ops / sizeof ops[0],
                                                     2,
                                                     12,
                                                     code,
                                                     start,
                                                     otok_turn_change,
                                                     otok_makes_change,
                                                     0,
                                                     0,
                                                     batch_code,
                                                     batch_start,
                                                     1};
