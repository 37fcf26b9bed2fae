/* phases.h: a phase for every stage, process and scheme: what the proofs on backends run through.
 */
#ifndef OTOK_PHASES_H
#define OTOK_PHASES_H

#include "check.h"
#include "scenario/process.h"

#include <math.h>

enum { STEPS = 7, MOST = 64, BATCH = 700 };

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

static void describe_phases(void)
{
    const otok_hydraulic plain = {.dt = 0.05,
                                  .gravity = 9.81,
                                  .pipe_area = 1,
                                  .theta = 1,
                                  .capacity = 0.3,
                                  .morphological_factor = 1,
                                  .dissolve = 0.2,
                                  .deposit = 0.4,
                                  .evaporation = 0.1,
                                  .min_tilt = 1,
                                  .dry_depth = 1e-6,
                                  .wetness_max = 200,
                                  .transport = OTOK_CONSERVATIVE};
    const otok_thermal share = {
        .dt = 0.1, .talus = 30, .rate = 1, .law = OTOK_SHARE, .diagonal = OTOK_DIAGONAL_SQRT2};
    const otok_reef reef = {.dt = 0.5,
                            .calcification = 0.5,
                            .absorption = 0.3,
                            .uptake = 0.04,
                            .min_depth = 0.001,
                            .max_depth = 8,
                            .carbon = 0.25};
    const otok_droplets drops = {.dt = 1.2,
                                 .density = 1,
                                 .friction = 0.05,
                                 .deposition_rate = 0.1,
                                 .evaporation = 0.01,
                                 .min_volume = 0.5,
                                 .count = STEPS * BATCH,
                                 .batch = BATCH,
                                 .max_steps = 64};
    otok_phase *p = phases;
    *p++ = (otok_phase){.name = "conservative", .processes = OTOK_HYDRAULIC, .hydraulic = plain};

    *p = (otok_phase){.name = "semi-lagrangian", .processes = OTOK_HYDRAULIC, .hydraulic = plain};
    p->hydraulic.transport = OTOK_SEMI_LAGRANGIAN;
    p->hydraulic.diffusion_sweeps = 2;
    p->hydraulic.slope = OTOK_SLOPE_DOWNHILL;
    p->hydraulic.capacity_law = OTOK_CAPACITY_SPEED_DEPTH;
    p++;

    *p = (otok_phase){.name = "displacing",
                      .processes = OTOK_HYDRAULIC | OTOK_THERMAL,
                      .hydraulic = plain,
                      .thermal = share};
    p->hydraulic.displace_water = 1;
    p->hydraulic.diffusivity = 2;
    p->hydraulic.rates = OTOK_PER_ITERATION;
    p->hydraulic.slope = OTOK_SLOPE_CENTRAL_ONE_SPACING;
    p++;

    *p++ = (otok_phase){.name = "springs",
                        .processes = OTOK_HYDRAULIC,
                        .nrivers = 1,
                        .hydraulic = plain}; /* and a rain map */
    *p++ = (otok_phase){.name = "hydrographs",
                        .processes = OTOK_HYDRAULIC,
                        .nrivers = 1,
                        .rivers = {{.hydrograph = 1}},
                        .hydraulic = plain};
    static const struct {
        const char *name;
        int pipes, area, transport;
        double manning, theta; /* theta NAN: damping: courant */
        int friction;
    } kinds[] = {
        {"semi-lagrangian, signed", OTOK_SIGNED, OTOK_AREA_DEPTH, OTOK_SEMI_LAGRANGIAN, 0, 1, 0},
        {"no transport", OTOK_ONE_WAY, OTOK_AREA_CONSTANT, OTOK_NO_TRANSPORT, 0, 1, 0},
        {"no transport, signed", OTOK_SIGNED, OTOK_AREA_CONSTANT, OTOK_NO_TRANSPORT, 0, 1, 0},
        {"signed, constant", OTOK_SIGNED, OTOK_AREA_CONSTANT, OTOK_CONSERVATIVE, 0, 1, 0},
        {"signed, constant, theta", OTOK_SIGNED, OTOK_AREA_CONSTANT, OTOK_CONSERVATIVE, 0, 0.7, 0},
        {"signed, depth, axis", OTOK_SIGNED, OTOK_AREA_DEPTH, OTOK_CONSERVATIVE, 0.05, 1,
         OTOK_FRICTION_AXIS},
        {"signed, depth, axis, theta", OTOK_SIGNED, OTOK_AREA_DEPTH, OTOK_CONSERVATIVE, 0.05, 0.6,
         OTOK_FRICTION_AXIS},
        {"signed, depth, vector", OTOK_SIGNED, OTOK_AREA_DEPTH, OTOK_CONSERVATIVE, 0.05, 1,
         OTOK_FRICTION_VECTOR},
        {"signed, depth, vector, theta", OTOK_SIGNED, OTOK_AREA_DEPTH, OTOK_CONSERVATIVE, 0.05, 0.8,
         OTOK_FRICTION_VECTOR},
        {"damped, depth", OTOK_SIGNED, OTOK_AREA_DEPTH, OTOK_CONSERVATIVE, 0.05, NAN,
         OTOK_FRICTION_VECTOR},
        {"damped, depth, axis", OTOK_SIGNED, OTOK_AREA_DEPTH, OTOK_CONSERVATIVE, 0, NAN,
         OTOK_FRICTION_AXIS},
    };
    for (size_t n = 0; n < sizeof kinds / sizeof kinds[0]; n++) {
        *p = (otok_phase){.processes = OTOK_HYDRAULIC, .hydraulic = plain};
        strcpy(p->name, kinds[n].name);
        p->hydraulic.pipes = kinds[n].pipes;
        p->hydraulic.area = kinds[n].area;
        p->hydraulic.transport = kinds[n].transport;
        p->hydraulic.manning = kinds[n].manning;
        p->hydraulic.evaporation = n % 2 ? plain.evaporation : 1e-4; /* less than an ulp */
        const int courant = isnan(kinds[n].theta);
        p->hydraulic.damping = courant ? OTOK_DAMPING_COURANT : OTOK_DAMPING_THETA;
        p->hydraulic.theta = courant ? 1 : kinds[n].theta;
        p++->hydraulic.friction = kinds[n].friction;
    }
    *p = (otok_phase){
        .name = "signed, constant, friction", .processes = OTOK_HYDRAULIC, .hydraulic = plain};
    p->hydraulic.pipes = OTOK_SIGNED;
    p->hydraulic.manning = 0.03;
    p->hydraulic.displace_water = 1;
    p->hydraulic.slope = OTOK_SLOPE_DOWNHILL;
    p++;

    *p = (otok_phase){.name = "signed, depth",
                      .processes = OTOK_HYDRAULIC | OTOK_THERMAL,
                      .hydraulic = plain,
                      .thermal = share};
    p->hydraulic.evaporation = 1e-4;
    p->hydraulic.pipes = OTOK_SIGNED;
    p->hydraulic.area = OTOK_AREA_DEPTH;
    p->hydraulic.capacity_law = OTOK_CAPACITY_SPEED_DEPTH;
    p++;

    static const struct {
        const char *name;
        int transport, processes, turns;
        double manning, evaporation;
    } shallow[] = {
        {"shallow water", OTOK_CONSERVATIVE, OTOK_HYDRAULIC, 0, 0.05, 0},
        {"shallow water, smooth", OTOK_CONSERVATIVE, OTOK_HYDRAULIC | OTOK_THERMAL, 0, 0, 0.1},
        {"shallow water, semi-lagrangian", OTOK_SEMI_LAGRANGIAN, OTOK_HYDRAULIC, 0, 0.03, 1e-4},
        {"to shallow water", OTOK_CONSERVATIVE, OTOK_HYDRAULIC, OTOK_TO_SPEEDS, 0.05, 0},
        {"from shallow water", OTOK_CONSERVATIVE, OTOK_HYDRAULIC, OTOK_TO_FLOWS, 0.05, 0},
    };
    for (size_t n = 0; n < sizeof shallow / sizeof shallow[0]; n++) {
        *p = (otok_phase){.processes = shallow[n].processes, .hydraulic = plain, .thermal = share};
        strcpy(p->name, shallow[n].name);
        p->turns = shallow[n].turns;
        p->hydraulic.law =
            p->turns == OTOK_TO_FLOWS ? OTOK_LAW_LOCAL_INERTIA : OTOK_LAW_SHALLOW_WATER;
        p->hydraulic.pipes = OTOK_SIGNED;
        p->hydraulic.area = OTOK_AREA_DEPTH;
        p->hydraulic.transport = shallow[n].transport;
        p->hydraulic.manning = shallow[n].manning;
        p->hydraulic.evaporation = shallow[n].evaporation;
        p->hydraulic.displace_water = n != 1;
        p->hydraulic.slope = OTOK_SLOPE_DOWNHILL;
        p++->hydraulic.capacity_law = OTOK_CAPACITY_SPEED_DEPTH;
    }

    for (int n = 0; n < 3; n++) {
        static const char *const names[] = {"sea", "sea, signed", "sea, shallow water"};
        *p = (otok_phase){.processes = OTOK_HYDRAULIC, .hydraulic = plain};
        strcpy(p->name, names[n]);
        p->hydraulic.sea = OTOK_SEA_BASE_LEVEL;
        p->hydraulic.law = n == 2 ? OTOK_LAW_SHALLOW_WATER : OTOK_LAW_PUBLISHED;
        p->hydraulic.pipes = n ? OTOK_SIGNED : OTOK_ONE_WAY;
        p->hydraulic.area = n ? OTOK_AREA_DEPTH : OTOK_AREA_CONSTANT;
        p++->hydraulic.manning = n ? 0.05 : 0;
    }

    static const otok_sides sides[] = {
        {.kind = {OTOK_CRITICAL, OTOK_FREE, OTOK_FREE, OTOK_NORMAL_DEPTH},
         .slope = {NAN, NAN, NAN, NAN},
         .level = {[OTOK_RIGHT] = {.n = 1}, [OTOK_BOTTOM] = {.n = 1}}},
        {.kind = {OTOK_FREE, OTOK_NORMAL_DEPTH, OTOK_CRITICAL, OTOK_FREE},
         .slope = {NAN, 0.01, NAN, NAN},
         .level = {[OTOK_LEFT] = {.n = 1}, [OTOK_TOP] = {.n = 1}}},
        {.kind = {OTOK_NORMAL_DEPTH, OTOK_NORMAL_DEPTH, OTOK_NORMAL_DEPTH, OTOK_NORMAL_DEPTH},
         .slope = {NAN, NAN, NAN, NAN}}};
    for (int n = 0; n < 3; n++) {
        *p = (otok_phase){.processes = OTOK_HYDRAULIC | OTOK_BEYOND_SIDES,
                          .maps = n == 2 ? BIT(OTOK_MAP_MANNING) : 0,
                          .hydraulic = plain,
                          .sides = sides[n]};
        sprintf(p->name, "sides %d", n);
        p->hydraulic.law = n ? OTOK_LAW_LOCAL_INERTIA : OTOK_LAW_SHALLOW_WATER;
        p->hydraulic.pipes = OTOK_SIGNED;
        p->hydraulic.area = OTOK_AREA_DEPTH;
        p++->hydraulic.manning = n == 2 ? NAN : 0.05;
    }

    *p = (otok_phase){.name = "published", .processes = OTOK_HYDRAULIC, .hydraulic = plain};
    p->hydraulic.evaporation = 1e-4;
    p->hydraulic.transport = OTOK_SEMI_LAGRANGIAN;
    p->hydraulic.diffusion_sweeps = 1;
    p++;

    *p = (otok_phase){.name = "advection",
                      .processes = OTOK_HYDRAULIC | OTOK_THERMAL,
                      .hydraulic = plain,
                      .thermal = share};
    p->hydraulic.transport = OTOK_SEMI_LAGRANGIAN;
    p->hydraulic.displace_water = 1;
    p->hydraulic.capacity_law = OTOK_CAPACITY_SPEED_DEPTH;
    p++;

    *p = (otok_phase){
        .name = "displacing downhill", .processes = OTOK_HYDRAULIC, .hydraulic = plain};
    p->hydraulic.evaporation = 1e-4;
    p->hydraulic.displace_water = 1;
    p->hydraulic.slope = OTOK_SLOPE_DOWNHILL;
    p++;

    *p = (otok_phase){.name = "both erosions",
                      .processes = OTOK_HYDRAULIC | OTOK_THERMAL,
                      .hydraulic = plain,
                      .thermal = share};
    p->hydraulic.displace_water = 1;
    p++;

    *p = (otok_phase){.name = "both, downhill",
                      .processes = OTOK_HYDRAULIC | OTOK_THERMAL,
                      .hydraulic = plain,
                      .thermal = share};
    p->hydraulic.evaporation = 1e-4;
    p->hydraulic.slope = OTOK_SLOPE_DOWNHILL;
    p->hydraulic.capacity_law = OTOK_CAPACITY_SPEED_DEPTH;
    p++;

    *p++ = (otok_phase){.name = "thermal share", .processes = OTOK_THERMAL, .thermal = share};

    *p = (otok_phase){.name = "thermal excess", .processes = OTOK_THERMAL, .thermal = share};
    p->thermal.law = OTOK_EXCESS;
    p->thermal.diagonal = OTOK_DIAGONAL_ONE;
    p++;

    *p++ = (otok_phase){.name = "droplets", .processes = OTOK_DROPLETS, .droplets = drops};

    *p = (otok_phase){.name = "droplets lost",
                      .processes = OTOK_DROPLETS | OTOK_THERMAL,
                      .thermal = share,
                      .droplets = drops};
    p->droplets.losses = OTOK_LOSSES_AS_PUBLISHED;
    p->droplets.max_steps = 9;
    p++;

    *p++ = (otok_phase){.name = "seabed", .processes = OTOK_SEABED, .seabed = {.sweeps = 3}};
    *p++ = (otok_phase){.name = "reef alone", .processes = OTOK_REEF_GROWTH, .reef = reef};
    *p++ = (otok_phase){.name = "reef",
                        .processes = OTOK_REEF_GROWTH | OTOK_SEABED,
                        .seabed = {.sweeps = 1},
                        .reef = reef};
    p[-1].reef.age = 1;
    *p++ = (otok_phase){.name = "uplift", .processes = OTOK_UPLIFT, .uplift = {1, 1, {0}}};
    *p++ = (otok_phase){.name = "uplift and water",
                        .processes = OTOK_HYDRAULIC | OTOK_UPLIFT,
                        .hydraulic = plain,
                        .uplift = {1, 1, {0}}};
    for (int n = 0; n < 4; n++) { /* the last two with more producers and karst */
        *p = (otok_phase){.name = "reef by light",
                          .processes = OTOK_REEF_GROWTH | (n % 2 ? OTOK_UPLIFT : 0),
                          .maps = n % 2 ? BIT(OTOK_MAP_UPLIFT) : 0,
                          .reef = reef,
                          .uplift = {reef.dt, NAN, {0}}};
        p->reef.law = OTOK_REEF_LIGHT;
        p->reef.max_growth = 2;
        p->reef.rubble = n % 2 ? 0.3 : NAN;
        p->reef.denudation = n > 1 ? 0.2 : 0;
        p->reef.nproducers = n > 1 ? n - 1 : 0;
        p->reef.producers[0] = (struct otok_producer){1, 0.3, 400, 0.5};
        p->reef.producers[1] = (struct otok_producer){0.3, 0.02, 50, 2};
        p->reef.sheltered_growth = 0.2;
        p->reef.exposure_scale = 0.3;
        p->reef.surface_light = 2000;
        p->reef.age = n > 0;
        p->reef.saturating_light = 250;
        p++;
    }
    static const struct {
        const char *name;
        int area, friction;
        double theta;
    } rough[] = {{"maps", OTOK_AREA_DEPTH, OTOK_FRICTION_AXIS, 1},
                 {"maps, vector", OTOK_AREA_DEPTH, OTOK_FRICTION_VECTOR, 0.8},
                 {"maps, axis", OTOK_AREA_DEPTH, OTOK_FRICTION_AXIS, 0.8},
                 {"maps, shallow water", OTOK_AREA_DEPTH, OTOK_FRICTION_VECTOR, 1}};
    for (int n = 0; n < 4; n++) {
        *p = (otok_phase){.processes = OTOK_HYDRAULIC | OTOK_UPLIFT,
                          .maps = BIT(OTOK_MAP_MANNING) | BIT(OTOK_MAP_UPLIFT),
                          .hydraulic = plain,
                          .uplift = {plain.dt, NAN, {0}}};
        strcpy(p->name, rough[n].name);
        p->hydraulic.pipes = OTOK_SIGNED;
        p->hydraulic.law = n == 3 ? OTOK_LAW_SHALLOW_WATER : OTOK_LAW_PUBLISHED;
        p->hydraulic.manning = NAN;
        p->hydraulic.evaporation = 1e-4;
        p->hydraulic.area = rough[n].area;
        p->hydraulic.friction = rough[n].friction;
        p->hydraulic.theta = rough[n].theta;
        p++;
    }
    for (int n = 0; n < 2; n++) {
        *p = (otok_phase){.processes = OTOK_HYDRAULIC | OTOK_INFILTRATION,
                          .maps = n ? BIT(OTOK_MAP_CONDUCTIVITY) | BIT(OTOK_MAP_SUCTION) : 0,
                          .hydraulic = plain,
                          .infiltration = {plain.dt, n ? NAN : 1e-3, n ? NAN : 0.02}};
        sprintf(p++->name, "infiltration%s", n ? ", maps" : "");
    }
    *p++ = (otok_phase){.name = "marine diffusion",
                        .processes = OTOK_MARINE_DIFFUSION,
                        .marine_diffusion = {0.5, 1, 4, 3}};
    for (int n = 0; n < 2; n++) {
        *p = (otok_phase){.processes = OTOK_WAVES | OTOK_COAST};
        strcpy(p->name, n ? "coast, 4 directions" : "coast");
        MUST(otok_group_read(&p->waves, "waves", NULL));
        p->waves.directions = n ? 4 : 16;
        p->coast = (otok_coast){0.5, 1e-5, 2e-5, 6, 0.5, 0.5};
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
                        .hydraulic = plain,
                        .thermal = share,
                        .uplift = {1, 1, {0}}};
    nphases = (int)(p - phases);
    describe_others();
    int creep = 0;
    while (phases[creep].processes != OTOK_CREEP)
        creep++;
    for (int n = 0; n < 2; n++) { /* plain stages between fused ones */
        p = &phases[nphases++];
        *p = phases[creep];
        p->processes |= OTOK_HYDRAULIC | OTOK_UPLIFT | (n ? OTOK_THERMAL : 0);
        p->hydraulic = plain;
        p->thermal = share;
        p->uplift = (otok_uplift){1, 1, {0}};
        strcpy(p->name, n ? "between, signed" : "between");
        if (n) p->hydraulic.pipes = OTOK_SIGNED;
    }
}

#endif
