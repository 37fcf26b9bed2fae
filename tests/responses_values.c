/* responses_values.c - claim: an expression over the maps of a state has the value of a loop over
   the cells that its text describes: operators and their order, functions, reducers, derived
   fields, walls, periodic sides; a field that is not finite gives NaN; on every backend and with
   bands, the same bits; and a text that cannot be meant is refused with its column and the nearest
   name. */
#include "core/directions.h"
#include "scene.h"
#include "sim/expressions.h"
#include "sim/sim.h"

#include <math.h>
#include <stdlib.h>

enum { NX = 300, NY = 7, CELLS = NX * NY }; /* wider than a block of the evaluation */
static float ground[CELLS], water[CELLS];
static otok_sim *sim;

static double value(const char *text)
{
    double out = -77;
    CHECK(otok_sim_response(sim, text, &out) == OTOK_OK, "%s: %s", text, otok_why());
    return out;
}

static void is(const char *text, double expected)
{
    const double found = value(text);
    CHECK(found == expected || (isnan(found) && isnan(expected) && !signbit(found)),
          "%s: %.17g, not %.17g", text, found, expected);
}

static void is_near(const char *text, double expected)
{
    const double found = value(text);
    CHECK(fabs(found - expected) <= 1e-6 * fabs(expected), "%s: %.17g, not %.17g", text, found,
          expected);
}

static int ascending(const void *a, const void *b)
{
    const float p = *(const float *)a, q = *(const float *)b;
    return (p > q) - (p < q);
}

/* numpy's linear quantile of the ground. */
static double quantile(double share)
{
    static float sorted[CELLS];
    memcpy(sorted, ground, sizeof sorted);
    qsort(sorted, CELLS, sizeof *sorted, ascending);
    const double place = share * (CELLS - 1);
    const int k = (int)place, next = k + 1 < CELLS ? k + 1 : k;
    return (double)sorted[k] + (place - k) * ((double)sorted[next] - (double)sorted[k]);
}

static void check_arithmetic(void)
{
    is("1 + 2 * 3 - 4 / 2", 5);
    is("-2 ^ 2 + 2 ^ 3 ^ 0", -2);
    is("2 ^ -2", 0.25);
    is("1 / 0", INFINITY);
    is("quantile(1 / (x * 0), 0.5)", NAN);
    is("-0 / 0", NAN);
    is("(1 + 2) * 3 == 9 && !(2 > 3) || 0", 1);
    is("if(2 >= 2, 5, 6) + if(2 != 2, 5, 6) + if(0 || 0 && 1, 1, 0)", 11);
    is("min(3, 1 + 1) + max(3, 4) + abs(-1.5e1) + sqrt(16)", 25);
    is_near("log(exp(2)) + 4 ^ 0.5", 4);
    is("0 / 0", NAN);
    is("min(0 / 0, 1)", NAN);
    is("l", 2);
}

static void check_reducers(void)
{
    double sum = 0, wet = 0, low = INFINITY, high = -INFINITY, weighted = 0, above = 0;
    for (int i = 0; i < CELLS; i++) {
        const double h = (double)ground[i], d = (double)water[i];
        sum += d;
        wet += d > 0.5;
        low = fmin(low, h);
        high = fmax(high, h);
        weighted += (i % NX + 0.5) * 2 * (i / NX + 0.5) * 2;
    }
    is("area(water > 0.5)", 4 * wet);
    is("area(1)", 4.0 * CELLS);
    is("mean(water > 0.5)", wet / CELLS);
    is_near("sum(water)", sum);
    is_near("sum(water) / mean(water)", CELLS);
    is("max(terrain) - min(terrain)", high - low);
    is_near("sum(x * y)", weighted);
    is("quantile(terrain, 0.99) - quantile(terrain, 0)", quantile(0.99) - low);
    is("quantile(terrain, 0.5)", quantile(0.5));
    is("quantile(terrain, 1)", high);
    for (int i = 0; i < CELLS; i++) /* a reducer within a reducer */
        above += (double)ground[i] > (low + high) / 2;
    is("area(terrain > (min(terrain) + max(terrain)) / 2)", 4 * above);
    is("mean(if(water > 2, terrain, 0 / 0))", NAN);
    is("area(if(water > 2, 1, 0 / 0))", 0);
    is("mean(drainage_area * 0)", 0);
    is_near("mean((water_surface - terrain) - water) + 1", 1);
}

/* A slope to the north, 0 = 360 degrees, with a ripple across; then with its west half to the east.
 */
