/* audit_twins.c - claim: an audit does not change a run, and finds the same figures, bit for bit,
   on every backend, in bands, in runs of any length, and in a run that is continued; a study finds
   them too. It tells a run that depends on its step from one that does not. CHECK_STRATEGIES
   CHECK_SLOW */
#include "audited.h"

#include <math.h>

static const char mixed[] =
    "otok: 1\nseed: 9\ngrid: {nx: 61, ny: 47, spacing: 2}\nedges: {left: periodic, right: "
    "periodic, bottom: open}\nsea: {level: 5}\n"
    "base:\n  - cone: {height: 40, radius: 60}\n  - simplex: {wavelength: 40, amplitude: 6, "
    "combine: add}\n"
    "layers: [{name: soil, thickness: 0.3, erodibility: 2}, {name: rock}]\n"
    "audit: [0, 0.1, 0.3, 0.6, 0.8]\n"
    "phases:\n"
    "  - {name: rain, iterations: 400, rain: {rate: 0.02, during: [[0, 90], [170, 310]]}, rivers: "
    "[{x: 40, y: 60, radius: 5, discharge: 2}], hydraulic: {dt: 0.07, pipes: signed, capacity: 2, "
    "dissolve: 0.3, deposit: 0.2}, thermal: {dt: 0.1}}\n"
    "  - {name: signed, iterations: 200, rain: {rate: 0.02}, hydraulic: {dt: 0.1, pipes: signed, "
    "area: depth, manning: 0.04}}\n"
    "  - {name: seabed, iterations: 5, seabed: {sweeps: 3}}\n"
    "  - {name: reef, iterations: 400, reef: {dt: 0.1, absorption: 0.2, calcification: 2, "
    "sea_history: [[0, 5], [20, 7], [30, 6.5]]}}\n";

/* Water with momentum, which keeps speeds; beside it nothing moves the ground. */
static const char momentum[] =
    "otok: 1\nseed: 9\ngrid: {nx: 61, ny: 47, spacing: 2}\nedges: {left: open, bottom: open}\n"
    "base:\n  - cone: {height: 40, radius: 60}\n  - simplex: {wavelength: 40, amplitude: 6, "
    "combine: add}\n"
    "audit: [0, 0.1, 0.3, 0.6, 0.8]\n"
    "phases:\n"
    "  - {name: rain, iterations: 400, rain: {rate: 0.02, during: [[0, 90], [170, 310]]}, rivers: "
    "[{x: 40, y: 60, radius: 5, discharge: 2}], hydraulic: {dt: 0.07, law: shallow_water}}\n"
    "  - {name: calm, iterations: 100, rain: {rate: 0.002}, hydraulic: {dt: 0.1, law: "
    "local_inertia, manning: 0.1}}\n"
    "  - {name: last, iterations: 100, rain: {rate: 0.002}, hydraulic: {dt: 0.1, law: "
    "shallow_water, manning: 0.1}}\n";

/* Waves that a reef and a coast depend on, while the ground sinks: each window has a second part.
 */
static const char wavy[] =
    "otok: 1\nseed: 9\ngrid: {nx: 41, ny: 37, spacing: 50}\nedges: {left: open, right: open, "
    "bottom: open, top: open}\n"
    "base:\n  - constant: {height: -60}\n  - cone: {height: 80, radius: 900, combine: add}\n"
    "layers: [{name: sand, thickness: 0}, {name: reef, thickness: 0}, {name: lava}]\n"
    "audit: [0, 0.1, 0.3, 0.6, 0.8]\n"
    "phases:\n"
    "  - {name: rise, iterations: 400, waves: {every: %d, directions: 4}, uplift: {rate: -1 "
    "mm/yr}, marine_diffusion: {}, reef: {law: light_saturation, dt: 100 yr, rubble: 0.3, "
    "max_growth: 8 mm/yr, sea_history: {saw: {amplitude: 60, period: 20 kyr, rise: 5 kyr}}}}\n"
    "  - {name: cut, iterations: 200, waves: {every: %d, directions: 4}, coast: {dt: 2 yr, "
    "abrasion: 8e-13, drift: 3e-10}, marine_diffusion: {dt: 2 yr, diffusivity: 5 m2/yr}}\n";

