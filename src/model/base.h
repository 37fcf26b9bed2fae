/* base.h: the height of one cell of the base terrain. A small stack machine runs the generators of
   a pipeline. It is a pure function of (plan, cell), so its bits do not depend on the machine or on
   how a map is tiled. Nothing is checked here: base/compile.c checks the plan when it makes it. */
#ifndef OTOK_BASE_H
#define OTOK_BASE_H

#include "math.h"
#include "midpoint_fill.h"
#include "plan.h"

/* h = H (1 - (r/R)^p) for r < R, else 0 (K17 eq. 1-2). */
OTOK_FN float otok_base_cone_height(otok_base_cone k, int i, int j)
{
    const float x = ((float)i - k.x) - k.x_rest, y = ((float)j - k.y) - k.y_rest;
    const float r = sqrtf(x * x + y * y) * k.scale;
    return r < 1.0f ? k.height * (1.0f - otok_powf(r, k.power)) : 0.0f;
}

/* h_B = sum of amplitude_i noise_i (K17 eq. 3). */
OTOK_FN float otok_base_simplex_height(const otok_base_plan *plan, int from, int to, int i, int j)
{
    float sum = 0.0f;
    for (int n = from; n < to; n++)
        sum =
            fmaf(plan->octaves[n].amplitude, otok_noise(plan->seed, &plan->octaves[n], i, j), sum);
    return sum;
}

/* h = Href (max(h_A, 0)/Href)^(1 + h_B kappa_N) (K17 eq. 4). An exponent <= 0 counts as the
   smallest positive number, and 0^p = 0. */
OTOK_FN float otok_base_power_blend(float a, float b, float strength, float reference)
{
    const float exponent = 1.0f + b * strength;
    return reference * otok_powf(otok_positive(a) / reference,
                                 exponent <= 0.0f ? otok_from_bits(1u) : exponent);
}

/* h > kappa_C ? 2 kappa_C - h : h (K17 eq. 5). */
OTOK_FN float otok_base_crater_height(float h, float level)
{
    return h > level ? 2.0f * level - h : h;
}

/* One fault of J16's algorithm 1: the ground rises strictly above the line n . p = offset, and
   falls elsewhere. */
OTOK_FN float otok_fault_line(float h, float nx, float ny, float offset, float rise, float x,
                              float y)
{
    return fmaf(nx, x, ny * y) > offset ? h + rise : h - rise;
}

/* The same for a plane that cuts a sphere, as in the conclusion of J16; p is on the sphere. */
OTOK_FN float otok_fault_plane(float h, float nx, float ny, float nz, float offset, float rise,
                               float x, float y, float z)
{
    return fmaf(nz, z, fmaf(nx, x, ny * y)) > offset ? h + rise : h - rise;
}

/* All faults together: the sum of +-rise over the lines (J16, algorithm 1). Lengths are in half
   cells from the middle of the domain. */
OTOK_FN float otok_base_faults_height(const float *table, otok_base_faults k, int i, int j)
{
    const float x = (float)(2 * i + 1 - k.nx), y = (float)(2 * j + 1 - k.ny);
    const float *line = table + k.table;
    float h = 0.0f;
    for (int n = 0; n < k.n; n++, line += 4)
        h = otok_fault_line(h, line[0], line[1], line[2], line[3], x, y);
    return h;
}

/* The same on a sphere. A column is a longitude, a row is a latitude. */
OTOK_FN float otok_base_planet_height(const float *table, otok_base_faults k, int i, int j)
{
    const float *longitude = table + k.columns + 2 * (ptrdiff_t)i,
                *latitude = table + k.rows + 2 * (ptrdiff_t)j;
    const float x = latitude[0] * longitude[0], y = latitude[0] * longitude[1], z = latitude[1];
    const float *plane = table + k.table;
    float h = 0.0f;
    for (int n = 0; n < k.n; n++, plane += 5)
        h = otok_fault_plane(h, plane[0], plane[1], plane[2], plane[3], plane[4], x, y, z);
    return h;
}

OTOK_FN float otok_base_midpoint_height(const otok_base_map *map, int u, int v, int period)
{
    return map->at[(ptrdiff_t)(period ? v % period : v) * map->nx + (period ? u % period : u)];
}

/* The value of a cell of a map; +infinity outside the map. */
OTOK_FN float otok_base_map_at(const otok_base_map *map, int i, int j)
{
    const int a = i - map->x0, b = j - map->y0;
    return a >= 0 && a < map->nx && b >= 0 && b < map->ny ? map->at[(ptrdiff_t)b * map->nx + a]
                                                          : INFINITY;
}

/* The spike filter (M13 section 3.1.4): a strict extremum among its neighbours becomes the mean of
   them and itself. */

/* Adds one neighbour. The cell stays a peak or a pit only if it is strictly above or below this
   neighbour too. */
typedef struct otok_spike {
    int peak, pit, n;
} otok_spike;

