/* phases.h: a phase for every stage, process and scheme: what the proofs on backends run through.
 */
#ifndef OTOK_PHASES_H
#define OTOK_PHASES_H

#include "check.h"
#include "scenario/process.h"

#include <math.h>

enum { STEPS = 7, MOST = 94 + OTOK_PROCESSES, BATCH = 700 };

static otok_phase phases[MOST];
static int nphases;

/* The ground of every second run. */
static const otok_scenario ground = {.nlayers = 3,
                                     .layers = {{.name = "soil", .erodibility = 3, .talus = 20},
                                                {.name = "cap", .erodibility = 0.2, .talus = 60},
                                                {.name = "rock", .erodibility = 1, .talus = NAN}}};

/* A phase of each process that has none yet, by its defaults; a time step of 0.5 s, for something
 * to happen. */
static void describe_others(void)
{
    int known = OTOK_RAIN | OTOK_BEYOND_SIDES;
    for (int n = 0; n < nphases; n++)
        known |= phases[n].processes;
    for (int i = 0; i < OTOK_PROCESSES; i++) {
        const otok_process *process = otok_processes[i];
        if (known & process->bit) continue;
        otok_phase *p = &phases[nphases++];
        p->processes = process->bit;
        strcpy(p->name, process->group);
        MUST(otok_group_read((char *)p + process->values, process->group, NULL));
        if (process->dt) *otok_process_dt(process, p) = 0.5;
    }
}

/* A row of the table. WATER and the like begin with values of their own, which those that a row
   names replace. */
#pragma GCC diagnostic ignored "-Woverride-init"
#define OF(...)                                                                                    \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define PHASE(NAME, PROCESSES, ...)                                                                \
    {                                                                                              \
        .name = NAME, .processes = PROCESSES, __VA_ARGS__                                          \
    }
#define WATER(...)                                                                                 \
    .hydraulic = OF(.dt = 0.05, .gravity = 9.81, .pipe_area = 1, .theta = 1, .capacity = 0.3,      \
                    .morphological_factor = 1, .dissolve = 0.2, .deposit = 0.4,                    \
                    .evaporation = 0.1, .min_tilt = 1, .dry_depth = 1e-6, .wetness_max = 200,      \
                    .transport = OTOK_CONSERVATIVE, __VA_ARGS__)
#define DEEP .pipes = OTOK_SIGNED, .area = OTOK_AREA_DEPTH
#define SHALLOW DEEP, .law = OTOK_LAW_SHALLOW_WATER
#define LOCAL DEEP, .law = OTOK_LAW_LOCAL_INERTIA
#define CRITICAL .bed_steps = OTOK_BED_STEPS_CRITICAL
#define SLIDES(...)                                                                                \
    .thermal = OF(.dt = 0.1, .talus = 30, .rate = 1, .law = OTOK_SHARE,                            \
                  .diagonal = OTOK_DIAGONAL_SQRT2, __VA_ARGS__)
#define REEF(...)                                                                                  \
    .reef = OF(.dt = 0.5, .calcification = 0.5, .absorption = 0.3, .uptake = 0.04,                 \
               .min_depth = 0.001, .max_depth = 8, .carbon = 0.25, __VA_ARGS__)
#define LIT(...)                                                                                   \
    REEF(.law = OTOK_REEF_LIGHT, .max_growth = 2, .sheltered_growth = 0.2, .exposure_scale = 0.3,  \
         .surface_light = 2000, .saturating_light = 250,                                           \
         .producers = {{1, 0.3, 400, 0.5}, {0.3, 0.02, 50, 2}}, __VA_ARGS__)
#define DROPS(...)                                                                                 \
    .droplets = OF(.dt = 1.2, .density = 1, .friction = 0.05, .deposition_rate = 0.1,              \
                   .evaporation = 0.01, .min_volume = 0.5, .count = STEPS * BATCH, .batch = BATCH, \
                   .max_steps = 64, __VA_ARGS__)
#define RISES .uplift = {1, 1, {0}}
#define SEA .sea = OTOK_SEA_BASE_LEVEL
#define DOWN .slope = OTOK_SLOPE_DOWNHILL
#define BY_DEPTH .capacity_law = OTOK_CAPACITY_SPEED_DEPTH
#define BACK .transport = OTOK_SEMI_LAGRANGIAN
#define AXIS .friction = OTOK_FRICTION_AXIS
#define VECTOR .friction = OTOK_FRICTION_VECTOR
#define DAMPED .damping = OTOK_DAMPING_COURANT
#define LITTLE .evaporation = 1e-4 /* less than an ulp */
#define ROUGH                                                                                      \
    .maps = MAP_BIT(OTOK_MAP_MANNING) | MAP_BIT(OTOK_MAP_UPLIFT), .uplift = {0.05, NAN, {0}}

