/* hydraulic_stages.cuh: the stages of a row that hydraulic_belt.cuh and faces_belt.cuh share. They
   are inlined, so that a row stays in registers. The physics is in model/. */
#ifndef OTOK_FAST_HYDRAULIC_STAGES_CUH
#define OTOK_FAST_HYDRAULIC_STAGES_CUH

#include "belt_walls.cuh"
#include "hydraulic.cuh"

/* Outflows and inflows of a row, and its new water and ground. */
typedef struct otok_eroded_row {
    otok_four out[OTOK_LANE], in[OTOK_LANE];
    float u[OTOK_LANE], w[OTOK_LANE], clamped[OTOK_LANE]; /* the water's surface */
    float ground[OTOK_LANE], s[OTOK_LANE], d2[OTOK_LANE],
        d3[OTOK_LANE];          /* after erosion; d3: after evaporation */
    float displaced[OTOK_LANE]; /* the depth before erosion, which may displace water */
    float load[OTOK_LANE];
    unsigned drying; /* columns that will settle, a bit each */
} otok_eroded_row;

/* What the erosion of a row starts from. */
typedef struct otok_ground_row {
    float h[OTOK_LANE], below[OTOK_LANE], above[OTOK_LANE], left,
        right; /* ground of the row and around it */
    float d1[OTOK_LANE], change[OTOK_LANE], sediment[OTOK_LANE];
} otok_ground_row;

/* No water beyond an open side, in row r. `ghosts`: some columns of the warp are not in the grid.
 */
static __device__ __forceinline__ void dry_beyond(float (&d)[OTOK_LANE], int r, int open,
                                                  bool ghosts, const otok_frame &g,
                                                  const otok_strip &s)
{
    if (!open || !(ghosts || otok_beyond_y(g, r))) return;
    const int beyond_y = r < 0 ? open >> OTOK_BOTTOM & 1 : r >= g.ny ? open >> OTOK_TOP & 1 : 0;
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        const int i = s.i + c, beyond_x = i < 0       ? open >> OTOK_LEFT & 1
                                          : i >= g.nx ? open >> OTOK_RIGHT & 1
                                                      : 0;
        if (beyond_x | beyond_y) d[c] = 0.0f;
    }
}

/* The ground and stage 1 of row r, with ghosts as in dry_beyond. No rain falls on walls, whose
   ground is infinite. */
template <bool WALLS>
static __device__ __forceinline__ void
rain_row(float (&h)[OTOK_LANE], float (&d1)[OTOK_LANE], otok_booking &rain, const otok_flow &a,
         int r, int open, bool ghosts, const otok_frame &g, const otok_strip &s)
{
    if (__builtin_expect(a.first && s.owned && r >= s.bottom && r < s.top, 0)) {
        otok_booking dry = {0, 0};
        otok_tally(dry, d1, g, s);
        book(rain, {0, 0}, dry);
    }
    rain_on(d1, a, r, g, s);
    if (ghosts) otok_spread(h, g, s), otok_spread(d1, g, s);
    dry_beyond(d1, r, open, ghosts, g, s);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        if (WALLS && h[c] == INFINITY) d1[c] = 0.0f;
}

/* Where the speeds of a row come from: one-way pipes; the sums of the flow through opposite faces,
   in row.u and row.w; or they are there. */
enum { OF_OUTFLOWS, OF_FACES, KNOWN };

/* Depths after the flow: by rounding; exact in the mean, by the dithers in row.d2; or they are
   there. */
enum { ROUNDED, EXACT, MADE };

/* Water surface and erosion, from row.out and row.in. */
template <bool LOADS, bool BY_DEPTH, bool WALLS, int SPEEDS = OF_OUTFLOWS, int DEPTHS = ROUNDED>
static __device__ __forceinline__ void
erode_row(otok_eroded_row &row, const otok_ground_row &b, otok_water_coefficients kw,
          const otok_erosion_coefficients &ke, const otok_transport_coefficients &kt)
{
    kw.by_depth = BY_DEPTH;
    row.drying = 0;
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        otok_surface surface =
            DEPTHS == EXACT ? otok_surface_exactly(b.d1[c], row.out[c], row.in[c], row.u[c],
                                                   row.w[c], row.d2[c], kw)
            : SPEEDS == OF_FACES
                ? otok_surface_after(b.d1[c], row.out[c], row.in[c], row.u[c], row.w[c], kw)
                : otok_water_surface(b.d1[c], row.out[c], row.in[c], kw);
        if (DEPTHS == MADE) surface.d2 = row.d2[c]; /* whoever made it clamped as much */
        if (SPEEDS == KNOWN) surface.u = row.u[c], surface.w = row.w[c];
        const otok_cross h = {b.h[c], otok_beside(b.h, b.left, b.right, c - 1),
                              otok_beside(b.h, b.left, b.right, c + 1), b.below[c], b.above[c]};
        const float capacity = otok_capacity(otok_gradient2(WALLS ? between_walls(h) : h, ke),
                                             surface.d2, surface.u, surface.w, ke);
        const otok_eroded e = otok_erosion(b.change[c], b.sediment[c], surface.d2, capacity, ke);
        row.displaced[c] = surface.d2;
        row.clamped[c] = surface.clamped;
        row.u[c] = surface.u;
        row.w[c] = surface.w;
        row.ground[c] = e.change;
        row.s[c] = e.s;
        row.d2[c] = e.d2;
        if (e.d2 <= kt.dry) row.drying |= 1u << c;
        row.load[c] = LOADS ? otok_load(e.s, b.d1[c], kt) : 0.0f;
    }
}

