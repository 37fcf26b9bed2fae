/* calendar_time.c - claim: clock and sea level are functions of the iteration alone: whole steps
 * times dt, phase after phase. */
#include "scenario_file.h"

static const char text[] =
    "otok: 1\n"
    "sea: {level: 8}\n"
    "phases:\n"
    "  - {name: mixed, iterations: 100, hydraulic: {dt: 0.1}, thermal: {dt: 0.7}}\n"
    "  - {name: sand, iterations: 50, seabed: }\n"
    "  - {name: slide, iterations: 10, thermal: {dt: 0.3}, seabed: }\n"
    "  - {name: rise, iterations: 1000, reef: {dt: 0.01, sea_rise: 0.5}}\n"
    "  - {name: history, iterations: 40, reef: {dt: 0.5, sea_history: [[2, 10], [6, 18], [7, "
    "1]]}}\n"
    "  - {name: both, iterations: 4, mix_reef_and_erosion: true, hydraulic: {dt: 0.25}, thermal: "
    "{dt: 2}, reef: {dt: 0.25, sea_rise: -1}}\n"
    "  - {name: last, iterations: 1, seabed: }\n";

static void check(const otok_scenario *s, int64_t n, int phase, int64_t within, double time,
                  double level)
{
    const otok_moment m = otok_scenario_moment(s, n);
    CHECK(m.phase == phase && m.within == within, "n %lld: phase %d within %lld", (long long)n,
          m.phase, (long long)m.within);
    CHECK(m.time == time, "n %lld: time %.17g, not %.17g", (long long)n, m.time, time);
    CHECK(m.sea_level == level, "n %lld: sea %.17g, not %.17g", (long long)n, m.sea_level, level);
}

int main(void)
{
    otok_scenario *s;
    file_create();
    MUST(file_load(&s, text, NULL));
    file_remove();
    const double wet = 100 * 0.1, slide = wet + 0.0 + 10 * 0.3, rise = slide + 1000 * 0.01,
                 past = rise + 40 * 0.5;
    CHECK(otok_scenario_iterations(s) == 1205 && otok_scenario_grid(s).nx == 512, "sizes");
    check(s, -3, 0, 0, 0, 8);
    check(s, 0, 0, 0, 0, 8);
    check(s, 3, 0, 3, 3 * 0.1, 8);
    check(s, 99, 0, 99, 99 * 0.1, 8);
    check(s, 100, 1, 0, wet, 8);
    check(s, 149, 1, 49, wet, 8);
    check(s, 150, 2, 0, wet, 8);
    check(s, 157, 2, 7, wet + 7 * 0.3, 8);
    check(s, 160, 3, 0, slide, 8);
    check(s, 461, 3, 301, slide + 301 * 0.01, 8 + 301 * 0.01 * 0.5);
    check(s, 1160, 4, 0, rise, 10);
    check(s, 1164, 4, 4, rise + 4 * 0.5, 10);
    check(s, 1166, 4, 6, rise + 6 * 0.5, 12);
    check(s, 1172, 4, 12, rise + 12 * 0.5, 18);
    check(s, 1173, 4, 13, rise + 13 * 0.5, 9.5);
    check(s, 1199, 4, 39, rise + 39 * 0.5, 1);
    check(s, 1200, 5, 0, past, 1);
    check(s, 1203, 5, 3, past + 3 * 0.25, 1 - 0.75);
    check(s, 1204, 6, 0, past + 1, 0);
    check(s, 1205, 7, 0, past + 1, 0);
    check(s, 99999, 7, 0, past + 1, 0);
    otok_scenario_destroy(s);
    return check_failures != 0;
}
