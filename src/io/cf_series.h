/* cf_series.h: a variable over time of a NetCDF-4 or HDF5 file, such as the discharges of stations,
   as the CF conventions describe it. */
#ifndef OTOK_CF_SERIES_H
#define OTOK_CF_SERIES_H

#include "cf.h"

typedef struct otok_cf_series {
    char name[OTOK_TEXT_SIZE], units[OTOK_AXIS_WORD]; /* of the values; "": none */
    char methods[OTOK_TEXT_SIZE];                     /* cell_methods, likewise */
    char positive[OTOK_AXIS_WORD];                    /* up or down, likewise */
    char calendar[OTOK_AXIS_WORD];                    /* of the times, likewise */
    otok_dimension time;
    double *bounds, *values; /* [n][2], or NULL; [n], NAN: no data; malloc'd */
    int is_single;           /* the values are float32 */
} otok_cf_series;

/* Is it a file of HDF5, which NetCDF-4 is, or of NetCDF-3? */
int otok_cf_is_hdf(const char *path);
int otok_cf_is_classic(const char *path);

/* Reads the variable (NULL: the only one over time) at a station, by its name or number (NULL:
   there is one). Destroy *out in any case. OTOK_DATA: the file has no such series, or it cannot be
   read; the text tells why. */
otok_status otok_cf_series_read(otok_cf_series *out, const char *path, const char *variable,
                                const char *station);
void otok_cf_series_destroy(otok_cf_series *series);

#endif
