/* parts.c: the parts of the change of the ground. */
#include "../core/cell.h"
#include "cpu.h"

#include <string.h>

void cpu_parts_begin(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    (void)k;
    for (int j = b.y0; j < b.y1; j++)
        memcpy(v->at[OTOK_CHANGE_BEFORE] + j * v->pitch + b.x0,
               v->at[OTOK_TERRAIN_CHANGE] + j * v->pitch + b.x0,
               (size_t)(b.x1 - b.x0) * sizeof(float));
}

static void add(const otok_patch *patch, otok_box b, int part)
{
    const otok_view view = patch->view, *v = &view; /* a copy, which no store can change */
    for (int j = b.y0; j < b.y1; j++) {
        const otok_row_phases p = otok_row_phases_of(v, j);
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_part(v, j * v->pitch + i, part, otok_row_phase(&p, i));
    }
}

#define PART(NAME, name)                                                                           \
    void cpu_part_##name(const otok_patch *patch, otok_box b, const otok_coefficients *k)          \
    {                                                                                              \
        (void)k;                                                                                   \
        add(patch, b, OTOK_CHANGE_BY_##NAME);                                                      \
    }
PART(WATER, water)
PART(SLIDES, slides)
PART(UPLIFT, uplift)
PART(WAVES, waves)
PART(SEABED, seabed)
