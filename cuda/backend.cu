/* backend.cu: the table of the CUDA backend, its memory and its failures. It uses one GPU, the
   current device. */
#include "core/patch_size.h"
#include "cuda.h"

#include <stdio.h>
#include <stdlib.h>

enum { ALIGN = 32 }; /* floats: 128 bytes; also the room for the ghost left of column 0 */

otok_status otok_cuda_fail(cudaError_t error, const char *call)
{
    const char *name = cudaGetErrorName(error), *text = cudaGetErrorString(error);
    cudaGetLastError(); /* clears an error that does not persist, since it is reported here */
    switch (error) {
    case cudaErrorMemoryAllocation:
        return OTOK_FAIL(
            OTOK_NOMEM,
            "cuda: %s: %s (%s); use a smaller grid, a GPU with more memory, or --backend cpu", call,
            name, text);
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
        return OTOK_FAIL(OTOK_DEVICE, "cuda: %s: %s (%s); look at nvidia-smi, or use --backend cpu",
                         call, name, text);
    case cudaErrorNoKernelImageForDevice:
        return OTOK_FAIL(OTOK_DEVICE,
                         "cuda: %s: %s (%s); configure with -DCMAKE_CUDA_ARCHITECTURES=native on "
                         "the machine with this GPU",
                         call, name, text);
    default:
        return OTOK_FAIL(OTOK_DEVICE,
                         "cuda: %s: %s (%s); run again from the last checkpoint, and if it comes "
                         "back look at nvidia-smi -q",
                         call, name, text);
    }
}

static otok_status describe(char *text, size_t size)
{
    int count = 0, device = 0, driver = 0, runtime = 0;
    cudaDeviceProp p;
    CUDA_TRY(cudaGetDeviceCount(&count));
    if (count == 0) return otok_cuda_fail(cudaErrorNoDevice, "cudaGetDeviceCount");
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaGetDeviceProperties(&p, device));
    CUDA_TRY(cudaDriverGetVersion(&driver));
    CUDA_TRY(cudaRuntimeGetVersion(&runtime));
    CUDA_TRY(otok_cuda_has_code());
    snprintf(text, size, "%s, compute capability %d.%d, %.1f GiB, CUDA driver %d.%d, runtime %d.%d",
             p.name, p.major, p.minor, (double)p.totalGlobalMem / (1 << 30), driver / 1000,
             driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    return OTOK_OK;
}

static void destroy(otok_patch *patch)
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    if (!own) return;
    patch->own = NULL;
    if (own->in_slot) {
        free(own);
        return;
    }
    if (own->stream)
        cudaStreamSynchronize(own->stream); /* the stream may have been started on its own */
    otok_cuda_forget_graphs(own);
    otok_cuda_end_sending(own);
    otok_resident_forget(own->resident);
    free(own->frames);
#ifdef OTOK_WITH_INTEROP
    otok_cuda_forget_textures(own);
#endif
    for (int b = 0; b < OTOK_BUFFERS; b++)
        cudaFree(own->memory[b]);
    for (int s = 0; s < OTOK_SIDES; s++)
        cudaFree(own->spare_memory[s]);
    void *const all[] = {own->wetness, own->droplets_put, own->droplets_upto, own->droplets_done,
                         own->sums,    own->summary,      own->input,         own->found,
                         own->pair,    own->apart,        own->now,           own->steps};
    for (void *one : all)
        cudaFree(one);
    cudaFreeHost(own->staging);
    if (own->done) cudaEventDestroy(own->done);
    if (own->taken) cudaEventDestroy(own->taken);
    if (own->stream) cudaStreamDestroy(own->stream);
    free(own);
}

static otok_status zeroed(void **out, size_t bytes)
{
    CUDA_TRY(cudaMalloc(out, bytes));
    CUDA_TRY(cudaMemset(*out, 0, bytes));
    return OTOK_OK;
}

static ptrdiff_t pitch_of(int64_t nx)
{
    return (nx + 2 + ALIGN - 1) / ALIGN * ALIGN;
}

/* The bytes of a patch, with the partners of the fused kernels and the dense maps in which fields
   wait for their way to the host. If these do not fit, the backend does without them and is
   slower. */
static uint64_t room(int64_t nx, int64_t ny, otok_set needed, int droplets)
{
    const uint64_t cells = (uint64_t)pitch_of(nx) * ((uint64_t)ny + 2) + ALIGN,
                   dense = (uint64_t)nx * (uint64_t)ny;
    uint64_t bytes = droplets > 0 ? cells * sizeof(uint64_t) : 0;
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        if (!otok_set_has(needed, b)) continue;
        const bool partner = b >= OTOK_OUTFLOW_LEFT && b <= OTOK_OUTFLOW_TOP;
        bytes +=
            cells * (b == OTOK_WETNESS ? 1 : sizeof(float)) + (partner ? cells * sizeof(float) : 0);
        if (b < OTOK_STORED) bytes += dense * sizeof(float);
    }
    return bytes;
}

