/* series.h: values over time, a kind of parameter. */
#ifndef OTOK_SERIES_H
#define OTOK_SERIES_H

#include "../otok.h"

/* outside: FREE: the first and the last value hold, and some time must be in the phase; HOLD: they
   hold; ZERO: 0. REPEAT becomes otok_series.repeat. assumed: what a file does not tell. */
enum { OTOK_OUTSIDE_FREE, OTOK_OUTSIDE_HOLD, OTOK_OUTSIDE_ZERO, OTOK_OUTSIDE_REPEAT };
enum { OTOK_ASSUMED_TIME = 1, OTOK_ASSUMED_UNIT = 2, OTOK_ASSUMED_ENDS = 4 };

/* Values over time: a parameter of kind OTOK_SERIES. */
typedef struct otok_series {
    int n;         /* 0: not given */
    int stepwise;  /* each value stays until the next; else linear between them */
    int repeat;    /* the points, from time 0 on, begin again at the time of the last one */
    int outside;   /* before the first point and after the last one */
    int assumed;   /* bits above; 0 if the points are in the scenario */
    char bare[96]; /* titles with units outside brackets, and how they were read, for a warning */
    struct otok_series_point {
        double time, value; /* time of the phase [s] */
    } * at;                 /* owned by the scenario that was read; copies of it share them */
    const double *sums;     /* integrals from 0 to each point, behind `at`; NULL: not computed */
} otok_series;

/* The value at a time, the time of its end (the last of steps is as long as the one before), the
   highest between two times (of all points that repeat), the integral from 0 to a time, the time of
   the first point after a time (INFINITY: there is none), and the largest absolute value; n > 0. */
double otok_series_at(const otok_series *series, double time);
double otok_series_end(const otok_series *series);
double otok_series_highest(const otok_series *series, double from, double to);
double otok_series_integral(const otok_series *series, double time);
double otok_series_turn(const otok_series *series, double time);
double otok_series_largest(const otok_series *series);

/* The seconds between two times, each counted with the factor that the series has then, if it is
   given. */
double otok_series_between(const otok_series *factor, double from, double to);

/* Says which files cover a part of their phase, where nothing tells what is in the rest. */
void otok_series_warn(const otok_scenario *scenario, void (*say)(void *user, const char *text),
                      void *user);

#endif
