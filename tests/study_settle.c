/* study_settle.c - claim: a member whose audit leaves doubt runs again with half the step, and then
   has the verdict of the whole run: water that drains from an island, whose windows agree, leaves
   another amount of sediment; a river that has just begun, whose windows differ, ends the same. The
   change is that of a run whose file has half the step; with `all`, members run once more with
   their processes in reverse order; a response of the user and the form of a reef count, too; if
   there are responses of the user, a member whose greatest depth swings is in doubt.
   Members without doubt, without an audit, or whose iterations cannot be split do not run again;
   `half_step` chooses none, or all that can. */
#include "sim/twin.h"
#include "study_member.h"

#include <math.h>

#define DELUGE(dt, iterations, dissolve, deposit)                                                  \
    "otok: 1\nseed: 1292912487\ngrid: {nx: 24, ny: 24, spacing: 17.3956104444}\nedges: {right: "   \
    "open, top: open}\nbase: [{cone: {height: 214.947932023, radius: 208.747325333}}, {simplex: "  \
    "{octaves: 2, wavelength: 239.591003652, amplitude: 0.393019612221, combine: "                 \
    "add}}]\ninitial: "                                                                            \
    "{water: 23.9567699171}\nphases: [{name: a, iterations: " iterations ", rain: {rate: "         \
    "18.1260294061}, hydraulic: {pipes: signed, area: depth, friction: axis, damping: courant, "   \
    "slope: downhill, gravity: 3.01736658215334, evaporation: 0, dt: " dt ", manning: "            \
    "0.0533924290389, rates: per_iteration, capacity_law: speed, min_tilt: 0.10058853272437002, "  \
    "capacity: 0.0633468341821, dissolve: " dissolve ", deposit: " deposit "}}]\n"
#define WHOLE DELUGE("0.1", "210", "0.04", "0.002")
/* 1 - (1 - k)^(1/2) */
#define HALF DELUGE("0.05", "420", "0.02020410288672876", "0.0010005003753127737")
#define RIVER(more)                                                                                \
    "otok: 1\n" more                                                                               \
    "grid: {nx: 24, ny: 24, spacing: 12}\nedges: {left: open}\nbase: [{cone: {height: 140, "       \
    "radius: 290, x: 280, power: 1}}]\nphases: [{name: a, iterations: 24, rivers: [{x: 174, y: "   \
    "122, radius: 23, discharge: 1.2}], hydraulic: {law: local_inertia, dt: 1.5, courant: 0}}]\n"
#define CREEP                                                                                      \
    "otok: 1\ngrid: {nx: 24, ny: 24, spacing: 2}\nbase: [{simplex: {octaves: 2, wavelength: 24, "  \
    "amplitude: 4}}]\nphases: [{name: a, iterations: 400, creep: {dt: 1, diffusivity: 0.001}}]\n"
#define SLIDES                                                                                     \
    "otok: 1\ngrid: {nx: 24, ny: 24, spacing: 2}\nbase: [{simplex: {octaves: 2, wavelength: 24, "  \
    "amplitude: 4}}]\nphases: [{name: a, iterations: 400, thermal: {dt: 1, rate: 0.01, talus: "    \
    "10, "                                                                                         \
    "law: excess}, creep: {dt: 1, diffusivity: 0.001}}]\n"
#define DROPS(batch)                                                                               \
    "otok: 1\ngrid: {nx: 24, ny: 24, spacing: 2}\nbase: [{cone: {height: 9, radius: 30}}]\n"       \
    "phases: [{name: a, droplets: {count: 56, batch: " batch "}}]\n"

#define PLAIN(more, dt, iterations)                                                                \
    "otok: 1\n" more "seed: 3\ngrid: {nx: 24, ny: 24, spacing: 250}\nedges: {left: open, right: "  \
    "open, bottom: open, top: open}\nbase: [{simplex: {octaves: 4, amplitude: 1, wavelength: "     \
    "1000}}]\nphases: [{name: a, iterations: " iterations ", uplift: {dt: " dt " yr, rate: 0.2 "   \
    "mm/yr}, incision: {erodibility: 3e-5 yr-1, m: 0.45}}]\n"

