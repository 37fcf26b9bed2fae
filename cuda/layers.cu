/* layers.cu: the stages that take from a ground in layers or add to it. They book what each layer
   lost. The physics is in model/layers.h. */
#include "batch.cuh"
#include "core/cell.h"

static __device__ inline void erosion_layered(const otok_view &v, int rows,
                                              otok_erosion_coefficients k,
                                              otok_layer_coefficients layers)
{
    k = otok_erosion_now(&v, k);
    otok_booking displaced = {0, 0};
    otok_layer_books books = {};
    otok_walk_cells(v, rows, [&](int at) {
        const float d2 = v.at[OTOK_WATER][at];
        const otok_eroded e = otok_cell_erosion_layered(&v, at, k, layers, &books);
        v.at[OTOK_CHANGE_NEXT][at] = e.change;
        v.at[OTOK_SEDIMENT][at] = e.s;
        if (!k.displace_water) return;
        v.at[OTOK_WATER][at] = e.d2;
        otok_booking_add(displaced, e.d2);
        otok_booking_add(displaced, d2, -1);
    });
    otok_book_layers(v, books, layers.n);
    if (k.displace_water) otok_book(v.sums + OTOK_SUM_DISPLACED, displaced);
}

static __device__ inline void settle_layered(const otok_view &v, int rows,
                                             otok_transport_coefficients k)
{
    otok_layer_books books = {};
    otok_walk_cells(v, rows, [&](int at) { otok_cell_settle_layered(&v, at, k, &books); });
    otok_book_layers(v, books, 0);
}

static __device__ inline void thermal_outflow_layered(const otok_view &v, int rows,
                                                      otok_thermal_coefficients k,
                                                      otok_layer_coefficients layers)
{
    otok_layer_books books = {};
    otok_walk_cells(v, rows, [&](int at) { otok_cell_slide_layered(&v, at, k, layers, &books); });
    otok_book_layers(v, books, layers.n);
}

static __device__ inline void thermal_collect_layered(const otok_view &v, int rows)
{
    otok_layer_books books = {};
    otok_walk_flux(v, rows, [&](int at) { return otok_cell_collect_layered(&v, at, &books); });
    otok_book_layers(v, books, 0);
}

static __device__ inline void layers_follow(const otok_view &v, int rows,
                                            otok_layer_coefficients layers)
{
    otok_layer_books books = {};
    otok_walk_cells(v, rows, [&](int at) {
        otok_ground_moved(&v, at, v.at[OTOK_TERRAIN_CHANGE][at], v.at[OTOK_CHANGE_NEXT][at],
                          otok_bottoms_at(&v, at, layers.n), layers.n, &books);
    });
    otok_book_layers(v, books, layers.n);
}

/* To add up many books takes as long as several cells, and the sums of all blocks wait for each
   other. So blocks are up to four times as tall, while there are enough of them. */
template <auto BODY, typename... PARTS> static cudaError_t start(const otok_launch *l)
{
    const unsigned members = l->batch ? (unsigned)l->batch->n : 1,
                   times = l->grid.x * l->grid.y * members / 1024;
    otok_launch tall = *l;
    tall.rows *= times > 4 ? 4 : times > 1 ? (int)times : 1;
    tall.grid.y = (unsigned)((otok_own_rows(&l->patch->view) + tall.rows - 1) / tall.rows);
    return otok_start<BODY, PARTS...>(&tall);
}

otok_launcher *const otok_cuda_erosion_layered =
    start<erosion_layered, otok_erosion_coefficients, otok_layer_coefficients>;
otok_launcher *const otok_cuda_settle_layered = start<settle_layered, otok_transport_coefficients>;
otok_launcher *const otok_cuda_thermal_outflow_layered =
    start<thermal_outflow_layered, otok_thermal_coefficients, otok_layer_coefficients>;
otok_launcher *const otok_cuda_thermal_collect_layered = start<thermal_collect_layered>;
otok_launcher *const otok_cuda_layers_follow = start<layers_follow, otok_layer_coefficients>;
