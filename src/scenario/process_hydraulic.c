/* process_hydraulic.c: hydraulic erosion with virtual pipes. */
#include "../model/erosion.h"
#include "hydraulic.h"
#include "limits.h"
#include "parameter_rows.h"
#include "process.h"

#include <string.h>

static const otok_parameter parameters[] = {
    CHOICE(
        "hydraulic", otok_hydraulic, law, "published|local_inertia|shallow_water",
        OTOK_LAW_PUBLISHED, "K17; Bates et al. 2010; Stelling & Duinmeijer 2003",
        "a set of defaults; keys next to it override them; published: those of this table; "
        "local_inertia, water that converges: pipes signed, area depth, manning 0.03, evaporation "
        "0, capacity_law speed_depth, displace_water true, slope downhill, bed_steps critical; "
        "shallow_water: the same "
        "defaults, and the advection of momentum, for water of any Froude number; its pipes are "
        "signed and as deep as the water, friction is a vector and theta 1"),
    REAL("hydraulic", otok_hydraulic, dt, "tau, dt", "s", 0.1, 0, 1e6, OPEN_LOW,
         "K17 section 2.2.1", "time step; with `courant` the time of an iteration"),
    REAL("hydraulic", otok_hydraulic, courant, "C", "1", NAN, 0, 1, 0,
         "C = (abs u + abs v + sqrt(2 g d)) dt / l",
         "steps of water that follow its speed: an iteration has 1, 2, 4, ... or 1024 equal steps, "
         "or some of each, so that no signal crosses more than this share of a cell in one; 0.7 is "
         "a good value; needs `law: local_inertia` or `shallow_water`; 0: one step, the default "
         "but in studies that vary no step"),
    REAL("hydraulic", otok_hydraulic, gravity, "g", "m s-2", 9.81, 0, 1000, OPEN_LOW, "K16 eq. 3.2",
         "gravitational acceleration"),
    REAL("hydraulic", otok_hydraulic, pipe_area, "A, kappa_A", "m2", 1, 0, 1e12, OPEN_LOW,
         "K16 eq. 3.2", "cross-section of the virtual pipes; not with `area: depth`"),
    CHOICE("hydraulic", otok_hydraulic, pipes, "one_way|signed", OTOK_ONE_WAY,
           "K16 eq. 3.2; O'Brien & Hodgins 1995",
           "one_way: two pipes between neighbours, one each way, stable to S = 1/4; signed: one "
           "for both ways, to S = 1/2, which `area: depth`, `manning` and `theta` need; the same "
           "in all phases"),
    CHOICE("hydraulic", otok_hydraulic, area, "constant|depth", OTOK_AREA_CONSTANT,
           "K16 eq. 3.2; Bates et al. 2010",
           "cross-section of the pipes; constant: pipe_area, waves run at sqrt(g A / l); depth: l "
           "times the depth at the face, waves run at sqrt(g d)"),
    REAL("hydraulic", otok_hydraulic, manning, "n", "s m-1/3", 0, 0, 10, 0,
         "f divided by 1 + dt g n^2 q / d^(7/3)",
         "Manning's friction of the bed, or a map of it; 0: none"),
    CHOICE("hydraulic", otok_hydraulic, friction, "vector|axis", OTOK_FRICTION_VECTOR,
           "q of manning",
           "vector: along the flow at the face as it is after the pull, by the root of q (1 + b q) "
           "= f; axis: by the pipe's own old flow alone (Bates et al. 2010), 11 % too fast down a "
           "slope at 15 degrees to the grid, 19 % at 45, and unsteady beyond dt^2 g S / l = 0.6"),
    REAL("hydraulic", otok_hydraulic, theta, "theta", "1", 1, 0.5, 1, 0,
         "theta f + (1 - theta) (f_before + f_after) / 2",
         "weight of a signed pipe's own old flow; the pipes before and behind give the rest, which "
         "damps the sawtooth of bores (de Almeida et al. 2012); at a closed side that flow is 0, "
         "at an open one that of the pipe across it"),
    CHOICE("hydraulic", otok_hydraulic, damping, "theta|courant", OTOK_DAMPING_THETA,
           "Sridharan et al. 2020",
           "theta: every iteration mixes the share 1 - theta, so that flow depends on dt; courant: "
           "dt/l times the smaller of the speed and sqrt(g d) at the face, at most 1/2, which is "
           "the same in a second at every dt; needs `area: depth`"),
    CHOICE(
        "hydraulic", otok_hydraulic, bed_steps, "smooth|critical", OTOK_BED_STEPS_SMOOTH,
        "abs u w min(1, 4 J / w) <= sqrt(8 g / 27) H^1.5; Stelling & Duinmeijer 2003",
        "flow over levees, sills and steps of the bed and through gaps; smooth: as over a slope "
        "between two cells, too much over what is less than about eight cells wide; critical, the "
        "default of the laws whose pipes are as deep as the water: at most the critical flow of "
        "the head, as over a broad-crested weir, and ground that goes on falling beyond open "
        "sides"),
    REAL("hydraulic", otok_hydraulic, capacity, "kappa_S (K17), kappa_C (K16)", "s", 1, 0, 1e6, 0,
         "K16 eq. 3.12",
         "sediment capacity of flowing water; its unit has 1/m more under speed_depth"),
    REAL("hydraulic", otok_hydraulic, morphological_factor, "M", "1", 1, 1, 1e6, 0, "M kappa",
         "factor of the capacity: the bed changes in a second of water as in M seconds, and the "
         "sediment in the water is that of M seconds; above 1 it needs `displace_water: false`"),
    REAL("hydraulic", otok_hydraulic, dissolve, "kappa_E (K17), kappa_S (K16)", "s-1", 0.01, 0, 1e6,
         0, "K16 eq. 3.16", "erosion rate; pure number under per_iteration"),
    REAL("hydraulic", otok_hydraulic, deposit, "kappa_D", "s-1", 0.05, 0, 1e6, 0, "K16 eq. 3.16",
         "deposition rate; pure number under per_iteration"),
    CHOICE("hydraulic", otok_hydraulic, rates, "per_second|per_iteration", OTOK_PER_SECOND,
           "k = 1 - exp(-kappa dt), or kappa",
           "whether dissolve and deposit are rates per second or per iteration"),
    REAL("hydraulic", otok_hydraulic, evaporation, "kappa_T (K17), kappa_E (K16)", "s-1", 0.02, 0,
         1e6, 0, "K16 eq. 3.21", "share of the water that evaporates per second"),
    REAL("hydraulic", otok_hydraulic, min_tilt, "alpha_min", "degree", 0.1, 0, 90, 0,
         "K16 chapter 3", "minimum slope in the capacity"),
    CHOICE("hydraulic", otok_hydraulic, capacity_law, "speed|speed_depth", OTOK_CAPACITY_SPEED,
           "K16 eq. 3.12; M13 eq. 4.10",
           "C = kappa |v| sin(alpha), or times the depth; speed makes no river network, see "
           "experiments/drainage"),
    CHOICE("hydraulic", otok_hydraulic, transport, "conservative|semi_lagrangian|none",
           OTOK_CONSERVATIVE, "M13 section 4.4; K17 eq. 17",
           "scheme of the sediment transport; none: sediment stays in its cell"),
    INT("hydraulic", otok_hydraulic, diffusion_sweeps, "", 0, 0, 32, "K17 eq. 18",
        "sweeps of Jacobi means over wet neighbours; they neither conserve sediment nor damp a "
        "checkerboard"),
    REAL("hydraulic", otok_hydraulic, diffusivity, "D", "m2 s-1", 0, 0, 1e12, 0, "flux form",
         "diffusivity of suspended sediment; D dt / l^2 <= 1/4"),
    BOOL("hydraulic", otok_hydraulic, displace_water, "M13 eq. 4.11-4.12",
         "the water depth grows by the height that the ground loses (always in M13)"),
    REAL("hydraulic", otok_hydraulic, dry_depth, "", "m", 1e-6, 1e-20, 1000, 0, "",
         "cells deeper than this are wet"),
    INT("hydraulic", otok_hydraulic, wetness_max, "", 255, 1, 255, "K16 chapter 6",
        "largest value of the wetness counter"),
    CHOICE("hydraulic", otok_hydraulic, slope, "central|downhill|central_one_spacing",
           OTOK_SLOPE_CENTRAL, "K16 eq. 3.13",
           "differences that give sin(alpha); central_one_spacing is as printed"),
    CHOICE(
        "hydraulic", otok_hydraulic, sea, "ignored|base_level|connected", OTOK_SEA_IGNORED, "",
        "base_level: where the ground is below the sea the water is as high as the sea, and "
        "sediment settles: rivers build deltas; connected: the same where the sea comes in over an "
        "open side, from cell to cell: land below the sea that it does not reach stays dry, until "
        "water or the ground opens a way; ignored: water knows no sea, as published"),
};

