/* scenario_text.c - claim: the canonical text loads to the same scenario and the same text, under
 * any locale. CHECK_ONCE */
#include "scenario/scenario_read.h"

#include "scenario_file.h"
#include <locale.h>

#include <math.h>

#define OPENINGS(side, other)                                                                      \
    ", {iterations: 1, hydraulic: {law: local_inertia}, sides: {" #side ": rating, " #side         \
    "_rating: 2, " #side "_rating_exponent: 1.25, " #side "_rating_zero: -3, " #side               \
    "_from: 10, " #side "_to: 20, " #other "_discharge: [[0, 2]], " #other "_froude: 2}}"

static const char *const texts[] = {
    "otok: 1\n",
    "otok: 1\ntitle: \"a \\\"quoted\\\" \\\\ title: # with signs, č\"\nsea: {level: 0.1}\ninitial: "
    "{file: a/b.vtkhdf}\n",
    "otok: 1\nphases: [{name: 'null', iterations: 3, reef: {max_depth: .inf, dt: 0.1, carbon: "
    "0.30000000000000004}}]\n",
    "otok: 1\nstart: 1999-12-31\nphases: [{start: 2024-02-29T06:00Z, iterations: 9, cycle: {times: "
    "2}, mix_reef_and_erosion: true, rain: {rate: "
    "1.1e-7, map: a.png, low: 0, high: 2.5, during: [[0, 3], [5, 9]]}, rivers: [{x: 0.3, y: 512, "
    "radius: 7, discharge: 1e-3}, {x: 3, y: 4, to_x: 0, to_y: 9, discharge: 2}], droplets: {count: "
    "17, batch: 2}, hydraulic: {dt: 0.01}, infiltration: {dt: 0.01}, thermal: {talus: 1e-300, "
    "diffusivity: 0.1, clock: phase}, waves: {wind: 5, directions: 4, rose: [1, 0.1, 0, 1e-7]}, "
    "coast: {drift: "
    "1e-11, closure_depth: 9}, marine_diffusion: {}, uplift: {dt: 0.01, history: [[0, 1], [3, "
    "0.1]]}, incision: {m: 0.4, base_level: none, inflows: [{x: 0.3, y: 3, area: 9}], area: "
    "multiple, partition: 1.5}, wind: "
    "{from: 30}, maxima: {}, seabed: {}, reef: "
    "{sea_history: [[0, 1], [3, "
    "0.1]]}}, {iterations: 1, seabed: "
    "{sweeps: 2}}]\n",
    "otok: 1\ngrid: {nx: 3, ny: 5, spacing: 0.7}\nbase: [{cone: }, {simplex: {combine: lerp, mask: "
    "[{constant: {height: 0.5}}]}}, {power_blend: {with: [{cone: {x: 1}}, {power_blend: {with: "
    "[crater: ], combine: max}}]}}]\n",
    "otok: 1\ngrid: {nx: 40, ny: 30}\nbase: [{diamond_square: {sown: [[1, null, 3], [~, 5.5, 6], "
    "[7, 8, 9]]}}, {spikes: }, {faults: {count: 3}}, {upsample: {factor: 4, with: [midpoint: "
    "{tile: true}, {crop: {shape: polygon, points: [[0, 0], [9, 1], [3, 8]]}}]}}, {planet: "
    "{offset: 0.5, combine: add}}, {crop: {shape: circle, outside: -4}}]\n",
    "otok: 1\nerodibility: 0.3\nlayers: [{name: 'null', thickness: [{cone: }], talus: 40}, {name: "
    "b_1}]\n",
    "otok: 1\nlayers: [{name: b, thickness: {raster: {file: a.tif}}, erodibility: 1e-3}, {name: "
    "'007'}]\n",
    "otok: 1\nphases: [{iterations: 100, rain: {rate: 1e-5, during: [[0 s, 2 s], [0.3 s, 1e9 s]], "
    "history: "
    "{points: [[0, 1], [3, 0.5]], between: steps}}, hydraulic: }]\n",
    "otok: 1\nedges: {left: open, right: open, bottom: open, top: open}\nlayers: [{name: sand, "
    "thickness: 0}, {name: reef, thickness: 0}, {name: rock}]\nphases: [{iterations: 7, waves: "
    "{directions: 4, rose: [1, 2, 3, 4]}, mix_reef_and_erosion: true, incision: {}, "
    "marine_diffusion: {}, reef: {law: light_saturation, dt: 3e9, rubble: 0.3, "
    "sea_rise: 3e-12, denudation: 1.6e-12, producers: [{max_growth: 1e-10, sheltered_growth: 3}, "
    "{max_growth: 2e-10, absorption: 0.05}]}}, {name: two, iterations: 1, sides: {left: "
    "normal_depth, left_slope: 0.01, right: normal_depth, right_slope: 2e-3, bottom: normal_depth, "
    "bottom_slope: 1e-9, top: normal_depth, top_slope: 1}, hydraulic: {law: shallow_water, "
    "courant: 0.5}, dams: [{crest: 2, line: [[0, 0], [60, 40]]}, {history: [[0, 0.1], [3, 1e-7]], "
    "line: [[9, 0], [9, 40], [0.5, 41]]}], rivers: [{x: 0.1, y: 0.2, level: [[0, 0.1], [3, "
    "1e-7]]}, "
    "{x: 3, y: 0, rating: 0.3, rating_exponent: 1e-3, rating_zero: -0.1}, {x: 0, y: 5, to_x: 5, "
    "to_y: 5, slope: 1e-3}]}, {name: three, iterations: 1, sides: {left_level: [[0, "
    "0.1], [3, 1e-7]], "
    "right_level: [[0, 2]], bottom_level: [[0, 3]], top_level: [[0, -4]]}, hydraulic: {law: "
    "local_inertia}}" OPENINGS(left, right) OPENINGS(right, left) OPENINGS(bottom, top)
        OPENINGS(top, bottom) "]\n",
    "otok: 1\nresponses: {a: 'area( terrain>0.5 )', b: \"1.5\\x20+ 2\"}\nphases: []\n",
    "otok: 1\noutput: {fields: [], keep: 2}\nedges: {bottom: periodic, top: periodic}\n",
};

