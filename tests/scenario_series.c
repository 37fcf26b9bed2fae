/* scenario_series.c - claim: a series is the same from a list and from files in the dialects of
   spreadsheets, pandas, R and numpy, with the units of titles and of `units`; what is in doubt is
   refused: a title that may hold a unit in other places, numbers that stand for no value, commas
   that may be thousands, dates, times that are all after the phase. The resolved text holds the
   points; values and integrals are those of a polygon or of a staircase, also if the points repeat
   or are 0 outside; a shape of the sea's level is its points; an error names file, line and key.
   CHECK_ONCE */
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
        "# a tide\n# time [min],level [m]\n0,1\n1,2.5\n2,-3\n",
        "# time [min],level [m]\n# of 2020, a remark\n0,1\n1,2.5\n2,-3\n",
        "# time [min] level [m]\n0.0e+00 1\n1.0e+00   2.5\n2.0e+00 -3\n",
        "Time (mins);Level (cm)\r\n0;100,0\r\n1;250,0\r\n2;-300,0\r\n",
#endif
        "\"\",\"time\",\"level\"\n\"1\",0,1\n\"2\",60,2.5\n\"3\",120,-3\n",
        ",time,level\r0,0,1\r1,60,2.5\r2,120,-3\r",
        "level,time\n1,0\n2.5,60\n-3,120\n",
        "time  level\n  0    1\n 60    2.5\n120   -3\n",
        "\"0\",\"1,0\"\n\"60\",\"2,5\"\n\"120\",\"-3,0\"\n",
    };
    for (size_t n = 0; n < sizeof files / sizeof files[0]; n++) {
        write_csv(files[n]);
        check_same("[[0, 1], [60, 2.5 m], [120, -3]]", "tide.csv");
        check_same("{points: [[0, 1], [60, 2.5], [120, -3]], between: steps}",
                   "{file: tide.csv, between: steps}");
    }
    check_same("{points: [[0, 1], [60, 2.5]], between: linear}", "[[0, 1], [60, 2.5]]");
}

/* What the keys beside `file` tell. */
static void check_keys(void)
{
    static const struct {
        const char *rows, *keys;
    } files[] = {
        {"time,north,south\n0,1,7\n60,2.5,8\n120,-3,9\n", "column: north"},
        {"0|1|7\n60|2.5|8\n120|-3|9\n", "column: 2, separator: '|'"},
        {"time;level\n0;1,000\n60;2,500\n120;-3,000\n", "decimal: ','"},
        {"% tide\n0,1\n% more\n60,2.5\n120,-3\n", "comment: '%'"},
        {"time,level\n0,1\n30,-999\n60,2.5\n90,\n120,-3\n", "missing: -999"},
        {"time,level\n0,1\n30,NaN\n60,2.5\n90,NA\n120,-3\n", "missing: NaN"},
#ifdef OTOK_WITH_UDUNITS
        {"time,level\n0,100\n1,250\n2,-300\n", "units: {time: min, value: cm}"},
        {"time [min],Stage\n0,100\n1,250\n2,-300\n", "units: {Stage: cm}"},
        {"Time_min,level cm\n0,100\n1,250\n2,-300\n", "units: {Time_min: min, 'level cm': cm}"},
#endif
    };
    char words[256];
    for (size_t n = 0; n < sizeof files / sizeof files[0]; n++) {
        write_csv(files[n].rows);
        snprintf(words, sizeof words, "{file: tide.csv, %s}", files[n].keys);
        check_same("[[0, 1], [60, 2.5], [120, -3]]", words);
    }
    write_csv("0,1\n60,2.5\n");
    check_same("{points: [[0, 1], [60, 2.5]], outside: zero}", "{file: tide.csv, outside: zero}");
    check_same("{points: [[0, 1], [60, 2.5]], repeat: true}", "{file: tide.csv, outside: repeat}");
    /* a level that data use for no value is written with its unit */
    write_csv("0,-9999 m\n60,2.5\n");
    check_same("[[0, -9999 m], [60, 2.5]]", "tide.csv");
}

