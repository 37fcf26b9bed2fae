/* study_read.c: reads and checks a study file. study.c makes the values of its members. */
#include "../core/rounding.h"
#include "../scenario/scenario_read.h"
#include "../sim/expressions.h"
#include "keep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static otok_status no_memory(void)
{
    return OTOK_FAIL(OTOK_NOMEM, "no memory for a study");
}

/* Reads an end of the range, in the unit of the parameter. */
static otok_status read_end(const otok_axis *axis, const otok_node *node)
{
    double end;
    otok_parameter any = {
        .unit = axis->parameter ? axis->parameter->unit : "", .low = -INFINITY, .high = INFINITY};
    if (!node) return OTOK_OK;
    return otok_value_real(
        &end, node, axis->parameter && axis->parameter->kind == OTOK_REAL ? axis->parameter : &any);
}

static otok_status read_values(otok_axis *axis, const otok_node *list)
{
    char shown[64];
    if (list->kind != OTOK_NODE_LIST || !list->n)
        return otok_node_fail(list, "%s stands where values are needed; write [a, b, ...]",
                              otok_node_show(list, shown));
    axis->values = calloc((size_t)list->n, sizeof *axis->values);
    if (!axis->values) return no_memory();
    for (axis->nvalues = 0; axis->nvalues < list->n; axis->nvalues++) {
        char *value = axis->values[axis->nvalues], why[OTOK_UNIT_WHY];
        OTOK_TRY(otok_value_text(value, OTOK_VALUE_SIZE, list->items[axis->nvalues]));
        if (otok_axis_drop_unit(axis, value, why))
            return otok_node_fail(list->items[axis->nvalues], "%s", why);
    }
    return OTOK_OK;
}

static otok_status read_axis(otok_axis *axis, const otok_node *map)
{
    otok_words words = {0};
    otok_words_add_keys(&words, "axis");
    OTOK_TRY(otok_words_check(&words, map));
    axis->parameter = otok_parameter_at_path(map->key);
    OTOK_TRY(read_end(axis, otok_node_find(map, "from")));
    OTOK_TRY(read_end(axis, otok_node_find(map, "to")));
    OTOK_TRY(otok_group_read(axis, "axis", map));
    if (snprintf(axis->path, sizeof axis->path, "%s", map->key) >= (int)sizeof axis->path)
        return otok_node_fail(map, "the path is longer than %zu bytes", sizeof axis->path - 1);
    const otok_node *values = otok_node_find(map, "values");
    if (values) {
        if (otok_node_find(map, "from") || otok_node_find(map, "to") ||
            otok_node_find(map, "scale"))
            return otok_node_fail(map, "give `values`, or `from` and `to`, not both");
        return read_values(axis, values);
    }
    if (isnan(axis->from) || isnan(axis->to))
        return otok_node_fail(map, "give `from` and `to`, or `values`");
    if (axis->scale && !(axis->from > 0 && axis->to > 0))
        return otok_node_fail(map, "scale: log needs both ends above 0; found %.10g and %.10g",
                              axis->from, axis->to);
    return OTOK_OK;
}

static otok_status read_axes(otok_study *s, const otok_node *map)
{
    char shown[64];
    if (map->kind != OTOK_NODE_MAP || !map->n)
        return otok_node_fail(map, "%s stands where axes are needed; write path: {from: a, to: b}",
                              otok_node_show(map, shown));
    if (map->n > OTOK_MAX_AXES)
        return otok_node_fail(map, "%d axes; allowed: at most %d", map->n, OTOK_MAX_AXES);
    for (; s->naxes < map->n; s->naxes++)
        OTOK_TRY(read_axis(&s->axes[s->naxes], map->items[s->naxes]));
    return OTOK_OK;
}

static otok_status read_points(otok_study *s, const otok_node *node, const otok_node *design)
{
    const otok_parameter range = {.unit = "1", .low = 1, .high = 4294967296.0};
    int64_t all = 0;
    if (node && node->kind == OTOK_NODE_SCALAR) OTOK_TRY(otok_value_int(&all, node, &range));
    if (node && node->kind == OTOK_NODE_LIST && node->n != s->naxes)
        return otok_node_fail(node, "%d numbers for %d axes; give one each, in the order of `vary`",
                              node->n, s->naxes);
    for (int a = 0; a < s->naxes; a++) {
        s->design.points[a] = s->axes[a].nvalues ? s->axes[a].nvalues : all;
        if (s->axes[a].nvalues) continue;
        if (!node) return otok_node_fail(design, "`points` is missing: how many along each axis");
        if (node->kind == OTOK_NODE_LIST)
            OTOK_TRY(otok_value_int(&s->design.points[a], node->items[a], &range));
    }
    return OTOK_OK;
}