static void check_directions(void)
{
    static float map[CELLS];
    double east = 0, north = 0, low = 400, high = -1;
    for (int i = 0; i < CELLS; i++)
        map[i] = (float)(30 - 2 * (i / NX) + 0.4 * sin(i % NX));
    const otok_snapshot state = {.grid = sim->scenario->grid,
                                 .scenario = (char *)otok_scenario_text(sim->scenario),
                                 .maps[OTOK_TERRAIN] = map};
    const otok_derived_from from = {.scenario = state.scenario, .maps[OTOK_TERRAIN] = map};
    const otok_response of[] = {{"all", "mean(aspect)"},
                                {"part", "mean(if(slope > 0, aspect, 0 / 0))"},
                                {"none", "mean(if(slope > 99, aspect, 0 / 0))"},
                                {"off", "area(min(aspect, 360 - aspect) > 90)"},
                                {"south", "mean(abs(aspect - 180))"}};
    static float aspect[CELLS];
    MUST(otok_derive(otok_derived_find("aspect"), &from, aspect));
    for (int i = 0; i < CELLS; i++) {
        east += sin((double)aspect[i] * M_PI / 180), north += cos((double)aspect[i] * M_PI / 180);
        low = fmin(low, (double)aspect[i]), high = fmax(high, (double)aspect[i]);
    }
    const double wanted = remainder(atan2(east, north) * 180 / M_PI, 360);
    CHECK(low < 20 && high > 340 && fabs(wanted) < 5, "%g to %g, mean %g", low, high, wanted);
    double got[5];
    MUST(otok_responses_of_snapshot(got, of, 5, &state));
    CHECK(fabs(remainder(got[0] - wanted, 360)) < 1e-9 && got[0] >= 0 && got[0] < 360,
          "mean(aspect) %.12g, not %.12g", got[0], wanted);
    CHECK(got[0] == got[1] && isnan(got[2]) && got[3] == 0 && got[4] > 160,
          "of a part: %.17g and %.17g; of none %g; away from north %g; from south %g", got[0],
          got[1], got[2], got[3], got[4]);
    for (double turn = -725; turn < 725; turn += 0.37) { /* sums, and each direction itself */
        const otok_arrow a = otok_arrow_of(turn);
        const double back = otok_direction_of((otok_arrow){3 * a.east, 3 * a.north}, 3);
        CHECK(fabs(a.east - sin(turn * M_PI / 180)) < 1e-14 &&
                  fabs(a.north - cos(turn * M_PI / 180)) < 1e-14 &&
                  fabs(remainder(back - turn, 360)) < 1e-11 && back >= 0 && back < 360,
              "%.17g: %.17g %.17g, %.17g", turn, a.east, a.north, back);
    }
    CHECK(isnan(otok_direction_of((otok_arrow){0, 1e-12}, 2)), "arrows that cancel out");
    CHECK(isnan(otok_arrow_of(NAN).east), "no direction");
}

/* Two bars that touch over the periodic sides, a dot whose corner touches a bar. */
static void check_components(int wraps)
{
    static float map[CELLS];
    memset(map, 0, sizeof map);
    for (int i = 0; i < 5; i++)
        map[3 * NX + i] = map[3 * NX + NX - 1 - i] = 1;
    map[4 * NX + 5] = 1;
    for (int i = 0; i < NX; i += 3)
        map[i] = 1;
    MUST(otok_sim_set(sim, OTOK_WATER, map));
    is("components(water > 0.5)", (wraps ? 2 : 3) + NX / 3);
    is("components(water > 2)", 0);
}

static void fails(const char *text, const char *words)
{
    double out;
    const otok_status status = otok_sim_response(sim, text, &out);
    CHECK(status == OTOK_DATA && strstr(otok_why(), words), "%s: status %d, %s", text, (int)status,
          status == OTOK_OK ? "accepted" : otok_why());
}

static void check_failures_of_texts(void)
{
    char deep[300];
    fails("area(watre > 0.5)", "column 6 of `area(watre > 0.5)`: there is no field `watre`; the "
                               "nearest is `water`. Known: ");
    fails("men(water)", "column 1 of `men(water)`: there is no function `men`; the nearest is "
                        "`mean`");
    fails("water + 1", "column 1 of `water + 1`: the value differs from cell to cell");
    fails("mean(water) + terrain", "column 15 of");
    fails("mean(water", "the text ends where `)` is needed");
    fails("mean(water) 3", "column 13 of `mean(water) 3`: `3` stands where an operator");
    fails("mean(water) = 3", "column 13");
    fails("1 < 2 < 3", "write a < b && b < c");
    fails("quantile(water, 1.5)", "column 17 of");
    fails("quantile(water)", "needs 2 arguments, and has 1");
    fails("water(1)", "is a field, not a function");
    fails("sum(mean)", "is a function; give it arguments");
    fails("1e", "column 2 of `1e`: `e` stands where an operator");
    fails("0x10", "column 2 of");
    fails("1e400", "`1e400` is too large");
    fails("area(water > 5 m)", "column 16 of `area(water > 5 m)`: `m` stands where `)` is needed; "
                               "leave units out");
    fails("mean(terrain [m])", "leave units out");
    fails("mean(\xcf\x80)", "`\xcf\x80` stands where");
    fails("hypsometry(terrain, 1)", "column 19 of");
    fails("hypsometry(watre)", "column 12 of");
    fails("1 + slope_area(1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1)",
          "is too long or nested");
    fails("slope_area", "is a function; give it arguments");
    fails("mean($)", "`$` stands where");
    fails("", "column 1 of ``: the text ends");
    fails("quantile(aspect, 0.5)", "column 1 of `quantile(aspect, 0.5)`: `quantile` of directions");
    fails("1 + sum(if(slope > 1, aspect, 0 / 0))", "column 5 of");
    fails("hypsometry(aspect)", "`min` of directions");
    fails("mean(reef)", "reef is not part of this state");
    fails("mean(shear_stress)", "needs friction");
    memset(deep, '(', 200);
    strcpy(deep + 200, "1");
    fails(deep, "more than");
    memset(deep, '-', 200);
    fails(deep, "more than");
}

