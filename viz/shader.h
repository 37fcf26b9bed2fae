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

enum { OTOK_SHADER_FILES = 14 };
#define OTOK_FILES(...)                                                                            \
    (const char *const[OTOK_SHADER_FILES])                                                         \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Links a program of files, which are named up to the first NULL. The ending of a file names its
   stage. Files that end in .glsl are parts of the stage after them, and common.glsl comes first in
   each stage. `fast`: what FAST stands for in them; OTOK_FAST_ASKED lets the view decide.
   OTOK_DEVICE: the text is the compiler's. */
#define OTOK_FAST_ASKED "(up.w > 0.0)"
otok_status otok_program_create(GLuint *out, const char *const files[OTOK_SHADER_FILES],
                                const char *fast);

/* Runs a compute program in groups of OTOK_GROUP x OTOK_GROUP threads, one for each texel or pixel.
   `barrier`: who waits for its results, as in glMemoryBarrier. */
enum { OTOK_GROUP = 8 };
void otok_program_run(GLuint program, int width, int height, GLbitfield barrier);

#endif
