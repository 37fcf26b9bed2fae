/* marine.cu: strength and limits of the diffusion of the sea bed; the physics is in model/marine.h.
 */
#include "batch.cuh"
#include "core/cell.h"

template <bool LAYERED>
static __device__ inline void shares(const otok_view &v, int rows, otok_marine_coefficients k,
                                     otok_layer_coefficients layers)
{
    const float sea = v.steps[*v.now].sea;
    otok_walk_cells(
        v, rows, [&](int at) { otok_cell_marine_shares(&v, at, LAYERED && layers.n > 1, sea, k); });
}

otok_launcher *const otok_cuda_marine_shares =
    otok_start<shares<false>, otok_marine_coefficients, otok_layer_coefficients>;
otok_launcher *const otok_cuda_marine_shares_layered =
    otok_start<shares<true>, otok_marine_coefficients, otok_layer_coefficients>;
