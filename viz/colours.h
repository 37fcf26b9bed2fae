/* colours.h: perceptual colour maps by name, all of them even in lightness; viz/colours.md has
 * how the colour-blind see them. */
#ifndef OTOK_COLOURS_H
#define OTOK_COLOURS_H

enum { OTOK_COLOURS_OWN = 0, OTOK_COLOURS = 256 }; /* otok's own map; colours in one */

/* What a map is for: values from little to much; to both sides of a middle; heights below and above
 * a sea; angles. */
typedef enum otok_colours_kind {
    OTOK_COLOURS_SEQUENTIAL,
    OTOK_COLOURS_DIVERGING,
    OTOK_COLOURS_TOPOGRAPHY,
    OTOK_COLOURS_CYCLIC
} otok_colours_kind;

const char *otok_colours_name(int map);  /* NULL: there is no such map */
int otok_colours_find(const char *name); /* -1: likewise               */
otok_colours_kind otok_colours_kind_of(int map);

/* Its colours in linear light, the lowest first. */
void otok_colours_fill(int map, float out[OTOK_COLOURS][3]);

#endif
