/* renderer.h: draws a scene without a window: context, canvas, the map in the corner, pictures of
 * several samples. */
#ifndef OTOK_RENDERER_H
#define OTOK_RENDERER_H

#include "gl.h"
#include "inset.h"
#include "scene.h"

typedef struct otok_renderer {
    otok_gl *gl;
    otok_canvas *canvas;
    otok_scene *scene;
    otok_inset map;
    otok_grid grid;
    int width, height, samples;
} otok_renderer;

/* OTOK_DEVICE: no OpenGL here. OTOK_USAGE: more pixels or cells than it can draw. */
otok_status otok_renderer_create(otok_renderer *out, otok_grid grid, int width, int height,
                                 int samples);
void otok_renderer_destroy(otok_renderer *renderer); /* also one that could not be made */

/* Draws the scene `samples` times, each shifted by a part of a pixel, and gives the mean of their
   light: rgb [height][width][3], row 0 at the top. The device's own samples would smooth only
   edges, not the texture of the ground and the glitter of the sea. `map`: draws the 2-D map in a
   corner. OTOK_NOMEM. */
otok_status otok_renderer_draw(const otok_renderer *renderer, const otok_shot *shot,
                               const char *legend, int map, unsigned char *rgb);

#endif
