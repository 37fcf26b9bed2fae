/* diagnostics_rows.c: see diagnostics_rows.h. Each measure of core/diagnostics.h is a loop over a
   row, which the compiler vectorises. The neighbours beside a row stand in columns before its first
   and after its last cell. */
#include "diagnostics_rows.h"
#include "row_sums.h"

#include <math.h>
#include <string.h>

/* The values of a row. Element 0 of a padded one is the column before the first cell. */
typedef struct rows {
    float *below, *here, *above;                   /* the ground, padded */
    float *water_below, *water_here, *water_above; /* padded */
    float *low_pair, *high_pair, *low,
        *high; /* least and greatest ground of the rows below and above, and of this row; padded */
    float *from_left, *from_right; /* flows of the cells beside towards this one */
    float *from_bottom, *from_top;
    float *in, *out;
    float *rougher, *flip, *ground_rough, *change, *prominence,
        *depth;                                 /* as otok_cell_diagnostics, depth 0 in dry cells */
    float *beyond, *rolling, *flipped, *rolled; /* depths and flips of such cells, else 0 */
    float *peak, *counted[OTOK_DIAGNOSTICS_PEAKS]; /* 1 or 0; by OTOK_DIAGNOSTICS_WET ... _ROLLS */
    float *zero;
    float *ground_before, *water_before; /* used if there are no maps of the previous sample */
} rows;

enum { ROWS = sizeof(rows) / sizeof(float *) };

size_t otok_diagnostics_room(int nx)
{
    return ROWS * ((size_t)nx + 2);
}

static rows rows_of(float *room, int nx)
{
    rows r;
    float **each = (float **)&r; /* these pointers alone */
    for (int n = 0; n < ROWS; n++)
        each[n] = room + (size_t)n * ((size_t)nx + 2);
    memset(r.zero, 0, ((size_t)nx + 2) * sizeof *r.zero);
    return r;
}

static const float *row_of(const float *map, const otok_diagnostics_maps *m, int j,
                           const float *otherwise)
{
    return map ? map + j * m->pitch : otherwise;
}

/* The row below or above row j; j itself if there is none. */
static int neighbour_row(const otok_diagnostics_maps *m, int j, int by)
{
    const int k = j + by;
    return k >= 0 && k < m->ny ? k : m->wrap_y ? (k + m->ny) % m->ny : j;
}

static void pad(float *row, const otok_diagnostics_maps *m)
{
    row[0] = row[m->wrap_x ? m->nx : 1];
    row[m->nx + 1] = row[m->wrap_x ? 1 : m->nx];
}

static void load_ground(float *out, const otok_diagnostics_maps *m, int j)
{
    const float *base = row_of(m->base, m, j, NULL), *change = row_of(m->change, m, j, NULL);
    for (int i = 0; i < m->nx; i++)
        out[i + 1] = base[i] + change[i];
    pad(out, m);
}

static void load_water(float *out, const otok_diagnostics_maps *m, int j)
{
    memcpy(out + 1, m->water + j * m->pitch, (size_t)m->nx * sizeof *out);
    pad(out, m);
}

static void rotate_rows(float **below, float **here, float **above)
{
    float *last = *below;
    *below = *here;
    *here = *above;
    *above = last;
}

/* ---- the ground ---- */

static void find_lows_and_highs(rows *r, const otok_diagnostics_maps *m, int has_below,
                                int has_above)
{
#pragma omp simd
    for (int i = 1; i <= m->nx; i++) {
        float low = INFINITY, high = -INFINITY;
        low = has_below && r->below[i] < low ? r->below[i] : low;
        high = has_below && r->below[i] > high ? r->below[i] : high;
        low = has_above && r->above[i] < low ? r->above[i] : low;
        high = has_above && r->above[i] > high ? r->above[i] : high;
        r->low_pair[i] = low;
        r->high_pair[i] = high;
        r->low[i] = r->here[i] < low ? r->here[i] : low;
        r->high[i] = r->here[i] > high ? r->here[i] : high;
    }
    r->low[0] = m->wrap_x ? r->low[m->nx] : INFINITY;
    r->high[0] = m->wrap_x ? r->high[m->nx] : -INFINITY;
    r->low[m->nx + 1] = m->wrap_x ? r->low[1] : INFINITY;
    r->high[m->nx + 1] = m->wrap_x ? r->high[1] : -INFINITY;
}

