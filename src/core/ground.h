/* ground.h: loads and stores the layers of a cell. Used by the plain loops and the plain
   kernels. */
#ifndef OTOK_GROUND_H
#define OTOK_GROUND_H

#include "../model/coast.h"
#include "../model/reef_light.h"
#include "../model/uplift.h"
#include "neighbours.h"
#include "state.h"

/* The phases of the dithers (otok_dither_phase) of a row in this iteration, by global cells. */
typedef struct otok_row_phases {
    uint32_t now, distance;
    int x0, nx;
} otok_row_phases;

OTOK_FN otok_row_phases otok_row_phases_of(const otok_view *v, int j)
{
    const otok_row_phases p = {v->steps[*v->now].phase,
                               otok_dither_distance(otok_row_of(v, j), v->global_ny), v->x0,
                               v->global_nx};
    return p;
}

OTOK_FN uint32_t otok_row_phase(const otok_row_phases *p, int i)
{
    return otok_dither_phase(p->now, otok_dither_distance(p->x0 + i, p->nx), p->distance);
}

/* A buffer, or the height of the ground, in a cell and its four or eight neighbours. */
OTOK_FN otok_cross otok_cross_of(const otok_view *v, int buffer, ptrdiff_t at)
{
    return otok_cross_at(v->at[buffer] + at, v->pitch);
}

OTOK_FN otok_cross otok_ground_around(const otok_view *v, ptrdiff_t at)
{
    return otok_cross_add(otok_cross_of(v, OTOK_TERRAIN_BASE, at),
                          otok_cross_of(v, OTOK_TERRAIN_CHANGE, at));
}

OTOK_FN otok_moore otok_ground_about(const otok_view *v, ptrdiff_t at)
{
    return otok_moore_add(otok_moore_at(v->at[OTOK_TERRAIN_BASE] + at, v->pitch),
                          otok_moore_at(v->at[OTOK_TERRAIN_CHANGE] + at, v->pitch));
}

OTOK_FN float otok_height_at(const otok_view *v, ptrdiff_t at)
{
    return v->at[OTOK_TERRAIN_BASE][at] + v->at[OTOK_TERRAIN_CHANGE][at];
}

/* 1, or 0 beyond a side or in a wall, for stages that have such ghosts of the ground. */
OTOK_FN float otok_is_cell(const otok_view *v, ptrdiff_t at)
{
    return v->at[OTOK_TERRAIN_CHANGE][at] < INFINITY ? 1.0f : 0.0f;
}

/* The thickness of the loose layer, the first one, of a cell: +infinity if the ground has no
   layers, 0 where there is no cell. */
OTOK_FN float otok_loose_at(const otok_view *v, ptrdiff_t at)
{
    const float loose = v->at[OTOK_LAYER_BOTTOM]
                            ? v->at[OTOK_TERRAIN_CHANGE][at] - v->at[OTOK_LAYER_BOTTOM][at]
                            : INFINITY;
    return otok_is_cell(v, at) > 0.0f ? otok_positive(loose) : 0.0f;
}

/* The erodibility of a cell; 1 without a map. Every process that erodes uses it. */
OTOK_FN float otok_erodibility_at(const otok_view *v, ptrdiff_t at)
{
    return v->at[OTOK_ERODIBILITY] ? v->at[OTOK_ERODIBILITY][at] : 1.0f;
}

/* The bottoms of the layers of a ground of n layers; unused ones are 0. */
OTOK_FN otok_bottoms otok_bottoms_at(const otok_view *v, ptrdiff_t at, int n)
{
    otok_bottoms b;
    for (int i = 0; i < OTOK_BOTTOMS; i++)
        b.at[i] = i < n - 1 ? v->at[OTOK_LAYER_BOTTOM + i][at] : 0.0f;
    return b;
}

/* The largest absolute height of what moves with the ground: the ground and the bottoms of its
   layers. */
OTOK_FN float otok_column_size(const otok_view *v, ptrdiff_t at, int n)
{
    float size = fabsf(v->at[OTOK_TERRAIN_CHANGE][at]);
    for (int i = 0; i < OTOK_BOTTOMS; i++) {
        const float bottom = i < n - 1 ? fabsf(v->at[OTOK_LAYER_BOTTOM + i][at]) : 0.0f;
        size = bottom > size ? bottom : size;
    }
    return size;
}

/* The rise of the ground in an iteration: its sums from and to (model/uplift.h), in metres, and its
   rate [m/s]. */
typedef struct otok_lift {
    int64_t from, to;
    float rise, rate;
} otok_lift;

OTOK_FN otok_lift otok_lift_of(double given, const otok_step *step)
{
    const double rate = given == given ? given : 0.0; /* there is a map */
    const otok_lift lift = {
        otok_uplift_sum(rate, step->uplift_from), otok_uplift_sum(rate, step->uplift_to),
        (float)(rate * step->uplift_to - rate * step->uplift_from), (float)rate};
    return lift;
}

