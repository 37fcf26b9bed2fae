/* rivers.h: the rivers of a phase: what brings water to the cells at a point, along a line, or
   within a radius, holds it at a level there, or lets it out. */
#ifndef OTOK_SCENARIO_RIVERS_H
#define OTOK_SCENARIO_RIVERS_H

#include "series.h"

/* Held and let out cells (model/held.h) are those of the last three kinds. */
typedef enum {
    OTOK_RIVER_FLOWS, /* a discharge, or its history */
    OTOK_RIVER_LEVEL,
    OTOK_RIVER_RATING,
    OTOK_RIVER_SLOPE
} otok_river_kind;

typedef struct otok_river {
    double x, y, radius, discharge; /* [m, m, m, m^3/s]; discharge NAN: by another key */
    double to_x, to_y;              /* the other end of a line [m]; NAN: it is at a point */
    double rating, rating_exponent, rating_zero; /* Q = a (h - h_0)^b; NAN: not given */
    double slope;        /* of Manning's uniform flow out of the cells; NAN: not given */
    otok_series history; /* [m^3/s] */
    otok_series level;   /* [m] */
    int hydrograph; /* rivers with the same history have the same number, from 1 on, and one that
                       holds or lets out has its own; 0: a constant discharge */
} otok_river;

otok_river_kind otok_river_kind_of(const otok_river *river);

/* A river of a discharge [m^3/s], within a radius of a place [m]. */
otok_river otok_river_at(double x, double y, double radius, double discharge);

/* The volume that a river of a discharge brings from one time of the phase to another [m^3], and
   its largest discharge [m^3/s]; 0 for other kinds. Is it along a line; can it take water? */
double otok_river_volume(const otok_river *river, double from, double to);
double otok_river_largest(const otok_river *river);
int otok_river_is_line(const otok_river *river), otok_river_pumps(const otok_river *river);

#endif
