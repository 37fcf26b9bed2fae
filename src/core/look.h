/* look.h: one cell of a look at a patch, from the maps that hold its state: loads a cell and its neighbours by the rules of the
   edges, whatever ghosts hold. Used by the detectors on the host and by their kernel; the measures are model/detect.h. */
#ifndef OTOK_LOOK_H
#define OTOK_LOOK_H

#include "../model/detect.h"

#include <stddef.h>

typedef struct otok_look_maps {
    int nx, ny;
    ptrdiff_t pitch;
    int wrap_x, wrap_y;
    int flows, is_signed; /* does the phase move water, and through signed pipes */
    otok_detect_coefficients k;
    const float *base, *change, *water, *sediment, *outflow[4], *u, *w, *carbon; /* NULL: the simulation has no such field */
    const float *water_before;                                                   /* an iteration before; where there is water */
    float *before;                                                               /* the ground at the look before, and ... */
    uint8_t *was;                                                                /* ... was it an extremum: both renewed here */
} otok_look_maps;

/* Steps to the neighbours, 0 where a side holds the cell's own value, and whether there is a cell. */
typedef struct otok_look_place {
    ptrdiff_t at, left, right, bottom, top;
    int has_left, has_right, has_bottom, has_top;
} otok_look_place;

OTOK_FN otok_look_place otok_look_place_of(const otok_look_maps *m, int i, int j)
{
    otok_look_place p;
    p.at = j * m->pitch + i;
    p.has_left = i > 0 || m->wrap_x;
    p.has_right = i < m->nx - 1 || m->wrap_x;
    p.has_bottom = j > 0 || m->wrap_y;
    p.has_top = j < m->ny - 1 || m->wrap_y;
    p.left = i > 0 ? -1 : m->wrap_x ? m->nx - 1 : 0;
    p.right = i < m->nx - 1 ? 1 : m->wrap_x ? 1 - m->nx : 0;
    p.bottom = j > 0 ? -m->pitch : m->wrap_y ? (m->ny - 1) * m->pitch : 0;
    p.top = j < m->ny - 1 ? m->pitch : m->wrap_y ? (1 - m->ny) * m->pitch : 0;
    return p;
}

OTOK_FN float otok_look_height(const otok_look_maps *m, ptrdiff_t at)
{
    return m->base[at] + m->change[at];
}

OTOK_FN otok_cross otok_look_cross(const float *map, otok_look_place p)
{
    otok_cross c = {map[p.at], map[p.at + p.left], map[p.at + p.right], map[p.at + p.bottom], map[p.at + p.top]};
    return c;
}

OTOK_FN otok_cross otok_look_ground_cross(const otok_look_maps *m, otok_look_place p)
{
    otok_cross h = {otok_look_height(m, p.at), otok_look_height(m, p.at + p.left), otok_look_height(m, p.at + p.right),
                    otok_look_height(m, p.at + p.bottom), otok_look_height(m, p.at + p.top)};
    return h;
}

/* Strictly above or below all neighbours that there are, of which there is one at least. */
OTOK_FN int otok_look_extremum(const otok_look_maps *m, otok_look_place p, otok_cross h)
{
    const int has[8] = {p.has_left,
                        p.has_right,
                        p.has_bottom,
                        p.has_top,
                        p.has_left && p.has_bottom,
                        p.has_right && p.has_bottom,
                        p.has_left && p.has_top,
                        p.has_right && p.has_top};
    const float around[8] = {h.left,
                             h.right,
                             h.bottom,
                             h.top,
                             otok_look_height(m, p.at + p.left + p.bottom),
                             otok_look_height(m, p.at + p.right + p.bottom),
                             otok_look_height(m, p.at + p.left + p.top),
                             otok_look_height(m, p.at + p.right + p.top)};
    float lowest = INFINITY, highest = -INFINITY;
    for (int n = 0; n < 8; n++) {
        lowest = has[n] && around[n] < lowest ? around[n] : lowest;
        highest = has[n] && around[n] > highest ? around[n] : highest;
    }
    return lowest <= highest && otok_is_extremum(h.here, lowest, highest);
}

