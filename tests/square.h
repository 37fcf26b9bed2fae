/* square.h: the eight symmetries of a rectangle, which becomes one of the other orientation by four
   of them: bit 0 mirrors x, bit 1 mirrors y, bit 2 transposes. */
#ifndef OTOK_SQUARE_H
#define OTOK_SQUARE_H

/* Where cell (i, j) of the moved map comes from, in a map of nx times ny cells. */
static inline int rectangle_source(int symmetry, int nx, int ny, int i, int j)
{
    if (symmetry & 4) {
        const int t = i;
        i = j;
        j = t;
    }
    if (symmetry & 1) i = nx - 1 - i;
    if (symmetry & 2) j = ny - 1 - j;
    return j * nx + i;
}

/* What a direction of the moved map was: of a step (x, y) there, the step in the map that it comes
 * from. */
static inline void rectangle_direction(int symmetry, int *x, int *y)
{
    if (symmetry & 4) {
        const int t = *x;
        *x = *y;
        *y = t;
    }
    if (symmetry & 1) *x = -*x;
    if (symmetry & 2) *y = -*y;
}

static inline void square_move(int symmetry, int side, const float *from, float *to)
{
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++)
            to[j * side + i] = from[rectangle_source(symmetry, side, side, i, j)];
}

#endif
