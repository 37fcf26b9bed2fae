/* water.c: stages 1, 2, 3 and 7 of hydraulic erosion. */
#include "../core/cell.h"
#include "../core/held.h"
#include "cpu.h"

void cpu_water_in(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const float rain = v->steps[*v->now].rain, coarse = otok_coarse(rain);
    (void)k;
    for (int j = b.y0; j < b.y1; j++) {
        const otok_row_phases p = otok_row_phases_of(v, j);
        const float *restrict d = v->at[OTOK_WATER] + j * v->pitch;
        float *restrict d1 = v->at[OTOK_WATER_NEXT] + j * v->pitch;
        if (rain == 0.0f) { /* nothing to book */
#pragma omp simd
            for (int i = b.x0; i < b.x1; i++)
                d1[i] = otok_water_in_coarse(d[i], rain);
            continue;
        }
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            d1[i] = otok_water_in(d[i], rain, coarse, otok_dither(otok_row_phase(&p, i)));
        cpu_book_moved(v, OTOK_SUM_RAIN, d, d1, b);
    }
}

/* Rain and rivers. kind: 1, some have a hydrograph; 2, some hold a level or let water out. */
static inline void fill(const otok_patch *patch, otok_box b, int kind)
{
    const otok_view view = patch->view, *v = &view; /* a copy, which no sum can change */
    const float rain = v->steps[*v->now].rain;
    const otok_volumes rivers = v->steps[*v->now].rivers;
    int64_t hi = 0, lo = 0, river_hi = 0, river_lo = 0;
    for (int j = b.y0; j < b.y1; j++) {
        const otok_row_phases p = otok_row_phases_of(v, j);
        const float *restrict d = v->at[OTOK_WATER] + j * v->pitch;
#pragma omp simd reduction(+ : hi, lo, river_hi, river_lo)
        for (int i = b.x0; i < b.x1; i++) {
            const ptrdiff_t at = j * v->pitch + i;
            const uint32_t phase = otok_row_phase(&p, i);
            const otok_filled f = kind == 2 ? otok_cell_held(v, at, rain, &rivers, phase)
                                            : otok_cell_filled(v, at, kind, rain, &rivers, phase);
            const otok_fixed old = otok_fixed_from(d[i]), rained = otok_fixed_from(f.rained),
                             new = otok_fixed_from(f.d1);
            hi += (int64_t)rained.hi - old.hi;
            lo += (int64_t)rained.lo - old.lo;
            river_hi += (int64_t) new.hi - rained.hi;
            river_lo += (int64_t) new.lo - rained.lo;
        }
    }
    cpu_book(v, OTOK_SUM_RAIN, hi, lo);
    cpu_book(v, OTOK_SUM_RIVERS, river_hi, river_lo);
}

CPU_STAGE(springs, fill(patch, b, 0))
CPU_STAGE(hydrographs, fill(patch, b, 1))
CPU_STAGE(held, fill(patch, b, 2))

void cpu_outflow(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    for (int j = b.y0; j < b.y1; j++)
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_flow_out(v, j * v->pitch + i, k->water);
}

void cpu_water_surface(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view view = patch->view, *v = &view; /* a copy, which no sum can change */
    int64_t hi = 0, lo = 0;
    for (int j = b.y0; j < b.y1; j++)
#pragma omp simd reduction(+ : hi, lo)
        for (int i = b.x0; i < b.x1; i++) {
            const ptrdiff_t at = j * v->pitch + i;
            const otok_fixed clamped = otok_fixed_from(otok_cell_surface(
                v, at, otok_outflow_from(v, at), otok_outflow_into(v, at), k->water));
            hi += clamped.hi;
            lo += clamped.lo;
        }
    cpu_book(v, OTOK_SUM_WATER_CLAMPED, hi, lo);
}

void cpu_evaporation(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_water_coefficients c = k->water;
    for (int j = b.y0; j < b.y1; j++) {
        float *restrict d = v->at[OTOK_WATER] + j * v->pitch;
        uint8_t *restrict wetness = v->wetness + j * v->pitch;
        cpu_book_row(v, OTOK_SUM_EVAPORATED, 1, d, b);
        if (c.part != 0.0f) {
            const otok_row_phases p = otok_row_phases_of(v, j);
#pragma omp simd
            for (int i = b.x0; i < b.x1; i++)
                d[i] = otok_evaporation_fine(d[i], c, otok_dither(otok_row_phase(&p, i)));
        } else {
#pragma omp simd
            for (int i = b.x0; i < b.x1; i++)
                d[i] = otok_evaporation(d[i], c);
        }
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            wetness[i] = (uint8_t)otok_wetness(wetness[i], d[i], c);
        cpu_book_row(v, OTOK_SUM_EVAPORATED, -1, d, b);
    }
}

void cpu_infiltration(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        const otok_row_phases p = otok_row_phases_of(v, j);
        const float *d = v->at[OTOK_WATER] + row;
        cpu_book_row(v, OTOK_SUM_WATER_INFILTRATED, 1, d, b);
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_infiltrate(v, row + i, otok_row_phase(&p, i), k->infiltration);
        cpu_book_row(v, OTOK_SUM_WATER_INFILTRATED, -1, d, b);
    }
}