/* Allocates the buffers among `needed` that do not exist yet. */
static otok_status allocate(otok_patch *patch, otok_cuda_own *own, otok_set needed)
{
    otok_view *v = &patch->view;
    const size_t pitch = (size_t)v->pitch, offset = pitch + ALIGN,
                 cells = ((size_t)v->ny + 2) * pitch + ALIGN;
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        if (b == OTOK_WETNESS || !otok_set_has(needed, b) || v->at[b]) continue;
        OTOK_TRY(zeroed((void **)&own->memory[b], cells * sizeof(float)));
        v->at[b] = own->memory[b] + offset;
    }
    if (otok_set_has(needed, OTOK_WETNESS) && !v->wetness) {
        OTOK_TRY(zeroed((void **)&own->wetness, cells));
        v->wetness = own->wetness + offset;
    }
    return OTOK_OK;
}

static otok_status extend(otok_patch *patch, otok_set needed)
{
    OTOK_TRY(allocate(patch, otok_cuda_own_of(patch), needed));
    CUDA_TRY(cudaDeviceSynchronize()); /* the zeros must be there before our own stream goes on */
    return OTOK_OK;
}

static otok_status build(otok_patch *patch, otok_cuda_own *own, otok_set needed, int max_steps)
{
    otok_view *v = &patch->view;
    const size_t pitch = (size_t)v->pitch, offset = pitch + ALIGN,
                 cells = ((size_t)v->ny + 2) * pitch + ALIGN;
    CUDA_TRY(cudaStreamCreateWithFlags(&own->stream, cudaStreamNonBlocking));
    for (int b = 0; b < OTOK_BUFFERS; b++)
        v->at[b] = NULL;
    v->wetness = NULL;
    OTOK_TRY(allocate(patch, own, needed));
    v->droplets_put = v->droplets_upto = NULL;
    if (patch->droplets > 0) {
        OTOK_TRY(otok_cuda_droplets_fit(patch->droplets));
        OTOK_TRY(zeroed((void **)&own->droplets_put, cells * sizeof *own->droplets_put));
        OTOK_TRY(zeroed((void **)&own->droplets_done, sizeof *own->droplets_done));
        v->droplets_put = own->droplets_put + offset;
    }
    OTOK_TRY(zeroed((void **)&own->sums, 2 * OTOK_SUMS * sizeof *own->sums));
    OTOK_TRY(zeroed((void **)&own->summary, sizeof *own->summary));
    OTOK_TRY(zeroed((void **)&own->now, sizeof *own->now));
    OTOK_TRY(zeroed((void **)&own->steps, (size_t)max_steps * sizeof *own->steps));
    CUDA_TRY(cudaMallocHost((void **)&own->staging, (size_t)max_steps * sizeof *own->staging));
    CUDA_TRY(cudaDeviceSynchronize()); /* the zeros must be there before our own stream starts */
    CUDA_TRY(cudaEventCreateWithFlags(&own->done, cudaEventDisableTiming));
    CUDA_TRY(cudaEventCreateWithFlags(&own->taken, cudaEventDisableTiming));
    own->max_steps = max_steps;
    v->steps = own->steps;
    v->now = own->now;
    v->sums = own->sums;
    return OTOK_OK;
}

static otok_status create(otok_patch *patch, otok_set needed, int max_steps)
{
    otok_view *v = &patch->view;
    patch->own = NULL;
    v->pitch = pitch_of(v->nx);
    OTOK_TRY(otok_patch_check(v));
    otok_cuda_own *own = (otok_cuda_own *)calloc(1, sizeof *own);
    if (!own) return OTOK_FAIL(OTOK_NOMEM, "cuda: no host memory for a patch");
    patch->own = own;
    const otok_status status = patch->ensemble ? otok_cuda_create_in_slot(patch, own, needed)
                                               : build(patch, own, needed, max_steps);
    if (status != OTOK_OK) destroy(patch);
    return status;
}

/* Starts a copy between dense rows on the host and the patch. */
static otok_status start_copy(const otok_patch *patch, void *to, size_t to_pitch, const void *from,
                              size_t from_pitch, size_t cell, cudaMemcpyKind kind)
{
    const otok_view *v = &patch->view;
    CUDA_TRY(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, (size_t)v->nx * cell,
                               (size_t)otok_own_rows(v), kind, otok_cuda_own_of(patch)->stream));
    return OTOK_OK;
}

