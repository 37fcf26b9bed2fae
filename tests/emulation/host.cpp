/* host.cpp: the host's side of the emulation: devices, streams, events, graphs, launches; memory is
   in memory.cpp. There is one device, or as many as the environment variable OTOK_EMULATED_DEVICES
   says. */
#include "host.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <mutex>
#include <vector>

using emulated::failed;
using emulated::submit;
using emulated::task;

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
std::mutex lock;                            /* of most_shared */
std::map<const void *, size_t> most_shared; /* of a kernel, where it was set */
thread_local cudaError_t last = cudaSuccess;
thread_local int present; /* the device in use */

} // namespace

cudaError_t emulated::failed(cudaError_t error)
{
    last = error;
    return error;
}

cudaError_t emulated::submit(cudaStream_t stream, task t)
{
    if (stream && stream->recorded)
        stream->recorded->tasks.push_back(std::move(t));
    else
        t();
    return cudaSuccess;
}

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
