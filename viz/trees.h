/* trees.h: the trees near the eye, drawn one by one as instances of small meshes. They grow out of
   the canopy that the ground carries farther away (shaders/canopy.glsl). For each picture the
   device finds which sites have a tree, and how it looks. */
#ifndef OTOK_VIZ_TREES_H
#define OTOK_VIZ_TREES_H

#include "../src/core/status.h"
#include "tree_shadow.h"
#include "tree_species.h"

#include <epoxy/gl.h>

enum { OTOK_TREES_SIDE = 384 }; /* sites that are looked at along a side, at most */
/* From site to site [m], on cells of any size: the tallest palm is 16 m high. Maps narrower than
   sixteen sites have no trees. */
#define OTOK_TREES_SITE 6.0
enum { OTOK_TREES_MESHES = 3 }; /* from the finest, for the nearest trees, to the coarsest */

struct uniforms;

typedef struct otok_trees {
    GLuint find, draw;           /* programs; `draw` is 0 where they fail */
    GLuint array, mesh, corners; /* of all meshes */
    GLuint list, commands;       /* of those that are seen, and of those that throw shadows */
    otok_tree_shadow shadow;
    int tried;
    int indices[OTOK_SPECIES * OTOK_TREES_MESHES],
        first[OTOK_SPECIES * OTOK_TREES_MESHES]; /* in `corners` */
} otok_trees;

/* OTOK_DEVICE: a shader fails on this device, and how. Destroy it in any case. */
otok_status otok_trees_create(otok_trees *out, int deferred);
void otok_trees_destroy(otok_trees *trees);

/* Finds the trees of the maps and the view that are bound. Draws the map of their shadows and binds
   it to texture unit `unit`. 0: there are no trees. */
int otok_trees_find(otok_trees *trees, const struct uniforms *view, unsigned unit);

/* Must be called when maps change that decide where trees stand. Their shadows are then drawn
   anew. */
void otok_trees_changed(otok_trees *trees);

/* Draws the trees that were found onto the canvas that is bound. */
void otok_trees_draw(const otok_trees *trees);

#endif