OTOK_FN float otok_spike_meet(otok_spike *s, float here, float neighbour)
{
    if (neighbour == INFINITY) return 0.0f;
    s->peak &= here > neighbour;
    s->pit &= here < neighbour;
    s->n++;
    return neighbour;
}

/* A neighbour that does not exist is +infinity, as in otok_moore. */
OTOK_FN float otok_spikes_height(otok_moore m)
{
    otok_spike s = {1, 1, 1};
    otok_eight a;
    a.left = otok_spike_meet(&s, m.here, m.left);
    a.right = otok_spike_meet(&s, m.here, m.right);
    a.bottom = otok_spike_meet(&s, m.here, m.bottom);
    a.top = otok_spike_meet(&s, m.here, m.top);
    a.bottom_left = otok_spike_meet(&s, m.here, m.bottom_left);
    a.bottom_right = otok_spike_meet(&s, m.here, m.bottom_right);
    a.top_left = otok_spike_meet(&s, m.here, m.top_left);
    a.top_right = otok_spike_meet(&s, m.here, m.top_right);
    return s.peak || s.pit ? (m.here + otok_sum_eight(a)) / (float)s.n : m.here;
}

OTOK_FN float otok_base_spikes_height(const otok_base_map *m, int i, int j)
{
    otok_moore v;
    v.here = otok_base_map_at(m, i, j);
    v.left = otok_base_map_at(m, i - 1, j);
    v.right = otok_base_map_at(m, i + 1, j);
    v.bottom = otok_base_map_at(m, i, j - 1);
    v.top = otok_base_map_at(m, i, j + 1);
    v.bottom_left = otok_base_map_at(m, i - 1, j - 1);
    v.bottom_right = otok_base_map_at(m, i + 1, j - 1);
    v.top_left = otok_base_map_at(m, i - 1, j + 1);
    v.top_right = otok_base_map_at(m, i + 1, j + 1);
    return otok_spikes_height(v);
}

/* Where the centre of fine cell i lies between two centres of coarse cells: right of the centre of
   `cell`, by the fraction t of their distance. */
typedef struct otok_base_point {
    int cell;
    float t;
} otok_base_point;

OTOK_FN otok_base_point otok_base_point_of(int i, int factor)
{
    const int halves = 2 * i + 1 - factor,
              whole = 2 * factor; /* in units of 1/(2 factor) of a coarse cell */
    otok_base_point p;
    p.cell = halves < 0 ? -1 : halves / whole;
    p.t = (float)(halves - p.cell * whole) / (float)whole;
    return p;
}

OTOK_FN int otok_base_clamp(int i, int from, int n)
{
    return i < from ? from : i >= from + n ? from + n - 1 : i;
}

/* The cubic of Catmull and Rom (1974) through four values in a row, at t between b (t = 0) and c (t
   = 1), where its slopes are (c - a)/2 and (d - b)/2: b + t/2 ((c - a) + t (2 p - q + t (q - p))).
   p and q are the second differences at b and at c. On a straight line the value is exactly b + t/2
   (c - a). Applied along four rows and then across them, it makes a fine map from a coarse one. */
OTOK_FN float otok_cubic(float a, float b, float c, float d, float t)
{
    const float p = (c - b) - (b - a), q = (d - c) - (c - b);
    return fmaf(0.5f * t, fmaf(t, fmaf(t, q - p, 2.0f * p - q), c - a), b);
}

/* Interpolates four values of one row of a coarse map. A column outside the map repeats the
   edge. */
OTOK_FN float otok_base_upsample_row(const otok_base_map *m, otok_base_point x, int j)
{
    const float *row = m->at + (ptrdiff_t)(otok_base_clamp(j, m->y0, m->ny) - m->y0) * m->nx;
    const int i = x.cell - m->x0;
    return otok_cubic(row[otok_base_clamp(i - 1, 0, m->nx)], row[otok_base_clamp(i, 0, m->nx)],
                      row[otok_base_clamp(i + 1, 0, m->nx)], row[otok_base_clamp(i + 2, 0, m->nx)],
                      x.t);
}

OTOK_FN float otok_base_upsample_height(const otok_base_map *m, int factor, int i, int j)
{
    const otok_base_point x = otok_base_point_of(i, factor), y = otok_base_point_of(j, factor);
    return otok_cubic(
        otok_base_upsample_row(m, x, y.cell - 1), otok_base_upsample_row(m, x, y.cell),
        otok_base_upsample_row(m, x, y.cell + 1), otok_base_upsample_row(m, x, y.cell + 2), y.t);
}

/* Is a point inside a shape (M13 section 3.1.2)? (x, y) is measured from the middle of the shape.
   The edge belongs to the shape. */
OTOK_FN int otok_crop_rectangle(float x, float y, float half_width, float half_height)
{
    return fabsf(x) <= half_width && fabsf(y) <= half_height;
}

OTOK_FN int otok_crop_ellipse(float x, float y, float half_width, float half_height)
{
    const float u = x / half_width, v = y / half_height;
    return u * u + v * v <= 1.0f;
}