/* The same water in a still bowl and on a slope on which nothing but the limit of a cell an
   iteration holds it. */
static const char calm[] =
    "otok: 1\ngrid: {nx: 48, ny: 48, spacing: 5}\nbase: [{simplex: {wavelength: 120, amplitude: "
    "3}}]\nphases: [{name: a, iterations: 1600, rain: {rate: 1e-5}, hydraulic: {dt: 0.2, pipes: "
    "signed, area: depth, manning: 0.1, capacity: 0, evaporation: 0}}]\n";
static const char steep[] =
    "otok: 1\ngrid: {nx: 48, ny: 48, spacing: 5}\nedges: {bottom: open}\nbase: [{cone: {x: 120, y: "
    "700, height: 400, radius: 800}}]\nphases: [{name: a, iterations: 1600, rain: {rate: 1e-5}, "
    "hydraulic: {dt: 0.2, capacity: 0, evaporation: 0}}]\n";

/* Slides that come to rest early, whose rate depends on the step. */
static const char rest[] =
    "otok: 1\ngrid: {nx: 32, ny: 32, spacing: 1}\nbase: [{cone: {height: 14, radius: 12}}]\n"
    "phases: [{name: a, iterations: 1600, thermal: {dt: 0.1, rate: 3, law: excess, talus: 30}}]\n";
/* Sediment that reaches what the water can carry, again and again, and stays near its cell. */
static const char carry[] =
    "otok: 1\ngrid: {nx: 48, ny: 48, spacing: 5}\nedges: {bottom: open}\nbase: [{cone: {x: 120, y: "
    "300, height: 30, radius: 300}}]\nphases: [{name: a, iterations: 800, rain: {rate: 1e-5}, "
    "hydraulic: {dt: 0.2, pipes: signed, area: depth, manning: 0.1, evaporation: 0, capacity: 0.1, "
    "dissolve: 1, deposit: 0.3, transport: none, diffusivity: 1}}]\n";

/* A cliff, across sides that wrap, above a shallow sea, whose bed it fills in its first step: with
   half the step by half as much. What lies above the sea stays. */
static const char cliff[] =
    "otok: 1\ngrid: {nx: 8, ny: 64, spacing: 8}\nedges: {bottom: periodic, top: periodic}\nsea: "
    "{level: 0.5}\nbase: [{cone: {x: 32, y: 512, height: 16, radius: 512}}]\nphases: [{name: a, "
    "iterations: 1600, marine_diffusion: {dt: 500, diffusivity: 0.024, wave_base: 50, tidal_range: "
    "0.1}}]\n";

static void check_same(const otok_judge *a, const otok_judge *b, const char *what)
{
    CHECK(a->audited == b->audited, "%s: %lld windows, not %lld", what, (long long)b->audited,
          (long long)a->audited);
    for (int64_t w = 0; w < a->audited; w++) {
        const otok_window *one = &a->windows[w], *other = &b->windows[w];
        CHECK(memcmp(one, other, sizeof *one) == 0,
              "%s, window %lld: flow %.17g and %.17g, ground %.17g and %.17g, sediment %.17g and "
              "%.17g, not %.17g, %.17g, %.17g, %.17g, %.17g, %.17g; sweeps %.17g, not %.17g",
              what, (long long)w, other->flow, other->flow_apart, other->moved, other->moved_apart,
              other->sediment, other->sediment_apart, one->flow, one->flow_apart, one->moved,
              one->moved_apart, one->sediment, one->sediment_apart, other->shaped_apart,
              one->shaped_apart);
    }
    CHECK(a->carried == b->carried && a->held == b->held && a->lead == b->lead,
          "%s: carried %.17g of %.17g, lead %.17g, not %.17g of %.17g, %.17g", what, b->carried,
          b->held, b->lead, a->carried, a->held, a->lead);
}

