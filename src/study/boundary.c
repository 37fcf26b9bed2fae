/* boundary.c: refines the boundary between stable and other members in the plane of two axes. It
   begins with a coarse lattice. Each cell whose corners have different verdicts then gets members
   at its centre and at the middles of its sides, level by level, until all cells along the boundary
   are of the finest level. Each round is a study (kind: list) in a directory of its own.
   boundary_line.c makes the lines, boundary_write.c the files. */
#include "boundary.h"

#include "../core/rounding.h"
#include "../core/status.h"
#include "../io/file.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 24 };            /* places on the finest lattice */
enum { UNKNOWN = -1, WANTED = -2 }; /* values of its index */

int otok_study_spans(const otok_study *study)
{
    int n = 0;
    for (int a = 0; a < study->naxes; a++)
        n += study->axes[a].nvalues == 0;
    return n;
}

static otok_status create(otok_plane *l, const otok_study *s, int levels)
{
    int n = 0;
    *l = (otok_plane){.study = s, .levels = levels};
    for (int a = 0; a < s->naxes; a++) {
        if (s->axes[a].nvalues == 1) continue;
        if (s->axes[a].nvalues || n == 2) n = 3;
        if (n < 2) l->axes[n++] = a;
    }
    if (n != 2 || s->design.kind != OTOK_DESIGN_GRID)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: a boundary needs kind: grid, two axes with `from` and `to`, and one "
                         "value for each other",
                         s->path);
    const int64_t n0 = s->design.points[l->axes[0]], n1 = s->design.points[l->axes[1]],
                  fine = INT64_C(1) << levels;
    if (n0 < 2 || n1 < 2)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: design.points: a boundary needs at least 2 along each axis", s->path);
    if (n0 > MOST || n1 > MOST || ((n0 - 1) * fine + 1) * ((n1 - 1) * fine + 1) > MOST)
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: %d levels over %lld x %lld points are more than 2^24 places; take fewer levels",
            s->path, levels, (long long)n0, (long long)n1);
    l->nx = (n0 - 1) * fine + 1;
    l->ny = (n1 - 1) * fine + 1;
    l->index = malloc((size_t)(l->nx * l->ny) * sizeof *l->index);
    if (!l->index)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a lattice of %lld x %lld", (long long)l->nx,
                         (long long)l->ny);
    for (int64_t at = 0; at < l->nx * l->ny; at++)
        l->index[at] = UNKNOWN;
    return OTOK_OK;
}

static void destroy(otok_plane *l)
{
    free(l->index);
    free(l->members);
    free(l->points);
}

/* ---- which members are needed ---- */

static void mark_wanted(otok_plane *l, int64_t i, int64_t j, int64_t *n)
{
    int64_t *at = &l->index[j * l->nx + i];
    *n += *at == UNKNOWN;
    if (*at == UNKNOWN) *at = WANTED;
}

/* Do the members at the corners of this cell differ? All four must be known. */
static int differs(const otok_plane *l, int64_t i, int64_t j, int64_t side)
{
    int seen = 0;
    for (int c = 0; c < 4; c++)
        if (!otok_plane_at(l, i + (c & 1) * side, j + (c >> 1) * side)) return 0;
    for (int64_t y = j; y <= j + side; y++)
        for (int64_t x = i; x <= i + side; x++) {
            const otok_boundary_member *m = otok_plane_at(l, x, y);
            if (m) seen |= otok_is_stable(m) ? 1 : 2;
        }
    return seen == 3;
}

/* Marks the places of the next round and returns their number. */
static int64_t mark_round(otok_plane *l)
{
    int64_t n = 0, side = INT64_C(1) << l->levels;
    if (!l->nmembers) {
        for (int64_t j = 0; j < l->ny; j += side)
            for (int64_t i = 0; i < l->nx; i += side)
                mark_wanted(l, i, j, &n);
        return n;
    }
    for (; side > 1 && !n; side /= 2)
        for (int64_t j = 0; j < l->ny - 1; j += side)
            for (int64_t i = 0; i < l->nx - 1; i += side)
                if (differs(l, i, j, side))
                    for (int k = 0; k < 9; k++)
                        mark_wanted(l, i + k % 3 * side / 2, j + k / 3 * side / 2, &n);
    return n;
}

/* ---- a round ---- */

/* Adds the wanted places as members without a verdict. */
static otok_status add_wanted(otok_plane *l, int64_t n)
{
    void *more = realloc(l->members, (size_t)(l->nmembers + n) * sizeof *l->members);
    if (!more)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for %lld members", (long long)(l->nmembers + n));
    l->members = more;
    for (int64_t at = 0; at < l->nx * l->ny; at++) {
        if (l->index[at] != WANTED) continue;
        l->members[l->nmembers] =
            (otok_boundary_member){.i = at % l->nx, .j = at / l->nx, .verdict = -1, .margin = NAN};
        l->index[at] = l->nmembers++;
    }
    return OTOK_OK;
}

