/* resident.cuh: what the resident kernels share. A grid that is small enough stays on chip for a
   whole run. A block holds a tile and some rings of its neighbours' cells, which it also computes,
   so that one exchange an iteration is enough. A warp has R rows of OTOK_SLOTS columns, a thread
   OTOK_COLUMNS of these. Blocks exchange the cells near the borders of their tiles as packets of
   three floats and a tag. The tag shows that a packet has arrived, so that no flags, fences or
   barriers over the grid are needed. The physics is elsewhere. */
#ifndef OTOK_RESIDENT_CUH
#define OTOK_RESIDENT_CUH

#include "../cells.cuh"

enum {
    OTOK_COLUMNS = 3, /* odd, so that rows in shared memory are read without bank conflicts */
    OTOK_SLOTS = 32 * OTOK_COLUMNS
};

/* The arguments of every resident kernel. */
typedef struct otok_resident {
    otok_view v;
    int tiles_x, tiles_y;
    int wraps_x, wraps_y; /* periodic */
    int open;             /* bit 1 << side for each open side */
    int halo;             /* rings around a tile */
    int pitch;            /* packets from row to row: nx + 2 halo */
    int plane;            /* packets of the iterations of one parity (one per cell) */
    uint4 *packets;       /* at cell (-halo, -halo) */
    unsigned tag; /* one less than the tag of the first iteration's packets; never used before */
    int nsteps;
    int64_t first; /* the number of its first iteration */
    int keeps;     /* running maxima, OTOK_KEEPS_; 0 in kernels that keep none */
} otok_resident;

typedef struct otok_resident_run {
    otok_resident grid;
    otok_coefficients k;
} otok_resident_run;

/* A tile's cells are x0 <= i < x1, y0 <= j < y1. */
typedef struct otok_tile {
    int x0, x1, y0, y1;
} otok_tile;

/* `together` consecutive rows always belong to the same tile. */
static __device__ inline otok_tile otok_tile_of(const otok_resident &a, int together = 1)
{
    const int rows = (a.v.ny + together - 1) / together;
    const int tx = (int)blockIdx.x % a.tiles_x, ty = (int)blockIdx.x / a.tiles_x;
    otok_tile t;
    t.x0 = tx * a.v.nx / a.tiles_x;
    t.x1 = (tx + 1) * a.v.nx / a.tiles_x;
    t.y0 = ty * rows / a.tiles_y * together;
    t.y1 = min((ty + 1) * rows / a.tiles_y * together, a.v.ny);
    return t;
}

static __device__ inline bool otok_inside(int i, int n, int wraps)
{
    return wraps || (i >= 0 && i < n);
}

static __device__ inline int otok_wrapped(int i, int n)
{
    const int m = i % n;
    return m < 0 ? m + n : m;
}

/* The distance of i from a <= i < b; 0 inside. */
static __device__ inline int otok_ring(int i, int a, int b)
{
    return i < a ? a - i : i >= b ? i - b + 1 : 0;
}

/* A value for each cell of a thread: R rows of OTOK_COLUMNS. These functions give the values
   beside. All lanes of a warp must call them. */
static __device__ inline float otok_beside_left(const float (&v)[OTOK_COLUMNS], int c)
{
    return c > 0 ? v[c - 1] : __shfl_up_sync(0xffffffffu, v[OTOK_COLUMNS - 1], 1);
}

static __device__ inline float otok_beside_right(const float (&v)[OTOK_COLUMNS], int c)
{
    return c < OTOK_COLUMNS - 1 ? v[c + 1] : __shfl_down_sync(0xffffffffu, v[0], 1);
}

/* Ghost columns of a side that is not periodic take the value of the edge cell. The bits of `left`
   and `right` mark the thread's columns that are ghosts of that side. Unless the grid is narrow, a
   tile touches at most one of the two sides. */
