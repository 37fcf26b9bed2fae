/* texture.h: the textures that a scene computes for itself. */
#ifndef OTOK_TEXTURE_H
#define OTOK_TEXTURE_H

#include <epoxy/gl.h>

/* Five tiles that repeat: grass, rock, sand, seabed, waves. Red and green are slopes, blue a tone; mipmapped. */
GLuint otok_texture_materials(void);

/* 256 colours from dark blue over green to light yellow, lightness rising evenly, so that equal steps of a value look alike and a
   gray copy still reads. */
GLuint otok_texture_scale(void);

#endif