/* Slides into a sea whose bed is swept; and slides of ground that stands high. */
#define SWEPT(sweeps, dt, iterations)                                                              \
    "otok: 1\nsea: {level: 0}\ngrid: {nx: 24, ny: 24, spacing: 2}\nbase: [{simplex: {octaves: 2, " \
    "wavelength: 24, amplitude: 4}}]\nphases: [{name: a, iterations: " iterations                  \
    ", thermal: {dt: " dt ", rate: 0.2, talus: 10, law: excess}, seabed: {sweeps: " sweeps "}}]\n"
/* Still water, which moves no ground beside the sweeps if it has no capacity. */
#define STILL(capacity)                                                                            \
    "otok: 1\nsea: {level: 0}\ngrid: {nx: 24, ny: 24, spacing: 2}\nbase: [{constant: {height: "    \
    "-5}}]\ninitial: {water: 1}\nphases: [{name: a, iterations: 400, seabed: {sweeps: 2}, "        \
    "hydraulic: {law: local_inertia, dt: 0.1, courant: 0, capacity: " capacity "}}]\n"
#define HIGH(lift)                                                                                 \
    "otok: 1\nseed: 2\ngrid: {nx: 32, ny: 32, spacing: 11.72055122}\nbase: [{constant: "           \
    "{height: 94.08750092, combine: add, mask: [{raster: {file: plane.asc, fit: stretch}}]}}, "    \
    "{simplex: {octaves: 2, wavelength: 162.2475003, amplitude: 1.271905292, combine: add}}]\n"    \
    "phases: [{name: lift, iterations: 10, uplift: {dt: 1e6, rate: " lift "}}, {name: a, "         \
    "iterations: 620, thermal: {dt: 0.004805664116, diffusivity: 199.1964276, talus: "             \
    "4, law: share, diagonal: one}}]\n"

/* Slides on ground that was lifted by 180 m leave a roughness of 0.3 mm: rounding. */
#define RESIDUE                                                                                    \
    "otok: 1\nseed: 315472494\ngrid: {nx: 64, ny: 64, spacing: 3.357328773}\nedges: {left: "       \
    "periodic, right: periodic, top: open}\nbase: [{constant: {height: 2.41788358, combine: add, " \
    "mask: [{raster: {file: plane.asc, fit: stretch}}]}}, {simplex: {octaves: 2, wavelength: "     \
    "28.74354925, amplitude: 0.02532709103, combine: add}}]\nphases: [{name: lift, iterations: "   \
    "10, uplift: {dt: 1000000, rate: 1.794687419e-05}}, {name: p, iterations: 1070, thermal: "     \
    "{law: excess, diagonal: sqrt2, dt: 0.06520271258, talus: 0.3731094289, diffusivity: "         \
    "2.873869925}}]\n"

/* A reef that has filled its sea: rain stands on it as a film, and 3 % of it runs off. Beside that
   little, the 0.15 % by which windows differ are much. */
#define FILM                                                                                       \
    "otok: 1\nseed: 704301813\ngrid: {nx: 64, ny: 64, spacing: 0.7890284932}\nedges: {right: "     \
    "open, "                                                                                       \
    "bottom: open, top: open}\nsea: {level: 3.005644205}\nbase: [{cone: {height: 4.165906124, "    \
    "radius: 25.24891178}}, {simplex: {octaves: 2, wavelength: 8.992013974, amplitude: "           \
    "0.02076531455, combine: add}}]\nphases: [{name: p, hydraulic: {gravity: 1.1121813814038157, " \
    "area: depth, pipes: signed, friction: axis, dry_depth: 4.064108934781635e-06, min_tilt: "     \
    "7.2349260294651705, transport: semi_lagrangian, slope: downhill, dt: 0.06564042263, "         \
    "manning: 0.07356348447, evaporation: 0.002767648591, capacity: 0.4081230909, dissolve: "      \
    "0.4012109918, deposit: 34.06673591, diffusivity: 0.04002514188}, rain: {rate: "               \
    "0.0002147991739}, reef: {carbon: 0.3292606661, calcification: 1.950886602, uptake: "          \
    "0.04470919161, dt: 0.06564042263, absorption: 0.06829324945, min_depth: 0.08830965895}, "     \
    "mix_reef_and_erosion: true, iterations: 740}]\n"

