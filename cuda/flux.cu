/* flux.cu: the kernels of the stages that move solid between cells, from the rows FLUX of
   core/stages.def. */
#include "batch.cuh"
#include "core/flux.h"

#define STAGE(...)
#define FLUX_OVER(NAME, name, part, ...)                                                           \
    static __device__ inline void name(const otok_view &v, int rows, otok_##part##_coefficients k) \
    {                                                                                              \
        const otok_walk w = otok_walk_of(v, rows);                                                 \
        otok_walk_flux(v, rows, [&](int at) {                                                      \
            return v.at[OTOK_CHANGE_NEXT][at] =                                                    \
                       otok_flux_##name(&v, at, otok_walk_phase(v, w, at), k);                     \
        });                                                                                        \
    }                                                                                              \
    otok_launcher *const otok_cuda_##name = otok_start<name, otok_##part##_coefficients>;
#define SUSPENDED(NAME, name, reads, sum)                                                          \
    static __device__ inline void name(const otok_view &v, int rows,                               \
                                       otok_transport_coefficients k)                              \
    {                                                                                              \
        const auto cell = [&](int at) {                                                            \
            return v.at[OTOK_SEDIMENT_NEXT][at] = otok_suspended_##name(&v, at, k);                \
        };                                                                                         \
        if (OTOK_SUM_##sum >= 0)                                                                   \
            otok_walk_booked<OTOK_SEDIMENT>(v, rows, OTOK_SUM_##sum, 1, cell);                     \
        else                                                                                       \
            otok_walk_cells(v, rows, cell);                                                        \
    }                                                                                              \
    otok_launcher *const otok_cuda_##name = otok_start<name, otok_transport_coefficients>;
#include "core/stages.def"