static void check_many(void)
{
    otok_scenario *s;
    FILE *file = fopen(csv, "wb");
    for (int n = 0; n < 30000; n++)
        fprintf(file, "%d,%d\n", n, n % 7);
    CHECK(file && fclose(file) == 0, "no file");
    MUST(file_load(&s, HEAD "      sea_history: tide.csv\n", NULL));
    const otok_series *h = &s->phases[0].reef.sea_history;
    CHECK(h->n == 30000 && h->at[29999].value == 29999 % 7, "%d points", h->n);
    otok_series slow = *h; /* without the sums */
    slow.sums = NULL;
    for (double t = -3; t < 31000; t += 777.77)
        CHECK(h->sums && otok_series_integral(h, t) == otok_series_integral(&slow, t),
              "the integral to %g is %.17g, not %.17g", t, otok_series_integral(h, t),
              otok_series_integral(&slow, t));
    otok_scenario_destroy(s);
}

/* Rows of a time, the value there, and the integral up to it. */
static void check_rows(const otok_series *s, const char *what, int n, const double (*rows)[3])
{
    for (; n > 0; n--, rows++)
        CHECK(otok_series_at(s, (*rows)[0]) == (*rows)[1] &&
                  otok_series_integral(s, (*rows)[0]) == (*rows)[2],
              "%s at %g: %g, integral %g", what, (*rows)[0], otok_series_at(s, (*rows)[0]),
              otok_series_integral(s, (*rows)[0]));
}

static void check_values(void)
{
    otok_series s = {.n = 3, .at = (struct otok_series_point[]){{10, 2}, {20, 4}, {40, 0}}};
    check_rows(&s, "linear", 7,
               (const double[][3]){{-5, 2, -10},
                                   {0, 2, 0},
                                   {10, 2, 20},
                                   {15, 3, 32.5},
                                   {20, 4, 50},
                                   {30, 2, 80},
                                   {50, 0, 90}});
    s.stepwise = 1;
    check_rows(&s, "steps", 6,
               (const double[][3]){
                   {0, 2, 0}, {15, 2, 30}, {20, 4, 40}, {30, 4, 80}, {40, 0, 120}, {50, 0, 120}});
    s = (otok_series){
        .n = 3, .repeat = 1, .at = (struct otok_series_point[]){{0, 2}, {5, 4}, {8, 0}}};
    check_rows(&s, "again", 4,
               (const double[][3]){{0, 2, 0}, {8, 2, 21}, {13, 4, 36}, {16, 2, 42}});
    CHECK(otok_series_largest(&s) == 4, "the largest is %g", otok_series_largest(&s));
    s = (otok_series){.n = 3,
                      .outside = OTOK_OUTSIDE_ZERO,
                      .at = (struct otok_series_point[]){{10, 2}, {20, 4}, {40, 0.5}}};
    check_rows(&s, "zero outside", 5,
               (const double[][3]){{5, 0, 0}, {10, 2, 0}, {20, 4, 30}, {40, 0.5, 75}, {50, 0, 75}});
    s.stepwise = 1; /* the last step is as long as the one before */
    check_rows(
        &s, "zero outside steps", 5,
        (const double[][3]){{5, 0, 0}, {40, 0.5, 100}, {50, 0.5, 105}, {60, 0, 110}, {70, 0, 110}});
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
    CHECK(status == OTOK_DATA || status == OTOK_IO, "%s\n%s: status %d", series, rows, (int)status);
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
    check_bad("tide.csv", "o,1\n", "tide.csv:1: phases.a.reef.sea_history: ", "not a number");
    check_bad("tide.csv", "0,1,2\n",
              "tide.csv:1: phases.a.reef.sea_history: ", "write two: a time and a value");
    check_bad("tide.csv", "0,1\n2,3,4\n",
              "tide.csv:2: phases.a.reef.sea_history: ", "3 cells in the line, and line 1 has 2");
    check_bad("tide.csv", "time,level [kg]\n0,1\n",
              "tide.csv:1: phases.a.reef.sea_history: ", "the unit `kg`, which is not one of m");
    check_bad("tide.csv", "a,b,c\n0,1,2\n", "tide.csv:1: ", "2 columns of values: `b`, `c`");
    check_bad("{file: tide.csv, column: d}", "a,b,c\n0,1,2\n",
              "bad.yaml:6: phases.a.reef.sea_history.column: ", "it has `a`, `b`, `c`");
    check_bad("tide.csv", "time;level\n0;1,000\n60;2,500\n", "tide.csv:2: ", "write decimal: ','");
    check_bad("tide.csv", "time;level\n0;1.000,5\n", "tide.csv:2: ", "marks between thousands");
    check_bad("tide.csv", "time;level\n0;1,5\n1;2.5\n", "tide.csv:3: ", "one of them");
    check_bad("tide.csv", "time,level\n2020-01-01 00:00,1\n", "tide.csv:2: ", "is a date");
    check_bad("tide.csv", "level,time\n1,0\n#N/A,5\n2,9\n", "tide.csv:3: ", "no value");
    check_bad("tide.csv", "0,\"1\n", "tide.csv:1: ", "a quote");
    check_bad("{points: [[0, 1]], missing: -9}", "",
              "bad.yaml:6: phases.a.reef.sea_history.missing: ", "how a file is written");
    check_bad("{points: [[0, 1], [2, 1]], outside: hold, repeat: true}", "",
              "bad.yaml:6: phases.a.reef.sea_history.outside: ", "contradict");
}

