/* wave_sweep.h: how waves of one direction sweep over a patch that is a whole grid: line by line
   along the axis nearest to the direction. The cells of a line depend on the line before it only.
 */
#ifndef OTOK_WAVE_SWEEP_H
#define OTOK_WAVE_SWEEP_H

#include "../model/waves.h"
#include "walls.h"

/* The groups of four directions a quarter turn apart, in 22.5 degrees from an axis. The group of 4
   directions is the first, those of 8 the first two. */
enum { OTOK_WAVE_GROUPS = 4, OTOK_WAVE_QUARTERS = 4 };

/* Cell j of line n is at first + n*along + j*across. */
typedef struct otok_wave_sweep {
    int lines, cells, kind;
    ptrdiff_t first, along, across;
    float front, beside; /* flux that comes in before line 0, and before cell 0 of a line */
    int wraps;           /* the last cell of a line is before its first one */
} otok_wave_sweep;

typedef struct otok_wave_axis {
    int side, cells; /* the side that waves come in over; cells from there to the other side */
    ptrdiff_t first, step;
} otok_wave_axis;

/* The axis of the unit vector of so many quarter turns from the right. */
OTOK_FN otok_wave_axis otok_wave_axis_of(const otok_view *v, int turns)
{
    const int back = turns & 2, up = turns & 1, cells = up ? v->ny : v->nx;
    const ptrdiff_t step = up ? v->pitch : 1;
    otok_wave_axis a;
    a.side = up ? (back ? OTOK_TOP : OTOK_BOTTOM) : (back ? OTOK_RIGHT : OTOK_LEFT);
    a.cells = cells;
    a.first = back ? (cells - 1) * step : 0;
    a.step = back ? -step : step;
    return a;
}

/* A group's angle from an axis in 22.5 degrees: 0, 2, 1, 3. Of 3, and of 2 if waves cannot come in
   along the first axis, the second axis is that of the sweep. */
OTOK_FN otok_wave_sweep otok_wave_sweep_of(const otok_view *v, int group, int quarter,
                                           otok_ways_in sides)
{
    const int angle = group == 1 ? 2 : group == 2 ? 1 : group;
    const otok_wave_axis x = otok_wave_axis_of(v, quarter), y = otok_wave_axis_of(v, quarter + 1);
    const int second = angle == 3 || (angle == 2 && sides.wraps >> x.side & 1);
    const otok_wave_axis a = second ? y : x, b = second ? x : y;
    otok_wave_sweep s;
    s.lines = a.cells;
    s.cells = b.cells;
    s.kind = angle == 3 ? 1 : angle;
    s.first = a.first + b.first;
    s.along = a.step;
    s.across = b.step;
    s.front = sides.open >> a.side & 1 ? 1.0f : 0.0f;
    s.beside = sides.open >> b.side & 1 ? 1.0f : 0.0f;
    s.wraps = sides.wraps >> b.side & 1;
    return s;
}

OTOK_FN int otok_wave_is_wall(const otok_view *v, ptrdiff_t at)
{
    return v->at[OTOK_WALLS] && v->at[OTOK_WALLS][at] == OTOK_IN_WALL;
}

/* The flux that enters cell j of line n. Of the line before, cell j is at before + j*across. In a
   corner between an open side and a closed one, or a wall, nothing comes in. */
OTOK_FN float otok_wave_entering(const otok_view *v, const otok_wave_sweep *s, const float *before,
                                 ptrdiff_t across, int n, int j, otok_wave_coefficients k)
{
    const ptrdiff_t at = s->first + n * s->along + j * s->across;
    const int beside = j > 0 || !s->wraps ? j - 1 : s->cells - 1;
    if (n == 0) {
        const float corner = otok_smaller(s->front, s->beside);
        const float outside = j > 0 || s->wraps ? s->front : corner;
        const int walled = beside >= 0 && otok_wave_is_wall(v, at + (beside - j) * s->across);
        return otok_wave_enters(s->front, walled ? 0.0f : outside, s->kind, k);
    }
    const float over = otok_wave_is_wall(v, at - s->along) ? 0.0f : s->beside;
    return otok_wave_enters(before[j * across], beside >= 0 ? before[beside * across] : over,
                            s->kind, k);
}

OTOK_FN otok_wave_bed otok_wave_bed_at(const otok_view *v, ptrdiff_t at)
{
    otok_wave_bed bed;
    bed.speed = v->at[OTOK_WAVE_SPEED][at];
    bed.rub = v->at[OTOK_WAVE_RUB][at];
    bed.most = v->at[OTOK_WAVE_MOST][at];
    return bed;
}

