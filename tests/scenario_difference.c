/* scenario_difference.c - claim: of two resolved scenarios the first setting they do not share is
   named with both values; one number in two units is shared; title, output and the place of the
   file are nobody's business. CHECK_ONCE */
#include "scenario_file.h"

static const char text[] =
    "otok: 1\n"
    "title: one\n"
    "base: [{cone: {height: 120}}]\n"
    "phases:\n"
    "  - {name: erosion, iterations: 10, rain: {rate: 1}, hydraulic: {dt: 0.2}}\n"
    "  - {name: reef, iterations: 5, reef: {sea_history: [[0, 1], [2, 3]]}}\n";

static void check(const char *set, const char *expected)
{
    otok_scenario *mine, *theirs;
    MUST(file_load(&mine, text, NULL));
    MUST(file_load(&theirs, text, set));
    const char *found =
        otok_scenario_difference(otok_scenario_text(mine), otok_scenario_text(theirs));
    CHECK(expected ? found && strcmp(found, expected) == 0 : !found, "%s: %s", set,
          found ? found : "equal");
    otok_scenario_destroy(mine);
    otok_scenario_destroy(theirs);
}

int main(void)
{
    file_create();
    check("title=two", NULL);
    check("output={every: 3, fields: [water], keep: 9}", NULL);
    check("phases.erosion.hydraulic.dt=2e-1", NULL);
#ifdef OTOK_WITH_UDUNITS
    check("phases.erosion.hydraulic.dt=200 ms", NULL);
    check("base.0.cone.height=0.12 km", NULL);
    check("phases.erosion.rain.rate=3600 m/h", NULL);
    check("phases.erosion.rain.rate=36 m/h",
          "phases.erosion.rain.rate: \"1\" here, \"36 m/h\" there");
#endif
    check("phases.erosion.hydraulic.dt=0.1",
          "phases.erosion.hydraulic.dt: \"0.2\" here, \"0.1\" there");
    check("grid.nx=511", "grid.nx: \"512\" here, \"511\" there");
    check("phases.erosion.thermal={}", "phases.erosion.thermal: not given here, a group there");
    check("phases.erosion.rain.during=[[0, 3]]",
          "phases.erosion.rain.during: not given here, a list there");
    check("phases.erosion.rivers=[{x: 1, y: 2, discharge: 3}]",
          "phases.erosion.rivers: not given here, a list there");
    check("phases.erosion.rain.map=/a/b.tif",
          "phases.erosion.rain.map: \"\" here, \"/a/b.tif\" there");
    check("phases.reef.reef.sea_history=[[0, 1]]",
          "phases.reef.reef.sea_history.1: a list here, not given there");
    check("phases.reef.reef.sea_history.1.1=4",
          "phases.reef.reef.sea_history.1.1: \"3\" here, \"4\" there");
    check("phases.reef.name=coral", "phases.reef.name: \"reef\" here, \"coral\" there");
    check("phases.1={name: reef, iterations: 5, seabed: }",
          "phases.reef.reef: a group here, not given there");
    check("base=[{crater: }]", "base.0.cone: a group here, not given there");
    check("initial.file=/a/b.vtkhdf", "initial: not given here, a group there");
    check("seed=1", "seed: \"0\" here, \"1\" there");
    file_remove();
    const char *found = otok_scenario_difference("otok: 1\n", "otok: [");
    CHECK(found && strstr(found, "the other scenario"), "%s", found ? found : "equal");
    CHECK(otok_scenario_difference("otok: 1\n", "otok: 1\nfuture: 3\n"),
          "a key of another version counts");
    return check_failures != 0;
}
