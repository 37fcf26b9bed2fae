/* study_units.c - claim: ends, values and tables of a study may have units; members, table and axes
   have the plain numbers. Rain in seconds goes with a duration, and a change in seconds with a
   rerun at half the time step. CHECK_ONCE */
#include "scenario_file.h"
#include "study/member.h"

static char other[sizeof file_path];

static void write_other(const char *name, const char *text)
{
    snprintf(other, sizeof other, "%s/%s", file_folder, name);
    FILE *file = fopen(other, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) exit(1);
}

static otok_status load(otok_study **study, const char *words)
{
    char text[800];
    snprintf(text, sizeof text, "study: 1\nscenario: s.yaml\n%s", words);
    file_write(text, strlen(text));
    return otok_study_load(study, file_path);
}

static void check_value(const otok_study *study, int64_t row, int axis, const char *value)
{
    char found[OTOK_VALUE_SIZE];
    otok_study_value(study, row, axis, found);
    CHECK(strcmp(found, value) == 0, "row %lld, axis %d: %s, not %s", (long long)row, axis, found,
          value);
}

static void check_rows(void)
{
    otok_study *study;
    write_other("t.csv", "phases.a.rain.rate,phases.a.hydraulic.dt\n1e-5 m s-1,0.1 s\n2e-5,0.2\n");
    MUST(load(&study, "design: {kind: list, file: t.csv}\n"));
    check_value(study, 0, 0, "1.0e-05");
    check_value(study, 0, 1, "0.1");
    check_value(study, 1, 1, "0.2");
    otok_study_destroy(study);
    unlink(other);
#ifdef OTOK_WITH_UDUNITS
    MUST(load(&study, "design: {kind: grid, points: 2}\nvary:\n  phases.a.rain.rate: {from: 36 "
                      "mm/h, to: 72 mm/h}\n"
                      "  phases.a.hydraulic.dt: {values: [100 ms, 0.002 min]}\n"));
    check_value(study, 0, 0, "1e-05");
    check_value(study, 3, 0, "2e-05");
    check_value(study, 0, 1, "0.1");
    check_value(study, 1, 1, "0.12");
    otok_study_destroy(study);
    MUST(load(&study, "design: {kind: grid, points: 2}\nvary:\n  phases.a.rivers.0.discharge: "
                      "{from: 30 L/s, to: 2 m3/s}\n  layers.soil.talus: {values: [0.5 rad]}\n"));
    check_value(study, 0, 0, "0.03");
    check_value(study, 1, 0, "2");
    check_value(study, 0, 1, "28.6478897565412");
    otok_study_destroy(study);
    CHECK(load(&study, "design: {kind: grid, points: 2}\nvary: {phases.a.rain.rate: {from: 0, to: "
                       "72 mm}}\n") == OTOK_DATA &&
              strstr(otok_why(),
                     ":4: vary.phases.a.rain.rate.to: \"72 mm\" is not a number of m s-1"),
          "%s", otok_why());
    CHECK(load(&study, "design: {kind: grid}\nvary: {phases.a.rain.rate: {values: [1 kg]}}\n") ==
                  OTOK_DATA &&
              strstr(otok_why(),
                     ":4: vary.phases.a.rain.rate.values.0: \"1 kg\" is not a number of m s-1"),
          "%s", otok_why());
#endif
}

static void check_duration(void)
{
    otok_study *study;
    otok_scenario *s;
    static const char words[] = "design: {kind: grid, points: 2}\nvary: {phases.a.hydraulic.dt: "
                                "{from: 0.1, to: 0.2}}\nduration: 20 s\n";
    MUST(load(&study, words));
    MUST(otok_study_member(&s, study, 0));
    CHECK(s->phases[0].iterations == 200 && s->phases[0].rain.during[0].to == 30 &&
              s->changes[0].iteration == 50,
          "dt 0.1");
    otok_scenario_destroy(s);
    MUST(otok_study_member(&s, study, 1));
    CHECK(s->phases[0].iterations == 100 && s->phases[0].rain.during[0].to == 15 &&
              s->changes[0].iteration == 25,
          "dt 0.2");
    otok_scenario_destroy(s);
    otok_study_destroy(study);
}

int main(void)
{
    char scenario[sizeof file_path];
    file_create();
    write_other("s.yaml", "otok: 1\ngrid: {nx: 8, ny: 8}\nphases: [{name: a, iterations: 10, rain: "
                          "{rate: 0.01, during: [[0 s, 3 s]]}, hydraulic: {}}]\nchanges: [{at: 5 "
                          "s, path: phases.a.rain.rate, value: 0.02}]\n");
    strcpy(scenario, other);
    check_duration();
    write_other("s.yaml", "otok: 1\ngrid: {nx: 8, ny: 8}\nlayers: [{name: soil, thickness: 1}, "
                          "{name: rock}]\nphases: [{name: a, iterations: 10, rain: {rate: 0.01}, "
                          "hydraulic: {}, rivers: [{x: 4, y: 4, discharge: 1}]}]\n");
    check_rows();
    unlink(scenario);
    file_remove();
    return check_failures != 0;
}
