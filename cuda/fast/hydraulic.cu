/* hydraulic.cu: a whole hydraulic iteration in one pass: base, change, water, sediment and four outflows are read once, all but
   the base written once, 60 bytes a cell and two of the wetness counter. Row r is loaded while row r-1 gets its outflows, row r-2
   its surface, erosion and evaporation, row r-3 its transport, and row r-4 its mixing. Velocities are stored in a run's last
   iteration only, since every iteration makes them anew. The physics is in model/. */
#include "hydraulic.cuh"

/* USUAL: central slope, capacity by speed, nothing displaced, known when compiled. */
template <bool CONSERVATIVE, bool MIX, bool USUAL>
static __global__ void __launch_bounds__(OTOK_STRIP_BLOCK, 3)
    fused_hydraulic(otok_frame g, otok_flow a, otok_water_coefficients kw, otok_erosion_coefficients ke,
                    otok_transport_coefficients kt)
{
    enum { REACH = MIX ? 4 : 3 };
    if (USUAL) ke.downhill = ke.times_depth = ke.displace_water = 0;
    kt.conservative = CONSERVATIVE;
    const otok_strip s = otok_strip_of(g);
    extern __shared__ float4 memory[];
    typedef otok_flow_shared<CONSERVATIVE ? CONSERVATIVE_BOOKS : BOOKS> otok_shared;
    otok_shared &shared = *(otok_shared *)memory;
    otok_flow_rows &rows = shared.rows;
#define BOOK(name) shared.books[name][threadIdx.x]
    for (int n = 0; n < (CONSERVATIVE ? CONSERVATIVE_BOOKS : BOOKS); n++)
        BOOK(n) = {0, 0};

    /* Rows by age. */
    float h[4][OTOK_LANE] = {}, d1[3][OTOK_LANE] = {}, eta[3][OTOK_LANE] = {}, ground[4][OTOK_LANE] = {};
    otok_four f[4][OTOK_LANE] = {};
    /* Conservative: sediment that stays and comes; load * f of the row below; the columns that settle, a bit each. */
    float kept[4][OTOK_LANE] = {}, rising[4][OTOK_LANE] = {};
    otok_four gain[4][OTOK_LANE] = {};
    unsigned dry = 0;
    float s1[5][OTOK_LANE] = {}, u[4][OTOK_LANE] = {}, w[4][OTOK_LANE] = {}, s2[6][OTOK_LANE] = {}; /* semi-Lagrangian */
    float s1_left[5] = {}, s1_right[5] = {};
    /* What the columns beside the lane's have, by age: asked for an iteration before it is used. */
    float eta_left[2] = {}, eta_right[2] = {}, in_left[3] = {}, in_right[3] = {};

    const int begin = s.bottom - REACH, end = s.bottom < s.top ? s.top + REACH : begin;
    int row = otok_strip_row(g, begin), row_before = otok_strip_row(g, begin - 1);
    fetch(rows, a, begin, row, row_before, otok_strip_row(g, begin - 2), g, s);

    for (int r = begin; r < end; r++) {
        otok_fetched();
        const int row_next = otok_strip_row_after(g, row, r + 1);
        if (r + 1 < end) fetch(rows, a, r + 1, row_next, row, row_before, g, s);
        row_before = row;
        row = row_next;
        otok_slot *const field = rows.field[r & 1];
        if (s.side) {
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
        if (g.open && (s.side || otok_beyond_y(g, r))) {
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
        eta_left[0] = otok_from_left(eta[0][OTOK_LANE - 1]), eta_right[0] = otok_from_right(eta[0][0]);

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
            if (s.side || otok_beyond_y(g, q)) { /* nothing flows in */
#pragma unroll
                for (int c = 0; c < OTOK_LANE; c++)
                    if (otok_beyond_y(g, q) || otok_beyond_x(g, s.i + c)) f[1][c] = {0.0f, 0.0f, 0.0f, 0.0f};
            }
            in_left[1] = otok_from_left(f[1][OTOK_LANE - 1].right), in_right[1] = otok_from_right(f[1][0].left);
            if (q >= s.bottom && q < s.top) store_outflows(a, q * g.pitch, f[1], g, s);
        }

        unsigned drying = 0;             /* columns of row r-2 that will settle */
        if (r >= s.bottom + 4 - REACH) { /* Row r-2: water surface, erosion, evaporation. */
            const int p = r - 2, at = p * g.pitch;
            const bool mine = p >= s.bottom && p < s.top;
            const float h_left = otok_from_left(h[2][OTOK_LANE - 1]), h_right = otok_from_right(h[2][0]);
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
                const float capacity = otok_capacity(otok_gradient2(ground_h, ke), surface.d2, surface.u, surface.w, ke);
                const otok_eroded e = otok_erosion(change[c], sediment[c], surface.d2, capacity, ke);
                clamped[c] = surface.clamped;
                if (ke.displace_water && mine && s.i + c < g.nx) {
                    otok_booking_add(BOOK(DISPLACED), e.d2);
                    otok_booking_add(BOOK(DISPLACED), surface.d2, -1);
                }
                ground[2][c] = e.change;
                s1[2][c] = e.s;
                d2[c] = e.d2;
                if (e.d2 <= kt.dry) drying |= 1u << c;
                u[2][c] = surface.u;
                w[2][c] = surface.w;
                d3[c] = otok_evaporation(e.d2, kw);
                load[c] = CONSERVATIVE ? otok_load(e.s, d1[2][c], kt) : 0.0f;
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
                if (clamped[0] != 0.0f || clamped[1] != 0.0f || clamped[2] != 0.0f || clamped[3] != 0.0f)
                    otok_tally(BOOK(CLAMPED), clamped, g, s);
                if (a.rains) otok_tally(BOOK(RAINED), d1[2], g, s);
                otok_tally(BOOK(BEFORE), d2, g, s);
                otok_tally(BOOK(AFTER), d3, g, s);
                if (!CONSERVATIVE) otok_tally(BOOK(ERODED), s1[2], g, s);
                if (g.open && (s.side || p == 0 || p == g.ny - 1))
                    book_edges(BOOK(WATER_OUT), BOOK(CONSERVATIVE ? SEDIMENT_OUT : WATER_OUT), f[2], load, p, g, s, kt);
            }
            if (CONSERVATIVE) {
                const float load_left = otok_from_left(load[OTOK_LANE - 1]), load_right = otok_from_right(load[0]);
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
                s1_left[2] = otok_from_left(s1[2][OTOK_LANE - 1]);
                s1_right[2] = otok_from_right(s1[2][0]);
                otok_copy_ghosts(s1[2], s1_left[2], s1_right[2], g, s);
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
                s2[3][c] = otok_advection(around, u[3][c], w[3][c], kt);
            }
            if (mine) {
                otok_tally(BOOK(ADVECTED), s2[3], g, s);
                if (!MIX) otok_strip_store(a.sediment_next, at, s2[3], g, s);
            }
        }

        if (MIX) { /* Row r-4: one sweep of mixing. */
            const int n = r - 4;
            float mixed[OTOK_LANE];
            float s_left = otok_from_left(s2[4][OTOK_LANE - 1]), s_right = otok_from_right(s2[4][0]);
            float below[OTOK_LANE], here[OTOK_LANE], above[OTOK_LANE];
            otok_take(below, shared.depth[(n - 1) & 3]);
            otok_take(here, shared.depth[n & 3]);
            otok_take(above, shared.depth[(n + 1) & 3]);
            float d_left = otok_from_left(here[OTOK_LANE - 1]), d_right = otok_from_right(here[0]);
            otok_copy_ghosts(s2[4], s_left, s_right, g, s);
            otok_copy_ghosts(here, d_left, d_right, g, s);
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                const bool low = !g.wrap_y && n == 0, high = !g.wrap_y && n == g.ny - 1;
                const otok_cross around = {s2[4][c], otok_beside(s2[4], s_left, s_right, c - 1),
                                           otok_beside(s2[4], s_left, s_right, c + 1), low ? s2[4][c] : s2[5][c],
                                           high ? s2[4][c] : s2[3][c]};
                const otok_cross depth = {here[c], otok_beside(here, d_left, d_right, c - 1),
                                          otok_beside(here, d_left, d_right, c + 1), low ? here[c] : below[c],
                                          high ? here[c] : above[c]};
                mixed[c] = otok_mix(around, depth, kt);
            }
            if (n >= s.bottom && n < s.top) {
                otok_strip_store(a.sediment_next, n * g.pitch, mixed, g, s);
                otok_tally(BOOK(MIXED), mixed, g, s);
            }
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
    if (ke.displace_water) otok_strip_book(a.sums + OTOK_SUM_DISPLACED, BOOK(DISPLACED), s);
    if (g.open) {
        otok_strip_book(a.sums + OTOK_SUM_WATER_OUT, BOOK(WATER_OUT), s);
        if (CONSERVATIVE) otok_strip_book(a.sums + OTOK_SUM_SEDIMENT_OUT, BOOK(SEDIMENT_OUT), s);
    }
    if (CONSERVATIVE) return;
    otok_strip_book(a.sums + OTOK_SUM_DRIFT, otok_less(BOOK(ADVECTED), BOOK(ERODED)), s);
    if (MIX) otok_strip_book(a.sums + OTOK_SUM_DIFFUSED, otok_less(BOOK(MIXED), BOOK(ADVECTED)), s);
}

typedef void otok_hydraulic_kernel(otok_frame, otok_flow, otok_water_coefficients, otok_erosion_coefficients,
                                   otok_transport_coefficients);

template <bool CONSERVATIVE, bool MIX> static const void *code(const otok_coefficients *k)
{
    const otok_erosion_coefficients *e = &k->erosion;
    otok_hydraulic_kernel *const kernel = e->downhill || e->times_depth || e->displace_water
                                              ? fused_hydraulic<CONSERVATIVE, MIX, false>
                                              : fused_hydraulic<CONSERVATIVE, MIX, true>;
    return (const void *)kernel;
}

static cudaError_t start(otok_patch *patch, const otok_fused_pass *pass, const otok_coefficients *k, const otok_step *steps, int n,
                         int nsteps)
{
    const otok_flow a = otok_flow_of(patch, steps, n, nsteps, 15);
    otok_hydraulic_kernel *const kernel = (otok_hydraulic_kernel *)pass->code;
    kernel<<<(unsigned)pass->frame.blocks, OTOK_STRIP_BLOCK, pass->family->shared, otok_cuda_own_of(patch)->stream>>>(
        pass->frame, a, k->water, k->erosion, k->transport);
    return cudaGetLastError();
}

#define TO_EROSION STAGE(WATER_IN), STAGE(OUTFLOW), STAGE(WATER_SURFACE), STAGE(EROSION), SWAP_GROUND

static const otok_op conservative[] = {TO_EROSION, STAGE(TRANSPORT), SWAP(SEDIMENT), STAGE(SETTLE), STAGE(EVAPORATION)};
static const otok_op advection[] = {TO_EROSION, STAGE(ADVECTION), SWAP(SEDIMENT), STAGE(EVAPORATION)};
static const otok_op advection_mix[] = {TO_EROSION, STAGE(ADVECTION), SWAP(SEDIMENT),
                                        STAGE(MIX), SWAP(SEDIMENT),   STAGE(EVAPORATION)};

#define FAMILY(name, reach, books, ...)                                                                                            \
    extern const otok_fused_family otok_fused_##name = {                                                                           \
        name, sizeof name / sizeof name[0], reach, 62, sizeof(otok_flow_shared<books>), 15, code<__VA_ARGS__>, start}

FAMILY(conservative, 3, CONSERVATIVE_BOOKS, true, false);
FAMILY(advection, 3, BOOKS, false, false);
FAMILY(advection_mix, 4, BOOKS, false, true);
