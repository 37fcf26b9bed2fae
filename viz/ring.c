/* ring.c: one strip of triangles, whose corners the shader knows by their numbers. */
#include "ring.h"
#include "shader.h"

#include <math.h>

otok_status otok_ring_create(otok_ring *out)
{
    static const char *const files[OTOK_SHADER_FILES] = {"ring.vert", "ring.frag"};
    glCreateVertexArrays(1, &out->array);
    return otok_program_create(&out->program, files, OTOK_FAST_ASKED);
}

void otok_ring_destroy(otok_ring *ring)
{
    glDeleteProgram(ring->program);
    glDeleteVertexArrays(1, &ring->array);
}

void otok_ring_draw(const otok_ring *ring, double x, double y, double radius, int width, int height)
{
    const double half = 2 * fmax(1, floor(height / 720.0));
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(ring->program);
    glUniform4f(0, (float)x, (float)y, (float)radius, (float)half);
    glUniform2f(1, (float)width, (float)height);
    glBindVertexArray(ring->array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 2 * 129);
    glDisable(GL_BLEND);
}
