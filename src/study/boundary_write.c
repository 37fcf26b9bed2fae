/* boundary_write.c: writes the members and points of a boundary as tables, CSV and HDF5. */
#include "../core/status.h"
#include "../core/verdict.h"
#include "../io/file.h"
#include "../io/hdf_table.h"
#include "boundary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *path_of(const otok_plane *l, int which)
{
    return l->study->axes[l->axes[which]].path;
}

/* A value of axis `which` at a member. */
static double value_at(const otok_plane *l, int which, int64_t member)
{
    const otok_boundary_member *m = &l->members[member];
    return otok_plane_value(l, which, (double)(which ? m->j : m->i));
}

/* The value half way between both sides of a point. */
static double value_between(const otok_plane *l, int which, const otok_boundary_point *p)
{
    const otok_boundary_member *a = &l->members[p->stable], *b = &l->members[p->unstable];
    return otok_plane_value(l, which, 0.5 * (double)(which ? a->j + b->j : a->i + b->i));
}

/* ---- CSV ---- */

static void members_csv(FILE *out, const otok_plane *l)
{
    fprintf(out, "%s,%s,stable,verdict,margin\n", path_of(l, 0), path_of(l, 1));
    for (int64_t n = 0; n < l->nmembers; n++) {
        const otok_boundary_member *m = &l->members[n];
        fprintf(out, "%.12g,%.12g,%d,%s,%.9g\n", value_at(l, 0, n), value_at(l, 1, n),
                m->verdict == OTOK_STABLE, otok_verdict_name((otok_verdict)m->verdict), m->margin);
    }
}

static void points_csv(FILE *out, const otok_plane *l)
{
    fprintf(out, "line,%s,%s", path_of(l, 0), path_of(l, 1));
    for (int unstable = 0; unstable < 2; unstable++)
        fprintf(out, ",%s %s,%s %s", path_of(l, 0), unstable ? "unstable" : "stable", path_of(l, 1),
                unstable ? "unstable" : "stable");
    fputs(",verdict,margin stable,margin unstable\n", out);
    for (int64_t n = 0; n < l->npoints; n++) {
        const otok_boundary_point *p = &l->points[n];
        fprintf(out, "%lld,%.12g,%.12g,%.12g,%.12g,%.12g,%.12g,%s,%.9g,%.9g\n", (long long)p->line,
                value_between(l, 0, p), value_between(l, 1, p), value_at(l, 0, p->stable),
                value_at(l, 1, p->stable), value_at(l, 0, p->unstable), value_at(l, 1, p->unstable),
                otok_verdict_name((otok_verdict)l->members[p->unstable].verdict),
                l->members[p->stable].margin, l->members[p->unstable].margin);
    }
}

static otok_status csv(const otok_plane *l, const char *directory, const char *name,
                       void (*rows)(FILE *, const otok_plane *))
{
    char path[4400], *bytes = NULL, *temporary;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *out = open_memstream(&bytes, &size);
    if (out) rows(out, l);
    if (!out || fclose(out) != 0) {
        free(bytes);
        return OTOK_FAIL(OTOK_NOMEM, "no memory for %s", path);
    }
    otok_status status = otok_file_begin(&temporary, path);
    if (status == OTOK_OK) {
        status = otok_file_fill(temporary, path, bytes, size);
        if (status == OTOK_OK)
            status = otok_file_commit(temporary, path);
        else
            otok_file_abandon(temporary);
    }
    free(bytes);
    return status;
}

/* ---- HDF5 ---- */

typedef struct writing {
    const otok_plane *plane;
    const char *path;
    hid_t file;
    otok_dimension over;
    double *values;
} writing;

static otok_status put(writing *w, hid_t set, const char *name, hid_t native, const void *values)
{
    if (otok_hdf_fill(set, native, values) < 0)
        return OTOK_FAIL(OTOK_IO, "%s: cannot write %s: %s", w->path, name, otok_hdf_why());
    return OTOK_OK;
}

/* w->values as a variable of an axis: its last word, which the other has not, then `what`. */
static otok_status put_axis(writing *w, int which, const char *what)
{
    char name[OTOK_TEXT_SIZE + 32];
    const char *path = path_of(w->plane, which), *other = path_of(w->plane, !which);
    const char *key = strrchr(path, '.') ? strrchr(path, '.') + 1 : path;
    const char *other_key = strrchr(other, '.') ? strrchr(other, '.') + 1 : other;
    const otok_parameter *p = w->plane->study->axes[w->plane->axes[which]].parameter;
    snprintf(name, sizeof name, "%s%s", strcmp(key, other_key) == 0 ? path : key, what);
    for (char *c = name; *c; c++)
        if (*c == '.' || *c == '/') *c = '_';
    const hid_t set = otok_hdf_variable(w->file, name, H5T_IEEE_F64LE, 1, &w->over,
                                        p ? p->unit : "", p ? p->help : "");
    if (set >= 0 && otok_hdf_put_text(set, "path", path) < 0)
        return OTOK_FAIL(OTOK_IO, "%s: cannot write %s: %s", w->path, name, otok_hdf_why());
    return put(w, set, name, H5T_NATIVE_DOUBLE, w->values);
}

