/* thermal.c: thermal erosion: each cell sends debris into eight pipes. */
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
