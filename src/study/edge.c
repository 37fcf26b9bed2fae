/* edge.c: finds where the verdict changes, or a response passes a level, along one axis, or along a
   ray through several. Each
   round is a study in a directory of its own. Its members are evenly spread between the last value
   with the verdict of the beginning and the first value with another: n members narrow the edge n -
   1 times a round. Members and edge are written as CSV. */
#include "../core/rounding.h"
#include "../core/sized.h"
#include "../core/status.h"
#include "../io/file.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The members in the order of their runs, for the tables. */
typedef struct trail {
    const otok_study *study;
    const otok_verdict_edge *edge; /* edge in shares */
    struct trail_member {
        int64_t round, verdict;
        double share, margin, value;
    } * members;
    int64_t n;
} trail;

typedef struct ray {
    double from, to; /* shares of the way from all `from` to all `to` */
    int64_t members;
} ray;

static double share_of_row(const ray *r, int64_t row)
{
    return r->from + (r->to - r->from) * ((double)row / (double)(r->members - 1));
}

/* The response whose level is the edge; NAN: verdicts are. */
static double value_of(const otok_study *s, const otok_result *r)
{
    return *s->inside ? r->own[s->level.response] : NAN;
}

static int holds(const struct otok_level *level, double value)
{
    return (level->equal && value == level->value) ||
           (level->above ? value > level->value : value < level->value);
}

/* Is a member on the side of the very first one? */
static int same_side(const otok_verdict_edge *e, const otok_study *s, const otok_result *r)
{
    if (!*s->inside) return r->verdict == (int64_t)e->inside_verdict;
    return holds(&s->level, value_of(s, r)) == holds(&s->level, e->inside_value);
}

/* *last: the last row of a finished round on the side of the very first member. */
static otok_status find_edge(otok_verdict_edge *e, const otok_table *t, const otok_study *s,
                             int first_round, int64_t *last)
{
    *last = -1;
    for (int64_t row = 0; row < t->nrows; row++) {
        const otok_result *r = t->rows[row].result;
        if (t->rows[row].state != OTOK_DONE)
            return OTOK_FAIL(OTOK_DATA, "member %lld has no result%s%s; run again", (long long)row,
                             r ? ": " : "", r ? r->cause : "");
        if (*s->inside && isnan(value_of(s, r)))
            return OTOK_FAIL(OTOK_DATA,
                             "member %lld has no value of `inside: %s`; narrow the axis, or use "
                             "an expression that has a value at any end",
                             (long long)row, s->inside);
        if (first_round && row == 0) {
            e->inside_verdict = (otok_verdict)r->verdict;
            e->inside_value = value_of(s, r);
        }
        const int as_inside = same_side(e, s, r);
        if (as_inside && *last == row - 1) *last = row;
        e->violations += as_inside && *last < row;
    }
    if (*last < 0) return OTOK_FAIL(OTOK_INTERNAL, "the edge moved between two rounds");
    if (*last == t->nrows - 1)
        return OTOK_FAIL(
            OTOK_DATA, "all %lld members are %s%s: there is no edge between `from` and `to`",
            (long long)t->nrows,
            *s->inside ? "on one side of " : otok_verdict_name(e->inside_verdict), s->inside);
    return OTOK_OK;
}

/* Adds the result of a round to `e` and its members to the trail. *last: the last row inside the
   edge. */
static otok_status add_round(otok_verdict_edge *e, trail *seen, const ray *r, const char *directory,
                             int round, int64_t *last)
{
    otok_table t;
    OTOK_TRY(otok_table_read(&t, directory));
    const otok_status status = find_edge(e, &t, seen->study, round == 1, last);
    if (status == OTOK_OK) {
        for (int64_t row = 0; row < t.nrows; row++) {
            const otok_result *found = t.rows[row].result;
            seen->members[seen->n++] =
                (struct trail_member){round, found->verdict, share_of_row(r, row), found->margin,
                                      value_of(seen->study, found)};
        }
        e->outside_verdict = (otok_verdict)t.rows[*last + 1].result->verdict;
        e->inside_margin = t.rows[*last].result->margin;
        e->outside_margin = t.rows[*last + 1].result->margin;
        e->inside_value = value_of(seen->study, t.rows[*last].result);
        e->outside_value = value_of(seen->study, t.rows[*last + 1].result);
        e->members += t.nrows;
    }
    otok_table_destroy(&t);
    return status;
}

