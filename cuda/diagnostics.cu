/* diagnostics.cu: the diagnostics of all members of an ensemble in one reduction: the detectors of
   model/detect.h in every cell, stocks and values that are not finite as in measure.cu, and on
   request the fingerprint. Sums are integers, so the order of threads does not matter. Each sample
   also keeps the ground for the next sample. A warp goes up its strip (diagnostics.cuh). It loads
   row q, then evaluates row q-1, with the rows below and above in registers. */
#include "diagnostics_row.cuh"

#include "model/fingerprint.h"

#include <string.h>

static __device__ inline uint64_t key(float size, uint32_t cell)
{
    return cell == (uint32_t)NOWHERE ? 0 : otok_diagnostics_key(__float_as_uint(size), cell);
}

static __device__ inline void conclude(otok_diagnostics_result &found, const tally &t)
{
    int64_t *sums = found.diagnostics.sums;
    uint64_t *most = found.diagnostics.most;
    const uint32_t lowest = (uint32_t)t.lowest, bits = lowest ^ (t.lowest < 0 ? INT32_MAX : 0);
    otok_diagnostics_sum(&sums[OTOK_DIAGNOSTICS_PEAKS], t.peaks);
    otok_diagnostics_sum(&sums[OTOK_DIAGNOSTICS_CHATTERS], t.chatters & 0xffff);
    otok_diagnostics_sum(&sums[OTOK_DIAGNOSTICS_ROLLS], t.chatters >> 16);
    otok_diagnostics_sum(&sums[OTOK_DIAGNOSTICS_WET], t.wet & 0xffff);
    otok_diagnostics_sum(&sums[OTOK_DIAGNOSTICS_WATERED], t.wet >> 16);
    otok_diagnostics_sum(&sums[OTOK_DIAGNOSTICS_LIMITED], t.limited & 0xffff);
    otok_diagnostics_sum(&sums[OTOK_DIAGNOSTICS_FAST], t.limited >> 16);
    otok_diagnostics_max(&most[OTOK_DIAGNOSTICS_FASTEST], key(0.0f, t.fast_at));
    otok_diagnostics_max(&most[OTOK_DIAGNOSTICS_CHANGED], key(t.changed, t.changed_at));
    otok_diagnostics_max(&most[OTOK_DIAGNOSTICS_ROUGHEST], key(t.roughest, t.roughest_at));
    otok_diagnostics_max(&most[OTOK_DIAGNOSTICS_DEEPEST], key(t.deepest, t.deepest_at));
    otok_diagnostics_max(&most[OTOK_DIAGNOSTICS_FLIPPED], key(t.flipped, t.flipped_at));
    otok_diagnostics_max(&most[OTOK_DIAGNOSTICS_ROLLED], key(t.rolled, t.rolled_at));
    otok_diagnostics_max(&most[OTOK_DIAGNOSTICS_PROMINENT], key(t.prominent, t.prominent_at));
    otok_diagnostics_max(&most[OTOK_DIAGNOSTICS_LOWEST],
                         t.lowest == INT32_MAX ? 0
                                               : otok_diagnostics_ordered(-__uint_as_float(bits)));
    otok_diagnostics_max(&most[OTOK_DIAGNOSTICS_HIGHEST],
                         t.highest == INT32_MIN ? 0 : (uint32_t)t.highest ^ 0x80000000u);
    otok_diagnostics_max(&most[OTOK_DIAGNOSTICS_LARGEST], __float_as_uint(t.largest));
}

static __device__ inline void close(otok_diagnostics_result &found,
                                    const otok_diagnostics_book *books)
{
    static const int sums[] = {OTOK_DIAGNOSTICS_DEPTH,   OTOK_DIAGNOSTICS_ROUGH,
                               OTOK_DIAGNOSTICS_FLIPS,   OTOK_DIAGNOSTICS_BEYOND,
                               OTOK_DIAGNOSTICS_ROLLING, OTOK_DIAGNOSTICS_GROUND_ROUGH};
    otok_sum *const stocks[] = {&found.base, &found.change, &found.water, &found.sediment};
    for (int b = (int)threadIdx.x / 32; b < BOOKS; b += WARPS) {
        int64_t *const sum = &found.diagnostics.sums[sums[b < DEPTH ? 0 : b - DEPTH]];
        otok_diagnostics_close(b < DEPTH ? (void *)&stocks[b]->hi : sum,
                               b < DEPTH ? (void *)&stocks[b]->lo : sum + 1, books[b]);
    }
}

