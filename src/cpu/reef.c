/* reef.c: seabed smoothing, growth of the reef, diffusion of carbon. */
#include "../core/cell.h"
#include "../model/seabed.h"
#include "cpu.h"

void cpu_seabed(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const float sea = v->steps[*v->now].sea;
    (void)k;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        const float *restrict change = v->at[OTOK_TERRAIN_CHANGE] + row;
        float *restrict next = v->at[OTOK_CHANGE_NEXT] + row;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            next[i] = otok_seabed_smooth(change[i], otok_ground_around(v, row + i), sea);
        cpu_book_moved(v, OTOK_SUM_SMOOTHED, change, next, b);
    }
}

void cpu_reef_growth(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const float sea = v->steps[*v->now].sea;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        const float *change = v->at[OTOK_TERRAIN_CHANGE] + row;
        cpu_book_row(v, OTOK_SUM_REEF, -1, change, b);
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_reef(v, row + i, sea, k->reef);
        cpu_book_row(v, OTOK_SUM_REEF, 1, change, b);
    }
}

void cpu_reef_dated(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view view = patch->view, *v = &view; /* a copy, which no store can change */
    const float now = v->steps[*v->now].end;
    (void)k;
    for (int j = b.y0; j < b.y1; j++)
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_dated(v, j * v->pitch + i, now);
}

void cpu_carbon(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const float sea = v->steps[*v->now].sea;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        float *restrict next = v->at[OTOK_CARBON_NEXT] + row;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            next[i] = otok_carbon(otok_cross_of(v, OTOK_CARBON, row + i),
                                  otok_ground_around(v, row + i), sea, k->reef);
    }
}

OTOK_FN void grow(const otok_patch *patch, otok_box b, const otok_coefficients *k, int producers)
{
    const otok_view *v = &patch->view;
    const otok_step *step = &v->steps[*v->now];
    const otok_lift same = otok_lift_of(k->uplift.rate, step);
    const int n = k->layers.n, splits = n > 1 && k->light.rock > 0;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        const float *change = v->at[OTOK_TERRAIN_CHANGE] + row;
        const otok_row_phases p = otok_row_phases_of(v, j);
        cpu_book_row(v, OTOK_SUM_REEF, -1, change, b);
        if (splits) cpu_book_row(v, OTOK_SUM_REEF_ROCK, -1, v->at[OTOK_LAYER_BOTTOM] + row, b);
        for (ptrdiff_t at = row + b.x0; at < row + b.x1; at++)
            otok_column_grow(v, at, n, producers, otok_lift_at(v, at, k->uplift.rate, same, step),
                             step, k->light, otok_row_phase(&p, (int)(at - row)));
        cpu_book_row(v, OTOK_SUM_REEF, 1, change, b);
        if (splits) cpu_book_row(v, OTOK_SUM_REEF_ROCK, 1, v->at[OTOK_LAYER_BOTTOM] + row, b);
    }
}

CPU_STAGE(reef_light, grow(patch, b, k, 1))
CPU_STAGE(reef_two, grow(patch, b, k, 2))
CPU_STAGE(reef_three, grow(patch, b, k, 3))

void cpu_karst(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_step *step = &v->steps[*v->now];
    otok_layer_books books = {0};
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        const float *change = v->at[OTOK_TERRAIN_CHANGE] + row;
        const otok_row_phases p = otok_row_phases_of(v, j);
        cpu_book_row(v, OTOK_SUM_DISSOLVED, 1, change, b);
        for (int i = b.x0; i < b.x1; i++)
            otok_column_dissolve(v, row + i, k->layers.n, step, k->light, &books,
                                 otok_row_phase(&p, i));
        cpu_book_row(v, OTOK_SUM_DISSOLVED, -1, change, b);
    }
    cpu_book_layers(v, &books);
}
