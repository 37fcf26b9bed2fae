/* dithers.h: by how much runs with other dithers may differ. */
#ifndef OTOK_DITHERS_H
#define OTOK_DITHERS_H

#include "conformance.h"

/* The stages that round a height or a depth by a dither, which goes by the place of a cell in its
   grid and by the iteration (otok_ground_add). */
static inline int stage_dithers(int stage)
{
    static const int rows[] = {
#define STAGE(...)
#define SUSPENDED(...)
#define FLUX_OVER(NAME, ...) OTOK_STAGE_##NAME,
#include "core/stages.def"
#undef FLUX_OVER
#undef STAGE
        OTOK_STAGE_INCISION,     OTOK_STAGE_RIVER_MOVES, OTOK_STAGE_ABRASION, OTOK_STAGE_KARST,
        OTOK_STAGE_RIVER_DELTAS, OTOK_STAGE_REEF_LIGHT,  OTOK_STAGE_REEF_TWO, OTOK_STAGE_REEF_THREE,
        OTOK_STAGE_FLUX_HOLD,    OTOK_STAGE_SHALLOW_HOLD}; /* whose depths are exact in the mean */
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
        if (stage == rows[n]) return stage != OTOK_STAGE_THERMAL_COLLECT;
    return 0;
}

/* By how much a field may differ after m moves with other dithers: 2 m units in the last place of
   the largest height. A move ends at one of the two heights around the exact sum, so within a unit
   of it (from 2^10 units on, within half a unit); two runs then differ by less than two units more
   than before, as a cell that takes shares of its neighbours widens no difference. Fields that are
   no heights: of their own largest value. 0: no stage dithers, and the bits are the same. */
static inline double outcome_dithered(const trial *t, const outcome *o, int field)
{
    static otok_program program;
    const int is_height = strcmp(otok_field_at(field)->unit, "m") == 0;
    double high = 0;
    int moves = 0;
    otok_scenario *s = trial_scenario(t);
    MUST(otok_program_for_phase(&program, &s->phases[0], s->edges));
    otok_scenario_destroy(s);
    for (int n = 0; n < program.nops; n++)
        moves += program.ops[n].kind == OTOK_OP_STAGE && stage_dithers(program.ops[n].a);
    for (int n = 0; moves && n < CELLS; n++)
        high = fmax(high, fmax(fabs((double)o->at[field][n]),
                               is_height ? fabs((double)o->at[OTOK_TERRAIN_CHANGE][n]) : 0));
    return 2.0 * moves * t->n * ldexp(1, high > 0 ? ilogb(high) - 23 : -149);
}

#endif
