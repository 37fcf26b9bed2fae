/* erosion.c: stage 4 of hydraulic erosion, and the settling of dry cells. */
#include "../core/cell.h"
#include "cpu.h"

void cpu_erosion(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_erosion_coefficients ke = otok_erosion_now(v, k->erosion);
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        float *restrict next = v->at[OTOK_CHANGE_NEXT] + row;
        float *restrict s = v->at[OTOK_SEDIMENT] + row;
        float *restrict d2 = v->at[OTOK_WATER] + row;
        if (ke.displace_water) cpu_book_row(v, OTOK_SUM_DISPLACED, -1, d2, b);
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++) {
            const otok_eroded e = otok_cell_erosion(v, row + i, ke);
            next[i] = e.change;
            s[i] = e.s;
            d2[i] = e.d2;
        }
        if (ke.displace_water) cpu_book_row(v, OTOK_SUM_DISPLACED, 1, d2, b);
    }
}

void cpu_settle(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const float dry = k->transport.dry;
    for (int j = b.y0; j < b.y1; j++) {
        const float *restrict d2 = v->at[OTOK_WATER] + j * v->pitch;
        float *restrict change = v->at[OTOK_TERRAIN_CHANGE] + j * v->pitch;
        float *restrict s = v->at[OTOK_SEDIMENT] + j * v->pitch;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++) {
            const otok_exchange e = otok_settle(change[i], s[i]);
            const int settles = d2[i] <= dry && s[i] > 0.0f;
            change[i] = settles ? e.ground : change[i];
            s[i] = settles ? e.other : s[i];
        }
    }
}

/* Books a row before (1) and after (-1) it met the sea. */
static void book_sea(const otok_view *v, const float *d, const float *change, int way, otok_box b)
{
    cpu_book_row(v, OTOK_SUM_TO_SEA, way, d, b);
    cpu_book_row(v, OTOK_SUM_DEPOSITED, -way, change, b);
}

/* reached: OTOK_REACHED, or NULL: the sea is everywhere. */
static void meet_sea(const otok_view *v, const float *reached, otok_box b)
{
    const float sea = v->steps[*v->now].sea;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        const float *d = v->at[OTOK_WATER] + row, *change = v->at[OTOK_TERRAIN_CHANGE] + row;
        book_sea(v, d, change, 1, b);
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_meet_sea(v, row + i, !reached || reached[row + i] > 0.0f ? sea : -INFINITY);
        book_sea(v, d, change, -1, b);
    }
}

CPU_STAGE(sea, meet_sea(&patch->view, NULL, b))
CPU_STAGE(sea_reached, meet_sea(&patch->view, patch->view.at[OTOK_REACHED], b))
