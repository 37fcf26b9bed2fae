/* strip.cuh: the path of a warp in a fused kernel. A warp has a strip of 128 columns, four a lane,
   and goes up its rows. The stages of a row follow one another at a distance of rows: a stage finds
   earlier rows in registers, and the columns beside in the next lane. The outer lanes also compute
   cells of the neighbouring strips, so that no warp waits for another; 120 columns are the warp's
   own. A grid exactly as wide as a strip needs no such lanes. */
#ifndef OTOK_STRIP_CUH
#define OTOK_STRIP_CUH

#include "../cells.cuh"
#include "fused.h"

enum { OTOK_STRIP_BLOCK = 32 * OTOK_STRIP_WARPS };

/* How far slots are rotated, so that a lane's index in shared memory is as far from a multiple of
   128 bytes as its columns are in memory. An asynchronous copy of 16 bytes a lane that does not
   match in this way takes 32 sectors instead of 17. */
enum { OTOK_STRIP_TURNED = 1 };

/* A lane's four columns are i .. i+3; `row` is the index of column 0 of a row. */
typedef struct otok_strip {
    int i;
    int bottom, top; /* rows bottom <= j < top belong to the warp */
    bool books;      /* these rows are the patch's own, not shared with a band */
    bool owned;      /* some of the columns are in the grid and belong to the warp */
    bool full;       /* all columns are and do */
    bool side; /* some columns of the warp are not in the grid, or are at an open side; the same
                  for all its lanes */
    int at;    /* index of the first of four columns that hold the lane's values */
    int from;  /* which of these four each column takes, two bits a column */
    bool scattered; /* the columns do not lie so; the same for all lanes of a warp */
    unsigned index; /* the lane's index in a slot */
    int nx;
} otok_strip;

static __device__ inline int otok_wrapped(int n, int size, int wraps)
{
    if (!wraps) return n < 0 ? 0 : n >= size ? size - 1 : n;
    if (n >= 0 && n < size) return n;
    const int rest = n % size;
    return rest < 0 ? rest + size : rest;
}

static __device__ inline unsigned otok_strip_index(int i)
{
    const unsigned thread = threadIdx.x;
    return OTOK_STRIP_TURNED ? (thread & ~31u) | ((unsigned)i >> 2 & 31) : thread;
}

/* The columns of a strip; bottom, top and books are the caller's to set. FLUSH: strips of a family
   that may be flush (fused.h). */
template <bool FLUSH = false>
static __device__ inline otok_strip otok_strip_columns(const otok_frame &g, int strip)
{
    const int lane = (int)threadIdx.x % 32, before = FLUSH ? g.before : 1;
    otok_strip s;
    s.i = strip * OTOK_STRIP_OWN + OTOK_LANE * (lane - before);
    const bool first = !before && strip == 0, last = !before && strip == g.strips - 1;
    s.owned = (lane > 0 || first) && (lane < 31 || last) && s.i < g.nx;
    s.full = s.owned && s.i + OTOK_LANE <= g.nx;
    const int end = (strip + 1) * OTOK_STRIP_OWN + OTOK_LANE * (2 - before);
    s.side = (strip == 0 && before) || end > g.nx || (end == g.nx && last && g.open);
    s.index = otok_strip_index(s.i);
    s.nx = g.nx;
    s.at = otok_wrapped(s.i, g.nx, g.wrap_x) / OTOK_LANE * OTOK_LANE;
    s.from = 0;
    for (int c = 0; c < OTOK_LANE; c++)
        s.from |= ((otok_wrapped(s.i + c, g.nx, g.wrap_x) - s.at) & 3) << 2 * c;
    s.scattered = s.side && g.wrap_x && g.nx % OTOK_LANE != 0;
    return s;
}

/* The warp's number in its block. From lane 0, so that the compiler knows that it, and the rows
   that follow from it, are the same for all lanes, and branches on them need no reconvergence. Long
   kernels gain from it. */
static __device__ inline int otok_warp_alike(void)
{
    return (int)__shfl_sync(0xffffffffu, threadIdx.x / 32, 0);
}

