/* edge.c: where along one axis the verdict changes. Each round is a study of its own in a folder of its own, the members evenly
   spread between the last value that is as at the axis' beginning and the first that is not: n members narrow the edge n - 1 times
   a round. */
#include "../core/status.h"
#include "table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The one axis with two ends; the others must have one value. */
static otok_status axis_of(const otok_study *s, int *axis)
{
    *axis = -1;
    for (int a = 0; a < s->naxes; a++) {
        if (s->axes[a].nvalues == 1) continue;
        if (s->axes[a].nvalues || *axis >= 0)
            return OTOK_FAIL(
                OTOK_DATA, "%s: an edge is searched along one axis with `from` and `to`; give the others one value each", s->path);
        *axis = a;
    }
    return *axis >= 0 && s->design.kind == OTOK_DESIGN_GRID
               ? OTOK_OK
               : OTOK_FAIL(OTOK_DATA, "%s: an edge needs a design of kind: grid and an axis with `from` and `to`", s->path);
}

/* Where the verdict changes in a finished round: the last row that is as the first round's first member. */
static otok_status find(otok_verdict_edge *e, const otok_table *t, int first_round, int64_t *last)
{
    *last = -1;
    for (int64_t row = 0; row < t->nrows; row++) {
        const otok_result *r = t->rows[row].result;
        if (t->rows[row].state != OTOK_DONE)
            return OTOK_FAIL(OTOK_DATA, "member %lld has no result%s%s; run again", (long long)row, r ? ": " : "",
                             r ? r->cause : "");
        if (first_round && row == 0) e->inside_verdict = (otok_verdict)r->verdict;
        const int as_inside = r->verdict == (int64_t)e->inside_verdict;
        if (as_inside && *last == row - 1) *last = row;
        e->violations += as_inside && *last < row;
    }
    if (*last < 0) return OTOK_FAIL(OTOK_INTERNAL, "the edge moved between two rounds");
    if (*last == t->nrows - 1)
        return OTOK_FAIL(OTOK_DATA, "all %lld members are %s: there is no edge between `from` and `to`", (long long)t->nrows,
                         otok_verdict_name(e->inside_verdict));
    return OTOK_OK;
}

static double value_at(const otok_study *s, int64_t row, int axis)
{
    char text[OTOK_VALUE_SIZE];
    otok_study_value(s, row, axis, text);
    return strtod(text, NULL);
}

static otok_status search(otok_verdict_edge *e, otok_study *s, int axis, const char *directory, int first_round)
{
    otok_table t;
    int64_t last = -1;
    OTOK_TRY(otok_table_read(&t, directory));
    const otok_status status = find(e, &t, first_round, &last);
    if (status == OTOK_OK) {
        e->inside = value_at(s, last, axis);
        e->outside = value_at(s, last + 1, axis);
        e->outside_verdict = (otok_verdict)t.rows[last + 1].result->verdict;
        e->inside_margin = t.rows[last].result->margin;
        e->outside_margin = t.rows[last + 1].result->margin;
        e->members += t.nrows;
        s->axes[axis].from = e->inside;
        s->axes[axis].to = e->outside;
    }
    otok_table_destroy(&t);
    return status;
}

otok_status otok_study_edge(otok_verdict_edge *out, const otok_study *study, const otok_study_options *options, int64_t members,
                            int rounds)
{
    otok_study *s = malloc(sizeof *s); /* shares what it points to */
    int axis = -1;
    *out = (otok_verdict_edge){0};
    if (!s) return OTOK_FAIL(OTOK_NOMEM, "no memory for a study");
    *s = *study;
    otok_status status = members >= 3 && rounds >= 1
                             ? axis_of(s, &axis)
                             : OTOK_FAIL(OTOK_USAGE, "an edge needs at least 3 members a round, and a round");
    if (status == OTOK_OK && mkdir(options->directory, 0777) != 0 && errno != EEXIST)
        status =
            OTOK_FAIL(OTOK_IO, "%s: cannot make the directory: %s; choose another with -o", options->directory, strerror(errno));
    for (int round = 1; round <= rounds && status == OTOK_OK; round++) {
        char directory[4200];
        otok_study_options o = *options;
        snprintf(directory, sizeof directory, "%s/round%d", options->directory, round);
        o.directory = directory;
        o.shard = o.shards = 1;
        s->design.points[axis] = members;
        status = otok_study_run(s, &o);
        if (status == OTOK_OK) status = search(out, s, axis, directory, round == 1);
    }
    free(s);
    return status;
}
