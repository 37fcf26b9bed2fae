/* hydraulic_rows.cuh: the rows that a hydraulic kernel keeps in shared memory (those being loaded,
   and those that wait for later rows), and what a thread books. A lane reads only what it has
   written or fetched itself. */
#ifndef OTOK_FAST_HYDRAULIC_ROWS_CUH
#define OTOK_FAST_HYDRAULIC_ROWS_CUH

#include "hydraulic_stages.cuh"

/* What a thread books: rain less the water that the next iteration's rain starts from; evaporation;
   what clamping made; the drift of advection and what mixing made. Separately, because few kernels
   can have any: displaced water, water and sediment that left. */
enum {
    RAIN,
    EVAPORATED,
    CLAMPING,
    CONSERVATIVE_ENTRIES,
    DRIFTED = CONSERVATIVE_ENTRIES,
    DIFFUSED,
    ENTRIES
};
enum { SHIFTED, WATER_LEFT, SEDIMENT_LEFT, RARE_ENTRIES };

/* The shared memory of a block. As a row r advances, its base is replaced by its ground, its water
   by its d1, its old outflows by the new ones. */
template <bool CONSERVATIVE, bool MIX> struct otok_walk_shared {
    otok_slot base[4], change[4], water[4], outflow[2][OTOK_SIDES], sediment;
    otok_slot waiting[CONSERVATIVE ? 3 : 1]; /* the ground of row r-3 and load * f from below for
                                                rows r-2 and r-3; or a row of sediment */
    uint32_t wetness[OTOK_STRIP_BLOCK];
    otok_booking books[CONSERVATIVE ? CONSERVATIVE_ENTRIES : ENTRIES][OTOK_STRIP_BLOCK];
};

/* Fetches row r of base, change and water. */
template <class ROWS>
static __device__ inline void fetch_ground(ROWS &rows, const otok_flow &a, int r, int row,
                                           const otok_strip &s)
{
    if (s.scattered) {
        otok_fetch_scattered(rows.base[r & 3], a.in[BASE], row, s);
        otok_fetch_scattered(rows.change[r & 3], a.change, row, s);
        otok_fetch_scattered(rows.water[r & 3], a.in[WATER], row, s);
    } else {
        otok_fetch(rows.base[r & 3], a.in[BASE], row, s);
        otok_fetch(rows.change[r & 3], a.change, row, s);
        otok_fetch(rows.water[r & 3], a.in[WATER], row, s);
    }
}

/* Fetches row r-1 of the outflows. */
template <class ROWS>
static __device__ inline void fetch_outflows(ROWS &rows, const otok_flow &a, int r, int row1,
                                             const otok_strip &s)
{
    otok_slot *const outflow = rows.outflow[r & 1];
    if (s.scattered)
#pragma unroll 1
        for (int side = 0; side < OTOK_SIDES; side++)
            otok_fetch_scattered(outflow[side], a.in[OUTFLOW + side], row1, s);
    else
#pragma unroll
        for (int side = 0; side < OTOK_SIDES; side++)
            otok_fetch(outflow[side], a.in[OUTFLOW + side], row1, s);
}

/* Fetches what step r of a walk needs besides what it has: row r of base, change and water, row r-1
   of the outflows, row r-2 of sediment and wetness. */
template <class ROWS>
static __device__ inline void fetch(ROWS &rows, const otok_flow &a, int r, int row, int row1,
                                    int row2, const otok_frame &g, const otok_strip &s)
{
    fetch_ground(rows, a, r, row, s);
    fetch_outflows(rows, a, r, row1, s);
    if (s.scattered)
        otok_fetch_scattered(rows.sediment, a.in[SEDIMENT], row2, s);
    else
        otok_fetch(rows.sediment, a.in[SEDIMENT], row2, s);
    const int i = s.i < 0 ? 0 : s.i > g.pitch - OTOK_LANE ? g.pitch - OTOK_LANE : s.i;
    __pipeline_memcpy_async(&rows.wetness[s.index], a.wetness + (row2 + i), sizeof(uint32_t));
}

/* What the stages of one step of a walk pass to each other. */
typedef struct otok_walk_step {
    int r;                                  /* the newest row */
    float eta[3][OTOK_LANE], d1[OTOK_LANE]; /* surface of rows r, r-1 and r-2; water of row r-1 */
    float from_top[OTOK_LANE], first_left,
        last_right; /* outflows of row r-1: to the bottom, and at the ends of the lane */
    float out[OTOK_SIDES][OTOK_LANE];          /* of row r-2 */
    otok_ground_row ground;                    /* of row r-2 */
    uint32_t wet;                              /* the counters of the same row */
    float load_first, load_last, across_other; /* the ends of the same row, for the strips beside */
} otok_walk_step;

/* Marks a block that seldom runs. It makes the compiler branch around the block instead of
   selecting each value. */
#define RARELY asm volatile("" ::: "memory")

#endif