static otok_status copy(const otok_patch *patch, void *to, size_t to_pitch, const void *from,
                        size_t from_pitch, size_t cell, cudaMemcpyKind kind)
{
    OTOK_TRY(start_copy(patch, to, to_pitch, from, from_pitch, cell, kind));
    CUDA_TRY(cudaStreamSynchronize(otok_cuda_own_of(patch)->stream));
    return OTOK_OK;
}

/* Wetness: floats for the caller, bytes in the patch. */
static otok_status copy_bytes(otok_patch *patch, float *out, const float *in)
{
    const otok_view *v = &patch->view;
    const size_t width = (size_t)v->nx, pitch = (size_t)v->pitch,
                 n = width * (size_t)otok_own_rows(v);
    uint8_t *const own = v->wetness + otok_own_from(v) * v->pitch;
    uint8_t *bytes = (uint8_t *)malloc(n);
    if (!bytes) return OTOK_FAIL(OTOK_NOMEM, "cuda: no host memory for %zu bytes of wetness", n);
    for (size_t c = 0; in && c < n; c++)
        bytes[c] = (uint8_t)in[c];
    const otok_status status =
        in ? copy(patch, own, pitch, bytes, width, 1, cudaMemcpyHostToDevice)
           : copy(patch, bytes, width, own, pitch, 1, cudaMemcpyDeviceToHost);
    for (size_t c = 0; out && status == OTOK_OK && c < n; c++)
        out[c] = bytes[c];
    free(bytes);
    return status;
}

static float *own_rows(const otok_view *v, int buffer)
{
    return v->at[buffer] + otok_own_from(v) * v->pitch;
}

