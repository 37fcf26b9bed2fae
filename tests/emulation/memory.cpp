/* memory.cpp: memory of the emulated devices. It is the host's, apart in that copies must say
   rightly which is which, or cudaMemcpyDefault; new memory is full of ones, so that values nobody
   stored are NaN. All devices reach each other's memory. */
#include "host.h"

#include <cstdlib>
#include <map>
#include <mutex>

using emulated::failed;
using emulated::submit;

namespace
{
std::mutex lock; /* of device_memory */
struct place {
    size_t bytes;
    int device;
};
std::map<const char *, place> device_memory;
/* Are all of these bytes, or none, on the device as they should be? */
bool is_place(const void *memory, size_t bytes, bool on_device)
{
    const std::lock_guard<std::mutex> hold(lock);
    const char *const at = (const char *)memory;
    auto m = device_memory.upper_bound(at);
    const bool below =
        m != device_memory.begin() && at < std::prev(m)->first + std::prev(m)->second.bytes;
    if (!on_device) return !below && (m == device_memory.end() || at + bytes <= m->first);
    return below && at + bytes <= std::prev(m)->first + std::prev(m)->second.bytes;
}

size_t extent(size_t pitch, size_t width, size_t height)
{
    return width && height ? (height - 1) * pitch + width : 0;
}

int present()
{
    int device = 0;
    cudaGetDevice(&device);
    return device;
}
} // namespace

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *out, const void *pointer)
{
    const std::lock_guard<std::mutex> hold(lock);
    const auto m = device_memory.find((const char *)pointer);
    if (m == device_memory.end()) return failed(cudaErrorInvalidValue);
    out->device = m->second.device;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    *memory = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (posix_memalign(memory, 256, bytes)) return failed(cudaErrorMemoryAllocation);
    memset(*memory, 0xff, bytes);
    const std::lock_guard<std::mutex> hold(lock);
    device_memory[(const char *)*memory] = {bytes, present()};
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
    const std::lock_guard<std::mutex> hold(lock);
    if (memory && !device_memory.erase((const char *)memory)) return failed(cudaErrorInvalidValue);
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void **memory, size_t bytes)
{
    if (posix_memalign(memory, 256, bytes)) return failed(cudaErrorMemoryAllocation);
    memset(*memory, 0xff, bytes);
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void *memory)
{
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *left, size_t *all)
{
    *left = *all = (size_t)1 << 34;
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *memory, int byte, size_t bytes, cudaStream_t stream)
{
    if (!is_place(memory, bytes, true)) return failed(cudaErrorInvalidValue);
    return submit(stream, [=] { memset(memory, byte, bytes); });
}

cudaError_t cudaMemset(void *memory, int byte, size_t bytes)
{
    return cudaMemsetAsync(memory, byte, bytes);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream)
{
    const bool any = kind == cudaMemcpyDefault; /* where its memory lies, not what is said */
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ||
                           (any && is_place(to, 1, true));
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ||
                             (any && is_place(from, 1, true));
    if (!is_place(to, extent(to_pitch, width, height), to_device) ||
        !is_place(from, extent(from_pitch, width, height), from_device) ||
        (height > 1 && (width > to_pitch || width > from_pitch)))
        return failed(cudaErrorInvalidValue);
    return submit(stream, [=] {
        for (size_t row = 0; row < height; row++)
            memcpy((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width);
    });
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, bytes ? 1 : 0, kind, stream);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return cudaMemcpyAsync(to, from, bytes, kind);
}
