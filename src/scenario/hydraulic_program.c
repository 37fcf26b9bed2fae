/* hydraulic_program.c: the stages of an iteration of hydraulic erosion. */
#include "hydraulic.h"

#include <math.h>

int otok_hydraulic_has_vector(const otok_hydraulic *h)
{
    return h->friction == OTOK_FRICTION_VECTOR && h->manning != 0;
}

int otok_hydraulic_is_shallow(const otok_hydraulic *h)
{
    return h->law == OTOK_LAW_SHALLOW_WATER;
}

int otok_hydraulic_has_steps(const otok_hydraulic *h)
{
    return h->bed_steps == OTOK_BED_STEPS_CRITICAL;
}

static int is_open(const int *edges)
{
    int open = 0;
    for (int side = 0; side < OTOK_SIDES; side++)
        open |= edges[side] == OTOK_OPEN;
    return open;
}

/* Has a face beyond a side, which no cell keeps, or with steps one that an open side keeps, a rule
   of its own? */
static int goes_beyond(const int *edges, int steps)
{
    return edges[OTOK_LEFT] == OTOK_OPEN || edges[OTOK_BOTTOM] == OTOK_OPEN ||
           (steps && is_open(edges));
}

double otok_hydraulic_capacity(const otok_hydraulic *h)
{
    return h->capacity * h->morphological_factor;
}

/* Sides with a level: after the halos of water and of K. */
static void levels(otok_builder *b, const otok_phase *phase)
{
    if (otok_phase_has_levels(phase)) otok_program_stage(b, OTOK_STAGE_SIDE_LEVEL);
}

/* Where thin dams stand, and what their faces need of others. */
static void dams(otok_builder *b)
{
    for (int buffer = OTOK_DAM_RIGHT; buffer <= OTOK_DAM_PART_TOP; buffer++)
        otok_program_halo(b, buffer, OTOK_HALO_ZERO);
    otok_program_halo(b, OTOK_OUTFLOW_RIGHT, OTOK_HALO_ZERO);
    otok_program_halo(b, OTOK_OUTFLOW_TOP, OTOK_HALO_ZERO);
}

/* Nothing that comes from beyond a side meets a step there. */
static void slopes(otok_builder *b)
{
    otok_program_halo(b, OTOK_SLOPE_RIGHT, OTOK_HALO_ZERO);
    otok_program_halo(b, OTOK_SLOPE_TOP, OTOK_HALO_ZERO);
}

/* K of each cell, after the flow over sides of a kind of their own. */
static void limit(otok_builder *b, const otok_phase *phase)
{
    if (phase->processes & OTOK_BEYOND_SIDES) otok_program_stage(b, OTOK_STAGE_SIDE_FLOW);
    otok_program_stage(b, OTOK_STAGE_FLUX_LIMIT);
    otok_program_halo(b, OTOK_FLUX_LIMIT, OTOK_HALO_ZERO);
    levels(b, phase);
}

/* Stages 2 and 3 of signed pipes. The cell left of a pipe or below it holds the pipe. A pipe beyond
   an open left or bottom side is held by the cell at that side, as outflow_left or
   outflow_bottom. */
