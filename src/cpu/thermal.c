/* thermal.c: thermal erosion: debris into eight pipes, then each cell collects its own. */
#include "../model/thermal.h"

#include "cpu.h"

void cpu_thermal_outflow(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_thermal_coefficients c = k->thermal;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch, pitch = v->pitch;
        const float *restrict base = v->at[OTOK_TERRAIN_BASE] + row;
        const float *restrict change = v->at[OTOK_TERRAIN_CHANGE] + row;
        float *restrict next = v->at[OTOK_CHANGE_NEXT] + row;
        float *restrict left = v->at[OTOK_PIPE_LEFT] + row;
        float *restrict right = v->at[OTOK_PIPE_RIGHT] + row;
        float *restrict bottom = v->at[OTOK_PIPE_BOTTOM] + row;
        float *restrict top = v->at[OTOK_PIPE_TOP] + row;
        float *restrict bottom_left = v->at[OTOK_PIPE_BOTTOM_LEFT] + row;
        float *restrict bottom_right = v->at[OTOK_PIPE_BOTTOM_RIGHT] + row;
        float *restrict top_left = v->at[OTOK_PIPE_TOP_LEFT] + row;
        float *restrict top_right = v->at[OTOK_PIPE_TOP_RIGHT] + row;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++) {
            const otok_slide s =
                otok_thermal_outflow(otok_ground_moore(base + i, change + i, pitch), change[i], c);
            next[i] = s.change;
            left[i] = s.pipe.left;
            right[i] = s.pipe.right;
            bottom[i] = s.pipe.bottom;
            top[i] = s.pipe.top;
            bottom_left[i] = s.pipe.bottom_left;
            bottom_right[i] = s.pipe.bottom_right;
            top_left[i] = s.pipe.top_left;
            top_right[i] = s.pipe.top_right;
        }
    }
}

void cpu_thermal_collect(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    (void)k;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch, pitch = v->pitch;
        const float *restrict left = v->at[OTOK_PIPE_LEFT] + row;
        const float *restrict right = v->at[OTOK_PIPE_RIGHT] + row;
        const float *restrict bottom = v->at[OTOK_PIPE_BOTTOM] + row;
        const float *restrict top = v->at[OTOK_PIPE_TOP] + row;
        const float *restrict bottom_left = v->at[OTOK_PIPE_BOTTOM_LEFT] + row;
        const float *restrict bottom_right = v->at[OTOK_PIPE_BOTTOM_RIGHT] + row;
        const float *restrict top_left = v->at[OTOK_PIPE_TOP_LEFT] + row;
        const float *restrict top_right = v->at[OTOK_PIPE_TOP_RIGHT] + row;
        const float *restrict change = v->at[OTOK_TERRAIN_CHANGE] + row;
        float *restrict next = v->at[OTOK_CHANGE_NEXT] + row;
        int moved = 0;
#pragma omp simd reduction(| : moved)
        for (int i = b.x0; i < b.x1; i++) {
            otok_eight in;
            in.left = right[i - 1];
            in.right = left[i + 1];
            in.bottom = top[i - pitch];
            in.top = bottom[i + pitch];
            in.bottom_left = top_right[i - pitch - 1];
            in.bottom_right = top_left[i - pitch + 1];
            in.top_left = bottom_right[i + pitch - 1];
            in.top_right = bottom_left[i + pitch + 1];
            next[i] = otok_thermal_collect(next[i], in);
            moved |= next[i] != change[i];
        }
        if (!moved) continue; /* nothing to book */
        cpu_book_row(v, OTOK_SUM_GROUND_ROUNDED, -1, change, b);
        cpu_book_row(v, OTOK_SUM_GROUND_ROUNDED, 1, next, b);
    }
}
