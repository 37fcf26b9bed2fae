/* dates.h: dates as ISO 8601 writes them, in the Gregorian calendar, without leap seconds. */
#ifndef OTOK_DATES_H
#define OTOK_DATES_H

#include "yaml_node.h"

/* A moment: seconds since 1970, in the time of its zone or, without one, in a time without name. */
typedef struct otok_date {
    double seconds;
    int has_zone;
    int is_age; /* seconds since the present, 0 or less */
} otok_date;

/* Reads YYYY-MM-DD, maybe with hours and minutes behind a T or a blank, seconds and their decimals,
   and Z, UTC or +HH:MM. Returns NULL, or what is wrong with the text. */
const char *otok_date_read(otok_date *out, const char *text);

/* Writes the date some seconds after another, as otok_date_read reads it: in UTC, with a Z, if it
   has a zone. Parts of a second have three digits. "": its year is not one of 0000 to 9999. After
   an age: an age, such as "-250 kyr". */
void otok_date_write(char out[48], const otok_date *date, double later);

/* Has a text the shape of a date or of a time of day, in any order of its parts? */
int otok_looks_like_date(const char *text);

/* Reads a date, or an age such as "-400 kyr". Returns NULL, or what is wrong with the text. */
const char *otok_start_read(otok_date *out, const char *text);

/* The date or the age of time 0 of a series, from the key `start` that is nearest above a node:
   beside `file`, of its phase, or of the scenario, which is that of the first phase alone. NULL in
   *key: none. OTOK_DATA: it is no date, or is needed for a later phase. */
otok_status otok_date_of_start(otok_date *out, const otok_node **key, const otok_node *node);

#endif
