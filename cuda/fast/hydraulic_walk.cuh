/* hydraulic_walk.cuh: how a warp goes through a hydraulic iteration, for the kernels of hydraulic.cu: of one patch and of a batch.
   Row r is loaded while row r-1 gets its outflows, r-2 its surface, erosion and evaporation, r-3 its transport, and r-4 its mixing.
   Velocities are stored in a run's last iteration only, for each makes them anew. The physics is in model/. */
#ifndef OTOK_FAST_HYDRAULIC_WALK_CUH
#define OTOK_FAST_HYDRAULIC_WALK_CUH

#include "hydraulic_rows.cuh"

/* DEFAULT_LAWS: central slope, capacity by speed, nothing displaced, known when compiled. CLOSED: and no edge is open. WHOLE:
   otok_strip_whole, of one strip (1) or more (2, conservative only), or of two or four grids in a strip (-2, -4; `there`: the lane
   has one). */
template <bool CONSERVATIVE, bool MIX, bool DEFAULT_LAWS, bool CLOSED, int WHOLE>
static __device__ inline void otok_hydraulic_walk(const otok_frame &g, const otok_flow &a, const otok_water_coefficients &kw,
                                                  const otok_erosion_coefficients &erosion,
                                                  const otok_transport_coefficients &transport, bool there = true)
{
    enum { REACH = MIX ? 4 : 3 };
    const auto ke = [&erosion] {
        otok_erosion_coefficients k = erosion;
        if (DEFAULT_LAWS) k.downhill = k.times_depth = k.displace_water = 0;
        return k;
    };
    const auto kt = [&transport] {
        otok_transport_coefficients k = transport;
        k.conservative = CONSERVATIVE;
        return k;
    };
    const int open = CLOSED ? 0 : g.open;
    const otok_strip s = WHOLE ? otok_strip_whole<WHOLE>(g, there) : otok_strip_of(g);
    const bool beyond_sides = !WHOLE && s.side; /* some columns of the warp are not in the grid */
    extern __shared__ otok_line memory[];
    auto &rows = *(otok_walk_shared<CONSERVATIVE, MIX> *)memory;
    __shared__ otok_booking rare[CLOSED ? 1 : RARE_ENTRIES][CLOSED ? 1 : OTOK_STRIP_BLOCK];
#define BOOK(name) rows.books[name][s.index]
#define RARE(name) rare[CLOSED ? 0 : name][CLOSED ? 0 : threadIdx.x]
    for (int n = 0; n < (CONSERVATIVE ? CONSERVATIVE_ENTRIES : ENTRIES); n++)
        BOOK(n) = {0, 0};
    for (int n = 0; !CLOSED && n < RARE_ENTRIES; n++)
        RARE(n) = {0, 0};

    const bool open_left = open >> OTOK_LEFT & 1, open_right = open >> OTOK_RIGHT & 1;

    /* Rows by age. */
    float top[OTOK_LANE] = {}; /* outflow to the top of row r-3 */
    /* Conservative, row r-3: sediment that stays, what comes from the sides; the columns that settle, a bit each. */
    float kept[OTOK_LANE] = {}, across[OTOK_LANE] = {};
    unsigned dry = 0;
    __shared__ otok_seam seams[2];
    const int seam = WHOLE > 1 ? otok_seam_side(g, s) : 0;
    float h_beside = 0; /* ground of row r-2 across the seam */
    float s1[4][OTOK_LANE] = {}, u[4][OTOK_LANE] = {}, w[4][OTOK_LANE] = {}, s2[6][OTOK_LANE] = {}; /* semi-Lagrangian */
    float s1_left[5] = {}, s1_right[5] = {};
    unsigned wet_cells = 0; /* a bit a column, four for each of rows r-2 to r-5 */
    /* What the columns beside the lane's have, by age: asked for an iteration before it is used. */
    float eta_left[2] = {}, eta_right[2] = {}, in_left[3] = {}, in_right[3] = {};

    const int begin = s.bottom - REACH, end = WHOLE > 1 ? s.bottom + g.rows + REACH : s.bottom < s.top ? s.top + REACH : begin;
    int row = otok_strip_row(g, begin), row_before = otok_strip_row(g, begin - 1);
    fetch(rows, a, begin, row, row_before, otok_strip_row(g, begin - 2), g, s);

    for (int r = begin; r < end; r++) {
        float h[OTOK_LANE], change[OTOK_LANE], d1[OTOK_LANE], d1_before[OTOK_LANE], eta[3][OTOK_LANE];
        otok_take(eta[2], rows.base[(r - 2) & 3], s);
        otok_take(d1, rows.water[(r - 2) & 3], s);
        otok_take(eta[1], rows.base[(r - 1) & 3], s);
        otok_take(d1_before, rows.water[(r - 1) & 3], s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            eta[2][c] = eta[2][c] + d1[c];
            eta[1][c] = eta[1][c] + d1_before[c];
        }
        otok_fetched();
        otok_slot *const outflow = rows.outflow[r & 1];
        otok_take(h, rows.base[r & 3], s);
        otok_take(change, rows.change[r & 3], s);
        otok_take(d1, rows.water[r & 3], s);
        /* Row r: rain. */
        if (a.first && s.owned && r >= s.bottom && r < s.top) {
            otok_booking dry = {0, 0};
            otok_tally(dry, d1, g, s);
            book(BOOK(RAIN), {0, 0}, dry);
        }
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            h[c] = h[c] + change[c];
        rain_on(d1, a, r, g, s);
        if (beyond_sides) otok_spread(h, g, s), otok_spread(d1, g, s);
        if (open && (beyond_sides || otok_beyond_y(g, r))) {
            const int beyond_y = r < 0 ? open >> OTOK_BOTTOM & 1 : r >= g.ny ? open >> OTOK_TOP & 1 : 0;
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                const int i = s.i + c, beyond_x = i < 0 ? open >> OTOK_LEFT & 1 : i >= g.nx ? open >> OTOK_RIGHT & 1 : 0;
                if (beyond_x | beyond_y) d1[c] = 0.0f;
            }
        }
        otok_put(rows.base[r & 3], h, s);
        otok_put(rows.water[r & 3], d1, s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            eta[0][c] = h[c] + d1[c];
        eta_left[0] = otok_left<WHOLE>(eta[0][OTOK_LANE - 1], open_left ? h[0] + 0.0f : eta[0][0], g, s);
        eta_right[0] = otok_right<WHOLE>(eta[0][0], open_right ? h[OTOK_LANE - 1] + 0.0f : eta[0][OTOK_LANE - 1], g, s);

        float from_top[OTOK_LANE] = {}, first_left = 0, last_right = 0; /* of the outflows of row r-1 */
        if (r >= s.bottom + 2 - REACH) {                                /* Row r-1: outflow. */
            const int q = r - 1;
            float old[OTOK_SIDES][OTOK_LANE];
            otok_four f[OTOK_LANE];
#pragma unroll
            for (int side = 0; side < OTOK_SIDES; side++)
                otok_take(old[side], outflow[side], s);
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                const otok_cross e = {eta[1][c], otok_beside(eta[1], eta_left[1], eta_right[1], c - 1),
                                      otok_beside(eta[1], eta_left[1], eta_right[1], c + 1), eta[2][c], eta[0][c]};
                const otok_four before = {old[OTOK_LEFT][c], old[OTOK_RIGHT][c], old[OTOK_BOTTOM][c], old[OTOK_TOP][c]};
                f[c] = otok_outflow(before, d1_before[c], e, kw);
            }
            if (beyond_sides || otok_beyond_y(g, q)) { /* nothing flows in */
#pragma unroll
                for (int c = 0; c < OTOK_LANE; c++)
                    if (otok_beyond_y(g, q) || otok_beyond_x(g, s.i + c)) f[c] = {0.0f, 0.0f, 0.0f, 0.0f};
            }
            first_left = f[0].left, last_right = f[OTOK_LANE - 1].right;
            in_left[1] = otok_left<WHOLE>(last_right, 0.0f, g, s);
            in_right[1] = otok_right<WHOLE>(first_left, 0.0f, g, s);
            if (q >= s.bottom && q < s.top) store_outflows(a, q * g.pitch, f, g, s);
            outflow[OTOK_LEFT][s.index] = make_float4(f[0].left, f[1].left, f[2].left, f[3].left);
            outflow[OTOK_RIGHT][s.index] = make_float4(f[0].right, f[1].right, f[2].right, f[3].right);
            outflow[OTOK_BOTTOM][s.index] = make_float4(f[0].bottom, f[1].bottom, f[2].bottom, f[3].bottom);
            outflow[OTOK_TOP][s.index] = make_float4(f[0].top, f[1].top, f[2].top, f[3].top);
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++)
                from_top[c] = f[c].bottom;
        }

        /* Row r-2: all that it needs, so that the next row may come. */
        float out[OTOK_SIDES][OTOK_LANE], sediment[OTOK_LANE], h_below[OTOK_LANE], h_above[OTOK_LANE];
        otok_take(h_below, rows.base[(r - 3) & 3], s);
        otok_take(h, rows.base[(r - 2) & 3], s);
        otok_take(h_above, rows.base[(r - 1) & 3], s);
        otok_take(change, rows.change[(r - 2) & 3], s);
        otok_take(d1, rows.water[(r - 2) & 3], s);
        otok_take(sediment, rows.sediment, s);
        if (beyond_sides) otok_spread(change, g, s), otok_spread(sediment, g, s);
