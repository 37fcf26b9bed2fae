/* sea_reach.h: which cells below the sea it reaches: those joined, cell beside cell, to an open
   side of the grid. A forest has a number for each cell, its place in the buffer + 1, and 0 for the
   sea beyond the open sides. The parent of a cell is a smaller number of the same part, or the
   cell's own. Parts are joined at their smallest numbers, so the order in which cells are joined
   does not matter (union-find with minimal roots; Jaiganesh and Burtscher 2018). */
#ifndef OTOK_SEA_REACH_H
#define OTOK_SEA_REACH_H

#include "state.h"
#include "walls.h"

OTOK_FN int *otok_sea_parents(const otok_view *v)
{
    return (int *)v->at[OTOK_SEA_PARENT];
}

/* May the sea be in this cell? */
OTOK_FN int otok_sea_may_enter(const otok_view *v, ptrdiff_t at, float sea)
{
    return v->at[OTOK_TERRAIN_BASE][at] + v->at[OTOK_TERRAIN_CHANGE][at] < sea &&
           !(v->at[OTOK_WALLS] && v->at[OTOK_WALLS][at] == OTOK_IN_WALL);
}

/* Is the cell at a side among these bits? */
OTOK_FN int otok_sea_is_at(const otok_view *v, int i, int j, int sides)
{
    return (i == 0 && sides >> OTOK_LEFT & 1) || (i == v->nx - 1 && sides >> OTOK_RIGHT & 1) ||
           (j == 0 && sides >> OTOK_BOTTOM & 1) || (j == v->ny - 1 && sides >> OTOK_TOP & 1);
}

/* The parent of a cell at first. */
OTOK_FN int otok_sea_first_parent(const otok_view *v, int i, int j, int open)
{
    return otok_sea_is_at(v, i, j, open) ? 0 : (int)(j * v->pitch + i) + 1;
}

/* The smallest number of the part of number n. Ways to it become shorter. Others may do the same
   meanwhile: every value that a parent ever has is of the same part. */
OTOK_FN int otok_sea_root(volatile int *parents, int n)
{
    int last = n, root = n > 0 ? parents[n - 1] : 0, next = root;
    if (root == n) return n;
    while (root > 0 && root > (next = parents[root - 1])) {
        parents[last - 1] = next;
        last = root;
        root = next;
    }
    return root;
}

/* The number that a cell is joined with on its left (way 0) or below (way 1); 0: none. */
OTOK_FN int otok_sea_beside(const otok_view *v, int i, int j, int way, float sea, int wraps)
{
    const int side = way ? OTOK_BOTTOM : OTOK_LEFT, first = way ? j == 0 : i == 0;
    if (first && !(wraps >> side & 1)) return 0;
    const int x = way ? i : first ? v->nx - 1 : i - 1, y = !way ? j : first ? v->ny - 1 : j - 1;
    const ptrdiff_t at = y * v->pitch + x;
    return otok_sea_may_enter(v, at, sea) ? (int)at + 1 : 0;
}

/* After all are joined. 1: the sea is in this cell; 0: it is land, or below the sea and dry. */
OTOK_FN float otok_sea_is_in(const otok_view *v, ptrdiff_t at, float sea)
{
    const int *parents = otok_sea_parents(v);
    int root = (int)at + 1, next;
    while (root > 0 && (next = parents[root - 1]) < root)
        root = next;
    return root == 0 && otok_sea_may_enter(v, at, sea) ? 1.0f : 0.0f;
}

#endif
