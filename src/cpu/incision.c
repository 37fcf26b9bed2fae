/* incision.c: how strong rivers are, and what they take; sides that are a base level. */
#include "../core/rivers.h"

#include "cpu.h"

/* Books what sides give away or, times -1, had: of the ground, and of a layer of n. */
static void book_held(const otok_view *v, int sign, const float *row, otok_box b, int layer, int n)
{
    cpu_book_row(v, OTOK_SUM_RIVER_OUT, sign, row, b);
    if (n > 0) cpu_book_row(v, OTOK_SUM_ERODED + layer, sign, row, b);
}

void cpu_hold_sides(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_step *step = &v->steps[*v->now];
    const otok_lift same = otok_lift_of(k->uplift.rate, step);
    for (int j = b.y0; j < b.y1; j++) {
        const float *change = v->at[OTOK_TERRAIN_CHANGE] + j * v->pitch;
        book_held(v, 1, change, b, k->layers.n - 1, k->layers.n);
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_hold(v, i, j, k->uplift.rate, same, step, k->layers.n);
        book_held(v, -1, change, b, k->layers.n - 1, k->layers.n);
    }
}

/* Layers have followed the ground: what leaves or comes is of the first one. */
void cpu_stay_sides(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_step *step = &v->steps[*v->now];
    for (int j = b.y0; j < b.y1; j++)
        for (int i = b.x0; i < b.x1; i++) {
            const otok_box cell = {i, i + 1, j, j + 1};
            const float *next = v->at[OTOK_CHANGE_NEXT] + j * v->pitch;
            if (!otok_is_at_sides(v, i, j, step->held)) continue;
            book_held(v, 1, next, cell, 0, k->layers.n);
            otok_cell_stay(v, i, j, step);
            book_held(v, -1, next, cell, 0, k->layers.n);
        }
}

void cpu_river_rates(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view view = patch->view, *v = &view; /* a copy, which no store can change */
    const otok_incision_coefficients ki = k->incision;
    for (int j = b.y0; j < b.y1; j++)
        for (ptrdiff_t at = j * v->pitch + b.x0; at < j * v->pitch + b.x1; at++)
            otok_cell_river(v, at, ki, &k->layers);
}

void cpu_incision(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view view = patch->view, *v = &view; /* a copy, which no store can change */
    (void)k;
    for (int j = b.y0; j < b.y1; j++) {
        const otok_row_phases p = otok_row_phases_of(v, j);
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_cut(v, j * v->pitch + i, otok_row_phase(&p, i));
        const float *was = v->at[OTOK_TERRAIN_CHANGE] + j * v->pitch,
                    *is = v->at[OTOK_CHANGE_NEXT] + j * v->pitch;
        cpu_book_moved(v, OTOK_SUM_RIVER_OUT, is, was, b);
        for (int i = b.x0; i < b.x1; i++)
            if (is[i] > was[i])
                cpu_book_moved(v, OTOK_SUM_RIVER_LAID, was, is, (otok_box){i, i + 1, j, j + 1});
    }
}

void cpu_river_moves(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    cpu_incision(patch, b, k);
}