/* ---- values that contradict each other ---- */

static otok_status check_rate(double rate, const char *key, const otok_node *map)
{
    if (rate <= 1) return OTOK_OK;
    return otok_node_fail(
        otok_blame(map, key, "rates", NULL),
        "%s = %.15g with `rates: per_iteration` moves more than there is; allowed: at most 1", key,
        rate);
}

/* One-way pipes have a constant area and no friction, as published. */
static otok_status check_one_way(const otok_hydraulic *h, const otok_node *map)
{
    const struct {
        const char *key, *words;
        int is_given;
    } needs[] = {{"area", "`area: depth`", h->area == OTOK_AREA_DEPTH},
                 {"manning", "`manning` above 0", h->manning != 0},
                 {"theta", "`theta` below 1", h->theta < 1},
                 {"damping", "`damping: courant`", h->damping == OTOK_DAMPING_COURANT}};
    for (int n = 0; n < 4; n++)
        if (needs[n].is_given)
            return otok_node_fail(otok_blame(map, needs[n].key, "pipes", "law", NULL),
                                  "%s needs signed pipes, and those of this phase are one-way; "
                                  "write `pipes: signed` or `law: local_inertia`",
                                  needs[n].words);
    return OTOK_OK;
}

/* The shallow-water law has one kind of face and of friction. */
static otok_status check_shallow(const otok_hydraulic *h, const otok_node *map)
{
    const struct {
        const char *key, *words, *remedy;
        int is_given;
    } bars[] = {{"pipes", "`pipes: one_way`", "pipes", h->pipes == OTOK_ONE_WAY},
                {"area", "`area: constant`", "area", h->area == OTOK_AREA_CONSTANT},
                {"friction", "`friction: axis`", "friction", h->friction == OTOK_FRICTION_AXIS},
                {"theta", "`theta` below 1", "theta", h->theta < 1},
                {"damping", "`damping: courant`", "damping", h->damping == OTOK_DAMPING_COURANT}};
    for (int n = 0; n < 5; n++)
        if (bars[n].is_given)
            return otok_node_fail(
                otok_blame(map, bars[n].key, "law", NULL),
                "%s contradicts `law: shallow_water`, whose water is as deep at a face as upwind "
                "of it and has momentum of its own; leave %s out, or write `law: local_inertia`",
                bars[n].words, bars[n].remedy);
    return OTOK_OK;
}

