/* parameter_rows.h: how rows of the parameter table are written. */
#ifndef OTOK_PARAMETER_ROWS_H
#define OTOK_PARAMETER_ROWS_H

#include "scenario.h"

#include <math.h>

#define OPEN_LOW 1
#define OPEN_HIGH 2
#define HUGE_LENGTH 1e6
#define HUGE_COUNT 1e12
#define OTOK_YEAR 31556925.9747 /* [s], the tropical one, as in UDUNITS-2 */

#define REAL(group, type, key, symbol, unit, standard, low, high, open, equation, help)            \
    {                                                                                              \
        group, #key, symbol, unit, OTOK_REAL, NULL, standard, low, high, open,                     \
            offsetof(type, key), equation, help                                                    \
    }
#define INT(group, type, key, symbol, standard, low, high, equation, help)                         \
    {                                                                                              \
        group, #key, symbol, "1", OTOK_INT, NULL, standard, low, high, 0, offsetof(type, key),     \
            equation, help                                                                         \
    }
#define CHOICE(group, type, key, choices, standard, equation, help)                                \
    {                                                                                              \
        group, #key, "", "", OTOK_CHOICE, choices, standard, 0, 0, 0, offsetof(type, key),         \
            equation, help                                                                         \
    }
#define BOOL(group, type, key, equation, help)                                                     \
    {                                                                                              \
        group, #key, "", "", OTOK_BOOL, NULL, 0, 0, 1, 0, offsetof(type, key), equation, help      \
    }
#define TEXT(group, type, member, key, help)                                                       \
    {                                                                                              \
        group, key, "", "", OTOK_TEXT, NULL, 0, 0, 0, 0, offsetof(type, member), "", help          \
    }
#define LIST(group, key, symbol, unit, equation, help)                                             \
    {                                                                                              \
        group, key, symbol, unit, OTOK_LIST, NULL, 0, 0, 0, 0, 0, equation, help                   \
    }
#define SERIES(group, type, key, symbol, unit, low, high, equation, help)                          \
    {                                                                                              \
        group, #key, symbol, unit, OTOK_SERIES, NULL, NAN, low, high, 0, offsetof(type, key),      \
            equation, help                                                                         \
    }

/* The rows of studies, at the end of the table: study/parameters.c. */
extern const otok_parameter otok_study_parameters[];
extern const int otok_study_nparameters;

#endif
