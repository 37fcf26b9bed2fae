/* ensemble.cu: many patches of one size side by side in one allocation, a slot each, and their runs: patches that do the same go
   together, each kernel once for all of them (team.cuh). What the kernels do is in the files of the stages. */
#include "team.cuh"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 32, MOST_SLOTS = 65535 }; /* floats, as in backend.cu; blocks that a kernel may have in z */

/* What the host tells a slot before a run. */
typedef struct control {
    otok_coefficients k;
    int now;
    otok_step steps[1]; /* max_steps of them */
} control;

/* Where things are in a slot [bytes]. */
typedef struct layout {
    ptrdiff_t pitch;
    size_t origin; /* of cell (0,0) in a buffer, in cells */
    size_t buffer[OTOK_BUFFERS], spare[OTOK_SIDES], wetness, water_before, before, was, control, sums, size;
    size_t control_size;
} layout;

typedef struct ensemble {
    layout at;
    otok_view first; /* the view of slot 0 with every buffer at home */
    int slots, max_steps;
    bool fused; /* teams are, where they can be; there are partners for the outflows */
    cudaStream_t stream;
    char *memory;
    otok_census *census;
    int *list; /* slots of the teams, one after the other */
    otok_gaze *gazes;
    otok_findings *found;
    char *controls; /* page-locked, as all below */
    int *list_here;
    otok_gaze *gazes_here;
    otok_findings *found_here;
} ensemble;

/* Ensembles there are. Those side by side have different priorities: else all would be through at the same time, and the device
   would wait while the host judges all of them. */
static int living;

static size_t room_for(layout *at, size_t bytes)
{
    const size_t offset = at->size;
    at->size += (bytes + 127) / 128 * 128;
    return offset;
}

static layout layout_of(const otok_patch *like, uint64_t needed, int max_steps, bool fused)
{
    const otok_view *v = &like->view;
    layout at;
    memset(&at, 0, sizeof at);
    at.pitch = ((ptrdiff_t)v->nx + 2 + ALIGN - 1) / ALIGN * ALIGN;
    at.origin = (size_t)at.pitch + ALIGN;
    at.control_size = (sizeof(control) + (size_t)(max_steps - 1) * sizeof(otok_step) + 127) / 128 * 128;
    const size_t cells = ((size_t)v->ny + 2) * (size_t)at.pitch + ALIGN;
    for (int b = 0; b < OTOK_BUFFERS; b++)
        if (b != OTOK_WETNESS && (needed >> b & 1)) at.buffer[b] = room_for(&at, cells * sizeof(float));
    for (int side = 0; fused && side < OTOK_SIDES && (needed >> OTOK_OUTFLOW_LEFT & 1); side++)
        at.spare[side] = room_for(&at, cells * sizeof(float));
    if (needed >> OTOK_WETNESS & 1) at.wetness = room_for(&at, cells);
    at.water_before = room_for(&at, cells * sizeof(float));
    at.before = room_for(&at, cells * sizeof(float));
    at.was = room_for(&at, cells);
    at.control = room_for(&at, at.control_size);
    at.sums = room_for(&at, OTOK_SUMS * sizeof(otok_sum));
    return at;
}

/* Memory of the device that is free for slots; a sixteenth stays for others. */
template <bool FUSED> static otok_status room(const otok_patch *like, uint64_t needed, int max_steps, size_t *bytes, int64_t *slots)
{
    const layout at = layout_of(like, needed, max_steps, FUSED);
    size_t left = 0, all = 0;
    CUDA_TRY(cudaMemGetInfo(&left, &all));
    *bytes = at.size + sizeof(otok_gaze) + sizeof(otok_findings) + sizeof(int);
    *slots = left > all / 16 ? (int64_t)((left - all / 16) / *bytes) : 0;
    if (*slots > MOST_SLOTS) *slots = MOST_SLOTS;
    return OTOK_OK;
}

static void destroy(void *place)
{
    ensemble *e = (ensemble *)place;
    if (!e) return;
    cudaFree(e->memory);
    cudaFree(e->census);
    cudaFree(e->list);
    cudaFree(e->gazes);
    cudaFree(e->found);
    cudaFreeHost(e->controls);
    cudaFreeHost(e->list_here);
    cudaFreeHost(e->gazes_here);
    cudaFreeHost(e->found_here);
    if (e->stream) {
        cudaStreamDestroy(e->stream);
        living--;
    }
    free(e);
}

