/* hydraulic_stack.cuh: the path of a warp through a hydraulic iteration (hydraulic_walk.cuh) if the
   warps of a block are a stack, one above the other in the same strip. Rows on a seam between two
   of them are not computed twice. The warp above computes the lowest of its rows while the one
   below is far from them, and leaves it what it still needs, on the seam. The warp below then ends
   that row together with its own highest one. Conservative transport only. At 1024² of one H100 the
   rate is 36.0 Gcell-steps/s in place of 26.8; larger grids do not take it. */
#ifndef OTOK_FAST_HYDRAULIC_STACK_CUH
#define OTOK_FAST_HYDRAULIC_STACK_CUH

#include "hydraulic_walk.cuh"

#include <limits.h>

/* What is left on a seam, of the lowest row above it: its outflow to the bottom, the sediment that
   leaves with that, what stays, what comes from the sides, its ground, and the sediment that comes
   from the row above. */
enum { SEAM_BOTTOM, SEAM_FALLING, SEAM_KEPT, SEAM_ACROSS, SEAM_GROUND, SEAM_ABOVE, SEAM_ROWS };

/* A lane reads what the same lane of the warp above has left. */
struct otok_stack_seam {
    float *lane; /* its four values of the first row */

    __device__ __forceinline__ void leave(int row, const float (&v)[OTOK_LANE]) const
    {
        *(float4 *)(lane + row * 32 * OTOK_LANE) = make_float4(v[0], v[1], v[2], v[3]);
    }

    __device__ __forceinline__ void get(float (&v)[OTOK_LANE], int row) const
    {
        const float4 all = *(const float4 *)(lane + row * 32 * OTOK_LANE);
        v[0] = all.x, v[1] = all.y, v[2] = all.z, v[3] = all.w;
    }

    /* A bit for each column of the lane that settles. */
    __device__ __forceinline__ unsigned &dry() const
    {
        const int n = (int)threadIdx.x % 32;
        return *(unsigned *)(lane + SEAM_ROWS * 32 * OTOK_LANE - n * (OTOK_LANE - 1));
    }
};

/* The seam above the warp (n = 0) or below it (-1). */
static __device__ inline otok_stack_seam otok_seam_of(const otok_frame &g, int n)
{
    const int thread = (int)threadIdx.x;
    return {g.seams + ((int)blockIdx.x * OTOK_SEAMS + (thread / 32 + n) * OTOK_SEAM +
                       thread % 32 * OTOK_LANE)};
}

#ifndef OTOK_CUDA_EMULATED
static __device__ inline unsigned otok_left_on(const unsigned *seam)
{
    unsigned n;
    asm volatile("ld.acquire.cta.u32 %0, [%1];" : "=r"(n) : "l"(seam) : "memory");
    return n;
}

static __device__ inline void otok_leave_on(unsigned *seam)
{
    asm volatile("st.release.cta.u32 [%0], 1;" ::"l"(seam) : "memory");
}
#endif

/* The strip of a warp of a stack. `shares`: the stack has rows enough for seams. */
static __device__ inline otok_strip otok_stack_strip(const otok_frame &g, bool &shares)
{
    const int block = (int)blockIdx.x, warp = (int)threadIdx.x / 32, n = block - g.sides_from;
    int strip = block % g.strips, chunk = block / g.strips, chunks = g.chunks;
    if (g.side_chunks > 0) {
        strip = n < 0 ? 1 + block % (g.strips - 2) : n % 2 * (g.strips - 1);
        chunk = n < 0 ? block / (g.strips - 2) : n / 2;
        chunks = n < 0 ? g.chunks : g.side_chunks;
    }
    otok_strip s = otok_strip_columns(g, strip);
    const int64_t all = g.end - g.own;
    const int from = g.own + (int)(all * chunk / chunks),
              rows = g.own + (int)(all * (chunk + 1) / chunks) - from;
    s.bottom = from + otok_stack_row(rows, warp);
    s.top = from + otok_stack_row(rows, warp + 1);
    s.books = true;
    shares = rows >= OTOK_STACK_LEAST;
    return s;
}

