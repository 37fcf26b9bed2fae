/* resident_hydraulic.cu: hydraulic erosion on chip, followed by thermal erosion if the program has
   both. State is in registers; rows that other warps read are in shared memory. Flows are computed
   two rings (semi-Lagrangian: three) around a tile, so that only ground, water and sediment have to
   be exchanged, once an iteration. The flows of the rings stay from iteration to iteration and are
   never sent. With thermal erosion the exchange is between the two processes, and three more rings
   are computed. The physics is in model/. */
#include "resident.h"
#include "resident_hydraulic_kernel.cuh"

namespace
{
cudaError_t start(const otok_resident_kernel *kernel, const otok_resident *grid,
                  const otok_coefficients *k, dim3 blocks, dim3 threads, cudaStream_t stream)
{
    hydraulic_run run = {*grid, *k};
    void *arguments[] = {&run};
    return cudaLaunchCooperativeKernel((void (*)(hydraulic_run))kernel->entry, blocks, threads,
                                       arguments, kernel->shared, stream);
}

template <int R, int WARPS, bool LAGRANGE, bool THERMAL, bool DEFAULT_LAWS>
constexpr otok_resident_kernel describe()
{
    typedef shape<R, WARPS, LAGRANGE, THERMAL, DEFAULT_LAWS> S;
    return otok_resident_kernel{(const void *)hydraulic<R, WARPS, LAGRANGE, THERMAL, DEFAULT_LAWS>,
                                S::halo,
                                R,
                                WARPS,
                                S::shared,
                                start};
}
/* The rows of a warp and the warps of a block, chosen so that 512 x 512 cells fit on 132
   multiprocessors. The index is DEFAULT_LAWS. */
const otok_resident_kernel conservative[] = {describe<1, 28, false, false, false>(),
                                             describe<1, 28, false, false, true>()},
                           both[] = {describe<2, 16, false, true, false>(),
                                     describe<2, 16, false, true, true>()},
                           lagrangian[] = {describe<2, 15, true, false, false>(),
                                           describe<2, 15, true, false, true>()};
} // namespace

const otok_resident_kernel *otok_resident_hydraulic(const otok_stages *stages,
                                                    const otok_coefficients *k)
{
    static const int water[] = {OTOK_STAGE_WATER_IN, OTOK_STAGE_OUTFLOW, OTOK_STAGE_WATER_SURFACE,
                                OTOK_STAGE_EROSION};
    const int *s = stages->stage, *const end = s + stages->n;
    if (stages->n < 6) return NULL;
    for (int n = 0; n < 4; n++)
        if (*s++ != water[n]) return NULL;
    const bool lagrange = *s == OTOK_STAGE_ADVECTION;
    if (*s++ != (lagrange ? OTOK_STAGE_ADVECTION : OTOK_STAGE_TRANSPORT)) return NULL;
    if (lagrange && (s == end || *s++ != OTOK_STAGE_MIX)) return NULL;
    if (!lagrange && (s == end || *s++ != OTOK_STAGE_SETTLE)) return NULL;
    if (s == end || *s++ != OTOK_STAGE_EVAPORATION) return NULL;
    const bool thermal =
        end - s == 2 && s[0] == OTOK_STAGE_THERMAL_OUTFLOW && s[1] == OTOK_STAGE_THERMAL_COLLECT;
    const bool default_laws =
        !k->erosion.downhill && !k->erosion.times_depth && !k->erosion.displace_water;
    if (thermal) return lagrange ? NULL : &both[default_laws];
    return s < end ? NULL : lagrange ? &lagrangian[default_laws] : &conservative[default_laws];
}
