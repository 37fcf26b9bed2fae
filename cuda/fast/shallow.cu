/* shallow.cu: a hydraulic iteration under `law: shallow_water` in one pass, as in signed.cu: 44
   bytes a cell, and two for the wetness counter. shallow_belt.cuh has the stages. The cell left of
   a face or below it keeps its speed; that of a face at an open left or bottom side is kept as in
   signed.cu. Semi-Lagrangian transport is not supported here. The physics is in model/. */
#include "erosion_laws.cuh"
#include "shallow_belt.cuh"
#include "signed_family.cuh"

/* OPEN: some side is open. */
template <bool OPEN, int LAWS, bool WALLS, bool STEPS>
static __global__ void __launch_bounds__(OTOK_STRIP_BLOCK, 3)
    fused_shallow(otok_frame g, otok_flow a, otok_water_coefficients kw, otok_pipe_coefficients kp,
                  otok_shallow_coefficients ks, otok_erosion_coefficients ke,
                  otok_transport_coefficients kt)
{
    otok_strip_begin();
    if (!OPEN) g.open = 0;
    ke = otok_by_laws<LAWS>(ke);
    kt.conservative = true;
    typedef otok_shallow_belt<OPEN, WALLS, STEPS> list_of;
    typedef otok_belt<list_of> belt;
    extern __shared__ otok_line memory[];
    otok_booking rare[list_of::RARE];
    list_of list{
        {{}, a, kw, kp, ke, kt, otok_faces_books((char *)memory + belt::plan::BYTES), rare}, ks};
    belt b{list, g, otok_strip_of(g, otok_warp_alike()), (otok_slot *)memory, a.wetness};
    list.begin(b);
    b.walk();
    list.finish(b);
}

typedef otok_belt_plan<otok_shallow_belt<true, false>> otok_shallow_plan;
typedef otok_belt_plan<otok_shallow_belt<true, true>> otok_shallow_walled;
static_assert((int)otok_shallow_walled::BYTES == otok_shallow_plan::BYTES + (int)OTOK_WALLS_SHARED);
enum { SHARED = otok_shallow_plan::BYTES + FACES_BOOKS_BYTES };

typedef otok_belt_plan<otok_shallow_belt<true, false, true>> otok_stepped_plan;
enum {
    SHARED_STEPPED = otok_stepped_plan::BYTES + otok_shallow_belt<true, false, true>::BOOKS_BYTES
};

typedef void otok_shallow_kernel(otok_frame, otok_flow, otok_water_coefficients,
                                 otok_pipe_coefficients, otok_shallow_coefficients,
                                 otok_erosion_coefficients, otok_transport_coefficients);

template <int LAWS, bool WALLS, bool STEPS> static const void *by_sides(int open)
{
    otok_shallow_kernel *const any = fused_shallow<true, LAWS, WALLS, STEPS>,
                               *const closed = fused_shallow<false, LAWS, WALLS, STEPS>;
    return (const void *)(open ? any : closed);
}

template <bool WALLS, bool STEPS> static const void *by_laws(const otok_coefficients *k, int open)
{
    return otok_laws_of(k) == COUPLED_LAWS ? by_sides<COUPLED_LAWS, WALLS, STEPS>(open)
                                           : by_sides<ANY_LAWS, WALLS, STEPS>(open);
}

template <bool STEPS> static const void *code(const otok_coefficients *k, int open, bool walls)
{
    return walls ? by_laws<true, STEPS>(k, open) : by_laws<false, STEPS>(k, open);
}

static cudaError_t start(otok_patch *patch, const otok_fused_pass *pass, const otok_coefficients *k,
                         const otok_step *steps, int n, int nsteps)
{
    otok_flow a;
    const cudaError_t error = prepare(&a, patch, pass, steps, n, nsteps);
    if (error != cudaSuccess) return error;
    return otok_strip_start((otok_shallow_kernel *)pass->code, pass,
                            otok_cuda_own_of(patch)->stream, a, k->water, k->pipes, k->shallow,
                            k->erosion, k->transport);
}

static const otok_op ops_shallow[] = {
    STAGE(WATER_IN),   STAGE(SHALLOW_PULL),    STAGE(SHALLOW_FRICTION),
    STAGE(FLUX_LIMIT), STAGE(SHALLOW_SURFACE), STAGE(SHALLOW_CARRY),
    FROM_EROSION};
static const otok_op ops_stepped[] = {
    STAGE(WATER_IN),   STAGE(SHALLOW_PULL),    STAGE(SHALLOW_SLOPES),      STAGE(SHALLOW_HOLD),
    STAGE(FLUX_LIMIT), STAGE(SHALLOW_SURFACE), STAGE(SHALLOW_CARRY_STEPS), FROM_EROSION};

FAMILY(shallow, code<false>, 3, SHARED, false);
FAMILY(stepped, code<true>, 4, SHARED_STEPPED, false);
