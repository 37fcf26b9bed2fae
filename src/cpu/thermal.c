/* thermal.c: thermal erosion: each cell sends debris into eight pipes, then collects what
   arrives. */
#include "../model/thermal.h"

#include "rows.h"

void cpu_thermal_outflow(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_thermal_coefficients c = k->thermal;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch, pitch = v->pitch;
        const float *restrict base = v->at[OTOK_TERRAIN_BASE] + row;
        const float *restrict change = v->at[OTOK_TERRAIN_CHANGE] + row;
        float *restrict next = v->at[OTOK_CHANGE_NEXT] + row;
        const cpu_slides slides = cpu_slides_of(v, j);
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++) {
            const otok_slide s =
                otok_thermal_outflow(otok_ground_moore(base + i, change + i, pitch), change[i], c);
            next[i] = s.change;
            cpu_slides_store(slides, i, s.pipe);
        }
    }
}

void cpu_thermal_collect(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    (void)k;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        const cpu_slides slides = cpu_slides_of(v, j);
        const float *restrict change = v->at[OTOK_TERRAIN_CHANGE] + row;
        float *restrict next = v->at[OTOK_CHANGE_NEXT] + row;
        int moved = 0;
#pragma omp simd reduction(| : moved)
        for (int i = b.x0; i < b.x1; i++) {
            next[i] = otok_thermal_collect(next[i], cpu_slides_into(slides, i));
            moved |= next[i] != change[i];
        }
        if (!moved) continue; /* nothing to book */
        cpu_book_row(v, OTOK_SUM_GROUND_ROUNDED, -1, change, b);
        cpu_book_row(v, OTOK_SUM_GROUND_ROUNDED, 1, next, b);
    }
}
