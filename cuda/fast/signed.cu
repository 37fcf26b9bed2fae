/* signed.cu: hydraulic.cu's iteration for signed pipes with conservative transport: base, change, water, sediment and two flows are
   read once, all but the base written once, 44 bytes a cell and two of the wetness counter. Row r is loaded while row r-1 gets the
   flows that its pipes would carry and its K, row r-2 what they do carry, its surface, erosion and evaporation, row r-3 its
   transport. A pipe is kept by the cell left of it or below it; one that enters at an open left or bottom side by the ghost before
   the cell, and in memory by the cell as outflow_left or outflow_bottom. Not here: semi-Lagrangian transport. The physics is in
   model/. */
#include "hydraulic.cuh"

#include "signed_around.cuh"

/* Fields that are fetched, besides the change: base and water of row r, flows of row r-1 (see row_of_flow), sediment of row r-2. */
enum { SIGNED_RIGHT = OUTFLOW, SIGNED_TOP, SIGNED_SEDIMENT, SIGNED_FETCHED };

/* What a thread books: rain less what the next iteration's rain starts from, evaporation, what clamping made, water displaced,
   water and sediment that left. */
enum { RAIN, EVAPORATED, CLAMPING, MOVED, WATER_OUT, SEDIMENT_OUT, SIGNED_BOOKS };

typedef struct otok_signed_rows {
    otok_slot field[2][SIGNED_FETCHED], change[4];
    uint32_t wetness[2][OTOK_STRIP_BLOCK];
} otok_signed_rows;

/* What waits for the transport is here and not in registers, so that an SM has room for 16 warps: of row r-3 the ground, the
   sediment that stays and what comes from the sides; load times the pipe to the top of rows r-3 and r-4. */
typedef struct otok_signed_shared {
    otok_signed_rows rows;
    otok_slot ground, kept, sideways, rising[2];
    otok_booking books[SIGNED_BOOKS][OTOK_STRIP_BLOCK];
} otok_signed_shared;

/* Lane 0 of the strip at the left side stands for ghosts, the last of its columns for column -1. */
static __device__ inline bool enters_left(const otok_frame &g, const otok_strip &s)
{
    return s.i < 0 && (g.open >> OTOK_LEFT & 1);
}

/* The row whose flow is fetched with row r: where the flow across pipes counts, that to the right a row sooner; where that behind
   them does, also that to the top. */
template <int PIPES> static __device__ constexpr int row_of_flow(int r, int side)
{
    return PIPES == LEAN || (PIPES == VECTOR && side == SIGNED_RIGHT) ? r : r - 1;
}

/* The rows r, r-1 and r-2 that the stages want when row r is the newest. Before an open side stands what the cells there keep. */
template <int PIPES>
static __device__ inline void fetch(otok_signed_rows &rows, const otok_flow &a, int r, int row, int row1, int row2,
                                    const otok_frame &g, const otok_strip &s)
{
    const int n = r & 1;
    const float *right = a.in[OUTFLOW + (enters_left(g, s) ? OTOK_LEFT : OTOK_RIGHT)];
    const bool enters_bottom = row_of_flow<PIPES>(r, SIGNED_TOP) < 0 && (g.open >> OTOK_BOTTOM & 1);
    const float *top = a.in[OUTFLOW + (enters_bottom ? OTOK_BOTTOM : OTOK_TOP)];
    const int row_right = row_of_flow<PIPES>(r, SIGNED_RIGHT) == r ? row : row1;
    const int row_top = row_of_flow<PIPES>(r, SIGNED_TOP) == r ? row : row1;
    otok_slot *const field = rows.field[n];
    if (s.scattered) {
        otok_fetch_scattered(rows.change[r & 3], a.change, row, s);
        otok_fetch_scattered(field[BASE], a.in[BASE], row, s);
        otok_fetch_scattered(field[WATER], a.in[WATER], row, s);
        otok_fetch_scattered(field[SIGNED_RIGHT], right, row_right, s);
        otok_fetch_scattered(field[SIGNED_TOP], top, row_top, s);
        otok_fetch_scattered(field[SIGNED_SEDIMENT], a.in[SEDIMENT], row2, s);
    } else {
        otok_fetch(rows.change[r & 3], a.change, row, s);
        otok_fetch(field[BASE], a.in[BASE], row, s);
        otok_fetch(field[WATER], a.in[WATER], row, s);
        otok_fetch(field[SIGNED_RIGHT], right, row_right, s);
        otok_fetch(field[SIGNED_TOP], top, row_top, s);
        otok_fetch(field[SIGNED_SEDIMENT], a.in[SEDIMENT], row2, s);
    }
    const int i = s.i < 0 ? 0 : s.i > g.pitch - OTOK_LANE ? g.pitch - OTOK_LANE : s.i;
    __pipeline_memcpy_async(&rows.wetness[n][s.index], a.wetness + (row2 + i), sizeof(uint32_t));
}

