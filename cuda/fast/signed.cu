/* signed.cu: a hydraulic iteration in one pass, as in hydraulic.cu, for signed pipes with
   conservative transport. Base, change, water, sediment and two flows are read once, and all but
   the base are written once: 44 bytes a cell, and two for the wetness counter. signed_walk.cuh has
   what a warp does. The cell left of a pipe or below it holds the pipe. A pipe that enters at an
   open left or bottom side is held by the ghost before the cell, and in memory by the cell as
   outflow_left or outflow_bottom. Semi-Lagrangian transport is not supported here. The physics is
   in model/. */
#include "signed_walk.cuh"
#include "strip_beside.cuh"

/* DEFAULT_LAWS: as in hydraulic_walk.cuh. */
template <bool BY_DEPTH, int PIPES, bool DEFAULT_LAWS>
static __global__ void __launch_bounds__(OTOK_STRIP_BLOCK, DEFAULT_LAWS &&PIPES != LEAN ? 4 : 3)
    fused_signed(otok_frame g, otok_handing hand, otok_flow a, otok_water_coefficients kw,
                 otok_pipe_coefficients kp, otok_erosion_coefficients ke,
                 otok_transport_coefficients kt)
{
    otok_strip_begin();
    otok_strip_await(g, hand);
    if (DEFAULT_LAWS) ke.downhill = ke.times_depth = ke.displace_water = 0;
    kp.by_depth = BY_DEPTH;
    kt.conservative = true;
    extern __shared__ otok_line memory[];
    otok_signed_warp<PIPES, BY_DEPTH> warp{
        g, a, kw, kp, ke, kt, otok_strip_of(g), *(otok_signed_shared *)memory};
    warp.start();
    for (int r = warp.begin; r < warp.end; r++) {
        warp.rain(r);
        const float face_left = otok_from_left(warp.face_right[2][OTOK_LANE - 1]);
        float right[OTOK_LANE];
        if (r > warp.begin || PIPES == VECTOR) warp.flow(right, r); /* of the first row the pull */
        if (r > warp.begin) warp.limit(right, r);
        if (r > warp.s.bottom) {
            otok_eroded_row eroded;
            warp.erode(eroded, r, face_left);
            warp.carry(eroded, r);
        }
        warp.age();
    }
    warp.finish();
    otok_strip_hand_over(g, hand);
}

typedef void otok_signed_kernel(otok_frame, otok_handing, otok_flow, otok_water_coefficients,
                                otok_pipe_coefficients, otok_erosion_coefficients,
                                otok_transport_coefficients);

template <int PIPES> static otok_signed_kernel *kernel_for(const otok_coefficients *k)
{
    const otok_erosion_coefficients *e = &k->erosion;
    const bool default_laws = !(e->downhill || e->times_depth || e->displace_water);
    if (k->pipes.by_depth)
        return default_laws ? fused_signed<true, PIPES, true> : fused_signed<true, PIPES, false>;
    return default_laws ? fused_signed<false, PIPES, true> : fused_signed<false, PIPES, false>;
}

static const void *code(const otok_coefficients *k, int)
{
    const otok_pipe_coefficients *p = &k->pipes;
    if (p->lean != 0.0f) return (const void *)kernel_for<LEAN>(k);
    if (p->vector) return (const void *)kernel_for<VECTOR>(k);
    return (const void *)(p->friction != 0.0f ? kernel_for<AXIS>(k) : kernel_for<SMOOTH>(k));
}

enum { THROUGH = 1u << OTOK_RIGHT | 1u << OTOK_TOP };

/* The sides whose flows a pass renews: those between cells, and those that enter at an open side.
 */
static unsigned renewed(int open, unsigned partner)
{
    return partner & ((unsigned)open | THROUGH);
}