template <bool WHOLE>
static __global__ void __launch_bounds__(THREADS, 4)
    diagnose(const otok_diagnostics_input *inputs, otok_diagnostics_result *all, int height)
{
    __shared__ otok_diagnostics_book books[BOOKS];
    __shared__ otok_diagnostics_input g;
    for (int n = (int)threadIdx.x; n < (int)(sizeof g / sizeof(uint64_t)); n += THREADS)
        ((uint64_t *)&g)[n] = ((const uint64_t *)&inputs[blockIdx.z])[n];
    for (int b = 0; b < BOOKS; b++)
        books[b][threadIdx.x] = {0, 0};
    __syncthreads();
    if (g.maps.walls) return; /* see diagnose_between */
    const otok_diagnostics_strip<WHOLE> s = otok_diagnostics_strip_of<WHOLE>(g.maps, height);
    otok_diagnostics_result &found = all[blockIdx.z];
    rows r = {};
    tally t = nothing();
    const int end = WHOLE || otok_diagnostics_lanes(g.maps.nx) == 32
                        ? s.top
                        : s.bottom + height; /* the same number of rows for all lanes of a warp */
    if (__any_sync(0xffffffffu, s.bottom < s.top)) {
        otok_diagnostics_take(r.top, g.maps.outflow[OTOK_TOP],
                              otok_diagnostics_row(g.maps, s.bottom - 1), s);
        arrive(r, t, books, g.maps, otok_diagnostics_row(g.maps, s.bottom - 1), s, false);
        arrive(r, t, books, g.maps, otok_diagnostics_row(g.maps, s.bottom), s, s.bottom < s.top);
#pragma unroll 1
        for (int j = s.bottom; j < end; j++) {
            arrive(r, t, books, g.maps, otok_diagnostics_row(g.maps, j + 1), s, j + 1 < s.top);
            auto here = s;
            if constexpr (!WHOLE)
                if (j >= s.top) here.inside = 0;
            diagnose_row(r, t, books, &found, g, j, here);
        }
        conclude(found, t);
    }
    __syncthreads();
    close(found, books);
    if (blockIdx.x == 0 && threadIdx.x < OTOK_SUMS) found.sums[threadIdx.x] = g.sums[threadIdx.x];
}

/* Members with walls, a thread a cell. */
static __global__ void diagnose_between(const otok_diagnostics_input *inputs,
                                        otok_diagnostics_result *all)
{
    const otok_diagnostics_input &g = inputs[blockIdx.z];
    const otok_diagnostics_maps &m = g.maps;
    if (!m.walls) return;
    otok_diagnostics_result &found = all[blockIdx.z];
    otok_diagnostics mine = {};
    otok_booking stocks[4] = {};
    int64_t unfit = 0;
    otok_sum *const totals[] = {&found.base, &found.change, &found.water, &found.sediment};
    const float *const maps[] = {m.base, m.change, m.water, m.sediment};
    const int i = (int)(blockIdx.x * OTOK_TILE_X + threadIdx.x);
    for (int j = m.from + (int)(blockIdx.y * OTOK_TILE_Y + threadIdx.y); j < m.upto && i < m.nx;
         j += (int)gridDim.y * OTOK_TILE_Y) {
        const ptrdiff_t at = j * m.pitch + i;
        if (otok_diagnostics_in_wall(&m, at)) continue;
        otok_diagnostics_at(&mine, &m, i, j);
        for (int s = 0; s < 4; s++)
            if (maps[s]) otok_booking_add(stocks[s], maps[s][at]);
        for (int f = 0; f < OTOK_STORED; f++)
            if ((g.fields >> f & 1) && f != OTOK_WETNESS) unfit += !(fabsf(g.at[f][at]) < INFINITY);
    }
    for (int s = 0; s < OTOK_DIAGNOSTICS_SUMS; s++)
        otok_block_add(&found.diagnostics.sums[s], mine.sums[s]);
    for (int k = 0; k < OTOK_DIAGNOSTICS_MOSTS; k++)
        if (mine.most[k])
            atomicMax((unsigned long long *)&found.diagnostics.most[k],
                      (unsigned long long)mine.most[k]);
    for (int s = 0; s < 4; s++)
        otok_book(totals[s], stocks[s]);
    otok_block_add(&found.not_finite, unfit);
    if (blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.y == 0 && threadIdx.x < OTOK_SUMS)
        found.sums[threadIdx.x] = g.sums[threadIdx.x];
}

