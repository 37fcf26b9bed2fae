/* process_uplift.c: a ground that rises or sinks as a whole, with its layers. */
#include "parameter_rows.h"
#include "process.h"

static const otok_parameter parameters[] = {
    REAL("uplift", otok_uplift, dt, "dt", "s", NAN, 0, 1e12, OPEN_LOW, "",
         "time step; default: that of the phase"),
    REAL("uplift", otok_uplift, rate, "U", "m s-1", 0, -1000, 1000, 0, "dh/dt = U",
         "rate at which the ground rises; below 0 it sinks"),
    SERIES("uplift", otok_uplift, history, "", "1", -1e6, 1e6, "",
           "factor of the rate over the time of the phase; default: 1"),
};

/* The rise from the start of the phase to a time of it [m]. */
static double risen(const otok_uplift *u, double time)
{
    return u->rate * (u->history.n ? otok_series_integral(&u->history, time) : time);
}

static otok_status check(const otok_phase *phase, otok_grid grid, const otok_node *map)
{
    const otok_uplift *u = &phase->uplift;
    const double most = u->history.n ? otok_series_largest(&u->history) : 1,
                 rise = fabs(u->rate) * most * otok_phase_step(phase) * (double)phase->iterations;
    (void)grid;
    if (rise <= HUGE_LENGTH) return OTOK_OK;
    return otok_node_fail(otok_blame(otok_node_find(map, "uplift"), "rate", "history", NULL),
                          "the ground could rise or sink by %.6g m in the phase; allowed: %g m",
                          rise, HUGE_LENGTH);
}

static void step(otok_step *out, const otok_phase *phase, const otok_now *now)
{
    out->uplift_from = llrint(ldexp(risen(&phase->uplift, now->moment.clock), 39));
    out->uplift_to = llrint(ldexp(risen(&phase->uplift, now->moment.next), 39));
}

static void nominal(otok_ledger *to, const otok_phase *phase, const otok_now *now)
{
    const double l = now->scenario->grid.spacing;
    const double rise =
        risen(&phase->uplift, now->moment.next) - risen(&phase->uplift, now->moment.clock);
    to->uplift_nominal += rise * now->cells * (l * l);
}

static void program(otok_builder *b, const otok_phase *phase, const int *edges)
{
    (void)phase, (void)edges;
    otok_program_stage(b, OTOK_STAGE_UPLIFT);
}

static void predict(otok_limits *to, const otok_phase *phase, otok_grid grid)
{
    (void)grid;
    otok_limit_add(
        to, "uplift", "", OTOK_PROVEN, NAN, NAN, NAN,
        "raises the ground by %.4g m in the phase, exactly to the last digit of a height",
        risen(&phase->uplift, to->dt * (double)phase->iterations));
}

const otok_process otok_process_uplift = {OTOK_PROCESS_ROW(UPLIFT, uplift),
                                          OTOK_PROCESS_TIME(uplift, CLOCK),
                                          .check = check,
                                          .step = step,
                                          .nominal = nominal,
                                          .program = program,
                                          .predict = predict};
