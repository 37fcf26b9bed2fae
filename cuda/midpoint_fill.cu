/* midpoint_fill.cu: fills a lattice by diamond-square or midpoint displacement
   (model/midpoint_fill.h) in few launches: one block makes the first 6 depths, then each launch
   makes 3 depths. A block makes a tile of the finest of these depths in shared memory, from the
   points of the coarsest and a ring of one around them. Points in the rings of two tiles are made
   twice, with the same bits. */
#include "base.cuh"
#include "model/midpoint_fill.h"

enum { TILE = 64, FIRST = 6, DEPTHS = 3, THREADS = 256 }; /* TILE = 2^FIRST */

/* Points -2 .. m + 2 of a tile of m points, along both axes: the tile, its ring, and beyond the
   ring the points from which its means are made. */
enum { FINE = TILE + 5, COARSE = TILE / 2 + 5 };

namespace
{
/* The positions of a rectangle that a thread works on. */
struct places {
    int x, y, width, right, up;

    __device__ places(int width) : width(width)
    {
        x = (int)threadIdx.x % width;
        y = (int)threadIdx.x / width;
        right = THREADS % width;
        up = THREADS / width;
    }
    __device__ void next()
    {
        x += right;
        y += up;
        if (x < width) return;
        x -= width;
        y++;
    }
};

/* One depth of a tile. */
struct sheet {
    float *at;    /* its point (0, 0) */
    int pitch, m; /* m points along an axis */

    __device__ sheet(float *memory, int m) : at(memory + 2 * (m + 5) + 2), pitch(m + 5), m(m)
    {
    }
    __device__ float *point(int x, int y) const
    {
        return at + y * pitch + x;
    }
};

/* What all threads know about a lattice. */
struct known {
    const otok_midpoint_fill &l;
    uint32_t seed[2];
    const float *table;

    /* The height of point (u, v), which may lie a little outside if the lattice repeats. */
    __device__ float height(int depth, int u, int v, float mean) const
    {
        const int wrap = l.tile ? (1 << depth) - 1 : -1;
        return otok_midpoint_height(seed, table, &l, depth, u & wrap, v & wrap, mean);
    }
    __device__ bool has(int depth, int u, int v) const
    {
        return l.tile || (u >= 0 && v >= 0 && u <= 1 << depth && v <= 1 << depth);
    }
};
} // namespace

/* Wraps u into 0 .. last; on a border it stays the border. */
static __device__ int wrapped(int u, int last)
{
    return u < 0 ? u + last : u > last ? u - last : u;
}

/* Loads the coarsest depth with its ring. `points` has all points of that depth, or is NULL at
   depth 0. (x0, y0) is the tile's first point. */
static __device__ void begin(const known &k, sheet s, const float *points, int depth, int x0,
                             int y0)
{
    const int last = 1 << depth;
    for (places p(s.m + 3); p.y < s.m + 3; p.next()) {
        const int x = p.x - 1, y = p.y - 1;
        if (!k.has(depth, x0 + x, y0 + y)) continue;
        const int u = wrapped(x0 + x, last), v = wrapped(y0 + y, last);
        *s.point(x, y) = points ? points[(ptrdiff_t)v * (last + 1) + u] : k.height(0, u, v, 0.0f);
    }
}

/* Makes the points that stay from the coarser depth, and the square centres. */
static __device__ void squares(const known &k, sheet from, sheet to, int depth, int x0, int y0)
{
    for (places p(from.m + 3); p.y < from.m + 3; p.next()) {
        const float *c = from.point(p.x - 1, p.y - 1);
        const int x = 2 * p.x - 2, y = 2 * p.y - 2, u = x0 + x, v = y0 + y;
        if (k.has(depth, u, v)) *to.point(x, y) = *c;
        if (p.x == from.m + 2 || p.y == from.m + 2 || !k.has(depth, u + 1, v + 1)) continue;
        const float mean = otok_midpoint_square(c[0], c[1], c[from.pitch], c[from.pitch + 1]);
        *to.point(x + 1, y + 1) = k.height(depth, u + 1, v + 1, mean);
    }
}

