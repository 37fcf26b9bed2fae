/* pipes.c: stages 2, 3 and 5 of hydraulic erosion with signed pipes. The cell left of a pipe, or
   below it, keeps its flow. */
#include "../model/pipes.h"
#include "../model/transport.h"
#include "../model/water.h"

#include "../core/pipe_sides.h"
#include "rows.h"

static inline otok_column column(cpu_ground ground, const float *d1, ptrdiff_t at)
{
    return (otok_column){ground.base[at] + ground.change[at], d1[at]};
}

static inline void pull(const otok_patch *patch, otok_box b, otok_pipe_coefficients c)
{
    const otok_view *v = &patch->view;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch, pitch = v->pitch;
        const cpu_ground ground = cpu_ground_of(v, j);
        const float *restrict d1 = v->at[OTOK_WATER_NEXT] + row;
        const float *restrict right = v->at[OTOK_OUTFLOW_RIGHT] + row;
        const float *restrict top = v->at[OTOK_OUTFLOW_TOP] + row;
        float *restrict pulled_right = v->at[OTOK_PULLED_RIGHT] + row;
        float *restrict pulled_top = v->at[OTOK_PULLED_TOP] + row;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++) {
            const otok_column here = column(ground, d1, i);
            pulled_right[i] = otok_pipe_moved(right[i - 1], right[i], right[i + 1], here,
                                              column(ground, d1, i + 1), c);
            pulled_top[i] = otok_pipe_moved(top[i - pitch], top[i], top[i + pitch], here,
                                            column(ground, d1, i + pitch), c);
        }
    }
}

void cpu_flux_pull(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    otok_pipe_coefficients c = k->pipes;
    c.lean_wave = 0.0f; /* as in all phases with this stage; the compiler sees it */
    pull(patch, b, c);
}

void cpu_flux_courant(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    pull(patch, b, k->pipes);
}

static otok_pipe_line line_across(const otok_patch *patch, int j)
{
    const otok_view *v = &patch->view;
    const ptrdiff_t row = j * v->pitch;
    return (otok_pipe_line){v->at[OTOK_OUTFLOW_RIGHT] + row,
                            v->at[OTOK_OUTFLOW_LEFT] + row,
                            v->at[OTOK_TERRAIN_BASE] + row,
                            v->at[OTOK_TERRAIN_CHANGE] + row,
                            v->at[OTOK_WATER_NEXT] + row,
                            v->at[OTOK_PULLED_RIGHT] + row,
                            1,
                            v->nx,
                            patch->edges[OTOK_LEFT],
                            patch->edges[OTOK_RIGHT],
                            v->at[OTOK_WALLS] ? v->at[OTOK_WALLS] + row : NULL};
}

static otok_pipe_line column_pipes(const otok_patch *patch, int i)
{
    const otok_view *v = &patch->view;
    return (otok_pipe_line){v->at[OTOK_OUTFLOW_TOP] + i,
                            v->at[OTOK_OUTFLOW_BOTTOM] + i,
                            v->at[OTOK_TERRAIN_BASE] + i,
                            v->at[OTOK_TERRAIN_CHANGE] + i,
                            v->at[OTOK_WATER_NEXT] + i,
                            v->at[OTOK_PULLED_TOP] + i,
                            v->pitch,
                            v->ny,
                            patch->edges[OTOK_BOTTOM],
                            patch->edges[OTOK_TOP],
                            v->at[OTOK_WALLS] ? v->at[OTOK_WALLS] + i : NULL};
}

void cpu_flux_sides(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    for (int j = b.y0; j < b.y1; j++) {
        otok_pipe_line_start(line_across(patch, j), k->pipes);
        otok_pipe_line_end(line_across(patch, j), k->pipes);
    }
    for (int i = b.x0; i < b.x1 && b.y0 == 0; i++)
        otok_pipe_line_start(column_pipes(patch, i), k->pipes);
    for (int i = b.x0; i < b.x1 && b.y1 == patch->view.ny; i++)
        otok_pipe_line_end(column_pipes(patch, i), k->pipes);
}

