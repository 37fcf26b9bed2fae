/* scenario_series.c - claim: a series is the same from a list, from a CSV file and from a file with
   units in its title, where one without brackets is refused; the resolved text holds its points;
   its values and integrals are those of a polygon or of a staircase, also if the points repeat; a
   shape of the sea's level is its points; an error names file, line and key. CHECK_ONCE */
#include "scenario/process.h"
#include "scenario_file.h"

#include <math.h>

#define HEAD "otok: 1\nphases:\n  - name: a\n    iterations: 5\n    reef:\n"

static char csv[sizeof file_folder + 16];

static void write_csv(const char *text)
{
    FILE *file = fopen(csv, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) exit(1);
}

static char *text_with(const char *series)
{
    otok_scenario *s;
    char words[512];
    snprintf(words, sizeof words, HEAD "      sea_history: %s\n", series);
    MUST(file_load(&s, words, NULL));
    char *text = strdup(otok_scenario_text(s));
    otok_scenario *again;
    MUST(file_load(&again, text, NULL));
    CHECK(strcmp(otok_scenario_text(again), text) == 0, "%s reads back as another", series);
    otok_scenario_destroy(again);
    otok_scenario_destroy(s);
    return text;
}

static void check_same(const char *one, const char *other)
{
    char *a = text_with(one), *b = text_with(other);
    CHECK(strcmp(a, b) == 0, "%s and %s:\n%s\n%s", one, other, a, b);
    CHECK(strstr(a, "sea_history") && strstr(a, "[60, 2.5]"), "%s: no points in\n%s", one, a);
    free(a);
    free(b);
}

static void check_forms(void)
{
    static const char *const files[] = {
        "0,1\n60,2.5\n120,-3\n",
        "\xef\xbb\xbf# tide\r\n\r\ntime, level\r\n0, 1\r\n60, 2.5\r\n120, -3\r\n",
#ifdef OTOK_WITH_UDUNITS
        "time [min];level (cm)\n0;100\n1;250\n2;-3 m\n",
        "time_s;level in m\n0;1\n60;2.5\n120;-3\n",
        "0 min\t1 m\n1 min\t2.5\n0.12 ks\t-3e0",
#endif
    };
    for (size_t n = 0; n < sizeof files / sizeof files[0]; n++) {
        write_csv(files[n]);
        check_same("[[0, 1], [60, 2.5 m], [120, -3]]", "tide.csv");
        check_same("{points: [[0, 1], [60, 2.5], [120, -3]], between: steps}",
                   "{file: tide.csv, between: steps}");
    }
    check_same("{points: [[0, 1], [60, 2.5]], between: linear}", "[[0, 1], [60, 2.5]]");
}

static void check_values(void)
{
    otok_series s = {.n = 3, .at = (struct otok_series_point[]){{10, 2}, {20, 4}, {40, 0}}};
    static const double lines[][3] = {{-5, 2, -10}, {0, 2, 0},   {10, 2, 20}, {15, 3, 32.5},
                                      {20, 4, 50},  {30, 2, 80}, {50, 0, 90}};
    static const double stairs[][3] = {{0, 2, 0},   {15, 2, 30},  {20, 4, 40},
                                       {30, 4, 80}, {40, 0, 120}, {50, 0, 120}};
    for (size_t n = 0; n < sizeof lines / sizeof lines[0]; n++)
        CHECK(otok_series_at(&s, lines[n][0]) == lines[n][1] &&
                  otok_series_integral(&s, lines[n][0]) == lines[n][2],
              "linear at %g: %g, integral %g", lines[n][0], otok_series_at(&s, lines[n][0]),
              otok_series_integral(&s, lines[n][0]));
    s.stepwise = 1;
    for (size_t n = 0; n < sizeof stairs / sizeof stairs[0]; n++)
        CHECK(otok_series_at(&s, stairs[n][0]) == stairs[n][1] &&
                  otok_series_integral(&s, stairs[n][0]) == stairs[n][2],
              "steps at %g: %g, integral %g", stairs[n][0], otok_series_at(&s, stairs[n][0]),
              otok_series_integral(&s, stairs[n][0]));
    s = (otok_series){
        .n = 3, .repeat = 1, .at = (struct otok_series_point[]){{0, 2}, {5, 4}, {8, 0}}};
    static const double again[][3] = {{0, 2, 0}, {8, 2, 21}, {13, 4, 36}, {16, 2, 42}};
    for (size_t n = 0; n < sizeof again / sizeof again[0]; n++)
        CHECK(otok_series_at(&s, again[n][0]) == again[n][1] &&
                  otok_series_integral(&s, again[n][0]) == again[n][2],
              "again at %g: %g, integral %g", again[n][0], otok_series_at(&s, again[n][0]),
              otok_series_integral(&s, again[n][0]));
    CHECK(otok_series_largest(&s) == 4, "the largest is %g", otok_series_largest(&s));
}

static void check_shapes(void)
{
    char *saw = text_with("{saw: {amplitude: 60, period: 1000, rise: 100, hold: 20}}"),
         *same = text_with("{repeat: true, points: [[0, 0], [20, 0], [900, -60], [1000, 0]]}");
    CHECK(strcmp(saw, same) == 0, "a saw is\n%s\nnot\n%s", saw, same);
    /* 20,000 years ago: between -107 m 17,000 years ago and -130 m 24,000 years ago */
    otok_scenario *s;
    const double year = 31556925.9747, begin = -20000 * year;
    static const double levels[][2] = {{0, 20}, {3, 17}, {5, 15}, {20, 0}, {30, -10}};
    char words[256];
    snprintf(words, sizeof words, HEAD "      sea_history: {pleistocene: %.17g}\n", begin);
    MUST(file_load(&s, words, NULL));
    for (size_t n = 0; n < sizeof levels / sizeof levels[0]; n++) {
        const double age = levels[n][1], level = age > 17   ? -107 - 23 * (age - 17) / 7
                                                 : age > 13 ? -66 - 41 * (age - 13) / 4
                                                            : 0;
        const double is =
            otok_series_at(&s->phases[0].reef.sea_history, 1000 * levels[n][0] * year);
        CHECK(fabs(is - level) < 1e-9, "%g kyr before the present the sea is at %.12g m, not %.12g",
              age, is, level);
    }
    otok_scenario_destroy(s);
    free(saw);
    free(same);
}