#pragma unroll
        for (int side = 0; side < OTOK_SIDES; side++)
            otok_take(out[side], rows.outflow[(r - 1) & 1][side], s);
        const uint32_t wet = rows.wetness[s.index];
        const int row_next = otok_strip_row_after(g, row, r + 1);
        if (r + 1 < end) fetch(rows, a, r + 1, row_next, row, row_before, g, s);
        row_before = row;
        row = row_next;

        float load_first = 0, load_last = 0, across_other = 0;
        if (r >= s.bottom + 4 - REACH) { /* Row r-2: water surface, erosion, evaporation. */
            const int p = r - 2, at = p * g.pitch;
            const bool mine = p >= s.bottom && p < s.top;
            unsigned drying = 0; /* columns of row r-2 that will settle */
            float h_left = otok_left<WHOLE>(h[OTOK_LANE - 1], h[0], g, s);
            float h_right = otok_right<WHOLE>(h[0], h[OTOK_LANE - 1], g, s);
            if (seam < 0) h_left = h_beside;
            if (seam > 0) h_right = h_beside;
            otok_four f[OTOK_LANE], in[OTOK_LANE];
            float load[OTOK_LANE], d2[OTOK_LANE], d3[OTOK_LANE], clamped[OTOK_LANE], ground[OTOK_LANE];
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                f[c] = {out[OTOK_LEFT][c], out[OTOK_RIGHT][c], out[OTOK_BOTTOM][c], out[OTOK_TOP][c]};
                in[c].left = otok_beside(out[OTOK_RIGHT], in_left[2], 0.0f, c - 1);
                in[c].right = otok_beside(out[OTOK_LEFT], 0.0f, in_right[2], c + 1);
                in[c].bottom = top[c];
                in[c].top = from_top[c];
                const otok_surface surface = otok_water_surface(d1[c], f[c], in[c], kw);
                const otok_cross ground_h = {h[c], otok_beside(h, h_left, h_right, c - 1), otok_beside(h, h_left, h_right, c + 1),
                                             h_below[c], h_above[c]};
                const float capacity = otok_capacity(otok_gradient2(ground_h, ke()), surface.d2, surface.u, surface.w, ke());
                const otok_eroded e = otok_erosion(change[c], sediment[c], surface.d2, capacity, ke());
                clamped[c] = surface.clamped;
                if (ke().displace_water && mine && s.i + c < g.nx) {
                    otok_booking_add(RARE(SHIFTED), e.d2);
                    otok_booking_add(RARE(SHIFTED), surface.d2, -1);
                }
                ground[c] = e.change;
                s1[2][c] = e.s;
                d2[c] = e.d2;
                if (e.d2 <= kt().dry) drying |= 1u << c;
                u[2][c] = surface.u;
                w[2][c] = surface.w;
                load[c] = CONSERVATIVE ? otok_load(e.s, d1[c], kt()) : 0.0f;
            }
            dry_up(d3, d2, kw, a, p, g, s);
            if (MIX) {
#pragma unroll
                for (int c = 0; c < OTOK_LANE; c++)
                    if (d2[c] > kt().dry) wet_cells |= 1u << c;
            }
            if (mine) {
                otok_strip_store(a.water_next, at, d3, g, s);
                store_wetness(a, at, wet, d3, g, s, kw);
                if (a.last) {
                    otok_strip_store(a.velocity_x, at, u[2], g, s);
                    otok_strip_store(a.velocity_y, at, w[2], g, s);
                }
                if (!CONSERVATIVE) otok_strip_store(a.change_next, at, ground, g, s);
                const float depths[4][OTOK_LANE] = {{d2[0], d2[1], d2[2], d2[3]},
                                                    {d3[0], d3[1], d3[2], d3[3]},
                                                    {clamped[0], clamped[1], clamped[2], clamped[3]},
                                                    {d1[0], d1[1], d1[2], d1[3]}};
                otok_booking sums[4], evaporated = BOOK(EVAPORATED), clamping = BOOK(CLAMPING), rain = BOOK(RAIN);
                otok_count(sums, depths, g, s);
                book(evaporated, sums[0], sums[1]);
                book(clamping, sums[2], {0, 0});
                BOOK(EVAPORATED) = evaporated;
                BOOK(CLAMPING) = clamping;
                if (a.rains) book(rain, sums[3], {0, 0});
                if (a.rains_next) book(rain, {0, 0}, sums[1]);
                BOOK(RAIN) = rain;
                if (open && (s.side || p == 0 || p == g.ny - 1))
                    book_edges(RARE(WATER_LEFT), RARE(CONSERVATIVE ? SEDIMENT_LEFT : WATER_LEFT), f, load, p, g, s, kt());
            }
            if (WHOLE > 1) load_first = load[0], load_last = load[OTOK_LANE - 1];
            if (CONSERVATIVE) {
                const int o = r - 3;
                const float load_left = otok_left<WHOLE>(load[OTOK_LANE - 1], open_left ? 0.0f : load[0], g, s);
                const float load_right = otok_right<WHOLE>(load[0], open_right ? 0.0f : load[OTOK_LANE - 1], g, s);
                /* Row r-3: transport, settling; the row's slots and registers then have row r-2. */
                float settled[OTOK_LANE], carried[OTOK_LANE], rising[OTOK_LANE];
                bool settles = false;
                otok_take(settled, rows.waiting[0], s);
                otok_take(rising, rows.waiting[1 + (r & 1)], s);
#pragma unroll
                for (int c = 0; c < OTOK_LANE; c++) {
                    carried[c] = otok_transport_gained_two(kept[c], across[c], rising[c], load[c] * f[c].bottom);
                    settles |= (dry >> c & 1) && carried[c] > 0.0f;
                    rising[c] = load[c] * f[c].top;
                    kept[c] = otok_transport_kept(s1[2][c], load[c], f[c]);
                    const float from_left = otok_beside(load, load_left, load_right, c - 1) * in[c].left;
                    const float from_right = otok_beside(load, load_left, load_right, c + 1) * in[c].right;
                    across[c] = from_left + from_right;
                    if (WHOLE > 1 && c == 0 && seam < 0) across_other = from_right;
                    if (WHOLE > 1 && c == OTOK_LANE - 1 && seam > 0) across_other = from_left;
                }
                otok_put(rows.waiting[0], ground, s);
                otok_put(rows.waiting[1 + (r & 1)], rising, s);
                if (settles) {
#pragma unroll
                    for (int c = 0; c < OTOK_LANE; c++) {
                        if (!(dry >> c & 1) || !(carried[c] > 0.0f)) continue;
                        const otok_exchange e = otok_settle(settled[c], carried[c]);
                        settled[c] = e.ground;
                        carried[c] = e.other;
                    }
                }
                if (o >= s.bottom && o < s.top) {
                    float *const maps[] = {a.change_next, a.sediment_next};
                    const float both[2][OTOK_LANE] = {{settled[0], settled[1], settled[2], settled[3]},
                                                      {carried[0], carried[1], carried[2], carried[3]}};
                    otok_strip_store(maps, o * g.pitch, both, g, s);
                }
                dry = drying;
            } else {
                if (mine) {
                    const float eroded[1][OTOK_LANE] = {{s1[2][0], s1[2][1], s1[2][2], s1[2][3]}};
                    otok_booking sum[1];
                    otok_count(sum, eroded, g, s);
                    book(BOOK(DRIFTED), {0, 0}, sum[0]);
                }
                s1_left[2] = otok_left<WHOLE>(s1[2][OTOK_LANE - 1], s1[2][0], g, s);
                s1_right[2] = otok_right<WHOLE>(s1[2][0], s1[2][OTOK_LANE - 1], g, s);
                if (!WHOLE) otok_copy_ghosts(s1[2], s1_left[2], s1_right[2], g, s);
            }
        }

        if (!CONSERVATIVE) { /* Row r-3: advection. */
            const int o = r - 3;
            const bool mine = o >= s.bottom && o < s.top;
            float below[OTOK_LANE];
            otok_take(below, rows.waiting[0], s);
            otok_put(rows.waiting[0], s1[3], s);
            if (!g.wrap_y && o == 0) {
                RARELY;
                for (int c = 0; c < OTOK_LANE; c++)
                    below[c] = s1[3][c];
                s1_left[4] = s1_left[3], s1_right[4] = s1_right[3];
            }
            if (!g.wrap_y && o == g.ny - 1) {
                RARELY;
                for (int c = 0; c < OTOK_LANE; c++)
                    s1[2][c] = s1[3][c];
                s1_left[2] = s1_left[3], s1_right[2] = s1_right[3];
            }
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                const otok_moore around = {s1[3][c],
                                           otok_beside(s1[3], s1_left[3], s1_right[3], c - 1),
                                           otok_beside(s1[3], s1_left[3], s1_right[3], c + 1),
                                           below[c],
                                           s1[2][c],
                                           otok_beside(below, s1_left[4], s1_right[4], c - 1),
                                           otok_beside(below, s1_left[4], s1_right[4], c + 1),
                                           otok_beside(s1[2], s1_left[2], s1_right[2], c - 1),
                                           otok_beside(s1[2], s1_left[2], s1_right[2], c + 1)};
                s2[3][c] = otok_advection(around, u[3][c], w[3][c], kt());
            }
            if (mine) {
                const float advected[1][OTOK_LANE] = {{s2[3][0], s2[3][1], s2[3][2], s2[3][3]}};
                otok_booking sum[1];
                otok_count(sum, advected, g, s);
                book(BOOK(DRIFTED), sum[0], {0, 0});
                if (MIX) book(BOOK(DIFFUSED), {0, 0}, sum[0]);
                if (!MIX) otok_strip_store(a.sediment_next, o * g.pitch, s2[3], g, s);
            }
        }

        if (MIX) { /* Row r-4: one sweep of mixing. */
            enum { ABOVE = OTOK_LANE, HERE = 2 * OTOK_LANE, BELOW = 3 * OTOK_LANE, LAST = HERE + OTOK_LANE - 1 };
            const int n = r - 4;
            const bool low = !g.wrap_y && n == 0, high = !g.wrap_y && n == g.ny - 1;
            unsigned wet_here = wet_cells;
            float mixed[OTOK_LANE];
            if (low) { /* beyond the edge is what is before it */
                RARELY;
                for (int c = 0; c < OTOK_LANE; c++)
                    s2[5][c] = s2[4][c];
                wet_here = (wet_here & ~(15u << BELOW)) | (wet_here >> HERE & 15u) << BELOW;
            }
            if (high) {
                RARELY;
                for (int c = 0; c < OTOK_LANE; c++)
                    s2[3][c] = s2[4][c];
                wet_here = (wet_here & ~(15u << ABOVE)) | (wet_here >> HERE & 15u) << ABOVE;
            }
            float s_left = otok_left<WHOLE>(s2[4][OTOK_LANE - 1], s2[4][0], g, s);
            float s_right = otok_right<WHOLE>(s2[4][0], s2[4][OTOK_LANE - 1], g, s);
            unsigned wet_left = otok_left<WHOLE>(wet_here >> LAST, wet_here >> HERE, g, s);
            unsigned wet_right = otok_right<WHOLE>(wet_here >> HERE, wet_here >> LAST, g, s);
            if (!WHOLE && s.side && !g.wrap_x) {
                otok_copy_ghosts(s2[4], s_left, s_right, g, s);
                const int inside = g.nx - s.i;
                if (s.i == 0) wet_left = wet_here >> HERE;
                if (inside == OTOK_LANE) wet_right = wet_here >> LAST;
                if (inside > 0 && inside < OTOK_LANE)
                    wet_here = (wet_here & ~(1u << (HERE + inside))) | (wet_here >> (HERE + inside - 1) & 1u) << (HERE + inside);
            }
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                const otok_cross around = {s2[4][c], otok_beside(s2[4], s_left, s_right, c - 1),
                                           otok_beside(s2[4], s_left, s_right, c + 1), s2[5][c], s2[3][c]};
                const unsigned to_left = c > 0 ? wet_here >> (HERE + c - 1) : wet_left;
                const unsigned to_right = c < OTOK_LANE - 1 ? wet_here >> (HERE + c + 1) : wet_right;
                mixed[c] = otok_mix_wet(around, wet_here >> (HERE + c) & 1, to_left & 1, to_right & 1, wet_here >> (BELOW + c) & 1,
                                        wet_here >> (ABOVE + c) & 1);
            }
            if (n >= s.bottom && n < s.top) {
                otok_strip_store(a.sediment_next, n * g.pitch, mixed, g, s);
                otok_tally(BOOK(DIFFUSED), mixed, g, s);
            }
            wet_cells <<= OTOK_LANE;
        }

        if (WHOLE > 1) { /* Rows r, r-1, and r-1 and r-2: what the next iteration wants. */
            const float4 beside =
                otok_join(seams[r & 1], make_float4(eta[0][0], first_left, h_above[0], load_first),
                          make_float4(eta[0][OTOK_LANE - 1], last_right, h_above[OTOK_LANE - 1], load_last), seam, g);
            if (seam < 0) eta_left[0] = beside.x, in_left[1] = beside.y, across[0] = beside.w * in_left[2] + across_other;
            if (seam > 0)
                eta_right[0] = beside.x, in_right[1] = beside.y, across[OTOK_LANE - 1] = across_other + beside.w * in_right[2];
            h_beside = beside.z;
        }

