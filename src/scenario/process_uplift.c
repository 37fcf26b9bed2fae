/* process_uplift.c: a ground that rises or sinks with its layers, as a whole or by a map. */
#include "parameter_rows.h"
#include "process.h"

static const otok_parameter parameters[] = {
    REAL("uplift", otok_uplift, dt, "dt", "s", NAN, 0, 1e12, OPEN_LOW, "",
         "time step; default: that of the phase"),
    REAL("uplift", otok_uplift, rate, "U", "m s-1", 0, -1000, 1000, 0, "dh/dt = U",
         "rate at which the ground rises, or a map of it; below 0 it sinks"),
    SERIES("uplift", otok_uplift, history, "", "1", -1e6, 1e6, "",
           "factor of the rate over the time of the phase; default: 1"),
};

otok_rise otok_scenario_rise(const otok_scenario *s, int64_t from, int64_t upto)
{
    const otok_anchor *a = &s->anchor;
    const int64_t begin = from > 0 ? from : a->at;
    otok_rise rise = from > 0 ? (otok_rise){0} : a->rise;
    for (otok_visit v = {0}; v.phase < s->nphases && v.begin < upto; otok_visit_next(&v, s)) {
        const otok_phase *p = &s->phases[v.phase];
        const int64_t first = begin > v.begin ? begin : v.begin, end = v.begin + p->iterations,
                      last = upto < end ? upto : end;
        if (last <= first || !(p->processes & OTOK_UPLIFT)) continue;
        const double step = otok_phase_step(p), passed = (double)(last - first) * step,
                     start = a->at > v.begin ? a->clock + (double)(first - a->at) * step
                                             : (double)(first - v.begin) * step,
                     seconds = otok_phase_lifts(p, start + passed) - otok_phase_lifts(p, start);
        *(p->parts ? &rise.in_part : &rise.alone) += p->uplift.rate * seconds;
    }
    return rise;
}

static otok_status check(const otok_phase *phase, otok_grid grid, const otok_node *map)
{
    const otok_uplift *u = &phase->uplift;
    const double most = u->history.n ? otok_series_largest(&u->history) : 1,
                 rise = fabs(u->rate) * most * otok_phase_step(phase) * (double)phase->iterations *
                        (double)otok_phase_runs(phase);
    (void)grid;
    if (rise <= HUGE_LENGTH || isnan(rise)) return OTOK_OK; /* a map: checked when it is made */
    return otok_node_fail(otok_blame(otok_node_find(map, "uplift"), "rate", "history", NULL),
                          "the ground could rise or sink by %.6g m in the phase; allowed: %g m",
                          rise, HUGE_LENGTH);
}

/* The sums go on from phase to phase, so that nothing is rounded anew in each round of a cycle:
   phases of another rate count by what they raised. */
static double lifted_before(const otok_phase *phase, const otok_visit *visit)
{
    const double rate = phase->uplift.rate, same = rate * visit->lifted;
    if (isnan(rate) || rate == 0 || fabs(visit->risen - same) <= 1e-9 * fabs(same))
        return visit->lifted;
    return visit->risen / rate;
}

static void step(otok_step *out, const otok_phase *phase, const otok_now *now)
{
    const double before = lifted_before(phase, &now->moment.visit);
    out->uplift_from = before + otok_phase_lifts(phase, now->moment.clock);
    out->uplift_to = before + otok_phase_lifts(phase, now->moment.next);
}

static void nominal(otok_ledger *to, const otok_phase *phase, const otok_now *now)
{
    const double l = now->scenario->grid.spacing, rate = phase->uplift.rate;
    const double from = otok_phase_lifts(phase, now->moment.clock),
                 upto = otok_phase_lifts(phase, now->moment.next);
    to->uplift_nominal += (isnan(rate) ? now->sums[OTOK_MAP_UPLIFT - OTOK_MAPS] * (upto - from)
                                       : (rate * upto - rate * from) * now->cells) *
                          (l * l);
}

static void coefficients(otok_coefficients *out, const otok_phase *phase, double l, double dt)
{
    (void)l, (void)dt;
    out->uplift.rate = phase->uplift.rate;
}

static void program(otok_builder *b, const otok_phase *phase, const int *edges)
{
    (void)phase, (void)edges;
    otok_program_stage(b, OTOK_STAGE_UPLIFT);
}

static void predict(otok_limits *to, const otok_phase *phase, otok_grid grid)
{
    (void)grid;
    if (isnan(phase->uplift.rate)) return; /* a map that is not made yet */
    otok_limit_add(
        to, "uplift", "", OTOK_PROVEN, NAN, NAN, NAN,
        "raises the ground by %.4g m in the phase, exactly to the last digit of a height",
        phase->uplift.rate * otok_phase_lifts(phase, to->dt * (double)phase->iterations) *
            (double)otok_phase_runs(phase));
}

const otok_process otok_process_uplift = {OTOK_PROCESS_ROW(UPLIFT, uplift),
                                          OTOK_PROCESS_TIME(uplift, CLOCK),
                                          .check = check,
                                          .step = step,
                                          .nominal = nominal,
                                          .coefficients = coefficients,
                                          .part = OTOK_STAGE_PART_UPLIFT,
                                          .program = program,
                                          .predict = predict};