template <bool FLUSH = false>
static __device__ inline otok_strip otok_strip_of(const otok_frame &g,
                                                  int of_block = (int)(threadIdx.x / 32))
{
    const int warp = (int)blockIdx.x * OTOK_STRIP_WARPS + of_block;
    int strip = warp % g.strips, chunk = warp / g.strips, rows = g.rows, chunks = g.chunks,
        longer = g.longer;
    if (g.side_rows > 0) {
        const int inner = g.strips - 2, n = warp - g.sides_from;
        strip = n < 0 ? 1 + warp % inner : n % 2 * (g.strips - 1);
        chunk = n < 0 ? warp / inner : n / 2;
        rows = n < 0 ? g.rows : g.side_rows;
        chunks = n < 0 ? g.chunks : g.side_chunks;
        longer = n < 0 ? g.longer : g.side_chunks;
    }
    otok_strip s = otok_strip_columns<FLUSH>(g, strip);
    s.bottom = g.own + chunk * rows - max(chunk - longer, 0);
    s.top = g.own + (chunk + 1) * rows - max(chunk + 1 - longer, 0);
    if (s.top > g.end) s.top = g.end;
    s.books = chunk < chunks;
    if (!s.books) { /* first the rows shared below, then those shared above, in as
                       many chunks as they need */
        const int below = (g.own + rows - 1) / rows, n = chunk - chunks,
                  from = n < below ? 0 : g.end, to = n < below ? g.own : g.ny;
        s.bottom = from + (n < below ? n : n - below) * rows;
        s.top = s.bottom + rows < to ? s.bottom + rows : to;
    }
    return s;
}

/* With WHOLE = -2 or -4, a strip holds two or four grids of a half or a quarter of OTOK_STRIP_WHOLE
   columns, of as many members of a batch. The number of lanes of one of them. */
template <int WHOLE> static __device__ constexpr int otok_part_lanes(void)
{
    return WHOLE < 0 ? 32 / -WHOLE : 32;
}

/* The index of the strip's grid that the lane works on. */
template <int WHOLE> static __device__ inline int otok_part(void)
{
    return (int)threadIdx.x % 32 / otok_part_lanes<WHOLE>();
}

/* For a grid of exactly OTOK_STRIP_WHOLE columns: one strip has all columns, and all are its own;
   otok_left and otok_right know what is beside the first and the last. For a grid two or four times
   as wide: as many strips, which are warps of one block, and otok_join. */
template <int WHOLE>
static __device__ inline otok_strip otok_strip_whole(const otok_frame &g, bool there = true)
{
    const int lane = (int)threadIdx.x % otok_part_lanes<WHOLE>(),
              warp = (int)(blockIdx.x * OTOK_STRIP_WARPS + threadIdx.x / 32);
    const int strip = WHOLE > 1 ? warp % g.strips : 0, chunk = WHOLE > 1 ? warp / g.strips : warp;
    otok_strip s;
    s.i = s.at = OTOK_STRIP_WHOLE * strip + OTOK_LANE * lane;
    s.bottom = chunk * g.rows;
    s.top = s.bottom + g.rows < g.ny ? s.bottom + g.rows : g.ny;
    s.books = true;
    s.owned = s.full = there;
    s.side = true;
    s.from = 0xe4;
    s.index = WHOLE < 0 ? threadIdx.x : otok_strip_index(s.i);
    s.nx = g.nx;
    s.scattered = false;
    return s;
}

/* A kernel that otok_strip_start started calls this first. The kernel is launched while the
   previous one still runs, and waits here for the end of that one, so that no time is lost between
   the two. Its blocks are placed only after all blocks of the previous kernel have ended: earlier
   ones would get random places, and strips side by side go through memory fastest in the order of
   the blocks. */