template <int PIPES> static __device__ inline float pipe(float f, otok_column from, otok_column to, otok_pipe_coefficients k)
{
    return PIPES == AXIS ? otok_pipe_rough(f, from, to, k) : otok_pipe_smooth(f, from, to, k);
}

/* DEFAULT_LAWS: as in hydraulic.cu. */
template <bool BY_DEPTH, int PIPES, bool DEFAULT_LAWS>
static __global__ void __launch_bounds__(OTOK_STRIP_BLOCK, DEFAULT_LAWS &&PIPES != LEAN ? 4 : 3)
    fused_signed(otok_frame g, otok_flow a, otok_water_coefficients kw, otok_pipe_coefficients kp, otok_erosion_coefficients ke,
                 otok_transport_coefficients kt)
{
    enum { REACH = 3, BEHIND = PIPES == LEAN }; /* what is behind the lowest pipe */
    otok_strip_begin();
    if (DEFAULT_LAWS) ke.downhill = ke.times_depth = ke.displace_water = 0;
    kp.by_depth = BY_DEPTH;
    kt.conservative = true;
    const otok_strip s = otok_strip_of(g);
    extern __shared__ otok_line memory[];
    otok_signed_shared &shared = *(otok_signed_shared *)memory;
    otok_signed_rows &rows = shared.rows;
#define BOOK(name) shared.books[name][s.index]
    for (int n = 0; n < SIGNED_BOOKS; n++)
        BOOK(n) = {0, 0};

    /* Rows by age. What flows to the top takes K of its cell in one iteration, of the cell above in the next. */
    float h[4][OTOK_LANE] = {}, d1[3][OTOK_LANE] = {};
    float face_right[3][OTOK_LANE] = {}, top[3][OTOK_LANE] = {}, face_top[4][OTOK_LANE] = {};
    unsigned dry = 0;
    /* What the columns beside the lane's have, by age. */
    float h_right[3] = {}, d1_right[2] = {};

    const int begin = s.bottom - REACH - BEHIND, end = s.bottom < s.top ? s.top + REACH : begin;
    int row = otok_strip_row(g, begin), row_before = otok_strip_row(g, begin - 1);
    fetch<PIPES>(rows, a, begin, row, row_before, otok_strip_row(g, begin - 2), g, s);

    for (int r = begin; r < end; r++) {
        otok_fetched();
        [[maybe_unused]] otok_old_flow old; /* of row r-1; what came with it is still there */
        if constexpr (PIPES >= VECTOR) {
            otok_slot *const before = rows.field[(r - 1) & 1];
            otok_old_right<PIPES>(old.right, before[SIGNED_RIGHT], enters_left(g, s), g, s);
            otok_old_top(PIPES == LEAN ? old.top : old.top_below, before[SIGNED_TOP], PIPES == LEAN ? r - 1 : r - 2, g, s);
            if (PIPES == LEAN) otok_take(old.top_below, before[BASE], s);
        }
        const int row_next = otok_strip_row_after(g, row, r + 1);
        if (r + 1 < end) fetch<PIPES>(rows, a, r + 1, row_next, row, row_before, g, s);
        row_before = row;
        row = row_next;
        otok_slot *const field = rows.field[r & 1];
        float base[OTOK_LANE], change[OTOK_LANE], water[OTOK_LANE];
        otok_take(base, field[BASE], s);
        otok_take(change, rows.change[r & 3], s);
        otok_take(water, field[WATER], s);
        /* Row r: rain. */
        if (a.first && s.owned && r >= s.bottom && r < s.top) {
            otok_booking dry = {0, 0};
            otok_tally(dry, water, g, s);
            book(BOOK(RAIN), {0, 0}, dry);
        }
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++) {
            h[0][c] = base[c] + change[c];
            d1[0][c] = water[c];
        }
        rain_on(d1[0], a, r, g, s);
        if (s.side) otok_spread(h[0], g, s), otok_spread(d1[0], g, s);
        if (g.open && (s.side || otok_beyond_y(g, r))) {
            const int beyond_y = r < 0 ? g.open >> OTOK_BOTTOM & 1 : r >= g.ny ? g.open >> OTOK_TOP & 1 : 0;
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                const int i = s.i + c, beyond_x = i < 0 ? g.open >> OTOK_LEFT & 1 : i >= g.nx ? g.open >> OTOK_RIGHT & 1 : 0;
                if (beyond_x | beyond_y) d1[0][c] = 0.0f;
            }
        }
        h_right[0] = otok_from_right(h[0][0]), d1_right[0] = otok_from_right(d1[0][0]);

        if constexpr (PIPES == VECTOR) {
            otok_old_right<PIPES>(old.right_above, field[SIGNED_RIGHT], enters_left(g, s), g, s);
            otok_old_top(old.top, field[SIGNED_TOP], r - 1, g, s);
        }
        if constexpr (PIPES == LEAN) {
            otok_old_right<PIPES>(old.right_above, field[SIGNED_RIGHT], enters_left(g, s), g, s);
            otok_old_top(old.top_above, field[SIGNED_TOP], r, g, s);
            otok_put(field[BASE], old.top, s); /* the slot was read */
        }
        const float face_left = otok_from_left(face_right[2][OTOK_LANE - 1]);
        if (r > begin) { /* Row r-1: the flows that the pipes would carry, and K. */
            const int q = r - 1;
            float right[OTOK_LANE], limit[OTOK_LANE];
            otok_column here[OTOK_LANE], beside[OTOK_LANE], above[OTOK_LANE];
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                here[c] = {h[1][c], d1[1][c]}, above[c] = {h[0][c], d1[0][c]};
                beside[c] = {otok_beside(h[1], 0.0f, h_right[1], c + 1), otok_beside(d1[1], 0.0f, d1_right[1], c + 1)};
            }
            if constexpr (PIPES >= VECTOR) {
                otok_pipes_around<PIPES>(right, top[1], old, q, here, beside, above, g, s, kp);
            } else {
                float old_right[OTOK_LANE], old_top[OTOK_LANE];
                otok_take(old_right, field[SIGNED_RIGHT], s);
                otok_take(old_top, field[SIGNED_TOP], s);
                if (enters_left(g, s)) old_right[OTOK_LANE - 1] = -old_right[0];
                if (q < 0 && (g.open >> OTOK_BOTTOM & 1)) {
#pragma unroll
                    for (int c = 0; c < OTOK_LANE; c++)
                        old_top[c] = -old_top[c];
                }
#pragma unroll
                for (int c = 0; c < OTOK_LANE; c++) {
                    right[c] = pipe<PIPES>(old_right[c], here[c], beside[c], kp);
                    top[1][c] = pipe<PIPES>(old_top[c], here[c], above[c], kp);
                }
            }
            const bool outside_y = otok_beyond_y(g, q);
            if (s.side || outside_y) { /* ghosts have no pipes but those that enter at an open side */
                const bool enters_bottom = q == -1 && (g.open >> OTOK_BOTTOM & 1);
#pragma unroll
                for (int c = 0; c < OTOK_LANE; c++) {
                    const bool outside_x = otok_beyond_x(g, s.i + c);
                    if (outside_y || (outside_x && !(enters_left(g, s) && s.i + c == -1))) right[c] = 0.0f;
                    if (outside_x || (outside_y && !enters_bottom)) top[1][c] = 0.0f;
                }
            }
            const float left = otok_from_left(right[OTOK_LANE - 1]);
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                const otok_four face = {otok_beside(right, left, 0.0f, c - 1), right[c], top[2][c], top[1][c]};
                limit[c] = otok_pipe_limit(d1[1][c], otok_faces_out(face), kp);
            }
            if (s.side || outside_y) { /* nothing flows in */
#pragma unroll
                for (int c = 0; c < OTOK_LANE; c++)
                    if (outside_y || otok_beyond_x(g, s.i + c)) limit[c] = 0.0f;
            }
            const float limit_right = otok_from_right(limit[0]);
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                face_right[1][c] = otok_face_limited(right[c], limit[c], otok_beside(limit, 0.0f, limit_right, c + 1));
                face_top[2][c] = otok_face_limited(top[2][c], 1.0f, limit[c]);
                top[1][c] = otok_face_limited(top[1][c], limit[c], 1.0f);
            }
        }

        if (r >= s.bottom + 4 - REACH) { /* Row r-2: water surface, erosion, evaporation. */
            const int p = r - 2, at = p * g.pitch;
            const bool mine = p >= s.bottom && p < s.top;
            const float h_left = otok_from_left(h[2][OTOK_LANE - 1]);
            unsigned drying = 0; /* columns that will settle */
            otok_four out[OTOK_LANE], in[OTOK_LANE];
            float load[OTOK_LANE], d2[OTOK_LANE], d3[OTOK_LANE], clamped[OTOK_LANE], sediment[OTOK_LANE], s1[OTOK_LANE];
            float u[OTOK_LANE], w[OTOK_LANE], ground[OTOK_LANE];
            otok_take(change, rows.change[p & 3], s);
            otok_take(sediment, field[SIGNED_SEDIMENT], s);
            if (s.side) otok_spread(change, g, s), otok_spread(sediment, g, s);
            const uint32_t wet = rows.wetness[r & 1][s.index];
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                const otok_four face = {otok_beside(face_right[2], face_left, 0.0f, c - 1), face_right[2][c], face_top[3][c],
                                        face_top[2][c]};
                out[c] = otok_faces_out(face);
                in[c] = otok_faces_in(face);
                const otok_surface surface = otok_water_surface(d1[2][c], out[c], in[c], kw);
                const otok_cross ground_h = {h[2][c], otok_beside(h[2], h_left, h_right[2], c - 1),
                                             otok_beside(h[2], h_left, h_right[2], c + 1), h[3][c], h[1][c]};
                const float capacity = otok_capacity(otok_gradient2(ground_h, ke), surface.d2, surface.u, surface.w, ke);
                const otok_eroded e = otok_erosion(change[c], sediment[c], surface.d2, capacity, ke);
                clamped[c] = surface.clamped;
                if (ke.displace_water && mine && s.i + c < g.nx) {
                    otok_booking_add(BOOK(MOVED), e.d2);
                    otok_booking_add(BOOK(MOVED), surface.d2, -1);
                }
                ground[c] = e.change;
                s1[c] = e.s;
                d2[c] = e.d2;
                if (e.d2 <= kt.dry) drying |= 1u << c;
                u[c] = surface.u;
                w[c] = surface.w;
                load[c] = otok_load(e.s, d1[2][c], kt);
            }
            dry_up(d3, d2, kw, a, p, g, s);
            otok_put(rows.change[p & 3], u, s); /* both slots were read; fewer registers */
            otok_put(field[SIGNED_SEDIMENT], w, s);
            if (mine) {
                float *const maps[] = {a.outflow_next[OTOK_RIGHT], a.outflow_next[OTOK_TOP], a.water_next};
                const float all[3][OTOK_LANE] = {{face_right[2][0], face_right[2][1], face_right[2][2], face_right[2][3]},
                                                 {face_top[2][0], face_top[2][1], face_top[2][2], face_top[2][3]},
                                                 {d3[0], d3[1], d3[2], d3[3]}};
                otok_strip_store(maps, at, all, g, s);
                if (enters_left(g, s)) a.outflow_next[OTOK_LEFT][at] = 0.0f - face_right[2][OTOK_LANE - 1];
                store_wetness(a, at, wet, d3, g, s, kw);
                if (a.last) {
                    otok_take(u, rows.change[p & 3], s);
                    otok_take(w, field[SIGNED_SEDIMENT], s);
                    otok_strip_store(a.velocity_x, at, u, g, s);
                    otok_strip_store(a.velocity_y, at, w, g, s);
                }
                const float depths[3][OTOK_LANE] = {
                    {d2[0], d2[1], d2[2], d2[3]}, {d3[0], d3[1], d3[2], d3[3]}, {d1[2][0], d1[2][1], d1[2][2], d1[2][3]}};
                otok_booking sums[3], evaporated = BOOK(EVAPORATED), rain = BOOK(RAIN);
                otok_count(sums, depths, g, s);
                book(evaporated, sums[0], sums[1]);
                if (a.rains) book(rain, sums[2], {0, 0});
                if (a.rains_next) book(rain, {0, 0}, sums[1]);
                BOOK(EVAPORATED) = evaporated;
                BOOK(RAIN) = rain;
                if (clamped[0] != 0.0f || clamped[1] != 0.0f || clamped[2] != 0.0f || clamped[3] != 0.0f)
                    otok_tally(BOOK(CLAMPING), clamped, g, s);
                if (g.open && (s.side || p == 0 || p == g.ny - 1))
                    book_edges(BOOK(WATER_OUT), BOOK(SEDIMENT_OUT), out, load, p, g, s, kt);
            } else if (p == -1 && s.bottom == 0 && (g.open >> OTOK_BOTTOM & 1)) {
                const float entry[OTOK_LANE] = {0.0f - face_top[2][0], 0.0f - face_top[2][1], 0.0f - face_top[2][2],
                                                0.0f - face_top[2][3]};
                otok_strip_store(a.outflow_next[OTOK_BOTTOM], 0, entry, g, s);
            }
            const float load_left = otok_from_left(load[OTOK_LANE - 1]), load_right = otok_from_right(load[0]);

            /* Row r-3: transport, settling; row r-2 takes its place. */
            const int o = r - 3;
            float settled[OTOK_LANE], kept[OTOK_LANE], sideways[OTOK_LANE], rising[OTOK_LANE], carried[OTOK_LANE];
            otok_take(settled, shared.ground, s);
            otok_take(kept, shared.kept, s);
            otok_take(sideways, shared.sideways, s);
            otok_take(rising, shared.rising[r & 1], s);
            bool settles = false;