/* A wall is dry. */
OTOK_FN void otok_wave_lay_bed(const otok_view *v, ptrdiff_t at, float sea,
                               otok_wave_coefficients k)
{
    const float ground = v->at[OTOK_TERRAIN_BASE][at] + v->at[OTOK_TERRAIN_CHANGE][at];
    const otok_wave_bed bed = otok_wave_bed_of(otok_wave_is_wall(v, at) ? 0.0f : sea - ground, k);
    v->at[OTOK_WAVE_SPEED][at] = bed.speed;
    v->at[OTOK_WAVE_RUB][at] = bed.rub;
    v->at[OTOK_WAVE_MOST][at] = bed.most;
}

/* What leaves a cell of a bed if so much enters. */
OTOK_FN float otok_wave_passes(float enters, otok_wave_bed bed, int kind, otok_wave_coefficients k)
{
    return otok_wave_leaves(otok_wave_grows(enters, bed, kind, k), bed, kind, k);
}

/* The flux of cell j of line n in the buffer of its quarter. */
OTOK_FN void otok_wave_pass(const otok_view *v, const otok_wave_sweep *s, float *flux, int n, int j,
                            otok_wave_coefficients k)
{
    const ptrdiff_t line = s->first + n * s->along, at = line + j * s->across;
    const float enters =
        otok_wave_entering(v, s, flux + (n > 0 ? line - s->along : line), s->across, n, j, k);
    flux[at] = otok_wave_passes(enters, otok_wave_bed_at(v, at), s->kind, k);
}

/* The groups in the order of a sweep. Sums over groups are ((2 + 3) + 0) + 1, that of the exposure
   (0 + 1) + (2 + 3): mirrors and turns, which change groups 2 and 3 for each other, keep the bits.
 */
OTOK_FN int otok_wave_group(int n)
{
    return n ^ 2;
}

/* Adds the four directions of a group to the exposure. */
OTOK_FN void otok_wave_add(const otok_view *v, ptrdiff_t at, int group, otok_wave_coefficients k)
{
    float flux[OTOK_WAVE_QUARTERS], *exposure = v->at[OTOK_EXPOSURE] + at;
    for (int q = 0; q < OTOK_WAVE_QUARTERS; q++)
        flux[q] = k.weight[4 * group + q] > 0.0f ? v->at[OTOK_WAVE_FLUX + q][at] : 0.0f;
    const float sum = otok_wave_four(flux, k.weight + 4 * group);
    if (group == 0) *exposure = sum;
    if (group == 1) *exposure += sum;
    if (group == 2) v->at[OTOK_WAVE_GROUP][at] = sum;
    if (group == 3) v->at[OTOK_WAVE_GROUP][at] += sum;
    if (group == 1 && k.groups > 2) *exposure += v->at[OTOK_WAVE_GROUP][at];
}

/* The number of a cell along one axis of a sweep, whose step is `along` or `across`. */
OTOK_FN int otok_wave_place(const otok_view *v, ptrdiff_t step, int i, int j)
{
    return step == 1 ? i : step == -1 ? v->nx - 1 - i : step > 0 ? j : v->ny - 1 - j;
}

/* Adds what the four directions of a group lose in a cell, and the flux that they bring to it. A
   wall has neither. */
OTOK_FN void otok_wave_spend(const otok_view *v, int i, int j, int group, otok_ways_in sides,
                             otok_wave_coefficients k)
{
    const ptrdiff_t at = j * v->pitch + i;
    const otok_wave_bed bed = otok_wave_bed_at(v, at);
    const int kind = group == 1 ? 2 : group > 1, first = group == (k.groups > 2 ? 2 : 0);
    float lost[OTOK_WAVE_QUARTERS], comes[OTOK_WAVE_QUARTERS];
    for (int q = 0; q < OTOK_WAVE_QUARTERS; q++) {
        const otok_wave_sweep s = otok_wave_sweep_of(v, group, q, sides);
        const float *flux = v->at[OTOK_WAVE_FLUX + q];
        lost[q] = comes[q] = 0.0f;
        if (!(k.weight[4 * group + q] > 0.0f) || otok_wave_is_wall(v, at)) continue;
        const int n = otok_wave_place(v, s.along, i, j), m = otok_wave_place(v, s.across, i, j);
        const float *before = flux + s.first + (n > 0 ? n - 1 : 0) * s.along;
        const float enters = otok_wave_entering(v, &s, before, s.across, n, m, k);
        comes[q] = otok_wave_grows(enters, bed, kind, k);
        lost[q] = comes[q] - flux[at];
    }
    const otok_wave_vector way = otok_wave_sum(comes, k.weight + 4 * group, group);
    float *loss = v->at[OTOK_WAVE_LOSS] + at, *x = v->at[OTOK_WAVE_X] + at,
          *y = v->at[OTOK_WAVE_Y] + at;
    *loss = (first ? 0.0f : *loss) + otok_wave_four(lost, k.weight + 4 * group) / k.way[kind];
    *x = (first ? 0.0f : *x) + way.x;
    *y = (first ? 0.0f : *y) + way.y;
}

#endif