static __device__ inline void otok_copy_ghosts(float (&v)[OTOK_COLUMNS], unsigned left,
                                               unsigned right, bool any_left, bool any_right)
{
    if (any_left) {
        const float after = __shfl_down_sync(0xffffffffu, v[0], 1);
#pragma unroll
        for (int c = 0; c < OTOK_COLUMNS; c++)
            if (left >> c & 1) v[c] = c < OTOK_COLUMNS - 1 ? v[c + 1] : after;
    }
    if (any_right) {
        const float before = __shfl_up_sync(0xffffffffu, v[OTOK_COLUMNS - 1], 1);
#pragma unroll
        for (int c = OTOK_COLUMNS - 1; c >= 0; c--)
            if (right >> c & 1) v[c] = c > 0 ? v[c - 1] : before;
    }
}

/* The position of a thread. lane * OTOK_COLUMNS + c is column x + c of the grid; row r of its warp
   is row y + r. Shared memory has rows 0 .. tile's height + 2 halo - 1, and its row q is the grid's
   y0 - halo + q. Warps begin at q = BELOW. BELOW is 1, or it is 0 if the outermost rows have warps
   too. Tiles are cut so that TOGETHER rows belong to one tile. Cells are numbered r *
   OTOK_COLUMNS + c. Rare work computes the position again, because registers are few. */
typedef struct otok_position {
    otok_tile t;
    int warp, x, y, q;
} otok_position;

static __device__ inline otok_position otok_position_of(const otok_resident &a, int rows_of_warp,
                                                        int below = 1, int together = 1)
{
    otok_position p;
    p.t = otok_tile_of(a, together);
    p.warp = (int)threadIdx.x / 32;
    p.q = below + p.warp * rows_of_warp;
    p.x = p.t.x0 - a.halo + (int)threadIdx.x % 32 * OTOK_COLUMNS;
    p.y = p.t.y0 - a.halo + p.q;
    return p;
}

/* The part of its position that a thread keeps. */
template <int R> struct otok_cells {
    unsigned bits; /* From the lowest bit, six bits each: OWN cells of the tile, RECEIVE cells to
                      receive, SEND cells to send. Then three bits each: OUTSIDE columns that are
                      not in the grid or are beyond the halo, LEFT and RIGHT ghost columns of that
                      side. Then two bits each: LAST and FIRST row of a grid that is not periodic */
    int ring[R];   /* rings from the rows of the tile; 1000 if the row does not exist */
    unsigned from; /* number of its first cell's packet */
    int far; /* floats from its row in shared memory to an outermost row without a warp, which this
                warp receives; 0: none */
};

enum {
    OTOK_OWN = 0,
    OTOK_RECEIVE = 6,
    OTOK_SEND = 12,
    OTOK_OUTSIDE = 18,
    OTOK_GHOST_LEFT = 21,
    OTOK_GHOST_RIGHT = 24,
    OTOK_LAST = 27,
    OTOK_FIRST = 29
};

template <int R> static __device__ inline bool otok_is(const otok_cells<R> &p, int kind, int number)
{
    return p.bits >> (kind + number) & 1;
}

/* Hides the value of x from the compiler, so that nothing computed from it earlier has to wait in a
   register. */
static __device__ inline void otok_opaque(unsigned &x)
{
#ifdef OTOK_CUDA_EMULATED
    (void)x;
#else
    asm volatile("" : "+r"(x));
#endif
}

template <class T> static __device__ inline void otok_opaque(T *&at)
{
#ifdef OTOK_CUDA_EMULATED
    (void)at;
#else
    asm volatile("" : "+l"(at));
#endif
}

/* Keeps the compiler from mixing what comes after with what comes before. */
static __device__ inline void otok_in_turn()
{
#ifndef OTOK_CUDA_EMULATED
    asm volatile("" ::: "memory");
#endif
}

/* `ends`: outermost rows without warps are received by the warps beside them, otherwise by two
   warps that have little else to wait for. */
