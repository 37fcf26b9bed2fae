/* mouths.h: what rivers bring to the sea and to lakes. All that the cells of a river lost in a step
   is added up at its mouth, in whole numbers, so that their order does not matter. In the sea
   plumes spread it. A lake keeps as much as it has room for, in each cell the same share of its
   depth; the rest goes on to the next lake or the end of the river. A cell of the sea keeps what it
   has room for; the rest is spread by a second plume, and what finds no room then is carried off.
 */
#ifndef OTOK_MOUTHS_H
#define OTOK_MOUTHS_H

#include "../model/plume.h"
#include "ground.h"
#include "river_sums.h"

enum { OTOK_PLUMES = 2, OTOK_PLUME_ROUNDS = 2 /* of rows and columns, in each */ };

/* The receiver of a cell as the number of a cell, or its own number. */
OTOK_FN int otok_river_next(const otok_view *v, otok_spot s)
{
    otok_spot to = s;
    otok_spot_drains(v, &to);
    return (int)(to.j * v->pitch + to.i) + 1;
}

/* Numbers of cells in RIVER_BASIN, as parents of a forest whose roots are where rivers end, and the
   outlets of lakes. Roots have what comes to them in RIVER_LOW and RIVER_PASS; outlets have the
   room of their lake in RIVER_PART and RIVER_HOOK, how many lakes drain to them in RIVER_ROUND, and
   the root after them in RIVER_OVER. */
OTOK_FN void otok_mouth_begin(const otok_view *v, otok_spot s, int lakes)
{
    const ptrdiff_t at = s.j * v->pitch + s.i;
    otok_numbers(v, OTOK_RIVER_BASIN)[at] =
        otok_is_outlet(v, s, lakes) ? (int)at + 1 : otok_river_next(v, s);
    otok_wide_put(v, OTOK_RIVER_LOW, OTOK_RIVER_PASS, at, 0);
    if (!lakes) return;
    otok_wide_put(v, OTOK_RIVER_PART, OTOK_RIVER_HOOK, at, 0);
    otok_numbers(v, OTOK_RIVER_ROUND)[at] = otok_numbers(v, OTOK_RIVER_OVER)[at] = 0;
}

/* Where what comes to a cell is added up, as its place. */
OTOK_FN ptrdiff_t otok_mouth_of(const otok_view *v, ptrdiff_t at)
{
    return otok_root_of(otok_numbers(v, OTOK_RIVER_BASIN), (int)at + 1) - 1;
}

OTOK_FN int otok_is_sea(const otok_view *v, ptrdiff_t at, float sea)
{
    return !otok_is_wall(v, at) && !(otok_river_ground(v, at) >= sea);
}

/* What a cell lost between CHANGE and CHANGE_NEXT, in units of 2^-24 m; 0 in walls. Deposits of the
   river are below 0, and their sums are right modulo 2^64. */
OTOK_FN uint64_t otok_river_lost(const otok_view *v, ptrdiff_t at)
{
    const float lost = v->at[OTOK_TERRAIN_CHANGE][at] - v->at[OTOK_CHANGE_NEXT][at];
    return otok_is_wall(v, at) || !(fabsf(lost) < 0x1p30f) ? 0
                                                           : (uint64_t)(int64_t)(lost * 0x1p24f);
}

/* The room for sediment over a cell of a lake, in the same units; at most 2^11 m, so that the sum
   over 2^28 cells fits. */
OTOK_FN uint64_t otok_lake_room(const otok_view *v, ptrdiff_t at, int lakes)
{
    return (uint64_t)(otok_smaller(otok_lake_depth(v, at, lakes), 2048.0f) * 0x1p24f);
}

/* What a lake has no room for, by its outlet, of all that comes to it. */
OTOK_FN uint64_t otok_lake_spills(const otok_view *v, ptrdiff_t at, uint64_t comes)
{
    const int64_t more = (int64_t)(comes - otok_wide_get(v, OTOK_RIVER_PART, OTOK_RIVER_HOOK, at));
    return more > 0 ? (uint64_t)more : 0;
}

/* What comes to settle on a cell [m]: of a lake its share, in the sea the load of a mouth, which
   plumes spread. */
OTOK_FN void otok_river_brings(const otok_view *v, ptrdiff_t at, float sea,
                               otok_incision_coefficients k)
{
    const uint64_t room = otok_lake_room(v, at, k.lakes);
    const ptrdiff_t mouth = room ? otok_mouth_of(v, at) : at;
    const int64_t comes = (int64_t)otok_wide_get(v, OTOK_RIVER_LOW, OTOK_RIVER_PASS, mouth);
    const uint64_t all =
        room ? otok_wide_get(v, OTOK_RIVER_PART, OTOK_RIVER_HOOK, mouth) : (uint64_t)1;
    const float share = comes < (int64_t)all ? otok_positive((float)comes / (float)all) : 1.0f,
                brings = otok_positive((float)comes * 0x1p-24f);
    v->at[OTOK_RIVER_SILT][at] = room ? share * ((float)room * 0x1p-24f)
                                 : k.deltas && otok_is_sea(v, at, sea) ? brings
                                                                       : 0.0f;
}

/* A line of `cells` cells, from `first` on, `along` apart; its ends lie at open sides or not. */
typedef struct otok_plume_line {
    ptrdiff_t first, along;
    int cells, open[2];
} otok_plume_line;