/* Steps of water of any length give the same only if all that they do goes by time. */
static otok_status check_courant(const otok_hydraulic *h, const otok_node *map)
{
    const struct {
        const char *key, *words, *remedy;
        int is_given;
    } bars[] = {{"law", "pipes of constant area, whose waves have one speed",
                 "write `law: local_inertia` or `shallow_water`", h->area != OTOK_AREA_DEPTH},
                {"rates", "`rates: per_iteration`", "write `rates: per_second`",
                 h->rates == OTOK_PER_ITERATION},
                {"diffusion_sweeps", "`diffusion_sweeps`, which are per step",
                 "write `diffusivity` instead", h->diffusion_sweeps > 0}};
    for (int n = 0; n < 3; n++)
        if (bars[n].is_given)
            return otok_node_fail(otok_blame(map, bars[n].key, "courant", NULL),
                                  "`courant` does not go with %s; %s, or leave courant out",
                                  bars[n].words, bars[n].remedy);
    return OTOK_OK;
}

/* The share that is mixed at a face follows from its speed and its depth. */
static otok_status check_damping(const otok_hydraulic *h, const otok_node *map)
{
    if (h->damping == OTOK_DAMPING_THETA) return OTOK_OK;
    if (h->area != OTOK_AREA_DEPTH)
        return otok_node_fail(otok_blame(map, "damping", "area", NULL),
                              "`damping: courant` needs `area: depth`, for the depth of the flow");
    if (h->theta < 1)
        return otok_node_fail(otok_blame(map, "theta", "damping", NULL),
                              "theta = %.15g and `damping: courant` both give the share of the "
                              "pipes before and behind; keep one",
                              h->theta);
    return OTOK_OK;
}

