/* texture.cu: copies fields into textures of OpenGL on the same GPU. Only the two ends of a range
   come to the host. Built only with views (OTOK_WITH_INTEROP). */
#ifdef OTOK_WITH_INTEROP
#include "cells.cuh"

#include <GL/gl.h>
#include <cuda_gl_interop.h>

#include <limits.h>
#include <stdlib.h>

enum { MOST_TEXTURES = 16, MOST_DEVICES = 32 };

/* The type of otok_cuda_own.textures. */
typedef struct textures {
    GLuint name[MOST_TEXTURES];
    cudaGraphicsResource_t
        resource[MOST_TEXTURES];                /* CUDA has mapped the first `mapped` of these */
    cudaSurfaceObject_t surface[MOST_TEXTURES]; /* for those filled since then, or 0 */
    int count, mapped;
    int together;   /* they stay mapped between calls */
    int *found;     /* least and greatest value on the device, as ordered integers */
    int *ends_here; /* the same on the host, page-locked */
} textures;

/* Maps the bits of floats to integers of the same order. It is its own inverse. */
static __host__ __device__ inline int ordered(int bits)
{
    return bits < 0 ? bits ^ INT_MAX : bits;
}

static __global__ void paint(otok_view v, int rows, int buffer, int plus,
                             cudaSurfaceObject_t surface, int *found)
{
    const otok_walk w = otok_walk_of(v, rows);
    int low = INT_MAX, high = INT_MIN, j = w.j;
    for (int at = w.first; at < w.end; at += w.step) {
        float value = buffer == OTOK_WETNESS ? (float)v.wetness[at] : v.at[buffer][at];
        if (plus >= 0) value += v.at[plus][at];
        surf2Dwrite(value, surface, w.i * (int)sizeof value, j);
        low = min(low, ordered(__float_as_int(value)));
        high = max(high, ordered(__float_as_int(value)));
        j += OTOK_TILE_Y;
    }
    low = __reduce_min_sync(0xffffffffu, low);
    high = __reduce_max_sync(0xffffffffu, high);
    if (!found || threadIdx.x % 32 != 0) return;
    atomicMin(&found[0], low);
    atomicMax(&found[1], high);
}

static __global__ void reset_ends(int *found)
{
    found[0] = INT_MAX;
    found[1] = INT_MIN;
}

static __global__ void publish_ends(const int *found, int *ends_here)
{
    ends_here[0] = found[0];
    ends_here[1] = found[1];
}

void otok_cuda_forget_textures(otok_cuda_own *own)
{
    textures *t = (textures *)own->textures;
    for (int i = 0; t && i < t->count; i++)
        cudaGraphicsUnregisterResource(t->resource[i]);
    if (t) cudaFree(t->found);
    if (t) cudaFreeHost(t->ends_here);
    free(t);
    own->textures = NULL;
}

/* Is OpenGL's context on the GPU of this thread? */
static otok_status same_device(void)
{
    unsigned n = 0;
    int list[MOST_DEVICES], device = -1;
    const cudaError_t error = cudaGLGetDevices(&n, list, MOST_DEVICES, cudaGLDeviceListAll);
    cudaGetDevice(&device);
    for (unsigned i = 0; error == cudaSuccess && i < n; i++)
        if (list[i] == device) return OTOK_OK;
    cudaGetLastError();
    return OTOK_FAIL(OTOK_USAGE,
                     "cuda: OpenGL draws on another device than the simulation; fields must pass "
                     "through the host (CUDA knows %u devices of OpenGL: %s)",
                     n, cudaGetErrorString(error));
}

static otok_status prepare(otok_cuda_own *own)
{
    if (own->textures) return OTOK_OK;
    OTOK_TRY(same_device());
    textures *t = (textures *)calloc(1, sizeof *t);
    if (!t) return OTOK_FAIL(OTOK_NOMEM, "cuda: no host memory for a list of textures");
    own->textures = t;
    CUDA_TRY(cudaMalloc((void **)&t->found, 2 * sizeof *t->found));
    CUDA_TRY(cudaHostAlloc((void **)&t->ends_here, 2 * sizeof *t->ends_here, cudaHostAllocMapped));
    return OTOK_OK;
}

