/* gdal.h: entering and leaving GDAL, for the files that need it. */
#ifndef OTOK_GDAL_H
#define OTOK_GDAL_H

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_srs_api.h>

/* Between enter and leave, drivers are registered and GDAL prints nothing on this thread. */
void otok_gdal_enter(void);
void otok_gdal_leave(void);

/* The last message of GDAL, on one line. */
const char *otok_gdal_why(void);

#endif
