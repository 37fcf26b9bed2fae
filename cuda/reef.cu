/* reef.cu: growth of the reef and diffusion of its carbon; the physics is in model/reef.h. */
#include "batch.cuh"
#include "core/cell.h"

static __device__ inline void reef_growth(const otok_view &v, int rows, otok_reef_coefficients k)
{
    const float sea = v.steps[*v.now].sea;
    otok_walk_booked<OTOK_TERRAIN_CHANGE>(v, rows, OTOK_SUM_REEF, 1,
                                          [&](int at) { return otok_cell_reef(&v, at, sea, k); });
}

static __device__ inline void reef_dated(const otok_view &v, int rows)
{
    const float now = v.steps[*v.now].end;
    otok_walk_cells(v, rows, [&](int at) { otok_cell_dated(&v, at, now); });
}

static __device__ inline void carbon(const otok_view &v, int rows, otok_reef_coefficients k)
{
    const float sea = v.steps[*v.now].sea;
    otok_walk_cells(v, rows, [&](int at) {
        v.at[OTOK_CARBON_NEXT][at] =
            otok_carbon(otok_cross_of(&v, OTOK_CARBON, at), otok_ground_around(&v, at), sea, k);
    });
}

template <int producers>
static __device__ inline void reef_light(const otok_view &v, int rows, otok_light_coefficients k,
                                         otok_uplift_coefficients uplift,
                                         otok_layer_coefficients layers)
{
    const otok_walk w = otok_walk_of(v, rows);
    const otok_step &step = v.steps[*v.now];
    const otok_lift same = otok_lift_of(uplift.rate, &step);
    const bool splits = layers.n > 1 && k.rock > 0.0f;
    otok_booking grown = {0, 0}, rock = {0, 0};
    for (int at = w.first; at < w.end; at += w.step) {
        const float change = v.at[OTOK_TERRAIN_CHANGE][at];
        const float bottom = splits ? v.at[OTOK_LAYER_BOTTOM][at] : 0.0f;
        otok_column_grow(&v, at, layers.n, producers,
                         otok_lift_at(&v, at, uplift.rate, same, &step), &step, k,
                         otok_walk_phase(v, w, at));
        otok_booking_add(grown, v.at[OTOK_TERRAIN_CHANGE][at]);
        otok_booking_add(grown, change, -1);
        if (!splits) continue;
        otok_booking_add(rock, v.at[OTOK_LAYER_BOTTOM][at]);
        otok_booking_add(rock, bottom, -1);
    }
    otok_book(v.sums + OTOK_SUM_REEF, grown);
    otok_book(v.sums + OTOK_SUM_REEF_ROCK, rock);
}

static __device__ inline void karst(const otok_view &v, int rows, otok_light_coefficients k,
                                    otok_layer_coefficients layers)
{
    const otok_walk w = otok_walk_of(v, rows);
    const otok_step &step = v.steps[*v.now];
    otok_layer_books books = {};
    otok_walk_booked<OTOK_TERRAIN_CHANGE>(v, rows, OTOK_SUM_DISSOLVED, -1, [&](int at) {
        otok_column_dissolve(&v, at, layers.n, &step, k, &books, otok_walk_phase(v, w, at));
        return v.at[OTOK_TERRAIN_CHANGE][at];
    });
    otok_book_layers(v, books, layers.n);
}

otok_launcher *const otok_cuda_reef_growth = otok_start<reef_growth, otok_reef_coefficients>;
otok_launcher *const otok_cuda_reef_dated = otok_start<reef_dated>;
otok_launcher *const otok_cuda_carbon = otok_start<carbon, otok_reef_coefficients>;
otok_launcher *const otok_cuda_reef_light =
    otok_start<reef_light<1>, otok_light_coefficients, otok_uplift_coefficients,
               otok_layer_coefficients>;
otok_launcher *const otok_cuda_reef_two =
    otok_start<reef_light<2>, otok_light_coefficients, otok_uplift_coefficients,
               otok_layer_coefficients>;
otok_launcher *const otok_cuda_reef_three =
    otok_start<reef_light<3>, otok_light_coefficients, otok_uplift_coefficients,
               otok_layer_coefficients>;
otok_launcher *const otok_cuda_karst =
    otok_start<karst, otok_light_coefficients, otok_layer_coefficients>;
