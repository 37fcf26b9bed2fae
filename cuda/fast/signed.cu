/* signed.cu: a hydraulic iteration in one pass, as in hydraulic.cu, for signed pipes with
   conservative transport. Base, change, water, sediment and two flows are read once, and all but
   the base are written once: 44 bytes a cell, and two for the wetness counter. signed_belt.cuh has
   the stages. The cell left of a pipe or below it holds the pipe. A pipe that enters at an open
   left or bottom side is held by the ghost before the cell, and in memory by the cell as
   outflow_left or outflow_bottom. Semi-Lagrangian transport is not supported here. The physics is
   in model/. */
#include "erosion_laws.cuh"
#include "signed_belt.cuh"
#include "signed_family.cuh"

/* OPEN: some side is open. */
template <bool BY_DEPTH, int PIPES, int LAWS, bool OPEN, bool WALLS, bool STEPS>
static __global__ void __launch_bounds__(OTOK_STRIP_BLOCK,
                                         LAWS != ANY_LAWS && PIPES != LEAN && !STEPS ? 4 : 3)
    fused_signed(otok_frame g, otok_flow a, otok_water_coefficients kw, otok_pipe_coefficients kp,
                 otok_erosion_coefficients ke, otok_transport_coefficients kt)
{
    otok_strip_begin();
    if (!OPEN) g.open = 0;
    ke = otok_by_laws<LAWS>(ke);
    kp.by_depth = BY_DEPTH;
    kt.conservative = true;
    typedef otok_signed_belt<PIPES, BY_DEPTH, WALLS, STEPS> list_of;
    typedef otok_belt<list_of> belt;
    extern __shared__ otok_line memory[];
    otok_booking rare[FACES_RARE];
    list_of list{
        {{}, a, kw, kp, ke, kt, otok_faces_books((char *)memory + belt::plan::BYTES), rare}};
    belt b{list, g, otok_strip_of<!STEPS>(g, otok_warp_alike()), (otok_slot *)memory, a.wetness};
    list.begin(b);
    b.walk();
    list.finish(b);
}

/* Of a block, of any of the kernels. */
typedef otok_belt_plan<otok_signed_belt<LEAN, true, false>> otok_signed_plan;
typedef otok_belt_plan<otok_signed_belt<LEAN, true, true>> otok_signed_walled;
static_assert((int)otok_signed_walled::BYTES == otok_signed_plan::BYTES + (int)OTOK_WALLS_SHARED);
enum { SHARED = otok_signed_plan::BYTES + FACES_BOOKS_BYTES };

/* The same with `bed_steps: critical`. */
typedef otok_belt_plan<otok_signed_belt<VECTOR, true, false, true>> otok_held_plan;
typedef otok_belt_plan<otok_signed_belt<LEAN, true, false, true>> otok_leaning_plan;
static_assert((int)otok_leaning_plan::BYTES <= (int)otok_held_plan::BYTES);
enum {
    SHARED_HELD = otok_held_plan::BYTES + otok_signed_belt<VECTOR, true, false, true>::BOOKS_BYTES
};

typedef void otok_signed_kernel(otok_frame, otok_flow, otok_water_coefficients,
                                otok_pipe_coefficients, otok_erosion_coefficients,
                                otok_transport_coefficients);

template <int PIPES, bool OPEN> static otok_signed_kernel *kernel_for(const otok_coefficients *k)
{
    enum { ANY = ANY_LAWS, PUBLISHED = PUBLISHED_LAWS };
    const int laws = otok_laws_of(k);
    if (PIPES == VECTOR && k->pipes.by_depth && laws == COUPLED_LAWS)
        return fused_signed<true, VECTOR, COUPLED_LAWS, OPEN, false, false>;
    if (k->pipes.by_depth)
        return laws == PUBLISHED ? fused_signed<true, PIPES, PUBLISHED, OPEN, false, false>
                                 : fused_signed<true, PIPES, ANY, OPEN, false, false>;
    return laws == PUBLISHED ? fused_signed<false, PIPES, PUBLISHED, OPEN, false, false>
                             : fused_signed<false, PIPES, ANY, OPEN, false, false>;
}

template <bool OPEN> static otok_signed_kernel *kernel_of(const otok_coefficients *k)
{
    const otok_pipe_coefficients *p = &k->pipes;
    if (p->lean != 0.0f) return kernel_for<LEAN, OPEN>(k);
    if (p->vector) return kernel_for<VECTOR, OPEN>(k);
    return p->friction != 0.0f ? kernel_for<AXIS, OPEN>(k) : kernel_for<SMOOTH, OPEN>(k);
}

/* For local inertia, in the cases in which it is used; NULL: another one. */
template <bool OPEN, bool WALLS, bool STEPS>
static otok_signed_kernel *inertial(const otok_coefficients *k)
{
    const otok_pipe_coefficients *p = &k->pipes;
    if (!p->by_depth) return NULL;
    if (p->lean != 0.0f || (STEPS && !p->vector))
        return fused_signed<true, LEAN, ANY_LAWS, OPEN, WALLS, STEPS>;
    if (p->vector)
        return otok_laws_of(k) == COUPLED_LAWS
                   ? fused_signed<true, VECTOR, COUPLED_LAWS, OPEN, WALLS, STEPS>
                   : fused_signed<true, VECTOR, ANY_LAWS, OPEN, WALLS, STEPS>;
    return p->friction != 0.0f || STEPS ? NULL
                                        : fused_signed<true, SMOOTH, ANY_LAWS, OPEN, WALLS, false>;
}

template <bool WALLS, bool STEPS>
static const void *inertial_code(const otok_coefficients *k, int open)
{
    return (const void *)(open ? inertial<true, WALLS, STEPS>(k)
                               : inertial<false, WALLS, STEPS>(k));
}

static const void *code(const otok_coefficients *k, int open, bool walls)
{
    if (walls) return inertial_code<true, false>(k, open);
    return (const void *)(open ? kernel_of<true>(k) : kernel_of<false>(k));
}

static const void *held_code(const otok_coefficients *k, int open, bool walls)
{
    return walls ? inertial_code<true, true>(k, open) : inertial_code<false, true>(k, open);
}

static cudaError_t start(otok_patch *patch, const otok_fused_pass *pass, const otok_coefficients *k,
                         const otok_step *steps, int n, int nsteps)
{
    otok_flow a;
    const cudaError_t error = prepare(&a, patch, pass, steps, n, nsteps);
    if (error != cudaSuccess) return error;
    return otok_strip_start((otok_signed_kernel *)pass->code, pass, otok_cuda_own_of(patch)->stream,
                            a, k->water, k->pipes, k->erosion, k->transport);
}

static const otok_op ops_signed[] = {STAGE(WATER_IN), STAGE(FLUX), STAGE(FLUX_LIMIT),
                                     STAGE(FLUX_SURFACE), FROM_EROSION};
static const otok_op ops_around[] = {STAGE(WATER_IN),   STAGE(FLUX_PULL),    STAGE(FLUX_FRICTION),
                                     STAGE(FLUX_LIMIT), STAGE(FLUX_SURFACE), FROM_EROSION};
static const otok_op ops_held[] = {STAGE(WATER_IN),     STAGE(FLUX_PULL), STAGE(FLUX_FRICTION),
                                   STAGE(FLUX_STEPS),   STAGE(FLUX_HOLD), STAGE(FLUX_LIMIT),
                                   STAGE(FLUX_SURFACE), FROM_EROSION};

FAMILY(signed, code, 3, SHARED, true);
FAMILY(around, code, 3, SHARED, true);
FAMILY(held, held_code, 4, SHARED_HELD, false);
