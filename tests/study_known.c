/* study_known.c - claim: what is known to depend on the step is `stable` only if the audit shows
   much smaller differences than it allows elsewhere: runs beyond a limit of their step, however
   short, and water in pipes of constant area. What no window saw is not audited. The remedy for
   water that is lost goes the way of the step. Waves that roll only at the end count. */
#include "core/verdict.h"
#include "scenario/scenario_audit.h"
#include "scene.h"

#include <math.h>

enum { N = 64, MOST = N * N };

static float ground[MOST];
static const char *backend;
static const otok_suspects nowhere = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, {0, 0, 0, 0}};

static otok_verdict verdict_of(const otok_judge *start, const otok_sample *s,
                               const otok_suspects *where)
{
    otok_judge j = *start;
    otok_judge_note(&j, s, where);
    return otok_judge_verdict(&j);
}

/* Waves that steepen late: steep ones in the last of 64 samples and some before. */
static void late_waves(void)
{
    static const struct {
        int first, until; /* samples with steep waves */
        otok_verdict expected;
    } turns[] = {{53, 64, OTOK_ROLLING},  /* 18 % and at the end, as at a tenth of the step limit */
                 {59, 64, OTOK_STABLE},   /* 9 % */
                 {50, 61, OTOK_STABLE},   /* 18 %, over at the end */
                 {40, 61, OTOK_ROLLING}}; /* a third */
    for (size_t t = 0; t < sizeof turns / sizeof turns[0]; t++) {
        otok_judge j = {.spacing = 2, .cells = 1000, .until = 64};
        for (int n = 1; n <= 64; n++) {
            const double steep = n > turns[t].first && n <= turns[t].until ? 0.3 : 0.1;
            const otok_sample s = {
                .iteration = n, .wet = 1000, .depth = 1, .beyond = 0.9, .rolling = steep};
            otok_judge_note(&j, &s, &nowhere);
        }
        const otok_verdict v = otok_judge_verdict(&j);
        CHECK(v == turns[t].expected, "steep waves in samples %d to %d: %s", turns[t].first + 1,
              turns[t].until, otok_verdict_name(v));
    }
}

/* ---- what is known to depend on the step ---- */

/* Figures of half the bounds are too much beyond a limit, or in pipes of constant area. */
static void known(void)
{
    const otok_sample s = {.iteration = 100, .wet = 1000, .depth = 1};
    otok_judge half = {.spacing = 2, .cells = 1000, .until = 100, .audited = 1};
    half.windows[0] = (otok_window){
        .weight = 100, .flow = 1, .flow_apart = 0.5 * OTOK_AUDIT_SPEED, .flow_more = 0.05};
    otok_judge j = half;
    CHECK(verdict_of(&j, &s, &nowhere) == OTOK_STABLE, "half of the bounds");
    j.water = OTOK_WATER_PLAIN;
    CHECK(verdict_of(&j, &s, &nowhere) == OTOK_STEP_DEPENDENT, "in pipes of constant area");
    j.windows[0].flow_apart = 0.2 * OTOK_AUDIT_SPEED;
    CHECK(verdict_of(&j, &s, &nowhere) == OTOK_STABLE, "a fifth, in pipes of constant area");
    j.broken = 1.01;
    CHECK(verdict_of(&j, &s, &nowhere) == OTOK_STEP_DEPENDENT, "a fifth, beyond a limit");
    j.windows[0].flow_apart = 0.09 * OTOK_AUDIT_SPEED;
    CHECK(verdict_of(&j, &s, &nowhere) == OTOK_STABLE, "a tenth, beyond a limit");
    j.audited = 0;
    CHECK(verdict_of(&j, &s, &nowhere) == OTOK_STEP_DEPENDENT, "beyond a limit, not audited");
    j.broken = 0.99;
    CHECK(verdict_of(&j, &s, &nowhere) == OTOK_STABLE, "not audited");
    static const otok_suspects deep = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 3, 2, {0, 0, 0, 0}};
    CHECK(verdict_of(&half, &s, &deep) == OTOK_STEP_DEPENDENT, "water deeper than its step allows");
}

