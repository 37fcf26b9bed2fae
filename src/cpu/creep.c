/* creep.c: linear creep of the ground. */
#include "../model/creep.h"
#include "../core/ground.h"
#include "cpu.h"

void cpu_creep(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        const float *restrict change = v->at[OTOK_TERRAIN_CHANGE] + row;
        float *restrict next = v->at[OTOK_CHANGE_NEXT] + row;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            next[i] = otok_creep_next(change[i], otok_ground_around(v, row + i), k->creep);
        cpu_book_moved(v, OTOK_SUM_GROUND_ROUNDED, change, next, b);
    }
}
