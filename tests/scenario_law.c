/* scenario_law.c - claim: a law of hydraulic erosion is a set of defaults. Keys beside it overrule
   them, in files and by --set; what is resolved is read again as it is; a change of the law during
   a run sets its values, but leaves the kind of pipes. */
#include "scenario_file.h"
#include "scene.h"

#include <stdio.h>
#include <string.h>

static otok_scenario *load(const char *hydraulic, const char *set)
{
    char text[512];
    otok_scenario *s;
    const int n = snprintf(text, sizeof text,
                           "otok: 1\ngrid: {nx: 8, ny: 8}\nphases:\n"
                           "  - {name: a, iterations: 10, hydraulic: {%s}}\n",
                           hydraulic);
    file_write(text, (size_t)n);
    MUST(otok_scenario_load(&s, file_path, &set, set != NULL));
    return s;
}

/* Do two scenarios have the same values, whatever law they name? */
static void same(const char *one, const char *set, const char *other)
{
    otok_scenario *a = load(one, set), *b = load(other, NULL);
    otok_hydraulic p = a->phases[0].hydraulic, q = b->phases[0].hydraulic;
    p.law = q.law = 0;
    CHECK(memcmp(&p, &q, sizeof p) == 0, "{%s} with %s is not {%s}", one, set ? set : "nothing set",
          other);
    otok_scenario_destroy(a);
    otok_scenario_destroy(b);
}

#define WATER                                                                                      \
    "pipes: signed, area: depth, bed_steps: critical, slope: downhill, capacity_law: speed_depth"
#define SET "phases.a.hydraulic.law="

static void check_again(const char *hydraulic)
{
    otok_scenario *s = load(hydraulic, NULL), *again;
    file_write(s->text, strlen(s->text));
    MUST(otok_scenario_load(&again, file_path, NULL, 0));
    CHECK(strcmp(s->text, again->text) == 0, "{%s} reads differently", hydraulic);
    CHECK(memcmp(&s->phases[0].hydraulic, &again->phases[0].hydraulic, sizeof(otok_hydraulic)) == 0,
          "{%s} has other values", hydraulic);
    otok_scenario_destroy(s);
    otok_scenario_destroy(again);
}

static void check_change(void)
{
    otok_scenario *s = load("dt: 0.2, pipe_area: 2, pipes: signed, manning: 0.1", NULL), *now,
                  *back;
    char *before;
    MUST(
        otok_scenario_change(&now, &before, NULL, s, 5, "phases.a.hydraulic.law", "local_inertia"));
    const otok_hydraulic *h = &now->phases[0].hydraulic;
    CHECK(h->pipes == OTOK_SIGNED && h->area == OTOK_AREA_DEPTH && h->manning == 0.03 &&
              h->evaporation == 0 && h->displace_water && h->dt == 0.2,
          "a change of the law leaves old values");
    free(before);
    CHECK(otok_scenario_change(&back, &before, NULL, now, 6, "phases.a.hydraulic.law",
                               "published") == OTOK_USAGE &&
              strstr(otok_why(), "water in signed pipes cannot change to one-way ones") &&
              strstr(otok_why(), "`initial.file`"),
          "signed pipes become one-way ones: %s", otok_why());
    CHECK(otok_scenario_change(&back, &before, NULL, now, 6, "phases.a.hydraulic.law",
                               "shallow_water") == OTOK_USAGE &&
              strstr(otok_why(), "water in signed pipes cannot change to shallow-water ones"),
          "flows become speeds: %s", otok_why());
    otok_scenario_destroy(s);
    otok_scenario_destroy(now);
}

/* In a scenario whose phases keep different things, the one that runs stays as it is, the next may
   change. */
static void check_turns(void)
{
    char *before;
    otok_scenario *now = NULL,
                  *s =
                      scene_load("otok: 1\ngrid: {nx: 8, ny: 8}\nphases:\n"
                                 "  - {name: a, iterations: 10, hydraulic: {law: local_inertia}}\n"
                                 "  - {name: b, iterations: 10, hydraulic: {law: shallow_water}}\n"
                                 "  - {name: c, iterations: 10, hydraulic: {law: local_inertia}}\n",
                                 NULL, 0);
    CHECK(!s->phases[0].turns && s->phases[1].turns == OTOK_TO_SPEEDS &&
              s->phases[2].turns == OTOK_TO_FLOWS,
          "turns %d %d %d", s->phases[0].turns, s->phases[1].turns, s->phases[2].turns);
    CHECK(otok_pipes_after(s, 10) == OTOK_SIGNED && otok_pipes_after(s, 11) == OTOK_SPEEDS &&
              otok_pipes_after(s, 21) == OTOK_SIGNED && otok_pipes_after(s, 0) == OTOK_SIGNED,
          "what is kept after 0, 10, 11 and 21 iterations");
    CHECK(otok_scenario_change(&now, &before, NULL, s, 15, "phases.b.hydraulic.law",
                               "local_inertia") == OTOK_USAGE &&
              strstr(otok_why(), "phase b has begun"),
          "the present phase gets other water: %s", otok_why());
    MUST(otok_scenario_change(&now, &before, NULL, s, 15, "phases.c.hydraulic.law",
                              "shallow_water"));
    CHECK(!now->phases[2].turns, "phase c turns what it keeps");
    free(before);
    otok_scenario_destroy(now);
    otok_scenario_destroy(s);
}

int main(void)
{
    check_turns();
    file_create();
    same("law: published", NULL, "");
    same("law: local_inertia", NULL, WATER ", manning: 0.03, displace_water: true, evaporation: 0");
    same("law: local_inertia, manning: 0.1, displace_water: false, evaporation: 0.01", NULL,
         WATER ", manning: 0.1, evaporation: 0.01");
    same("manning: 0.1", SET "local_inertia",
         WATER ", manning: 0.1, displace_water: true, evaporation: 0");
    same("law: local_inertia", SET "published", "");
    same("law: shallow_water", NULL, "law: local_inertia");
    same("law: shallow_water, manning: 0.1, displace_water: false", NULL,
         "law: local_inertia, manning: 0.1, displace_water: false");
    same("manning: 0.1", SET "shallow_water", "law: local_inertia, manning: 0.1");
    same("law: local_inertia, area: constant", NULL,
         "law: local_inertia, area: constant, bed_steps: smooth");
    same("law: shallow_water", SET "published", "");
    check_again("");
    check_again("law: local_inertia, area: constant");
    check_again("law: local_inertia, manning: 0.1, slope: central");
    check_again("law: shallow_water, manning: 0.1");
    check_change();
    file_remove();
    return check_failures != 0;
}
