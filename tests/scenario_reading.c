/* scenario_reading.c - claim: every value of a scenario arrives, and what is not said takes the
 * table's default. CHECK_ONCE */
#include "scenario_file.h"

#include <math.h>

static const char full[] =
    "otok: 1\n"
    "title: Vulkanski otok, \"čer\"\n"
    "seed: 7\n"
    "grid: {nx: 64, ny: 1e2, spacing: 2.5}\n"
    "edges: {left: periodic, right: periodic, top: open}\n"
    "sea: {level: -8.25}\n"
    "base:\n"
    "  - cone: {height: 120, radius: 450, power: 1.6, y: 3}\n"
    "  - power_blend: {strength: 0.35, with: [{simplex: {octaves: 3}}, {constant: {combine: "
    "add}}], combine: lerp, mask: [{cone: }]}\n"
    "  - crater:\n"
    "initial: {file: state.vtkhdf}\n"
    "phases:\n"
    "  - name: wet\n"
    "    iterations: 1000\n"
    "    rain: {rate: 5e-3, during: [[0, 600], [700, 1000]]}\n"
    "    hydraulic: &h {dt: 0.2, transport: semi_lagrangian, displace_water: true, wetness_max: "
    "9}\n"
    "    thermal: {dt: 0.008, law: excess}\n"
    "  - {iterations: 20, seabed: }\n"
    "  - {name: again, iterations: 1, hydraulic: *h}\n"
    "  - {name: reef, iterations: 5, reef: {sea_history: [[0, 1], [10.5, -2]]}}\n"
    "output: {every: 500, fields: [water, terrain]}\n";

static void check_full(const otok_scenario *s)
{
    CHECK(strcmp(s->title, "Vulkanski otok, \"čer\"") == 0, "%s", s->title);
    CHECK(s->seed == 7 && s->grid.nx == 64 && s->grid.ny == 100 && s->grid.spacing == 2.5, "grid");
    CHECK(s->edges[OTOK_LEFT] == OTOK_PERIODIC && s->edges[OTOK_RIGHT] == OTOK_PERIODIC, "edges x");
    CHECK(s->edges[OTOK_BOTTOM] == OTOK_CLOSED && s->edges[OTOK_TOP] == OTOK_OPEN, "edges y");
    CHECK(s->sea_level == -8.25, "%g", s->sea_level);
    CHECK(s->output.every == 500 && s->output.keep == 0 &&
              s->output.fields == (BIT(OTOK_WATER) | BIT(OTOK_TERRAIN)),
          "output");
    CHECK(strcmp(s->stem, "bad") == 0 && strcmp(s->directory, file_folder) == 0, "%s in %s",
          s->stem, s->directory);
    CHECK(s->initial[0] == '/' && strstr(s->initial, "/state.vtkhdf"), "%s", s->initial);
}

static void check_base(const otok_scenario *s)
{
    CHECK(s->nbase == 3, "%d", s->nbase);
    const otok_generator *cone = &s->base[0], *blend = &s->base[1], *crater = &s->base[2];
    CHECK(cone->kind == OTOK_GEN_CONE && cone->as.cone.height == 120 && cone->as.cone.power == 1.6,
          "cone");
    CHECK(cone->as.cone.x == 80 && cone->as.cone.y == 3 && cone->combine == OTOK_REPLACE,
          "cone at %g, %g", cone->as.cone.x, cone->as.cone.y);
    CHECK(blend->kind == OTOK_GEN_POWER_BLEND && blend->as.power_blend.reference == 1 &&
              blend->combine == OTOK_LERP,
          "blend");
    CHECK(blend->nwith == 2 && blend->with[0].as.simplex.octaves == 3 &&
              blend->with[1].combine == OTOK_ADD && blend->nmask == 1,
          "lists");
    CHECK(crater->kind == OTOK_GEN_CRATER && crater->as.crater.level == 100, "crater");
    CHECK(cone->stream == 0 && blend->stream == 1 && blend->with[0].stream == 2 &&
              blend->with[1].stream == 3 && blend->mask[0].stream == 4 && crater->stream == 5,
          "streams");
}

