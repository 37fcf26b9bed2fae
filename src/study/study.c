/* study.c: the members of a study: values by row, the table of kind: list, the scenario of a
   row. */
#include "keep.h"

#include "../core/rounding.h"
#include "../core/sized.h"
#include "../scenario/scenario_read.h"
#include "../sim/detect.h"
#include "../sim/sim.h"
#include "../sim/springs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *otok_axis_drop_unit(const otok_axis *axis, char value[OTOK_VALUE_SIZE],
                                char why[OTOK_UNIT_WHY])
{
    double number;
    int given = 0;
    if (!axis->parameter || axis->parameter->kind != OTOK_REAL) return NULL;
    const char *bad = otok_unit_read(&number, &given, value, axis->parameter->unit, why);
    char text[32];
    if (given && !bad) strcpy(value, otok_number_text(number, text));
    return given ? bad : NULL; /* the scenario judges words */
}

int64_t otok_study_rows(const otok_study *study)
{
    if (OTOK_GIVEN(study)) return 0;
    return otok_design_rows(&study->design);
}

int otok_study_axes(const otok_study *study)
{
    if (OTOK_GIVEN(study)) return 0;
    return study->naxes;
}

const char *otok_study_axis(const otok_study *study, int axis)
{
    if (OTOK_GIVEN(study)) return NULL;
    return axis >= 0 && axis < study->naxes ? study->axes[axis].path : NULL;
}

void otok_axis_value(const otok_axis *a, double u, char out[OTOK_VALUE_SIZE])
{
    double value = a->scale ? a->from * pow(a->to / a->from, u) : a->from + u * (a->to - a->from);
    const int whole = a->parameter && a->parameter->kind == OTOK_INT;
    if (whole) value = nearbyint(value);
    snprintf(out, OTOK_VALUE_SIZE, whole ? "%.0f" : "%.12g", value + 0.0);
}

void otok_study_value(const otok_study *study, int64_t row, int axis, char out[OTOK_VALUE_SIZE])
{
    if (OTOK_GIVEN(study, out)) return;
    *out = '\0';
    if (row < 0 || row >= otok_study_rows(study) || axis < 0 || axis >= study->naxes) return;
    OTOK_ROUNDING;
    const otok_axis *a = &study->axes[axis];
    if (study->design.kind == OTOK_DESIGN_LIST) {
        strcpy(out, a->values[row]);
        return;
    }
    double u[OTOK_MAX_AXES];
    otok_design_row(&study->design, row, u);
    if (a->nvalues) {
        const int64_t last = a->nvalues - 1;
        const int64_t n = study->design.kind == OTOK_DESIGN_GRID ? llround(u[axis] * (double)last)
                                                                 : (int64_t)(u[axis] * a->nvalues);
        strcpy(out, a->values[n < last ? n : last]);
        return;
    }
    otok_axis_value(a, u[axis], out);
}

otok_status otok_study_listed(otok_study *out, const otok_study *study, int64_t rows,
                              void (*place)(void *user, int64_t row, double u[OTOK_MAX_AXES]),
                              void *user)
{
    double u[OTOK_MAX_AXES];
    *out = *study;
    out->design.kind = OTOK_DESIGN_LIST;
    out->design.rows = rows;
    for (int a = 0; a < out->naxes; a++) {
        out->axes[a].values = calloc((size_t)rows, sizeof *out->axes[a].values);
        out->axes[a].nvalues = (int)rows;
    }
    for (int a = 0; a < out->naxes; a++)
        if (!out->axes[a].values)
            return OTOK_FAIL(OTOK_NOMEM, "no memory for %lld members", (long long)rows);
    for (int64_t row = 0; row < rows; row++) {
        place(user, row, u);
        for (int a = 0; a < out->naxes; a++) {
            if (study->axes[a].nvalues)
                strcpy(out->axes[a].values[row], study->axes[a].values[0]);
            else
                otok_axis_value(&study->axes[a], u[a], out->axes[a].values[row]);
        }
    }
    return OTOK_OK;
}

void otok_study_unlist(otok_study *study)
{
    for (int a = 0; a < study->naxes; a++)
        free(study->axes[a].values);
}

/* ---- the table ---- */

static otok_status fail_line(const otok_study *s, int64_t line, const char *what)
{
    return OTOK_FAIL(OTOK_DATA, "%s:%lld: %s", s->table, (long long)line, what);
}

static char *trim(char *cell)
{
    cell += strspn(cell, " \t\r\"");
    size_t n = strlen(cell);
    while (n && strchr(" \t\r\"", cell[n - 1]))
        cell[--n] = 0;
    return cell;
}

static otok_status table_head(otok_study *s, char *line)
{
    for (char *cell; (cell = strsep(&line, ","));) {
        if (s->naxes == OTOK_MAX_AXES) return fail_line(s, 1, "more than 32 columns");
        otok_axis *axis = &s->axes[s->naxes++];
        if (snprintf(axis->path, sizeof axis->path, "%s", trim(cell)) >= (int)sizeof axis->path ||
            !axis->path[0])
            return fail_line(s, 1, "a column without a path, such as phases.erosion.hydraulic.dt");
        for (const otok_axis *other = s->axes; other < axis; other++)
            if (strcmp(other->path, axis->path) == 0)
                return fail_line(s, 1, "two columns with the same path; take one out");
        axis->parameter = otok_parameter_at_path(axis->path);
    }
    return OTOK_OK;
}

