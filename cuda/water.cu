/* water.cu: stages 1, 2, 3 and 7 of hydraulic erosion, one kernel each. The physics is in
   model/water.h. cuda/README.md counts the bytes that each kernel moves. */
#include "batch.cuh"
#include "core/held.h"

static __device__ inline void water_in(const otok_view &v, int rows)
{
    const otok_walk w = otok_walk_of(v, rows);
    const float rain = v.steps[*v.now].rain, coarse = otok_coarse(rain);
    otok_booking rained = {0, 0};
    for (int at = w.first; at < w.end; at += OTOK_AHEAD * w.step) {
        float d[OTOK_AHEAD];
#pragma unroll
        for (int n = 0; n < OTOK_AHEAD; n++)
            d[n] = v.at[OTOK_WATER][otok_walk_ahead(w, at, n)];
#pragma unroll
        for (int n = 0; n < OTOK_AHEAD; n++) {
            const int cell = at + n * w.step;
            if (cell >= w.end) break;
            float d1 = otok_water_in_coarse(d[n], rain);
            if (!(d[n] < coarse))
                d1 = otok_water_in(d[n], rain, coarse, otok_dither(otok_walk_phase(v, w, cell)));
            v.at[OTOK_WATER_NEXT][cell] = d1;
            otok_booking_add(rained, d1);
            otok_booking_add(rained, d[n], -1);
        }
    }
    otok_book(v.sums + OTOK_SUM_RAIN, rained);
}

/* Rain and rivers. KIND: 1, some have a hydrograph; 2, some hold a level or let water out. */
template <int KIND> static __device__ inline void fill(const otok_view &v, int rows)
{
    const otok_walk w = otok_walk_of(v, rows);
    const float rain = v.steps[*v.now].rain;
    otok_booking rained = {0, 0}, brought = {0, 0};
    for (int at = w.first; at < w.end; at += w.step) {
        const float d = v.at[OTOK_WATER][at];
        const otok_volumes *rivers = &v.steps[*v.now].rivers;
        const uint32_t phase = otok_walk_phase(v, w, at);
        const otok_filled f = KIND == 2 ? otok_cell_held(&v, at, rain, rivers, phase)
                                        : otok_cell_filled(&v, at, KIND, rain, rivers, phase);
        otok_booking_add(rained, f.rained);
        otok_booking_add(rained, d, -1);
        otok_booking_add(brought, f.d1);
        otok_booking_add(brought, f.rained, -1);
    }
    otok_book(v.sums + OTOK_SUM_RAIN, rained);
    otok_book(v.sums + OTOK_SUM_RIVERS, brought);
}

static __device__ inline void outflow(const otok_view &v, int rows, otok_water_coefficients k)
{
    otok_walk_cells(v, rows, [&](int at) { otok_cell_flow_out(&v, at, k); });
}

static __device__ inline void water_surface(const otok_view &v, int rows, otok_water_coefficients k)
{
    otok_booking clamped = {0, 0};
    otok_walk_cells(v, rows, [&](int at) {
        const otok_four out = otok_outflow_from(&v, at), in = otok_outflow_into(&v, at);
        otok_booking_add(clamped, otok_cell_surface(&v, at, out, in, k));
    });
    otok_book(v.sums + OTOK_SUM_WATER_CLAMPED, clamped);
}

static __device__ inline void evaporation(const otok_view &v, int rows, otok_water_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    otok_booking evaporated = {0, 0};
    for (int at = w.first; at < w.end; at += OTOK_AHEAD * w.step) {
        float d2[OTOK_AHEAD];
        int wet[OTOK_AHEAD];
#pragma unroll
        for (int n = 0; n < OTOK_AHEAD; n++) {
            d2[n] = v.at[OTOK_WATER][otok_walk_ahead(w, at, n)];
            wet[n] = v.wetness[otok_walk_ahead(w, at, n)];
        }
#pragma unroll
        for (int n = 0; n < OTOK_AHEAD; n++) {
            const int cell = at + n * w.step;
            if (cell >= w.end) break;
            float d = otok_evaporation(d2[n], k);
            if (k.part != 0.0f)
                d = otok_evaporation_fine(d2[n], k, otok_dither(otok_walk_phase(v, w, cell)));
            v.at[OTOK_WATER][cell] = d;
            v.wetness[cell] = (uint8_t)otok_wetness(wet[n], d, k);
            otok_booking_add(evaporated, d2[n]);
            otok_booking_add(evaporated, d, -1);
        }
    }
    otok_book(v.sums + OTOK_SUM_EVAPORATED, evaporated);
}

static __device__ inline void infiltration(const otok_view &v, int rows,
                                           otok_infiltration_coefficients k)
{
    const otok_walk w = otok_walk_of(v, rows);
    otok_walk_booked<OTOK_WATER>(v, rows, OTOK_SUM_WATER_INFILTRATED, -1, [&](int at) {
        return otok_cell_infiltrate(&v, at, otok_walk_phase(v, w, at), k);
    });
}

otok_launcher *const otok_cuda_water_in = otok_start<water_in>;
otok_launcher *const otok_cuda_springs = otok_start<fill<0>>;
otok_launcher *const otok_cuda_hydrographs = otok_start<fill<1>>;
otok_launcher *const otok_cuda_held = otok_start<fill<2>>;
otok_launcher *const otok_cuda_outflow = otok_start<outflow, otok_water_coefficients>;
otok_launcher *const otok_cuda_water_surface = otok_start<water_surface, otok_water_coefficients>;
otok_launcher *const otok_cuda_evaporation = otok_start<evaporation, otok_water_coefficients>;
otok_launcher *const otok_cuda_infiltration =
    otok_start<infiltration, otok_infiltration_coefficients>;
