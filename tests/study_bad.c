/* study_bad.c - claim: a study that cannot be meant is refused before anything runs, by a text that
   names file, line, key and remedy; a table's errors name the table and its line. A first member
   that is refused for its values alone refuses no study. CHECK_ONCE */
#include "scenario_file.h"

#define HEAD "study: 1\nscenario: base.yaml\n"
#define GRID HEAD "design: {kind: grid, points: 3}\n"
#define DT "vary: {phases.a.hydraulic.dt: {from: 0.1, to: 1}}\n"

static const struct bad {
    const char *text, *where, *remedy;
} cases[] = {
    {"", ":1: ", "a study begins with `study: 1`"},
    {"study: 2\n", ":1: study: ", "2 is out of range"},
    {"study: 1\n", ":1: ", "`scenario` is missing"},
    {HEAD, ":1: ", "`design` is missing, such as design: {kind: grid, points: 8}"},
    {HEAD "desing: {}\n", ":3: desing: ", "nearest known one is `design`"},
    {HEAD "design: {kind: gird}\n" DT, ":3: design.kind: ", "grid"},
    {HEAD "design: {kind: grid}\n" DT, ":3: design: ", "`points` is missing"},
    {HEAD "design: {kind: grid, points: [2, 2]}\n" DT,
     ":3: design.points: ", "2 numbers for 1 axes"},
    {HEAD "design: {kind: grid, points: 0}\n" DT,
     ":3: design.points: ", "0 is out of range; allowed: at least 1"},
    {HEAD "design: {kind: morris, levels: 5}\n" DT, ":3: design.levels: ", "5 is odd"},
    {HEAD "design: {kind: lhs, rows: 1.5}\n" DT, ":3: design.rows: ", "is not a whole number"},
    {HEAD "design: {kind: lhs, members: 9}\n" DT, ":3: design.members: ", "`rows` of lhs"},
    {HEAD "design: {kind: lhs, file: t.csv}\n" DT, ":3: design.file: ", "is of kind list"},
    {HEAD "design: {kind: saltelli, rows: 8}\n" DT,
     ":3: design.rows: ", "is of kind lhs and sobol"},
    {HEAD "design: {kind: sobol, points: 8}\n" DT,
     ":3: design.points: ", "is of kind grid; this kind takes: rows, scramble"},
    {HEAD "design: {kind: list}\n", ":3: design: ", "needs `file`"},
    {GRID, ":1: ", "`vary` is missing"},
    {GRID "vary: 3\n", ":4: vary: ", "where axes are needed"},
    {GRID "vary: {phases.a.hydraulic.dt: {from: 1}}\n",
     ":4: ", "give `from` and `to`, or `values`"},
    {GRID "vary: {phases.a.hydraulic.dt: {from: 0.1, to: 1, values: [1]}}\n", ":4: ", "not both"},
    {GRID "vary: {phases.a.hydraulic.evaporation: {from: 0, to: 1, scale: log}}\n",
     ":4: ", "both ends above 0"},
    {GRID "vary: {phases.a.hydraulic.dt: {values: []}}\n", ":4: ", "values are needed"},
    {GRID "vary: {phases.a.hydraulic.dt: {frm: 0, to: 1}}\n",
     ":4: ", "nearest known one is `from`"},
    {GRID "vary: {phases.a.hydraulic.td: {from: 0.1, to: 1}}\n",
     "the first member: ", "phases.a.hydraulic.td"},
    {GRID "vary: {phases.a.hydraulic.dt: {from: -1, to: 1}}\n",
     ":4: vary.phases.a.hydraulic.dt.from: ", "-1 is out of range; allowed: above 0"},
    {GRID "vary: {phases.b.hydraulic.dt: {from: 0.1, to: 1}}\n", "the first member: ", "phases.b"},
    {GRID "vary: {phases.a.hydraulic.dt: {from: 0.1, to: 1}, phases.0.hydraulic.dt: {from: 0.2, "
          "to: 1}}\n",
     ":4: vary.phases.0.hydraulic.dt: ", "is the same value as phases.a.hydraulic.dt"},
    {GRID DT "monitor: {every: 0}\n",
     ":5: monitor.every: ", "0 is out of range; allowed: at least 1"},
    {GRID DT "duration: -1\n", ":5: duration: ", "out of range"},
    {GRID "vary: {phases.a.iterations: {values: [1, 2]}}\nduration: 1\n",
     ":5: duration: ", "phases.a.iterations is varied"},
    {GRID "vary: {phases.a.rain.during: {values: ['[[0, 1]]']}}\nduration: 1\n",
     "the first member: ", "rain.during counts iterations"},
    {GRID DT "duration: 0.01\n", "the first member: ", "longer than twice the duration"},
    {GRID DT "keep: {coarsen: 2}\n", ":5: keep: ", "`fields` is missing"},
    {HEAD "design: {kind: grid}\nvary: {grid.nx: {values: [64, 32]}}\nkeep: {fields: [water]}\n",
     ":5: keep: ", "grid.nx is varied, and kept maps share one grid"},
    {GRID DT "keep: {fields: []}\n", ":5: keep: ", "`fields` is missing"},
    {GRID DT "keep: {fields: [terain]}\n", ":5: keep.fields.0: ", "the nearest is `terrain`"},
    {GRID DT "keep: {fields: [reef]}\n", ":5: keep.fields: ", "no process of the scenario"},
    {GRID DT "keep: {fields: [water, water]}\n", ":5: keep.fields.1: ", "given twice"},
    {GRID DT "keep: {fields: [water], coarsen: 5}\n", ":5: keep.coarsen: ",
     "does not divide the grid of 512 x 512 cells; the nearest that does is 4"},
    {GRID DT "keep: {fields: [water], when: [last, 5]}\nmonitor: {every: 2}\n",
     ":5: keep.when.1: ", "not a multiple of monitor.every, 2; the next is 6"},
    {GRID DT "keep: {fields: [water], when: [4]}\nmonitor: {every: 2}\n",
     ":5: keep.when: ", "4 is after the end; members have 3 iterations"},
    {GRID DT "keep: {fields: [water], moment: [last]}\n", ":5: keep.moment: ", "unknown key"},
    {GRID DT "responses: {a: mean(reef)}\n",
     ":5: responses.a: ", "no process of the scenario makes reef"},
    {GRID DT "responses:\n  a: 1\n  b: mean(water) >\n", ":7: responses.b: ", "column 14 of"},
    {HEAD "design: {kind: list, file: nowhere.csv}\n", "nowhere.csv", ""},
    {HEAD "design: {kind: list, file: table.csv}\n" DT, ":4: vary: ", "leave `vary` out"},
};

