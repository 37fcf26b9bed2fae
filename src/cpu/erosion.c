/* erosion.c: stage 4 of hydraulic erosion, and the settling of dry cells. */
#include "../model/erosion.h"

#include "cpu.h"

void cpu_erosion(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_erosion_coefficients c = k->erosion;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch, pitch = v->pitch;
        const float *restrict base = v->at[OTOK_TERRAIN_BASE] + row;
        const float *restrict change = v->at[OTOK_TERRAIN_CHANGE] + row;
        const float *restrict u = v->at[OTOK_VELOCITY_X] + row;
        const float *restrict w = v->at[OTOK_VELOCITY_Y] + row;
        float *restrict next = v->at[OTOK_CHANGE_NEXT] + row;
        float *restrict s = v->at[OTOK_SEDIMENT] + row;
        float *restrict d2 = v->at[OTOK_WATER] + row;
        if (c.displace_water) cpu_book_row(v, OTOK_SUM_DISPLACED, -1, d2, b);
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++) {
            const otok_cross h = otok_ground_cross(base + i, change + i, pitch);
            const float capacity = otok_capacity(otok_gradient2(h, c), d2[i], u[i], w[i], c);
            const otok_eroded e = otok_erosion(change[i], s[i], d2[i], capacity, c);
            next[i] = e.change;
            s[i] = e.s;
            d2[i] = e.d2;
        }
        if (c.displace_water) cpu_book_row(v, OTOK_SUM_DISPLACED, 1, d2, b);
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

void cpu_sea(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const float sea = v->steps[*v->now].sea;
    (void)k;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        const float *restrict base = v->at[OTOK_TERRAIN_BASE] + row;
        float *restrict d = v->at[OTOK_WATER] + row;
        float *restrict change = v->at[OTOK_TERRAIN_CHANGE] + row;
        float *restrict s = v->at[OTOK_SEDIMENT] + row;
        float *restrict u = v->at[OTOK_VELOCITY_X] + row;
        float *restrict w = v->at[OTOK_VELOCITY_Y] + row;
        book_sea(v, d, change, 1, b);
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++) {
            const otok_shore is = {change[i], s[i], d[i], u[i], w[i]},
                             end = otok_meet_sea(base[i], is, sea);
            change[i] = end.change;
            s[i] = end.s;
            d[i] = end.d;
            u[i] = end.u;
            w[i] = end.w;
        }
        book_sea(v, d, change, -1, b);
    }
}
