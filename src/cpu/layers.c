/* layers.c: the stages that take from a ground in layers or add to it, and book what each layer
   lost. They also serve a ground with a map of erodibility. A loop over layers in every cell
   prevents vectors. */
#include "../core/ground.h"
#include "rows.h"

_Static_assert((int)OTOK_LAYERS == (int)OTOK_MAX_LAYERS, "one number for model and scenarios");

/* Adds books to the grid's. */
static void add_books(const otok_view *v, const otok_layer_books *books)
{
    for (int k = 0; k <= OTOK_LAYERS; k++)
        cpu_book(v, OTOK_SUM_DEPOSITED + k, books->hi[k], books->lo[k]);
}

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
    const int n = k->layers.n;
    otok_layer_books books = {0};
    otok_sum displaced = {0, 0};
    for (int j = b.y0; j < b.y1; j++)
        for (ptrdiff_t at = j * v->pitch + b.x0; at < j * v->pitch + b.x1; at++) {
            const float *base = v->at[OTOK_TERRAIN_BASE] + at,
                        *change = v->at[OTOK_TERRAIN_CHANGE] + at;
            float *s = v->at[OTOK_SEDIMENT] + at, *d2 = v->at[OTOK_WATER] + at;
            const otok_bottoms bottoms = otok_bottoms_at(v, at, n);
            const float slope =
                otok_gradient2(otok_ground_cross(base, change, v->pitch), k->erosion);
            const float capacity = otok_capacity(slope, *d2, v->at[OTOK_VELOCITY_X][at],
                                                 v->at[OTOK_VELOCITY_Y][at], k->erosion);
            const otok_eroded e =
                otok_erosion_layered(*change, bottoms, *s, *d2, capacity,
                                     otok_erodibility_at(v, at), k->erosion, k->layers);
            v->at[OTOK_CHANGE_NEXT][at] = e.change;
            otok_ground_moved(v, at, *change, e.change, bottoms, n, &books);
            *s = e.s;
            if (k->erosion.displace_water) {
                add_move(&displaced, *d2, e.d2);
                *d2 = e.d2;
            }
        }
    add_books(v, &books);
    cpu_book(v, OTOK_SUM_DISPLACED, displaced.hi, displaced.lo);
}

void cpu_settle_layered(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    otok_layer_books books = {0};
    for (int j = b.y0; j < b.y1; j++)
        for (ptrdiff_t at = j * v->pitch + b.x0; at < j * v->pitch + b.x1; at++) {
            float *change = v->at[OTOK_TERRAIN_CHANGE] + at, *s = v->at[OTOK_SEDIMENT] + at;
            if (!(v->at[OTOK_WATER][at] <= k->transport.dry && *s > 0.0f)) continue;
            const otok_exchange e = otok_settle(*change, *s);
            otok_layers_enter(&books, 0, 1, e.ground);
            otok_layers_enter(&books, 0, -1, *change);
            *change = e.ground;
            *s = e.other;
        }
    add_books(v, &books);
}

void cpu_thermal_outflow_layered(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const int n = k->layers.n;
    otok_layer_books books = {0};
    for (int j = b.y0; j < b.y1; j++)
        for (ptrdiff_t at = j * v->pitch + b.x0; at < j * v->pitch + b.x1; at++) {
            const float *base = v->at[OTOK_TERRAIN_BASE] + at,
                        *change = v->at[OTOK_TERRAIN_CHANGE] + at;
            const otok_bottoms bottoms = otok_bottoms_at(v, at, n);
            const otok_slide s = otok_thermal_outflow_layered(
                otok_ground_moore(base, change, v->pitch), *change, bottoms,
                otok_erodibility_at(v, at), k->thermal, k->layers);
            v->at[OTOK_CHANGE_NEXT][at] = s.change;
            otok_ground_moved(v, at, *change, s.change, bottoms, n, &books);
            cpu_slides_store(cpu_slides_of(v, 0), at, s.pipe);
        }
    add_books(v, &books);
}

void cpu_thermal_collect_layered(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    (void)k;
    otok_layer_books books = {0};
    otok_sum rounded = {0, 0};
    for (int j = b.y0; j < b.y1; j++)
        for (ptrdiff_t at = j * v->pitch + b.x0; at < j * v->pitch + b.x1; at++) {
            float *next = v->at[OTOK_CHANGE_NEXT] + at;
            const float sum = otok_thermal_collect(*next, cpu_slides_into(cpu_slides_of(v, 0), at));
            otok_layers_enter(&books, 0, 1, sum);
            otok_layers_enter(&books, 0, -1, *next);
            add_move(&rounded, v->at[OTOK_TERRAIN_CHANGE][at], sum);
            *next = sum;
        }
    add_books(v, &books);
    cpu_book(v, OTOK_SUM_GROUND_ROUNDED, rounded.hi, rounded.lo);
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
    add_books(v, &books);
}
