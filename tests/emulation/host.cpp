/* host.cpp: the host's side of the emulation: memory, streams, events, graphs, launches. Memory of
   the device is the host's, apart in that copies must say rightly which is which; new memory is
   full of ones, so that values nobody stored are NaN. There is one device, or as many as the
   environment variable OTOK_EMULATED_DEVICES says, which all reach each other's memory. If
   OTOK_EMULATED_SHARED names a file, other processes reach it, too (cudaIpc...), and the file gets
   a letter whenever one opens an allocation of another. */
#include <cuda_runtime.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <mutex>
#include <vector>

typedef std::function<void()> task;

struct emulated_graph {
    std::vector<task> tasks;
};

struct emulated_stream {
    emulated_graph *recorded = nullptr; /* while it is captured */
};

enum { BUSY = 3 }; /* times that a recorded event says that it has not happened yet */

struct emulated_event {
    double ms = 0;
    int asked = BUSY; /* times since it was recorded; before it was, it has happened */
};

namespace
{
std::mutex lock; /* of what follows */
struct place {
    size_t bytes;
    int device;
    int file; /* that other processes map; -1: none */
};
struct shared_file { /* a cudaIpcMemHandle_t */
    int process, file;
    size_t bytes;
};
std::map<const char *, place> device_memory;
std::map<const void *, size_t> most_shared; /* of a kernel, where it was set */
thread_local cudaError_t last = cudaSuccess;
thread_local int present; /* the device in use */

cudaError_t failed(cudaError_t error)
{
    last = error;
    return error;
}

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

cudaError_t submit(cudaStream_t stream, task t)
{
    if (stream && stream->recorded)
        stream->recorded->tasks.push_back(std::move(t));
    else
        t();
    return cudaSuccess;
}

size_t extent(size_t pitch, size_t width, size_t height)
{
    return width && height ? (height - 1) * pitch + width : 0;
}
} // namespace

const char *cudaGetErrorName(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation       ? "cudaErrorMemoryAllocation"
           : error == cudaErrorInvalidConfiguration ? "cudaErrorInvalidConfiguration"
           : error == cudaSuccess                   ? "cudaSuccess"
                                                    : "cudaErrorInvalidValue";
}

const char *cudaGetErrorString(cudaError_t)
{
    return "of the emulation";
}

cudaError_t cudaGetLastError()
{
    const cudaError_t error = last;
    last = cudaSuccess;
    return error;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    const char *const more = getenv("OTOK_EMULATED_DEVICES");
    *count = more ? atoi(more) : 1;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    int count = 0;
    cudaGetDeviceCount(&count);
    if (device < 0 || device >= count) return failed(cudaErrorInvalidValue);
    present = device;
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *out, const void *pointer)
{
    const std::lock_guard<std::mutex> hold(lock);
    const auto m = device_memory.find((const char *)pointer);
    if (m == device_memory.end()) return failed(cudaErrorInvalidValue);
    out->device = m->second.device;
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    *can = device != peer;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr, int device, int peer)
{
    return cudaDeviceCanAccessPeer(value, device, peer);
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned)
{
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = present;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int)
{
    *p = {"no GPU: kernels EMULATED on the CPU, for tests only", 0, 0, (size_t)1 << 34};
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr what, int)
{
    *value = what == cudaDevAttrMultiProcessorCount      ? 12
             : what == cudaDevAttrCooperativeLaunch      ? 1
             : what == cudaDevAttrComputeCapabilityMajor ? 0
             : what == cudaDevAttrL2CacheSize            ? 1 << 26
                                                         : 227 << 10;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = 0;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize()
{
    return cudaSuccess;
}

/* Maps a file of memory and notes it as memory of the device. */
static cudaError_t map_file(void **memory, int file, size_t bytes)
{
    *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (*memory == MAP_FAILED) {
        close(file);
        return failed(cudaErrorMemoryAllocation);
    }
    const std::lock_guard<std::mutex> hold(lock);
    device_memory[(const char *)*memory] = {bytes, present, file};
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    *memory = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (getenv("OTOK_EMULATED_SHARED")) {
        const int file = memfd_create("device", MFD_CLOEXEC);
        if (file < 0 || ftruncate(file, (off_t)bytes)) return failed(cudaErrorMemoryAllocation);
        const cudaError_t error = map_file(memory, file, bytes);
        if (error == cudaSuccess) memset(*memory, 0xff, bytes);
        return error;
    }
    if (posix_memalign(memory, 256, bytes)) return failed(cudaErrorMemoryAllocation);
    memset(*memory, 0xff, bytes);
    const std::lock_guard<std::mutex> hold(lock);
    device_memory[(const char *)*memory] = {bytes, present, -1};
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
    place freed = {0, 0, -1};
    {
        const std::lock_guard<std::mutex> hold(lock);
        const auto m = device_memory.find((const char *)memory);
        if (memory && m == device_memory.end()) return failed(cudaErrorInvalidValue);
        if (memory) {
            freed = m->second;
            device_memory.erase(m);
        }
    }
    if (freed.file < 0) {
        free(memory);
    } else {
        munmap(memory, freed.bytes);
        close(freed.file);
    }
    return cudaSuccess;
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *memory)
{
    const std::lock_guard<std::mutex> hold(lock);
    const auto m = device_memory.find((const char *)memory);
    if (m == device_memory.end() || m->second.file < 0) return failed(cudaErrorInvalidValue);
    const shared_file shared = {(int)getpid(), m->second.file, m->second.bytes};
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &shared, sizeof shared);
    return cudaSuccess;
}