static void diagnose_ground(otok_diagnostics *diagnostics, rows *r, const otok_diagnostics_maps *m,
                            int j, uint32_t cell)
{
    const int nx = m->nx;
    const otok_detect_coefficients k = m->k;
    float *const before = m->before ? m->before + j * m->pitch : r->ground_before;
    if (!m->before) memcpy(before, r->here + 1, (size_t)nx * sizeof *before);
    find_lows_and_highs(r, m, j > 0 || m->wrap_y, j < m->ny - 1 || m->wrap_y);
#pragma omp simd
    for (int i = 0; i < nx; i++) {
        const float h = r->here[i + 1];
        float low = r->low_pair[i + 1], high = r->high_pair[i + 1];
        low = r->low[i] < low ? r->low[i] : low;
        low = r->low[i + 2] < low ? r->low[i + 2] : low;
        high = r->high[i] > high ? r->high[i] : high;
        high = r->high[i + 2] > high ? r->high[i + 2] : high;
        const otok_cross cross = {h, r->here[i], r->here[i + 2], r->below[i + 1], r->above[i + 1]};
        const otok_cell_diagnostics s =
            otok_diagnose_ground(cross, before[i], otok_prominence(h, low, high), k);
        r->ground_rough[i] = s.ground_rough;
        r->change[i] = s.change;
        r->prominence[i] = s.prominence;
        r->peak[i] = s.peak ? 1.0f : 0.0f;
        before[i] = h;
    }
    diagnostics->sums[OTOK_DIAGNOSTICS_PEAKS] += count(r->peak, nx);
    add_row(&diagnostics->sums[OTOK_DIAGNOSTICS_GROUND_ROUGH], r->ground_rough, nx);
    note_greatest(diagnostics, OTOK_DIAGNOSTICS_CHANGED, r->change, nx, cell);
    note_greatest(diagnostics, OTOK_DIAGNOSTICS_PROMINENT, r->prominence, nx, cell);
    note_heights(diagnostics, r->here + 1, nx);
}

/* ---- the water ---- */

static void load_flows(rows *r, const otok_diagnostics_maps *m, int j)
{
    const int nx = m->nx, has_below = j > 0 || m->wrap_y, has_above = j < m->ny - 1 || m->wrap_y;
    const size_t bytes = (size_t)nx * sizeof(float);
    const float *left = row_of(m->outflow[0], m, j, r->zero),
                *right = row_of(m->outflow[1], m, j, r->zero);
    memcpy(r->from_left + 1, right, bytes - sizeof(float));
    r->from_left[0] = m->wrap_x ? right[nx - 1] : 0.0f;
    memcpy(r->from_right, left + 1, bytes - sizeof(float));
    r->from_right[nx - 1] = m->wrap_x ? left[0] : 0.0f;
    memcpy(r->from_bottom,
           has_below ? row_of(m->outflow[3], m, neighbour_row(m, j, -1), r->zero) : r->zero, bytes);
    memcpy(r->from_top,
           has_above ? row_of(m->outflow[2], m, neighbour_row(m, j, 1), r->zero) : r->zero, bytes);
}

static inline __attribute__((always_inline)) void sum_faces(rows *r, const otok_diagnostics_maps *m,
                                                            int j, int is_signed)
{
    const float *own[4];
    for (int side = 0; side < 4; side++)
        own[side] = row_of(m->outflow[side], m, j, r->zero);
#pragma omp simd
    for (int i = 0; i < m->nx; i++) {
        const otok_diagnostics_flows f = {own[0][i],         own[1][i],       own[2][i],
                                          own[3][i],         r->from_left[i], r->from_right[i],
                                          r->from_bottom[i], r->from_top[i]};
        otok_diagnostics_faces(is_signed, f, i, m->first + j, &r->in[i], &r->out[i]);
    }
}

static void sum_flows(rows *r, const otok_diagnostics_maps *m, int j)
{
    if (m->is_signed)
        sum_faces(r, m, j, 1);
    else
        sum_faces(r, m, j, 0);
}

/* The flows of row j, and the depth before them. */
static const float *load_past(rows *r, const otok_diagnostics_maps *m, int j)
{
    const int nx = m->nx;
    if (m->flows && !m->has_speeds) {
        load_flows(r, m, j);
        sum_flows(r, m, j);
    } else {
        memset(r->in, 0, (size_t)nx * sizeof *r->in);
        memset(r->out, 0, (size_t)nx * sizeof *r->out);
    }
    if (!m->flows) return r->zero;
    if (m->water_before) return row_of(m->water_before, m, j, r->zero);
    for (int i = 0; i < nx; i++)
        r->water_before[i] = otok_depth_before(r->water_here[i + 1], r->in[i], r->out[i], m->k);
    return r->water_before;
}

