/* fused_batch.cu: batches of members in the fused strategy. Their maxima are kept by plain kernels
   between the passes. */
#include "fused.h"

/* Are its stages those of running maxima, which only look? */
static bool looks(const otok_program *program, const otok_fused_segment *segment)
{
    const otok_set kept = otok_set_range(OTOK_MAX_DEPTH, OTOK_DURATION + 1);
    bool all = true;
    for (int n = segment->from; n < segment->upto; n++) {
        const otok_op op = program->ops[n];
        all &=
            op.kind == otok_op::OTOK_OP_STAGE &&
            otok_set_is_empty(otok_set_without(
                otok_set_or(otok_stage_infos[op.a].writes, otok_stage_infos[op.a].seldom), kept));
    }
    return all;
}

/* Lanes without columns work in vain: with fewer than half of a strip's, plain kernels do a member
   of faces. Strips as in otok_fused_frame. */
static bool fills(const otok_fused_family *family, const otok_patch *leader)
{
    const int nx = leader->view.nx;
    const bool closed = !otok_open_sides(leader) && leader->edges[OTOK_LEFT] != OTOK_PERIODIC;
    const int columns = closed && nx > 2 * OTOK_LANE ? nx - 2 * OTOK_LANE : nx,
              strips = (columns + OTOK_STRIP_OWN - 1) / OTOK_STRIP_OWN;
    return !family->batch_flush || 2 * nx >= OTOK_STRIP_WHOLE * strips;
}

static const void *code_for(const otok_fused_family *family, const otok_patch *leader,
                            const otok_coefficients *k)
{
    if (!family->batch_code || !fills(family, leader)) return NULL;
    return family->batch_code(k, otok_fused_whole_strips(leader, family), otok_open_sides(leader));
}

bool otok_cuda_fused_batch_can(const otok_patch *leader, const otok_program *program,
                               const otok_coefficients *k)
{
    otok_fused_segment segments[OTOK_MAX_OPS];
    const int count = otok_fused_segments(segments, program, false);
    bool all = count > 0;
    for (int s = 0; s < count; s++)
        all &= segments[s].family ? code_for(segments[s].family, leader, k) != NULL
                                  : looks(program, &segments[s]);
    return all;
}

/* The families of hydraulic erosion swap the water with its second buffer, as they do the outflows,
   and no other stage touches either. */
bool otok_cuda_fused_batch_keeps_water(const otok_program *program)
{
    otok_fused_segment segments[OTOK_MAX_OPS];
    const int count = otok_fused_segments(segments, program, false);
    bool all = true, keeps = false;
    for (int s = 0; s < count; s++) {
        all &= segments[s].family != NULL;
        keeps |= segments[s].family && segments[s].family->partner != 0;
    }
    return all && keeps;
}

otok_status otok_cuda_fused_batch(otok_patch *leader, float **spare, const otok_batch *batch,
                                  const otok_program *program, const otok_coefficients *k,
                                  const uint8_t *counted, int from, int upto, int nsteps)
{
    otok_fused_segment segments[OTOK_MAX_OPS];
    otok_fused_pass passes[OTOK_MAX_OPS];
    const int count = otok_fused_segments(segments, program, false);
    const bool races = otok_fused_has_racers(program, segments, count);
    bool all = true;
    for (int p = 0; p < count; p++) {
        const otok_fused_family *family = passes[p].family = segments[p].family;
        all &= family != NULL;
        if (!family) continue;
        passes[p].races = races;
        passes[p].alone = count == 1;
        passes[p].shared = family->shared;
        passes[p].counted = counted;
        passes[p].code = code_for(family, leader, k);
        OTOK_TRY(otok_fused_frame(&passes[p].frame, leader, batch, family, passes[p].code));
    }
    for (int n = from; n < upto; n++) {
        for (int p = 0; p < count; p++)
            if (passes[p].family)
                CUDA_TRY(
                    passes[p].family->batch_start(leader, spare, batch, &passes[p], n, nsteps));
            else
                OTOK_TRY(otok_cuda_ops(leader, batch, program, k, segments[p].from,
                                       segments[p].upto, NULL));
        if (!all) OTOK_TRY(otok_cuda_advance(leader, batch));
    }
    return OTOK_OK;
}
