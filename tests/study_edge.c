/* study_edge.c - claim: the search finds the edge of stability of flat water where theory has it, S
   = 1/4 for one-way pipes and 1/2 for signed ones, within 1 %, and that of pools between dry hills
   within 5 %, later because waves of the pools are no whole checkerboard; a ray through two axes
   crosses it too; the verdict is monotone along the axis; where it does not change the search says
   so; edge.csv has both sides and members.csv all members, with their units. */
#include "scenario_file.h"

#include <math.h>

enum { MEMBERS = 16, ROUNDS = 3 };

static char scenario_path[sizeof file_path], folder[sizeof file_path];

static otok_study *study_of(const char *pipes, double from, double to)
{
    char text[512];
    otok_study *study;
    snprintf(text, sizeof text,
             "study: 1\nscenario: water.yaml\ndesign: {kind: grid, points: 2}\nvary: "
             "{phases.a.hydraulic.pipes: {values: [%s]}, phases.a.hydraulic.pipe_area: {from: %g, "
             "to: %g}}\nmonitor: {every: 50}\n",
             pipes, from, to);
    file_write(text, strlen(text));
    MUST(otok_study_load(&study, file_path));
    return study;
}

static otok_study_options options_of(const char *backend, const char *name)
{
    snprintf(folder, sizeof folder, "%s/%s", file_folder, name);
    return (otok_study_options){.directory = folder, .backend = backend, .shard = 1, .shards = 1};
}

static void put_scenario(const char *text)
{
    snprintf(scenario_path, sizeof scenario_path, "%s/water.yaml", file_folder);
    FILE *file = fopen(scenario_path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) exit(1);
}

static void wet_dry(const char *backend, const char *pipes, double predicted)
{
    otok_verdict_edge e;
    char name[16];
    otok_study *study = study_of(pipes, 6 * predicted, 16 * predicted);
    snprintf(name, sizeof name, "%s_pools", pipes);
    const otok_study_options o = options_of(backend, name);
    MUST(otok_study_edge(&e, study, &o, 11, 2));
    const double s = 0.01 * 9.81 * 0.5 * (e.inside + e.outside);
    CHECK_FOUND(s > 0.99 * predicted && s < 1.05 * predicted, "%s: S* = %g, not %g", name, s,
                predicted);
    CHECK_FOUND(e.inside_verdict == OTOK_STABLE && e.outside_verdict == OTOK_CHATTERING &&
                    e.violations == 0,
                "%s: %s, %s, %lld violations", name, otok_verdict_name(e.inside_verdict),
                otok_verdict_name(e.outside_verdict), (long long)e.violations);
    otok_study_destroy(study);
}

/* A table of the search: `rows` lines under this head, of which the first begins with `first`. */
static void table(const char *name, const char *head, int rows, const char *first)
{
    char path[sizeof folder + 16], line[256], second[256] = "";
    int lines = 0, heads = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "r");
    for (; in && fgets(line, sizeof line, in); lines++) {
        if (lines == 0) heads = strncmp(line, head, strlen(head)) == 0;
        if (lines == 1) snprintf(second, sizeof second, "%s", line);
    }
    if (in) fclose(in);
    CHECK(heads && lines == rows + 1 && strncmp(second, first, strlen(first)) == 0,
          "%s: %d lines, the second %s", path, lines, second);
}

