/* stages.c: the table of the stages, from stages.def. */
#include "stages.h"

#include "state.h"

/* The sets of buffers in stages.def: their bits in word WORD of an otok_set. */
#define ONE(n) ((n) / 64 == WORD ? BIT((n) % 64) : 0)
#define FROM(n) ((n) / 64 < WORD ? ~UINT64_C(0) : (n) / 64 > WORD ? 0 : ~UINT64_C(0) << (n) % 64)
#define RANGE(from, upto) (FROM(from) & ~FROM(upto))

enum { HERE = OTOK_HERE, BESIDE = OTOK_BESIDE, ANYWHERE = OTOK_ANYWHERE };
#define CHANGE ONE(OTOK_TERRAIN_CHANGE)
#define CHANGE_NEXT ONE(OTOK_CHANGE_NEXT)
#define GROUND (ONE(OTOK_TERRAIN_BASE) | CHANGE)
#define WATER ONE(OTOK_WATER)
#define NEXT ONE(OTOK_WATER_NEXT)
#define WETNESS ONE(OTOK_WETNESS)
#define SEDIMENT ONE(OTOK_SEDIMENT)
#define SEDIMENT_NEXT ONE(OTOK_SEDIMENT_NEXT)
#define VELOCITY (ONE(OTOK_VELOCITY_X) | ONE(OTOK_VELOCITY_Y))
#define MAP_OF(NAME) ONE(OTOK_MAP_##NAME)
#define ERODIBILITY ONE(OTOK_ERODIBILITY)
#define LAYERS RANGE(OTOK_LAYER_BOTTOM, OTOK_LAYER_BOTTOM_LAST + 1)
#define LOOSE ONE(OTOK_LAYER_BOTTOM)
#define RIVERS ONE(OTOK_SPRINGS)
#define HYDROGRAPHS_OF ONE(OTOK_SPRING_OF)
#define SIGNED (ONE(OTOK_OUTFLOW_RIGHT) | ONE(OTOK_OUTFLOW_TOP))
#define OUTFLOWS (SIGNED | ONE(OTOK_OUTFLOW_LEFT) | ONE(OTOK_OUTFLOW_BOTTOM))
#define DAMS (ONE(OTOK_DAM_RIGHT) | ONE(OTOK_DAM_TOP))
#define DAM_PARTS (ONE(OTOK_DAM_PART_RIGHT) | ONE(OTOK_DAM_PART_TOP))
#define FLUXES (ONE(OTOK_FLUX_RIGHT) | ONE(OTOK_FLUX_TOP))
#define LIMIT ONE(OTOK_FLUX_LIMIT)
#define PULLED (ONE(OTOK_PULLED_RIGHT) | ONE(OTOK_PULLED_TOP))
#define PASSED (ONE(OTOK_PASSED_RIGHT) | ONE(OTOK_PASSED_TOP))
#define SLOPES (ONE(OTOK_SLOPE_RIGHT) | ONE(OTOK_SLOPE_TOP))
#define FACES (ONE(OTOK_FACE_RIGHT) | ONE(OTOK_FACE_TOP))
#define DEBRIS RANGE(OTOK_PIPE_LEFT, OTOK_PIPE_TOP_RIGHT + 1)
#define MARINE (ONE(OTOK_MARINE_SHARE) | ONE(OTOK_MARINE_GIVES))
#define EXPOSURE ONE(OTOK_EXPOSURE)
#define WAVE_LOSS ONE(OTOK_WAVE_LOSS)
#define WAVE_WAY (ONE(OTOK_WAVE_X) | ONE(OTOK_WAVE_Y))
#define REACHED ONE(OTOK_REACHED)
#define SEA_PARENT ONE(OTOK_SEA_PARENT)
#define RECEIVER ONE(OTOK_RECEIVER)
#define RIVER_AREA ONE(OTOK_RIVER_AREA)
#define RIVER_CUT ONE(OTOK_RIVER_CUT)
#define RIVER_SILT ONE(OTOK_RIVER_SILT)
#define RIVER_LAKE ONE(OTOK_RIVER_LAKE)
#define RIVER_ROUNDS (ONE(OTOK_RIVER_FORCE) | ONE(OTOK_RIVER_LOAD))
#define DRIFTS (ONE(OTOK_DRIFT_X) | ONE(OTOK_DRIFT_Y))
#define TAKES ONE(OTOK_DRIFT_TAKES)
#define INFILTRATED ONE(OTOK_INFILTRATED)
#define REEF ONE(OTOK_REEF)
#define SECOND ONE(OTOK_REEF_SECOND)
#define THIRD ONE(OTOK_REEF_THIRD)
#define CARBON ONE(OTOK_CARBON)
#define BEFORE ONE(OTOK_CHANGE_BEFORE)
#define BY_WATER ONE(OTOK_CHANGE_BY_WATER)
#define BY_SLIDES ONE(OTOK_CHANGE_BY_SLIDES)
#define BY_UPLIFT ONE(OTOK_CHANGE_BY_UPLIFT)
#define BY_WAVES ONE(OTOK_CHANGE_BY_WAVES)
#define BY_SEABED ONE(OTOK_CHANGE_BY_SEABED)
#define REEF_TIME ONE(OTOK_REEF_TIME)
#define PEAKS (ONE(OTOK_MAX_DEPTH) | ONE(OTOK_PEAK_LEVEL))
#define TIMES (ONE(OTOK_ARRIVED) | ONE(OTOK_PEAKED) | ONE(OTOK_DURATION))
#define SPEEDS (ONE(OTOK_MAX_SPEED) | ONE(OTOK_MAX_DEPTH_SPEED))
#define CARBON_NEXT ONE(OTOK_CARBON_NEXT)

_Static_assert((int)OTOK_BUFFERS <= (int)OTOK_SET_MOST, "a number for each buffer");
_Static_assert(OTOK_FIELDS <= 64, "a bit for each field");

/* First the words of a row, then its sets, word by word. */
const otok_stage_info otok_stage_infos[OTOK_STAGES] = {
#define STAGE(NAME, words, reaches, r, w, s, g, over)                                              \
    [OTOK_STAGE_##NAME].name = #words, [OTOK_STAGE_##NAME].reach = (otok_reach)reaches,            \
    [OTOK_STAGE_##NAME].layers = OTOK_STAGE_##over,
#include "stages.def"
#undef STAGE
#define STAGE(NAME, words, reaches, r, w, s, g, over)                                              \
    [OTOK_STAGE_##NAME].reads.word[WORD] = r, [OTOK_STAGE_##NAME].writes.word[WORD] = w,           \
    [OTOK_STAGE_##NAME].seldom.word[WORD] = s, [OTOK_STAGE_##NAME].given.word[WORD] = g,
#define WORD 0
#include "stages.def"
#undef WORD
#define WORD 1
#include "stages.def"
#undef WORD
#define WORD 2
#include "stages.def"
#undef WORD
#define WORD 3
#include "stages.def"
};

const char *otok_buffer_name(int buffer)
{
    static const char *const names[OTOK_BUFFERS] = {
#define SCRATCH(NAME, process, words) [OTOK_##NAME] = #process ": " words,
#include "scratch.def"
#define MAP(NAME, group, key, coefficient) [OTOK_MAP_##NAME] = "map of " #group "." #key,
#include "maps.def"
    };
    if (buffer >= 0 && buffer < OTOK_STORED) return otok_field_at(buffer)->name;
    return buffer >= 0 && buffer < OTOK_BUFFERS ? names[buffer] : "no buffer";
}
