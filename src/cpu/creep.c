/* creep.c: linear creep of the ground. */
#include "../model/creep.h"
#include "cpu.h"

void cpu_creep(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t pitch = v->pitch, row = j * pitch;
        const float *restrict base = v->at[OTOK_TERRAIN_BASE] + row;
        const float *restrict change = v->at[OTOK_TERRAIN_CHANGE] + row;
        float *restrict next = v->at[OTOK_CHANGE_NEXT] + row;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            next[i] = otok_creep_next(change[i], otok_ground_cross(base + i, change + i, pitch),
                                      k->creep);
        cpu_book_row(v, OTOK_SUM_GROUND_ROUNDED, -1, change, b);
        cpu_book_row(v, OTOK_SUM_GROUND_ROUNDED, 1, next, b);
    }
}
