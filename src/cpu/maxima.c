/* maxima.c: running maxima of the water. */
#include "../core/cell.h"
#include "cpu.h"

void cpu_maxima(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view view = patch->view, *v = &view; /* a copy, which no store can change */
    (void)k;
    for (int j = b.y0; j < b.y1; j++)
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_maxima(v, j * v->pitch + i);
}

void cpu_maxima_times(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view view = patch->view, *v = &view;
    const otok_step *step = &v->steps[*v->now];
    const float begin = step->begin, end = step->end;
    for (int j = b.y0; j < b.y1; j++)
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_maxima_times(v, j * v->pitch + i, begin, end, k->maxima);
}

void cpu_maxima_speed(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view view = patch->view, *v = &view;
    (void)k;
    for (int j = b.y0; j < b.y1; j++)
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_maxima_speed(v, j * v->pitch + i);
}