/* That of a cell: `same` for all if the rate is a number, or by the map of rates. */
OTOK_FN otok_lift otok_lift_at(const otok_view *v, ptrdiff_t at, double rate, otok_lift same,
                               const otok_step *step)
{
    return rate == rate ? same : otok_lift_of((double)v->at[OTOK_MAP_UPLIFT][at], step);
}

/* The rise of a column of n layers in an iteration [m], in its last digit. */
OTOK_FN float otok_column_uplift(const otok_view *v, ptrdiff_t at, int n, otok_lift lift)
{
    return otok_uplift_rise(lift.from, lift.to, otok_column_size(v, at, n));
}

/* The depth at the start of the iteration of a cell whose ground has risen since, and how much it
   grows until the end of the iteration [m]. */
typedef struct otok_sinking {
    float depth, more;
} otok_sinking;

OTOK_FN otok_sinking otok_sinking_at(float h, otok_lift lift, const otok_step *step)
{
    const otok_sinking s = {step->sea - (h - lift.rise), (step->sea_to - step->sea) - lift.rise};
    return s;
}

/* The most that each producer of a cell's reef grows in an iteration [m]. Only a phase with waves
   has exposures of its own; without them `still` is 1. */
OTOK_FN otok_producers otok_light_most(const otok_view *v, ptrdiff_t at, int n,
                                       otok_light_coefficients k)
{
    otok_producers most = {{0.0f, 0.0f, 0.0f}};
    for (int i = 0; i < n; i++)
        most.of[i] = k.of[i].still != 1.0f
                         ? k.of[i].growth *
                               otok_light_share(v->at[OTOK_EXPOSURE][at], k.of[i].still, k.swell)
                         : k.of[i].growth;
    for (int i = 0; i < n && k.buried > 0.0f; i++)
        most.of[i] *= otok_exp_decay(-v->at[OTOK_RIVER_SILT][at] * k.buried);
    return most;
}

/* The growth in an iteration, from knot to knot. */
OTOK_FN otok_light_grown otok_light_grows(otok_sinking s, otok_lift lift, const otok_step *step,
                                          otok_producers most, int n, otok_light_coefficients k)
{
    otok_light_grown grown = {0.0f, {{0.0f, 0.0f, 0.0f}}};
    otok_knot was = {0.0f, step->sea, 0.0f};
    for (int p = 0; p <= step->nknots; p++) {
        const otok_knot is = otok_knot_of(step, p);
        const float part = is.at - was.at,
                    rise = step->nknots ? (is.sea - was.sea) - lift.rate * (is.lifted - was.lifted)
                                        : s.more;
        was = is;
        if (!(part > 0.0f)) { /* the sea jumps */
            s.depth += rise;
            continue;
        }
        const otok_light_grown more = otok_light_growth(s.depth, rise, part, most, n, k);
        grown.all += more.all;
        for (int i = 1; i < n; i++)
            grown.by.of[i] += more.by.of[i];
        s.depth += rise - more.all;
    }
    return grown;
}

/* Lets the reef of a cell grow by n producers in an iteration whose uplift is done, over a ground
   in layers. `phase`: otok_dither_phase. */
OTOK_FN void otok_column_grow(const otok_view *v, ptrdiff_t at, int layers, int n, otok_lift lift,
                              const otok_step *step, otok_light_coefficients k, uint32_t phase)
{
    const int splits = layers > 1 && k.rock > 0.0f;
    const otok_reef_column before = {v->at[OTOK_TERRAIN_CHANGE][at], v->at[OTOK_REEF][at],
                                     splits ? v->at[OTOK_LAYER_BOTTOM][at] : 0.0f};
    const otok_sinking s =
        otok_sinking_at(v->at[OTOK_TERRAIN_BASE][at] + before.change, lift, step);
    const otok_light_grown grown =
        otok_light_grows(s, lift, step, otok_light_most(v, at, n, k), n, k);
    const otok_reef_column after = otok_reef_rise(before, grown.all, phase, k);
    v->at[OTOK_TERRAIN_CHANGE][at] = after.change;
    v->at[OTOK_REEF][at] = after.reef;
    if (splits) v->at[OTOK_LAYER_BOTTOM][at] = after.bottom;
    const float risen = grown.all > 0.0f ? (after.change - before.change) / grown.all : 0.0f;
    for (int i = 1; i < n; i++)
        v->at[OTOK_REEF_SECOND + i - 1][at] =
            otok_ground_add(v->at[OTOK_REEF_SECOND + i - 1][at], risen * grown.by.of[i],
                            otok_dither(phase + OTOK_DITHER_TURN));
}