/* Published pipes, whose suspended load is 0.7 % of what has moved and grows as the step falls. */
#define LOAD                                                                                       \
    "otok: 1\nseed: 1539953503\ngrid: {nx: 64, ny: 64, spacing: 1.307516994}\nbase: [{constant: "  \
    "{height: 4.041694098, combine: add, mask: [{raster: {file: plane.asc, fit: stretch}}]}}, "    \
    "{simplex: {octaves: 2, wavelength: 11.86469866, amplitude: 0.01073709036, combine: "          \
    "add}}]\ninitial: {water: 0.2708331791}\nphases: [{name: p, hydraulic: {gravity: "             \
    "6.389588968625257, area: constant, pipes: signed, friction: axis, dry_depth: "                \
    "1.3838215548229041e-05, capacity_law: speed_depth, rates: per_iteration, min_tilt: "          \
    "2.586202812319967, transport: conservative, slope: downhill, dt: 0.02037599615, manning: 0, " \
    "pipe_area: 3.509411663, evaporation: 4.802908736e-05, capacity: 0.0005696919425, dissolve: "  \
    "0.6184309007, deposit: 0.0009439035589, diffusivity: 3.480827017}, thermal: {law: excess, "   \
    "diagonal: one, dt: 0.0188257219, talus: 2.260955999, rate: 0.5031828216}, iterations: "       \
    "1150}]\n"

/* Sheets of water on a slope that pulse at this step, and not at half of it: their volumes agree,
   and windows in every part of the run leave no other doubt. */
#define PULSES(more)                                                                               \
    "otok: 1\naudit: [0, 0.02, 0.06, 0.25, 0.5]\n" more                                            \
    "seed: 1519098596\ngrid: {nx: 64, ny: 64, spacing: 7.190645448}\nedges: {bottom: open, top: "  \
    "open}\nbase: [{constant: {height: 44.36213631, combine: add, mask: [{raster: {file: "         \
    "plane.asc, fit: stretch}}]}}, {simplex: {octaves: 2, wavelength: 65.72139786, amplitude: "    \
    "0.3996417049, combine: add}}]\nphases: [{name: a, iterations: 740, rain: {rate: "             \
    "0.0006561643048}, hydraulic: {dt: 1.610769546, gravity: 4.48515630867652, area: depth, "      \
    "pipes: signed, friction: axis, manning: 0.03083624656, dry_depth: 6.0612178281106514e-05, "   \
    "evaporation: 0, capacity: 0}}]\n"

/* Two springs in one cell. */
#define SPRINGS(more, dt, iterations)                                                              \
    "otok: 1\n" more                                                                               \
    "grid: {nx: 24, ny: 24, spacing: 2}\nedges: {left: open}\nbase: [{cone: {height: 2, radius: "  \
    "30}}]\nphases: [{name: a, iterations: " iterations ", rivers: [{x: 19, y: 19, discharge: "    \
    "2.6}, {x: 19, y: 19, discharge: 2.6}], hydraulic: {law: shallow_water, dt: " dt               \
    ", manning: 0.2, capacity: 0}}]\n"

static const char *backend;

