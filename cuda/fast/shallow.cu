/* shallow.cu: a hydraulic iteration under `law: shallow_water` in one pass, as in signed.cu: 44
   bytes a cell, and two for the wetness counter. shallow_belt.cuh has the stages. The cell left of
   a face or below it keeps its speed; that of a face at an open left or bottom side is kept as in
   signed.cu. Semi-Lagrangian transport is not supported here. The physics is in model/. */
#include "erosion_laws.cuh"
#include "shallow_belt.cuh"
#include "signed_family.cuh"

/* OPEN: some side is open. */
template <bool OPEN, int LAWS>
static __device__ __forceinline__ void
go(otok_frame &g, const otok_handing &hand, otok_flow &a, otok_water_coefficients &kw,
   otok_pipe_coefficients &kp, otok_shallow_coefficients &ks, otok_erosion_coefficients &ke,
   otok_transport_coefficients &kt, const otok_kept *maxima)
{
    otok_strip_begin();
    otok_strip_await(g, hand);
    if (!OPEN) g.open = 0;
    ke = otok_by_laws<LAWS>(ke);
    kt.conservative = true;
    typedef otok_belt<otok_shallow_belt<OPEN>> belt;
    extern __shared__ otok_line memory[];
    otok_booking rare[FACES_RARE];
    otok_shallow_belt<OPEN> list{
        {{}, a, kw, kp, ke, kt, otok_faces_books((char *)memory + belt::plan::BYTES), rare, maxima},
        ks};
    belt b{list, g, otok_strip_of(g, otok_warp_alike()), (otok_slot *)memory, a.wetness};
    list.begin(b);
    b.walk();
    list.finish(b);
    otok_strip_hand_over(g, hand);
}

template <bool OPEN, int LAWS>
static __global__ void __launch_bounds__(OTOK_STRIP_BLOCK, 3)
    fused_shallow(otok_frame g, otok_handing hand, otok_flow a, otok_water_coefficients kw,
                  otok_pipe_coefficients kp, otok_shallow_coefficients ks,
                  otok_erosion_coefficients ke, otok_transport_coefficients kt)
{
    go<OPEN, LAWS>(g, hand, a, kw, kp, ks, ke, kt, NULL);
}

/* With running maxima. */
template <bool OPEN, int LAWS>
static __global__ void __launch_bounds__(OTOK_STRIP_BLOCK, 3)
    fused_shallow_kept(otok_frame g, otok_handing hand, otok_flow a, otok_water_coefficients kw,
                       otok_pipe_coefficients kp, otok_shallow_coefficients ks,
                       otok_erosion_coefficients ke, otok_transport_coefficients kt,
                       otok_kept maxima)
{
    go<OPEN, LAWS>(g, hand, a, kw, kp, ks, ke, kt, &maxima);
}

enum { SHARED = otok_belt_plan<otok_shallow_belt<true>>::BYTES + FACES_BOOKS_BYTES };

typedef void otok_shallow_kernel(otok_frame, otok_handing, otok_flow, otok_water_coefficients,
                                 otok_pipe_coefficients, otok_shallow_coefficients,
                                 otok_erosion_coefficients, otok_transport_coefficients);

typedef void otok_shallow_kept(otok_frame, otok_handing, otok_flow, otok_water_coefficients,
                               otok_pipe_coefficients, otok_shallow_coefficients,
                               otok_erosion_coefficients, otok_transport_coefficients, otok_kept);

template <int LAWS> static otok_shallow_kernel *kernel_for(int open)
{
    return open ? fused_shallow<true, LAWS> : fused_shallow<false, LAWS>;
}

template <int LAWS> static otok_shallow_kept *kept_for(int open)
{
    return open ? fused_shallow_kept<true, LAWS> : fused_shallow_kept<false, LAWS>;
}

static const void *code(const otok_coefficients *k, int open, bool keeps)
{
    if (keeps)
        return (const void *)(otok_laws_of(k) == COUPLED_LAWS ? kept_for<COUPLED_LAWS>(open)
                                                              : kept_for<ANY_LAWS>(open));
    return (const void *)(otok_laws_of(k) == COUPLED_LAWS ? kernel_for<COUPLED_LAWS>(open)
                                                          : kernel_for<ANY_LAWS>(open));
}

static cudaError_t start(otok_patch *patch, const otok_fused_pass *pass, const otok_coefficients *k,
                         const otok_step *steps, int n, int nsteps)
{
    otok_flow a;
    const cudaError_t error = prepare(&a, patch, pass, steps, n, nsteps);
    if (error != cudaSuccess) return error;
    if (pass->keeps)
        return otok_strip_start((otok_shallow_kept *)pass->code, pass,
                                otok_cuda_own_of(patch)->stream, a, k->water, k->pipes, k->shallow,
                                k->erosion, k->transport,
                                otok_kept_of(&patch->view, pass, k, &steps[n]));
    otok_shallow_kernel *const kernel = (otok_shallow_kernel *)pass->code;
    return otok_strip_start(kernel, pass, otok_cuda_own_of(patch)->stream, a, k->water, k->pipes,
                            k->shallow, k->erosion, k->transport);
}

static const otok_op ops[] = {STAGE(WATER_IN),   STAGE(SHALLOW_PULL),    STAGE(SHALLOW_FRICTION),
                              STAGE(FLUX_LIMIT), STAGE(SHALLOW_SURFACE), STAGE(SHALLOW_CARRY),
                              FROM_EROSION};
static const otok_op ops_open[] = {STAGE(WATER_IN),
                                   STAGE(SHALLOW_PULL),
                                   STAGE(SHALLOW_PULL_SIDES),
                                   STAGE(SHALLOW_FRICTION),
                                   STAGE(SHALLOW_FRICTION_SIDES),
                                   STAGE(FLUX_LIMIT),
                                   STAGE(SHALLOW_SURFACE),
                                   STAGE(SHALLOW_SURFACE_SIDES),
                                   STAGE(SHALLOW_CARRY),
                                   FROM_EROSION};

FAMILY(shallow, ops, THROUGH, SHARED, false);
FAMILY(shallow_open, ops_open, 15, SHARED, false); /* the left or the bottom is open */
