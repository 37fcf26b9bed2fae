/* cpu.h: the stages of the CPU backend: rows shared among OpenMP threads, cells of a row vectorised. Each loop only loads, calls
   the model's cell function and stores. */
#ifndef OTOK_CPU_H
#define OTOK_CPU_H

#include "../core/backend.h"
#include "../core/neighbours.h"
#include "../core/scenario.h"
#include "../model/fixed.h"

typedef void cpu_stage(const otok_patch *patch, otok_box box, const otok_coefficients *k);

cpu_stage cpu_water_in, cpu_springs, cpu_outflow, cpu_water_surface, cpu_evaporation;
cpu_stage cpu_outflow_depth, cpu_flux, cpu_flux_edge, cpu_flux_limit, cpu_flux_surface, cpu_flux_out, cpu_flux_transport;
cpu_stage cpu_erosion, cpu_settle;
cpu_stage cpu_edge_loss, cpu_transport, cpu_advection, cpu_mix, cpu_diffusion;
cpu_stage cpu_thermal_outflow, cpu_thermal_collect;
cpu_stage cpu_erosion_layered, cpu_settle_layered, cpu_thermal_outflow_layered, cpu_thermal_collect_layered, cpu_seabed_layered;
cpu_stage cpu_seabed, cpu_reef_growth, cpu_carbon;
cpu_stage cpu_droplets;

/* Fills the ghost ring of a buffer: x first, then y with the corners. */
void cpu_halo(const otok_patch *patch, int buffer, otok_halo mode);

/* Carries out a plan; base.c. */
otok_status cpu_base(otok_patch *patch, const otok_base_plan *plan, double *seconds);

/* Room for the droplets of a batch: bytes for each, and where it is. */
size_t cpu_droplet_bytes(void);
void *cpu_droplet_room(const otok_patch *patch);

/* How many threads a grid of this size keeps busy. */
int cpu_threads(const otok_view *view);

otok_status cpu_measure(otok_patch *patch, int buffer, otok_census *out);

/* Adds a stage's booking to its sum; called once a stage, after the threads have joined. */
static inline void cpu_book(const otok_view *view, int sum, int64_t hi, int64_t lo)
{
    view->sums[sum].hi += hi;
    view->sums[sum].lo += lo;
}

#endif
