/* ring.h: the brush's circle on the ground. */
#ifndef OTOK_RING_H
#define OTOK_RING_H

#include "scene.h"

#include <epoxy/gl.h>

typedef struct otok_ring {
    GLuint program, array;
} otok_ring;

otok_status otok_ring_create(otok_ring *out);
void otok_ring_destroy(otok_ring *ring);

/* Over a picture of width x height that otok_scene_draw has drawn: it uses that scene's terrain and view. In metres of the map.
   Hills do not hide it. */
void otok_ring_draw(const otok_ring *ring, double x, double y, double radius, int width, int height);

#endif