static otok_status table_row(otok_study *s, char *line, int64_t number)
{
    for (int a = 0; a < s->naxes; a++) {
        otok_axis *axis = &s->axes[a];
        char *cell = strsep(&line, ",");
        if (!cell) return fail_line(s, number, "fewer cells than the first line has");
        if (!(axis->nvalues & (axis->nvalues - 1))) {
            void *more = realloc(axis->values, (size_t)(axis->nvalues ? 2 * axis->nvalues : 1) *
                                                   sizeof *axis->values);
            if (!more) return OTOK_FAIL(OTOK_NOMEM, "no memory for a study's table");
            axis->values = more;
        }
        cell = trim(cell);
        if (!*cell || strlen(cell) >= OTOK_VALUE_SIZE)
            return fail_line(s, number, "an empty cell, or one of more than 127 bytes");
        char *value = axis->values[axis->nvalues++], why[OTOK_UNIT_WHY];
        strcpy(value, cell);
        if (otok_axis_drop_unit(axis, value, why)) return fail_line(s, number, why);
    }
    return line ? fail_line(s, number, "more cells than the first line has") : OTOK_OK;
}

otok_status otok_study_table(otok_study *s)
{
    char *bytes;
    size_t size;
    OTOK_TRY(otok_text_read(&bytes, &size, s->table));
    static const char mark[] = "\xef\xbb\xbf"; /* mark of UTF-8, which spreadsheets put first */
    int64_t number = 1;
    for (const char *c = bytes; *c; c++)
        number += *c == '\n';
    otok_status status = strlen(bytes) == size
                             ? OTOK_OK
                             : fail_line(s, number, "a zero byte; write the table as plain text");
    number = 0;
    for (char *rest = strncmp(bytes, mark, 3) == 0 ? bytes + 3 : bytes, *line;
         status == OTOK_OK && (line = strsep(&rest, "\n"));) {
        number++;
        if (!*trim(line)) continue;
        status = s->naxes ? table_row(s, line, number) : table_head(s, line);
    }
    free(bytes);
    if (status != OTOK_OK) return status;
    s->design.naxes = s->naxes;
    s->design.rows = s->naxes ? s->axes[0].nvalues : 0;
    return s->design.rows
               ? OTOK_OK
               : fail_line(s, number,
                           "no member; write a line of paths, then one line of values a member");
}

/* ---- members ---- */

/* The part that counts iterations, whose number a duration changes; NULL: none. */
static const char *counted(const otok_scenario *s)
{
    if (s->nchanges && !s->timed) return "changes";
    if (s->nphases && s->phases[0].cycle.times > 1) return "cycle";
    for (int i = 0; s->nphases && i < s->phases[0].rain.nspans; i++)
        if (isnan(s->phases[0].rain.during[i].begin)) return "rain.during";
    return NULL;
}

static otok_status fail_counted(otok_scenario **out, const otok_study *s)
{
    const char *key = counted(*out);
    if (!key) return OTOK_OK;
    otok_scenario_destroy(*out);
    *out = NULL;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: %s counts iterations, which a duration makes more or fewer; give times "
                     "with a unit, or take one of the two out",
                     s->scenario, key);
}

static otok_status parse_member(otok_scenario **out, const otok_study *s, int64_t row)
{
    char words[OTOK_MAX_AXES + 1][OTOK_TEXT_SIZE + OTOK_VALUE_SIZE + 2];
    const char *sets[OTOK_MAX_AXES + 1];
    for (int a = 0; a < s->naxes; a++) {
        char value[OTOK_VALUE_SIZE];
        otok_study_value(s, row, a, value);
        snprintf(words[a], sizeof words[a], "%s=%s", s->axes[a].path, value);
        sets[a] = words[a];
    }
    if (!(s->duration > 0))
        return otok_scenario_parse(out, s->scenario, s->text, s->size, sets, s->naxes);
    sets[s->naxes] = "changes=null"; /* they could come after the end of the iterations */
    OTOK_TRY(otok_scenario_parse(out, s->scenario, s->text, s->size, sets, s->naxes + 1));
    OTOK_TRY(fail_counted(out, s));
    const double step = (*out)->nphases ? otok_phase_step((*out)->phases) : 0;
    char one[48], all[48];
    otok_scenario_destroy(*out);
    *out = NULL;
    if (!(step > 0))
        return OTOK_FAIL(OTOK_DATA,
                         "%s: an iteration takes no time, so that a duration cannot be reached",
                         s->scenario);
    otok_time_words(one, step);
    otok_time_words(all, s->duration);
    if (step > 2 * s->duration)
        return OTOK_FAIL(OTOK_DATA, "an iteration of %s is longer than twice the duration of %s",
                         one, all);
    snprintf(words[s->naxes], sizeof words[0], "phases.0.iterations=%.15g",
             fmax(1, nearbyint(s->duration / step)));
    sets[s->naxes] = words[s->naxes];
    OTOK_TRY(otok_scenario_parse(out, s->scenario, s->text, s->size, sets, s->naxes + 1));
    return fail_counted(out, s);
}