/* Raises all of it. Nothing is laid down or taken away: layers keep their thicknesses if `rise` is
   a multiple of the last digit of otok_column_size. */
OTOK_FN void otok_column_rise(const otok_view *v, ptrdiff_t at, int n, float rise)
{
    v->at[OTOK_TERRAIN_CHANGE][at] += rise;
    for (int i = 0; i < OTOK_BOTTOMS; i++)
        if (i < n - 1) v->at[OTOK_LAYER_BOTTOM + i][at] += rise;
}

/* Waves loosen the rock of a cell, over a ground of n >= 2 layers. */
OTOK_FN void otok_column_abrade(const otok_view *v, ptrdiff_t at, float sea,
                                otok_coast_coefficients k, otok_layer_coefficients layers,
                                otok_layer_books *books, uint32_t phase)
{
    const float depth = sea - (v->at[OTOK_TERRAIN_BASE][at] + v->at[OTOK_TERRAIN_CHANGE][at]);
    const otok_bottoms was = otok_bottoms_at(v, at, layers.n);
    const float least = (sea - v->at[OTOK_TERRAIN_BASE][at]) - otok_coast_deepest(depth, k);
    if (!(depth < k.closure)) return;
    const otok_bottoms is = otok_abraded(was, least, v->at[OTOK_WAVE_LOSS][at],
                                         otok_erodibility_at(v, at), otok_dither(phase), k, layers);
    otok_abraded_book(books, was, is, layers.n);
    for (int i = 0; i < OTOK_BOTTOMS; i++)
        if (i < layers.n - 1) v->at[OTOK_LAYER_BOTTOM + i][at] = is.at[i];
}

/* What of a cell goes with the waves. Without layers all ground is loose. */
OTOK_FN void otok_column_drift(const otok_view *v, ptrdiff_t at, float sea,
                               otok_coast_coefficients k)
{
    const float loose = otok_loose_at(v, at);
    const otok_cross h = otok_ground_around(v, at);
    const otok_drift flux = {v->at[OTOK_WAVE_X][at], v->at[OTOK_WAVE_Y][at]},
                     out = otok_drift_gives(sea - h.here, loose, otok_drift_along(flux, h, k), k);
    v->at[OTOK_DRIFT_X][at] = out.x;
    v->at[OTOK_DRIFT_Y][at] = out.y;
}

/* Books a move of the ground from `was` to `is` for each layer, and cuts the layers' bottoms. */
OTOK_FN void otok_ground_moved(const otok_view *v, ptrdiff_t at, float was, float is,
                               otok_bottoms b, int n, otok_layer_books *books)
{
    const otok_bottoms cut = otok_layers_cut(b, is);
    otok_layers_book(books, was, b, is, cut, n);
    for (int i = 0; i < OTOK_BOTTOMS; i++)
        if (i < n - 1 && cut.at[i] != b.at[i]) v->at[OTOK_LAYER_BOTTOM + i][at] = cut.at[i];
}

/* Karst: the fall of a ground at height h whose reef is so thick, from knot to knot. */
OTOK_FN float otok_light_dissolves(float h, float thickness, const otok_step *step,
                                   otok_light_coefficients k)
{
    float emerged = 0.0f, lowest = step->sea;
    otok_knot was = {0.0f, step->sea, 0.0f};
    for (int p = 0; p <= step->nknots; p++) {
        const otok_knot is = otok_knot_of(step, p);
        emerged += (is.at - was.at) * otok_emerged_share(h, was.sea, is.sea);
        lowest = otok_smaller(lowest, is.sea);
        was = is;
    }
    return otok_dissolved(h, thickness, emerged, lowest, k);
}

/* Dissolves emerged reef, over a ground of n layers: the first, and the second if the reef has rock
   there. */
OTOK_FN void otok_column_dissolve(const otok_view *v, ptrdiff_t at, int n, const otok_step *step,
                                  otok_light_coefficients k, otok_layer_books *books,
                                  uint32_t phase)
{
    const int reef = k.rock > 0.0f ? 2 : 1;
    if (n <= reef) return;
    const float was = v->at[OTOK_TERRAIN_CHANGE][at];
    const float bottom = v->at[OTOK_LAYER_BOTTOM + reef - 1][at];
    const float falls =
        otok_light_dissolves(v->at[OTOK_TERRAIN_BASE][at] + was, was - bottom, step, k);
    const float is = otok_larger(otok_ground_add(was, -falls, otok_dither(phase)), bottom);
    if (!(falls > 0.0f)) return;
    otok_ground_moved(v, at, was, is, otok_bottoms_at(v, at, n), n, books);
    v->at[OTOK_TERRAIN_CHANGE][at] = is;
}

#endif
