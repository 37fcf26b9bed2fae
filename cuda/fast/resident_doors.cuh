/* resident_doors.cuh: where warps of a block wait for one another: each only for the two beside it, which alone look at its rows,
   by barriers in shared memory (mbarriers). No physics. */
#ifndef OTOK_RESIDENT_DOORS_CUH
#define OTOK_RESIDENT_DOORS_CUH

#include "../cells.cuh"

#ifdef OTOK_CUDA_EMULATED
typedef uintptr_t otok_door;
#else
typedef unsigned otok_door; /* an address in shared memory */

static __device__ inline otok_door otok_door_of(uint64_t *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}

/* Hides from the compiler how the door was found, so that nothing else waits in registers. */
static __device__ inline void otok_door_keep(otok_door &door)
{
    asm volatile("" : "+r"(door));
}

static __device__ inline void otok_door_make(otok_door door)
{
    asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(door) : "memory");
}

static __device__ inline void otok_door_open(otok_door door)
{
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(door) : "memory");
}

/* Was the door opened by all lanes once more than the times whose last had the other parity? */
static __device__ inline bool otok_door_is_open(otok_door door, unsigned parity)
{
    unsigned open;
#if __CUDA_ARCH__ >= 900
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
#else
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
#endif
                 : "=r"(open)
                 : "r"(door), "r"(parity)
                 : "memory");
    return open;
}
#endif

/* A warp has DOORS >= 2 doors and opens them by turns, for the one beside may be a phase behind: it has passed a door before this
   warp opens that door again, because this warp waits for it at another in between. */
template <int DOORS> struct otok_doors {
    otok_door own; /* and in its lowest bits: of the first warp; of the last */
};

enum { OTOK_FIRST_WARP = 1, OTOK_LAST_WARP = 2 };

/* `all`: DOORS a warp, in shared memory. A barrier of the block must follow. */
template <int DOORS> static __device__ inline otok_doors<DOORS> otok_doors_make(uint64_t *all)
{
    static_assert(DOORS >= 2, "by turns");
    const int warp = (int)threadIdx.x / 32;
    const int first = warp == 0 ? (int)OTOK_FIRST_WARP : 0, last = warp == (int)blockDim.x / 32 - 1 ? (int)OTOK_LAST_WARP : 0;
    otok_doors<DOORS> d = {otok_door_of(all + DOORS * warp)};
    for (int n = 0; n < DOORS && threadIdx.x % 32 == 0; n++)
        otok_door_make(d.own + (otok_door)(8 * n));
    d.own += (otok_door)(first + last);
    otok_door_keep(d.own);
    return d;
}

/* All warps call the next two for `door` 0 .. DOORS - 1 by turns, with `round` 0, and from 0 again with 1, 2 ... What needs nothing
   of the warps beside may stand between them. */

/* This warp has come so far: those beside may see what it has stored, and its lanes what they have. Each lane opens for itself: one
   for all is no faster, and compute-sanitizer takes its stores alone for handed over. */
template <int DOORS> static __device__ inline void otok_open(const otok_doors<DOORS> &d, int door)
{
    otok_door packed = d.own;
    otok_door_keep(packed);
    __syncwarp();
    otok_door_open((packed & ~(otok_door)7) + (otok_door)(8 * door));
}

/* The warps beside have come as far, and this one sees what they have stored. */
template <int DOORS> static __device__ inline void otok_wait(const otok_doors<DOORS> &d, int door, int round)
{
    const unsigned parity = (unsigned)round & 1;
    otok_door packed = d.own;
    otok_door_keep(packed);
    const otok_door own = packed & ~(otok_door)7;
    if (!(packed & OTOK_FIRST_WARP))
        while (!otok_door_is_open(own + (otok_door)(8 * (door - DOORS)), parity))
            ;
    if (!(packed & OTOK_LAST_WARP))
        while (!otok_door_is_open(own + (otok_door)(8 * (door + DOORS)), parity))
            ;
}

template <int DOORS> static __device__ inline void otok_meet(const otok_doors<DOORS> &d, int door, int round)
{
    otok_open(d, door);
    otok_wait(d, door, round);
}

#endif
