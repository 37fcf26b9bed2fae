/* diagnostics_row.cuh: what a warp of diagnostics.cu does with a row: it loads the newest one into
   registers, and evaluates the middle one of three. */
#ifndef OTOK_DIAGNOSTICS_ROW_CUH
#define OTOK_DIAGNOSTICS_ROW_CUH

#include "diagnostics.cuh"

enum { NOWHERE = -1 };

/* Sums in metres. */
enum { BASE, CHANGE, WATER, SEDIMENT, DEPTH, ROUGH, FLIPS, BEYOND, ROLLING, GROUND_ROUGH, BOOKS };

/* The rows that were loaded last, the newest first. */
typedef struct rows {
    otok_diagnostics_span ground[3], water[2];
    float below[LANE];                /* water[2] without the columns beside */
    float bottom[2][LANE], top[LANE]; /* flows; `top` belongs to the row before the evaluated one */
    bool finite[2];
} rows;

/* Counts and maxima of a lane. Two counts share a number, since a lane has few rows. */
typedef struct tally {
    uint32_t peaks, chatters, wet,
        limited; /* the upper halves of the last three count rolling, watered and fast cells */
    int32_t lowest, highest; /* bits of the ground, in the order of signed integers */
    float largest, changed, roughest, deepest, flipped, rolled, prominent;
    uint32_t changed_at, roughest_at, deepest_at, flipped_at, rolled_at, prominent_at,
        fast_at; /* cells, or NOWHERE */
} tally;

static __device__ inline tally nothing(void)
{
    tally t = {};
    t.lowest = INT32_MAX;
    t.highest = INT32_MIN;
    t.changed_at = t.roughest_at = t.deepest_at = t.fast_at = (uint32_t)NOWHERE;
    t.flipped_at = t.rolled_at = t.prominent_at = (uint32_t)NOWHERE;
    return t;
}

/* `mine`: the row belongs to this warp, not to its neighbour. */
template <bool WHOLE>
static __device__ inline void arrive(rows &r, tally &t, otok_diagnostics_book *books,
                                     const otok_diagnostics_maps &m, int row,
                                     const otok_diagnostics_strip<WHOLE> &s, bool mine)
{
    otok_diagnostics_span change;
    float sum = 0.0f;
    r.ground[2] = r.ground[1], r.ground[1] = r.ground[0];
#pragma unroll
    for (int c = 0; c < LANE; c++)
        r.below[c] = r.water[1].v[c], r.bottom[1][c] = r.bottom[0][c];
    r.water[1] = r.water[0];
    r.finite[1] = r.finite[0];
    otok_diagnostics_load(r.ground[0], m.base, row, s);
    otok_diagnostics_load(change, m.change, row, s);
    otok_diagnostics_load(r.water[0], m.water, row, s);
    otok_diagnostics_take(r.bottom[0], m.outflow[OTOK_BOTTOM], row, s);
    if (mine) {
        float solid[2][LANE];
        otok_diagnostics_fixed f[2];
        otok_diagnostics_within(solid[0], r.ground[0].v, s);
        otok_diagnostics_within(solid[1], change.v, s);
        otok_diagnostics_convert(f, solid);
        otok_diagnostics_add_row(books[BASE], f[0]);
        otok_diagnostics_add_row(books[CHANGE], f[1]);
    }
    r.ground[0].left += change.left, r.ground[0].right += change.right;
#pragma unroll
    for (int c = 0; c < LANE; c++) {
        const float h = r.ground[0].v[c] += change.v[c];
        sum = fmaf(h, 0.0f, fmaf(r.water[0].v[c], 0.0f, sum));
        if (!mine || s.inside <= 0)
            continue; /* beyond the last column are values of other lanes; they do not change an
                         extreme */
        const int32_t bits = __float_as_int(h), ordered = bits ^ (bits >> 31 & INT32_MAX);
        t.lowest = h == h && ordered < t.lowest ? ordered : t.lowest;
        t.highest = h == h && ordered > t.highest ? ordered : t.highest;
        t.largest = fabsf(h) > t.largest ? fabsf(h) : t.largest;
    }
    r.finite[0] = sum == 0.0f;
}

/* The prominence of the ground of the middle row. Missing neighbours are neither higher nor
   lower. */
