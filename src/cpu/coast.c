/* coast.c: abrasion and drift by waves. */
#include "../model/coast.h"
#include "../core/ground.h"
#include "cpu.h"

void cpu_abrasion(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const float sea = v->steps[*v->now].sea;
    const int n = k->layers.n;
    otok_layer_books books = {0};
    if (n < 2) return;
    for (int j = b.y0; j < b.y1; j++) {
        const float *bottom = v->at[OTOK_LAYER_BOTTOM] + j * v->pitch;
        cpu_book_row(v, OTOK_SUM_ABRADED, 1, bottom, b);
        for (ptrdiff_t at = j * v->pitch + b.x0; at < j * v->pitch + b.x1; at++)
            otok_column_abrade(v, at, sea, k->coast, k->layers, &books);
        cpu_book_row(v, OTOK_SUM_ABRADED, -1, bottom, b);
    }
    for (int i = 0; i <= OTOK_LAYERS; i++)
        cpu_book(v, OTOK_SUM_DEPOSITED + i, books.hi[i], books.lo[i]);
}

void cpu_drift_gives(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const float sea = v->steps[*v->now].sea;
    for (int j = b.y0; j < b.y1; j++)
        for (ptrdiff_t at = j * v->pitch + b.x0; at < j * v->pitch + b.x1; at++)
            otok_column_drift(v, at, k->layers.n, sea, k->coast);
}

void cpu_drift_takes(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const float sea = v->steps[*v->now].sea;
    (void)k;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch, pitch = v->pitch;
        const float *restrict base = v->at[OTOK_TERRAIN_BASE] + row;
        const float *restrict change = v->at[OTOK_TERRAIN_CHANGE] + row;
        const float *restrict x = v->at[OTOK_DRIFT_X] + row;
        const float *restrict y = v->at[OTOK_DRIFT_Y] + row;
        float *restrict takes = v->at[OTOK_DRIFT_TAKES] + row;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            takes[i] = otok_drift_takes(
                sea - (base[i] + change[i]),
                otok_drift_into(otok_cross_at(x + i, pitch), otok_cross_at(y + i, pitch)));
    }
}

void cpu_drift(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    (void)k;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch, pitch = v->pitch;
        const float *restrict change = v->at[OTOK_TERRAIN_CHANGE] + row;
        const float *restrict x = v->at[OTOK_DRIFT_X] + row;
        const float *restrict y = v->at[OTOK_DRIFT_Y] + row;
        const float *restrict takes = v->at[OTOK_DRIFT_TAKES] + row;
        float *restrict next = v->at[OTOK_CHANGE_NEXT] + row;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            next[i] = otok_drift_next(change[i], otok_cross_at(x + i, pitch),
                                      otok_cross_at(y + i, pitch), otok_cross_at(takes + i, pitch));
        cpu_book_row(v, OTOK_SUM_GROUND_ROUNDED, -1, change, b);
        cpu_book_row(v, OTOK_SUM_GROUND_ROUNDED, 1, next, b);
    }
}
