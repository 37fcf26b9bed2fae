/* scenario_lists.c - claim: every list of structs in the table of parameters is read, written and
   read back equal; each of its items' values is reached by --set, by number and by name, and known
   to a study by this path; an unknown key, a missing one, a value out of its range and one item too
   many are refused by file, line, key and remedy. The lists of a phase change while it runs. The
   keys of sides do the same. CHECK_ONCE */
#include "scenario/process.h"
#include "scenario/scenario_items.h"

#include "scenario_file.h"

#include <math.h>

static const char base[] =
    "otok: 1\nedges: {left: open}\nphases:\n  - {name: water, iterations: 90, hydraulic: {law: "
    "shallow_water, dt: 0.5}, rain: {rate: 1}}\n"
    "  - {name: reef, iterations: 9, waves: {directions: 4}, reef: {law: light_saturation, dt: "
    "3e9}}\n"
    "  - {name: rise, iterations: 9, uplift: {dt: 3e9}, incision: {base_level: sea}}\n";

static const otok_parameter *row_of(const otok_parameter *list, int *n)
{
    const otok_parameter *p;
    while ((p = otok_parameter_at((*n)++)))
        if (strcmp(p->group, list->choices) == 0 && /* in place of others: water_held.c */
            !(strcmp(p->group, "river") == 0 &&
              (strstr(p->key, "rating") || strcmp(p->key, "level") == 0 ||
               strcmp(p->key, "slope") == 0)))
            return p;
    return NULL;
}

static int rows_of(const otok_parameter *list)
{
    int n = 0, rows = 0;
    while (row_of(list, &n))
        rows++;
    return rows;
}

/* Is a series the value of the key instead? */
static const otok_parameter *series_for(const otok_parameter *list, const otok_parameter *key)
{
    const otok_parameter *p;
    for (int n = 0; (p = row_of(list, &n));)
        if (p->kind == OTOK_SERIES && strcmp(p->unit, key->unit) == 0) return p;
    return NULL;
}

/* Such that the two ends of a line differ. */
static double value_of(const otok_parameter *p, int i)
{
    return fmax(p->low, -100) + (p->open & 1) + 0.25 * i + (p->key[0] == 't') +
           (strstr(p->key, "y") != NULL);
}

/* Item i of n, with all keys: series stand in the last one. */
static void add_item(char *out, const otok_parameter *list, int i, int n)
{
    const otok_parameter *p;
    const int bare = list->items->style == OTOK_ITEMS_BARE, one = rows_of(list) == 1;
    const char *comma = !bare ? "{" : one ? "" : "[";
    for (int k = 0; (p = row_of(list, &k));) {
        const int in_series = i == n - 1 && p->kind == OTOK_REAL && series_for(list, p);
        if (in_series || (p->kind == OTOK_SERIES && i < n - 1)) continue;
        if (p->kind == OTOK_LIST && i == n - 1) continue; /* the last layer has no thickness */
        out += sprintf(out, bare ? "%s" : "%s%s: ", comma, p->key);
        comma = ", ";
        if (p->kind == OTOK_TEXT) out += sprintf(out, "item_%d", i);
        if (p->kind == OTOK_LIST) out += sprintf(out, "1");
        if (p->kind == OTOK_SERIES) out += sprintf(out, "[[0, 1], [2, 3]]");
        if (p->kind == OTOK_STRUCTS) out += sprintf(out, "[[0, 0], [60, %d]]", 40 + i);
        if (p->kind == OTOK_REAL) out += sprintf(out, "%g", value_of(p, i));
        if (p->kind == OTOK_WHEN) out += sprintf(out, "%d", i + (p->key[0] == 't'));
    }
    strcpy(out, !bare ? "}" : one ? "" : "]");
}

