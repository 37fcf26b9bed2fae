/* uplift.c: a ground that rises. */
#include "../core/ground.h"
#include "cpu.h"

void cpu_uplift(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_step *step = &v->steps[*v->now];
    const double rate = k->uplift.rate;
    const otok_lift same = otok_lift_of(rate, step);
    for (int j = b.y0; j < b.y1; j++) {
        const float *change = v->at[OTOK_TERRAIN_CHANGE] + j * v->pitch;
        cpu_book_row(v, OTOK_SUM_UPLIFT, -1, change, b);
        for (ptrdiff_t at = j * v->pitch + b.x0; at < j * v->pitch + b.x1; at++) {
            const otok_lift lift = otok_lift_at(v, at, rate, same, step);
            otok_column_rise(v, at, k->layers.n, otok_column_uplift(v, at, k->layers.n, lift));
        }
        cpu_book_row(v, OTOK_SUM_UPLIFT, 1, change, b);
    }
}