/* Water that is lost: a step near its limits is too long, one far below them too short. */
static void remedies(void)
{
    static const struct {
        double broken, deepest, limit;
        const char *words;
    } cases[] = {{0.9, 0, 0, "or lower dt"},
                 {0.01, 0, 0, "or a larger dt"},
                 {0.01, 1, 2, "or lower dt"},
                 {0.01, 1, 500, "or a larger dt"},
                 {0, 0, 0, "or lower dt"}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const otok_diagnosis d = {.verdict = OTOK_NON_CONSERVATIVE,
                                  .broken = cases[n].broken,
                                  .deepest = cases[n].deepest,
                                  .deepest_limit = cases[n].limit};
        CHECK(strstr(otok_diagnosis_remedy(&d), cases[n].words), "margin %g, depth %g of %g: %s",
              d.broken, d.deepest, d.deepest_limit, otok_diagnosis_remedy(&d));
    }
}

/* Remedies name keys that the water of the phases has. */
static void remedies_of_water(void)
{
    static const struct {
        otok_verdict verdict;
        int water;
        const char *has, *lacks;
    } cases[] = {
        {OTOK_SPEED_LIMITED, OTOK_WATER_PLAIN, "law: local_inertia", "1024"},
        {OTOK_SPEED_LIMITED, OTOK_WATER_FRICTION, "lower dt", "law:"},
        {OTOK_SPEED_LIMITED, OTOK_WATER_FRICTION | OTOK_WATER_COURANT, "1024 steps", "law:"},
        {OTOK_STEP_DEPENDENT, OTOK_WATER_FRICTION, "halve dt until", "courant"},
        {OTOK_STEP_DEPENDENT, OTOK_WATER_FRICTION | OTOK_WATER_COURANT, "halve dt and `courant`",
         "law:"}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const otok_diagnosis d = {.verdict = cases[n].verdict, .proof = 1, .water = cases[n].water};
        const char *remedy = otok_diagnosis_remedy(&d);
        CHECK(strstr(remedy, cases[n].has) && !strstr(remedy, cases[n].lacks), "%s, water %d: %s",
              otok_verdict_name(d.verdict), cases[n].water, remedy);
    }
}

/* What infiltrates is compared, too, if it is more than a trifle of what came; differences of
   opposite sign cancel. */
static void amounts(void)
{
    const otok_sample s = {.iteration = 100, .wet = 9, .depth = 1};
    otok_judge j = {.spacing = 2, .cells = 1000, .until = 100, .audited = 2, .audits = 1};
    j.shown[OTOK_ACT_WATER] = 1;
    for (int n = 0; n < 2; n++) {
        j.windows[n] = (otok_window){.weight = 50, .flow = 1};
        j.amounts[n] = (otok_amounts){.came = 1, .of = {0, 0.5, 0}, .more = {0, -0.03, 0}};
    }
    CHECK(fabs(otok_judge_figures(&j).speed - 0.06) < 1e-12 &&
              verdict_of(&j, &s, &nowhere) == OTOK_STEP_DEPENDENT,
          "6 %% more infiltrates: %g", otok_judge_figures(&j).speed);
    j.amounts[1].more[OTOK_AMOUNT_INFILTRATED] = 0.03;
    CHECK(verdict_of(&j, &s, &nowhere) == OTOK_STABLE, "first less, then more infiltrates");
    for (int n = 0; n < 2; n++)
        j.amounts[n] = (otok_amounts){.came = 100, .of = {0, 0.5, 0}, .more = {0, -0.03, 0}};
    CHECK(verdict_of(&j, &s, &nowhere) == OTOK_STABLE, "half a percent of the rain infiltrates");
    for (int n = 0; n < 2; n++)
        j.amounts[n] = (otok_amounts){.depth = 1, .depth_more = 0.1};
    CHECK(verdict_of(&j, &s, &nowhere) == OTOK_STEP_DEPENDENT, "still water of other depth");
}

/* Windows that saw nothing of what samples show are no evidence; without windows none is asked for.
 */
