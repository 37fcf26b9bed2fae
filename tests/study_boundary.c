/* study_boundary.c - claim: refined over dt and pipe area, the boundary of flat water is one line
   along S = dt^2 A g / l^3 = 1/4 for one-way pipes, as near as the finest cells are small: every
   point lies between a stable member below and another above; only cells along it are refined; and
   a search that was stopped gives the same files when resumed. */
#include "scenario_file.h"

#include <math.h>

enum { POINTS = 4, LEVELS = 2, FINE = (POINTS - 1) << LEVELS };

static char scenario_path[sizeof file_path], folder[sizeof file_path];

static const char text[] = "study: 1\nscenario: water.yaml\ndesign: {kind: grid, points: 4}\nvary: "
                           "{phases.a.hydraulic.dt: {from: 0.05, "
                           "to: 0.2, scale: log}, phases.a.hydraulic.pipe_area: {from: 0.5, to: "
                           "12, scale: log}}\nmonitor: {every: 50}\n";

static int stop_soon(void *user, const otok_study_progress *progress)
{
    int *calls = user;
    (void)progress;
    return (*calls)++ == 20 ? OTOK_STOP_NOW : OTOK_GO_ON;
}

static char *slurp(const char *name)
{
    static char path[sizeof file_path + 64];
    char *bytes = calloc(1, 1 << 20);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file || !bytes || !fread(bytes, 1, (1 << 20) - 1, file)) exit(1);
    fclose(file);
    return bytes;
}

static void points(int64_t n)
{
    char *bytes = slurp("boundary.csv"), *rest = bytes;
    const double cell = pow(16, 1.0 / FINE) * 1.02,
                 fine = pow(24, 1.0 / FINE) * 1.02; /* of S along dt, along the area */
    strsep(&rest, "\n");
    for (int64_t p = 0; p < n; p++) {
        double line = -1, dt = 0, area = 0, dts[2] = {0}, areas[2] = {0};
        const char *row = strsep(&rest, "\n");
        CHECK(row &&
                  sscanf(row, "%lf,%lf,%lf,%lf,%lf,%lf,%lf", &line, &dt, &area, &dts[0], &areas[0],
                         &dts[1], &areas[1]) == 7 &&
                  strstr(row, ",chattering,"),
              "point %lld: %s", (long long)p, row ? row : "none");
        const double inside = 9.81 * dts[0] * dts[0] * areas[0],
                     outside = 9.81 * dts[1] * dts[1] * areas[1];
        CHECK(inside < 0.25 * 1.02 && outside > 0.25 * 0.999, "point %lld: S from %g to %g",
              (long long)p, inside, outside);
        CHECK(outside / inside < fmax(cell, fine), "point %lld: S from %g to %g is too wide",
              (long long)p, inside, outside);
        CHECK(9.81 * dt * dt * area > inside && 9.81 * dt * dt * area < outside && line == 0,
              "point %lld", (long long)p);
    }
    CHECK(rest && !*rest, "more than %lld points", (long long)n);
    free(bytes);
}

int main(int argc, char **argv)
{
    static const char water[] =
        "otok: 1\naudit: off\ngrid: {nx: 12, ny: 12}\nedges: {left: periodic, right: periodic, "
        "bottom: "
        "periodic, top: periodic}\n"
        "base: [{simplex: {octaves: 3, wavelength: 6, amplitude: 0.02}}]\nphases: [{name: a, "
        "iterations: 600, rain: {rate: 40, "
        "during: [[0, 1]]}, hydraulic: {dt: 0.1, evaporation: 0, capacity: 0}}]\n";
    int calls = 0;
    char command[128];
    otok_boundary whole, again;
    otok_study *study;
    file_create();
    snprintf(scenario_path, sizeof scenario_path, "%s/water.yaml", file_folder);
    FILE *file = fopen(scenario_path, "w");
    if (!file || fputs(water, file) < 0 || fclose(file) != 0) exit(1);
    file_write(text, strlen(text));
    MUST(otok_study_load(&study, file_path));
    CHECK(otok_study_spans(study) == 2, "%d axes", otok_study_spans(study));
    otok_study_options o = {
        .directory = folder, .backend = CHECK_BACKEND(argc, argv)->name, .shard = 1, .shards = 1};
    snprintf(folder, sizeof folder, "%s/whole", file_folder);
    MUST(otok_study_boundary(&whole, study, &o, LEVELS));
    CHECK(whole.violations == 0 && whole.lines == 1, "%lld violations, %lld lines",
          (long long)whole.violations, (long long)whole.lines);
    CHECK(whole.members < (FINE + 1) * (FINE + 1) / 2 && whole.points > FINE && whole.stable > 10,
          "%lld members, %lld points", (long long)whole.members, (long long)whole.points);
    points(whole.points);
    char *members = slurp("members.csv"), *lines = slurp("boundary.csv");
    snprintf(folder, sizeof folder, "%s/stopped", file_folder);
    o.poll = stop_soon;
    o.user = &calls;
    CHECK(otok_study_boundary(&again, study, &o, LEVELS) == OTOK_STOPPED, "was not stopped: %s",
          otok_why());
    o.poll = NULL;
    CHECK(otok_study_boundary(&again, study, &o, LEVELS) == OTOK_USAGE, "results were overwritten");
    o.resume = 1;
    MUST(otok_study_boundary(&again, study, &o, LEVELS));
    char *members2 = slurp("members.csv"), *lines2 = slurp("boundary.csv");
    CHECK(strcmp(members, members2) == 0 && strcmp(lines, lines2) == 0,
          "the resumed search has other files");
    free(members);
    free(members2);
    free(lines);
    free(lines2);
    otok_study_destroy(study);
    snprintf(command, sizeof command, "rm -r %s", file_folder);
    CHECK(system(command) == 0, "%s", command);
    return check_failures != 0;
}
