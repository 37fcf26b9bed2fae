/* pipes.c: stages 2, 3 and 5 of hydraulic erosion for pipes that are not the published ones: as deep as the water, with friction,
   or signed. A signed pipe is kept by the cell left of it or below it. */
#include "../model/pipes.h"
#include "../model/transport.h"
#include "../model/water.h"

#include "cpu.h"

void cpu_outflow_depth(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_pipe_coefficients c = k->pipes;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch, pitch = v->pitch;
        const float *restrict base = v->at[OTOK_TERRAIN_BASE] + row;
        const float *restrict change = v->at[OTOK_TERRAIN_CHANGE] + row;
        const float *restrict d1 = v->at[OTOK_WATER_NEXT] + row;
        float *restrict left = v->at[OTOK_OUTFLOW_LEFT] + row;
        float *restrict right = v->at[OTOK_OUTFLOW_RIGHT] + row;
        float *restrict bottom = v->at[OTOK_OUTFLOW_BOTTOM] + row;
        float *restrict top = v->at[OTOK_OUTFLOW_TOP] + row;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++) {
            const otok_cross h = otok_ground_cross(base + i, change + i, pitch);
            const otok_four old = otok_outflows_at(left + i, right + i, bottom + i, top + i);
            const otok_four f = otok_outflow_depth(old, h, otok_cross_at(d1 + i, pitch), c);
            left[i] = f.left;
            right[i] = f.right;
            bottom[i] = f.bottom;
            top[i] = f.top;
        }
    }
}

static inline otok_column column(const float *base, const float *change, const float *d1, ptrdiff_t at)
{
    return (otok_column){base[at] + change[at], d1[at]};
}

void cpu_flux(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_pipe_coefficients c = k->pipes;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch, pitch = v->pitch;
        const float *restrict base = v->at[OTOK_TERRAIN_BASE] + row;
        const float *restrict change = v->at[OTOK_TERRAIN_CHANGE] + row;
        const float *restrict d1 = v->at[OTOK_WATER_NEXT] + row;
        const float *restrict right = v->at[OTOK_OUTFLOW_RIGHT] + row;
        const float *restrict top = v->at[OTOK_OUTFLOW_TOP] + row;
        float *restrict next_right = v->at[OTOK_FLUX_RIGHT] + row;
        float *restrict next_top = v->at[OTOK_FLUX_TOP] + row;
        if (c.friction == 0.0f) { /* two loops without a branch become vectors */
#pragma omp simd
            for (int i = b.x0; i < b.x1; i++) {
                const otok_column here = column(base, change, d1, i);
                next_right[i] = otok_pipe_smooth(right[i], here, column(base, change, d1, i + 1), c);
                next_top[i] = otok_pipe_smooth(top[i], here, column(base, change, d1, i + pitch), c);
            }
            continue;
        }
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++) {
            const otok_column here = column(base, change, d1, i);
            next_right[i] = otok_pipe_rough(right[i], here, column(base, change, d1, i + 1), c);
            next_top[i] = otok_pipe_rough(top[i], here, column(base, change, d1, i + pitch), c);
        }
    }
}

/* The pipe that enters a cell at the open left or bottom side: `step` leads to the ghost that keeps it. */
static void edge(const otok_view *v, int outflow, int flux, ptrdiff_t at, ptrdiff_t step, const otok_pipe_coefficients *c)
{
    const float *base = v->at[OTOK_TERRAIN_BASE], *change = v->at[OTOK_TERRAIN_CHANGE], *d1 = v->at[OTOK_WATER_NEXT];
    v->at[flux][at - step] = otok_pipe(-v->at[outflow][at], column(base, change, d1, at - step), column(base, change, d1, at), *c);
}

void cpu_flux_edge(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    for (int j = b.y0; j < b.y1 && patch->edges[OTOK_LEFT] == OTOK_OPEN; j++)
        edge(v, OTOK_OUTFLOW_LEFT, OTOK_FLUX_RIGHT, j * v->pitch + b.x0, 1, &k->pipes);
    for (int i = b.x0; i < b.x1 && b.y0 == 0 && patch->edges[OTOK_BOTTOM] == OTOK_OPEN; i++)
        edge(v, OTOK_OUTFLOW_BOTTOM, OTOK_FLUX_TOP, b.y0 * v->pitch + i, v->pitch, &k->pipes);
}