/* "phases.reef.reef.producers"; *phase: -1 for a list of the scenario itself. */
static void find_path(char *out, int *phase, const otok_scenario *s, const otok_parameter *list)
{
    const int in_phase = strcmp(list->group, "phase") == 0;
    *phase = -1;
    strcpy(out, list->key);
    for (int p = s->nphases - 1; p >= 0 && *list->group; p--)
        if (in_phase || otok_scenario_has_process(s, p, list->group)) *phase = p;
    if (*phase >= 0)
        sprintf(out, "phases.%.40s%s%s.%s", s->phases[*phase].name, in_phase ? "" : ".",
                in_phase ? "" : list->group, list->key);
}

static const void *owner_of(otok_scenario *s, int phase, const otok_parameter *list)
{
    return phase < 0 ? (const void *)s : otok_phase_group(&s->phases[phase], list->group);
}

static otok_scenario *load(const char *one, const char *other)
{
    const char *sets[] = {one, other};
    otok_scenario *s = NULL;
    MUST(otok_scenario_read(&s, base, "base.yaml", sets, other ? 2 : 1));
    return s;
}

static void check_refused(const char *set, const char *path, const char *words)
{
    otok_scenario *s = NULL;
    const otok_status status = otok_scenario_read(&s, base, "base.yaml", &set, 1);
    CHECK(status == OTOK_DATA && strstr(otok_why(), path) && strstr(otok_why(), words),
          "%.80s: status %d, not %s and %s in: %s", set, (int)status, path, words, otok_why());
    otok_scenario_destroy(s);
}

/* A value of the first item, by its number and its name, and while the phase runs. */
static void check_set(const char *whole, const char *path, int phase, const otok_parameter *list,
                      const otok_parameter *p)
{
    char at[200], set[300], value[32], *before;
    const int named = otok_parameter_find(list->choices, "name") != NULL;
    sprintf(value, "%g", value_of(p, 0) + 0.125);
    for (int by_name = 0; by_name <= named; by_name++) {
        snprintf(at, sizeof at, "%s.%s.%s", path, by_name ? "item_0" : "0", p->key);
        snprintf(set, sizeof set, "%s=%s", at, value);
        otok_scenario *s = load(whole, set);
        CHECK(otok_parameter_value(p, otok_items_at(list, owner_of(s, phase, list), 0)) ==
                  value_of(p, 0) + 0.125,
              "%s is not set", set);
        CHECK(otok_parameter_at_path(at) == p, "%s is unknown", at);
        otok_scenario_destroy(s);
    }
    if (phase < 0) return;
    otok_scenario *s = load(whole, NULL), *next;
    MUST(otok_scenario_change(&next, &before, NULL, s, 1, at, value));
    CHECK(otok_parameter_value(p, otok_items_at(list, owner_of(next, phase, list), 0)) ==
              value_of(p, 0) + 0.125,
          "%s does not change", at);
    free(before);
    otok_scenario_destroy(next);
    otok_scenario_destroy(s);
}

static void check_key(const char *whole, const char *path, int phase, const otok_parameter *list,
                      const otok_parameter *p)
{
    static char items[4000], one[2000], *key;
    char where[200];
    if (p->kind == OTOK_REAL) {
        check_set(whole, path, phase, list, p);
        add_item(one, list, 0, 2);
        key = strstr(one, p->key);
        while (key[-1] != ' ' && key[-1] != '{')
            key = strstr(key + 1, p->key);
        const char *end = key + strcspn(key, ",}");
        snprintf(items, sizeof items, "%s=[%.*s: %g%s, {name: b}]", path,
                 (int)(key - one + (int)strlen(p->key)), one, 2 * p->high + 1, end);
        snprintf(where, sizeof where, ".%s: ", p->key);
        check_refused(items, where, "is out of range; allowed: ");
    }
    if (!(p->open & 4)) return;
    snprintf(items, sizeof items, "%s=[{}]", path);
    snprintf(where, sizeof where, "%s: ...", p->key);
    check_refused(items, path, where);
}

