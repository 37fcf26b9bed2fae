/* patch_size.c: see patch_size.h. */
#include "patch_size.h"

#include "status.h"

#include <stdatomic.h>

static atomic_int_least64_t lower_limit;

void otok_patch_limit(int64_t numbers)
{
    lower_limit = numbers;
}

int64_t otok_patch_most(void)
{
    const int64_t lower = lower_limit;
    return lower > 0 ? lower : INT32_MAX;
}

int64_t otok_patch_numbers(int64_t nx, int64_t ny)
{
    enum { ALIGN = 32, BEYOND = 64 };
    return (ny + BEYOND) * ((nx + 2 + ALIGN - 1) / ALIGN * ALIGN);
}

otok_status otok_patch_check(const otok_view *v)
{
    if (otok_patch_numbers(v->nx, v->ny) <= otok_patch_most()) return OTOK_OK;
    return OTOK_FAIL(OTOK_USAGE,
                     "a piece of %d x %d cells is too large: with its padding it has more than "
                     "%lld numbers; use more bands or a coarser grid",
                     v->nx, v->ny, (long long)otok_patch_most());
}
