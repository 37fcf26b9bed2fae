/* signed_family.cuh: what the families of signed pipes and of `law: shallow_water` share on the
   host: which buffers a pass swaps, and the start of a pass. */
#ifndef OTOK_FAST_SIGNED_FAMILY_CUH
#define OTOK_FAST_SIGNED_FAMILY_CUH

#include "hydraulic.cuh"

enum { THROUGH = 1u << OTOK_RIGHT | 1u << OTOK_TOP };

/* Prepares a pass of iteration n of nsteps, and swaps the pointers of the patch. */
static cudaError_t prepare(otok_flow *out, otok_patch *patch, const otok_fused_pass *pass,
                           const otok_step *steps, int n, int nsteps)
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    const unsigned exchanged = otok_fused_partners(pass->family, pass->frame.open);
    const otok_view *v = &patch->view;
    const size_t bytes = (size_t)v->ny * (size_t)v->pitch * sizeof(float);
    for (int side = 0; n == 0 && side < OTOK_SIDES;
         side++) { /* only cells at the side get new values; the others are copied */
        if (!((exchanged & ~(unsigned)THROUGH) >> side & 1)) continue;
        const cudaError_t error = cudaMemcpyAsync(own->spare[side], v->at[OTOK_OUTFLOW_LEFT + side],
                                                  bytes, cudaMemcpyDeviceToDevice, own->stream);
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

/* Of batches, in faces_batch.cu. */
cudaError_t otok_faces_batch_start(otok_patch *leader, float **spare, const otok_batch *batch,
                                   const otok_fused_pass *pass, int n, int nsteps);

/* SHARED: bytes of dynamic shared memory of a block. */
#define FAMILY(NAME, CODE, REACH, SHARED, FLUSH)                                                   \
    const void *otok_batch_##NAME(const otok_coefficients *k, int whole, int open);                \
    extern const otok_fused_family otok_fused_##NAME = {                                           \
        .ops = ops_##NAME,                                                                         \
        .nops = sizeof ops_##NAME / sizeof ops_##NAME[0],                                          \
        .reach = REACH,                                                                            \
        .bytes = 46,                                                                               \
        .code = CODE,                                                                              \
        .start = start,                                                                            \
        .shared = SHARED,                                                                          \
        .partner = THROUGH,                                                                        \
        .partner_open = 1u << OTOK_LEFT | 1u << OTOK_BOTTOM,                                       \
        .batch_code = otok_batch_##NAME,                                                           \
        .batch_start = otok_faces_batch_start,                                                     \
        .flush = FLUSH,                                                                            \
        .walls = true,                                                                             \
        .batch_flush = true}

#endif
