/* flux.h: what the rows FLUX of stages.def move. A process says once what goes through a face, from
   its first cell, left of it or below it, to its second. Both cells compute the same number from
   the same two cells: one adds it, the other takes it away, and rounding alone makes or loses
   solid: by otok_ground_add, so that neither grows with the number of steps. The loops and kernels
   of these stages (cpu/flux.c, ../cuda/flux.cu) store otok_flux_<name>, and book rounding and what
   moved. */
#ifndef OTOK_FLUX_H
#define OTOK_FLUX_H

#include "../model/creep.h"
#include "cell.h"

/* Defines otok_flux_<name>, the change of a cell's ground after a stage. AT(v, at, k) has what a
   cell shows to its faces, of the type `cell`; it also reads cells that are none, whose ground is
   +infinity and whose maps and layers are those of the cell beside. RIGHT(first, second, k) and
   UP(first, second, k) go through a face to the right and through one to the top. One of either
   raises the ground by `scale` [m]. */
#define OTOK_FLUX(name, part, cell, AT, RIGHT, UP, scale)                                          \
    OTOK_FN float otok_flux_##name(const otok_view *v, ptrdiff_t at, uint32_t phase,               \
                                   otok_##part##_coefficients k)                                   \
    {                                                                                              \
        const cell here = AT(v, at, k);                                                            \
        otok_four in;                                                                              \
        in.left = RIGHT(AT(v, at - 1, k), here, k);                                                \
        in.right = -RIGHT(here, AT(v, at + 1, k), k);                                              \
        in.bottom = UP(AT(v, at - v->pitch, k), here, k);                                          \
        in.top = -UP(here, AT(v, at + v->pitch, k), k);                                            \
        return otok_ground_add(v->at[OTOK_TERRAIN_CHANGE][at], (scale)*otok_sum_four(in),          \
                               otok_dither(phase));                                                \
    }

/* The same if what leaves a cell does not depend on the cell that it goes to: AT gives an
   otok_carried. One that is none gives 0 and takes 0. */
#define OTOK_FLUX_CARRIED(name, part, AT)                                                          \
    OTOK_FLUX(name, part, otok_carried, AT, OTOK_CARRIED_X, OTOK_CARRIED_Y, 1.0f)
#define OTOK_CARRIED_X(first, second, k)                                                           \
    otok_drift_through((first).out.x, (second).out.x, (first).takes, (second).takes)
#define OTOK_CARRIED_Y(first, second, k)                                                           \
    otok_drift_through((first).out.y, (second).out.y, (first).takes, (second).takes)

/* The loader of stages whose cells show their height alone. */
#define OTOK_HEIGHT_AT(v, at, k) otok_height_at(v, at)

OTOK_FN otok_marine_bed otok_marine_bed_at(const otok_view *v, ptrdiff_t at,
                                           otok_marine_coefficients k)
{
    (void)k;
    const otok_marine_bed bed = {otok_height_at(v, at), v->at[OTOK_MARINE_SHARE][at],
                                 v->at[OTOK_MARINE_GIVES][at]};
    return bed;
}

OTOK_FN otok_carried otok_drifting_at(const otok_view *v, ptrdiff_t at, otok_coast_coefficients k)
{
    (void)k;
    const otok_carried d = {{v->at[OTOK_DRIFT_X][at], v->at[OTOK_DRIFT_Y][at]},
                            v->at[OTOK_DRIFT_TAKES][at]};
    return d;
}

/* Sand above the sea in wind, q = K u (u^2 - ut^2) min(1, h / h0) (Owen 1964). Less than h0 goes on
   at the speed q / h: neither cell nor step sets how fast it crosses bare rock. */
OTOK_FN otok_carried otok_blown_at(const otok_view *v, ptrdiff_t at, otok_wind_coefficients k)
{
    const otok_step *now = &v->steps[*v->now];
    const float h = otok_height_at(v, at) > now->sea ? otok_loose_at(v, at) : 0.0f,
                q = otok_map_at(v, OTOK_MAP_WIND, k.flux, at) * now->wind *
                    otok_smaller(1.0f, h / k.thickness),
                part = q * otok_share_of(q * (fabsf(k.x) + fabsf(k.y)), h);
    const otok_carried blown = {{part * k.x, part * k.y}, otok_is_cell(v, at)};
    return blown;
}

OTOK_FLUX(creep, creep, float, OTOK_HEIGHT_AT, otok_creep_face, otok_creep_face, k.share)
OTOK_FLUX(marine_diffusion, marine, otok_marine_bed, otok_marine_bed_at, otok_marine_face,
          otok_marine_face, 1.0f)
OTOK_FLUX_CARRIED(drift, coast, otok_drifting_at)
OTOK_FLUX_CARRIED(wind, wind, otok_blown_at)

/* Slides: what a cell gives to each of its neighbours is in its pipes; here it arrives. */
OTOK_FN float otok_flux_thermal_collect(const otok_view *v, ptrdiff_t at, uint32_t phase,
                                        otok_thermal_coefficients k)
{
    (void)phase, (void)k;
    return otok_cell_collect(v, at, 0);
}

/* ---- Suspended sediment, the rows SUSPENDED: what a cell has after the stage ---- */

/* A pipe carries away its share of what is in a cell (otok_load): the cell that gets it computes
   the same product. */
OTOK_FN float otok_suspended_transport(const otok_view *v, ptrdiff_t at,
                                       otok_transport_coefficients k)
{
    return otok_transport(v->at[OTOK_SEDIMENT][at], otok_load_around(v, at, k),
                          otok_outflow_from(v, at), otok_outflow_into(v, at));
}

OTOK_FN float otok_suspended_flux_transport(const otok_view *v, ptrdiff_t at,
                                            otok_transport_coefficients k)
{
    const otok_four face = otok_flux_limited(v, at);
    return otok_transport(v->at[OTOK_SEDIMENT][at], otok_load_around(v, at, k),
                          otok_faces_out(face), otok_faces_in(face));
}

/* It looks where the water came from, which no neighbour knows: it has no faces. */
OTOK_FN float otok_suspended_advection(const otok_view *v, ptrdiff_t at,
                                       otok_transport_coefficients k)
{
    return otok_advection(otok_moore_at(v->at[OTOK_SEDIMENT] + at, v->pitch),
                          v->at[OTOK_VELOCITY_X][at], v->at[OTOK_VELOCITY_Y][at], k);
}

OTOK_FN float otok_suspended_mix(const otok_view *v, ptrdiff_t at, otok_transport_coefficients k)
{
    return otok_mix(otok_cross_of(v, OTOK_SEDIMENT, at), otok_cross_of(v, OTOK_WATER, at), k);
}

OTOK_FN float otok_suspended_diffusion(const otok_view *v, ptrdiff_t at,
                                       otok_transport_coefficients k)
{
    return otok_diffusion(otok_cross_of(v, OTOK_SEDIMENT, at), otok_cross_of(v, OTOK_WATER, at), k);
}

#endif
