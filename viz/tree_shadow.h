/* tree_shadow.h: the shadows that single trees throw on the ground, on water and on each other: a
   map of depths as the sun sees the crowns around the eye (shaders/tree_shadow.vert). */
#ifndef OTOK_VIZ_TREE_SHADOW_H
#define OTOK_VIZ_TREE_SHADOW_H

#include "../src/core/status.h"

#include <epoxy/gl.h>

struct uniforms;

typedef struct otok_tree_shadow {
    GLuint program, frame, depth;
    float drawn_for[28]; /* the view that `depth` is of; 0: none, or trees have changed since */
} otok_tree_shadow;

/* OTOK_DEVICE: a shader fails on this device, and how. Destroy it in any case. */
otok_status otok_tree_shadow_create(otok_tree_shadow *out);
void otok_tree_shadow_destroy(otok_tree_shadow *shadow);

/* Makes a map without crowns, for views without single trees: the sampler of a shader needs a map
   of its kind, used or not. The caller deletes it. */
GLuint otok_tree_shadow_create_empty(void);

/* Sets `view->tree_shadow` from its eye, sun, map and woods. Land lies between two heights. */
void otok_tree_shadow_aim(struct uniforms *view, double lowest, double highest);

/* Is the map of this view, apart from a shift of the picture by a pixel? If not, the caller draws
   it now, and it is of this view then. */
int otok_tree_shadow_kept(otok_tree_shadow *shadow, const struct uniforms *view);

/* Draws the crowns of the array. `command`: its place in the indirect buffer that is bound. */
void otok_tree_shadow_draw(const otok_tree_shadow *shadow, GLuint array, GLintptr command);

#endif
