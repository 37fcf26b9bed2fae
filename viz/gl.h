/* gl.h: an OpenGL 4.5 core context without a display, by EGL, and a canvas to draw on. Windows have
 * their own contexts. */
#ifndef OTOK_GL_H
#define OTOK_GL_H

#include "../src/core/status.h"

typedef struct otok_gl otok_gl;

/* Makes a context and makes it current: on a GPU where EGL lists one, else by Mesa on the CPU.
   OTOK_DEVICE: there is none, and what to install. */
otok_status otok_gl_create(otok_gl **out);
void otok_gl_destroy(otok_gl *gl);
const char *otok_gl_device(const otok_gl *gl); /* OpenGL's name of the renderer */

/* Messages of OpenGL above notifications so far, and the first of them, "" where there was none. */
int otok_gl_log_count(const otok_gl *gl, const char **first);

/* Has OpenGL report to these counters from now on; for contexts that others made. `first` has room
 * for 400. */
void otok_gl_listen(int *messages, char *first);

typedef struct otok_canvas otok_canvas;

/* 8 bits of sRGB; and for each pixel which kind of surface it sees, and its depth. OTOK_USAGE:
   larger than the device can, and its limit. */
otok_status otok_canvas_create(otok_canvas **out, int width, int height);
void otok_canvas_destroy(otok_canvas *canvas);
void otok_canvas_size(const otok_canvas *canvas, int *width, int *height);

/* What is drawn from now on goes to its colours; the same with depths, which are cleared; to its
 * kinds and depths, both cleared. */
void otok_canvas_bind(const otok_canvas *canvas);
void otok_canvas_clear(const otok_canvas *canvas);
void otok_canvas_geometry(const otok_canvas *canvas);

/* Binds kinds and depths to texture units `first` and `first` + 1, and the bytes of the colours to
 * image unit 0. */
void otok_canvas_bind_textures(const otok_canvas *canvas, unsigned first);

/* One onto another, whatever their sizes. */
void otok_canvas_copy(const otok_canvas *from, const otok_canvas *to);

/* Onto the window's framebuffer, of the same height, so many pixels from its left side. */
void otok_canvas_present(const otok_canvas *canvas, int left);

/* Depth of one pixel (x from the left, y from the top), as otok_frame says; 0: the sky, or outside.
 */
float otok_canvas_depth(const otok_canvas *canvas, int x, int y);

/* What was drawn: rgb [height][width][3], row 0 at the top; the caller's. */
void otok_canvas_read(const otok_canvas *canvas, unsigned char *rgb);

#endif
