/* shader.h: programs made of the files in shaders/, which the build embeds. */
#ifndef OTOK_SHADER_H
#define OTOK_SHADER_H

#include "../src/core/status.h"

#include <epoxy/gl.h>

typedef struct otok_shader {
    const char *name; /* of its file, "sea.frag" */
    const unsigned char *text;
    int size;
} otok_shader;

extern const otok_shader otok_shaders[]; /* ended by a NULL name; made by the build */

/* Links a program of files by name, up to the first NULL; common.glsl comes first in each, material.glsl and value.glsl in those
   of fragments. The ending says the stage. OTOK_DEVICE: the compiler's own words. */
otok_status otok_program_create(GLuint *out, const char *const files[4]);

#endif