static otok_result run(const char *scenario, const char *half_step)
{
    char text[512];
    snprintf(text, sizeof text,
             "study: 1\nscenario: base.yaml\ndesign: {kind: grid}\nvary: {title: {values: [x]}}\n"
             "monitor: {every: 10%s%s}\n",
             *half_step ? ", half_step: " : "", half_step);
    const otok_result r = run_member(scenario, text, backend);
    if (getenv("OTOK_TEST_SHOW"))
        printf("%s %s: doubt %g, %g of %s; %s\n", half_step,
               otok_verdict_name((otok_verdict)r.verdict), r.doubt, r.changed, r.most, r.cause);
    return r;
}

static otok_result expect(const char *name, const char *scenario, const char *half_step,
                          otok_verdict verdict, int again)
{
    const otok_result r = run(scenario, half_step);
    CHECK(r.verdict == (int64_t)verdict, "%s, %s: %s, not %s: doubt %g, changed %g", name,
          half_step, otok_verdict_name((otok_verdict)r.verdict), otok_verdict_name(verdict),
          r.doubt, r.changed);
    CHECK(isfinite(r.changed) == again && !*r.most == !again, "%s, %s: doubt %g, changed %g of %s",
          name, half_step, r.doubt, r.changed, r.most);
    return r;
}

/* The change is that of the run whose file has half the step. */
static void check_change(void)
{
    int entry = 0;
    while (strcmp(otok_ledger_at(entry)->name, "sediment_out") != 0)
        entry++;
    const otok_result a = expect("deluge", WHOLE, "never", OTOK_STABLE, 0), b = run(HALF, "never"),
                      r = expect("deluge", WHOLE, "", OTOK_STEP_DEPENDENT, 1);
    const double whole = a.ledger[entry], half = b.ledger[entry];
    CHECK(strcmp(r.most, "sediment out") == 0 && r.changed > 0.1, "deluge: %g of %s", r.changed,
          r.most);
    CHECK(fabs(r.changed - fabs(whole - half) / fmax(fabs(whole), fabs(half))) <
              1e-8, /* the file rounds the shares */
          "deluge: changed %.17g, but %.17g and %.17g", r.changed, whole, half);
    CHECK(r.fingerprint == a.fingerprint && r.iterations == a.iterations &&
              r.nsamples == a.nsamples && r.doubt <= a.doubt && r.doubt >= a.doubt &&
              memcmp(r.ledger, a.ledger, sizeof r.ledger) == 0,
          "deluge: the result is that of another run");
}

