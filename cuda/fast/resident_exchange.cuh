/* resident_exchange.cuh: how resident kernels exchange the cells near the borders of their tiles
   (see resident.cuh). */
#ifndef OTOK_RESIDENT_EXCHANGE_CUH
#define OTOK_RESIDENT_EXCHANGE_CUH

#include "resident.cuh"

#ifndef OTOK_CUDA_EMULATED
static __device__ inline void otok_store_packet(uint4 *to, uint64_t low, uint64_t high)
{
    asm volatile(
        "{ .reg .b128 m; mov.b128 m, {%1, %2}; st.relaxed.gpu.global.b128 [%0], m; }" ::"l"(to),
        "l"(low), "l"(high)
        : "memory");
}

static __device__ inline void otok_load_packet(const uint4 *from, uint64_t &low, uint64_t &high)
{
    asm volatile("{ .reg .b128 m; ld.relaxed.gpu.global.b128 m, [%2]; mov.b128 {%0, %1}, m; }"
                 : "=l"(low), "=l"(high)
                 : "l"(from)
                 : "memory");
}
#endif

/* A packet is one access of 16 bytes (.b128): three values and their tag. The compiler could still
   fetch it in parts if a word were not used. Therefore the tag is mixed into all words, and a
   packet of which only a part is new has no valid tag. */
static __device__ inline void otok_send(uint4 *to, float x, float y, float z, unsigned tag)
{
    const unsigned a = __float_as_uint(x), b = __float_as_uint(y), c = __float_as_uint(z),
                   d = tag ^ (a ^ b ^ c);
    const uint64_t low = (uint64_t)b << 32 | a, high = (uint64_t)d << 32 | c;
    otok_store_packet(to, low, high);
}

/* Reads the packet as it is now. */
static __device__ inline uint4 otok_peek(const uint4 *from)
{
    uint64_t low, high;
    otok_load_packet(from, low, high);
    return make_uint4((unsigned)low, (unsigned)(low >> 32), (unsigned)high, (unsigned)(high >> 32));
}

static __device__ inline unsigned otok_tag_of(uint4 m)
{
    return m.w ^ m.x ^ m.y ^ m.z;
}

/* Sends a cell that is also another tile's neighbour beyond the opposite side of a periodic grid.
   `from` is the number of its packet in the plane. */
static __device__ inline void otok_send_around(const otok_resident &a, unsigned from, uint4 *plane,
                                               float x, float y, float z, unsigned tag)
{
    const int h = a.halo, nx = a.v.nx, ny = a.v.ny, i = (int)from % a.pitch,
              j = (int)from / a.pitch; /* counted from the halo's corner */
    const int first_i = a.wraps_x ? i % nx : i, first_j = a.wraps_y ? j % ny : j;
#pragma unroll 1
    for (int to_j = first_j; to_j < ny + 2 * h; to_j += ny)
#pragma unroll 1
        for (int to_i = first_i; to_i < nx + 2 * h; to_i += nx)
            otok_send(plane + to_j * a.pitch + to_i, x, y, z, tag);
}

/* Sends the cells that are in the halo of other tiles. */
template <int R>
static __device__ inline void otok_send_cells(const otok_resident &a, const otok_cells<R> &p,
                                              uint4 *plane, const float (&x)[R][OTOK_COLUMNS],
                                              const float (&y)[R][OTOK_COLUMNS],
                                              const float (&z)[R][OTOK_COLUMNS], unsigned tag)
{
    uint4 *to = plane + p.from;
    otok_opaque(to);
#pragma unroll
    for (int number = 0; number < R * OTOK_COLUMNS; number++) {
        const int r = number / OTOK_COLUMNS, c = number % OTOK_COLUMNS;
        if (otok_is(p, OTOK_SEND, number))
            otok_send(to + r * a.pitch + c, x[r][c], y[r][c], z[r][c], tag);
    }
    if (!a.wraps_x && !a.wraps_y) return;
#pragma unroll
    for (int number = 0; number < R * OTOK_COLUMNS; number++) {
        const int r = number / OTOK_COLUMNS, c = number % OTOK_COLUMNS;
        if (otok_is(p, OTOK_SEND, number))
            otok_send_around(a, p.from + (unsigned)(r * a.pitch + c), plane, x[r][c], y[r][c],
                             z[r][c], tag);
    }
}

/* Waits for packets: those of its own cells, and those of the row that it also receives, whose
   first two values go to shared memory. As little as possible happens between two polls: addresses
   are computed before, all loads start before the first returns, and the warp polls together until
   all have come. */
template <int R, bool TWO>
static __device__ inline void otok_receive(const uint4 *plane, int pitch, const otok_cells<R> &p,
                                           unsigned tag, float (&x)[R][OTOK_COLUMNS],
                                           float (&y)[R][OTOK_COLUMNS], float (&z)[R][OTOK_COLUMNS],
                                           float *far_x, float *far_y)
{
    const uint4 *from[R], *far_from = NULL;
#pragma unroll
    for (int r = 0; r < R; r++) {
        from[r] = plane + (p.from + (unsigned)(r * pitch));
        otok_opaque(from[r]);
    }
    if (p.far) {
        far_from = plane + (p.from + (unsigned)(p.far / OTOK_SLOTS * pitch));
        otok_opaque(far_from);
    }
    uint4 m[R][OTOK_COLUMNS], f[OTOK_COLUMNS];
    unsigned wrong;
    do {
        wrong = 0;
#pragma unroll
        for (int r = 0; r < R; r++)
#pragma unroll
            for (int c = 0; c < OTOK_COLUMNS; c++)
                if (otok_is(p, OTOK_RECEIVE, r * OTOK_COLUMNS + c))
                    m[r][c] = otok_peek(from[r] + c);
        if (p.far)
#pragma unroll
            for (int c = 0; c < OTOK_COLUMNS; c++)
                if (!otok_is(p, OTOK_OUTSIDE, c)) f[c] = otok_peek(far_from + c);
#pragma unroll
        for (int r = 0; r < R; r++)
#pragma unroll
            for (int c = 0; c < OTOK_COLUMNS; c++)
                if (otok_is(p, OTOK_RECEIVE, r * OTOK_COLUMNS + c))
                    wrong |= otok_tag_of(m[r][c]) ^ tag;
        if (p.far)
#pragma unroll
            for (int c = 0; c < OTOK_COLUMNS; c++)
                if (!otok_is(p, OTOK_OUTSIDE, c)) wrong |= otok_tag_of(f[c]) ^ tag;
    } while (__any_sync(0xffffffffu, wrong != 0));
#pragma unroll
    for (int r = 0; r < R; r++)
#pragma unroll
        for (int c = 0; c < OTOK_COLUMNS; c++)
            if (otok_is(p, OTOK_RECEIVE, r * OTOK_COLUMNS + c)) {
                x[r][c] = __uint_as_float(m[r][c].x);
                y[r][c] = __uint_as_float(m[r][c].y);
                z[r][c] = __uint_as_float(m[r][c].z);
            }
    if (p.far)
#pragma unroll
        for (int c = 0; c < OTOK_COLUMNS; c++)
            if (!otok_is(p, OTOK_OUTSIDE, c)) {
                far_x[p.far + c] = __uint_as_float(f[c].x);
                if (TWO) far_y[p.far + c] = __uint_as_float(f[c].y);
            }
    __syncwarp();
}

#endif
