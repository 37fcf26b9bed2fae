/* cuda_runtime.h: as much of CUDA as cuda/ uses, carried out by CPUs, so that kernels run where
   there is no GPU. For tests only, and slow. A build with OTOK_CUDA_EMULATED finds it in the place
   of the toolkit's header; launches and shared memory of a size that the launch says were rewritten
   by rewrite.sed. A thread of a block is a fiber, which runs until it waits for others; blocks run
   one after another, those of a cooperative launch at once, each on a thread of the system. Streams
   obey at once. */
#ifndef OTOK_EMULATION_CUDA_RUNTIME_H
#define OTOK_EMULATION_CUDA_RUNTIME_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <tuple>

#define __global__
#define __device__
#define __host__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __shared__ thread_local /* no two blocks share a thread of the system at a time */

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;

    constexpr dim3(unsigned width = 1, unsigned height = 1, unsigned depth = 1)
        : x(width), y(height), z(depth)
    {
    }
};
struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};

inline float4 make_float4(float x, float y, float z, float w)
{
    return {x, y, z, w};
}

inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w)
{
    return {x, y, z, w};
}

inline thread_local uint3 threadIdx, blockIdx;
inline thread_local dim3 blockDim, gridDim;

#include "cuda_host.h"

/* ---- a launch ---- */
namespace emulated
{
struct shape {
    const void *kernel;
    dim3 grid, block;
    size_t shared;
    bool together; /* cooperative */
};

/* Does it now, or when the graph that the stream records is launched; `thread` is what every thread
 * does. */
cudaError_t launch(const shape &s, cudaStream_t stream, std::function<void()> thread);
void carry_out(const shape &s, const std::function<void()> &thread);

void *shared_memory();

template <class... P> struct launcher {
    void (*kernel)(P...);
    shape how;
    cudaStream_t stream;

    void operator()(P... p) const
    {
        void (*const code)(P...) = kernel;
        launch(how, stream, [=] { code(p...); });
    }
};

template <class... P>
launcher<P...> launch_of(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared = 0,
                         cudaStream_t stream = nullptr)
{
    return {kernel, {(const void *)kernel, grid, block, shared, false}, stream};
}

template <class... P, size_t... N>
std::tuple<P...> arguments_of(void **arguments, std::index_sequence<N...>)
{
    return std::tuple<P...>(*(P *)arguments[N]...);
}
} // namespace emulated

template <class... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                        void **arguments, size_t shared, cudaStream_t stream)
{
    const auto copies = emulated::arguments_of<P...>(arguments, std::index_sequence_for<P...>());
    return emulated::launch({(const void *)kernel, grid, block, shared, true}, stream,
                            [=] { std::apply(kernel, copies); });
}

template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *how, void (*kernel)(P...),
                               const A &...arguments)
{
    return emulated::launch(
        {(const void *)kernel, how->gridDim, how->blockDim, how->dynamicSmemBytes, false},
        how->stream, [=] { kernel(arguments...); });
}

inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *, void **)
{
    return cudaErrorInvalidConfiguration;
}

