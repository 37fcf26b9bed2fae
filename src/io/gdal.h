/* gdal.h: entering and leaving GDAL. Private to the files that need GDAL. */
#ifndef OTOK_GDAL_H
#define OTOK_GDAL_H

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_srs_api.h>

/* Between enter and leave GDAL prints nothing on this thread; its drivers are registered. */
void otok_gdal_enter(void);
void otok_gdal_leave(void);

/* What GDAL last said, on one line. */
const char *otok_gdal_why(void);

#endif