/* Critical flow needs the depth at a face. */
static otok_status check_bed_steps(const otok_hydraulic *h, const otok_node *map)
{
    if (h->bed_steps == OTOK_BED_STEPS_SMOOTH ||
        (h->area == OTOK_AREA_DEPTH && h->pipes == OTOK_SIGNED))
        return OTOK_OK;
    return otok_node_fail(otok_blame(map, "bed_steps", "law", NULL),
                          "`bed_steps: critical` is a flow of the depth at a face, which pipes of "
                          "constant area do not have; write `law: shallow_water`, or `law: "
                          "local_inertia` with `area: depth`, or leave bed_steps out");
}

/* What rivers bring settles in the sea if transport keeps it. */
static otok_status check_sea(const otok_hydraulic *h, const otok_node *map)
{
    const char *sea = h->sea == OTOK_SEA_CONNECTED ? "connected" : "base_level";
    if (h->sea == OTOK_SEA_IGNORED) return OTOK_OK;
    if (h->transport != OTOK_CONSERVATIVE)
        return otok_node_fail(
            otok_blame(map, "transport", "sea", NULL),
            "`sea: %s` builds deltas of the sediment that rivers bring, and this transport %s; "
            "write `transport: conservative`",
            sea, h->transport == OTOK_NO_TRANSPORT ? "brings none" : "makes and loses some");
    if (h->courant > 0)
        return otok_node_fail(
            otok_blame(map, "courant", "sea", NULL),
            "`courant` measures the depth of all water, and with `sea: %s` the deep sea "
            "would set the steps, where no wave runs; leave one of the two out",
            sea);
    return OTOK_OK;
}