cudaError_t cudaIpcOpenMemHandle(void **memory, cudaIpcMemHandle_t handle, unsigned)
{
    shared_file shared;
    char path[64];
    memcpy(&shared, &handle, sizeof shared);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", shared.process, shared.file);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    const char *note = getenv("OTOK_EMULATED_SHARED");
    if (FILE *f = note ? fopen(note, "a") : nullptr) {
        fputc('o', f);
        fclose(f);
    }
    return file < 0 ? failed(cudaErrorInvalidValue) : map_file(memory, file, shared.bytes);
}

cudaError_t cudaIpcCloseMemHandle(void *memory)
{
    return cudaFree(memory);
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

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    *stream = new emulated_stream();
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int)
{
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned)
{
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode)
{
    stream->recorded = new emulated_graph();
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    *graph = stream->recorded;
    stream->recorded = nullptr;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long)
{
    *exec = new emulated_graph(*graph);
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    for (const task &t : exec->tasks)
        submit(stream, t);
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    delete graph;
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    delete exec;
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
    *event = new emulated_event();
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t)
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    event->asked = 0;
    event->ms = 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return event->asked++ < BUSY ? failed(cudaErrorNotReady) : cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t)
{
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    *ms = (float)(to->ms - from->ms);
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute, int value)
{
    if (value > 227 << 10) return failed(cudaErrorInvalidValue);
    const std::lock_guard<std::mutex> hold(lock);
    most_shared[kernel] = (size_t)value;
    return cudaSuccess;
}

cudaError_t emulated::launch(const shape &s, cudaStream_t stream, task thread)
{
    const dim3 g = s.grid, b = s.block;
    size_t most = 48 << 10;
    {
        const std::lock_guard<std::mutex> hold(lock);
        const auto set = most_shared.find(s.kernel);
        if (set != most_shared.end()) most = std::max(most, set->second);
    }
    if ((uint64_t)b.x * b.y * b.z == 0 || (uint64_t)b.x * b.y * b.z > 1024 ||
        (uint64_t)g.x * g.y * g.z == 0 || g.x > INT32_MAX || g.y > 65535 || g.z > 65535 ||
        s.shared > most)
        return failed(cudaErrorInvalidConfiguration);
    int processors = 0, each = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, (const char *)s.kernel,
                                                  (int)(b.x * b.y * b.z), s.shared);
    if (s.together && (uint64_t)g.x * g.y * g.z > (uint64_t)processors * (uint64_t)each)
        return failed(cudaErrorCooperativeLaunchTooLarge);
    return submit(stream, [=] { carry_out(s, thread); });
}