/* A form, and flooded area of more than a few cells. */
static void check_form(void)
{
    const otok_study study = {.nresponses = 0};
    const otok_sample last = {.highest = 1};
    otok_result half = {.island = {.form = OTOK_FRINGING, .shares = {[OTOK_FRINGING] = 1}}},
                r = half;
    const otok_run_end own = {&r, &last, NULL}, other = {&half, &last, NULL};
    r.allowed = OTOK_DOUBT_CHANGE;
    otok_member_compare(&r, OTOK_AGAIN_HALVED, &own, &other, &study, (otok_grid){4, 4, 1});
    CHECK(r.verdict == OTOK_STABLE && r.changed == 0, "one form: %g of %s", r.changed, r.most);
    r.island.shares[OTOK_FRINGING] = 0.7;
    half.island.shares[OTOK_FRINGING] = 0.6;
    r.island.shares[OTOK_BARRIER] = 0.3;
    half.island.shares[OTOK_BARRIER] = 0.4;
    otok_member_compare(&r, OTOK_AGAIN_HALVED, &own, &other, &study, (otok_grid){4, 4, 1});
    CHECK(r.verdict == OTOK_STEP_DEPENDENT && strcmp(r.most, "form") == 0,
          "half of the lead is gone: %g of %s", r.changed, r.most);
    half.island.shares[OTOK_FRINGING] = 0.65;
    half.island.shares[OTOK_BARRIER] = 0.35;
    otok_member_compare(&r, OTOK_AGAIN_HALVED, &own, &other, &study, (otok_grid){4, 4, 1});
    CHECK(r.verdict == OTOK_STABLE, "a quarter of it is gone: %g of %s", r.changed, r.most);
    r.island.shares[OTOK_BARRIER] = r.island.shares[OTOK_FRINGING] - 1.0 / 64;
    half.island = r.island;
    otok_member_compare(&r, OTOK_AGAIN_HALVED, &own, &other, &study, (otok_grid){4, 4, 1});
    CHECK(r.verdict == OTOK_STEP_DEPENDENT && strcmp(r.most, "form") == 0,
          "a lead of one azimuth: %g of %s", r.changed, r.most);
    half.island.form = OTOK_ATOLL;
    otok_member_compare(&r, OTOK_AGAIN_HALVED, &own, &other, &study, (otok_grid){4, 4, 1});
    CHECK(r.verdict == OTOK_STEP_DEPENDENT && strcmp(r.most, "form") == 0, "another form: %g of %s",
          r.changed, r.most);
    r.island.shares[OTOK_BARRIER] = 0;
    half = r;
    r.responses[4] = 4 * 33; /* m2, of cells of 2 m */
    half.responses[4] = 4 * 30;
    otok_member_compare(&r, OTOK_AGAIN_HALVED, &own, &other, &study, (otok_grid){8, 8, 2});
    CHECK(r.verdict == OTOK_STABLE && r.changed == 0, "few cells: %g of %s", r.changed, r.most);
    r.responses[4] = 4 * 40;
    otok_member_compare(&r, OTOK_AGAIN_HALVED, &own, &other, &study, (otok_grid){8, 8, 2});
    CHECK(r.verdict == OTOK_STEP_DEPENDENT && strcmp(r.most, "flooded") == 0 &&
              fabs(r.changed - 0.25) < 1e-12,
          "flooded: %g of %s", r.changed, r.most);
    r.verdict = OTOK_STABLE;
    half.responses[4] = 4 * 20;
    otok_member_compare(&r, OTOK_AGAIN_REVERSED, &own, &other, &study, (otok_grid){8, 8, 2});
    CHECK(r.verdict == OTOK_STABLE && strcmp(r.most_reversed, "flooded") == 0 &&
              fabs(r.reversed - 0.5) < 1e-12 && fabs(r.changed - 0.25) < 1e-12,
          "flooded, reversed: %g of %s, halved: %g", r.reversed, r.most_reversed, r.changed);
}

static void write_plane(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) exit(1);
    fprintf(file, "ncols 2\nnrows 128\nxllcorner 0\nyllcorner 0\ncellsize 1\n");
    for (int row = 127; row >= 0; row--)
        fprintf(file, "%.9g %.9g\n", row / 127.0, row / 127.0);
    if (fclose(file) != 0) exit(1);
}

static void check_swings(void)
{
    expect("pulses", PULSES(""), "", OTOK_STABLE, 0);
    const otok_result r =
        expect("pulses", PULSES("responses: {deepest: max(water)}\n"), "", OTOK_STEP_DEPENDENT, 1);
    CHECK(strcmp(r.most, "deepest") == 0 && r.doubt <= OTOK_DOUBT_LEAST && r.changed > 0.1,
          "pulses: %g of %s, doubt %g", r.changed, r.most, r.doubt);
}

/* The depth of a spring's cell grows as the step falls, by the water of an iteration at most. */
static void check_springs(void)
{
#define DEEPEST "responses: {deepest: max(water)}\n"
    const otok_result r = expect("springs", SPRINGS(DEEPEST, "0.6", "200"), "", OTOK_STEP_DEPENDENT,
                                 1),
                      fine = run(SPRINGS(DEEPEST, "0.0375", "3200"), "never");
    CHECK(r.fed > 0.1 && fine.fed < 0.2 * r.fed && fine.own[0] > 1.05 * r.own[0] &&
              fine.own[0] < r.own[0] / (1 - r.fed),
          "springs: %g deep, and a share of %g in an iteration; at a sixteenth %g and %g", r.own[0],
          r.fed, fine.own[0], fine.fed);
    const otok_result all =
        expect("springs", SPRINGS("responses: {all: sum(water) * l^2}\n", "0.6", "200"), "",
               OTOK_STABLE, 1);
    CHECK(all.fed < 0.01, "springs: a response that is no depth");
    CHECK(all.doubt > OTOK_DOUBT_LEAST && all.doubt < OTOK_DOUBT_FLOWS, "springs: doubt %g",
          all.doubt);
    expect("springs, no response", SPRINGS("", "0.6", "200"), "", OTOK_STABLE, 0);
}