/* Where a thread books a row's water. */
typedef struct otok_water_books {
    otok_booking &rain, &evaporated, &clamped;
} otok_water_books;

/* Evaporation of row j, whose depth after the rain was d1; stores and books it and the erosion.
   Velocities only if `races`, because each iteration computes them anew. */
static __device__ __forceinline__ void store_water(otok_eroded_row &e, const float (&d1)[OTOK_LANE],
                                                   const otok_water_books &books, uint32_t counters,
                                                   const otok_flow &a, int j, const otok_frame &g,
                                                   const otok_strip &s,
                                                   const otok_water_coefficients &kw)
{
    const int row = j * g.pitch;
    if (a.races) {
        otok_strip_store(a.velocity_x, row, e.u, g, s);
        otok_strip_store(a.velocity_y, row, e.w, g, s);
    }
    dry_up(e.d3, e.d2, kw, a, j, g, s);
    otok_strip_store(a.water_next, row, e.d3, g, s);
    store_wetness(a, row, counters, e.d3, g, s, kw);
    const float depths[3][OTOK_LANE] = {{e.d2[0], e.d2[1], e.d2[2], e.d2[3]},
                                        {e.d3[0], e.d3[1], e.d3[2], e.d3[3]},
                                        {d1[0], d1[1], d1[2], d1[3]}};
    otok_booking sums[3], evaporated = books.evaporated, rain = books.rain;
    otok_count(sums, depths, g, s);
    book(evaporated, sums[0], sums[1]);
    if (a.rains) book(rain, sums[2], {0, 0});
    if (a.rains_next) book(rain, {0, 0}, sums[1]);
    books.evaporated = evaporated, books.rain = rain;
    if (__builtin_expect(e.clamped[0] != 0.0f || e.clamped[1] != 0.0f || e.clamped[2] != 0.0f ||
                             e.clamped[3] != 0.0f,
                         0))
        otok_tally(books.clamped, e.clamped, g, s);
}

/* Books the water that the erosion of a row displaced. */
static __device__ __forceinline__ void book_displaced(otok_booking &moved,
                                                      const otok_eroded_row &row,
                                                      const otok_frame &g, const otok_strip &s)
{
    const float depths[2][OTOK_LANE] = {
        {row.d2[0], row.d2[1], row.d2[2], row.d2[3]},
        {row.displaced[0], row.displaced[1], row.displaced[2], row.displaced[3]}};
    otok_booking sums[2];
    otok_count(sums, depths, g, s);
    book(moved, sums[0], sums[1]);
}

/* Settles the sediment of a row's dry columns. */
static __device__ __forceinline__ void settle_row(float (&ground)[OTOK_LANE],
                                                  float (&carried)[OTOK_LANE], unsigned dry)
{
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++) {
        if (!(dry >> c & 1) || !(carried[c] > 0.0f)) continue;
        const otok_exchange e = otok_settle(ground[c], carried[c]);
        ground[c] = e.ground;
        carried[c] = e.other;
    }
}

/* Stores the ground and the sediment of row o, if the row is the warp's own. */
static __device__ __forceinline__ void store_settled(const otok_flow &a, int o,
                                                     const float (&ground)[OTOK_LANE],
                                                     const float (&carried)[OTOK_LANE],
                                                     const otok_frame &g, const otok_strip &s)
{
    if (o < s.bottom || o >= s.top) return;
    float *const maps[] = {a.change_next, a.sediment_next};
    const float both[2][OTOK_LANE] = {{ground[0], ground[1], ground[2], ground[3]},
                                      {carried[0], carried[1], carried[2], carried[3]}};
    otok_strip_store(maps, o * g.pitch, both, g, s);
}

#endif