static void edge(const char *backend, const char *pipes, double predicted)
{
    otok_verdict_edge e;
    char row[128];
    const double s_of_area = 0.01 * 9.81;
    otok_study *study = study_of(pipes, 1, 10);
    const otok_study_options o = options_of(backend, pipes);
    MUST(otok_study_edge(&e, study, &o, MEMBERS, ROUNDS));
    const double s = s_of_area * 0.5 * (e.inside + e.outside);
    CHECK_FOUND(fabs(s / predicted - 1) < 0.01, "%s: S* = %g, not %g", pipes, s, predicted);
    CHECK_FOUND(e.outside - e.inside > 0 && e.outside - e.inside < 3e-3, "%s: between %g and %g",
                pipes, e.inside, e.outside);
    CHECK_FOUND(e.inside_verdict == OTOK_STABLE && e.outside_verdict == OTOK_CHATTERING,
                "%s: %s, %s", pipes, otok_verdict_name(e.inside_verdict),
                otok_verdict_name(e.outside_verdict));
    CHECK_FOUND(e.violations == 0 && e.members == MEMBERS * ROUNDS,
                "%s: %lld violations, %lld members", pipes, (long long)e.violations,
                (long long)e.members);
    CHECK_FOUND(fabs(e.inside_margin - 1) < 0.01, "%s: predicted margin %g", pipes,
                e.inside_margin);
    table("members.csv", "round,phases.a.hydraulic.pipe_area [m2],verdict,margin\n",
          MEMBERS * ROUNDS, "1,1,stable,");
    snprintf(row, sizeof row, "inside,%.12g,stable,%.9g,48,0\n", e.inside, e.inside_margin);
    table("edge.csv", "side,phases.a.hydraulic.pipe_area [m2],verdict,margin,members,violations\n",
          2, row);
    otok_study_destroy(study);
}

static double s_at(const otok_study *study, double share)
{
    char dt[OTOK_VALUE_SIZE], area[OTOK_VALUE_SIZE];
    otok_study_ray_value(study, 0, share, dt);
    otok_study_ray_value(study, 1, share, area);
    return 9.81 * atof(dt) * atof(dt) * atof(area);
}

static void along_ray(const char *backend)
{
    otok_verdict_edge e;
    otok_study *study;
    const char *ray = "study: 1\nscenario: water.yaml\ndesign: {kind: grid, points: 2}\nvary: "
                      "{phases.a.hydraulic.dt: {from: 0.05, to: 0.2, scale: log}, "
                      "phases.a.hydraulic.pipe_area: {from: 4, to: 1}}\nmonitor: {every: 50}\n";
    file_write(ray, strlen(ray));
    MUST(otok_study_load(&study, file_path));
    const otok_study_options o = options_of(backend, "ray");
    MUST(otok_study_ray(&e, study, &o, 11, 2));
    CHECK(s_at(study, e.inside) < 0.25 * 1.01 && s_at(study, e.outside) > 0.25 &&
              e.outside - e.inside < 0.011,
          "ray: S from %g to %g", s_at(study, e.inside), s_at(study, e.outside));
    CHECK(e.violations == 0 && e.members == 22, "ray: %lld violations, %lld members",
          (long long)e.violations, (long long)e.members);
    otok_study_destroy(study);
}

/* The level of a response is the edge, whatever the verdicts are: the mean depth of still water is
   its first depth. */
