/* stages.c: the table of the stages: what runs each, whether it looks at neighbours, and what it reads and writes. */
#include "cpu.h"

#define BIT(buffer) (UINT64_C(1) << (buffer))
#define GROUND (BIT(OTOK_TERRAIN_BASE) | BIT(OTOK_TERRAIN_CHANGE))
#define OUTFLOWS (BIT(OTOK_OUTFLOW_RIGHT) | BIT(OTOK_OUTFLOW_TOP) | BIT(OTOK_OUTFLOW_LEFT) | BIT(OTOK_OUTFLOW_BOTTOM))
#define SIGNED (BIT(OTOK_OUTFLOW_RIGHT) | BIT(OTOK_OUTFLOW_TOP))
#define FLUXES (BIT(OTOK_FLUX_RIGHT) | BIT(OTOK_FLUX_TOP))
#define THROUGH (BIT(OTOK_THROUGH_X) | BIT(OTOK_THROUGH_Y))
#define PIPES (BIT(OTOK_PIPE_TOP_RIGHT + 1) - BIT(OTOK_PIPE_LEFT))
#define VELOCITY (BIT(OTOK_VELOCITY_X) | BIT(OTOK_VELOCITY_Y))
#define WATER BIT(OTOK_WATER)
#define NEXT BIT(OTOK_WATER_NEXT)
#define SEDIMENT BIT(OTOK_SEDIMENT)

