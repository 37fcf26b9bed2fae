/* fingerprint.h: the fingerprint of a dense map on the host, for files and tools. Backends compute
   it on patches. model/fingerprint.h mixes position and bits. */
#ifndef OTOK_CORE_FINGERPRINT_H
#define OTOK_CORE_FINGERPRINT_H

#include "../otok.h"

/* The same for the cells first..end - 1 of the map. */
uint64_t otok_fingerprint_cells(int field, const float *map, uint64_t first, uint64_t end);

#endif
