/* colours.h: perceptual colour maps by name, all of them even in lightness (viz/colours.md has how
   the colour-blind see them); and the colours of values, for callers that see several maps. */
#ifndef OTOK_COLOURS_H
#define OTOK_COLOURS_H

#include "status.h"

enum { OTOK_COLOURS_OWN = 0 }; /* otok's own map */

/* What a map is for: values from little to much; to both sides of a middle; heights below and above
   a sea; angles. */
typedef enum otok_colours_kind {
    OTOK_COLOURS_SEQUENTIAL,
    OTOK_COLOURS_DIVERGING,
    OTOK_COLOURS_TOPOGRAPHY,
    OTOK_COLOURS_CYCLIC
} otok_colours_kind;

int otok_colours_find(const char *name); /* -1: there is no such map */
otok_colours_kind otok_colours_kind_of(int map);

/* The look of differences of values: that of changes of the ground. */
const otok_look *otok_look_of_differences(void);

/* The field of a flow whose values are speeds: of the left, right, bottom, top; NULL: no side. */
const otok_field_info *otok_speed_at(int side);

/* The values of a map, or the lengths of two. */
typedef struct otok_spread {
    double low, high;   /* the look's share of them is within, half of the rest on each side */
    double least, most; /* all are within */
} otok_spread;

/* Cells of a large map that count for low and high: every `step`th, from cell 0 on. */
enum { OTOK_SPREAD_SAMPLE = 65536 };
int64_t otok_spread_step(int64_t cells);

/* y and depth: NULL, or maps. Cells without a value (NaN) and those of `nholes` pairs of a first
   cell and a number do not count. OTOK_NOMEM. */
otok_status otok_spread_find(otok_spread *out, const otok_look *look, const float *x,
                             const float *y, const float *depth, int64_t cells,
                             const int64_t *holes, int64_t nholes);
void otok_spread_join(otok_spread *to, const otok_spread *other);

/* As otok_scale_find; map: of colours, -1: that of the look. */
otok_status otok_scale_set(otok_scale *out, const otok_look *look, const otok_spread *spread,
                           int map, double sea, double low, double high);

/* Where a value lies between the first colour, 0, and the last one, 1. */
double otok_scale_share(const otok_scale *scale, double value);

/* OTOK_USAGE: low is not below high. */
otok_status otok_scale_refuse(double low, double high);

#endif