/* Numbers and words that stand for no value, and times that are all after the phase. */
static void check_doubts(void)
{
    static const char *const none[] = {
        "-999",    "-9999",  "-99.9", "-999.9", "-99999.0", "9999", "99999", "1e20", "9.96921e+36",
        "-3.4e38", "-32768", "NaN",   "NA",     "",         "null", "-",     "#N/A"};
    char rows[64];
    for (size_t n = 0; n < sizeof none / sizeof none[0]; n++) {
        snprintf(rows, sizeof rows, "time,level\n0,1\n5,%s\n9,2\n", none[n]);
        check_bad("tide.csv", rows, "tide.csv:3: phases.a.reef.sea_history: ", "missing: ");
    }
    check_bad("[[0, 1], [5, -9999]]", "", "bad.yaml:6: phases.a.reef.sea_history.1.1: ", "-9999 m");
    check_bad("tide.csv", "time,level\n0,1\n,2\n", "tide.csv:3: ", "no time");
    static const char *const late[][2] = {
        {"1577836800", "seconds since 1970"}, {"20200101", "dates"}, {"43831", "spreadsheet"}};
    for (size_t n = 0; n < sizeof late / sizeof late[0]; n++) {
        snprintf(rows, sizeof rows, "time,level\n%s,1\n%s0,2\n", late[n][0], late[n][0]);
        check_bad("tide.csv", rows, "bad.yaml:6: phases.a.reef.sea_history: ", late[n][1]);
    }
    check_bad("[[50, 1], [60, 2]]", "",
              "bad.yaml:6: phases.a.reef.sea_history: ", "all after the phase");
    otok_scenario *s;
    MUST(file_load(&s, HEAD "      sea_history: {points: [[50, 1], [60, 2]], outside: hold}\n",
                   NULL));
    otok_scenario_destroy(s);
}