static const struct bad tables[] = {
    {"", "table.csv:", "no member; write a line of paths"},
    {"phases.a.hydraulic.dt\n", "table.csv:", "no member"},
    {"phases.a.hydraulic.dt,\n0.1,1\n", "table.csv:1: ", "a column without a path"},
    {"phases.a.hydraulic.dt,seed,phases.a.hydraulic.dt\n0.1,1,0.2\n",
     "table.csv:1: ", "two columns with the same path"},
    {"phases.a.hydraulic.dt,seed\n0.1,1\n0.2\n", "table.csv:3: ", "fewer cells"},
    {"phases.a.hydraulic.dt,seed\n0.1,1\n\n0.2,1,3\n", "table.csv:4: ", "more cells"},
    {"phases.a.hydraulic.dt,seed\n0.1,\n", "table.csv:2: ", "an empty cell"},
};

static char other[sizeof file_path];

static void write_bytes(const char *name, const char *text, size_t size)
{
    snprintf(other, sizeof other, "%s/%s", file_folder, name);
    FILE *file = fopen(other, "w");
    if (!file || fwrite(text, 1, size, file) != size || fclose(file) != 0) exit(1);
}

static void write_beside(const char *name, const char *text)
{
    write_bytes(name, text, strlen(text));
}

static void check(const struct bad *b, const char *text)
{
    otok_study *study = NULL;
    file_write(text, strlen(text));
    const otok_status status = otok_study_load(&study, file_path);
    CHECK(status == OTOK_DATA || status == OTOK_IO, "status %d for\n%s", (int)status, text);
    CHECK(!study, "a study was made of\n%s", text);
    if (status == OTOK_OK) return;
    CHECK(strstr(otok_why(), file_folder) && strstr(otok_why(), b->where) &&
              strstr(otok_why(), b->remedy),
          "\"%s\" lacks \"%s\" or \"%s\"", otok_why(), b->where, b->remedy);
}

int main(void)
{
    static const char *const names[] = {"base.yaml", "table.csv"},
                             list[] = HEAD "design: {kind: list, file: table.csv}\n";
    otok_study *study = NULL;
    file_create();
    write_beside("base.yaml", "otok: 1\nphases: [{name: a, iterations: 3, hydraulic: {}}]\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check(&cases[i], cases[i].text);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        write_beside("table.csv", tables[i].text);
        check(&tables[i], list);
    }
    static const char zero[] = "phases.a.hydraulic.dt\n0.1\n0.2\0\n0.3\n"; /* would end the table */
    write_bytes("table.csv", zero, sizeof zero - 1);
    check(&(struct bad){"", "table.csv:3: ", "a zero byte"}, list);
    const char good[] = HEAD "design: {kind: grid, points: [2, 2]}\n"
                             "vary: {phases.a.hydraulic.dt: {from: 2, to: 1}, "
                             "phases.a.hydraulic.evaporation: {from: 0.9, to: 0}}\n";
    file_write(good, strlen(good));
    MUST(otok_study_load(&study, file_path));
    CHECK(otok_study_rows(study) == 4 && otok_study_axes(study) == 2,
          "the good study has %lld members", (long long)otok_study_rows(study));
    otok_study_destroy(study);
    write_beside("table.csv", "\xef\xbb\xbfphases.a.hydraulic.dt,seed\r\n0.1,1\r\n");
    file_write(list, strlen(list));
    MUST(otok_study_load(&study, file_path));
    CHECK(strcmp(otok_study_axis(study, 0), "phases.a.hydraulic.dt") == 0,
          "a mark of UTF-8 is part of '%s'", otok_study_axis(study, 0));
    otok_study_destroy(study);
    for (int i = 0; i < 2; i++) {
        snprintf(other, sizeof other, "%s/%s", file_folder, names[i]);
        unlink(other);
    }
    file_remove();
    return check_failures != 0;
}
