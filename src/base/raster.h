/* raster.h: reads the rasters of a scenario's base, fills them and fits them to its grid. */
#ifndef OTOK_BASE_RASTER_H
#define OTOK_BASE_RASTER_H

#include "../io/raster.h"
#include "../scenario/scenario.h"

/* The place of the first raster of a scenario that has one. All others must be there, too. */
typedef struct otok_raster_place {
    otok_georeference at;
    char file[OTOK_TEXT_SIZE];
    int ncounted; /* files whose cells without data are counted: each once, however often it is read
                   */
    uint64_t counted[OTOK_MAX_RASTERS];
} otok_raster_place;

typedef struct otok_base_rasters {
    float *maps[OTOK_MAX_RASTERS]; /* dense [ny][nx], by otok_generator.map; NULL beyond the last */
    otok_georeference georeference; /* of the first raster in the scenario that has one */
    unsigned char *holes;           /* 1 per cell that is without data in one of them and becomes a
                                       wall; NULL: none */
    int64_t filled, cells;          /* cells that got a height, and cells, of all files */
} otok_base_rasters;

/* Reads all rasters of a pipeline whose map has the unit `unit`. OTOK_DATA: a file is damaged, or
   its size, spacing or place is not the grid's; the text says what to write into the scenario. */
otok_status otok_base_rasters_read(otok_base_rasters *out, const otok_scenario *scenario,
                                   const char *unit, otok_raster_place *place);
void otok_base_rasters_destroy(otok_base_rasters *rasters);

/* The place of the base: that of its first raster with one; unknown if the rasters cannot be read,
   which a run reports. */
void otok_base_place(otok_georeference *out, const otok_scenario *scenario);

/* Stretches a raster over the grid. A cell over several cells of a finer file has their mean or, if
   `maximum`, the highest of them. */
otok_status otok_base_stretch(otok_raster *raster, otok_grid grid, int maximum, const char *path);

/* window.c: the part of a raster around its key `at`, the middle of the grid: that place in the
   raster's own coordinates, which is in it; the cells around it; and whether it is the middle of
   the grid that an earlier raster has placed. OTOK_DATA: it is not, or a part is beyond the raster.
 */
otok_status otok_base_window_middle(double at[2], const otok_raster *raster,
                                    const otok_raster_generator *given);
otok_status otok_base_window_cut(otok_raster *raster, const double at[2],
                                 const otok_raster_generator *given, otok_grid grid);
otok_status otok_base_window_check(const otok_raster *raster, const double at[2],
                                   const otok_raster_generator *given, otok_grid grid,
                                   const otok_raster_place *place);

/* Reads one raster, and fits it. step: 0, or which of its steps, from 1 on. Destroy *out in any
   case. */
otok_status otok_base_raster_read(otok_raster *out, const otok_raster_generator *given,
                                  const char *unit, int64_t step, otok_grid grid,
                                  otok_raster_place *place);

/* How many rasters the base has. */
int otok_base_raster_count(const otok_generator *list, int n);

#endif
