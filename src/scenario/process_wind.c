/* process_wind.c: wind that blows loose sand about. */
#include "parameter_rows.h"
#include "process.h"

static const otok_parameter parameters[] = {
    REAL("wind", otok_wind, dt, "dt", "s", 1e5, 0, 1e12, OPEN_LOW, "", "longest time step"),
    REAL("wind", otok_wind, flux, "K", "s2 m-1", 1e-4, 0, 1e6, 0, "q = K u (u^2 - ut^2)",
         "sand, with its pores, that saltation moves, or a map of it"),
    REAL("wind", otok_wind, speed, "u", "m s-1", 0.4, 0, 100, 0, "", "friction velocity"),
    REAL("wind", otok_wind, threshold, "ut", "m s-1", 0.2, 0, 100, 0, "", "u that moves sand"),
    REAL("wind", otok_wind, thickness, "h0", "m", 0.1, 0, HUGE_LENGTH, OPEN_LOW, "q min(1, h / h0)",
         "thickness of the loose layer below which less moves"),
    REAL("wind", otok_wind, from, "", "degree", NAN, -360, 360, GIVEN, "",
         "direction from which it blows, clockwise from the top"),
    SERIES("wind", otok_wind, history, "u", "m s-1", 0, 100, "",
           "friction velocity over the time of the phase; default: speed"),
};

/* u (u^2 - ut^2) [m3 s-3]; step: its mean, by Gauss' rule from point to point of the series. */
static double power(const otok_wind *w, double u)
{
    return u > w->threshold ? u * (u * u - w->threshold * w->threshold) : 0;
}

static void step(otok_step *out, const otok_phase *phase, const otok_now *now)
{
    const otok_wind *w = &phase->wind;
    const double from = now->moment.clock, to = now->moment.next, part = (to - from) / 16;
    double sum = w->history.n ? 0 : (to - from) * power(w, w->speed);
    for (double t = w->history.n ? from : to, half; t < to; t += 2 * half) {
        half = fmax(otok_series_turn(&w->history, t) - t, 1e-9 * part);
        half = fmin(fmin(half, part), to - t) / 2;
        for (int side = -1; side <= 1; side += 2)
            sum += half * power(w, otok_series_at(&w->history, t + half + side * half / sqrt(3)));
    }
    out->wind = (float)(sum / (to - from));
}

static void coefficients(otok_coefficients *out, const otok_phase *phase, double l, double dt)
{
    const otok_wind *w = &phase->wind;
    const double to = (w->from + 180) * (M_PI / 180);
    out->wind = (otok_wind_coefficients){(float)(w->flux * dt / l), (float)sin(to), (float)cos(to),
                                         (float)w->thickness};
}

static void predict(otok_limits *to, const otok_phase *phase, otok_grid g)
{
    const otok_wind *w = &phase->wind;
    const double u = w->history.n ? otok_series_largest(&w->history) : w->speed,
                 s = w->flux * power(w, u) * to->dt / (g.spacing * w->thickness) *
                     (fabs(sin(w->from * (M_PI / 180))) + fabs(cos(w->from * (M_PI / 180))));
    otok_limit_add(to, "wind", "dt q / (l h0)", OTOK_PROVEN, s, 1, s > 0 ? to->dt / s : NAN,
                   "beyond it sand over bare rock goes by the step");
}

const otok_process otok_process_wind = {
    OTOK_PROCESS_ROW(WIND, wind), OTOK_PROCESS_TIME(wind, DIVIDED),
    .direction = "from",          .step = step,
    .coefficients = coefficients, .part = OTOK_STAGE_PART_SLIDES,
    .flux = OTOK_STAGE_WIND,      .predict = predict};