template <bool WHOLE>
static __device__ inline void find_prominence(float (&out)[LANE], const rows &r,
                                              const otok_diagnostics_maps &m, int j,
                                              const otok_diagnostics_strip<WHOLE> &s)
{
    const bool has_bottom = j > 0 || m.wrap_y, has_top = j < m.ny - 1 || m.wrap_y;
    float low[LANE + 2], high[LANE + 2], low_pair[LANE + 2], high_pair[LANE + 2];
#pragma unroll
    for (int k = 0; k < LANE + 2; k++) {
        const float here = otok_diagnostics_column(r.ground[1], k - 1),
                    below = otok_diagnostics_column(r.ground[2], k - 1),
                    above = otok_diagnostics_column(r.ground[0], k - 1);
        low_pair[k] = fminf(has_bottom ? below : INFINITY, has_top ? above : INFINITY);
        high_pair[k] = fmaxf(has_bottom ? below : -INFINITY, has_top ? above : -INFINITY);
        low[k] = fminf(low_pair[k], here);
        high[k] = fmaxf(high_pair[k], here);
        if ((k == 0 && s.at_left && !s.has_left) || (k > s.inside && !s.has_right)) {
            low[k] = INFINITY;
            high[k] = -INFINITY;
        }
    }
#pragma unroll
    for (int c = 0; c < LANE; c++) {
        const float lowest = fminf(low_pair[c + 1], fminf(low[c], low[c + 2]));
        const float highest = fmaxf(high_pair[c + 1], fmaxf(high[c], high[c + 2]));
        out[c] = otok_prominence(r.ground[1].v[c], lowest, highest);
    }
}

static __device__ inline void rise(float &most, uint32_t &where, float value, uint32_t cell)
{
    where = value > most ? cell : where;
    most = value > most ? value : most;
}

/* Counts values that are not finite. It does so at once, because they are rare. */
static __device__ __noinline__ void count_unfit(otok_diagnostics_result *found,
                                                const otok_diagnostics_input &g, int at, int inside,
                                                uint32_t cell)
{
    unsigned long long count = 0;
    for (int c = 0; c < inside; c++) {
        for (int f = 0; f < OTOK_STORED; f++)
            count +=
                f != OTOK_WETNESS && (g.fields >> f & 1) && !(fabsf(g.at[f][at + c]) < INFINITY);
        if (otok_diagnostics_unfit(&g.maps, at + c))
            atomicMax(
                otok_diagnostics_counter(&found->diagnostics.most[OTOK_DIAGNOSTICS_NOT_FINITE]),
                (unsigned long long)otok_diagnostics_key(0, cell + (uint32_t)c));
    }
    if (count) atomicAdd(otok_diagnostics_counter(&found->not_finite), count);
}

/* What flows into the cells of the middle row, j, and out of them. */
template <bool SIGNED, bool WHOLE>
static __device__ inline void
add_faces(float (&in)[LANE], float (&out)[LANE], const rows &r, const otok_diagnostics_span &left,
          const otok_diagnostics_span &right, const float (&top)[LANE], bool has_bottom,
          bool has_top, int j, const otok_diagnostics_strip<WHOLE> &s)
{
#pragma unroll
    for (int c = 0; c < LANE; c++) {
        const bool beyond = c == s.inside - 1 && !s.has_right;
        const otok_diagnostics_flows f = {left.v[c],
                                          right.v[c],
                                          r.bottom[1][c],
                                          top[c],
                                          otok_diagnostics_column(right, c - 1),
                                          beyond ? 0.0f : otok_diagnostics_column(left, c + 1),
                                          has_bottom ? r.top[c] : 0.0f,
                                          has_top ? r.bottom[0][c] : 0.0f};
        otok_diagnostics_faces(SIGNED, f, s.i + c, j, &in[c], &out[c]);
    }
}