static otok_status build(ensemble *e, const otok_patch *like, uint64_t needed)
{
    const layout *at = &e->at;
    const size_t slots = (size_t)e->slots;
    int last = 0, first = 0;
    CUDA_TRY(cudaDeviceGetStreamPriorityRange(&last, &first));
    CUDA_TRY(cudaStreamCreateWithPriority(&e->stream, cudaStreamNonBlocking, first + living % (last - first + 1)));
    living++;
    CUDA_TRY(cudaMalloc((void **)&e->memory, slots * at->size));
    CUDA_TRY(cudaMalloc((void **)&e->census, sizeof *e->census));
    CUDA_TRY(cudaMalloc((void **)&e->list, slots * sizeof *e->list));
    CUDA_TRY(cudaMalloc((void **)&e->gazes, slots * sizeof *e->gazes));
    CUDA_TRY(cudaMalloc((void **)&e->found, slots * sizeof *e->found));
    CUDA_TRY(cudaMallocHost((void **)&e->controls, slots * at->control_size));
    CUDA_TRY(cudaMallocHost((void **)&e->list_here, slots * sizeof *e->list_here));
    CUDA_TRY(cudaMallocHost((void **)&e->gazes_here, slots * sizeof *e->gazes_here));
    CUDA_TRY(cudaMallocHost((void **)&e->found_here, slots * sizeof *e->found_here));
    memset(e->controls, 0, slots * at->control_size);
    e->first = like->view;
    e->first.pitch = at->pitch;
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        const bool there = b != OTOK_WETNESS && (needed >> b & 1);
        e->first.at[b] = there ? (float *)(e->memory + at->buffer[b]) + at->origin : NULL;
    }
    e->first.wetness = needed >> OTOK_WETNESS & 1 ? (uint8_t *)e->memory + at->wetness + at->origin : NULL;
    const control *c = (const control *)(e->memory + at->control);
    e->first.steps = c->steps;
    e->first.now = &c->now;
    e->first.sums = (otok_sum *)(e->memory + at->sums);
    e->first.droplets_put = e->first.droplets_upto = NULL;
    return OTOK_OK;
}

