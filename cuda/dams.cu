/* dams.cu: the faces of stage 2 of hydraulic erosion on which thin dams stand. The physics is in
   model/dams.h. */
#include "batch.cuh"
#include "core/dam_faces.h"

#define STAGE(name, law, face)                                                                     \
    static __device__ inline void name(const otok_view &view, int rows,                            \
                                       otok_##law##_coefficients k)                                \
    {                                                                                              \
        const otok_view *const v = &view;                                                          \
        otok_walk_cells(view, rows, [&](int at) {                                                  \
            for (int up = 0; up < 2; up++)                                                         \
                face;                                                                              \
        });                                                                                        \
    }                                                                                              \
    otok_launcher *const otok_cuda_##name = otok_start<name, otok_##law##_coefficients>;
OTOK_DAM_STAGES(STAGE)
