/* audit_events.c - claim: the windows of an audit include what a scenario names beforehand: the end
   of a storm, the peak of a rain's factor, of a hydrograph and of the water beyond a side, where
   the sea or the uplift moves fastest; the strongest first, and eight at most. Without such events,
   and with moments that are given, the windows are as they were. */
#include "scenario/scenario_audit.h"
#include "scene.h"

static otok_audit_windows windows_of(const char *more, const char *phase, int iterations)
{
    otok_scenario *s = scene("otok: 1\ngrid: {nx: 16, ny: 16, spacing: 10}\nedges: {left: open}\n%s"
                             "phases:\n  - {name: a, iterations: %d, %s}\n",
                             more, iterations, phase);
    const otok_audit_windows w = otok_scenario_audit(s);
    otok_scenario_destroy(s);
    return w;
}

/* Does a window show this iteration? */
static int shows(const otok_audit_windows *w, int64_t n)
{
    for (int i = 0; i < w->n; i++)
        if (w->starts[i] <= n && n < w->starts[i] + w->length) return 1;
    return 0;
}

#define WATER "hydraulic: {law: local_inertia, dt: 2}"
static const int64_t moments[] = {0, 62, 250, 1000, 2000}; /* of 4000 iterations */

static void check(const char *phase, int64_t event, int64_t other)
{
    const otok_audit_windows w = windows_of("", phase, 4000);
    CHECK(shows(&w, event) && (other < 0 || shows(&w, other)), "%s: iteration %lld or %lld", phase,
          (long long)event, (long long)other);
    for (size_t m = 0; m < sizeof moments / sizeof moments[0]; m++)
        CHECK(shows(&w, moments[m]), "%s: iteration %lld", phase, (long long)moments[m]);
    CHECK(w.n <= OTOK_AUDIT_WINDOWS && w.n > 5, "%d windows", w.n);
}

static void storms(void)
{
    char phase[2048] = "rain: {rate: 1e-5, during: [";
    for (int i = 0; i < 20; i++)
        snprintf(phase + strlen(phase), sizeof phase - strlen(phase), "%s[%d, %d]", i ? ", " : "",
                 100 + 190 * i, 150 + 190 * i);
    strcat(phase, "]}, " WATER);
    check(phase, 149, 339);
    const otok_audit_windows w = windows_of("", phase, 4000);
    CHECK(w.n == 8 + 5, "%d windows", w.n);
}

static void others(void)
{
    static const char still[] = "rain: {rate: 1e-5}, " WATER;
    const otok_audit_windows plain = windows_of("", still, 4000),
                             constant = windows_of("",
                                                   "rain: {rate: 1e-5, history: [[0, 1], "
                                                   "[900, 1]]}, " WATER,
                                                   4000),
                             given = windows_of(
                                 "audit: [0.1, 0.9]\n",
                                 "rain: {rate: 1e-5, during: [[2500, 2600]]}, " WATER, 4000),
                             shorter = windows_of(
                                 "", "rain: {rate: 1e-5, during: [[20, 90]]}, " WATER, 120);
    CHECK(plain.n == 5 && constant.n == 5, "%d and %d windows without events", plain.n, constant.n);
    for (int i = 0; i < plain.n; i++)
        CHECK(plain.starts[i] == moments[i] && constant.starts[i] == moments[i], "window %d: %lld",
              i, (long long)plain.starts[i]);
    CHECK(given.n == 2 && given.starts[0] == 400 && given.starts[1] == 3600, "given moments");
    CHECK(shorter.n == 2 && shorter.starts[0] == 0 && shows(&shorter, 89), "a short run: %d, %lld",
          shorter.n, (long long)shorter.starts[shorter.n - 1]);
}

int main(void)
{
    check("rain: {rate: 1e-5, during: [[2700, 3100]]}, " WATER, 3099, -1);
    check("rain: {rate: 1e-5, during: [[700 s, 1400 s]]}, " WATER, 699, -1);
    check("rain: {rate: 1e-5, history: [[0, 0], [3000, 0], [3100, 9], [3200, 0]]}, " WATER, 1550,
          -1);
    check(
        "rivers: [{x: 80, y: 80, history: [[0, 1], [6100, 1], [6500, 40], [7000, 1]]}, {x: 20, y: "
        "20, history: [[0, 0], [1000, 4], [2000, 0]]}], " WATER,
        3250, 500);
    check("sides: {left_level: [[0, 1], [2800, 1], [2900, 4], [3000, 1]]}, " WATER, 1450, -1);
    check(
        "reef: {law: light_saturation, dt: 100 yr, sea_history: [[0, 0], [150 kyr, -10], [160 kyr, "
        "-100], [400 kyr, 0]]}",
        1550, -1);
    check(
        "uplift: {rate: 1e-10, dt: 100 yr, history: [[0, 0], [270 kyr, 1], [275 kyr, 9], [400 kyr, "
        "0]]}",
        2725, -1);
    storms();
    others();
    return check_failures > 0;
}