/* Does the ray from (x, y) to the left cross this edge of a polygon? A point with an odd number of
   crossings is inside. The edge starts at (x0, y0) and runs up or down to y1; `slope` is dx/dy. */
OTOK_FN int otok_crop_crosses(float x, float y, float x0, float y0, float y1, float slope)
{
    return (y0 > y) != (y1 > y) && fmaf(slope, y - y0, x0) < x;
}

OTOK_FN float otok_base_crop_height(const float *table, const otok_base_crop *k, float h, int i,
                                    int j)
{
    const float x = (float)i - k->x, y = (float)j - k->y;
    if (k->shape == OTOK_BASE_RECTANGLE)
        return otok_crop_rectangle(x, y, k->half_width, k->half_height) ? h : k->outside;
    if (k->shape == OTOK_BASE_ELLIPSE)
        return otok_crop_ellipse(x, y, k->half_width, k->half_height) ? h : k->outside;
    const float *edge = table + k->table;
    int crossings = 0;
    for (int n = 0; n < k->n; n++, edge += 4)
        crossings += otok_crop_crosses(x, y, edge[0], edge[1], edge[2], edge[3]);
    return crossings % 2 ? h : k->outside;
}

/* The value of a cell of a raster, which covers the whole domain. */
OTOK_FN float otok_base_raster_height(const float *table, otok_base_raster k, int i, int j)
{
    return table[k.table + (ptrdiff_t)otok_base_clamp(j, 0, k.ny) * k.nx +
                 otok_base_clamp(i, 0, k.nx)];
}

/* The value of a generator, given the map so far and its operand. */
OTOK_FN float otok_base_value(const otok_base_plan *plan, const otok_base_op *op, float map,
                              float operand, int i, int j)
{
    switch (op->kind) {
    case OTOK_BASE_CONSTANT: return op->as.constant;
    case OTOK_BASE_CONE: return otok_base_cone_height(op->as.cone, i, j);
    case OTOK_BASE_SIMPLEX:
        return otok_base_simplex_height(plan, op->as.simplex.from, op->as.simplex.to, i, j);
    case OTOK_BASE_MIDPOINT:
        return otok_base_midpoint_height(&plan->maps[op->as.midpoint.map], i + op->as.midpoint.x,
                                         j + op->as.midpoint.y, op->as.midpoint.period);
    case OTOK_BASE_FAULTS: return otok_base_faults_height(plan->table, op->as.faults, i, j);
    case OTOK_BASE_PLANET: return otok_base_planet_height(plan->table, op->as.faults, i, j);
    case OTOK_BASE_MAP: return otok_base_map_at(&plan->maps[op->as.map.map], i, j);
    case OTOK_BASE_SPIKES: return otok_base_spikes_height(&plan->maps[op->as.map.map], i, j);
    case OTOK_BASE_UPSAMPLE:
        return otok_base_upsample_height(&plan->maps[op->as.map.map], op->as.map.factor, i, j);
    case OTOK_BASE_POWER_BLEND:
        return otok_base_power_blend(map, operand, op->as.power_blend.strength,
                                     op->as.power_blend.reference);
    case OTOK_BASE_CROP: return otok_base_crop_height(plan->table, &op->as.crop, map, i, j);
    case OTOK_BASE_RASTER: return otok_base_raster_height(plan->table, op->as.raster, i, j);
    default: return otok_base_crater_height(map, op->as.crater);
    }
}

OTOK_FN float otok_base_combined(int combine, float map, float value)
{
    switch (combine) {
    case OTOK_BASE_ADD: return map + value;
    case OTOK_BASE_MULTIPLY: return map * value;
    case OTOK_BASE_MAX: return otok_larger(map, value);
    case OTOK_BASE_MIN: return otok_smaller(map, value);
    default: return value;
    }
}

/* The height of cell (i, j) of the map that this pass makes [m]. `map` is the top of the stack, so
   that a plain pipeline needs no memory for a stack. */
OTOK_FN float otok_base_cell(const otok_base_plan *plan, const otok_base_pass *pass, int i, int j)
{
    float under[OTOK_BASE_STACK], map = 0.0f;
    int n_under = 0;
    for (int n = pass->from; n < pass->to; n++) {
        const otok_base_op *op = &plan->ops[n];
        float operand = 0.0f, mask = 1.0f;
        if (op->kind == OTOK_BASE_START) {
            under[n_under++] = map;
            map = 0.0f;
            continue;
        }
        if (op->kind == OTOK_BASE_POWER_BLEND) {
            operand = map;
            map = under[--n_under];
        }
        if (op->masked) {
            mask = map;
            map = under[--n_under];
        }
        const float combined =
            otok_base_combined(op->combine, map, otok_base_value(plan, op, map, operand, i, j));
        const float mixed = mask > 0.0f ? map + mask * (combined - map) : map;
        map = mask >= 1.0f ? combined : mixed;
    }
    return map + 0.0f; /* + 0 turns -0 into +0: the state holds no -0 */
}

#endif
