/* live_verdict.c - claim: a simulation that a program runs itself, in pieces, with and without
   waiting, over a checkpoint too, ends with the diagnosis of otok_run, and with the bits of a
   simulation that nobody watches. Maps that are set within a window end it; a change ends the
   audit, and what it showed; what is not finite is a verdict. */
#include "scene.h"

#include <math.h>

static const char text[] =
    "otok: 1\nseed: 4\ngrid: {nx: 53, ny: 41, spacing: 2}\nedges: {bottom: open}\n"
    "base: [{cone: {height: 40, radius: 50}}, {simplex: {wavelength: 30, amplitude: 6, combine: "
    "add}}]\nphases:\n"
    "  - {name: rain, iterations: 900, rain: {rate: 0.02}, hydraulic: {dt: 0.07, capacity: 2}}\n"
    "  - {name: slides, iterations: 100, thermal: {dt: 0.1, talus: 20}}\noutput: {every: 0}\n";

static const char *backend;

static otok_sim *watched(const otok_scenario *s)
{
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_watch(sim));
    return sim;
}

static otok_diagnosis diagnosis(otok_sim *sim)
{
    otok_diagnosis found;
    MUST(otok_sim_diagnose(sim, &found));
    return found;
}

static void check_same(otok_sim *sim, const char *expected, const char *what)
{
    char found[OTOK_DIAGNOSIS_SIZE];
    const otok_diagnosis now = diagnosis(sim);
    CHECK(strcmp(otok_diagnosis_text(&now, found), expected) == 0, "%s: %snot %s", what, found,
          expected);
}

typedef struct end {
    char text[OTOK_DIAGNOSIS_SIZE];
    uint64_t fingerprint;
} end;

static int keep_end(void *user, const otok_progress *now)
{
    end *e = user;
    otok_diagnosis_text(now->diagnosis, e->text);
    e->fingerprint = now->fingerprint;
    return OTOK_GO_ON;
}

static end run(const otok_scenario *s, const char *folder)
{
    end e;
    const otok_run_options o = {
        .directory = folder, .backend = backend, .overwrite = 1, .poll = keep_end, .user = &e};
    MUST(otok_run(s, &o));
    return e;
}

static void check_pieces(const otok_scenario *s, const end *e)
{
    static const int pieces[] = {1000, 7, 1};
    for (int i = 0; i < 3; i++) {
        otok_sim *sim = watched(s);
        CHECK(diagnosis(sim).samples == 0, "a verdict before the first iteration");
        while (otok_sim_iteration(sim) < otok_scenario_iterations(s))
            MUST((i == 1 ? otok_sim_run : otok_sim_start)(sim, pieces[i]));
        MUST(otok_sim_wait(sim));
        check_same(sim, e->text, i ? "in pieces" : "in one piece");
        CHECK(scene_fingerprint(sim) == e->fingerprint, "watched: other bits");
        otok_sim_destroy(sim);
    }
}

static void check_continued(const otok_scenario *s, const end *e, const char *folder)
{
    char file[64];
    snprintf(file, sizeof file, "%s/half.vtkhdf", folder);
    otok_sim *sim = watched(s), *next = watched(s);
    MUST(otok_sim_run(sim, 350));
    MUST(otok_sim_save(sim, file));
    MUST(otok_sim_load(next, file));
    MUST(otok_sim_run(next, 650));
    check_same(next, e->text, "continued");
    MUST(otok_sim_seek(sim, 0)); /* the state of iteration 350 as that of the start */
    CHECK(diagnosis(sim).samples == 0, "the verdict of another run");
    unlink(file);
    otok_sim_destroy(sim);
    otok_sim_destroy(next);
}

/* The figure of the ground, in a run that is touched by `touch` in the first window. */
static double ground(const otok_scenario *s, void (*touch)(otok_sim *))
{
    otok_sim *sim = watched(s);
    MUST(otok_sim_run(sim, 2));
    touch(sim);
    MUST(otok_sim_run(sim, 8)); /* the window has 6 iterations, the next is later */
    const double found = diagnosis(sim).audit_ground;
    otok_sim_destroy(sim);
    return found;
}

