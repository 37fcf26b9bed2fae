/* cell.h: what the stages load, compute and store in one cell, in buffers with ghost rings. The
   plain loops and the plain kernels use it, so the two differ in how they walk and in how they add
   up. `at` is the index of the cell. */
#ifndef OTOK_CELL_H
#define OTOK_CELL_H

#include "../model/derived.h"
#include "../model/erosion.h"
#include "../model/infiltration.h"
#include "../model/marine.h"
#include "../model/maxima.h"
#include "../model/parts.h"
#include "../model/reef.h"
#include "../model/thermal.h"
#include "../model/transport.h"
#include "../model/water.h"
#include "ground.h"
#include "pipe_sides.h"
#include "slides.h"

/* The field `part` after a process. `phase`: otok_dither_phase. */
OTOK_FN void otok_cell_part(const otok_view *v, ptrdiff_t at, int part, uint32_t phase)
{
    v->at[part][at] = otok_part_after(v->at[part][at], v->at[OTOK_CHANGE_BEFORE][at],
                                      v->at[OTOK_TERRAIN_CHANGE][at], otok_dither(phase));
}

OTOK_FN void otok_cell_dated(const otok_view *v, ptrdiff_t at, float now)
{
    v->at[OTOK_REEF_TIME][at] =
        otok_reef_dated(v->at[OTOK_REEF_TIME][at], v->at[OTOK_CHANGE_BEFORE][at],
                        v->at[OTOK_TERRAIN_CHANGE][at], now);
}

/* ---- Water ---- */

/* timed: some rivers have a hydrograph. */
OTOK_FN otok_filled otok_cell_filled(const otok_view *v, ptrdiff_t at, int timed, float rain,
                                     const otok_volumes *rivers, uint32_t phase)
{
    const float depth = v->at[OTOK_SPRINGS][at];
    const float spring = timed ? otok_spring(rivers, v->at[OTOK_SPRING_OF][at], depth) : depth;
    const otok_filled f =
        otok_water_filled(v->at[OTOK_WATER][at], rain, v->at[OTOK_MAP_RAIN][at], spring, phase);
    v->at[OTOK_WATER_NEXT][at] = f.d1;
    return f;
}

/* The result is the water that stays. */
OTOK_FN float otok_cell_infiltrate(const otok_view *v, ptrdiff_t at, uint32_t phase,
                                   otok_infiltration_coefficients k)
{
    const otok_soil before = {v->at[OTOK_WATER][at], v->at[OTOK_INFILTRATED][at]};
    const otok_soil soil =
        otok_soil_wetted(before, otok_map_at(v, OTOK_MAP_CONDUCTIVITY, k.rate, at),
                         otok_map_at(v, OTOK_MAP_SUCTION, k.suction, at), phase);
    v->at[OTOK_WATER][at] = soil.d;
    v->at[OTOK_INFILTRATED][at] = soil.f;
    return soil.d;
}

/* Running maxima of a cell. What does not change is not stored, which saves time: most cells are
   dry or past their peak. The result is the greatest depth before. */
OTOK_FN float otok_cell_peak(const otok_view *v, ptrdiff_t at, float d)
{
    const otok_peak before = {v->at[OTOK_MAX_DEPTH][at], v->at[OTOK_PEAK_LEVEL][at]};
    const otok_peak after = otok_peak_after(before, d, otok_height_at(v, at));
    if (after.depth != before.depth) v->at[OTOK_MAX_DEPTH][at] = after.depth;
    if (after.level != before.level) v->at[OTOK_PEAK_LEVEL][at] = after.level;
    return before.depth;
}

OTOK_FN void otok_cell_maxima(const otok_view *v, ptrdiff_t at)
{
    const float d = v->at[OTOK_WATER][at];
    if (d > 0.0f) otok_cell_peak(v, at, d);
}

OTOK_FN void otok_cell_maxima_times(const otok_view *v, ptrdiff_t at, float begin, float end,
                                    otok_maxima_coefficients k)
{
    const float d = v->at[OTOK_WATER][at];
    if (!(d > 0.0f)) return;
    const float most = otok_cell_peak(v, at, d);
    if (d > most) v->at[OTOK_PEAKED][at] = end;
    if (otok_arrives(most, d, k)) v->at[OTOK_ARRIVED][at] = end;
    if (d >= k.duration)
        v->at[OTOK_DURATION][at] = otok_flooded(v->at[OTOK_DURATION][at], d, begin, end, k);
}

