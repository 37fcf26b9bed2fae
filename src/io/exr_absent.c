/* exr_absent.c: replaces exr.c in a build without OpenEXR. */
#include "../core/status.h"
#include "image.h"

otok_status otok_exr_write(const char *path, const float *map, otok_grid grid, const char *name,
                           const otok_field_info *about)
{
    (void)map, (void)grid, (void)name, (void)about;
    return OTOK_FAIL(OTOK_USAGE,
                     "%s: this otok was built without OpenEXR; write .r32 or .tif, or install "
                     "libopenexr-dev and build otok again",
                     path);
}