/* Refuses keys of other kinds, which would be ignored. */
static otok_status check_keys(int kind, const otok_node *map)
{
    enum {
        GRID = 1 << OTOK_DESIGN_GRID,
        LHS = 1 << OTOK_DESIGN_LHS,
        SOBOL = 1 << OTOK_DESIGN_SOBOL
    };
    enum {
        MORRIS = 1 << OTOK_DESIGN_MORRIS,
        SALTELLI = 1 << OTOK_DESIGN_SALTELLI,
        LIST = 1 << OTOK_DESIGN_LIST
    };
    static const struct {
        const char *key, *kinds;
        int of;
    } keys[] = {{"points", "grid", GRID},
                {"rows", "lhs and sobol", LHS | SOBOL},
                {"base", "saltelli", SALTELLI},
                {"trajectories", "morris", MORRIS},
                {"levels", "morris", MORRIS},
                {"second_order", "saltelli", SALTELLI},
                {"scramble", "sobol and saltelli", SOBOL | SALTELLI},
                {"file", "list", LIST}};
    char own[64] = "";
    for (size_t n = 0; n < sizeof keys / sizeof keys[0]; n++)
        if (keys[n].of >> kind & 1)
            snprintf(own + strlen(own), sizeof own - strlen(own), "%s%s", *own ? ", " : "",
                     keys[n].key);
    for (size_t n = 0; n < sizeof keys / sizeof keys[0]; n++) {
        const otok_node *node = otok_node_find(map, keys[n].key);
        if (node && !(keys[n].of >> kind & 1))
            return otok_node_fail(node, "is of kind %s; this kind takes: %s", keys[n].kinds, own);
    }
    return OTOK_OK;
}

static otok_status read_design(otok_study *s, const otok_node *map)
{
    const otok_node *members = otok_node_find(map, "members");
    if (members)
        return otok_node_fail(members, "unknown key; how many members there are is `rows` of lhs "
                                       "and sobol, `points` of grid, `base` of saltelli, "
                                       "`trajectories` of morris");
    OTOK_TRY(otok_group_take(&s->design, "design", map, NULL));
    OTOK_TRY(check_keys((int)s->design.kind, map));
    s->design.naxes = s->naxes;
    s->design.seed = (uint64_t)s->seed;
    if (s->design.kind == OTOK_DESIGN_GRID)
        OTOK_TRY(read_points(s, otok_node_find(map, "points"), map));
    if (s->design.kind == OTOK_DESIGN_MORRIS && s->design.levels % 2)
        return otok_node_fail(otok_node_find(map, "levels"),
                              "%lld is odd; a step is half of the levels",
                              (long long)s->design.levels);
    const otok_node *file = otok_node_find(map, "file");
    if (file) {
        OTOK_TRY(otok_value_text(s->table, sizeof s->table, file));
        OTOK_TRY(otok_path_resolve(s->table, s->directory, file));
    }
    if (s->design.kind == OTOK_DESIGN_LIST && !s->table[0])
        return otok_node_fail(map, "kind: list needs `file`, a CSV with paths in its first line");
    return OTOK_OK;
}

static otok_status read_monitor(otok_study *s, const otok_node *map)
{
    return otok_group_take(s, "monitor", map, NULL);
}

/* Refuses two axes with the same path: the last one would win, and the table would show both. */
static otok_status check_apart(const otok_study *s, const otok_scenario *scenario,
                               const otok_node *root)
{
    for (int b = 1; b < s->naxes; b++)
        for (int a = 0; a < b; a++) {
            const char *one = s->axes[a].path, *other = s->axes[b].path;
            if (otok_scenario_phase_of(scenario, &one) !=
                    otok_scenario_phase_of(scenario, &other) ||
                strcmp(one, other) != 0)
                continue;
            const otok_node *vary = otok_node_find(root, "vary");
            return otok_node_fail(
                vary ? otok_node_find(vary, s->axes[b].path) : otok_node_find(root, "design"),
                "%s is the same value as %s; take one out", s->axes[b].path, s->axes[a].path);
        }
    return OTOK_OK;
}