static void check_phases(const otok_scenario *s)
{
    CHECK(s->nphases == 4 && otok_scenario_iterations(s) == 1026, "%d phases", s->nphases);
    const otok_phase *p = s->phases;
    CHECK(strcmp(p[0].name, "wet") == 0 && strcmp(p[1].name, "phase2") == 0, "%s %s", p[0].name,
          p[1].name);
    CHECK(p[0].processes == (OTOK_RAIN | OTOK_HYDRAULIC | OTOK_THERMAL) &&
              p[1].processes == OTOK_SEABED,
          "processes");
    CHECK(p[2].processes == OTOK_HYDRAULIC && p[3].processes == OTOK_REEF_GROWTH, "processes");
    CHECK(p[0].rain.rate == 0.005 && p[0].rain.nspans == 2 && p[0].rain.during[1].from == 700 &&
              p[0].rain.during[1].to == 1000,
          "rain");
    CHECK(p[0].hydraulic.transport == OTOK_SEMI_LAGRANGIAN && p[0].hydraulic.displace_water == 1 &&
              p[0].hydraulic.gravity == 9.81,
          "hydraulic");
    CHECK(p[2].hydraulic.dt == 0.2 && p[2].hydraulic.wetness_max == 9 &&
              p[2].hydraulic.rates == OTOK_PER_SECOND,
          "alias");
    CHECK(p[0].thermal.law == OTOK_EXCESS && p[0].thermal.dt == 0.008 && p[0].thermal.talus == 30,
          "thermal");
    CHECK(p[1].seabed.sweeps == 1, "seabed");
    CHECK(p[3].reef.sea_history.n == 2 && p[3].reef.sea_history.at[1].time == 10.5 &&
              p[3].reef.sea_history.at[1].value == -2,
          "history");
    CHECK(isinf(p[3].reef.max_depth) && p[3].reef.carbon == 0.25, "reef");
}

/* Each key of each group, left out, holds the table's default. */
static void check_defaults(otok_scenario *s)
{
    for (int i = 0; i < otok_parameter_count(); i++) {
        const otok_parameter *p = otok_parameter_at(i);
        const char *at = otok_phase_group(&s->phases[0], p->group);
        if (!at || isnan(p->standard)) continue;
        if (p->kind == OTOK_REAL)
            CHECK(*(const double *)(at + p->offset) == p->standard, "%s.%s", p->group, p->key);
        if (p->kind == OTOK_INT)
            CHECK((double)*(const int64_t *)(at + p->offset) == p->standard, "%s.%s", p->group,
                  p->key);
        if (p->kind == OTOK_CHOICE)
            CHECK(*(const int *)(at + p->offset) == (int)p->standard, "%s.%s", p->group, p->key);
    }
    CHECK(s->grid.nx == 512 && s->grid.spacing == 1 && s->nbase == 0 && s->title[0] == 0 &&
              s->initial[0] == 0,
          "top");
    CHECK(s->output.fields == (UINT64_C(1) << OTOK_FIELDS) - 1 && s->phases[0].rain.nspans == 0 &&
              s->phases[0].mix_reef_and_erosion == 1,
          "rest");
}

int main(void)
{
    otok_scenario *s;
    file_create();
    MUST(file_load(&s, full, NULL));
    check_full(s);
    check_base(s);
    check_phases(s);
    otok_scenario_destroy(s);
    MUST(file_load(&s,
                   "otok: 1\nphases: [{iterations: 1, mix_reef_and_erosion: true, rain: , "
                   "hydraulic: {}, thermal: {}, seabed: {}}]\n",
                   NULL));
    check_defaults(s);
    otok_scenario_destroy(s);
    MUST(file_load(&s, "otok: 1\n", NULL));
    CHECK(s->nphases == 0 && otok_scenario_iterations(s) == 0, "a scenario may be a terrain only");
    otok_scenario_destroy(s);
    file_remove();
    return check_failures != 0;
}