static void is_named(const char *text, const char *meant)
{
    const double expected = value(meant);
    is(text, expected);
}

/* Reducers in words of others; the exponent against least squares about the means. */
static void check_named(void)
{
    const float *slope, *drained;
    double n = 0, x = 0, y = 0, products = 0, squares = 0;
    otok_state *state;
    MUST(otok_sim_run(sim, 5));
    is_named("1 - hypsometry(water + hypsometry(terrain)) ^ 2",
             "1 - ((mean(water + hypsometry(terrain)) - min(water + hypsometry(terrain))) / "
             "(max(water + hypsometry(terrain)) - min(water + hypsometry(terrain)))) ^ 2");
    is_named("drainage_density(4 * 2 + 1) * 3", "mean(drainage_area > 9) / 2 * 3");
    MUST(otok_state_of(&state, sim, 0, NULL));
    MUST(otok_state_map(&slope, state, OTOK_FIELDS + otok_derived_find("slope")));
    MUST(otok_state_map(&drained, state, OTOK_FIELDS + otok_derived_find("drainage_area")));
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < CELLS; i++) {
            if (!(drained[i] > 6 && slope[i] > 0)) continue;
            const double a = log((double)drained[i]), b = log((double)slope[i]);
            if (pass == 0)
                n++, x += a, y += b;
            else
                products += (a - x / n) * (b - y / n), squares += (a - x / n) * (a - x / n);
        }
    otok_state_end(state);
    CHECK(n > 100 && fabs(products) > 1e-3 * squares, "no channels: %g cells", n);
    is_near("slope_area(6) + 1", 1 - products / squares);
}

static void check_not_finite(void)
{
    is("mean(water) + 0 * sum(terrain)", value("mean(water)"));
    static float deep[CELLS];
    double out = 7;
    const otok_response mean = {"m", "mean(water)"};
    const otok_snapshot snapshot = {.grid = sim->scenario->grid,
                                    .scenario = (char *)otok_scenario_text(sim->scenario),
                                    .maps[OTOK_WATER] = deep};
    deep[CELLS - 1] = INFINITY;
    MUST(otok_responses_of_snapshot(&out, &mean, 1, &snapshot));
    CHECK(isnan(out), "mean(water) of a checkpoint with infinite water is %g", out);
    otok_loan loan;
    if (otok_sim_lend(sim, OTOK_WATER, &loan) != OTOK_OK || loan.device >= 0) return;
    loan.data[0] = INFINITY;
    is("area(water > 1)", NAN);
    is("mean(water_surface)", NAN);
    is("area(terrain > 1) / area(terrain > 1)", 1);
}

static void make(otok_scenario **scenario, const char *backend, const char *edge)
{
    *scenario = scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 2}\nedges: {left: %s, right: %s}\n"
                      "phases: [{name: a, iterations: 5, hydraulic: {dt: 0.05}}]\n",
                      NX, NY, edge, edge);
    MUST(otok_sim_create(&sim, *scenario, backend));
    scene_set(sim, ground, water);
}

static void check_bands(const char *backend, double whole)
{
    otok_scenario *s;
    char banded[64];
    snprintf(banded, sizeof banded, "%s/2", backend);
    if (strncmp(backend, "cpu", 3) != 0) return;
    make(&s, banded, "open");
    is("sum(water * terrain)", whole);
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    otok_scenario *s;
    uint64_t seed = 3;
    for (int i = 0; i < CELLS; i++) {
        ground[i] = 20 * scene_random(&seed);
        water[i] = scene_random(&seed);
    }
    make(&s, backend, "open");
    check_arithmetic();
    check_reducers();
    check_directions();
    const double whole = value("sum(water * terrain)");
    check_components(0);
    check_failures_of_texts();
    check_named();
    check_not_finite();
    scene_destroy(sim, s);
    make(&s, backend, "periodic");
    check_components(1);
    scene_destroy(sim, s);
    check_bands(backend, whole);
    return check_failures != 0;
}
