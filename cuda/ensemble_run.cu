/* ensemble_run.cu: runs the members of an ensemble. Patches that do the same form a batch, and each
   kernel is launched once for the batch (batch.cuh). */
#include "ensemble.cuh"

#include <stdlib.h>
#include <string.h>

/* The patch that stands for a batch, with the pointers of slot 0, and the partners of its
   outflows. */
typedef struct front {
    otok_patch patch;
    float *spare[OTOK_SIDES];
} front;

static front front_of(const otok_cuda_ensemble *e, const otok_patch *patch)
{
    const ptrdiff_t back = -otok_slot_offset(e, patch->slot);
    front f;
    f.patch = *patch;
    f.patch.view = otok_view_moved(patch->view, back);
    for (int side = 0; side < OTOK_SIDES; side++)
        f.spare[side] = otok_moved(otok_cuda_own_of(patch)->spare[side], back);
    return f;
}

static void follow(const otok_cuda_ensemble *e, otok_patch *patch, const front *leader)
{
    const ptrdiff_t bytes = otok_slot_offset(e, patch->slot);
    patch->view = otok_view_moved(leader->patch.view, bytes);
    for (int side = 0; side < OTOK_SIDES; side++)
        otok_cuda_own_of(patch)->spare[side] = otok_moved(leader->spare[side], bytes);
}

static bool alike(const front *leader, const otok_cuda_ensemble *e, const otok_patch *patch)
{
    const front other = front_of(e, patch);
    return memcmp(leader->patch.edges, patch->edges, sizeof patch->edges) == 0 &&
           memcmp(leader->patch.view.at, other.patch.view.at, sizeof other.patch.view.at) == 0 &&
           memcmp(leader->spare, other.spare, sizeof other.spare) == 0;
}

static bool same_work(const otok_job *a, const otok_job *b)
{
    for (int n = 0; n < a->nsteps && n < b->nsteps; n++)
        if (a->steps[n].waves != b->steps[n].waves) return false;
    return a->nsteps == b->nsteps && a->keep == b->keep && a->program->nops == b->program->nops &&
           memcmp(a->program->ops, b->program->ops,
                  sizeof a->program->ops[0] * (size_t)a->program->nops) == 0;
}

static __device__ inline void keep_water(const otok_view &v, int rows, float *water_before)
{
    const otok_walk w = otok_walk_of(v, rows);
    for (int at = w.first; at < w.end; at += w.step)
        water_before[at] = v.at[OTOK_WATER][at];
}

static __global__ void keep_waters(otok_view first, otok_batch batch, int rows, float *water_before)
{
    const ptrdiff_t bytes = otok_batch_bytes(batch);
    keep_water(otok_view_moved(first, bytes), rows, otok_moved(water_before, bytes));
}

static bool fuses(const otok_cuda_ensemble *e, const otok_patch *leader, const otok_job *job,
                  const otok_coefficients *k)
{
    const otok_view *v = &leader->view;
    return e->fused && !v->at[OTOK_WALLS] && !otok_cuda_only_plain(v, job->program) &&
           otok_cuda_fused_batch_can(leader, job->program, k);
}

/* Iterations from <= n < upto of the run. Waves are due for all members or for none (same_work). */
static otok_status iterate(const otok_cuda_ensemble *e, front *leader, const otok_batch *batch,
                           const otok_job *job, const otok_coefficients *k, const uint8_t *counted,
                           int from, int upto)
{
    if (fuses(e, &leader->patch, job, k))
        return otok_cuda_fused_batch(&leader->patch, leader->spare, batch, job->program, k, counted,
                                     from, upto, job->nsteps);
    for (int n = from; n < upto; n++)
        OTOK_TRY(otok_cuda_iterate(&leader->patch, batch, job->program, k, &job->steps[n]));
    return OTOK_OK;
}

/* *water_is_next: the last step keeps the water from before it, so that no copy is needed. */
static otok_status run_batch(const otok_cuda_ensemble *e, front *leader, const otok_batch *batch,
                             const otok_job *job, const otok_coefficients *k,
                             const uint8_t *counted, bool *water_is_next)
{
    const otok_view *v = &leader->patch.view;
    const int last = job->nsteps - 1;
    const int from = job->keep == OTOK_KEEPS_FIRST ? 0 : last;
    *water_is_next = job->keep == OTOK_KEEPS_LAST && fuses(e, &leader->patch, job, k) &&
                     otok_cuda_fused_batch_keeps_water(job->program);
    if (last < 0) return OTOK_OK;
    if (!job->keep || !v->at[OTOK_WATER] || *water_is_next)
        return iterate(e, leader, batch, job, k, counted, 0, last + 1);
    OTOK_TRY(iterate(e, leader, batch, job, k, counted, 0, from));
    const otok_launch l = otok_cuda_launch(&leader->patch, batch, NULL);
    float *to = (float *)(e->memory + e->at.water_before) + e->at.origin;
    keep_waters<<<dim3(l.grid.x, l.grid.y, (unsigned)batch->n), l.block, 0, l.stream>>>(*v, *batch,
                                                                                        l.rows, to);
    CUDA_TRY(cudaGetLastError());
    return iterate(e, leader, batch, job, k, counted, from, last + 1);
}