/* Four sweeps become one, so that those of the seabed beside slides are compared with a quarter of
   the step. Ground that rounding makes or loses leaves doubt, and so does outflow that is little
   beside what stands; a little load may double; and what rounding alone makes rough is no result.
 */
static void check_open(void)
{
    const otok_result r = run(SWEPT("4", "0.4", "100"), ""),
                      fine = run(SWEPT("1", "0.1", "400"), "never"),
                      odd = run(SWEPT("1", "0.4", "100"), "");
    const double whole = r.responses[0], quarter = fine.responses[0];
    CHECK(isfinite(r.changed) && isnan(odd.changed), "sweeps: %g of %s, odd ones: %g", r.changed,
          r.most, odd.changed);
    CHECK(strcmp(r.most, "eroded") == 0 &&
              fabs(r.changed - fabs(whole - quarter) / fmax(whole, quarter)) < 1e-12,
          "sweeps: %g of %s, but %g and %g", r.changed, r.most, whole, quarter);
    expect("still water", STILL("0"), "", OTOK_STABLE, 0);
    CHECK(isfinite(run(STILL("1"), "").changed), "still water that may erode");
    expect("low", HIGH("1e-9"), "", OTOK_STABLE, 0);
    const otok_result high = run(HIGH("0.0002186667778"), "");
    CHECK(high.doubt <= OTOK_DOUBT_LEAST && isfinite(high.changed), "high ground: doubt %g",
          high.doubt);
    const otok_result residue = expect("a residue", RESIDUE, "all", OTOK_STABLE, 1);
    CHECK(strcmp(residue.most, "ground roughness") != 0, "a residue: %g of %s", residue.changed,
          residue.most);
    const otok_result film = expect("a film", FILM, "", OTOK_STEP_DEPENDENT, 1);
    CHECK(strcmp(film.most, "outflow") == 0 && film.changed > 0.05 &&
              film.doubt <= OTOK_DOUBT_LEAST && film.audit_speed < 0.1 * OTOK_AUDIT_SPEED,
          "a film: %g of %s, windows %g", film.changed, film.most, film.audit_speed);
    const otok_result load = expect("a load", LOAD, "", OTOK_STEP_DEPENDENT, 1);
    CHECK(strcmp(load.most, "suspended") == 0 && load.changed > 0.1, "a load: %g of %s",
          load.changed, load.most);
    const otok_judge kept = {.broken = 0.9}, broken = {.broken = 1.1};
    CHECK(otok_judge_change(&broken) < otok_judge_change(&kept), "beyond a limit: %g, %g",
          otok_judge_change(&broken), otok_judge_change(&kept));
}

/* Rivers that lie elsewhere count, though relief and volumes agree; one map of them compared with
   another; a cell has a river if one of its finer cells has. */
