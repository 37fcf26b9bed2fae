/* process_waves.c: waves from all directions, which make the exposure of every cell. */
#include "../core/wave_sweep.h"
#include "parameter_rows.h"
#include "process.h"

static const otok_parameter parameters[] = {
    REAL("waves", otok_waves, height, "H", "m", 2, 0, 100, OPEN_LOW, "",
         "significant height in the open sea"),
    REAL("waves", otok_waves, period, "T", "s", 10, 0, 100, OPEN_LOW, "",
         "period; it sets the group speed and the depth at which waves feel the bed"),
    INT("waves", otok_waves, directions, "", 8, 4, OTOK_MOST_WAVES, "",
        "directions that waves come from: 4, 8 or 16, evenly spread"),
    STRUCTS(
        "waves", otok_waves, "rose", nrose, rose, "weight", 0, OTOK_MOST_WAVES, BARE, "",
        "[w, ...] weights of the directions, from the top (north) clockwise; their sum counts as "
        "1; default: all equal"),
    REAL("waves", otok_waves, wind, "U", "m s-1", 0, 0, 100, 0, "Hasselmann et al. 1973",
         "wind, which raises waves on their way; 0: swell alone"),
    REAL("waves", otok_waves, friction, "f_w", "1", 0.2, 0, 1e3, 0, "Lentz et al. 2016",
         "friction at the bed; on reefs 0.05 to 5"),
    REAL("waves", otok_waves, breaking, "gamma", "1", 0.6, 0, 10, OPEN_LOW, "Thornton & Guza 1983",
         "waves break when they are higher than this times the depth"),
    REAL("waves", otok_waves, gravity, "g", "m s-2", 9.81, 0, 1e6, OPEN_LOW, "", "gravity"),
    INT("waves", otok_waves, every, "", 10, 1, HUGE_COUNT, "",
        "iterations from one sweep over the sea to the next; between them the exposure stays: "
        "otok predict has limits"),
};

/* The weight of direction i, clockwise from the top; their sum is 1. */
static double weight(const otok_waves *w, int64_t i)
{
    double sum = 0;
    if (!w->nrose) return 1 / (double)w->directions;
    for (int n = 0; n < w->nrose; n++)
        sum += w->rose[n];
    return sum > 0 ? w->rose[i] / sum : 0;
}

/* The group and the quarter turn of waves that come from direction i, as 4 group + quarter: they go
   so many 22.5 degrees counterclockwise from the right. */
static int place(const otok_waves *w, int64_t i)
{
    static const int groups[] = {0, 2, 1, 3};
    const int goes =
        (int)(2 * OTOK_MOST_WAVES - 4 - i * (OTOK_MOST_WAVES / w->directions)) % OTOK_MOST_WAVES;
    return 4 * groups[goes % 4] + goes / 4;
}

static otok_status check_rose(const otok_waves *w, const otok_node *map)
{
    double sum = 0;
    if (w->directions != 4 && w->directions != 8 && w->directions != 16)
        return otok_node_fail(otok_node_find(map, "directions"), "%lld; allowed: 4, 8 or 16",
                              (long long)w->directions);
    if (w->nrose && w->nrose != w->directions)
        return otok_node_fail(otok_node_find(map, "rose"),
                              "%d weights for %lld directions; give one for each, from the top "
                              "clockwise",
                              w->nrose, (long long)w->directions);
    for (int i = 0; i < w->nrose; i++)
        sum += w->rose[i];
    if (w->nrose && !(sum > 0))
        return otok_node_fail(otok_node_find(map, "rose"),
                              "all weights are 0; make one larger, or take `waves` out");
    return OTOK_OK;
}

/* Refuses waves of direction i that come in over a side that is joined to another one, or that do
   not run along a grid that is one cell wide. *comes: some come in. */
static otok_status check_direction(int *comes, const otok_scenario *s, const otok_waves *w,
                                   int64_t i, const otok_node *map)
{
    const otok_view v = {.nx = (int)s->grid.nx, .ny = (int)s->grid.ny, .pitch = 1 << 21};
    const otok_ways_in sides = otok_ways_in_of(s->edges);
    const otok_wave_sweep way = otok_wave_sweep_of(&v, place(w, i) / 4, place(w, i) % 4, sides);
    const int upright = way.along == v.pitch || way.along == -v.pitch,
              from_nowhere = sides.wraps >> (upright ? OTOK_BOTTOM : OTOK_LEFT) & 1;
    const double from = (double)i * 360 / (double)w->directions;
    if (!(weight(w, i) > 0)) return OTOK_OK;
    *comes |= way.front > 0 || way.beside > 0;
    if (from_nowhere)
        return otok_node_fail(otok_blame(map, "rose", "directions", NULL),
                              "waves from %g degrees run along the axis whose sides are periodic, "
                              "so they come from nowhere; open these sides, or give a `rose` in "
                              "which their weight is 0",
                              from);
    if ((way.lines == 1 && way.cells > 1) || (way.cells == 1 && way.kind && !way.wraps))
        return otok_node_fail(otok_blame(map, "rose", "directions", NULL),
                              "waves from %g degrees do not run along a grid that is one cell "
                              "wide; give `directions: 4` and `rose: %s`",
                              from, s->grid.ny == 1 ? "[0, 1, 0, 1]" : "[1, 0, 1, 0]");
    return OTOK_OK;
}