/* Writes "path=[...]" with n items. */
static void add_list(char *out, const char *path, const otok_parameter *list, int n)
{
    out += sprintf(out, "%s=[", path);
    for (int i = 0; i < n; i++) {
        add_item(out, list, i, n);
        out += strlen(out);
        out += sprintf(out, i < n - 1 ? ", " : "]");
    }
}

/* Item i holds what was given, and so does the item that was read from the scenario's text. */
static void check_item(const otok_parameter *list, const char *item, const char *again, int i,
                       int n)
{
    const otok_parameter *p;
    for (int k = 0; (p = row_of(list, &k));) {
        const void *one = item + p->offset, *other = again + p->offset;
        const double *a = one, *b = other;
        const int last = i == n - 1;
        if (p->kind == OTOK_REAL)
            CHECK((*a == value_of(p, i) && *b == *a) ||
                      (last && series_for(list, p) && isnan(*a) && isnan(*b)),
                  "%s.%d.%s is %g, then %g", list->key, i, p->key, *a, *b);
        if (p->kind == OTOK_WHEN)
            CHECK(*(const int64_t *)one == i + (p->key[0] == 't') && memcmp(one, other, 16) == 0,
                  "%s.%d.%s is another", list->key, i, p->key);
        if (p->kind == OTOK_SERIES)
            CHECK(((const otok_series *)one)->n == 2 * last &&
                      ((const otok_series *)other)->n == 2 * last,
                  "%s.%d.%s has %d points", list->key, i, p->key, ((const otok_series *)one)->n);
        if (p->kind == OTOK_STRUCTS)
            CHECK(otok_items_count(p, item) == 2 && otok_items_count(p, again) == 2 &&
                      memcmp(one, other, 2 * p->items->size) == 0 &&
                      ((const double *)one)[3] == 40 + i,
                  "%s.%d.%s is another", list->key, i, p->key);
        if (p->kind == OTOK_TEXT)
            CHECK(atoi((const char *)one + 5) == i && strcmp(one, other) == 0, "%s.%d.%s is %s",
                  list->key, i, p->key, (const char *)one);
    }
}

static void check_names(const char *path, const otok_parameter *list)
{
    static char two[2000];
    add_list(two, path, list, 2);
    strstr(two, "item_1")[5] = '0';
    check_refused(two, ".item_0.name: ", "have the same name; name them differently");
    strstr(two, "item_0")[5] = '!';
    check_refused(two, ".name: ", "is not a name for a ");
}

/* A value of the first item, and one out of its range. */
static void check_bare(const char *whole, const char *path, int phase, const otok_parameter *list)
{
    char set[200], deep[8];
    const otok_parameter *p;
    for (int k = 0, row = 0; (p = row_of(list, &k)); row++) {
        sprintf(deep, rows_of(list) == 1 ? ".0" : ".0.%d", row);
        snprintf(set, sizeof set, "%s%s=%d", path, deep, row);
        otok_scenario *s = load(whole, set);
        CHECK(otok_parameter_value(p, otok_items_at(list, owner_of(s, phase, list), 0)) == row,
              "%s is not set", set);
        otok_scenario_destroy(s);
        snprintf(set, sizeof set, "%s=[%s]", path, rows_of(list) == 1 ? "-1" : "[-1, -1]");
        check_refused(set, path, "-1 is out of range; allowed: ");
    }
    if (rows_of(list) == 1) return;
    snprintf(set, sizeof set, "%s=[[1]]", path);
    check_refused(set, path, "not 2 values; write [[");
}