#pragma unroll
            for (int c = 0; c < OTOK_LANE; c++) {
                const otok_four gain = {sideways[c], 0.0f, rising[c], load[c] * out[c].bottom};
                carried[c] = otok_transport_gained(kept[c], gain);
                settles |= (dry >> c & 1) && carried[c] > 0.0f;
                kept[c] = otok_transport_kept(s1[c], load[c], out[c]);
                sideways[c] = otok_beside(load, load_left, load_right, c - 1) * in[c].left +
                              otok_beside(load, load_left, load_right, c + 1) * in[c].right;
                rising[c] = load[c] * out[c].top;
            }
            otok_put(shared.ground, ground, s);
            otok_put(shared.kept, kept, s);
            otok_put(shared.sideways, sideways, s);
            otok_put(shared.rising[r & 1], rising, s);
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
        }

        otok_age(h), otok_age(d1), otok_age(face_right), otok_age(top), otok_age(face_top);
        h_right[2] = h_right[1], h_right[1] = h_right[0], d1_right[1] = d1_right[0];
    }

    otok_strip_book(a.sums + OTOK_SUM_RAIN, BOOK(RAIN), s);
    otok_strip_book(a.sums + OTOK_SUM_EVAPORATED, BOOK(EVAPORATED), s);
    otok_strip_book(a.sums + OTOK_SUM_WATER_CLAMPED, BOOK(CLAMPING), s);
    if (ke.displace_water) otok_strip_book(a.sums + OTOK_SUM_DISPLACED, BOOK(MOVED), s);
    if (!g.open) return;
    otok_strip_book(a.sums + OTOK_SUM_WATER_OUT, BOOK(WATER_OUT), s);
    otok_strip_book(a.sums + OTOK_SUM_SEDIMENT_OUT, BOOK(SEDIMENT_OUT), s);
}