OTOK_FN void otok_cell_maxima_speed(const otok_view *v, ptrdiff_t at)
{
    const float d = v->at[OTOK_WATER][at];
    if (!(d > 0.0f)) return;
    const float speed = otok_water_speed(v->at[OTOK_VELOCITY_X][at], v->at[OTOK_VELOCITY_Y][at]);
    if (speed > v->at[OTOK_MAX_SPEED][at]) v->at[OTOK_MAX_SPEED][at] = speed;
    if (speed * d > v->at[OTOK_MAX_DEPTH_SPEED][at]) v->at[OTOK_MAX_DEPTH_SPEED][at] = speed * d;
}

/* Outflows of one-way pipes: of a cell, and of its neighbours towards it. */
OTOK_FN otok_four otok_outflow_from(const otok_view *v, ptrdiff_t at)
{
    const otok_four f = {v->at[OTOK_OUTFLOW_LEFT][at], v->at[OTOK_OUTFLOW_RIGHT][at],
                         v->at[OTOK_OUTFLOW_BOTTOM][at], v->at[OTOK_OUTFLOW_TOP][at]};
    return f;
}

OTOK_FN otok_four otok_outflow_into(const otok_view *v, ptrdiff_t at)
{
    const otok_four f = {v->at[OTOK_OUTFLOW_RIGHT][at - 1], v->at[OTOK_OUTFLOW_LEFT][at + 1],
                         v->at[OTOK_OUTFLOW_TOP][at - v->pitch],
                         v->at[OTOK_OUTFLOW_BOTTOM][at + v->pitch]};
    return f;
}

OTOK_FN void otok_cell_flow_out(const otok_view *v, ptrdiff_t at, otok_water_coefficients k)
{
    const otok_cross d1 = otok_cross_of(v, OTOK_WATER_NEXT, at);
    const otok_four f = otok_outflow(otok_outflow_from(v, at), d1.here,
                                     otok_cross_add(otok_ground_around(v, at), d1), k);
    v->at[OTOK_OUTFLOW_LEFT][at] = f.left;
    v->at[OTOK_OUTFLOW_RIGHT][at] = f.right;
    v->at[OTOK_OUTFLOW_BOTTOM][at] = f.bottom;
    v->at[OTOK_OUTFLOW_TOP][at] = f.top;
}

/* Depth and velocity after an iteration. The result is what was clamped. */
OTOK_FN float otok_cell_flowed(const otok_view *v, ptrdiff_t at, otok_surface s)
{
    v->at[OTOK_WATER][at] = s.d2;
    v->at[OTOK_VELOCITY_X][at] = s.u;
    v->at[OTOK_VELOCITY_Y][at] = s.w;
    return s.clamped;
}

OTOK_FN float otok_cell_surface(const otok_view *v, ptrdiff_t at, otok_four out, otok_four in,
                                otok_water_coefficients k)
{
    return otok_cell_flowed(v, at, otok_water_surface(v->at[OTOK_WATER_NEXT][at], out, in, k));
}

/* ---- Signed pipes: the cell left of a pipe, or below it, keeps its flow ---- */

OTOK_FN otok_column otok_column_at(const otok_view *v, ptrdiff_t at)
{
    const otok_column c = {otok_height_at(v, at), v->at[OTOK_WATER_NEXT][at]};
    return c;
}

OTOK_FN void otok_cell_pull(const otok_view *v, ptrdiff_t at, otok_pipe_coefficients k)
{
    const ptrdiff_t up = v->pitch;
    const float *right = v->at[OTOK_OUTFLOW_RIGHT] + at, *top = v->at[OTOK_OUTFLOW_TOP] + at;
    const otok_column here = otok_column_at(v, at);
    v->at[OTOK_PULLED_RIGHT][at] =
        otok_pipe_moved(right[-1], right[0], right[1], here, otok_column_at(v, at + 1), k);
    v->at[OTOK_PULLED_TOP][at] =
        otok_pipe_moved(top[-up], top[0], top[up], here, otok_column_at(v, at + up), k);
}

