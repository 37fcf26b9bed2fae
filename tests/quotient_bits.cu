/* quotient_bits.cu: the straight quotients and roots of model/common.h have the bits of IEEE
   division and root on this device: roots and a quarter to the whole of every float, quotients of
   4e10 drawn pairs, denormals and neighbours among them. Compiled and run by tests/gpu. */
#include "model/common.h"

#include <stdio.h>

static __device__ unsigned long long wrong[2];

static __device__ uint64_t mix(uint64_t z) /* SplitMix64 */
{
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static __global__ void roots(void)
{
    for (uint64_t n = blockIdx.x * blockDim.x + threadIdx.x; n < 0x7f800000u;
         n += gridDim.x * blockDim.x) {
        const float x = __uint_as_float((unsigned)n);
        if (__float_as_uint(otok_root(x)) != __float_as_uint(__fsqrt_rn(x)))
            atomicAdd(&wrong[0], 1ull);
        for (float few = 1.0f; few <= 4.0f; few += 1.0f)
            if (__float_as_uint(otok_quotient_few(x, few)) != __float_as_uint(__fdiv_rn(x, few)))
                atomicAdd(&wrong[1], 1ull);
    }
}

/* The digits of a float, and an exponent from -49 to 49. */
static __device__ float of_middle_size(unsigned a)
{
    return __uint_as_float((a & 0x7fffffu) | (78u + (a >> 23) % 99u) << 23);
}

static __global__ void quotients(uint64_t pairs)
{
    for (uint64_t n = blockIdx.x * blockDim.x + threadIdx.x; n < pairs;
         n += gridDim.x * blockDim.x) {
        const uint64_t drawn = mix(n);
        unsigned a = (unsigned)drawn & 0x7fffffffu, b = (unsigned)(drawn >> 32) & 0x7fffffffu;
        switch (n % 8) {
        case 1: a &= 0x00ffffffu; break;
        case 2: b &= 0x00ffffffu; break;
        case 3: a &= 0x00ffffffu, b &= 0x00ffffffu; break;
        case 4: a &= 0x3f8fffffu, b = 0x3f800000u | (b & 0x7fffffu); break;
        case 5: b = (a & 0x7f800000u) | (b & 0x7fffffu); break;
        case 6: a &= 0x7f800007u; break;
        case 7: a &= 0x7f0fffffu, b = (a + (b & 0x03ffffffu)) & 0x7fffffffu; break;
        default: break;
        }
        if (a >= 0x7f800000u || b >= 0x7f800000u || b == 0) continue;
        const float x = __uint_as_float(a), y = __uint_as_float(b);
        if (__float_as_uint(otok_quotient(x, y)) != __float_as_uint(__fdiv_rn(x, y)))
            atomicAdd(&wrong[1], 1ull);
        const float p = of_middle_size(a), q = of_middle_size(b);
        if (__float_as_uint(otok_quotient_of_normal(p, q)) != __float_as_uint(__fdiv_rn(p, q)))
            atomicAdd(&wrong[1], 1ull);
    }
}

int main(void)
{
    unsigned long long found[2] = {1, 1};
    roots<<<1320, 256>>>();
    quotients<<<1320, 256>>>(40000000000u);
    const cudaError_t error = cudaMemcpyFromSymbol(found, wrong, sizeof found);
    if (error != cudaSuccess) printf("error: %s\n", cudaGetErrorString(error));
    if (found[0] || found[1])
        printf("error: %llu roots and %llu quotients differ\n", found[0], found[1]);
    return error != cudaSuccess || found[0] || found[1];
}