typedef void otok_signed_kernel(otok_frame, otok_flow, otok_water_coefficients, otok_pipe_coefficients, otok_erosion_coefficients,
                                otok_transport_coefficients);

template <int PIPES> static otok_signed_kernel *kernel_for(const otok_coefficients *k)
{
    const otok_erosion_coefficients *e = &k->erosion;
    const bool default_laws = !(e->downhill || e->times_depth || e->displace_water);
    if (k->pipes.by_depth) return default_laws ? fused_signed<true, PIPES, true> : fused_signed<true, PIPES, false>;
    return default_laws ? fused_signed<false, PIPES, true> : fused_signed<false, PIPES, false>;
}

static const void *code(const otok_coefficients *k, int)
{
    const otok_pipe_coefficients *p = &k->pipes;
    if (p->lean != 0.0f) return (const void *)kernel_for<LEAN>(k);
    if (p->vector) return (const void *)kernel_for<VECTOR>(k);
    return (const void *)(p->friction != 0.0f ? kernel_for<AXIS>(k) : kernel_for<SMOOTH>(k));
}

static cudaError_t start(otok_patch *patch, const otok_fused_pass *pass, const otok_coefficients *k, const otok_step *steps, int n,
                         int nsteps)
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    const unsigned through = 1u << OTOK_RIGHT | 1u << OTOK_TOP;
    const unsigned exchanged = pass->family->partner & ((unsigned)pass->frame.open | through);
    const size_t bytes = (size_t)patch->view.ny * (size_t)patch->view.pitch * sizeof(float);
    for (int side = 0; n == 0 && side < OTOK_SIDES; side++) { /* only cells at the side get new values: the others go along */
        if (!((exchanged & ~through) >> side & 1)) continue;
        const cudaError_t error = cudaMemcpyAsync(own->spare[side], patch->view.at[OTOK_OUTFLOW_LEFT + side], bytes,
                                                  cudaMemcpyDeviceToDevice, own->stream);
        if (error != cudaSuccess) return error;
    }
    otok_flow a = otok_flow_of(&patch->view, own->spare, exchanged);
    otok_flow_when(a, steps, n, nsteps);
    otok_signed_kernel *const kernel = (otok_signed_kernel *)pass->code;
    return otok_strip_start(kernel, pass, own->stream, a, k->water, k->pipes, k->erosion, k->transport);
}

