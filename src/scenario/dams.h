/* dams.h: thin dams of a phase, lines of faces between cells that hold water up to a crest. */
#ifndef OTOK_SCENARIO_DAMS_H
#define OTOK_SCENARIO_DAMS_H

#include "../core/state.h"
#include "series.h"

enum { OTOK_DAM_POINTS = 256 };

typedef struct otok_dam {
    double crest;        /* height [m]; NAN: by its history */
    otok_series history; /* [m] */
    int npoints;
    struct otok_dam_corner {
        double x, y;
    } line[OTOK_DAM_POINTS]; /* [m] */
} otok_dam;

/* Hands over each face that the line of a dam crosses between two cells of the grid: the right one
   of cell (i, j), or (up) the top one; a face may come twice. `part`: the length of the line there
   in that of its faces. The faces of a line block every way of cells through their sides across it.
   A line through the middles of cells is taken a millionth of a cell to the right and above. */
typedef void otok_dam_face_found(void *user, int up, int64_t i, int64_t j, double part);
void otok_dam_each_face(const otok_dam *dam, otok_grid grid, otok_dam_face_found *found,
                        void *user);
int64_t otok_dam_faces(const otok_dam *dam, otok_grid grid); /* their number */

#endif
