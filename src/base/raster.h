/* raster.h: reads the rasters of a scenario's base, fills them and fits them to its grid. */
#ifndef OTOK_BASE_RASTER_H
#define OTOK_BASE_RASTER_H

#include "../io/raster.h"
#include "../scenario/scenario.h"

typedef struct otok_base_rasters {
    float *maps[OTOK_MAX_RASTERS]; /* dense [ny][nx], by otok_generator.map; NULL beyond the last */
    otok_georeference georeference; /* of the first raster in the scenario that has one */
    int64_t filled, cells;          /* cells without data, and cells, of all rasters */
} otok_base_rasters;

/* Reads all rasters. OTOK_DATA: a file is damaged, or its size or spacing is not the grid's; the
   text says what to write into the scenario. */
otok_status otok_base_rasters_read(otok_base_rasters *out, const otok_scenario *scenario);
void otok_base_rasters_destroy(otok_base_rasters *rasters);

/* Fits one raster to the grid, as its keys say. */
otok_status otok_base_raster_fit(otok_raster *raster, const otok_raster_generator *given,
                                 otok_grid grid);

/* How many rasters the base has. */
int otok_base_raster_count(const otok_generator *list, int n);

#endif
