/* diagnostics.h: the diagnostics of one cell of a patch. It loads a cell and its neighbours by
   the rules of the edges, without ghosts, and computes the measures of model/detect.h.
   core/diagnostics_rows.c (rows on the host) and cuda/diagnostics.cu (a kernel) compute the same
   numbers faster. */
#ifndef OTOK_DIAGNOSTICS_H
#define OTOK_DIAGNOSTICS_H

#include "../model/detect.h"
#include "walls.h"

#include <stddef.h>

typedef struct otok_diagnostics_maps {
    int nx, ny;
    ptrdiff_t pitch;
    int wrap_x, wrap_y;
    int from, upto; /* rows to diagnose; otok_diagnostics_point sets them; the other rows are only
                       read as neighbours */
    int first;      /* row of the whole grid that is row 0 */
    int flows, is_signed; /* does the phase move water, and through signed pipes */
    int has_speeds;       /* the outflows are speeds: no cell has flows in or out */
    otok_detect_coefficients k;
    const float *base, *change, *water, *sediment, *outflow[4], *u, *w,
        *carbon;               /* NULL: the simulation has no such field */
    const float *walls;        /* OTOK_WALLS: no cells, and no neighbours; NULL: there are none */
    const float *water_before; /* the water an iteration before */
    float *before;             /* the ground at the previous sample, renewed here */
    /* Each of these two may be NULL. Then the depth before follows from the flows, and the ground
       counts as unchanged. */
} otok_diagnostics_maps;

/* Points to the maps of a patch, except those of the previous sample. */
OTOK_FN void otok_diagnostics_point(otok_diagnostics_maps *m, const otok_view *v)
{
    m->pitch = v->pitch;
    m->from = otok_own_from(v);
    m->upto = m->from + otok_own_rows(v);
    m->base = v->at[OTOK_TERRAIN_BASE];
    m->change = v->at[OTOK_TERRAIN_CHANGE];
    m->water = v->at[OTOK_WATER];
    m->sediment = v->at[OTOK_SEDIMENT];
    for (int side = 0; side < 4; side++)
        m->outflow[side] = v->at[OTOK_OUTFLOW_LEFT + side];
    m->u = v->at[OTOK_VELOCITY_X];
    m->w = v->at[OTOK_VELOCITY_Y];
    m->carbon = v->at[OTOK_CARBON];
    m->walls = v->at[OTOK_WALLS];
}

OTOK_FN int otok_diagnostics_in_wall(const otok_diagnostics_maps *m, ptrdiff_t at)
{
    return m->walls && m->walls[at] == OTOK_IN_WALL;
}

/* Steps to the neighbours, and whether each is a cell. A step is 0 where a side or a wall repeats
   the cell's own value. corner: bottom left, bottom right, top left, top right. */
typedef struct otok_diagnostics_neighbours {
    ptrdiff_t at, left, right, bottom, top, corner[4];
    int has_left, has_right, has_bottom, has_top, has_corner[4];
} otok_diagnostics_neighbours;

/* Walls are no neighbours, nor is a cell across the corner between two. */
OTOK_FN void otok_diagnostics_heed_walls(otok_diagnostics_neighbours *p,
                                         const otok_diagnostics_maps *m)
{
    if (!m->walls) return;
    for (int n = 0; n < 4; n++)
        p->has_corner[n] = p->has_corner[n] && !otok_diagnostics_in_wall(m, p->at + p->corner[n]);
    p->has_left = p->has_left && !otok_diagnostics_in_wall(m, p->at + p->left);
    p->has_right = p->has_right && !otok_diagnostics_in_wall(m, p->at + p->right);
    p->has_bottom = p->has_bottom && !otok_diagnostics_in_wall(m, p->at + p->bottom);
    p->has_top = p->has_top && !otok_diagnostics_in_wall(m, p->at + p->top);
    p->left = p->has_left ? p->left : 0;
    p->right = p->has_right ? p->right : 0;
    p->bottom = p->has_bottom ? p->bottom : 0;
    p->top = p->has_top ? p->top : 0;
    p->has_corner[0] = p->has_corner[0] && (p->has_left || p->has_bottom);
    p->has_corner[1] = p->has_corner[1] && (p->has_right || p->has_bottom);
    p->has_corner[2] = p->has_corner[2] && (p->has_left || p->has_top);
    p->has_corner[3] = p->has_corner[3] && (p->has_right || p->has_top);
}

