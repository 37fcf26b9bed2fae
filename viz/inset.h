/* inset.h: draws the map from above in a corner of the picture. */
#ifndef OTOK_INSET_H
#define OTOK_INSET_H

#include "scene.h"

#include <epoxy/gl.h>

typedef struct otok_inset {
    GLuint program, array;
} otok_inset;

otok_status otok_inset_create(otok_inset *out);
void otok_inset_destroy(otok_inset *inset);

/* Draws into the lower right corner of a picture that otok_scene_draw has just drawn, with the maps
   and view of that scene. */
void otok_inset_draw(const otok_inset *inset, otok_grid grid, int width, int height);

#endif