static const otok_phase table[] = {
    PHASE("conservative", OTOK_HYDRAULIC, WATER()),
    PHASE("semi-lagrangian", OTOK_HYDRAULIC, WATER(BACK, .diffusion_sweeps = 2, DOWN, BY_DEPTH)),
    PHASE("displacing", OTOK_HYDRAULIC | OTOK_THERMAL,
          WATER(.displace_water = 1, .diffusivity = 2, .rates = OTOK_PER_ITERATION,
                .slope = OTOK_SLOPE_CENTRAL_ONE_SPACING),
          SLIDES()),
    PHASE("springs", OTOK_HYDRAULIC, .nrivers = 1, WATER()), /* and a rain map */
    PHASE("hydrographs", OTOK_HYDRAULIC, .nrivers = 1, .rivers = {{.hydrograph = 1}}, WATER()),
    PHASE("held", OTOK_HYDRAULIC, .nrivers = 1, .rivers = {{.hydrograph = 1, .level = {.n = 1}}},
          WATER(LOCAL)),
    PHASE("semi-lagrangian, signed", OTOK_HYDRAULIC, WATER(DEEP, BACK, LITTLE)),
    PHASE("no transport", OTOK_HYDRAULIC, WATER(.transport = OTOK_NO_TRANSPORT)),
    PHASE("no transport, signed", OTOK_HYDRAULIC,
          WATER(.pipes = OTOK_SIGNED, .transport = OTOK_NO_TRANSPORT, LITTLE)),
    PHASE("signed, constant", OTOK_HYDRAULIC, WATER(.pipes = OTOK_SIGNED)),
    PHASE("signed, constant, theta", OTOK_HYDRAULIC,
          WATER(.pipes = OTOK_SIGNED, .theta = 0.7, LITTLE)),
    PHASE("signed, depth, axis", OTOK_HYDRAULIC, WATER(DEEP, .manning = 0.05, AXIS)),
    PHASE("signed, depth, axis, theta", OTOK_HYDRAULIC,
          WATER(DEEP, .manning = 0.05, .theta = 0.6, AXIS, LITTLE)),
    PHASE("signed, depth, vector", OTOK_HYDRAULIC, WATER(DEEP, .manning = 0.05, VECTOR)),
    PHASE("signed, depth, vector, theta", OTOK_HYDRAULIC,
          WATER(DEEP, .manning = 0.05, .theta = 0.8, VECTOR, LITTLE)),
    PHASE("damped, depth", OTOK_HYDRAULIC, WATER(DEEP, .manning = 0.05, DAMPED, VECTOR)),
    PHASE("damped, depth, axis", OTOK_HYDRAULIC, WATER(DEEP, DAMPED, AXIS, LITTLE)),
    PHASE("signed, constant, friction", OTOK_HYDRAULIC,
          WATER(.pipes = OTOK_SIGNED, .manning = 0.03, .displace_water = 1, DOWN)),
    PHASE("signed, depth", OTOK_HYDRAULIC | OTOK_THERMAL, WATER(DEEP, LITTLE, BY_DEPTH), SLIDES()),
    PHASE("shallow water", OTOK_HYDRAULIC,
          WATER(SHALLOW, .manning = 0.05, .evaporation = 0, .displace_water = 1, DOWN, BY_DEPTH),
          SLIDES()),
    PHASE("shallow water, smooth", OTOK_HYDRAULIC | OTOK_THERMAL, WATER(SHALLOW, DOWN, BY_DEPTH),
          SLIDES()),
    PHASE("shallow water, semi-lagrangian", OTOK_HYDRAULIC,
          WATER(SHALLOW, BACK, .manning = 0.03, LITTLE, .displace_water = 1, DOWN, BY_DEPTH),
          SLIDES()),
    PHASE("to shallow water", OTOK_HYDRAULIC, .turns = OTOK_TO_SPEEDS,
          WATER(SHALLOW, .manning = 0.05, .evaporation = 0, .displace_water = 1, DOWN, BY_DEPTH),
          SLIDES()),
    PHASE("from shallow water", OTOK_HYDRAULIC, .turns = OTOK_TO_FLOWS,
          WATER(DEEP, .law = OTOK_LAW_LOCAL_INERTIA, .manning = 0.05, .evaporation = 0,
                .displace_water = 1, DOWN, BY_DEPTH),
          SLIDES()),
    PHASE("sea", OTOK_HYDRAULIC, WATER(SEA)),
    PHASE("sea, connected", OTOK_HYDRAULIC, WATER(.sea = OTOK_SEA_CONNECTED)),
    PHASE("sea, signed", OTOK_HYDRAULIC, WATER(SEA, DEEP, .manning = 0.05)),
    PHASE("sea, shallow water", OTOK_HYDRAULIC, WATER(SEA, SHALLOW, .manning = 0.05)),
    PHASE("sides 0", OTOK_HYDRAULIC | OTOK_BEYOND_SIDES, WATER(SHALLOW, .manning = 0.05),
          .sides = {.kind = {OTOK_CRITICAL, OTOK_FREE, OTOK_FREE, OTOK_NORMAL_DEPTH},
                    .slope = {NAN, NAN, NAN, NAN},
                    .level = {[OTOK_RIGHT] = {.n = 1}, [OTOK_BOTTOM] = {.n = 1}}}),
    PHASE("sides 1", OTOK_HYDRAULIC | OTOK_BEYOND_SIDES,
          WATER(DEEP, .law = OTOK_LAW_LOCAL_INERTIA, .manning = 0.05),
          .sides = {.kind = {OTOK_FREE, OTOK_NORMAL_DEPTH, OTOK_CRITICAL, OTOK_FREE},
                    .slope = {NAN, 0.01, NAN, NAN},
                    .level = {[OTOK_LEFT] = {.n = 1}, [OTOK_TOP] = {.n = 1}}}),
    PHASE("sides 2", OTOK_HYDRAULIC | OTOK_BEYOND_SIDES, .maps = MAP_BIT(OTOK_MAP_MANNING),
          WATER(DEEP, .law = OTOK_LAW_LOCAL_INERTIA, .manning = NAN),
          .sides = {.kind = {OTOK_NORMAL_DEPTH, OTOK_NORMAL_DEPTH, OTOK_NORMAL_DEPTH,
                             OTOK_NORMAL_DEPTH},
                    .slope = {NAN, NAN, NAN, NAN}}),
    PHASE("shallow water, steps", OTOK_HYDRAULIC,
          WATER(SHALLOW, CRITICAL, .manning = 0.05, .displace_water = 1, DOWN, BY_DEPTH)),
    PHASE("shallow water, steps, smooth", OTOK_HYDRAULIC | OTOK_THERMAL,
          WATER(SHALLOW, CRITICAL, BACK, LITTLE), SLIDES()),
    PHASE("shallow water, steps, sides", OTOK_HYDRAULIC | OTOK_BEYOND_SIDES,
          .maps = MAP_BIT(OTOK_MAP_MANNING), WATER(SHALLOW, CRITICAL, .manning = NAN),
          .sides = {.kind = {OTOK_CRITICAL, OTOK_FREE, OTOK_FREE, OTOK_NORMAL_DEPTH},
                    .slope = {NAN, NAN, NAN, NAN},
                    .level = {[OTOK_RIGHT] = {.n = 1}}}),
    PHASE("dams", OTOK_HYDRAULIC, .ndams = 2, WATER(SHALLOW, .manning = 0.05, DOWN, BY_DEPTH)),
    PHASE("dams, steps", OTOK_HYDRAULIC | OTOK_BEYOND_SIDES, .ndams = 2,
          .maps = MAP_BIT(OTOK_MAP_MANNING), WATER(SHALLOW, CRITICAL, .manning = NAN),
          .sides = {.kind = {OTOK_CRITICAL, OTOK_FREE, OTOK_FREE, OTOK_NORMAL_DEPTH},
                    .slope = {NAN, NAN, NAN, NAN},
                    .level = {[OTOK_RIGHT] = {.n = 1}}}),
    PHASE("dams, local", OTOK_HYDRAULIC, .ndams = 2, WATER(LOCAL)),
    PHASE("dams, local, theta", OTOK_HYDRAULIC, .ndams = 2,
          WATER(LOCAL, .manning = 0.05, .theta = 0.8, VECTOR, DOWN, BY_DEPTH)),
    PHASE("dams, local, steps", OTOK_HYDRAULIC | OTOK_THERMAL, .ndams = 2,
          WATER(LOCAL, CRITICAL, .manning = 0.05, AXIS, LITTLE), SLIDES()),
    PHASE("local, steps", OTOK_HYDRAULIC, WATER(LOCAL, CRITICAL, .manning = 0.05, VECTOR)),
    PHASE("local, steps, axis", OTOK_HYDRAULIC | OTOK_THERMAL,
          WATER(LOCAL, CRITICAL, .manning = 0.05, AXIS, LITTLE), SLIDES()),
    PHASE("local, steps, theta", OTOK_HYDRAULIC,
          WATER(LOCAL, CRITICAL, .manning = 0.05, .theta = 0.8, VECTOR, DOWN, BY_DEPTH)),
    PHASE("local, steps, sides", OTOK_HYDRAULIC | OTOK_BEYOND_SIDES,
          WATER(LOCAL, CRITICAL, .manning = 0.05, DAMPED),
          .sides = {.kind = {OTOK_FREE, OTOK_NORMAL_DEPTH, OTOK_CRITICAL, OTOK_FREE},
                    .slope = {NAN, 0.01, NAN, NAN},
                    .level = {[OTOK_LEFT] = {.n = 1}}}),
    PHASE("openings, shallow water", OTOK_HYDRAULIC | OTOK_BEYOND_SIDES,
          WATER(SHALLOW, .manning = 0.05),
          .sides = {.kind = {OTOK_RATING, OTOK_FREE, OTOK_FREE, OTOK_CRITICAL},
                    .waves = {0, OTOK_WAVES_LEAVE},
                    .level = {[OTOK_RIGHT] = {.n = 1}},
                    .discharge = {[OTOK_BOTTOM] = {.n = 1}},
                    .froude = {[OTOK_BOTTOM] = 1.5},
                    .zero = {9},
                    .from = {3, 0, 4.5, 1},
                    .to = {9, 6, 0, 8}}),
    PHASE("openings, local, steps", OTOK_HYDRAULIC | OTOK_BEYOND_SIDES,
          WATER(LOCAL, CRITICAL, .manning = 0.05, VECTOR),
          .sides = {.kind = {OTOK_FREE, OTOK_RATING, OTOK_FREE, OTOK_FREE},
                    .waves = {0, 0, 0, OTOK_WAVES_LEAVE},
                    .level = {[OTOK_TOP] = {.n = 1}},
                    .discharge = {{.n = 1}},
                    .exponent = {[OTOK_RIGHT] = 2},
                    .zero = {[OTOK_RIGHT] = 8},
                    .from = {0, 3, 2, 0},
                    .to = {0, 0, 9, 6}}),
    PHASE("published", OTOK_HYDRAULIC, WATER(LITTLE, BACK, .diffusion_sweeps = 1)),
    PHASE("advection", OTOK_HYDRAULIC | OTOK_THERMAL, WATER(BACK, .displace_water = 1, BY_DEPTH),
          SLIDES()),
    PHASE("displacing downhill", OTOK_HYDRAULIC, WATER(LITTLE, .displace_water = 1, DOWN)),
    PHASE("both erosions", OTOK_HYDRAULIC | OTOK_THERMAL, WATER(.displace_water = 1), SLIDES()),
    PHASE("both, downhill", OTOK_HYDRAULIC | OTOK_THERMAL, WATER(LITTLE, DOWN, BY_DEPTH), SLIDES()),
    PHASE("thermal share", OTOK_THERMAL, SLIDES()),
    PHASE("thermal excess", OTOK_THERMAL,
          SLIDES(.law = OTOK_EXCESS, .diagonal = OTOK_DIAGONAL_ONE)),
    PHASE("thermal, clock", OTOK_THERMAL | OTOK_UPLIFT, RISES,
          SLIDES(.law = OTOK_EXCESS, .diffusivity = 1, .clock = OTOK_CLOCK_PHASE)),
    PHASE("droplets", OTOK_DROPLETS, DROPS()),
    PHASE("droplets lost", OTOK_DROPLETS | OTOK_THERMAL, SLIDES(),
          DROPS(.losses = OTOK_LOSSES_AS_PUBLISHED, .max_steps = 9)),
    PHASE("seabed", OTOK_SEABED, .seabed = {.sweeps = 3}),
    PHASE("reef alone", OTOK_REEF_GROWTH, REEF()),
    PHASE("reef", OTOK_REEF_GROWTH | OTOK_SEABED, .seabed = {.sweeps = 1}, REEF(.age = 1)),
    PHASE("uplift", OTOK_UPLIFT, RISES),
    PHASE("uplift and water", OTOK_HYDRAULIC | OTOK_UPLIFT, WATER(), RISES),
    PHASE("reef by light", OTOK_REEF_GROWTH, LIT(.rubble = NAN), .uplift = {0.5, NAN, {0}}),
    PHASE("reef by light", OTOK_REEF_GROWTH | OTOK_UPLIFT, .maps = MAP_BIT(OTOK_MAP_UPLIFT),
          LIT(.rubble = 0.3, .age = 1), .uplift = {0.5, NAN, {0}}),
    PHASE("reef by light", OTOK_REEF_GROWTH,
          LIT(.rubble = NAN, .age = 1, .denudation = 0.2, .nproducers = 1),
          .uplift = {0.5, NAN, {0}}), /* more producers and karst */
    PHASE("reef by light", OTOK_REEF_GROWTH | OTOK_UPLIFT, .maps = MAP_BIT(OTOK_MAP_UPLIFT),
          LIT(.rubble = 0.3, .age = 1, .denudation = 0.2, .nproducers = 2),
          .uplift = {0.5, NAN, {0}}),
    PHASE("maps", OTOK_HYDRAULIC | OTOK_UPLIFT, ROUGH, WATER(DEEP, LITTLE, .manning = NAN, AXIS)),
    PHASE("maps, vector", OTOK_HYDRAULIC | OTOK_UPLIFT, ROUGH,
          WATER(DEEP, LITTLE, .manning = NAN, VECTOR, .theta = 0.8)),
    PHASE("maps, axis", OTOK_HYDRAULIC | OTOK_UPLIFT, ROUGH,
          WATER(DEEP, LITTLE, .manning = NAN, AXIS, .theta = 0.8)),
    PHASE("maps, shallow water", OTOK_HYDRAULIC | OTOK_UPLIFT, ROUGH,
          WATER(SHALLOW, LITTLE, .manning = NAN, VECTOR)),
    PHASE("infiltration", OTOK_HYDRAULIC | OTOK_INFILTRATION, WATER(),
          .infiltration = {0.05, 1e-3, 0.02}),
    PHASE("infiltration, maps", OTOK_HYDRAULIC | OTOK_INFILTRATION,
          .maps = MAP_BIT(OTOK_MAP_CONDUCTIVITY) | MAP_BIT(OTOK_MAP_SUCTION), WATER(),
          .infiltration = {0.05, NAN, NAN}),
    PHASE("maxima", OTOK_HYDRAULIC | OTOK_MAXIMA, WATER(), .maxima = {1, 1, 0.1, 0.3}),
    PHASE("maxima, advection", OTOK_HYDRAULIC | OTOK_MAXIMA, WATER(BACK), .maxima = {1, 0, 1, 1}),
    PHASE("maxima, signed", OTOK_HYDRAULIC | OTOK_THERMAL | OTOK_MAXIMA,
          WATER(DEEP, .manning = 0.05, VECTOR), SLIDES(), .maxima = {1, 1, 0.1, 0.3}),
    PHASE("maxima, vector", OTOK_HYDRAULIC | OTOK_MAXIMA, WATER(DEEP, .manning = 0.05, VECTOR),
          .maxima = {1, 1, 0.1, 0.3}),
    PHASE("maxima, depth", OTOK_HYDRAULIC | OTOK_MAXIMA, WATER(DEEP, LITTLE),
          .maxima = {0, 0, 0.1, 0.3}),
    PHASE("maxima, shallow water", OTOK_HYDRAULIC | OTOK_MAXIMA, WATER(SHALLOW, .manning = 0.05),
          .maxima = {1, 1, 0.5, 0.1}),
    PHASE("maxima, steps", OTOK_HYDRAULIC | OTOK_MAXIMA,
          WATER(LOCAL, CRITICAL, .manning = 0.05, VECTOR), .maxima = {0, 1, 0.1, 0.3}),
    PHASE("incision", OTOK_INCISION,
          .incision = {0.5, 0.2, 0.45, 0, 0, 1, 0, 0, 500, 0, 0, {{0}}, 0, 1.1}),
    PHASE("incision, maps", OTOK_INCISION | OTOK_UPLIFT | OTOK_RAIN | OTOK_THERMAL,
          .uplift = {1, NAN, {0}}, SLIDES(),
          .maps = MAP_BIT(OTOK_MAP_UPLIFT) | MAP_BIT(OTOK_MAP_ERODIBILITY) | MAP_BIT(OTOK_MAP_RAIN),
          .incision = {0.2, NAN, 0.5, OTOK_ROUTING_STEEPEST, 0, 1, 0, 0, 500, 0, 0, {{0}}, 0, 1.1}),
    PHASE("incision, settled", OTOK_INCISION | OTOK_RAIN, .maps = MAP_BIT(OTOK_MAP_RAIN),
          .incision = {0.5, 0.2, 0.45, 0, 0, 1.4, 0.01, 0.8, 500, 0, 0, {{0}}, 0, 1.1}),
    PHASE("incision, spread", OTOK_INCISION,
          .incision = {0.5, 0.2, 0.45, 0, 0, 1, 0, 0, 500, 0, 1, {{9.5, 7.5, 800}}, 1, 1.5}),
    PHASE("incision, spread, maps", OTOK_INCISION | OTOK_RAIN | OTOK_THERMAL,
          .maps = MAP_BIT(OTOK_MAP_RAIN), SLIDES(),
          .incision = {0.5,
                       0.2,
                       0.45,
                       OTOK_ROUTING_STEEPEST,
                       OTOK_BASE_SEA,
                       1.4,
                       0.01,
                       0,
                       500,
                       1,
                       0,
                       {{0}},
                       1,
                       1.1}),
    PHASE("rivers, delta, reef", OTOK_INCISION | OTOK_MARINE_DIFFUSION | OTOK_REEF_GROWTH,
          .incision = {0.5, 0.2, 0.45, 0, OTOK_BASE_SEA, 1, 0, 0.5, 3, 0, 0, {{0}}, 0, 1.1},
          .marine_diffusion = {0.5, 1, 4, 3}, LIT(.rubble = NAN, .burial_scale = 0.1)),
    PHASE("incision, lakes", OTOK_INCISION,
          .incision = {0.5, 0.02, 0.45, 0, 0, 1, 0, 0, 500, 1, 1, {{9.5, 7.5, 800}}, 0, 1.1}),
    PHASE("rivers, lakes, delta", OTOK_INCISION | OTOK_MARINE_DIFFUSION,
          .incision = {0.5, 0.02, 0.45, 0, 0, 1, 0, 0.5, 3, 1, 0, {{0}}, 0, 1.1},
          .marine_diffusion = {0.5, 1, 4, 3}),
    PHASE("marine diffusion", OTOK_MARINE_DIFFUSION, .marine_diffusion = {0.5, 1, 4, 3}),
};

