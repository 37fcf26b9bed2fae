/* patches.h: the corners of what a scene draws, as triples of floats. */
#ifndef OTOK_PATCHES_H
#define OTOK_PATCHES_H

#include "../src/core/status.h"

#include <epoxy/gl.h>

typedef struct otok_patches {
    GLuint array, buffer;
    int cells; /* along the edge of a patch, at most */
    GLsizei ground,
        all; /* corners of the terrain alone, and with the walls of the block after them */
} otok_patches;

/* Makes quads over the map and, around it, quads that hang down: x, y, and 1 where a corner is at
   the bottom. `coarse`: quads as large as on wide maps. */
otok_status otok_patches_create(otok_patches *out, otok_grid grid, int coarse);
void otok_patches_destroy(otok_patches *patches);

/* Makes an empty array of n floats a vertex in attribute 0, and of `more` in attribute 1. */
void otok_array_create(GLuint *array, GLuint *buffer, int n, int more);

#endif
