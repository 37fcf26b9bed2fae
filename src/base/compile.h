/* compile.h: from a scenario's tree of generators to the code that model/base.h runs for every cell. */
#ifndef OTOK_BASE_COMPILE_H
#define OTOK_BASE_COMPILE_H

#include "../core/scenario.h"
#include "../model/base.h"

/* Compiles scenario->base for scenario->grid and ->seed; no generators give 0 everywhere. `lerp` is `replace` through a mask, which
   it must have. Rasters get a number; their maps are base/raster.h's. OTOK_DATA: too many generators or octaves, nested too deep,
   or lerp without mask; the text says where. */
otok_status otok_base_compile(const otok_scenario *scenario, otok_base_code *out);

#endif