static void check_all(const char *backend, const char *text)
{
    char bands[64];
    uint64_t without, with, again;
    otok_scenario *s = scene_load(text, (const char *const[]){"audit=off"}, 1);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, otok_scenario_iterations(s)));
    without = scene_fingerprint(sim);
    otok_sim_destroy(sim);
    CHECK(otok_scenario_audit(s).n == 0, "off, but %d windows", otok_scenario_audit(s).n);
    otok_scenario_destroy(s);

    const otok_judge cpu = audited(text, "cpu:plain", 5000, 0, &with);
    CHECK(cpu.audited >= 5, "%lld windows", (long long)cpu.audited);
    const otok_judge here = audited(text, backend, 7, 0, &with);
    CHECK(with == without, "an audit changes the run: %016llx, not %016llx",
          (unsigned long long)with, (unsigned long long)without);
    check_same(&cpu, &here, "in pieces");
    const otok_judge resumed = audited(text, backend, 5000, 350, &again);
    CHECK(again == without, "continued: %016llx", (unsigned long long)again);
    check_same(&cpu, &resumed, "continued");
    snprintf(bands, sizeof bands, "%s/3", backend);
    const otok_judge cut = audited(text, bands, 5000, 0, &again);
    CHECK(again == without, "in bands: %016llx", (unsigned long long)again);
    check_same(&cpu, &cut, "in bands");
}

static void check_figures(const char *backend)
{
    uint64_t unused;
    const otok_judge still = audited(calm, backend, 5000, 0, &unused),
                     fast = audited(steep, backend, 5000, 0, &unused);
    const otok_audit_figures a = otok_judge_figures(&still), b = otok_judge_figures(&fast);
    CHECK(otok_judge_doubt(&still, 1) <= 1, "calm: speed %g, ground %g, sediment %g", a.speed,
          a.ground, a.sediment);
    CHECK(b.speed > 0.3, "on a slope without friction: speed %g", b.speed);
}

/* What evens out before the end of a run is not counted, and what stays is. */
static void check_rest(const char *backend)
{
    uint64_t unused;
    const otok_judge slid = audited(rest, backend, 5000, 0, &unused),
                     full = audited(carry, backend, 5000, 0, &unused),
                     fell = audited(cliff, backend, 5000, 0, &unused);
    const otok_audit_figures a = otok_judge_figures(&slid), b = otok_judge_figures(&full);
    CHECK(slid.lead > 0 && a.ground < 0.1 * OTOK_AUDIT_GROUND, "at rest: lead %g, ground %g",
          slid.lead, a.ground);
    CHECK(otok_judge_verdict(&fell) == OTOK_STEP_DEPENDENT, "fell into the sea: ground %g",
          otok_judge_figures(&fell).ground);
    CHECK(full.held > 0 && full.carried != 0 && b.ground < 0.1 * OTOK_AUDIT_GROUND &&
              otok_judge_doubt(&full, 1) <= 1,
          "carried %g of %g: ground %g, sediment %g", full.carried, full.held, b.ground,
          b.sediment);
    const otok_judge left = {.audited = 1,
                             .windows = {{.weight = 1000, .moved = 1}},
                             .until = 1000,
                             .rough_middle = 1,
                             .rough_end = 0.25,
                             .lead = 20},
                     laden = {.audited = 1,
                              .windows = {{.weight = 1000, .moved = 1}},
                              .carried = -8,
                              .held = 100},
                     clear = {.audited = 1,
                              .windows = {{.weight = 1000, .moved = 1}},
                              .carried = -0.1,
                              .held = 0.1};
    CHECK(fabs(otok_judge_figures(&left).ground - 0.04 * log(4)) < 1e-12, "left: %g",
          otok_judge_figures(&left).ground);
    CHECK(otok_judge_figures(&laden).sediment == 0.08, "laden: %g",
          otok_judge_figures(&laden).sediment);
    CHECK(otok_judge_change(&(otok_judge){.slow = 2}) == 0.5 * OTOK_DOUBT_CHANGE &&
              otok_judge_change(&(otok_judge){.slow = 0.5}) == OTOK_DOUBT_CHANGE,
          "a reef without carbon may change by %g", otok_judge_change(&(otok_judge){.slow = 2}));
    CHECK(otok_judge_figures(&clear).sediment == 0.01, "clear: %g",
          otok_judge_figures(&clear).sediment);
}