static void check_rivers(void)
{
    otok_result r = expect("long steps", PLAIN("", "25000", "48"), "", OTOK_STEP_DEPENDENT, 1);
    CHECK(strcmp(r.most, "rivers") == 0 && r.rivers > 0.1 && r.changed <= r.rivers &&
              r.changed >= r.rivers,
          "long steps: %g of %s, rivers %g, doubt %g", r.changed, r.most, r.rivers, r.doubt);
    r = expect("short steps", PLAIN("", "25", "1600"), "", OTOK_STABLE, 1);
    CHECK(r.rivers < OTOK_DOUBT_CHANGE, "short steps: rivers %g", r.rivers);
    expect("long steps", PLAIN("", "25000", "48"), "never", OTOK_STABLE, 0);
    expect("long steps", PLAIN("audit: off\n", "25000", "48"), "", OTOK_STABLE, 0);

    enum { N = 8 };
    const otok_grid g = {N, N, 2};
    unsigned char one[N * N], other[N * N];
    float areas[4 * N * N] = {0};
    for (int n = 0; n < 40; n++)
        areas[n] = (float)(17 * 4);
    for (int n = 40; n < 64; n++)
        areas[n] = (float)(16 * 4);
    otok_twin_mark_rivers(one, areas, g, 0);
    memset(areas, 0, sizeof areas);
    for (int n = 2; n < 12; n += 2) /* rows of 16 finer cells */
        areas[n * 2 * N + 2 * N - 1 - n] = 70;
    otok_twin_mark_rivers(other, areas, g, 1);
    int found = 0;
    for (int n = 0; n < N * N; n++)
        found += other[n];
    CHECK(found == 5 && other[N + 6] && other[5 * N + 2], "%d cells with finer rivers", found);
    const double apart = otok_twin_rivers_apart(one, other, g); /* cells 14, 21, 28, 35 are both */
    CHECK(apart == 36.0 / 40 && otok_twin_rivers_apart(other, other, g) == 0 &&
              otok_twin_rivers_apart(one, one, g) == 0,
          "rivers apart: %g", apart);
}

int main(int argc, char **argv)
{
    backend = CHECK_BACKEND(argc, argv)->name;
    char path[sizeof file_folder + 16];
    file_create();
    snprintf(path, sizeof path, "%s/plane.asc", file_folder);
    write_plane(path);
    check_change();
    otok_result r = expect("river", RIVER(""), "never", OTOK_STEP_DEPENDENT, 0);
    CHECK(r.doubt > 1 && r.doubt < OTOK_DOUBT_MOST, "river: doubt %g", r.doubt);
    r = expect("river", RIVER(""), "", OTOK_STABLE, 1);
    CHECK(r.changed < 0.01, "river: %g of %s", r.changed, r.most);
    r = expect("its front", RIVER("responses: {tail: sum(water * (x < 110)) * l^2}\n"), "",
               OTOK_STEP_DEPENDENT, 1);
    CHECK(strcmp(r.most, "tail") == 0 && r.changed > 0.1, "its front: %g of %s", r.changed, r.most);
    check_form();
    check_swings();
    check_springs();
    check_open();
    check_rivers();
    r = expect("creep", CREEP, "", OTOK_STABLE, 0);
    CHECK(r.doubt < OTOK_DOUBT_LEAST, "creep: doubt %g", r.doubt);
    r = expect("creep", CREEP, "all", OTOK_STABLE, 1);
    CHECK(isnan(r.reversed) && !*r.most_reversed, "creep alone: %g", r.reversed);
    r = expect("creep and slides", SLIDES, "all", OTOK_STABLE, 1);
    const double reversed = r.reversed;
    CHECK(reversed > 1e-6 && reversed < 1 && *r.most_reversed, "creep and slides: %g of %s",
          r.reversed, r.most_reversed);
    r = expect("creep and slides", SLIDES, "never", OTOK_STABLE, 0);
    CHECK(isnan(r.reversed), "creep and slides: %g", r.reversed);
    expect("not audited", RIVER("audit: off\n"), "", OTOK_STABLE, 0);
    expect("not audited", RIVER("audit: off\n"), "all", OTOK_STABLE, 1);
    expect("droplets", DROPS("8"), "all", OTOK_STABLE, 1);
    expect("odd droplets", DROPS("7"), "all", OTOK_NOT_AUDITED, 0);
    unlink(path);
    unlink(base_path);
    file_remove();
    return check_failures != 0;
}
