/* clock.cuh: an interval on the device's own clock. */
#ifndef OTOK_CLOCK_CUH
#define OTOK_CLOCK_CUH

#include "cuda.h"

namespace
{
struct otok_events {
    cudaEvent_t before, after;

    otok_events() : before(NULL), after(NULL)
    {
    }
    ~otok_events()
    {
        if (before) cudaEventDestroy(before);
        if (after) cudaEventDestroy(after);
    }
};
} // namespace

static inline otok_status otok_events_create(otok_events *e)
{
    CUDA_TRY(cudaEventCreate(&e->before));
    CUDA_TRY(cudaEventCreate(&e->after));
    return OTOK_OK;
}

/* Waits for the second event. */
static inline otok_status otok_events_elapsed(const otok_events *e, double *seconds)
{
    float ms;
    CUDA_TRY(cudaEventSynchronize(e->after));
    CUDA_TRY(cudaEventElapsedTime(&ms, e->before, e->after));
    *seconds = 1e-3 * (double)ms;
    return OTOK_OK;
}

#endif
