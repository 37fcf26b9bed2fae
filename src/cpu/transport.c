/* transport.c: stages 5 and 6 of hydraulic erosion. They book what leaves over open edges. */
#include "../core/cell.h"
#include "../core/shallow_faces.h"
#include "cpu.h"

static float kept_outflow(const otok_view *v, int side, ptrdiff_t at)
{
    return v->at[OTOK_OUTFLOW_LEFT + side][at];
}

static void book_outflow(const otok_view *v, int side, otok_box b,
                         const otok_transport_coefficients *c,
                         float (*outflow)(const otok_view *v, int side, ptrdiff_t at))
{
    int64_t hi = 0, lo = 0, in_hi = 0, in_lo = 0, solid_hi = 0, solid_lo = 0;
    for (int j = b.y0; j < b.y1; j++)
        for (int i = b.x0; i < b.x1; i++) {
            const ptrdiff_t n = j * v->pitch + i;
            const float f = outflow(v, side, n);
            const otok_fixed water = otok_fixed_from(c->dt_l2 * otok_positive(f)),
                             entered = otok_fixed_from(c->dt_l2 * otok_positive(-f));
            hi += water.hi;
            lo += water.lo;
            in_hi += entered.hi;
            in_lo += entered.lo;
            if (c->conservative) {
                const otok_fixed solid = otok_fixed_from(
                    otok_load(v->at[OTOK_SEDIMENT][n], v->at[OTOK_WATER_NEXT][n], *c) *
                    otok_positive(f));
                solid_hi += solid.hi;
                solid_lo += solid.lo;
            }
        }
    cpu_book(v, OTOK_SUM_WATER_OUT, hi, lo);
    cpu_book(v, OTOK_SUM_WATER_ENTERED, in_hi, in_lo);
    cpu_book(v, OTOK_SUM_SEDIMENT_OUT, solid_hi, solid_lo);
}

static void book_outflows(const otok_patch *patch, otok_box b, const otok_coefficients *k,
                          float (*outflow)(const otok_view *v, int side, ptrdiff_t at))
{
    const otok_view *v = &patch->view;
    const otok_box strips[OTOK_SIDES] = {
        [OTOK_LEFT] = {b.x0, b.x0 + 1, b.y0, b.y1},
        [OTOK_RIGHT] = {b.x1 - 1, b.x1, b.y0, b.y1},
        [OTOK_BOTTOM] = {b.x0, b.x1, b.y0, b.y0 == 0},
        [OTOK_TOP] = {b.x0, b.x1, b.y1 < v->ny ? b.y1 : b.y1 - 1, b.y1},
    };
    for (int side = 0; side < OTOK_SIDES; side++)
        if (patch->edges[side] == OTOK_OPEN)
            book_outflow(v, side, strips[side], &k->transport, outflow);
}

void cpu_edge_loss(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    book_outflows(patch, b, k, kept_outflow);
}

void cpu_shallow_loss(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    book_outflows(patch, b, k, otok_shallow_out);
}

enum { BLOCK = 510, WIDTH = BLOCK + 2 };

/* The loads of cells x0-1..x1 of a row. */
static void load_row(const otok_view *v, float *restrict load, int j, int x0, int x1,
                     otok_transport_coefficients c)
{
    const float *restrict s = v->at[OTOK_SEDIMENT] + j * v->pitch + x0 - 1;
    const float *restrict d1 = v->at[OTOK_WATER_NEXT] + j * v->pitch + x0 - 1;
#pragma omp simd
    for (int i = 0; i < x1 - x0 + 2; i++)
        load[i] = otok_load(s[i], d1[i], c);
}

static void transport_row(const otok_view *v, const float *below, const float *here,
                          const float *above, int j, int x0, int x1)
{
    const ptrdiff_t row = j * v->pitch + x0;
    const float *restrict s = v->at[OTOK_SEDIMENT] + row;
    float *restrict next = v->at[OTOK_SEDIMENT_NEXT] + row;
#pragma omp simd
    for (int i = 0; i < x1 - x0; i++) {
        const otok_cross load = {here[i + 1], here[i], here[i + 2], below[i + 1], above[i + 1]};
        next[i] = otok_transport(s[i], load, otok_outflow_from(v, row + i),
                                 otok_outflow_into(v, row + i));
    }
}

/* A load takes a division. So each is computed once and kept for its neighbours, by blocks of
   columns. */
void cpu_transport(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    float load[3][WIDTH];
    for (int x0 = b.x0; x0 < b.x1; x0 += BLOCK) {
        const int x1 = x0 + BLOCK < b.x1 ? x0 + BLOCK : b.x1;
        float *below = load[0], *here = load[1], *above = load[2];
        load_row(v, below, b.y0 - 1, x0, x1, k->transport);
        load_row(v, here, b.y0, x0, x1, k->transport);
        for (int j = b.y0; j < b.y1; j++) {
            load_row(v, above, j + 1, x0, x1, k->transport);
            transport_row(v, below, here, above, j, x0, x1);
            float *first = below;
            below = here;
            here = above;
            above = first;
        }
    }
}

void cpu_advection(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        const float *restrict s = v->at[OTOK_SEDIMENT] + row;
        float *restrict next = v->at[OTOK_SEDIMENT_NEXT] + row;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            next[i] =
                otok_advection(otok_moore_at(s + i, v->pitch), v->at[OTOK_VELOCITY_X][row + i],
                               v->at[OTOK_VELOCITY_Y][row + i], k->transport);
        cpu_book_moved(v, OTOK_SUM_DRIFT, s, next, b);
    }
}

void cpu_mix(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        float *restrict next = v->at[OTOK_SEDIMENT_NEXT] + row;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            next[i] = otok_mix(otok_cross_of(v, OTOK_SEDIMENT, row + i),
                               otok_cross_of(v, OTOK_WATER, row + i), k->transport);
        cpu_book_moved(v, OTOK_SUM_DIFFUSED, v->at[OTOK_SEDIMENT] + row, next, b);
    }
}

void cpu_diffusion(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    for (int j = b.y0; j < b.y1; j++) {
        const ptrdiff_t row = j * v->pitch;
        float *restrict next = v->at[OTOK_SEDIMENT_NEXT] + row;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            next[i] = otok_diffusion(otok_cross_of(v, OTOK_SEDIMENT, row + i),
                                     otok_cross_of(v, OTOK_WATER, row + i), k->transport);
    }
}
