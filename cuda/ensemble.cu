/* ensemble.cu: many patches of one size in one allocation, a slot each, and their diagnostics.
   ensemble_run.cu runs them. */
#include "ensemble.cuh"

#include <stdlib.h>
#include <string.h>

enum {
    ALIGN = 32,
    MOST_SLOTS = 65535
}; /* floats, as in backend.cu; the most blocks of a kernel in z */

int otok_cuda_ensembles_living[OTOK_DEVICES];

static size_t room_for(otok_layout *at, size_t bytes)
{
    const size_t offset = at->size;
    at->size += (bytes + 127) / 128 * 128;
    return offset;
}

static otok_layout layout_of(const otok_patch *like, otok_set needed, int max_steps, bool fused)
{
    const otok_view *v = &like->view;
    otok_layout at;
    memset(&at, 0, sizeof at);
    at.pitch = ((ptrdiff_t)v->nx + 2 + ALIGN - 1) / ALIGN * ALIGN;
    at.origin = (size_t)at.pitch + ALIGN;
    at.control_size =
        (sizeof(otok_control) + (size_t)(max_steps - 1) * sizeof(otok_step) + 127) / 128 * 128;
    const size_t cells = ((size_t)v->ny + 2) * (size_t)at.pitch + ALIGN;
    for (int b = 0; b < OTOK_BUFFERS; b++)
        if (b != OTOK_WETNESS && otok_set_has(needed, b))
            at.buffer[b] = room_for(&at, cells * sizeof(float));
    for (int side = 0; fused && side < OTOK_SIDES; side++)
        if (otok_set_has(needed, OTOK_OUTFLOW_LEFT + side))
            at.spare[side] = room_for(&at, cells * sizeof(float));
    if (otok_set_has(needed, OTOK_WETNESS)) at.wetness = room_for(&at, cells);
    at.water_before = room_for(&at, cells * sizeof(float));
    at.before = room_for(&at, cells * sizeof(float));
    at.control = room_for(&at, at.control_size);
    at.sums = room_for(&at, OTOK_SUMS * sizeof(otok_sum));
    return at;
}

/* Memory of the device that is free for slots. A sixteenth stays free for others. */
template <bool FUSED>
static otok_status room(const otok_patch *like, otok_set needed, int max_steps, size_t *bytes,
                        int64_t *slots)
{
    const otok_layout at = layout_of(like, needed, max_steps, FUSED);
    size_t left = 0, all = 0;
    CUDA_TRY(cudaMemGetInfo(&left, &all));
    *bytes = at.size + sizeof(otok_diagnostics_input) + sizeof(otok_diagnostics_result) +
             sizeof(otok_racer) + sizeof(int);
    *slots = left > all / 16 ? (int64_t)((left - all / 16) / *bytes) : 0;
    if (*slots > MOST_SLOTS) *slots = MOST_SLOTS;
    return OTOK_OK;
}

static void destroy(void *ensemble)
{
    otok_cuda_ensemble *e = (otok_cuda_ensemble *)ensemble;
    if (!e) return;
    cudaFree(e->memory);
    cudaFree(e->summary);
    cudaFree(e->list);
    cudaFree(e->inputs);
    cudaFree(e->found);
    cudaFree(e->racers);
    cudaFree(e->pairs);
    cudaFree(e->apart);
    free(e->water_is_next);
    cudaFreeHost(e->controls);
    cudaFreeHost(e->list_here);
    cudaFreeHost(e->inputs_here);
    cudaFreeHost(e->found_here);
    cudaFreeHost(e->racers_here);
    cudaFreeHost(e->pairs_here);
    cudaFreeHost(e->apart_here);
    if (e->stream) {
        cudaStreamDestroy(e->stream);
        otok_cuda_ensembles_living[e->device]--;
    }
    otok_cycle_destroy(&e->cycle, e->device);
    free(e);
}