/* Any friction along axes, from a number or a map. */
OTOK_FN void otok_cell_flux(const otok_view *v, ptrdiff_t at, otok_pipe_coefficients k)
{
    const ptrdiff_t up = v->pitch;
    const otok_column here = otok_column_at(v, at);
    v->at[OTOK_FLUX_RIGHT][at] = otok_pipe(v->at[OTOK_OUTFLOW_RIGHT][at], here,
                                           otok_column_at(v, at + 1), otok_pipe_at(v, at, 1, k));
    v->at[OTOK_FLUX_TOP][at] = otok_pipe(v->at[OTOK_OUTFLOW_TOP][at], here,
                                         otok_column_at(v, at + up), otok_pipe_at(v, at, up, k));
}

/* The sum of the pulled flows across a pipe that a cell touches. */
typedef struct otok_crossing {
    float here, beside;
} otok_crossing;

/* Of the right pipe, and of the top one. */
OTOK_FN otok_crossing otok_crossing_right(const otok_view *v, ptrdiff_t at)
{
    const float *top = v->at[OTOK_PULLED_TOP] + at;
    const otok_crossing c = {top[-v->pitch] + top[0], top[1 - v->pitch] + top[1]};
    return c;
}

OTOK_FN otok_crossing otok_crossing_top(const otok_view *v, ptrdiff_t at)
{
    const float *right = v->at[OTOK_PULLED_RIGHT] + at;
    const otok_crossing c = {right[-1] + right[0], right[v->pitch - 1] + right[v->pitch]};
    return c;
}

/* Any friction along the vector of the flows or along axes, from a number or a map. */
OTOK_FN void otok_cell_slow(const otok_view *v, ptrdiff_t at, otok_pipe_coefficients k)
{
    const ptrdiff_t up = v->pitch;
    const otok_column here = otok_column_at(v, at);
    const otok_crossing x = otok_crossing_right(v, at), y = otok_crossing_top(v, at);
    v->at[OTOK_FLUX_RIGHT][at] = otok_pipe_slowed(
        v->at[OTOK_PULLED_RIGHT][at], v->at[OTOK_OUTFLOW_RIGHT][at], x.here, x.beside,
        otok_face_depth(here, otok_column_at(v, at + 1)), otok_pipe_at(v, at, 1, k));
    v->at[OTOK_FLUX_TOP][at] = otok_pipe_slowed(
        v->at[OTOK_PULLED_TOP][at], v->at[OTOK_OUTFLOW_TOP][at], y.here, y.beside,
        otok_face_depth(here, otok_column_at(v, at + up)), otok_pipe_at(v, at, up, k));
}

/* Speeds of the old flows of the pipes that a cell keeps, and slopes through it. */
OTOK_FN void otok_cell_steps(const otok_view *v, ptrdiff_t at, otok_pipe_coefficients k)
{
    const ptrdiff_t up = v->pitch;
    const otok_column here = otok_column_at(v, at), right = otok_column_at(v, at + 1),
                      top = otok_column_at(v, at + up);
    v->at[OTOK_FACE_RIGHT][at] =
        otok_pipe_speed(v->at[OTOK_OUTFLOW_RIGHT][at], otok_face_depth(here, right), k);
    v->at[OTOK_FACE_TOP][at] =
        otok_pipe_speed(v->at[OTOK_OUTFLOW_TOP][at], otok_face_depth(here, top), k);
    v->at[OTOK_SLOPE_RIGHT][at] =
        otok_bed_slope(here.h - otok_height_at(v, at - 1), right.h - here.h);
    v->at[OTOK_SLOPE_TOP][at] = otok_bed_slope(here.h - otok_height_at(v, at - up), top.h - here.h);
}

/* The flow f of the pipe that cell `at` keeps, within the bound of critical.h. `step`: to the next
   cell along it. */
OTOK_FN float otok_cell_bounded(const otok_view *v, ptrdiff_t at, ptrdiff_t step, float f,
                                const float *speed, const float *slope, otok_pipe_coefficients k)
{
    const otok_column a = otok_column_at(v, at), b = otok_column_at(v, at + step);
    const otok_bed bed = {b.h - a.h, slope[at], slope[at + step], 0};
    return otok_pipe_bounded(f, otok_face_depth(a, b), speed[at - step], speed[at + step], bed, k);
}

