/* uplift.c: a ground that rises. */
#include "../core/ground.h"
#include "cpu.h"

void cpu_uplift(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_step *step = &v->steps[*v->now];
    for (int j = b.y0; j < b.y1; j++) {
        const float *change = v->at[OTOK_TERRAIN_CHANGE] + j * v->pitch;
        cpu_book_row(v, OTOK_SUM_UPLIFT, -1, change, b);
        for (ptrdiff_t at = j * v->pitch + b.x0; at < j * v->pitch + b.x1; at++) {
            const float rise = otok_column_uplift(v, at, k->layers.n, k->uplift.rate, step);
            otok_column_rise(v, at, k->layers.n, rise);
        }
        cpu_book_row(v, OTOK_SUM_UPLIFT, 1, change, b);
    }
}