OTOK_FN otok_diagnostics_neighbours otok_diagnostics_neighbours_of(const otok_diagnostics_maps *m,
                                                                   int i, int j)
{
    otok_diagnostics_neighbours p;
    p.at = j * m->pitch + i;
    p.has_left = i > 0 || m->wrap_x;
    p.has_right = i < m->nx - 1 || m->wrap_x;
    p.has_bottom = j > 0 || m->wrap_y;
    p.has_top = j < m->ny - 1 || m->wrap_y;
    p.left = i > 0 ? -1 : m->wrap_x ? m->nx - 1 : 0;
    p.right = i < m->nx - 1 ? 1 : m->wrap_x ? 1 - m->nx : 0;
    p.bottom = j > 0 ? -m->pitch : m->wrap_y ? (m->ny - 1) * m->pitch : 0;
    p.top = j < m->ny - 1 ? m->pitch : m->wrap_y ? (1 - m->ny) * m->pitch : 0;
    p.corner[0] = p.left + p.bottom;
    p.corner[1] = p.right + p.bottom;
    p.corner[2] = p.left + p.top;
    p.corner[3] = p.right + p.top;
    p.has_corner[0] = p.has_left && p.has_bottom;
    p.has_corner[1] = p.has_right && p.has_bottom;
    p.has_corner[2] = p.has_left && p.has_top;
    p.has_corner[3] = p.has_right && p.has_top;
    otok_diagnostics_heed_walls(&p, m);
    return p;
}

OTOK_FN float otok_diagnostics_height(const otok_diagnostics_maps *m, ptrdiff_t at)
{
    return m->base[at] + m->change[at];
}

OTOK_FN otok_cross otok_diagnostics_cross(const float *map, otok_diagnostics_neighbours p)
{
    otok_cross c = {map[p.at], map[p.at + p.left], map[p.at + p.right], map[p.at + p.bottom],
                    map[p.at + p.top]};
    return c;
}

OTOK_FN otok_cross otok_diagnostics_ground_cross(const otok_diagnostics_maps *m,
                                                 otok_diagnostics_neighbours p)
{
    otok_cross h = {otok_diagnostics_height(m, p.at), otok_diagnostics_height(m, p.at + p.left),
                    otok_diagnostics_height(m, p.at + p.right),
                    otok_diagnostics_height(m, p.at + p.bottom),
                    otok_diagnostics_height(m, p.at + p.top)};
    return h;
}

/* The lowest and the highest of the eight neighbours; lowest > highest: there are none. */
OTOK_FN void otok_diagnostics_around(float *lowest, float *highest, const otok_diagnostics_maps *m,
                                     otok_diagnostics_neighbours p, otok_cross h)
{
    const int has[8] = {p.has_left,      p.has_right,     p.has_bottom,    p.has_top,
                        p.has_corner[0], p.has_corner[1], p.has_corner[2], p.has_corner[3]};
    const float around[8] = {h.left,
                             h.right,
                             h.bottom,
                             h.top,
                             otok_diagnostics_height(m, p.at + p.corner[0]),
                             otok_diagnostics_height(m, p.at + p.corner[1]),
                             otok_diagnostics_height(m, p.at + p.corner[2]),
                             otok_diagnostics_height(m, p.at + p.corner[3])};
    *lowest = INFINITY;
    *highest = -INFINITY;
    for (int n = 0; n < 8; n++) {
        *lowest = has[n] && around[n] < *lowest ? around[n] : *lowest;
        *highest = has[n] && around[n] > *highest ? around[n] : *highest;
    }
}

/* The prominence of the cell over its eight neighbours. */
OTOK_FN float otok_diagnostics_prominence(const otok_diagnostics_maps *m,
                                          otok_diagnostics_neighbours p, otok_cross h)
{
    float lowest, highest;
    otok_diagnostics_around(&lowest, &highest, m, p, h);
    return otok_prominence(h.here, lowest, highest);
}

OTOK_FN float otok_diagnostics_flow(const float *map, ptrdiff_t at, int there)
{
    return map && there ? map[at] : 0.0f;
}

/* The flows of a cell and of its neighbours [m^3/s]; 0 if there is no cell or no such map. */
typedef struct otok_diagnostics_flows {
    float left, right, bottom, top;                     /* its own ... */
    float from_left, from_right, from_bottom, from_top; /* ... and its neighbours' towards it */
} otok_diagnostics_flows;