static otok_status build(otok_cuda_ensemble *e, const otok_patch *like, otok_set needed)
{
    const otok_layout *at = &e->at;
    const size_t slots = (size_t)e->slots;
    e->water_is_next = (bool *)calloc(slots, sizeof *e->water_is_next);
    if (!e->water_is_next)
        return OTOK_FAIL(OTOK_NOMEM, "cuda: no host memory for %zu slots", slots);
    CUDA_TRY(cudaGetDevice(&e->device));
    if (e->device >= OTOK_DEVICES)
        return OTOK_FAIL(OTOK_DEVICE, "cuda: studies use the first %d GPUs", OTOK_DEVICES);
    CUDA_TRY(cudaStreamCreateWithFlags(&e->stream, cudaStreamNonBlocking));
    otok_cuda_ensembles_living[e->device]++;
    OTOK_TRY(otok_cycle_create(&e->cycle));
    CUDA_TRY(cudaMalloc((void **)&e->memory, slots * at->size));
    CUDA_TRY(cudaMalloc((void **)&e->summary, sizeof *e->summary));
    CUDA_TRY(cudaMalloc((void **)&e->list, slots * sizeof *e->list));
    CUDA_TRY(cudaMalloc((void **)&e->inputs, slots * sizeof *e->inputs));
    CUDA_TRY(cudaMalloc((void **)&e->found, slots * sizeof *e->found));
    CUDA_TRY(cudaMalloc((void **)&e->racers, slots * sizeof *e->racers));
    CUDA_TRY(cudaMallocHost((void **)&e->controls, slots * at->control_size));
    CUDA_TRY(cudaMallocHost((void **)&e->list_here, slots * sizeof *e->list_here));
    CUDA_TRY(cudaMallocHost((void **)&e->inputs_here, slots * sizeof *e->inputs_here));
    CUDA_TRY(cudaMallocHost((void **)&e->found_here, slots * sizeof *e->found_here));
    CUDA_TRY(cudaMallocHost((void **)&e->racers_here, slots * sizeof *e->racers_here));
    if (otok_set_has(needed, OTOK_CHANGE_START)) { /* members have twins */
        CUDA_TRY(cudaMalloc((void **)&e->pairs, slots * sizeof *e->pairs));
        CUDA_TRY(cudaMalloc((void **)&e->apart, slots * sizeof *e->apart));
        CUDA_TRY(cudaMallocHost((void **)&e->pairs_here, slots * sizeof *e->pairs_here));
        CUDA_TRY(cudaMallocHost((void **)&e->apart_here, slots * sizeof *e->apart_here));
    }
    memset(e->controls, 0, slots * at->control_size);
    e->first = like->view;
    e->first.pitch = at->pitch;
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        const bool there = b != OTOK_WETNESS && otok_set_has(needed, b);
        e->first.at[b] = there ? (float *)(e->memory + at->buffer[b]) + at->origin : NULL;
    }
    e->first.wetness =
        otok_set_has(needed, OTOK_WETNESS) ? (uint8_t *)e->memory + at->wetness + at->origin : NULL;
    const otok_control *c = (const otok_control *)(e->memory + at->control);
    e->first.steps = c->steps;
    e->first.now = &c->now;
    e->first.sums = (otok_sum *)(e->memory + at->sums);
    e->first.droplets_put = e->first.droplets_upto = NULL;
    return OTOK_OK;
}

template <bool FUSED>
static otok_status create(void **out, const otok_patch *like, otok_set needed, int max_steps,
                          int slots)
{
    otok_cuda_ensemble *e = (otok_cuda_ensemble *)calloc(1, sizeof *e);
    *out = NULL;
    if (!e) return OTOK_FAIL(OTOK_NOMEM, "cuda: no host memory for an ensemble");
    e->fused = FUSED;
    e->at = layout_of(like, needed, max_steps, FUSED);
    e->slots = slots;
    e->max_steps = max_steps;
    const otok_status status = build(e, like, needed);
    if (status == OTOK_OK)
        *out = e;
    else
        destroy(e);
    return status;
}