static __device__ inline void otok_strip_begin(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

template <class... P, class... A>
static cudaError_t otok_strip_start(void (*kernel)(P...), const otok_fused_pass *pass,
                                    cudaStream_t stream, const A &...arguments)
{
    int device = 0, major = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (!error) error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    if (error) return error;
    cudaLaunchAttribute early;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t how = {};
    how.gridDim = dim3((unsigned)pass->frame.blocks);
    how.blockDim = dim3(OTOK_STRIP_BLOCK);
    how.dynamicSmemBytes = (size_t)pass->shared;
    how.stream = stream;
    how.attrs = &early;
    how.numAttrs = major >= 9;
    return cudaLaunchKernelEx(&how, kernel, pass->frame, arguments...);
}

/* The index of row j, or of the row that stands for it beyond an edge. */
static __device__ inline int otok_strip_row(const otok_frame &g, int j)
{
    return otok_wrapped(j, g.ny, g.wrap_y) * g.pitch;
}

/* The same for row j, computed from the index of row j-1. */
static __device__ inline int otok_strip_row_after(const otok_frame &g, int row, int j)
{
    const int next = row + g.pitch;
    if (g.wrap_y) return next == g.ny * g.pitch ? 0 : next;
    return j > 0 && j < g.ny ? next : row;
}

static __device__ inline bool otok_beyond_y(const otok_frame &g, int j)
{
    return !g.wrap_y && (j < 0 || j >= g.ny);
}

static __device__ inline bool otok_beyond_x(const otok_frame &g, int i)
{
    return !g.wrap_x && (i < 0 || i >= g.nx);
}

/* The value left of a lane's first column; then the value right of its last. */
template <typename T> static __device__ inline T otok_from_left(T last)
{
    return __shfl_up_sync(0xffffffffu, last, 1);
}

template <typename T> static __device__ inline T otok_from_right(T first)
{
    return __shfl_down_sync(0xffffffffu, first, 1);
}

/* The same; `beyond` is for the outermost lane, whose value counts at a side without ghosts. */
#ifdef __CUDA_ARCH__
#define OTOK_SHUFFLED(way, clamp, from, beyond)                                                    \
    float v; /* the shuffle says which lane has no other beside it */                              \
    asm volatile("{\n.reg .pred p;\nshfl.sync." way ".b32 %0|p, %1, 1, " clamp                     \
                 ", 0xffffffff;\nselp.f32 %0, %0, %2, p;\n}"                                       \
                 : "=&f"(v)                                                                        \
                 : "f"(from), "f"(beyond));                                                        \
    return v
#else
#define OTOK_SHUFFLED(way, clamp, from, beyond)                                                    \
    const bool up = *(way) == 'u';                                                                 \
    const float v = up ? otok_from_left(from) : otok_from_right(from);                             \
    return threadIdx.x % 32 == (up ? 0 : 31) ? beyond : v
#endif
static __device__ inline float otok_from_left(float last, float beyond)
{
    OTOK_SHUFFLED("up", "0", last, beyond);
}

static __device__ inline float otok_from_right(float first, float beyond)
{
    OTOK_SHUFFLED("down", "31", first, beyond);
}

/* The same if strips may be whole. `beyond` is the value over a closed or open edge of the grid. */
template <int WHOLE, typename T>
static __device__ inline T otok_left(T last, T beyond, const otok_frame &g, const otok_strip &s)
{
    if (!WHOLE) return otok_from_left(last);
    enum { LANES = otok_part_lanes<WHOLE>() };
    const int lane = (int)threadIdx.x % LANES, first = (int)threadIdx.x % 32 - lane;
    const T v = __shfl_sync(0xffffffffu, last, first + (lane + LANES - 1) % LANES);
    return (WHOLE > 1 ? s.i == 0 : lane == 0) && !g.wrap_x ? beyond : v;
}

template <int WHOLE, typename T>
static __device__ inline T otok_right(T first, T beyond, const otok_frame &g, const otok_strip &s)
{
    if (!WHOLE) return otok_from_right(first);
    enum { LANES = otok_part_lanes<WHOLE>() };
    const int lane = (int)threadIdx.x % LANES, start = (int)threadIdx.x % 32 - lane;
    const T v = __shfl_sync(0xffffffffu, first, start + (lane + 1) % LANES);
    return (WHOLE > 1 ? s.i + OTOK_LANE == g.nx : lane == LANES - 1) && !g.wrap_x ? beyond : v;
}

/* Are the columns beside the lane's those of another whole strip? -1: to the left, 1: to the right,
   0: no. */
static __device__ inline int otok_seam_side(const otok_frame &g, const otok_strip &s)
{
    const int lane = (int)threadIdx.x % 32;
    if (lane == 0) return g.wrap_x || s.i > 0 ? -1 : 0;
    return lane == 31 && (g.wrap_x || s.i + OTOK_LANE < g.nx) ? 1 : 0;
}

/* Four values of the first and of the last column of each strip. */
typedef float4 otok_seam[OTOK_STRIP_WARPS][2];

/* Hands `first` and `last` to the strips beside, and returns the values across the seam on the
   lane's `side`. All threads of a block must call it. Two seams are used in turn, so that one
   barrier is enough. */
static __device__ inline float4 otok_join(otok_seam &seam, float4 first, float4 last, int side,
                                          const otok_frame &g)
{
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, strip = warp % g.strips;
    if (lane == 0) seam[warp][0] = first;
    if (lane == 31) seam[warp][1] = last;
    __syncthreads();
    return side == 0 ? first : seam[warp - strip + (strip + side + g.strips) % g.strips][side < 0];
}

/* Columns -1 .. 4 of a row. */
static __device__ inline float otok_beside(const float (&row)[OTOK_LANE], float left, float right,
                                           int c)
{
    return c < 0 ? left : c < OTOK_LANE ? row[c < 0 ? 0 : c % OTOK_LANE] : right;
}

/* Gives ghosts the value of the edge cell, in the row itself or in its ends. */
static __device__ inline void otok_copy_ghosts(float (&row)[OTOK_LANE], float &left, float &right,
                                               const otok_frame &g, const otok_strip &s)
{
    if (!s.side || g.wrap_x) return;
    const int inside = g.nx - s.i;
    if (s.i == 0) left = row[0];
    if (inside == OTOK_LANE) right = row[OTOK_LANE - 1];
#pragma unroll
    for (int c = 1; c < OTOK_LANE; c++)
        if (c == inside) row[c] = row[c - 1];
}

#endif