/* Fingerprints, for the members that want one. */
static __global__ void print(const otok_diagnostics_input *inputs, otok_diagnostics_result *all,
                             int height)
{
    const otok_diagnostics_input &g = inputs[blockIdx.z];
    const int i = (int)(blockIdx.x * OTOK_TILE_X + threadIdx.x), bottom = (int)blockIdx.y * height;
    const int top = i >= g.maps.nx || !g.prints   ? bottom
                    : bottom + height < g.maps.ny ? bottom + height
                                                  : g.maps.ny;
    uint64_t sum = 0;
    for (int j = bottom + (int)threadIdx.y; j < top; j += OTOK_TILE_Y) {
        const int at = j * (int)g.maps.pitch + i;
        const uint64_t index = (uint64_t)j * (uint64_t)g.maps.nx + (uint64_t)i;
        for (int f = 0; f < OTOK_STORED; f++) {
            if (!(g.fields >> f & 1)) continue;
            const uint32_t bits = f == OTOK_WETNESS ? g.wetness[at] : __float_as_uint(g.at[f][at]);
            sum += otok_fingerprint_cell(bits, (uint32_t)f, index);
        }
    }
    otok_block_add(&all[blockIdx.z].fingerprint, (int64_t)sum);
}

otok_diagnostics_input otok_cuda_diagnostics_input(const otok_view *v,
                                                   const otok_diagnostics_request *request)
{
    otok_diagnostics_input g;
    g.maps = request->maps;
    otok_diagnostics_point(&g.maps, v);
    memcpy(g.at, v->at, sizeof g.at);
    g.wetness = v->wetness;
    g.sums = v->sums;
    g.fields = request->fields;
    g.prints = request->prints;
    return g;
}

otok_status otok_cuda_diagnose_alone(otok_patch *patch, otok_diagnostics_request *request)
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    const otok_launch l = otok_cuda_launch(patch, NULL, NULL);
    const otok_diagnostics_input input = otok_cuda_diagnostics_input(&patch->view, request);
    if (!own->input) CUDA_TRY(cudaMalloc((void **)&own->input, sizeof *own->input));
    if (!own->found) CUDA_TRY(cudaMalloc((void **)&own->found, sizeof *own->found));
    CUDA_TRY(cudaMemcpyAsync(own->input, &input, sizeof input, cudaMemcpyHostToDevice, l.stream));
    CUDA_TRY(cudaMemsetAsync(own->found, 0, sizeof *own->found, l.stream));
    OTOK_TRY(otok_cuda_diagnose(own->input, own->found, 1, false, input.maps.walls != NULL, &l));
    CUDA_TRY(cudaMemcpyAsync(&request->found, own->found, sizeof *own->found,
                             cudaMemcpyDeviceToHost, l.stream));
    CUDA_TRY(cudaStreamSynchronize(l.stream));
    return OTOK_OK;
}

otok_status otok_cuda_diagnose(const otok_diagnostics_input *inputs, otok_diagnostics_result *found,
                               int n, bool prints, bool walls, const otok_launch *l)
{
    enum {
        HIGHEST = 32,
        LOWEST = 4,
        WAVES = 8448
    }; /* rows of a warp: enough warps to fill a large GPU a few times */
    const otok_view *v = &l->patch->view;
    const int64_t strips = (v->nx + STRIP - 1) / STRIP,
                  side_by_side = 32 / otok_diagnostics_lanes(v->nx);
    int height = HIGHEST;
    while (height > LOWEST && n * strips * ((v->ny + height - 1) / height) < WAVES * side_by_side)
        height /= 2;
    const int64_t parts = strips * ((v->ny + height - 1) / height),
                  warps = (parts + side_by_side - 1) / side_by_side;
    const auto code = v->nx % STRIP == 0 ? diagnose<true> : diagnose<false>;
    code<<<dim3((unsigned)((warps + WARPS - 1) / WARPS), 1, (unsigned)n), THREADS, 0, l->stream>>>(
        inputs, found, height);
    CUDA_TRY(cudaGetLastError());
    const int64_t up = (v->ny + OTOK_TILE_Y - 1) / OTOK_TILE_Y;
    const dim3 grid(l->grid.x, (unsigned)(up < 4096 ? up : 4096), (unsigned)n);
    if (walls) diagnose_between<<<grid, l->block, 0, l->stream>>>(inputs, found);
    CUDA_TRY(cudaGetLastError());
    if (!prints) return OTOK_OK;
    print<<<dim3(l->grid.x, l->grid.y, (unsigned)n), l->block, 0, l->stream>>>(inputs, found,
                                                                               l->rows);
    CUDA_TRY(cudaGetLastError());
    return OTOK_OK;
}