#define FROM_EROSION STAGE(EROSION), SWAP_GROUND, STAGE(FLUX_TRANSPORT), SWAP(SEDIMENT), STAGE(SETTLE), STAGE(EVAPORATION)

static const otok_op ops[] = {STAGE(WATER_IN), STAGE(FLUX), STAGE(FLUX_LIMIT), STAGE(FLUX_SURFACE), FROM_EROSION};
static const otok_op ops_open[] = {STAGE(WATER_IN),     STAGE(FLUX),     STAGE(FLUX_EDGE), STAGE(FLUX_LIMIT),
                                   STAGE(FLUX_SURFACE), STAGE(FLUX_OUT), FROM_EROSION};
static const otok_op ops_around[] = {STAGE(WATER_IN),   STAGE(FLUX_THROUGH), STAGE(FLUX_AROUND),
                                     STAGE(FLUX_LIMIT), STAGE(FLUX_SURFACE), FROM_EROSION};
static const otok_op ops_around_open[] = {STAGE(WATER_IN),   STAGE(FLUX_THROUGH), STAGE(FLUX_AROUND), STAGE(FLUX_EDGE),
                                          STAGE(FLUX_LIMIT), STAGE(FLUX_SURFACE), STAGE(FLUX_OUT),    FROM_EROSION};

#define FAMILY(name, ops, partner)                                                                                                 \
    extern const otok_fused_family otok_fused_##name = {                                                                           \
        ops, sizeof ops / sizeof ops[0], 3, 46, sizeof(otok_signed_shared), partner, code, start, NULL, NULL, 0}

FAMILY(signed, ops, 1u << OTOK_RIGHT | 1u << OTOK_TOP);
FAMILY(signed_open, ops_open, 15); /* the left or the bottom side is */
FAMILY(around, ops_around, 1u << OTOK_RIGHT | 1u << OTOK_TOP);
FAMILY(around_open, ops_around_open, 15);