/* Does an axis choose steps of water? */
static int varies_steps(const otok_study *s)
{
    int varies = 0;
    for (int a = 0; a < s->naxes; a++) {
        const otok_parameter *p = s->axes[a].parameter;
        varies |= p && strcmp(p->group, "hydraulic") == 0 &&
                  (strcmp(p->key, "dt") == 0 || strcmp(p->key, "courant") == 0);
    }
    return varies;
}

/* Lets the steps of the water follow its state where nobody has said otherwise. Returns the phases,
   a bit each. */
static uint64_t follow_water(otok_scenario *member, const otok_study *s)
{
    uint64_t phases = 0;
    if (varies_steps(s) || member->nchanges) return 0;
    for (int p = 0; p < member->nphases; p++) {
        if (!otok_phase_may_have_courant(&member->phases[p])) continue;
        member->phases[p].hydraulic.courant = OTOK_STUDY_COURANT;
        phases |= UINT64_C(1) << p % 64;
    }
    return phases;
}

otok_status otok_study_member(otok_scenario **out, const otok_study *s, int64_t row)
{
    OTOK_TRY(parse_member(out, s, row));
    follow_water(*out, s);
    return OTOK_OK;
}

int otok_study_follows(const otok_study *s, char *paths, size_t size)
{
    enum { TRIES = 64 };
    int n = 0;
    *paths = 0;
    for (int64_t row = 0; row < otok_study_rows(s) && row < TRIES && !n; row++) {
        otok_scenario *member;
        if (parse_member(&member, s, row) != OTOK_OK) continue;
        const uint64_t phases = follow_water(member, s);
        for (int p = 0; p < member->nphases; p++)
            if (phases >> p % 64 & 1 && member->phases[p].hydraulic.courant == OTOK_STUDY_COURANT &&
                strlen(paths) + strlen(member->phases[p].name) + 32 < size)
                snprintf(paths + strlen(paths), size - strlen(paths),
                         "%sphases.%s.hydraulic.courant", n++ ? ", " : "", member->phases[p].name);
        otok_scenario_destroy(member);
    }
    return n;
}

/* The bytes of the detectors' maps: each stored field but the wetness, and two maps of the previous
   sample. */
static double detector_bytes(const otok_scenario *scenario)
{
    otok_set buffers = {{0}};
    int maps = 2;
    otok_scenario_all_buffers(&buffers,
                              scenario); /* 0 after a failure, which otok_scenario_bytes reports */
    for (int f = 0; f < OTOK_STORED; f++)
        maps += f != OTOK_WETNESS && otok_set_has(buffers, f);
    return (double)maps * sizeof(float) * (double)scenario->grid.nx * (double)scenario->grid.ny;
}

static otok_status estimate(otok_study_cost *out, const otok_study *study)
{
    *out = (otok_study_cost){.members = otok_study_rows(study)};
    out->kept = (double)out->members * otok_keep_bytes(&study->keep);
    const int64_t every = (out->members + 4095) / 4096;
    for (int64_t row = 0; row < out->members; row += every) {
        otok_scenario *scenario;
        uint64_t fields = 0, checkpoint;
        const otok_status status = otok_study_member(&scenario, study, row);
        if (status != OTOK_OK && status != OTOK_DATA && status != OTOK_USAGE) return status;
        out->checked++;
        out->refused += status != OTOK_OK;
        if (status != OTOK_OK) continue;
        const double cells = (double)scenario->grid.nx * (double)scenario->grid.ny;
        const int64_t n = otok_scenario_iterations(scenario),
                      samples = (n + study->every - 1) / study->every;
        const otok_status known =
            otok_scenario_bytes(scenario, &otok_backend_cpu, &fields, &checkpoint);
        const double bytes = (double)fields + (double)otok_springs_bytes(scenario) +
                             (double)samples * sizeof(otok_sample) + detector_bytes(scenario);
        out->bytes = bytes > out->bytes ? bytes : out->bytes;
        out->cell_steps += cells * (double)n;
        otok_scenario_destroy(scenario);
        if (known != OTOK_OK && known != OTOK_IO && known != OTOK_DATA) return known;
    }
    out->cell_steps *= (double)out->members / (double)out->checked;
    return OTOK_OK;
}

otok_status(otok_study_estimate)(otok_study_cost *out, const otok_study *study, size_t size)
{
    OTOK_TRY(OTOK_GIVEN(out, study));
    OTOK_ROUNDING;
    otok_study_cost all;
    const otok_status status = estimate(&all, study);
    otok_sized_copy(out, size, &all, sizeof all);
    return status;
}
