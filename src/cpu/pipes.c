/* pipes.c: stages 2, 3 and 5 of hydraulic erosion with signed pipes. The cell left of a pipe, or
   below it, keeps its flow. */
#include "../core/cell.h"
#include "cpu.h"

static inline void pull(const otok_patch *patch, otok_box b, otok_pipe_coefficients c)
{
    const otok_view *v = &patch->view;
    for (int j = b.y0; j < b.y1; j++)
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_pull(v, j * v->pitch + i, c);
}

void cpu_flux_pull(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    otok_pipe_coefficients c = k->pipes;
    c.lean_wave = 0.0f; /* as in all phases with this stage; the compiler sees it */
    pull(patch, b, c);
}

CPU_STAGE(flux_courant, pull(patch, b, k->pipes))

/* A function of the line that begins with the cell `at`, at those of its ends that are in `ends`.
 */
typedef void line_ends(const otok_view *v, otok_pipe_line l, ptrdiff_t at, int ends,
                       otok_pipe_coefficients k);

static void each_line(const otok_patch *patch, otok_box b, const otok_coefficients *k, line_ends *f)
{
    const otok_view *v = &patch->view;
    const int *edges = patch->edges;
    for (int j = b.y0; j < b.y1; j++)
        f(v, otok_pipe_line_of(v, 0, j * v->pitch, edges[OTOK_LEFT], edges[OTOK_RIGHT]),
          j * v->pitch, OTOK_LINE_START | OTOK_LINE_END, k->pipes);
    const int ends = (b.y0 == 0 ? OTOK_LINE_START : 0) |
                     (b.y1 == v->ny ? OTOK_LINE_END : 0); /* else another's */
    for (int i = b.x0; i < b.x1 && ends; i++)
        f(v, otok_pipe_line_of(v, 1, i, edges[OTOK_BOTTOM], edges[OTOK_TOP]), i, ends, k->pipes);
}

CPU_STAGE(flux_sides, each_line(patch, b, k, otok_pipe_line_sides))
CPU_STAGE(flux_steps_sides, each_line(patch, b, k, otok_pipe_line_steps))
CPU_STAGE(flux_edge, each_line(patch, b, k, otok_pipe_line_edge))

/* The flows of a row from old ones. Constant friction becomes vectors, none and some in loops of
   their own. */
static inline void flux_row(const otok_view *v, ptrdiff_t row, otok_box b, otok_pipe_coefficients c,
                            float (*pipe)(float, otok_column, otok_column, otok_pipe_coefficients))
{
    float *restrict right = v->at[OTOK_FLUX_RIGHT], *restrict top = v->at[OTOK_FLUX_TOP];
#pragma omp simd
    for (int i = b.x0; i < b.x1; i++) {
        const ptrdiff_t at = row + i;
        const otok_column here = otok_column_at(v, at);
        right[at] = pipe(v->at[OTOK_OUTFLOW_RIGHT][at], here, otok_column_at(v, at + 1), c);
        top[at] = pipe(v->at[OTOK_OUTFLOW_TOP][at], here, otok_column_at(v, at + v->pitch), c);
    }
}

void cpu_flux(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        if (k->pipes.friction == 0.0f)
            flux_row(v, row, b, k->pipes, otok_pipe_smooth);
        else if (!isnan(k->pipes.friction))
            flux_row(v, row, b, k->pipes, otok_pipe_rough);
        else /* a map */
            for (int i = b.x0; i < b.x1; i++)
                otok_cell_flux(v, row + i, k->pipes);
    }
}

void cpu_flux_friction(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_pipe_coefficients c = k->pipes;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        if (!c.vector || isnan(c.friction)) {
            for (int i = b.x0; i < b.x1; i++)
                otok_cell_slow(v, row + i, c);
            continue;
        }
        float *restrict right = v->at[OTOK_FLUX_RIGHT], *restrict top = v->at[OTOK_FLUX_TOP];
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++) {
            const ptrdiff_t at = row + i;
            const otok_column here = otok_column_at(v, at);
            const otok_crossing x = otok_crossing_right(v, at), y = otok_crossing_top(v, at);
            right[at] = otok_pipe_braked(v->at[OTOK_PULLED_RIGHT][at], x.here, x.beside,
                                         otok_face_depth(here, otok_column_at(v, at + 1)), c);
            top[at] = otok_pipe_braked(v->at[OTOK_PULLED_TOP][at], y.here, y.beside,
                                       otok_face_depth(here, otok_column_at(v, at + v->pitch)), c);
        }
    }
}

void cpu_flux_steps(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    for (int j = b.y0; j < b.y1; j++)
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_steps(v, j * v->pitch + i, k->pipes);
}

void cpu_flux_hold(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    for (int j = b.y0; j < b.y1; j++)
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_hold(v, j * v->pitch + i, k->pipes);
}

void cpu_flux_limit(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    for (int j = b.y0; j < b.y1; j++)
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_limit(v, j * v->pitch + i, k->pipes);
}

void cpu_flux_surface(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view view = patch->view, *v = &view; /* a copy, which no sum can change */
    int64_t hi = 0, lo = 0;
    for (int j = b.y0; j < b.y1; j++) {
        const otok_row_phases p = otok_row_phases_of(v, j);
#pragma omp simd reduction(+ : hi, lo)
        for (int i = b.x0; i < b.x1; i++) {
            const otok_fixed clamped = otok_fixed_from(
                otok_cell_flux_surface(v, j * v->pitch + i, otok_row_phase(&p, i), k->water));
            hi += clamped.hi;
            lo += clamped.lo;
        }
    }
    cpu_book(v, OTOK_SUM_WATER_CLAMPED, hi, lo);
}

void cpu_flux_out(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    (void)k;
    for (int j = b.y0; j < b.y1 && patch->edges[OTOK_LEFT] == OTOK_OPEN; j++)
        otok_cell_leave(v, OTOK_LEFT, j * v->pitch + b.x0);
    for (int i = b.x0; i < b.x1 && b.y0 == 0 && patch->edges[OTOK_BOTTOM] == OTOK_OPEN; i++)
        otok_cell_leave(v, OTOK_BOTTOM, b.y0 * v->pitch + i);
}