template <bool FUSED> static otok_status create(void **out, const otok_patch *like, uint64_t needed, int max_steps, int slots)
{
    ensemble *e = (ensemble *)calloc(1, sizeof *e);
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

static ptrdiff_t offset(const ensemble *e, int slot)
{
    return slot * (ptrdiff_t)e->at.size;
}

otok_status otok_cuda_seat(otok_patch *patch, otok_cuda_own *own, uint64_t needed)
{
    ensemble *e = (ensemble *)patch->ensemble;
    own->seated = 1;
    own->stream = e->stream;
    own->census = e->census;
    patch->view = otok_view_moved(e->first, offset(e, patch->slot));
    own->sums = patch->view.sums;
    own->now = (int *)patch->view.now;
    for (int side = 0; e->at.spare[0] && side < OTOK_SIDES; side++)
        own->spare[side] = (float *)(e->memory + offset(e, patch->slot) + e->at.spare[side]) + e->at.origin;
    for (int b = 0; b < OTOK_BUFFERS; b++)
        if (b != OTOK_WETNESS && (needed >> b & 1) && !patch->view.at[b])
            return OTOK_FAIL(OTOK_INTERNAL, "cuda: a slot without buffer %d; please report it", b);
    CUDA_TRY(cudaMemsetAsync(e->memory + offset(e, patch->slot), 0, e->at.size, e->stream));
    return OTOK_OK;
}

static otok_status copy(void *place, int from, int to)
{
    const ensemble *e = (const ensemble *)place;
    CUDA_TRY(
        cudaMemcpyAsync(e->memory + offset(e, to), e->memory + offset(e, from), e->at.size, cudaMemcpyDeviceToDevice, e->stream));
    return OTOK_OK;
}

/* The patch that stands for a team, with the pointers of slot 0, and the partners of its outflows. */
typedef struct front {
    otok_patch patch;
    float *spare[OTOK_SIDES];
} front;

static front front_of(const ensemble *e, const otok_patch *patch)
{
    const ptrdiff_t back = -offset(e, patch->slot);
    front f;
    f.patch = *patch;
    f.patch.view = otok_view_moved(patch->view, back);
    for (int side = 0; side < OTOK_SIDES; side++)
        f.spare[side] = otok_moved(otok_cuda_own_of(patch)->spare[side], back);
    return f;
}

static void follow(const ensemble *e, otok_patch *patch, const front *leader)
{
    const ptrdiff_t bytes = offset(e, patch->slot);
    patch->view = otok_view_moved(leader->patch.view, bytes);
    for (int side = 0; side < OTOK_SIDES; side++)
        otok_cuda_own_of(patch)->spare[side] = otok_moved(leader->spare[side], bytes);
}

static bool alike(const front *leader, const ensemble *e, const otok_patch *patch)
{
    const front other = front_of(e, patch);
    return memcmp(leader->patch.edges, patch->edges, sizeof patch->edges) == 0 &&
           memcmp(leader->patch.view.at, other.patch.view.at, sizeof other.patch.view.at) == 0 &&
           memcmp(leader->spare, other.spare, sizeof other.spare) == 0;
}

static otok_team team_of(const ensemble *e, int from, int n)
{
    otok_team team;
    team.slots = e->list + from;
    team.n = n;
    team.stride = (ptrdiff_t)e->at.size;
    team.k = (const otok_coefficients *)(e->memory + e->at.control + offsetof(control, k));
    return team;
}

/* ---- runs ---- */

static bool same_work(const otok_job *a, const otok_job *b)
{
    return a->nsteps == b->nsteps && a->keep == b->keep && a->program->nops == b->program->nops &&
           memcmp(a->program->ops, b->program->ops, sizeof a->program->ops[0] * (size_t)a->program->nops) == 0;
}

static __device__ inline void keep_water(const otok_view &v, int rows, float *water_before)
{
    const otok_walk w = otok_walk_of(v, rows);
    for (int at = w.first; at < w.end; at += w.step)
        water_before[at] = v.at[OTOK_WATER][at];
}

static __global__ void keep_waters(otok_view first, otok_team team, int rows, float *water_before)
{
    const ptrdiff_t bytes = otok_team_bytes(team);
    keep_water(otok_view_moved(first, bytes), rows, otok_moved(water_before, bytes));
}

/* Iterations from <= n < upto of the run. */
static otok_status iterate(const ensemble *e, front *leader, const otok_team *team, const otok_job *job, const otok_coefficients *k,
                           int from, int upto)
{
    if (e->fused && otok_cuda_fused_team_can(job->program))
        return otok_cuda_fused_team(&leader->patch, leader->spare, team, job->program, k, from, upto, job->nsteps);
    for (int n = from; n < upto; n++)
        OTOK_TRY(otok_cuda_iterate(&leader->patch, team, job->program, k));
    return OTOK_OK;
}

static otok_status run_team(const ensemble *e, front *leader, const otok_team *team, const otok_job *job,
                            const otok_coefficients *k)
{
    const otok_view *v = &leader->patch.view;
    const int last = job->nsteps - 1;
    if (last < 0) return OTOK_OK;
    OTOK_TRY(iterate(e, leader, team, job, k, 0, last));
    if (job->keep && v->at[OTOK_WATER]) {
        const otok_launch l = otok_cuda_launch(&leader->patch, team, NULL);
        float *to = (float *)(e->memory + e->at.water_before) + e->at.origin;
        keep_waters<<<dim3(l.grid.x, l.grid.y, (unsigned)team->n), l.block, 0, l.stream>>>(*v, *team, l.rows, to);
        CUDA_TRY(cudaGetLastError());
    }
    return iterate(e, leader, team, job, k, last, last + 1);
}

/* Coefficients, clock and schedule of every job's slot. */
static otok_status tell(const ensemble *e, const otok_job *jobs, int n)
{
    int longest = 0;
    for (int j = 0; j < n; j++) {
        control *c = (control *)(e->controls + (size_t)jobs[j].patch->slot * e->at.control_size);
        if (jobs[j].nsteps > e->max_steps)
            return OTOK_FAIL(OTOK_INTERNAL, "cuda: a run of %d steps in a slot made for %d; please report it", jobs[j].nsteps,
                             e->max_steps);
        c->k = *jobs[j].k;
        c->now = 0;
        memcpy(c->steps, jobs[j].steps, sizeof c->steps[0] * (size_t)jobs[j].nsteps);
        longest = jobs[j].nsteps > longest ? jobs[j].nsteps : longest;
    }
    const size_t width = offsetof(control, steps) + sizeof(otok_step) * (size_t)longest;
    CUDA_TRY(cudaMemcpy2DAsync(e->memory + e->at.control, e->at.size, e->controls, e->at.control_size, width, (size_t)e->slots,
                               cudaMemcpyHostToDevice, e->stream));
    return OTOK_OK;
}

/* The next team: jobs that are not `taken` and go together with the first of these; their places in members. Coefficients: the
   first's, with the flags of all, which say what kernels must be able to. */
static int gather(const ensemble *e, front *leader, otok_coefficients *k, const otok_job *jobs, int n, char *taken, int *members)
{
    int count = 0, first = -1;
    for (int j = 0; j < n; j++) {
        if (taken[j]) continue;
        if (first < 0) {
            first = j;
            *leader = front_of(e, jobs[j].patch);
            *k = *jobs[j].k;
        } else if (!same_work(&jobs[first], &jobs[j]) || !alike(leader, e, jobs[j].patch))
            continue;
        k->erosion.downhill |= jobs[j].k->erosion.downhill;
        k->erosion.times_depth |= jobs[j].k->erosion.times_depth;
        k->erosion.displace_water |= jobs[j].k->erosion.displace_water;
        taken[j] = 1;
        members[count++] = j;
    }
    return count;
}

static otok_status run_all(const ensemble *e, const otok_job *jobs, int n, char *taken, int *members)
{
    front leader;
    otok_coefficients k;
    OTOK_TRY(tell(e, jobs, n));
    for (int done = 0, count; done < n; done += count) {
        count = gather(e, &leader, &k, jobs, n, taken, members);
        for (int m = 0; m < count; m++)
            e->list_here[done + m] = jobs[members[m]].patch->slot;
        const otok_team team = team_of(e, done, count);
        CUDA_TRY(cudaMemcpyAsync(e->list + done, e->list_here + done, (size_t)count * sizeof *e->list, cudaMemcpyHostToDevice,
                                 e->stream));
        OTOK_TRY(run_team(e, &leader, &team, &jobs[members[0]], &k));
        for (int m = 0; m < count; m++)
            follow(e, jobs[members[m]].patch, &leader);
    }
    CUDA_TRY(cudaStreamSynchronize(e->stream)); /* what was told may change, and a failure shows in the run that caused it */
    return OTOK_OK;
}

static otok_status run(void *place, const otok_job *jobs, int n)
{
    char *taken = (char *)calloc((size_t)n + 1, sizeof *taken + sizeof(int));
    if (!taken) return OTOK_FAIL(OTOK_NOMEM, "cuda: no host memory for %d members", n);
    int *members = (int *)calloc((size_t)n + 1, sizeof *members);
    const otok_status status = members ? run_all((const ensemble *)place, jobs, n, taken, members)
                                       : OTOK_FAIL(OTOK_NOMEM, "cuda: no host memory for %d members", n);
    free(taken);
    free(members);
    return status;
}

/* ---- looks ---- */

static otok_gaze gaze_of(const ensemble *e, const otok_survey *survey)
{
    const otok_view *v = &survey->patch->view;
    char *slot = e->memory + offset(e, survey->patch->slot);
    otok_gaze g;
    otok_look_maps *m = &g.maps;
    *m = survey->maps;
    m->pitch = v->pitch;
    m->base = v->at[OTOK_TERRAIN_BASE];
    m->change = v->at[OTOK_TERRAIN_CHANGE];
    m->water = v->at[OTOK_WATER];
    m->sediment = v->at[OTOK_SEDIMENT];
    for (int side = 0; side < OTOK_SIDES; side++)
        m->outflow[side] = v->at[OTOK_OUTFLOW_LEFT + side];
    m->u = v->at[OTOK_VELOCITY_X];
    m->w = v->at[OTOK_VELOCITY_Y];
    m->carbon = v->at[OTOK_CARBON];
    m->water_before = (const float *)(slot + e->at.water_before) + e->at.origin;
    m->before = (float *)(slot + e->at.before) + e->at.origin;
    m->was = (uint8_t *)slot + e->at.was + e->at.origin;
    memcpy(g.at, v->at, sizeof g.at);
    g.wetness = v->wetness;
    g.sums = v->sums;
    g.fields = survey->fields;
    g.prints = survey->prints;
    return g;
}

static otok_status look(void *place, otok_survey *surveys, int n)
{
    const ensemble *e = (const ensemble *)place;
    if (n == 0) return OTOK_OK;
    otok_team all = team_of(e, 0, n);
    const otok_launch l = otok_cuda_launch(surveys[0].patch, &all, NULL);
    bool prints = false;
    for (int m = 0; m < n; m++) {
        e->gazes_here[m] = gaze_of(e, &surveys[m]);
        prints |= surveys[m].prints != 0;
    }
    CUDA_TRY(cudaMemcpyAsync(e->gazes, e->gazes_here, (size_t)n * sizeof *e->gazes, cudaMemcpyHostToDevice, e->stream));
    CUDA_TRY(cudaMemsetAsync(e->found, 0, (size_t)n * sizeof *e->found, e->stream));
    OTOK_TRY(otok_cuda_look(e->gazes, e->found, n, prints, &l));
    CUDA_TRY(cudaMemcpyAsync(e->found_here, e->found, (size_t)n * sizeof *e->found, cudaMemcpyDeviceToHost, e->stream));
    CUDA_TRY(cudaStreamSynchronize(e->stream));
    for (int m = 0; m < n; m++)
        surveys[m].found = e->found_here[m];
    return OTOK_OK;
}

const otok_ensembles otok_cuda_ensembles = {room<false>, create<false>, destroy, copy, run, look};
const otok_ensembles otok_cuda_ensembles_fused = {room<true>, create<true>, destroy, copy, run, look};
