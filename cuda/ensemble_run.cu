/* ensemble_run.cu: runs of an ensemble's members: patches that do the same go together, each kernel once for all of them
   (team.cuh). What the kernels do is in the files of the stages. */
#include "ensemble.cuh"

#include <stdlib.h>
#include <string.h>

/* The patch that stands for a team, with the pointers of slot 0, and the partners of its outflows. */
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
static otok_status iterate(const otok_cuda_ensemble *e, front *leader, const otok_team *team, const otok_job *job,
                           const otok_coefficients *k, int from, int upto)
{
    if (e->fused && otok_cuda_fused_team_can(job->program))
        return otok_cuda_fused_team(&leader->patch, leader->spare, team, job->program, k, from, upto, job->nsteps);
    for (int n = from; n < upto; n++)
        OTOK_TRY(otok_cuda_iterate(&leader->patch, team, job->program, k));
    return OTOK_OK;
}

static otok_status run_team(const otok_cuda_ensemble *e, front *leader, const otok_team *team, const otok_job *job,
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
static otok_status tell(const otok_cuda_ensemble *e, const otok_job *jobs, int n)
{
    int longest = 0;
    for (int j = 0; j < n; j++) {
        otok_control *c = (otok_control *)(e->controls + (size_t)jobs[j].patch->slot * e->at.control_size);
        if (jobs[j].nsteps > e->max_steps)
            return OTOK_FAIL(OTOK_INTERNAL, "cuda: a run of %d steps in a slot made for %d; please report it", jobs[j].nsteps,
                             e->max_steps);
        c->k = *jobs[j].k;
        c->now = 0;
        memcpy(c->steps, jobs[j].steps, sizeof c->steps[0] * (size_t)jobs[j].nsteps);
        longest = jobs[j].nsteps > longest ? jobs[j].nsteps : longest;
    }
    const size_t width = offsetof(otok_control, steps) + sizeof(otok_step) * (size_t)longest;
    CUDA_TRY(cudaMemcpy2DAsync(e->memory + e->at.control, e->at.size, e->controls, e->at.control_size, width, (size_t)e->slots,
                               cudaMemcpyHostToDevice, e->stream));
    return OTOK_OK;
}

/* The next team: jobs that are not `taken` and go together with the first of these; their places in members. Coefficients: the
   first's, with the flags of all, which say what kernels must be able to. */
static int gather(const otok_cuda_ensemble *e, front *leader, otok_coefficients *k, const otok_job *jobs, int n, char *taken,
                  int *members)
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

static otok_status run_all(const otok_cuda_ensemble *e, const otok_job *jobs, int n, char *taken, int *members)
{
    front leader;
    otok_coefficients k;
    OTOK_TRY(tell(e, jobs, n));
    for (int done = 0, count; done < n; done += count) {
        count = gather(e, &leader, &k, jobs, n, taken, members);
        for (int m = 0; m < count; m++)
            e->list_here[done + m] = jobs[members[m]].patch->slot;
        const otok_team team = otok_team_of(e, done, count);
        CUDA_TRY(cudaMemcpyAsync(e->list + done, e->list_here + done, (size_t)count * sizeof *e->list, cudaMemcpyHostToDevice,
                                 e->stream));
        OTOK_TRY(run_team(e, &leader, &team, &jobs[members[0]], &k));
        for (int m = 0; m < count; m++)
            follow(e, jobs[members[m]].patch, &leader);
    }
    CUDA_TRY(cudaStreamSynchronize(e->stream)); /* what was told may change, and a failure shows in the run that caused it */
    return OTOK_OK;
}

otok_status otok_cuda_ensemble_run(void *place, const otok_job *jobs, int n)
{
    char *taken = (char *)calloc((size_t)n + 1, sizeof *taken + sizeof(int));
    if (!taken) return OTOK_FAIL(OTOK_NOMEM, "cuda: no host memory for %d members", n);
    int *members = (int *)calloc((size_t)n + 1, sizeof *members);
    const otok_status status = members ? run_all((const otok_cuda_ensemble *)place, jobs, n, taken, members)
                                       : OTOK_FAIL(OTOK_NOMEM, "cuda: no host memory for %d members", n);
    free(taken);
    free(members);
    return status;
}