/* Sweeps that are far apart, of which the step alone shows nothing. A window that is shorter than
   their interval shows nothing either. */
static void check_sweeps(const char *backend)
{
    char text[2048];
    uint64_t unused;
    snprintf(text, sizeof text, wavy, 1, 1);
    check_all(backend, text);
    const otok_judge often = audited(text, backend, 5000, 0, &unused);
    snprintf(text, sizeof text, wavy, 10, 1);
    const otok_judge rarely = audited(text, backend, 5000, 0, &unused);
    snprintf(text, sizeof text, wavy, 200, 200);
    const otok_judge never = audited(text, backend, 5000, 0, &unused);
    const otok_audit_figures a = otok_judge_figures(&often), b = otok_judge_figures(&rarely);
    CHECK(a.sweeps > 0 && a.sweeps < OTOK_AUDIT_SWEEPS, "sweeps in every iteration: %g", a.sweeps);
    CHECK(b.sweeps > 3 * a.sweeps && b.ground < 3 * fmax(a.ground, 0.001),
          "sweeps in every tenth: %g, not %g; the step %g, %g", b.sweeps, a.sweeps, b.ground,
          a.ground);
    CHECK(often.shown[OTOK_ACT_SWEEPS] > 0 && rarely.shown[OTOK_ACT_SWEEPS] > 0 &&
              !(never.shown[OTOK_ACT_SWEEPS] > 0),
          "what windows show of sweeps: %g, %g, %g", often.shown[OTOK_ACT_SWEEPS],
          rarely.shown[OTOK_ACT_SWEEPS], never.shown[OTOK_ACT_SWEEPS]);
}

static void check_plan(void)
{
    char text[2048];
    for (int64_t every = 0; every <= 300; every += 5) {
        snprintf(text, sizeof text,
                 "otok: 1\nphases: [{iterations: 2000, hydraulic: {}}]\noutput: {every: %lld}\n",
                 (long long)every);
        otok_scenario *s = scene_load(text, NULL, 0);
        const otok_audit_windows w = otok_scenario_audit(s);
        CHECK(w.n == (every == 5 ? 0 : 5), "every %lld: %d windows", (long long)every, w.n);
        for (int i = 0; i < w.n; i++) {
            const int64_t from = w.starts[i], upto = from + w.length;
            CHECK(upto <= 2000 && (i == 0 || from >= w.starts[i - 1] + w.length),
                  "every %lld: window %d starts at %lld", (long long)every, i, (long long)from);
            for (int64_t n = from + 1; n < upto && every; n++)
                CHECK(n % every != 0, "every %lld: a checkpoint in window %d", (long long)every, i);
        }
        otok_scenario_destroy(s);
    }
}

/* The twins of a short run have a twentieth of its iterations, but two there are; each phase has
   one. */
static void check_short(void)
{
    for (int64_t all = 100; all < 4000; all += 60) {
        char text[256];
        snprintf(text, sizeof text,
                 "otok: 1\nphases: [{iterations: %lld, hydraulic: {}}, {iterations: 64, thermal: "
                 "{}}]\n",
                 (long long)all);
        otok_scenario *s = scene_load(text, NULL, 0);
        const otok_audit_windows w = otok_scenario_audit(s);
        const int late = w.starts[w.n - 1] >= all; /* of the second phase */
        CHECK(w.n - late <= (all + 64 < 480 ? 2 : (all + 64) / 240) || all + 64 >= 1920,
              "%lld iterations: %d windows", (long long)all, w.n);
        CHECK(w.n >= 2 && w.starts[0] == 0 && (late || all < 128),
              "%lld iterations: the last of %d windows is at %lld", (long long)all, w.n,
              (long long)w.starts[w.n - 1]);
        otok_scenario_destroy(s);
    }
}

int main(int argc, char **argv)
{
    const otok_backend *backend = CHECK_BACKEND(argc, argv);
    check_plan();
    check_short();
    check_all(backend->name, mixed);
    check_all(backend->name, momentum);
    check_sweeps(backend->name);
    check_figures(backend->name);
    check_rest(backend->name);
    return check_failures > 0;
}
