/* study_lines.c - claim: of members whose verdicts are known, the boundary is what marching squares
   make of them: an island is one closed line around it, two that touch at corners stay apart or
   joined as the stable members between them are, a line over the plane ends at its sides; and what
   is crossed more than once along an axis is counted. */
#include "check.h"
#include "study/boundary.h"

#include <stdlib.h>

enum { N = 6 };

static void draw(const char *rows, int64_t lines, int64_t points, int64_t violations)
{
    otok_study study = {
        .naxes = 2,
        .axes = {{.path = "a.x", .from = 0, .to = 1}, {.path = "a.y", .from = 0, .to = 1}}};
    int64_t index[N * N];
    otok_boundary_member members[N * N];
    otok_plane plane = {.study = &study,
                        .axes = {0, 1},
                        .nx = N,
                        .ny = N,
                        .index = index,
                        .nmembers = N * N,
                        .members = members};
    otok_boundary found = {0};
    for (int n = 0; n < N * N; n++) {
        index[n] = n;
        members[n] =
            (otok_boundary_member){n % N, n / N, rows[n] == '#' ? OTOK_CHATTERING : OTOK_STABLE, 1};
    }
    MUST(otok_plane_trace(&plane));
    otok_plane_check(&found, &plane);
    CHECK(plane.nlines == lines && plane.npoints == points, "%s: %lld lines, %lld points", rows,
          (long long)plane.nlines, (long long)plane.npoints);
    CHECK(found.violations == violations, "%s: %lld violations", rows, (long long)found.violations);
    CHECK((violations != 0) == (found.first_violation[0] != 0), "%s: \"%s\"", rows,
          found.first_violation);
    for (int64_t p = 0; p < plane.npoints; p++) {
        const otok_boundary_member *a = &members[plane.points[p].stable],
                                   *b = &members[plane.points[p].unstable];
        CHECK(a->verdict == OTOK_STABLE && b->verdict != OTOK_STABLE &&
                  llabs(a->i - b->i) + llabs(a->j - b->j) == 1,
              "%s: point %lld does not lie between neighbours", rows, (long long)p);
        if (!p || plane.points[p].line != plane.points[p - 1].line) continue;
        const otok_boundary_point *q = &plane.points[p - 1];
        CHECK(llabs(a->i - members[q->stable].i) <= 1 && llabs(a->j - members[q->stable].j) <= 1,
              "%s: line jumps at point %lld", rows, (long long)p);
    }
    if (lines == 1 && points == 5)
        CHECK(plane.points[0].stable == plane.points[4].stable,
              "%s: the line around the island is not closed", rows);
    free(plane.points);
}

int main(void)
{
    draw("......"
         "......"
         "......"
         "......"
         "......"
         "......",
         0, 0, 0);
    draw("......"
         "......"
         "..#..."
         "......"
         "......"
         "......",
         1, 5, 2);
    draw("....##"
         "....##"
         "...###"
         "...###"
         "..####"
         "..####",
         1, 8, 0);
    draw("......"
         ".#...."
         "..#..."
         "......"
         "......"
         "......",
         2, 10, 4);
    draw("######"
         "#.####"
         "##.###"
         "######"
         "######"
         "######",
         1, 9, 4);
    draw("##...."
         "##...."
         "......"
         "......"
         "....##"
         "....##",
         2, 8, 0);
    return check_failures != 0;
}