OTOK_FN otok_diagnostics_flows otok_diagnostics_flows_of(const otok_diagnostics_maps *m,
                                                         otok_diagnostics_neighbours p)
{
    const float *left = m->outflow[0], *right = m->outflow[1], *bottom = m->outflow[2],
                *top = m->outflow[3];
    otok_diagnostics_flows f = {otok_diagnostics_flow(left, p.at, 1),
                                otok_diagnostics_flow(right, p.at, 1),
                                otok_diagnostics_flow(bottom, p.at, 1),
                                otok_diagnostics_flow(top, p.at, 1),
                                otok_diagnostics_flow(right, p.at + p.left, p.has_left),
                                otok_diagnostics_flow(left, p.at + p.right, p.has_right),
                                otok_diagnostics_flow(top, p.at + p.bottom, p.has_bottom),
                                otok_diagnostics_flow(bottom, p.at + p.top, p.has_top)};
    return f;
}

/* The inflow and outflow of a cell [m^3/s]. Signed pipes have one flow a side, one-way pipes
   two. */
OTOK_FN void otok_diagnostics_faces(int is_signed, otok_diagnostics_flows f, int i, int j,
                                    float *in, float *out)
{
    if (!is_signed) {
        *out = f.left + f.right + f.bottom + f.top;
        *in = f.from_left + f.from_right + f.from_bottom + f.from_top;
        return;
    }
    const float sides[4] = {f.right, f.top, -f.from_left + (i == 0 ? f.left : 0.0f),
                            -f.from_bottom + (j == 0 ? f.bottom : 0.0f)};
    *in = *out = 0.0f;
    for (int s = 0; s < 4; s++) {
        *out += otok_positive(sides[s]);
        *in += otok_positive(-sides[s]);
    }
}

OTOK_FN int otok_diagnostics_bad(const float *map, ptrdiff_t at)
{
    return map && !(fabsf(map[at]) < INFINITY);
}

/* Is a value that the detectors read not finite? */
OTOK_FN int otok_diagnostics_unfit(const otok_diagnostics_maps *m, ptrdiff_t at)
{
    int bad = !(fabsf(otok_diagnostics_height(m, at)) < INFINITY) ||
              otok_diagnostics_bad(m->water, at) || otok_diagnostics_bad(m->sediment, at) ||
              otok_diagnostics_bad(m->u, at) || otok_diagnostics_bad(m->w, at) ||
              otok_diagnostics_bad(m->carbon, at);
    for (int side = 0; side < 4; side++)
        bad |= otok_diagnostics_bad(m->outflow[side], at);
    return bad;
}

OTOK_FN void otok_diagnostics_at(otok_diagnostics *diagnostics, const otok_diagnostics_maps *m,
                                 int i, int j)
{
    const otok_diagnostics_neighbours p = otok_diagnostics_neighbours_of(m, i, j);
    const uint32_t cell = (uint32_t)(m->first + j) * (uint32_t)m->nx + (uint32_t)i;
    const otok_cross h = otok_diagnostics_ground_cross(m, p);
    otok_cell_diagnostics measured = otok_diagnose_ground(
        h, m->before ? m->before[p.at] : h.here, otok_diagnostics_prominence(m, p, h), m->k);
    if (m->before) m->before[p.at] = h.here;
    if (m->water) {
        float in = 0.0f, out = 0.0f;
        if (m->flows && !m->has_speeds)
            otok_diagnostics_faces(m->is_signed, otok_diagnostics_flows_of(m, p), i, m->first + j,
                                   &in, &out);
        const otok_cross d = otok_diagnostics_cross(m->water, p);
        const float before = !m->flows         ? 0.0f
                             : m->water_before ? m->water_before[p.at]
                                               : otok_depth_before(d.here, in, out, m->k);
        otok_diagnose_water(&measured, h, d, before, in, out, otok_diagnostics_flow(m->u, p.at, 1),
                            otok_diagnostics_flow(m->w, p.at, 1), m->flows, m->k);
    }
    otok_diagnostics_note(diagnostics, &measured, cell);
    if (otok_diagnostics_unfit(m, p.at))
        otok_diagnostics_most(diagnostics, OTOK_DIAGNOSTICS_NOT_FINITE,
                              otok_diagnostics_key(0, cell));
}

#endif