template <int R, int BELOW = 1, int TOGETHER = 1>
static __device__ inline otok_cells<R> otok_cells_of(const otok_resident &a, bool ends = false)
{
    static_assert(R * OTOK_COLUMNS <= 6, "bits");
    const otok_position at = otok_position_of(a, R, BELOW, TOGETHER);
    const otok_tile &t = at.t;
    const int h = a.halo, rings = h - BELOW; /* rings of rows with warps */
    otok_cells<R> p;
    p.bits = 0;
    p.from = (unsigned)((at.y + h) * a.pitch + at.x + h);
    for (int c = 0; c < OTOK_COLUMNS; c++) {
        const int i = at.x + c, ring = otok_ring(i, t.x0, t.x1);
        const bool inside = otok_inside(i, a.v.nx, a.wraps_x) && ring <= h;
        if (!inside) p.bits |= 1u << (OTOK_OUTSIDE + c);
        if (!a.wraps_x && i == -1) p.bits |= 1u << (OTOK_GHOST_LEFT + c);
        if (!a.wraps_x && i == a.v.nx) p.bits |= 1u << (OTOK_GHOST_RIGHT + c);
        for (int r = 0; r < R; r++) {
            const int j = at.y + r, up = otok_ring(j, t.y0, t.y1), number = r * OTOK_COLUMNS + c;
            if (!inside || !otok_inside(j, a.v.ny, a.wraps_y) || up > rings) continue;
            const bool near = i - t.x0 < h || t.x1 - i <= h || j - t.y0 < h || t.y1 - j <= h;
            if (ring > 0 || up > 0)
                p.bits |= 1u << (OTOK_RECEIVE + number);
            else
                p.bits |= 1u << (OTOK_OWN + number) | (unsigned)near << (OTOK_SEND + number);
        }
    }
    for (int r = 0; r < R; r++) {
        const int up = otok_ring(at.y + r, t.y0, t.y1);
        p.ring[r] = otok_inside(at.y + r, a.v.ny, a.wraps_y) && up <= rings ? up : 1000;
        if (!a.wraps_y && at.y + r == a.v.ny - 1) p.bits |= 1u << (OTOK_LAST + r);
        if (!a.wraps_y && at.y + r == 0) p.bits |= 1u << (OTOK_FIRST + r);
    }
    const int rows = t.y1 - t.y0 + 2 * h, warps = (int)blockDim.x / 32;
    int far = -1;
    if (BELOW && at.warp == (ends ? 0 : warps / 2)) far = 0;
    if (BELOW &&
        (ends ? at.q <= rows - 2 && at.q + R > rows - 2 : at.warp == warps / 2 - 1 || warps == 1))
        far = rows - 1;
    if (far >= 0 && !otok_inside(t.y0 - h + far, a.v.ny, a.wraps_y)) far = -1;
    p.far = far < 0 ? 0 : (far - at.q) * OTOK_SLOTS;
    return p;
}

/* The cell of a patch's buffer that column i, row j of a halo stands for. */
static __device__ inline int otok_cell_of(const otok_resident &a, int i, int j)
{
    return otok_wrapped(j, a.v.ny) * (int)a.v.pitch + otok_wrapped(i, a.v.nx);
}

/* Joins the two cells of each column of a warp's two rows, because one packet holds both. */
static __device__ inline otok_cells<1> otok_pairs_of(const otok_cells<2> &p)
{
    const unsigned own = p.bits >> OTOK_OWN, take = p.bits >> OTOK_RECEIVE,
                   give = p.bits >> OTOK_SEND, of_row = (1u << OTOK_COLUMNS) - 1;
    otok_cells<1> pairs;
    pairs.bits = ((own | own >> OTOK_COLUMNS) & of_row) << OTOK_OWN |
                 ((take | take >> OTOK_COLUMNS) & of_row) << OTOK_RECEIVE |
                 ((give | give >> OTOK_COLUMNS) & of_row) << OTOK_SEND;
    pairs.ring[0] = min(p.ring[0], p.ring[1]);
    pairs.from = p.from;
    pairs.far = 0;
    return pairs;
}

#endif
