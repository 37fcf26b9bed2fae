/* flux.c: the loops of the stages that move solid between cells, from the rows FLUX of
   core/stages.def. */
#include "../core/flux.h"
#include "cpu.h"

#define STAGE(...)
#define FLUX_OVER(NAME, name, part, ...)                                                           \
    void cpu_##name(const otok_patch *patch, otok_box b, const otok_coefficients *k)               \
    {                                                                                              \
        const otok_view view = patch->view, *v = &view; /* a copy, which no store can change */    \
        const otok_##part##_coefficients c = k->part;                                              \
        for (int j = b.y0; j < b.y1; j++) {                                                        \
            const ptrdiff_t row = j * v->pitch;                                                    \
            const otok_row_phases p = otok_row_phases_of(v, j);                                    \
            const float *restrict was = v->at[OTOK_TERRAIN_CHANGE] + row;                          \
            float *restrict is = v->at[OTOK_CHANGE_NEXT] + row;                                    \
            int moved = 0;                                                                         \
            _Pragma("omp simd reduction(| : moved)") for (int i = b.x0; i < b.x1; i++)             \
            {                                                                                      \
                is[i] = otok_flux_##name(v, row + i, otok_row_phase(&p, i), c);                    \
                moved |= is[i] != was[i];                                                          \
            }                                                                                      \
            if (moved) cpu_book_flux(v, was, is, b);                                               \
        }                                                                                          \
    }
#define SUSPENDED(NAME, name, reads, sum)                                                          \
    void cpu_##name(const otok_patch *patch, otok_box b, const otok_coefficients *k)               \
    {                                                                                              \
        const otok_view view = patch->view, *v = &view;                                            \
        const otok_transport_coefficients c = k->transport;                                        \
        for (int j = b.y0; j < b.y1; j++) {                                                        \
            const ptrdiff_t row = j * v->pitch;                                                    \
            float *restrict is = v->at[OTOK_SEDIMENT_NEXT] + row;                                  \
            _Pragma("omp simd") for (int i = b.x0; i < b.x1; i++) is[i] =                          \
                otok_suspended_##name(v, row + i, c);                                              \
            if (OTOK_SUM_##sum >= 0)                                                               \
                cpu_book_moved(v, OTOK_SUM_##sum, v->at[OTOK_SEDIMENT] + row, is, b);              \
        }                                                                                          \
    }
#include "../core/stages.def"