static otok_status find(textures *t, GLuint name, int *out)
{
    int i = 0;
    while (i < t->count && t->name[i] != name)
        i++;
    if (i == MOST_TEXTURES)
        return OTOK_FAIL(OTOK_USAGE, "cuda: a simulation shows itself in at most %d textures",
                         MOST_TEXTURES);
    if (i == t->count) {
        CUDA_TRY(cudaGraphicsGLRegisterImage(&t->resource[i], name, GL_TEXTURE_2D,
                                             cudaGraphicsRegisterFlagsSurfaceLoadStore));
        t->name[i] = name;
        t->count++;
    }
    *out = i;
    return OTOK_OK;
}

/* Maps all registered textures or none, because each switch between OpenGL and CUDA waits for the
   work of both. */
static otok_status map_all(textures *t, cudaStream_t stream)
{
    if (t->mapped == t->count) return OTOK_OK;
    CUDA_TRY(cudaGraphicsMapResources(t->count - t->mapped, t->resource + t->mapped, stream));
    t->mapped = t->count;
    return OTOK_OK;
}

static otok_status unmap_all(textures *t, cudaStream_t stream)
{
    const int n = t->mapped;
    const cudaError_t late = cudaStreamSynchronize(stream);
    for (int i = 0; i < n; i++) {
        if (t->surface[i]) cudaDestroySurfaceObject(t->surface[i]);
        t->surface[i] = 0;
    }
    t->mapped = 0;
    const cudaError_t error = n ? cudaGraphicsUnmapResources(n, t->resource, stream) : cudaSuccess;
    CUDA_TRY(late);
    CUDA_TRY(error);
    return OTOK_OK;
}

static otok_status fill(const otok_patch *patch, int buffer, int plus, textures *t, int i,
                        int ranged)
{
    const otok_launch l = otok_cuda_launch(patch, NULL, NULL);
    cudaResourceDesc where = {};
    where.resType = cudaResourceTypeArray;
    if (!t->surface[i]) {
        CUDA_TRY(
            cudaGraphicsSubResourceGetMappedArray(&where.res.array.array, t->resource[i], 0, 0));
        CUDA_TRY(cudaCreateSurfaceObject(&t->surface[i], &where));
    }
    if (ranged) reset_ends<<<1, 1, 0, l.stream>>>(t->found);
    paint<<<l.grid, l.block, 0, l.stream>>>(patch->view, l.rows, buffer, plus, t->surface[i],
                                            ranged ? t->found : NULL);
    if (ranged) publish_ends<<<1, 1, 0, l.stream>>>(t->found, t->ends_here);
    CUDA_TRY(cudaGetLastError());
    if (ranged) CUDA_TRY(cudaStreamSynchronize(l.stream));
    return OTOK_OK;
}

static float of_ordered(int i)
{
    union {
        int i;
        float f;
    } bits = {ordered(i)};
    return bits.f;
}

otok_status otok_cuda_show(otok_patch *patch, int buffer, int plus, unsigned texture, float ends[2])
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    int i = 0;
    OTOK_TRY(prepare(own));
    textures *t = (textures *)own->textures;
    OTOK_TRY(find(t, texture, &i));
    OTOK_TRY(map_all(t, own->stream));
    const otok_status status = fill(patch, buffer, plus, t, i, ends != NULL);
    const otok_status freed = t->together ? OTOK_OK : unmap_all(t, own->stream);
    OTOK_TRY(status);
    OTOK_TRY(freed);
    if (!ends) return OTOK_OK;
    ends[0] = of_ordered(t->ends_here[0]);
    ends[1] = of_ordered(t->ends_here[1]);
    return OTOK_OK;
}

otok_status otok_cuda_show_together(otok_patch *patch, int begins)
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    OTOK_TRY(prepare(own));
    textures *t = (textures *)own->textures;
    t->together = begins;
    return begins ? OTOK_OK : unmap_all(t, own->stream);
}

#endif