/* Makes the diamond centres; ring: 1 or 0. */
static __device__ void diamonds(const known &k, sheet s, int ring, int depth, int x0, int y0)
{
    const otok_midpoint_neighbours to = {-1, 1, -s.pitch, s.pitch};
    for (places p(s.m / 2 + 1 + ring); p.y <= s.m + 2 * ring; p.next()) {
        const int y = p.y - ring, x = 2 * p.x + (y % 2 == 0 ? 1 - 2 * ring : 0), u = x0 + x,
                  v = y0 + y;
        if (x > s.m + ring || !k.has(depth, u, v)) continue;
        float *at = s.point(x, y);
        *at = k.height(depth, u, v, otok_midpoint_diamond_mean(&k.l, at, to, depth, u, v));
    }
}

/* Makes depths from + 1 .. to of a lattice. `map` takes the points of depth `to` that it has cells
   for. */
static __global__ void __launch_bounds__(THREADS)
    grow(const otok_base_plan *plan, const __grid_constant__ otok_midpoint_fill l,
         const float *points, int from, int to, otok_base_map map, int pitch)
{
    __shared__ float fine[FINE * FINE], coarse[COARSE * COARSE];
    const int n = 1 << (to < FIRST ? to : FIRST), bx = (int)blockIdx.x, by = (int)blockIdx.y;
    if (bx * n >= map.x0 + map.nx || by * n >= map.y0 + map.ny || (bx + 1) * n < map.x0 ||
        (by + 1) * n < map.y0)
        return;
    const known k = {l, {plan->seed[0], plan->seed[1]}, plan->table};
    float *memory = (to - from) % 2 ? coarse : fine;
    int m = n >> (to - from);
    begin(k, sheet(memory, m), points, from, bx * m, by * m);
    for (int depth = from + 1; depth <= to; depth++, m *= 2) {
        float *const before = memory;
        memory = before == fine ? coarse : fine;
        __syncthreads();
        squares(k, sheet(before, m), sheet(memory, 2 * m), depth, bx * 2 * m, by * 2 * m);
        __syncthreads();
        diamonds(k, sheet(memory, 2 * m), depth < to, depth, bx * 2 * m, by * 2 * m);
    }
    __syncthreads();
    const int wide = n + (bx == (int)gridDim.x - 1), high = n + (by == (int)gridDim.y - 1);
    for (places p(wide); p.y < high; p.next()) {
        const int i = bx * n + p.x - map.x0, j = by * n + p.y - map.y0;
        if (i >= 0 && i < map.nx && j >= 0 && j < map.ny)
            map.at[(ptrdiff_t)j * pitch + i] = *sheet(memory, n).point(p.x, p.y);
    }
}

static otok_base_map whole(int depth, float *at)
{
    const int side = (1 << depth) + 1;
    const otok_base_map map = {0, 0, side, side, at};
    return map;
}

static int first_depth(int levels)
{
    return levels <= FIRST ? levels : first_depth(levels - DEPTHS);
}

size_t otok_cuda_midpoint_scratch(const otok_midpoint_fill *l)
{
    size_t numbers = 0;
    for (int depth = first_depth(l->levels); depth < l->levels; depth += DEPTHS)
        numbers += (size_t)whole(depth, NULL).nx * (size_t)whole(depth, NULL).ny;
    return numbers;
}

cudaError_t otok_cuda_midpoint_fill(const otok_base_plan *plan, const otok_midpoint_fill *l,
                                    otok_base_map map, int pitch, float *scratch,
                                    cudaStream_t stream)
{
    const float *points = NULL;
    for (int from = 0, to = first_depth(l->levels); to <= l->levels; from = to, to += DEPTHS) {
        const unsigned tiles = to > FIRST ? 1u << (to - FIRST) : 1u;
        const otok_base_map out = to == l->levels ? map : whole(to, scratch);
        grow<<<dim3(tiles, tiles), THREADS, 0, stream>>>(plan, *l, points, from, to, out,
                                                         to == l->levels ? pitch : out.nx);
        points = scratch;
        scratch += (size_t)out.nx * (size_t)out.ny;
    }
    return cudaGetLastError();
}

cudaError_t otok_cuda_midpoint_load(void)
{
    cudaFuncAttributes loaded;
    return cudaFuncGetAttributes(&loaded, grow);
}