/* Words in titles: names are read, what may be a unit is refused. */
static void check_titles(void)
{
    static const char *const refused[] = {"yrs,level",          "t.h,level",
                                          "age [kyr],level",    "age_ka,level",
                                          "Kyr,level",          "time,Q_LPS",
                                          "time,kcfs",          "time,level=cm",
                                          "time,level {m}",     "time,rain in",
                                          "time,discharge",     "time,level [cm] of the sea",
                                          "time,[m] level",     "time,level [m] [cm]",
                                          "time,level []",      "time,ftNAVD",
                                          "time,levelCm",       "epoch,level",
                                          "time,level_cm [m]",  "day,level",
                                          "kyr,level",          "time_ka,level",
                                          "time,level_dam",     "time,level 10 cm",
                                          "time,level x10 m",   "time,level 10_cm",
                                          "time,level_in",      "time,flow_cm",
                                          "time,level-cm",      "time,level_h",
                                          "step,level",         "time,level (thousand)",
                                          "time [month],level", "time [m],level"};
    static const char *const read[] = {
        "time,level",  "Time,Stage",           "t,z",        "time [s],level [m]", "time,level (m)",
        "t [s],h [m]", "time_s,level in m",    "zeit,pegel", "time,upstream",      "time,gauge12",
        "time,Z2",     "time,level of the sea"};
    char rows[64];
    for (size_t n = 0; n < sizeof refused / sizeof refused[0]; n++) {
        snprintf(rows, sizeof rows, "%s\n0,1\n60,2.5\n", refused[n]);
        check_bad("tide.csv", rows, "tide.csv:1: phases.a.reef.sea_history: ", "");
    }
    for (size_t n = 0; n < sizeof read / sizeof read[0]; n++) {
        snprintf(rows, sizeof rows, "%s\n0,1\n60,2.5\n", read[n]);
        write_csv(rows);
        check_same("[[0, 1], [60, 2.5]]", "tide.csv");
    }
#ifdef OTOK_WITH_UDUNITS
    /* a unit at the end of a title, behind a separator, that can be nothing else */
    static const char *const ends[][2] = {
        {"Time_hrs,level", "1 h,2.5"},   {"time/mins,level", "1 min,2.5"},
        {"hours,level", "1 h,2.5"},      {"HR,level", "1 h,2.5"},
        {"time_kyr,level", "1 kyr,2.5"}, {"time,level in cm", "1,2.5 cm"},
        {"time,level_mm", "1,2.5 mm"},   {"time,sea level (NN) cm", ""},
        {"time;level, cm", "1;2.5 cm"},  {"time,Weir12_feet", "1,2.5 ft"},
        {"time,cm", "1,2.5 cm"}};
    for (size_t n = 0; n < sizeof ends / sizeof ends[0]; n++) {
        const char mark = strchr(ends[n][0], ';') ? ';' : ',';
        snprintf(rows, sizeof rows, "%s\n0%c0\n1%c2.5\n", ends[n][0], mark, mark);
        if (!*ends[n][1]) {
            check_bad("tide.csv", rows, "tide.csv:1: phases.a.reef.sea_history: ", "");
            continue;
        }
        write_csv(rows);
        char *read_as = text_with("{file: tide.csv, outside: hold}");
        snprintf(rows, sizeof rows, "0%c0\n%s\n", mark, ends[n][1]);
        write_csv(rows);
        char *meant = text_with("{file: tide.csv, outside: hold}");
        CHECK(strcmp(read_as, meant) == 0, "%s is\n%s\nnot\n%s", ends[n][0], read_as, meant);
        free(read_as);
        free(meant);
    }
    static const struct {
        const char *unit;
        double m3; /* a second */
    } units[] = {{"m3/s", 1},
                 {"cms", 1},
                 {"cumecs", 1},
                 {"L/s", 1e-3},
                 {"LPS", 1e-3},
                 {"cfs", 0.028316846592},
                 {"ft3/s", 0.028316846592},
                 {"m3/h", 1 / 3600.},
                 {"MLD", 1e3 / 86400},
                 {"CMH", 1 / 3600.},
                 {"CMD", 1 / 86400.},
                 {"GPM", 3.785411784e-3 / 60},
                 {"MGD", 3785.411784 / 86400},
                 {"IMGD", 4546.09 / 86400},
                 {"LPM", 1e-3 / 60},
                 {"m^3 s^-1", 1}};
    for (size_t n = 0; n < sizeof units / sizeof units[0]; n++) {
        otok_scenario *s;
        snprintf(rows, sizeof rows, "time [min],Q [%s]\n0,0\n1,1\n", units[n].unit);
        write_csv(rows);
        MUST(
            file_load(&s,
                      "otok: 1\nphases:\n  - name: a\n    iterations: 5\n    rivers: [{x: 1, y: 1, "
                      "radius: 2, history: tide.csv}]\n    hydraulic: {dt: 0.1}\n",
                      NULL));
        const struct otok_series_point *last = &s->phases[0].rivers[0].history.at[1];
        CHECK(last->time == 60 && fabs(last->value / units[n].m3 - 1) < 1e-6,
              "1 %s is %.9g m3/s, not %.9g", units[n].unit, last->value, units[n].m3);
        otok_scenario_destroy(s);
    }
#endif
}

static void check_other_errors(void)
{
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
    check_keys();
    check_many();
    check_titles();
    check_doubts();
    check_values();
    check_shapes();
    check_errors();
    check_other_errors();
    unlink(csv);
    file_remove();
    return check_failures != 0;
}