static void check_list(const otok_parameter *list)
{
    static char whole[300000], one[2000];
    char path[200];
    const otok_parameter *p;
    otok_scenario *bare = load("title=bare", NULL), *again;
    int phase, n = list->high < 4 ? (int)list->high : 4;
    find_path(path, &phase, bare, list);
    add_list(whole, path, list, (int)list->high + 1);
    check_refused(whole, path, "allowed: at most ");
    add_list(whole, path, list, n);
    otok_scenario *s = load(whole, NULL);
    const void *owner = owner_of(s, phase, list);
    CHECK(otok_items_count(list, owner) == n, "%s: not %d items", path, n);
    MUST(otok_scenario_copy(&again, s));
    CHECK(strcmp(otok_scenario_text(again), otok_scenario_text(s)) == 0, "%s: another text", path);
    for (int i = 0; i < n; i++)
        check_item(list, otok_items_at(list, owner, i),
                   otok_items_at(list, owner_of(again, phase, list), i), i, n);
    sprintf(one, "%s=3", path);
    check_refused(one, path, "stands where a list of");
    otok_scenario_destroy(bare);
    otok_scenario_destroy(again);
    otok_scenario_destroy(s);
    if (list->items->style == OTOK_ITEMS_BARE) {
        check_bare(whole, path, phase, list);
        return;
    }
    for (int k = 0; (p = row_of(list, &k));)
        check_key(whole, path, phase, list, p);
    if (otok_parameter_find(list->choices, "name")) check_names(path, list);
    add_list(one, path, list, 1);
    strcpy(strrchr(one, '}'), ", hieght: 1}]");
    check_refused(one, ".hieght: ", "unknown key; the nearest known one is `");
}

/* A list in an item of a list: each of its values by --set, one out of its range, and one corner
   too many. */
static void check_line(void)
{
    static char set[9000];
    const char *dam = "phases.water.dams=[{crest: 2, line: [[0, 0], [60, 40]]}]";
    otok_scenario *s = load(dam, "phases.water.dams.0.line.1.0=50");
    const otok_dam *d = &s->phases[0].dams[0];
    CHECK(d->line[1].x == 50 && d->line[1].y == 40, "line is [%g, %g]", d->line[1].x, d->line[1].y);
    CHECK(otok_parameter_at_path("phases.water.dams.0.line.1.x") ==
              otok_parameter_find("corner", "x"),
          "a corner is unknown");
    otok_scenario_destroy(s);
    check_refused("phases.water.dams=[{crest: 2, line: [[0, 0], [2e12, 40]]}]",
                  "dams.0.line.1.0: ", "is out of range; allowed: ");
    check_refused("phases.water.dams=[{crest: 2, line: [[0, 0], [1]]}]",
                  "dams.0.line.1: ", "not 2 values; write [[x, y], ...]");
    check_refused("phases.water.dams=[{crest: 2}]", "dams.0: ", "`line` is missing; write {");
    check_refused("phases.water.dams=[{line: [[0, 0], [9, 9]]}]", "dams.0: ", "`crest` is missing");
    check_refused("phases.water.dams=[{crest: 2, line: [[-9, 0], [-1, 9]]}]",
                  "dams.0.line: ", "passes between no two cells");
    strcpy(set, "phases.water.dams=[{crest: 2, line: [[0, 0]");
    for (int n = 0; n < OTOK_DAM_POINTS; n++)
        strcat(set, ", [60, 40]");
    strcat(set, "]}]");
    check_refused(set, "dams.0.line: ", "allowed: at most 256");
}

