/* process_coast.c: what waves do to a coast: abrasion and drift. */
#include "parameter_rows.h"
#include "process.h"

static const otok_parameter parameters[] = {
    REAL("coast", otok_coast, dt, "dt", "s", NAN, 0, 1e12, OPEN_LOW, "",
         "longest time step; default: that of the phase"),
    REAL("coast", otok_coast, abrasion, "k_w", "m3 J-1", 0, 0, 1, 0, "Husson et al. 2018",
         "rock that waves loosen for the energy that they lose; cliffs: 3e-14 to 8e-13"),
    REAL("coast", otok_coast, drift, "k_l", "m3 J-1", 0, 0, 1, 0, "",
         "flux of loose material for the energy flux of the waves, whose way it goes"),
    REAL("coast", otok_coast, closure_depth, "", "m", 10, 0, HUGE_LENGTH, OPEN_LOW,
         "Hallermeier 1981",
         "waves move nothing that is deeper; 10 m: waves of 5 m and 12 s on 12 hours of a year"),
    REAL("coast", otok_coast, shore_depth, "", "m", 0.5, 0, HUGE_LENGTH, 0, "",
         "depth below the sea to which waves cut land"),
    REAL("coast", otok_coast, beach_slope, "", "1", 0.05, 0, 1e6, OPEN_LOW, "",
         "slope of the bed up which drift moves nothing; on less it moves part"),
    REAL("coast", otok_coast, runup, "R", "m", 0, 0, HUGE_LENGTH, 0, "R sqrt(P / P_open)",
         "height above the sea to which storms throw what drifts, where the waves of the open sea "
         "arrive; less behind reefs that break them; rubble: 2 to 4 m"),
};

static otok_status check(const otok_phase *phase, otok_grid grid, const otok_node *map)
{
    const otok_node *coast = otok_node_find(map, "coast");
    const otok_node *shore = otok_node_find(coast, "shore_depth"),
                    *closure = otok_node_find(coast, "closure_depth");
    char one[64], other[64];
    (void)grid;
    if (!(phase->processes & OTOK_WAVES))
        return otok_node_fail(coast,
                              "a coast needs waves that work on it; add `waves: {}` to the phase");
    if (!(phase->coast.abrasion > 0) && !(phase->coast.drift > 0))
        return otok_node_fail(
            coast, "the coast does nothing; write `abrasion: 3e-13`, `drift: 1e-11` or both");
    if (phase->coast.shore_depth >= phase->coast.closure_depth)
        return otok_node_fail(otok_blame(coast, "shore_depth", "closure_depth", NULL),
                              "waves cut land to %s below the sea, but the ground under it to %s; "
                              "make shore_depth the smaller one",
                              otok_as_given(shore, phase->coast.shore_depth, 15, "m", one),
                              otok_as_given(closure, phase->coast.closure_depth, 15, "m", other));
    return OTOK_OK;
}

static void coefficients(otok_coefficients *out, const otok_phase *phase, double l, double dt)
{
    const double energy = otok_waves_power(&phase->waves) * dt;
    out->coast.abrades = (float)(phase->coast.abrasion * energy);
    out->coast.drifts = (float)(phase->coast.drift * energy / l);
    out->coast.beach = (float)(1 / (2 * l * phase->coast.beach_slope));
    out->coast.closure = (float)phase->coast.closure_depth;
    out->coast.shore = (float)phase->coast.shore_depth;
    out->coast.runup = (float)phase->coast.runup;
}

static void program(otok_builder *b, const otok_phase *phase, const int *edges)
{
    (void)edges;
    if (phase->coast.abrasion > 0) otok_program_stage(b, OTOK_STAGE_ABRASION);
    if (!(phase->coast.drift > 0)) return;
    otok_program_halo(b, OTOK_TERRAIN_CHANGE, OTOK_HALO_COPY);
    otok_program_stage(b, OTOK_STAGE_DRIFT_GIVES);
    otok_program_halo(b, OTOK_DRIFT_X, OTOK_HALO_ZERO);
    otok_program_halo(b, OTOK_DRIFT_Y, OTOK_HALO_ZERO);
    otok_program_stage(b, OTOK_STAGE_DRIFT_TAKES);
    otok_program_flux(b, OTOK_STAGE_DRIFT);
}

/* Both are stable at every step. Between two sweeps of the waves a cell keeps the loss and the flux
   that it had. */
static void predict(otok_limits *to, const otok_phase *phase, otok_grid g)
{
    const double swept = (double)phase->waves.every * otok_phase_step(phase),
                 energy = otok_waves_power(&phase->waves) * swept / g.spacing,
                 cut = phase->coast.abrasion * energy, moved = phase->coast.drift * energy;
    if (cut > 0)
        otok_limit_add(to, "abrasion between waves", "every k_w P dt / l", OTOK_MEASURED, cut, 2,
                       to->dt * 2 / cut,
                       "metres; up to it the rock that waves loosen is within 3 %% of k_w times "
                       "the energy that they spend, if the loose material is carried away");
    if (moved > 0)
        otok_limit_add(
            to, "drift between waves", "every k_l P dt / l", OTOK_MEASURED, moved, 10,
            to->dt * 10 / moved,
            "metres; beyond it drift fills water that waves have not been swept over again: at 12 "
            "m 1 %% less sand comes into the lee of an island, at 23 m 4 %%");
}

const otok_process otok_process_coast = {OTOK_PROCESS_ROW(COAST, coast),
                                         .dithers = 1,
                                         OTOK_PROCESS_TIME(coast, DIVIDED),
                                         .check = check,
                                         .coefficients = coefficients,
                                         .part = OTOK_STAGE_PART_WAVES,
                                         .program = program,
                                         .predict = predict};