static void describe_phases(void)
{
    otok_phase *p = phases + sizeof table / sizeof *table;
    _Static_assert(sizeof table / sizeof *table + 6 + OTOK_PROCESSES <= MOST, "room for all");
    memcpy(phases, table, sizeof table);
    for (int n = 0; n < 2; n++) {
        *p = (otok_phase){.processes = OTOK_WAVES | OTOK_COAST};
        strcpy(p->name, n ? "coast, 4 directions" : "coast");
        MUST(otok_group_read(&p->waves, "waves", NULL));
        p->waves.directions = n ? 4 : 16;
        p->coast = (otok_coast){0.5, 1e-5, 2e-5, 6, 0.5, 0.5, n ? 2 : 0};
        p++;
    }
    *p = p[-1]; /* parts of the change: of the coast, and on land */
    p->processes |= OTOK_MARINE_DIFFUSION | OTOK_SEABED;
    p->marine_diffusion = (otok_marine_diffusion){0.5, 1, 4, 3};
    p->seabed.sweeps = 1;
    p->parts = 1;
    strcpy(p++->name, "parts, coast");
    *p++ = (otok_phase){.name = "parts, land",
                        .processes = OTOK_HYDRAULIC | OTOK_THERMAL | OTOK_UPLIFT,
                        .parts = 1,
                        WATER(),
                        SLIDES(),
                        RISES};
    const otok_phase land = p[-1];
    nphases = (int)(p - phases);
    describe_others();
    int creep = 0;
    while (phases[creep].processes != OTOK_CREEP)
        creep++;
    for (int n = 0; n < 2; n++) { /* plain stages between fused ones */
        p = &phases[nphases++];
        *p = phases[creep];
        p->processes |= OTOK_HYDRAULIC | OTOK_UPLIFT | (n ? OTOK_THERMAL : 0);
        p->hydraulic = land.hydraulic;
        p->thermal = land.thermal;
        p->uplift = land.uplift;
        strcpy(p->name, n ? "between, signed" : "between");
        if (n) p->hydraulic.pipes = OTOK_SIGNED;
    }
}

#endif
