/* parameter_rows.h: how rows of the parameter table are written. */
#ifndef OTOK_PARAMETER_ROWS_H
#define OTOK_PARAMETER_ROWS_H

#include "scenario_items.h"

#include <math.h>

#define OPEN_LOW 1
#define OPEN_HIGH 2
#define HUGE_LENGTH 1e6
#define HUGE_COUNT 1e12
#define OTOK_YEAR 31556925.9747 /* [s], the tropical one, as in UDUNITS-2 */

#define GIVEN 4 /* of `open`: the key has no default */

#define ROW(...)                                                                                   \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define REAL_AT(group, key, at, symbol, unit, standard, low, high, open, equation, help)           \
    ROW(group, key, symbol, unit, OTOK_REAL, NULL, standard, low, high, open, at, equation, help)
#define CHOICE_AT(group, key, at, choices, standard, equation, help)                               \
    ROW(group, key, "", "", OTOK_CHOICE, choices, standard, 0, 0, 0, at, equation, help)
#define SERIES_AT(group, key, at, symbol, unit, low, high, equation, help)                         \
    ROW(group, key, symbol, unit, OTOK_SERIES, NULL, NAN, low, high, 0, at, equation, help)

#define REAL(group, type, key, ...) REAL_AT(group, #key, offsetof(type, key), __VA_ARGS__)
#define CHOICE(group, type, key, ...) CHOICE_AT(group, #key, offsetof(type, key), __VA_ARGS__)
#define SERIES(group, type, key, ...) SERIES_AT(group, #key, offsetof(type, key), __VA_ARGS__)
#define INT(group, type, key, symbol, standard, low, high, equation, help)                         \
    ROW(group, #key, symbol, "1", OTOK_INT, NULL, standard, low, high, 0, offsetof(type, key),     \
        equation, help)
#define BOOL(group, type, key, equation, help)                                                     \
    ROW(group, #key, "", "", OTOK_BOOL, NULL, 0, 0, 1, 0, offsetof(type, key), equation, help)
#define TEXT(group, type, member, key, help)                                                       \
    ROW(group, key, "", "", OTOK_TEXT, NULL, 0, 0, 0, 0, offsetof(type, member), "", help)
#define LIST(group, key, symbol, unit, equation, help)                                             \
    ROW(group, key, symbol, unit, OTOK_LIST, NULL, 0, 0, 0, 0, 0, equation, help)

/* A text of these characters, at most `most`, which no other item of its list has. */
#define SMALL_NAME "0123456789_abcdefghijklmnopqrstuvwxyz"
#define ANY_NAME SMALL_NAME "-ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define NAME(group, type, characters, most, open, help)                                            \
    ROW(group, "name", "", "", OTOK_TEXT, characters, 0, 0, most, open, offsetof(type, name), "",  \
        help)

/* The list `key`: `count` of the type's items `array`, each a group of keys. */
#define STRUCTS(group, type, key, count, array, item, least, most, style, equation, help)          \
    {                                                                                              \
        group, key, "", "", OTOK_STRUCTS, item, NAN, least, most, 0, offsetof(type, array),        \
            equation, help, &(const otok_items)                                                    \
        {                                                                                          \
            offsetof(type, count), sizeof((type *)0)->array[0], OTOK_ITEMS_##style                 \
        }                                                                                          \
    }

/* The rows of studies, at the end of the table: study/parameters.c. */
extern const otok_parameter otok_study_parameters[];
extern const int otok_study_nparameters;

#endif
