/* transport.c: the water and the sediment that leave over open edges. */
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

CPU_STAGE(edge_loss, book_outflows(patch, b, k, kept_outflow))
CPU_STAGE(shallow_loss, book_outflows(patch, b, k, otok_shallow_out))