#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            top[c] = out[OTOK_TOP][c];
        otok_age(s1), otok_age(u), otok_age(w), otok_age(s2);
        s1_left[4] = s1_left[3], s1_left[3] = s1_left[2];
        s1_right[4] = s1_right[3], s1_right[3] = s1_right[2];
        eta_left[1] = eta_left[0], in_left[2] = in_left[1];
        eta_right[1] = eta_right[0], in_right[2] = in_right[1];
    }

    otok_strip_book<WHOLE>(a.sums + OTOK_SUM_RAIN, BOOK(RAIN), s);
    otok_strip_book<WHOLE>(a.sums + OTOK_SUM_EVAPORATED, BOOK(EVAPORATED), s);
    otok_strip_book<WHOLE>(a.sums + OTOK_SUM_WATER_CLAMPED, BOOK(CLAMPING), s);
    if (ke().displace_water) otok_strip_book<WHOLE>(a.sums + OTOK_SUM_DISPLACED, RARE(SHIFTED), s);
    if (open) {
        otok_strip_book<WHOLE>(a.sums + OTOK_SUM_WATER_OUT, RARE(WATER_LEFT), s);
        if (CONSERVATIVE) otok_strip_book<WHOLE>(a.sums + OTOK_SUM_SEDIMENT_OUT, RARE(SEDIMENT_LEFT), s);
    }
    if (CONSERVATIVE) return;
    otok_strip_book<WHOLE>(a.sums + OTOK_SUM_DRIFT, BOOK(DRIFTED), s);
    if (MIX) otok_strip_book<WHOLE>(a.sums + OTOK_SUM_DIFFUSED, BOOK(DIFFUSED), s);
}

#undef BOOK
#undef RARE
#endif