void cpu_flux_limit(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_pipe_coefficients c = k->pipes;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch, pitch = v->pitch;
        const float *restrict d1 = v->at[OTOK_WATER_NEXT] + row;
        const float *restrict right = v->at[OTOK_FLUX_RIGHT] + row;
        const float *restrict top = v->at[OTOK_FLUX_TOP] + row;
        float *restrict limit = v->at[OTOK_FLUX_LIMIT] + row;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            limit[i] = otok_pipe_limit(d1[i], otok_faces_out(otok_faces_at(right + i, top + i, pitch)), c);
    }
}

void cpu_flux_surface(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_water_coefficients c = k->water;
    int64_t hi = 0, lo = 0;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch, pitch = v->pitch;
        const float *restrict d1 = v->at[OTOK_WATER_NEXT] + row;
        const float *restrict flux_right = v->at[OTOK_FLUX_RIGHT] + row;
        const float *restrict flux_top = v->at[OTOK_FLUX_TOP] + row;
        const float *restrict limit = v->at[OTOK_FLUX_LIMIT] + row;
        float *restrict right = v->at[OTOK_OUTFLOW_RIGHT] + row;
        float *restrict top = v->at[OTOK_OUTFLOW_TOP] + row;
        float *restrict d = v->at[OTOK_WATER] + row;
        float *restrict u = v->at[OTOK_VELOCITY_X] + row;
        float *restrict w = v->at[OTOK_VELOCITY_Y] + row;
#pragma omp simd reduction(+ : hi, lo)
        for (int i = b.x0; i < b.x1; i++) {
            const otok_four wanted = otok_faces_at(flux_right + i, flux_top + i, pitch);
            const otok_four face = otok_faces_limited(wanted, otok_cross_at(limit + i, pitch));
            const otok_surface s = otok_water_surface(d1[i], otok_faces_out(face), otok_faces_in(face), c);
            right[i] = face.right;
            top[i] = face.top;
            d[i] = s.d2;
            u[i] = s.u;
            w[i] = s.w;
            const otok_fixed clamped = otok_fixed_from(s.clamped);
            hi += clamped.hi;
            lo += clamped.lo;
        }
    }
    cpu_book(v, OTOK_SUM_WATER_CLAMPED, hi, lo);
}

static void keep(const otok_view *v, int outflow, int flux, ptrdiff_t at, ptrdiff_t step)
{
    const float *limit = v->at[OTOK_FLUX_LIMIT] + at;
    v->at[outflow][at] = 0.0f - otok_face_limited(v->at[flux][at - step], limit[-step], limit[0]);
}

void cpu_flux_out(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    (void)k;
    for (int j = b.y0; j < b.y1 && patch->edges[OTOK_LEFT] == OTOK_OPEN; j++)
        keep(v, OTOK_OUTFLOW_LEFT, OTOK_FLUX_RIGHT, j * v->pitch + b.x0, 1);
    for (int i = b.x0; i < b.x1 && b.y0 == 0 && patch->edges[OTOK_BOTTOM] == OTOK_OPEN; i++)
        keep(v, OTOK_OUTFLOW_BOTTOM, OTOK_FLUX_TOP, b.y0 * v->pitch + i, v->pitch);
}

void cpu_flux_transport(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_transport_coefficients c = k->transport;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch, pitch = v->pitch;
        const float *restrict s = v->at[OTOK_SEDIMENT] + row;
        const float *restrict d1 = v->at[OTOK_WATER_NEXT] + row;
        const float *restrict right = v->at[OTOK_FLUX_RIGHT] + row;
        const float *restrict top = v->at[OTOK_FLUX_TOP] + row;
        const float *restrict limit = v->at[OTOK_FLUX_LIMIT] + row;
        float *restrict next = v->at[OTOK_SEDIMENT_NEXT] + row;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++) {
            const otok_four wanted = otok_faces_at(right + i, top + i, pitch);
            const otok_four face = otok_faces_limited(wanted, otok_cross_at(limit + i, pitch));
            const otok_cross load = otok_load_cross(otok_cross_at(s + i, pitch), otok_cross_at(d1 + i, pitch), c);
            next[i] = otok_transport(s[i], load, otok_faces_out(face), otok_faces_in(face));
        }
    }
}
