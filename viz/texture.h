/* texture.h: the textures that a scene computes for itself. */
#ifndef OTOK_TEXTURE_H
#define OTOK_TEXTURE_H

#include <epoxy/gl.h>

/* Five tiles that repeat: grass, rock, sand, seabed, waves. Red and green are slopes, blue a tone;
 * mipmapped. */
GLuint otok_texture_materials(void);

/* Room for a colour map (colours.h), and one put there. */
GLuint otok_texture_scale(void);
void otok_texture_colours(GLuint scale, int map);

#endif