static void measure_water(rows *r, const otok_diagnostics_maps *m, int j)
{
    const int nx = m->nx, flows = m->flows;
    const otok_detect_coefficients k = m->k;
    const float *u = row_of(m->u, m, j, r->zero), *w = row_of(m->w, m, j, r->zero);
    const float *before = load_past(r, m, j);
#pragma omp simd
    for (int i = 0; i < nx; i++) {
        const otok_cross h = {r->here[i + 1], r->here[i], r->here[i + 2], r->below[i + 1],
                              r->above[i + 1]};
        const otok_cross d = {r->water_here[i + 1], r->water_here[i], r->water_here[i + 2],
                              r->water_below[i + 1], r->water_above[i + 1]};
        otok_cell_diagnostics s = {0};
        otok_diagnose_water(&s, h, d, before[i], r->in[i], r->out[i], u[i], w[i], flows, k);
        r->depth[i] = s.wet ? s.depth : 0.0f;
        r->rougher[i] = s.rougher;
        r->flip[i] = s.flip;
        r->beyond[i] = s.beyond ? s.depth : 0.0f;
        r->rolling[i] = s.rolls ? s.depth : 0.0f;
        r->flipped[i] = s.chatters ? s.flip : 0.0f;
        r->rolled[i] = s.rolls ? s.flip : 0.0f;
        r->counted[OTOK_DIAGNOSTICS_WET][i] = s.wet ? 1.0f : 0.0f;
        r->counted[OTOK_DIAGNOSTICS_WATERED][i] = s.watered ? 1.0f : 0.0f;
        r->counted[OTOK_DIAGNOSTICS_LIMITED][i] = s.limited ? 1.0f : 0.0f;
        r->counted[OTOK_DIAGNOSTICS_FAST][i] = s.fast ? 1.0f : 0.0f;
        r->counted[OTOK_DIAGNOSTICS_CHATTERS][i] = s.chatters ? 1.0f : 0.0f;
        r->counted[OTOK_DIAGNOSTICS_ROLLS][i] = s.rolls ? 1.0f : 0.0f;
    }
}

static void diagnose_water(otok_diagnostics *diagnostics, rows *r, const otok_diagnostics_maps *m,
                           int j, uint32_t cell)
{
    const int nx = m->nx;
    int64_t *sums = diagnostics->sums;
    measure_water(r, m, j);
    for (int n = 0; n < OTOK_DIAGNOSTICS_PEAKS; n++)
        sums[n] += count(r->counted[n], nx);
    add_row(&sums[OTOK_DIAGNOSTICS_DEPTH], r->depth, nx);
    add_row(&sums[OTOK_DIAGNOSTICS_ROUGH], r->rougher, nx);
    add_row(&sums[OTOK_DIAGNOSTICS_FLIPS], r->flip, nx);
    add_row(&sums[OTOK_DIAGNOSTICS_BEYOND], r->beyond, nx);
    add_row(&sums[OTOK_DIAGNOSTICS_ROLLING], r->rolling, nx);
    note_greatest(diagnostics, OTOK_DIAGNOSTICS_ROUGHEST, r->rougher, nx, cell);
    note_greatest(diagnostics, OTOK_DIAGNOSTICS_DEEPEST, r->water_here + 1, nx, cell);
    note_greatest(diagnostics, OTOK_DIAGNOSTICS_FLIPPED, r->flipped, nx, cell);
    note_greatest(diagnostics, OTOK_DIAGNOSTICS_ROLLED, r->rolled, nx, cell);
    if (diagnostics->most[OTOK_DIAGNOSTICS_FASTEST] || !sums[OTOK_DIAGNOSTICS_FAST]) return;
    uint32_t i = 0; /* the first fast cell of all is in this row */
    while (r->counted[OTOK_DIAGNOSTICS_FAST][i] == 0.0f)
        i++;
    otok_diagnostics_most(diagnostics, OTOK_DIAGNOSTICS_FASTEST, otok_diagnostics_key(0, cell + i));
}

/* ---- all ---- */

static int64_t count_unfit(const float *row, int nx)
{
    int n = 0;
#pragma omp simd reduction(+ : n)
    for (int i = 0; i < nx; i++)
        n += !(fabsf(row[i]) < INFINITY);
    return n;
}

