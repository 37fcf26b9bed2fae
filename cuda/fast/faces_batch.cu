/* faces_batch.cu: batches of members of local inertia and of `law: shallow_water`, with the lists
   of signed.cu and shallow.cu. What differs between members is in shared memory of their blocks. */
#include "shallow_belt.cuh"
#include "signed_belt.cuh"
#include "signed_family.cuh"

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
        const otok_coefficients *k =
            otok_flow_of_member(m.a, (int)blockIdx.z, first, batch, steps, n, nsteps);
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
        return {{{{}, m.a, m.kw, m.kp, m.ke, m.kt, books, rare}}};
    }
};
template <bool STEPS> struct list<true, STEPS> : otok_shallow_belt<true, false, STEPS> {
    enum { FLUSH = true };
    static __device__ list of(const member &m, otok_faces_books books, otok_booking *rare)
    {
        return {{{{}, m.a, m.kw, m.kp, m.ke, m.kt, books, rare}, m.ks}};
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
template <bool STEPS> static const void *inertial(const otok_coefficients *k)
{
    const otok_pipe_coefficients *p = &k->pipes;
    const bool knows = p->by_depth && p->vector && p->lean == 0.0f;
    return knows ? (const void *)together<false, STEPS> : NULL;
}

#define CODE(name, code)                                                                           \
    const void *otok_batch_##name(const otok_coefficients *k, int, int)                            \
    {                                                                                              \
        (void)k;                                                                                   \
        return (const void *)(code);                                                               \
    }
CODE(signed, NULL)
CODE(around, inertial<false>(k))
CODE(held, inertial<true>(k))
CODE(shallow, (together<true, false>))
CODE(stepped, (together<true, true>))

/* As `prepare` and `start` of a single patch. */
cudaError_t otok_faces_batch_start(otok_patch *leader, float **spare, const otok_batch *batch,
                                   const otok_fused_pass *pass, int n, int nsteps)
{
    const unsigned exchanged = otok_fused_partners(pass->family, pass->frame.open);
    const otok_view *v = &leader->view;
    const cudaStream_t stream = otok_cuda_own_of(leader)->stream;
    const dim3 grid(8, 1, (unsigned)batch->n);
    for (int side = 0; n == 0 && side < OTOK_SIDES; side++)
        if ((exchanged & ~(unsigned)THROUGH) >> side & 1)
            copy_flows<<<grid, 256, 0, stream>>>(v->at[OTOK_OUTFLOW_LEFT + side], spare[side],
                                                 v->ny * (int)v->pitch, *batch);
    return otok_flow_batch(leader, spare, batch, pass, exchanged, n, nsteps);
}