/* Compares the points of a series, and then makes the copies in both phases alike. */
static void check_points(otok_series *one, const otok_series *other)
{
    CHECK(one->n == other->n && memcmp(one->at, other->at, (size_t)one->n * sizeof *one->at) == 0,
          "%d points became %d", one->n, other->n);
    CHECK(memcmp(one->sums, other->sums, (size_t)one->n * sizeof *one->sums) == 0, "other sums");
    one->at = other->at;
    one->sums = other->sums;
}

static void check_phase(otok_phase one, const otok_phase *other, const char *text)
{
    if (one.rain.history.n) check_points(&one.rain.history, &other->rain.history);
    if (one.uplift.history.n) check_points(&one.uplift.history, &other->uplift.history);
    if (one.reef.sea_history.n) check_points(&one.reef.sea_history, &other->reef.sea_history);
    for (int n = 0; n < one.ndams; n++)
        if (one.dams[n].history.n) check_points(&one.dams[n].history, &other->dams[n].history);
    for (int n = 0; n < one.nrivers; n++)
        if (one.rivers[n].level.n) check_points(&one.rivers[n].level, &other->rivers[n].level);
    for (int side = 0; side < OTOK_SIDES; side++)
        if (one.sides.level[side].n)
            check_points(&one.sides.level[side], &other->sides.level[side]);
    for (int side = 0; side < OTOK_SIDES; side++)
        if (one.sides.discharge[side].n)
            check_points(&one.sides.discharge[side], &other->sides.discharge[side]);
    CHECK(memcmp(&one, other, sizeof one) == 0, "phase %s of\n%s", one.name, text);
}

static void check_text(const char *text)
{
    otok_scenario *first, *second;
    MUST(file_load(&first, text, NULL));
    const char *resolved = otok_scenario_text(first);
    MUST(
        otok_scenario_parse(&second, "/elsewhere/other.yaml", resolved, strlen(resolved), NULL, 0));
    CHECK(strcmp(resolved, otok_scenario_text(second)) == 0, "from\n%s\ncame\n%s", resolved,
          otok_scenario_text(second));
    for (int i = 0; i < first->nphases; i++)
        check_phase(first->phases[i], &second->phases[i], resolved);
    CHECK(first->nbase == second->nbase && first->output.fields == second->output.fields, "%s",
          resolved);
    CHECK(otok_scenario_difference(resolved, otok_scenario_text(second)) == NULL, "%s", resolved);
    otok_scenario_destroy(first);
    otok_scenario_destroy(second);
}

/* Every key of the table is in the text of a scenario that has all groups, unless another key
   overrules it: then it is in the text of the other law. */
static void check_complete(void)
{
    otok_scenario *s, *other;
    MUST(file_load(&s, texts[3], NULL));
    MUST(file_load(&other, texts[9], NULL));
    for (int i = 0; i < otok_parameter_count(); i++) {
        const otok_parameter *p = otok_parameter_at(i);
        char line[80];
        snprintf(line, sizeof line, " %s:", p->key);
        if (!otok_phase_group(&s->phases[0], p->group)) continue;
        const int is_there = strstr(otok_scenario_text(s), line) != NULL;
        CHECK(is_there || strstr(otok_scenario_text(other), line), "%s.%s is in no text", p->group,
              p->key);
    }
    otok_scenario_destroy(s);
    otok_scenario_destroy(other);
}

/* Random doubles of all magnitudes survive. */
static void check_numbers(void)
{
    uint64_t bits = 88172645463325252u;
    char text[32];
    for (int i = 0; i < 100000; i++) {
        double value;
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        otok_number_text(value, text);
        CHECK(strtod(text, NULL) == value, "%s", text);
    }
}

int main(void)
{
    file_create();
    static const char *const locales[] = {"C", "de_DE.UTF-8", "sl_SI.UTF-8"};
    for (size_t l = 0; l < 3; l++) {
        setlocale(LC_ALL, locales[l]);
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
            check_text(texts[i]);
    }
    setlocale(LC_ALL, "C");
    check_complete();
    check_numbers();
    file_remove();
    return check_failures != 0;
}
