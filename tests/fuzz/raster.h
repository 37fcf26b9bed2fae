/* raster.h: what the fuzzers of rasters share. */
#ifndef OTOK_FUZZ_RASTER_H
#define OTOK_FUZZ_RASTER_H

#include "fuzz.h"
#include "io/raster.h"

/* Reads a raster as a scenario does, and fills its gaps. */
static inline void fuzz_raster(const char *path)
{
    otok_raster raster;
    if (otok_raster_read(&raster, path, NAN, NAN) != OTOK_OK) return;
    double width, height;
    char name[OTOK_NAME_SIZE];
    otok_raster_fill(&raster, path);
    if (raster.georeference.known)
        otok_georeference_metres(&raster.georeference, raster.ny, &width, &height);
    otok_georeference_name(&raster.georeference, name, sizeof name);
    otok_raster_destroy(&raster);
}

#endif
