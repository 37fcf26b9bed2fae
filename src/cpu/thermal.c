/* thermal.c: thermal erosion: each cell sends debris into eight pipes, then collects what
   arrives. */
#include "../core/cell.h"
#include "cpu.h"

void cpu_thermal_outflow(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view view = patch->view; /* a copy, which no store below can change */
    const otok_thermal_coefficients c = k->thermal;
    for (int j = b.y0; j < b.y1; j++)
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_slide(&view, j * view.pitch + i, c);
}

void cpu_thermal_collect(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view view = patch->view, *v = &view; /* likewise */
    (void)k;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        const float *restrict change = v->at[OTOK_TERRAIN_CHANGE] + row;
        float *restrict next = v->at[OTOK_CHANGE_NEXT] + row;
        int moved = 0;
#pragma omp simd reduction(| : moved)
        for (int i = b.x0; i < b.x1; i++) {
            next[i] = otok_cell_collect(v, row + i);
            moved |= next[i] != change[i];
        }
        if (moved) cpu_book_moved(v, OTOK_SUM_GROUND_ROUNDED, change, next, b);
    }
}