static cudaError_t start(otok_patch *patch, const otok_fused_pass *pass, const otok_coefficients *k,
                         const otok_step *steps, int n, int nsteps)
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    const unsigned exchanged = renewed(pass->frame.open, pass->family->partner);
    const otok_view *v = &patch->view;
    const bool beside = pass->hand.rows > 0; /* then other patches fill the rows that they share */
    const ptrdiff_t from = beside ? otok_own_from(v) * v->pitch : 0;
    const size_t bytes =
        (size_t)(beside ? otok_own_rows(v) : v->ny) * (size_t)v->pitch * sizeof(float);
    for (int side = 0; n == 0 && side < OTOK_SIDES;
         side++) { /* only cells at the side get new values; the others are copied */
        if (!((exchanged & ~(unsigned)THROUGH) >> side & 1)) continue;
        const cudaError_t error =
            cudaMemcpyAsync(own->spare[side] + from, v->at[OTOK_OUTFLOW_LEFT + side] + from, bytes,
                            cudaMemcpyDeviceToDevice, own->stream);
        if (error != cudaSuccess) return error;
    }
    otok_flow a = otok_flow_of(&patch->view, own->spare, exchanged);
    otok_flow_when(a, steps, n, nsteps);
    otok_signed_kernel *const kernel = (otok_signed_kernel *)pass->code;
    return otok_strip_start(kernel, pass, own->stream, a, k->water, k->pipes, k->erosion,
                            k->transport);
}

#define FROM_EROSION                                                                               \
    STAGE(EROSION), SWAP_GROUND, STAGE(FLUX_TRANSPORT), SWAP(SEDIMENT), STAGE(SETTLE),             \
        STAGE(EVAPORATION)

static const otok_op ops[] = {STAGE(WATER_IN), STAGE(FLUX), STAGE(FLUX_LIMIT), STAGE(FLUX_SURFACE),
                              FROM_EROSION};
static const otok_op ops_open[] = {STAGE(WATER_IN),   STAGE(FLUX),         STAGE(FLUX_EDGE),
                                   STAGE(FLUX_LIMIT), STAGE(FLUX_SURFACE), STAGE(FLUX_OUT),
                                   FROM_EROSION};
static const otok_op ops_around[] = {STAGE(WATER_IN),   STAGE(FLUX_PULL),    STAGE(FLUX_FRICTION),
                                     STAGE(FLUX_LIMIT), STAGE(FLUX_SURFACE), FROM_EROSION};
static const otok_op ops_around_open[] = {STAGE(WATER_IN),  STAGE(FLUX_PULL),  STAGE(FLUX_FRICTION),
                                          STAGE(FLUX_EDGE), STAGE(FLUX_LIMIT), STAGE(FLUX_SURFACE),
                                          STAGE(FLUX_OUT),  FROM_EROSION};

template <unsigned PARTNER> static void turn(otok_view *v, float **spare, int open)
{
    otok_flow_of(v, spare, renewed(open, PARTNER));
}

template <unsigned PARTNER> static uint64_t makes(int open)
{
    uint64_t fields = BIT(OTOK_TERRAIN_CHANGE) | BIT(OTOK_WATER) | BIT(OTOK_SEDIMENT);
    fields |= BIT(OTOK_OUTFLOW_RIGHT) | BIT(OTOK_OUTFLOW_TOP);
    /* what enters at the bottom is in the grid's first row only */
    return renewed(open, PARTNER) >> OTOK_LEFT & 1 ? fields | BIT(OTOK_OUTFLOW_LEFT) : fields;
}

#define FAMILY(name, ops, partner)                                                                 \
    extern const otok_fused_family otok_fused_##name = {ops,                                       \
                                                        sizeof ops / sizeof ops[0],                \
                                                        3,                                         \
                                                        46,                                        \
                                                        sizeof(otok_signed_shared),                \
                                                        partner,                                   \
                                                        code,                                      \
                                                        start,                                     \
                                                        NULL,                                      \
                                                        NULL,                                      \
                                                        0,                                         \
                                                        turn<partner>,                             \
                                                        makes<partner>}

FAMILY(signed, ops, THROUGH);
FAMILY(signed_open, ops_open, 15); /* the left or the bottom side is open */
FAMILY(around, ops_around, THROUGH);
FAMILY(around_open, ops_around_open, 15);
