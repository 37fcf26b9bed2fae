/* resident_barriers.cuh: barriers in shared memory (mbarriers), at which a warp waits only for the
   two warps beside it, because no others read its rows. */
#ifndef OTOK_RESIDENT_BARRIERS_CUH
#define OTOK_RESIDENT_BARRIERS_CUH

#include "../cells.cuh"

#ifdef OTOK_CUDA_EMULATED
typedef uintptr_t otok_warp_barrier;
#else
typedef unsigned otok_warp_barrier; /* an address in shared memory */

static __device__ inline otok_warp_barrier otok_warp_barrier_of(uint64_t *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}

/* Hides from the compiler how the barrier was found, so that nothing else has to wait in
   registers. */
static __device__ inline void otok_warp_barrier_keep(otok_warp_barrier &barrier)
{
    asm volatile("" : "+r"(barrier));
}

static __device__ inline void otok_warp_barrier_init(otok_warp_barrier barrier)
{
    asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(barrier) : "memory");
}

static __device__ inline void otok_warp_barrier_arrive(otok_warp_barrier barrier)
{
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(barrier) : "memory");
}

/* Has the phase with this parity ended, that is, have all lanes arrived once more? */
static __device__ inline bool otok_warp_barrier_passed(otok_warp_barrier barrier, unsigned parity)
{
    unsigned open;
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
#else
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
#endif
        : "=r"(open)
        : "r"(barrier), "r"(parity)
        : "memory");
    return open;
}
#endif

/* A warp has BARRIERS >= 2 barriers and uses them in turn, because the warp beside it may be one
   phase behind. That warp has passed a barrier before this warp arrives at it again, because this
   warp waits for it at another barrier in between. */
template <int BARRIERS> struct otok_warp_barriers {
    otok_warp_barrier own; /* its lowest bits mark the first and the last warp */
};

enum { OTOK_FIRST_WARP = 1, OTOK_LAST_WARP = 2 };

/* `all`: BARRIERS for each warp, in shared memory. The caller must follow with a barrier of the
   block. */
template <int BARRIERS>
static __device__ inline otok_warp_barriers<BARRIERS> otok_warp_barriers_init(uint64_t *all)
{
    static_assert(BARRIERS >= 2, "by turns");
    const int warp = (int)threadIdx.x / 32;
    const int first = warp == 0 ? (int)OTOK_FIRST_WARP : 0,
              last = warp == (int)blockDim.x / 32 - 1 ? (int)OTOK_LAST_WARP : 0;
    otok_warp_barriers<BARRIERS> d = {otok_warp_barrier_of(all + BARRIERS * warp)};
    for (int n = 0; n < BARRIERS && threadIdx.x % 32 == 0; n++)
        otok_warp_barrier_init(d.own + (otok_warp_barrier)(8 * n));
    d.own += (otok_warp_barrier)(first + last);
    otok_warp_barrier_keep(d.own);
    return d;
}

/* All warps call the next two functions for `barrier` 0 .. BARRIERS - 1 in turn, first with `times`
   0, then again from 0 with 1, 2 ... Between the two calls a warp may do what needs nothing from
   the warps beside it. */

/* Signals that this warp has come so far: the warps beside may read what it has stored, and its own
   lanes what they have stored. Each lane arrives for itself. One arrival for all lanes would not be
   faster, and compute-sanitizer would count only that lane's stores as synchronised. */
template <int BARRIERS>
static __device__ inline void otok_arrive(const otok_warp_barriers<BARRIERS> &d, int barrier)
{
    otok_warp_barrier packed = d.own;
    otok_warp_barrier_keep(packed);
    __syncwarp();
    otok_warp_barrier_arrive((packed & ~(otok_warp_barrier)7) + (otok_warp_barrier)(8 * barrier));
}

/* Waits until the warps beside have come as far; then this warp may read what they have stored. */
template <int BARRIERS>
static __device__ inline void otok_wait(const otok_warp_barriers<BARRIERS> &d, int barrier,
                                        int times)
{
    const unsigned parity = (unsigned)times & 1;
    otok_warp_barrier packed = d.own;
    otok_warp_barrier_keep(packed);
    const otok_warp_barrier own = packed & ~(otok_warp_barrier)7;
    if (!(packed & OTOK_FIRST_WARP))
        while (
            !otok_warp_barrier_passed(own + (otok_warp_barrier)(8 * (barrier - BARRIERS)), parity))
            ;
    if (!(packed & OTOK_LAST_WARP))
        while (
            !otok_warp_barrier_passed(own + (otok_warp_barrier)(8 * (barrier + BARRIERS)), parity))
            ;
}

template <int BARRIERS>
static __device__ inline void otok_arrive_and_wait(const otok_warp_barriers<BARRIERS> &d,
                                                   int barrier, int times)
{
    otok_arrive(d, barrier);
    otok_wait(d, barrier, times);
}

#endif
