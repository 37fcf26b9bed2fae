/* marine.c: diffusion of the sea bed. */
#include "../model/marine.h"

#include "cpu.h"

void cpu_marine_shares(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const float sea = v->steps[*v->now].sea;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        const float *restrict base = v->at[OTOK_TERRAIN_BASE] + row;
        const float *restrict change = v->at[OTOK_TERRAIN_CHANGE] + row;
        float *restrict share = v->at[OTOK_MARINE_SHARE] + row;
        float *restrict gives = v->at[OTOK_MARINE_GIVES] + row;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++) {
            share[i] = otok_marine_share(sea - (base[i] + change[i]), k->marine);
            gives[i] = 1.0f;
        }
    }
}

void cpu_marine_shares_layered(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const float sea = v->steps[*v->now].sea;
    if (k->layers.n < 2) {
        cpu_marine_shares(patch, b, k);
        return;
    }
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch, pitch = v->pitch;
        const float *restrict base = v->at[OTOK_TERRAIN_BASE] + row;
        const float *restrict change = v->at[OTOK_TERRAIN_CHANGE] + row;
        const float *restrict bottom = v->at[OTOK_LAYER_BOTTOM] + row;
        float *restrict share = v->at[OTOK_MARINE_SHARE] + row;
        float *restrict gives = v->at[OTOK_MARINE_GIVES] + row;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++) {
            const otok_cross h = otok_ground_cross(base + i, change + i, pitch);
            const otok_cross shares = otok_marine_shares(h, sea, k->marine);
            share[i] = shares.here;
            gives[i] = otok_marine_gives(h, shares, change[i] - bottom[i]);
        }
    }
}

void cpu_marine_diffusion(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    (void)k;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch, pitch = v->pitch;
        const float *restrict base = v->at[OTOK_TERRAIN_BASE] + row;
        const float *restrict change = v->at[OTOK_TERRAIN_CHANGE] + row;
        const float *restrict share = v->at[OTOK_MARINE_SHARE] + row;
        const float *restrict gives = v->at[OTOK_MARINE_GIVES] + row;
        float *restrict next = v->at[OTOK_CHANGE_NEXT] + row;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            next[i] =
                otok_marine_next(change[i], otok_ground_cross(base + i, change + i, pitch),
                                 otok_cross_at(share + i, pitch), otok_cross_at(gives + i, pitch));
        cpu_book_row(v, OTOK_SUM_GROUND_ROUNDED, -1, change, b);
        cpu_book_row(v, OTOK_SUM_GROUND_ROUNDED, 1, next, b);
    }
}
