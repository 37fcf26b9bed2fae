/* coast.c: abrasion and drift by waves. */
#include "../core/cell.h"
#include "cpu.h"

void cpu_abrasion(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const float sea = v->steps[*v->now].sea;
    otok_layer_books books = {0};
    if (k->layers.n < 2) return;
    for (int j = b.y0; j < b.y1; j++) {
        const float *bottom = v->at[OTOK_LAYER_BOTTOM] + j * v->pitch;
        cpu_book_row(v, OTOK_SUM_ABRADED, 1, bottom, b);
        const otok_row_phases p = otok_row_phases_of(v, j);
        for (int i = b.x0; i < b.x1; i++)
            otok_column_abrade(v, j * v->pitch + i, sea, k->coast, k->layers, &books,
                               otok_row_phase(&p, i));
        cpu_book_row(v, OTOK_SUM_ABRADED, -1, bottom, b);
    }
    cpu_book_layers(v, &books);
}

void cpu_drift_gives(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const float sea = v->steps[*v->now].sea;
    for (int j = b.y0; j < b.y1; j++)
        for (ptrdiff_t at = j * v->pitch + b.x0; at < j * v->pitch + b.x1; at++)
            otok_column_drift(v, at, sea, k->coast);
}

void cpu_drift_takes(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const float sea = v->steps[*v->now].sea;
    const otok_coast_coefficients c = k->coast;
    for (int j = b.y0; j < b.y1; j++)
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_drift_takes(v, j * v->pitch + i, sea, c);
}
