/* host.h: what the parts of the emulation's host side share. */
#ifndef OTOK_EMULATION_HOST_H
#define OTOK_EMULATION_HOST_H

#include <cuda_runtime.h>

#include <functional>

namespace emulated
{
typedef std::function<void()> task;

/* Keeps the error for cudaGetLastError, and returns it. */
cudaError_t failed(cudaError_t error);

/* Carries a task out, or records it if the stream is captured. */
cudaError_t submit(cudaStream_t stream, task t);
} // namespace emulated

#endif
