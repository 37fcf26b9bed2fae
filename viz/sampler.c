/* sampler.c: see sampler.h. */
#include "sampler.h"
#include "shader.h"

otok_status otok_sampler_create(otok_sampler *out)
{
    glCreateBuffers(1, &out->buffer);
    glNamedBufferStorage(out->buffer, 2 * OTOK_SPREAD_SAMPLE * sizeof(float), NULL, 0);
    return otok_program_create(&out->program, OTOK_FILES("sampler.comp"), OTOK_FAST_ASKED);
}

void otok_sampler_destroy(otok_sampler *sample)
{
    glDeleteProgram(sample->program);
    glDeleteBuffers(1, &sample->buffer);
}

int64_t otok_sampler_read(const otok_sampler *sample, otok_scene *scene, otok_grid grid, int two,
                          float values[OTOK_SPREAD_SAMPLE], float depth[OTOK_SPREAD_SAMPLE])
{
    static float pairs[2 * OTOK_SPREAD_SAMPLE];
    const int64_t cells = grid.nx * grid.ny, step = otok_spread_step(cells),
                  n = (cells - 1) / step + 1;
    glUseProgram(sample->program);
    glUniform3i(0, (GLint)cells, (GLint)step, two);
    glBindTextureUnit(OTOK_SLOT_VALUE_X, otok_scene_texture(scene, OTOK_SLOT_VALUE_X));
    glBindTextureUnit(OTOK_SLOT_VALUE_Y,
                      otok_scene_texture(scene, two ? OTOK_SLOT_VALUE_Y : OTOK_SLOT_VALUE_X));
    glBindTextureUnit(OTOK_SLOT_WATER, otok_scene_texture(scene, OTOK_SLOT_WATER));
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, sample->buffer);
    glDispatchCompute((GLuint)((n + 255) / 256), 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(sample->buffer, 0, (GLsizeiptr)(2 * n * (int64_t)sizeof *pairs), pairs);
    for (int64_t k = 0; k < n; k++)
        values[k] = pairs[2 * k], depth[k] = pairs[2 * k + 1];
    return n;
}