/* Keys of the four sides are rows of a group. They have what items of a list have. */
static void check_sides(void)
{
    static const char text[] =
        "otok: 1\nedges: {left: open, right: open, bottom: open, top: open}\n"
        "phases: [{name: only, iterations: 9, hydraulic: {dt: 0.5, law: "
        "local_inertia}}]\n";
    static const struct {
        const char *of, *values[3], *beside[2]; /* of the key after its side; keys that it needs */
    } keys[] = {{"", {"critical", "free", "fast"}, {NULL}},
                {"_slope", {"0.125", "0.25", "11"}, {"=normal_depth"}},
                {"_level", {"[[0, 1], [2, 3]]", "[[0, 4]]", "[[0, 1e9]]"}, {NULL}},
                {"_waves", {"leave", "held", "swim"}, {"_level=[[0, 1]]"}},
                {"_discharge", {"[[0, 1], [2, 3]]", "[[0, 4]]", "[[0, -1]]"}, {NULL}},
                {"_froude", {"1.5", "2", "101"}, {"_discharge=[[0, 1]]"}},
                {"_rating", {"3", "4", "-1"}, {"=rating", "_rating_zero=1"}},
                {"_rating_exponent", {"1.75", "2", "11"}, {"=rating", "_rating=3"}},
                {"_rating_zero", {"1.25", "2", "1e9"}, {"=rating", "_rating=3"}},
                {"_from", {"10", "20", "-1"}, {NULL}},
                {"_to", {"10", "20", "0"}, {NULL}}};
    enum { KEYS = sizeof keys / sizeof keys[0] };
    const otok_parameter *p;
    int rows = 0;
    for (int i = 0; (p = otok_parameter_at(i)); i++) {
        char path[80], set[5][160], *before;
        const char *sets[5] = {set[0], set[1], set[2], set[3]};
        otok_scenario *s = NULL, *again, *next;
        if (strcmp(p->group, "sides") != 0) continue;
        const int side = (int)strcspn(p->key, "_");
        int which = 0, n = 1;
        while (which < KEYS && strcmp(keys[which].of, p->key + side) != 0)
            which++;
        if (which == KEYS) {
            CHECK(0, "no values of %s", p->key);
            continue;
        }
        const char *const *as = keys[which].values;
        snprintf(path, sizeof path, "phases.only.sides.%s", p->key);
        snprintf(set[0], sizeof set[0], "%s=%s", path, as[0]);
        for (int k = 0; k < 2 && keys[which].beside[k]; k++)
            snprintf(set[n++], sizeof set[1], "phases.only.sides.%.*s%s", side, p->key,
                     keys[which].beside[k]);
        if (strncmp(p->key + side, "_rating_exp", 11) == 0)
            snprintf(set[n++], sizeof set[1], "phases.only.sides.%.*s_rating_zero=1", side, p->key);
        MUST(otok_scenario_read(&s, text, "sides.yaml", sets, n));
        MUST(otok_scenario_copy(&again, s));
        snprintf(set[4], sizeof set[4], "      %s:%s%s\n", p->key,
                 p->kind == OTOK_SERIES ? "" : " ", p->kind == OTOK_SERIES ? "" : as[0]);
        CHECK(strcmp(otok_scenario_text(again), otok_scenario_text(s)) == 0 &&
                  strstr(otok_scenario_text(s), set[4]),
              "%s is not in %s", set[4], otok_scenario_text(s));
        CHECK(otok_parameter_at_path(path) == p, "%s is unknown", path);
        MUST(otok_scenario_change(&next, &before, NULL, s, 0, path, as[1]));
        CHECK(strcmp(otok_scenario_text(next), otok_scenario_text(s)) != 0, "%s stays", path);
        free(before);
        otok_scenario_destroy(next);
        otok_scenario_destroy(again);
        otok_scenario_destroy(s);
        snprintf(set[0], sizeof set[0], "%s=%s", path, as[2]);
        CHECK(otok_scenario_read(&s, text, "sides.yaml", sets, n) == OTOK_DATA &&
                  strstr(otok_why(), p->key),
              "%s: %s", set[0], otok_why());
        rows++;
    }
    CHECK(rows == KEYS * OTOK_SIDES, "%d keys of sides", rows);
}

int main(void)
{
    int lists = 0;
    const otok_parameter *p;
    for (int i = 0; (p = otok_parameter_at(i)); i++) {
        if (p->kind != OTOK_STRUCTS || strcmp(p->key, "phases") == 0) continue;
        if (strcmp(p->group, "dam") == 0) continue; /* check_line */
        check_list(p);
        lists++;
    }
    CHECK(lists >= 6, "only %d lists", lists);
    check_sides();
    check_line();
    return check_failures != 0;
}
