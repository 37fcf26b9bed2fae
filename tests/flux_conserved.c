/* flux_conserved.c - claim: what a flux takes from a cell its neighbours get, by construction: even
   a face function that is not the same seen from its two cells makes no solid but by rounding. The
   ledger counts the rises of cells exactly, in the iterations that it names, and is as near to all
   that moved as it says. A flux that loses a thousandth of what it moves, as a forged ledger has
   it, is `non_conservative`, with the amounts, and so is such a transport of sediment, and water
   that displace_water makes beyond the sediment in it; the same heap without the leak is not.
   Rivers that meet in a cell bring all their water, and more combinations of histories than there
   are numbers for are refused. */
#include "core/flux.h"
#include "scene.h"
#include "sim/audit.h"
#include "sim/detect.h"

#include <math.h>
#include <stdlib.h>

enum { N = 24, PITCH = N + 2, CELLS = PITCH * PITCH };

OTOK_FN float crooked(float first, float second, otok_creep_coefficients k)
{
    (void)k;
    if (!(first < INFINITY && second < INFINITY)) return 0.0f;
    return first > second ? 0.5f * (first - second) : 0.9f * (first - second);
}

OTOK_FLUX(crooked, creep, float, OTOK_HEIGHT_AT, crooked, crooked, k.share)

/* Heights in a box of cells, between walls. */
static void check_construction(void)
{
    static float base[CELLS], change[CELLS];
    uint64_t state = 3;
    otok_view v = {.nx = N, .ny = N, .pitch = PITCH};
    double before = 0, after = 0, size = 0;
    for (int n = 0; n < CELLS; n++) {
        const int i = n % PITCH, j = n / PITCH,
                  inside = i > 0 && j > 0 && i < PITCH - 1 && j < PITCH - 1;
        base[n] = inside ? 0.0f : INFINITY;
        change[n] = inside ? 100 * scene_random(&state) : 0.0f;
        before += (double)change[n];
    }
    v.at[OTOK_TERRAIN_BASE] = base;
    v.at[OTOK_TERRAIN_CHANGE] = change;
    for (int n = 0; n < CELLS; n++)
        if (base[n] < INFINITY) {
            const double next =
                (double)otok_flux_crooked(&v, n, 0x400000u, (otok_creep_coefficients){0.2f});
            after += next;
            size += fabs(next - (double)change[n]);
        }
    CHECK(size > 1000 && fabs(after - before) < N * N * 0x1p-18, "%.9g m became %.9g", before,
          after);
}

static const char heap[] =
    "otok: 1\ngrid: {nx: 32, ny: 32, spacing: 10}\naudit: off\n"
    "base: [{constant: {height: 20}}, {cone: {x: 160, y: 160, height: 60, radius: 90, combine: "
    "add}}, {simplex: {wavelength: 60, amplitude: 9, combine: add}}]\n"
    "%sphases: [{name: a, iterations: 1500, %s}]\n";

static double fixed(float value)
{
    const otok_fixed f = otok_fixed_from(value);
    return otok_fixed_value(f.hi, f.lo);
}

/* ledger.ground_moved against the maps of each iteration. From all that moved it differs by no more
   than otok_moves_count says; by no more than a quarter if moves only become less, and also here,
   where slides flicker. */
static void check_moved(const char *backend, const char *layers, const char *process)
{
    static float was[32 * 32], is[32 * 32];
    const int n = strncmp(backend, "cpu", 3) == 0 ? 1500 : 320;
    otok_scenario *s = scene(heap, layers, process);
    otok_sim *sim = scene_sim(s, backend);
    double moved = 0, all = 0, last = 0, swing = 0;
    for (int i = 0; i < n; i++) {
        double now = 0;
        MUST(otok_sim_get(sim, OTOK_TERRAIN_CHANGE, was));
        scene_run(sim, 1, OTOK_TERRAIN_CHANGE, is);
        for (int c = 0; c < 32 * 32; c++)
            if (is[c] > was[c]) now += fixed(is[c]) - fixed(was[c]);
        moved += otok_moves_count(i) * now;
        all += now;
        if (i > OTOK_MOVES_ALL) swing += fabs(now - last);
        last = now;
    }
    const otok_ledger l = scene_ledger(sim);
    CHECK(moved > 0.1 && l.ground_moved == 100 * moved, "%s%s: %.17g m3 moved, not %.17g", layers,
          process, l.ground_moved, 100 * moved);
    CHECK(fabs(moved - all) <= 64 * (swing + last) && fabs(moved - all) < all / 4,
          "%s%s: %g of %g m moved; it may be wrong by %g", layers, process, moved, all,
          64 * (swing + last));
    scene_destroy(sim, s);
}

