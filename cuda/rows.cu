/* rows.cu: copies rows from one patch to another, which may be on another device. If one device can
   read the memory of the other, a kernel on the receiving device does it; otherwise rows are copied
   buffer by buffer. Nothing waits on the host: events keep the work of the two patches in order. */
#include "cuda.h"

/* A range of bytes. In both patches it begins at a multiple of 16, except for `lead` bytes before
   that. */
typedef struct region {
    const char *from;
    char *to;
    size_t bytes;
    int lead;
} region;

typedef struct regions {
    int n;
    region of[OTOK_BUFFERS];
} regions;

enum { WIDTH = 16, THREADS = 256, FEWEST = 64, MOST = 1024, ROUNDS = 4 };

/* Blocks for every region: up to FEWEST have one round each, more have ROUNDS. */
static unsigned blocks_for(const regions *all)
{
    const size_t rounds = all->n ? all->of[0].bytes / (WIDTH * THREADS) : 0;
    const unsigned few = rounds < FEWEST ? (unsigned)rounds + 1 : (unsigned)FEWEST;
    const size_t wanted = rounds / ROUNDS;
    return wanted < few ? few : wanted > MOST ? (unsigned)MOST : (unsigned)wanted;
}

static __global__ void copy(regions all)
{
    const region r = all.of[blockIdx.y];
    const size_t whole = r.bytes / WIDTH;
    const int tail = (int)(r.bytes % WIDTH), thread = (int)threadIdx.x;
    for (size_t n = blockIdx.x * (size_t)THREADS + threadIdx.x; n < whole;
         n += (size_t)gridDim.x * THREADS)
        ((uint4 *)r.to)[n] = ((const uint4 *)r.from)[n];
    if (blockIdx.x > 0) return;
    if (thread < tail)
        r.to[whole * WIDTH + (size_t)thread] = r.from[whole * WIDTH + (size_t)thread];
    if (thread < r.lead) r.to[thread - r.lead] = r.from[thread - r.lead];
}

/* Adds floats. What is in the padding of rows does not matter. */
static __global__ void add(regions all)
{
    const region r = all.of[blockIdx.y];
    const size_t whole = r.bytes / WIDTH, floats = r.bytes / sizeof(float);
    float *const to = (float *)r.to;
    const float *const from = (const float *)r.from;
    for (size_t n = blockIdx.x * (size_t)THREADS + threadIdx.x; n < whole;
         n += (size_t)gridDim.x * THREADS) {
        const float4 a = ((const float4 *)to)[n], b = ((const float4 *)from)[n];
        ((float4 *)to)[n] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    }
    for (size_t n = WIDTH / sizeof(float) * whole + threadIdx.x; blockIdx.x == 0 && n < floats;
         n += THREADS)
        to[n] += from[n];
    if (blockIdx.x == 0 && threadIdx.x == 0 && r.lead > 0) to[-1] += from[-1];
}

/* Rows of one buffer, from column -1 of the first row to column nx of the last. */
static region region_of(const void *to, ptrdiff_t to_row, const void *from, ptrdiff_t from_row,
                        int rows, const otok_view *v, size_t cell)
{
    const ptrdiff_t pitch = v->pitch * (ptrdiff_t)cell;
    const size_t bytes = (size_t)(rows - 1) * (size_t)pitch + ((size_t)v->nx + 1) * cell;
    return region{(const char *)from + from_row * pitch, (char *)to + to_row * pitch, bytes,
                  (int)cell};
}

static regions regions_of(const otok_view *to, int to_row, const otok_view *from, int from_row,
                          int rows, otok_set which)
{
    regions all = {};
    for (int f = 0; f < OTOK_BUFFERS; f++)
        if (otok_set_has(which, f) && f != OTOK_WETNESS)
            all.of[all.n++] =
                region_of(to->at[f], to_row, from->at[f], from_row, rows, to, sizeof(float));
    if (otok_set_has(which, OTOK_WETNESS))
        all.of[all.n++] = region_of(to->wetness, to_row, from->wetness, from_row, rows, to, 1);
    return all;
}

/* Can the present device read and write the memory of the device that a patch is on? This is
   queried once for every pair of devices. */
static otok_status reaches(bool *can, const otok_patch *there)
{
    enum { DEVICES = 64 };
    static thread_local signed char known[DEVICES][DEVICES]; /* 1: yes, -1: no */
    cudaPointerAttributes place;
    int here = 0, reach = 0;
    CUDA_TRY(cudaGetDevice(&here));
    CUDA_TRY(cudaPointerGetAttributes(&place, otok_cuda_own_of(there)->sums));
    *can = place.device == here;
    if (*can || here >= DEVICES || place.device >= DEVICES) return OTOK_OK;
    signed char *answer = &known[here][place.device];
    if (!*answer) {
        CUDA_TRY(cudaDeviceCanAccessPeer(&reach, here, place.device));
        const cudaError_t error = reach ? cudaDeviceEnablePeerAccess(place.device, 0) : cudaSuccess;
        if (error == cudaErrorPeerAccessAlreadyEnabled) cudaGetLastError();
        *answer =
            reach && (error == cudaSuccess || error == cudaErrorPeerAccessAlreadyEnabled) ? 1 : -1;
    }
    *can = *answer > 0;
    return OTOK_OK;
}

