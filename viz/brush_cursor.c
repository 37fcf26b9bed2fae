/* brush_cursor.c: draws the circle as one strip of triangles. The shader finds its corners from
   their numbers. */
#include "brush_cursor.h"
#include "shader.h"

#include <math.h>

otok_status otok_brush_cursor_create(otok_brush_cursor *out)
{
    glCreateVertexArrays(1, &out->array);
    return otok_program_create(&out->program, OTOK_FILES("brush_cursor.vert", "brush_cursor.frag"),
                               OTOK_FAST_ASKED);
}

void otok_brush_cursor_destroy(otok_brush_cursor *cursor)
{
    glDeleteProgram(cursor->program);
    glDeleteVertexArrays(1, &cursor->array);
}

void otok_brush_cursor_draw(const otok_brush_cursor *cursor, double x, double y, double radius,
                            int width, int height)
{
    const double half = 2 * fmax(1, floor(height / 720.0));
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(cursor->program);
    glUniform4f(0, (float)x, (float)y, (float)radius, (float)half);
    glUniform2f(1, (float)width, (float)height);
    glBindVertexArray(cursor->array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 2 * 129);
    glDisable(GL_BLEND);
}