/* Settling touches more only where a cell is dry, and edges are few cells: neither is counted. */
static const cpu_stage_entry stages[OTOK_STAGES] = {
    [OTOK_STAGE_WATER_IN] = {cpu_water_in, CPU_ALONE, WATER, NEXT},
    [OTOK_STAGE_SPRINGS] = {cpu_springs, CPU_ALONE, WATER | BIT(OTOK_RAIN_MAP) | BIT(OTOK_SPRINGS), NEXT},
    [OTOK_STAGE_OUTFLOW] = {cpu_outflow, CPU_NEAR, GROUND | NEXT | OUTFLOWS, OUTFLOWS},
    [OTOK_STAGE_WATER_SURFACE] = {cpu_water_surface, CPU_NEAR, NEXT | OUTFLOWS, WATER | VELOCITY},
    [OTOK_STAGE_OUTFLOW_DEPTH] = {cpu_outflow_depth, CPU_NEAR, GROUND | NEXT | OUTFLOWS, OUTFLOWS},
    [OTOK_STAGE_THROUGH] = {cpu_through, CPU_NEAR, OUTFLOWS, THROUGH},
    [OTOK_STAGE_OUTFLOW_VECTOR] = {cpu_outflow_vector, CPU_NEAR, GROUND | NEXT | OUTFLOWS | THROUGH, OUTFLOWS},
    [OTOK_STAGE_FLUX_THROUGH] = {cpu_flux_through, CPU_NEAR, SIGNED, THROUGH},
    [OTOK_STAGE_FLUX_SIDES] = {cpu_flux_sides, CPU_NEAR, 0, 0},
    [OTOK_STAGE_FLUX_AROUND] = {cpu_flux_around, CPU_NEAR, GROUND | NEXT | SIGNED | THROUGH, FLUXES},
    [OTOK_STAGE_FLUX] = {cpu_flux, CPU_NEAR, GROUND | NEXT | SIGNED, FLUXES},
    [OTOK_STAGE_FLUX_EDGE] = {cpu_flux_edge, CPU_NEAR, 0, 0},
    [OTOK_STAGE_FLUX_LIMIT] = {cpu_flux_limit, CPU_NEAR, NEXT | FLUXES, BIT(OTOK_FLUX_LIMIT)},
    [OTOK_STAGE_FLUX_SURFACE] = {cpu_flux_surface, CPU_NEAR, NEXT | FLUXES | BIT(OTOK_FLUX_LIMIT), SIGNED | WATER | VELOCITY},
    [OTOK_STAGE_FLUX_OUT] = {cpu_flux_out, CPU_NEAR, 0, 0},
    [OTOK_STAGE_EROSION] = {cpu_erosion, CPU_NEAR, GROUND | WATER | SEDIMENT | VELOCITY, BIT(OTOK_CHANGE_NEXT) | SEDIMENT},
    [OTOK_STAGE_EDGE_LOSS] = {cpu_edge_loss, CPU_ALONE, 0, 0},
    [OTOK_STAGE_TRANSPORT] = {cpu_transport, CPU_NEAR, SEDIMENT | NEXT | OUTFLOWS, BIT(OTOK_SEDIMENT_NEXT)},
    [OTOK_STAGE_FLUX_TRANSPORT] = {cpu_flux_transport, CPU_NEAR, SEDIMENT | NEXT | FLUXES | BIT(OTOK_FLUX_LIMIT),
                                   BIT(OTOK_SEDIMENT_NEXT)},
    [OTOK_STAGE_ADVECTION] = {cpu_advection, CPU_NEAR, SEDIMENT | VELOCITY, BIT(OTOK_SEDIMENT_NEXT)},
    [OTOK_STAGE_MIX] = {cpu_mix, CPU_NEAR, SEDIMENT | WATER, BIT(OTOK_SEDIMENT_NEXT)},
    [OTOK_STAGE_DIFFUSION] = {cpu_diffusion, CPU_NEAR, SEDIMENT | WATER, BIT(OTOK_SEDIMENT_NEXT)},
    [OTOK_STAGE_SETTLE] = {cpu_settle, CPU_ALONE, WATER, 0},
    [OTOK_STAGE_EVAPORATION] = {cpu_evaporation, CPU_ALONE, WATER | BIT(OTOK_WETNESS), WATER | BIT(OTOK_WETNESS)},
    [OTOK_STAGE_THERMAL_OUTFLOW] = {cpu_thermal_outflow, CPU_NEAR, GROUND, BIT(OTOK_CHANGE_NEXT) | PIPES},
    [OTOK_STAGE_THERMAL_COLLECT] = {cpu_thermal_collect, CPU_NEAR, PIPES | BIT(OTOK_TERRAIN_CHANGE) | BIT(OTOK_CHANGE_NEXT),
                                    BIT(OTOK_CHANGE_NEXT)},
    [OTOK_STAGE_EROSION_LAYERED] = {cpu_erosion_layered, CPU_NEAR, GROUND | WATER | SEDIMENT | VELOCITY,
                                    BIT(OTOK_CHANGE_NEXT) | SEDIMENT},
    [OTOK_STAGE_SETTLE_LAYERED] = {cpu_settle_layered, CPU_ALONE, WATER, 0},
    [OTOK_STAGE_THERMAL_OUTFLOW_LAYERED] = {cpu_thermal_outflow_layered, CPU_NEAR, GROUND, BIT(OTOK_CHANGE_NEXT) | PIPES},
    [OTOK_STAGE_THERMAL_COLLECT_LAYERED] = {cpu_thermal_collect_layered, CPU_NEAR,
                                            PIPES | BIT(OTOK_TERRAIN_CHANGE) | BIT(OTOK_CHANGE_NEXT), BIT(OTOK_CHANGE_NEXT)},
    [OTOK_STAGE_SEABED_LAYERED] = {cpu_seabed_layered, CPU_NEAR, GROUND, BIT(OTOK_CHANGE_NEXT)},
    [OTOK_STAGE_SEABED] = {cpu_seabed, CPU_NEAR, GROUND, BIT(OTOK_CHANGE_NEXT)},
    [OTOK_STAGE_REEF_GROWTH] = {cpu_reef_growth, CPU_ALONE, GROUND | BIT(OTOK_REEF) | BIT(OTOK_CARBON),
                                BIT(OTOK_TERRAIN_CHANGE) | BIT(OTOK_REEF) | BIT(OTOK_CARBON)},
    [OTOK_STAGE_CARBON] = {cpu_carbon, CPU_NEAR, GROUND | BIT(OTOK_CARBON), BIT(OTOK_CARBON_NEXT)},
    [OTOK_STAGE_DROPLETS] = {cpu_droplets, CPU_WHOLE, 0, 0},
};

cpu_stage_entry cpu_stage_of(int stage)
{
    return stages[stage];
}
