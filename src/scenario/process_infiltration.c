/* process_infiltration.c: water that enters the soil. */
#include "../core/usual_units.h"
#include "parameter_rows.h"
#include "process.h"

static const otok_parameter parameters[] = {
    REAL("infiltration", otok_infiltration, dt, "dt", "s", NAN, 0, 1e12, OPEN_LOW, "",
         "time step: that of the phase, which its processes share; another one is refused"),
    REAL("infiltration", otok_infiltration, conductivity, "K", "m s-1", 1e-6, 0, 1000, 0,
         "Green & Ampt 1911: dF/dt = K (1 + s/F)",
         "hydraulic conductivity of the wetted soil, or a map of it; 0: no water enters"),
    REAL("infiltration", otok_infiltration, suction_deficit, "s", "m", 0.05, 0, 1000, 0,
         "s = psi (theta_s - theta_i)",
         "suction head at the wetting front times the moisture deficit of the soil, or a map of "
         "it; 0: water enters at the rate K"),
};

static otok_status check(const otok_phase *phase, otok_grid grid, const otok_node *map)
{
    (void)grid;
    if (phase->processes & OTOK_HYDRAULIC) return OTOK_OK;
    return otok_node_fail(otok_node_find(map, "infiltration"),
                          "infiltration needs water that flows; add `hydraulic: {}` to the phase");
}

static void coefficients(otok_coefficients *out, const otok_phase *phase, double l, double dt)
{
    (void)l;
    out->infiltration.rate = (float)(phase->infiltration.conductivity * dt);
    out->infiltration.suction = (float)phase->infiltration.suction_deficit;
}

static void program(otok_builder *b, const otok_phase *phase, const int *edges)
{
    (void)phase, (void)edges;
    otok_program_stage(b, OTOK_STAGE_INFILTRATION);
}

static void predict(otok_limits *to, const otok_phase *phase, otok_grid grid)
{
    char rate[64];
    const otok_parameter conductivity = {
        .group = "infiltration", .key = "conductivity", .unit = "m s-1"};
    const otok_phase *of = &to->scenario->phases[to->phase];
    (void)grid;
    if (isnan(phase->infiltration.conductivity)) return; /* a map that is not made yet */
    otok_limit_add(
        to, "infiltration", "", OTOK_PROVEN, NAN, NAN, NAN,
        "stable at every step; more than %s of rain leaves water on soil that is wet "
        "for long",
        otok_usual_text(&conductivity,
                        otok_scenario_given(to->scenario, &of->infiltration.conductivity),
                        phase->infiltration.conductivity, 4, rate));
}

const otok_process otok_process_infiltration = {OTOK_PROCESS_ROW(INFILTRATION, infiltration),
                                                OTOK_PROCESS_TIME(infiltration, CLOCK),
                                                .check = check,
                                                .coefficients = coefficients,
                                                .program = program,
                                                .predict = predict};