template <bool DEFAULT_LAWS, bool CLOSED>
struct otok_stack_warp
    : otok_hydraulic_warp<true, false, DEFAULT_LAWS, CLOSED, 0, OTOK_STACK_AHEAD, true> {
    /* Leaves on the seam below the sediment that leaves row r-2 to the bottom. */
    __device__ __forceinline__ void leave_falling(const otok_stack_seam &seam, int row,
                                                  const otok_eroded_row &e)
    {
        float falling[OTOK_LANE];
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            falling[c] = e.load[c] * e.out[c].bottom;
        seam.leave(row, falling);
    }

    /* After its carry: leaves what transport has found out about row r-2. */
    __device__ __forceinline__ void leave_lowest(const otok_stack_seam &seam)
    {
        float ground[OTOK_LANE];
        otok_take(ground, this->rows.waiting[0], this->s);
        seam.leave(SEAM_KEPT, this->kept);
        seam.leave(SEAM_ACROSS, this->across);
        seam.leave(SEAM_GROUND, ground);
        seam.dry() = this->dry;
    }

    /* Transport and settling of the highest row of this warp, and of the lowest one above it. */
    __device__ __forceinline__ void carry_last(const otok_stack_seam &seam)
    {
        otok_strip both = this->s;
        both.top++;
#pragma unroll
        for (int n = 0; n < 2; n++) {
            const int row = this->s.top - 1 + n;
            float settled[OTOK_LANE], rising[OTOK_LANE], falling[OTOK_LANE];
            otok_take(rising, this->rows.waiting[1 + ((row + 3) & 1)], this->s);
            otok_take(settled, this->rows.waiting[0], this->s);
            seam.get(falling, n == 0 ? SEAM_FALLING : SEAM_ABOVE);
            if (n == 1) {
                seam.get(settled, SEAM_GROUND);
                seam.get(this->kept, SEAM_KEPT);
                seam.get(this->across, SEAM_ACROSS);
                this->dry = seam.dry();
            }
            float carried[OTOK_LANE];
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++)
                carried[c] = otok_transport_gained_two(this->kept[c], this->across[c], rising[c],
                                                       falling[c]);
            settle_row(settled, carried, this->dry);
            store_settled(this->a, row, settled, carried, this->g, both);
        }
    }
};

template <bool DEFAULT_LAWS, bool CLOSED>
static __device__ inline void otok_hydraulic_walk_stack(
    const otok_frame &g, const otok_flow &a, const otok_water_coefficients &kw,
    const otok_erosion_coefficients &erosion, const otok_transport_coefficients &transport)
{
    extern __shared__ otok_line memory[];
    __shared__ otok_booking rare[CLOSED ? 1 : RARE_ENTRIES][CLOSED ? 1 : OTOK_STRIP_BLOCK];
    bool shares;
    const otok_strip s = otok_stack_strip(g, shares);
    const int warp = (int)threadIdx.x / 32;
    const bool under = shares && warp > 0, over = shares && warp < OTOK_STRIP_WARPS - 1;
    otok_stack_warp<DEFAULT_LAWS, CLOSED> walk{
        {g, a, kw, erosion, transport, s,
         *(otok_walk_shared<true, false, OTOK_STACK_AHEAD> *)memory,
         &rare[0][CLOSED ? 0 : threadIdx.x], under, over, otok_leaves_first()}};
    const int lowest = under ? s.bottom : INT_MIN / 2, beyond = over ? s.top : INT_MAX;
    __shared__ unsigned left[OTOK_STRIP_WARPS]; /* 1: all is on the seam below this warp */
    if (threadIdx.x < OTOK_STRIP_WARPS) left[threadIdx.x] = 0;
    __syncthreads();
    otok_strip_begin();
    walk.start();
#pragma unroll 1
    for (int r = walk.begin; r < walk.end; r++) {
        otok_walk_step now = {};
        otok_eroded_row eroded;
        now.r = r;
        if (r <= beyond) {
            walk.rain(now);
            if (r >= walk.begin + 2) walk.outflow(now);
            if (r - 1 == lowest) otok_seam_of(g, -1).leave(SEAM_BOTTOM, now.from_top);
        } else {
            walk.arrived();
            while (!otok_left_on(&left[warp + 1])) {}
            otok_seam_of(g, 0).get(now.from_top, SEAM_BOTTOM);
        }
        walk.take(now);
        if (r >= walk.begin + 4) {
            walk.erode(now, eroded);
            if (r - 2 == lowest) walk.leave_falling(otok_seam_of(g, -1), SEAM_FALLING, eroded);
            if (r - 3 == lowest) walk.leave_falling(otok_seam_of(g, -1), SEAM_ABOVE, eroded);
            walk.carry(now, eroded, r - 3 != lowest);
            if (r - 2 == lowest) walk.leave_lowest(otok_seam_of(g, -1));
        }
        if (r - 3 == lowest) {
            __syncwarp();
            if (threadIdx.x % 32 == 0) otok_leave_on(&left[warp]);
        }
        walk.age(now);
    }
    if (over) walk.carry_last(otok_seam_of(g, 0));
    walk.finish();
}

#endif
