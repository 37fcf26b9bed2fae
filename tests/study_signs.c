/* study_signs.c - claim: a verdict is counted by cell. For each sign there is a scene that shows it
   and one near it that does not: a pit too deep for dt in a calm sea, and one that is not; a plane
   of Froude 0.9 and one of 0.57; a cell of the ground above all its neighbours by more and by less
   than a cell. Calm seas, floods onto dry ground, films in rain, drying lakes and rills do not
   chatter. The worst sign comes first, and the audit's figures count. A second argument leaves out
   the scenes that run. */
#include "scene.h"
#include "sim/detect.h"

#include <math.h>

enum { N = 96, MOST = N * N };

static float ground[MOST], water[MOST];
static const char *backend;

typedef struct found {
    otok_diagnosis diagnosis;
    double chatter, beyond, rolling, peaks, prominence; /* the most in a sample */
    double rough;                                       /* of the ground in the last sample */
} found;

static otok_sim *start(otok_scenario *s)
{
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN, ground));
    if (otok_sim_has(sim, OTOK_WATER)) MUST(otok_sim_set(sim, OTOK_WATER, water));
    MUST(otok_sim_open_ledger(sim));
    return sim;
}

/* Runs a scenario to its end with a sample every `every` iterations. */
static int audited; /* do the runs have an audit? */

static found run(otok_scenario *s, int every)
{
    otok_sim *sim = start(s);
    otok_detector detector;
    otok_sample sample;
    otok_suspects where;
    otok_ledger ledger;
    found f = {0};
    otok_audit audit = {.run = sim};
    if (audited) MUST(otok_audit_create(&audit, sim, NULL, -1));
    MUST(otok_detector_create(&detector, sim, &audit, 0));
    detector.judge.audits *= audited;
    while (otok_sim_iteration(sim) < otok_sim_end(sim)) {
        const int64_t left = otok_sim_end(sim) - otok_sim_iteration(sim);
        MUST(otok_detector_advance(&detector, left < every ? left : every, &sample, &where,
                                   &ledger));
        otok_judge_note(&detector.judge, &sample, &where);
        f.chatter = fmax(f.chatter, sample.chatter);
        f.beyond = fmax(f.beyond, sample.beyond);
        f.rolling = fmax(f.rolling, sample.rolling);
        f.peaks = fmax(f.peaks, sample.peaks);
        f.prominence = fmax(f.prominence, sample.prominence);
        f.rough = sample.ground_roughness;
    }
    f.diagnosis = otok_judge_diagnosis(&detector.judge, s->grid.nx);
    otok_detector_destroy(&detector);
    otok_audit_destroy(&audit);
    scene_destroy(sim, s);
    return f;
}

static void check_verdict(const char *name, const found *f, otok_verdict expected)
{
    CHECK(f->diagnosis.verdict == expected,
          "%s: %s, not %s; chatter %g, beyond %g, rolling %g, peaks %g, prominence %g", name,
          otok_verdict_name(f->diagnosis.verdict), otok_verdict_name(expected), f->chatter,
          f->beyond, f->rolling, f->peaks, f->prominence);
}

static void fill(float *map, float value)
{
    for (int n = 0; n < MOST; n++)
        map[n] = value;
}

/* ---- water that chatters ---- */

#define SEA                                                                                        \
    "otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\nphases: [{name: a, iterations: %d, hydraulic: "  \
    "{dt: %g, pipes: signed, area: depth, capacity: 0, evaporation: 0, manning: %g}}]\n"

/* A sea of 2 m with a square pit of 16 x 16 cells; dt 0.2 s allows 5.1 m of water. */
static found sea(float pit)
{
    uint64_t state = 5;
    fill(ground, 0);
    for (int n = 0; n < MOST; n++) {
        const int i = n % N, j = n / N;
        if (i >= 40 && i < 56 && j >= 30 && j < 46) ground[n] = -pit;
        water[n] = 2 - ground[n] + 0.002f * (scene_random(&state) - 0.5f);
    }
    return run(scene(SEA, N, N, 1200, 0.2, 0.03), 200);
}