void cpu_flux(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_pipe_coefficients c = k->pipes;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch, pitch = v->pitch;
        const cpu_ground ground = cpu_ground_of(v, j);
        const float *restrict d1 = v->at[OTOK_WATER_NEXT] + row;
        const float *restrict right = v->at[OTOK_OUTFLOW_RIGHT] + row;
        const float *restrict top = v->at[OTOK_OUTFLOW_TOP] + row;
        float *restrict next_right = v->at[OTOK_FLUX_RIGHT] + row;
        float *restrict next_top = v->at[OTOK_FLUX_TOP] + row;
        if (c.friction == 0.0f) { /* two loops without a branch become vectors */
#pragma omp simd
            for (int i = b.x0; i < b.x1; i++) {
                const otok_column here = column(ground, d1, i);
                next_right[i] = otok_pipe_smooth(right[i], here, column(ground, d1, i + 1), c);
                next_top[i] = otok_pipe_smooth(top[i], here, column(ground, d1, i + pitch), c);
            }
            continue;
        }
        if (isnan(c.friction)) { /* a map */
            for (int i = b.x0; i < b.x1; i++) {
                const otok_column here = column(ground, d1, i);
                next_right[i] = otok_pipe(right[i], here, column(ground, d1, i + 1),
                                          otok_pipe_at(v, row + i, 1, c));
                next_top[i] = otok_pipe(top[i], here, column(ground, d1, i + pitch),
                                        otok_pipe_at(v, row + i, pitch, c));
            }
            continue;
        }
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++) {
            const otok_column here = column(ground, d1, i);
            next_right[i] = otok_pipe_rough(right[i], here, column(ground, d1, i + 1), c);
            next_top[i] = otok_pipe_rough(top[i], here, column(ground, d1, i + pitch), c);
        }
    }
}

void cpu_flux_friction(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_pipe_coefficients c = k->pipes;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch, pitch = v->pitch;
        const cpu_ground ground = cpu_ground_of(v, j);
        const float *restrict d1 = v->at[OTOK_WATER_NEXT] + row;
        const float *restrict right = v->at[OTOK_PULLED_RIGHT] + row;
        const float *restrict top = v->at[OTOK_PULLED_TOP] + row;
        float *restrict next_right = v->at[OTOK_FLUX_RIGHT] + row;
        float *restrict next_top = v->at[OTOK_FLUX_TOP] + row;
        if (!c.vector || isnan(c.friction)) {
            const float *old_right = v->at[OTOK_OUTFLOW_RIGHT] + row,
                        *old_top = v->at[OTOK_OUTFLOW_TOP] + row;
            for (int i = b.x0; i < b.x1; i++) {
                const otok_column here = column(ground, d1, i);
                const float deep = otok_face_depth(here, column(ground, d1, i + 1)),
                            deep_up = otok_face_depth(here, column(ground, d1, i + pitch));
                next_right[i] = otok_pipe_slowed(right[i], old_right[i], top[i - pitch] + top[i],
                                                 top[i + 1 - pitch] + top[i + 1], deep,
                                                 otok_pipe_at(v, row + i, 1, c));
                next_top[i] = otok_pipe_slowed(top[i], old_top[i], right[i - 1] + right[i],
                                               right[i - 1 + pitch] + right[i + pitch], deep_up,
                                               otok_pipe_at(v, row + i, pitch, c));
            }
            continue;
        }
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++) {
            const otok_column here = column(ground, d1, i);
            const float deep = otok_face_depth(here, column(ground, d1, i + 1)),
                        deep_up = otok_face_depth(here, column(ground, d1, i + pitch));
            const float y = top[i - pitch] + top[i], y_right = top[i + 1 - pitch] + top[i + 1];
            const float x = right[i - 1] + right[i],
                        x_above = right[i - 1 + pitch] + right[i + pitch];
            next_right[i] = otok_pipe_braked(right[i], y, y_right, deep, c);
            next_top[i] = otok_pipe_braked(top[i], x, x_above, deep_up, c);
        }
    }
}