/* Row n of a patch, or column n. */
OTOK_FN otok_plume_line otok_plume_line_of(const otok_view *v, int column, int n, int open)
{
    const otok_plume_line row = {n * v->pitch,
                                 1,
                                 v->nx,
                                 {open >> OTOK_LEFT & 1, open >> OTOK_RIGHT & 1}},
                          other = {
                              n, v->pitch, v->ny, {open >> OTOK_BOTTOM & 1, open >> OTOK_TOP & 1}};
    return column ? other : row;
}

/* A line is walked three times: ahead, to find what enters the first cell of each stretch of sea;
   ahead, for what goes that way; and back. A walk gets the load of each cell, and in between
   RIVER_PART has what the next walk needs: in the first cell of a stretch what enters it, then in
   its cells what of the way ahead they keep, and in the cell after it what turns back. */
#define OTOK_PLUME_NONE (-1.0f) /* the load of a cell that is not sea; nothing enters a stretch */

typedef struct otok_plume_walk {
    otok_plume_pass passed; /* since the first cell of the stretch */
    int first, some;        /* that cell, -1: not in the sea; some stretch has a load */
    float on;               /* what goes on */
} otok_plume_walk;

OTOK_FN otok_plume_walk otok_plume_start(void)
{
    const otok_plume_walk w = {otok_plume_begin(), -1, 0, 0.0f};
    return w;
}

OTOK_FN float otok_plume_load(const otok_view *v, ptrdiff_t at, float sea)
{
    return otok_is_sea(v, at, sea) ? v->at[OTOK_RIVER_SILT][at] : OTOK_PLUME_NONE;
}

/* The first walk, before cell n, which is not sea or beyond the line. */
OTOK_FN void otok_plume_shore(otok_plume_walk *w, const otok_view *v, otok_plume_line line, int n)
{
    const int some = w->passed.on > 0.0f;
    if (w->first >= 0)
        v->at[OTOK_RIVER_PART][line.first + w->first * line.along] =
            some ? otok_plume_enters(w->passed, w->first == 0 && line.open[0],
                                     n == line.cells && line.open[1])
                 : OTOK_PLUME_NONE;
    w->some |= w->first >= 0 && some;
    w->first = -1;
}

OTOK_FN void otok_plume_finds(otok_plume_walk *w, const otok_view *v, otok_plume_line line, int n,
                              float load, float f)
{
    if (load < 0.0f) {
        otok_plume_shore(w, v, line, n);
        return;
    }
    w->passed = otok_plume_through(w->first < 0 ? otok_plume_begin() : w->passed, load, f);
    w->first = w->first < 0 ? n : w->first;
}

/* The second walk; the result is for RIVER_PART. */
OTOK_FN float otok_plume_ahead(otok_plume_walk *w, float load, float part, float f)
{
    const float enters = w->first < 0 ? part : w->on, here = fmaf(0.5f, load, enters);
    w->first = load < 0.0f ? -1 : 0;
    if (load < 0.0f) return w->on;
    w->on = enters < 0.0f ? enters : here * f;
    return enters < 0.0f ? enters : here * (1.0f - f);
}

/* The third walk, which begins with what the second one ended with, or with nothing at an open
   side; the result is the load. */
OTOK_FN float otok_plume_back(float *on, float load, float part, float f)
{
    const float here = fmaf(0.5f, load, *on);
    *on = load < 0.0f ? part : here * f;
    return load < 0.0f || part < 0.0f ? load : fmaf(here, 1.0f - f, part);
}

/* Spreads the load of a line, between one coast and the next. */
OTOK_FN void otok_plume_along(const otok_view *v, otok_plume_line line, float sea, float f)
{
    float *part = v->at[OTOK_RIVER_PART] + line.first, *silt = v->at[OTOK_RIVER_SILT] + line.first;
    const ptrdiff_t end = line.cells * line.along;
    otok_plume_walk w = otok_plume_start();
    for (int n = 0; n < line.cells; n++)
        otok_plume_finds(&w, v, line, n, otok_plume_load(v, line.first + n * line.along, sea), f);
    otok_plume_shore(&w, v, line, line.cells);
    if (!w.some) return;
    for (ptrdiff_t n = 0; n < end; n += line.along)
        part[n] = otok_plume_ahead(&w, otok_plume_load(v, line.first + n, sea), part[n], f);
    w.on = line.open[1] ? 0.0f : w.on;
    for (ptrdiff_t n = end - line.along; n >= 0; n -= line.along) {
        const float load = otok_plume_load(v, line.first + n, sea),
                    is = otok_plume_back(&w.on, load, part[n], f);
        if (!(load < 0.0f)) silt[n] = is;
    }
}

/* A cell of the sea keeps of a plume what it has room for, in RIVER_LOW. The rest is the load of
   the last plume, after which all that it kept is what settles. */
OTOK_FN void otok_plume_kept(const otok_view *v, ptrdiff_t at, float sea, int last)
{
    float *kept = v->at[OTOK_RIVER_LOW] + at, *load = v->at[OTOK_RIVER_SILT] + at;
    if (!otok_is_sea(v, at, sea)) return;
    const float had = last ? *kept : 0.0f, room = sea - otok_river_ground(v, at) - had,
                more = otok_smaller(*load, otok_positive(room));
    *kept = had + more;
    *load = last ? had + more : *load - more;
}

/* The ground under what settled on it. */
OTOK_FN void otok_cell_settled(const otok_view *v, ptrdiff_t at, uint32_t phase)
{
    v->at[OTOK_CHANGE_NEXT][at] = otok_ground_add(v->at[OTOK_TERRAIN_CHANGE][at],
                                                  v->at[OTOK_RIVER_SILT][at], otok_dither(phase));
}

#endif
