/* globe.h: the map of a scene around a sphere: its columns are longitudes, its rows latitudes. */
#ifndef OTOK_GLOBE_H
#define OTOK_GLOBE_H

#include "scene.h"

#include <epoxy/gl.h>

typedef struct otok_globe {
    GLuint program, array;
} otok_globe;

otok_status otok_globe_create(otok_globe *out);
void otok_globe_destroy(otok_globe *globe); /* also one that was not created */

/* Draws it over a whole picture, with the maps and the view that are bound. */
void otok_globe_draw(const otok_globe *globe, const otok_shot *shot, int width, int height);

#endif
