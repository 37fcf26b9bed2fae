/* shallow.c: stages 2 and 3 of hydraulic erosion under `law: shallow_water`. The cell left of a
   face, or below it, keeps its speed. */
#include "../core/ground.h"
#include "../core/shallow_faces.h"
#include "cpu.h"

static void turn(const otok_patch *patch, otok_box b, const otok_coefficients *k, int to_speeds)
{
    const otok_view *v = &patch->view;
    if (!v->steps[*v->now].turns) return;
    for (int j = b.y0; j < b.y1; j++)
        for (int i = b.x0; i < b.x1; i++)
            for (int up = 0; up < 2; up++)
                otok_shallow_turn(otok_shallow_of(v, up), j * v->pitch + i, to_speeds, k->shallow);
}

CPU_STAGE(shallow_begin, turn(patch, b, k, 1))
CPU_STAGE(shallow_end, turn(patch, b, k, 0))

void cpu_shallow_pull(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    for (int up = 0; up < 2; up++)
        for (int j = b.y0; j < b.y1; j++) {
            const otok_shallow_faces f = otok_shallow_of(v, up);
#pragma omp simd
            for (int i = b.x0; i < b.x1; i++) {
                const ptrdiff_t at = j * v->pitch + i;
                otok_shallow_pull(f, at, f.state[at], k->shallow);
            }
        }
}

void cpu_shallow_friction(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    for (int up = 0; up < 2; up++)
        for (int j = b.y0; j < b.y1; j++) {
            const otok_shallow_faces f = otok_shallow_of(v, up);
            const ptrdiff_t row = j * v->pitch;
            if (isnan(k->shallow.rough)) { /* a map */
                for (int i = b.x0; i < b.x1; i++)
                    otok_shallow_brake(f, row + i, otok_shallow_at(f, row + i, k->shallow));
                continue;
            }
#pragma omp simd
            for (int i = b.x0; i < b.x1; i++)
                otok_shallow_brake(f, row + i, k->shallow);
        }
}

void cpu_shallow_slopes(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    (void)k;
    for (int up = 0; up < 2; up++)
        for (int j = b.y0; j < b.y1; j++) {
            const otok_shallow_faces f = otok_shallow_of(v, up);
#pragma omp simd
            for (int i = b.x0; i < b.x1; i++)
                otok_shallow_slope(f, j * v->pitch + i);
        }
}

void cpu_shallow_hold(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    for (int up = 0; up < 2; up++)
        for (int j = b.y0; j < b.y1; j++) {
            const otok_shallow_faces f = otok_shallow_of(v, up);
            const ptrdiff_t row = j * v->pitch;
            for (int i = b.x0; i < b.x1 && isnan(k->shallow.rough); i++) /* a map */
                otok_shallow_hold(f, row + i, 0, otok_shallow_at(f, row + i, k->shallow));
            if (isnan(k->shallow.rough)) continue;
#pragma omp simd
            for (int i = b.x0; i < b.x1; i++)
                otok_shallow_hold(f, row + i, 0, k->shallow);
        }
}

/* The surface. Its speeds are those of one-way pipes, and are not used. */
void cpu_shallow_surface(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view view = patch->view, *v = &view; /* a copy, which no sum can change */
    int64_t hi = 0, lo = 0;
    for (int j = b.y0; j < b.y1; j++) {
        const otok_row_phases p = otok_row_phases_of(v, j);
#pragma omp simd reduction(+ : hi, lo)
        for (int i = b.x0; i < b.x1; i++) {
            const otok_fixed clamped = otok_fixed_from(
                otok_shallow_surface(v, j * v->pitch + i, otok_row_phase(&p, i), k->water));
            hi += clamped.hi;
            lo += clamped.lo;
        }
    }
    cpu_book(v, OTOK_SUM_WATER_CLAMPED, hi, lo);
}

void cpu_shallow_carry(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    for (int up = 0; up < 2; up++)
        for (int j = b.y0; j < b.y1; j++) {
            const otok_shallow_faces f = otok_shallow_of(v, up);
            float *speed = v->at[up ? OTOK_VELOCITY_Y : OTOK_VELOCITY_X];
            for (int i = b.x0; i < b.x1 && isnan(k->shallow.rough); i++) { /* a map */
                const ptrdiff_t at = j * v->pitch + i;
                const otok_shallow_coefficients here = otok_shallow_at(f, at, k->shallow);
                f.state[at] = otok_shallow_carried(f, at, 0, here);
                speed[at] = otok_shallow_speed(f, at, here);
            }
            if (isnan(k->shallow.rough)) continue;
#pragma omp simd
            for (int i = b.x0; i < b.x1; i++) {
                const ptrdiff_t at = j * v->pitch + i;
                f.state[at] = otok_shallow_carried(f, at, 0, k->shallow);
                speed[at] = otok_shallow_speed(f, at, k->shallow);
            }
        }
}

/* All in the loop, or it becomes no vectors. */
__attribute__((flatten)) void cpu_shallow_carry_steps(const otok_patch *patch, otok_box b,
                                                      const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    for (int up = 0; up < 2; up++)
        for (int j = b.y0; j < b.y1; j++) {
            const otok_shallow_faces f = otok_shallow_of(v, up);
            float *speed = v->at[up ? OTOK_VELOCITY_Y : OTOK_VELOCITY_X];
            for (int i = b.x0; i < b.x1 && isnan(k->shallow.rough); i++) { /* a map */
                const ptrdiff_t at = j * v->pitch + i;
                const otok_shallow_coefficients here = otok_shallow_at(f, at, k->shallow);
                f.state[at] = otok_shallow_carried_over_steps(f, at, 0, here);
                speed[at] = otok_shallow_speed_by_flow(f, at, here);
            }
            if (isnan(k->shallow.rough)) continue;
#pragma omp simd
            for (int i = b.x0; i < b.x1; i++) {
                const ptrdiff_t at = j * v->pitch + i;
                f.state[at] = otok_shallow_carried_over_steps(f, at, 0, k->shallow);
                speed[at] = otok_shallow_speed_by_flow(f, at, k->shallow);
            }
        }
}

/* A function of the first cell of each line of faces that begins at a side. */
typedef void ends(otok_shallow_faces f, ptrdiff_t at, int n, int start, int end,
                  otok_shallow_coefficients k);

static void each_line(const otok_patch *patch, otok_box b, const otok_coefficients *k, ends *f)
{
    const otok_view *v = &patch->view;
    const int *edges = patch->edges;
    for (int j = b.y0; j < b.y1; j++)
        f(otok_shallow_of(v, 0), j * v->pitch, v->nx, edges[OTOK_LEFT], edges[OTOK_RIGHT],
          k->shallow);
    const int start = b.y0 == 0 ? edges[OTOK_BOTTOM] : OTOK_PERIODIC,
              end = b.y1 == v->ny ? edges[OTOK_TOP] : OTOK_PERIODIC; /* else another's rows */
    for (int i = b.x0; i < b.x1; i++)
        f(otok_shallow_of(v, 1), i, v->ny, start, end, k->shallow);
}

CPU_STAGE(shallow_pull_sides, each_line(patch, b, k, otok_shallow_ends_pulled))
CPU_STAGE(shallow_slopes_sides, each_line(patch, b, k, otok_shallow_ends_sloped))
CPU_STAGE(shallow_friction_sides, each_line(patch, b, k, otok_shallow_ends_stream))
CPU_STAGE(shallow_surface_sides, each_line(patch, b, k, otok_shallow_ends_limited))
CPU_STAGE(shallow_carry_sides, each_line(patch, b, k, otok_shallow_ends_carried))
