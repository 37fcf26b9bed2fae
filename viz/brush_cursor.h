/* brush_cursor.h: draws the circle of the brush on the ground. */
#ifndef OTOK_BRUSH_CURSOR_H
#define OTOK_BRUSH_CURSOR_H

#include "scene.h"

#include <epoxy/gl.h>

typedef struct otok_brush_cursor {
    GLuint program, array;
} otok_brush_cursor;

otok_status otok_brush_cursor_create(otok_brush_cursor *out);
void otok_brush_cursor_destroy(otok_brush_cursor *cursor);

/* Draws the circle, in metres of the map, over a picture of width x height that otok_scene_draw has
   drawn. It uses the terrain and view of that scene. Hills do not hide it. */
void otok_brush_cursor_draw(const otok_brush_cursor *cursor, double x, double y, double radius,
                            int width, int height);

#endif