OTOK_FN void otok_cell_hold(const otok_view *v, ptrdiff_t at, otok_pipe_coefficients k)
{
    float *right = v->at[OTOK_FLUX_RIGHT], *top = v->at[OTOK_FLUX_TOP];
    right[at] =
        otok_cell_bounded(v, at, 1, right[at], v->at[OTOK_FACE_RIGHT], v->at[OTOK_SLOPE_RIGHT], k);
    top[at] =
        otok_cell_bounded(v, at, v->pitch, top[at], v->at[OTOK_FACE_TOP], v->at[OTOK_SLOPE_TOP], k);
}

/* After the limiter, what leaves a cell over that side. */
OTOK_FN void otok_cell_leave(const otok_view *v, int side, ptrdiff_t at)
{
    const ptrdiff_t ghost = at - (side == OTOK_LEFT ? 1 : v->pitch);
    const float *flux = v->at[side == OTOK_LEFT ? OTOK_FLUX_RIGHT : OTOK_FLUX_TOP];
    const float *limit = v->at[OTOK_FLUX_LIMIT];
    v->at[OTOK_OUTFLOW_LEFT + side][at] =
        0.0f - otok_face_limited(flux[ghost], limit[ghost], limit[at]);
}

OTOK_FN otok_four otok_flux_at(const otok_view *v, ptrdiff_t at)
{
    return otok_faces_at(v->at[OTOK_FLUX_RIGHT] + at, v->at[OTOK_FLUX_TOP] + at, v->pitch);
}

/* The flows through the faces of a cell after the limiter. */
OTOK_FN otok_four otok_flux_limited(const otok_view *v, ptrdiff_t at)
{
    return otok_faces_limited(otok_flux_at(v, at), otok_cross_of(v, OTOK_FLUX_LIMIT, at));
}

OTOK_FN void otok_cell_limit(const otok_view *v, ptrdiff_t at, otok_pipe_coefficients k)
{
    v->at[OTOK_FLUX_LIMIT][at] =
        otok_pipe_limit(v->at[OTOK_WATER_NEXT][at], otok_faces_out(otok_flux_at(v, at)), k);
}

OTOK_FN float otok_cell_flux_surface(const otok_view *v, ptrdiff_t at, uint32_t phase,
                                     otok_water_coefficients k)
{
    const otok_four f = otok_flux_limited(v, at);
    v->at[OTOK_OUTFLOW_RIGHT][at] = f.right, v->at[OTOK_OUTFLOW_TOP][at] = f.top;
    return otok_cell_flowed(v, at, otok_face_surface_now(v->at[OTOK_WATER_NEXT][at], f, phase, k));
}

/* ---- Sediment ---- */

OTOK_FN otok_cross otok_load_around(const otok_view *v, ptrdiff_t at, otok_transport_coefficients k)
{
    return otok_load_cross(otok_cross_of(v, OTOK_SEDIMENT, at),
                           otok_cross_of(v, OTOK_WATER_NEXT, at), k);
}

/* ---- Erosion ---- */

/* Coefficients of the step that runs. */
OTOK_FN otok_erosion_coefficients otok_erosion_now(const otok_view *v, otok_erosion_coefficients k)
{
    if (k.to_sea) k.lowest = v->steps[*v->now].sea + k.sill;
    return k;
}

OTOK_FN float otok_capacity_at(const otok_view *v, ptrdiff_t at, otok_erosion_coefficients k)
{
    const otok_cross h = otok_ground_around(v, at);
    const float c = otok_capacity(otok_gradient2(h, k), v->at[OTOK_WATER][at],
                                  v->at[OTOK_VELOCITY_X][at], v->at[OTOK_VELOCITY_Y][at], k);
    return k.to_sea ? otok_capacity_to_sea(c, v->at[OTOK_SEDIMENT][at], h.here, k.lowest) : c;
}

OTOK_FN otok_eroded otok_cell_erosion(const otok_view *v, ptrdiff_t at, otok_erosion_coefficients k)
{
    return otok_erosion(v->at[OTOK_TERRAIN_CHANGE][at], v->at[OTOK_SEDIMENT][at],
                        v->at[OTOK_WATER][at], otok_capacity_at(v, at, k), k);
}

