/* inset.c: draws one triangle in a small viewport. */
#include "inset.h"
#include "shader.h"

otok_status otok_inset_create(otok_inset *out)
{
    glCreateVertexArrays(1, &out->array);
    return otok_program_create(&out->program,
                               OTOK_FILES("cover.vert", "value.glsl", "chart.glsl", "inset.frag"),
                               OTOK_FAST_ASKED);
}

void otok_inset_destroy(otok_inset *inset)
{
    glDeleteProgram(inset->program);
    glDeleteVertexArrays(1, &inset->array);
}

void otok_inset_draw(const otok_inset *inset, otok_grid grid, int width, int height)
{
    const int side = (width < height ? width : height) / 3, edge = side / 24;
    const double longer = (double)(grid.nx > grid.ny ? grid.nx : grid.ny);
    const int wide = (int)(side * (double)grid.nx / longer),
              tall = (int)(side * (double)grid.ny / longer);
    glViewport(width - edge - wide, edge, wide, tall);
    glDisable(GL_DEPTH_TEST);
    glUseProgram(inset->program);
    glBindVertexArray(inset->array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glViewport(0, 0, width, height);
}
