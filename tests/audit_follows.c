/* audit_follows.c - claim: windows of an audit open where a run becomes strong, though no forcing
   names the moment: a lake that breaches its rim, a slide that starts late, water that comes to a
   cliff late. They are the same on every backend, in bands, in pieces and in a run that is
   continued, change nothing, and are few. If none has room at the strongest moment, the run is not
   audited, and the remedy names a moment that is enough. CHECK_STRATEGIES */
#include "audited.h"
#include "sim/detect.h"

#include <math.h>
#include <string.h>

/* A pond behind a rim of sand, above a slope; a river of constant discharge fills it. */
static const char lake[] =
    "otok: 1\nseed: 3\ngrid: {nx: 48, ny: 24, spacing: 5}\nedges: {right: open}\n"
    "base:\n  - cone: {x: 300, y: 60, height: -20, radius: 210}\n"
    "  - constant: {height: 30, combine: add}\n"
    "  - cone: {x: 50, y: 60, height: -5, radius: 40, combine: add}\n"
    "output: {every: 500}\n"
    "phases: [{name: a, iterations: 3000, rivers: [{x: 50, y: 60, radius: 10, discharge: 15}], "
    "hydraulic: {law: local_inertia, dt: 0.2, manning: 0.03, capacity: 0.1, dissolve: 0.1, "
    "deposit: 0.1}}]\n";

/* Rain washes the crust off a steep cone of sand, which then slides. */
static const char slide[] =
    "otok: 1\ngrid: {nx: 32, ny: 32, spacing: 5}\nbase: [{cone: {height: 60, radius: 60}}]\n"
    "edges: {left: open, right: open, bottom: open, top: open}\noutput: {every: 500}\n"
    "layers: [{name: crust, thickness: 0.01, talus: 80}, {name: sand, talus: 30}]\n"
    "phases: [{name: a, iterations: 3000, rain: {rate: 1e-4}, thermal: {dt: 0.2, rate: 0.1, law: "
    "excess}, hydraulic: {law: local_inertia, dt: 0.2, manning: 0.06, capacity: 1, dissolve: 0.2, "
    "deposit: 0.2}}]\n";

/* A river on a dry plain that ends at a cliff. */
static const char cliff[] =
    "otok: 1\ngrid: {nx: 96, ny: 8, spacing: 5}\nedges: {right: open}\n"
    "base:\n  - cone: {x: 900, y: 20, height: -300, radius: 500}\n"
    "  - constant: {height: 50, combine: add}\n"
    "output: {every: 500}\n"
    "phases: [{name: a, iterations: 3000, rivers: [{x: 20, y: 20, radius: 15, discharge: 25}], "
    "hydraulic: {law: local_inertia, dt: 0.2, manning: 0.04, capacity: 0.1, dissolve: 0.1, "
    "deposit: 0.1}}]\n";

/* Is there a window that a look opened from `from` on, and before `before`, in which the ground
   moves `times` as fast as in any window before? */
static int follows(const otok_judge *j, double from, double before, double times)
{
    double most = 0;
    for (int i = 0; i < j->audited; i++) {
        const double start = j->looks.starts[i], moved = j->windows[i].moved;
        if (j->looks.is_event[i] > 0 && start >= from && start < before && moved > times * most)
            return 1;
        if (start < from) most = fmax(most, moved);
    }
    return 0;
}

static void check(const char *name, const char *text, const char *backend, double from,
                  double before, double times)
{
    char bands[64];
    uint64_t plain, other;
    const otok_judge j = audited(text, "cpu:plain", 5000, 0, &plain);
    double all = 0;
    int events = 0;
    for (int i = 0; i < j.audited; i++) {
        all += j.windows[i].weight;
        events += j.looks.is_event[i] > 0;
    }
    if (getenv("OTOK_TEST_SHOW"))
        for (int i = 0; i < j.audited; i++)
            printf("%s %d: %g %g, moved %g\n", name, i, j.looks.starts[i], j.looks.is_event[i],
                   j.windows[i].moved);
    CHECK(follows(&j, from, before, times), "%s: no window follows the event", name);
    CHECK(events > 0 && events <= 8 && fabs(all - j.until) < 1e-6,
          "%s: %d windows, for %g iterations of %g", name, events, all, j.until);
    CHECK(otok_judge_missed(&j) == 0, "%s: %g is missed", name, otok_judge_missed(&j));
    const otok_judge here = audited(text, backend, 7, 0, &other);
    CHECK(plain == other && memcmp(&here, &j, sizeof j) == 0, "%s: in pieces", name);
    const otok_judge again = audited(text, backend, 5000, 1500, &other);
    CHECK(plain == other && memcmp(&again, &j, sizeof j) == 0, "%s: continued", name);
    snprintf(bands, sizeof bands, "%s/3", backend);
    const otok_judge cut = audited(text, bands, 5000, 0, &other);
    CHECK(plain == other && memcmp(&cut, &j, sizeof j) == 0, "%s: in bands", name);
}