static void signed_pipes(otok_builder *b, const otok_phase *phase, const int *edges)
{
    const otok_hydraulic *h = &phase->hydraulic;
    const int steps = otok_hydraulic_has_steps(h), beyond = goes_beyond(edges, steps);
    if (isnan(h->manning)) otok_program_halo(b, OTOK_MAP_MANNING, OTOK_HALO_COPY);
    levels(b, phase);
    if (phase->ndams) dams(b);
    const int courant = h->damping == OTOK_DAMPING_COURANT, leans = h->theta < 1 || courant;
    if (leans || otok_hydraulic_has_vector(h)) {
        otok_program_halo(b, OTOK_OUTFLOW_RIGHT, OTOK_HALO_ZERO);
        otok_program_halo(b, OTOK_OUTFLOW_TOP, OTOK_HALO_ZERO);
        otok_program_stage(b, courant ? OTOK_STAGE_FLUX_COURANT : OTOK_STAGE_FLUX_PULL);
        if (leans || beyond) otok_program_stage(b, OTOK_STAGE_FLUX_SIDES);
        if (phase->ndams) otok_program_stage(b, OTOK_STAGE_FLUX_DAMS_PULL);
        otok_program_halo(b, OTOK_PULLED_RIGHT, OTOK_HALO_RIGHTWARD);
        otok_program_halo(b, OTOK_PULLED_TOP, OTOK_HALO_UPWARD);
        otok_program_stage(b, OTOK_STAGE_FLUX_FRICTION);
    } else
        otok_program_stage(b, OTOK_STAGE_FLUX);
    if (steps) {
        if (!leans && !otok_hydraulic_has_vector(h)) {
            otok_program_halo(b, OTOK_OUTFLOW_RIGHT, OTOK_HALO_ZERO);
            otok_program_halo(b, OTOK_OUTFLOW_TOP, OTOK_HALO_ZERO);
        }
        otok_program_stage(b, OTOK_STAGE_FLUX_STEPS);
        if (beyond) otok_program_stage(b, OTOK_STAGE_FLUX_STEPS_SIDES);
        if (phase->ndams) otok_program_stage(b, OTOK_STAGE_FLUX_DAMS);
        slopes(b);
        otok_program_halo(b, OTOK_FACE_RIGHT, OTOK_HALO_RIGHTWARD);
        otok_program_halo(b, OTOK_FACE_TOP, OTOK_HALO_UPWARD);
        otok_program_stage(b, OTOK_STAGE_FLUX_HOLD);
    } else if (phase->ndams)
        otok_program_stage(b, OTOK_STAGE_FLUX_DAMS);
    otok_program_halo(b, OTOK_FLUX_RIGHT, OTOK_HALO_ZERO);
    otok_program_halo(b, OTOK_FLUX_TOP, OTOK_HALO_ZERO);
    if (beyond) otok_program_stage(b, OTOK_STAGE_FLUX_EDGE);
    limit(b, phase);
    otok_program_stage(b, OTOK_STAGE_FLUX_SURFACE);
    if (beyond) otok_program_stage(b, OTOK_STAGE_FLUX_OUT);
}

/* Speeds after the pull. */
static void shallow_pull(otok_builder *b, const otok_phase *phase, int steps, int beyond)
{
    if (phase->ndams) dams(b);
    otok_program_stage(b, OTOK_STAGE_SHALLOW_PULL);
    if (beyond) otok_program_stage(b, OTOK_STAGE_SHALLOW_PULL_SIDES);
    if (phase->ndams) otok_program_stage(b, OTOK_STAGE_SHALLOW_DAMS);
    if (!steps) return;
    otok_program_stage(b, OTOK_STAGE_SHALLOW_SLOPES);
    if (beyond) otok_program_stage(b, OTOK_STAGE_SHALLOW_SLOPES_SIDES);
    slopes(b);
}

