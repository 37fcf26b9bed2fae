/* hydraulic_walk.cuh: the path of a warp through a hydraulic iteration, for the kernels of
   hydraulic.cu. Row r is loaded while row r-1 gets its outflows, row r-2 its surface, erosion and
   evaporation, row r-3 its transport, and row r-4 its mixing. Velocities are stored only in the
   last iteration of a run, or for a stage after it. The physics is in model/. */
#ifndef OTOK_FAST_HYDRAULIC_WALK_CUH
#define OTOK_FAST_HYDRAULIC_WALK_CUH

#include "hydraulic_advection.cuh"
#include "kept.cuh"

/* Template parameters. DEFAULT_LAWS: central slope, capacity by speed, nothing displaced, known at
   compile time. CLOSED: also no open edge. WHOLE: otok_strip_whole, for a grid of one strip (1) or
   more (2, conservative only), or for two or four grids in a strip (-2, -4). */
template <bool CONSERVATIVE, bool MIX, bool DEFAULT_LAWS, bool CLOSED, int WHOLE>
struct otok_hydraulic_warp {
    enum { REACH = MIX ? 4 : 3, FIRST = 4 /* steps before the first erosion */ };
    const otok_frame &g;
    const otok_flow &a;
    const otok_water_coefficients &kw;
    const otok_erosion_coefficients &erosion;
    const otok_transport_coefficients &transport;
    const otok_strip s;
    otok_walk_shared<CONSERVATIVE, MIX> &rows;
    otok_booking *const rare;      /* the thread's bookings, OTOK_STRIP_BLOCK apart */
    const otok_kept *const maxima; /* NULL: no running maxima */
    const int open = CLOSED ? 0 : g.open;
    const bool beyond_sides = !WHOLE && s.side; /* some columns of the warp are not in the grid */
    const bool open_left = open >> OTOK_LEFT & 1, open_right = open >> OTOK_RIGHT & 1;
    const int seam = WHOLE > 1 ? otok_seam_side(g, s) : 0;

    const int begin = s.bottom - REACH;
    const int end = WHOLE > 1          ? s.bottom + g.rows + REACH
                    : s.bottom < s.top ? s.top + REACH
                                       : begin;
    int row = otok_strip_row(g, begin), row_before = row;

    /* Rows, by age. */
    float top[OTOK_LANE] = {}; /* outflow to the top of row r-3 */
    /* Conservative transport, row r-3: the sediment that stays, and what comes from the sides; a
       bit for each column that settles. */
    float kept[OTOK_LANE] = {}, across[OTOK_LANE] = {};
    unsigned dry = 0;
    float h_beside = 0; /* the ground of row r-2 across the seam */
    float s1[4][OTOK_LANE] = {}, u[4][OTOK_LANE] = {}, w[4][OTOK_LANE] = {},
          s2[6][OTOK_LANE] = {}; /* semi-Lagrangian */
    float s1_left[5] = {}, s1_right[5] = {};
    unsigned wet_cells = 0; /* a bit a column, four for each of rows r-2 to r-5 */
    /* Values of the columns beside those of the lane, by age. They are requested an iteration
       before they are used. */
    float eta_left[2] = {}, eta_right[2] = {}, in_left[3] = {}, in_right[3] = {};

    __device__ __forceinline__ otok_erosion_coefficients ke() const
    {
        otok_erosion_coefficients k = erosion;
        if (DEFAULT_LAWS) k = otok_by_laws<PUBLISHED_LAWS>(k);
        return k;
    }

    __device__ __forceinline__ otok_transport_coefficients kt() const
    {
        otok_transport_coefficients k = transport;
        k.conservative = CONSERVATIVE;
        return k;
    }

    __device__ __forceinline__ otok_booking &booked(int name)
    {
        return rows.books[name][s.index];
    }

    __device__ __forceinline__ otok_booking &rarely_booked(int name)
    {
        return rare[CLOSED ? 0 : name * OTOK_STRIP_BLOCK];
    }

    /* Is row j the warp's own? */
    __device__ __forceinline__ bool owns(int j) const
    {
        return j >= s.bottom && j < s.top;
    }

