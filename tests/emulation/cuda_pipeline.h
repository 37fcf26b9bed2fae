/* cuda_pipeline.h: copies to shared memory, emulated; see cuda_runtime.h here. They may happen at
   any moment until they are waited for: here at the last one, or at the first one where
   OTOK_EMULATED_ORDER is set. */
#ifndef OTOK_EMULATION_CUDA_PIPELINE_H
#define OTOK_EMULATION_CUDA_PIPELINE_H

#include <cuda_runtime.h>

void __pipeline_memcpy_async(void *to, const void *from, size_t bytes);
void __pipeline_commit();
void __pipeline_wait_prior(unsigned later); /* all groups but the last so many have come */

#endif
