/* backend.c: the backends of this build, and the choice among them. */
#include "backend.h"

#include "status.h"

#include <string.h>

static const otok_backend *const backends[] = {
#ifdef OTOK_WITH_CUDA
    &otok_backend_cuda,       /* first: `auto` takes it if a device answers */
    &otok_backend_cuda_fused, /* by name only */
    &otok_backend_cuda_resident, &otok_backend_cuda_plain,
#endif
    &otok_backend_cpu, /* `auto` elsewhere */
    &otok_backend_cpu_fused,     &otok_backend_cpu_plain,
};

otok_status otok_backend_find_whole(const otok_backend **out, const char *name)
{
    char text[256];
    *out = NULL;
    for (size_t i = 0; i < sizeof backends / sizeof backends[0]; i++) {
        const int chosen = strcmp(name, backends[i]->name) == 0;
        if (!chosen && strcmp(name, "auto") != 0) continue;
        const otok_status status = backends[i]->describe(text, sizeof text);
        if (status == OTOK_OK) *out = backends[i];
        if (status == OTOK_OK || chosen) return status;
    }
#ifndef OTOK_WITH_CUDA
    if (strncmp(name, "cuda", 4) == 0)
        return OTOK_FAIL(
            OTOK_DEVICE,
            "backend cuda: not in this build; build where nvcc is found, or use --backend cpu");
#endif
    return OTOK_FAIL(OTOK_USAGE,
                     "backend %s: unknown; choose auto, cpu or cuda (or one of its strategies, "
                     "such as cuda:plain)",
                     name);
}
