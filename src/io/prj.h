/* prj.h: the coordinate system in a .prj file beside a raster. */
#ifndef OTOK_PRJ_H
#define OTOK_PRJ_H

#include "../otok.h"

/* Reads NAME.prj or NAME.PRJ beside NAME.asc: WKT, or Esri's old form of lines "Projection UTM".
   *wkt is malloc'd, and NULL if there is no such file or it is without a system that otok needs.
   `unit` is that of the heights, if the file gives it. OTOK_DATA: the file cannot be understood. */
otok_status otok_prj_read(char **wkt, char *unit, size_t size, const char *path);

/* Writes NAME.prj beside NAME.asc; takes such a file away, in any of its spellings, if it is there.
 */
otok_status otok_prj_write(const char *path, const char *wkt);
otok_status otok_prj_remove(const char *path);

/* A whole file, NUL-ended and malloc'd. */
otok_status otok_whole_text(char **text, const char *path, size_t most);

#endif