static otok_status put(otok_patch *patch, int buffer, const float *map)
{
    const otok_view *v = &patch->view;
    const size_t width = (size_t)v->nx * sizeof *map, pitch = (size_t)v->pitch * sizeof *map;
    if (buffer == OTOK_WETNESS) return copy_bytes(patch, NULL, map);
    OTOK_TRY(
        copy(patch, own_rows(v, buffer), pitch, map, width, sizeof *map, cudaMemcpyHostToDevice));
    if (buffer != OTOK_TERRAIN_BASE && buffer != OTOK_WALLS) return OTOK_OK;
    const cudaStream_t stream = otok_cuda_own_of(patch)->stream;
    OTOK_TRY(otok_cuda_halo(patch, NULL, buffer, OTOK_HALO_COPY, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    return OTOK_OK;
}

static otok_status get(otok_patch *patch, int buffer, float *map)
{
    const otok_view *v = &patch->view;
    const size_t width = (size_t)v->nx * sizeof *map, pitch = (size_t)v->pitch * sizeof *map;
    if (buffer == OTOK_WETNESS) return copy_bytes(patch, map, NULL);
    return copy(patch, map, width, own_rows(v, buffer), pitch, sizeof *map, cudaMemcpyDeviceToHost);
}

static otok_status get_some(otok_patch *patch, const int *buffers, float *const *maps, int n)
{
    const otok_view *v = &patch->view;
    const size_t width = (size_t)v->nx * sizeof(float), pitch = (size_t)v->pitch * sizeof(float);
    for (int i = 0; i < n; i++)
        OTOK_TRY(start_copy(patch, maps[i], width, own_rows(v, buffers[i]), pitch, sizeof(float),
                            cudaMemcpyDeviceToHost));
    CUDA_TRY(cudaStreamSynchronize(otok_cuda_own_of(patch)->stream));
    return OTOK_OK;
}

static otok_status cell(otok_patch *patch, int buffer, int i, int j, float *out)
{
    const otok_view *v = &patch->view;
    const cudaStream_t stream = otok_cuda_own_of(patch)->stream;
    const ptrdiff_t at = (otok_own_from(v) + j) * v->pitch + i;
    uint8_t byte = 0;
    if (buffer == OTOK_WETNESS)
        CUDA_TRY(
            cudaMemcpyAsync(&byte, v->wetness + at, sizeof byte, cudaMemcpyDeviceToHost, stream));
    else
        CUDA_TRY(
            cudaMemcpyAsync(out, v->at[buffer] + at, sizeof *out, cudaMemcpyDeviceToHost, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    if (buffer == OTOK_WETNESS) *out = byte;
    return OTOK_OK;
}

static otok_status where(otok_patch *patch, int *device, void **stream)
{
    CUDA_TRY(cudaGetDevice(device));
    CUDA_TRY(cudaStreamSynchronize(otok_cuda_own_of(patch)->stream));
    *stream = otok_cuda_own_of(patch)->stream;
    return OTOK_OK;
}

static otok_status starts(otok_patch *patch, const uint64_t *upto)
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    const size_t bytes = (size_t)patch->view.nx * (size_t)patch->view.ny * sizeof *upto;
    if (!own->droplets_upto) CUDA_TRY(cudaMalloc((void **)&own->droplets_upto, bytes));
    CUDA_TRY(cudaMemcpyAsync(own->droplets_upto, upto, bytes, cudaMemcpyHostToDevice, own->stream));
    CUDA_TRY(cudaStreamSynchronize(own->stream));
    patch->view.droplets_upto = own->droplets_upto;
    return OTOK_OK;
}

static otok_status sums(otok_patch *patch, otok_sum *out)
{
    const otok_cuda_own *own = otok_cuda_own_of(patch);
    CUDA_TRY(cudaMemcpyAsync(out, own->sums, OTOK_SUMS * sizeof *out, cudaMemcpyDeviceToHost,
                             own->stream));
    CUDA_TRY(cudaStreamSynchronize(own->stream));
    return OTOK_OK;
}

static otok_status set_sums(otok_patch *patch, const otok_sum *in)
{
    const otok_cuda_own *own = otok_cuda_own_of(patch);
    CUDA_TRY(cudaMemcpyAsync(own->sums, in, OTOK_SUMS * sizeof *in, cudaMemcpyHostToDevice,
                             own->stream));
    CUDA_TRY(cudaStreamSynchronize(own->stream));
    return OTOK_OK;
}

static int devices(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) cudaGetLastError();
    return count;
}

static otok_status use(int device)
{
    CUDA_TRY(cudaSetDevice(device));
    return OTOK_OK;
}

/* Page-locked memory, which the bus copies at full speed. */
static void *take_host(size_t bytes)
{
    void *memory = NULL;
    const cudaError_t error = cudaMallocHost(&memory, bytes);
    if (error != cudaSuccess) cudaGetLastError();
    return error == cudaSuccess ? memory : NULL;
}

static void give_host(void *memory)
{
    cudaFreeHost(memory);
}

template <const otok_cuda_strategy *STRATEGY>
static otok_status create_for(otok_patch *patch, otok_set needed, int max_steps)
{
    OTOK_TRY(create(patch, needed, max_steps));
    otok_cuda_own_of(patch)->asked = STRATEGY;
    return OTOK_OK;
}

#ifdef OTOK_WITH_INTEROP
#define OTOK_SHOW otok_cuda_show
#define OTOK_SHOW_TOGETHER otok_cuda_show_together
#else
#define OTOK_SHOW NULL
#define OTOK_SHOW_TOGETHER NULL
#endif

#define BACKEND(NAME, CREATE, ENSEMBLES)                                                           \
    {                                                                                              \
        .name = NAME, .host = {take_host, give_host}, .describe = describe, .create = CREATE,      \
        .room = room, .extend = extend, .destroy = destroy, .put = put, .get = get,                \
        .get_some = get_some, .cell = cell, .where = where, .show = OTOK_SHOW,                     \
        .show_together = OTOK_SHOW_TOGETHER, .snapshot = otok_cuda_snapshot, .starts = starts,     \
        .base = otok_cuda_base, .run = otok_cuda_run, .time = otok_cuda_time,                      \
        .strategy = otok_cuda_strategy_name, .bytes = otok_cuda_strategy_bytes,                    \
        .copy_rate = otok_cuda_copy_rate, .fastest = otok_cuda_fastest,                            \
        .measure = otok_cuda_measure, .diagnose = otok_cuda_diagnose_alone, .sums = sums,          \
        .set_sums = set_sums, .part = otok_cuda_part, .compare = otok_cuda_compare,                \
        .left = otok_cuda_left, .ensembles = &ENSEMBLES, .devices = devices, .use = use,           \
        .start = otok_cuda_start, .wait = otok_cuda_wait, .busy = otok_cuda_busy,                  \
        .rows = {otok_cuda_copy_rows, otok_cuda_release_rows,                                      \
                 otok_cuda_add_rows,  otok_cuda_take_rows,                                         \
                 otok_cuda_give_rows, {otok_cuda_take_carrier, otok_cuda_give_carrier}},           \
        .crossing = NULL                                                                           \
    }

#define ONLY(name, ENSEMBLES)                                                                      \
    extern const otok_backend otok_backend_cuda_##name =                                           \
        BACKEND("cuda:" #name, create_for<&otok_cuda_strategy_##name>, ENSEMBLES)

const otok_backend otok_backend_cuda = BACKEND("cuda", create, otok_cuda_ensembles_fused);
ONLY(fused, otok_cuda_ensembles_fused);
ONLY(resident, otok_cuda_ensembles_fused);
ONLY(plain, otok_cuda_ensembles);