/* ---- the device's side ---- */
namespace emulated
{
void yield();              /* lets others run, in a loop that waits for what they store */
void sync_grid();          /* all threads of a cooperative launch */
bool sync_block(bool any); /* the others' `any` too */
void sync_warp();
uint64_t shuffle(uint64_t value,
                 int from_lane); /* the value of that lane, or its own where there is none */
[[noreturn]] void fail(const char *why);

template <class T> T shuffle_by(unsigned mask, T value, int distance)
{
    uint64_t bits = 0;
    if (mask != 0xffffffffu) fail("a shuffle among a part of a warp");
    memcpy(&bits, &value, sizeof value);
    bits = shuffle(
        bits, (int)((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32) +
                  distance);
    memcpy(&value, &bits, sizeof value);
    return value;
}
} // namespace emulated

using std::max;
using std::min;

inline void __syncthreads()
{
    emulated::sync_block(false);
}

inline int __syncthreads_or(int any)
{
    return emulated::sync_block(any != 0);
}

inline void __syncwarp(unsigned mask = 0xffffffffu)
{
    if (mask != 0xffffffffu) emulated::fail("a barrier of a part of a warp");
    emulated::sync_warp();
}

template <class T> T __shfl_up_sync(unsigned mask, T value, unsigned distance)
{
    return emulated::shuffle_by(mask, value, -(int)distance);
}

template <class T> T __shfl_down_sync(unsigned mask, T value, unsigned distance)
{
    return emulated::shuffle_by(mask, value, (int)distance);
}

template <class T> T __shfl_sync(unsigned mask, T value, int lane)
{
    const int own =
        (int)((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32);
    return emulated::shuffle_by(mask, value, (lane & 31) - own);
}

inline unsigned __ballot_sync(unsigned mask, int any)
{
    const unsigned lane =
        (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
    unsigned found = (unsigned)(any != 0) << lane;
    for (unsigned distance = 16; distance > 0; distance /= 2)
        found |= __shfl_down_sync(mask, found, distance);
    for (unsigned distance = 16; distance > 0; distance /= 2)
        found |= __shfl_up_sync(mask, found, distance);
    return found;
}

inline int __any_sync(unsigned mask, int any)
{
    return __ballot_sync(mask, any) != 0;
}

template <class T> T atomicAdd(T *at, T value)
{
    return __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
}

template <class T> T atomicMax(T *at, T value)
{
    T found = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (found < value &&
           !__atomic_compare_exchange_n(at, &found, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return found;
}

template <class T> T atomicMin(T *at, T value)
{
    T found = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (found > value &&
           !__atomic_compare_exchange_n(at, &found, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return found;
}

inline void __threadfence()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

template <class T> T atomicCAS(T *at, T expected, T value)
{
    __atomic_compare_exchange_n(at, &expected, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}

template <class T> T atomicExch(T *at, T value)
{
    return __atomic_exchange_n(at, value, __ATOMIC_RELAXED);
}

/* Of fast/resident_exchange.cuh, which has them in the GPU's own language: 16 bytes to and from
 * other blocks. */
inline void otok_store_packet(uint4 *to, uint64_t low, uint64_t high)
{
    __atomic_store_n((uint64_t *)to, low, __ATOMIC_RELAXED);
    __atomic_store_n((uint64_t *)to + 1, high, __ATOMIC_RELAXED);
}

/* Of cells.cuh: what blocks and patches give each other. */
inline unsigned otok_taken(const unsigned *count)
{
    emulated::yield();
    return __atomic_load_n(count, __ATOMIC_ACQUIRE);
}

inline void otok_give(unsigned *count, unsigned rows)
{
    __atomic_fetch_add(count, rows, __ATOMIC_RELEASE);
}

/* Of fast/resident_barriers.cuh: how often lanes arrived at a barrier. */
inline uintptr_t otok_warp_barrier_of(uint64_t *at)
{
    return (uintptr_t)at;
}

inline void otok_warp_barrier_keep(uintptr_t &)
{
}

inline void otok_warp_barrier_init(uintptr_t barrier)
{
    *(uint64_t *)barrier = 0;
}

inline void otok_warp_barrier_arrive(uintptr_t barrier)
{
    ++*(uint64_t *)barrier;
}

inline bool otok_warp_barrier_passed(uintptr_t barrier, unsigned parity)
{
    emulated::yield();
    return (*(uint64_t *)barrier / 32 & 1) != parity;
}

inline void otok_load_packet(const uint4 *from, uint64_t &low, uint64_t &high)
{
    emulated::yield();
    low = __atomic_load_n((const uint64_t *)from, __ATOMIC_RELAXED);
    high = __atomic_load_n((const uint64_t *)from + 1, __ATOMIC_RELAXED);
}

template <class TO, class FROM> TO emulated_bits(FROM from)
{
    TO to;
    static_assert(sizeof to == sizeof from, "as many bits");
    memcpy(&to, &from, sizeof to);
    return to;
}

template <class T> T __ldg(const T *at)
{
    return *at;
}

inline int __ffs(int x) /* the place of the lowest bit, from 1; 0: none */
{
    return __builtin_ffs(x);
}

inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}

inline unsigned __float_as_uint(float x)
{
    return emulated_bits<unsigned>(x);
}

inline int __float_as_int(float x)
{
    return emulated_bits<int>(x);
}

inline float __uint_as_float(unsigned x)
{
    return emulated_bits<float>(x);
}

inline long long __double_as_longlong(double x)
{
    return emulated_bits<long long>(x);
}

float __fmaf_rz(float a, float b, float c);
double __fma_rz(double a, double b, double c);

inline int __float2int_rz(float x)
{
    return x < 0x1p31f && x >= -0x1p31f ? (int)x : x >= 0x1p31f ? INT32_MAX : INT32_MIN;
}

inline long long __float2ll_rz(float x)
{
    return x < 0x1p63f && x >= -0x1p63f ? (long long)x : x >= 0x1p63f ? INT64_MAX : INT64_MIN;
}

#endif