/* Runs slides of which a share leaks, as a flux that forgets it would book it. */
static otok_diagnosis slide(const char *backend, double leaks, char text[OTOK_DIAGNOSIS_SIZE])
{
    otok_scenario *s = scene(heap, "", "thermal: {dt: 1, rate: 0.05, talus: 20}");
    otok_sim *sim = scene_sim(s, backend);
    otok_audit none = {.run = sim};
    otok_detector detector;
    otok_sample sample;
    otok_suspects where;
    otok_ledger ledger;
    otok_sum sums[OTOK_SUMS];
    MUST(otok_detector_create(&detector, sim, &none, 0));
    for (int n = 0; n < 6; n++) {
        MUST(otok_detector_advance(&detector, 50, &sample, &where, &ledger));
        otok_judge_note(&detector.judge, &sample, &where);
        MUST(otok_sim_sums(sim, sums));
        const double lost = leaks * otok_fixed_value(sums[OTOK_SUM_GROUND_MOVED].hi,
                                                     sums[OTOK_SUM_GROUND_MOVED].lo);
        sums[OTOK_SUM_GROUND_ROUNDED].hi -= (int64_t)(256 * lost);
        sim->solid_start.hi += (int64_t)(256 * lost);
        MUST(sim->backend->set_sums(&sim->patch, sums));
    }
    const otok_diagnosis found = otok_judge_diagnosis(&detector.judge, 32);
    otok_diagnosis_text(&found, text);
    otok_detector_destroy(&detector);
    scene_destroy(sim, s);
    return found;
}

/* Sediment that the water of an iteration of 0.1 s carries from cell to cell [m]. */
static double carried(otok_sim *sim)
{
    static float s[32 * 32], u[32 * 32], w[32 * 32];
    double sum = 0;
    MUST(otok_sim_get(sim, OTOK_SEDIMENT, s));
    MUST(otok_sim_get(sim, OTOK_VELOCITY_X, u));
    MUST(otok_sim_get(sim, OTOK_VELOCITY_Y, w));
    for (int c = 0; c < 32 * 32; c++)
        sum += (double)s[c] * (fabs((double)u[c]) + fabs((double)w[c])) * 0.1 / 10;
    return sum;
}

/* Runs rain on a heap whose transport leaks a share of what it moves. */
static otok_diagnosis carry(const char *backend, double leaks, char text[OTOK_DIAGNOSIS_SIZE])
{
    otok_scenario *s = scene(
        heap, "", "rain: {rate: 0.01}, hydraulic: {dt: 0.1, law: local_inertia, capacity: 20}");
    otok_sim *sim = scene_sim(s, backend);
    otok_audit none = {.run = sim};
    otok_detector detector;
    otok_sample sample;
    otok_suspects where;
    otok_ledger ledger;
    MUST(otok_detector_create(&detector, sim, &none, 0));
    for (int n = 0; n < 20; n++) {
        MUST(otok_detector_advance(&detector, 10, &sample, &where, &ledger));
        otok_judge_note(&detector.judge, &sample, &where);
        sim->solid_start.hi += (int64_t)(256 * 10 * leaks * carried(sim));
    }
    const otok_diagnosis found = otok_judge_diagnosis(&detector.judge, 32);
    otok_diagnosis_text(&found, text);
    otok_detector_destroy(&detector);
    scene_destroy(sim, s);
    return found;
}

static void check_leak(const char *backend)
{
    char text[OTOK_DIAGNOSIS_SIZE];
    otok_diagnosis d = slide(backend, 0, text);
    CHECK(d.verdict == OTOK_STABLE && d.lost_kind == OTOK_LOST_NOTHING, "no leak: %s", text);
    d = slide(backend, 1e-3, text);
    CHECK(d.verdict == OTOK_NON_CONSERVATIVE && d.lost_kind == OTOK_LOST_GROUND && d.lost < 0 &&
              strstr(text, "rounding lost") && strstr(text, "that moved from cell to cell"),
          "a leak: %s", text);
    d = carry(backend, 0, text);
    CHECK(d.verdict != OTOK_NON_CONSERVATIVE, "no leak of sediment: %s", text);
    d = carry(backend, 1e-3, text);
    CHECK(d.verdict == OTOK_NON_CONSERVATIVE && d.lost_kind == OTOK_LOST_SEDIMENT && d.lost < 0 &&
              strstr(text, "water lost") && strstr(text, "of sediment"),
          "a leak of sediment: %s", text);
}

/* A sheet of water that leaves its sediment behind on a cone, and lays it down where less is left;
   or that holds it, as the rain on another cone does. */
static otok_diagnosis displace(const char *backend, const char *phase, char *text)
{
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: 32, ny: 32, spacing: 10}\naudit: off\nedges: {top: open}\nbase: "
              "[{cone: {height: 10, radius: 150}}]\n%s, dt: 0.2, law: local_inertia, transport: "
              "none}}]\n",
              phase);
    otok_sim *sim = scene_sim(s, backend);
    otok_diagnosis d;
    MUST(otok_sim_watch(sim));
    MUST(otok_sim_run(sim, 600));
    MUST(otok_sim_diagnose(sim, &d));
    otok_diagnosis_text(&d, text);
    scene_destroy(sim, s);
    return d;
}

