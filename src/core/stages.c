/* stages.c: the table of the stages, from stages.def. */
#include "stages.h"

#include "state.h"

/* The sets of buffers in stages.def. */
enum { HERE = OTOK_HERE, BESIDE = OTOK_BESIDE, ANYWHERE = OTOK_ANYWHERE };
#define CHANGE BIT(OTOK_TERRAIN_CHANGE)
#define CHANGE_NEXT BIT(OTOK_CHANGE_NEXT)
#define GROUND (BIT(OTOK_TERRAIN_BASE) | CHANGE)
#define WATER BIT(OTOK_WATER)
#define NEXT BIT(OTOK_WATER_NEXT)
#define WETNESS BIT(OTOK_WETNESS)
#define SEDIMENT BIT(OTOK_SEDIMENT)
#define SEDIMENT_NEXT BIT(OTOK_SEDIMENT_NEXT)
#define VELOCITY (BIT(OTOK_VELOCITY_X) | BIT(OTOK_VELOCITY_Y))
#define RAIN_MAP BIT(OTOK_MAP_RAIN)
#define UPLIFT_MAP BIT(OTOK_MAP_UPLIFT)
#define MANNING_MAP BIT(OTOK_MAP_MANNING)
#define ERODIBILITY BIT(OTOK_ERODIBILITY)
#define LAYERS (BIT(OTOK_LAYER_BOTTOM_LAST + 1) - BIT(OTOK_LAYER_BOTTOM))
#define RIVERS BIT(OTOK_SPRINGS)
#define SIGNED (BIT(OTOK_OUTFLOW_RIGHT) | BIT(OTOK_OUTFLOW_TOP))
#define OUTFLOWS (SIGNED | BIT(OTOK_OUTFLOW_LEFT) | BIT(OTOK_OUTFLOW_BOTTOM))
#define FLUXES (BIT(OTOK_FLUX_RIGHT) | BIT(OTOK_FLUX_TOP))
#define LIMIT BIT(OTOK_FLUX_LIMIT)
#define PULLED (BIT(OTOK_PULLED_RIGHT) | BIT(OTOK_PULLED_TOP))
#define PASSED (BIT(OTOK_PASSED_RIGHT) | BIT(OTOK_PASSED_TOP))
#define FACES (BIT(OTOK_FACE_RIGHT) | BIT(OTOK_FACE_TOP))
#define DEBRIS (BIT(OTOK_PIPE_TOP_RIGHT + 1) - BIT(OTOK_PIPE_LEFT))
#define EXPOSURE BIT(OTOK_EXPOSURE)
#define REEF BIT(OTOK_REEF)
#define CARBON BIT(OTOK_CARBON)
#define CARBON_NEXT BIT(OTOK_CARBON_NEXT)

const otok_stage_info otok_stage_infos[OTOK_STAGES] = {
#define STAGE(NAME, name, reach, reads, writes, seldom, given, layers)                             \
    {#name, (otok_reach)reach, reads, writes, seldom, given, OTOK_STAGE_##layers},
#include "stages.def"
};