static otok_status copy_at_once(const regions *all, cudaStream_t stream)
{
    copy<<<dim3(blocks_for(all), (unsigned)all->n), THREADS, 0, stream>>>(*all);
    CUDA_TRY(cudaGetLastError());
    return OTOK_OK;
}

static otok_status copy_each(const regions *all, cudaStream_t stream)
{
    for (int n = 0; n < all->n; n++) {
        const region *r = &all->of[n];
        CUDA_TRY(cudaMemcpyAsync(r->to - r->lead, r->from - r->lead, r->bytes + (size_t)r->lead,
                                 cudaMemcpyDeviceToDevice, stream));
    }
    return OTOK_OK;
}

otok_status otok_cuda_copy_rows(otok_patch *to, int to_row, const otok_patch *from, int from_row,
                                int rows, otok_set which)
{
    const otok_cuda_own *gives = otok_cuda_own_of(from);
    otok_cuda_own *gets = otok_cuda_own_of(to);
    bool can = false;
    if (rows < 1 || otok_set_is_empty(which)) return OTOK_OK;
    const regions all = regions_of(&to->view, to_row, &from->view, from_row, rows, which);
    OTOK_TRY(reaches(&can, from));
    CUDA_TRY(cudaStreamWaitEvent(gets->stream, gives->done, 0));
    OTOK_TRY(can ? copy_at_once(&all, gets->stream) : copy_each(&all, gets->stream));
    CUDA_TRY(cudaEventRecord(gets->taken, gets->stream));
    return OTOK_OK;
}

otok_status otok_cuda_add_rows(otok_patch *to, int to_row, const otok_patch *from, int from_row,
                               int rows, otok_set which)
{
    otok_cuda_own *gets = otok_cuda_own_of(to);
    bool can = false;
    OTOK_TRY(reaches(&can, from));
    if (!can) return OTOK_FAIL(OTOK_DEVICE, "cuda: a device does not reach another's memory");
    if (rows < 1 || otok_set_is_empty(which)) return OTOK_OK;
    const regions all = regions_of(&to->view, to_row, &from->view, from_row, rows, which);
    CUDA_TRY(cudaStreamWaitEvent(gets->stream, otok_cuda_own_of(from)->done, 0));
    add<<<dim3(blocks_for(&all), (unsigned)all.n), THREADS, 0, gets->stream>>>(all);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaEventRecord(gets->taken, gets->stream));
    return OTOK_OK;
}

otok_status otok_cuda_release_rows(otok_patch *from, const otok_patch *to)
{
    CUDA_TRY(cudaStreamWaitEvent(otok_cuda_own_of(from)->stream, otok_cuda_own_of(to)->taken, 0));
    return OTOK_OK;
}

/* Copies between rows of a patch and dense memory, of the host or of the device; one of `out` and
   `in` is NULL. */
static otok_status move_rows(otok_patch *patch, int row, int rows, otok_set which, char *out,
                             const char *in)
{
    const otok_view *v = &patch->view;
    const cudaStream_t stream = otok_cuda_own_of(patch)->stream;
    for (int f = 0; f <= OTOK_BUFFERS; f++) {
        const int buffer = f < OTOK_BUFFERS ? f : OTOK_WETNESS;
        const size_t cell = buffer == OTOK_WETNESS ? 1 : sizeof(float);
        const size_t width = ((size_t)v->nx + 2) * cell, pitch = (size_t)v->pitch * cell,
                     step = width * (size_t)rows;
        if (!otok_set_has(which, buffer) || f == OTOK_WETNESS) continue;
        char *first = buffer == OTOK_WETNESS ? (char *)v->wetness : (char *)v->at[buffer];
        char *at = first + (row * v->pitch - 1) * (ptrdiff_t)cell;
        if (out) {
            CUDA_TRY(cudaMemcpy2DAsync(out, width, at, pitch, width, (size_t)rows,
                                       cudaMemcpyDefault, stream));
            out += step;
        } else {
            CUDA_TRY(cudaMemcpy2DAsync(at, pitch, in, width, width, (size_t)rows, cudaMemcpyDefault,
                                       stream));
            in += step;
        }
    }
    CUDA_TRY(cudaStreamSynchronize(stream));
    return OTOK_OK;
}

otok_status otok_cuda_take_rows(otok_patch *from, int row, int rows, otok_set which, void *bytes)
{
    return move_rows(from, row, rows, which, (char *)bytes, NULL);
}

otok_status otok_cuda_give_rows(otok_patch *to, int row, int rows, otok_set which,
                                const void *bytes)
{
    return move_rows(to, row, rows, which, NULL, (const char *)bytes);
}

void *otok_cuda_take_carrier(size_t bytes)
{
    void *memory = NULL;
    if (cudaMalloc(&memory, bytes) == cudaSuccess) return memory;
    cudaGetLastError();
    return NULL;
}

void otok_cuda_give_carrier(void *memory)
{
    cudaFree(memory);
}
