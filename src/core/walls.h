/* walls.h: cells without data as walls. A wall is what lies beyond a closed side: a neighbour in
   that direction is "none", and what a stage reads there is what the halo of the buffer gives
   beyond a closed side. So a stage in a cell beside a wall is the same stage on a patch of one
   cell, whose ghosts are its neighbours; no stage knows walls. In a wall itself no stage runs. The
   plain strategies of the CPU and of CUDA do so. The fused one of CUDA makes walls dry and their
   ground infinite, with the same bits; other strategies run no patch with walls. */
#ifndef OTOK_WALLS_H
#define OTOK_WALLS_H

#include "neighbours.h"
#include "state.h"

/* The values of the buffer OTOK_WALLS. The ghosts of walls are walls. */
#define OTOK_IN_OPEN 0.0f
#define OTOK_IN_WALL 1.0f
#define OTOK_BY_WALL 2.0f /* no wall, but one of its eight neighbours is one */

enum { OTOK_WALLED_READS = 12, OTOK_AROUND = 9 }; /* cells around a cell, with itself */

/* A stage of a program, for cells beside walls: the buffers that it reads around a cell, and the
   otok_halo by which each was last filled. */
typedef struct otok_walled {
    int n;
    signed char buffer[OTOK_WALLED_READS], halo[OTOK_WALLED_READS];
    int along; /* the stage works along sides only, where it finds flows of 0 beside walls, or has
                  the whole grid and looks for walls itself */
    int pulls; /* it makes the pulled flows of pipes */
} otok_walled;

#ifdef __cplusplus
extern "C" {
#endif

/* The stage that is operation `op` of a program. */
otok_walled otok_walled_of(const otok_program *program, int op);

/* Writes the values of OTOK_WALLS, dense [ny][nx]; `runs` of walls are as in io/holes.h. */
void otok_walls_map(float *out, int64_t nx, int64_t ny, const int64_t *runs, int64_t n,
                    const int *edges);

#ifdef __cplusplus
}
#endif

/* The sides of a grid that are open, and those that wrap: a bit for each otok_side. */
typedef struct otok_ways_in {
    int open, wraps;
} otok_ways_in;

OTOK_FN otok_ways_in otok_ways_in_of(const int *edges)
{
    otok_ways_in s = {0, 0};
    for (int side = 0; side < OTOK_SIDES; side++) {
        s.open |= (edges[side] == OTOK_OPEN) << side;
        s.wraps |= (edges[side] == OTOK_PERIODIC) << side;
    }
    return s;
}

/* The number of the cell (dx, dy) from a cell, -1 <= dx, dy <= 1, among those around it. */
OTOK_FN int otok_around(int dx, int dy)
{
    return 3 * (dy + 1) + dx + 1;
}

/* A bit for each cell around a cell that is none: a wall, or across the corner between two. `walls`
   points to the cell in OTOK_WALLS. */
OTOK_FN int otok_walls_around(const float *walls, ptrdiff_t pitch)
{
    int none = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            none |= (walls[dy * pitch + dx] == OTOK_IN_WALL) << otok_around(dx, dy);
    for (int dy = -1; dy <= 1; dy += 2)
        for (int dx = -1; dx <= 1; dx += 2)
            none |= (none >> otok_around(dx, 0) & none >> otok_around(0, dy) & 1)
                    << otok_around(dx, dy);
    return none;
}

/* What a stage reads in cell (dx, dy) from `at`: its value, or if it is none, what `halo` gives
   beyond closed sides. A none cell between two cells gives the value of the cell itself, and no
   flow. */
OTOK_FN float otok_walled_value(const float *at, ptrdiff_t pitch, int none, int dx, int dy,
                                int halo)
{
    const int beyond_x = dx && none >> otok_around(dx, 0) & 1,
              beyond_y = dy && none >> otok_around(0, dy) & 1;
    if (!(none >> otok_around(dx, dy) & 1)) return at[dy * pitch + dx];
    if (halo == OTOK_HALO_WALL) return INFINITY;
    if (halo == OTOK_HALO_ZERO) return 0.0f;
    if (halo == OTOK_HALO_RIGHTWARD && (beyond_x || !beyond_y)) return 0.0f;
    if (halo == OTOK_HALO_UPWARD && (beyond_y || !beyond_x)) return 0.0f;
    return at[(beyond_y || !beyond_x ? 0 : dy * pitch) + (beyond_x || !beyond_y ? 0 : dx)];
}

