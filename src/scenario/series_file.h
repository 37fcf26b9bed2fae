/* series_file.h: how the file of a series becomes pairs. Private to the reader of series. */
#ifndef OTOK_SERIES_FILE_H
#define OTOK_SERIES_FILE_H

#include "dates.h"
#include "scenario_read.h"
#include "sheet.h"

enum { OTOK_TITLE = 128, OTOK_TOLD_BARE = 2 };

/* The unit of a column, as UDUNITS-2 knows it: that of its title, or the one that `units` tells
   (NULL: none); "": neither tells one. `assumed` is what its numbers are without. *is_told:
   OTOK_TOLD_BARE if the unit ends the title, without brackets. OTOK_DATA: a title has a word that
   may be a unit or something else, or units that contradict. */
otok_status otok_title_unit(char unit[OTOK_TITLE], int *is_told, const char *title,
                            const char *told, const char *assumed, const otok_sheet *table,
                            const otok_node *at);

/* series_means.c. The parameter as which the values of a series are read: that of an amount, if
   they are accumulated. Then what becomes of its points. */
otok_status otok_series_means(otok_parameter *own, const otok_node *node, const otok_parameter *p);
/* Are the values of rain, which has neither rate nor map, rates of their own? */
int otok_series_has_rates(const otok_node *map, const otok_node *node);
otok_status otok_series_take_means(otok_series *series, const otok_node *node);

/* Is the first word of a title that of a date, whatever its brackets hold? */
int otok_title_is_date(const char *title);

/* The title of a column, "" without titles; and whether a name is that of a title, with its unit or
   without. */
const char *otok_sheet_title(const otok_sheet *table, int column);
int otok_title_is_called(const char *title, const char *name);

/* series_netcdf.c: the text of a CSV with the series of a NetCDF file, malloc'd. */
otok_status otok_series_netcdf(char **bytes, size_t *size, const char *path, const otok_node *map,
                               const otok_parameter *p, const otok_node *at);

/* Does a title count times back from the present: age, BP, ago? */
int otok_title_is_age(const char *title);

/* series_moments.c: what the times of a file are. Numbers count from the beginning of the phase on;
   dates and ages need a `start`. */
enum { OTOK_NUMBERS, OTOK_DATES, OTOK_AGES };
typedef struct otok_moments {
    const otok_sheet *sheet;
    int column;
    const otok_node *at;
    int kind;
    otok_date start;
    int assume_zone; /* dates: the title says UTC, or UTC+1 */
    double ahead;    /* by so many seconds */
    double unit;     /* ages: the seconds in the unit of the times */
    int sign;        /* ages: -1, or 1 if the times before the present are below 0 */
    int is_turned;   /* ages: the youngest row comes first */
} otok_moments;

/* Are the times dates? Then, once their unit is known: are they ages? */
otok_status otok_moments_dates(otok_moments *moments);
otok_status otok_moments_ages(otok_moments *moments, const char *unit, int is_assumed);
/* Is the time of a row there, and like those above? Its seconds from the beginning of the phase on:
   of dates and ages. */
otok_status otok_moment_check(const otok_moments *moments, int row);
otok_status otok_moment_read(double *seconds, const otok_moments *moments, int row);

/* Is a cell a number without a unit? */
int otok_cell_is_bare(const char *cell);

/* series_columns.c: chooses the columns of the times and of the values; `wanted`: the name or the
   number of that of the values; NULL: there is one, or one whose title has a unit like `unit`, and
   others with other units. */
otok_status otok_columns_choose(int column[2], const otok_sheet *table, const otok_node *wanted,
                                const char *unit, const otok_node *at);

/* series.c: computes the sums of a series. */
void otok_series_sum(otok_series *series);

/* A number that data use for no value, such as -9999 or 1e20. */
int otok_is_missing_number(double value);

/* Reads the file that `node` names and turns the node into the list of its pairs. `map`: the group
   of the series, whose keys tell how the file is written; NULL: none. out->assumed gets a bit for
   each unit that nothing tells, out->bare the titles with a unit outside brackets. */
otok_status otok_series_file(otok_series *out, otok_node *node, const otok_node *map,
                             const char *directory, const otok_parameter *p);

/* series_points.c: reads a list of pairs. */
#define OTOK_PAIRS "[[time, value], ...]"
otok_status otok_series_points(otok_series *out, const otok_node *list, const otok_parameter *p);

/* The keys that tell how the file of a series is written; the last is NULL. */
extern const char *const otok_series_file_keys[];

#endif
