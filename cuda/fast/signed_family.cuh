/* signed_family.cuh: what the families of signed pipes and of `law: shallow_water` share on the
   host: which buffers a pass swaps, and the start of a pass. */
#ifndef OTOK_FAST_SIGNED_FAMILY_CUH
#define OTOK_FAST_SIGNED_FAMILY_CUH

#include "hydraulic.cuh"
#include "strip_beside.cuh"

enum { THROUGH = 1u << OTOK_RIGHT | 1u << OTOK_TOP };

/* The sides whose flows a pass renews: those between cells, and those that enter at an open side.
 */
static unsigned renewed(int open, unsigned partner)
{
    return partner & ((unsigned)open | THROUGH);
}

/* Prepares a pass of iteration n of nsteps, and swaps the pointers of the patch. */
static cudaError_t prepare(otok_flow *out, otok_patch *patch, const otok_fused_pass *pass,
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
    *out = otok_flow_of(&patch->view, own->spare, exchanged);
    out->races = pass->races;
    otok_flow_when(*out, steps, n, nsteps);
    return cudaSuccess;
}

#define FROM_EROSION                                                                               \
    STAGE(EROSION), SWAP_GROUND, STAGE(FLUX_TRANSPORT), SWAP(SEDIMENT), STAGE(SETTLE),             \
        STAGE(EVAPORATION)

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

/* shared: bytes of dynamic shared memory of a block. */
#define FAMILY(name, ops, code, reach, partner, shared, flush)                                     \
    extern const otok_fused_family otok_fused_##name = {ops,                                       \
                                                        sizeof ops / sizeof ops[0],                \
                                                        reach,                                     \
                                                        46,                                        \
                                                        code,                                      \
                                                        start,                                     \
                                                        turn<partner>,                             \
                                                        makes<partner>,                            \
                                                        shared,                                    \
                                                        partner,                                   \
                                                        NULL,                                      \
                                                        NULL,                                      \
                                                        0,                                         \
                                                        0,                                         \
                                                        flush,                                     \
                                                        true}

#endif