/* Stages 2 and 3 of the shallow-water law. The cell before a face keeps its speed, as for pipes. */
static void shallow_water(otok_builder *b, const otok_phase *phase, const int *edges)
{
    const int steps = otok_hydraulic_has_steps(&phase->hydraulic),
              beyond = goes_beyond(edges, steps);
    const int ends =
        beyond || edges[OTOK_RIGHT] != OTOK_PERIODIC || edges[OTOK_TOP] != OTOK_PERIODIC;
    if (isnan(phase->hydraulic.manning)) otok_program_halo(b, OTOK_MAP_MANNING, OTOK_HALO_COPY);
    otok_program_halo(b, OTOK_WATER, OTOK_HALO_DRY);
    levels(b, phase);
    shallow_pull(b, phase, steps, beyond);
    otok_program_halo(b, OTOK_PULLED_RIGHT, OTOK_HALO_RIGHTWARD);
    otok_program_halo(b, OTOK_PULLED_TOP, OTOK_HALO_UPWARD);
    otok_program_halo(b, OTOK_FACE_RIGHT, OTOK_HALO_RIGHTWARD);
    otok_program_halo(b, OTOK_FACE_TOP, OTOK_HALO_UPWARD);
    otok_program_stage(b, steps ? OTOK_STAGE_SHALLOW_HOLD : OTOK_STAGE_SHALLOW_FRICTION);
    if (phase->ndams) otok_program_stage(b, OTOK_STAGE_SHALLOW_DAMS_FLOW);
    otok_program_halo(b, OTOK_FLUX_RIGHT, OTOK_HALO_ZERO);
    otok_program_halo(b, OTOK_FLUX_TOP, OTOK_HALO_ZERO);
    if (beyond) otok_program_stage(b, OTOK_STAGE_SHALLOW_FRICTION_SIDES);
    limit(b, phase);
    otok_program_stage(b, OTOK_STAGE_SHALLOW_SURFACE);
    if (beyond) otok_program_stage(b, OTOK_STAGE_SHALLOW_SURFACE_SIDES);
    otok_program_halo(b, OTOK_WATER, OTOK_HALO_DRY);
    levels(b, phase);
    otok_program_halo(b, OTOK_PASSED_RIGHT, OTOK_HALO_RIGHTWARD);
    otok_program_halo(b, OTOK_PASSED_TOP, OTOK_HALO_UPWARD);
    otok_program_halo(b, OTOK_FACE_RIGHT, OTOK_HALO_RIGHTWARD);
    otok_program_halo(b, OTOK_FACE_TOP, OTOK_HALO_UPWARD);
    otok_program_stage(b, steps ? OTOK_STAGE_SHALLOW_CARRY_STEPS : OTOK_STAGE_SHALLOW_CARRY);
    if (phase->ndams)
        otok_program_stage(b,
                           steps ? OTOK_STAGE_SHALLOW_DAMS_STEPS : OTOK_STAGE_SHALLOW_DAMS_CARRY);
    if (ends) otok_program_stage(b, OTOK_STAGE_SHALLOW_CARRY_SIDES);
    int rests = 0;
    for (int side = 0; side < OTOK_SIDES; side++)
        rests |= otok_side_has_ghosts(phase, side) &&
                 (!phase->sides.level[side].n || phase->sides.from[side] > 0 ||
                  phase->sides.to[side] > 0);
    if (rests) otok_program_stage(b, OTOK_STAGE_SIDE_REST);
}

static void one_way_pipes(otok_builder *b)
{
    otok_program_stage(b, OTOK_STAGE_OUTFLOW);
    for (int f = OTOK_OUTFLOW_LEFT; f <= OTOK_OUTFLOW_TOP; f++)
        otok_program_halo(b, f, OTOK_HALO_ZERO);
    otok_program_stage(b, OTOK_STAGE_WATER_SURFACE);
}

static otok_stage transport(const otok_hydraulic *h)
{
    if (h->transport == OTOK_SEMI_LAGRANGIAN) return OTOK_STAGE_ADVECTION;
    return h->pipes == OTOK_SIGNED ? OTOK_STAGE_FLUX_TRANSPORT : OTOK_STAGE_TRANSPORT;
}

int otok_phase_has_springs(const otok_phase *phase)
{
    return phase->processes & OTOK_HYDRAULIC &&
           (phase->maps & MAP_BIT(OTOK_MAP_RAIN) || phase->nrivers);
}

int otok_phase_has_courant(const otok_phase *phase)
{
    return phase->processes & OTOK_HYDRAULIC && phase->hydraulic.courant > 0;
}

int otok_phase_may_have_courant(const otok_phase *phase)
{
    const otok_hydraulic *h = &phase->hydraulic;
    return phase->processes & OTOK_HYDRAULIC && isnan(h->courant) && h->law != OTOK_LAW_PUBLISHED &&
           h->area == OTOK_AREA_DEPTH && h->rates == OTOK_PER_SECOND && h->diffusion_sweeps == 0 &&
           h->sea == OTOK_SEA_IGNORED;
}

int otok_phase_has_hydrographs(const otok_phase *phase)
{
    if (phase->nrivers && otok_phase_has_courant(phase)) return 1;
    for (int r = 0; r < phase->nrivers; r++)
        if (phase->rivers[r].hydrograph) return 1;
    return 0;
}

int otok_phase_has_levels(const otok_phase *phase)
{
    int given = 0;
    for (int side = 0; side < OTOK_SIDES; side++)
        given |= otok_side_has_ghosts(phase, side);
    return given;
}

static otok_stage water_in(const otok_phase *phase)
{
    for (int r = 0; r < phase->nrivers; r++)
        if (otok_river_kind_of(&phase->rivers[r]) != OTOK_RIVER_FLOWS) return OTOK_STAGE_HELD;
    if (otok_phase_has_hydrographs(phase)) return OTOK_STAGE_HYDROGRAPHS;
    return otok_phase_has_springs(phase) ? OTOK_STAGE_SPRINGS : OTOK_STAGE_WATER_IN;
}