/* A plain that rises faster than its rivers cut it, until the end of its only phase. */
static const char rising[] =
    "otok: 1\nseed: 3\ngrid: {nx: 24, ny: 24, spacing: 200}\n"
    "edges: {left: open, right: open, bottom: open, top: open}\n"
    "base: [{simplex: {octaves: 4, amplitude: 1, wavelength: 800}}]\n"
    "phases: [{name: a, iterations: 200, uplift: {dt: 10 kyr, rate: 0.2 mm/yr}, "
    "incision: {erodibility: 1e-6 yr-1, m: 0.45}}]\n";

/* What uplift alone does is no strength, at the end of a phase either. */
static void check_rising(const char *backend)
{
    uint64_t fingerprint;
    const otok_judge j = audited(rising, backend, 5000, 0, &fingerprint);
    CHECK(j.audited > 0 && otok_judge_missed(&j) == 0, "rising: %g is missed",
          otok_judge_missed(&j));
}

/* The words name the reason, and processes of the run alone. */
static void check_words(void)
{
    const otok_diagnosis rivers = {.verdict = OTOK_RUINED, .movers = OTOK_MOVES_RIVERS},
                         slides = {.verdict = OTOK_RUINED,
                                   .movers = OTOK_MOVES_RIVERS | OTOK_MOVES_SLIDES},
                         no_window = {.verdict = OTOK_NOT_AUDITED,
                                      .unseen = OTOK_UNSEEN_NO_WINDOW,
                                      .samples = 1};
    char text[OTOK_DIAGNOSIS_SIZE];
    const char *remedy = otok_diagnosis_remedy(&rivers);
    CHECK(strstr(remedy, "add `thermal`") && !strstr(remedy, "capacity"), "rivers: %s", remedy);
    remedy = otok_diagnosis_remedy(&slides);
    CHECK(strstr(remedy, "rate or the dt of `thermal`") && !strstr(remedy, "add"), "slides: %s",
          remedy);
    otok_diagnosis_text(&no_window, text);
    CHECK(strstr(text, "no window of the audit fits") && strstr(text, "`output.every` of 6"), "%s",
          text);
}

/* The cliff with these moments alone; the iteration that is missed after its end. */
static double missed_with(const char *moments, const char *backend, otok_judge *judge)
{
    otok_scenario *s = scene_load(cliff, &moments, 1);
    otok_audit audit;
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_audit_create(&audit, sim, judge, -1));
    MUST(otok_audit_run(&audit, judge, 3000));
    otok_audit_destroy(&audit);
    scene_destroy(sim, s);
    return otok_judge_missed(judge);
}

/* The moment that the remedy names is enough. */
static void check_remedy(const char *backend)
{
    otok_judge judge = {.until = 3000, .audits = 1}, again = judge;
    char moments[64];
    const double missed = missed_with("audit=[0, 0.1]", backend, &judge);
    const otok_diagnosis f = otok_judge_diagnosis(&judge, 96);
    const char *add = strstr(otok_diagnosis_remedy(&f), "add 0.");
    CHECK(add && f.unseen == OTOK_UNSEEN_MOMENT && (double)f.unseen_at == missed, "%s",
          otok_diagnosis_remedy(&f));
    snprintf(moments, sizeof moments, "audit=[0, 0.1, %.2f]", add ? atof(add + 4) : 0.2);
    CHECK(missed_with(moments, backend, &again) == 0, "%s: %g is missed", moments,
          otok_judge_missed(&again));
}

/* The cliff without the windows of looks: the moment is missed, and known to be. */
static void check_missed(const char *backend)
{
    static const char *const given[] = {"audit=[0, 0.1]"};
    otok_scenario *s = scene_load(cliff, given, 1);
    otok_judge judge = {.until = 3000, .audits = 1};
    otok_audit audit;
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_audit_create(&audit, sim, &judge, -1));
    MUST(otok_audit_run(&audit, &judge, 2000));
    CHECK(judge.audited == 2 && otok_judge_missed(&judge) > 300, "nothing is missed");
    MUST(otok_audit_run(&audit, &judge, 1000));
    CHECK(otok_judge_missed(&judge) > 2100, "%g is missed", otok_judge_missed(&judge));
    CHECK(otok_judge_verdict(&judge) == OTOK_NOT_AUDITED, "%s",
          otok_verdict_name(otok_judge_verdict(&judge)));
    otok_audit_destroy(&audit);
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    check("lake", lake, backend, 2600, 2900, 2);
    check("slide", slide, backend, 450, 750, 10);
    check("cliff", cliff, backend, 2000, 2200, 20);
    check_missed(backend);
    check_remedy(backend);
    check_rising(backend);
    check_words();
    return check_failures > 0;
}
