/* painter.h: the programs that colour a scene, directly or deferred (see scene.h). The scene draws
   the geometry that they colour. */
#ifndef OTOK_PAINTER_H
#define OTOK_PAINTER_H

#include "scene.h"
#include "shader.h"

enum {
    OTOK_PAINT_SWEEP,
    OTOK_PAINT_LIGHT,
    OTOK_PAINT_FLOW,
    OTOK_PAINT_MARKS,
    OTOK_PAINT_SHELTER,
    OTOK_PAINT_TERRAIN,
    OTOK_PAINT_RIVER,
    OTOK_PAINT_SEA,
    OTOK_PAINT_STRUCTURES,
    OTOK_PAINT_SKY, /* directly only */
    OTOK_PAINT_TILES = OTOK_PAINT_SKY,
    OTOK_PAINT_SHADE,
    OTOK_PAINT_GROUPS = 3, /* what tiles are sorted by: terrain, sea, sky */
    OTOK_PAINT_PROGRAMS = OTOK_PAINT_SHADE + OTOK_PAINT_GROUPS
};

typedef struct otok_painter {
    GLuint programs[OTOK_PAINT_PROGRAMS], tiles;
    GLsizeiptr room; /* tiles in each list of `tiles` */
    int deferred, software;
    int most_vertices; /* of patches, in one draw */
} otok_painter;

/* OTOK_DEVICE: a shader fails on this device, and how. Destroy it in any case. Software carries out
   both sides of every branch, so its programs are made for fast views or for others; those of a GPU
   serve both. */
otok_status otok_painter_create(otok_painter *out, otok_shading shading, int fast);
void otok_painter_destroy(otok_painter *painter);

/* Makes horizons in a number of directions, in the array of width x height on image unit 0. */
void otok_painter_sweep(const otok_painter *painter, int width, int height, int turns);

/* Makes a map of a scene, in the texture of width x height on image unit 0. OTOK_PAINT_LIGHT: light
   from horizons. OTOK_PAINT_FLOW: the water on land. OTOK_PAINT_MARKS: the marks of water.
   OTOK_PAINT_SHELTER: how closed the sea is around each place. The program of the water also marks,
   on image unit 1, the blocks of OTOK_WET_BLOCK cells that show some. */
enum { OTOK_WET_BLOCK = 8 };
void otok_painter_fill(const otok_painter *painter, int program, int width, int height);

/* Colours the geometry, only inside the scissor box if there is one. Uses the texture units `unit`
   and `unit` + 1. */
void otok_painter_shade(otok_painter *painter, const otok_canvas *canvas, unsigned unit);

#endif
