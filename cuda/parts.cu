/* parts.cu: the parts of the change of the ground; the physics is in model/parts.h. */
#include "batch.cuh"
#include "core/cell.h"

static __device__ inline void parts_begin(const otok_view &v, int rows)
{
    otok_walk_cells(v, rows,
                    [&](int at) { v.at[OTOK_CHANGE_BEFORE][at] = v.at[OTOK_TERRAIN_CHANGE][at]; });
}

static __device__ inline void add(const otok_view &v, int rows, int part)
{
    const otok_walk w = otok_walk_of(v, rows);
    for (int at = w.first; at < w.end; at += w.step)
        otok_cell_part(&v, at, part, otok_walk_phase(v, w, at));
}

otok_launcher *const otok_cuda_parts_begin = otok_start<parts_begin>;
#define PART(NAME, name)                                                                           \
    static __device__ inline void part_##name(const otok_view &v, int rows)                        \
    {                                                                                              \
        add(v, rows, OTOK_CHANGE_BY_##NAME);                                                       \
    }                                                                                              \
    otok_launcher *const otok_cuda_part_##name = otok_start<part_##name>;
PART(WATER, water)
PART(SLIDES, slides)
PART(UPLIFT, uplift)
PART(WAVES, waves)
PART(SEABED, seabed)
