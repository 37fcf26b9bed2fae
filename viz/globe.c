/* globe.c: draws one triangle. The shader follows the ray of each pixel to the sphere. */
#include "globe.h"
#include "shader.h"

#include <math.h>

otok_status otok_globe_create(otok_globe *out)
{
    glCreateVertexArrays(1, &out->array);
    return otok_program_create(&out->program,
                               OTOK_FILES("cover.vert", "value.glsl", "chart.glsl", "globe.frag"),
                               OTOK_FAST_ASKED);
}

void otok_globe_destroy(otok_globe *globe)
{
    glDeleteProgram(globe->program);
    glDeleteVertexArrays(1, &globe->array);
}

void otok_globe_draw(const otok_globe *globe, const otok_shot *shot, int width, int height)
{
    otok_camera at = shot->camera;
    otok_frame f;
    at.distance = 1;
    otok_camera_frame(&at, width, height, &f);
    const double tall = tan(at.angle * M_PI / 360), wide = tall * width / height;
    glDisable(GL_DEPTH_TEST);
    glUseProgram(globe->program);
    glUniform4f(0, f.right[0] / (float)wide, f.right[1] / (float)wide, f.right[2] / (float)wide,
                (float)wide);
    glUniform4f(1, f.up[0] / (float)tall, f.up[1] / (float)tall, f.up[2] / (float)tall,
                (float)tall);
    glUniform4f(2, f.forward[0], f.forward[1], f.forward[2], (float)shot->globe);
    glUniform2f(3, (float)(2 * shot->shift[0] / width), (float)(2 * shot->shift[1] / height));
    glBindVertexArray(globe->array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}
