/* ensemble_audit.cu: audits of the members of an ensemble (audit.cu), many pairs at once. */
#include "ensemble.cuh"

static otok_status send(otok_cuda_ensemble *e, const otok_twins *pairs, int n)
{
    for (int p = 0; p < n; p++)
        e->pairs_here[p] = otok_cuda_audit_pair(&pairs[p]);
    return otok_cycle_copy(e, e->pairs, 0, e->pairs_here, 0, (size_t)n * sizeof *e->pairs, 1);
}

/* Returns when the device has read the pairs. */
otok_status otok_cuda_ensemble_part(void *ensemble, const otok_twins *pairs, int n)
{
    otok_cuda_ensemble *e = (otok_cuda_ensemble *)ensemble;
    if (n == 0) return OTOK_OK;
    const otok_launch l = otok_cuda_launch(pairs[0].twin, NULL, NULL);
    OTOK_TRY(send(e, pairs, n));
    OTOK_TRY(otok_cuda_part_pairs(e->pairs, n, &l));
    return otok_cycle_wait(e);
}

otok_status otok_cuda_ensemble_compare(void *ensemble, const otok_twins *pairs, int n,
                                       otok_audit_sums *out)
{
    otok_cuda_ensemble *e = (otok_cuda_ensemble *)ensemble;
    if (n == 0) return OTOK_OK;
    const otok_launch l = otok_cuda_launch(pairs[0].twin, NULL, NULL);
    OTOK_TRY(send(e, pairs, n));
    CUDA_TRY(cudaMemsetAsync(e->apart, 0, (size_t)n * sizeof *e->apart, e->stream));
    OTOK_TRY(otok_cuda_compare_pairs(e->pairs, n, e->apart, &l));
    OTOK_TRY(otok_cycle_copy(e, e->apart_here, 0, e->apart, 0, (size_t)n * sizeof *e->apart, 1));
    OTOK_TRY(otok_cycle_wait(e));
    for (int p = 0; p < n; p++)
        out[p] = e->apart_here[p];
    return OTOK_OK;
}
