/* cooperative_groups.h: the barrier of a whole grid, emulated; see cuda_runtime.h here. */
#ifndef OTOK_EMULATION_COOPERATIVE_GROUPS_H
#define OTOK_EMULATION_COOPERATIVE_GROUPS_H

#include <cuda_runtime.h>

namespace cooperative_groups
{
struct grid_group {
    void sync() const
    {
        emulated::sync_grid();
    }
};

inline grid_group this_grid()
{
    return grid_group();
}
} // namespace cooperative_groups

#endif
