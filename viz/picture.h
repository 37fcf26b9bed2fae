/* picture.h: one picture of a scene, of several samples a pixel. */
#ifndef OTOK_VIZ_PICTURE_H
#define OTOK_VIZ_PICTURE_H

#include "gl.h"
#include "scene.h"

/* Draws the scene on a canvas of width by height and one sample, `samples` times, each a part of a pixel aside, and gives the mean
   of their light as otok_canvas_read does. Samples of the device's own would smooth edges alone, not the texture of the ground and
   the glitter of the sea. OTOK_NOMEM. */
otok_status otok_picture_draw(otok_scene *scene, const otok_canvas *canvas, const otok_shot *shot, int width, int height,
                              int samples, const char *legend, unsigned char *rgb);

#endif
