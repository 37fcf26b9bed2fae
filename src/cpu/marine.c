/* marine.c: strength and limits of the diffusion of the sea bed. */
#include "../core/cell.h"
#include "cpu.h"

static inline void shares(const otok_view *v, otok_box b, const otok_coefficients *k, int layered)
{
    const float sea = v->steps[*v->now].sea;
    for (int j = b.y0; j < b.y1; j++)
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_marine_shares(v, j * v->pitch + i, layered, sea, k->marine);
}

CPU_STAGE(marine_shares, shares(&patch->view, b, k, 0))

void cpu_marine_shares_layered(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    if (k->layers.n < 2)
        shares(&patch->view, b, k, 0);
    else
        shares(&patch->view, b, k, 1);
}