static void unseen(void)
{
    static const otok_suspects deep = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 3, 2, {0, 0, 0, 0}};
    const otok_sample wet = {.iteration = 1, .wet = 9, .depth = 1},
                      moves = {.iteration = 1, .change = 1}, still = {.iteration = 1};
    const otok_judge blind = {.spacing = 2, .cells = 1000, .until = 100, .audited = 1, .audits = 1};
    otok_judge seen = blind, off = blind;
    seen.shown[OTOK_ACT_WATER] = seen.shown[OTOK_ACT_GROUND] = 1;
    off.audits = 0;
    CHECK(verdict_of(&blind, &wet, &nowhere) == OTOK_NOT_AUDITED, "water that no window saw");
    CHECK(verdict_of(&blind, &moves, &nowhere) == OTOK_NOT_AUDITED, "ground that no window saw");
    CHECK(verdict_of(&blind, &still, &nowhere) == OTOK_STABLE, "nothing happened");
    CHECK(verdict_of(&seen, &wet, &nowhere) == OTOK_STABLE &&
              verdict_of(&seen, &moves, &nowhere) == OTOK_STABLE,
          "a window saw it");
    CHECK(verdict_of(&off, &wet, &nowhere) == OTOK_STABLE, "no windows");
    CHECK(verdict_of(&seen, &wet, &deep) == OTOK_NOT_AUDITED, "water deeper than its limit");
    otok_judge j = blind;
    otok_judge_note(&j, &wet, &nowhere);
    CHECK(otok_judge_doubt(&j, 1) == OTOK_DOUBT_LEAST, "doubt %g", otok_judge_doubt(&j, 1));
}

/* Waves of 32 cells with a checkerboard, which 20 iterations level. `process` has its diffusivity
   last, of which 1 is the limit. */
static otok_diagnosis levelled(const char *process, double rate, int finer, double *rough)
{
    static float map[MOST];
    otok_diagnosis d;
    for (int n = 0; n < MOST; n++)
        ground[n] = 2 * sinf((float)M_PI / 16 * (float)(n % N)) + 0.004f * (float)((n + n / N) % 2);
    otok_scenario *s = scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\nsea: {level: "
                             "50}\nphases: [{name: a, iterations: %d, %s%g}}]\n",
                             N, N, 20 * finer, process, rate / finer);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, ground));
    MUST(otok_sim_watch(sim));
    MUST(otok_sim_run(sim, 20 * finer));
    MUST(otok_sim_diagnose(sim, &d));
    MUST(otok_sim_get(sim, OTOK_TERRAIN, map));
    *rough = 0;
    for (int n = N; n < MOST; n++)
        if (n % N) *rough += fabs((double)map[n] - map[n - 1] - map[n - N] + map[n - N - 1]);
    scene_destroy(sim, s);
    return d;
}

/* A short run is compared from its start on too, because slides are quick. */
static void both_ends(void)
{
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: 8, ny: 8}\nphases: [{iterations: 20, creep: {}}]\n");
    const otok_audit_windows w = otok_scenario_audit(s);
    CHECK(w.n == 2 && w.starts[0] == 0 && w.starts[1] == 10 && w.length == 5,
          "%d windows of %lld, from %lld and %lld", w.n, (long long)w.length,
          (long long)w.starts[0], (long long)w.starts[1]);
    otok_scenario_destroy(s);
}

/* Just beyond its limit the run does not end as with a quarter of the step, and is not `stable`. */
static void short_runs(void)
{
    static const char *const processes[] = {
        "creep: {dt: 1, diffusivity: ",
        "marine_diffusion: {dt: 1, wave_base: 1000, tidal_range: 0.1, diffusivity: "};
    for (int p = 0; p < 2; p++)
        for (int beyond = 0; beyond < 2; beyond++) {
            double rough, finer;
            const double rate = beyond ? 1.02 : 0.02;
            const otok_diagnosis d = levelled(processes[p], rate, 1, &rough);
            levelled(processes[p], rate, 4, &finer);
            const double change = fabs(rough - finer) / fmax(rough, finer);
            CHECK(beyond ? change > 0.1 : change < 0.02, "%s%g: roughness changes by %g",
                  processes[p], rate, change);
            CHECK(d.verdict == (beyond ? OTOK_STEP_DEPENDENT : OTOK_STABLE),
                  "%s%g: %s; ground %g, margin %g", processes[p], rate,
                  otok_verdict_name(d.verdict), d.audit_ground, d.broken);
            CHECK(!beyond || d.audit_ground < OTOK_AUDIT_GROUND, "no proof is needed: %g",
                  d.audit_ground);
            CHECK(!beyond || strstr(otok_diagnosis_remedy(&d), "otok predict"), "remedy: %s",
                  otok_diagnosis_remedy(&d));
        }
}

int main(int argc, char **argv)
{
    backend = CHECK_BACKEND(argc, argv)->name;
    late_waves();
    known();
    remedies();
    remedies_of_water();
    amounts();
    unseen();
    both_ends();
    short_runs();
    return check_failures != 0;
}