/* The position of each member of a round. */
typedef struct round_rows {
    const otok_plane *plane;
    int64_t first;
} round_rows;

static void set_axes(void *user, int64_t row, double u[OTOK_MAX_AXES])
{
    const round_rows *r = user;
    const otok_plane *l = r->plane;
    const otok_boundary_member *m = &l->members[r->first + row];
    u[l->axes[0]] = (double)m->i / (double)(l->nx - 1);
    u[l->axes[1]] = (double)m->j / (double)(l->ny - 1);
}

static otok_status read_round(otok_plane *l, int64_t first, const char *directory)
{
    otok_table t;
    OTOK_TRY(otok_table_read(&t, directory));
    otok_status status = OTOK_OK;
    for (int64_t row = 0; row < t.nrows && status == OTOK_OK; row++) {
        const otok_result *r = t.rows[row].result;
        if (t.rows[row].state != OTOK_DONE) {
            status = OTOK_FAIL(OTOK_DATA, "%s: member %lld has no result%s%s; run again", directory,
                               (long long)row, r ? ": " : "", r ? r->cause : "");
            continue;
        }
        l->members[first + row].verdict = r->verdict;
        l->members[first + row].margin = r->margin;
    }
    otok_table_destroy(&t);
    return status;
}

static otok_status run_round(otok_plane *l, int64_t n, const otok_study_options *options,
                             int number)
{
    char directory[4200];
    otok_study_options o = *options;
    const int64_t first = l->nmembers;
    otok_study *s = malloc(sizeof *s);
    if (!s) return OTOK_FAIL(OTOK_NOMEM, "no memory for a study");
    snprintf(directory, sizeof directory, "%s/round%d", options->directory, number);
    o.directory = directory;
    o.shard = o.shards = o.wait = 1;
    *s = (otok_study){0};
    otok_status status = add_wanted(l, n);
    round_rows rows = {l, first};
    if (status == OTOK_OK) status = otok_study_listed(s, l->study, n, set_axes, &rows);
    if (status == OTOK_OK) status = otok_study_run(s, &o, NULL);
    if (status == OTOK_OK) status = read_round(l, first, directory);
    otok_study_unlist(s);
    free(s);
    return status;
}

/* ---- on a ray the verdict should change at most once ---- */

static void check_ray(otok_boundary *out, const otok_plane *l, int along, int64_t other)
{
    const otok_study *s = l->study;
    const otok_boundary_member *before = NULL;
    double changed[2] = {0};
    int changes = 0;
    for (int64_t n = 0; n < (along ? l->ny : l->nx); n++) {
        const otok_boundary_member *m =
            along ? otok_plane_at(l, other, n) : otok_plane_at(l, n, other);
        if (!m) continue;
        if (before && otok_is_stable(before) != otok_is_stable(m) && changes++ < 2)
            changed[changes - 1] = otok_plane_value(l, along, (double)n);
        before = m;
    }
    if (changes < 2 || out->violations++) return;
    snprintf(out->first_violation, sizeof out->first_violation,
             "along %.180s at %.180s = %.9g it changes %d times, first at %.9g and %.9g",
             s->axes[l->axes[along]].path, s->axes[l->axes[!along]].path,
             otok_plane_value(l, !along, (double)other), changes, changed[0], changed[1]);
}

void otok_plane_check(otok_boundary *out, const otok_plane *l)
{
    for (int64_t j = 0; j < l->ny; j++)
        check_ray(out, l, 0, j);
    for (int64_t i = 0; i < l->nx; i++)
        check_ray(out, l, 1, i);
}

static otok_status search(otok_boundary *out, otok_plane *l, const otok_study_options *options)
{
    OTOK_TRY(otok_directory_make(options->directory));
    for (int64_t n; (n = mark_round(l)) > 0;)
        OTOK_TRY(run_round(l, n, options, ++out->rounds));
    otok_plane_check(out, l);
    OTOK_TRY(otok_plane_trace(l));
    for (int64_t m = 0; m < l->nmembers; m++)
        out->stable += otok_is_stable(&l->members[m]);
    out->members = l->nmembers;
    out->points = l->npoints;
    out->lines = l->nlines;
    return otok_plane_write(l, options->directory);
}

otok_status otok_study_boundary(otok_boundary *out, const otok_study *study,
                                const otok_study_options *options, int levels)
{
    OTOK_ROUNDING;
    otok_plane l = {0};
    *out = (otok_boundary){0};
    if (levels < 0 || levels > OTOK_BOUNDARY_LEVELS)
        return OTOK_FAIL(OTOK_USAGE, "%d levels; allowed: 0 .. %d", levels, OTOK_BOUNDARY_LEVELS);
    otok_status status = create(&l, study, levels);
    if (status == OTOK_OK) status = search(out, &l, options);
    destroy(&l);
    return status;
}
