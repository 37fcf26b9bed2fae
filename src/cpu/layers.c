/* layers.c: the stages that take from a ground in layers or add to it, and book what each layer
   lost. They also serve a ground with a map of erodibility. A loop over layers in every cell
   prevents vectors. */
#include "../core/cell.h"
#include "cpu.h"

_Static_assert((int)OTOK_LAYERS == (int)OTOK_MAX_LAYERS, "one number for model and scenarios");

/* Adds a cell's move to a sum. */
static inline void add_move(otok_sum *sum, float was, float is)
{
    const otok_fixed old = otok_fixed_from(was), new = otok_fixed_from(is);
    sum->hi += (int64_t) new.hi - old.hi;
    sum->lo += (int64_t) new.lo - old.lo;
}

void cpu_erosion_layered(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_erosion_coefficients ke = otok_erosion_now(v, k->erosion);
    otok_layer_books books = {0};
    otok_sum displaced = {0, 0};
    for (int j = b.y0; j < b.y1; j++)
        for (ptrdiff_t at = j * v->pitch + b.x0; at < j * v->pitch + b.x1; at++) {
            const otok_eroded e = otok_cell_erosion_layered(v, at, ke, k->layers, &books);
            v->at[OTOK_CHANGE_NEXT][at] = e.change;
            v->at[OTOK_SEDIMENT][at] = e.s;
            if (!ke.displace_water) continue;
            add_move(&displaced, v->at[OTOK_WATER][at], e.d2);
            v->at[OTOK_WATER][at] = e.d2;
        }
    cpu_book_layers(v, &books);
    cpu_book(v, OTOK_SUM_DISPLACED, displaced.hi, displaced.lo);
}

void cpu_settle_layered(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    otok_layer_books books = {0};
    for (int j = b.y0; j < b.y1; j++)
        for (ptrdiff_t at = j * v->pitch + b.x0; at < j * v->pitch + b.x1; at++)
            otok_cell_settle_layered(v, at, k->transport, &books);
    cpu_book_layers(v, &books);
}

void cpu_thermal_outflow_layered(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    otok_layer_books books = {0};
    for (int j = b.y0; j < b.y1; j++)
        for (ptrdiff_t at = j * v->pitch + b.x0; at < j * v->pitch + b.x1; at++)
            otok_cell_slide_layered(v, at, k->thermal, k->layers, &books);
    cpu_book_layers(v, &books);
}

void cpu_thermal_collect_layered(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    (void)k;
    otok_layer_books books = {0};
    otok_sum rounded = {0, 0}, risen = {0, 0};
    for (int j = b.y0; j < b.y1; j++)
        for (ptrdiff_t at = j * v->pitch + b.x0; at < j * v->pitch + b.x1; at++) {
            const float was = v->at[OTOK_TERRAIN_CHANGE][at],
                        is = otok_cell_collect_layered(v, at, &books);
            add_move(&rounded, was, is);
            if (is > was) add_move(&risen, was, is);
        }
    cpu_book_layers(v, &books);
    cpu_book(v, OTOK_SUM_GROUND_ROUNDED, rounded.hi, rounded.lo);
    cpu_book_risen(v, risen.hi, risen.lo);
}

void cpu_layers_follow(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const int n = k->layers.n;
    otok_layer_books books = {0};
    for (int j = b.y0; j < b.y1; j++)
        for (ptrdiff_t at = j * v->pitch + b.x0; at < j * v->pitch + b.x1; at++)
            otok_ground_moved(v, at, v->at[OTOK_TERRAIN_CHANGE][at], v->at[OTOK_CHANGE_NEXT][at],
                              otok_bottoms_at(v, at, n), n, &books);
    cpu_book_layers(v, &books);
}