otok_status otok_cuda_create_in_slot(otok_patch *patch, otok_cuda_own *own, otok_set needed)
{
    otok_cuda_ensemble *e = (otok_cuda_ensemble *)patch->ensemble;
    own->in_slot = 1;
    own->stream = e->stream;
    own->summary = e->summary;
    patch->view = otok_view_moved(e->first, otok_slot_offset(e, patch->slot));
    own->sums = patch->view.sums;
    own->now = (int *)patch->view.now;
    for (int side = 0; side < OTOK_SIDES; side++)
        if (e->at.spare[side])
            own->spare[side] =
                (float *)(e->memory + otok_slot_offset(e, patch->slot) + e->at.spare[side]) +
                e->at.origin;
    for (int b = 0; b < OTOK_BUFFERS; b++)
        if (b != OTOK_WETNESS && otok_set_has(needed, b) && !patch->view.at[b])
            return OTOK_FAIL(OTOK_INTERNAL, "cuda: a slot without a buffer (%s); please report it",
                             otok_buffer_name(b));
    CUDA_TRY(
        cudaMemsetAsync(e->memory + otok_slot_offset(e, patch->slot), 0, e->at.size, e->stream));
    return OTOK_OK;
}

static otok_status copy(void *ensemble, int from, int to)
{
    const otok_cuda_ensemble *e = (const otok_cuda_ensemble *)ensemble;
    CUDA_TRY(cudaMemcpyAsync(e->memory + otok_slot_offset(e, to),
                             e->memory + otok_slot_offset(e, from), e->at.size,
                             cudaMemcpyDeviceToDevice, e->stream));
    return OTOK_OK;
}

/* ---- diagnostics ---- */

static otok_diagnostics_input input_of(const otok_cuda_ensemble *e,
                                       const otok_diagnostics_request *request)
{
    const otok_view *v = &request->patch->view;
    char *slot = e->memory + otok_slot_offset(e, request->patch->slot);
    otok_diagnostics_input g = otok_cuda_diagnostics_input(v, request);
    otok_diagnostics_maps *m = &g.maps;
    m->water_before = e->water_is_next[request->patch->slot]
                          ? v->at[OTOK_WATER_NEXT]
                          : (const float *)(slot + e->at.water_before) + e->at.origin;
    m->before = (float *)(slot + e->at.before) + e->at.origin;
    return g;
}

static otok_status diagnose(void *ensemble, otok_diagnostics_request *requests, int n)
{
    otok_cuda_ensemble *e = (otok_cuda_ensemble *)ensemble;
    if (n == 0) return OTOK_OK;
    otok_batch all = otok_batch_of(e, 0, n);
    const otok_launch l = otok_cuda_launch(requests[0].patch, &all, NULL);
    bool prints = false, walls = false;
    for (int m = 0; m < n; m++) {
        e->inputs_here[m] = input_of(e, &requests[m]);
        prints |= requests[m].prints != 0;
        walls |= e->inputs_here[m].maps.walls != NULL;
    }
    OTOK_TRY(otok_cycle_diagnose(e));
    OTOK_TRY(otok_cycle_copy(e, e->inputs, 0, e->inputs_here, 0, (size_t)n * sizeof *e->inputs, 1));
    CUDA_TRY(cudaMemsetAsync(e->found, 0, (size_t)n * sizeof *e->found, e->stream));
    OTOK_TRY(otok_cuda_diagnose(e->inputs, e->found, n, prints, walls, &l));
    OTOK_TRY(otok_cycle_copy(e, e->found_here, 0, e->found, 0, (size_t)n * sizeof *e->found, 1));
    OTOK_TRY(otok_cycle_end(e));
    for (int m = 0; m < n; m++)
        requests[m].found = e->found_here[m];
    return OTOK_OK;
}

static otok_cycle_times times(const void *ensemble)
{
    return ((const otok_cuda_ensemble *)ensemble)->cycle.times;
}

const otok_ensembles otok_cuda_ensembles = {
    room<false>, create<false>,           destroy,
    copy,        otok_cuda_ensemble_run,  otok_cuda_ensemble_fastest,
    diagnose,    otok_cuda_ensemble_part, otok_cuda_ensemble_compare,
    times};
const otok_ensembles otok_cuda_ensembles_fused = {room<true>,
                                                  create<true>,
                                                  destroy,
                                                  copy,
                                                  otok_cuda_ensemble_run,
                                                  otok_cuda_ensemble_fastest,
                                                  diagnose,
                                                  otok_cuda_ensemble_part,
                                                  otok_cuda_ensemble_compare,
                                                  times};
