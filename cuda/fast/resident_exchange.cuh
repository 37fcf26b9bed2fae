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
    otok_store_packet(to, (uint64_t)b << 32 | a, (uint64_t)d << 32 | c);
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
static __device__ inline void otok_send_images(const otok_resident &a, unsigned from, int parity,
                                               float x, float y, float z, unsigned tag)
{
    const int h = a.halo, nx = a.v.nx, ny = a.v.ny, i = (int)from % a.pitch,
              j = (int)from / a.pitch; /* counted from the halo's corner */
    const int first_i = a.wraps_x ? i % nx : i, first_j = a.wraps_y ? j % ny : j;
    const int step_i = a.wraps_x ? nx : nx + 2 * h, step_j = a.wraps_y ? ny : ny + 2 * h;
    uint4 *const plane = a.packets + parity * a.plane;
#pragma unroll 1
    for (int to_i = first_i; to_i < nx + 2 * h; to_i += step_i)
#pragma unroll 1
        for (int to_j = first_j; to_j < ny + 2 * h; to_j += step_j)
            otok_send(plane + to_j * a.pitch + to_i, x, y, z, tag);
}

/* The same for all cells of a thread. It is seldom needed, and short rather than fast: a kernel's
   instructions have to fit into their cache. */
template <int R>
static __device__ inline void otok_send_all_images(const otok_resident &a, const otok_cells<R> &p,
                                                   int parity, const float (&x)[R][OTOK_COLUMNS],
                                                   const float (&y)[R][OTOK_COLUMNS],
                                                   const float (&z)[R][OTOK_COLUMNS], unsigned tag)
{
#pragma unroll 1
    for (int number = 0; number < R * OTOK_COLUMNS; number++) {
        if (!otok_is(p, OTOK_SEND, number)) continue;
        float cell[3] = {x[0][0], y[0][0], z[0][0]};
#pragma unroll
        for (int n = 1; n < R * OTOK_COLUMNS; n++) {
            const int r = n / OTOK_COLUMNS, c = n % OTOK_COLUMNS;
            cell[0] = number == n ? x[r][c] : cell[0];
            cell[1] = number == n ? y[r][c] : cell[1];
            cell[2] = number == n ? z[r][c] : cell[2];
        }
        otok_send_images(
            a, p.from + (unsigned)(number / OTOK_COLUMNS * a.pitch + number % OTOK_COLUMNS), parity,
            cell[0], cell[1], cell[2], tag);
    }
}

/* Sends the cells that are in the halo of other tiles. */
template <int R>
static __device__ inline void otok_send_cells(const otok_resident &a, const otok_cells<R> &p,
                                              int parity, const float (&x)[R][OTOK_COLUMNS],
                                              const float (&y)[R][OTOK_COLUMNS],
                                              const float (&z)[R][OTOK_COLUMNS], unsigned tag)
{
    uint4 *to = a.packets + parity * a.plane + p.from;
    otok_opaque(to);
#pragma unroll
    for (int number = 0; number < R * OTOK_COLUMNS; number++) {
        const int r = number / OTOK_COLUMNS, c = number % OTOK_COLUMNS;
        if (otok_is(p, OTOK_SEND, number))
            otok_send(to + r * a.pitch + c, x[r][c], y[r][c], z[r][c], tag);
    }
    if (a.wraps_x || a.wraps_y) otok_send_all_images(a, p, parity, x, y, z, tag);
}

/* Waits for the packets of a plane: those of its own cells, of which put(n, r, c, v) stores value
   n, and with FAR those of the row that it also receives, whose first two values go to shared
   memory. As little as possible happens between two polls: addresses are computed before, all loads
   start before the first returns, and the warp polls together until all have come. */
template <bool FAR, int R, class PUT>
static __device__ inline void otok_receive(const otok_resident &a, int plane,
                                           const otok_cells<R> &p, unsigned tag, PUT put,
                                           float *far_x = NULL, float *far_y = NULL)
{
    const uint4 *const all = a.packets + plane * a.plane, *from[R], *far_from = NULL;
    const bool far = FAR && p.far;
    unsigned wrong;
    uint4 m[R][OTOK_COLUMNS], f[OTOK_COLUMNS];
#pragma unroll
    for (int r = 0; r < R; r++) {
        from[r] = all + (p.from + (unsigned)(r * a.pitch));
        otok_opaque(from[r]);
    }
    if (far) {
        far_from = all + (p.from + (unsigned)(p.far / OTOK_SLOTS * a.pitch));
        otok_opaque(far_from);
    }
    do {
        wrong = 0;
#pragma unroll
        for (int at = 0; at < R * OTOK_COLUMNS; at++)
            if (otok_is(p, OTOK_RECEIVE, at))
                m[at / OTOK_COLUMNS][at % OTOK_COLUMNS] =
                    otok_peek(from[at / OTOK_COLUMNS] + at % OTOK_COLUMNS);
#pragma unroll
        for (int c = 0; far && c < OTOK_COLUMNS; c++)
            if (!otok_is(p, OTOK_OUTSIDE, c)) f[c] = otok_peek(far_from + c);
#pragma unroll
        for (int at = 0; at < R * OTOK_COLUMNS; at++)
            if (otok_is(p, OTOK_RECEIVE, at))
                wrong |= otok_tag_of(m[at / OTOK_COLUMNS][at % OTOK_COLUMNS]) ^ tag;
#pragma unroll
        for (int c = 0; far && c < OTOK_COLUMNS; c++)
            if (!otok_is(p, OTOK_OUTSIDE, c)) wrong |= otok_tag_of(f[c]) ^ tag;
    } while (__any_sync(0xffffffffu, wrong != 0));
#pragma unroll
    for (int at = 0; at < R * OTOK_COLUMNS; at++) {
        const int r = at / OTOK_COLUMNS, c = at % OTOK_COLUMNS;
        if (!otok_is(p, OTOK_RECEIVE, at)) continue;
        put(0, r, c, __uint_as_float(m[r][c].x));
        put(1, r, c, __uint_as_float(m[r][c].y));
        put(2, r, c, __uint_as_float(m[r][c].z));
    }
#pragma unroll
    for (int c = 0; far && c < OTOK_COLUMNS; c++)
        if (!otok_is(p, OTOK_OUTSIDE, c)) {
            far_x[p.far + c] = __uint_as_float(f[c].x);
            far_y[p.far + c] = __uint_as_float(f[c].y);
        }
    __syncwarp();
}

#endif