static void check_displaced(const char *backend)
{
#define SHEET(more)                                                                                \
    "initial: {water: 1}\nphases: [{name: a, iterations: 600, hydraulic: {capacity: 2, dissolve: " \
    "0.5, deposit: 0.5" more
    char text[OTOK_DIAGNOSIS_SIZE];
    otok_diagnosis d = displace(backend, SHEET(""), text);
    CHECK(d.verdict == OTOK_NON_CONSERVATIVE && d.lost_kind == OTOK_LOST_DISPLACED &&
              d.lost > 0.1 * d.lost_of && fabs(d.lost_of - 102400) < 1 &&
              strstr(text, "displace_water made"),
          "a sheet: %s", text);
    d = displace(backend, SHEET(", displace_water: false"), text);
    CHECK(d.lost_kind == OTOK_LOST_NOTHING, "nothing is displaced: %s", text);
    d = displace(backend,
                 "phases: [{name: a, iterations: 600, rain: {rate: 1e-3, during: [[0, 100]]}, "
                 "hydraulic: {capacity: 3, dissolve: 0.5, deposit: 0.02, evaporation: 0.01",
                 text);
    CHECK(d.lost_kind == OTOK_LOST_NOTHING, "rain: %s", text);
}

/* Rivers that bring `wanted` m3 in 100 s. */
static void check_rivers(const char *backend, const char *rivers, double wanted)
{
    otok_scenario *s = scene(
        "otok: 1\ngrid: {nx: 14, ny: 9, spacing: 10}\nbase: [{constant: {height: 5}}]\nphases: "
        "[{name: a, iterations: 50, rivers: [%s], hydraulic: {dt: 2, law: local_inertia, capacity: "
        "0}}]\n",
        rivers);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, 50));
    const otok_ledger l = scene_ledger(sim);
    CHECK(fabs(l.rivers - wanted) < 1e-5 * wanted &&
              fabs(l.rivers_nominal - wanted) < 1e-9 * wanted,
          "%s: %.9g m3 came, %.9g by the scenario, not %.9g", rivers, l.rivers, l.rivers_nominal,
          wanted);
    scene_destroy(sim, s);
}

#define RISES "history: [[0, 0], [100, 8]]"
#define FALLS "history: [[0, 3], [100, 1]]"

static void check_meetings(const char *backend)
{
    char rivers[4096];
    int used = 0;
    check_rivers(backend, "{x: 42, y: 31, " RISES "}, {x: 48, y: 38, " FALLS "}", 600);
    check_rivers(backend, "{x: 42, y: 31, " RISES "}, {x: 45, y: 35, radius: 30, " FALLS "}", 600);
    check_rivers(backend, "{x: 40, y: 40, radius: 25, discharge: 2}, {x: 45, y: 35, " RISES "}",
                 600);
    check_rivers(backend,
                 "{x: 5, y: 5, to_x: 5, to_y: 85, " RISES
                 "}, {x: 5, y: 5, to_x: 135, to_y: 5, " FALLS
                 "}, {x: 7, y: 7, discharge: 1}, {x: 3, y: 3, discharge: 1}",
                 800);
    for (int n = 0; n < 6; n++) /* 6 histories, and a place for each pair of them */
        for (int m = 0; m < n; m++)
            for (int k = 0; k < 2; k++)
                used += snprintf(rivers + used, sizeof rivers - (size_t)used,
                                 "%s{x: %d, y: %d, history: [[0, %d], [100, 1]]}", used ? ", " : "",
                                 5 + 20 * m, 5 + 10 * n, 1 + (k ? n : m));
    otok_scenario *s = scene("otok: 1\ngrid: {nx: 14, ny: 9, spacing: 10}\nbase: [{constant: "
                             "{height: 5}}]\nphases: [{name: a, iterations: 5, rivers: [%s], "
                             "hydraulic: {dt: 1, law: local_inertia}}]\n",
                             rivers);
    otok_sim *sim = NULL;
    CHECK(otok_sim_create(&sim, s, backend) == OTOK_DATA && strstr(otok_why(), "combinations") &&
              strstr(otok_why(), "phases.a.rivers"),
          "15 pairs of 6 histories: %s", sim ? "accepted" : otok_why());
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    check_construction();
    check_moved(backend, "", "thermal: {dt: 1, rate: 0.005, talus: 20}");
    check_moved(backend, "layers: [{name: soil, thickness: 1, talus: 15}, {name: rock}]\n",
                "thermal: {dt: 1, rate: 0.05, talus: 20}");
    check_moved(backend, "", "creep: {dt: 10 yr, diffusivity: 0.2 m2/yr}");
    check_moved(backend, "", "marine_diffusion: {dt: 10 yr, diffusivity: 0.2 m2/yr}");
    check_displaced(backend);
    check_leak(backend);
    check_meetings(backend);
    return check_failures != 0;
}