static void find_unfit(otok_diagnostics_result *out, const otok_diagnostics_maps *m,
                       const float *const *all, int n, const rows *r, int j, uint32_t cell)
{
    int64_t unfit = 0;
    for (int f = 0; f < n; f++)
        unfit += count_unfit(all[f] + j * m->pitch, m->nx);
    out->not_finite += unfit;
    if (out->diagnostics.most[OTOK_DIAGNOSTICS_NOT_FINITE] ||
        (!unfit && !count_unfit(r->here + 1, m->nx)))
        return;
    for (int i = 0; i < m->nx; i++)
        if (otok_diagnostics_unfit(m, j * m->pitch + i))
            otok_diagnostics_most(&out->diagnostics, OTOK_DIAGNOSTICS_NOT_FINITE,
                                  otok_diagnostics_key(0, cell + (uint32_t)i));
}

void otok_diagnostics_rows(otok_diagnostics_result *out, const otok_diagnostics_maps *m,
                           const float *const *all, int n, float *room)
{
    otok_diagnostics_some_rows(out, m, all, n, room, 0, m->ny);
}

/* ---- a ground with walls, cell by cell ---- */

static void diagnose_cell(otok_diagnostics_result *out, const otok_diagnostics_maps *m,
                          const float *const *all, int n, int i, int j)
{
    const ptrdiff_t at = j * m->pitch + i;
    otok_sum *const stocks[] = {&out->base, &out->change, &out->water, &out->sediment};
    const float *const maps[] = {m->base, m->change, m->water, m->sediment};
    otok_diagnostics_at(&out->diagnostics, m, i, j);
    for (int s = 0; s < 4; s++)
        if (maps[s]) add_stock(stocks[s], maps[s] + at, 1);
    for (int f = 0; f < n; f++)
        out->not_finite += count_unfit(all[f] + at, 1);
}

static void diagnose_between_walls(otok_diagnostics_result *out, const otok_diagnostics_maps *m,
                                   const float *const *all, int n, int y0, int y1)
{
    for (int j = y0; j < y1; j++)
        for (int i = 0; i < m->nx; i++)
            if (!otok_diagnostics_in_wall(m, j * m->pitch + i)) diagnose_cell(out, m, all, n, i, j);
}

void otok_diagnostics_some_rows(otok_diagnostics_result *out, const otok_diagnostics_maps *m,
                                const float *const *all, int n, float *room, int y0, int y1)
{
    if (m->walls) {
        diagnose_between_walls(out, m, all, n, y0, y1);
        return;
    }
    rows r = rows_of(room, m->nx);
    load_ground(r.below, m, neighbour_row(m, y0, -1));
    load_ground(r.here, m, y0);
    if (m->water) {
        load_water(r.water_below, m, neighbour_row(m, y0, -1));
        load_water(r.water_here, m, y0);
    }
    for (int j = y0; j < y1; j++) {
        const uint32_t cell = (uint32_t)(m->first + j) * (uint32_t)m->nx;
        load_ground(r.above, m, neighbour_row(m, j, 1));
        if (m->water) load_water(r.water_above, m, neighbour_row(m, j, 1));
        diagnose_ground(&out->diagnostics, &r, m, j, cell);
        if (m->water) diagnose_water(&out->diagnostics, &r, m, j, cell);
        add_stock(&out->base, row_of(m->base, m, j, NULL), m->nx);
        add_stock(&out->change, row_of(m->change, m, j, NULL), m->nx);
        add_stock(&out->water, row_of(m->water, m, j, NULL), m->nx);
        add_stock(&out->sediment, row_of(m->sediment, m, j, NULL), m->nx);
        find_unfit(out, m, all, n, &r, j, cell);
        rotate_rows(&r.below, &r.here, &r.above);
        rotate_rows(&r.water_below, &r.water_here, &r.water_above);
    }
}

void otok_diagnostics_join(otok_diagnostics_result *out, const otok_diagnostics_result *more)
{
    otok_sum *const to[] = {&out->water, &out->sediment, &out->change, &out->base};
    const otok_sum from[] = {more->water, more->sediment, more->change, more->base};
    for (int s = 0; s < OTOK_DIAGNOSTICS_SUMS; s++)
        out->diagnostics.sums[s] += more->diagnostics.sums[s];
    for (int k = 0; k < OTOK_DIAGNOSTICS_MOSTS; k++)
        otok_diagnostics_most(&out->diagnostics, k, more->diagnostics.most[k]);
    for (int n = 0; n < 4; n++) {
        to[n]->hi += from[n].hi;
        to[n]->lo += from[n].lo;
    }
    out->not_finite += more->not_finite;
}