static otok_status put_number(writing *w, const char *name, const char *long_name)
{
    return put(w, otok_hdf_variable(w->file, name, H5T_IEEE_F64LE, 1, &w->over, "1", long_name),
               name, H5T_NATIVE_DOUBLE, w->values);
}

static otok_status put_verdicts(writing *w, const char *name, const int64_t *verdicts)
{
    char meanings[OTOK_VERDICT_MEANINGS];
    const hid_t set =
        otok_hdf_variable(w->file, name, H5T_STD_I8LE, 1, &w->over, "", "what the detectors found");
    if (set >= 0 && otok_hdf_flags(set, -1, OTOK_VERDICTS + 1, otok_verdict_meanings(meanings)) < 0)
        return OTOK_FAIL(OTOK_IO, "%s: cannot write %s: %s", w->path, name, otok_hdf_why());
    return put(w, set, name, H5T_NATIVE_INT64, verdicts);
}

static otok_status members_h5(writing *w)
{
    const otok_plane *l = w->plane;
    int64_t *verdicts = (int64_t *)w->values;
    w->over = (otok_dimension){
        otok_hdf_dimension(w->file, "member", l->nmembers, "member, by round"), l->nmembers};
    for (int which = 0; which < 2; which++) {
        for (int64_t n = 0; n < l->nmembers; n++)
            w->values[n] = value_at(l, which, n);
        OTOK_TRY(put_axis(w, which, ""));
    }
    for (int64_t n = 0; n < l->nmembers; n++)
        w->values[n] = l->members[n].margin;
    OTOK_TRY(put_number(w, "margin",
                        "predicted: value over bound of the binding limit, above 1 is unstable"));
    for (int64_t n = 0; n < l->nmembers; n++)
        verdicts[n] = l->members[n].verdict;
    return put_verdicts(w, "verdict", verdicts);
}

static otok_status points_h5(writing *w)
{
    static const char *const what[3] = {"_boundary", "_stable", "_unstable"};
    const otok_plane *l = w->plane;
    int64_t *whole = (int64_t *)w->values;
    w->over = (otok_dimension){
        otok_hdf_dimension(w->file, "point", l->npoints, "point of the boundary, along its lines"),
        l->npoints};
    for (int which = 0; which < 2; which++)
        for (int k = 0; k < 3; k++) {
            for (int64_t n = 0; n < l->npoints; n++) {
                const otok_boundary_point *p = &l->points[n];
                w->values[n] = k == 0 ? value_between(l, which, p)
                                      : value_at(l, which, k == 1 ? p->stable : p->unstable);
            }
            OTOK_TRY(put_axis(w, which, what[k]));
        }
    for (int64_t n = 0; n < l->npoints; n++)
        whole[n] = l->points[n].line;
    const hid_t line = otok_hdf_variable(w->file, "line", H5T_STD_I64LE, 1, &w->over, "1",
                                         "which line the point is of");
    OTOK_TRY(put(w, line, "line", H5T_NATIVE_INT64, whole));
    for (int64_t n = 0; n < l->npoints; n++)
        whole[n] = l->members[l->points[n].unstable].verdict;
    return put_verdicts(w, "verdict_unstable", whole);
}

static otok_status parts(void *user, hid_t file)
{
    writing *w = user;
    w->file = file;
    if (otok_hdf_put_text(file, "Conventions", "CF-1.10") < 0 ||
        otok_hdf_put_text(file, "title", w->plane->study->stem) < 0)
        return OTOK_FAIL(OTOK_IO, "%s: cannot write attributes: %s", w->path, otok_hdf_why());
    OTOK_TRY(members_h5(w));
    return points_h5(w);
}

otok_status otok_plane_write(const otok_plane *l, const char *directory)
{
    char path[4400];
    const int64_t most = l->nmembers > l->npoints ? l->nmembers : l->npoints;
    writing w = {.plane = l, .path = path, .values = malloc((size_t)(most + 1) * sizeof(double))};
    if (!w.values)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a boundary of %lld points",
                         (long long)l->npoints);
    snprintf(path, sizeof path, "%s/boundary.h5", directory);
    otok_status status = csv(l, directory, "members.csv", members_csv);
    if (status == OTOK_OK) status = csv(l, directory, "boundary.csv", points_csv);
    if (status == OTOK_OK) status = otok_hdf_table(path, parts, &w);
    free(w.values);
    return status;
}