static otok_status add_response(otok_study *s, const otok_response *r)
{
    for (int i = 0; i < s->nresponses; i++)
        if (strcmp(s->responses[i].name, r->name) == 0) return OTOK_OK;
    otok_response *more = realloc(s->responses, (size_t)(s->nresponses + 1) * sizeof *more);
    if (!more) return no_memory();
    s->responses = more;
    s->responses[s->nresponses++] = *r;
    return OTOK_OK;
}

/* Adds the responses of the scenario that the study does not have. Checks whether the members
   have the fields. */
static otok_status join_responses(otok_study *s, const otok_scenario *scenario,
                                  const otok_node *root)
{
    const otok_node *map = otok_node_find(root, "responses");
    for (int i = 0; i < scenario->nresponses; i++)
        OTOK_TRY(add_response(s, &scenario->responses[i]));
    if (s->nresponses > OTOK_MAX_RESPONSES)
        return otok_node_fail(map, "%d responses with those of the scenario; allowed: at most %d",
                              s->nresponses, OTOK_MAX_RESPONSES);
    for (int i = 0; i < s->nresponses; i++) {
        const otok_response *r = &s->responses[i];
        const otok_node *node = map ? otok_node_find(map, r->name) : NULL;
        const otok_status status = otok_response_check(r, scenario);
        if (status == OTOK_DATA && node) return otok_node_fail(node, "%s", otok_why());
        if (status != OTOK_OK)
            return otok_fail_in(status, "%s: responses.%s", s->scenario, r->name);
    }
    return OTOK_OK;
}

/* Tries the first rows. One of them must give a scenario: this detects wrong paths and an
   unreadable scenario. Other rows may be refused for their values, which is a result. */
static otok_status try_first(otok_study *s, const otok_node *root)
{
    enum { TRIES = 64 };
    const int64_t rows = otok_design_rows(&s->design);
    otok_scenario *scenario = NULL;
    otok_status first = OTOK_OK;
    char why[1024];
    if (rows < 0) return otok_node_fail(otok_node_find(root, "design"), "more than 2^53 members");
    for (int64_t row = 0; row < rows && row < TRIES && !scenario; row++) {
        const otok_status status = otok_study_member(&scenario, s, row);
        if (status == OTOK_OK || first != OTOK_OK) continue;
        first = status;
        snprintf(why, sizeof why, "%s", otok_why());
    }
    if (!scenario)
        return OTOK_FAIL(first == OTOK_USAGE ? OTOK_DATA : first, "%s: the first member: %s",
                         s->path, why);
    const int phases = otok_scenario_phases(scenario);
    otok_status good = check_apart(s, scenario, root);
    if (good == OTOK_OK) good = join_responses(s, scenario, root);
    if (good == OTOK_OK) good = otok_keep_check(s, scenario, otok_node_find(root, "keep"));
    otok_scenario_destroy(scenario);
    OTOK_TRY(good);
    if (s->duration > 0 && phases != 1)
        return otok_node_fail(otok_node_find(root, "duration"),
                              "the scenario has %d phases; a duration needs one", phases);
    for (int a = 0; a < s->naxes && s->duration > 0; a++) {
        const char *key = strrchr(s->axes[a].path, '.');
        if (strcmp(key ? key + 1 : s->axes[a].path, "iterations") == 0)
            return otok_node_fail(otok_node_find(root, "duration"),
                                  "%s is varied, which a duration decides; take one of the two out",
                                  s->axes[a].path);
    }
    return OTOK_OK;
}

