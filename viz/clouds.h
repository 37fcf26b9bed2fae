/* clouds.h: fair-weather clouds in one slab of air. They are drawn as a picture of what a view sees
   of them, from below or above, and as shadows on what lies below. Both follow from the same
   density (shaders/cloud.glsl). */
#ifndef OTOK_CLOUDS_H
#define OTOK_CLOUDS_H

#include "shader.h"

struct uniforms; /* scene_state.h */

/* While an eye rises by this share of the map's side above the slab, the clouds above it fade.
   While it rises as far again, those below it appear. As in shaders/cloud_sky.comp. */
#define OTOK_CLOUDS_FADE 0.1

typedef struct otok_clouds {
    GLuint sky, soft, shade; /* programs */
    GLuint forms, puffs;     /* what the density is made of */
    GLuint shadow, layer; /* the sun's share under the slab; light and cover of what a view sees */
    GLuint rough;         /* a layer before it is softened */
    int width, height;    /* of the layer */
    float shaded_for[5], drawn_for[33];
} otok_clouds;

/* OTOK_DEVICE: a shader fails on this device, and how. Destroy it in any case. */
otok_status otok_clouds_create(otok_clouds *out);
void otok_clouds_destroy(otok_clouds *clouds); /* also one that was not created */

/* Draws what changed since the last call: the shadow, and the layer for a picture of width x height
   pixels, with half as many along each side. `view` is the view that is bound. Binds the four
   textures from unit `unit` on: the shadow first, then the layer. */
void otok_clouds_draw(otok_clouds *clouds, const struct uniforms *view, int width, int height,
                      unsigned unit);

#endif
