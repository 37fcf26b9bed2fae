/* patches.c: divides a map into patches of at least 16 cells, of 32 on wide maps, which are seen
   from so far that smaller ones would be more corners than the ground has bends, and for fast views
   in software, whose pixels are wide. They are so few that their corners need little memory. */
#include "patches.h"

#include <stdlib.h>

enum { CELLS = 16, WIDE = 2048, MOST = 512 };

void otok_array_create(GLuint *array, GLuint *buffer, int n, int more)
{
    glCreateBuffers(1, buffer);
    glCreateVertexArrays(1, array);
    glVertexArrayVertexBuffer(*array, 0, *buffer, 0, (GLsizei)sizeof(float) * (n + more));
    for (int i = 0; i <= (more > 0); i++) {
        glEnableVertexArrayAttrib(*array, (GLuint)i);
        glVertexArrayAttribFormat(*array, (GLuint)i, i ? more : n, GL_FLOAT, GL_FALSE,
                                  (GLuint)(i ? n * (int)sizeof(float) : 0));
        glVertexArrayAttribBinding(*array, (GLuint)i, 0);
    }
}

static int patch_count(int64_t cells, int coarse)
{
    const int64_t each = coarse || cells > WIDE ? 2 * CELLS : CELLS, n = (cells + each - 1) / each;
    return n > MOST ? MOST : (int)n;
}

/* The position of the i-th of n lines. The last one is the edge of the map to the bit. */
static float line_position(int i, int n, double length)
{
    return (float)(length * i / n);
}

static float *put_corner(float *at, float x, float y, float drop)
{
    at[0] = x, at[1] = y, at[2] = drop;
    return at + 3;
}

static float *put_wall(float *at, float x0, float y0, float x1, float y1)
{
    return put_corner(put_corner(put_corner(put_corner(at, x0, y0, 1), x1, y1, 1), x1, y1, 0), x0,
                      y0, 0);
}

otok_status otok_patches_create(otok_patches *out, otok_grid grid, int coarse)
{
    const int nx = patch_count(grid.nx, coarse), ny = patch_count(grid.ny, coarse);
    const double wide = (double)grid.nx * grid.spacing, tall = (double)grid.ny * grid.spacing;
    const int64_t across = (grid.nx + nx - 1) / nx, up = (grid.ny + ny - 1) / ny;
    out->cells = (int)(across > up ? across : up);
    out->ground = 4 * nx * ny;
    out->all = out->ground + 8 * (nx + ny);
    float *const corners = malloc((size_t)out->all * 3 * sizeof *corners), *at = corners;
    if (!corners) return OTOK_FAIL(OTOK_NOMEM, "no memory for the patches of a scene");
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const float x0 = line_position(i, nx, wide), x1 = line_position(i + 1, nx, wide),
                        y0 = line_position(j, ny, tall), y1 = line_position(j + 1, ny, tall);
            at = put_corner(put_corner(put_corner(put_corner(at, x0, y0, 0), x1, y0, 0), x1, y1, 0),
                            x0, y1, 0);
        }
    for (int i = 0; i < nx; i++) {
        at = put_wall(at, line_position(i, nx, wide), 0, line_position(i + 1, nx, wide), 0);
        at = put_wall(at, line_position(i, nx, wide), (float)tall, line_position(i + 1, nx, wide),
                      (float)tall);
    }
    for (int j = 0; j < ny; j++) {
        at = put_wall(at, 0, line_position(j, ny, tall), 0, line_position(j + 1, ny, tall));
        at = put_wall(at, (float)wide, line_position(j, ny, tall), (float)wide,
                      line_position(j + 1, ny, tall));
    }
    otok_array_create(&out->array, &out->buffer, 3, 0);
    glNamedBufferData(out->buffer, (GLsizeiptr)((size_t)out->all * 3 * sizeof *corners), corners,
                      GL_STATIC_DRAW);
    free(corners);
    return OTOK_OK;
}

void otok_patches_destroy(otok_patches *patches)
{
    glDeleteVertexArrays(1, &patches->array);
    glDeleteBuffers(1, &patches->buffer);
}
