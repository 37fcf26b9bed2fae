/* structures.h: bridges and the mouths of tunnels, as triangles over the mesh of the ground. */
#ifndef OTOK_VIZ_STRUCTURES_H
#define OTOK_VIZ_STRUCTURES_H

#include "../src/core/status.h"

#include <epoxy/gl.h>

/* As kinds of what is seen in shaders/common.glsl. */
enum {
    OTOK_STRUCTURE_DECK = 6,
    OTOK_STRUCTURE_WALL_X,
    OTOK_STRUCTURE_WALL_Y,
    OTOK_STRUCTURE_MOUTH,
    OTOK_STRUCTURE_END
};

typedef struct otok_structures {
    GLuint array, buffer;
    GLint first[OTOK_STRUCTURE_END + 1]; /* vertices of kind k: first[k] up to first[k + 1] */
} otok_structures;

void otok_structures_destroy(otok_structures *structures);

/* From maps [ny][nx] as the fields have them; road NULL: there are none. */
otok_status otok_structures_build(otok_structures *structures, otok_grid grid, const float *terrain,
                                  const float *road, const float *road_height);

/* Draws them by the program in use, whose uniform 0 is the kind. */
void otok_structures_draw(const otok_structures *structures);

#endif