/* Evaluates row j, the middle one. */
template <bool WHOLE>
static __device__ inline void
diagnose_row(rows &r, tally &t, otok_diagnostics_book *books, otok_diagnostics_result *found,
             const otok_diagnostics_input &g, int j, const otok_diagnostics_strip<WHOLE> &s)
{
    const otok_diagnostics_maps &m = g.maps;
    const int row =
        WHOLE ? j * (int)m.pitch
              : otok_diagnostics_row(m, j); /* lanes without a row may be past the last one */
    const uint32_t cell = (uint32_t)(m.first + j) * (uint32_t)m.nx + (uint32_t)s.i;
    const bool has_bottom = j > 0 || m.wrap_y, has_top = j < m.ny - 1 || m.wrap_y;
    float water_before[LANE], u[LANE], w[LANE], sediment[LANE], top[LANE], sum = 0.0f;
    otok_diagnostics_span left, right;
    const float4 here =
        make_float4(r.ground[1].v[0], r.ground[1].v[1], r.ground[1].v[2], r.ground[1].v[3]);
    const float4 ground_before = m.before ? *(const float4 *)(m.before + row + s.at) : here;
    const float before[LANE] = {ground_before.x, ground_before.y, ground_before.z, ground_before.w};
    otok_diagnostics_take(water_before, m.flows ? m.water_before : NULL, row, s);
    otok_diagnostics_take(u, m.u, row, s);
    otok_diagnostics_take(w, m.w, row, s);
    otok_diagnostics_take(sediment, m.sediment, row, s);
    otok_diagnostics_take(top, m.outflow[OTOK_TOP], row, s);
    otok_diagnostics_load(left, m.outflow[OTOK_LEFT], row, s);
    otok_diagnostics_load(right, m.outflow[OTOK_RIGHT], row, s);
    if (s.at_left && !s.has_left) right.left = 0.0f;
    float prominence[LANE];
    find_prominence(prominence, r, m, j, s);
    if (s.inside > 0 && m.before) *(float4 *)(m.before + row + s.i) = here;
    float seen[6][LANE], rolls[2][LANE]; /* the values listed in `sums` and `rolling` below */
    float in[LANE] = {}, out[LANE] = {};
    const bool counts = m.flows && !m.has_speeds;
    if (counts && m.is_signed)
        add_faces<true>(in, out, r, left, right, top, has_bottom, has_top, m.first + j, s);
    else if (counts)
        add_faces<false>(in, out, r, left, right, top, has_bottom, has_top, m.first + j, s);
    if (m.flows && !m.water_before)
#pragma unroll
        for (int c = 0; c < LANE; c++)
            water_before[c] = otok_depth_before(r.water[1].v[c], in[c], out[c], m.k);
    uint32_t wets = 0;
#pragma unroll
    for (int c = 0; c < LANE; c++) {
        const otok_cross h = {r.ground[1].v[c], otok_diagnostics_column(r.ground[1], c - 1),
                              otok_diagnostics_column(r.ground[1], c + 1), r.ground[2].v[c],
                              r.ground[0].v[c]};
        otok_cell_diagnostics sight = otok_diagnose_ground(h, before[c], prominence[c], m.k);
        const otok_cross d = {r.water[1].v[c], otok_diagnostics_column(r.water[1], c - 1),
                              otok_diagnostics_column(r.water[1], c + 1), r.below[c],
                              r.water[0].v[c]};
        otok_diagnose_water(&sight, h, d, water_before[c], in[c], out[c], u[c], w[c], m.flows, m.k);
        if (c >= s.inside) sight = {};
        t.peaks += (uint32_t)sight.peak;
        t.chatters += (uint32_t)(sight.chatters + (sight.rolls << 16));
        t.wet += (uint32_t)(sight.wet + (sight.watered << 16));
        t.limited += (uint32_t)(sight.limited + (sight.fast << 16));
        wets |= (uint32_t)sight.wet << c;
        if (sight.fast && cell + (uint32_t)c < t.fast_at) t.fast_at = cell + (uint32_t)c;
        rise(t.changed, t.changed_at, sight.change, cell + (uint32_t)c);
        rise(t.roughest, t.roughest_at, sight.rougher, cell + (uint32_t)c);
        rise(t.deepest, t.deepest_at, sight.depth, cell + (uint32_t)c);
        rise(t.flipped, t.flipped_at, sight.chatters ? sight.flip : 0.0f, cell + (uint32_t)c);
        rise(t.rolled, t.rolled_at, sight.rolls ? sight.flip : 0.0f, cell + (uint32_t)c);
        rise(t.prominent, t.prominent_at, sight.prominence, cell + (uint32_t)c);
        seen[0][c] = sight.ground_rough;
        seen[1][c] = sight.rougher;
        seen[2][c] = sight.flip;
        rolls[0][c] = sight.beyond ? sight.depth : 0.0f;
        rolls[1][c] = sight.rolls ? sight.depth : 0.0f;
        sum = fmaf(u[c], 0.0f, fmaf(w[c], 0.0f, fmaf(sediment[c], 0.0f, sum)));
        sum = fmaf(left.v[c], 0.0f,
                   fmaf(right.v[c], 0.0f, fmaf(top[c], 0.0f, fmaf(r.bottom[1][c], 0.0f, sum))));
        r.top[c] = top[c];
    }
    static const int sums[] = {GROUND_ROUGH, ROUGH, FLIPS, SEDIMENT, WATER, DEPTH},
                     rolling[] = {BEYOND, ROLLING};
    otok_diagnostics_within(seen[3], sediment, s);
    otok_diagnostics_within(seen[4], r.water[1].v, s);
#pragma unroll
    for (int c = 0; c < LANE; c++)
        seen[5][c] = wets >> c & 1 ? seen[4][c] : 0.0f;
    otok_diagnostics_add_rows(books, sums, seen);
    if (m.k.gravity > 0.0f) otok_diagnostics_add_rows(books, rolling, rolls);
    for (int field = OTOK_CARBON; g.fields >> field; field++) { /* fields that no detector reads */
        if (!(g.fields >> field & 1) || field == OTOK_WETNESS) continue;
        float v[LANE];
        otok_diagnostics_take(v, g.at[field], row, s);
        for (int c = 0; c < LANE; c++)
            sum = fmaf(v[c], 0.0f, sum);
    }
    if (!(r.finite[1] && sum == 0.0f) && s.inside > 0)
        count_unfit(found, g, row + s.i, s.inside, cell);
}

#endif
