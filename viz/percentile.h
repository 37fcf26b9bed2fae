/* percentile.h: the value that 99.5 % of the cells of a scene stay below. OpenGL finds it in the
   textures; otok_arrange_range finds the same in maps on the host. */
#ifndef OTOK_PERCENTILE_H
#define OTOK_PERCENTILE_H

#include "scene.h"

#include <epoxy/gl.h>

typedef struct otok_percentile {
    GLuint program, buffer;
} otok_percentile;

otok_status otok_percentile_create(otok_percentile *out);
void otok_percentile_destroy(otok_percentile *percentile);

/* The percentile of |x| in the slot VALUE_X or, with `two`, of the length of the vector that it
   makes with VALUE_Y. Four bytes come to the host, once they are found. */
double otok_percentile_high(const otok_percentile *percentile, otok_scene *scene, otok_grid grid,
                            int two);

#endif