static otok_status read_level(otok_study *s, const otok_node *node)
{
    char name[OTOK_NAME_SIZE] = "", sign[3] = "", shown[64];
    int end = 0;
    if (!node) return OTOK_OK;
    _Static_assert(OTOK_NAME_SIZE == 64, "the width of a name");
    const int parts =
        sscanf(s->inside, " %63[A-Za-z0-9_] %2[<>=] %lf %n", name, sign, &s->level.value, &end);
    const int known = strcmp(sign, "<") == 0 || strcmp(sign, "<=") == 0 || strcmp(sign, ">") == 0 ||
                      strcmp(sign, ">=") == 0;
    if (parts != 3 || !known || s->inside[end] || !isfinite(s->level.value))
        return otok_node_fail(node,
                              "%s is no level of a response; write its name, < or >, and a "
                              "number, such as lake < 100",
                              otok_node_show(node, shown));
    s->level.above = *sign == '>';
    s->level.equal = sign[1] == '=';
    otok_words words = {0};
    for (int i = 0; i < s->nresponses; i++) {
        otok_words_add(&words, s->responses[i].name);
        s->level.response = i;
        if (strcmp(s->responses[i].name, name) == 0) return OTOK_OK;
    }
    const char *near = otok_words_near(&words, name);
    return otok_node_fail(node,
                          "the study has no response %s%s%s; give it an expression under "
                          "`responses`, such as %s: volume(water)",
                          name, near ? "; did you mean " : "", near ? near : "", name);
}

static otok_status read_tree(otok_study *s, const otok_node *root)
{
    otok_words words = {0};
    otok_words_add_keys(&words, "study");
    otok_words_add(&words, "design");
    otok_words_add(&words, "monitor");
    otok_words_add(&words, "keep");
    if (otok_node_is_null(root))
        return otok_node_fail(root, "the file is empty; a study begins with `study: 1`");
    const otok_node *otok = root->kind == OTOK_NODE_MAP ? otok_node_find(root, "otok") : NULL;
    if (otok)
        return otok_node_fail(otok, "this is a scenario, not a study; a study refers to it by "
                                    "`scenario: FILE`, and otok run runs it");
    OTOK_TRY(otok_words_check(&words, root));
    OTOK_TRY(otok_group_read(s, "study", root));
    const otok_node *scenario = otok_node_find(root, "scenario"),
                    *vary = otok_node_find(root, "vary");
    const otok_node *design = otok_node_find(root, "design");
    if (!scenario)
        return otok_node_fail(root,
                              "`scenario` is missing: the file that every member starts from");
    if (!design)
        return otok_node_fail(root, "`design` is missing, such as design: {kind: grid, points: 8}");
    OTOK_TRY(otok_path_resolve(s->scenario, s->directory, scenario));
    OTOK_TRY(otok_text_read(&s->text, &s->size, s->scenario));
    if (vary) OTOK_TRY(read_axes(s, vary));
    OTOK_TRY(read_design(s, design));
    if (s->table[0] && vary)
        return otok_node_fail(vary, "the table of kind: list has the axes; leave `vary` out");
    if (s->table[0]) OTOK_TRY(otok_study_table(s));
    if (!s->naxes)
        return otok_node_fail(root,
                              "`vary` is missing: paths as for --set, each with {from: a, to: b}");
    OTOK_TRY(read_monitor(s, otok_node_find(root, "monitor")));
    OTOK_TRY(otok_keep_read(&s->keep, s->every, otok_node_find(root, "keep")));
    OTOK_TRY(otok_responses_read(&s->responses, &s->nresponses, otok_node_find(root, "responses")));
    OTOK_TRY(try_first(s, root));
    return read_level(s, otok_node_find(root, "inside"));
}

static otok_status load(otok_study *s, const char *path, const char *bytes, size_t size)
{
    otok_node *root;
    OTOK_TRY(otok_node_parse(&root, path, 1, bytes, size));
    const otok_status status = read_tree(s, root);
    otok_node_destroy(root);
    return status;
}

otok_status otok_study_load(otok_study **out, const char *path)
{
    OTOK_TRY(OTOK_GIVEN(out));
    OTOK_ROUNDING;
    char *bytes = NULL;
    size_t size = 0;
    *out = NULL;
    OTOK_TRY(OTOK_GIVEN(path));
    otok_study *s = calloc(1, sizeof *s);
    if (!s) return no_memory();
    otok_status status = otok_path_split(&s->path, &s->directory, &s->stem, path);
    if (status == OTOK_OK) status = otok_text_read(&bytes, &size, path);
    if (status == OTOK_OK) status = load(s, path, bytes, size);
    free(bytes);
    if (status == OTOK_OK)
        *out = s;
    else
        otok_study_destroy(s);
    return status;
}

void otok_study_destroy(otok_study *study)
{
    if (!study) return;
    for (int a = 0; a < OTOK_MAX_AXES; a++)
        free(study->axes[a].values);
    free(study->path);
    free(study->directory);
    free(study->stem);
    free(study->text);
    free(study->responses);
    free(study);
}
