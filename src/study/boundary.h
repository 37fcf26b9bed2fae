/* boundary.h: the boundary between stable and other members in the plane of two axes: its members,
   the points between different verdicts, and its files. */
#ifndef OTOK_STUDY_BOUNDARY_H
#define OTOK_STUDY_BOUNDARY_H

#include "../core/verdict.h"
#include "study.h"

/* A member on the finest lattice over the plane. */
typedef struct otok_boundary_member {
    int64_t i, j; /* indices along the first and the second axis */
    int64_t verdict;
    double margin;
} otok_boundary_member;

static inline int otok_is_stable(const otok_boundary_member *m)
{
    return m->verdict == OTOK_STABLE;
}

/* A pair of neighbours on the lattice, one stable and one not. The line runs between them. */
typedef struct otok_boundary_point {
    int64_t stable, unstable; /* members */
    int64_t line;
} otok_boundary_point;

typedef struct otok_plane {
    const otok_study *study;
    int axes[2];
    int levels;
    int64_t nx, ny; /* of the finest lattice; the first axis runs along x */
    int64_t *index; /* member at (i, j); -1: none */
    int64_t nmembers, npoints, nlines;
    otok_boundary_member *members; /* by round, then by row of the lattice   */
    otok_boundary_point
        *points; /* in the order of the lines; a closed line ends with its first point */
} otok_plane;

/* The member at (i, j); NULL: none. */
const otok_boundary_member *otok_plane_at(const otok_plane *plane, int64_t i, int64_t j);

/* The value of axis `which` (0, 1) at a place on the finest lattice. The place may be half-way
   between two members. */
double otok_plane_value(const otok_plane *plane, int which, double place);

/* Counts the lines of members along an axis on which stable and other members alternate more than
   once. */
void otok_plane_check(otok_boundary *out, const otok_plane *plane);

/* boundary_line.c: computes points and nlines from the members. */
otok_status otok_plane_trace(otok_plane *plane);

/* boundary_write.c: writes members.csv and boundary.csv. */
otok_status otok_plane_write(const otok_plane *plane, const char *directory);

#endif