OTOK_FN float otok_look_flow(const float *map, ptrdiff_t at, int there)
{
    return map && there ? map[at] : 0.0f;
}

/* What comes in and goes out [m^3/s]. Signed pipes have one flow a side, one-way ones two. */
OTOK_FN void otok_look_faces(const otok_look_maps *m, otok_look_place p, int i, int j, float *in, float *out)
{
    const float *left = m->outflow[0], *right = m->outflow[1], *bottom = m->outflow[2], *top = m->outflow[3];
    const float before_x = otok_look_flow(right, p.at + p.left, p.has_left);
    const float before_y = otok_look_flow(top, p.at + p.bottom, p.has_bottom);
    if (!m->is_signed) {
        *out = otok_look_flow(left, p.at, 1) + otok_look_flow(right, p.at, 1) + otok_look_flow(bottom, p.at, 1) +
               otok_look_flow(top, p.at, 1);
        *in = before_x + otok_look_flow(left, p.at + p.right, p.has_right) + before_y +
              otok_look_flow(bottom, p.at + p.top, p.has_top);
        return;
    }
    const float sides[4] = {otok_look_flow(right, p.at, 1), otok_look_flow(top, p.at, 1),
                            -before_x + (i == 0 ? otok_look_flow(left, p.at, 1) : 0.0f),
                            -before_y + (j == 0 ? otok_look_flow(bottom, p.at, 1) : 0.0f)};
    *in = *out = 0.0f;
    for (int s = 0; s < 4; s++) {
        *out += otok_positive(sides[s]);
        *in += otok_positive(-sides[s]);
    }
}

OTOK_FN int otok_look_bad(const float *map, ptrdiff_t at)
{
    return map && !(fabsf(map[at]) < INFINITY);
}

OTOK_FN void otok_look_at(otok_look_found *look, const otok_look_maps *m, int i, int j)
{
    const otok_look_place p = otok_look_place_of(m, i, j);
    const uint32_t cell = (uint32_t)j * (uint32_t)m->nx + (uint32_t)i;
    const otok_cross h = otok_look_ground_cross(m, p);
    const int is = otok_look_extremum(m, p, h);
    otok_look_ground(look, h, m->before[p.at], is, m->was[p.at], cell);
    m->before[p.at] = h.here;
    m->was[p.at] = (uint8_t)is;
    int bad = !(fabsf(h.here) < INFINITY) || otok_look_bad(m->water, p.at) || otok_look_bad(m->sediment, p.at) ||
              otok_look_bad(m->u, p.at) || otok_look_bad(m->w, p.at) || otok_look_bad(m->carbon, p.at);
    for (int side = 0; side < 4; side++)
        bad |= otok_look_bad(m->outflow[side], p.at);
    if (bad) otok_look_most(look, OTOK_LOOK_NOT_FINITE, otok_look_key(0, cell));
    if (!m->water) return;
    float in = 0.0f, out = 0.0f;
    if (m->flows) otok_look_faces(m, p, i, j, &in, &out);
    const float before = m->flows ? m->water_before[p.at] : 0.0f;
    const otok_cross d = otok_look_cross(m->water, p);
    if (!otok_look_water(look, d.here, before, in, out, m->k) || !m->flows) return;
    if (otok_is_fast(m->u[p.at], m->w[p.at], m->k)) {
        look->sums[OTOK_LOOK_FAST]++;
        otok_look_most(look, OTOK_LOOK_FASTEST, otok_look_key(0, cell));
    }
    const otok_cross eta = {h.here + d.here, h.left + d.left, h.right + d.right, h.bottom + d.bottom, h.top + d.top};
    otok_look_surface(look, eta, h, d.here - before, i, j, cell);
}

#endif
