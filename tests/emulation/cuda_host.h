/* cuda_host.h: the part of the emulated CUDA that code of the host calls: devices, memory, streams,
   graphs and events. cuda_runtime.h includes it, with the types that it needs before it. */
#ifndef OTOK_EMULATION_CUDA_HOST_H
#define OTOK_EMULATION_CUDA_HOST_H

enum cudaError_t {
    cudaSuccess,
    cudaErrorInvalidValue,
    cudaErrorMemoryAllocation,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInsufficientDriver = 35,
    cudaErrorNoDevice = 100,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorNotReady = 600,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorCooperativeLaunchTooLarge = 720,
};
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
struct cudaPointerAttributes {
    int device;
};
enum cudaDeviceAttr {
    cudaDevAttrMultiProcessorCount,
    cudaDevAttrCooperativeLaunch,
    cudaDevAttrMaxSharedMemoryPerBlockOptin,
    cudaDevAttrComputeCapabilityMajor,
    cudaDevAttrL2CacheSize
};
enum cudaDeviceP2PAttr { cudaDevP2PAttrNativeAtomicSupported };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal };
enum { cudaStreamNonBlocking = 1, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2 };
typedef struct emulated_stream *cudaStream_t;
struct cudaFuncAttributes {
    int ptxVersion; /* 0: there are no clusters */
};
enum cudaLaunchAttributeID {
    cudaLaunchAttributeClusterDimension,
    cudaLaunchAttributeProgrammaticStreamSerialization
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    struct {
        dim3 clusterDim;
        int programmaticStreamSerializationAllowed;
    } val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};
struct cudaDeviceProp {
    char name[256];
    int major, minor;
    size_t totalGlobalMem;
};
typedef struct emulated_event *cudaEvent_t;
typedef struct emulated_graph *cudaGraph_t, *cudaGraphExec_t;

const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError();
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *out, const void *pointer);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr what, int device, int peer);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr what, int device);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaMalloc(void **memory, size_t bytes);
cudaError_t cudaFree(void *memory);
cudaError_t cudaMallocHost(void **memory, size_t bytes);
cudaError_t cudaFreeHost(void *memory);
cudaError_t cudaMemGetInfo(size_t *left, size_t *all);
cudaError_t cudaMemset(void *memory, int byte, size_t bytes);
cudaError_t cudaMemsetAsync(void *memory, int byte, size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream = nullptr);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to);
cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute what, int value);

template <class T> cudaError_t cudaMalloc(T **memory, size_t bytes)
{
    return cudaMalloc((void **)memory, bytes);
}

template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *made, T *)
{
    made->ptxVersion = 0;
    return cudaSuccess;
}

template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *, int threads,
                                                          size_t shared)
{
    *blocks = (int)std::min((size_t)(2048 / threads), ((size_t)228 << 10) / (shared + 1024));
    return cudaSuccess;
}

#endif