static void nothing(otok_sim *sim)
{
    (void)sim;
}

static void set(otok_sim *sim)
{
    static float map[53 * 41];
    MUST(otok_sim_get(sim, OTOK_WATER, map));
    map[700] += 0.5f;
    MUST(otok_sim_set(sim, OTOK_WATER, map));
}

static void change(otok_sim *sim)
{
    MUST(otok_sim_change(sim, "phases.rain.hydraulic.capacity", "9"));
}

static void check_touched(const otok_scenario *s)
{
    CHECK(ground(s, nothing) > 0, "the first window: %g", ground(s, nothing));
    CHECK(isnan(ground(s, set)), "a window with water that was set: %g", ground(s, set));
    CHECK(isnan(ground(s, change)), "a window with a change: %g", ground(s, change));
}

/* What windows showed says nothing about other values. */
static void check_changed(void)
{
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: 24, ny: 24, spacing: 5}\nbase: [{simplex: {wavelength: 60, "
              "amplitude: 2}}]\nphases: [{name: a, iterations: 900, rain: {rate: 1e-5}, "
              "hydraulic: {dt: 0.2, law: local_inertia, manning: 0.1, capacity: 0}}]\n");
    for (int changes = 0; changes < 2; changes++) {
        otok_sim *sim = watched(s);
        MUST(otok_sim_run(sim, 700));
        if (changes) MUST(otok_sim_change(sim, "phases.a.hydraulic.manning", "0.2"));
        MUST(otok_sim_run(sim, 200));
        const otok_verdict found = diagnosis(sim).verdict;
        CHECK(found == (changes ? OTOK_NOT_AUDITED : OTOK_STABLE), "changed %d times: %s", changes,
              otok_verdict_name(found));
        otok_sim_destroy(sim);
    }
    otok_scenario_destroy(s);
}

static void check_refused(void)
{
    otok_scenario *s = scene("otok: 1\ngrid: {nx: 16, ny: 16, spacing: 1}\nphases: [{name: a, "
                             "iterations: 900, hydraulic: {dt: 0.1}}]\n");
    otok_diagnosis found;
    otok_sim *sim = scene_sim(s, backend);
    CHECK(otok_sim_diagnose(sim, &found) == OTOK_USAGE, "a verdict of what nobody watched");
    MUST(otok_sim_watch(sim));
    MUST(otok_sim_run(sim, 10));
    CHECK(diagnosis(sim).verdict == OTOK_STABLE && diagnosis(sim).until == 10, "still water: %s",
          otok_verdict_name(diagnosis(sim).verdict));
    float map[16 * 16];
    for (int n = 0; n < 16 * 16; n++)
        map[n] = 1e7f;
    MUST(otok_sim_set(sim, OTOK_WATER, map));
    MUST(otok_sim_run(sim, 890));
    CHECK(diagnosis(sim).verdict == OTOK_DIVERGED, "10,000 km of water: %s",
          otok_verdict_name(diagnosis(sim).verdict));
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    char bands[64], folder[] = "/tmp/otok-verdict-XXXXXX", command[64];
    const char *name = CHECK_BACKEND(argc, argv)->name;
    if (!mkdtemp(folder)) return 1;
    otok_scenario *s = scene_load(text, NULL, 0);
    snprintf(bands, sizeof bands, "%s/3", name);
    backend = name;
    const end e = run(s, folder);
    CHECK(strstr(e.text, "verdict: ") == e.text, "no verdict: %s", e.text);
    for (int i = 0; i < 2; i++) {
        backend = i ? bands : name;
        check_pieces(s, &e);
    }
    backend = name;
    check_continued(s, &e, folder);
    check_touched(s);
    check_changed();
    check_refused();
    otok_scenario_destroy(s);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0 || check_failures > 0;
}
