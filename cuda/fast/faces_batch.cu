/* faces_batch.cu: batches of members of local inertia and of `law: shallow_water`, with the lists
   of signed.cu and shallow.cu. What differs between members is in shared memory of their blocks. */
#include "shallow_belt.cuh"
#include "signed_belt.cuh"
#include "signed_family.cuh"

#include "../batch.cuh"

namespace
{
struct member {
    otok_flow a;
    otok_water_coefficients kw;
    otok_pipe_coefficients kp;
    otok_shallow_coefficients ks;
    otok_erosion_coefficients ke;
    otok_transport_coefficients kt;
};

/* Of block z, in iteration n of nsteps; `first`: the flow of slot 0. */
__device__ void member_of(member &m, const otok_flow &first, const otok_batch &batch,
                          const otok_step *steps, int n, int nsteps)
{
    if (threadIdx.x == 0) {
        const ptrdiff_t bytes = otok_batch_bytes(batch);
        const otok_coefficients *k = otok_moved(batch.k, bytes);
        otok_flow &a = m.a;
        a = first;
        a.change = otok_moved(a.change, bytes);
        for (int field = 0; field < FETCHED; field++)
            a.in[field] = otok_moved(a.in[field], bytes);
        a.change_next = otok_moved(a.change_next, bytes);
        a.water_next = otok_moved(a.water_next, bytes);
        a.sediment_next = otok_moved(a.sediment_next, bytes);
        for (int side = 0; side < OTOK_SIDES; side++)
            a.outflow_next[side] = otok_moved(a.outflow_next[side], bytes);
        a.velocity_x = otok_moved(a.velocity_x, bytes);
        a.velocity_y = otok_moved(a.velocity_y, bytes);
        a.wetness = otok_moved(a.wetness, bytes);
        a.sums = otok_moved(a.sums, bytes);
        otok_flow_when(a, otok_moved(steps, bytes), n, nsteps);
        m.kw = k->water, m.kp = k->pipes, m.ks = k->shallow, m.ke = k->erosion;
        m.kt = k->transport;
    }
    __syncthreads();
}

/* Lists whose strips may be flush (fused.h). */
template <bool SHALLOW, bool STEPS> struct list : otok_signed_belt<VECTOR, true, false, STEPS> {
    enum { FLUSH = true };
    static __device__ list of(const member &m, otok_faces_books books, otok_booking *rare)
    {
        return {{{{}, m.a, m.kw, m.kp, m.ke, m.kt, books, rare, NULL}}};
    }
};
template <bool STEPS> struct list<true, STEPS> : otok_shallow_belt<true, false, STEPS> {
    enum { FLUSH = true };
    static __device__ list of(const member &m, otok_faces_books books, otok_booking *rare)
    {
        return {{{{}, m.a, m.kw, m.kp, m.ke, m.kt, books, rare, NULL}, m.ks}};
    }
};

template <bool SHALLOW, bool STEPS>
__global__ void __launch_bounds__(OTOK_STRIP_BLOCK, 3)
    together(otok_frame g, otok_flow first, otok_batch batch, const otok_step *steps, int n,
             int nsteps)
{
    typedef list<SHALLOW, STEPS> list_of;
    typedef otok_belt<list_of> belt;
    __shared__ member m;
    extern __shared__ otok_line memory[];
    otok_booking rare[list_of::RARE];
    member_of(m, first, batch, steps, n, nsteps);
    auto p = list_of::of(m, (otok_faces_books)((char *)memory + belt::plan::BYTES), rare);
    belt b{p, g, otok_strip_of<true>(g, otok_warp_alike()), (otok_slot *)memory, m.a.wetness};
    p.begin(b);
    b.walk();
    p.finish(b);
}

__global__ void copy_flows(const float *from, float *to, int cells, otok_batch batch)
{
    const ptrdiff_t bytes = otok_batch_bytes(batch);
    const int step = (int)(gridDim.x * blockDim.x);
    for (int at = (int)(blockIdx.x * blockDim.x + threadIdx.x); at < cells; at += step)
        otok_moved(to, bytes)[at] = otok_moved(from, bytes)[at];
}
} // namespace

/* Of local inertia only with friction along the vector of the flows, and theta 1. */
const void *otok_faces_batch_code(const otok_fused_family *family, const otok_coefficients *k)
{
    const otok_pipe_coefficients *p = &k->pipes;
    const bool inertial = p->by_depth && p->vector && p->lean == 0.0f;
    if (family == &otok_fused_shallow || family == &otok_fused_shallow_open)
        return (const void *)together<true, false>;
    if (family == &otok_fused_stepped || family == &otok_fused_stepped_open)
        return (const void *)together<true, true>;
    if (inertial && (family == &otok_fused_around || family == &otok_fused_around_open))
        return (const void *)together<false, false>;
    if (inertial && (family == &otok_fused_held || family == &otok_fused_held_open))
        return (const void *)together<false, true>;
    return NULL;
}

/* As `prepare` and `start` of a single patch. */
cudaError_t otok_faces_batch_start(otok_patch *leader, float **spare, const otok_batch *batch,
                                   const otok_fused_pass *pass, int n, int nsteps)
{
    typedef void kernel_of(otok_frame, otok_flow, otok_batch, const otok_step *, int, int);
    const unsigned exchanged = renewed(pass->frame.open, pass->family->partner);
    const otok_view *v = &leader->view;
    const otok_step *steps = v->steps;
    const cudaStream_t stream = otok_cuda_own_of(leader)->stream;
    const dim3 few(8, 1, (unsigned)batch->n), grid((unsigned)pass->frame.blocks, 1, few.z);
    for (int side = 0; n == 0 && side < OTOK_SIDES; side++)
        if ((exchanged & ~(unsigned)THROUGH) >> side & 1)
            copy_flows<<<few, 256, 0, stream>>>(v->at[OTOK_OUTFLOW_LEFT + side], spare[side],
                                                v->ny * (int)v->pitch, *batch);
    otok_flow first = otok_flow_of(&leader->view, spare, exchanged);
    first.races = pass->races;
    kernel_of *const kernel = (kernel_of *)pass->code;
    kernel<<<grid, OTOK_STRIP_BLOCK, pass->shared, stream>>>(pass->frame, first, *batch, steps, n,
                                                             nsteps);
    return cudaGetLastError();
}