/* Sends coefficients, clock and schedule to the slot of every job. */
static otok_status upload_jobs(otok_cuda_ensemble *e, const otok_job *jobs, int n)
{
    int longest = 0;
    for (int j = 0; j < n; j++) {
        otok_control *c =
            (otok_control *)(e->controls + (size_t)jobs[j].patch->slot * e->at.control_size);
        if (jobs[j].nsteps > e->max_steps)
            return OTOK_FAIL(OTOK_INTERNAL,
                             "cuda: a run of %d steps in a slot made for %d; please report it",
                             jobs[j].nsteps, e->max_steps);
        c->k = *jobs[j].k;
        c->now = 0;
        memcpy(c->steps, jobs[j].steps, sizeof c->steps[0] * (size_t)jobs[j].nsteps);
        longest = jobs[j].nsteps > longest ? jobs[j].nsteps : longest;
    }
    const size_t width = offsetof(otok_control, steps) + sizeof(otok_step) * (size_t)longest;
    return otok_cycle_copy(e, e->memory + e->at.control, e->at.size, e->controls,
                           e->at.control_size, width, (size_t)e->slots);
}

/* A batch: indices in a list of all jobs, which is ordered by batches. The coefficients are those
   of the first job, with the flags of all, and the greatest number of groups of waves, which say
   what the kernels must be able to do. */
typedef struct gathered {
    front leader;
    otok_coefficients k;
    const int *members;
    int n;
    bool water_is_next; /* after its run */
} gathered;

/* Forms the next batch: jobs that are not `taken` and match the first of these. */
static void gather(gathered *batch, const otok_cuda_ensemble *e, const otok_job *jobs, int n,
                   char *taken, int *members)
{
    batch->members = members;
    for (int j = 0; j < n; j++) {
        if (taken[j]) continue;
        if (batch->n == 0) {
            batch->leader = front_of(e, jobs[j].patch);
            batch->k = *jobs[j].k;
        } else if (!same_work(&jobs[members[0]], &jobs[j]) ||
                   !alike(&batch->leader, e, jobs[j].patch))
            continue;
        if (batch->k.waves.groups < jobs[j].k->waves.groups)
            batch->k.waves.groups = jobs[j].k->waves.groups;
        if (batch->k.pipes.lean < jobs[j].k->pipes.lean)
            batch->k.pipes.lean = jobs[j].k->pipes.lean;
        batch->k.pipes.by_depth &= jobs[j].k->pipes.by_depth;
        batch->k.pipes.vector &= jobs[j].k->pipes.vector;
        batch->k.erosion.downhill |= jobs[j].k->erosion.downhill;
        batch->k.erosion.times_depth |= jobs[j].k->erosion.times_depth;
        batch->k.erosion.displace_water |= jobs[j].k->erosion.displace_water;
        taken[j] = 1;
        members[batch->n++] = j;
    }
}

/* In which iterations what moves counts in some member of a batch. */
static void note_counted(uint8_t *counted, const gathered *batch, const otok_job *jobs)
{
    for (int m = 0; m < batch->n; m++) {
        const otok_job *job = &jobs[batch->members[m]];
        for (int n = 0; n < job->nsteps; n++)
            counted[n] =
                (uint8_t)((m > 0 && counted[n]) || otok_moves_count(job->steps[n].iteration));
    }
}

/* Starts the runs of all batches. It must be quick, because other ensembles wait meanwhile. */
static otok_status run_batches(otok_cuda_ensemble *e, const otok_job *jobs, int n,
                               gathered *batches, uint8_t *counted)
{
    OTOK_TRY(otok_cycle_begin(e));
    for (int done = 0, t = 0; done < n; done += batches[t++].n) {
        const otok_batch batch = otok_batch_of(e, done, batches[t].n);
        note_counted(counted, &batches[t], jobs);
        OTOK_TRY(run_batch(e, &batches[t].leader, &batch, &jobs[batches[t].members[0]],
                           &batches[t].k, counted, &batches[t].water_is_next));
    }
    return OTOK_OK;
}

static otok_status run_all(otok_cuda_ensemble *e, const otok_job *jobs, int n, char *taken,
                           int *members, gathered *batches, uint8_t *counted)
{
    if (e->running) OTOK_TRY(otok_cycle_wait(e)); /* before the controls are written again */
    OTOK_TRY(upload_jobs(e, jobs, n));
    e->running = true;
    for (int done = 0, t = 0; done < n; done += batches[t++].n)
        gather(&batches[t], e, jobs, n, taken, members + done);
    for (int m = 0; m < n; m++)
        e->list_here[m] = jobs[members[m]].patch->slot;
    OTOK_TRY(otok_cycle_copy(e, e->list, 0, e->list_here, 0, (size_t)n * sizeof *e->list, 1));
    otok_status status = otok_order_enter(e, jobs[0].nsteps);
    if (status == OTOK_OK) status = run_batches(e, jobs, n, batches, counted);
    const otok_status passed = otok_order_leave(e);
    OTOK_TRY(status != OTOK_OK ? status : passed);
    for (int done = 0, t = 0; done < n; done += batches[t++].n)
        for (int m = 0; m < batches[t].n; m++) {
            otok_patch *patch = jobs[batches[t].members[m]].patch;
            follow(e, patch, &batches[t].leader);
            e->water_is_next[patch->slot] = batches[t].water_is_next;
        }
    return OTOK_OK;
}

otok_status otok_cuda_ensemble_run(void *ensemble, const otok_job *jobs, int n)
{
    char *taken = (char *)calloc((size_t)n + 1, sizeof *taken);
    int *members = (int *)calloc((size_t)n + 1, sizeof *members);
    gathered *batches = (gathered *)calloc((size_t)n + 1, sizeof *batches);
    uint8_t *counted =
        (uint8_t *)calloc((size_t)((otok_cuda_ensemble *)ensemble)->max_steps + 1, sizeof *counted);
    const otok_status status =
        taken && members && batches && counted
            ? run_all((otok_cuda_ensemble *)ensemble, jobs, n, taken, members, batches, counted)
            : OTOK_FAIL(OTOK_NOMEM, "cuda: no host memory for %d members", n);
    free(taken);
    free(members);
    free(batches);
    free(counted);
    return status;
}
