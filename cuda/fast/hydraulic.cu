/* hydraulic.cu: a whole hydraulic iteration in one pass. Base, change, water, sediment and four
   outflows are read once, and all but the base are written once: 60 bytes a cell, and two for the
   wetness counter. hydraulic_belt.cuh and advection_belt.cuh have the stages. Here are the kernels
   for one patch and for a batch, in which block z works on the z-th member. */
#include "advection_belt.cuh"
#include "hydraulic_belt.cuh"

/* What to do with the sediment. */
template <bool CONSERVATIVE, bool MIX, bool PUBLISHED, bool WALLS> struct otok_pipes_list {
    typedef otok_advection_belt<MIX, PUBLISHED, WALLS> of;
};
template <bool MIX, bool PUBLISHED, bool WALLS>
struct otok_pipes_list<true, MIX, PUBLISHED, WALLS> {
    typedef otok_conservative_belt<PUBLISHED, WALLS> of;
};

/* PUBLISHED: central slope, capacity by speed, nothing displaced, known when compiled. CLOSED: also
   no open edge. WHOLE: otok_strip_whole, for a grid of one strip (1) or more (2, conservative
   only), or for two or four grids in a strip (-2, -4). `there`: the lane works on one of the
   strip's grids. */
template <bool CONSERVATIVE, bool MIX, bool PUBLISHED, bool CLOSED, bool WALLS, int WHOLE>
static __device__ inline void
otok_hydraulic_walk(otok_frame g, const otok_flow &a, const otok_water_coefficients &kw,
                    const otok_erosion_coefficients &ke, const otok_transport_coefficients &kt,
                    bool there = true)
{
    typedef typename otok_pipes_list<CONSERVATIVE, MIX, PUBLISHED, WALLS>::of list_of;
    typedef otok_belt<list_of, WHOLE> belt;
    extern __shared__ otok_line memory[];
    __shared__ otok_booking rare[CLOSED ? 1 : PIPES_RARE][CLOSED ? 1 : OTOK_STRIP_BLOCK];
    if (CLOSED) g.open = 0;
    list_of list{{{},
                  a,
                  kw,
                  ke,
                  kt,
                  (otok_pipes_books)((char *)memory + belt::plan::BYTES),
                  &rare[0][CLOSED ? 0 : threadIdx.x]}};
    belt b{list, g, WHOLE ? otok_strip_whole<WHOLE>(g, there) : otok_strip_of(g, otok_warp_alike()),
           (otok_slot *)memory, a.wetness};
    list.begin(b, !CLOSED);
    if constexpr (WHOLE > 1) {
        __shared__ otok_seam seams[2];
        list.seams = seams;
        list.seam = otok_seam_side(g, b.s);
    }
    b.walk();
    list.template finish<WHOLE>(b);
}

template <bool CONSERVATIVE, bool MIX, bool PUBLISHED, bool CLOSED, bool WALLS>
static __global__ void __launch_bounds__(OTOK_STRIP_BLOCK, CLOSED ? 4 : 3)
    fused_hydraulic(otok_frame g, otok_flow a, otok_water_coefficients kw,
                    otok_erosion_coefficients ke, otok_transport_coefficients kt)
{
    otok_strip_begin();
    otok_hydraulic_walk<CONSERVATIVE, MIX, PUBLISHED, CLOSED, WALLS, 0>(g, a, kw, ke, kt);
}

/* What differs between members is in shared memory; for a single patch it is among the parameters
   of the launch. A block has as many small members as fit side by side in a strip. */
template <bool CONSERVATIVE, bool MIX, bool PUBLISHED, bool CLOSED, int WHOLE>
static __global__ void __launch_bounds__(OTOK_STRIP_BLOCK, CLOSED ? 4 : 3)
    fused_hydraulic_batch(otok_frame g, otok_flow first, otok_batch batch, const otok_step *steps,
                          int n, int nsteps)
{
    enum { MEMBERS = WHOLE < 0 ? -WHOLE : 1 };
    __shared__ otok_flow a[MEMBERS];
    __shared__ otok_water_coefficients kw[MEMBERS];
    __shared__ otok_erosion_coefficients ke[MEMBERS];
    __shared__ otok_transport_coefficients kt[MEMBERS];
    if (threadIdx.x < MEMBERS) {
        const int m = (int)(MEMBERS * blockIdx.z + threadIdx.x), here = (int)threadIdx.x;
        const otok_coefficients *k = otok_flow_of_member(a[here], m < batch.n ? m : batch.n - 1,
                                                         first, batch, steps, n, nsteps);
        kw[here] = k->water, ke[here] = k->erosion, kt[here] = k->transport;
    }
    __syncthreads();
    const int part = WHOLE < 0 ? otok_part<WHOLE>() : 0;
    const bool there = WHOLE >= 0 || (int)(MEMBERS * blockIdx.z) + part < batch.n;
    otok_hydraulic_walk<CONSERVATIVE, MIX, PUBLISHED, CLOSED, false, WHOLE>(
        g, a[part], kw[part], ke[part], kt[part], there);
}

typedef void otok_hydraulic_kernel(otok_frame, otok_flow, otok_water_coefficients,
                                   otok_erosion_coefficients, otok_transport_coefficients);

