/* process_maxima.c: running maxima of the water. They change nothing else. */
#include "parameter_rows.h"
#include "process.h"

static const otok_parameter parameters[] = {
    BOOL("maxima", otok_maxima, speed, "",
         "keeps the greatest speed, and depth times speed, as max_speed and max_depth_speed"),
    BOOL("maxima", otok_maxima, times, "",
         "keeps when water arrived and was deepest, and how long it stayed, as arrival, "
         "max_depth_time and duration"),
    REAL("maxima", otok_maxima, arrival_depth, "", "m", 0.05, 0, 1000, OPEN_LOW, "",
         "depth at which water has arrived"),
    REAL("maxima", otok_maxima, duration_depth, "", "m", 0.3, 0, 1000, OPEN_LOW, "",
         "depth from which its duration counts"),
};

static otok_status check(const otok_phase *phase, otok_grid grid, const otok_node *map)
{
    (void)grid;
    if (!(phase->processes & OTOK_HYDRAULIC))
        return otok_node_fail(otok_node_find(map, "maxima"),
                              "maxima are of water that flows; add `hydraulic: {}` to the phase");
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++) {
        const otok_parameter *p = &parameters[i];
        const double *depth = (const void *)((const char *)&phase->maxima + p->offset);
        if (p->kind != OTOK_REAL || phase->maxima.times || *depth == p->standard) continue;
        return otok_node_fail(otok_blame(otok_node_find(map, "maxima"), p->key, NULL),
                              "no map is made with this depth; add `times: true`, which keeps "
                              "arrival, max_depth_time and duration, or take the key out");
    }
    return OTOK_OK;
}

void otok_step_dated(otok_step *out, const otok_now *now)
{
    const otok_moment *m = &now->moment;
    out->begin = (float)m->time;
    out->end = (float)(m->time + (m->next - m->clock));
}

static void step(otok_step *out, const otok_phase *phase, const otok_now *now)
{
    if (phase->maxima.times) otok_step_dated(out, now);
}

static void coefficients(otok_coefficients *out, const otok_phase *phase, double l, double dt)
{
    (void)l, (void)dt;
    out->maxima.arrival = (float)phase->maxima.arrival_depth;
    out->maxima.duration = (float)phase->maxima.duration_depth;
}

static void program(otok_builder *b, const otok_phase *phase, const int *edges)
{
    (void)edges;
    otok_program_stage(b, phase->maxima.times ? OTOK_STAGE_MAXIMA_TIMES : OTOK_STAGE_MAXIMA);
    if (phase->maxima.speed) otok_program_stage(b, OTOK_STAGE_MAXIMA_SPEED);
}

const otok_process otok_process_maxima = {OTOK_PROCESS_ROW(MAXIMA, maxima), .check = check,
                                          .step = step, .coefficients = coefficients,
                                          .program = program};
