/* layers.cu: the stages that take from a ground in layers or add to it. They book what each layer
   lost. The physics is in model/layers.h. */
#include "batch.cuh"
#include "core/ground.h"
#include "model/layers.h"

static __device__ inline void erosion_layered(const otok_view &v, int rows,
                                              otok_erosion_coefficients k,
                                              otok_layer_coefficients layers)
{
    const otok_walk w = otok_walk_of(v, rows);
    otok_booking displaced = {0, 0};
    otok_layer_books books = {};
    for (int at = w.first; at < w.end; at += w.step) {
        const otok_cross h = otok_ground_cross(v.at[OTOK_TERRAIN_BASE] + at,
                                               v.at[OTOK_TERRAIN_CHANGE] + at, v.pitch);
        const float d2 = v.at[OTOK_WATER][at], change = v.at[OTOK_TERRAIN_CHANGE][at];
        const otok_bottoms bottoms = otok_bottoms_at(&v, at, layers.n);
        const float capacity = otok_capacity(otok_gradient2(h, k), d2, v.at[OTOK_VELOCITY_X][at],
                                             v.at[OTOK_VELOCITY_Y][at], k);
        const otok_eroded e =
            otok_erosion_layered(change, bottoms, v.at[OTOK_SEDIMENT][at], d2, capacity,
                                 otok_erodibility_at(&v, at), k, layers);
        v.at[OTOK_CHANGE_NEXT][at] = e.change;
        otok_ground_moved(&v, at, change, e.change, bottoms, layers.n, &books);
        v.at[OTOK_SEDIMENT][at] = e.s;
        if (k.displace_water) {
            v.at[OTOK_WATER][at] = e.d2;
            otok_booking_add(displaced, e.d2);
            otok_booking_add(displaced, d2, -1);
        }
    }
    otok_book_layers(v, books, layers.n);
    if (k.displace_water) otok_book(v.sums + OTOK_SUM_DISPLACED, displaced);
}

static __device__ inline void settle_layered(const otok_view &v, int rows,
                                             otok_transport_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    otok_layer_books books = {};
    for (int at = w.first; at < w.end; at += w.step) {
        if (!(v.at[OTOK_WATER][at] <= k.dry)) continue;
        const float s = v.at[OTOK_SEDIMENT][at], change = v.at[OTOK_TERRAIN_CHANGE][at];
        if (!(s > 0.0f)) continue;
        const otok_exchange e = otok_settle(change, s);
        otok_layers_enter(&books, 0, 1, e.ground);
        otok_layers_enter(&books, 0, -1, change);
        v.at[OTOK_TERRAIN_CHANGE][at] = e.ground;
        v.at[OTOK_SEDIMENT][at] = e.other;
    }
    otok_book_layers(v, books, 0);
}

static __device__ inline void thermal_outflow_layered(const otok_view &v, int rows,
                                                      otok_thermal_coefficients k,
                                                      otok_layer_coefficients layers)
{
    const otok_walk w = otok_walk_of(v, rows);
    otok_layer_books books = {};
    for (int at = w.first; at < w.end; at += w.step) {
        const otok_moore h = otok_ground_moore(v.at[OTOK_TERRAIN_BASE] + at,
                                               v.at[OTOK_TERRAIN_CHANGE] + at, v.pitch);
        const float change = v.at[OTOK_TERRAIN_CHANGE][at];
        const otok_bottoms bottoms = otok_bottoms_at(&v, at, layers.n);
        const otok_slide s = otok_thermal_outflow_layered(h, change, bottoms,
                                                          otok_erodibility_at(&v, at), k, layers);
        v.at[OTOK_CHANGE_NEXT][at] = s.change;
        otok_ground_moved(&v, at, change, s.change, bottoms, layers.n, &books);
        v.at[OTOK_PIPE_LEFT][at] = s.pipe.left;
        v.at[OTOK_PIPE_RIGHT][at] = s.pipe.right;
        v.at[OTOK_PIPE_BOTTOM][at] = s.pipe.bottom;
        v.at[OTOK_PIPE_TOP][at] = s.pipe.top;
        v.at[OTOK_PIPE_BOTTOM_LEFT][at] = s.pipe.bottom_left;
        v.at[OTOK_PIPE_BOTTOM_RIGHT][at] = s.pipe.bottom_right;
        v.at[OTOK_PIPE_TOP_LEFT][at] = s.pipe.top_left;
        v.at[OTOK_PIPE_TOP_RIGHT][at] = s.pipe.top_right;
    }
    otok_book_layers(v, books, layers.n);
}

static __device__ inline void thermal_collect_layered(const otok_view &v, int rows)
{
    const otok_walk w = otok_walk_of(v, rows);
    const ptrdiff_t up = v.pitch;
    otok_layer_books books = {};
    otok_booking rounded = {0, 0};
    for (int at = w.first; at < w.end; at += w.step) {
        const float next = v.at[OTOK_CHANGE_NEXT][at];
        otok_eight in;
        in.left = v.at[OTOK_PIPE_RIGHT][at - 1];
        in.right = v.at[OTOK_PIPE_LEFT][at + 1];
        in.bottom = v.at[OTOK_PIPE_TOP][at - up];
        in.top = v.at[OTOK_PIPE_BOTTOM][at + up];
        in.bottom_left = v.at[OTOK_PIPE_TOP_RIGHT][at - up - 1];
        in.bottom_right = v.at[OTOK_PIPE_TOP_LEFT][at - up + 1];
        in.top_left = v.at[OTOK_PIPE_BOTTOM_RIGHT][at + up - 1];
        in.top_right = v.at[OTOK_PIPE_BOTTOM_LEFT][at + up + 1];
        const float sum = otok_thermal_collect(next, in);
        otok_layers_enter(&books, 0, 1, sum);
        otok_layers_enter(&books, 0, -1, next);
        otok_booking_add(rounded, sum);
        otok_booking_add(rounded, v.at[OTOK_TERRAIN_CHANGE][at], -1);
        v.at[OTOK_CHANGE_NEXT][at] = sum;
    }
    otok_book_layers(v, books, 0);
    otok_book(v.sums + OTOK_SUM_GROUND_ROUNDED, rounded);
}

static __device__ inline void layers_follow(const otok_view &v, int rows,
                                            otok_layer_coefficients layers)
{
    const int n = layers.n;
    const otok_walk w = otok_walk_of(v, rows);
    otok_layer_books books = {};
    for (int at = w.first; at < w.end; at += w.step)
        otok_ground_moved(&v, at, v.at[OTOK_TERRAIN_CHANGE][at], v.at[OTOK_CHANGE_NEXT][at],
                          otok_bottoms_at(&v, at, n), n, &books);
    otok_book_layers(v, books, n);
}

otok_launcher *const otok_cuda_erosion_layered =
    otok_start<erosion_layered, otok_erosion_coefficients, otok_layer_coefficients>;
otok_launcher *const otok_cuda_settle_layered =
    otok_start<settle_layered, otok_transport_coefficients>;
otok_launcher *const otok_cuda_thermal_outflow_layered =
    otok_start<thermal_outflow_layered, otok_thermal_coefficients, otok_layer_coefficients>;
otok_launcher *const otok_cuda_thermal_collect_layered = otok_start<thermal_collect_layered>;
otok_launcher *const otok_cuda_layers_follow = otok_start<layers_follow, otok_layer_coefficients>;
