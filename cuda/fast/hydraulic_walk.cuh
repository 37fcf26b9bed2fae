/* hydraulic_walk.cuh: how a warp goes through a hydraulic iteration, for the kernels of hydraulic.cu: of one patch and of a team.
   Row r is loaded while row r-1 gets its outflows, row r-2 its surface, erosion and evaporation, row r-3 its transport, and row r-4
   its mixing. Velocities are stored in a run's last iteration only, since every iteration makes them anew. The physics is in
   model/. */
#ifndef OTOK_FAST_HYDRAULIC_WALK_CUH
#define OTOK_FAST_HYDRAULIC_WALK_CUH

#include "hydraulic.cuh"

/* USUAL: central slope, capacity by speed, nothing displaced, known when compiled. WHOLE: otok_strip_whole, of one strip (1) or
   more (2, conservative only). */
template <bool CONSERVATIVE, bool MIX, bool USUAL, int WHOLE>
static __device__ inline void otok_hydraulic_walk(const otok_frame &g, const otok_flow &a, const otok_water_coefficients &kw,
                                                  const otok_erosion_coefficients &erosion,
                                                  const otok_transport_coefficients &transport)
{
    enum { REACH = MIX ? 4 : 3 };
    const auto ke = [&erosion] {
        otok_erosion_coefficients k = erosion;
        if (USUAL) k.downhill = k.times_depth = k.displace_water = 0;
        return k;
    };
    const auto kt = [&transport] {
        otok_transport_coefficients k = transport;
        k.conservative = CONSERVATIVE;
        return k;
    };
    const otok_strip s = WHOLE ? otok_strip_whole<WHOLE>(g) : otok_strip_of(g);
    const bool beyond_sides = !WHOLE && s.side; /* some columns of the warp are not in the grid */
    extern __shared__ float4 memory[];
    typedef otok_flow_shared<CONSERVATIVE ? CONSERVATIVE_BOOKS : BOOKS> otok_shared;
    otok_shared &shared = *(otok_shared *)memory;
    otok_flow_rows &rows = shared.rows;
#define BOOK(name) shared.books[name][threadIdx.x]
    for (int n = 0; n < (CONSERVATIVE ? CONSERVATIVE_BOOKS : BOOKS); n++)
        BOOK(n) = {0, 0};

    const bool open_left = g.open >> OTOK_LEFT & 1, open_right = g.open >> OTOK_RIGHT & 1;

    /* Rows by age. */
    float h[4][OTOK_LANE] = {}, d1[3][OTOK_LANE] = {}, eta[3][OTOK_LANE] = {}, ground[4][OTOK_LANE] = {};
    otok_four f[4][OTOK_LANE] = {};
    /* Conservative: sediment that stays and comes; load * f of the row below; the columns that settle, a bit each. */
    float kept[4][OTOK_LANE] = {}, rising[4][OTOK_LANE] = {};
    otok_four gain[4][OTOK_LANE] = {};
    unsigned dry = 0;
    __shared__ otok_seam seams[2];
    const int side = WHOLE > 1 ? otok_seam_side(g, s) : 0;
    float h_beside = 0; /* ground of row r-2 across the seam */
    float s1[5][OTOK_LANE] = {}, u[4][OTOK_LANE] = {}, w[4][OTOK_LANE] = {}, s2[6][OTOK_LANE] = {}; /* semi-Lagrangian */
    float s1_left[5] = {}, s1_right[5] = {};
    /* What the columns beside the lane's have, by age: asked for an iteration before it is used. */
    float eta_left[2] = {}, eta_right[2] = {}, in_left[3] = {}, in_right[3] = {};

    const int begin = s.bottom - REACH, end = WHOLE > 1 ? s.bottom + g.rows + REACH : s.bottom < s.top ? s.top + REACH : begin;
    int row = otok_strip_row(g, begin), row_before = otok_strip_row(g, begin - 1);
    fetch(rows, a, begin, row, row_before, otok_strip_row(g, begin - 2), g, s);

    for (int r = begin; r < end; r++) {
        otok_fetched();
        const int row_next = otok_strip_row_after(g, row, r + 1);
        if (r + 1 < end) fetch(rows, a, r + 1, row_next, row, row_before, g, s);
        row_before = row;
        row = row_next;
        otok_slot *const field = rows.field[r & 1];
        if (beyond_sides) {
            otok_spread(rows.change[r & 3], s);
            otok_spread(field[BASE], s);
            otok_spread(field[WATER], s);
            otok_spread(field[SEDIMENT], s);
        }
        float base[OTOK_LANE], change[OTOK_LANE], water[OTOK_LANE];
        otok_take(base, field[BASE]);
        otok_take(change, rows.change[r & 3]);
        otok_take(water, field[WATER]);
        /* Row r: rain. */
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            h[0][c] = base[c] + change[c];
            d1[0][c] = otok_water_in(water[c], a.rain);
        }
        if (a.first && s.owned && r >= s.bottom && r < s.top)
#pragma unroll 1
            for (int c = 0; c < OTOK_LANE && s.i + c < g.nx; c++)
                otok_booking_add(BOOK(RAINED), a.in[WATER][r * g.pitch + s.i + c], -1);
        if (g.open && (beyond_sides || otok_beyond_y(g, r))) {
            const int beyond_y = r < 0 ? g.open >> OTOK_BOTTOM & 1 : r >= g.ny ? g.open >> OTOK_TOP & 1 : 0;
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                const int i = s.i + c, beyond_x = i < 0 ? g.open >> OTOK_LEFT & 1 : i >= g.nx ? g.open >> OTOK_RIGHT & 1 : 0;
                if (beyond_x | beyond_y) d1[0][c] = 0.0f;
            }
        }
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            eta[0][c] = h[0][c] + d1[0][c];
        eta_left[0] = otok_left<WHOLE>(eta[0][OTOK_LANE - 1], open_left ? h[0][0] + 0.0f : eta[0][0], g, s);
        eta_right[0] = otok_right<WHOLE>(eta[0][0], open_right ? h[0][OTOK_LANE - 1] + 0.0f : eta[0][OTOK_LANE - 1], g, s);

        if (r >= s.bottom + 2 - REACH) { /* Row r-1: outflow. */
            const int q = r - 1;
            float old[OTOK_SIDES][OTOK_LANE];
#pragma unroll
            for (int side = 0; side < OTOK_SIDES; side++)
                otok_take(old[side], field[OUTFLOW + side]);
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                const otok_cross e = {eta[1][c], otok_beside(eta[1], eta_left[1], eta_right[1], c - 1),
                                      otok_beside(eta[1], eta_left[1], eta_right[1], c + 1), eta[2][c], eta[0][c]};
                const otok_four before = {old[OTOK_LEFT][c], old[OTOK_RIGHT][c], old[OTOK_BOTTOM][c], old[OTOK_TOP][c]};
                f[1][c] = otok_outflow(before, d1[1][c], e, kw);
            }
            if (beyond_sides || otok_beyond_y(g, q)) { /* nothing flows in */
#pragma unroll
                for (int c = 0; c < OTOK_LANE; c++)
                    if (otok_beyond_y(g, q) || otok_beyond_x(g, s.i + c)) f[1][c] = {0.0f, 0.0f, 0.0f, 0.0f};
            }
            in_left[1] = otok_left<WHOLE>(f[1][OTOK_LANE - 1].right, 0.0f, g, s);
            in_right[1] = otok_right<WHOLE>(f[1][0].left, 0.0f, g, s);
            if (q >= s.bottom && q < s.top) store_outflows(a, q * g.pitch, f[1], g, s);
        }

        float load_first = 0, load_last = 0;
        unsigned drying = 0;             /* columns of row r-2 that will settle */
        if (r >= s.bottom + 4 - REACH) { /* Row r-2: water surface, erosion, evaporation. */
            const int p = r - 2, at = p * g.pitch;
            const bool mine = p >= s.bottom && p < s.top;
            float h_left = otok_left<WHOLE>(h[2][OTOK_LANE - 1], h[2][0], g, s);
            float h_right = otok_right<WHOLE>(h[2][0], h[2][OTOK_LANE - 1], g, s);
            if (side < 0) h_left = h_beside;
            if (side > 0) h_right = h_beside;
            otok_four in[OTOK_LANE];
            float load[OTOK_LANE], d2[OTOK_LANE], d3[OTOK_LANE], clamped[OTOK_LANE], sediment[OTOK_LANE];
            otok_take(change, rows.change[p & 3]);
            otok_take(sediment, field[SEDIMENT]);
            const uint32_t wet = rows.wetness[r & 1][threadIdx.x];
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                in[c].left = c > 0 ? f[2][c > 0 ? c - 1 : 0].right : in_left[2];
                in[c].right = c < OTOK_LANE - 1 ? f[2][(c + 1) % OTOK_LANE].left : in_right[2];
                in[c].bottom = f[3][c].top;
                in[c].top = f[1][c].bottom;
                const otok_surface surface = otok_water_surface(d1[2][c], f[2][c], in[c], kw);
                const otok_cross ground_h = {h[2][c], otok_beside(h[2], h_left, h_right, c - 1),
                                             otok_beside(h[2], h_left, h_right, c + 1), h[3][c], h[1][c]};
                const float capacity = otok_capacity(otok_gradient2(ground_h, ke()), surface.d2, surface.u, surface.w, ke());
                const otok_eroded e = otok_erosion(change[c], sediment[c], surface.d2, capacity, ke());
                clamped[c] = surface.clamped;
                if (ke().displace_water && mine && s.i + c < g.nx) {
                    otok_booking_add(BOOK(DISPLACED), e.d2);
                    otok_booking_add(BOOK(DISPLACED), surface.d2, -1);
                }
                ground[2][c] = e.change;
                s1[2][c] = e.s;
                d2[c] = e.d2;
                if (e.d2 <= kt().dry) drying |= 1u << c;
                u[2][c] = surface.u;
                w[2][c] = surface.w;
                d3[c] = otok_evaporation(e.d2, kw);
                load[c] = CONSERVATIVE ? otok_load(e.s, d1[2][c], kt()) : 0.0f;
            }
            if (MIX) shared.depth[p & 3][threadIdx.x] = make_float4(d2[0], d2[1], d2[2], d2[3]);
            if (mine) {
                otok_strip_store(a.water_next, at, d3, g, s);
                store_wetness(a, at, wet, d3, g, s, kw);
                if (a.last) {
                    otok_strip_store(a.velocity_x, at, u[2], g, s);
                    otok_strip_store(a.velocity_y, at, w[2], g, s);
                }
                if (!CONSERVATIVE) otok_strip_store(a.change_next, at, ground[2], g, s);
                otok_booking *const sums[] = {&BOOK(RAINED), &BOOK(BEFORE), &BOOK(AFTER), &BOOK(CLAMPED)};
                const bool wanted[] = {a.rains, true, true, true};
                const float depths[4][OTOK_LANE] = {{d1[2][0], d1[2][1], d1[2][2], d1[2][3]},
                                                    {d2[0], d2[1], d2[2], d2[3]},
                                                    {d3[0], d3[1], d3[2], d3[3]},
                                                    {clamped[0], clamped[1], clamped[2], clamped[3]}};
                otok_tally_all(sums, wanted, depths, g, s);
                if (!CONSERVATIVE) otok_tally(BOOK(ERODED), s1[2], g, s);
                if (g.open && (s.side || p == 0 || p == g.ny - 1))
                    book_edges(BOOK(WATER_OUT), BOOK(CONSERVATIVE ? SEDIMENT_OUT : WATER_OUT), f[2], load, p, g, s, kt());
            }
            if (WHOLE > 1) load_first = load[0], load_last = load[OTOK_LANE - 1];
            if (CONSERVATIVE) {
                const float load_left = otok_left<WHOLE>(load[OTOK_LANE - 1], open_left ? 0.0f : load[0], g, s);
                const float load_right = otok_right<WHOLE>(load[0], open_right ? 0.0f : load[OTOK_LANE - 1], g, s);
#pragma unroll
                for (int c = 0; c < OTOK_LANE; c++) {
                    kept[2][c] = otok_transport_kept(s1[2][c], load[c], f[2][c]);
                    gain[2][c].left = otok_beside(load, load_left, load_right, c - 1) * in[c].left;
                    gain[2][c].right = otok_beside(load, load_left, load_right, c + 1) * in[c].right;
                    gain[2][c].bottom = rising[3][c];
                    gain[3][c].top = load[c] * f[2][c].bottom;
                    rising[2][c] = load[c] * f[2][c].top;
                }
            } else {
                s1_left[2] = otok_left<WHOLE>(s1[2][OTOK_LANE - 1], s1[2][0], g, s);
                s1_right[2] = otok_right<WHOLE>(s1[2][0], s1[2][OTOK_LANE - 1], g, s);
                if (!WHOLE) otok_copy_ghosts(s1[2], s1_left[2], s1_right[2], g, s);
            }
        }

        const int o = r - 3, at = o * g.pitch;
        const bool mine = o >= s.bottom && o < s.top;
        if (CONSERVATIVE) { /* Row r-3: transport, settling. */
            float carried[OTOK_LANE];
            bool settles = false;
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                carried[c] = otok_transport_gained(kept[3][c], gain[3][c]);
                settles |= (dry >> c & 1) && carried[c] > 0.0f;
            }
            if (settles) {
#pragma unroll
                for (int c = 0; c < OTOK_LANE; c++) {
                    if (!(dry >> c & 1) || !(carried[c] > 0.0f)) continue;
                    const otok_exchange e = otok_settle(ground[3][c], carried[c]);
                    ground[3][c] = e.ground;
                    carried[c] = e.other;
                }
            }
            if (mine) {
                float *const maps[] = {a.change_next, a.sediment_next};
                const float both[2][OTOK_LANE] = {{ground[3][0], ground[3][1], ground[3][2], ground[3][3]},
                                                  {carried[0], carried[1], carried[2], carried[3]}};
                otok_strip_store(maps, at, both, g, s);
            }
        } else { /* Row r-3: advection. */
            if (!g.wrap_y && o == 0) {
#pragma unroll
                for (int c = 0; c < OTOK_LANE; c++)
                    s1[4][c] = s1[3][c];
                s1_left[4] = s1_left[3], s1_right[4] = s1_right[3];
            }
            if (!g.wrap_y && o == g.ny - 1) {
#pragma unroll
                for (int c = 0; c < OTOK_LANE; c++)
                    s1[2][c] = s1[3][c];
                s1_left[2] = s1_left[3], s1_right[2] = s1_right[3];
            }
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                const otok_moore around = {s1[3][c],
                                           otok_beside(s1[3], s1_left[3], s1_right[3], c - 1),
                                           otok_beside(s1[3], s1_left[3], s1_right[3], c + 1),
                                           s1[4][c],
                                           s1[2][c],
                                           otok_beside(s1[4], s1_left[4], s1_right[4], c - 1),
                                           otok_beside(s1[4], s1_left[4], s1_right[4], c + 1),
                                           otok_beside(s1[2], s1_left[2], s1_right[2], c - 1),
                                           otok_beside(s1[2], s1_left[2], s1_right[2], c + 1)};
                s2[3][c] = otok_advection(around, u[3][c], w[3][c], kt());
            }
            if (mine) {
                otok_tally(BOOK(ADVECTED), s2[3], g, s);
                if (!MIX) otok_strip_store(a.sediment_next, at, s2[3], g, s);
            }
        }

        if (MIX) { /* Row r-4: one sweep of mixing. */
            const int n = r - 4;
            float mixed[OTOK_LANE];
            float s_left = otok_left<WHOLE>(s2[4][OTOK_LANE - 1], s2[4][0], g, s);
            float s_right = otok_right<WHOLE>(s2[4][0], s2[4][OTOK_LANE - 1], g, s);
            float below[OTOK_LANE], here[OTOK_LANE], above[OTOK_LANE];
            otok_take(below, shared.depth[(n - 1) & 3]);
            otok_take(here, shared.depth[n & 3]);
            otok_take(above, shared.depth[(n + 1) & 3]);
            float d_left = otok_left<WHOLE>(here[OTOK_LANE - 1], here[0], g, s);
            float d_right = otok_right<WHOLE>(here[0], here[OTOK_LANE - 1], g, s);
            if (!WHOLE) {
                otok_copy_ghosts(s2[4], s_left, s_right, g, s);
                otok_copy_ghosts(here, d_left, d_right, g, s);
            }
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                const bool low = !g.wrap_y && n == 0, high = !g.wrap_y && n == g.ny - 1;
                const otok_cross around = {s2[4][c], otok_beside(s2[4], s_left, s_right, c - 1),
                                           otok_beside(s2[4], s_left, s_right, c + 1), low ? s2[4][c] : s2[5][c],
                                           high ? s2[4][c] : s2[3][c]};
                const otok_cross depth = {here[c], otok_beside(here, d_left, d_right, c - 1),
                                          otok_beside(here, d_left, d_right, c + 1), low ? here[c] : below[c],
                                          high ? here[c] : above[c]};
                mixed[c] = otok_mix(around, depth, kt());
            }
            if (n >= s.bottom && n < s.top) {
                otok_strip_store(a.sediment_next, n * g.pitch, mixed, g, s);
                otok_tally(BOOK(MIXED), mixed, g, s);
            }
        }

        if (WHOLE > 1) { /* Rows r, r-1, and r-1 and r-2: what the next iteration wants. */
            const float4 beside =
                otok_join(seams[r & 1], make_float4(eta[0][0], f[1][0].left, h[1][0], load_first),
                          make_float4(eta[0][OTOK_LANE - 1], f[1][OTOK_LANE - 1].right, h[1][OTOK_LANE - 1], load_last), side, g);
            if (side < 0) eta_left[0] = beside.x, in_left[1] = beside.y, gain[2][0].left = beside.w * in_left[2];
            if (side > 0) eta_right[0] = beside.x, in_right[1] = beside.y, gain[2][OTOK_LANE - 1].right = beside.w * in_right[2];
            h_beside = beside.z;
        }

        dry = drying;
        otok_age(h), otok_age(d1), otok_age(eta), otok_age(f), otok_age(ground);
        otok_age(kept), otok_age(gain), otok_age(rising), otok_age(s1), otok_age(u), otok_age(w), otok_age(s2);
        s1_left[4] = s1_left[3], s1_left[3] = s1_left[2];
        s1_right[4] = s1_right[3], s1_right[3] = s1_right[2];
        eta_left[1] = eta_left[0], in_left[2] = in_left[1];
        eta_right[1] = eta_right[0], in_right[2] = in_right[1];
    }

    const otok_booking none = {0, 0};
    otok_strip_book(a.sums + OTOK_SUM_RAIN, otok_less(a.rains ? BOOK(RAINED) : none, a.rains_next ? BOOK(AFTER) : none), s);
    otok_strip_book(a.sums + OTOK_SUM_EVAPORATED, otok_less(BOOK(BEFORE), BOOK(AFTER)), s);
    otok_strip_book(a.sums + OTOK_SUM_WATER_CLAMPED, BOOK(CLAMPED), s);
    if (ke().displace_water) otok_strip_book(a.sums + OTOK_SUM_DISPLACED, BOOK(DISPLACED), s);
    if (g.open) {
        otok_strip_book(a.sums + OTOK_SUM_WATER_OUT, BOOK(WATER_OUT), s);
        if (CONSERVATIVE) otok_strip_book(a.sums + OTOK_SUM_SEDIMENT_OUT, BOOK(SEDIMENT_OUT), s);
    }
    if (CONSERVATIVE) return;
    otok_strip_book(a.sums + OTOK_SUM_DRIFT, otok_less(BOOK(ADVECTED), BOOK(ERODED)), s);
    if (MIX) otok_strip_book(a.sums + OTOK_SUM_DIFFUSED, otok_less(BOOK(MIXED), BOOK(ADVECTED)), s);
}

#undef BOOK
#endif
