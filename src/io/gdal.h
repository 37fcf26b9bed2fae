/* gdal.h: GDAL, loaded when the first raster needs it, for the files that call it. GDAL brings a
   hundred libraries, which take longer to load than most commands of otok to run. */
#ifndef OTOK_GDAL_H
#define OTOK_GDAL_H

#include "../core/status.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <gdal_utils.h>
#include <ogr_srs_api.h>

/* The functions of gdal.def, between enter and leave. CPLFree is a macro for VSIFree. */
typedef struct otok_gdal {
#define CALL(name) __typeof__(name) *name;
#include "gdal.def"
#undef CALL
} otok_gdal;

extern otok_gdal otok_gdal_calls;
#define gdal otok_gdal_calls

/* Between enter and leave, drivers are registered and GDAL prints nothing on this thread.
   OTOK_USAGE: its library cannot be loaded, and there is nothing to leave. The message names the
   file that needs it. */
otok_status otok_gdal_enter(const char *path);
void otok_gdal_leave(void);

/* The last message of GDAL, on one line. */
const char *otok_gdal_why(void);

#endif