static otok_status check(const otok_phase *phase, otok_grid grid, const otok_node *phase_map)
{
    const otok_hydraulic *h = &phase->hydraulic;
    const otok_node *map = otok_node_find(phase_map, "hydraulic");
    if (h->courant > 0) OTOK_TRY(check_courant(h, map));
    const double l = grid.spacing;
    if (h->rates == OTOK_PER_ITERATION) {
        OTOK_TRY(check_rate(h->dissolve, "dissolve", map));
        OTOK_TRY(check_rate(h->deposit, "deposit", map));
    }
    if (h->area == OTOK_AREA_DEPTH && otok_node_find(map, "pipe_area"))
        return otok_node_fail(
            otok_blame(map, "pipe_area", "area", NULL),
            "pipe_area and `area: depth` both give the pipes' cross-section; keep one");
    if (h->law == OTOK_LAW_SHALLOW_WATER)
        OTOK_TRY(check_shallow(h, map));
    else if (h->pipes == OTOK_ONE_WAY)
        OTOK_TRY(check_one_way(h, map));
    OTOK_TRY(check_damping(h, map));
    OTOK_TRY(check_sea(h, map));
    OTOK_TRY(check_bed_steps(h, map));
    if (h->morphological_factor > 1 && h->displace_water)
        return otok_node_fail(otok_blame(map, "displace_water", "morphological_factor", NULL),
                              "a ground that changes %.15g times as fast would displace the water "
                              "of as many floods in one; write `displace_water: false`",
                              h->morphological_factor);
    const double spread = h->diffusivity * h->dt / (l * l);
    char most[64];
    if (spread > 0.25)
        return otok_node_fail(otok_blame(map, "diffusivity", "dt", NULL),
                              "diffusivity dt / spacing^2 = %.15g spreads more than there is; "
                              "allowed: at most 0.25, so diffusivity <= %s at this dt",
                              spread,
                              otok_as_given(otok_node_find(map, "diffusivity"),
                                            0.25 * l * l / h->dt, 6, "m2 s-1", most));
    if (h->evaporation * h->dt > 1)
        return otok_node_fail(
            otok_blame(map, "evaporation", "dt", NULL),
            "evaporation dt = %.15g dries more than there is; allowed: at most "
            "1, so evaporation <= %s at this dt",
            h->evaporation * h->dt,
            otok_as_given(otok_node_find(map, "evaporation"), 1 / h->dt, 6, "s-1", most));
    return OTOK_OK;
}

static int unused(const otok_phase *phase, const char *key)
{
    return phase->hydraulic.area == OTOK_AREA_DEPTH && strcmp(key, "pipe_area") == 0;
}

/* ---- coefficients of the cell functions ---- */