static void level(const char *backend)
{
    static const struct {
        const char *inside, *why;
    } wrong[] = {{"deep = 2", "inside: \"deep = 2\" is no level of a response; write its name"},
                 {"deep < low", "inside: \"deep < low\" is no level"},
                 {"deap < 2", "inside: the study has no response deap; did you mean deep"},
                 {"deep < 9", "all 3 members are on one side of deep < 9"}};
    static const char head[] = "study: 1\nscenario: water.yaml\ndesign: {kind: grid, points: 2}\n"
                               "vary: {initial.water: {from: 1, to: 3}}\n"
                               "responses: {deep: mean(water)}\nmonitor: {every: 50}\n";
    otok_verdict_edge e;
    otok_study *study;
    char text[512], row[128];
    for (int n = 0; n < 4; n++) {
        snprintf(text, sizeof text, "%sinside: %s\n", head, wrong[n].inside);
        file_write(text, strlen(text));
        otok_status status = otok_study_load(&study, file_path);
        const otok_study_options o = options_of(backend, "sides");
        if (status == OTOK_OK) status = otok_study_edge(&e, study, &o, 3, 1);
        CHECK(status == OTOK_DATA && strstr(otok_why(), wrong[n].why), "%s", otok_why());
        otok_study_destroy(study);
    }
    for (int above = 0; above < 2; above++) {
        snprintf(text, sizeof text, "%sinside: deep %s 2.01\n", head, above ? ">=" : "<");
        file_write(text, strlen(text));
        MUST(otok_study_load(&study, file_path));
        const otok_study_options o = options_of(backend, above ? "above" : "below");
        MUST(otok_study_edge(&e, study, &o, 5, 3));
        CHECK(e.inside < 2.01 && e.outside > 2.01 && e.outside - e.inside < 0.04,
              "a level of 2.01 is between %g and %g", e.inside, e.outside);
        CHECK(fabs(e.inside_value - e.inside) < 1e-5 && fabs(e.outside_value - e.outside) < 1e-5 &&
                  e.violations == 0,
              "mean depths %g and %g", e.inside_value, e.outside_value);
        snprintf(row, sizeof row, "inside,%.9g,%s,%.9g,%.9g,15,0\n", e.inside,
                 otok_verdict_name(e.inside_verdict), e.inside_margin, e.inside_value);
        table("edge.csv", "side,initial.water [m],verdict,margin,response,members,violations\n", 2,
              row);
        table("members.csv", "round,initial.water [m],verdict,margin,response\n", 15, "1,1,");
        otok_study_destroy(study);
    }
}

static void none(const char *backend)
{
    otok_verdict_edge e;
    otok_study *study = study_of("one_way", 1, 2);
    const otok_study_options o = options_of(backend, "none");
    CHECK(otok_study_edge(&e, study, &o, 3, 1) == OTOK_DATA &&
              strstr(otok_why(), "all 3 members are stable"),
          "%s", otok_why());
    otok_study_destroy(study);
    study = study_of("one_way, signed", 1, 2);
    CHECK(otok_study_edge(&e, study, &o, 3, 1) == OTOK_DATA &&
              strstr(otok_why(), "one axis with `from` and `to`"),
          "%s", otok_why());
    otok_study_destroy(study);
}

int main(int argc, char **argv)
{
    static const char text[] =
        "otok: 1\naudit: off\ngrid: {nx: 16, ny: 16}\nedges: {left: periodic, right: periodic, "
        "bottom: periodic, top: periodic}\n"
        "base: [{simplex: {octaves: 3, wavelength: 6, amplitude: 0.02}}]\nphases: [{name: a, "
        "iterations: 1500, rain: {rate: 40, during: [[0, 1]]}, hydraulic: {dt: 0.1, evaporation: "
        "0, capacity: 0}}]\n";
    static const char still[] =
        "otok: 1\naudit: off\ngrid: {nx: 8, ny: 8}\nphases: [{name: a, iterations: 50, hydraulic: "
        "{dt: 0.01, evaporation: 0, capacity: 0}}]\n";
    static const char pools[] =
        "otok: 1\naudit: off\ngrid: {nx: 32, ny: 32}\nedges: {left: periodic, right: periodic, "
        "bottom: periodic, top: periodic}\n"
        "base: [{simplex: {octaves: 2, wavelength: 32, amplitude: 2}}]\nphases: [{name: a, "
        "iterations: 1500, rain: {rate: 5, during: [[0, 1]]}, hydraulic: {dt: 0.1, evaporation: 0, "
        "capacity: 0}}]\n";
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    char command[128];
    file_create();
    put_scenario(text);
    edge(backend, "one_way", 0.25);
    along_ray(backend);
    none(backend);
    if (!CHECK_SMALL(argc, argv)) {
        edge(backend, "signed", 0.5);
        put_scenario(pools);
        wet_dry(backend, "one_way", 0.25);
    }
    put_scenario(still);
    level(backend);
    snprintf(command, sizeof command, "rm -r %s", file_folder);
    CHECK(system(command) == 0, "%s", command);
    return check_failures != 0;
}
