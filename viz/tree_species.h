/* tree_species.h: the kinds of trees, a row each: what they look like and where they grow. */
#ifndef OTOK_VIZ_TREE_SPECIES_H
#define OTOK_VIZ_TREE_SPECIES_H

#include "tree_mesh.h"

enum { OTOK_SPECIES = 3 };

/* At a place grows the species with the greatest score, mixed with those whose scores are near. A
   score is `always`, plus so much for each of these: height, 0 at the sea and 1 at the peak; slope,
   1 at 45 degrees; moisture, about -0.5..0.5; nearness of the shore, 0..1. */
typedef struct otok_species {
    const char *name;
    otok_tree_form form;
    float radius[2];    /* of the crown, from and to, in distances from site to site */
    float tall[2];      /* the tree, in radii */
    float middle, half; /* of the crown: its middle and half its height, in heights of the tree */
    float dark[3], light[3]; /* leaves: albedo, in linear light */
    float always, high, steep, moist, shore;
} otok_species;

extern const otok_species otok_species_rows[OTOK_SPECIES];

/* The rows as `species` in shaders/common.glsl. */
void otok_species_fill(float out[OTOK_SPECIES * 5][4]);

#endif
