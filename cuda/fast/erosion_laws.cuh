/* erosion_laws.cuh: laws of erosion that fast kernels know when they are compiled, so that they
   have no choices for them. */
#ifndef OTOK_FAST_EROSION_LAWS_CUH
#define OTOK_FAST_EROSION_LAWS_CUH

#include "../cuda.h"

#include "model/coefficients.h"

/* Any; central slope, capacity by speed, nothing displaced; or the opposite of all three, as `law:
   local_inertia` and `law: shallow_water` have it. */
enum { ANY_LAWS, PUBLISHED_LAWS, COUPLED_LAWS };

static inline int otok_laws_of(const otok_coefficients *k)
{
    const otok_erosion_coefficients *e = &k->erosion;
    const int coupled = !!e->downhill + !!e->times_depth + !!e->displace_water;
    return coupled == 0 ? PUBLISHED_LAWS : coupled == 3 ? COUPLED_LAWS : ANY_LAWS;
}

template <int LAWS>
static __device__ inline otok_erosion_coefficients otok_by_laws(otok_erosion_coefficients e)
{
    if (LAWS != ANY_LAWS) e.downhill = e.times_depth = e.displace_water = LAWS == COUPLED_LAWS;
    return e;
}

#endif
