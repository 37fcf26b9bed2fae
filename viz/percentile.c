/* percentile.c: one group of threads finds one number. */
#include "percentile.h"
#include "arrange.h"
#include "shader.h"

otok_status otok_percentile_create(otok_percentile *out)
{
    glCreateBuffers(1, &out->buffer);
    glNamedBufferStorage(out->buffer, sizeof(float), NULL, 0);
    return otok_program_create(&out->program, OTOK_FILES("percentile.comp"), OTOK_FAST_ASKED);
}

void otok_percentile_destroy(otok_percentile *percentile)
{
    glDeleteProgram(percentile->program);
    glDeleteBuffers(1, &percentile->buffer);
}

double otok_percentile_high(const otok_percentile *percentile, otok_scene *scene, otok_grid grid,
                            int two)
{
    int64_t step, rank;
    float high;
    otok_arrange_sample(grid.nx * grid.ny, &step, &rank);
    glUseProgram(percentile->program);
    glUniform4i(0, (GLint)(grid.nx * grid.ny), (GLint)step, (GLint)rank, two);
    glBindTextureUnit(OTOK_SLOT_VALUE_X, otok_scene_texture(scene, OTOK_SLOT_VALUE_X));
    glBindTextureUnit(OTOK_SLOT_VALUE_Y,
                      otok_scene_texture(scene, two ? OTOK_SLOT_VALUE_Y : OTOK_SLOT_VALUE_X));
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, percentile->buffer);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(percentile->buffer, 0, sizeof high, &high);
    return high;
}
