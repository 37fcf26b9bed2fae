/* atomics.h: numbers that threads share, for bodies that loops on many threads and kernels call. No
   order of memory comes with them, but by otok_fence. */
#ifndef OTOK_ATOMICS_H
#define OTOK_ATOMICS_H

#include "../model/common.h"

/* Adds; what the number was before. */
OTOK_FN uint32_t otok_atomic_add(uint32_t *at, uint32_t more)
{
#ifdef __CUDA_ARCH__
    return atomicAdd(at, more);
#else
    return __atomic_fetch_add(at, more, __ATOMIC_RELAXED);
#endif
}

/* Makes a number this one, if this is less. Reads first: others may have written less. */
OTOK_FN void otok_atomic_lower(uint64_t *at, uint64_t to)
{
#ifdef __CUDA_ARCH__
    if (to < *(volatile uint64_t *)at) atomicMin((unsigned long long *)at, (unsigned long long)to);
#else
    uint64_t was = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (to < was &&
           !__atomic_compare_exchange_n(at, &was, to, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
#endif
}

/* What this thread has read and written before comes before what follows, for all. */
OTOK_FN void otok_fence(void)
{
#ifdef __CUDA_ARCH__
    __threadfence();
#else
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
#endif
}

#endif