/* `where` begins the message after the folder. */
static void check_bad(const char *series, const char *rows, const char *where, const char *remedy)
{
    otok_scenario *s;
    char words[512], place[256];
    write_csv(rows);
    snprintf(words, sizeof words, HEAD "      sea_history: %s\n", series);
    snprintf(place, sizeof place, "%s/%s", file_folder, where);
    const otok_status status = file_load(&s, words, NULL);
    CHECK(status == OTOK_DATA || status == OTOK_IO, "%s: status %d", series, (int)status);
    CHECK(strncmp(otok_why(), place, strlen(place)) == 0 && strstr(otok_why(), remedy),
          "%s\nis not at %s, or lacks: %s", otok_why(), where, remedy);
    otok_scenario_destroy(s);
}

static void check_errors(void)
{
    check_bad("tide.csv", "0,1\n\n5,x\n",
              "tide.csv:3: phases.a.reef.sea_history.1.1: ", "not a number");
    check_bad("tide.csv", "0,1\n5,2\n5,3\n",
              "tide.csv:3: phases.a.reef.sea_history.2: ", "sort the pairs by time");
    check_bad("tide.csv", "o,1\n", "tide.csv:1: phases.a.reef.sea_history.0.0: ", "not a number");
    check_bad("tide.csv", "0,1,2\n",
              "tide.csv:1: phases.a.reef.sea_history.0: ", "write two: a time and a value");
    check_bad("tide.csv", "time,level [kg]\n0,1\n",
              "tide.csv:2: phases.a.reef.sea_history.0.1: ", "is not a number of m");
#ifdef OTOK_WITH_UDUNITS
    check_bad("tide.csv", "time,level in cm\n0,1\n", "bad.yaml:6: phases.a.reef.sea_history: ",
              "the unit `cm`; write `[cm]` there, or `[m]`");
    check_bad("tide.csv", "time_kyr;level\n0,1\n", "bad.yaml:6: ", "write `[kyr]`");
    check_bad("tide.csv", "hours,level_m\n0,1\n", "bad.yaml:6: ", "write `[hours]`");
    check_bad("tide.csv", "time,level [cm] of the sea\n0,1\n", "bad.yaml:6: ", "write `[cm]`");
    otok_scenario *s;
    write_csv("time,Q_cfs\n0,1\n");
    CHECK(file_load(&s,
                    "otok: 1\nphases:\n  - name: a\n    iterations: 5\n    rivers: [{x: 1, y: 1, "
                    "radius: 2, history: tide.csv}]\n    hydraulic: {dt: 0.1}\n",
                    NULL) == OTOK_DATA &&
              strstr(otok_why(), "phases.a.rivers.0.history: ") &&
              strstr(otok_why(), "write `[ft3 s-1]`"),
          "%s", otok_why());
#endif
    check_bad("tide.csv", "time,level\n",
              "bad.yaml:6: phases.a.reef.sea_history: ", "write a time and a value a line");
    check_bad("none.csv", "", "bad.yaml:6: phases.a.reef.sea_history: ", "none.csv");
    check_bad("{file: tide.csv, points: [[0, 1]]}", "0,1\n",
              "bad.yaml:6: phases.a.reef.sea_history.file: ", "keep one");
    check_bad("{between: steps}", "", "bad.yaml:6: phases.a.reef.sea_history: ", "`points`");
    check_bad("{file: tide.csv, between: curve}", "0,1\n",
              "bad.yaml:6: phases.a.reef.sea_history.between: ", "linear|steps");
    check_bad("[[0, 1], [1]]", "", "bad.yaml:6: phases.a.reef.sea_history.1: ", "not a pair");
    check_bad("[]", "", "bad.yaml:6: phases.a.reef.sea_history: ", "an empty list");
    check_bad("{saw: {amplitude: 60, period: 1000}}", "",
              "bad.yaml:6: phases.a.reef.sea_history.saw: ", "`rise` is missing");
    check_bad("{saw: {amplitude: 60, period: 1000, rise: 1000}}", "",
              "bad.yaml:6: phases.a.reef.sea_history.saw: ", "no time");
    check_bad("{pleistocene: -3e13}", "",
              "bad.yaml:6: phases.a.reef.sea_history.pleistocene: ", "at least -25182426927810.6");
    check_bad("{pleistocene: -3e10, between: steps}", "",
              "bad.yaml:6: phases.a.reef.sea_history.pleistocene: ", "leave the keys");
    check_bad("{points: [[1, 0], [2, 0]], repeat: true}", "",
              "bad.yaml:6: phases.a.reef.sea_history.repeat: ", "at time 0");
    check_bad("3", "", "bad.yaml:6: phases.a.reef.sea_history: ", "write [[0, 3]]");
}

int main(void)
{
    file_create();
    snprintf(csv, sizeof csv, "%s/tide.csv", file_folder);
    check_forms();
    check_values();
    check_shapes();
    check_errors();
    unlink(csv);
    file_remove();
    return check_failures != 0;
}