template <bool CONSERVATIVE, bool MIX, bool WALLS>
static const void *code_of(const otok_coefficients *k, int open)
{
    otok_hydraulic_kernel *const any = fused_hydraulic<CONSERVATIVE, MIX, false, false, WALLS>,
                                 *const published =
                                     fused_hydraulic<CONSERVATIVE, MIX, true, false, WALLS>,
                                 *const closed =
                                     fused_hydraulic<CONSERVATIVE, MIX, true, true, WALLS>;
    return (const void *)(otok_laws_of(k) != PUBLISHED_LAWS ? any : open ? published : closed);
}

template <bool CONSERVATIVE, bool MIX>
static const void *code(const otok_coefficients *k, int open, bool walls)
{
    return walls ? code_of<CONSERVATIVE, MIX, true>(k, open)
                 : code_of<CONSERVATIVE, MIX, false>(k, open);
}

template <bool CONSERVATIVE, bool MIX, bool PUBLISHED, bool CLOSED>
static const void *batch_kernel(int whole)
{
    enum { MANY = CONSERVATIVE ? 2 : 1 };
    if (whole == -2)
        return (const void *)fused_hydraulic_batch<CONSERVATIVE, MIX, PUBLISHED, CLOSED, -2>;
    if (whole == -4)
        return (const void *)fused_hydraulic_batch<CONSERVATIVE, MIX, PUBLISHED, CLOSED, -4>;
    if (whole > 1)
        return (const void *)fused_hydraulic_batch<CONSERVATIVE, MIX, PUBLISHED, CLOSED, MANY>;
    return whole ? (const void *)fused_hydraulic_batch<CONSERVATIVE, MIX, PUBLISHED, CLOSED, 1>
                 : (const void *)fused_hydraulic_batch<CONSERVATIVE, MIX, PUBLISHED, CLOSED, 0>;
}

template <bool CONSERVATIVE, bool MIX>
static const void *batch_code(const otok_coefficients *k, int whole, int open)
{
    if (otok_laws_of(k) != PUBLISHED_LAWS)
        return batch_kernel<CONSERVATIVE, MIX, false, false>(whole);
    return open ? batch_kernel<CONSERVATIVE, MIX, true, false>(whole)
                : batch_kernel<CONSERVATIVE, MIX, true, true>(whole);
}

static cudaError_t start(otok_patch *patch, const otok_fused_pass *pass, const otok_coefficients *k,
                         const otok_step *steps, int n, int nsteps)
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    otok_flow a = otok_flow_of(&patch->view, own->spare, 15);
    a.races = pass->races;
    otok_flow_when(a, steps, n, nsteps);
    return otok_strip_start((otok_hydraulic_kernel *)pass->code, pass, own->stream, a, k->water,
                            k->erosion, k->transport);
}

static cudaError_t batch_start(otok_patch *leader, float **spare, const otok_batch *batch,
                               const otok_fused_pass *pass, int n, int nsteps)
{
    return otok_flow_batch(leader, spare, batch, pass, 15, n, nsteps);
}

#define TO_EROSION                                                                                 \
    STAGE(WATER_IN), STAGE(OUTFLOW), STAGE(WATER_SURFACE), STAGE(EROSION), SWAP_GROUND

static const otok_op conservative[] = {TO_EROSION, STAGE(TRANSPORT), SWAP(SEDIMENT), STAGE(SETTLE),
                                       STAGE(EVAPORATION)};
static const otok_op advection[] = {TO_EROSION, STAGE(ADVECTION), SWAP(SEDIMENT),
                                    STAGE(EVAPORATION)};
static const otok_op advection_mix[] = {TO_EROSION, STAGE(ADVECTION), SWAP(SEDIMENT),
                                        STAGE(MIX), SWAP(SEDIMENT),   STAGE(EVAPORATION)};

/* Bytes of dynamic shared memory of a block. */
template <bool CONSERVATIVE, bool MIX> static constexpr int shared(void)
{
    typedef typename otok_pipes_list<CONSERVATIVE, MIX, true, false>::of list;
    typedef typename otok_pipes_list<CONSERVATIVE, MIX, true, true>::of between_walls;
    static_assert(otok_belt_plan<list>::sound(), "nvcc reads the list otherwise for the host");
    static_assert((int)otok_belt_plan<between_walls>::BYTES ==
                      (int)otok_belt_plan<list>::BYTES + (int)OTOK_WALLS_SHARED,
                  "see otok_fused_shared");
    return (int)otok_belt_plan<list>::BYTES + (int)list::BOOKS_BYTES;
}

#define FAMILY(NAME, REACH, WHOLE, CONSERVATIVE, MIX)                                              \
    extern const otok_fused_family otok_fused_##NAME = {.ops = NAME,                               \
                                                        .nops = sizeof NAME / sizeof NAME[0],      \
                                                        .reach = REACH,                            \
                                                        .bytes = 62,                               \
                                                        .code = code<CONSERVATIVE, MIX>,           \
                                                        .start = start,                            \
                                                        .shared = shared<CONSERVATIVE, MIX>(),     \
                                                        .partner = 15,                             \
                                                        .batch_code =                              \
                                                            batch_code<CONSERVATIVE, MIX>,         \
                                                        .batch_start = batch_start,                \
                                                        .batch_whole = WHOLE,                      \
                                                        .enough = CONSERVATIVE ? 12 : 0,           \
                                                        .walls = true}

FAMILY(conservative, 3, OTOK_STRIP_WARPS, true, false);
FAMILY(advection, 3, 1, false, false);
FAMILY(advection_mix, 4, 1, false, true);