/* The pipe that enters a cell over the open left or bottom side. `step` leads back to the ghost
   that keeps it. */
static void edge(const otok_view *v, int side, ptrdiff_t at, ptrdiff_t step,
                 const otok_pipe_coefficients *c)
{
    const int is_left = side == OTOK_LEFT, flux = is_left ? OTOK_FLUX_RIGHT : OTOK_FLUX_TOP;
    const ptrdiff_t before = is_left ? v->pitch : 1;
    const cpu_ground ground = cpu_ground_of(v, 0);
    const float *d1 = v->at[OTOK_WATER_NEXT],
                *across = v->at[is_left ? OTOK_PULLED_TOP : OTOK_PULLED_RIGHT] + at;
    const otok_column ghost = column(ground, d1, at - step), cell = column(ground, d1, at);
    const float f = -v->at[OTOK_OUTFLOW_LEFT + side][at],
                after = v->at[is_left ? OTOK_OUTFLOW_RIGHT : OTOK_OUTFLOW_TOP][at];
    const float pulled = otok_pipe_moved(f, f, after, ghost, cell, *c);
    v->at[flux][at - step] = otok_pipe_slowed(
        pulled, f, across[-step - before] + across[-step], across[-before] + across[0],
        otok_face_depth(ghost, cell), otok_pipe_at(v, at - step, step, *c));
}

void cpu_flux_edge(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    for (int j = b.y0; j < b.y1 && patch->edges[OTOK_LEFT] == OTOK_OPEN; j++)
        edge(v, OTOK_LEFT, j * v->pitch + b.x0, 1, &k->pipes);
    for (int i = b.x0; i < b.x1 && b.y0 == 0 && patch->edges[OTOK_BOTTOM] == OTOK_OPEN; i++)
        edge(v, OTOK_BOTTOM, b.y0 * v->pitch + i, v->pitch, &k->pipes);
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
            limit[i] =
                otok_pipe_limit(d1[i], otok_faces_out(otok_faces_at(right + i, top + i, pitch)), c);
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
        const cpu_surface surface = cpu_surface_of(v, j);
#pragma omp simd reduction(+ : hi, lo)
        for (int i = b.x0; i < b.x1; i++) {
            const otok_four wanted = otok_faces_at(flux_right + i, flux_top + i, pitch);
            const otok_four face = otok_faces_limited(wanted, otok_cross_at(limit + i, pitch));
            const otok_surface s =
                otok_water_surface(d1[i], otok_faces_out(face), otok_faces_in(face), c);
            right[i] = face.right;
            top[i] = face.top;
            const otok_fixed clamped = cpu_surface_store(surface, i, s);
            hi += clamped.hi;
            lo += clamped.lo;
        }
    }
    cpu_book(v, OTOK_SUM_WATER_CLAMPED, hi, lo);
}

static void store_outflow(const otok_view *v, int outflow, int flux, ptrdiff_t at, ptrdiff_t step)
{
    const float *limit = v->at[OTOK_FLUX_LIMIT] + at;
    v->at[outflow][at] = 0.0f - otok_face_limited(v->at[flux][at - step], limit[-step], limit[0]);
}

void cpu_flux_out(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    (void)k;
    for (int j = b.y0; j < b.y1 && patch->edges[OTOK_LEFT] == OTOK_OPEN; j++)
        store_outflow(v, OTOK_OUTFLOW_LEFT, OTOK_FLUX_RIGHT, j * v->pitch + b.x0, 1);
    for (int i = b.x0; i < b.x1 && b.y0 == 0 && patch->edges[OTOK_BOTTOM] == OTOK_OPEN; i++)
        store_outflow(v, OTOK_OUTFLOW_BOTTOM, OTOK_FLUX_TOP, b.y0 * v->pitch + i, v->pitch);
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
            const otok_cross load =
                otok_load_cross(otok_cross_at(s + i, pitch), otok_cross_at(d1 + i, pitch), c);
            next[i] = otok_transport(s[i], load, otok_faces_out(face), otok_faces_in(face));
        }
    }
}