static otok_status run_round(const otok_study *s, const otok_study_options *options,
                             char *directory, size_t size, int round)
{
    otok_study_options o = *options;
    snprintf(directory, size, "%s/round%d", options->directory, round);
    o.directory = directory;
    o.shard = o.shards = o.wait = 1;
    return otok_study_run(s, &o, NULL);
}

static void set_axes(void *user, int64_t row, double u[OTOK_MAX_AXES])
{
    for (int a = 0; a < OTOK_MAX_AXES; a++)
        u[a] = share_of_row(user, row);
}

static otok_status search_round(otok_verdict_edge *out, trail *seen,
                                const otok_study_options *options, ray *r, int round)
{
    char directory[4200];
    int64_t last = -1;
    otok_study *s = malloc(sizeof *s);
    if (!s) return OTOK_FAIL(OTOK_NOMEM, "no memory for a study");
    otok_status status = otok_study_listed(s, seen->study, r->members, set_axes, r);
    if (status == OTOK_OK) status = run_round(s, options, directory, sizeof directory, round);
    if (status == OTOK_OK) status = add_round(out, seen, r, directory, round, &last);
    otok_study_unlist(s);
    free(s);
    if (status != OTOK_OK) return status;
    out->inside = share_of_row(r, last);
    out->outside = share_of_row(r, last + 1);
    r->from = out->inside;
    r->to = out->outside;
    return OTOK_OK;
}

/* ---- the tables ---- */

/* Replaces DIRECTORY/NAME by what `rows` prints. */
static otok_status write_csv(const char *directory, const char *name,
                             void (*rows)(FILE *out, const void *user), const void *user)
{
    char path[4400], *bytes = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *out = open_memstream(&bytes, &size);
    if (out) rows(out, user);
    if (!otok_text_finish(out, &bytes)) return OTOK_FAIL(OTOK_NOMEM, "no memory for %s", path);
    const otok_status status = otok_file_put(path, bytes, size);
    free(bytes);
    return status;
}

static void axes_head(FILE *out, const otok_study *study)
{
    for (int a = 0; a < study->naxes; a++) {
        const otok_parameter *p = study->axes[a].parameter;
        if (study->axes[a].nvalues) continue;
        fprintf(out, ",%s", study->axes[a].path);
        if (p && *p->unit) fprintf(out, " [%s]", p->unit);
    }
}

static void axes_values(FILE *out, const otok_study *study, double share)
{
    for (int a = 0; a < study->naxes; a++) {
        char text[OTOK_VALUE_SIZE];
        if (study->axes[a].nvalues) continue;
        otok_study_ray_value(study, a, share, text);
        fprintf(out, ",%s", text);
    }
}

static const char *level_head(const otok_study *study)
{
    return *study->inside ? ",response" : "";
}

static void level_value(FILE *out, const otok_study *study, double value)
{
    if (*study->inside) fprintf(out, ",%.9g", value);
}

static void members_csv(FILE *out, const void *user)
{
    const trail *t = user;
    fputs("round", out);
    axes_head(out, t->study);
    fprintf(out, ",verdict,margin%s\n", level_head(t->study));
    for (int64_t n = 0; n < t->n; n++) {
        const struct trail_member *m = &t->members[n];
        fprintf(out, "%lld", (long long)m->round);
        axes_values(out, t->study, m->share);
        fprintf(out, ",%s,%.9g", otok_verdict_name((otok_verdict)m->verdict), m->margin);
        level_value(out, t->study, m->value);
        fputc('\n', out);
    }
}

static void edge_csv(FILE *out, const void *user)
{
    const trail *t = user;
    const otok_verdict_edge *e = t->edge;
    fputs("side", out);
    axes_head(out, t->study);
    fprintf(out, ",verdict,margin%s,members,violations\n", level_head(t->study));
    for (int outside = 0; outside < 2; outside++) {
        fputs(outside ? "outside" : "inside", out);
        axes_values(out, t->study, outside ? e->outside : e->inside);
        fprintf(out, ",%s,%.9g",
                otok_verdict_name(outside ? e->outside_verdict : e->inside_verdict),
                outside ? e->outside_margin : e->inside_margin);
        level_value(out, t->study, outside ? e->outside_value : e->inside_value);
        fprintf(out, ",%lld,%lld\n", (long long)e->members, (long long)e->violations);
    }
}