/* Over a ground in layers. */
OTOK_FN otok_eroded otok_cell_erosion_layered(const otok_view *v, ptrdiff_t at,
                                              otok_erosion_coefficients k,
                                              otok_layer_coefficients layers,
                                              otok_layer_books *books)
{
    const float change = v->at[OTOK_TERRAIN_CHANGE][at];
    const otok_bottoms bottoms = otok_bottoms_at(v, at, layers.n);
    const otok_eroded e =
        otok_erosion_layered(change, bottoms, v->at[OTOK_SEDIMENT][at], v->at[OTOK_WATER][at],
                             otok_capacity_at(v, at, k), otok_erodibility_at(v, at), k, layers);
    otok_ground_moved(v, at, change, e.change, bottoms, layers.n, books);
    return e;
}

/* Books what is laid down. */
OTOK_FN void otok_cell_settle_layered(const otok_view *v, ptrdiff_t at,
                                      otok_transport_coefficients k, otok_layer_books *books)
{
    if (!(v->at[OTOK_WATER][at] <= k.dry)) return;
    const float s = v->at[OTOK_SEDIMENT][at], change = v->at[OTOK_TERRAIN_CHANGE][at];
    if (!(s > 0.0f)) return;
    const otok_exchange e = otok_settle(change, s);
    otok_layers_enter(books, 0, 1, e.ground);
    otok_layers_enter(books, 0, -1, change);
    v->at[OTOK_TERRAIN_CHANGE][at] = e.ground;
    v->at[OTOK_SEDIMENT][at] = e.other;
}

OTOK_FN void otok_cell_meet_sea(const otok_view *v, ptrdiff_t at, float sea)
{
    const otok_shore is = {v->at[OTOK_TERRAIN_CHANGE][at], v->at[OTOK_SEDIMENT][at],
                           v->at[OTOK_WATER][at], v->at[OTOK_VELOCITY_X][at],
                           v->at[OTOK_VELOCITY_Y][at]};
    const otok_shore end = otok_meet_sea(v->at[OTOK_TERRAIN_BASE][at], is, sea);
    v->at[OTOK_TERRAIN_CHANGE][at] = end.change;
    v->at[OTOK_SEDIMENT][at] = end.s;
    v->at[OTOK_WATER][at] = end.d;
    v->at[OTOK_VELOCITY_X][at] = end.u;
    v->at[OTOK_VELOCITY_Y][at] = end.w;
}

/* ---- Sea bed and coast ---- */

/* The share of its outflow that a cell can give is 1 unless the ground has layers. */
OTOK_FN void otok_cell_marine_shares(const otok_view *v, ptrdiff_t at, int layered, float sea,
                                     otok_marine_coefficients k)
{
    float gives = 1.0f;
    if (layered) {
        const otok_cross h = otok_ground_around(v, at);
        gives = otok_marine_gives(otok_marine_flows(h, otok_marine_shares(h, sea, k)),
                                  otok_loose_at(v, at));
    }
    v->at[OTOK_MARINE_SHARE][at] = otok_marine_share(sea - otok_height_at(v, at), k);
    v->at[OTOK_MARINE_GIVES][at] = gives;
}

OTOK_FN void otok_cell_drift_takes(const otok_view *v, ptrdiff_t at, float sea,
                                   otok_coast_coefficients k)
{
    const otok_drift flux = {v->at[OTOK_WAVE_X][at], v->at[OTOK_WAVE_Y][at]};
    v->at[OTOK_DRIFT_TAKES][at] = otok_drift_takes(
        sea - otok_height_at(v, at),
        otok_drift_into(otok_cross_of(v, OTOK_DRIFT_X, at), otok_cross_of(v, OTOK_DRIFT_Y, at)),
        flux, k);
}

/* A reef that grows by carbon. The result is the new change of the ground. */
OTOK_FN float otok_cell_reef(const otok_view *v, ptrdiff_t at, float sea, otok_reef_coefficients k)
{
    const float change = v->at[OTOK_TERRAIN_CHANGE][at];
    const otok_grown g = otok_reef_growth(v->at[OTOK_TERRAIN_BASE][at] + change, change,
                                          v->at[OTOK_REEF][at], v->at[OTOK_CARBON][at], sea, k);
    v->at[OTOK_TERRAIN_CHANGE][at] = g.change;
    v->at[OTOK_REEF][at] = g.reef;
    v->at[OTOK_CARBON][at] = g.carbon;
    return g.change;
}

#endif
