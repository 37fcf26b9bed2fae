/* texture.h: the textures that a scene computes for itself. */
#ifndef OTOK_TEXTURE_H
#define OTOK_TEXTURE_H

#include <epoxy/gl.h>

/* Five tiles that repeat: grass, rock, sand, seabed, waves. Red and green are slopes, blue a tone;
 * mipmapped. */
GLuint otok_texture_materials(void);

/* Makes room for a colour map (colours.h), and fills it with one. */
GLuint otok_texture_scale(void);
void otok_texture_colours(GLuint scale, int map);

/* A texture without smaller copies, smooth between its texels. `wrap`: beyond its edges. */
GLuint otok_texture_plane(GLenum format, int width, int height, GLint wrap);

/* A number, 0..1, that looks like chance. */
float otok_noise_hash(int x, int y, int salt);

/* Noise, 0..1, at a place of a tile that repeats (0..1 along each side). octaves: value noise; the
   coarsest of n octaves has so many cells along the side. heaps: round heaps about scattered
   points, one a cell, for tree crowns, coral heads and clouds. */
float otok_noise_octaves(float x, float y, int cells, int n, int salt);
float otok_noise_heaps(float x, float y, int cells, int salt);

#endif
