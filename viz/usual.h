/* usual.h: what the cells of a scene's values usually stay below, found by OpenGL in the textures themselves, as otok_arrange_range
   finds it in maps on the host. */
#ifndef OTOK_USUAL_H
#define OTOK_USUAL_H

#include "scene.h"

#include <epoxy/gl.h>

typedef struct otok_usual {
    GLuint program, buffer;
} otok_usual;

otok_status otok_usual_create(otok_usual *out);
void otok_usual_destroy(otok_usual *usual);

/* Of |x| in the slot VALUE_X, or with `two` of the length of it and VALUE_Y. Four bytes come to the host, once they are found. */
double otok_usual_high(const otok_usual *usual, otok_scene *scene, otok_grid grid, int two);

#endif
