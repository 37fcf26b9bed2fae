/* gl.h: an OpenGL 4.5 core context without a display, by EGL, and a canvas to draw on. Windows have
 * their own contexts. */
#ifndef OTOK_GL_H
#define OTOK_GL_H

#include "../src/core/status.h"

typedef struct otok_gl otok_gl;

/* Makes a context and makes it current: on a GPU if EGL lists one, else by Mesa on the CPU.
   OTOK_DEVICE: there is none; the text says what to install. */
otok_status otok_gl_create(otok_gl **out);
void otok_gl_destroy(otok_gl *gl);
const char *otok_gl_device(const otok_gl *gl); /* OpenGL's name of the renderer */

/* Counts the messages of OpenGL above notifications so far. `first`: the first of them, "" if there
   was none. */
int otok_gl_log_count(const otok_gl *gl, const char **first);

/* From now on OpenGL reports to these counters, in a context that somebody else made. `first` has
   room for 400 bytes. */
void otok_gl_listen(int *messages, char *first);

typedef struct otok_canvas otok_canvas;

/* A canvas has, for each pixel, 8 bits of sRGB, the kind of surface that it sees, and its depth.
   OTOK_USAGE: it is larger than the device allows; the text gives the limit. */
otok_status otok_canvas_create(otok_canvas **out, int width, int height);
void otok_canvas_destroy(otok_canvas *canvas);
void otok_canvas_size(const otok_canvas *canvas, int *width, int *height);

/* Where drawing goes from now on. bind: to the colours. clear: to the colours, and to depths, which
   are cleared first. geometry: to kinds and depths, both cleared first. */
void otok_canvas_bind(const otok_canvas *canvas);
void otok_canvas_clear(const otok_canvas *canvas);
void otok_canvas_geometry(const otok_canvas *canvas);

/* Binds kinds and depths to texture units `first` and `first` + 1, and the bytes of the colours to
   image unit 0. */
void otok_canvas_bind_textures(const otok_canvas *canvas, unsigned first);

/* One onto another, whatever their sizes. */
void otok_canvas_copy(const otok_canvas *from, const otok_canvas *to);

/* Copies the canvas onto the window's framebuffer, which has the same size. */
void otok_canvas_present(const otok_canvas *canvas);

/* The depth of one pixel (x from the left, y from the top), in the units of otok_frame. 0: it sees
   the sky, or lies outside. */
float otok_canvas_depth(const otok_canvas *canvas, int x, int y);

/* Copies what was drawn to rgb [height][width][3] of the caller, row 0 at the top. */
void otok_canvas_read(const otok_canvas *canvas, unsigned char *rgb);

#endif
