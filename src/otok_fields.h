/* otok_fields.h: the public interface for fields that follow from a state, and for the colours of
   all fields, and its manual. Include otok.h, which includes it and states the conventions. */
#ifndef OTOK_FIELDS_API_H
#define OTOK_FIELDS_API_H

#ifndef OTOK_H
#error "include otok.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- derived fields ----

   Maps that follow from a state, such as slope and drainage area. i counts them from 0, in the
   order of core/fields.def, which defines them. at returns NULL outside, find -1 if there is none.
 */
const otok_field_info *otok_derived_at(int i);
int otok_derived_find(const char *name);

typedef struct otok_derived_from {
    const char *scenario; /* its resolved text, as in a checkpoint */
    int64_t iteration;
    const float *maps[OTOK_FIELDS]; /* dense [ny][nx]; NULL: missing */
    const unsigned char *walls;     /* 1 in a cell without data; NULL: there are none */
    otok_grid grid;                 /* of a part, or of larger cells; all 0: the scenario's */
} otok_derived_from;

/* Fills a map [ny][nx], NaN: no value; NULL: it only checks. OTOK_DATA: the text names what lacks.
 */
otok_status otok_derive(int i, const otok_derived_from *from, float *map);

/* Bit f: it reads maps[f], if that is given. */
uint64_t otok_derived_reads(int i);

/* ---- colours of values ----

   The viewer, `otok render`, `otok export` and otok.plot draw a field in the same colours. Each
   field has a look, a row LOOK of core/fields.def. */

typedef struct otok_look {
    const char *colours; /* the map, from the lowest value to the highest */
    int sign;            /* 1: values have a sign, and 0 is in the middle; 2: they may have one, and
                            without it the colours are those of amounts; 3: angles, whole turns */
    double low, high;    /* ends that the meaning fixes; NAN: found in the values */
    int is_log;          /* colours go by the logarithm; values that are not above 0 are below */
    int by_water;        /* values count by the depth of the water that they are of */
    double share;        /* of the values (of the water) within the ends that are found */
} otok_look;

typedef struct otok_scale {
    int colours;      /* the map, as in otok_colours_name */
    double low, high; /* values of the first and of the last colour */
    int is_log, is_angle;
    int beyond; /* bits: values are below the colours, above them */
} otok_scale;

/* Finds the colours of a map of n values; NAN: a cell without one. Ends that are found are round.
   Heights whose colours have a coast have it at the level of the sea [m]; if they are all above it
   or all below, the colours are those of amounts. A map of one value has 0 for the other end.
   depth: of the water [m], for looks by water; NULL: none. low, high replace what was found; NAN:
   not given. OTOK_USAGE: low is not below high, or n not in 1..2^40.
   OTOK_NOMEM. */
otok_status otok_scale_find(otok_scale *out, const otok_look *look, const float *values,
                            const float *depth, int64_t n, double sea, double low, double high);

/* The name of a colour map; NULL: there is no such map. Its colours in linear light, the lowest
   first; OTOK_USAGE: there is no such map. */
enum { OTOK_COLOURS = 256 };
const char *otok_colours_name(int map);
otok_status otok_colours_fill(int map, float out[OTOK_COLOURS][3]);

#ifdef __cplusplus
}
#endif
#endif
