/* square.h: the eight symmetries of a square map: bit 0 mirrors x, bit 1 mirrors y, bit 2 transposes. */
#ifndef OTOK_SQUARE_H
#define OTOK_SQUARE_H

/* Where cell (i, j) of the moved map comes from. */
static inline int square_source(int symmetry, int side, int i, int j)
{
    if (symmetry & 4) {
        const int t = i;
        i = j;
        j = t;
    }
    if (symmetry & 1) i = side - 1 - i;
    if (symmetry & 2) j = side - 1 - j;
    return j * side + i;
}

static inline void square_move(int symmetry, int side, const float *from, float *to)
{
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++)
            to[j * side + i] = from[square_source(symmetry, side, i, j)];
}

#endif