otok_status otok_waves_check(const otok_scenario *s, const otok_phase *p, const otok_node *map)
{
    const otok_node *waves = otok_node_find(map, "waves");
    int comes = p->waves.wind > 0;
    if (!(p->processes & OTOK_WAVES)) return OTOK_OK;
    OTOK_TRY(check_rose(&p->waves, waves));
    for (int64_t i = 0; i < p->waves.directions; i++)
        OTOK_TRY(check_direction(&comes, s, &p->waves, i, waves));
    if (!comes)
        return otok_node_fail(waves, "no waves come in: the sides that they would come over are "
                                     "closed, and there is no wind; open one of `edges`");
    return OTOK_OK;
}

int otok_phase_has_working_waves(const otok_phase *phase)
{
    return phase->processes & OTOK_WAVES && phase->processes & (OTOK_REEF_GROWTH | OTOK_COAST);
}

static void step(otok_step *out, const otok_phase *phase, const otok_now *now)
{
    out->waves = now->moment.within % (phase->waves.every >> now->halves_sweeps) == 0;
}

/* The group speed in deep water [m/s]. */
static double deep_speed(const otok_waves *w)
{
    return w->gravity * w->period / (4 * M_PI);
}

double otok_waves_power(const otok_waves *w)
{
    const double density = 1025; /* of sea water [kg/m3] */
    return density * w->gravity * w->height * w->height / 16 * deep_speed(w);
}

static void coefficients(otok_coefficients *all, const otok_phase *phase, double l, double dt)
{
    static const double angles[OTOK_WAVE_KINDS] = {0, M_PI / 8, M_PI / 4};
    const otok_waves *w = &phase->waves;
    const double c2 = deep_speed(w) * deep_speed(w), high = w->gravity * w->height;
    otok_wave_coefficients *out = &all->waves;
    (void)dt;
    out->swift = (float)(w->gravity / c2);
    out->rough =
        (float)(2 / (3 * M_PI) * w->friction * w->height * (w->gravity / c2) * (w->gravity / c2));
    out->breaks = (float)(w->breaking / w->height);
    const double full = 0.24 * w->wind * w->wind / high;
    out->full = (float)(full * full);
    for (int kind = 0; kind < OTOK_WAVE_KINDS; kind++) {
        /* of 24 bits after the point, so that both shares are exact and their sum is 1 */
        const double way = l / cos(angles[kind]), lean = rint(tan(angles[kind]) * 0x1p24) * 0x1p-24;
        out->way[kind] = (float)way;
        out->gain[kind] = (float)(16 * 1.6e-7 * w->wind * w->wind / (high * w->height) * way);
        out->lean[kind] = (float)lean;
        out->keep[kind] = (float)(1 - lean);
    }
    for (int64_t i = 0; i < w->directions; i++)
        out->weight[place(w, i)] = (float)weight(w, i);
    out->groups = (int)w->directions / 4;
}

static void program(otok_builder *b, const otok_phase *phase, const int *edges)
{
    (void)edges;
    otok_program_stage(b,
                       phase->processes & OTOK_COAST ? OTOK_STAGE_WAVES_SPENT : OTOK_STAGE_WAVES);
}

static void predict(otok_limits *to, const otok_phase *phase, otok_grid grid)
{
    const otok_waves *w = &phase->waves;
    (void)grid;
    otok_limit_add(to, "waves", "", OTOK_PROVEN, NAN, NAN, NAN,
                   "stable at every step; waves of %.3g m break where the sea is shallower than "
                   "%.3g m, and one sweep serves %lld iterations",
                   w->height, w->height / w->breaking, (long long)w->every);
}

const otok_process otok_process_waves = {
    OTOK_PROCESS_ROW(WAVES, waves), .direction = "rose", .step = step,
    .coefficients = coefficients,   .program = program,  .predict = predict};
