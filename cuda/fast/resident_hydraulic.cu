/* resident_hydraulic.cu: hydraulic erosion on chip, followed by thermal erosion or by uplift if the
   program has both. State is in registers; rows that other warps read are in shared memory. Flows
   are computed two rings (semi-Lagrangian: three) around a tile, so that only ground, water and
   sediment have to be exchanged, once an iteration. The flows of the rings stay from iteration to
   iteration and are never sent. With thermal erosion the exchange is between the two processes, and
   three more rings are computed. The physics is in model/. */
#include "resident_hydraulic_kernel.cuh"

namespace
{
template <int R, int WARPS, bool LAGRANGE, bool THERMAL, bool DEFAULT_LAWS, bool BESIDE,
          bool KEEPS = false>
constexpr otok_resident_kernel describe()
{
    typedef shape<R, WARPS, LAGRANGE, THERMAL, DEFAULT_LAWS> S;
    return {(const void *)hydraulic<R, WARPS, LAGRANGE, THERMAL, DEFAULT_LAWS, BESIDE, KEEPS>,
            S::halo,
            R,
            WARPS,
            S::shared,
            start};
}

/* The kernels for a tile of R * WARPS rows, by `beside` and the laws. */
template <int R, int WARPS, bool LAGRANGE, bool THERMAL>
const otok_resident_kernel kernels[2][2] = {{describe<R, WARPS, LAGRANGE, THERMAL, false, false>(),
                                             describe<R, WARPS, LAGRANGE, THERMAL, true, false>()},
                                            {describe<R, WARPS, LAGRANGE, THERMAL, false, true>(),
                                             describe<R, WARPS, LAGRANGE, THERMAL, true, true>()}};

/* With running maxima, by the laws. */
template <int R, int WARPS>
const otok_resident_kernel kept[2] = {describe<R, WARPS, false, false, false, false, true>(),
                                      describe<R, WARPS, false, false, true, false, true>()};

typedef const otok_resident_kernel (*choice)[2];

/* The first of each kind are for 512 x 512 cells on 132 multiprocessors. */
const choice conservative[] = {kernels<1, 28, false, false>, kernels<2, 20, false, false>,
                               kernels<2, 23, false, false>},
             both[] = {kernels<2, 16, false, true>},
             lagrangian[] = {kernels<2, 15, true, false>, kernels<2, 20, true, false>};

const otok_resident_kernel *const conservative_kept[] = {kept<1, 28>, kept<2, 20>, kept<2, 23>};

template <int N>
const otok_resident_kernel *pick(const choice (&from)[N], int at, bool beside, bool default_laws)
{
    return at < N ? &from[at][beside][default_laws] : NULL;
}
} // namespace

const otok_resident_kernel *otok_resident_hydraulic(const otok_stages *stages,
                                                    const otok_coefficients *k, bool beside, int at)
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
    const bool rises = !lagrange && end - s == 1 && s[0] == OTOK_STAGE_UPLIFT;
    const bool default_laws = !rises && otok_laws_of(k) == PUBLISHED_LAWS;
    if (thermal) return lagrange || stages->keeps ? NULL : pick(both, at, beside, default_laws);
    if (s < end && !rises) return NULL;
    if (stages->keeps)
        return lagrange || beside || at >= 3 ? NULL : &conservative_kept[at][default_laws];
    return lagrange ? pick(lagrangian, at, beside, default_laws)
                    : pick(conservative, at, beside, default_laws);
}
