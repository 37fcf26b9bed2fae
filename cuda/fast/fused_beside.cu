/* fused_beside.cu: the host's part of fused kernels on patches side by side: what each launch hands
   to the patches below and above. strip_beside.cuh has the kernels' part. Each device goes through
   its launches on its own; only warps at a cut wait for the launch before on the other side. */
#include "fused.h"

#include <stdlib.h>
#include <string.h>

void otok_fused_forget(void *kept)
{
    otok_fused_kept *k = (otok_fused_kept *)kept;
    if (k) cudaFree(k->taken);
    if (k) cudaFreeHost(k->stop);
    free(k);
}

otok_status otok_fused_kept_of(otok_fused_kept **out, otok_cuda_own *own)
{
    if (!own->frames) own->frames = calloc(1, sizeof(otok_fused_kept));
    *out = (otok_fused_kept *)own->frames;
    return *out ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "cuda: no host memory for a patch");
}

int otok_fused_rows_given(const otok_fused_family *const *used, int count)
{
    int reach = 0;
    for (int p = 0; p < count; p++)
        reach = used[p]->reach > reach ? used[p]->reach : reach;
    return reach + 1;
}

/* Patches of fewer cells are faster with a copy of many rows for many iterations, because a launch
   then takes little longer than rows take from patch to patch. */
enum { LEAST_BESIDE = 3 << 19 };

bool otok_fused_can_beside(const otok_patch *patch, const otok_program *program,
                           const otok_coefficients *k)
{
    const otok_fused_family *used[OTOK_MAX_OPS];
    const otok_view *v = &patch->view;
    const int count = otok_fused_divide(used, program), rows = otok_fused_rows_given(used, count);
    if (count == 0) return false; /* plain stages would need their rows too */
    for (int side = 0; side < 2; side++)
        if (v->shared[side] > 0 && v->shared[side] < rows) return false;
    const bool asked = otok_cuda_own_of(patch)->asked != NULL;
    const int64_t cells = (int64_t)v->nx * otok_own_rows(v);
    return otok_own_rows(v) >= rows && (asked || cells >= LEAST_BESIDE) &&
           otok_fused_can(patch, program, k);
}

otok_status otok_fused_prepare_beside(otok_patch *patch, const otok_program *,
                                      const otok_coefficients *, int)
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    otok_fused_kept *k;
    OTOK_TRY(otok_fused_kept_of(&k, own));
    if (!k->taken) CUDA_TRY(cudaMalloc((void **)&k->taken, 2 * sizeof *k->taken));
    if (!k->stop) CUDA_TRY(cudaMallocHost((void **)&k->stop, sizeof *k->stop));
    *k->stop = k->given = 0;
    for (int side = 0; side < 2; side++) {
        const otok_patch *other = own->beside[side];
        if (!other) continue;
        k->view[side] = other->view;
        memcpy(k->spare[side], otok_cuda_own_of(other)->spare, sizeof k->spare[side]);
    }
    CUDA_TRY(cudaMemsetAsync(k->taken, 0, 2 * sizeof *k->taken, own->stream));
    CUDA_TRY(cudaStreamSynchronize(own->stream));
    return OTOK_OK;
}

void otok_fused_give_up(otok_patch *patch)
{
    otok_fused_kept *k = (otok_fused_kept *)otok_cuda_own_of(patch)->frames;
    if (k && k->stop) *(volatile unsigned *)k->stop = 1;
}

otok_handing otok_fused_handing(const otok_patch *patch, const otok_fused_pass *pass, int rows)
{
    const otok_cuda_own *own = otok_cuda_own_of(patch);
    const otok_fused_family *family = pass->family;
    const uint64_t makes = family->makes(pass->frame.open);
    otok_fused_kept *k = (otok_fused_kept *)own->frames;
    otok_handing hand = {};
    otok_view mine = patch->view;
    float *spare[OTOK_SPARES];
    memcpy(spare, own->spare, sizeof spare);
    family->turn(&mine, spare, pass->frame.open);
    hand.rows = rows;
    hand.before = k->given;
    hand.stop = k->stop;
    for (int side = 0; side < 2; side++) {
        const otok_patch *other = own->beside[side];
        if (!other) continue;
        family->turn(&k->view[side], k->spare[side], otok_open_sides(other));
        hand.side[side].given =
            ((const otok_fused_kept *)otok_cuda_own_of(other)->frames)->taken + 1 - side;
        hand.side[side].taken = k->taken + side;
    }
    for (int f = 0; f < OTOK_STORED; f++) {
        if (!(makes >> f & 1)) continue;
        hand.from[hand.fields] = mine.at[f];
        for (int side = 0; side < 2; side++) {
            if (!own->beside[side]) continue;
            const otok_view *w = &k->view[side];
            const int end = otok_own_from(w) + otok_own_rows(w),
                      up = side == 0
                               ? end - otok_own_from(&mine)
                               : otok_own_from(w) - otok_own_from(&mine) - otok_own_rows(&mine);
            hand.side[side].to[hand.fields] = w->at[f] + (ptrdiff_t)up * w->pitch;
        }
        hand.fields++;
    }
    k->given += (unsigned)(pass->frame.strips * rows);
    return hand;
}