    __device__ __forceinline__ void start()
    {
        for (int n = 0; n < (CONSERVATIVE ? CONSERVATIVE_ENTRIES : ENTRIES); n++)
            booked(n) = {0, 0};
        for (int n = 0; !CLOSED && n < RARE_ENTRIES; n++)
            rarely_booked(n) = {0, 0};
        int to = row; /* of all that the first steps need, so that they need not wait each */
#pragma unroll
        for (int n = 0; n < FIRST; n++) {
            fetch_ground(rows, a, begin + n, to, s);
            if (n == 1 || n == 2) fetch_outflows(rows, a, begin + n + 1, to, s);
            row_before = row, row = to;
            to = otok_strip_row_after(g, to, begin + n + 1);
        }
    }

    /* Row r: ground and rain. */
    __device__ __forceinline__ void rain(otok_walk_step &now)
    {
        const int r = now.r;
        float h[OTOK_LANE], change[OTOK_LANE], d1[OTOK_LANE];
        otok_fetched();
        otok_take(now.eta[2], rows.base[(r - 2) & 3], s);
        otok_take(d1, rows.water[(r - 2) & 3], s);
        otok_take(now.eta[1], rows.base[(r - 1) & 3], s);
        otok_take(now.d1, rows.water[(r - 1) & 3], s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            now.eta[2][c] = now.eta[2][c] + d1[c];
            now.eta[1][c] = now.eta[1][c] + now.d1[c];
        }
        otok_take(h, rows.base[r & 3], s);
        otok_take(change, rows.change[r & 3], s);
        otok_take(d1, rows.water[r & 3], s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            h[c] = h[c] + change[c];
        rain_row(h, d1, booked(RAIN), a, r, open, beyond_sides, g, s);
        otok_put(rows.base[r & 3], h, s);
        otok_put(rows.water[r & 3], d1, s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            now.eta[0][c] = h[c] + d1[c];
        eta_left[0] = otok_left<WHOLE>(now.eta[0][OTOK_LANE - 1],
                                       open_left ? h[0] + 0.0f : now.eta[0][0], g, s);
        eta_right[0] = otok_right<WHOLE>(
            now.eta[0][0], open_right ? h[OTOK_LANE - 1] + 0.0f : now.eta[0][OTOK_LANE - 1], g, s);
    }

    /* Row r-1: outflows. */
    __device__ __forceinline__ void outflow(otok_walk_step &now)
    {
        const int q = now.r - 1;
        otok_slot *const outflow = rows.outflow[now.r & 1];
        float old[OTOK_SIDES][OTOK_LANE];
        otok_four f[OTOK_LANE];
#pragma unroll
        for (int side = 0; side < OTOK_SIDES; side++)
            otok_take(old[side], outflow[side], s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            const otok_cross e = {now.eta[1][c],
                                  otok_beside(now.eta[1], eta_left[1], eta_right[1], c - 1),
                                  otok_beside(now.eta[1], eta_left[1], eta_right[1], c + 1),
                                  now.eta[2][c], now.eta[0][c]};
            const otok_four before = {old[OTOK_LEFT][c], old[OTOK_RIGHT][c], old[OTOK_BOTTOM][c],
                                      old[OTOK_TOP][c]};
            f[c] = otok_outflow(before, now.d1[c], e, kw);
        }
        if (beyond_sides || otok_beyond_y(g, q)) { /* nothing flows in */
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++)
                if (otok_beyond_y(g, q) || otok_beyond_x(g, s.i + c))
                    f[c] = {0.0f, 0.0f, 0.0f, 0.0f};
        }
        now.first_left = f[0].left, now.last_right = f[OTOK_LANE - 1].right;
        in_left[1] = otok_left<WHOLE>(now.last_right, 0.0f, g, s);
        in_right[1] = otok_right<WHOLE>(now.first_left, 0.0f, g, s);
        if (owns(q)) store_outflows(a, q * g.pitch, f, g, s);
        outflow[OTOK_LEFT][s.index] = make_float4(f[0].left, f[1].left, f[2].left, f[3].left);
        outflow[OTOK_RIGHT][s.index] = make_float4(f[0].right, f[1].right, f[2].right, f[3].right);
        outflow[OTOK_BOTTOM][s.index] =
            make_float4(f[0].bottom, f[1].bottom, f[2].bottom, f[3].bottom);
        outflow[OTOK_TOP][s.index] = make_float4(f[0].top, f[1].top, f[2].top, f[3].top);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            now.from_top[c] = f[c].bottom;
    }

    /* Takes all that row r-2 needs, so that the next row may come. */
    __device__ __forceinline__ void take(otok_walk_step &now)
    {
        const int r = now.r;
        otok_take(now.ground.below, rows.base[(r - 3) & 3], s);
        otok_take(now.ground.h, rows.base[(r - 2) & 3], s);
        otok_take(now.ground.above, rows.base[(r - 1) & 3], s);
        otok_take(now.ground.change, rows.change[(r - 2) & 3], s);
        otok_take(now.ground.d1, rows.water[(r - 2) & 3], s);
        otok_take(now.ground.sediment, rows.sediment, s);
        if (beyond_sides)
            otok_spread(now.ground.change, g, s), otok_spread(now.ground.sediment, g, s);
#pragma unroll
        for (int side = 0; side < OTOK_SIDES; side++)
            otok_take(now.out[side], rows.outflow[(r - 1) & 1][side], s);
        now.wet = rows.wetness[s.index];
        const int next = r + 1; /* rows r and r-1 are the last that were fetched */
        if (next >= begin + FIRST && next < end) {
            const int row_next = otok_strip_row_after(g, row, next);
            fetch(rows, a, next, row_next, row, row_before, g, s);
            row_before = row;
            row = row_next;
        }
    }

    /* Row r-2: water surface, erosion, evaporation. */
    __device__ __forceinline__ void erode(otok_walk_step &now, otok_eroded_row &e)
    {
        const int p = now.r - 2;
        now.ground.left = otok_left<WHOLE>(now.ground.h[OTOK_LANE - 1], now.ground.h[0], g, s);
        now.ground.right = otok_right<WHOLE>(now.ground.h[0], now.ground.h[OTOK_LANE - 1], g, s);
        if (seam < 0) now.ground.left = h_beside;
        if (seam > 0) now.ground.right = h_beside;
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            e.out[c] = {now.out[OTOK_LEFT][c], now.out[OTOK_RIGHT][c], now.out[OTOK_BOTTOM][c],
                        now.out[OTOK_TOP][c]};
            e.in[c].left = otok_beside(now.out[OTOK_RIGHT], in_left[2], 0.0f, c - 1);
            e.in[c].right = otok_beside(now.out[OTOK_LEFT], 0.0f, in_right[2], c + 1);
            e.in[c].bottom = top[c];
            e.in[c].top = now.from_top[c];
        }
        erode_row<CONSERVATIVE, false>(e, now.ground, kw, ke(), kt());
        if (ke().displace_water && owns(p)) book_displaced(rarely_booked(SHIFTED), e, g, s);
        dry_up(e.d3, e.d2, kw, a, p, g, s);
        if (MIX) {
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++)
                if (e.d2[c] > kt().dry) wet_cells |= 1u << c;
        }
        if (owns(p)) store(now, e, p);
        if (WHOLE > 1) now.load_first = e.load[0], now.load_last = e.load[OTOK_LANE - 1];
    }

    /* Stores and books the erosion and evaporation of row p. */
    __device__ __forceinline__ void store(const otok_walk_step &now, const otok_eroded_row &e,
                                          int p)
    {
        const int at = p * g.pitch;
        otok_strip_store(a.water_next, at, e.d3, g, s);
        store_wetness(a, at, now.wet, e.d3, g, s, kw);
        if (a.races) {
            otok_strip_store(a.velocity_x, at, e.u, g, s);
            otok_strip_store(a.velocity_y, at, e.w, g, s);
        }
        if (!CONSERVATIVE) otok_strip_store(a.change_next, at, e.ground, g, s);
        if (maxima && maxima->max_speed) keep_speeds(*maxima, p, e.d3, e.u, e.w, g, s);
        if (!CONSERVATIVE && maxima) keep_peaks(*maxima, a, p, e.ground, g, s);
        const float(&d1)[OTOK_LANE] = now.ground.d1;
        const float depths[4][OTOK_LANE] = {
            {e.d2[0], e.d2[1], e.d2[2], e.d2[3]},
            {e.d3[0], e.d3[1], e.d3[2], e.d3[3]},
            {e.clamped[0], e.clamped[1], e.clamped[2], e.clamped[3]},
            {d1[0], d1[1], d1[2], d1[3]}};
        otok_booking sums[4], evaporated = booked(EVAPORATED), clamping = booked(CLAMPING),
                              rain = booked(RAIN);
        otok_count(sums, depths, g, s);
        book(evaporated, sums[0], sums[1]);
        book(clamping, sums[2], {0, 0});
        booked(EVAPORATED) = evaporated;
        booked(CLAMPING) = clamping;
        if (a.rains) book(rain, sums[3], {0, 0});
        if (a.rains_next) book(rain, {0, 0}, sums[1]);
        booked(RAIN) = rain;
        if (open && (s.side || p == 0 || p == g.ny - 1))
            book_edges(rarely_booked(WATER_LEFT),
                       rarely_booked(CONSERVATIVE ? SEDIMENT_LEFT : WATER_LEFT), e.out, e.load, p,
                       g, s, kt());
    }

    /* Row r-3: transport and settling. Afterwards the slots and registers of the row hold row
       r-2. */
    __device__ __forceinline__ void carry(otok_walk_step &now, const otok_eroded_row &e)
    {
        otok_slot &lifted = rows.waiting[CONSERVATIVE ? 1 + (now.r & 1) : 0];
        const float load_left =
            otok_left<WHOLE>(e.load[OTOK_LANE - 1], open_left ? 0.0f : e.load[0], g, s);
        const float load_right =
            otok_right<WHOLE>(e.load[0], open_right ? 0.0f : e.load[OTOK_LANE - 1], g, s);
        float settled[OTOK_LANE], carried[OTOK_LANE], rising[OTOK_LANE];
        bool settles = false;
        otok_take(settled, rows.waiting[0], s);
        otok_take(rising, lifted, s);
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            carried[c] = otok_transport_gained_two(kept[c], across[c], rising[c],
                                                   e.load[c] * e.out[c].bottom);
            settles |= (dry >> c & 1) && carried[c] > 0.0f;
            rising[c] = e.load[c] * e.out[c].top;
            kept[c] = otok_transport_kept(e.s[c], e.load[c], e.out[c]);
            const float from_left =
                otok_beside(e.load, load_left, load_right, c - 1) * e.in[c].left;
            const float from_right =
                otok_beside(e.load, load_left, load_right, c + 1) * e.in[c].right;
            across[c] = from_left + from_right;
            if (WHOLE > 1 && c == 0 && seam < 0) now.across_other = from_right;
            if (WHOLE > 1 && c == OTOK_LANE - 1 && seam > 0) now.across_other = from_left;
        }
        otok_put(rows.waiting[0], e.ground, s);
        otok_put(lifted, rising, s);
        if (settles) settle_row(settled, carried, dry);
        store_settled(a, now.r - 3, settled, carried, g, s);
        if (maxima) keep_peaks(*maxima, a, now.r - 3, settled, g, s);
        dry = e.drying;
    }

    /* Row r-2: keeps its sediment for advection. */
    __device__ __forceinline__ void keep(const otok_walk_step &now, const otok_eroded_row &e)
    {
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            s1[2][c] = e.s[c], u[2][c] = e.u[c], w[2][c] = e.w[c];
        if (owns(now.r - 2)) {
            const float eroded[1][OTOK_LANE] = {{e.s[0], e.s[1], e.s[2], e.s[3]}};
            otok_booking sum[1];
            otok_count(sum, eroded, g, s);
            book(booked(DRIFTED), {0, 0}, sum[0]);
        }
        s1_left[2] = otok_left<WHOLE>(s1[2][OTOK_LANE - 1], s1[2][0], g, s);
        s1_right[2] = otok_right<WHOLE>(s1[2][0], s1[2][OTOK_LANE - 1], g, s);
        if (!WHOLE) otok_copy_ghosts(s1[2], s1_left[2], s1_right[2], g, s);
    }

    /* Row r-3: advection. */
    __device__ __forceinline__ void advect(const otok_walk_step &now)
    {
        const int o = now.r - 3;
        float below[OTOK_LANE];
        otok_take(below, rows.waiting[0], s);
        otok_put(rows.waiting[0], s1[3], s);
        advect_row(s2[3], s1, s1_left, s1_right, below, u[3], w[3], o, kt(), g);
        if (!owns(o)) return;
        const float advected[1][OTOK_LANE] = {{s2[3][0], s2[3][1], s2[3][2], s2[3][3]}};
        otok_booking sum[1];
        otok_count(sum, advected, g, s);
        book(booked(DRIFTED), sum[0], {0, 0});
        if (MIX) book(booked(DIFFUSED), {0, 0}, sum[0]);
        if (!MIX) otok_strip_store(a.sediment_next, o * g.pitch, s2[3], g, s);
    }

    /* Row r-4: mixing. */
    __device__ __forceinline__ void mix(const otok_walk_step &now)
    {
        const int n = now.r - 4;
        float mixed[OTOK_LANE];
        mix_row<WHOLE>(mixed, s2, wet_cells, n, g, s);
        if (owns(n)) {
            otok_strip_store(a.sediment_next, n * g.pitch, mixed, g, s);
            otok_tally(booked(DIFFUSED), mixed, g, s);
        }
        wet_cells <<= OTOK_LANE;
    }

    /* Rows r, r-1 and r-2: gets what the next step needs from the strips beside. */
    __device__ __forceinline__ void join(const otok_walk_step &now, otok_seam &between)
    {
        const float4 beside = otok_join(
            between,
            make_float4(now.eta[0][0], now.first_left, now.ground.above[0], now.load_first),
            make_float4(now.eta[0][OTOK_LANE - 1], now.last_right, now.ground.above[OTOK_LANE - 1],
                        now.load_last),
            seam, g);
        if (seam < 0)
            eta_left[0] = beside.x, in_left[1] = beside.y,
            across[0] = beside.w * in_left[2] + now.across_other;
        if (seam > 0)
            eta_right[0] = beside.x, in_right[1] = beside.y,
            across[OTOK_LANE - 1] = now.across_other + beside.w * in_right[2];
        h_beside = beside.z;
    }

    __device__ __forceinline__ void age(const otok_walk_step &now)
    {
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            top[c] = now.out[OTOK_TOP][c];
        otok_age(s1), otok_age(u), otok_age(w), otok_age(s2);
        s1_left[4] = s1_left[3], s1_left[3] = s1_left[2];
        s1_right[4] = s1_right[3], s1_right[3] = s1_right[2];
        eta_left[1] = eta_left[0], in_left[2] = in_left[1];
        eta_right[1] = eta_right[0], in_right[2] = in_right[1];
    }

    __device__ __forceinline__ void finish()
    {
        if constexpr (WHOLE < 0) {
            otok_strip_book<WHOLE>(a.sums + OTOK_SUM_RAIN, booked(RAIN), s);
            otok_strip_book<WHOLE>(a.sums + OTOK_SUM_EVAPORATED, booked(EVAPORATED), s);
            otok_strip_book<WHOLE>(a.sums + OTOK_SUM_WATER_CLAMPED, booked(CLAMPING), s);
        } else {
            otok_sum *const sums[CONSERVATIVE_ENTRIES] = {a.sums + OTOK_SUM_RAIN,
                                                          a.sums + OTOK_SUM_EVAPORATED,
                                                          a.sums + OTOK_SUM_WATER_CLAMPED};
            otok_strip_book_all(sums, rows.books, s);
        }
        if (ke().displace_water)
            otok_strip_book<WHOLE>(a.sums + OTOK_SUM_DISPLACED, rarely_booked(SHIFTED), s);
        if (open) {
            otok_strip_book<WHOLE>(a.sums + OTOK_SUM_WATER_OUT, rarely_booked(WATER_LEFT), s);
            if (CONSERVATIVE)
                otok_strip_book<WHOLE>(a.sums + OTOK_SUM_SEDIMENT_OUT, rarely_booked(SEDIMENT_LEFT),
                                       s);
        }
        if (CONSERVATIVE) return;
        otok_strip_book<WHOLE>(a.sums + OTOK_SUM_DRIFT, booked(DRIFTED), s);
        if (MIX) otok_strip_book<WHOLE>(a.sums + OTOK_SUM_DIFFUSED, booked(DIFFUSED), s);
    }
};

#endif
