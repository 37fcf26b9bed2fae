/* boundary_write.c: writes the members and points of a boundary as CSV. */
#include "../core/status.h"
#include "boundary.h"
#include "csv.h"

static const char *path_of(const otok_plane *l, int which)
{
    return l->study->axes[l->axes[which]].path;
}

/* The value of axis `which` at a member. */
static double value_at(const otok_plane *l, int which, int64_t member)
{
    const otok_boundary_member *m = &l->members[member];
    return otok_plane_value(l, which, (double)(which ? m->j : m->i));
}

/* The value half-way between the two members of a point. */
static double value_between(const otok_plane *l, int which, const otok_boundary_point *p)
{
    const otok_boundary_member *a = &l->members[p->stable], *b = &l->members[p->unstable];
    return otok_plane_value(l, which, 0.5 * (double)(which ? a->j + b->j : a->i + b->i));
}

/* ---- CSV ---- */

static void members_csv(FILE *out, const void *user)
{
    const otok_plane *l = user;
    fprintf(out, "%s,%s,stable,verdict,margin\n", path_of(l, 0), path_of(l, 1));
    for (int64_t n = 0; n < l->nmembers; n++) {
        const otok_boundary_member *m = &l->members[n];
        fprintf(out, "%.12g,%.12g,%d,%s,%.9g\n", value_at(l, 0, n), value_at(l, 1, n),
                m->verdict == OTOK_STABLE, otok_verdict_name((otok_verdict)m->verdict), m->margin);
    }
}

static void points_csv(FILE *out, const void *user)
{
    const otok_plane *l = user;
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

otok_status otok_plane_write(const otok_plane *l, const char *directory)
{
    OTOK_TRY(otok_csv_write(directory, "members.csv", members_csv, l));
    return otok_csv_write(directory, "boundary.csv", points_csv, l);
}