/* The sea as base level: 0 if water knows none. */
static int meet_sea(otok_builder *b, const otok_hydraulic *h)
{
    if (h->sea == OTOK_SEA_IGNORED) return 0;
    otok_program_stage(b, h->sea == OTOK_SEA_CONNECTED ? OTOK_STAGE_SEA_REACHED : OTOK_STAGE_SEA);
    return 1;
}

void otok_hydraulic_program(otok_builder *b, const otok_phase *phase, const int *edges)
{
    const otok_hydraulic *h = &phase->hydraulic;
    otok_program_halo(b, OTOK_TERRAIN_CHANGE, OTOK_HALO_COPY);
    if (phase->turns) {
        otok_program_halo(b, OTOK_WATER, OTOK_HALO_DRY);
        otok_program_stage(b, phase->turns == OTOK_TO_SPEEDS ? OTOK_STAGE_SHALLOW_BEGIN
                                                             : OTOK_STAGE_SHALLOW_END);
    }
    otok_program_stage(b, water_in(phase));
    otok_program_halo(b, OTOK_WATER_NEXT, OTOK_HALO_DRY);
    if (otok_hydraulic_is_shallow(h))
        shallow_water(b, phase, edges);
    else if (h->pipes == OTOK_SIGNED)
        signed_pipes(b, phase, edges);
    else
        one_way_pipes(b);
    if (h->sea == OTOK_SEA_CONNECTED) otok_program_stage(b, OTOK_STAGE_SEA_REACHES);
    if (meet_sea(b, h)) otok_program_halo(b, OTOK_TERRAIN_CHANGE, OTOK_HALO_COPY);
    otok_program_stage(b, OTOK_STAGE_EROSION);
    otok_program_swap(b, OTOK_TERRAIN_CHANGE, OTOK_CHANGE_NEXT);
    if (is_open(edges))
        otok_program_stage(b, otok_hydraulic_is_shallow(h) ? OTOK_STAGE_SHALLOW_LOSS
                                                           : OTOK_STAGE_EDGE_LOSS);
    if (h->transport != OTOK_NO_TRANSPORT) {
        otok_program_halo(b, OTOK_SEDIMENT, OTOK_HALO_COPY);
        if (otok_phase_has_levels(phase)) /* water that enters is clear */
            otok_program_halo(b, OTOK_WATER_NEXT, OTOK_HALO_DRY);
        otok_program_stage(b, transport(h));
        otok_program_swap(b, OTOK_SEDIMENT, OTOK_SEDIMENT_NEXT);
    }
    if (h->transport != OTOK_SEMI_LAGRANGIAN)
        otok_program_stage(b,
                           OTOK_STAGE_SETTLE); /* before a sweep takes the sediment of a dry cell */
    if (h->diffusion_sweeps > 0 || h->diffusivity > 0)
        otok_program_halo(b, OTOK_WATER, OTOK_HALO_COPY);
    for (int64_t n = 0; n < h->diffusion_sweeps; n++) {
        otok_program_halo(b, OTOK_SEDIMENT, OTOK_HALO_COPY);
        otok_program_stage(b, OTOK_STAGE_MIX);
        otok_program_swap(b, OTOK_SEDIMENT, OTOK_SEDIMENT_NEXT);
    }
    if (h->diffusivity > 0) {
        otok_program_halo(b, OTOK_SEDIMENT, OTOK_HALO_COPY);
        otok_program_stage(b, OTOK_STAGE_DIFFUSION);
        otok_program_swap(b, OTOK_SEDIMENT, OTOK_SEDIMENT_NEXT);
    }
    otok_program_stage(b, OTOK_STAGE_EVAPORATION);
    if (otok_phase_has_levels(phase)) { /* phases after it find a dry outside that gives nothing */
        otok_program_halo(b, OTOK_WATER, OTOK_HALO_DRY);
        otok_program_add(b, OTOK_OP_HALO, OTOK_FLUX_LIMIT, OTOK_HALO_ZERO);
    }
    meet_sea(b, h);
}