/* Makes a patch of one cell, cell 0, of the cell `at` of a patch. `room` has the cells around it of
   the buffers that the stage reads there; other buffers are the patch's own, of this cell. */
OTOK_FN void otok_walled_cell(otok_view *cell, float *room, const otok_view *v, ptrdiff_t at,
                              const otok_walled *stage)
{
    const int none = otok_walls_around(v->at[OTOK_WALLS] + at, v->pitch);
    for (int b = 0; b < OTOK_BUFFERS; b++)
        cell->at[b] = v->at[b] ? v->at[b] + at : v->at[b];
    cell->x0 = v->x0 + (int)(at % v->pitch);
    cell->y0 = v->y0 + (int)(at / v->pitch);
    cell->nx = cell->ny = 1;
    cell->pitch = 3;
    for (int n = 0; n < stage->n; n++) {
        const float *from = cell->at[(int)stage->buffer[n]];
        float *to = room + OTOK_AROUND * n + otok_around(0, 0);
        if (!from) continue; /* a map that is not given */
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                to[3 * dy + dx] = otok_walled_value(from, v->pitch, none, dx, dy, stage->halo[n]);
        cell->at[(int)stage->buffer[n]] = to;
    }
}

/* After the stage: a pipe to a wall carries nothing, also if theta mixes the pipe behind it in. */
OTOK_FN void otok_walled_seal(const otok_view *v, ptrdiff_t at, const otok_walled *stage)
{
    const float *walls = v->at[OTOK_WALLS] + at;
    if (!stage->pulls) return;
    if (walls[1] == OTOK_IN_WALL) v->at[OTOK_PULLED_RIGHT][at] = 0.0f;
    if (walls[v->pitch] == OTOK_IN_WALL) v->at[OTOK_PULLED_TOP][at] = 0.0f;
}

/* The cell beside (i, j), dx or dy cells on, as a droplet sees it: a wall, or what lies beyond a
   side that does not wrap, is the cell itself. */
OTOK_FN ptrdiff_t otok_walls_beside(const otok_view *v, int i, int j, int dx, int dy, int wide,
                                    int high)
{
    const ptrdiff_t at =
        otok_beside(j + dy, v->ny, high) * v->pitch + otok_beside(i + dx, v->nx, wide);
    return v->at[OTOK_WALLS] && v->at[OTOK_WALLS][at] == OTOK_IN_WALL ? j * v->pitch + i : at;
}

/* The n-th of `of` parts of d cells, to the nearest cell. */
OTOK_FN int otok_walls_part(int d, int n, int of)
{
    const int64_t twice = 2 * (int64_t)d * n + of, by = 2 * (int64_t)of;
    return (int)(twice >= 0 ? twice / by : -((by - 1 - twice) / by));
}

/* Is there a wall on the way from cell (i, j) to (i + dx, j + dy)? Cells beyond sides that do not
   wrap are not asked. Needs |dx|, |dy| < 2^30. */
OTOK_FN int otok_walls_between(const otok_view *v, int i, int j, int dx, int dy, int wide, int high)
{
    const int far_x = dx < 0 ? -dx : dx, far_y = dy < 0 ? -dy : dy,
              far = far_x > far_y ? far_x : far_y;
    if (!v->at[OTOK_WALLS]) return 0;
    for (int n = 1; n <= far && n <= v->nx + v->ny; n++) {
        int x = i + otok_walls_part(dx, n, far), y = j + otok_walls_part(dy, n, far);
        if ((!wide && (x < 0 || x >= v->nx)) || (!high && (y < 0 || y >= v->ny))) return 0;
        x = otok_beside(x, v->nx, wide);
        y = otok_beside(y, v->ny, high);
        if (v->at[OTOK_WALLS][y * v->pitch + x] == OTOK_IN_WALL) return 1;
    }
    return 0;
}

#endif