static void coefficients(otok_coefficients *out, const otok_phase *phase, double l, double dt)
{
    const otok_hydraulic *h = &phase->hydraulic;
    const double sin_min = sin(h->min_tilt * (M_PI / 180.0));
    (void)dt;
    out->water.pipe = (float)(h->dt * h->pipe_area * h->gravity / l);
    out->water.l2_dt = (float)(l * l / h->dt);
    out->water.dt_l2 = (float)(h->dt / (l * l));
    out->water.l = (float)l;
    out->water.dry = (float)h->dry_depth;
    out->water.keep = (float)(1.0 - h->evaporation * h->dt);
    out->water.part = (float)(h->evaporation * h->dt < 0x1p-11 ? h->evaporation * h->dt : 0);
    out->water.wetness_max = (int)h->wetness_max;

    const int by_depth = h->area == OTOK_AREA_DEPTH;
    out->water.by_depth = by_depth;
    out->water.exact = otok_hydraulic_has_steps(h);
    out->pipes.pipe = (float)(h->dt * h->gravity * (by_depth ? 1.0 : h->pipe_area / l));
    out->pipes.friction = (float)(h->dt * h->gravity * h->manning * h->manning / l);
    out->pipes.l2_dt = (float)(l * l / h->dt);
    out->pipes.lean = (float)(0.5 * (1.0 - h->theta));
    if (h->damping == OTOK_DAMPING_COURANT) {
        out->pipes.lean = 0.25f;
        out->pipes.lean_flow = (float)(0.5 * h->dt / (l * l));
        out->pipes.lean_wave = (float)(0.25 * h->dt * h->dt * h->gravity / (l * l));
    }
    out->pipes.share = out->shallow.share = 1;
    out->pipes.by_depth = by_depth;
    out->pipes.vector = otok_hydraulic_has_vector(h) && out->pipes.friction != 0.0f;

    otok_critical_coefficients critical = {.critical2 = (float)(8.0 / 27.0 * h->gravity),
                                           .head = (float)(0.5 / h->gravity),
                                           .holds = otok_hydraulic_has_steps(h)};
    for (int side = 0; side < OTOK_SIDES; side++)
        critical.falls |= (critical.holds && !otok_side_has_ghosts(phase, side)) << side;
    out->pipes.critical = out->shallow.critical = critical;
    out->pipes.l = (float)l;

    out->shallow.pull = (float)(h->dt * h->gravity / l);
    out->shallow.rough = (float)(h->dt * h->gravity * h->manning * h->manning);
    out->shallow.bed = (float)(h->gravity * h->manning * h->manning * l);
    out->shallow.l = (float)l;
    out->shallow.dt_l2 = (float)(h->dt / (l * l));
    out->shallow.l2_dt = (float)(l * l / h->dt);
    out->shallow.dry = (float)h->dry_depth;
    out->shallow.most = (float)(l / h->dt);

    out->erosion.per_length = (float)(h->slope == OTOK_SLOPE_CENTRAL ? 0.5 / l : 1.0 / l);
    out->erosion.sin2_min = (float)(sin_min * sin_min);
    out->erosion.capacity = (float)otok_hydraulic_capacity(h);
    out->erosion.swift = by_depth && !otok_hydraulic_is_shallow(h)
                             ? (float)(OTOK_SWIFT * OTOK_SWIFT * h->gravity)
                             : 0;
    out->erosion.dissolve = (float)otok_relaxed_share(h->dissolve, h->dt, h->rates);
    out->erosion.deposit = (float)otok_relaxed_share(h->deposit, h->dt, h->rates);
    out->erosion.dry = (float)h->dry_depth;
    out->erosion.downhill = h->slope == OTOK_SLOPE_DOWNHILL;
    out->erosion.times_depth = h->capacity_law == OTOK_CAPACITY_SPEED_DEPTH;
    out->erosion.displace_water = h->displace_water;
    out->erosion.to_sea = h->sea != OTOK_SEA_IGNORED;
    out->erosion.sill = (float)(l / OTOK_SILL);

    out->transport.dt_l2 = (float)(h->dt / (l * l));
    out->transport.carry = (float)(h->dt / (l * l) * (1.0 - 0x1p-20));
    out->transport.dt_l = (float)(h->dt / l);
    out->transport.spread = (float)(h->diffusivity * h->dt / (l * l));
    out->transport.dry = (float)h->dry_depth;
    out->transport.conservative = h->transport == OTOK_CONSERVATIVE;
}

/* ---- an iteration ---- */

/* The hydrographs, and the iteration in which flows turn into speeds or back. */
static void step(otok_step *out, const otok_phase *phase, const otok_now *now)
{
    otok_rivers_step(&out->rivers, phase, &now->moment);
    otok_dams_step(out, phase, &now->moment);
    out->turns = phase->turns && now->moment.within == 0 && now->moment.visit.round == 0;
}

static void nominal(otok_ledger *to, const otok_phase *phase, const otok_now *now)
{
    double discharge = 0, volume = 0;
    for (int r = 0; r < phase->nrivers; r++) {
        const otok_river *river = &phase->rivers[r];
        if (river->hydrograph)
            volume += otok_river_volume(river, now->moment.clock, now->moment.next);
        else
            discharge += river->discharge;
    }
    to->rivers_nominal += discharge * phase->hydraulic.dt + volume;
}

const otok_process otok_process_hydraulic = {OTOK_PROCESS_ROW(HYDRAULIC, hydraulic),
                                             OTOK_PROCESS_TIME(hydraulic, CLOCK),
                                             .unused = unused,
                                             .check = check,
                                             .step = step,
                                             .nominal = nominal,
                                             .coefficients = coefficients,
                                             .part = OTOK_STAGE_PART_WATER,
                                             .program = otok_hydraulic_program,
                                             .predict = otok_hydraulic_predict};
