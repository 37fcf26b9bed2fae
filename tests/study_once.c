/* study_once.c - claim: a study reads its scenario once: a member made after the file has changed,
   or is gone, is the one that it would have been before. CHECK_ONCE */
#include "scenario_file.h"
#include "scene.h"
#include "study/study.h"

#include <unistd.h>

static const char scenario[] = "otok: 1\ngrid: {nx: 8, ny: 8}\nbase: [{constant: {height: "
                               "1}}]\nphases: [{name: a, iterations: %s, thermal: {dt: 0.1}}]\n";
static const char text[] = "study: 1\nscenario: once.yaml\ndesign: {kind: grid, points: 2}\nvary: "
                           "{phases.a.thermal.dt: {from: 0.1, to: 0.2}}\n";

static char path[sizeof file_path + 64];

static void write_scenario(const char *iterations)
{
    FILE *file = fopen(path, "w");
    if (!file || fprintf(file, scenario, iterations) < 0 || fclose(file) != 0) exit(1);
}

static int64_t iterations(const otok_study *study)
{
    otok_scenario *s;
    MUST(otok_study_member(&s, study, 1));
    const int64_t n = otok_scenario_iterations(s);
    otok_scenario_destroy(s);
    return n;
}

int main(void)
{
    otok_study *study;
    file_create();
    snprintf(path, sizeof path, "%s/once.yaml", file_folder);
    write_scenario("3");
    file_write(text, strlen(text));
    MUST(otok_study_load(&study, file_path));
    CHECK(iterations(study) == 3, "%lld iterations", (long long)iterations(study));
    write_scenario("500");
    CHECK(iterations(study) == 3, "%lld iterations after the file had changed",
          (long long)iterations(study));
    CHECK(unlink(path) == 0 && iterations(study) == 3, "not the same without the file");
    otok_study_destroy(study);
    CHECK(otok_study_load(&study, file_path) == OTOK_IO && strstr(otok_why(), "once.yaml"),
          "without its scenario: %s", otok_why());
    file_remove();
    return check_failures != 0;
}