static otok_status search_rounds(otok_verdict_edge *out, trail *seen,
                                 const otok_study_options *options, int64_t members, int rounds)
{
    ray r = {0, 1, members};
    OTOK_TRY(otok_directory_make(options->directory));
    for (int round = 1; round <= rounds; round++)
        OTOK_TRY(search_round(out, seen, options, &r, round));
    OTOK_TRY(write_csv(options->directory, "members.csv", members_csv, seen));
    return write_csv(options->directory, "edge.csv", edge_csv, seen);
}

/* Searches along the axes with two ends, at most `most` of them; `axis`: the last of these. */
static otok_status search(otok_verdict_edge *out, int *axis, int most, const otok_study *study,
                          const otok_study_options *options, int64_t members, int rounds)
{
    OTOK_ROUNDING;
    int spans = 0, others = study->design.kind != OTOK_DESIGN_GRID;
    *out = (otok_verdict_edge){0};
    if (members < 3 || rounds < 1)
        return OTOK_FAIL(OTOK_USAGE, "an edge needs at least 3 members a round, and a round");
    for (int a = 0; a < study->naxes; a++) {
        others |= study->axes[a].nvalues > 1;
        if (study->axes[a].nvalues) continue;
        spans++;
        *axis = a;
    }
    if (others || spans < 1 || spans > most)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: the search needs kind: grid, %s with `from` and `to`, and one value "
                         "for each other axis",
                         study->path, most == 1 ? "one axis" : "axes");
    trail seen = {study, out, calloc((size_t)members, (size_t)rounds * sizeof *seen.members), 0};
    if (!seen.members) return OTOK_FAIL(OTOK_NOMEM, "no memory for the members of an edge");
    const otok_status status = search_rounds(out, &seen, options, members, rounds);
    free(seen.members);
    return status;
}

otok_status(otok_study_ray)(otok_verdict_edge *out, const otok_study *study,
                            const otok_study_options *options, int64_t members, int rounds,
                            size_t size, size_t options_size)
{
    OTOK_TRY(OTOK_GIVEN(out, study, options));
    otok_study_options all;
    otok_verdict_edge found = {0};
    otok_sized_copy(&all, sizeof all, options, options_size);
    options = &all;
    OTOK_TRY(OTOK_GIVEN(options->directory, options->backend));
    int axis = 0;
    const otok_status status =
        search(&found, &axis, OTOK_MAX_AXES, study, options, members, rounds);
    otok_sized_copy(out, size, &found, sizeof found);
    return status;
}

static double value_at(const otok_study *study, int axis, double share)
{
    char text[OTOK_VALUE_SIZE];
    otok_study_ray_value(study, axis, share, text);
    return strtod(text, NULL);
}

otok_status(otok_study_edge)(otok_verdict_edge *out, const otok_study *study,
                             const otok_study_options *options, int64_t members, int rounds,
                             size_t size, size_t options_size)
{
    OTOK_TRY(OTOK_GIVEN(out, study, options));
    otok_study_options all;
    otok_verdict_edge found = {0};
    otok_sized_copy(&all, sizeof all, options, options_size);
    options = &all;
    OTOK_TRY(OTOK_GIVEN(options->directory, options->backend));
    int axis = 0;
    const otok_status status = search(&found, &axis, 1, study, options, members, rounds);
    if (status == OTOK_OK) {
        found.inside = value_at(study, axis, found.inside);
        found.outside = value_at(study, axis, found.outside);
    }
    otok_sized_copy(out, size, &found, sizeof found);
    return status;
}

void otok_study_ray_value(const otok_study *study, int axis, double share,
                          char out[OTOK_VALUE_SIZE])
{
    if (OTOK_GIVEN(study, out)) return;
    *out = '\0';
    if (axis < 0 || axis >= study->naxes || !(share - share == 0)) return;
    OTOK_ROUNDING;
    const otok_axis *a = &study->axes[axis];
    if (a->nvalues)
        snprintf(out, OTOK_VALUE_SIZE, "%s", a->values[0]);
    else
        otok_axis_value(a, share, out);
}