static void chattering(void)
{
    const found pit = sea(20), shallow = sea(2.5f), calm = sea(0);
    const otok_diagnosis *d = &pit.diagnosis;
    check_verdict("a pit of 22 m", &pit, OTOK_CHATTERING);
    CHECK(d->cells >= 128 && d->cells <= 320 && d->first == 200 && d->after == 0,
          "pit: %lld cells, first between %lld and %lld", (long long)d->cells, (long long)d->after,
          (long long)d->first);
    CHECK(d->cell_x >= 39 && d->cell_x <= 56 && d->cell_y >= 29 && d->cell_y <= 46,
          "pit: worst in (%lld, %lld)", (long long)d->cell_x, (long long)d->cell_y);
    check_verdict("a pit of 4.5 m", &shallow, OTOK_STABLE);
    check_verdict("a calm sea", &calm, OTOK_STABLE);
    CHECK(shallow.chatter == 0 && calm.chatter == 0, "calm water: %g and %g cells chatter",
          shallow.chatter, calm.chatter);
}

/* Water that runs out over dry ground; a rill one cell wide; a film in rain. */
static void not_chattering(void)
{
    fill(ground, 0);
    for (int n = 0; n < MOST; n++)
        water[n] = hypotf((float)(n % N) - 47.5f, (float)(n / N) - 47.5f) < 15 ? 2 : 0;
    const found front = run(scene(SEA, N, N, 300, 0.15, 0.03), 20);
    CHECK(front.chatter < OTOK_CHATTER_SHARE * MOST && front.diagnosis.verdict != OTOK_CHATTERING,
          "a front: %g cells, %s", front.chatter, otok_verdict_name(front.diagnosis.verdict));
    fill(water, 0);
    for (int n = 0; n < MOST; n++) {
        ground[n] = 0.02f * (float)(n / N) + (n % N == 48 ? 0 : 1);
        water[n] = n % N == 48 ? 0.2f : 0;
    }
    const found rill = run(scene(SEA, N, N, 400, 0.1, 0.06), 20);
    CHECK(rill.chatter == 0, "a rill: %g cells", rill.chatter);
    check_verdict("a rill", &rill, OTOK_STABLE);
    uint64_t state = 3;
    fill(water, 0);
    for (int n = 0; n < MOST; n++)
        ground[n] = 0.1f * (float)(n % N) + 0.3f * scene_random(&state);
    const found film = run(
        scene(
            "otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\nedges: {left: open}\nphases: [{name: a, "
            "iterations: 600, rain: {rate: 1e-5}, hydraulic: {dt: 0.1, pipes: signed, area: "
            "depth, capacity: 0, evaporation: 0, manning: 0.05}}]\n",
            N, N),
        50);
    CHECK(film.chatter == 0, "a film: %g cells", film.chatter);
    check_verdict("a film", &film, OTOK_STABLE);
    for (int n = 0; n < MOST; n++)
        ground[n] = 6 * (sinf(0.4f * (float)(n % N)) + sinf(0.3f * (float)(n / N)));
    const found drying = run(
        scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\nphases: [{name: a, iterations: 300, "
              "rain: {rate: 0.002}, hydraulic: {dt: 0.2, pipe_area: 1, capacity: 0}}, {name: b, "
              "iterations: 900, hydraulic: {dt: 0.2, pipe_area: 1, capacity: 0}}]\n",
              N, N),
        50);
    CHECK(drying.chatter < OTOK_CHATTER_CELLS, "lakes that dry: %g cells", drying.chatter);
}

/* ---- water that rolls ---- */

/* Uniform flow down a row of cells, 1 m deep, out of a river in its first cell. Without a river
   the water that is there runs off. */
static found plane(double froude, double seconds)
{
    enum { L = 5, CELLS = 800 };
    const double n = 0.03, u = froude * sqrt(9.81), slope = u * n * u * n;
    const double dt = 0.5 * L / sqrt(2 * 9.81);
    uint64_t state = 1;
    fill(ground, 0);
    for (int i = 0; i < CELLS; i++) {
        ground[i] = (float)(slope * L * (CELLS - i));
        water[i] = 1 + 0.0004f * (scene_random(&state) - 0.5f);
    }
    return run(scene("otok: 1\ngrid: {nx: %d, ny: 1, spacing: %d}\nedges: {right: open}\nphases: "
                     "[{name: a, iterations: %d, rivers: [{x: 2.5, y: 2.5, radius: 1, discharge: "
                     "%.9g}], hydraulic: {dt: %.6g, pipes: signed, area: depth, capacity: 0, "
                     "evaporation: 0, manning: %g}}]\n",
                     CELLS, L, (int)(seconds / dt), u * L, dt, n),
               40);
}

static void rolling(void)
{
    const found fast = plane(0.9, 700), slow = plane(0.57, 700);
    check_verdict("Froude 0.9", &fast, OTOK_ROLLING);
    CHECK(fast.diagnosis.cells > 0 && fast.diagnosis.share > OTOK_ROLL_BEYOND,
          "Froude 0.9: %lld cells, %g", (long long)fast.diagnosis.cells, fast.diagnosis.share);
    check_verdict("Froude 0.57", &slow, OTOK_STABLE);
    CHECK(slow.beyond < OTOK_ROLL_BEYOND, "Froude 0.57: %g beyond the limit", slow.beyond);
}

/* ---- ground that is ruined ---- */

/* Flat ground with every `apart`-th cell of every second row raised by `before`, then by `after`;
   apart 0: a single cell. Cells are 2 m. */
static found raised(float before, float after, int apart)
{
    enum { CELL = 20 * N + 30 };
    otok_scenario *s = scene(SEA, N, N, 1, 0.1, 0.03);
    otok_detector detector;
    otok_sample sample;
    otok_suspects where;
    otok_ledger ledger;
    otok_audit none = {.run = NULL};
    fill(water, 0);
    for (int turn = 0;; turn++) {
        fill(ground, 3);
        for (int n = 0; n < MOST; n++)
            if (apart ? n / N % 2 && n % N % apart == 0 : n == CELL)
                ground[n] += turn ? after : before;
        if (turn) break;
        otok_sim *sim = start(s);
        none.run = sim;
        MUST(otok_detector_create(&detector, sim, &none, 0));
    }
    MUST(otok_sim_set(detector.sim, OTOK_TERRAIN, ground));
    MUST(otok_detector_advance(&detector, 1, &sample, &where, &ledger));
    otok_judge judge = detector.judge;
    judge.audits = 0; /* what the sample alone shows */
    otok_judge_note(&judge, &sample, &where);
    const found f = {otok_judge_diagnosis(&judge, N), .peaks = sample.peaks,
                     .prominence = sample.prominence};
    if (f.diagnosis.verdict == OTOK_RUINED && !apart)
        CHECK(f.diagnosis.cell_x == CELL % N && f.diagnosis.cell_y == CELL / N &&
                  f.diagnosis.cells == 1,
              "tower: %lld cells, worst in (%lld, %lld)", (long long)f.diagnosis.cells,
              (long long)f.diagnosis.cell_x, (long long)f.diagnosis.cell_y);
    otok_sim *sim = detector.sim;
    otok_detector_destroy(&detector);
    scene_destroy(sim, s);
    return f;
}

static void ruined(void)
{
    static const struct {
        const char *name;
        float before, after;
        int apart;
        otok_verdict expected;
    } towers[] = {
        {"a tower of 2.1 m", 0, 2.1f, 0, OTOK_RUINED},
        {"a hole of 2.1 m", 0, -2.1f, 0, OTOK_RUINED},
        {"a tower of 1.9 m", 0, 1.9f, 0, OTOK_STABLE},
        {"a tower that was there", 2.1f, 4.1f, 0, OTOK_STABLE},
        {"a tower that grew", 2.1f, 4.3f, 0, OTOK_RUINED},
        {"peaks in 6 % of the cells", 0, 0.3f, 8, OTOK_RUINED}, /* 1 in 16 */
        {"low peaks", 0, 0.15f, 8, OTOK_STABLE},
        {"fewer peaks", 0, 0.3f, 12, OTOK_STABLE}, /* 1 in 24 */
        {"peaks that were there", 0.3f, 0.31f, 8, OTOK_STABLE},
    };
    for (size_t t = 0; t < sizeof towers / sizeof towers[0]; t++) {
        const found f = raised(towers[t].before, towers[t].after, towers[t].apart);
        check_verdict(towers[t].name, &f, towers[t].expected);
    }
}

/* A cone that slides by shares, below the limit of dt and far beyond it. */
static found cone(double dt)
{
    fill(water, 0);
    for (int n = 0; n < MOST; n++)
        ground[n] = fmaxf(0, 60 - 2.2f * hypotf((float)(n % N) - 48, (float)(n / N) - 48));
    return run(scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\nphases: [{name: a, "
                     "iterations: 300, thermal: {dt: %g, rate: 1, talus: 30}}]\n",
                     N, N, dt),
               50);
}

/* A rippled cone that slides for 336 s, ten times as steep as its talus. Its ground becomes 8 %
   rougher than with half the step, of which no window shows as much as the bound. */
static found ripples(double dt)
{
    for (int n = 0; n < MOST; n++) {
        const float x = (float)(n % N), y = (float)(n / N);
        ground[n] = fmaxf(0, 100 - 2.08f * hypotf(x - 47.5f, y - 47.5f)) +
                    0.05f * sinf(0.9f * x) * sinf(0.9f * y);
    }
    return run(scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\nedges: {left: periodic, right: "
                     "periodic, bottom: open, top: open}\nphases: [{name: a, iterations: %d, "
                     "thermal: {dt: %g, rate: 1, talus: 6}}]\n",
                     N, N, (int)lround(336 / dt), dt),
               200);
}

static void sliding_near_the_limit(void)
{
    const found near = ripples(0.24), half = ripples(0.12);
    const double counted = near.diagnosis.texture, apart = fabs(near.rough - half.rough);
    CHECK(apart > 0.05 * near.rough && counted > 1 && counted * OTOK_AUDIT_BROKEN < 1,
          "ripples: roughness %g and %g, a texture of %g of its bound", near.rough, half.rough,
          counted);
    check_verdict("ripples that slide in large steps", &near, OTOK_STEP_DEPENDENT);
    check_verdict("ripples that slide in half of these", &half, OTOK_STABLE);
}

static void sliding(void)
{
    audited = 1;
    const found far = cone(1.9), below = cone(0.24);
    check_verdict("sliding beyond its limit", &far, OTOK_RUINED);
    CHECK(below.diagnosis.verdict == OTOK_STEP_DEPENDENT && below.peaks <= 1 &&
              below.diagnosis.texture > 1,
          "sliding: %s, %g peaks, a texture of %g of its bound",
          otok_verdict_name(below.diagnosis.verdict), below.peaks, below.diagnosis.texture);
    const found fine = cone(0.02);
    check_verdict("sliding by small steps", &fine, OTOK_STABLE);
    CHECK(fine.diagnosis.texture > 0 && fine.diagnosis.texture < 1,
          "sliding by small steps: a texture of %g of its bound", fine.diagnosis.texture);
}

/* ---- the order, and the audit ---- */

static otok_verdict verdict_of(const otok_judge *start, const otok_sample *s)
{
    static const otok_suspects nowhere = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, {0, 0, 0, 0}};
    otok_judge j = *start;
    otok_judge_note(&j, s, &nowhere);
    return otok_judge_verdict(&j);
}

/* A sample with every sign; they are taken off one by one, the worst first. */
static void order(void)
{
    otok_judge j = {.spacing = 2, .cells = 1000, .until = 200, .rough_start = 0.1};
    otok_sample s = {.iteration = 100,
                     .not_finite = 1,
                     .wet = 1000,
                     .fast = 0.5,
                     .depth = 1,
                     .chatter = 50,
                     .beyond = 0.51,
                     .rolling = 0.21,
                     .peaks = 1,
                     .prominence = 2.1,
                     .ground_roughness = 0.3,
                     .water_error = 0.01};
    j.windows[0] = (otok_window){.weight = 10};
    j.windows[1] = (otok_window){.weight = 90, .flow = 1, .flow_apart = 0.11, .flow_more = -0.0051};
    j.audited = 2;
    CHECK(verdict_of(&j, &s) == OTOK_DIVERGED, "first");
    s.not_finite = 0;
    CHECK(verdict_of(&j, &s) == OTOK_RUINED, "second");
    s.prominence = 1.9;
    CHECK(verdict_of(&j, &s) == OTOK_ROLLING, "third");
    s.chatter = 101; /* too many cells flip for waves that roll */
    CHECK(verdict_of(&j, &s) == OTOK_CHATTERING, "chattering, not rolling");
    s.chatter = 50;
    s.rolling = 0.19;
    CHECK(verdict_of(&j, &s) == OTOK_CHATTERING, "fourth");
    s.chatter = 3;
    CHECK(verdict_of(&j, &s) == OTOK_NON_CONSERVATIVE, "fifth");
    s.water_error = 1e-4;
    CHECK(verdict_of(&j, &s) == OTOK_SPEED_LIMITED, "sixth");
    s.fast = 0.05;
    CHECK(verdict_of(&j, &s) == OTOK_STEP_DEPENDENT, "seventh");
    j.windows[1].flow_more = 0.0049;
    j.rough_middle = 0.2;
    s.iteration = 200;
    CHECK(verdict_of(&j, &s) == OTOK_GROWING, "eighth");
    j.prominence_start = 0.3; /* walls, such as the rim of a reef: no cell stands out more */
    s.prominence = 0.4;
    CHECK(verdict_of(&j, &s) == OTOK_GROWING, "walls beside water");
    s.wet = 0;
    CHECK(verdict_of(&j, &s) != OTOK_GROWING, "walls without water");
    s.prominence = 0.61;
    CHECK(verdict_of(&j, &s) == OTOK_GROWING, "cells that stand out, without water");
    s.wet = 1000;
    s.ground_roughness = 0.15;
    CHECK(verdict_of(&j, &s) == OTOK_STABLE, "ninth");
    j.windows[0].moved = j.windows[1].moved = 1;
    j.windows[1].moved_apart = 0.045;
    CHECK(verdict_of(&j, &s) == OTOK_STEP_DEPENDENT, "the ground differs");
    j.audited = 0;
    CHECK(verdict_of(&j, &s) == OTOK_STABLE, "not audited");
    j.changed = 1;
    j.lowered_apart = -0.016;
    CHECK(verdict_of(&j, &s) == OTOK_STEP_DEPENDENT, "slides lower the ground otherwise");
    j.lowered_apart = 0.014;
    CHECK(verdict_of(&j, &s) == OTOK_STABLE, "slides lower the ground alike");
    j.rough_apart = 0.041;
    CHECK(verdict_of(&j, &s) == OTOK_STEP_DEPENDENT, "slides leave another texture");
    j.rough_apart = 0.039;
    CHECK(verdict_of(&j, &s) == OTOK_STABLE, "slides leave the same texture");
}

int main(int argc, char **argv)
{
    backend = CHECK_BACKEND(argc, argv)->name;
    ruined();
    order();
    if (argc > 2) return check_failures != 0; /* the rest takes long on an emulated GPU */
    chattering();
    not_chattering();
    rolling();
    sliding();
    sliding_near_the_limit();
    return check_failures != 0;
}
