/* dams.c: the faces of stage 2 of hydraulic erosion on which thin dams stand. */
#include "../core/dam_faces.h"
#include "cpu.h"

#define STAGE(name, law, face)                                                                     \
    void cpu_##name(const otok_patch *patch, otok_box b, const otok_coefficients *all)             \
    {                                                                                              \
        const otok_view *v = &patch->view;                                                         \
        const otok_##law##_coefficients k = all->law;                                              \
        for (int j = b.y0; j < b.y1; j++)                                                          \
            for (ptrdiff_t at = j * v->pitch + b.x0; at < j * v->pitch + b.x1; at++)               \
                for (int up = 0; up < 2; up++)                                                     \
                    face;                                                                          \
    }
OTOK_DAM_STAGES(STAGE)
